//! Charts: their colours, their emblems, and their looks.

use rookery_core::Seat;
use rookery_core::conformance::check_inks;
use rookery_core::scene::{Ink, Scene, pt};
use rookery_games::art::chart::{self, Dot, Labels, LeadChart, lead_chart, lines};
use rookery_render::contrast::contrast;
use rookery_render::render;
use std::collections::BTreeSet;

use crate::pictures::{WIDTH_PX, golden, played};
use crate::themes::{APART, MARK, TEXT, VISIONS, apart, colour};

/// Charts have their own colours, the same for all games.
#[test]
fn charts_have_readable_lines_and_letters() {
    let lines = ["line-1", "line-2", "line-3", "line-4"];
    let all = [("letters", TEXT), ("line", MARK)].into_iter().chain(lines.map(|line| (line, MARK)));
    for (token, least) in all {
        let [shown, ground] = [token, "ground"].map(|token| colour(&chart::THEME, token));
        assert!(contrast(shown, ground) >= least, "{token}");
    }
    for (a, b) in (0..4).flat_map(|a| (0..a).map(move |b| (lines[a], lines[b]))) {
        for eye in VISIONS {
            let found = apart(&chart::THEME, &[a], &[b], eye);
            assert!(found >= APART, "{a} {b}, {eye:?}: {found:.0}");
        }
    }
}

/// Emblems on charts have the colours of their game's first theme.
#[test]
fn charts_use_the_emblems_of_the_boards() {
    let own = BTreeSet::from([
        "ground", "grid", "letters", "line", "line-1", "line-2", "line-3", "line-4", "plate",
    ]);
    for (token, rgb) in chart::THEME.colours.iter().filter(|(token, _)| !own.contains(token)) {
        let boards = rookery_games::all().iter().map(|game| game.themes()[0]);
        let theirs: Vec<_> = boards.filter_map(|theme| theme.colour(Ink(token))).collect();
        assert!(theirs.contains(rgb), "{token}: {theirs:?}");
    }
}

/// A chart defines every ink that the games' emblems use.
#[test]
fn charts_have_the_inks_of_every_emblem() {
    for game in rookery_games::all() {
        let play = played::game(*game, 2, 4);
        for seat in Seat::all(2) {
            let mut scene = Scene::new(100.0, 100.0, &chart::THEME, "ground");
            scene.stamp(play.emblem(seat), pt(50.0, 50.0));
            check_inks(&scene);
        }
    }
}

/// Charts of games: two players with turning points; four players with lines that end close together.
#[test]
fn charts_match_their_golden_pictures() {
    let dot = |(x, y): (usize, f64)| Dot { x: x as f64, y, uncertainty: 0.0 };
    let height = "Lead in moves · White is ahead above 0, Black below";
    let labels = |last| Labels { height, width: ("0", "Moves played", last) };
    let leads = [0.0, 0.4, 1.1, 0.8, 2.3, -1.9, -2.2, -4.0, 3.1, 3.8, 6.0, 8.5];
    let dots: Vec<_> = leads.into_iter().enumerate().map(dot).collect();
    let play = played::game(rookery_games::named("amazons").unwrap(), 2, 4);
    let emblems = [Seat::FIRST, Seat::SECOND].map(|seat| play.emblem(seat));
    let two = lead_chart(&LeadChart { dots: &dots, emblems, turns: &[5, 8], labels: labels("11") });
    golden::check("plot_two", &render(&two, WIDTH_PX));
    let line = |seat: usize| -> Vec<_> {
        let at = |n: usize| {
            (4 * n + seat, (n as f64 * 0.9 + seat as f64 * 1.7).sin() * 4.0 * (1.0 - n as f64 / 12.0))
        };
        (0..12).map(at).map(dot).collect()
    };
    let four: Vec<_> = (0..4).map(line).collect();
    golden::check("plot_four", &render(&lines(&four, &[], labels("47")), WIDTH_PX));
}
