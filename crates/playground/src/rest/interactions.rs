//! The first answer to an interaction: within 3 seconds, once.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::{self, Complaints};
use super::super::discord_state::DiscordState;
use super::super::discord_state::model::{Answer, Interaction, Message, ask, flag, message_kind};
use super::super::id::Id;
use super::super::permissions::USE_EXTERNAL_APPS;
use super::call::{Call, Reply};

/// Callback types, by Discord's numbers.
mod callback_kind {
    pub(super) const MESSAGE: u64 = 4;
    pub(super) const DEFERRED: u64 = 5;
    pub(super) const DEFERRED_UPDATE: u64 = 6;
    pub(super) const UPDATE: u64 = 7;
    pub(super) const CHOICES: u64 = 8;
    pub(super) const MODAL: u64 = 9;
    pub(super) const LAUNCH_ACTIVITY: u64 = 12;
}

/// The type of the command that opens the Activity.
const ENTRY_POINT: u8 = 4;

/// `POST /interactions/{interaction}/{token}/callback`
pub(super) fn callback(discord_state: &mut DiscordState, call: &Call) -> Result<Reply, ApiError> {
    let interaction = discord_state.unanswered(call.id("interaction")?, call.word("token"))?;
    let kind = fitting_kind(&interaction, &call.body)?;
    let data = &call.body["data"];
    let mut instance = None;
    let (answer, original) = match kind {
        callback_kind::MESSAGE => {
            (Answer::Message, Some(answer_with_message(discord_state, &interaction, call)?))
        }
        callback_kind::DEFERRED => (Answer::Deferred, Some(think(discord_state, &interaction, data))),
        callback_kind::DEFERRED_UPDATE => (Answer::DeferredUpdate, interaction.message_id),
        callback_kind::UPDATE => (Answer::Update, Some(update(discord_state, &interaction, call)?)),
        callback_kind::CHOICES => (Answer::Choices(choices(data)?), None),
        callback_kind::LAUNCH_ACTIVITY => {
            instance = Some(discord_state.launch_activity(&interaction)?);
            (Answer::Launched, None)
        }
        _ => {
            check::modal::check(data)?;
            (Answer::Modal(data.clone()), None)
        }
    };
    discord_state.answered(interaction.id, answer, original);
    if call.query.get("with_response").is_some_and(|it| it == "true") {
        let mut shown = response(discord_state, &interaction, kind, original);
        if let Some(instance) = instance {
            shown["interaction"]["activity_instance_id"] = json!(instance);
            shown["resource"] = json!({"type": kind, "activity_instance": {"id": instance}});
        }
        return Ok(Reply::Json(shown));
    }
    Ok(Reply::Nothing)
}

/// Returns the callback's type if it fits the interaction: choices only for autocomplete, updates only for a
/// component's message, no modal for a modal.
fn fitting_kind(interaction: &Interaction, body: &Value) -> Result<u64, ApiError> {
    let mut wrong = Complaints::default();
    let kind = body["type"].as_u64().unwrap_or(0);
    let has_message = interaction.message_id.is_some() && interaction.kind != ask::COMMAND;
    let fits = match kind {
        callback_kind::CHOICES => interaction.kind == ask::AUTOCOMPLETE,
        _ if interaction.kind == ask::AUTOCOMPLETE => false,
        callback_kind::MESSAGE | callback_kind::DEFERRED | callback_kind::LAUNCH_ACTIVITY => true,
        callback_kind::DEFERRED_UPDATE | callback_kind::UPDATE => has_message,
        callback_kind::MODAL => interaction.kind != ask::MODAL,
        _ => false,
    };
    if !fits {
        let message = format!("Type {kind} cannot answer an interaction of type {}.", interaction.kind);
        wrong.add("type", "INTERACTION_CALLBACK_TYPE_INVALID", message);
    }
    let needs_data = !matches!(
        kind,
        callback_kind::DEFERRED | callback_kind::DEFERRED_UPDATE | callback_kind::LAUNCH_ACTIVITY
    );
    if body["data"].is_null() && needs_data {
        wrong.required("data");
    }
    wrong.finish()?;
    Ok(kind)
}

fn answer_with_message(
    discord_state: &mut DiscordState,
    interaction: &Interaction,
    call: &Call,
) -> Result<Id, ApiError> {
    let data = &call.body["data"];
    check::message::check(data, &call.files)?;
    let mut message = discord_state.blank_answer(interaction, is_ephemeral(data));
    discord_state.fill(&mut message, data, &call.files)?;
    let id = message.id;
    discord_state.insert(message);
    Ok(id)
}

/// Adds the deferred answer, "Rookery is thinking…": a message without content.
fn think(discord_state: &mut DiscordState, interaction: &Interaction, data: &Value) -> Id {
    let mut message = discord_state.blank_answer(interaction, is_ephemeral(data));
    message.flags |= flag::LOADING;
    let id = message.id;
    discord_state.insert(message);
    id
}

fn update(discord_state: &mut DiscordState, interaction: &Interaction, call: &Call) -> Result<Id, ApiError> {
    let data = &call.body["data"];
    check::message::check(data, &call.files)?;
    let id = interaction.message_id.ok_or_else(ApiError::unknown_message)?;
    let mut message = discord_state.message(interaction.channel_id, id)?.clone();
    discord_state.edit_message(&mut message, data, &call.files)?;
    Ok(id)
}

fn choices(data: &Value) -> Result<Vec<Value>, ApiError> {
    check::modal::check_choices(data)?;
    Ok(data["choices"].as_array().cloned().unwrap_or_default())
}

/// Whether a body requests an ephemeral answer.
pub(super) fn is_ephemeral(data: &Value) -> bool {
    data["flags"].as_u64().unwrap_or(0) & flag::EPHEMERAL != 0
}

fn response(
    discord_state: &DiscordState,
    interaction: &Interaction,
    kind: u64,
    original: Option<Id>,
) -> Value {
    let mut shown = json!({"interaction": {"id": interaction.id, "type": interaction.kind,
        "response_message_id": original, "response_message_loading": kind == callback_kind::DEFERRED,
        "response_message_ephemeral": false, "channel_id": interaction.channel_id}});
    let message = original.and_then(|id| discord_state.messages.get(&(interaction.channel_id, id)));
    if let Some(message) = message {
        shown["interaction"]["response_message_ephemeral"] = json!(message.only_for.is_some());
        shown["resource"] = json!({"type": kind, "message": discord_state.show_message(message, true)});
    }
    shown
}

impl DiscordState {
    /// Whether a server makes the answers of a user-installed app ephemeral, because the person lacks the
    /// permission for public ones.
    fn keeps_private(&self, interaction: &Interaction) -> bool {
        let Ok(channel) = self.channel(interaction.channel_id) else { return false };
        let own_app = channel.guild_id.is_some() && !self.bot_is_in(channel);
        own_app && self.permissions_in(interaction.user_id, channel) & USE_EXTERNAL_APPS == 0
    }

    /// Creates an empty message that answers an interaction; after a press it replies to the component's
    /// message.
    pub(super) fn blank_answer(&mut self, interaction: &Interaction, ephemeral: bool) -> Message {
        let mut message = self.blank_message(interaction.channel_id, self.bot_id);
        message.interaction_id = Some(interaction.id);
        message.kind = match (interaction.kind, interaction.command_kind) {
            (ask::COMMAND, 1 | ENTRY_POINT) => message_kind::CHAT_INPUT_COMMAND,
            (ask::COMMAND, _) => message_kind::CONTEXT_MENU_COMMAND,
            _ => message_kind::DEFAULT,
        };
        if let Some(pressed) = interaction.message_id.filter(|_| interaction.kind != ask::COMMAND) {
            message.kind = message_kind::REPLY;
            message.reference = Some((interaction.channel_id, pressed));
        }
        if ephemeral || self.keeps_private(interaction) {
            message.flags |= flag::EPHEMERAL;
            message.only_for = Some(interaction.user_id);
        }
        message
    }
}
