//! Who is notified, and how: according to each person's preferences, and not in quiet hours. Only the player
//! to move is notified of a turn, once. The jobs `quiet_hours` and `digest` send delayed notifications and
//! daily digests.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_core::Seat;
use rookery_table::preferences::Pings;
use rookery_table::{Table, UserId, digest::sha256_hex};

use crate::discord::state::context::Context;
use crate::discord::state::deferred_pings::PRESENCE_PERIOD;
use crate::discord::state::deferred_pings::PingTarget;
use crate::discord::view::MessageView;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::limits::MAX_NONCE_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Whether a notification can wait for the daily digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) enum PingUrgency {
    /// It waits for the digest of people who prefer one.
    Usual,
    /// It would be useless later: people who prefer a digest get a direct message at once.
    Now,
}

/// The people notified by direct message, kept as long as the message for the channel is retried.
#[derive(Clone, Default)]
pub(in crate::discord) struct NotifiedPeople(Arc<Mutex<HashSet<UserId>>>);

impl NotifiedPeople {
    fn contains(&self, who: UserId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&who)
    }

    fn add(&self, who: UserId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(who);
    }
}

impl Context {
    /// Returns a board with the ping that the player to move prefers, and the people whose ping is left out
    /// because they acted there a moment ago.
    pub(in crate::discord) async fn with_ping(
        &self,
        table: &Table,
        board: OutgoingMessage,
        notified: &NotifiedPeople,
    ) -> (OutgoingMessage, Vec<PingTarget>) {
        let (mut board, mut left_out) = self.without_recently_active(table, board, PingTarget::Mover);
        // A role is not pinged if any of its members acted a moment ago.
        if table.to_move().is_some_and(|seat| self.acted_recently_for_seat(table, seat)) {
            left_out.extend(board.roles.drain(..).map(PingTarget::Team));
        }
        // A turn that begins again after a take-back gets a new nonce; a board that is retried does not.
        let nonce = format!("t{}-{}", table.id(), table.turn_since());
        let elsewhere = |view: MessageView<'_>| Some(view.turn_dm(table));
        (self.with_pings(board, &nonce, PingUrgency::Usual, notified, elsewhere).await, left_out)
    }

    /// Applies each person's preferences to the pings of a message: a ping in it, a direct message instead,
    /// later in a digest if the urgency allows, or none. `elsewhere` builds the direct message. `nonce`
    /// prevents duplicates that are sent at the same time, `notified` those of retries.
    pub(in crate::discord) async fn with_pings(
        &self,
        mut post: OutgoingMessage,
        nonce: &str,
        urgency: PingUrgency,
        notified: &NotifiedPeople,
        elsewhere: impl Fn(MessageView<'_>) -> Option<OutgoingMessage> + Send + Sync,
    ) -> OutgoingMessage {
        for who in std::mem::take(&mut post.pings) {
            let (personal, now) = (self.registry.preferences_cache().person(who).await, self.registry.now());
            let pinged = match personal.pings {
                _ if personal.is_quiet_at(now) => false,
                Pings::Thread => true,
                Pings::Off => false,
                Pings::Digest if urgency == PingUrgency::Usual => false,
                Pings::Dm | Pings::Digest => {
                    let reached = notified.contains(who) || self.try_direct(who, nonce, &elsewhere).await;
                    if reached {
                        notified.add(who);
                    }
                    !reached
                }
            };
            post.pings.extend(pinged.then_some(who));
        }
        post
    }

    /// Removes the pings of people who acted at the table a moment ago; returns the message and those people.
    pub(in crate::discord) fn without_recently_active(
        &self,
        table: &Table,
        mut post: OutgoingMessage,
        called: fn(UserId) -> PingTarget,
    ) -> (OutgoingMessage, Vec<PingTarget>) {
        let recently_active =
            post.pings.extract_if(.., |who| self.acted_recently(table, *who)).map(called).collect();
        (post, recently_active)
    }

    fn acted_recently(&self, table: &Table, who: UserId) -> bool {
        table
            .acted_at(who)
            .is_some_and(|acted_at| self.registry.now().duration_since(acted_at) < PRESENCE_PERIOD)
    }

    fn acted_recently_for_seat(&self, table: &Table, seat: Seat) -> bool {
        table.players_of(seat).into_iter().any(|who| self.acted_recently(table, who))
    }

    /// Sends a person a direct message; returns whether it reached them.
    async fn try_direct(
        &self,
        who: UserId,
        nonce: &str,
        post: impl Fn(MessageView<'_>) -> Option<OutgoingMessage> + Send + Sync,
    ) -> bool {
        let told = self.direct_within_budget(who, nonce, post).await;
        told.inspect_err(|fault| tracing::info!(%fault, "could not send a direct message; pinging instead"))
            .unwrap_or(false)
    }

    /// Sends a person a direct message if their daily limit allows another; returns whether it was sent. A
    /// message that fails does not count.
    ///
    /// # Errors
    /// As [`Context::direct`].
    pub(in crate::discord) async fn direct_within_budget(
        &self,
        who: UserId,
        nonce: &str,
        post: impl Fn(MessageView<'_>) -> Option<OutgoingMessage> + Send + Sync,
    ) -> Result<bool, DiscordError> {
        let now = self.registry.now();
        if !self.budget.take(who, now) {
            return Ok(false);
        }
        let told = self.direct(who, nonce, post).await;
        if told.is_err() {
            self.budget.give_back(who, now);
        }
        told.map(|()| true)
    }

    /// Sends a direct message in the person's language. `nonce` identifies the news, the same for every recipient.
    ///
    /// # Errors
    /// If Discord rejects it, or the person refused direct messages recently.
    pub(in crate::discord) async fn direct(
        &self,
        who: UserId,
        nonce: &str,
        post: impl Fn(MessageView<'_>) -> Option<OutgoingMessage> + Send + Sync,
    ) -> Result<(), DiscordError> {
        self.check_accepts_dms(who)?;
        let (channel, nonce) = (self.dm_channel(who).await?, nonce_for(nonce, who));
        let ctx = self.for_writer(who, None, channel).await;
        match post(ctx.view()) {
            Some(post) => self.post_to(who, &post, &nonce).await,
            None => Ok(()),
        }
    }
}

/// Derives a nonce for one recipient. The same notification may go to several people at once, and Discord
/// treats a message with a nonce that it knows as the earlier message.
pub(in crate::discord) fn nonce_for(what: &str, who: UserId) -> String {
    sha256_hex(&format!("{what} {}", who.0)).chars().take(MAX_NONCE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_differ_by_recipient() {
        let nonce = nonce_for("aK7Q20", UserId(u64::MAX));
        assert!((20..=MAX_NONCE_CHARS).contains(&nonce.len()));
        assert_eq!(nonce, nonce_for("aK7Q20", UserId(u64::MAX)));
        assert_ne!(nonce, nonce_for("aK7Q20", UserId(1)));
        assert_ne!(nonce, nonce_for("lK7Q20", UserId(u64::MAX)));
    }
}
