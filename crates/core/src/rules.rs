//! The traits of a game: its positions, notation, drawing and player.

use std::collections::BTreeMap;

use super::facts::Fact;
use super::lesson::Task;
use super::player::{SearchRequest, SearchResult};
use super::position::{LastMove, Position};
use super::position_edit::{EditorPiece, PositionEdit};
use super::scene::{DrawOptions, OffBoardPiece, Scene, Stamp, Theme};
use super::{
    Board, Cell, CellOwnership, EndgameCount, IllegalMove, MoveParseError, Reach, Requirement, Seat,
    Settlement, Step,
};

/// What a seat has to place before its pieces move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The pieces that are left to place, this one included; 1 or more.
    pub left: usize,
    /// Where they may be placed: the key of a value of the game's option `placement`.
    pub on: &'static str,
}

/// One kind of game. `GameInfo::key` identifies its sentences (title, help, options, rules).
pub trait GameRules: Sized + Send + Sync + 'static {
    /// The positions of the game.
    type Position: Position;
    /// A parsed move, not yet resolved in a position.
    type ParsedMove;

    /// The static description of the game.
    const INFO: &'static GameInfo;

    /// The first position of a setup.
    fn start(setup: &Setup) -> Result<Self::Position, SetupError>;

    /// The board of a position.
    fn board(position: &Self::Position) -> &'static Board;

    /// Parses a move's text without a position; ignores case, blanks and separators.
    fn read(text: &str) -> Result<Self::ParsedMove, MoveParseError>;

    /// Finds the legal move that was meant, or returns why there is none.
    fn resolve(position: &Self::Position, parsed: &Self::ParsedMove) -> Result<MoveOf<Self>, IllegalMove>;

    /// Splits a legal move into steps, whose joined texts are its canonical spelling.
    fn steps(position: &Self::Position, m: MoveOf<Self>) -> Vec<Step>;

    /// The position to draw after the first `count` steps of a legal move: every piece stands where these steps put it.
    /// Nothing has moved before the first step, and the whole move has been played after the last. In between it need
    /// not be a position that the game can reach. The conformance suite checks the pictures.
    ///
    /// This default suits games in which the last step settles where anything goes.
    fn after_steps(position: &Self::Position, m: MoveOf<Self>, count: usize) -> Self::Position {
        let mut after = position.clone();
        if count >= Self::steps(position, m).len() {
            after.play_unchecked(m);
        }
        after
    }

    /// The direction of a step after the given ones, as the board is drawn for a seat: 0 is up, 1 up and to the right,
    /// and so on clockwise. `None` if the step has no direction.
    fn heading(_position: &Self::Position, _side: Seat, _taken: &[String], _step: &Step) -> Option<u8> {
        None
    }

    /// The cell of a piece that a step after the given ones only turns: the step's direction is where the piece faces
    /// then. `None` if the step leads to a cell or turns nothing.
    fn turned(_position: &Self::Position, _taken: &[String], _step: &Step) -> Option<Cell> {
        None
    }

    /// The cell at which the pieces of the seat to move come in that aren't on the board yet. `None` in games that start
    /// with all pieces on the board, and in those where a piece is put on any cell.
    fn entry_cell(_position: &Self::Position) -> Option<Cell> {
        None
    }

    /// Where the drawing shows the piece of a first step that isn't on the board yet. `None` in games that don't draw such
    /// pieces.
    fn off_board_piece(_position: &Self::Position, _step: &Step) -> Option<OffBoardPiece> {
        None
    }

    /// What the seat to move has to place before its pieces move; `None` in games that start with all pieces on the
    /// board.
    fn placing(_position: &Self::Position) -> Option<Placing> {
        None
    }

    /// Whether a move puts a new piece or tile on the board, in games whose pieces move only later.
    fn is_placement(_m: MoveOf<Self>) -> bool {
        false
    }

    /// The kind of the piece on a cell, in games whose pieces have names; the key of its name.
    fn piece_kind(_position: &Self::Position, _cell: Cell) -> Option<&'static str> {
        None
    }

    /// Writes the position as one line of text; each game documents its grammar.
    fn to_line(position: &Self::Position) -> String;

    /// Reads what [`GameRules::to_line`] writes, and what other programs write in the same format.
    fn from_line(line: &str) -> Result<Self::Position, PositionParseError>;

    /// The pieces that can be put on the board when a position is set up, in the order of a menu. None in games whose
    /// positions can't be set up.
    fn editor_pieces(_position: &Self::Position) -> Vec<EditorPiece> {
        Vec::new()
    }

    /// The signs of the editor's pieces on a cell, in the order in which they are put there. None in games where a piece can be
    /// put in several ways.
    fn signs_on(_position: &Self::Position, _cell: Cell) -> Vec<&'static str> {
        Vec::new()
    }

    /// The position after an edit as a line, which [`GameRules::from_line`] may still refuse. `None` if the edit changes
    /// nothing.
    fn edited(_position: &Self::Position, _edit: &PositionEdit) -> Option<String> {
        None
    }

    /// The themes of its boards, the default first.
    fn themes() -> &'static [&'static Theme];

    /// Draws the board.
    fn scene(
        position: &Self::Position,
        look: &DrawOptions,
        last: Option<LastMove<'_, Self::Position>>,
    ) -> Scene;

    /// A seat's piece or symbol, drawn beside its name in any of the game's themes.
    fn emblem(position: &Self::Position, seat: Seat) -> Stamp;

    /// The content of a picture as facts, for a description in words: pieces, holes, ball and so on. The last move, the
    /// turn and the scores come from the table and are not repeated here.
    fn facts(position: &Self::Position) -> Vec<Fact>;

    /// The board in plain characters, for a fixed-width font; lines of at most 40 characters.
    fn text_board(position: &Self::Position) -> String;

    /// The remaining gains of each seat, from a search of at most `budget_nodes` positions.
    fn count_endgame(position: &Self::Position, budget_nodes: u64) -> EndgameCount;

    /// The end of the game if the remaining gains prove the winner, from a search of at most `budget_nodes` positions.
    /// `None` if the game is over, the winner is not proven, or the game has nothing to count.
    fn settle(_position: &Self::Position, _budget_nodes: u64) -> Option<Settlement<MoveOf<Self>>> {
        None
    }

    /// The moves that the winner has left at the end of a game that the last mover wins, from a search of at most
    /// `budget_nodes` positions. `None` while the game goes on, in other games, and if the search does not finish.
    fn moves_left(_position: &Self::Position, _budget_nodes: u64) -> Option<u32> {
        None
    }

    /// Searches a position. `None` if the game is over.
    fn think(position: &Self::Position, request: &SearchRequest) -> Option<SearchResult<MoveOf<Self>>>;

    /// Converts an estimate of the player to hundredths of the game's unit, for display. The conversion is the same for
    /// both of two sides.
    fn to_display_units(_position: &Self::Position, hundredths: i32) -> i32 {
        hundredths
    }

    /// The estimated owner of each free cell; empty in games without territory.
    fn ownership(_position: &Self::Position) -> Vec<CellOwnership> {
        Vec::new()
    }

    /// Who can still reach which free cells; `None` in games without territory.
    fn reach(_position: &Self::Position) -> Option<Reach> {
        None
    }

    /// The tasks of its lesson, in order.
    fn lesson() -> &'static [Task];

    /// Baseline players by name. They never change, so that strength can be measured against them for years. `rookery
    /// match` accepts them; no name equals that of a level.
    fn baselines() -> &'static [(&'static str, ThinkFn<Self>)] {
        &[]
    }
}

/// A player: a function like [`GameRules::think`].
pub type ThinkFn<R> = fn(&<R as GameRules>::Position, &SearchRequest) -> Option<SearchResult<MoveOf<R>>>;

/// The move type of a game.
pub type MoveOf<R> = <<R as GameRules>::Position as Position>::Move;

/// The static description of a game.
#[derive(Debug)]
pub struct GameInfo {
    /// Its key in commands, records, sentences: `amazons`.
    pub key: &'static str,
    /// Its name in English, for records and for the title of pages: `Game of the Amazons`.
    pub name: &'static str,
    /// The inventors, as credited.
    pub designers: &'static [&'static str],
    /// The allowed numbers of seats, ascending; at least one.
    pub seats: &'static [usize],
    /// Keys of the sides in turn order: `white`, `black`.
    pub sides: &'static [&'static str],
    /// Its options other than seats, seed and layout.
    pub options: &'static [OptionSpec],
    /// Whether it accepts a layout (random from a seed, or given as text).
    pub has_layout: bool,
    /// Whether two players can agree on a draw (never in the Amazons, which cannot be drawn).
    pub has_draws: bool,
    /// Whether the player to move may offer to end the game by the current points (Amoeba's controlled stacks), in
    /// games without an exact count.
    pub can_end_by_points: bool,
    /// The keys of its own rules in errors ([`IllegalMove::Rule`]); each has a sentence.
    pub rules: &'static [&'static str],
    /// Its help page in English, Markdown: goal, board, moves, end, notation.
    pub help: &'static str,
}

impl GameInfo {
    /// The smallest number of seats, 2 or more.
    pub fn fewest(&self) -> usize {
        self.seats.first().copied().unwrap_or(2)
    }

    /// Whether each seat's pieces start on its own side of the board. With a layout they are placed anywhere, and
    /// turning the board for a player would only turn its letters and numbers.
    pub fn has_home_sides(&self) -> bool {
        !self.has_layout
    }
}

/// A setting that a table chooses before its game starts.
#[derive(Debug)]
pub struct OptionSpec {
    /// Its key, such as `size`. Game and key identify its name and sentence.
    pub key: &'static str,
    /// What the option accepts.
    pub allowed: AllowedValues,
    /// The value if none is given.
    pub default: &'static str,
}

/// The values that an option accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedValues {
    /// One of these words, the most common first.
    OneOf(&'static [&'static str]),
    /// A whole number in a range.
    Number(std::ops::RangeInclusive<u32>),
    /// A size such as `10x10`, each side within the range; menus offer `offered`.
    Size {
        /// The range of both sides.
        sides: std::ops::RangeInclusive<u32>,
        /// Sizes to offer in menus.
        offered: &'static [&'static str],
    },
    /// A text that the game parses (such as cells of a custom start).
    Text,
}

/// For the command line; `i18n` makes the sentences shown to users.
impl std::fmt::Display for AllowedValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AllowedValues::OneOf(words) => f.write_str(&words.join(", ")),
            AllowedValues::Number(range) => write!(f, "{} to {}", range.start(), range.end()),
            AllowedValues::Size { sides, .. } => write!(f, "{0}x{0} to {1}x{1}", sides.start(), sides.end()),
            AllowedValues::Text => f.write_str("squares such as `a4 d1`"),
        }
    }
}

/// The terms of a new game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Number of seats, 2 to 4.
    pub seats: usize,
    /// The given options; the others have their defaults.
    pub options: BTreeMap<String, String>,
    /// The seed of random layouts.
    pub seed: u64,
    /// A layout given as text, instead of a random one.
    pub layout: Option<String>,
}

impl Setup {
    /// The default game for this number of seats.
    pub fn new(seats: usize) -> Setup {
        Setup { seats, options: BTreeMap::new(), seed: 0, layout: None }
    }

    /// The same setup with one option set.
    #[must_use]
    pub fn with(mut self, key: &str, value: &str) -> Setup {
        self.options.insert(key.to_owned(), value.to_owned());
        self
    }

    /// The same setup with this seed.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Setup {
        self.seed = seed;
        self
    }

    /// Checks seats, option names and values against the game's description. Every `start` calls this first. Each game
    /// checks itself whether the values are compatible.
    ///
    /// # Errors
    /// The first value that is not allowed.
    pub fn check(&self, info: &GameInfo) -> Result<(), SetupError> {
        if !info.seats.contains(&self.seats) {
            return Err(SetupError::Seats { seats: self.seats, allowed: info.seats });
        }
        if self.layout.is_some() && !info.has_layout {
            return Err(SetupError::NoLayouts);
        }
        for (key, value) in &self.options {
            let spec = info.options.iter().find(|spec| spec.key == key);
            let spec = spec.ok_or_else(|| SetupError::UnknownOption { key: key.clone() })?;
            if !spec.allowed.accepts(value) {
                return Err(SetupError::bad_value(info, key, value));
            }
        }
        Ok(())
    }

    /// The value of an option, or its default. The key must be one of the game's.
    pub fn option<'a>(&'a self, info: &GameInfo, key: &str) -> &'a str {
        let spec = info.options.iter().find(|spec| spec.key == key);
        self.options.get(key).map_or_else(|| spec.map_or("", |s| s.default), String::as_str)
    }
}

impl AllowedValues {
    /// Whether a value is one of those allowed.
    pub fn accepts(&self, value: &str) -> bool {
        match self {
            AllowedValues::OneOf(words) => words.contains(&value),
            AllowedValues::Number(range) => value.parse().is_ok_and(|n| range.contains(&n)),
            AllowedValues::Size { sides, .. } => {
                parse_size(value).is_some_and(|(w, h)| sides.contains(&w.into()) && sides.contains(&h.into()))
            }
            AllowedValues::Text => true,
        }
    }
}

/// Reads a size such as `10x10`: columns, rows, each 1 to 99.
pub fn parse_size(text: &str) -> Option<(u8, u8)> {
    let (w, h) = text.split_once('x')?;
    let side = |t: &str| t.parse::<u8>().ok().filter(|n| (1..=99).contains(n));
    Some((side(w)?, side(h)?))
}

/// Why a game cannot start with this setup.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Too few or too many.
    #[error("{seats} seats; the game takes {}", either(allowed))]
    Seats {
        /// The requested number of seats.
        seats: usize,
        /// The allowed numbers of seats.
        allowed: &'static [usize],
    },
    /// The game has no option with this name.
    #[error("no option `{key}`")]
    UnknownOption {
        /// The name that was given.
        key: String,
    },
    /// The option does not accept this value.
    #[error("option `{key}` cannot be `{value}`; it can be {allowed}")]
    BadValue {
        /// Key of the option.
        key: String,
        /// The value that was given.
        value: String,
        /// What the option accepts.
        allowed: AllowedValues,
    },
    /// The options are incompatible, or a rule forbids them.
    #[error("{rule}: {}", about.join(", "))]
    Conflict {
        /// Key of the sentence, listed in [`GameInfo::rules`].
        rule: &'static str,
        /// The arguments of the sentence, in order.
        about: Vec<String>,
    },
    /// This game has no layouts.
    #[error("this game takes no layout")]
    NoLayouts,
    /// The layout cannot be parsed, or does not fit.
    #[error("layout: {0}")]
    BadLayout(PositionParseError),
}

/// Joins numbers: "2, 3 or 4".
fn either(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match &numbers[..] {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        all => all.concat(),
    }
}

impl SetupError {
    /// The error for a value that an option does not accept. An unknown key is treated as a text option.
    pub fn bad_value(info: &GameInfo, key: &str, value: &str) -> SetupError {
        let spec = info.options.iter().find(|spec| spec.key == key);
        let allowed = spec.map_or(AllowedValues::Text, |spec| spec.allowed.clone());
        SetupError::BadValue { key: key.to_owned(), value: value.to_owned(), allowed }
    }
}

/// Why a position or layout in text cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at character {}: {wanted}", at + 1)]
pub struct PositionParseError {
    /// Characters before the error.
    pub at: usize,
    /// What would have been valid there.
    pub wanted: Requirement,
}

impl PositionParseError {
    /// An error at a place.
    pub fn new(at: usize, wanted: Requirement) -> PositionParseError {
        PositionParseError { at, wanted }
    }
}

/// The legal moves of a position as a new list.
pub fn legal<R: GameRules>(position: &R::Position) -> Vec<MoveOf<R>> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// The canonical spelling of a legal move.
pub fn spell<R: GameRules>(position: &R::Position, m: MoveOf<R>) -> String {
    R::steps(position, m).iter().map(|step| step.text.as_str()).collect()
}
