//! Games with their types erased: what tables, pages and commands handle.

use super::analysis::{Analysis, Line, analyse};
use super::facts::Fact;
use super::lesson::Task;
use super::player::{SearchRequest, SearchResult};
use super::position::{LastMove, Position};
use super::position_edit::{EditError, EditorPiece, PositionEdit};
use super::rules::{
    GameInfo, GameRules, MoveOf, Placing, PositionParseError, Setup, SetupError, legal, spell,
};
use super::scene::{DrawOptions, OffBoardPiece, Scene, Stamp, Theme};
use super::{
    Board, Cell, CellOwnership, Choice, EndgameCount, IllegalMove, Menu, MoveError, Outcome, Reach, Score,
    Seat, Settlement, Step, short_form,
};

/// A kind of game with its types erased.
pub trait Game: Send + Sync {
    /// The game's key, name, seats, sides and options.
    fn info(&self) -> &'static GameInfo;
    /// Starts a game with a setup.
    fn start(&self, setup: &Setup) -> Result<Box<dyn Play>, SetupError>;
    /// Starts a game from a position line.
    fn resume(&self, line: &str) -> Result<Box<dyn Play>, PositionParseError>;
    /// The themes of its boards, the default first.
    fn themes(&self) -> &'static [&'static Theme];
    /// The names of the baseline players.
    fn baselines(&self) -> Vec<&'static str>;
    /// The tasks of its lesson, in order.
    fn lesson(&self) -> &'static [Task];
}

/// A game in progress: its start, the moves so far and the current position. Moves are given by their canonical text.
pub trait Play: Send + Sync {
    /// The key, name, seats, sides and options of the game.
    fn info(&self) -> &'static GameInfo;
    /// The board of the current position.
    fn board(&self) -> &'static Board;
    /// The number of seats.
    fn seats(&self) -> usize;
    /// The seat to move.
    fn turn(&self) -> Seat;
    /// The number of turns taken since the start.
    fn ply(&self) -> usize;
    /// The outcome by the rules, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The points of every seat, in games with points.
    fn scores(&self) -> Option<Vec<Score>>;
    /// The side of a seat: an index into `info().sides`.
    fn side(&self, seat: Seat) -> usize;
    /// The legal moves in canonical spelling, in the order of the rules.
    fn moves(&self) -> Vec<String>;
    /// The only legal move, if there is exactly one. Faster than [`Play::moves`], which spells them all.
    fn only_move(&self) -> Option<String>;
    /// Finds the legal move that a text means; returns its canonical spelling.
    fn read(&self, text: &str) -> Result<String, MoveError>;
    /// Plays the move that a text means; returns its canonical spelling.
    fn play(&mut self, text: &str) -> Result<String, MoveError>;
    /// A seat resigns in a game of three or four and is skipped from then on.
    fn retire(&mut self, seat: Seat);
    /// The possible next steps after the given steps of a move.
    fn menu(&self, taken: &[String]) -> Menu;
    /// The steps of every legal move, in the order of the rules. Every [`Play::menu`] can be made from them.
    fn move_steps(&self) -> Vec<Vec<Step>>;
    /// The game to draw while a move is chosen, after these steps: the pieces stand where the steps put them. The last
    /// move is not drawn, unless the steps are none or a whole move. `None` if no legal move begins with them.
    fn after_steps(&self, taken: &[String]) -> Option<Box<dyn Play>>;
    /// The direction of a step as the board is drawn for a seat, in eighths clockwise from up, if it has one.
    fn heading(&self, side: Seat, taken: &[String], step: &Step) -> Option<u8>;
    /// The cell of a piece that a step only turns, to face the step's direction.
    fn turned(&self, taken: &[String], step: &Step) -> Option<Cell>;
    /// The cell at which pieces of the seat to move come in that aren't on the board yet, if there is one.
    fn entry_cell(&self) -> Option<Cell>;
    /// Where the drawing shows the piece of a first step that isn't on the board yet, if it does.
    fn off_board_piece(&self, step: &Step) -> Option<OffBoardPiece>;
    /// What the seat to move has to place before its pieces move, if anything.
    fn placing(&self) -> Option<Placing>;
    /// Whether the seat to move placed a piece on its last turn and moves one now.
    fn placing_just_ended(&self) -> bool;
    /// The kind of the piece on a cell, in games whose pieces have names; the key of its name.
    fn piece_kind(&self, cell: Cell) -> Option<&'static str>;
    /// The pieces that can be put on the board when a position is set up; none if it can't be.
    fn editor_pieces(&self) -> Vec<EditorPiece>;
    /// The signs of the editor's pieces on a cell, in the order in which they are put there; none in games where a piece can be
    /// put in several ways.
    fn signs_on(&self, cell: Cell) -> Vec<&'static str>;
    /// A game that starts with the current position after an edit.
    ///
    /// # Errors
    /// If the edit changes nothing, or the position after it is not valid.
    fn edited(&self, edit: &PositionEdit) -> Result<Box<dyn Play>, EditError>;
    /// Whether points belong to a position, so that they can be set, and are not counted from the board.
    fn has_own_points(&self) -> bool {
        self.edited(&PositionEdit::Points { seat: Seat::FIRST, points: 0 }).is_ok()
    }
    /// The moves so far in canonical spelling.
    fn record(&self) -> Vec<String>;
    /// The seat that took each turn so far.
    fn movers(&self) -> Vec<Seat>;
    /// The seats that resigned in a game of three or four, each with the number of turns taken before.
    fn retired(&self) -> Vec<(usize, Seat)>;
    /// Whether a seat has resigned in a game of three or four, after the first position or before it.
    fn is_retired(&self, seat: Seat) -> bool;
    /// The first position as a line of text.
    fn start_line(&self) -> String;
    /// The current position as a line of text.
    fn line(&self) -> String;
    /// The same game at an earlier ply; at the current one if `ply` is larger.
    fn at_ply(&self, ply: usize) -> Box<dyn Play>;
    /// The positions after `first` turns and later, in order: the seat to move and the board in plain characters. Empty
    /// if `first` is too large. Replays the moves once, regardless of their number.
    fn positions(&self, first: usize) -> Vec<(Seat, String)>;
    /// Every position of the game, the first one first, each as a game that starts there. Replays the moves once.
    fn stages(&self) -> Vec<Box<dyn Play>>;
    /// The board in plain characters after each legal move, in the order of [`Play::moves`].
    fn next_boards(&self) -> Vec<String>;
    /// The drawing of the board, with the last move.
    fn scene(&self, look: &DrawOptions) -> Scene;
    /// A seat's piece or symbol, drawn beside its name.
    fn emblem(&self, seat: Seat) -> Stamp;
    /// The facts about the board, for descriptions in words.
    fn facts(&self) -> Vec<Fact>;
    /// The board in plain characters.
    fn text_board(&self) -> String;
    /// The remaining gains of each seat, from a search of at most `budget_nodes` positions.
    fn count_endgame(&self, budget_nodes: u64) -> EndgameCount;
    /// Converts an estimate of the player to hundredths of the game's unit, for display.
    fn to_display_units(&self, hundredths: i32) -> i32;
    /// The estimated owner of each free cell; empty in games without territory.
    fn ownership(&self) -> Vec<CellOwnership>;
    /// Who can still reach which free cells; `None` in games without territory.
    fn reach(&self) -> Option<Reach>;
    /// The end of the game if the remaining gains prove the winner, from a search of at most `budget_nodes` positions.
    /// `None` if the game is over, the winner is not proven, or the game has nothing to count.
    fn settle(&self, budget_nodes: u64) -> Option<Settlement>;
    /// The moves that the winner has left at the end of a game that the last mover wins, from a search of at most
    /// `budget_nodes` positions. `None` while the game goes on, in other games, and if the search does not finish.
    fn moves_left(&self, budget_nodes: u64) -> Option<u32>;
    /// Searches the current position; `None` if the game is over.
    fn think(&self, request: &SearchRequest) -> Option<SearchResult<String>>;
    /// Analyses the current position in at most `lines` lines of play. The first line gets half of the limits, so set
    /// some. `None` if the game is over.
    fn analyse(&self, request: &SearchRequest, lines: usize) -> Option<Analysis>;
    /// Searches with a baseline player ([`Game::baselines`]). `None` if the game is over or has no baseline of that
    /// name.
    fn think_as_baseline(&self, baseline: &str, request: &SearchRequest) -> Option<SearchResult<String>>;
    /// The number of move sequences of this length (1 or more) after each legal move: perft by root move. A skipped
    /// turn is not a ply.
    fn perft(&self, depth: u32) -> Vec<(String, u64)>;
    /// Copies the game; `Box<dyn Play>` is `Clone` through this.
    fn clone_play(&self) -> Box<dyn Play>;
}

impl Clone for Box<dyn Play> {
    fn clone(&self) -> Self {
        self.clone_play()
    }
}

/// The erased form of a game: `&TypeErased::<Amazons>::GAME` goes into the list of all games.
pub struct TypeErased<R>(std::marker::PhantomData<fn() -> R>);

impl<R: GameRules> TypeErased<R> {
    /// The only value of this type.
    pub const GAME: TypeErased<R> = TypeErased(std::marker::PhantomData);
}

impl<R: GameRules> Game for TypeErased<R> {
    fn info(&self) -> &'static GameInfo {
        R::INFO
    }

    fn start(&self, setup: &Setup) -> Result<Box<dyn Play>, SetupError> {
        Ok(Box::new(Playing::<R>::new(R::start(setup)?)))
    }

    fn resume(&self, line: &str) -> Result<Box<dyn Play>, PositionParseError> {
        Ok(Box::new(Playing::<R>::new(R::from_line(line)?)))
    }

    fn themes(&self) -> &'static [&'static Theme] {
        R::themes()
    }

    fn baselines(&self) -> Vec<&'static str> {
        R::baselines().iter().map(|(name, _)| *name).collect()
    }

    fn lesson(&self) -> &'static [Task] {
        R::lesson()
    }
}

/// A running game of a known type.
struct Playing<R: GameRules> {
    start: R::Position,
    moves: Vec<MoveOf<R>>,
    movers: Vec<Seat>,
    /// The resigned seats, each with the number of turns taken before.
    retired: Vec<(usize, Seat)>,
    /// The position before the last move, to draw the move.
    before: Option<R::Position>,
    now: R::Position,
}

impl<R: GameRules> Clone for Playing<R> {
    fn clone(&self) -> Self {
        Playing {
            start: self.start.clone(),
            moves: self.moves.clone(),
            movers: self.movers.clone(),
            retired: self.retired.clone(),
            before: self.before.clone(),
            now: self.now.clone(),
        }
    }
}

impl<R: GameRules> Playing<R> {
    fn new(start: R::Position) -> Self {
        Playing {
            now: start.clone(),
            start,
            moves: Vec::new(),
            movers: Vec::new(),
            retired: Vec::new(),
            before: None,
        }
    }

    /// The same game replayed from its start to a ply, with each resignation at its turn.
    fn replayed(&self, ply: usize) -> Self {
        let mut again = Playing::<R>::new(self.start.clone());
        for turn in 0..=ply.min(self.moves.len()) {
            let retired = self.retired.iter().filter(|(after, _)| *after == turn);
            retired.for_each(|(_, seat)| again.step_back(*seat));
            if turn < ply.min(self.moves.len()) {
                again.push(self.moves[turn]);
            }
        }
        again
    }

    /// The last `many` turns, each with the position before it.
    fn earlier(&self, many: usize) -> Vec<(R::Position, MoveOf<R>)> {
        let last = self.moves.len().saturating_sub(1);
        (last.saturating_sub(many)..last).map(|ply| (self.replayed(ply).now, self.moves[ply])).collect()
    }

    /// Maps each position after `first` turns and later, in order. Replays the moves once.
    fn walk<T>(&self, first: usize, of: impl Fn(&R::Position) -> T) -> Vec<T> {
        let mut position = self.start.clone();
        let mut made = Vec::with_capacity((self.moves.len() + 1).saturating_sub(first));
        for ply in 0..=self.moves.len() {
            let retired = self.retired.iter().filter(|(after, _)| *after == ply);
            retired.for_each(|(_, seat)| position.retire(*seat));
            if ply >= first {
                made.push(of(&position));
            }
            if let Some(m) = self.moves.get(ply) {
                position.play_unchecked(*m);
            }
        }
        made
    }

    fn step_back(&mut self, seat: Seat) {
        self.retired.push((self.moves.len(), seat));
        self.now.retire(seat);
    }

    fn push(&mut self, m: MoveOf<R>) {
        self.movers.push(self.now.turn());
        self.moves.push(m);
        self.before = Some(self.now.clone());
        self.now.play_unchecked(m);
    }

    fn spell_result(&self, search_result: SearchResult<MoveOf<R>>) -> SearchResult<String> {
        let line = spell_line::<R>(&self.now, &search_result.line);
        let mut spelled = search_result.map(|m| spell_anywhere::<R>(&self.now, m));
        spelled.line = line;
        spelled
    }

    fn resolve(&self, text: &str) -> Result<MoveOf<R>, MoveError> {
        #[cfg(feature = "testing")]
        crate::parse_counter::count(text);
        match self.resolve_whole(text) {
            Err(wrong) if self.now.outcome().is_none() => short_form::resolve::<R>(&self.now, text, wrong),
            meant => meant,
        }
    }

    fn resolve_whole(&self, text: &str) -> Result<MoveOf<R>, MoveError> {
        let parsed = R::read(text)?;
        if self.now.outcome().is_some() {
            return Err(IllegalMove::Over.into());
        }
        let m = R::resolve(&self.now, &parsed)?;
        self.now.check(m)?;
        Ok(m)
    }
}

impl<R: GameRules> Play for Playing<R> {
    fn info(&self) -> &'static GameInfo {
        R::INFO
    }
    fn board(&self) -> &'static Board {
        R::board(&self.now)
    }
    fn seats(&self) -> usize {
        self.now.seats()
    }
    fn turn(&self) -> Seat {
        self.now.turn()
    }
    fn ply(&self) -> usize {
        self.moves.len()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }
    fn scores(&self) -> Option<Vec<Score>> {
        self.now.scores()
    }
    fn side(&self, seat: Seat) -> usize {
        self.now.side(seat)
    }
    fn moves(&self) -> Vec<String> {
        legal::<R>(&self.now).into_iter().map(|m| spell::<R>(&self.now, m)).collect()
    }
    fn only_move(&self) -> Option<String> {
        match legal::<R>(&self.now)[..] {
            [only] => Some(spell::<R>(&self.now, only)),
            _ => None,
        }
    }
    fn read(&self, text: &str) -> Result<String, MoveError> {
        Ok(spell::<R>(&self.now, self.resolve(text)?))
    }
    fn play(&mut self, text: &str) -> Result<String, MoveError> {
        let m = self.resolve(text)?;
        let spelling = spell::<R>(&self.now, m);
        self.push(m);
        Ok(spelling)
    }
    fn retire(&mut self, seat: Seat) {
        self.step_back(seat);
    }
    fn menu(&self, taken: &[String]) -> Menu {
        menu::<R>(&self.now, taken)
    }
    fn move_steps(&self) -> Vec<Vec<Step>> {
        beginning_with::<R>(&self.now, &[]).map(|(_, steps)| steps).collect()
    }
    fn after_steps(&self, taken: &[String]) -> Option<Box<dyn Play>> {
        if taken.is_empty() {
            return Some(self.clone_play());
        }
        let (m, steps) = beginning_with::<R>(&self.now, taken).next()?;
        let mut drawn = self.clone();
        if steps.len() == taken.len() {
            drawn.push(m);
        } else {
            drawn.now = R::after_steps(&self.now, m, taken.len());
            drawn.before = None;
        }
        Some(Box::new(drawn))
    }
    fn heading(&self, side: Seat, taken: &[String], step: &Step) -> Option<u8> {
        R::heading(&self.now, side, taken, step)
    }
    fn turned(&self, taken: &[String], step: &Step) -> Option<Cell> {
        R::turned(&self.now, taken, step)
    }
    fn entry_cell(&self) -> Option<Cell> {
        R::entry_cell(&self.now)
    }
    fn off_board_piece(&self, step: &Step) -> Option<OffBoardPiece> {
        R::off_board_piece(&self.now, step)
    }
    fn placing(&self) -> Option<Placing> {
        R::placing(&self.now)
    }
    fn placing_just_ended(&self) -> bool {
        let turn = self.now.turn();
        let last = self.movers.iter().rposition(|mover| *mover == turn);
        R::placing(&self.now).is_none() && last.is_some_and(|at| R::is_placement(self.moves[at]))
    }
    fn piece_kind(&self, cell: Cell) -> Option<&'static str> {
        R::piece_kind(&self.now, cell)
    }
    fn editor_pieces(&self) -> Vec<EditorPiece> {
        R::editor_pieces(&self.now)
    }
    fn signs_on(&self, cell: Cell) -> Vec<&'static str> {
        R::signs_on(&self.now, cell)
    }
    fn edited(&self, edit: &PositionEdit) -> Result<Box<dyn Play>, EditError> {
        let line = R::edited(&self.now, edit).ok_or(EditError::Nothing)?;
        let position = R::from_line(&line).map_err(EditError::Invalid)?;
        Ok(Box::new(Playing::<R>::new(position)))
    }
    fn record(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let mut record = Vec::with_capacity(self.moves.len());
        for (ply, m) in self.moves.iter().enumerate() {
            self.retired
                .iter()
                .filter(|(after, _)| *after == ply)
                .for_each(|(_, seat)| position.retire(*seat));
            record.push(spell::<R>(&position, *m));
            position.play_unchecked(*m);
        }
        record
    }
    fn movers(&self) -> Vec<Seat> {
        self.movers.clone()
    }
    fn retired(&self) -> Vec<(usize, Seat)> {
        self.retired.clone()
    }
    fn is_retired(&self, seat: Seat) -> bool {
        self.now.is_retired(seat)
    }
    fn start_line(&self) -> String {
        R::to_line(&self.start)
    }
    fn line(&self) -> String {
        R::to_line(&self.now)
    }
    fn at_ply(&self, ply: usize) -> Box<dyn Play> {
        Box::new(self.replayed(ply))
    }
    fn positions(&self, first: usize) -> Vec<(Seat, String)> {
        self.walk(first, |position| (position.turn(), R::text_board(position)))
    }
    fn stages(&self) -> Vec<Box<dyn Play>> {
        self.walk(0, |position| Box::new(Playing::<R>::new(position.clone())) as Box<dyn Play>)
    }
    fn next_boards(&self) -> Vec<String> {
        let after = |m| {
            let mut next = self.now.clone();
            next.play_unchecked(m);
            R::text_board(&next)
        };
        legal::<R>(&self.now).into_iter().map(after).collect()
    }
    fn scene(&self, look: &DrawOptions) -> Scene {
        let earlier = self.earlier(look.earlier);
        let last = self.before.as_ref().zip(self.moves.last());
        R::scene(&self.now, look, last.map(|(before, m)| LastMove { before, played: *m, earlier: &earlier }))
    }
    fn emblem(&self, seat: Seat) -> Stamp {
        R::emblem(&self.now, seat)
    }
    fn facts(&self) -> Vec<Fact> {
        R::facts(&self.now)
    }
    fn text_board(&self) -> String {
        R::text_board(&self.now)
    }
    fn count_endgame(&self, budget_nodes: u64) -> EndgameCount {
        R::count_endgame(&self.now, budget_nodes)
    }
    fn to_display_units(&self, hundredths: i32) -> i32 {
        R::to_display_units(&self.now, hundredths)
    }
    fn ownership(&self) -> Vec<CellOwnership> {
        R::ownership(&self.now)
    }
    fn reach(&self) -> Option<Reach> {
        R::reach(&self.now)
    }
    fn settle(&self, budget_nodes: u64) -> Option<Settlement> {
        let settlement = R::settle(&self.now, budget_nodes)?;
        let texts = spell_line::<R>(&self.now, &settlement.moves);
        Some(settlement.named(texts))
    }
    fn moves_left(&self, budget_nodes: u64) -> Option<u32> {
        R::moves_left(&self.now, budget_nodes)
    }
    fn think(&self, request: &SearchRequest) -> Option<SearchResult<String>> {
        R::think(&self.now, request).map(|search_result| self.spell_result(search_result))
    }
    fn analyse(&self, request: &SearchRequest, lines: usize) -> Option<Analysis> {
        let Analysis { lines, depth, nodes, ownership, endgame } = analyse::<R>(&self.now, request, lines)?;
        let spelled = |line: Line<MoveOf<R>>| Line {
            moves: spell_line::<R>(&self.now, &line.moves),
            value: line.value,
        };
        Some(Analysis { lines: lines.into_iter().map(spelled).collect(), depth, nodes, ownership, endgame })
    }
    fn think_as_baseline(&self, baseline: &str, request: &SearchRequest) -> Option<SearchResult<String>> {
        let (_, think) = R::baselines().iter().find(|(name, _)| *name == baseline)?;
        think(&self.now, request).map(|search_result| self.spell_result(search_result))
    }
    fn perft(&self, depth: u32) -> Vec<(String, u64)> {
        let below = |m| {
            let mut next = self.now.clone();
            next.play_unchecked(m);
            next.sequences(depth.saturating_sub(1))
        };
        legal::<R>(&self.now).into_iter().map(|m| (spell::<R>(&self.now, m), below(m))).collect()
    }
    fn clone_play(&self) -> Box<dyn Play> {
        Box::new(self.clone())
    }
}

/// A game that continues from a position.
#[cfg(any(test, feature = "testing"))]
pub(super) fn resumed<R: GameRules>(position: R::Position) -> impl Play {
    Playing::<R>::new(position)
}

fn spell_anywhere<R: GameRules>(position: &R::Position, m: MoveOf<R>) -> String {
    if position.check(m).is_ok() { spell::<R>(position, m) } else { String::new() }
}

/// Spells the moves of a line of play; stops at a move that is not legal.
fn spell_line<R: GameRules>(position: &R::Position, line: &[MoveOf<R>]) -> Vec<String> {
    let mut position = position.clone();
    let mut spelled = Vec::new();
    for m in line {
        if position.check(*m).is_err() {
            break;
        }
        spelled.push(spell::<R>(&position, *m));
        position.play_unchecked(*m);
    }
    spelled
}

/// The legal moves that begin with the given steps, each with all its steps.
fn beginning_with<'a, R: GameRules>(
    position: &'a R::Position,
    taken: &'a [String],
) -> impl Iterator<Item = (MoveOf<R>, Vec<Step>)> + 'a {
    let stepped = legal::<R>(position).into_iter().map(|m| (m, R::steps(position, m)));
    stepped.filter(move |(_, steps)| {
        steps.len() >= taken.len() && steps.iter().zip(taken).all(|(step, text)| step.text == *text)
    })
}

/// Groups the legal moves that begin with the given steps by their next step.
fn menu<R: GameRules>(position: &R::Position, taken: &[String]) -> Menu {
    let mut choices: Vec<Choice> = Vec::new();
    for (_, steps) in beginning_with::<R>(position, taken) {
        match steps.get(taken.len()) {
            None => return Menu::Done(steps.iter().map(|step| step.text.as_str()).collect()),
            Some(step) => count(&mut choices, step),
        }
    }
    choices.sort_by_key(|choice| choice.step.part);
    if choices.is_empty() { Menu::Nothing } else { Menu::Choose(choices) }
}

fn count(choices: &mut Vec<Choice>, step: &Step) {
    // Moves come in order, so an equal step is usually the most recent one.
    match choices.iter_mut().rev().find(|choice| choice.step == *step) {
        Some(choice) => choice.moves += 1,
        None => choices.push(Choice { step: step.clone(), moves: 1 }),
    }
}
