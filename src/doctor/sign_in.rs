//! The checks of signing in with Discord on the web pages, and of the Activity.

use std::time::Duration;

use reqwest::header::USER_AGENT;
use serenity::all::{ApplicationFlags, CurrentApplicationInfo};

use super::{DISCORD, Finding, api, unknown};
use crate::config::{Config, DiscordTarget};
use crate::web::REDIRECT;

/// How long the question about the client secret may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Discord's answer to a wrong client secret (RFC 6749, 5.2).
const UNAUTHORIZED: u16 = 401;

/// Checks what Discord's portal says about signing in and the Activity; without a client secret there is neither.
pub(super) async fn examine(config: &Config) -> Vec<Finding> {
    let Some(secret) = &config.discord.client_secret else { return Vec::new() };
    let Ok(DiscordTarget::Discord { token, api_base }) = config.target() else { return Vec::new() };
    let (http, base) = api(config, &token, api_base);
    let base = base.as_deref().unwrap_or(DISCORD);
    let application = match http.get_current_application_info().await {
        Ok(application) => application,
        Err(error) => return vec![unknown("Sign-in", &error)],
    };
    let mut findings = vec![client_secret(&application, base, secret.expose()).await];
    let address = config.web.address.as_ref().map(|address| address.as_str());
    findings.extend(address.and_then(|address| redirect(&application, address)));
    if config.web.activity {
        findings.push(activity(application.flags.unwrap_or_default()));
    }
    findings
}

/// Asks Discord to revoke a token that doesn't exist: with the right secret that changes nothing and is no error (RFC 7009,
/// 2.2).
async fn client_secret(application: &CurrentApplicationInfo, base: &str, secret: &str) -> Finding {
    let name = "Client secret";
    let asked = async {
        let client = reqwest::Client::builder().timeout(TIMEOUT).build()?;
        let request = client.post(format!("{base}/api/oauth2/token/revoke"));
        let request = request.basic_auth(application.id, Some(secret)).form(&[("token", "none")]);
        request.header(USER_AGENT, serenity::constants::USER_AGENT).send().await
    };
    match asked.await.map(|answer| answer.status().as_u16()) {
        Ok(200..300) => Finding::fine(name, "Discord accepts it."),
        Ok(UNAUTHORIZED) => Finding::fault(
            name,
            "Discord does not accept it, so nobody can sign in with Discord.",
            "copy it from Discord's developer portal (OAuth2)",
        ),
        Ok(status) => {
            Finding::advice(name, format!("Discord doesn't say: it answered {status}."), "try again later")
        }
        Err(error) => unknown(name, &error),
    }
}

/// Checks that Discord may lead people back to the pages. Nothing if it doesn't say.
fn redirect(application: &CurrentApplicationInfo, address: &str) -> Option<Finding> {
    let (name, wanted) = ("Sign-in", format!("{address}{REDIRECT}"));
    let found = match application.redirect_uris.as_ref()?.contains(&wanted) {
        true => Finding::fine(name, format!("Discord leads people back to {wanted}.")),
        false => Finding::fault(
            name,
            format!("Discord refuses to lead people back to {wanted}."),
            "add this address to the redirects in Discord's developer portal (OAuth2)",
        ),
    };
    Some(found)
}

/// Checks that Discord opens the pages as an Activity. It doesn't say where its URL mapping leads.
fn activity(flags: ApplicationFlags) -> Finding {
    match flags.contains(ApplicationFlags::EMBEDDED) {
        true => {
            Finding::fine("Activity", "Discord opens it. If the frame stays empty, see docs/activity.md.")
        }
        false => Finding::fault(
            "Activity",
            "web.activity is set, but Discord's portal has no Activity, so Open board gives links.",
            "enable Activities in the developer portal (Activities, Settings); docs/activity.md has all steps",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    /// The flag's bit is Discord's (`EMBEDDED`, 1 << 17).
    #[test]
    fn activity_needs_the_switch_of_the_portal() {
        let with = |bits| activity(ApplicationFlags::from_bits_retain(bits)).verdict;
        assert_eq!((with(1 << 17), with(1 << 16)), (Verdict::Fine, Verdict::Fault));
    }
}
