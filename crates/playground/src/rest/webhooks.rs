//! Requests after the first answer, for 15 minutes: edits of the original, and follow-ups.

use super::super::api_error::ApiError;
use super::super::check;
use super::super::discord_state::interactions::FOLLOW_UPS_MAX;
use super::super::discord_state::model::{Interaction, Message, flag, message_kind};
use super::super::discord_state::{DiscordState, Key};
use super::super::id::Id;
use super::super::upload::Upload;
use super::call::{Call, Reply};
use super::interactions::is_ephemeral;

/// `POST /webhooks/{application}/{token}`: posts a follow-up, or fills the deferred answer.
pub(super) fn follow_up(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let interaction = discord_state.by_token(call.word("token"))?;
    check::message::check(&call.body, &call.files)?;
    let channel = discord_state.channel(interaction.channel_id)?.clone();
    if !discord_state.bot_is_in(&channel) && interaction.follow_ups.len() >= FOLLOW_UPS_MAX {
        return Err(ApiError::too_many_follow_ups());
    }
    let thinking = original(discord_state, &interaction).filter(|message| message.flags & flag::LOADING != 0);
    if let Some(mut message) = thinking {
        discord_state.finish_thinking(&interaction, &mut message, &call.body, &call.files)?;
        return Ok(Reply::Json(discord_state.show_message(&message, true)));
    }
    let mut message = discord_state.blank_answer(&interaction, is_ephemeral(&call.body));
    if let Some(original) = interaction.original {
        message.kind = message_kind::REPLY;
        message.reference = Some((interaction.channel_id, original));
    }
    discord_state.fill(&mut message, &call.body, &call.files)?;
    discord_state.note_follow_up(&interaction, message.id);
    discord_state.insert(message.clone());
    Ok(Reply::Json(discord_state.show_message(&message, true)))
}

/// `GET /webhooks/{application}/{token}/messages/{message}`
pub(super) fn get(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let (_, message) = addressed(discord_state, call)?;
    Ok(Reply::Json(discord_state.show_message(&message, true)))
}

/// `PATCH /webhooks/{application}/{token}/messages/{message}`
pub(super) fn edit(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let (interaction, mut message) = addressed(discord_state, call)?;
    check::message::check(&call.body, &call.files)?;
    if message.flags & flag::LOADING != 0 {
        discord_state.finish_thinking(&interaction, &mut message, &call.body, &call.files)?;
    } else {
        let channel = discord_state.channel(interaction.channel_id)?.clone();
        discord_state.refuse_archived(&channel)?;
        discord_state.edit_message(&mut message, &call.body, &call.files)?;
    }
    Ok(Reply::Json(discord_state.show_message(&message, true)))
}

/// `DELETE /webhooks/{application}/{token}/messages/{message}`
pub(super) fn delete(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let (interaction, message) = addressed(discord_state, call)?;
    if message.flags & flag::LOADING != 0 {
        discord_state.send_interaction_event(&interaction, "INTERACTION_DONE");
    }
    discord_state.remove(interaction.channel_id, message.id);
    Ok(Reply::Nothing)
}

/// Returns the token's interaction and the message named: `@original` or one of its follow-ups.
fn addressed(discord_state: &DiscordState, call: &Call) -> Result<(Interaction, Message), ApiError> {
    let interaction = discord_state.by_token(call.word("token"))?;
    let message = match call.word("message") {
        "@original" => original(discord_state, &interaction),
        _ => {
            let id = call.id("message")?;
            let own = Some(id) == interaction.original || interaction.follow_ups.contains(&id);
            discord_state.messages.get(&(interaction.channel_id, id)).filter(|_| own).cloned()
        }
    };
    Ok((interaction, message.ok_or_else(ApiError::unknown_message)?))
}

fn original(discord_state: &DiscordState, interaction: &Interaction) -> Option<Message> {
    interaction.original.and_then(|id| discord_state.messages.get(&(interaction.channel_id, id))).cloned()
}

impl DiscordState {
    /// Replaces a deferred answer with a message: people see it for the first time, the bot gets an update.
    fn finish_thinking(
        &mut self,
        interaction: &Interaction,
        message: &mut Message,
        body: &serde_json::Value,
        files: &[Upload],
    ) -> Result<(), ApiError> {
        message.flags &= !flag::LOADING;
        self.fill(message, body, files)?;
        message.edited_ms = Some(self.now_ms);
        let told_from = self.for_people.len();
        self.replace(message.clone());
        for news in &mut self.for_people[told_from..] {
            news.name = "MESSAGE_CREATE";
        }
        self.send_interaction_event(interaction, "INTERACTION_DONE");
        Ok(())
    }

    fn note_follow_up(&mut self, interaction: &Interaction, id: Id) {
        if let Some(kept) = self.interactions.get_mut(&interaction.id) {
            kept.follow_ups.push(id);
            self.touch(Key::Interaction(interaction.id));
        }
    }
}
