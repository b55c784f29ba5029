//! Messages and their edits: dealt with one at a time a channel, and answered.

use serde_json::Value;

use rookery_table::Person;

use super::super::answer;
use super::super::desk::Desk;
use super::super::edited_messages::{Before, edit_id, is_a_source};
use super::super::fault::{Fault, NO_HISTORY, patiently};
use super::super::hear::{self, Heard};
use super::super::json_fields::Fields;
use super::super::payload::{self, Missing};
use super::super::post::Post;
use super::{AGAIN, EventHandler};

/// An edit counts for nothing.
struct CountsNot;

impl EventHandler {
    pub(super) async fn message_create(&self, data: &Value) -> Result<(), Missing> {
        if !payload::is_written(data, self.desk.me()) {
            return Ok(());
        }
        let heard = self.read_message(data, payload::guild(data))?;
        if !self.met.first_time(heard.id) {
            return Ok(());
        }
        self.is_there(heard.guild).await;
        self.missed.settled(heard.channel, heard.guild.is_none()).await;
        self.take(heard).await;
        Ok(())
    }

    /// A recent edit counts as the message.
    pub(super) async fn message_update(&self, data: &Value) -> Result<(), Missing> {
        if !payload::is_written(data, self.desk.me()) || Fields(data).id("id").is_none() {
            return Ok(());
        }
        let mut heard = self.read_message(data, payload::guild(data))?;
        let Some(id) = edit_id(data, heard.id, self.desk.hall.now_ms()) else { return Ok(()) };
        if self.met.first_time(id) {
            heard.edits = Some(heard.id);
            heard.id = id;
            // The message itself may be among those that were missed.
            self.missed.settled(heard.channel, heard.guild.is_none()).await;
            self.take(heard).await;
        }
        Ok(())
    }

    pub(super) fn read_message(&self, data: &Value, guild: Option<u64>) -> Result<Heard, Missing> {
        let me = self.desk.me();
        let own_role = guild.and_then(|guild| self.own_roles.of(guild, me));
        payload::message(data, me, own_role).map(|heard| Heard { guild, ..heard })
    }

    pub(super) async fn take(&self, heard: Heard) {
        self.messages.take(heard.channel, heard.id, heard, |heard| self.deal(heard)).await;
    }

    async fn deal(&self, heard: Heard) {
        let Ok(reply) = self.reply_before(&heard).await else { return };
        if heard.guild.is_none() {
            self.desk.doors.met(Person(heard.who), heard.channel);
        }
        let desk = self.desk.for_writer(Person(heard.who), heard.guild, heard.channel).await;
        let post = answer::caught(&desk, hear::hear(&desk, &heard)).await;
        if post.as_ref().is_some_and(|post| post.not_kept) {
            // Should it come again, it is no repetition.
            self.met.forget(heard.id);
        }
        let reply = self.reply(&desk, &heard, post, reply).await;
        self.recent.keep(&heard, reply, self.desk.hall.now_ms());
    }

    /// Our answer to a message before it was edited, if there is one.
    ///
    /// # Errors
    /// If the edit counts for nothing.
    async fn reply_before(&self, heard: &Heard) -> Result<Option<u64>, CountsNot> {
        let Some(original) = heard.edits else { return Ok(None) };
        match self.recent.before(original, heard) {
            Before::Counts { reply } => Ok(reply),
            Before::CountsNot => Err(CountsNot),
            Before::Unknown if is_a_source(&self.desk, original, Person(heard.who)).await => Err(CountsNot),
            Before::Unknown => Ok(None),
        }
    }

    /// Gives an answer, in place of the one that the message got before its writer corrected it; our answer now.
    pub(super) async fn reply(
        &self,
        desk: &Desk,
        heard: &Heard,
        post: Option<Post>,
        before: Option<u64>,
    ) -> Option<u64> {
        let post = post.map(|post| answer::fitting(desk, post));
        if let Some(reply) = before {
            match self.change_reply(heard, reply, post.as_ref()).await {
                Ok(left) => return left,
                Err(fault) => tracing::info!(%fault, channel = heard.channel, "an earlier answer stays"),
            }
        }
        let post = post?;
        self.answer(heard, post).await.map_or_else(
            |fault| {
                tracing::warn!(%fault, channel = heard.channel, "an answer was not taken");
                None
            },
            Some,
        )
    }

    /// Changes an earlier answer; takes it away where nothing is left to be said.
    async fn change_reply(
        &self,
        heard: &Heard,
        reply: u64,
        post: Option<&Post>,
    ) -> Result<Option<u64>, Fault> {
        match post {
            Some(post) => {
                self.desk.api.edit(heard.channel, reply, post).await?;
                self.desk.questions.note(post, heard.channel, reply);
                Ok(Some(reply))
            }
            None if heard.carried_out.is_set() => {
                self.desk.api.delete(heard.channel, reply).await?;
                Ok(None)
            }
            None => Ok(Some(reply)),
        }
    }

    /// Answers a message; beside it, where we may not read what was written before and so refer to nothing.
    async fn answer(&self, heard: &Heard, post: Post) -> Result<u64, Fault> {
        let (desk, nonce) = (&self.desk, format!("m{}", heard.id));
        let referring = post.clone().answering(heard.message());
        let answered = patiently(&AGAIN, || desk.post_in(heard.channel, &referring, &nonce)).await;
        let answered = match answered {
            Err(fault) if fault.code() == Some(NO_HISTORY) => {
                patiently(&AGAIN, || desk.post_in(heard.channel, &post, &nonce)).await
            }
            answered => answered,
        };
        answered.inspect(|message| desk.questions.note(&post, heard.channel, *message))
    }
}
