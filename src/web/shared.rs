//! The contents behind a link's token: a game, or the list of a server's games.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use rookery_table::GuildId;
use rookery_table::Table;
use rookery_table::access::{self, Action, TriState, Venue, Viewer};
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::share::{ShareLink, ShareTarget, ShareToken};

use super::page;
use super::response::{PageError, html};
use super::state::Web;

/// The most running, and the most finished games on a server's page.
const MAX_LISTED: usize = 100;

/// A game with the link through which it was found.
pub(super) struct SharedTable {
    /// The table of the game.
    pub(super) table: Arc<Table>,
    link: ShareLink,
}

impl SharedTable {
    /// Returns the path of the game's page.
    pub(super) fn address(&self) -> String {
        table_address(&self.link.token)
    }

    /// Returns the path of the list of its server's games. Only a link made by the server's setting leads to
    /// it; a player's link gives access to one game.
    pub(super) async fn server_page(&self, web: &Web) -> Result<Option<String>, PageError> {
        let Some(guild) = self.link.guild.filter(|_| self.link.is_by_setting()) else { return Ok(None) };
        let link = web.registry.server_link(guild).await?;
        Ok(link.map(|link| format!("/s/{}", link.token.as_str())))
    }
}

/// Returns the game behind a token.
///
/// # Errors
/// [`PageError::NotFound`] for every token that gives access to no game, whatever the reason.
pub(super) async fn shared_table(web: &Web, token: &str) -> Result<SharedTable, PageError> {
    let link = shared(web, token).await?;
    let ShareTarget::Table(id) = link.target else { return Err(PageError::NotFound) };
    let table = web.registry.table(id).await?;
    access::check(Action::See, &Viewer::LINK_HOLDER, Venue::of(&table)).map_err(|_| PageError::NotFound)?;
    // Before a game begins there is nothing to show.
    table.play().ok_or(PageError::NotFound)?;
    Ok(SharedTable { table, link })
}

/// Returns the link of a valid token.
pub(super) async fn shared(web: &Web, token: &str) -> Result<ShareLink, PageError> {
    let token = ShareToken::read(token).ok_or(PageError::NotFound)?;
    web.registry.shared(&token).await?.ok_or(PageError::NotFound)
}

/// Serves the list of a server's running and finished games in channels that all its members can read.
pub(super) async fn server(
    State(web): State<Arc<Web>>,
    Path(token): Path<String>,
) -> Result<Response, PageError> {
    let ShareTarget::Server(guild) = shared(&web, &token).await?.target else {
        return Err(PageError::NotFound);
    };
    let running = listed(&web, guild, Stage::Running).await?;
    let over = listed(&web, guild, Stage::Over).await?;
    Ok(html(page::server(&web, &running, &over)))
}

/// Returns games of a server, each with the path of its page.
async fn listed(web: &Web, guild: GuildId, stage: Stage) -> Result<Vec<(Card, String)>, PageError> {
    let filter = Filter { guild: Some(guild), stage: Some(stage), ..Filter::default() };
    let all = web.registry.list(&filter, MAX_LISTED).await?;
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
