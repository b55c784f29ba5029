//! Messages and their edits: handled one at a time per channel, and answered.

use jiff::SignedDuration;
use serde_json::Value;

use super::{EventHandler, RETRY_DELAYS};
use crate::discord::handlers::events::missed_messages;
use crate::discord::handlers::messages;
use crate::discord::handlers::response;
use crate::discord::state::context::Context;
use crate::discord::state::edited_messages::{EditCheck, edit_id, is_a_source};
use crate::discord::wire::error::{DiscordError, NO_HISTORY, retry_after_each};
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::payload::{self, Missing};
use crate::discord::wire::snowflake::{GuildOrChannel, is_younger};
use rookery_table::{GuildId, MessageId};

/// The error for an edit that is ignored.
struct IgnoredEdit;

/// How long Discord certainly knows a nonce. It forgets them after "a few minutes", by its documentation; a machine that
/// sleeps between two attempts exceeds that.
const NONCE_MEMORY: SignedDuration = SignedDuration::from_mins(4);

impl EventHandler {
    pub(super) async fn message_create(&self, data: &Value) -> Result<(), Missing> {
        if !payload::is_written(data, self.ctx.me()) {
            return Ok(());
        }
        self.read_missing_role(data).await;
        let incoming = self.read_message(data, payload::guild(data))?;
        if !self.seen_ids.insert(incoming.id.into()) {
            return Ok(());
        }
        self.end_outage(incoming.guild).await;
        self.missed.settled(incoming.channel, incoming.guild.is_none()).await;
        self.messages
            .handle_in_order(incoming.channel, incoming.id, incoming, |it| self.handle_message(it))
            .await;
        Ok(())
    }

    /// Handles a recent edit like a message.
    pub(super) async fn message_update(&self, data: &Value) -> Result<(), Missing> {
        if !payload::is_written(data, self.ctx.me()) || Fields(data).id::<MessageId>("id").is_none() {
            return Ok(());
        }
        self.read_missing_role(data).await;
        let mut incoming = self.read_message(data, payload::guild(data))?;
        let Some(id) = edit_id(data, incoming.id, self.ctx.registry.now()) else { return Ok(()) };
        if self.seen_ids.insert(id.into()) {
            incoming.edits = Some(incoming.id);
            incoming.id = id;
            // The original message may be among the missed ones.
            self.missed.settled(incoming.channel, incoming.guild.is_none()).await;
            self.messages
                .handle_in_order(incoming.channel, incoming.id, incoming, |it| self.handle_message(it))
                .await;
        }
        Ok(())
    }

    pub(super) fn read_message(
        &self,
        data: &Value,
        guild: Option<GuildId>,
    ) -> Result<IncomingMessage, Missing> {
        let me = self.ctx.me();
        let own_role = guild.and_then(|guild| self.bot_roles.of(guild, me));
        payload::message(data, me, own_role).map(|incoming| IncomingMessage { guild, ..incoming })
    }

    /// Handles a message and answers it.
    pub(super) async fn handle_message(&self, incoming: IncomingMessage) {
        let Ok(reply) = self.reply_before(&incoming).await else { return };
        if incoming.guild.is_none() {
            self.ctx.dm_channels.record_channel(incoming.who, incoming.channel);
        }
        let ctx = self.ctx.for_writer(incoming.who, incoming.guild, incoming.channel).await;
        let server = GuildOrChannel::new(incoming.guild, incoming.channel);
        let Some(turn) = ctx.message_turns.wait(server).await else {
            return self.skip(&ctx, &incoming, server).await;
        };
        let post = response::catch_panic(&ctx, messages::handle(&ctx, &incoming)).await;
        // The answer may have to wait for a rate limit.
        drop(turn);
        if post.as_ref().is_some_and(|post| post.not_kept) {
            // If the message arrives again, it must not count as a repetition.
            self.seen_ids.forget(incoming.id.into());
        }
        let reply = self.reply(&ctx, &incoming, post, reply).await;
        self.recent.remember(&incoming, reply, self.ctx.registry.now());
    }

    /// Skips a message because too many wait. Now and then a note on its server says so, because an answer to each message
    /// would make it worse.
    async fn skip(&self, ctx: &Context, incoming: &IncomingMessage, server: GuildOrChannel) {
        self.seen_ids.forget(incoming.id.into());
        if !ctx.message_turns.may_tell(server) {
            return;
        }
        tracing::warn!(channel = %incoming.channel, "messages are skipped, because too many wait");
        if let Err(fault) =
            self.answer(incoming, OutgoingMessage::text(ctx.words.word("too-many-messages"))).await
        {
            tracing::info!(%fault, channel = %incoming.channel, "could not tell that messages are skipped");
        }
    }

    /// Returns the bot's reply to the original message of an edit, if there is one.
    ///
    /// # Errors
    /// If the edit is ignored.
    async fn reply_before(&self, incoming: &IncomingMessage) -> Result<Option<MessageId>, IgnoredEdit> {
        let Some(original) = incoming.edits else { return Ok(None) };
        match self.recent.check_edit(original, incoming) {
            EditCheck::Accepted { reply } => Ok(reply),
            EditCheck::Ignored => Err(IgnoredEdit),
            EditCheck::Unknown if is_a_source(&self.ctx, original, incoming.who).await => Err(IgnoredEdit),
            EditCheck::Unknown => Ok(None),
        }
    }

    /// Replies to a message, or edits the reply to its earlier version. Returns the id of the reply.
    pub(super) async fn reply(
        &self,
        ctx: &Context,
        incoming: &IncomingMessage,
        post: Option<OutgoingMessage>,
        before: Option<MessageId>,
    ) -> Option<MessageId> {
        let post = post.map(|post| response::within_limits(ctx, post));
        if let Some(reply) = before {
            match self.change_reply(incoming, reply, post.as_ref()).await {
                Ok(left) => return left,
                Err(fault) => {
                    tracing::info!(%fault, channel = %incoming.channel, "could not delete an earlier answer")
                }
            }
        }
        let post = post?;
        self.answer(incoming, post).await.map_or_else(
            |fault| {
                tracing::warn!(%fault, channel = %incoming.channel, "Discord did not accept an answer");
                None
            },
            Some,
        )
    }

    /// Edits an earlier reply, or deletes it if there is no answer any more.
    async fn change_reply(
        &self,
        incoming: &IncomingMessage,
        reply: MessageId,
        post: Option<&OutgoingMessage>,
    ) -> Result<Option<MessageId>, DiscordError> {
        match post {
            Some(post) => {
                self.ctx.api.edit(incoming.channel, reply, post).await?;
                self.ctx.resign_confirmations.note(post, incoming.channel, reply);
                Ok(Some(reply))
            }
            None if incoming.carried_out.is_set() => {
                self.ctx.api.delete(incoming.channel, reply).await?;
                Ok(None)
            }
            None => Ok(Some(reply)),
        }
    }

    /// Replies to a message; without a reference if the bot may not read the message history.
    async fn answer(
        &self,
        incoming: &IncomingMessage,
        post: OutgoingMessage,
    ) -> Result<MessageId, DiscordError> {
        if let Some(answer) = self.earlier_answer(incoming).await {
            return Ok(answer);
        }
        let (ctx, nonce, begun) = (&self.ctx, format!("m{}", incoming.id), self.ctx.registry.now());
        let post_once = async |post: &OutgoingMessage| {
            if ctx.registry.now().duration_since(begun) > NONCE_MEMORY {
                return Err(DiscordError::internal("an earlier attempt may have been posted"));
            }
            ctx.post_in(incoming.channel, post, &nonce).await
        };
        let referring = post.clone().in_reply_to(incoming.message());
        let answered = retry_after_each(&RETRY_DELAYS, || post_once(&referring)).await;
        let answered = match answered {
            Err(fault) if fault.code() == Some(NO_HISTORY) => {
                retry_after_each(&RETRY_DELAYS, || post_once(&post)).await
            }
            answered => answered,
        };
        answered.inspect(|message| ctx.resign_confirmations.note(&post, incoming.channel, *message))
    }

    /// Returns the answer to an old message, if it has one. This process may have slept or waited for the store meanwhile,
    /// and Discord has repeated the message to another one; the nonce of its answer is forgotten.
    async fn earlier_answer(&self, incoming: &IncomingMessage) -> Option<MessageId> {
        if is_younger(incoming.message(), self.ctx.registry.now(), NONCE_MEMORY) || incoming.edits.is_some() {
            return None;
        }
        missed_messages::answer_to(&self.ctx, incoming.channel, incoming.message()).await
    }
}
