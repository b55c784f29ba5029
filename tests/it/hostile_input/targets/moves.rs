//! Move text: typed moves, and the steps of menus. The first byte chooses the position.

use std::collections::HashSet;
use std::sync::OnceLock;

use rookery_core::{Menu, Play};
use rookery_i18n::Localizer;

use super::{Target, assert_answer, positions_in_games, text};

pub(super) const TARGET: Target = Target { name: "move_text", check, seeds, words };

/// Positions with more legal moves are left out, except for the first: each input lists all of them several times.
const MAX_MOVES: usize = 400;

/// First bytes from here on try the text as steps of a menu as well, which is slow.
const WITH_MENU: u8 = 192;

struct Case {
    play: Box<dyn Play>,
    legal: HashSet<String>,
}

fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let case = |play: Box<dyn Play>| Case { legal: play.moves().into_iter().collect(), play };
        let mut cases: Vec<_> = positions_in_games().into_iter().map(case).collect();
        let large = cases.iter().position(|case| case.legal.len() > MAX_MOVES).map(|at| cases.remove(at));
        cases.retain(|case| case.legal.len() <= MAX_MOVES);
        cases.extend(large);
        cases
    })
}

fn check(bytes: &[u8]) {
    let Some((first, typed)) = bytes.split_first() else { return };
    let Case { play, legal } = &cases()[usize::from(*first) % cases().len()];
    let typed = text(typed);
    let mut next = play.clone_play();
    match play.read(&typed) {
        Ok(spelling) => {
            assert!(legal.contains(&spelling), "{typed:?} is read as {spelling:?}, which isn't legal");
            assert_eq!(play.read(&spelling).as_ref(), Ok(&spelling), "{typed:?}");
            assert_eq!(next.play(&typed).as_ref(), Ok(&spelling), "{typed:?}");
            assert_eq!(next.ply(), play.ply() + 1);
        }
        Err(wrong) => {
            assert_answer(&Localizer::english().move_error(&wrong, Some(play.as_ref())), &typed);
            assert_eq!(next.play(&typed), Err(wrong), "{typed:?}");
            assert_eq!(next.line(), play.line(), "a refused move changed the position: {typed:?}");
        }
    }
    if *first >= WITH_MENU {
        check_menu(play.as_ref(), legal, &typed);
    }
}

fn check_menu(play: &dyn Play, legal: &HashSet<String>, typed: &str) {
    let steps: Vec<String> = typed.split('~').filter(|step| !step.is_empty()).map(str::to_owned).collect();
    let menu = play.menu(&steps);
    match &menu {
        Menu::Done(spelling) => assert!(legal.contains(spelling), "{steps:?} lead to {spelling:?}"),
        Menu::Choose(choices) => assert!(!choices.is_empty(), "{steps:?} lead to an empty menu"),
        Menu::Nothing => {}
    }
    let reached = play.after_steps(&steps).is_some();
    assert!(reached || matches!(menu, Menu::Nothing), "{steps:?} have a menu and no position");
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, case) in cases().iter().enumerate().filter(|(number, _)| *number <= usize::from(u8::MAX)) {
        let mut legal: Vec<&String> = case.legal.iter().collect();
        legal.sort();
        for text in legal.first().into_iter().chain(legal.last()) {
            seeds.push([&[number as u8], text.as_bytes()].concat());
        }
    }
    for words in ["d1-d7/g7", "e2 to e4", "a1,b2", "set a1", "swap", "c3NE", "f10-a1", "a0", "aa11", "d1~-d7"]
    {
        seeds.extend([0, 20, 200].map(|first| [&[first], words.as_bytes()].concat()));
    }
    seeds
}

fn words() -> Vec<String> {
    let signs = "- / , ~ > : ; ( ) . x – — → swap pass set ne se sw nw n e s w u d l r";
    let cells = "a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11 z99";
    signs.split(' ').chain(cells.split(' ')).map(str::to_owned).collect()
}
