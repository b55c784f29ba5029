//! The answers `yes` and `no`: to a challenge, a proven result or an offer; also `leave`, which is an answer
//! before the game begins.

use rookery_table::settle::must_accept;
use rookery_table::{Order, OrderError, OutboxItem, Table, TableError, UserId, offers};

use super::{IncomingMessage, MessageCommand};
use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::{handlers::components, policy::teams};

/// Answers a challenge as its buttons do; returns the answer to the author.
pub(super) async fn before_start(
    ctx: &Context,
    incoming: &IncomingMessage,
    table: &Table,
    said: &MessageCommand,
) -> Option<OutgoingMessage> {
    let who = incoming.who;
    let order = match said {
        MessageCommand::Answer(true) => match teams::join_order(ctx, table, incoming.into()) {
            Ok(way) => way,
            Err(sentence) => return Some(OutgoingMessage::text(sentence)),
        },
        MessageCommand::Answer(false) => Order::Decline,
        _ => Order::Leave,
    };
    let done = components::done_before_start(table, who, &order);
    match ctx.try_order(table.id(), incoming.into(), order, incoming.id.into()).await {
        Ok(Ok(_)) => {
            incoming.carried_out.set();
            Some(OutgoingMessage::text(ctx.words.say(done, &[("table", table.id().as_str().into())])))
        }
        Ok(Err(TableError::Refused(OrderError::Repeated))) => None,
        Ok(Err(denied)) => Some(ctx.denied(table.id(), who, &denied).await),
        Err(post) => Some(*post),
    }
}

/// Returns the order for a yes or no in a running game. If an offer and a proven result are both open, it
/// counts for the one whose message it replies to, otherwise for the offer, which the next move withdraws.
pub(super) async fn order(ctx: &Context, incoming: &IncomingMessage, table: &Table, yes: bool) -> Order {
    let offered = || table.offer().is_some_and(|it| offers::asked(table, it.by).contains(&incoming.who));
    let of_proof = match answered(ctx, incoming, table).await {
        Some(OutboxItem::Proven) => true,
        Some(OutboxItem::Offered { .. }) => false,
        _ => table.proof_stands() && !offered(),
    };
    if of_proof { Order::Accept { yes } } else { Order::Answer { yes, to: None } }
}

/// Returns the outbox item of the table's message that this message replies to.
async fn answered(ctx: &Context, incoming: &IncomingMessage, table: &Table) -> Option<OutboxItem> {
    let (id, say) = ctx.registry.journal().posted_item(incoming.answers?).await.ok()??;
    say.filter(|_| id == table.id())
}

/// Whether a yes or no without a reply or mention answers an open question.
pub(super) fn are_awaited(table: &Table, who: UserId) -> bool {
    let seat = table.seat_of(who);
    table.offer().is_some_and(|offer| Some(offer.by) != seat) || is_asked_to_accept(table, who)
}

/// Whether the proven result waits for the person's acceptance: those who gain by it are not asked.
fn is_asked_to_accept(table: &Table, who: UserId) -> bool {
    let Some(proof) = table.proof().filter(|_| table.proof_stands()) else { return false };
    let waits = |seat| table.plays_for(seat, who) && !table.accepted().contains(&seat);
    must_accept(table, proof).into_iter().any(waits)
}
