//! Everything can be drawn in every orientation, with its art in the right places.

use rookery_core::conformance::check_inks;
use rookery_core::position::LastMove;
use rookery_core::rules::GameRules;
use std::collections::BTreeSet;

use rookery_core::scene::{DrawOptions, Item, Mark, MarkKind, OffBoardPiece, Style, Theme};
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Seat};

use super::super::PenguinSoccer;
use super::super::field::{Size, board, home};
use super::plan::{HALF, HEIGHT, MIDDLE, Plan, WIDTH};
use super::{THEMES, off_ice, scene};

fn look(theme: &str, style: Style, side: Seat) -> DrawOptions {
    let kinds = [MarkKind::Chosen, MarkKind::Goal, MarkKind::Label("17".into())];
    let marks = board().cells().map(|cell| Mark { cell, kind: kinds[cell.index() % 3].clone() }).collect();
    let owners = board().cells().map(|c| (c, Seat::FIRST, f32::from(c.0) / 64.0)).collect();
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
    let before = PenguinSoccer::from_line("b5E,f3U,-|d5U,e5N,f5U|-,c7S,-|-,-,- d5 1").unwrap();
    for text in ["b5E.", "f3E.", "f3SLL", "3N.", "b5U"] {
        let played = PenguinSoccer::resolve(&before, &PenguinSoccer::read(text).unwrap()).unwrap();
        let mut after = before.clone();
        rookery_core::Position::play_unchecked(&mut after, played);
        for theme in THEMES {
            for style in [Style::Full, Style::Plain, Style::Large] {
                for side in Seat::all(4) {
                    let last = LastMove::alone(&before, played);
                    check_inks(&scene(&after, &look(theme.name, style, side), Some(last)));
                }
            }
        }
    }
}

/// Viewers have their own Home at the bottom, and the board stays inside the picture.
#[test]
fn the_viewers_home_is_at_the_bottom() {
    for seats in [2, 4] {
        for side in Seat::all(seats) {
            let plan = Plan::new(seats, &DrawOptions::from_seat(side));
            let at = plan.centre(home(seats, side));
            assert!((at.x - MIDDLE.x).abs() < 0.1 && (at.y - MIDDLE.y - 7.0 * HALF).abs() < 0.1);
            for cell in board().cells() {
                let at = plan.centre(cell);
                assert!(at.x - HALF >= 0.0 && at.x + HALF <= WIDTH);
                assert!(at.y - HALF >= 0.0 && at.y + HALF <= HEIGHT);
            }
        }
    }
}

/// Each is large enough for a finger on a phone of 335 px, contains the penguin, and covers no square.
#[test]
fn penguins_off_the_ice_can_be_touched_one_by_one() {
    let least = WIDTH * 24.0 / 335.0;
    for (seats, line) in [(2, "-,-,-|-,-,- - 2"), (4, "-,-,-|-,-,-|-,-,-|-,-,- - 4")] {
        let position = PenguinSoccer::from_line(line).unwrap();
        let plan = Plan::new(seats, &DrawOptions::from_seat(Seat::FIRST));
        let pieces = Size::ALL.map(|size| off_ice(&position, size).unwrap());
        let areas = pieces.map(|piece| piece.area);
        for pair in areas.windows(2) {
            assert!(pair[0][1].x <= pair[1][0].x, "{areas:?}");
        }
        for (size, OffBoardPiece { at, area: [from, to], .. }) in Size::ALL.into_iter().zip(pieces) {
            assert!(to.x - from.x >= least && to.y - from.y >= least && from.x >= 0.0, "{from:?} {to:?}");
            let name = format!("soccer/waiting-{seats}-{}", size.number());
            let drawn = scene(&position, &DrawOptions::from_seat(Seat::FIRST), None).items;
            let is_drawn =
                |item: &Item| matches!(item, Item::Stamp(stamp, place) if stamp.name == name && *place == at);
            assert!(drawn.iter().any(is_drawn), "{name}");
            assert!(from.x < at.x && at.x < to.x && from.y < at.y && at.y < to.y, "{name}");
            let covered = board().cells().map(|cell| plan.centre(cell)).filter(|centre| {
                let (x, y) = (centre.x - to.x, centre.y - to.y);
                x.abs() + y.abs() < HALF
            });
            assert_eq!(covered.count(), 0, "{name}");
        }
    }
}

/// A beak points at the square to which the penguin would slide.
#[test]
fn angles_point_along_the_board() {
    let d4 = board().named("d4").unwrap();
    for side in Seat::all(4) {
        let plan = Plan::new(4, &DrawOptions::from_seat(side));
        for dir in 0..COMPASS.len() {
            let next: Cell = board().lines().step(d4, dir).unwrap();
            let (from, to) = (plan.centre(d4), plan.centre(next));
            let far = (to.x - from.x).hypot(to.y - from.y);
            let point = plan.off(from, dir, far);
            assert!((point.x - to.x).abs() < 0.1 && (point.y - to.y).abs() < 0.1, "{side} {dir}");
        }
    }
}

#[test]
fn all_themes_have_the_same_tokens_once() {
    let tokens = |theme: &Theme| theme.colours.iter().map(|(token, _)| *token).collect::<Vec<_>>();
    for theme in THEMES {
        assert_eq!(tokens(theme), tokens(THEMES[0]), "{}", theme.name);
        assert_eq!(tokens(theme).into_iter().collect::<BTreeSet<_>>().len(), theme.colours.len());
    }
}

/// The pattern around the penguin that moved last is inside the outline of its goal.
#[test]
fn patterns_leave_the_goal_of_the_last_move_to_be_seen() {
    let before = PenguinSoccer::from_line("b5E,f3U,-|d5U,e5N,f5U|-,c7S,-|-,-,- d5 1").unwrap();
    let played = PenguinSoccer::resolve(&before, &PenguinSoccer::read("b5U").unwrap()).unwrap();
    let mut after = before.clone();
    rookery_core::Position::play_unchecked(&mut after, played);
    let look = DrawOptions { patterns: true, ..DrawOptions::from_seat(Seat::FIRST) };
    let stamps = |last| {
        let drawn = scene(&after, &look, last).items;
        let within =
            |item: &_| matches!(item, rookery_core::scene::Item::Stamp(s, _) if s.name.ends_with("-lit"));
        drawn.iter().filter(|item| within(*item)).count()
    };
    assert_eq!((stamps(Some(LastMove::alone(&before, played))), stamps(None)), (1, 0));
}
