//! Commands, completions and presses. Each is answered, even if a required field is missing.

use serde_json::Value;

use super::EventHandler;
use crate::discord::handlers::response::{self, ResponseMode};
use crate::discord::wire::custom_id::CustomId;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::payload::{self, Kind, Missing};
use crate::discord::{handlers::commands, handlers::components};

impl EventHandler {
    pub(super) async fn interaction_create(&self, data: &Value) -> Result<(), Missing> {
        self.end_outage(payload::guild(data)).await;
        let token = payload::token(data)?;
        if !self.seen_ids.insert(token.id) {
            return Ok(());
        }
        let acted = match payload::kind(data) {
            Kind::Command => self.command(data).await,
            Kind::Autocomplete => self.autocomplete(data).await,
            Kind::Component => self.component(data).await,
            Kind::Other => Err(Missing("a kind of interaction that we know")),
        };
        if let Err(missing) = acted {
            tracing::warn!(%missing, "answered an interaction without acting on it");
            let post = OutgoingMessage::text(self.ctx.words.word("interaction-incomplete"));
            response::respond_or_defer(&self.ctx, &token, ResponseMode::New, async { post }).await;
        }
        Ok(())
    }

    async fn command(&self, data: &Value) -> Result<(), Missing> {
        let (ctx, (interaction, input)) = (&self.ctx, payload::command(data)?);
        ctx.record_activity(&interaction);
        let work = async { commands::run(&ctx.for_asker(&interaction).await, &interaction, &input).await };
        if response::respond_or_defer(ctx, &interaction.token, ResponseMode::New, work).await {
            ctx.use_token(&interaction, None).await;
        }
        Ok(())
    }

    async fn autocomplete(&self, data: &Value) -> Result<(), Missing> {
        let (ctx, (interaction, input)) = (&self.ctx, payload::command(data)?);
        let choices = commands::complete(&ctx.for_asker(&interaction).await, &interaction, &input).await;
        if let Err(fault) = ctx.api.complete(&interaction.token, &choices).await {
            tracing::info!(%fault, "a completion was answered too late");
        }
        Ok(())
    }

    async fn component(&self, data: &Value) -> Result<(), Missing> {
        let (ctx, (interaction, pressed)) = (&self.ctx, payload::press(data)?);
        ctx.record_activity(&interaction);
        if components::may_open_form(&pressed)
            && let Some(form) =
                components::form(&ctx.for_asker(&interaction).await, &interaction, &pressed).await
        {
            if let Err(fault) = ctx.api.open_form(&interaction.token, &form).await {
                tracing::warn!(%fault, "a form was not taken");
            }
            return Ok(());
        }
        let work = async {
            let ctx = &ctx.for_asker(&interaction).await;
            match &pressed.custom_id {
                CustomId::Help(page) => {
                    commands::help::pressed(ctx, page, pressed.values.first().map(String::as_str))
                }
                _ => components::handle_press(ctx, &interaction, &pressed).await,
            }
        };
        let mode = components::mode(interaction.place, &pressed);
        if response::respond_or_defer(ctx, &interaction.token, mode, work).await {
            ctx.use_token(&interaction, Some(&pressed)).await;
        }
        Ok(())
    }
}
