//! Share links in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::pages::page_of;
use super::{Kept, MemoryJournal};
use crate::ports::{Page, PageRequest, ShareLinks, StoreError};
use crate::share::{ShareLink, ShareTarget};
use crate::{GuildId, TableId, UserId};

#[async_trait]
impl ShareLinks for MemoryJournal {
    async fn store_links(&self, links: &[ShareLink]) -> Result<(), StoreError> {
        let mut kept = self.kept();
        for link in links {
            if is_free(&kept, link) {
                kept.share_links.push(link.clone());
            }
        }
        Ok(())
    }

    async fn link(&self, digest: &str) -> Result<Option<ShareLink>, StoreError> {
        Ok(self.kept().share_links.iter().find(|link| link.token.digest() == digest).cloned())
    }

    async fn links_to(&self, target: ShareTarget) -> Result<Vec<ShareLink>, StoreError> {
        let kept = self.kept();
        let mut links: Vec<_> =
            kept.share_links.iter().filter(|link| link.target == target).cloned().collect();
        links.sort_by_key(ShareLink::is_by_setting);
        Ok(links)
    }

    async fn withdraw_links(&self, table: TableId, _now: Timestamp) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let before = kept.share_links.len() + kept.annotation_links.len();
        kept.share_links.retain(|link| link.target != ShareTarget::Table(table));
        kept.annotation_links.retain(|link| link.table != table);
        kept.share_withdrawn.insert(table);
        Ok(kept.share_links.len() + kept.annotation_links.len() < before)
    }

    async fn withdraw_link(&self, digest: &str) -> Result<(), StoreError> {
        self.kept().share_links.retain(|link| link.token.digest() != digest);
        Ok(())
    }

    async fn withdraw_links_of_setting(&self, guild: GuildId) -> Result<(), StoreError> {
        self.kept().share_links.retain(|link| !(link.is_by_setting() && link.guild == Some(guild)));
        Ok(())
    }

    async fn links_by(
        &self,
        who: UserId,
        page: PageRequest<String>,
    ) -> Result<Page<ShareLink, String>, StoreError> {
        let kept = self.kept();
        let made = kept.share_links.iter().filter(|link| link.maker() == Some(who));
        Ok(page_of(made.map(|link| (link.token.digest(), link.clone())), page))
    }
}

fn is_free(kept: &Kept, link: &ShareLink) -> bool {
    let same =
        |known: &ShareLink| known.target == link.target && known.is_by_setting() == link.is_by_setting();
    let withdrawn = match link.target {
        ShareTarget::Table(table) => link.is_by_setting() && kept.share_withdrawn.contains(&table),
        ShareTarget::Server(_) => false,
    };
    !withdrawn && !kept.share_links.iter().any(same)
}
