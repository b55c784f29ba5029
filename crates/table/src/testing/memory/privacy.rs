//! What is kept of people in memory, and how it is taken out.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{Kept, Memory};
use crate::ports::{Deletion, JournalError, Privacy, digest_note};
use crate::rated::Account;
use crate::share::ShareTarget;
use crate::stand_in::Named;
use crate::{Person, TableId};

#[async_trait]
impl Privacy for Memory {
    async fn tables_naming(&self, who: Person) -> Result<Vec<TableId>, JournalError> {
        let kept = self.kept();
        let known = |table: &TableId| {
            let stand_ins = kept.stand_ins.get(table);
            let drawn = stand_ins.is_some_and(|it| it.all().iter().any(|(_, person)| *person == who));
            drawn || kept.cards.get(table).is_some_and(|card| card.has(who))
        };
        Ok(kept.links.keys().copied().filter(known).collect())
    }

    async fn take_out(&self, who: Person, table: TableId, _now_ms: i64) -> Result<(), JournalError> {
        let mut kept = self.kept();
        let Kept { stand_ins, cards, outbox, deletions, .. } = &mut *kept;
        let known = stand_ins.entry(table).or_default();
        let stand_in = known.of(who)?;
        known.forget(who);
        strike(deletions, who, table);
        cards.get_mut(&table).map(|card| card.rename(who, stand_in));
        for row in outbox.iter_mut().filter(|row| row.due.table == table) {
            row.due.say.rename(who, stand_in);
        }
        Ok(())
    }

    async fn erase(&self, table: TableId) -> Result<(), JournalError> {
        let mut kept = self.kept();
        kept.links.remove(&table);
        kept.cards.remove(&table);
        kept.stand_ins.remove(&table);
        kept.jobs.remove(&table);
        kept.follows.retain(|(of, _), _| *of != table);
        kept.share_links.retain(|link| link.target != ShareTarget::Table(table));
        kept.share_withdrawn.remove(&table);
        kept.outbox.retain(|row| row.due.table != table);
        kept.messages.retain(|_, (of, _)| *of != table);
        let people: Vec<Person> = kept.deletions.keys().copied().collect();
        people.into_iter().for_each(|who| strike(&mut kept.deletions, who, table));
        kept.erased.insert(table);
        Ok(())
    }

    async fn take_out_rest(&self, who: Person) -> Result<(), JournalError> {
        let mut kept = self.kept();
        kept.people.remove(&who);
        kept.follows.retain(|(_, by), _| *by != who);
        kept.blocks.retain(|(by, _)| *by != who);
        kept.share_links.retain(|link| link.maker() != Some(who));
        kept.ratings.retain(|(standing, _)| standing.who != Account::Person(who));
        kept.notes.remove(&digest_note(who));
        if let Some(deletion) = kept.deletions.get_mut(&who) {
            deletion.rest = false;
        }
        kept.deletions.retain(|_, deletion| deletion.rest || !deletion.tables.is_empty());
        Ok(())
    }

    async fn note_deletion(&self, deletion: &Deletion) -> Result<(), JournalError> {
        let mut kept = self.kept();
        let empty = Deletion { tables: Vec::new(), rest: false, ..deletion.clone() };
        let known = kept.deletions.entry(deletion.who).or_insert(empty);
        known.tables.extend(&deletion.tables);
        known.tables.sort_unstable();
        known.tables.dedup();
        (known.parting, known.rest) = (deletion.parting, known.rest || deletion.rest);
        Ok(())
    }

    async fn unfinished_deletions(&self) -> Result<Vec<Deletion>, JournalError> {
        Ok(self.kept().deletions.values().cloned().collect())
    }

    async fn scrub(&self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// Strikes a table out of a person's deletion.
fn strike(deletions: &mut BTreeMap<Person, Deletion>, who: Person, table: TableId) {
    if let Some(deletion) = deletions.get_mut(&who) {
        deletion.tables.retain(|of| *of != table);
    }
    deletions.retain(|_, deletion| deletion.rest || !deletion.tables.is_empty());
}
