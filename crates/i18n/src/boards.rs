//! Text descriptions of boards, for screen readers and for clients that do not load pictures.

use rookery_core::scene::DrawOptions;
use rookery_core::{Board, Cell, Fact, Play, Score, Seat};
use rookery_table::{EndCause, Ending, Status, Table, TableId};

use super::truncation::{TextPart, fit_parts};
use super::{Arg, Localizer};

/// The limit of Discord on an attachment's description, in characters.
const MAX_ALT_CHARS: usize = 1_024;

/// What a description of a board covers: its table, its position and the marks on it.
#[derive(Clone)]
pub struct BoardView<'a> {
    /// The name of the table, such as `K7Q2`.
    pub table: TableId,
    /// The game at the ply shown.
    pub play: &'a dyn Play,
    /// The options the picture was drawn with, if cells are marked or tinted on it.
    pub look: Option<&'a DrawOptions>,
    /// The result of the table, if the game's rules alone do not end it.
    pub ending: Option<String>,
    /// The scores of all seats, in games with points.
    pub scores: Option<Vec<Score>>,
}

// Priorities of the parts of a description: 0 always stays, and the highest goes first when the text is too
// long. Facts have `FACT` and the numbers after it, in the order in which their game lists them.
const FACT: usize = 2;
pub(super) const TINTED: usize = 60;
const CHANGED: usize = 80;

impl Localizer {
    /// Collects what the description of a table's board needs at a ply.
    pub fn board<'a>(
        &self,
        table: &Table,
        play: &'a dyn Play,
        look: Option<&'a DrawOptions>,
    ) -> BoardView<'a> {
        // An imported game need not be over by its rules.
        let goes_on = |ending: &Ending| ending.cause == EndCause::Imported && ending.winners.is_empty();
        let (ending, scores) = match table.status() {
            Status::Over(ending) if table.ends_with(play) && !goes_on(ending) => {
                (self.result_by_sides(table), table.scores())
            }
            _ => (None, play.scores()),
        };
        BoardView { table: table.id(), play, look, ending, scores }
    }

    /// Describes a board's picture: game, turn, last move, who is to move or how it ended, marks, scores,
    /// pieces, blocked cells, and what the last move changed. At most 1,024 characters: a longer text loses
    /// whole parts, the least important first.
    pub fn alt(&self, scene: &BoardView<'_>) -> String {
        fit_parts(self.parts(scene), &self.word("alt-more"), MAX_ALT_CHARS)
    }

    /// Describes a board like [`Localizer::alt`], without the limit on length.
    pub fn full_description(&self, scene: &BoardView<'_>) -> String {
        fit_parts(self.parts(scene), "", usize::MAX)
    }

    /// Describes a position without a table: who is to move, marks, scores, pieces, blocked cells. At most
    /// 1,024 characters, as in [`Localizer::alt`].
    pub fn position(&self, play: &dyn Play, look: &DrawOptions) -> String {
        let scores = play.scores();
        fit_parts(
            self.shown(play, self.turn(play), scores.as_deref(), Some(look)),
            &self.word("alt-more"),
            MAX_ALT_CHARS,
        )
    }

    fn parts(&self, scene: &BoardView<'_>) -> Vec<TextPart> {
        let play = scene.play;
        let head = [
            ("game", self.game(play.info().key).into()),
            ("table", scene.table.to_string().into()),
            ("ply", play.ply().into()),
        ];
        let mut parts = vec![TextPart(0, self.say("alt-head", &head))];
        parts.extend(self.last_move(play).map(|text| TextPart(0, text)));
        parts.extend(self.changed(play).map(|text| TextPart(CHANGED, text)));
        parts.extend(self.shown(play, self.turn_or_end(scene), scene.scores.as_deref(), scene.look));
        parts
    }

    fn shown(
        &self,
        play: &dyn Play,
        turn: String,
        scores: Option<&[Score]>,
        look: Option<&DrawOptions>,
    ) -> Vec<TextPart> {
        let mut parts = vec![TextPart(0, turn)];
        parts.extend(self.resigned_sides(play).map(|text| TextPart(0, text)));
        parts.extend(look.iter().flat_map(|look| self.marked(play, look)));
        parts.extend(scores.map(|scores| TextPart(0, self.scores(play, scores))));
        let facts = play.facts();
        let told =
            facts.iter().enumerate().filter_map(|(n, fact)| Some(TextPart(FACT + n, self.fact(play, fact)?)));
        parts.extend(told);
        parts
    }

    /// Describes what a text board does not show: whose turn it is or how the game ended, the scores, and the
    /// legend of the board's signs.
    pub fn text_board_legend(&self, scene: &BoardView<'_>) -> String {
        let play = scene.play;
        let scores = scene.scores.as_ref().map(|scores| self.scores(play, scores));
        [Some(self.turn_or_end(scene)), scores, Some(self.text_board_signs(play))]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Explains the signs of a text board.
    pub fn text_board_signs(&self, play: &dyn Play) -> String {
        let seats = Seat::all(play.seats()).zip('A'..);
        let letters: Vec<_> = seats
            .map(|(seat, letter)| {
                let args = [("letter", letter.to_string().into()), ("side", self.side(play, seat).into())];
                self.say("legend-letter", &args)
            })
            .collect();
        let mut args = self.two_sides(play.info());
        args.push(("letters", self.join(&letters).into()));
        self.say(&format!("legend-{}", play.info().key), &args)
    }

    fn turn_or_end(&self, scene: &BoardView<'_>) -> String {
        match &scene.ending {
            Some(ending) => self.say("alt-ended", &[("ending", ending.as_str().into())]),
            None => self.turn(scene.play),
        }
    }

    /// Says whose turn it is, or that the game is over.
    pub(super) fn turn(&self, play: &dyn Play) -> String {
        match play.outcome() {
            None => self.say("alt-turn", &[("side", self.side(play, play.turn()).into())]),
            Some(_) => self.word("alt-over"),
        }
    }

    /// Names the sides that resigned from a game that the others continue.
    fn resigned_sides(&self, play: &dyn Play) -> Option<String> {
        let sides: Vec<_> = play.retired().into_iter().map(|(_, seat)| self.side(play, seat)).collect();
        (!sides.is_empty()).then(|| self.say("alt-gave-up", &[("sides", self.join(&sides).into())]))
    }

    fn last_move(&self, play: &dyn Play) -> Option<String> {
        let text = play.record().pop()?;
        // Notation that ends in a dot would give the sentence two.
        let text = text.trim_end_matches('.').to_owned();
        Some(self.say("alt-last", &[("side", self.side_moved(play).into()), ("move", text.into())]))
    }

    /// Formats the scores of all seats: "Red 12, Blue 9".
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

    /// Describes a fact; `None` if it has neither cells nor words.
    pub(super) fn fact(&self, play: &dyn Play, fact: &Fact) -> Option<String> {
        if fact.cells.is_empty() && fact.words.is_empty() {
            return None;
        }
        let who = fact.seat.map(|seat| self.side(play, seat)).unwrap_or_default();
        let args: [Arg<'_>; 5] = [
            ("game", play.info().key.into()),
            ("who", who.into()),
            ("cells", ranges(play.board(), &fact.cells).into()),
            ("count", fact.cells.len().into()),
            ("words", fact.words.join(", ").into()),
        ];
        Some(self.say(&format!("fact-{}", fact.key), &args))
    }
}

/// Formats cells as a list in which neighbours of a row are joined: `a4-c4 e4 b2`. The top row comes first,
/// as on the picture.
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
