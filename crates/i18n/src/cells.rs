//! Text descriptions of parts of a board for screen readers: a row, the lines from a cell, the last move.

use rookery_core::{Cell, CellSet, Fact, Play};
use rookery_table::Table;

use super::{Arg, Localizer, quoted};

/// What is on a cell.
pub struct CellDescription {
    /// In words, with whose home it is.
    pub text: String,
    /// Whether nothing is on it.
    pub is_free: bool,
}

/// The number of moves from a cell up to which each is listed.
const MAX_LISTED_MOVES: usize = 60;

impl Localizer {
    /// Describes the last move and whose turn it is.
    pub fn last(&self, table: &Table, play: &dyn Play) -> String {
        let turn = match play.outcome() {
            None => self.say("alt-turn", &[("side", self.side(play, play.turn()).into())]),
            Some(_) => self.word("alt-over"),
        };
        let id: Arg<'_> = ("table", table.id().to_string().into());
        let Some(text) = play.record().pop() else {
            return self.say("last-none", &[id, ("turn", turn.into())]);
        };
        let (side, number) = (self.side_moved(play), play.ply());
        self.say(
            "last-move",
            &[
                id,
                ("side", side.into()),
                ("move", text.into()),
                ("number", number.into()),
                ("turn", turn.into()),
            ],
        )
    }

    /// Describes the cells of a row or column: those whose name has this letter or number.
    pub fn row(&self, table: &Table, play: &dyn Play, line: &str) -> String {
        let cells = self::line(play, line);
        let id: Arg<'_> = ("table", table.id().to_string().into());
        if cells.is_empty() {
            return self.say("row-none", &[id, ("line", quoted(line).into())]);
        }
        self.say("row-line", &[id, ("line", line.into()), ("cells", self.along(play, &cells).into())])
    }

    /// Describes cells in order; neighbours with the same contents are joined.
    fn along(&self, play: &dyn Play, cells: &[Cell]) -> String {
        let facts = play.facts();
        let mut runs: Vec<(Vec<Cell>, String)> = Vec::new();
        for cell in cells {
            let what = self.on_cell(play, &facts, *cell).text;
            match runs.last_mut() {
                Some((run, same)) if *same == what => run.push(*cell),
                _ => runs.push((vec![*cell], what)),
            }
        }
        let board = play.board();
        let name = |run: &[Cell]| match run {
            [first, .., last] => format!("{}–{}", board.name(*first), board.name(*last)),
            _ => run.iter().map(|cell| board.name(*cell)).collect(),
        };
        runs.iter().map(|(run, what)| format!("{} {what}", name(run))).collect::<Vec<_>>().join("; ")
    }

    /// Describes everything on each cell, in the order of the board's cells.
    pub fn cells(&self, play: &dyn Play) -> Vec<CellDescription> {
        let facts = play.facts();
        play.board().cells().map(|cell| self.on_cell(play, &facts, cell)).collect()
    }

    /// Describes everything on a cell. A home is named also while nothing is on it.
    fn on_cell(&self, play: &dyn Play, facts: &[Fact], cell: Cell) -> CellDescription {
        let name = play.board().name(cell);
        let told = |is_home: bool| {
            let asked = facts.iter().filter(move |fact| fact.is_home() == is_home);
            asked.filter_map(|fact| self.of_cell(play, fact, cell, name)).collect::<Vec<_>>()
        };
        let (mut contents, homes) = (told(false), told(true));
        let is_free = contents.is_empty();
        contents.extend(is_free.then(|| self.word("cell-free")));
        CellDescription { text: [contents, homes].concat().join(", "), is_free }
    }

    fn of_cell(&self, play: &dyn Play, fact: &Fact, cell: Cell, name: &str) -> Option<String> {
        let names_it = |words: &&String| {
            words.split_whitespace().any(|word| {
                word.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
            })
        };
        let words = fact.words.iter().find(names_it);
        if words.is_none() && !fact.cells.contains(&cell) {
            return None;
        }
        let who = fact.seat.map(|seat| self.side(play, seat)).unwrap_or_default();
        if let Some(words) = words.filter(|_| fact.key == "soccer-on") {
            return Some(self.soccer_penguin(who, words, name));
        }
        let words = words.map(|words| words.trim_start_matches(name).trim().to_owned()).unwrap_or_default();
        let args = [("game", play.info().key.into()), ("who", who.into()), ("words", words.into())];
        Some(self.say(&format!("cell-{}", fact.key), &args))
    }

    /// Describes a penguin of Penguin Soccer, given as its number and how it is on its square, such as `2 c3NE`.
    fn soccer_penguin(&self, who: String, words: &str, cell: &str) -> String {
        let (size, place) = words.split_once(' ').unwrap_or_default();
        let size: usize = size.parse().unwrap_or_default();
        let way = place.strip_prefix(cell).unwrap_or_default();
        self.say("cell-soccer-on", &[("who", who.into()), ("size", size.into()), ("way", way.into())])
    }

    /// Describes where a piece on this cell could move, or the free lines from an empty cell.
    pub fn lines_from_cell(&self, table: &Table, play: &dyn Play, name: &str) -> String {
        let id: Arg<'_> = ("table", table.id().to_string().into());
        let Some(cell) = play.board().named(name) else {
            return self.say("see-no-cell", &[id, ("cell", quoted(name).into())]);
        };
        let facts = play.facts();
        let what = self.on_cell(play, &facts, cell).text;
        let head: [Arg<'_>; 3] = [id, ("cell", name.into()), ("what", what.into())];
        let [a, b, c] = head;
        // Where cells can disappear, pieces move in straight lines up to the first obstacle.
        if facts.iter().any(|fact| fact.key == "gone" || fact.key.starts_with("fish")) {
            let lines = self.lines(play, &facts, cell).join("; ");
            return self.say("see-lines", &[a, b, c, ("lines", lines.into())]);
        }
        let moves: Vec<_> = play.moves().into_iter().filter(|text| text.starts_with(name)).collect();
        if moves.is_empty() {
            return self.say("see-nothing", &[a, b, c]);
        }
        let moves = moves[..moves.len().min(MAX_LISTED_MOVES)].join(", ");
        self.say("see-moves", &[a, b, c, ("moves", moves.into())])
    }

    /// Describes the free cells in each direction, and what ends the line.
    fn lines(&self, play: &dyn Play, facts: &[Fact], from: Cell) -> Vec<String> {
        let board = play.board();
        let solid = facts.iter().filter(|fact| fact.key == "pieces" || fact.key == "gone");
        let obstacles: CellSet = solid.flat_map(|fact| fact.cells.iter().copied()).collect();
        let line = |dir| {
            let free: Vec<Cell> =
                board.lines().walk(from, dir).take_while(|cell| !obstacles.has(*cell)).collect();
            let end = board.lines().walk(from, dir).nth(free.len());
            self.line(play, facts, &free, end)
        };
        (0..board.lines().dirs()).filter_map(line).collect()
    }

    fn line(&self, play: &dyn Play, facts: &[Fact], free: &[Cell], end: Option<Cell>) -> Option<String> {
        let board = play.board();
        let names: Vec<_> = free.iter().map(|cell| board.name(*cell)).collect();
        let cells = if names.len() > 3 { span(&names) } else { names.join(" ") };
        let Some(end) = end else {
            return (!free.is_empty()).then(|| self.say("see-open", &[("cells", cells.into())]));
        };
        let what = self.on_cell(play, facts, end).text;
        let key = if free.is_empty() { "see-shut" } else { "see-line" };
        let args = [("cells", cells.into()), ("what", what.into()), ("at", board.name(end).into())];
        Some(self.say(key, &args))
    }
}

/// Returns the cells of a row or column, by its number or letter; none if the board has no such line.
pub fn line(play: &dyn Play, line: &str) -> Vec<Cell> {
    let board = play.board();
    let in_line = |cell: &Cell| {
        let name = board.name(*cell);
        let (letter, number) = name.split_at(1);
        letter == line || number == line
    };
    board.cells().filter(in_line).collect()
}

/// Formats a straight run of cells by its two ends.
fn span(names: &[&str]) -> String {
    match names {
        [first, .., last] => format!("{first}–{last}"),
        _ => names.concat(),
    }
}
