//! Personal data in memory, and its deletion.

use std::collections::BTreeMap;

use async_trait::async_trait;
use jiff::Timestamp;

use super::pages::page_of;
use super::{Kept, MemoryJournal};
use crate::ports::{
    CHALLENGE_NOTES, Deletion, Page, PageRequest, Privacy, StoreError, analysis_note, digest_note,
};
use crate::pseudonym::NamesPeople;
use crate::rated::Account;
use crate::share::ShareTarget;
use crate::{TableId, UserId};

#[async_trait]
impl Privacy for MemoryJournal {
    async fn tables_naming(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let kept = self.kept();
        let known = |table: &TableId| {
            let pseudonyms = kept.pseudonyms.get(table);
            let drawn = pseudonyms.is_some_and(|it| it.all().iter().any(|(_, person)| *person == who));
            drawn || kept.cards.get(table).is_some_and(|card| card.has(who))
        };
        Ok(page_of(kept.links.keys().copied().filter(known).map(|table| (table, table)), page))
    }

    async fn replace_with_pseudonym(
        &self,
        who: UserId,
        table: TableId,
        _now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let Kept { pseudonyms, cards, outbox, deletions, .. } = &mut *kept;
        let known = pseudonyms.entry(table).or_default();
        let pseudonym = known.of(who)?;
        known.forget(who);
        strike(deletions, who, table);
        cards.get_mut(&table).map(|card| card.rename(who, pseudonym));
        for row in outbox.iter_mut().filter(|row| row.due.table == table) {
            row.due.item.rename(who, pseudonym);
        }
        Ok(())
    }

    async fn delete_table(&self, table: TableId) -> Result<(), StoreError> {
        let mut kept = self.kept();
        kept.links.remove(&table);
        kept.cards.remove(&table);
        kept.pseudonyms.remove(&table);
        kept.jobs.remove(&table);
        kept.follows.retain(|(of, _), _| *of != table);
        kept.share_links.retain(|link| link.target != ShareTarget::Table(table));
        kept.share_withdrawn.remove(&table);
        kept.annotations.retain(|(_, of, _), _| *of != table);
        kept.annotation_links.retain(|link| link.table != table);
        kept.sign_ins.retain(|(_, sign_in)| sign_in.table != table);
        kept.notes.remove(&analysis_note(table));
        kept.outbox.retain(|row| row.due.table != table);
        kept.messages.retain(|_, (of, _)| *of != table);
        let people: Vec<UserId> = kept.deletions.keys().copied().collect();
        people.into_iter().for_each(|who| strike(&mut kept.deletions, who, table));
        kept.erased.insert(table);
        Ok(())
    }

    async fn delete_personal_rows(&self, who: UserId) -> Result<(), StoreError> {
        let mut kept = self.kept();
        kept.people.remove(&who);
        kept.follows.retain(|(_, by), _| *by != who);
        kept.blocks.retain(|(by, _)| *by != who);
        kept.share_links.retain(|link| link.maker() != Some(who));
        kept.annotations.retain(|(by, ..), _| *by != who);
        kept.annotation_links.retain(|link| link.author != who);
        kept.sign_ins.retain(|(_, sign_in)| sign_in.person != who);
        kept.web_sessions.retain(|(_, session)| session.person != who);
        kept.ratings.retain(|_, (standing, _)| standing.who != Account::Person(who));
        kept.notes.remove(&digest_note(who));
        kept.notes.retain(|name, _| !is_challenge_note_of(name, who));
        if let Some(deletion) = kept.deletions.get_mut(&who) {
            deletion.rest = false;
        }
        kept.deletions.retain(|_, deletion| deletion.rest || !deletion.tables.is_empty());
        Ok(())
    }

    async fn note_deletion(&self, deletion: &Deletion) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let empty = Deletion { tables: Vec::new(), rest: false, ..deletion.clone() };
        let known = kept.deletions.entry(deletion.who).or_insert(empty);
        known.tables.extend(&deletion.tables);
        known.tables.sort_unstable();
        known.tables.dedup();
        (known.leave_policy, known.rest) = (deletion.leave_policy, known.rest || deletion.rest);
        Ok(())
    }

    async fn unfinished_deletions(
        &self,
        page: PageRequest<UserId>,
    ) -> Result<Page<Deletion, UserId>, StoreError> {
        let kept = self.kept();
        Ok(page_of(kept.deletions.iter().map(|(who, deletion)| (*who, deletion.clone())), page))
    }

    async fn scrub(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Removes a table from a person's deletion.
fn strike(deletions: &mut BTreeMap<UserId, Deletion>, who: UserId, table: TableId) {
    if let Some(deletion) = deletions.get_mut(&who) {
        deletion.tables.retain(|of| *of != table);
    }
    deletions.retain(|_, deletion| deletion.rest || !deletion.tables.is_empty());
}

/// Whether a note is about challenges from or to a person.
fn is_challenge_note_of(name: &str, who: UserId) -> bool {
    let pair = name.strip_prefix(CHALLENGE_NOTES).and_then(|pair| pair.split_once('/'));
    let number = who.0.to_string();
    pair.is_some_and(|(from, to)| from == number || to == number)
}
