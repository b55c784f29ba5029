//! A floe in one line of text.
//!
//! ```text
//! line    = rows pieces turn phase taken placing { "out:" seat { "," seat } }
//! rows    = row { "/" row }                 the top row first
//! row     = { "1" | "2" | "3" | "." }       fish on each cell, "." no tile (gone, or not laid yet)
//! pieces  = side { "|" side }               one side a seat, in turn order
//! side    = "-" | cell { "," cell }
//! turn    = "1".."4"                        the seat that is to move
//! phase   = "lay" | "place" | "move" | "over"
//! taken   = score { "," score }             what each seat has taken so far, without what it stands on
//! score   = points [ ":" tiles ]
//! placing = ( "one" | "any" ) ":" number    pieces are placed on one-fish tiles only, or on any;
//!                                           and how many every seat has, 1 to 8
//! ```
//!
//! The words are separated by blanks. `out:` names the seats that have resigned: they keep their results, their pieces
//! stay, their turns are skipped. At least one seat has not resigned. To continue after the second player resigns, add
//! ` out:2` to the line of a running game; the turn passes on if it was theirs.

use super::{Floe, MAX_PIECES, Phase, layout};
use rookery_core::rules::PositionParseError;
use rookery_core::{Board, CellSet, Requirement, Seat, placed_words};

/// Writes a floe as one line.
pub(crate) fn write(floe: &Floe) -> String {
    let seats = || Seat::all(floe.seats());
    let rows = layout::write(floe.board(), |cell| floe.fish(cell));
    let pieces: Vec<_> = seats().map(|seat| side(floe.board(), floe.pieces(seat))).collect();
    let taken: Vec<_> = seats().map(|seat| score(floe, seat)).collect();
    let placing = if floe.one_fish_only() { "one" } else { "any" };
    let each = floe.each();
    let out: Vec<_> = seats().filter(|seat| floe.is_retired(*seat)).map(|seat| seat.to_string()).collect();
    let out = if out.is_empty() { String::new() } else { format!(" out:{}", out.join(",")) };
    let (turn, phase) = (floe.turn(), phase_word(floe.phase()));
    format!("{rows} {} {turn} {phase} {} {placing}:{each}{out}", pieces.join("|"), taken.join(","))
}

fn side(board: &Board, cells: CellSet) -> String {
    let names: Vec<_> = cells.iter().map(|cell| board.name(cell)).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(",") }
}

fn score(floe: &Floe, seat: Seat) -> String {
    match floe.taken(seat) {
        taken if taken.tiles == 0 => taken.points.to_string(),
        taken => format!("{}:{}", taken.points, taken.tiles),
    }
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Lay => "lay",
        Phase::Place => "place",
        Phase::Move => "move",
        Phase::Over => "over",
    }
}

/// Reads a floe for a number of seats that the game allows; `can_move` says which seats can move, so that the turn goes to
/// the next one that can.
///
/// # Errors
/// At the first word, cell or number that is not valid, with what is expected there.
pub(crate) fn read(
    line: &str,
    seats: &[usize],
    can_move: impl Fn(&Floe, Seat) -> bool,
) -> Result<Floe, PositionParseError> {
    let mut words = Words::new(line);
    let layout = {
        let (at, rows) = words.next(Requirement::of("floe-board"))?;
        layout::read(rows, None).map_err(|e| PositionParseError::new(at + e.at, e.wanted))?
    };
    let (pieces_at, pieces) = words.next(Requirement::of("floe-pieces"))?;
    let sides: Vec<&str> = pieces.split('|').collect();
    if !seats.contains(&sides.len()) {
        let numbers: Vec<String> = seats.iter().map(ToString::to_string).collect();
        let need = Requirement::of("floe-seats").with(numbers.join("/")).with(sides.len());
        return Err(PositionParseError::new(pieces_at, need));
    }
    let turn = words.read(Requirement::of("floe-turn"), |word| seat_of(word, sides.len()))?;
    let phase = words.read(Requirement::of("floe-phase"), phase_of)?;
    let (taken_at, taken) = words.next(Requirement::of("floe-taken"))?;
    let (one_fish_only, each) = words.read(Requirement::of("floe-placing"), placing_of)?;
    let mut floe = Floe::bare(layout.board, sides.len(), each, one_fish_only);
    layout.tiles.iter().for_each(|(cell, fish)| floe.lay(*cell, *fish));
    read_pieces(&mut floe, &sides, pieces_at)?;
    read_taken(&mut floe, taken, taken_at)?;
    words.retire(&mut floe)?;
    check_phase(&floe, phase, pieces_at)?;
    floe.resume(phase, turn, can_move);
    Ok(floe)
}

fn seat_of(word: &str, seats: usize) -> Option<Seat> {
    Seat::all(seats).find(|seat| seat.to_string() == word)
}

fn phase_of(word: &str) -> Option<Phase> {
    [Phase::Lay, Phase::Place, Phase::Move, Phase::Over].into_iter().find(|phase| phase_word(*phase) == word)
}

fn placing_of(word: &str) -> Option<(bool, usize)> {
    let (placing, each) = word.split_once(':')?;
    let each = each.parse().ok().filter(|each| (1..=MAX_PIECES).contains(each))?;
    match placing {
        "one" => Some((true, each)),
        "any" => Some((false, each)),
        _ => None,
    }
}

fn read_pieces(floe: &mut Floe, sides: &[&str], mut at: usize) -> Result<(), PositionParseError> {
    for (seat, side) in Seat::all(sides.len()).zip(sides) {
        for name in side.split(',').filter(|_| *side != "-") {
            let cell = floe.board().named(name).filter(|cell| floe.free().has(*cell));
            let cell = cell.ok_or_else(|| PositionParseError::new(at, Requirement::of("floe-free-cell")))?;
            floe.put(seat, cell);
            at += name.chars().count() + 1;
        }
        if *side == "-" {
            at += 2;
        }
        if floe.pieces(seat).len() > floe.each() {
            return Err(PositionParseError::new(at, Requirement::of("floe-most").with(floe.each())));
        }
    }
    Ok(())
}

fn read_taken(floe: &mut Floe, text: &str, at: usize) -> Result<(), PositionParseError> {
    let bad = || PositionParseError::new(at, Requirement::of("floe-scores").with(floe.seats()));
    let cells = floe.board().len() as u16;
    let scores: Option<Vec<_>> = text.split(',').map(|text| read_score(text, cells)).collect();
    let scores = scores.filter(|scores| scores.len() == floe.seats()).ok_or_else(bad)?;
    for (seat, (points, tiles)) in Seat::all(floe.seats()).zip(scores) {
        floe.set_taken(seat, super::Taken { points, tiles });
    }
    Ok(())
}

/// Reads points and tiles; no seat has more tiles than the board has cells.
fn read_score(text: &str, cells: u16) -> Option<(u16, u16)> {
    let (points, tiles) = text.split_once(':').unwrap_or((text, "0"));
    let number = |text: &str, most: u16| text.parse().ok().filter(|n| *n <= most);
    // No board has more fish than this; a sum of two can never overflow.
    Some((number(points, 9999)?, number(tiles, cells)?))
}

/// Checks that pieces and tiles are possible in the phase.
fn check_phase(floe: &Floe, phase: Phase, at: usize) -> Result<(), PositionParseError> {
    let missing = |seat| floe.each() - floe.pieces(seat).len();
    let all: usize = Seat::all(floe.seats()).map(missing).sum();
    let active: usize = Seat::all(floe.seats()).filter(|seat| !floe.is_retired(*seat)).map(missing).sum();
    let bare = floe.board().len() - floe.tiles().len();
    let need = match phase {
        Phase::Lay if !floe.standing().is_empty() => Requirement::of("floe-no-piece"),
        Phase::Lay if floe.next_chip().is_none() => Requirement::of("floe-chip"),
        Phase::Lay if floe.chips_to_lay() > bare => Requirement::of("floe-cell-each"),
        Phase::Place if all == 0 => Requirement::of("floe-piece-left"),
        Phase::Place if floe.free().len() < active => Requirement::of("floe-tile-each"),
        Phase::Move | Phase::Over if active > 0 => Requirement::of("floe-all-placed"),
        _ => return Ok(()),
    };
    Err(PositionParseError::new(at, need))
}

/// A cursor over the words of a line.
struct Words<'a> {
    left: Vec<(usize, &'a str)>,
    end: usize,
}

impl<'a> Words<'a> {
    fn new(line: &'a str) -> Words<'a> {
        let mut left = placed_words(line);
        left.reverse();
        Words { left, end: line.chars().count() }
    }

    fn next(&mut self, need: Requirement) -> Result<(usize, &'a str), PositionParseError> {
        self.left.pop().ok_or_else(|| PositionParseError::new(self.end, need))
    }

    fn read<T>(
        &mut self,
        need: Requirement,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, PositionParseError> {
        let (at, word) = self.next(need.clone())?;
        read(word).ok_or_else(|| PositionParseError::new(at, need))
    }

    /// Reads the seats that have resigned, if any are named.
    fn retire(&mut self, floe: &mut Floe) -> Result<(), PositionParseError> {
        while let Some((at, word)) = self.left.pop() {
            let bad = || PositionParseError::new(at, Requirement::of("floe-out"));
            let seats = word.strip_prefix("out:").ok_or_else(bad)?;
            for seat in seats.split(',') {
                floe.retire(seat_of(seat, floe.seats()).ok_or_else(bad)?);
            }
            if Seat::all(floe.seats()).all(|seat| floe.is_retired(seat)) {
                return Err(PositionParseError::new(at, Requirement::of("floe-one-left")));
            }
        }
        Ok(())
    }
}
