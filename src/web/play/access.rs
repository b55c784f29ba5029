//! Opens tables to the people who are signed in.

use std::sync::Arc;

use axum::http::HeaderMap;
use rookery_table::{TableId, UserId};

use super::super::discord_side::{DiscordSide, OpenedTable, Refusal};
use super::super::session::{SignedIn, signed_in};
use super::super::state::Web;
use super::board::BoardState;
use super::response::Denied;

/// Opens a table to the person who is signed in.
pub(super) async fn open_for_signed_in(
    web: &Web,
    table: &str,
    headers: &HeaderMap,
) -> Result<(SignedIn, OpenedTable), Denied> {
    let person = signed_in(web, headers).await?.ok_or(Denied::SignedOut)?;
    let opened = open(web, table, person.who).await?;
    Ok((person, opened))
}

/// Opens a table to a person.
pub(super) async fn open(web: &Web, table: &str, who: UserId) -> Result<OpenedTable, Denied> {
    let discord = discord_side(web)?;
    let table = read_table(web, table)?;
    Ok(discord.open(who, table).await?)
}

/// Returns what a page shows of a table to a person; refused before the game has begun.
pub(super) fn state_of(web: &Web, opened: &OpenedTable, who: UserId) -> Result<BoardState, Denied> {
    BoardState::of(web, opened, who).ok_or_else(|| not_begun(opened))
}

/// Refuses what a table doesn't have before its game has begun.
pub(super) fn not_begun(opened: &OpenedTable) -> Denied {
    Denied::refused(opened.words.word("refused-not-begun"))
}

/// Parses the name of a table; what can't be one leads to no table.
pub(super) fn read_table(web: &Web, table: &str) -> Result<TableId, Denied> {
    table.parse().map_err(|_| Denied::Refused(Refusal::NoTable(web.words.word("page-no-table"))))
}

/// Returns the Discord side, once the bot has found Discord.
pub(super) fn discord_side(web: &Web) -> Result<Arc<dyn DiscordSide>, Denied> {
    web.discord_side.get().ok_or(Denied::Later("page-starting"))
}
