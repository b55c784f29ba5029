//! The messages of games in channels where the bot is not a member, and the tokens that can change them.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

use rookery_core::Seat;
use rookery_table::{ChannelId, MessageId, Table, TableId, UserId};

use crate::discord::wire::api::InteractionToken;
use crate::discord::wire::interaction::Interaction;

/// How long a token is used: Discord accepts it for fifteen minutes.
pub(in crate::discord) const TOKEN_LIFETIME: SignedDuration = SignedDuration::from_mins(14);

/// The number of tables, and of people with a token, above which unused or expired entries are removed.
pub(in crate::discord) const CACHE_CAPACITY: usize = 4_096;

/// A token and the time until which it is used.
#[derive(Clone)]
pub(in crate::discord) struct TokenLease {
    pub(in crate::discord) token: InteractionToken,
    pub(in crate::discord) until: Timestamp,
}

/// The message of a table, and the token that can edit it.
pub(in crate::discord) struct TableMessage {
    pub(in crate::discord) key: TokenLease,
    pub(in crate::discord) message: MessageId,
    /// Whether the message is the token's first answer; otherwise it is a follow-up.
    pub(in crate::discord) is_answer: bool,
    /// The number of the latest journal entry that the message shows, if it is known.
    pub(in crate::discord) shown: Option<u64>,
}

/// The message of a table. It is locked during an edit, so that no older state overwrites a newer one.
pub(in crate::discord) type MessageSlot = Arc<tokio::sync::Mutex<Option<TableMessage>>>;

/// The messages that can be edited by tokens, and the latest tokens of people.
#[derive(Clone, Default)]
pub struct UserInstallMessages(Arc<Mutex<State>>);

#[derive(Default)]
pub(in crate::discord) struct State {
    pub(in crate::discord) tables: HashMap<TableId, MessageSlot>,
    /// The latest token of each person in each channel.
    pub(in crate::discord) user_tokens: HashMap<(ChannelId, UserId), TokenLease>,
    /// Tables whose message could not be updated, by channel.
    pub(in crate::discord) due: BTreeSet<(ChannelId, TableId)>,
}

impl UserInstallMessages {
    pub(in crate::discord) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::discord) fn slot(&self, table: TableId) -> MessageSlot {
        let tables = &mut self.state().tables;
        if tables.len() >= CACHE_CAPACITY {
            // Slots in use are kept.
            tables.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        tables.entry(table).or_default().clone()
    }

    pub(in crate::discord) fn keep(&self, interaction: &Interaction, key: &TokenLease, now: Timestamp) {
        let user_tokens = &mut self.state().user_tokens;
        user_tokens.retain(|_, key| key.until > now);
        if user_tokens.len() < CACHE_CAPACITY {
            user_tokens.insert((interaction.place.channel, interaction.who), key.clone());
        }
    }

    /// Returns the latest token of a player of the table who used a command or button in its channel.
    pub(in crate::discord) fn token_of_player(&self, table: &Table, now: Timestamp) -> Option<TokenLease> {
        let state = self.state();
        let seats = Seat::all(table.chairs().len());
        let people = seats.flat_map(|seat| table.players_of(seat)).chain([table.host()]);
        let keys = people.filter_map(|who| state.user_tokens.get(&(table.terms().channel, who)));
        keys.filter(|key| key.until > now).max_by_key(|key| key.until).cloned()
    }

    pub(in crate::discord) fn wait(&self, table: &Table) {
        let due = &mut self.state().due;
        if due.len() < CACHE_CAPACITY {
            due.insert((table.terms().channel, table.id()));
        }
    }

    /// Takes the tables of a channel whose message could not be updated.
    pub(in crate::discord) fn waiting(&self, channel: ChannelId) -> Vec<TableId> {
        let due = &mut self.state().due;
        let here: Vec<_> = due.iter().filter(|(place, _)| *place == channel).copied().collect();
        due.retain(|(place, _)| *place != channel);
        here.into_iter().map(|(_, table)| table).collect()
    }

    /// Removes the tokens of a person.
    pub(in crate::discord) fn forget(&self, who: UserId) {
        self.state().user_tokens.retain(|(_, asker), _| *asker != who);
    }

    /// Stops editing the table's current message: the next update is a new message.
    pub(in crate::discord) async fn detach(&self, table: &Table) {
        *self.slot(table.id()).lock().await = None;
        self.wait(table);
    }
}
