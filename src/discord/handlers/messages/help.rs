//! The answer to `help` in a message that addresses the bot.

use rookery_table::access::Action;

use super::TableReference;
use crate::discord::state::context::Context;
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Answers `help`: about the table that is named or whose thread this is, otherwise with where to begin.
pub(super) async fn answer(
    ctx: &Context,
    incoming: &IncomingMessage,
    named: TableReference,
) -> OutgoingMessage {
    let table = match named {
        TableReference::Table(table) => Some(table),
        TableReference::Refused(_) => None,
        TableReference::Nothing => match ctx.table_of_thread(incoming.channel, incoming.who).await {
            Some(table) => ctx.open_table(incoming.into(), table.id(), Action::See).await.ok(),
            None => None,
        },
    };
    table.map_or_else(|| ctx.view().help_offer(), |table| ctx.view().table_help(&table, incoming.who))
}
