//! Modals that people submit.

use serde_json::{Value, json};

use super::super::api_error::ApiError;
use super::super::check::component::kind;
use super::super::discord_state::DiscordState;
use super::super::discord_state::interactions::NewInteraction;
use super::super::discord_state::model::{Answer, Interaction, ask};
use super::super::id::Id;

impl DiscordState {
    /// `user` submits the latest modal with this custom id; `typed` returns the text for each input.
    pub(crate) fn submit_by(
        &mut self,
        user: Id,
        custom_id: &str,
        typed: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Id, ApiError> {
        let opener = self.shown_form(user, custom_id);
        let (opener, form) = opener.ok_or_else(|| ApiError::for_page("That form isn't open any more."))?;
        let components = fill_in(&form["components"], typed)?;
        self.ask(NewInteraction {
            kind: ask::MODAL,
            command_kind: 0,
            name: custom_id.to_owned(),
            user,
            channel: opener.channel_id,
            message: opener.message_id,
            opened_by: Some(opener.id),
            data: json!({"custom_id": custom_id, "components": components}),
        })
    }

    fn shown_form(&self, user: Id, custom_id: &str) -> Option<(Interaction, Value)> {
        let mine = self.interactions.values().rev().filter(|it| it.user_id == user);
        mine.into_iter().find_map(|it| match &it.answer {
            Answer::Modal(form) if form["custom_id"] == custom_id => Some((it.clone(), form.clone())),
            _ => None,
        })
    }
}

/// Returns the modal's parts with the typed texts, in the shape of a submission.
fn fill_in(parts: &Value, typed: &dyn Fn(&str) -> Option<String>) -> Result<Vec<Value>, ApiError> {
    let parts = parts.as_array().map_or(&[][..], Vec::as_slice);
    parts
        .iter()
        .map(|part| {
            if part["type"] == kind::LABEL {
                let input = fill_input(&part["component"], &part["label"], typed)?;
                return Ok(json!({"type": kind::LABEL, "component": input}));
            }
            let inputs = part["components"].as_array().map_or(&[][..], Vec::as_slice);
            let filled: Result<Vec<Value>, ApiError> =
                inputs.iter().map(|input| fill_input(input, &input["label"], typed)).collect();
            Ok(json!({"type": kind::ROW, "components": filled?}))
        })
        .collect()
}

fn fill_input(
    input: &Value,
    label: &Value,
    typed: &dyn Fn(&str) -> Option<String>,
) -> Result<Value, ApiError> {
    let custom_id = input["custom_id"].as_str().unwrap_or_default();
    let given = input["value"].as_str().unwrap_or_default().to_owned();
    let text = typed(custom_id).unwrap_or(given);
    let label = label.as_str().unwrap_or(custom_id);
    let length = text.chars().count() as u64;
    if length == 0 && input["required"] != false {
        return Err(ApiError::for_page(format!("{label} must be filled in.")));
    }
    let range = input["min_length"].as_u64().unwrap_or(0)..=input["max_length"].as_u64().unwrap_or(4_000);
    if length > 0 && !range.contains(&length) {
        return Err(ApiError::for_page(format!("{label} is too short or too long.")));
    }
    Ok(json!({"type": kind::TEXT_INPUT, "custom_id": custom_id, "value": text}))
}
