//! Games where only a person has brought us along: on a server, or in a conversation, that we are no member
//! of.
//!
//! We can post nothing there by ourselves. What Discord gives is an answer to whoever asks by command or
//! button: for a quarter of an hour its token changes that answer and says up to five things more. So a
//! table there is one message for everybody, and every token that reaches it is made use of:
//!
//! | what is done there | what becomes of the message |
//! |---|---|
//! | `/play`, or `/board` by who plays | it is said anew, and pings who is asked or to move |
//! | a button under it | the press is taken as a change of the message, so that the presser's token reaches it from then on; what they alone are to see comes beside it |
//! | anything else: a move tapped in a panel, the program's move, a word in a direct message | it is changed by the latest token that reaches it; else said anew by that of a player who has just asked for something there; else it waits for the next press |
//!
//! A change in its place pings nobody, and the message says so; who chose direct messages for their turns gets
//! them. Tokens are kept in memory alone: they are keys, and soon worth nothing. After a restart the first
//! press brings the message up to date.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rookery_core::Seat;
use rookery_table::preferences::Pings;
use rookery_table::{Person, Status, Table, TableId};

use super::api::{Audience, Ticket};
use super::asked::{Asked, Pressed};
use super::desk::Desk;
use super::fault::Fault;
use super::in_place::written_ms;
use super::post::Post;
use super::press::Press;

/// For how long a token is used: Discord takes it for fifteen minutes.
const LASTS_MS: i64 = 14 * 60_000;
/// Tables and askers that are remembered before those are let go whose tokens are worth nothing.
const REMEMBERED: usize = 4_096;

/// A token that can be used until then.
#[derive(Clone)]
struct Key {
    ticket: Ticket,
    until_ms: i64,
}

/// The message of a table, and what reaches it.
struct Reach {
    key: Key,
    message: u64,
    /// Whether the token's own answer is that message; else it was said after it.
    is_answer: bool,
    /// The table's latest entry that it shows, where that is known.
    shown: Option<u64>,
}

/// The message of a table; held while it is changed, so that no older state overtakes a newer one.
type Slot = Arc<tokio::sync::Mutex<Option<Reach>>>;

/// The messages that are reached by tokens, and the tokens that could say something anew.
#[derive(Clone, Default)]
pub struct Brought(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    tables: HashMap<TableId, Slot>,
    /// The latest token of each asker in each place.
    askers: HashMap<(u64, u64), Key>,
    /// Tables whose message could not be reached, by place.
    due: BTreeSet<(u64, TableId)>,
}

impl Brought {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, table: TableId) -> Slot {
        let tables = &mut self.held().tables;
        if tables.len() >= REMEMBERED {
            // Whoever holds one of these lets go of it themselves.
            tables.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        tables.entry(table).or_default().clone()
    }

    fn keep(&self, asked: &Asked, key: &Key, now_ms: i64) {
        let askers = &mut self.held().askers;
        askers.retain(|_, key| key.until_ms > now_ms);
        if askers.len() < REMEMBERED {
            askers.insert((asked.place.channel, asked.who.0), key.clone());
        }
    }

    /// The token of somebody who plays at a table and has asked for something where it is.
    fn key_of_player(&self, table: &Table, now_ms: i64) -> Option<Key> {
        let held = self.held();
        let seats = Seat::all(table.chairs().len());
        let people = seats.flat_map(|seat| table.players_of(seat)).chain([table.host()]);
        let keys = people.filter_map(|who| held.askers.get(&(table.terms().channel, who.0)));
        keys.filter(|key| key.until_ms > now_ms).max_by_key(|key| key.until_ms).cloned()
    }

    fn wait(&self, table: &Table) {
        let due = &mut self.held().due;
        if due.len() < REMEMBERED {
            due.insert((table.terms().channel, table.id()));
        }
    }

    /// The tables of a place whose message could not be reached until now.
    fn waiting(&self, channel: u64) -> Vec<TableId> {
        let due = &mut self.held().due;
        let here: Vec<_> = due.iter().filter(|(place, _)| *place == channel).copied().collect();
        due.retain(|(place, _)| *place != channel);
        here.into_iter().map(|(_, table)| table).collect()
    }

    /// Forgets the tokens of somebody.
    pub(super) fn forget(&self, who: Person) {
        self.held().askers.retain(|(_, asker), _| *asker != who.0);
    }

    /// Lets the message of a table stand as it is: the next one is said anew.
    pub(super) async fn leave(&self, table: &Table) {
        *self.slot(table.id()).lock().await = None;
        self.wait(table);
    }
}

impl Desk {
    /// Makes use of an interaction that was just answered where we are no member.
    pub(super) async fn make_use_of(&self, asked: &Asked, pressed: Option<&Pressed>) {
        if asked.place.ours {
            return;
        }
        let key = Key { ticket: asked.ticket.clone(), until_ms: written_ms(asked.ticket.id) + LASTS_MS };
        self.brought.keep(asked, &key, self.hall.now_ms());
        let mut tables = self.brought.waiting(asked.place.channel);
        let under = pressed.filter(|pressed| !pressed.private);
        if let Some((press, message)) = under.and_then(|it| Some((Press::read(&it.id).ok()?, it.message))) {
            let slot = self.brought.slot(press.table);
            let mut reach = slot.lock().await;
            let shown = reach.as_ref().filter(|known| known.message == message).and_then(|it| it.shown);
            *reach = Some(Reach { key, message, is_answer: true, shown });
            drop(reach);
            tables.push(press.table);
        }
        for table in tables {
            if let Err(fault) = self.bring(table).await {
                tracing::info!(%table, %fault, "the message of a game waits for the next press");
            }
        }
    }

    /// Brings the message of a table up to date, if there is a way to it; else it waits for one.
    ///
    /// # Errors
    /// What may pass: trying again is right.
    pub(super) async fn bring(&self, id: TableId) -> Result<(), Fault> {
        let slot = self.brought.slot(id);
        let mut reach = slot.lock().await;
        let table = self.hall.see(id).await.map_err(|denied| Fault::Outage(denied.to_string()))?;
        if !table.is_brought() {
            return Ok(());
        }
        let post = self.for_table(&table).await.layout().brought(&table);
        if let Some(known) = reach.as_mut().filter(|known| known.key.until_ms > self.hall.now_ms()) {
            if known.shown == Some(table.sequence()) {
                return Ok(());
            }
            let message = (!known.is_answer).then_some(known.message);
            match self.api.change(&known.key.ticket, message, &post).await {
                Ok(()) => {
                    known.shown = Some(table.sequence());
                    return Ok(());
                }
                Err(fault) if fault.passes() => return Err(fault),
                Err(fault) => tracing::info!(table = %id, %fault, "the message of a game is out of reach"),
            }
        }
        *reach = self.say_anew(&table, post).await?;
        Ok(())
    }

    /// Says a table's message anew, below all that was said since, by the token of one of its players.
    async fn say_anew(&self, table: &Table, post: Post) -> Result<Option<Reach>, Fault> {
        let Some(key) = self.brought.key_of_player(table, self.hall.now_ms()) else {
            self.brought.wait(table);
            return Ok(None);
        };
        let post = self.with_pings_here(table, post).await;
        match self.api.follow(&key.ticket, &post, Audience::Everybody).await {
            Ok(said) if said.private => {
                // Nobody else sees it: then this is no place for a game, and the asker is told why.
                let told = Post::text(self.words.word("brought-unseen"));
                self.api.follow(&key.ticket, &told, Audience::Asker).await?;
                Ok(None)
            }
            Ok(said) => {
                let (message, shown) = (said.message, Some(table.sequence()));
                Ok(Some(Reach { key, message, is_answer: false, shown }))
            }
            Err(fault) if fault.passes() => Err(fault),
            Err(fault) => {
                tracing::info!(table = %table.id(), %fault, "the message of a game cannot be said anew");
                self.brought.wait(table);
                Ok(None)
            }
        }
    }

    /// A message with the pings of those who like them in it, now; whoever is challenged hears of it.
    async fn with_pings_here(&self, table: &Table, mut post: Post) -> Post {
        if *table.status() == Status::Waiting {
            return post;
        }
        for who in std::mem::take(&mut post.pings) {
            let personal = self.hall.drawer().person(who).await;
            let wanted = personal.pings == Pings::Thread && !personal.is_quiet_at(self.hall.now_ms());
            post.pings.extend(wanted.then_some(who));
        }
        post
    }
}
