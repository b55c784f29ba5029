//! OAuth2 against what Discord documents: which requests are refused, and how long codes and tokens work.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde_json::Value;

use super::super::{BOT_ID, Options};
use super::raw_client::{Raw, manual_clock_options};

const REDIRECT: &str = "http://127.0.0.1:9/back";
const SECRET: &str = "the-secret";
const AGENT: &str = "DiscordBot (https://rookery.example, 1)";

struct Site {
    raw: Raw,
    client: Client,
}

impl Site {
    async fn open() -> Site {
        let (client_secret, redirects) = (Some(SECRET.to_owned()), vec![REDIRECT.to_owned()]);
        let raw = Raw::start(Options { client_secret, redirects, ..manual_clock_options() }).await;
        Site { raw, client: Client::builder().redirect(Policy::none()).build().expect("a client") }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.raw.playground.api_base())
    }

    /// Returns the parameters of an authorization, with these changed.
    fn authorization(&self, changed: &[(&str, &str)]) -> Url {
        let client = BOT_ID.to_string();
        let mut all = vec![
            ("response_type", "code"),
            ("client_id", &client),
            ("scope", "identify"),
            ("state", "a b&c"),
            ("redirect_uri", REDIRECT),
        ];
        all.retain(|(name, _)| changed.iter().all(|(other, _)| other != name));
        all.extend(changed);
        Url::parse_with_params(&self.url("/oauth2/authorize"), all).expect("an address")
    }

    /// Sends the form of the authorization's page; returns where it leads.
    async fn answer(&self, person: &str) -> Url {
        let form = self.authorization(&[("person", person)]);
        let answer = self.form("/oauth2/authorize", form.query().unwrap_or_default()).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 302);
        answer.headers()[LOCATION].to_str().expect("text").parse().expect("an address")
    }

    async fn code(&self) -> String {
        let ada = self.raw.playground.user("Ada").id.to_string();
        value(&self.answer(&ada).await, "code").expect("a code")
    }

    fn form(&self, path: &str, body: &str) -> reqwest::RequestBuilder {
        let request = self.client.post(self.url(path)).body(body.to_owned());
        request.header(CONTENT_TYPE, "application/x-www-form-urlencoded")
    }

    /// Sends a form of the application with its secret.
    async fn own_form(&self, path: &str, body: &str) -> Response {
        let request = self.form(path, body).basic_auth(BOT_ID, Some(SECRET)).header("user-agent", AGENT);
        request.send().await.expect("an answer")
    }

    async fn exchange(&self, code: &str) -> (u16, Value) {
        let redirect: String = Url::parse_with_params("http://a/", [("redirect_uri", REDIRECT)])
            .expect("an address")
            .query()
            .unwrap_or_default()
            .to_owned();
        let body = format!("grant_type=authorization_code&code={code}&{redirect}");
        let answer = self.own_form("/api/oauth2/token", &body).await;
        (answer.status().as_u16(), answer.json().await.expect("JSON"))
    }

    /// Asks who a token's person is; returns the status and the name.
    async fn who(&self, token: &str) -> (u16, Value) {
        let request = self.client.get(self.url("/api/v10/users/@me")).bearer_auth(token);
        let answer = request.send().await.expect("an answer");
        (answer.status().as_u16(), answer.json::<Value>().await.expect("JSON")["global_name"].clone())
    }
}

fn value(address: &Url, name: &str) -> Option<String> {
    address.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

#[tokio::test]
async fn oauth2_code_works_once_and_its_token_until_it_is_revoked() {
    let site = Site::open().await;
    let ada = site.raw.playground.user("Ada").id.to_string();
    let back = site.answer(&ada).await;
    assert_eq!(value(&back, "state").as_deref(), Some("a b&c"), "as it was given: {back}");
    let code = value(&back, "code").expect("a code");
    let (status, told) = site.exchange(&code).await;
    assert_eq!((status, &told["token_type"], &told["scope"]), (200, &"Bearer".into(), &"identify".into()));
    assert_eq!(told["expires_in"], 604_800);
    let token = told["access_token"].as_str().expect("a token").to_owned();
    assert_eq!(site.who(&token).await, (200, "Ada".into()));
    assert_eq!(site.exchange(&code).await.0, 400, "a second time");
    assert_eq!(site.who("made-up").await.0, 401);
    assert_eq!(site.raw.get("/users/@me").await.1["bot"], true, "the bot's own token still works");

    // Revoking one token ends the person's grant, so their other token as well.
    let other =
        site.exchange(&site.code().await).await.1["access_token"].as_str().expect("a token").to_owned();
    let revoked = site.own_form("/api/oauth2/token/revoke", &format!("token={token}")).await;
    assert_eq!(revoked.status(), 200);
    assert_eq!((site.who(&token).await.0, site.who(&other).await.0), (401, 401));

    let late = site.code().await;
    site.raw.playground.clock().advance(Duration::from_secs(600));
    assert_eq!(site.exchange(&late).await.0, 400);
}

#[tokio::test]
async fn oauth2_refuses_what_discord_refuses() {
    let site = Site::open().await;
    assert_eq!(site.client.get(site.authorization(&[])).send().await.expect("a page").status(), 200);
    for wrong in [
        ("response_type", "token"),
        ("client_id", "1"),
        ("scope", ""),
        ("scope", "identify email"),
        ("redirect_uri", "http://127.0.0.1:9/back/"),
        ("redirect_uri", "https://evil.example/back"),
        ("prompt", "login"),
    ] {
        let page = site.client.get(site.authorization(&[wrong])).send().await.expect("a page");
        assert_eq!(page.status(), 400, "{wrong:?}");
        assert!(page.headers().get(LOCATION).is_none());
    }
    let denied = site.answer("").await;
    assert_eq!((value(&denied, "error").as_deref(), value(&denied, "code")), (Some("access_denied"), None));

    let code = site.code().await;
    let whole = format!("grant_type=authorization_code&code={code}&redirect_uri={REDIRECT}");
    let endpoint = "/api/oauth2/token";
    let good = || site.form(endpoint, &whole).header("user-agent", AGENT);
    let json = site.client.post(site.url(endpoint)).body(whole.clone()).header("user-agent", AGENT);
    let json = json.basic_auth(BOT_ID, Some(SECRET)).header(CONTENT_TYPE, "application/json");
    assert_eq!(json.send().await.expect("an answer").status(), 400, "forms only");
    for (id, secret) in [(BOT_ID.to_string(), "wrong"), ("1".to_owned(), SECRET)] {
        let answer = good().basic_auth(id, Some(secret)).send().await.expect("an answer");
        assert_eq!(answer.status(), 401);
    }
    assert_eq!(good().send().await.expect("an answer").status(), 401, "without a secret");
    let nameless =
        site.form(endpoint, &whole).basic_auth(BOT_ID, Some(SECRET)).header("user-agent", "curl/8");
    assert_eq!(nameless.send().await.expect("an answer").status(), 403);
    for body in ["", "grant_type=authorization_code", "grant_type=password&code=a", "code=%ff"] {
        assert_eq!(site.own_form(endpoint, body).await.status(), 400, "{body}");
    }
    let in_form = format!("{whole}&client_id={BOT_ID}&client_secret={SECRET}");
    let answer = site.form(endpoint, &in_form).header("user-agent", AGENT).send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "the secret may be in the form; nothing before used the code up");
    let code = site.code().await;
    let other = format!("grant_type=authorization_code&code={code}&redirect_uri=http://127.0.0.1:9/other");
    assert_eq!(site.own_form(endpoint, &other).await.status(), 400, "another redirect than it was made for");
}
