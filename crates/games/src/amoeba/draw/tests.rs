//! Everything can be drawn in every orientation, with its art in the right places.

use rookery_core::conformance::check_inks;
use rookery_core::position::LastMove;
use rookery_core::rules::GameRules;
use rookery_core::scene::{DrawOptions, Item, Mark, MarkKind, Style, Theme};
use rookery_core::{Position, Seat};

use super::super::Amoeba;
use super::super::rules::{AmoebaPosition, POINTS, Side, Stack, board};
use super::plan::{HEIGHT, Plan, STEP, WIDTH};
use super::stacks::{DISC, top};
use super::{THEMES, scene};

/// A tall stack, one with buried Kernels, and single pieces.
const LINE: &str = "4/5/6/2,BBBBABBBAAAA,4/4,LKA,B/2,BBA,2/A,A,2 1";

fn look(theme: &str, style: Style, side: Seat) -> DrawOptions {
    let kinds = [MarkKind::Chosen, MarkKind::Goal, MarkKind::Label("17".into())];
    let marks = board().cells().map(|cell| Mark { cell, kind: kinds[cell.index() % 3].clone() }).collect();
    let owners = board().cells().map(|c| (c, Seat::FIRST, f32::from(c.0) / 37.0)).collect();
    DrawOptions {
        theme: theme.to_owned(),
        style,
        patterns: true,
        marks,
        owners,
        ..DrawOptions::from_seat(side)
    }
}

#[test]
fn every_look_has_known_inks() {
    let before = Amoeba::from_line("4/1,L,3/6/2,BBBBABBBAAAA,4/4,KA,B/2,BBA,2/A,A,A,1 1").unwrap();
    for text in ["a3-a4", "b3>e5", "c5-e4"] {
        let played = Amoeba::resolve(&before, &Amoeba::read(text).unwrap()).unwrap();
        let mut after = before.clone();
        after.play_unchecked(played);
        for theme in THEMES {
            for style in [Style::Full, Style::Plain, Style::Large] {
                for side in Seat::all(2) {
                    let last = LastMove::alone(&before, played);
                    check_inks(&scene(&after, &look(theme.name, style, side), Some(last)));
                }
            }
        }
    }
}

/// Neighbouring points are one step apart, and the tallest stack stays inside the picture.
#[test]
fn the_net_is_even_and_inside() {
    let tallest = Amoeba::from_line("4/5/6/3,AAAAAAAAAAKBBBBBBBBBBL,3/6/5/4 1").unwrap();
    let rise = -top(tallest.stack(board().named("d4").unwrap())).y + DISC;
    for side in Side::BOTH {
        let plan = Plan::new(side, &DrawOptions::from_seat(Seat::FIRST));
        for cell in board().cells() {
            let at = plan.centre(cell);
            assert!(at.x - DISC >= 0.0 && at.x + DISC <= WIDTH);
            assert!(at.y - rise >= 0.0 && at.y + rise + 12.0 <= HEIGHT);
            for near in board().lines().neighbours(cell) {
                let to = plan.centre(near);
                assert!(((to.x - at.x).hypot(to.y - at.y) - STEP).abs() < 0.2);
            }
        }
    }
}

#[test]
fn a_line_with_buried_kernels_is_drawn() {
    let position = Amoeba::from_line(LINE).unwrap();
    let scene = scene(&position, &DrawOptions::from_seat(Seat::SECOND), None);
    let named = |part: &str| {
        let is = |item: &_| matches!(item, Item::Stamp(s, _) if s.name.contains(part));
        scene.items.iter().filter(|item| is(*item)).count()
    };
    assert_eq!((named("buried"), named("stack-")), (2, position.stacks().count()));
}

/// The symbol of a buried Kernel does not cover the name at the end of a row.
#[test]
fn signs_of_buried_kernels_are_clear_of_the_names() {
    let line = Amoeba::from_line(LINE).unwrap();
    let (_, buried) = line.stacks().find(|(_, stack)| stack.pieces().any(|piece| piece.kernel)).unwrap();
    for side in [Seat::FIRST, Seat::SECOND] {
        // On each point.
        for cell in board().cells() {
            let mut stacks = [Stack::EMPTY; POINTS];
            stacks[cell.index()] = buried;
            let position = AmoebaPosition::new(stacks, Side::Bottom);
            let plan = Plan::new(Side::BOTH[position.side(side)], &DrawOptions::from_seat(side));
            let drawn = scene(&position, &DrawOptions::from_seat(side), None);
            let signs: Vec<_> = drawn
                .items
                .iter()
                .filter_map(|item| match item {
                    Item::Stamp(stamp, at) if stamp.name.contains("buried") => Some(*at),
                    _ => None,
                })
                .collect();
            assert_eq!(signs.len(), 2);
            for ((name, at), sign) in
                plan.labels().iter().flat_map(|label| signs.iter().map(move |sign| (label, sign)))
            {
                let far = (at.x - sign.x).hypot(at.y - sign.y);
                assert!(far > 22.0 + 16.0, "{} covers {name}", board().name(cell));
            }
        }
    }
}

#[test]
fn all_themes_have_the_same_tokens() {
    let tokens = |theme: &Theme| theme.colours.iter().map(|(token, _)| *token).collect::<Vec<_>>();
    for theme in THEMES {
        assert_eq!(tokens(theme), tokens(THEMES[0]), "{}", theme.name);
    }
}
