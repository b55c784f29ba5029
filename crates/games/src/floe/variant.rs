//! The rules that the three penguin games share. A game adds its terms, its board, the weights of its evaluation, its
//! drawing and its lesson as a [`FloeVariant`].

use std::marker::PhantomData;

use crate::art::plan::Plan;
use crate::floe::evaluation::Weights;
use crate::floe::player;
use crate::floe::start::{self, Ground};
use crate::floe::state::{FloeTerms, State, able};
use crate::floe::{Move, Phase, description, edit, endgame_count, line, notation};
use rookery_core::board::Shape;
use rookery_core::lesson::Task;
use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::position::LastMove;
use rookery_core::rules::{GameInfo, Placing, PositionParseError, Setup, SetupError, ThinkFn};
use rookery_core::scene::{DrawOptions, Scene, Stamp, Theme};
use rookery_core::{
    Board, Cell, CellOwnership, EditorPiece, EndgameCount, Fact, GameRules, IllegalMove, MoveParseError,
    PositionEdit, Reach, Requirement, Seat, Settlement, Step,
};

/// The particulars of one of the penguin games.
pub trait FloeVariant: Sized + Send + Sync + 'static {
    /// The scoring terms of the game.
    type Terms: FloeTerms;

    /// The static description of the game.
    const INFO: &'static GameInfo;
    /// The weights for [`FloeEvaluator`](super::evaluation::FloeEvaluator).
    const WEIGHTS: &'static Weights;
    /// The shape of the board that a position line must have, for errors.
    const BOARD_NEEDED: Requirement;

    /// Whether the game is played on boards of this shape.
    fn suits(shape: Shape) -> bool;

    /// The board, the number of pieces and the layout of a checked setup.
    ///
    /// # Errors
    /// If values are incompatible.
    fn ground(setup: &Setup) -> Result<Ground, SetupError>;

    /// Implements [`GameRules::themes`].
    fn themes() -> &'static [&'static Theme];

    /// Implements [`GameRules::scene`].
    fn scene(
        state: &State<Self::Terms>,
        look: &DrawOptions,
        last: Option<LastMove<'_, State<Self::Terms>>>,
    ) -> Scene;

    /// Implements [`GameRules::emblem`].
    fn emblem(seat: Seat) -> Stamp;

    /// Implements [`GameRules::lesson`].
    fn lesson() -> &'static [Task];
}

/// A penguin game: the shared rules with the terms of a variant.
pub struct FloeRules<R>(PhantomData<R>);

impl<R: FloeVariant> GameRules for FloeRules<R> {
    type Position = State<R::Terms>;
    type ParsedMove = notation::ParsedMove;

    const INFO: &'static GameInfo = <R as FloeVariant>::INFO;

    fn start(setup: &Setup) -> Result<State<R::Terms>, SetupError> {
        let about = <R as FloeVariant>::INFO;
        setup.check(about)?;
        start::start(setup, about, R::ground(setup)?).map(State::new)
    }

    fn board(state: &State<R::Terms>) -> &'static Board {
        state.floe().board()
    }

    fn read(text: &str) -> Result<notation::ParsedMove, MoveParseError> {
        notation::read(text, R::Terms::SPEARS)
    }

    fn resolve(state: &State<R::Terms>, parsed: &notation::ParsedMove) -> Result<Move, IllegalMove> {
        notation::resolve(state.floe(), parsed, R::Terms::SPEARS)
    }

    fn steps(state: &State<R::Terms>, m: Move) -> Vec<Step> {
        notation::steps(state.floe().board(), m)
    }

    fn after_steps(state: &State<R::Terms>, m: Move, count: usize) -> State<R::Terms> {
        state.after_steps(m, count)
    }

    fn heading(state: &State<R::Terms>, side: Seat, taken: &[String], step: &Step) -> Option<u8> {
        let board = state.floe().board();
        let plan = Plan::new(board, &DrawOptions::from_seat(side));
        plan.centre(board.last_named(taken)?).heading(plan.centre(step.cell?))
    }

    fn placing(state: &State<R::Terms>) -> Option<Placing> {
        let floe = state.floe();
        let on = if floe.one_fish_only() { "one-fish" } else { "any" };
        let left = || floe.each() - floe.pieces(floe.turn()).len();
        (floe.phase() == Phase::Place).then(|| Placing { left: left(), on })
    }

    fn is_placement(m: Move) -> bool {
        m.from.is_none()
    }

    fn to_line(state: &State<R::Terms>) -> String {
        line::write(state.floe())
    }

    fn from_line(text: &str) -> Result<State<R::Terms>, PositionParseError> {
        let floe = line::read(text, <R as FloeVariant>::INFO.seats, able)?;
        if R::suits(floe.board().shape()) {
            Ok(State::new(floe))
        } else {
            Err(PositionParseError::new(0, R::BOARD_NEEDED))
        }
    }

    fn editor_pieces(state: &State<R::Terms>) -> Vec<EditorPiece> {
        edit::pieces(state.floe().seats())
    }

    fn signs_on(state: &State<R::Terms>, cell: Cell) -> Vec<&'static str> {
        edit::signs_on(state.floe(), cell)
    }

    fn edited(state: &State<R::Terms>, change: &PositionEdit) -> Option<String> {
        edit::edited(state.floe(), change, R::Terms::TERMS)
    }

    fn themes() -> &'static [&'static Theme] {
        <R as FloeVariant>::themes()
    }

    fn scene(
        state: &State<R::Terms>,
        look: &DrawOptions,
        last: Option<LastMove<'_, State<R::Terms>>>,
    ) -> Scene {
        <R as FloeVariant>::scene(state, look, last)
    }

    fn emblem(_: &State<R::Terms>, seat: Seat) -> Stamp {
        <R as FloeVariant>::emblem(seat)
    }

    fn facts(state: &State<R::Terms>) -> Vec<Fact> {
        description::facts(state.floe())
    }

    fn text_board(state: &State<R::Terms>) -> String {
        description::text_board(state.floe())
    }

    fn count_endgame(state: &State<R::Terms>, budget_nodes: u64) -> EndgameCount {
        endgame_count::count_endgame(state.floe(), R::Terms::TERMS, budget_nodes)
    }

    fn settle(state: &State<R::Terms>, budget_nodes: u64) -> Option<Settlement<Move>> {
        let (claim, ways) = endgame_count::ways(state.floe(), R::Terms::TERMS, budget_nodes);
        Settlement::of(state, claim, ways)
    }

    fn ownership(state: &State<R::Terms>) -> Vec<CellOwnership> {
        description::ownership(state.floe())
    }

    fn reach(state: &State<R::Terms>) -> Option<Reach> {
        Some(description::reach(state.floe()))
    }

    fn think(state: &State<R::Terms>, request: &SearchRequest) -> Option<SearchResult<Move>> {
        player::think(state, request, R::WEIGHTS)
    }

    fn lesson() -> &'static [Task] {
        <R as FloeVariant>::lesson()
    }

    fn baselines() -> &'static [(&'static str, ThinkFn<Self>)] {
        player::baselines()
    }
}
