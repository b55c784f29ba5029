//! What is on the squares of a position of Penguin Soccer: a penguin as often as it is put there until it faces its direction,
//! once upright, twice to the north, and so on clockwise; and the ball.

use rookery_core::rules::GameRules;
use rookery_core::square::COMPASS;
use rookery_core::{Cell, Dir, Play, Position, Seat};
use rookery_games::penguin_soccer::field::{Field, Penguin, PenguinId, Size, board};
use rookery_games::penguin_soccer::{PenguinSoccer, SoccerPosition};

use super::Content;

/// A penguin and its direction, upright without one.
type PlacedPenguin = (PenguinId, Option<Dir>);

/// What is on a square: a penguin, and whether the ball is there.
type OnSquare = (Option<PlacedPenguin>, bool);

/// The signs of the penguins in the order of families and sizes, and of the ball.
struct Signs {
    penguins: Vec<&'static str>,
    ball: &'static str,
}

impl Signs {
    fn of(play: &dyn Play) -> Option<Signs> {
        let mut penguins: Vec<&'static str> = play.editor_pieces().iter().map(|piece| piece.sign).collect();
        let ball = penguins.pop()?;
        Some(Signs { penguins, ball })
    }

    fn content(&self, penguin: Option<PlacedPenguin>, has_ball: bool) -> Content {
        let standing = penguin.into_iter().flat_map(|((seat, size), facing)| {
            let sign = self.penguins[seat.index() * Size::ALL.len() + size as usize];
            std::iter::repeat_n(sign, 1 + facing.map_or(0, |dir| dir + 1))
        });
        standing.chain(has_ball.then_some(self.ball)).collect()
    }

    fn on(&self, field: &Field, cell: Cell) -> Content {
        self.content(penguin_on(field, cell), field.ball() == Some(cell))
    }

    /// The penguin of a content, and whether the ball is there; `None` if it is no content.
    fn read(&self, content: &Content) -> Option<OnSquare> {
        let (balls, penguins): (Vec<&str>, Vec<&str>) =
            content.iter().copied().partition(|sign| *sign == self.ball);
        let has_ball = match balls.len() {
            0 => false,
            1 => true,
            _ => return None,
        };
        let Some(first) = penguins.first() else { return Some((None, has_ball)) };
        let who = self.penguins.iter().position(|sign| sign == first)?;
        let facing = (penguins.len() - 1).checked_sub(1);
        let is_one =
            penguins.iter().all(|sign| sign == first) && facing.is_none_or(|dir| dir < COMPASS.len());
        let id = (Seat::new(who / Size::ALL.len())?, Size::ALL[who % Size::ALL.len()]);
        is_one.then_some((Some((id, facing)), has_ball))
    }
}

fn position(play: &dyn Play) -> Option<SoccerPosition> {
    PenguinSoccer::from_line(&play.line()).ok()
}

fn penguin_on(field: &Field, cell: Cell) -> Option<PlacedPenguin> {
    let who = field.at(cell)?;
    Some((who, field.penguin(who)?.facing))
}

/// What is on each square.
pub(super) fn contents(play: &dyn Play) -> Vec<Content> {
    let known = position(play).zip(Signs::of(play));
    let content =
        |cell| known.as_ref().map_or_else(Content::new, |(position, signs)| signs.on(position.field(), cell));
    board().cells().map(content).collect()
}

/// What is on a square.
pub(super) fn content_of(play: &dyn Play, cell: Cell) -> Content {
    let known = position(play).zip(Signs::of(play));
    known.map_or_else(Content::new, |(position, signs)| signs.on(position.field(), cell))
}

/// The position with another content of a square. A penguin leaves the square where it was; a ball that is taken away is on
/// the crossing in the middle.
pub(super) fn with_content(play: &dyn Play, cell: Cell, content: &Content) -> Option<Box<dyn Play>> {
    let (position, signs) = position(play).zip(Signs::of(play))?;
    let (penguin, has_ball) = signs.read(content)?;
    let mut field = *position.field();
    if let Some(before) = field.at(cell) {
        field.set(before, None);
    }
    if let Some((who, facing)) = penguin {
        field.set(who, Some(Penguin { cell, facing }));
    }
    match (has_ball, field.ball() == Some(cell)) {
        (true, _) => field.set_ball(Some(cell)),
        (false, true) => field.set_ball(None),
        (false, false) => {}
    }
    if field == *position.field() {
        return Some(play.clone_play());
    }
    let line = PenguinSoccer::to_line(&SoccerPosition::new(field, position.turn()));
    rookery_games::named(PenguinSoccer::INFO.key)?.resume(&line).ok()
}

/// What is on a square, and what may be meant instead, the likeliest first. Some are listed twice, or the game doesn't permit
/// them.
pub(super) fn likely_contents(play: &dyn Play, cell: Cell) -> Vec<Content> {
    let Some((position, signs)) = position(play).zip(Signs::of(play)) else { return Vec::new() };
    let field = position.field();
    let has_ball = field.ball() == Some(cell);
    let seats = Seat::all(field.seats());
    let all = seats.flat_map(|seat| Size::ALL.map(|size| (seat, size)));
    let read = penguin_on(field, cell);
    let mut others: Vec<OnSquare> = vec![(read, has_ball)];
    match read {
        Some((who, facing)) => {
            let ways = near(facing).into_iter().map(|way| (Some((who, way)), has_ball && way.is_none()));
            // Its own family first, which looks more alike.
            let (own, strange): (Vec<_>, Vec<_>) = all.filter(|id| *id != who).partition(|id| id.0 == who.0);
            let penguins = own.into_iter().chain(strange).map(|id| (Some((id, facing)), has_ball));
            others.extend(ways.chain(penguins));
            others.extend([(None, false), (Some((who, None)), !has_ball), (None, true)]);
        }
        None => {
            others.extend([(None, false), (None, true)]);
            let (away, there): (Vec<_>, Vec<_>) = all.partition(|id| field.penguin(*id).is_none());
            others.extend(away.iter().chain(&there).map(|id| (Some((*id, None)), false)));
            let lying = away
                .into_iter()
                .chain(there)
                .flat_map(|id| (0..COMPASS.len()).map(move |dir| (id, Some(dir))));
            others.extend(lying.map(|penguin| (Some(penguin), false)));
        }
    }
    others.into_iter().map(|(penguin, has_ball)| signs.content(penguin, has_ball)).collect()
}

/// The other directions of a penguin, those next to its own first.
fn near(facing: Option<Dir>) -> Vec<Option<Dir>> {
    let Some(dir) = facing else { return (0..COMPASS.len()).map(Some).collect() };
    let turned = |eighths: usize| Some((dir + eighths) % COMPASS.len());
    vec![turned(1), turned(7), turned(4), None, turned(2), turned(6), turned(3), turned(5)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{content_of, likely_contents, with_content};

    fn play() -> Box<dyn Play> {
        let game = rookery_games::named("penguin_soccer").unwrap();
        game.resume("c3NE,-,a1U|-,h7S,- a1 1").unwrap()
    }

    fn at(name: &str) -> Cell {
        board().named(name).unwrap()
    }

    #[test]
    fn contents_are_read_and_set() {
        let play = play();
        let content = |name| content_of(play.as_ref(), at(name));
        assert_eq!(content("c3"), ["B1", "B1", "B1"]);
        assert_eq!(content("a1"), ["M1", "o"]);
        assert_eq!(content("b1"), [""; 0]);
        for (name, content, line) in [
            ("c3", vec!["B1", "B1"], "c3N,-,a1U|-,h7S,- a1 1"),
            ("c3", vec![], "-,-,a1U|-,h7S,- a1 1"),
            ("c3", vec!["P2", "o"], "-,-,a1U|-,c3U,- c3 1"),
            ("a1", vec!["M1"], "c3NE,-,a1U|-,h7S,- - 1"),
            ("d4", vec!["P1"], "c3NE,d4U,a1U|-,h7S,- a1 1"),
        ] {
            let after = with_content(play.as_ref(), at(name), &content).unwrap();
            assert_eq!(after.line(), line, "{content:?}");
        }
        for refused in [vec!["B1", "B1", "o"], vec!["B1", "P1"], vec!["B1"; 10], vec!["o", "o"]] {
            assert!(with_content(play.as_ref(), at("c3"), &refused).is_none(), "{refused:?}");
        }
    }

    #[test]
    fn likely_contents_begin_with_what_was_read_and_are_possible() {
        let play = play();
        let all = likely_contents(play.as_ref(), at("c3")).unwrap();
        assert_eq!(all[0], ["B1", "B1", "B1"]);
        assert_eq!(all[1], ["B1", "B1", "B1", "B1"]);
        assert_eq!(all.len(), 9 + 5 + 3);
        let all = likely_contents(play.as_ref(), at("b1")).unwrap();
        // Empty, the ball, six upright, and six in eight directions, those first that are off the ice.
        assert_eq!((all[0].len(), all.len()), (0, 2 + 6 + 48));
        assert_eq!(all[2 + 6], ["P1", "P1"]);
    }
}
