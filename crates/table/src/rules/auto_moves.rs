//! What a table plays by itself: moves that somebody has planned, and moves that leave no choice.

use rookery_core::Play;

use crate::Table;
use crate::model::{AutoMoveReason, Event, Occupant};

/// Turns that a table takes in a row at most: a game in which nobody has a choice must not keep it for
/// ever.
const MAX_AUTO_TURNS: usize = 100;

/// The turns taken at once after a move, before anybody is asked: `after` is the game after it.
pub(crate) fn auto_turns(table: &Table, text: &str, after: &mut dyn Play) -> Vec<Event> {
    let mut plans = table.plans().clone();
    plans.advance(text);
    let mut events = Vec::new();
    while after.outcome().is_none() && events.len() < MAX_AUTO_TURNS {
        let turn = after.turn();
        // The program finds its own moves.
        if !matches!(table.occupant(turn), Some(Occupant::Human { .. })) {
            break;
        }
        let planned = plans.answer(turn).map(|text| (text.to_owned(), AutoMoveReason::Planned));
        let found = planned.or_else(|| only_move(after).map(|text| (text, AutoMoveReason::Forced)));
        // What was planned is legal; if it were not, the person is asked, as without a plan.
        let Some((Ok(text), why)) = found.map(|(text, why)| (after.play(&text), why)) else { break };
        plans.advance(&text);
        events.push(Event::Moved { seat: turn.index() as u8, text, why: Some(why) });
    }
    events
}

fn only_move(play: &dyn Play) -> Option<String> {
    let mut moves = play.moves();
    if moves.len() == 1 { moves.pop() } else { None }
}
