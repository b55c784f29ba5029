//! Signing in on a web page with a Discord account.

use std::sync::Arc;

use async_trait::async_trait;
use rookery_table::UserId;

use crate::discord::state::context::Context;
use crate::discord::wire::api::accounts::{ClientSecret, SCOPE};
use crate::web::{DiscordSignIn, DiscordSignInError, FrameGrant, FramePlace, FrameToken};

/// The address of Discord's pages.
const DISCORD: &str = "https://discord.com";
/// The domain of the proxy through which Discord shows an application's pages.
const PROXY: &str = "discordsays.com";
/// The origins of Discord's clients.
const CLIENTS: [&str; 6] = [
    "https://discord.com",
    "https://ptb.discord.com",
    "https://canary.discord.com",
    "https://discordapp.com",
    "https://ptb.discordapp.com",
    "https://canary.discordapp.com",
];

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
impl DiscordSignIn for DiscordAccounts {
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

    async fn identify(&self, code: &str, redirect: &str) -> Result<UserId, DiscordSignInError> {
        let token = self.ctx.api.exchange_code(&self.secret, code, Some(redirect)).await?;
        let owner = self.ctx.api.token_owner(&token).await;
        // The token was for this one question. It ends by itself if Discord doesn't answer now. Revoking it would also end
        // the authorization that the person gave to the Activity, so then it's only forgotten.
        if !self.ctx.settings.activity && self.ctx.api.revoke_token(&self.secret, &token).await.is_err() {
            tracing::warn!("an access token that is no longer needed could not be revoked");
        }
        Ok(owner?)
    }

    fn frame(&self) -> Option<FramePlace> {
        if !self.ctx.settings.activity {
            return None;
        }
        let application = self.ctx.api.application().ok()?.to_string();
        let (origin, parents) = match self.site.as_str() {
            DISCORD => (format!("https://{application}.{PROXY}"), CLIENTS.map(str::to_owned).to_vec()),
            // The playground is a client and a proxy, on two hosts of this machine.
            other => {
                let port = reqwest::Url::parse(other).ok()?.port_or_known_default()?;
                let own = ["127.0.0.1", "localhost"].map(|host| format!("http://{host}:{port}"));
                (format!("http://{application}.localhost:{port}"), own.to_vec())
            }
        };
        Some(FramePlace { application, origin, parents })
    }

    async fn enter_frame(&self, code: &str) -> Result<FrameGrant, DiscordSignInError> {
        // Discord's client requests the code without a redirect.
        let token = self.ctx.api.exchange_code(&self.secret, code, None).await?;
        let who = self.ctx.api.token_owner(&token).await?;
        Ok(FrameGrant { who, access_token: FrameToken(token.0) })
    }
}
