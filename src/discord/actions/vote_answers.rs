//! The answer to a person who proposed a move in a vote, or voted.

use rookery_table::Event;
use rookery_table::requests::OrderOutcome;
use rookery_table::teams::TeamVote;

use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The result of a proposal or a vote, for the person who made it; `None` if it was neither.
pub(in crate::discord) fn vote_answer(ctx: &Context, seen: &OrderOutcome) -> Option<OutgoingMessage> {
    let table = ("table", seen.table.id().to_string().into());
    let say =
        |key, text: &str| OutgoingMessage::text(ctx.words.say(key, &[table.clone(), ("move", text.into())]));
    if seen.events.is_empty() {
        return seen
            .table
            .team_vote()
            .map(|_| OutgoingMessage::text(ctx.words.say("vote-same", std::slice::from_ref(&table))));
    }
    let settled = seen.events.iter().any(|event| matches!(event, Event::Elected { .. }));
    let played = seen.events.iter().find_map(|event| match event {
        Event::Moved { text, .. } => Some(text),
        _ => None,
    });
    if let Some(text) = played {
        return settled.then(|| say("vote-settled", text));
    }
    seen.events.iter().find_map(|event| match event {
        Event::Proposed { text, .. } => Some(say("vote-proposed", text)),
        Event::Voted { proposal, .. } => Some(cast(ctx, seen, seen.table.team_vote()?, *proposal)),
        _ => None,
    })
}

fn cast(ctx: &Context, seen: &OrderOutcome, team_vote: &TeamVote, proposal: u16) -> OutgoingMessage {
    let proposal = team_vote.proposals.get(usize::from(proposal));
    let text = proposal.map(|proposal| proposal.text.as_str()).unwrap_or_default();
    let votes = proposal.map_or(0, |proposal| proposal.voters.len());
    let args =
        [("table", seen.table.id().to_string().into()), ("move", text.into()), ("votes", votes.into())];
    OutgoingMessage::text(ctx.words.say("vote-cast", &args))
}
