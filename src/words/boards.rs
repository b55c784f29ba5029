//! What a board shows, in words: for people who hear it, and where pictures do not load.

use crate::kit::{Board, Cell, Fact, Play, Score, Seat};
use crate::table::TableId;

use super::{Arg, Words};

/// The longest description that Discord keeps with a picture, in characters.
const ALT_MOST: usize = 1_024;

/// A board and the table it belongs to.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The table's name.
    pub table: TableId,
    /// The game as it is shown.
    pub play: &'a dyn Play,
}

/// A text of at most so many characters; what is cut off shows as an ellipsis.
pub fn clip(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

impl Words {
    /// The description of a board's picture: game, turn, last move, who is to move, scores, pieces,
    /// blocked cells. At most 1,024 characters.
    pub fn alt(&self, scene: Scene<'_>) -> String {
        clip(&self.aloud(scene), ALT_MOST)
    }

    /// The same without an end to it.
    pub fn aloud(&self, scene: Scene<'_>) -> String {
        let play = scene.play;
        let mut parts = vec![self.say(
            "alt-head",
            &[
                ("game", self.game(play.about().key).into()),
                ("table", scene.table.to_string().into()),
                ("ply", play.ply().into()),
            ],
        )];
        parts.extend(self.last_move(play));
        parts.push(self.position(play));
        parts.join(" ")
    }

    /// What a position shows, whatever it belongs to: who is to move, scores, pieces, blocked cells.
    pub fn position(&self, play: &dyn Play) -> String {
        let mut parts = vec![match play.outcome() {
            None => self.say("alt-turn", &[("side", self.side(play, play.turn()).into())]),
            Some(_) => self.word("alt-over"),
        }];
        parts.extend(play.scores().map(|scores| self.scores(play, &scores)));
        parts.extend(play.facts().iter().filter_map(|fact| self.fact(play, fact)));
        parts.join(" ")
    }

    fn last_move(&self, play: &dyn Play) -> Option<String> {
        let (text, mover) = (play.record().pop()?, play.movers().pop()?);
        Some(self.say("alt-last", &[("side", self.side(play, mover).into()), ("move", text.into())]))
    }

    /// Everybody's points: "Red 12, Blue 9".
    pub fn scores(&self, play: &dyn Play, scores: &[Score]) -> String {
        let one = |(seat, score): (Seat, &Score)| {
            let side = self.side(play, seat);
            match score.tiles {
                Some(tiles) => self.say(
                    "score-tiles",
                    &[("side", side.into()), ("points", score.points.into()), ("tiles", tiles.into())],
                ),
                None => self.say("score", &[("side", side.into()), ("points", score.points.into())]),
            }
        };
        let all: Vec<_> = Seat::all(scores.len()).zip(scores).map(one).collect();
        self.say("scores", &[("scores", all.join(", ").into())])
    }

    /// A fact in words; `None` where there is nothing to tell.
    fn fact(&self, play: &dyn Play, fact: &Fact) -> Option<String> {
        if fact.cells.is_empty() && fact.words.is_empty() {
            return None;
        }
        let who = fact.seat.map(|seat| self.side(play, seat)).unwrap_or_default();
        let args: [Arg<'_>; 5] = [
            ("game", play.about().key.into()),
            ("who", who.into()),
            ("cells", ranges(play.board(), &fact.cells).into()),
            ("count", fact.cells.len().into()),
            ("words", fact.words.join(", ").into()),
        ];
        Some(self.say(&format!("fact-{}", fact.key), &args))
    }
}

/// Cells as a list in which neighbours of a row are drawn together: `a4-c4 e4 b2`. Top row first, as
/// a board is looked at.
pub(super) fn ranges(board: &Board, cells: &[Cell]) -> String {
    let mut places: Vec<((u8, u8), Cell)> = cells.iter().map(|cell| (board.place(*cell), *cell)).collect();
    places.sort_by_key(|((col, row), _)| (std::cmp::Reverse(*row), *col));
    places.dedup();
    let mut runs: Vec<(Cell, Cell, (u8, u8))> = Vec::new();
    for (place, cell) in places {
        match runs.last_mut() {
            Some((_, end, last)) if last.1 == place.1 && last.0 + 1 == place.0 => {
                (*end, *last) = (cell, place)
            }
            _ => runs.push((cell, cell, place)),
        }
    }
    let name = |(first, last, _): &(Cell, Cell, (u8, u8))| match first == last {
        true => board.name(*first).to_owned(),
        false => format!("{}-{}", board.name(*first), board.name(*last)),
    };
    runs.iter().map(name).collect::<Vec<_>>().join(" ")
}
