//! Share links: created, looked up, withdrawn. The web server looks up the token of a request here, and again whenever
//! [`TableRegistry::share_changes`] signals that a link may have been withdrawn.

use std::collections::HashMap;

use tokio::sync::watch;

use crate::model::UserId;
use crate::ports::StoreError;
use crate::share::{ShareLink, ShareOrigin, ShareTarget, ShareToken};
use crate::{GuildId, Table, TableId};

use super::TableRegistry;

impl TableRegistry {
    /// Returns the link with which players share a game; creates it if there is none.
    ///
    /// # Errors
    /// If the journal or the system's random number generator fails.
    pub async fn share(&self, table: &Table, maker: UserId) -> Result<ShareLink, StoreError> {
        let (target, guild) = (ShareTarget::Table(table.id()), table.terms().guild);
        self.link_or_new(target, guild, ShareOrigin::Player(maker)).await?.ok_or_else(vanished)
    }

    /// Replaces the link with which players share a game; the link of the server's setting stays.
    ///
    /// # Errors
    /// Those of [`TableRegistry::share`]; the old link may be withdrawn already then.
    pub async fn share_anew(&self, table: &Table, maker: UserId) -> Result<ShareLink, StoreError> {
        let links = self.journal().share_links();
        for old in links.links_to(ShareTarget::Table(table.id())).await? {
            if !old.is_by_setting() {
                links.withdraw_link(&old.token.digest()).await?;
            }
        }
        self.share_changed();
        self.share(table, maker).await
    }

    /// Withdraws every link to a game at once; the server's setting creates no new one for it. Returns whether there
    /// were any.
    ///
    /// # Errors
    /// If the journal fails; nothing has changed then.
    pub async fn stop_sharing(&self, table: TableId) -> Result<bool, StoreError> {
        let withdrawn = self.journal().share_links().withdraw_links(table, self.now()).await;
        self.share_changed();
        withdrawn
    }

    /// Returns the link of a token; `None` if it does not exist, was withdrawn, or its server has switched pages off.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn shared(&self, token: &ShareToken) -> Result<Option<ShareLink>, StoreError> {
        let Some(link) = self.journal().share_links().link(&token.digest()).await? else { return Ok(None) };
        let works = !link.is_by_setting() || self.shows_pages(link.guild).await;
        Ok(works.then_some(link))
    }

    /// Whether a server's setting allows public pages of its games.
    async fn shows_pages(&self, guild: Option<GuildId>) -> bool {
        guild.is_some() && self.preferences_cache().server(guild).await.public_pages
    }

    /// Returns the link of a server's setting to a game; creates it if there is none. `None` if the setting is off, the
    /// game's links were withdrawn, or only its owner may view it.
    ///
    /// # Errors
    /// Those of [`TableRegistry::share`].
    pub async fn public_link(&self, table: &Table) -> Result<Option<ShareLink>, StoreError> {
        let guild = table.terms().guild;
        if table.is_imported() || !self.shows_pages(guild).await {
            return Ok(None);
        }
        self.link_or_new(ShareTarget::Table(table.id()), guild, ShareOrigin::Setting).await
    }

    /// Returns the links of a server's setting to several games, by game; games without a link are left out.
    ///
    /// # Errors
    /// Those of [`TableRegistry::share`].
    pub async fn public_links(
        &self,
        guild: GuildId,
        tables: &[TableId],
    ) -> Result<HashMap<TableId, ShareToken>, StoreError> {
        let mut found = self.known_public_links(tables).await?;
        let missing = tables.iter().filter(|table| !found.contains_key(table));
        let new =
            missing.map(|table| self.new_link(ShareTarget::Table(*table), Some(guild), ShareOrigin::Setting));
        let new = new.collect::<Result<Vec<_>, _>>()?;
        if !new.is_empty() && self.shows_pages(Some(guild)).await {
            self.journal().share_links().store_links(&new).await?;
            found = self.known_public_links(tables).await?;
        }
        Ok(found)
    }

    async fn known_public_links(
        &self,
        tables: &[TableId],
    ) -> Result<HashMap<TableId, ShareToken>, StoreError> {
        let mut found = HashMap::new();
        for table in tables {
            let links = self.journal().share_links().links_to(ShareTarget::Table(*table)).await?;
            let link = links.into_iter().find(ShareLink::is_by_setting);
            found.extend(link.map(|link| (*table, link.token)));
        }
        Ok(found)
    }

    /// Returns the link to the list of a server's games; creates it if there is none. `None` if the setting is off.
    ///
    /// # Errors
    /// Those of [`TableRegistry::share`].
    pub async fn server_link(&self, guild: GuildId) -> Result<Option<ShareLink>, StoreError> {
        if !self.shows_pages(Some(guild)).await {
            return Ok(None);
        }
        self.link_or_new(ShareTarget::Server(guild), Some(guild), ShareOrigin::Setting).await
    }

    /// Switches a server's public pages on or off. Either way, links that the setting made before stop working; later
    /// ones have new tokens.
    ///
    /// # Errors
    /// If the journal fails; the caller may retry.
    pub async fn set_public_pages(&self, guild: GuildId, on: bool) -> Result<(), StoreError> {
        let links = self.journal().share_links();
        if on {
            links.withdraw_links_of_setting(guild).await?;
        }
        self.preferences_cache().change_server(guild, |server| server.public_pages = on).await?;
        let done = if on { Ok(()) } else { links.withdraw_links_of_setting(guild).await };
        self.share_changed();
        done
    }

    /// Returns a receiver that changes whenever a link or a browser's session may have stopped working.
    pub fn share_changes(&self) -> watch::Receiver<()> {
        self.share_changes.subscribe()
    }

    /// Makes the web server look up the tokens of open pages again.
    pub(crate) fn share_changed(&self) {
        self.share_changes.send_replace(());
    }

    async fn link_or_new(
        &self,
        target: ShareTarget,
        guild: Option<GuildId>,
        origin: ShareOrigin,
    ) -> Result<Option<ShareLink>, StoreError> {
        let links = self.journal().share_links();
        let by_setting = origin == ShareOrigin::Setting;
        let same = |all: Vec<ShareLink>| all.into_iter().find(|link| link.is_by_setting() == by_setting);
        if let Some(known) = same(links.links_to(target).await?) {
            return Ok(Some(known));
        }
        links.store_links(&[self.new_link(target, guild, origin)?]).await?;
        // A concurrent request may have created one: the stored link counts.
        Ok(same(links.links_to(target).await?))
    }

    fn new_link(
        &self,
        target: ShareTarget,
        guild: Option<GuildId>,
        origin: ShareOrigin,
    ) -> Result<ShareLink, StoreError> {
        let token = ShareToken::draw().map_err(|error| StoreError::Backend(error.to_string()))?;
        Ok(ShareLink { token, target, guild, origin, made_at: self.now() })
    }
}

fn vanished() -> StoreError {
    StoreError::Backend("a new link was withdrawn at the moment it was made".to_owned())
}
