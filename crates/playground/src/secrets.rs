//! The tokens of the bot and of the page.

use anyhow::{Context, Result};

/// The secrets of one run.
#[derive(Clone, Debug)]
pub(crate) struct Secrets {
    /// The bot's token, without the prefix `Bot`.
    pub(crate) bot: String,
    /// The secret of the application, with which it exchanges codes.
    pub(crate) client: String,
    /// The token that the page sends with each request.
    pub(crate) page: String,
}

impl Secrets {
    /// Generates the secrets; the bot's token and the application's secret may be given.
    ///
    /// # Errors
    /// If the operating system provides no random numbers.
    pub(crate) fn generate(bot: Option<String>, client: Option<String>) -> Result<Secrets> {
        let client = client.map_or_else(random_token, Ok)?;
        let bot = bot.map_or_else(random_token, Ok)?;
        Ok(Secrets { bot, client, page: random_token()? })
    }
}

/// Returns 128 random bits as 32 hexadecimal digits.
pub(crate) fn random_token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("the system provides no random numbers")?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}
