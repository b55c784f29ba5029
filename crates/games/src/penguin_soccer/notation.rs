//! Notation of turns, as on AbstractPlay: `1NE.` enters, `c3NEL` slides and spins, `c3U` stands up, `e5NE` kicks.
//!
//! Also accepted: the notation of SuperDuperGames, in which dots are the squares before the spin begins (`d4se.l`); the
//! final square of the penguin or ball in place of the direction (`c3-e5`); and a leading verb (`kick e5 ne`, `stand
//! c3`, `enter baby n`).

use rookery_core::square::COMPASS;
use rookery_core::{
    Cell, Coordinate, Dir, Expected, IllegalMove, MoveParseError, MovePart, Position, Reader, Seat, Step,
    StepKind,
};

use super::field::{Size, board};
use super::legality::{self, name};
use super::rules::{Act, Move, SoccerPosition, origin};

const SEPARATORS: [char; 8] = ['-', '>', '/', ',', ':', '–', '—', '→'];
const SIZES: [(Size, &str); 3] = [(Size::Baby, "baby"), (Size::Papa, "papa"), (Size::Mama, "mama")];
const VERBS: [(&str, Verb); 4] =
    [("enter", Verb::Slide), ("slide", Verb::Slide), ("stand", Verb::Stand), ("kick", Verb::Kick)];

/// A parsed turn, not yet resolved in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedMove {
    verb: Option<Verb>,
    piece: Piece,
    way: Option<Way>,
    spin: Spin,
}

/// The verb as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Slide,
    Stand,
    Kick,
}

/// The penguin: on a square, or by size if it is off the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    At(Coordinate),
    Off(Size),
}

/// The direction: as such, by the last square, or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Dir(Dir),
    To(Coordinate),
    Up,
}

/// A parsed spin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spin {
    /// Eighths of a turn, positive clockwise.
    Eighths(i8),
    /// Starts after this many squares and continues to the end: clockwise (1) or anticlockwise (-1).
    After(i8, i8),
}

/// Reads a turn.
///
/// # Errors
/// If there is anything else; the error says where, and what is expected.
pub(super) fn read(text: &str) -> Result<ParsedMove, MoveParseError> {
    let mut reader = Reader::new(text);
    let mut verb = VERBS.iter().find(|(word, _)| reader.word(word)).map(|(_, verb)| *verb);
    let piece = read_piece(&mut reader)?;
    reader.eat_all(&SEPARATORS);
    let way = read_way(&mut reader)?;
    if way == Some(Way::Up) {
        verb = Some(Verb::Stand);
    }
    let spin = if matches!(way, Some(Way::Dir(_) | Way::To(_))) { read_spin(&mut reader) } else { NO_SPIN };
    reader.end().map(|()| ParsedMove { verb, piece, way, spin })
}

const NO_SPIN: Spin = Spin::Eighths(0);

fn read_piece(reader: &mut Reader) -> Result<Piece, MoveParseError> {
    if let Some((size, _)) = SIZES.iter().find(|(_, word)| reader.word(word)) {
        return Ok(Piece::Off(*size));
    }
    if let Some(digit) = reader.eat(&['1', '2', '3']) {
        return Ok(Piece::Off(Size::ALL[digit as usize - '1' as usize]));
    }
    reader.coordinate().map(Piece::At)
}

fn read_way(reader: &mut Reader) -> Result<Option<Way>, MoveParseError> {
    if reader.is_done() {
        return Ok(None);
    }
    if let Ok(spot) = reader.clone().coordinate() {
        reader.coordinate()?;
        return Ok(Some(Way::To(spot)));
    }
    if reader.eat(&['u']).is_some() {
        return Ok(Some(Way::Up));
    }
    let up_down = reader.eat(&['n', 's']);
    let across = reader.eat(&['e', 'w']);
    let wanted: String = up_down.into_iter().chain(across).collect();
    let dir = (0..COMPASS.len()).find(|dir| name(*dir).eq_ignore_ascii_case(&wanted));
    dir.map(|dir| Some(Way::Dir(dir))).ok_or_else(|| reader.expected(Expected::Direction))
}

/// Dots and one letter: a spin that starts after that many squares. Letters alone: an eighth each. A full stop or
/// nothing: no spin. A single letter is one eighth (elsewhere it means the whole way).
fn read_spin(reader: &mut Reader) -> Spin {
    let dots = reader.eat_all(&['.']) as i8;
    for (letter, sense) in [('l', -1), ('r', 1)] {
        let letters =
            if dots > 0 { usize::from(reader.eat(&[letter]).is_some()) } else { reader.eat_all(&[letter]) };
        if letters > 0 {
            return if dots > 0 {
                Spin::After(dots, sense)
            } else {
                Spin::Eighths(sense * letters.min(99) as i8)
            };
        }
    }
    NO_SPIN
}

/// Finds the legal turn that was meant.
///
/// # Errors
/// If no turn matches; [`IllegalMove::Incomplete`] for a correct beginning.
pub(super) fn resolve(position: &SoccerPosition, parsed: &ParsedMove) -> Result<Move, IllegalMove> {
    let (size, so_far) = find_piece(position, parsed.piece)?;
    let act = match (parsed.way, parsed.verb) {
        (_, Some(Verb::Stand)) => Act::Stand,
        (None, verb) => return Err(incomplete(position, size, so_far, verb)),
        (Some(Way::Dir(dir)), verb) => act(position, size, dir, verb),
        (Some(Way::To(spot)), verb) => act(position, size, towards(position, size, spot)?, verb),
        (Some(Way::Up), _) => Act::Stand,
    };
    let m = Move { size, act: spun(act, size, parsed.spin) };
    if matches!(act, Act::Kick { .. }) && parsed.spin != NO_SPIN {
        return Err(IllegalMove::rule("soccer-only-kick", [so_far.as_str()]));
    }
    position.check(m).map(|()| m)
}

/// A penguin with the ball kicks, and one without it slides, unless a verb says otherwise.
fn act(position: &SoccerPosition, size: Size, dir: Dir, verb: Option<Verb>) -> Act {
    let kick = verb.map_or(position.holds(size).is_some(), |verb| verb == Verb::Kick);
    if kick { Act::Kick { dir } } else { Act::Slide { dir, spin: 0 } }
}

fn spun(act: Act, size: Size, spin: Spin) -> Act {
    let Act::Slide { dir, .. } = act else { return act };
    let spin = match spin {
        Spin::Eighths(eighths) => eighths,
        // A spin that would start after the last square is as wrong as one that turns too far.
        Spin::After(dots, sense) => match size.slide() as i8 - dots {
            left @ 1.. => sense * left,
            _ => i8::MAX,
        },
    };
    Act::Slide { dir, spin }
}

fn find_piece(position: &SoccerPosition, piece: Piece) -> Result<(Size, String), IllegalMove> {
    let spot = match piece {
        Piece::At(spot) => spot,
        Piece::Off(size) => return find_off(position, size),
    };
    let cell = find_cell(spot)?;
    let at = board().name(cell).to_owned();
    match position.field().at(cell) {
        None => Err(IllegalMove::NoPiece { at }),
        Some((seat, _)) if seat != position.turn() => Err(IllegalMove::NotYours { at, whose: seat }),
        Some((_, size)) => Ok((size, at)),
    }
}

fn find_off(position: &SoccerPosition, size: Size) -> Result<(Size, String), IllegalMove> {
    let number = size.number().to_string();
    match position.field().penguin(position.own(size)) {
        None => Ok((size, number)),
        Some(on) => Err(IllegalMove::rule("soccer-on-the-ice", [number.as_str(), board().name(on.cell)])),
    }
}

fn find_cell(spot: Coordinate) -> Result<Cell, IllegalMove> {
    board().locate(spot).ok_or_else(|| IllegalMove::NoSuchCell { cell: spot.to_string() })
}

/// The error for a missing direction, or for one that does not exist.
fn incomplete(position: &SoccerPosition, size: Size, so_far: String, verb: Option<Verb>) -> IllegalMove {
    if position.outcome().is_some() {
        return IllegalMove::Over;
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let can = moves.iter().any(|m| m.size == size);
    if verb == Some(Verb::Kick) && position.holds(size).is_none() {
        return IllegalMove::rule("soccer-nothing-to-kick", [so_far.as_str()]);
    }
    match (can, position.field().penguin(position.own(size))) {
        (true, _) => IllegalMove::Incomplete { so_far, missing: StepKind::Direction },
        (false, Some(_)) => IllegalMove::rule("soccer-stuck", [so_far.as_str()]),
        (false, None) => no_way_in(position, size),
    }
}

fn no_way_in(position: &SoccerPosition, size: Size) -> IllegalMove {
    let dir = super::field::away(position.seats(), position.turn())[1];
    let m = Move { size, act: Act::Slide { dir, spin: 0 } };
    legality::check(position, m).err().unwrap_or(IllegalMove::Over)
}

/// The direction in which a penguin, or the ball that it holds, ends exactly on this square.
fn towards(position: &SoccerPosition, size: Size, spot: Coordinate) -> Result<Dir, IllegalMove> {
    let to = find_cell(spot)?;
    let from = origin(position, size);
    let (at, goal) = (board().name(from), board().name(to));
    let off = position.field().penguin(position.own(size)).is_none();
    if from == to {
        let so_far = size.number().to_string();
        let step = IllegalMove::SameCell { at: at.to_owned() };
        return Err(if off {
            IllegalMove::Incomplete { so_far, missing: StepKind::Direction }
        } else {
            step
        });
    }
    let leg = if position.holds(size).is_some() { MovePart::Shot } else { MovePart::Move };
    let not_a_line = || IllegalMove::NotALine { leg, from: at.to_owned(), to: goal.to_owned() };
    let dir = board().lines().direction(from, to).ok_or_else(not_a_line)?;
    match landing(position, size, dir) {
        Some(end) if end != to => Err(IllegalMove::rule("soccer-full-distance", [at, board().name(end)])),
        _ => Ok(dir),
    }
}

/// The last square in a direction of a penguin of the family to move, or of the ball that it holds.
pub(super) fn landing(position: &SoccerPosition, size: Size, dir: Dir) -> Option<Cell> {
    match position.holds(size) {
        Some(cell) => position.field().kick(cell, dir, size),
        None => position.slide(size, dir).ok().map(|slide| slide.end),
    }
}

/// Splits a legal turn into steps: piece, direction, spin.
pub(super) fn steps(position: &SoccerPosition, m: Move) -> Vec<Step> {
    let on = position.field().penguin(position.own(m.size));
    let piece = match on {
        Some(penguin) => Step::cell(StepKind::Piece, "", penguin.cell, board().name(penguin.cell)),
        None => Step::sign(StepKind::Piece, m.size.number().to_string()),
    };
    match m.act {
        Act::Stand => vec![piece, Step::sign(StepKind::Direction, "U")],
        Act::Kick { dir } => vec![piece, way(position, m.size, dir)],
        Act::Slide { dir, spin } => {
            vec![piece, way(position, m.size, dir), Step::sign(StepKind::Spin, spin_text(spin))]
        }
    }
}

/// The direction with its last square; no square if all directions lead to the same one.
fn way(position: &SoccerPosition, size: Size, dir: Dir) -> Step {
    let cell = landing(position, size, dir).filter(|cell| *cell != origin(position, size));
    Step { part: StepKind::Direction, text: name(dir).to_owned(), cell }
}

/// The direction of a step: of a slide or kick, or the one that a penguin faces after a spin.
pub(super) fn facing(taken: &[String], step: &Step) -> Option<Dir> {
    match step.part {
        StepKind::Direction => dir_named(&step.text),
        StepKind::Spin => {
            let eighths = step.text.chars().filter(|letter| *letter != '.').count();
            let back = step.text.starts_with('L');
            let turn = if back { COMPASS.len() - eighths } else { eighths };
            Some((dir_named(taken.last()?)? + turn) % COMPASS.len())
        }
        _ => None,
    }
}

fn dir_named(text: &str) -> Option<Dir> {
    COMPASS.iter().position(|(name, ..)| *name == text)
}

/// The square of the penguin that a step turns: where it has slid to before a spin, or Home if it stays there.
pub(super) fn turned(position: &SoccerPosition, taken: &[String], step: &Step) -> Option<Cell> {
    let (piece, way) = taken.split_first()?;
    let (size, _) = find_piece(position, read_piece(&mut Reader::new(piece)).ok()?).ok()?;
    let dir = match way.first() {
        Some(name) => dir_named(name),
        None => facing(taken, step),
    }?;
    let end = landing(position, size, dir)?;
    (step.part == StepKind::Spin || end == origin(position, size)).then_some(end)
}

fn spin_text(spin: i8) -> String {
    match spin {
        0 => ".".to_owned(),
        left @ ..0 => "L".repeat(usize::from(left.unsigned_abs())),
        right => "R".repeat(usize::from(right.unsigned_abs())),
    }
}

/// A penguin in position notation: `c3NE`, `e5U`.
pub(super) fn standing(cell: Cell, facing: Option<Dir>) -> String {
    format!("{}{}", board().name(cell), facing.map_or("U", name))
}

/// The seat with this number, if the game has it.
pub(super) fn seat_of(text: &str, seats: usize) -> Option<Seat> {
    Seat::all(seats).find(|seat| seat.to_string() == text)
}
