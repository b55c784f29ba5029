//! What each thing to be said becomes on Discord.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use rookery_core::Seat;
use rookery_table::ports::{Card, Due, Posted};
use rookery_table::preferences::Pings;
use rookery_table::{By, Denied, Home, Note, Offer, Order, Say, Status, Table};

use super::super::deferred_pings::Called;
use super::super::fault::{Fault, LONGEST_WAIT, NO_LEAVE, THREAD_EXISTS};
use super::super::in_place::{is_fresh, written_ms};
use super::super::layout::Layout;
use super::super::limits::NONCE_MOST;
use super::super::pings::Haste;
use super::super::post::Post;
use super::super::rehouse;
use super::{LookedBack, Outbox};

impl Outbox {
    /// Says a row; the message it became, if it became one.
    pub(super) async fn say(&self, row: &Due) -> Result<Option<Posted>, Fault> {
        let Some(table) = self.spoken_of(row).await? else { return Ok(None) };
        let table = &*table;
        let desk = self.desk.for_table(table).await;
        let layout = desk.layout();
        if table.is_brought() && !matches!(row.say, Say::Rate | Say::Second) {
            return self.bring(row, table).await;
        }
        match &row.say {
            Say::Announce | Say::TurnedDown { .. } | Say::Lapsed => self.announce(row, table).await,
            Say::Reannounce => self.reannounce(row, table).await,
            Say::MakeThread => self.make_thread(row, table).await,
            Say::Tally { number, ply: _ } => self.tally(row, table, *number).await,
            Say::Board { ply } => {
                let posted = self.board(row, table, *ply).await?;
                self.tell_of_move(row, table, *ply).await;
                Ok(posted)
            }
            Say::Strip { ply } => self.strip(row, table, *ply).await,
            Say::Offered { .. }
            | Say::Proven
            | Say::Warned { .. }
            | Say::TimeUp { .. }
            | Say::TimeGiven { .. } => self.news(row, table).await,
            Say::Reproven => self.reproven(table).await,
            Say::Unoffer { ply, made } => self.unoffer(table, *ply, *made).await,
            Say::Unpaused => self.unpaused(row, table).await,
            Say::Note { note, seat } => {
                let post = Seat::new((*seat).into()).map(|seat| layout.note(table, *note, seat));
                self.post_home(row, table, post).await
            }
            Say::Declined { seat } => {
                let post = Seat::new((*seat).into()).map(|seat| layout.offer_declined(table, seat));
                self.post_home(row, table, post).await
            }
            Say::PauseOver => self.post_home(row, table, Some(layout.pause_over(table))).await,
            Say::GivenBack { lost_ms } => {
                self.post_home(row, table, layout.given_back(table, *lost_ms)).await
            }
            Say::Away { person, until_ms } => {
                self.post_home(row, table, Some(layout.away(table, *person, *until_ms))).await
            }
            Say::Rate => {
                let rated = self.desk.hall.rate(row.table).await;
                rated.map(|()| None).map_err(|denied| trouble(&denied))
            }
            Say::Second => {
                let opened = self.desk.hall.open_second(row.table).await;
                opened.map(|()| None).map_err(|denied| trouble(&denied))
            }
            Say::Result => {
                let posted = self.news(row, table).await?;
                self.tell_watchers(row, table).await;
                self.desk.settle_questions(table.id(), None).await;
                Ok(posted)
            }
        }
    }

    /// The table of a row; `None` if there is nobody to say it to: we are not in its server, and its board will
    /// say where it stands when it goes on; or it was deleted this very moment, with all that was to be said.
    async fn spoken_of(&self, row: &Due) -> Result<Option<Arc<Table>>, Fault> {
        match self.desk.hall.see(row.table).await {
            Ok(table) => Ok(Some(table).filter(|table| table.frozen_ms().is_none())),
            Err(Denied::NoTable(_)) => Ok(None),
            Err(denied) => Err(trouble(&denied)),
        }
    }

    /// Posts a board; in plain characters where the picture is not taken.
    async fn board(&self, row: &Due, table: &Table, ply: usize) -> Result<Option<Posted>, Fault> {
        let desk = self.desk.for_table(table).await;
        let layout = desk.layout();
        let Some(board) = layout.board(table, ply) else { return Ok(None) };
        // Without a place there is none to post it in: it is told otherwise.
        let Some(home) = table.home() else { return Ok(None) };
        if self.returns_to_thread(table, home).await {
            return Ok(None);
        }
        let older = self.posted(table, &row.say).await?;
        let posted = match self.begun.of(row, |deeds| deeds.posted) {
            Some(posted) => posted,
            None => self.post_board(row, table, home, board).await?,
        };
        self.begun.of(row, |deeds| deeds.posted = Some(posted));
        match older {
            Some(older) => self.strip_older(row, table, ply, older).await.map(|()| posted),
            None => Ok(posted),
        }
    }

    /// Takes the buttons off an earlier board of the same turn: the game stood still, or has moved.
    async fn strip_older(&self, row: &Due, table: &Table, ply: usize, older: Posted) -> Result<(), Fault> {
        let post = self.desk.for_table(table).await.layout().overtaken(table, ply);
        match self.edit_once(row, older, &post).await {
            Err(fault) if fault.passes() => Err(fault),
            // The new board stands; where the old one was nothing may be changed any more.
            _ => Ok(()),
        }
    }

    /// Whether the game goes back to the thread that it left because nothing could be posted there: that is looked at
    /// once a session, since nobody tells what happened while there was none.
    async fn returns_to_thread(&self, table: &Table, home: Home) -> bool {
        !home.thread && self.is_first_look_back(table) && rehouse::return_to_thread(&self.desk, table).await
    }

    /// Whether it was not looked yet, in this session, if a table's thread takes messages again.
    fn is_first_look_back(&self, table: &Table) -> bool {
        let session = self.desk.session_number();
        let mut looked_back = self.looked_back.lock().unwrap_or_else(PoisonError::into_inner);
        if looked_back.session != session {
            *looked_back = LookedBack { session, tables: HashSet::new() };
        }
        looked_back.tables.insert(table.id())
    }

    async fn post_board(
        &self,
        row: &Due,
        table: &Table,
        home: Home,
        board: Post,
    ) -> Result<Option<Posted>, Fault> {
        let channel = home.channel;
        if let Some(message) = self.find_sent(row, channel, &board, "").await? {
            let movers = board.pings.into_iter().map(Called::Mover);
            let called = movers.chain(board.roles.into_iter().map(Called::Team));
            self.desk.defer_pings(table, called, written_ms(message));
            return Ok(Some(Posted { table: table.id(), channel, message }));
        }
        let desk = self.desk.for_table(table).await;
        let layout = desk.layout();
        let is_latest = !board.rows.is_empty();
        let board = if is_latest { desk.with_wait(table, board) } else { board };
        let now_ms = self.desk.hall.now_ms();
        let (board, left_out) = self.desk.with_ping(table, board, &self.told(row)).await;
        let posted = match self.post(row, table, home.channel, Some(board.clone())).await {
            Err(fault) if is_of_the_picture(&fault) => {
                tracing::warn!(table = %table.id(), %fault, "a board is not taken; as text instead");
                let content = layout.state_text(table).content;
                let plain = Post { content, picture: None, ..board };
                self.post(row, table, home.channel, Some(plain)).await
            }
            posted => posted,
        };
        let posted = self.at_home(table, home, posted).await?;
        self.desk.defer_pings(table, left_out, now_ms);
        Ok(posted)
    }

    /// Posts where the table's boards are.
    pub(super) async fn post_home(
        &self,
        row: &Due,
        table: &Table,
        post: Option<Post>,
    ) -> Result<Option<Posted>, Fault> {
        let Some(home) = table.home() else { return Ok(None) };
        let posted = self.post(row, table, home.channel, post).await;
        self.at_home(table, home, posted).await
    }

    /// What comes of a post where the table's boards are. A home that is gone is left for the channel where the
    /// table was opened; the board follows there by itself.
    async fn at_home(
        &self,
        table: &Table,
        home: Home,
        posted: Result<Option<Posted>, Fault>,
    ) -> Result<Option<Posted>, Fault> {
        let Err(fault) = &posted else { return posted };
        // Somebody may have given it another place meanwhile.
        let now = self.desk.hall.see(table.id()).await.map_err(|denied| trouble(&denied))?;
        if now.home() != Some(home) {
            return posted;
        }
        if home.thread && shut(fault) {
            self.leave_thread(table, home.channel, fault).await?;
        } else if is_lost(table, fault) {
            tracing::info!(table = %table.id(), "the channel is gone; /board gives the game another place");
            self.tell(table, Order::Unhouse).await?;
        }
        posted
    }

    /// The game goes on in the channel; until somebody opens the thread, unless that is gone.
    async fn leave_thread(&self, table: &Table, thread: u64, fault: &Fault) -> Result<(), Fault> {
        let id = table.id();
        if matches!(fault, Fault::Gone { .. }) {
            tracing::info!(table = %id, "the thread is gone; on in the channel");
        } else {
            let why = if fault.is_closed_thread() { "locked" } else { "closed to the bot" };
            tracing::info!(table = %id, %fault, "the thread is {why}; on in the channel until it is opened");
            let kept = rehouse::note_closed_thread(&self.desk, id, thread).await;
            kept.map_err(|error| Fault::Outage(error.to_string()))?;
        }
        self.house(table, Home { channel: table.terms().channel, thread: false }).await
    }

    pub(super) async fn post(
        &self,
        row: &Due,
        table: &Table,
        channel: u64,
        post: Option<Post>,
    ) -> Result<Option<Posted>, Fault> {
        let Some(post) = post else { return Ok(None) };
        let message = self.send(row, channel, &post, "").await?;
        Ok(Some(Posted { table: table.id(), channel, message }))
    }

    /// Posts a message, unless an earlier try of the row has. `mark` tells several messages of one row apart.
    pub(super) async fn send(&self, row: &Due, channel: u64, post: &Post, mark: &str) -> Result<u64, Fault> {
        if let Some(message) = self.find_sent(row, channel, post, mark).await? {
            return Ok(message);
        }
        let (nonce, now_ms) = (nonce(row, mark), self.desk.hall.now_ms());
        let sent = self.desk.post_in(channel, post, &nonce).await;
        if let Err(Fault::Outage(_)) = sent {
            self.begun.of(row, |deeds| deeds.is_unsure(&nonce, now_ms));
        }
        sent
    }

    /// Brings the announcement up to date.
    async fn reannounce(&self, row: &Due, table: &Table) -> Result<Option<Posted>, Fault> {
        let Some(old) = self.posted(table, &Say::Announce).await? else { return Ok(None) };
        let desk = self.desk.for_table(table).await;
        let post = desk.with_page_link(table, desk.layout().announcement(table)).await;
        self.edit_once(row, old, &post).await
    }

    /// Changes a message whatever its age. Of old ones Discord allows few changes, and whoever asks for more
    /// waits with all that they have to say in that channel: so that is tried twice at most.
    pub(super) async fn edit_once(
        &self,
        row: &Due,
        old: Posted,
        post: &Post,
    ) -> Result<Option<Posted>, Fault> {
        if is_fresh(&self.desk, old.message) {
            return self.edit_fresh(old, post).await;
        }
        if self.desk.shuns.has(old.channel) {
            return Ok(None);
        }
        match self.desk.api.edit(old.channel, old.message, post).await {
            Ok(()) => Ok(None),
            Err(fault @ Fault::Outage(_)) if row.tries == 0 => Err(fault),
            Err(fault @ Fault::Busy { .. }) if fault.wait() <= LONGEST_WAIT => Err(fault),
            Err(fault) => {
                tracing::info!(table = %old.table, say = row.say.key(), %fault, "an old message stays as it is");
                self.desk.shuns.note(old.channel, &fault);
                Ok(None)
            }
        }
    }

    /// Takes the buttons off an earlier board, and the call to whoever was to move then.
    async fn strip(&self, row: &Due, table: &Table, ply: usize) -> Result<Option<Posted>, Fault> {
        let Some(old) = self.posted(table, &Say::Board { ply }).await? else { return Ok(None) };
        let post = self.desk.for_table(table).await.layout().overtaken(table, ply);
        self.edit_once(row, old, &post).await
    }

    /// Brings the news of a proof up to date.
    async fn reproven(&self, table: &Table) -> Result<Option<Posted>, Fault> {
        let Some(old) = self.posted(table, &Say::Proven).await? else { return Ok(None) };
        let post = self.desk.for_table(table).await.layout().proven(table).unwrap_or_else(Post::strip);
        self.edit_fresh(old, &post).await
    }

    /// Takes the question and the buttons off an offer that nobody can answer any more.
    async fn unoffer(
        &self,
        table: &Table,
        ply: usize,
        made: Option<(Offer, u8)>,
    ) -> Result<Option<Posted>, Fault> {
        let say = Say::Offered { offer: Offer::Count, seat: 0, ply };
        let Some(old) = self.posted(table, &say).await? else { return Ok(None) };
        let made = made.and_then(|(offer, seat)| Some((offer, Seat::new(seat.into())?)));
        let desk = self.desk.for_table(table).await;
        let told = made.map(|(offer, seat)| desk.layout().offered(table, offer, seat, ply).content);
        self.edit_fresh(old, &told.map_or_else(Post::strip, Post::retold)).await
    }

    /// Takes the button off the news that the game stood still.
    async fn unpaused(&self, row: &Due, table: &Table) -> Result<Option<Posted>, Fault> {
        let made = Say::Note { note: Note::Paused, seat: 0 };
        let Some(old) = self.posted(table, &made).await? else { return Ok(None) };
        // Taken up and laid down again before this could be said.
        if table.is_paused() && *table.status() == Status::Running {
            return Ok(None);
        }
        let told = self.desk.for_table(table).await.layout().unpaused(table);
        self.edit_once(row, old, &told).await
    }

    /// Old buttons know their turn, so that leaving them does no harm; of one that is gone there is nothing to leave.
    pub(super) async fn edit_fresh(&self, old: Posted, post: &Post) -> Result<Option<Posted>, Fault> {
        match self.edit_there(old, post).await {
            Ok(()) | Err(Fault::Gone { .. }) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The same, but that a message that is gone is missed.
    pub(super) async fn edit_there(&self, old: Posted, post: &Post) -> Result<(), Fault> {
        if !is_fresh(&self.desk, old.message) || self.desk.shuns.has(old.channel) {
            return Ok(());
        }
        let edited = self.desk.api.edit(old.channel, old.message, post).await;
        edited.inspect_err(|fault| self.desk.shuns.note(old.channel, fault))
    }

    /// Makes the thread, brings the players in, and tells the table. Where there can be none, the
    /// game is played in the channel itself.
    async fn make_thread(&self, row: &Due, table: &Table) -> Result<Option<Posted>, Fault> {
        if table.home().is_some() {
            return Ok(None);
        }
        let channel = table.terms().channel;
        let home = match self.thread(row, table).await {
            Ok(Some(thread)) => Home { channel: thread, thread: true },
            Ok(None) => Home { channel, thread: false },
            Err(fault) if fault.passes() => return Err(fault),
            Err(fault) => {
                // No leave to make threads, the cap on them, a channel that has none.
                tracing::info!(table = %table.id(), %fault, "no thread; on in the channel");
                Home { channel, thread: false }
            }
        };
        let welcomed = match self.begun.of(row, |deeds| deeds.welcomed) {
            Some(welcomed) => welcomed,
            None => self.welcome(row, table, home).await?,
        };
        self.begun.of(row, |deeds| deeds.welcomed = Some(welcomed));
        self.house(table, home).await?;
        Ok(welcomed)
    }

    async fn thread(&self, row: &Due, table: &Table) -> Result<Option<u64>, Fault> {
        let (terms, api) = (table.terms(), &self.desk.api);
        let (Some(guild), true) = (terms.guild, terms.thread) else { return Ok(None) };
        if (row.tries > 0 || self.is_inherited(row))
            && let Some(thread) = api.find_thread(guild, terms.channel, table.id().as_str()).await?
        {
            return Ok(Some(thread));
        }
        let (name, archive) = (
            self.desk.for_table(table).await.layout().thread_name(table),
            self.desk.settings.thread_archive_minutes,
        );
        let above = self.posted(table, &Say::Announce).await?.filter(|above| above.channel == terms.channel);
        let Some(above) = above else {
            return api.thread(terms.channel, &name, archive).await.map(Some);
        };
        match api.thread_under(above.channel, above.message, &name, archive).await {
            // A thread has the id of the message that it hangs under.
            Err(fault) if fault.code() == Some(THREAD_EXISTS) => Ok(Some(above.message)),
            Err(Fault::Gone { .. }) => api.thread(terms.channel, &name, archive).await.map(Some),
            made => made.map(Some),
        }
    }

    /// The first message in a new thread; a game in the open needs none.
    async fn welcome(&self, row: &Due, table: &Table, home: Home) -> Result<Option<Posted>, Fault> {
        let desk = self.desk.for_table(table).await;
        let Some(post) = desk.layout().welcome(table).filter(|_| home.thread) else { return Ok(None) };
        let sent = match self.find_sent(row, home.channel, &post, "w").await? {
            Some(message) => Ok(message),
            None => {
                let post = self.bringing_in(row, table, home, post).await;
                self.send(row, home.channel, &post, "w").await
            }
        };
        match sent {
            Ok(message) => Ok(Some(Posted { table: table.id(), channel: home.channel, message })),
            Err(fault) if fault.passes() => Err(fault),
            Err(_) => Ok(None),
        }
    }

    /// A welcome that calls everybody as they like it. Whoever begins hears of that by the first board.
    async fn bringing_in(&self, row: &Due, table: &Table, home: Home, mut post: Post) -> Post {
        if let Some(first) = table.alone_to_move()
            && self.desk.hall.drawer().person(first).await.pings != Pings::Thread
        {
            post.pings.retain(|who| *who != first);
        }
        let card = Card { home: Some(home), ..table.card() };
        let elsewhere = |layout: Layout<'_>| Some(layout.begun_elsewhere(&card));
        let nonce = format!("b{}", table.id());
        self.desk.with_pings(post, &nonce, Haste::Usual, &self.told(row), elsewhere).await
    }

    async fn house(&self, table: &Table, home: Home) -> Result<(), Fault> {
        self.tell(table, Order::House(home)).await
    }

    async fn tell(&self, table: &Table, order: Order) -> Result<(), Fault> {
        let told = self.desk.hall.order(table.id(), By::House, order, None).await;
        told.map(drop).map_err(|denied| trouble(&denied))
    }

    pub(super) async fn posted(&self, table: &Table, say: &Say) -> Result<Option<Posted>, Fault> {
        let posted = self.desk.hall.journal().posted(table.id(), say).await;
        posted.map_err(|error| Fault::Outage(error.to_string()))
    }
}

/// Whether a table has lost its place: the channel is gone, or somebody lets us into their direct messages no more.
fn is_lost(table: &Table, fault: &Fault) -> bool {
    let shut_out = table.terms().guild.is_none() && matches!(fault, Fault::NoAccess { .. });
    shut_out || matches!(fault, Fault::Gone { .. })
}

/// What a table's answer means to the outbox: a record that cannot be played again is given up, or its lane would
/// be held for ever.
fn trouble(denied: &Denied) -> Fault {
    match denied {
        Denied::Fault => Fault::ours(denied),
        // It waits for a version that can.
        Denied::Unreadable(_) => Fault::Unreadable(denied.to_string()),
        passes => Fault::Outage(passes.to_string()),
    }
}

/// Whether a place is closed to us for good.
fn shut(fault: &Fault) -> bool {
    matches!(fault, Fault::Gone { .. }) || fault.is_for_want_of_leave()
}

/// Whether it may be the picture of a message that is not taken: then its words alone are tried.
fn is_of_the_picture(fault: &Fault) -> bool {
    let bad = matches!(fault, Fault::Bad { .. }) && !fault.is_closed_thread() && !fault.is_blocked();
    bad || (matches!(fault, Fault::NoAccess { .. }) && fault.code() == Some(NO_LEAVE))
}

/// What keeps a row from being said twice. The table is in it, so that rows of another journal, which
/// count from one again, are not taken for these.
pub(super) fn nonce(row: &Due, mark: &str) -> String {
    let nonce = format!("{}{mark}{}", row.table, row.id);
    nonce.chars().take(NONCE_MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::fault::{THREAD_ARCHIVED, THREAD_LOCKED};
    use super::*;

    #[test]
    fn a_thread_that_is_locked_is_shut_and_no_matter_of_the_picture() {
        let bad = |code| Fault::Bad { code, why: String::new() };
        for code in [THREAD_LOCKED, THREAD_ARCHIVED] {
            assert!(shut(&bad(code)) && !is_of_the_picture(&bad(code)));
        }
        assert!(!shut(&bad(-1)) && is_of_the_picture(&bad(-1)));
        let closed = |code| Fault::NoAccess { code, why: String::new() };
        assert!(is_of_the_picture(&closed(NO_LEAVE)) && !is_of_the_picture(&closed(50_001)));
    }

    #[test]
    fn a_nonce_fits_whatever_the_row() {
        let due = Due {
            id: i64::MAX,
            table: "K7Q2AB".parse().unwrap(),
            say: Say::Result,
            tries: 0,
            due_since_ms: None,
        };
        assert!(nonce(&due, "w").len() <= NONCE_MOST);
        assert_ne!(nonce(&Due { id: 1, ..due.clone() }, ""), nonce(&Due { id: 1, ..due }, "w"));
    }
}
