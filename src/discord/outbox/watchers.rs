//! Telling those who watch in a table's thread. That nobody hears it does no harm.

use rookery_table::ports::{Due, Following};
use rookery_table::{Person, Table};

use super::super::channel_access::LATELY_MS;
use super::super::in_place;
use super::super::post::Post;
use super::Outbox;

impl Outbox {
    /// Tells those who watched in the thread that it is over.
    pub(super) async fn tell_watchers(&self, row: &Due, table: &Table) {
        let watchers = self.watchers(table, &[Following::Thread, Following::Moves]).await;
        if !watchers.is_empty() {
            let post = self.desk.for_table(table).await.layout().over_for_watchers(table, &watchers);
            self.line(row, table, &post).await;
        }
    }

    /// Names those who like to hear of every move; the line about the move before goes.
    pub(super) async fn tell_of_move(&self, row: &Due, table: &Table, ply: usize) {
        let played =
            table.play().filter(|play| ply <= play.ply()).and_then(|play| play.at_ply(ply).record().pop());
        let (Some(text), watchers) = (played, self.watchers(table, &[Following::Moves]).await) else {
            return;
        };
        if watchers.is_empty() {
            return;
        }
        let post = self.desk.for_table(table).await.layout().move_for_watchers(table, &watchers, &text);
        let Some(message) = self.line(row, table, &post).await else { return };
        let (journal, key) = (self.desk.hall.journal(), format!("watched-{}", table.id()));
        let before = journal.note(&key).await.ok().flatten().and_then(|note| note.parse().ok());
        if let (Some(before), Some(home)) = (before, table.home())
            && before != message
        {
            in_place::take_away(&self.desk, home.channel, before).await;
        }
        if let Err(error) = journal.keep_note(&key, &message.to_string()).await {
            tracing::info!(%error, "a line about a move will stay");
        }
    }

    async fn watchers(&self, table: &Table, ways: &[Following]) -> Vec<Person> {
        let followers = self.desk.hall.journal().follows().followers(table.id()).await.unwrap_or_default();
        let mut named = Vec::new();
        for (who, _) in followers.into_iter().filter(|(_, how)| ways.contains(how)) {
            // Discord shows the thread to nobody who may not read it: what was looked up an hour ago will do.
            if self.desk.may_notify(who, table, LATELY_MS).await {
                named.push(who);
            }
        }
        named
    }

    async fn line(&self, row: &Due, table: &Table, post: &Post) -> Option<u64> {
        let home = table.home()?;
        let sent = self.send(row, home.channel, post, "f").await;
        let told =
            sent.inspect_err(|fault| tracing::info!(table = %table.id(), %fault, "who watches is not told"));
        told.ok()
    }
}
