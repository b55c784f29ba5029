//! A position in one line of text.
//!
//! ```text
//! c3NE,-,a1U|-,h7S,- - 1
//! ```
//!
//! The families in turn order, separated by bars; of each its Baby, Papa and Mama, separated by commas: the square and
//! the direction (`U` for upright), or `-` if it is off the field. Then the ball's square, `-` while it is on the
//! crossing in the middle; then the number of the family to move. After that, in any order: `out:3` or `out:2,4` for
//! the families that have resigned, and `third:1` if the third occurrence of a position is a draw, with the number of
//! occurrences of this one. A game that continues from a line knows no other earlier position.

use rookery_core::rules::PositionParseError;
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Position, Requirement, Seat, placed_words};

use super::field::{Field, Penguin, Size, board, centre};
use super::legality::name;
use super::notation::{seat_of, standing};
use super::rules::{REPEATS_TO_DRAW, SoccerPosition};

pub(super) fn write(position: &SoccerPosition) -> String {
    let field = position.field();
    let families = Seat::all(field.seats()).map(|seat| {
        let penguin = |size| field.penguin((seat, size));
        let written = |p: Option<Penguin>| p.map_or("-".to_owned(), |p| standing(p.cell, p.facing));
        Size::ALL.map(|size| written(penguin(size))).join(",")
    });
    let families = families.collect::<Vec<_>>().join("|");
    let ball = field.ball().map_or("-", |cell| board().name(cell));
    let mut line = format!("{families} {ball} {}", position.turn());
    let out: Vec<String> =
        Seat::all(field.seats()).filter(|s| field.is_retired(*s)).map(|s| s.to_string()).collect();
    if !out.is_empty() {
        line += &format!(" out:{}", out.join(","));
    }
    if let Some(times) = position.times() {
        line += &format!(" third:{times}");
    }
    line
}

/// Reads a position.
///
/// # Errors
/// If a word is not valid; the error gives the first, and what is expected there.
pub(super) fn read(line: &str) -> Result<SoccerPosition, PositionParseError> {
    let words = placed_words(line);
    let [(men_at, men), (ball_at, ball), (turn_at, turn), more @ ..] = &words[..] else {
        return Err(PositionParseError::new(line.chars().count(), Requirement::of("soccer-line")));
    };
    let mut field = read_families(*men_at, men)?;
    let ball = read_ball(*ball_at, ball)?;
    field.set_ball(ball);
    let seats = field.seats();
    let turn = seat_of(turn, seats)
        .ok_or_else(|| PositionParseError::new(*turn_at, Requirement::of("soccer-turn").with(seats)))?;
    let mut times = None;
    for (at, word) in more {
        match word.split_once(':') {
            Some(("out", list)) => read_retired(*at, list, &mut field)?,
            Some(("third", count)) => times = Some(read_times(*at, count)?),
            _ => return Err(PositionParseError::new(*at, Requirement::of("soccer-end"))),
        }
    }
    check_homes(*men_at, &field)?;
    check_ball(*ball_at, &field)?;
    let position = SoccerPosition::new(field, turn);
    Ok(match times {
        Some(times) => position.drawn_by_repetition(times),
        None => position,
    })
}

fn read_families(at: usize, text: &str) -> Result<Field, PositionParseError> {
    let families: Vec<&str> = text.split('|').collect();
    if ![2, 4].contains(&families.len()) {
        return Err(PositionParseError::new(at, Requirement::of("soccer-families").with(families.len())));
    }
    let mut field = Field::new(families.len());
    let mut from = at;
    for (seat, family) in Seat::all(families.len()).zip(families) {
        let members: Vec<&str> = family.split(',').collect();
        if members.len() != Size::ALL.len() {
            return Err(PositionParseError::new(from, Requirement::of("soccer-three")));
        }
        for (size, member) in Size::ALL.into_iter().zip(members) {
            let penguin = read_penguin(from, member)?;
            if penguin.is_some_and(|p| field.at(p.cell).is_some()) {
                return Err(PositionParseError::new(from, Requirement::of("soccer-free-square")));
            }
            field.set((seat, size), penguin);
            from += member.chars().count() + 1;
        }
    }
    Ok(field)
}

fn read_penguin(at: usize, text: &str) -> Result<Option<Penguin>, PositionParseError> {
    if text == "-" {
        return Ok(None);
    }
    let wanted = || PositionParseError::new(at, Requirement::of("soccer-penguin"));
    let (square, facing) = text.split_at_checked(2).ok_or_else(wanted)?;
    let cell = read_cell(square).ok_or_else(wanted)?;
    let dir = (0..COMPASS.len()).find(|dir| name(*dir).eq_ignore_ascii_case(facing));
    if dir.is_none() && !facing.eq_ignore_ascii_case("u") {
        return Err(wanted());
    }
    Ok(Some(Penguin { cell, facing: dir }))
}

fn read_cell(name: &str) -> Option<Cell> {
    board().named(&name.to_lowercase())
}

fn read_ball(at: usize, text: &str) -> Result<Option<Cell>, PositionParseError> {
    if text == "-" {
        return Ok(None);
    }
    read_cell(text).map(Some).ok_or_else(|| PositionParseError::new(at, Requirement::of("soccer-ball")))
}

fn read_retired(at: usize, list: &str, field: &mut Field) -> Result<(), PositionParseError> {
    let seats = field.seats();
    for number in list.split(',') {
        let seat = seat_of(number, seats).filter(|_| seats == 4);
        let wanted = || PositionParseError::new(at, Requirement::of("soccer-out"));
        field.retire(seat.ok_or_else(wanted)?);
    }
    if field.active().next().is_some() {
        return Ok(());
    }
    Err(PositionParseError::new(at, Requirement::of("soccer-one-left")))
}

fn read_times(at: usize, count: &str) -> Result<usize, PositionParseError> {
    let times = count.parse().ok().filter(|times| (1..=REPEATS_TO_DRAW).contains(times));
    times.ok_or_else(|| PositionParseError::new(at, Requirement::of("soccer-third").with(REPEATS_TO_DRAW)))
}

fn check_homes(at: usize, field: &Field) -> Result<(), PositionParseError> {
    let wrong =
        field.penguins_on_field().find(|((seat, _), penguin)| field.is_closed_to(penguin.cell, *seat));
    wrong.map_or(Ok(()), |(_, penguin)| {
        let home = board().name(penguin.cell);
        Err(PositionParseError::new(at, Requirement::of("soccer-home").with(home)))
    })
}

/// Checks that the holder of the ball is upright, and that an untouched ball is on an empty square.
fn check_ball(at: usize, field: &Field) -> Result<(), PositionParseError> {
    let lying = field.holder().and_then(|who| field.penguin(who)).is_some_and(|p| p.facing.is_some());
    if lying {
        return Err(PositionParseError::new(at, Requirement::of("soccer-holder")));
    }
    let kept = |cell: &Cell| field.ball().is_some() || field.at(*cell).is_none();
    if centre().iter().all(kept) {
        return Ok(());
    }
    Err(PositionParseError::new(at, Requirement::of("soccer-touched")))
}
