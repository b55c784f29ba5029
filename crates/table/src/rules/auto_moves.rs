//! Moves that a table plays by itself: planned moves, and moves without an alternative.

use rookery_core::Play;

use crate::Table;
use crate::model::{AutoMoveReason, Event, Occupant};

/// The most turns that a table takes in a row: a game without choices must not block it.
const MAX_AUTO_TURNS: usize = 100;

/// Returns the turns taken at once after a move, each with the position after it; `after` is the position after the
/// move.
pub(crate) fn auto_turns(table: &Table, text: &str, after: &dyn Play) -> Vec<(Event, Box<dyn Play>)> {
    let mut plans = table.plans().clone();
    plans.advance(text);
    let mut turns: Vec<(Event, Box<dyn Play>)> = Vec::new();
    while turns.len() < MAX_AUTO_TURNS {
        let now = turns.last().map_or(after, |(_, last)| last.as_ref());
        let turn = now.turn();
        // The bot's moves come from the thinker.
        if now.outcome().is_some() || !matches!(table.occupant(turn), Some(Occupant::Human { .. })) {
            break;
        }
        let planned = plans.answer(turn).map(|text| (text.to_owned(), AutoMoveReason::Planned));
        let found = planned.or_else(|| now.only_move().map(|text| (text, AutoMoveReason::Forced)));
        let Some((text, why)) = found else { break };
        let mut next = now.clone_play();
        // A planned move is legal; if it were not, the person is asked as without a plan.
        let Ok(text) = next.play(&text) else { break };
        plans.advance(&text);
        turns.push((Event::Moved { seat: turn, text, why: Some(why) }, next));
    }
    turns
}
