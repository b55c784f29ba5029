//! What a link's token shows: a game, or the list of a server's games.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;

use super::{PageNotFound, Web, html, page};
use rookery_table::Table;
use rookery_table::access::{self, Action, TriState, Venue, Viewer};
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::share::{ShareLink, ShareTarget, ShareToken};

/// Running and finished games that a server's page lists at most.
const MAX_LISTED: usize = 100;

/// A game, with the link by which it was found.
pub(super) struct SharedTable {
    /// The game.
    pub(super) table: Arc<Table>,
    link: ShareLink,
}

impl SharedTable {
    /// Where the game's page is, from the root on.
    pub(super) fn address(&self) -> String {
        table_address(&self.link.token)
    }

    /// Where the list of its server's games is. Only a link that the server's own setting made leads there: one that a
    /// player made shows this game alone.
    pub(super) async fn server_page(&self, web: &Web) -> Result<Option<String>, PageNotFound> {
        let Some(guild) = self.link.guild.filter(|_| self.link.is_by_setting()) else { return Ok(None) };
        let link = web.registry.server_link(guild).await?;
        Ok(link.map(|link| format!("/s/{}", link.token.as_str())))
    }
}

/// The game that a token shows now.
///
/// # Errors
/// [`PageNotFound`] for every token that shows no game, whatever the reason.
pub(super) async fn shared_table(web: &Web, token: &str) -> Result<SharedTable, PageNotFound> {
    let link = shared(web, token).await?;
    let ShareTarget::Table(id) = link.target else { return Err(PageNotFound) };
    let table = web.registry.table(id).await?;
    access::check(Action::See, &Viewer::LINK_HOLDER, Venue::of(&table)).map_err(|_| PageNotFound)?;
    Ok(SharedTable { table, link })
}

/// The link of a token that works.
pub(super) async fn shared(web: &Web, token: &str) -> Result<ShareLink, PageNotFound> {
    let token = ShareToken::read(token).ok_or(PageNotFound)?;
    web.registry.shared(&token).await?.ok_or(PageNotFound)
}

/// What a server plays and played where everybody on it reads along.
pub(super) async fn server(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Response, PageNotFound> {
    let ShareTarget::Server(guild) = shared(&web, &token).await?.target else { return Err(PageNotFound) };
    let running = listed(&web, guild, Stage::Running).await?;
    let over = listed(&web, guild, Stage::Over).await?;
    Ok(html(page::server(&web, &running, &over)))
}

/// Games of a server, each with the address of its page.
async fn listed(web: &Web, guild: u64, stage: Stage) -> Result<Vec<(Card, String)>, PageNotFound> {
    let filter = Filter { guild: Some(guild), stage: Some(stage), most: MAX_LISTED, ..Filter::default() };
    let all = web.registry.list(&filter).await?;
    let mut open = web.registry.in_public_channels(all).await;
    open.retain(|card| access::may_list(Venue::of_card(card), TriState::Yes).is_ok());
    let tables: Vec<_> = open.iter().map(|card| card.id).collect();
    let links = web.registry.public_links(guild, &tables).await?;
    let with_link = |card: Card| links.get(&card.id).map(table_address).map(|address| (card, address));
    Ok(open.into_iter().filter_map(with_link).collect())
}

fn table_address(token: &ShareToken) -> String {
    format!("/g/{}", token.as_str())
}
