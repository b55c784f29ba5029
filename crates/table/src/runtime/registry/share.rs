//! Links for people outside Discord: made, looked up, withdrawn. The web server looks up the token of a
//! request here, and
//! again whenever [`TableRegistry::share_changes`] says that a link may have been withdrawn.

use std::collections::HashMap;

use tokio::sync::watch;

use crate::model::UserId;
use crate::ports::StoreError;
use crate::share::{ShareLink, ShareOrigin, ShareTarget, ShareToken};
use crate::{GuildId, Table, TableId};

use super::TableRegistry;

impl TableRegistry {
    /// The link with which a player shares a game, made now if there is none.
    ///
    /// # Errors
    /// If the journal fails, or the system gives no random numbers.
    pub async fn share(&self, table: &Table, maker: UserId) -> Result<ShareLink, StoreError> {
        let (target, guild) = (ShareTarget::Table(table.id()), table.terms().guild);
        self.link_or_new(target, guild, ShareOrigin::Player(maker)).await?.ok_or_else(vanished)
    }

    /// Replaces the link with which players share a game by a new one; one that the server's setting made stays.
    ///
    /// # Errors
    /// As [`TableRegistry::share`]; the old link may be withdrawn already then.
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

    /// Withdraws every link to a game: they stop working at once, and the server's setting makes none for it any
    /// more. Returns whether there were any.
    ///
    /// # Errors
    /// If the journal fails; nothing has changed then.
    pub async fn stop_sharing(&self, table: TableId) -> Result<bool, StoreError> {
        let withdrawn = self.journal().share_links().withdraw_links(table, self.now()).await;
        self.share_changed();
        withdrawn
    }

    /// What a token shows now; `None` if it never was one, was withdrawn, or its server has switched pages off.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn shared(&self, token: &ShareToken) -> Result<Option<ShareLink>, StoreError> {
        let Some(link) = self.journal().share_links().link(&token.digest()).await? else { return Ok(None) };
        let works = !link.is_by_setting() || self.shows_pages(link.guild).await;
        Ok(works.then_some(link))
    }

    /// Whether a server's setting shows its games to everybody who has a link.
    async fn shows_pages(&self, guild: Option<GuildId>) -> bool {
        guild.is_some() && self.preferences_cache().server(guild).await.public_pages
    }

    /// The link that a server's setting makes for a game, made now if there is none; `None` where the setting is off,
    /// the links of that game were withdrawn, or nobody but its owner may look at it.
    ///
    /// # Errors
    /// As [`TableRegistry::share`].
    pub async fn public_link(&self, table: &Table) -> Result<Option<ShareLink>, StoreError> {
        let guild = table.terms().guild;
        if table.is_imported() || !self.shows_pages(guild).await {
            return Ok(None);
        }
        self.link_or_new(ShareTarget::Table(table.id()), guild, ShareOrigin::Setting).await
    }

    /// The same for several games of a server at once, by game; those without a link are left out.
    ///
    /// # Errors
    /// As [`TableRegistry::share`].
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
            self.journal().share_links().keep_links(&new).await?;
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

    /// The link to the list of a server's games, made now if there is none; `None` where the setting is off.
    ///
    /// # Errors
    /// As [`TableRegistry::share`].
    pub async fn server_link(&self, guild: GuildId) -> Result<Option<ShareLink>, StoreError> {
        if !self.shows_pages(Some(guild)).await {
            return Ok(None);
        }
        self.link_or_new(ShareTarget::Server(guild), Some(guild), ShareOrigin::Setting).await
    }

    /// Switches a server's public pages on or off. Links that the setting made before stop working either way: those
    /// made from now on have new tokens.
    ///
    /// # Errors
    /// If the journal fails; trying again is right.
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

    /// Changes whenever a link may have stopped working.
    pub fn share_changes(&self) -> watch::Receiver<()> {
        self.share_changes.subscribe()
    }

    /// Has everybody who serves a page look up its token again.
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
        links.keep_links(&[self.new_link(target, guild, origin)?]).await?;
        // Somebody else may have made one at the same moment: what is kept counts.
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
