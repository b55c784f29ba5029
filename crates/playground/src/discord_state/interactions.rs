//! Interactions: their creation and the state of their answer.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::id::Id;
use super::super::permissions::{self, ATTACH_FILES, EMBED_LINKS};
use super::model::{Answer, Channel, Interaction, ask, kind};
use super::payloads::without_nulls;
use super::{DiscordState, Key};

/// The time for the first answer, in milliseconds.
pub(crate) const ANSWER_MS: u64 = 3_000;
/// The lifetime of an interaction token, in milliseconds.
pub(crate) const TOKEN_MS: u64 = 15 * 60 * 1_000;
/// The most follow-ups to an interaction where the bot is not a member of the server.
pub(crate) const FOLLOW_UPS_MAX: usize = 5;

/// An interaction before it has an id.
pub(crate) struct NewInteraction {
    pub(crate) kind: u8,
    pub(crate) command_kind: u8,
    pub(crate) name: String,
    pub(crate) user: Id,
    pub(crate) channel: Id,
    pub(crate) message: Option<Id>,
    pub(crate) opened_by: Option<Id>,
    /// The `data` of the payload, in Discord's shape.
    pub(crate) data: Value,
}

impl DiscordState {
    /// Creates an interaction and sends it to the bot through the gateway.
    pub(crate) fn ask(&mut self, interaction_request: NewInteraction) -> Result<Id, ApiError> {
        let channel = self.channel_for(interaction_request.user, interaction_request.channel)?.clone();
        let id = self.new_id();
        let interaction = Interaction {
            id,
            token: format!("aW50ZXJhY3Rpb24{:016x}{:016x}", id.0, id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            kind: interaction_request.kind,
            command_kind: interaction_request.command_kind,
            name: interaction_request.name,
            user_id: interaction_request.user,
            channel_id: interaction_request.channel,
            guild_id: channel.guild_id,
            message_id: interaction_request.message,
            opened_by: interaction_request.opened_by,
            created_ms: self.now_ms,
            answer: Answer::None,
            original: None,
            follow_ups: Vec::new(),
        };
        let payload = self.show_interaction(&interaction, &channel, interaction_request.data);
        self.interactions.insert(id, interaction);
        self.touch(Key::Interaction(id));
        self.send_to_bot("INTERACTION_CREATE", 0, channel.guild_id, payload);
        Ok(id)
    }

    fn show_interaction(&self, interaction: &Interaction, channel: &Channel, data: Value) -> Value {
        let user = interaction.user_id;
        let mut place = self.show_channel(channel);
        let may = self.permissions_in(user, channel).to_string();
        place["permissions"] = json!(may);
        let mut payload = json!({"id": interaction.id, "application_id": self.bot_id, "type": interaction.kind,
            "data": data, "channel_id": channel.id, "channel": place, "token": interaction.token, "version": 1,
            "app_permissions": self.app_permissions(channel).to_string(), "entitlements": [],
            "locale": self.users.get(&user).map(|user| user.locale.clone()),
            "authorizing_integration_owners": self.show_owners(channel.guild_id, channel.id, user),
            "context": self.context(channel), "attachment_size_limit": 10 * 1024 * 1024});
        let guild = channel.guild_id.and_then(|id| self.guilds.get(&id));
        match guild.and_then(|guild| guild.members.get(&user)) {
            Some(member) => {
                payload["guild_id"] = json!(channel.guild_id);
                payload["guild"] = json!({"id": channel.guild_id, "locale": "en-US", "features": []});
                payload["guild_locale"] = json!("en-US");
                payload["member"] = self.show_member(member);
                payload["member"]["permissions"] = json!(may);
            }
            None => payload["user"] = self.show_user(user),
        }
        let message = interaction.message_id.and_then(|id| self.messages.get(&(channel.id, id)));
        if let Some(message) = message.filter(|_| interaction.kind != ask::COMMAND) {
            payload["message"] = without_nulls(self.show_message(message, true));
            payload["message"]["edited_timestamp"] = json!(message.edited_ms.map(super::super::clock::iso));
        }
        payload
    }

    /// Returns the bot's permissions in the channel, or where it is not a member, those that every answer
    /// has.
    fn app_permissions(&self, channel: &Channel) -> u64 {
        if channel.kind == kind::DM {
            return permissions::IN_DM;
        }
        match self.permissions_in(self.bot_id, channel) {
            0 if !self.bot_is_in(channel) => ATTACH_FILES | EMBED_LINKS,
            known => known,
        }
    }

    /// Returns the interaction context: 0 in a server, 1 in a DM with the bot, 2 in another DM.
    pub(crate) fn context(&self, channel: &Channel) -> u64 {
        match channel.guild_id {
            Some(_) => 0,
            None if channel.recipients.contains(&self.bot_id) => 1,
            None => 2,
        }
    }

    /// Returns the interaction if it may still get its first answer: else 10062 or 40060.
    pub(crate) fn unanswered(&self, id: Id, token: &str) -> Result<Interaction, ApiError> {
        let found = self.interactions.get(&id).filter(|it| it.token == token);
        let interaction = found.ok_or_else(ApiError::unknown_interaction)?;
        match interaction.answer {
            Answer::Failed => Err(ApiError::unknown_interaction()),
            Answer::None if self.now_ms > interaction.created_ms + ANSWER_MS => {
                Err(ApiError::unknown_interaction())
            }
            Answer::None => Ok(interaction.clone()),
            _ => Err(ApiError::already_acknowledged()),
        }
    }

    /// Returns the answered interaction of a token: 50027 if the token is too old or unknown, 10015 if there
    /// is no answer yet.
    pub(crate) fn by_token(&self, token: &str) -> Result<Interaction, ApiError> {
        let found = self.interactions.values().rev().find(|it| it.token == token);
        let interaction = found.ok_or_else(ApiError::invalid_webhook_token)?;
        if self.now_ms > interaction.created_ms + TOKEN_MS {
            return Err(ApiError::invalid_webhook_token());
        }
        match interaction.answer {
            Answer::None | Answer::Failed | Answer::Choices(_) => Err(ApiError::unknown_webhook()),
            _ => Ok(interaction.clone()),
        }
    }

    /// Stores the answer and sends it to the person's pages.
    pub(crate) fn answered(&mut self, id: Id, answer: Answer, original: Option<Id>) {
        let Some(interaction) = self.interactions.get_mut(&id) else { return };
        interaction.answer = answer.clone();
        interaction.original = original;
        let interaction = interaction.clone();
        self.touch(Key::Interaction(id));
        match answer {
            Answer::Deferred => self.send_interaction_event(&interaction, "INTERACTION_PENDING"),
            Answer::Modal(form) => self.send_modal_event(&interaction, form),
            Answer::Failed => self.send_interaction_event(&interaction, "INTERACTION_FAILED"),
            Answer::None | Answer::Choices(_) => {}
            _ => self.send_interaction_event(&interaction, "INTERACTION_DONE"),
        }
    }

    /// Sends the state of an interaction to the person's pages.
    pub(crate) fn send_interaction_event(&mut self, interaction: &Interaction, name: &'static str) {
        if interaction.kind == ask::AUTOCOMPLETE {
            return;
        }
        let data = json!({"interaction_id": interaction.id, "channel_id": interaction.channel_id,
            "message_id": interaction.message_id, "name": interaction.name});
        self.send_to_people(Some(vec![interaction.user_id]), name, without_nulls(data));
    }

    fn send_modal_event(&mut self, interaction: &Interaction, form: Value) {
        let data = json!({"interaction_id": interaction.id, "channel_id": interaction.channel_id,
            "message_id": interaction.message_id, "modal": form});
        self.send_to_people(Some(vec![interaction.user_id]), "MODAL_OPEN", without_nulls(data));
        self.send_interaction_event(interaction, "INTERACTION_DONE");
    }

    /// Fails an interaction without an answer after 3 seconds, or with only a deferred one after 15 minutes.
    pub(crate) fn fail_unanswered(&mut self, id: Id) {
        let Some(interaction) = self.interactions.get(&id).cloned() else { return };
        let age_ms = self.now_ms.saturating_sub(interaction.created_ms);
        match interaction.answer {
            Answer::None if age_ms >= ANSWER_MS => self.answered(id, Answer::Failed, None),
            Answer::Deferred if age_ms >= TOKEN_MS => {
                self.send_interaction_event(&interaction, "INTERACTION_FAILED")
            }
            _ => {}
        }
    }
}
