//! Messages written while there was no session, handled after READY.

use std::collections::{BTreeMap, HashSet};

use jiff::SignedDuration;
use jiff::Timestamp;

use super::EventHandler;
use crate::discord::handlers::events::missed_messages::{
    self, AllMissed, ChannelToRead, Downtime, Missed, Reading,
};
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::limits::MAX_NONCE_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::payload;
use crate::discord::wire::session::Session;
use rookery_table::{ChannelId, GuildId};

impl EventHandler {
    /// Returns the period without a session.
    pub(super) fn away(&self, session: &Session) -> Downtime {
        let until = self.ctx.registry.now();
        let silent = session.silent_for().map(|silent| SignedDuration::try_from(silent).unwrap_or_default());
        Downtime { since: silent.map(|silent| until - silent).or(self.alive_at), until }
    }

    /// Reads the missed messages and handles them in the order in which they were written.
    pub(super) async fn catch_up(&self, guilds: &HashSet<GuildId>, away: Downtime, reading: Reading) {
        let _busy = self.in_progress.begin();
        let places = missed_messages::places(&self.ctx, guilds, away, &reading).await;
        let AllMissed { messages: missed, cut } = missed_messages::read(&self.ctx, &places).await;
        let mut too_old: BTreeMap<ChannelId, IncomingMessage> = BTreeMap::new();
        let mut dealt_with = 0;
        for missed in missed {
            let Some(incoming) = self.missed_message(&missed).await else { continue };
            if missed_messages::is_too_old(incoming.id, away.until) {
                too_old.insert(incoming.channel, incoming);
            } else {
                dealt_with += 1;
                self.messages
                    .handle_in_order(incoming.channel, incoming.id, incoming, |it| self.handle_message(it))
                    .await;
            }
        }
        drop(reading);
        if dealt_with > 0 {
            tracing::info!(messages = dealt_with, "handled the messages written while offline");
        }
        for incoming in too_old.into_values().filter(IncomingMessage::is_addressed) {
            let ctx = self.ctx.for_writer(incoming.who, incoming.guild, incoming.channel).await;
            let post = OutgoingMessage::text(ctx.words.word("missed-too-old"));
            self.reply(&ctx, &incoming, Some(post), None).await;
        }
        for place in cut {
            self.post_cut_notice(place, away.until).await;
        }
    }

    /// Posts a note in a channel with more missed messages than are read.
    async fn post_cut_notice(&self, place: ChannelToRead, until: Timestamp) {
        let ctx = match place.guild {
            Some(guild) => self.ctx.for_server(guild).await,
            None => self.ctx.for_writer(self.ctx.me(), None, place.channel).await,
        };
        let post = OutgoingMessage::text(ctx.words.word("missed-too-many"));
        let nonce = format!("s{}-{}", place.channel, until.as_millisecond())
            .chars()
            .take(MAX_NONCE_CHARS)
            .collect::<String>();
        if let Err(fault) = ctx.post_in(place.channel, &post, &nonce).await {
            tracing::info!(channel = %place.channel, %fault, "could not say that messages were not read");
        }
    }

    /// Reads a missed message; `None` if a bot wrote it, or if it has also arrived as an event.
    async fn missed_message(&self, missed: &Missed) -> Option<IncomingMessage> {
        if !payload::is_written(&missed.message, self.ctx.me()) {
            return None;
        }
        if let Some(guild) = missed.place.guild {
            // The bot's own role arrives with its server.
            self.arrivals.wait(guild).await;
        }
        let incoming = self.read_message(&missed.message, missed.place.guild).ok()?;
        self.seen_ids.insert(incoming.id.into()).then_some(incoming)
    }
}
