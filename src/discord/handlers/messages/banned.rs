//! Messages of people whom the server has banned: they may only continue their own running games.

use super::{IncomingMessage, TableReference, named, without_mention};
use crate::discord::policy::bans::is_playing;
use crate::discord::policy::table_lookup::{self, Location, TablePurpose};
use crate::discord::state::context::Context;

/// Whether a message is ignored because its author is banned and does not play in the game it is about.
pub(super) async fn is_banned_message(ctx: &Context, incoming: &IncomingMessage) -> bool {
    let who = incoming.who;
    if !ctx.registry.is_banned(incoming.guild, who).await {
        return false;
    }
    let text = without_mention(&incoming.text, ctx.me(), incoming.mentions_role);
    let table = match named(ctx, incoming, &text).await {
        (TableReference::Table(table), _) => Some(table),
        (TableReference::Refused(_), _) => None,
        (TableReference::Nothing, _) => match ctx.table_of_thread(incoming.channel, incoming.who).await {
            Some(table) => Some(table),
            None => {
                let location = Location { channel: incoming.channel, guild: incoming.guild };
                table_lookup::find_table(ctx, incoming.into(), location, None, TablePurpose::Act).await.ok()
            }
        },
    };
    !table.is_some_and(|table| is_playing(&table, who))
}
