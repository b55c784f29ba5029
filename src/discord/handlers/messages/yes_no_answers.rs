//! What is answered by `yes` and `no`: a challenge, a proven end, an offer. And `leave`, which before the game is an
//! answer as well.

use rookery_table::settle::must_accept;
use rookery_table::{Order, OrderError, OutboxItem, Table, TableError, UserId, offers};

use super::{IncomingMessage, MessageCommand};
use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::{handlers::components, policy::teams};

/// Does what the buttons under the challenge do; what to answer.
pub(super) async fn before_start(
    ctx: &Context,
    incoming: &IncomingMessage,
    table: &Table,
    said: &MessageCommand,
) -> Option<OutgoingMessage> {
    let who = incoming.who;
    let order = match said {
        MessageCommand::Answer(true) => match teams::way_in(ctx, table, incoming.into()) {
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

/// What a yes or no means while the game is on. Where an offer and a proven end both ask, it is for the one whose
/// message it answers, or else for the offer, which the next move withdraws.
pub(super) async fn order(ctx: &Context, incoming: &IncomingMessage, table: &Table, yes: bool) -> Order {
    let offered = || table.offer().is_some_and(|it| offers::asked(table, it.by).contains(&incoming.who));
    let of_proof = match answered(ctx, incoming, table).await {
        Some(OutboxItem::Proven) => true,
        Some(OutboxItem::Offered { .. }) => false,
        _ => table.proof_stands() && !offered(),
    };
    if of_proof { Order::Accept { yes } } else { Order::Answer { yes, to: None } }
}

/// What a message of the table's told that this one answers.
async fn answered(ctx: &Context, incoming: &IncomingMessage, table: &Table) -> Option<OutboxItem> {
    let (id, say) = ctx.registry.journal().posted_item(incoming.answers?).await.ok()??;
    say.filter(|_| id == table.id())
}

/// Whether a yes or no that is said to nobody in particular answers something.
pub(super) fn are_awaited(table: &Table, who: UserId) -> bool {
    let seat = table.seat_of(who);
    table.offer().is_some_and(|offer| Some(offer.by) != seat) || is_asked_to_accept(table, who)
}

/// Whether the proven end waits for what somebody says to it: of those who gain by it nobody asks.
fn is_asked_to_accept(table: &Table, who: UserId) -> bool {
    let Some(proof) = table.proof().filter(|_| table.proof_stands()) else { return false };
    let waits = |seat| table.plays_for(seat, who) && !table.accepted().contains(&seat);
    must_accept(table, proof).into_iter().any(waits)
}
