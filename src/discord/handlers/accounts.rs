//! Signing in on a web page with a Discord account.

use std::sync::Arc;

use async_trait::async_trait;

use crate::discord::state::context::Context;
use crate::discord::wire::api::accounts::{ClientSecret, SCOPE};
use crate::web::{AccountError, Accounts, Identified};

/// The address of Discord's pages.
const DISCORD: &str = "https://discord.com";

/// Asks Discord who people are.
pub struct DiscordAccounts {
    ctx: Arc<Context>,
    secret: ClientSecret,
    /// Where people are asked: Discord, or another server that speaks its API.
    site: String,
}

impl DiscordAccounts {
    /// Creates it if a client secret is configured.
    pub fn new(ctx: &Arc<Context>, api_base: Option<&str>) -> Option<DiscordAccounts> {
        let secret = ctx.settings.client_secret.clone()?;
        Some(DiscordAccounts { ctx: ctx.clone(), secret, site: api_base.unwrap_or(DISCORD).to_owned() })
    }
}

#[async_trait]
impl Accounts for DiscordAccounts {
    fn authorization(&self, state: &str, redirect: &str) -> Option<String> {
        let application = self.ctx.api.application().ok()?.to_string();
        let query = [
            ("response_type", "code"),
            ("client_id", &application),
            ("scope", SCOPE),
            ("state", state),
            ("redirect_uri", redirect),
        ];
        let address = reqwest::Url::parse_with_params(&format!("{}/oauth2/authorize", self.site), query);
        address.ok().map(Into::into)
    }

    async fn identify(&self, code: &str, redirect: &str) -> Result<Identified, AccountError> {
        let token = self.ctx.api.exchange_code(&self.secret, code, Some(redirect)).await?;
        let owner = self.ctx.api.token_owner(&token).await;
        // The token was for this one question. It ends by itself if Discord doesn't answer now.
        if self.ctx.api.revoke_token(&self.secret, &token).await.is_err() {
            tracing::warn!("an access token that is no longer needed could not be revoked");
        }
        Ok(Identified { who: owner? })
    }
}
