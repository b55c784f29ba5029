//! After the first answer: the original changed, follow-ups said, changed, taken back; for 15 minutes.

use super::super::check;
use super::super::id::Id;
use super::super::refusal::Refusal;
use super::super::world::asks::FOLLOW_UPS_MAX;
use super::super::world::model::{Interaction, Message, flag, message_kind};
use super::super::world::{Key, World};
use super::call::{Call, Reply, Upload};
use super::interactions::is_ephemeral;

/// `POST /webhooks/{application}/{token}`: says something more; fills the answer that only "thinks".
pub(super) fn follow_up(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let interaction = world.by_token(call.word("token"))?;
    check::message::check(&call.body, &call.files)?;
    let channel = world.channel(interaction.channel_id)?.clone();
    if !world.bot_is_in(&channel) && interaction.follow_ups.len() >= FOLLOW_UPS_MAX {
        return Err(Refusal::too_many_follow_ups());
    }
    let thinking = original(world, &interaction).filter(|message| message.flags & flag::LOADING != 0);
    if let Some(mut message) = thinking {
        world.finish_thinking(&interaction, &mut message, &call.body, &call.files)?;
        return Ok(Reply::Json(world.show_message(&message, true)));
    }
    let mut message = world.blank_answer(&interaction, is_ephemeral(&call.body));
    if let Some(original) = interaction.original {
        message.kind = message_kind::REPLY;
        message.reference = Some((interaction.channel_id, original));
    }
    world.fill(&mut message, &call.body, &call.files)?;
    world.note_follow_up(&interaction, message.id);
    world.insert(message.clone());
    Ok(Reply::Json(world.show_message(&message, true)))
}

/// `GET /webhooks/{application}/{token}/messages/{message}`
pub(super) fn get(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let (_, message) = addressed(world, call)?;
    Ok(Reply::Json(world.show_message(&message, true)))
}

/// `PATCH /webhooks/{application}/{token}/messages/{message}`
pub(super) fn edit(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let (interaction, mut message) = addressed(world, call)?;
    check::message::check(&call.body, &call.files)?;
    if message.flags & flag::LOADING != 0 {
        world.finish_thinking(&interaction, &mut message, &call.body, &call.files)?;
    } else {
        let channel = world.channel(interaction.channel_id)?.clone();
        world.refuse_archived(&channel)?;
        world.edit_message(&mut message, &call.body, &call.files)?;
    }
    Ok(Reply::Json(world.show_message(&message, true)))
}

/// `DELETE /webhooks/{application}/{token}/messages/{message}`
pub(super) fn delete(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    let (interaction, message) = addressed(world, call)?;
    if message.flags & flag::LOADING != 0 {
        world.tell_asker(&interaction, "INTERACTION_DONE");
    }
    world.remove(interaction.channel_id, message.id);
    Ok(Reply::Nothing)
}

/// The interaction of the token, and the message named: `@original`, or one of its follow-ups.
fn addressed(world: &World, call: &Call) -> Result<(Interaction, Message), Refusal> {
    let interaction = world.by_token(call.word("token"))?;
    let message = match call.word("message") {
        "@original" => original(world, &interaction),
        _ => {
            let id = call.id("message")?;
            let own = Some(id) == interaction.original || interaction.follow_ups.contains(&id);
            world.messages.get(&(interaction.channel_id, id)).filter(|_| own).cloned()
        }
    };
    Ok((interaction, message.ok_or_else(Refusal::unknown_message)?))
}

fn original(world: &World, interaction: &Interaction) -> Option<Message> {
    interaction.original.and_then(|id| world.messages.get(&(interaction.channel_id, id))).cloned()
}

impl World {
    /// Turns "thinking…" into a message: people see it now for the first time, the bot sees it change.
    fn finish_thinking(
        &mut self,
        interaction: &Interaction,
        message: &mut Message,
        body: &serde_json::Value,
        files: &[Upload],
    ) -> Result<(), Refusal> {
        message.flags &= !flag::LOADING;
        self.fill(message, body, files)?;
        message.edited_ms = Some(self.now_ms);
        let told_from = self.for_people.len();
        self.replace(message.clone());
        for news in &mut self.for_people[told_from..] {
            news.name = "MESSAGE_CREATE";
        }
        self.tell_asker(interaction, "INTERACTION_DONE");
        Ok(())
    }

    fn note_follow_up(&mut self, interaction: &Interaction, id: Id) {
        if let Some(kept) = self.interactions.get_mut(&interaction.id) {
            kept.follow_ups.push(id);
            self.touch(Key::Interaction(interaction.id));
        }
    }
}
