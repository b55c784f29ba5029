//! The rules that the three penguin games share. A game adds its terms, its board, the weights of its evaluation,
//! its drawing and its lesson as a [`FloeVariant`].

use std::marker::PhantomData;

use crate::floe::outlook::Weights;
use crate::floe::player;
use crate::floe::start::{self, Ground};
use crate::floe::state::{Kind, State, able};
use crate::floe::{Move, claim, line, notation, telling};
use rookery_core::board::Shape;
use rookery_core::lesson::Task;
use rookery_core::player::{Ask, Thought};
use rookery_core::rules::{About, BadLine, Last, Setup, SetupError, Thinker};
use rookery_core::scene::{Look, Scene, Stamp, Theme};
use rookery_core::{Board, Claim, Fact, Hold, Need, Refusal, Room, Seat, Settlement, Step, Unreadable};

/// What is particular to one of the penguin games.
pub trait FloeVariant: Sized + Send + Sync + 'static {
    /// The terms in which the game differs.
    type Rules: Kind;

    /// What is known about it without playing it.
    const ABOUT: &'static About;
    /// What its positions are worth.
    const WEIGHTS: &'static Weights;
    /// What is needed where a line has a board of another shape.
    const BOARD_NEEDED: Need;

    /// Whether it is played on boards of this shape.
    fn suits(shape: Shape) -> bool;

    /// What a game begins on under terms that have been checked.
    ///
    /// # Errors
    /// If values do not go together.
    fn ground(setup: &Setup) -> Result<Ground, SetupError>;

    /// See [`Room::themes`].
    fn themes() -> &'static [&'static Theme];

    /// See [`Room::scene`].
    fn scene(state: &State<Self::Rules>, look: &Look, last: Option<Last<'_, State<Self::Rules>>>) -> Scene;

    /// See [`Room::emblem`].
    fn emblem(seat: Seat) -> Stamp;

    /// See [`Room::lesson`].
    fn lesson() -> &'static [Task];
}

/// A penguin game: the rules that all of them share, on the terms of a variant.
pub struct FloeGame<R>(PhantomData<R>);

impl<R: FloeVariant> Room for FloeGame<R> {
    type Position = State<R::Rules>;
    type Spoken = notation::Spoken;

    const ABOUT: &'static About = <R as FloeVariant>::ABOUT;

    fn start(setup: &Setup) -> Result<State<R::Rules>, SetupError> {
        let about = <R as FloeVariant>::ABOUT;
        setup.check(about)?;
        start::start(setup, about, R::ground(setup)?).map(State::new)
    }

    fn board(state: &State<R::Rules>) -> &'static Board {
        state.floe().board()
    }

    fn read(text: &str) -> Result<notation::Spoken, Unreadable> {
        notation::read(text, R::Rules::SPEARS)
    }

    fn resolve(state: &State<R::Rules>, spoken: &notation::Spoken) -> Result<Move, Refusal> {
        notation::resolve(state.floe(), spoken, R::Rules::SPEARS)
    }

    fn steps(state: &State<R::Rules>, m: Move) -> Vec<Step> {
        notation::steps(state.floe().board(), m)
    }

    fn to_line(state: &State<R::Rules>) -> String {
        line::write(state.floe())
    }

    fn from_line(text: &str) -> Result<State<R::Rules>, BadLine> {
        let floe = line::read(text, <R as FloeVariant>::ABOUT.seats, able)?;
        if R::suits(floe.board().shape()) {
            Ok(State::new(floe))
        } else {
            Err(BadLine::new(0, R::BOARD_NEEDED))
        }
    }

    fn themes() -> &'static [&'static Theme] {
        <R as FloeVariant>::themes()
    }

    fn scene(state: &State<R::Rules>, look: &Look, last: Option<Last<'_, State<R::Rules>>>) -> Scene {
        <R as FloeVariant>::scene(state, look, last)
    }

    fn emblem(_: &State<R::Rules>, seat: Seat) -> Stamp {
        <R as FloeVariant>::emblem(seat)
    }

    fn facts(state: &State<R::Rules>) -> Vec<Fact> {
        telling::facts(state.floe())
    }

    fn text_board(state: &State<R::Rules>) -> String {
        telling::text_board(state.floe())
    }

    fn claim(state: &State<R::Rules>, budget_nodes: u64) -> Claim {
        claim::claim(state.floe(), R::Rules::TERMS, budget_nodes)
    }

    fn settle(state: &State<R::Rules>, budget_nodes: u64) -> Option<Settlement<Move>> {
        let (claim, ways) = claim::ways(state.floe(), R::Rules::TERMS, budget_nodes);
        Settlement::of(state, claim, ways)
    }

    fn holds(state: &State<R::Rules>) -> Vec<Hold> {
        telling::holds(state.floe())
    }

    fn think(state: &State<R::Rules>, ask: &Ask) -> Option<Thought<Move>> {
        player::think(state, ask, R::WEIGHTS)
    }

    fn lesson() -> &'static [Task] {
        <R as FloeVariant>::lesson()
    }

    fn measures() -> &'static [(&'static str, Thinker<Self>)] {
        player::measures()
    }
}
