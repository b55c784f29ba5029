//! Checks turns and gives the exact reason why one is not possible.

use rookery_core::square::COMPASS;
use rookery_core::{Cell, Dir, IllegalMove};

use super::field::{ActionError, Size, Stop, board};
use super::rules::{Act, Move, SoccerPosition, most_spin, origin};

/// The keys of the rules that an error can name. In brackets: the arguments of its sentence.
pub(super) const RULES: &[&str] = &[
    // [the penguin]: it has no legal action.
    "soccer-stuck",
    // [size]: no penguin of that size is off the field; it is on the square named second.
    "soccer-on-the-ice",
    // [the Home]: it is occupied.
    "soccer-home-taken",
    // [the Home, direction]
    "soccer-not-away",
    // [the penguin, its direction, the requested direction]
    "soccer-lies",
    // [the penguin]: it is already upright.
    "soccer-stands",
    // [the penguin]: it has the ball.
    "soccer-only-kick",
    // [the penguin]: it does not have the ball.
    "soccer-nothing-to-kick",
    // [the penguin, direction]
    "soccer-edge",
    // [the ball's square, direction]
    "soccer-kick-edge",
    // [the penguin, the friend in its way]
    "soccer-friend",
    // [the penguin, the opponent in its way]
    "soccer-opponent",
    // [the penguin, the square where it would have to end]
    "soccer-full-distance",
    // [the Home it would end on]
    "soccer-other-home",
    // [the penguin pushed, the Home]
    "soccer-pushed-home",
    // [the last square]: short slides have no spin.
    "soccer-short-no-spin",
    // [the penguin, the maximum spin in eighths]
    "soccer-spin",
];

/// Checks a turn in a game that is not over.
pub(super) fn check(position: &SoccerPosition, m: Move) -> Result<(), IllegalMove> {
    let at = board().name(origin(position, m.size));
    let penguin = position.field().penguin(position.own(m.size));
    match m.act {
        Act::Kick { dir } => check_kick(position, m.size, at, dir),
        _ if position.holds(m.size).is_some() => Err(IllegalMove::rule("soccer-only-kick", [at])),
        Act::Stand => match penguin {
            None => Err(off_the_field(m.size)),
            Some(p) if p.facing.is_none() => Err(IllegalMove::rule("soccer-stands", [at])),
            Some(_) => Ok(()),
        },
        Act::Slide { dir, spin } => check_slide(position, m.size, at, dir, spin),
    }
}

fn off_the_field(size: Size) -> IllegalMove {
    IllegalMove::NoPiece { at: size.number().to_string() }
}

fn check_kick(position: &SoccerPosition, size: Size, at: &str, dir: Dir) -> Result<(), IllegalMove> {
    if position.holds(size).is_none() {
        return Err(IllegalMove::rule("soccer-nothing-to-kick", [at]));
    }
    let goes = position.field().kick(origin(position, size), dir, size).is_some();
    if goes { Ok(()) } else { Err(IllegalMove::rule("soccer-kick-edge", [at, name(dir)])) }
}

fn check_slide(
    position: &SoccerPosition,
    size: Size,
    at: &str,
    dir: Dir,
    spin: i8,
) -> Result<(), IllegalMove> {
    let slide = position.slide(size, dir).map_err(|foul| word(position, foul, at, dir))?;
    if spin.unsigned_abs() <= most_spin(size, slide.stop).unsigned_abs() {
        return Ok(());
    }
    if slide.stop == Stop::Full {
        return Err(IllegalMove::rule("soccer-spin", [at, &size.slide().to_string()]));
    }
    Err(IllegalMove::rule("soccer-short-no-spin", [board().name(slide.end)]))
}

fn word(position: &SoccerPosition, foul: ActionError, at: &str, dir: Dir) -> IllegalMove {
    let cell = |cell: Cell| board().name(cell);
    match foul {
        ActionError::Lies(facing) => IllegalMove::rule("soccer-lies", [at, name(facing), name(dir)]),
        ActionError::NotAway => IllegalMove::rule("soccer-not-away", [at, name(dir)]),
        ActionError::HomeTaken(home) => IllegalMove::rule("soccer-home-taken", [cell(home)]),
        ActionError::Wall => IllegalMove::rule("soccer-edge", [at, name(dir)]),
        ActionError::InTheWay(by, seat) if seat == position.own(Size::Baby).0 => {
            IllegalMove::rule("soccer-friend", [at, cell(by)])
        }
        ActionError::InTheWay(by, _) => IllegalMove::rule("soccer-opponent", [at, cell(by)]),
        ActionError::OtherHome(home) => IllegalMove::rule("soccer-other-home", [cell(home)]),
        ActionError::PushedHome(from, home) => {
            IllegalMove::rule("soccer-pushed-home", [cell(from), cell(home)])
        }
    }
}

/// The notation of a direction.
pub(super) fn name(dir: Dir) -> &'static str {
    COMPASS[dir % COMPASS.len()].0
}
