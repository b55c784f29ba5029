//! People's Discord accounts: exchanging the code of an authorization for who it is. These requests have the
//! application's secret or a person's token instead of the bot's, so the bot's rate limits don't apply to them.

use std::fmt;
use std::time::Duration;

use reqwest::header::USER_AGENT;
use reqwest::{Method, RequestBuilder};
use rookery_table::UserId;
use serde_json::Value;
use serenity::all as discord;

use super::Api;
use crate::discord::wire::rest::PlainResponse;
use crate::web::DiscordSignInError;

/// The timeout of a request; the person waits.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of a request on which nothing depends.
const REVOKE_TIMEOUT: Duration = Duration::from_secs(3);
/// The most bytes of an access token.
const MAX_TOKEN_BYTES: usize = 2_048;
/// The scope that lets the bot read who a person is.
pub(in crate::discord) const SCOPE: &str = "identify";

/// The secret of the application. Its debug output is `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientSecret(pub String);

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A person's access token, which is never logged.
pub(in crate::discord) struct AccessToken(pub(in crate::discord) String);

impl Api {
    /// Exchanges the code of an authorization for an access token. `redirect` is the one with which the code was
    /// requested; an Activity has none.
    pub(in crate::discord) async fn exchange_code(
        &self,
        secret: &ClientSecret,
        code: &str,
        redirect: Option<&str>,
    ) -> Result<AccessToken, DiscordSignInError> {
        let mut form = vec![("grant_type", "authorization_code"), ("code", code)];
        form.extend(redirect.map(|redirect| ("redirect_uri", redirect)));
        let request = self.with_secret(secret, "/api/oauth2/token")?.form(&form).timeout(TIMEOUT);
        let told = self.account_request("POST /oauth2/token", request).await?;
        let body: Value = serde_json::from_slice(&told.body).unwrap_or_default();
        read_token(&body).ok_or_else(|| {
            tracing::warn!("Discord's answer to a sign-in has no usable token");
            DiscordSignInError::Unreachable
        })
    }

    /// Ends a person's authorization with all its tokens.
    pub(in crate::discord) async fn revoke_token(
        &self,
        secret: &ClientSecret,
        AccessToken(token): &AccessToken,
    ) -> Result<(), DiscordSignInError> {
        let form = [("token", token.as_str()), ("token_type_hint", "access_token")];
        let request = self.with_secret(secret, "/api/oauth2/token/revoke")?.form(&form);
        self.account_request("POST /oauth2/token/revoke", request.timeout(REVOKE_TIMEOUT)).await.map(drop)
    }

    /// Returns whose access token it is.
    pub(in crate::discord) async fn token_owner(
        &self,
        AccessToken(token): &AccessToken,
    ) -> Result<UserId, DiscordSignInError> {
        let request = self.rest.plain(Method::GET, "/api/v10/users/@me").bearer_auth(token).timeout(TIMEOUT);
        let told = self.account_request("GET /users/@me", request).await?;
        let body: Value = serde_json::from_slice(&told.body).unwrap_or_default();
        let id = body["id"].as_str().and_then(|id| id.parse().ok()).filter(|id| *id != 0);
        id.map(UserId).ok_or_else(|| {
            tracing::warn!("Discord did not say who signs in");
            DiscordSignInError::Unreachable
        })
    }

    fn with_secret(&self, secret: &ClientSecret, path: &str) -> Result<RequestBuilder, DiscordSignInError> {
        let id = self.application().map_err(|_| DiscordSignInError::Unreachable)?;
        Ok(self.rest.plain(Method::POST, path).basic_auth(id, Some(&secret.0)))
    }

    /// Sends a request and turns every failure into an answer for the person.
    async fn account_request(
        &self,
        route: &str,
        request: RequestBuilder,
    ) -> Result<PlainResponse, DiscordSignInError> {
        let request = request.header(USER_AGENT, discord::constants::USER_AGENT);
        let told = self.rest.send_plain(route, request).await.map_err(|error| {
            tracing::warn!(route, %error, "no answer to a sign-in");
            DiscordSignInError::Unreachable
        })?;
        if (200..300).contains(&told.status) {
            return Ok(told);
        }
        tracing::warn!(route, status = told.status, "Discord refused a sign-in");
        Err(match told.status {
            429 => DiscordSignInError::Limited(told.wait),
            401 if route.contains("token") => {
                tracing::error!(
                    "Discord does not accept the client secret; copy it from its developer portal (OAuth2)"
                );
                DiscordSignInError::Misconfigured
            }
            400..500 => DiscordSignInError::Refused,
            _ => DiscordSignInError::Unreachable,
        })
    }
}

/// Returns the access token of an answer, if it can be used and has the scope.
fn read_token(body: &Value) -> Option<AccessToken> {
    let is_bearer = body["token_type"].as_str()?.eq_ignore_ascii_case("bearer");
    let has_scope = body["scope"].as_str()?.split(' ').any(|scope| scope == SCOPE);
    let token = body["access_token"].as_str()?;
    let is_plain =
        (1..=MAX_TOKEN_BYTES).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_graphic());
    (is_bearer && has_scope && is_plain).then(|| AccessToken(token.to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn token_answers_without_a_usable_token_are_refused() {
        let whole = json!({"access_token": "abc", "token_type": "Bearer", "scope": "identify guilds"});
        assert!(read_token(&whole).is_some_and(|AccessToken(token)| token == "abc"));
        for (field, value) in [
            ("access_token", json!("")),
            ("access_token", json!("a\nb")),
            ("access_token", json!("a".repeat(MAX_TOKEN_BYTES + 1))),
            ("access_token", json!(7)),
            ("token_type", json!("mac")),
            ("scope", json!("guilds identifying")),
            ("scope", json!(null)),
        ] {
            let mut body = whole.clone();
            body[field] = value;
            assert!(read_token(&body).is_none(), "{body}");
        }
        assert!(read_token(&json!([])).is_none());
    }
}
