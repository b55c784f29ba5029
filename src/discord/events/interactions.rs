//! Commands, completions and presses. Each is answered, also where something that it needs is missing.

use serde_json::Value;

use super::super::answer::{self, Manner};
use super::super::payload::{self, Kind, Missing};
use super::super::post::Post;
use super::super::{buttons, commands};
use super::EventHandler;

impl EventHandler {
    pub(super) async fn interaction_create(&self, data: &Value) -> Result<(), Missing> {
        self.is_there(payload::guild(data)).await;
        let ticket = payload::ticket(data)?;
        if !self.met.first_time(ticket.id) {
            return Ok(());
        }
        let acted = match payload::kind(data) {
            Kind::Command => self.command(data).await,
            Kind::Autocomplete => self.autocomplete(data).await,
            Kind::Component => self.component(data).await,
            Kind::Other => Err(Missing("a kind of interaction that we know")),
        };
        if let Err(missing) = acted {
            tracing::warn!(%missing, "an interaction is answered without being acted on");
            let post = Post::text(self.desk.words.word("interaction-incomplete"));
            answer::give(&self.desk, &ticket, Manner::New, async { post }).await;
        }
        Ok(())
    }

    async fn command(&self, data: &Value) -> Result<(), Missing> {
        let (desk, (asked, given)) = (&self.desk, payload::command(data)?);
        desk.meet(&asked);
        let work = async { commands::run(&desk.for_asker(&asked).await, &asked, &given).await };
        if answer::give(desk, &asked.ticket, Manner::New, work).await {
            desk.make_use_of(&asked, None).await;
        }
        Ok(())
    }

    async fn autocomplete(&self, data: &Value) -> Result<(), Missing> {
        let (desk, (asked, given)) = (&self.desk, payload::command(data)?);
        let choices = commands::complete(&desk.for_asker(&asked).await, &asked, &given).await;
        if let Err(fault) = desk.api.complete(&asked.ticket, &choices).await {
            tracing::info!(%fault, "a completion came too late");
        }
        Ok(())
    }

    async fn component(&self, data: &Value) -> Result<(), Missing> {
        let (desk, (asked, pressed)) = (&self.desk, payload::press(data)?);
        desk.meet(&asked);
        let work = async { buttons::pressed(&desk.for_asker(&asked).await, &asked, &pressed).await };
        let manner = buttons::manner(asked.place, &pressed);
        if answer::give(desk, &asked.ticket, manner, work).await {
            desk.make_use_of(&asked, Some(&pressed)).await;
        }
        Ok(())
    }
}
