//! Registration of commands.

use rookery_table::GuildId;
use serde_json::Value;
use serenity::all as discord;
use serenity::http::{LightMethod, Route};

use super::Api;
use crate::discord::wire::error::DiscordError;

impl Api {
    /// Registers all commands, and replaces those registered before.
    pub async fn register(&self, application: u64, commands: &Value) -> Result<(), DiscordError> {
        let route = Route::Commands { application_id: discord::ApplicationId::new(application) };
        self.json(route, LightMethod::Put, commands).await.map(drop)
    }

    /// Registers the commands of one server, and replaces those registered there before.
    pub async fn register_in_server(
        &self,
        application: u64,
        guild: GuildId,
        commands: &Value,
    ) -> Result<(), DiscordError> {
        let route = Route::GuildCommands {
            application_id: discord::ApplicationId::new(application),
            guild_id: discord::GuildId::new(guild.0),
        };
        self.json(route, LightMethod::Put, commands).await.map(drop)
    }
}
