//! Who the bot is, and where its gateway is.

use rookery_table::UserId;
use serenity::all::{BotGateway, CurrentApplicationInfo, CurrentUser};
use serenity::http::{LightMethod, Request, Route};

use super::Api;
use crate::discord::wire::error::DiscordError;

impl Api {
    /// Returns the gateway's address, and how many sessions may connect to it.
    pub(in crate::discord) async fn gateway(&self) -> Result<BotGateway, DiscordError> {
        self.rest.request_json(Request::new(Route::GatewayBot, LightMethod::Get)).await
    }

    /// Returns the bot's user id and application id.
    pub(in crate::discord) async fn identity(&self) -> Result<(UserId, u64), DiscordError> {
        let me: CurrentUser = self.rest.request_json(Request::new(Route::UserMe, LightMethod::Get)).await?;
        let application = Request::new(Route::Oauth2ApplicationCurrent, LightMethod::Get);
        let application: CurrentApplicationInfo = self.rest.request_json(application).await?;
        Ok((UserId(me.id.get()), application.id.get()))
    }
}
