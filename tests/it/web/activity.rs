//! The Activity, by its requests: how it opens, who is signed in in its frame, and what it refuses.

use std::time::Duration;

use reqwest::header::{CONTENT_SECURITY_POLICY, COOKIE, HOST, ORIGIN, SET_COOKIE};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use rookery_playground::testing::person::Person;
use rookery_playground::{Answer, BOT_ID};
use rookery_table::UserId;
use serde_json::{Value, json};

use super::play::{PlaySite, Visitor};
use crate::duel::Duel;

/// The header with which the shell sends a code.
const CODE: &str = "x-rookery-code";

/// The frame in Discord's client, as far as its requests show it.
struct Frame {
    /// The address of Discord's proxy.
    proxy: String,
    /// The host of the application's pages there.
    host: String,
    client: Client,
    cookie: Option<String>,
}

impl Frame {
    fn of(site: &PlaySite) -> Frame {
        let proxy = site.bot.playground.addr();
        Frame {
            proxy: format!("http://{proxy}"),
            host: format!("{BOT_ID}.localhost:{}", proxy.port()),
            client: Client::new(),
            cookie: None,
        }
    }

    fn origin(&self) -> String {
        format!("http://{}", self.host)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.proxy)).header(HOST, &self.host);
        match &self.cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        }
    }

    async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// Sends a code as the shell does.
    async fn enter(&self, code: &str) -> Response {
        let request = self.request(Method::POST, "/frame/session").header(ORIGIN, self.origin());
        request.header(CODE, code).send().await.unwrap()
    }

    /// Signs a person in; returns what the shell learns.
    async fn sign_in(&mut self, site: &PlaySite, who: &Person) -> Value {
        let entered = self.enter(&site.bot.playground.frame_code(who).unwrap()).await;
        assert_eq!(entered.status(), StatusCode::OK);
        let cookie = entered.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap();
        self.cookie = Some(cookie.to_owned());
        entered.json().await.unwrap()
    }
}

/// Returns the policies of a response in one line.
fn policy(response: &Response) -> String {
    let all = response.headers().get_all(CONTENT_SECURITY_POLICY).iter();
    all.map(|policy| policy.to_str().unwrap()).collect::<Vec<_>>().join(" | ")
}

/// Presses *Open board*, which opens the Activity.
async fn launch(duel: &Duel, who: &Person) {
    let pressed = who.click(&duel.board, duel.board.button("Open board").unwrap()).unwrap();
    assert_eq!(pressed.answer().await.unwrap(), Answer::Launched);
}

const SHELL: &str = "/?frame_id=f1&instance_id=i1&platform=desktop";

#[tokio::test(flavor = "multi_thread")]
async fn activity_opens_the_board_that_was_asked_for_and_signs_its_person_in() {
    let (site, _connection) = PlaySite::with_activity(true).await;
    let duel = Duel::begin(&site.bot).await;
    launch(&duel, &duel.ada).await;
    let mut frame = Frame::of(&site);
    let shell = frame.get(SHELL).await;
    let port = site.bot.playground.addr().port();
    let ancestors = format!("frame-ancestors 'self' http://127.0.0.1:{port} http://localhost:{port}");
    assert!(
        policy(&shell).contains(&ancestors) && !policy(&shell).contains("'none' |"),
        "{}",
        policy(&shell)
    );
    assert!(shell.headers().get("x-frame-options").is_none(), "older browsers would heed it");
    assert!(shell.text().await.unwrap().contains("frame.js"));

    let entered = frame.sign_in(&site, &duel.ada).await;
    assert_eq!(entered["to"], format!("/play/{}", duel.table));
    assert!(entered["asked"].is_i64() && entered["access_token"].is_string(), "{entered}");
    assert_eq!(site.bot.playground.live_tokens(), 1, "revoking it would end what the person allowed");
    let page = frame.get(&format!("/play/{}", duel.table)).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(policy(&page).contains(&ancestors), "{}", policy(&page));
    let text = page.text().await.unwrap();
    let token = text.split("\"token\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();

    // A move needs the page's own secret, and the origin of the frame.
    let text = duel.play.moves().remove(0);
    let order = format!("/play/{}/order?kind=move&ply=0&text={text}&id=order-number-00000001", duel.table);
    let send = async |origin: Option<&str>, token: &str| {
        let request = frame.request(Method::POST, &order).header("x-rookery-page", token);
        let request = origin.map_or(request.try_clone().unwrap(), |origin| request.header(ORIGIN, origin));
        request.send().await.unwrap().status()
    };
    assert_eq!(send(None, &token).await, StatusCode::FORBIDDEN, "browsers name the origin");
    assert_eq!(send(Some(&site.base), &token).await, StatusCode::UNAUTHORIZED, "another page's");
    assert_eq!(send(Some("https://evil.example"), &token).await, StatusCode::UNAUTHORIZED);
    assert_eq!(send(Some(&frame.origin()), "made up").await, StatusCode::FORBIDDEN);
    assert_eq!(site.bot.table(&duel.table).await.ply(), 0);
    assert_eq!(send(Some(&frame.origin()), &token).await, StatusCode::OK);
    assert_eq!(site.bot.table(&duel.table).await.play().unwrap().record(), [text]);

    // The next frame opens the list: what was asked for is open already.
    assert_eq!(frame.sign_in(&site, &duel.ada).await["to"], "/play");
    // And so does one that opens much later.
    let asked = site.bot.registry.new_sign_in(UserId(duel.ben.id.0), duel.table.parse().unwrap());
    asked.await.unwrap();
    site.bot.advance(Duration::from_secs(121)).await;
    assert_eq!(frame.sign_in(&site, &duel.ben).await["to"], "/play");
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn activity_cookie_works_in_the_frame_alone_and_is_revoked_with_the_others() {
    let (site, _connection) = PlaySite::with_activity(true).await;
    let duel = Duel::begin(&site.bot).await;
    let mut frame = Frame::of(&site);
    let entered = frame.enter(&site.bot.playground.frame_code(&duel.ada).unwrap()).await;
    let cookie = entered.headers()[SET_COOKIE].to_str().unwrap().to_owned();
    for part in [
        "HttpOnly",
        "SameSite=None",
        "Secure",
        "Partitioned",
        "Path=/",
        &format!("Domain={BOT_ID}.localhost;"),
    ] {
        assert!(cookie.contains(part), "{cookie}: {part}");
    }
    let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
    let path = format!("/play/{}", duel.table);
    let mut elsewhere = Visitor::new();
    elsewhere.cookie = Some(format!("rookery={value}"));
    let page = format!("{}{path}", site.base);
    assert_eq!(elsewhere.get(&page).await.status(), StatusCode::UNAUTHORIZED, "no cookie of other pages");
    frame.cookie = Some(format!("{name}={value}"));
    assert_eq!(frame.get(&path).await.status(), StatusCode::OK);

    // Another person at the same client: the first one's session ends.
    let (before, _) = (frame.cookie.clone(), frame.sign_in(&site, &duel.ben).await);
    let other = Frame { cookie: before, ..Frame::of(&site) };
    assert_eq!(other.get(&path).await.status(), StatusCode::UNAUTHORIZED);

    let settings = duel.ben.slash(site.bot.games(), "settings", &json!({})).unwrap().message().await.unwrap();
    let told = site.bot.press_private(&duel.ben, &settings, "Sign out browsers").await;
    assert!(told.content().contains("1 browser"), "{}", told.content());
    let gone = frame.get(&path).await;
    assert_eq!(gone.status(), StatusCode::UNAUTHORIZED);
    assert!(
        policy(&gone).contains("frame-ancestors 'self' http://"),
        "the shell sees why: {}",
        policy(&gone)
    );
    let text = gone.text().await.unwrap();
    assert!(text.contains("id=\"signed-out\"") && !text.contains("/discord?to="), "{text}");
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn activity_takes_only_codes_from_its_own_frame() {
    let (site, connection) = PlaySite::with_activity(true).await;
    let (frame, ada) = (Frame::of(&site), site.bot.ada());
    let code = || site.bot.playground.frame_code(&ada).unwrap();
    let post = |headers: &[(&str, &str)], code: &str| {
        let mut request = frame.request(Method::POST, "/frame/session");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.header(CODE, code).send()
    };
    let (origin, whole) = (frame.origin(), code());
    for headers in [
        &[][..],
        &[("origin", site.base.as_str())],
        &[("origin", "null")],
        &[("origin", "https://evil.example")],
        &[("origin", origin.as_str()), ("sec-fetch-site", "cross-site")],
    ] {
        let refused = post(headers, &whole).await.unwrap();
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{headers:?}");
        assert!(refused.headers().get(SET_COOKIE).is_none());
    }
    let own = [("origin", origin.as_str())];
    for wrong in ["", "made-up", &"x".repeat(513)] {
        let refused = post(&own, wrong).await.unwrap();
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST, "{wrong}");
        let said: Value = refused.json().await.unwrap();
        assert!(said["said"].as_str().unwrap().contains("didn't accept"), "{said}");
    }
    let late = code();
    site.bot.playground.clock().advance(Duration::from_secs(601));
    assert_eq!(frame.enter(&late).await.status(), StatusCode::BAD_REQUEST, "it has expired");
    let once = code();
    assert_eq!(frame.enter(&once).await.status(), StatusCode::OK);
    assert_eq!(frame.enter(&once).await.status(), StatusCode::BAD_REQUEST, "a code works once");

    // Discord is away, or the pages are.
    site.bot.playground.faults().fail_requests(1, 503);
    let failed = frame.enter(&code()).await;
    assert_eq!(failed.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(failed.text().await.unwrap().contains("isn't answering"));
    connection.lose();
    assert_eq!(frame.get(SHELL).await.status(), StatusCode::BAD_GATEWAY);
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn activity_that_is_off_lets_nobody_frame_a_page() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let mut visitor = site.sign_in(&duel.ada, &duel.board).await;
    let session = visitor.cookie.clone().unwrap();
    visitor.cookie = Some(format!("{session}; rookery-frame={}", session.split_once('=').unwrap().1));
    for path in [SHELL.to_owned(), "/play".to_owned(), format!("/play/{}", duel.table)] {
        let page = visitor.get(&format!("{}{path}", site.base)).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        assert!(policy(&page).contains("frame-ancestors 'none'"), "{path}: {}", policy(&page));
        assert_eq!(page.headers()["x-frame-options"], "DENY");
        assert!(!page.text().await.unwrap().contains("frame.js"), "{path}");
    }
    let own = [("origin", site.base.as_str())];
    let refused = visitor.post(&format!("{}/frame/session", site.base), &own).await;
    assert_eq!(refused.status(), StatusCode::NOT_FOUND);
    assert!(site.bot.playground.commands().iter().all(|command| command["type"] != 4));
    let known = duel.ada.launch(site.bot.games(), "launch");
    assert!(known.is_err(), "Discord has no such command");
    site.bot.stop().await;
}

/// The pages outside the frame stay as they are, with an Activity too.
#[tokio::test(flavor = "multi_thread")]
async fn activity_changes_no_other_page() {
    let (site, _connection) = PlaySite::with_activity(true).await;
    let duel = Duel::begin(&site.bot).await;
    let begun = site.bot.registry.new_sign_in(UserId(duel.ada.id.0), duel.table.parse().unwrap());
    let link = format!("{}/in/{}", site.base, begun.await.unwrap().as_str());
    let mut visitor = Visitor::new();
    visitor.keep_cookie(&visitor.post(&link, &[]).await);
    for path in ["/".to_owned(), "/play".to_owned(), format!("/play/{}", duel.table)] {
        let page = visitor.get(&format!("{}{path}", site.base)).await;
        assert!(policy(&page).contains("frame-ancestors 'none'"), "{path}: {}", policy(&page));
    }
    // A page of the frame's origin can't order with the cookie of another page.
    let page = format!("{}/play/{}", site.base, duel.table);
    let token = visitor.data(&page).await["token"].as_str().unwrap().to_owned();
    let origin = Frame::of(&site).origin();
    let headers = [("x-rookery-page", token.as_str()), ("origin", origin.as_str())];
    let text = duel.play.moves().remove(0);
    let order = format!("{page}/order?kind=move&ply=0&text={text}&id=order-number-00000001");
    assert_eq!(visitor.post(&order, &headers).await.status(), StatusCode::FORBIDDEN);
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn activity_that_discord_refuses_leads_to_the_link() {
    let (site, _connection) = PlaySite::with_activity(false).await;
    let duel = Duel::begin(&site.bot).await;
    let link = site.link(&duel.ada, &duel.board).await;
    assert!(link.starts_with(&format!("{}/in/", site.base)), "{link}");
    let mut visitor = Visitor::new();
    visitor.keep_cookie(&visitor.post(&link, &[]).await);
    visitor.data(&format!("{}/play/{}", site.base, duel.table)).await;
    let games = duel.ada.launch(site.bot.games(), "launch").unwrap().message().await.unwrap();
    assert!(games.is_ephemeral());
    assert_eq!(games.json["components"][0]["components"][0]["url"], format!("{}/play", site.base));
    // Discord has opened it, but its answer was lost: nothing else is said.
    site.bot.playground.map_activity("127.0.0.1:9".parse().unwrap());
    site.bot.playground.faults().lose_answers(1);
    let pressed = duel.ada.click(&duel.board, duel.board.button("Open board").unwrap()).unwrap();
    assert_eq!(pressed.answer().await.unwrap(), Answer::Launched);
    site.bot.stop_after(&[400, 502]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn activity_command_is_registered_while_it_is_on() {
    let (mut site, _connection) = PlaySite::with_activity(true).await;
    let entry = |site: &PlaySite| {
        let all = site.bot.playground.commands();
        all.into_iter().filter(|command| command["type"] == 4).collect::<Vec<_>>()
    };
    let [command] = &entry(&site)[..] else { panic!("one entry point") };
    assert_eq!((&command["name"], &command["handler"]), (&json!("launch"), &json!(1)));
    let id = command["id"].clone();
    let opened = site.bot.ada().launch(site.bot.ada().dm(), "launch").unwrap();
    assert_eq!(opened.answer().await.unwrap(), Answer::Launched);
    let puts = |site: &PlaySite| {
        let all = site.bot.playground.requests();
        all.iter().filter(|request| request.method == "PUT" && request.path.ends_with("/commands")).count()
    };
    let before = puts(&site);
    site.bot.restart().await;
    site.bot.playground.wait_for_bot().await.unwrap();
    assert_eq!((puts(&site), &entry(&site)[0]["id"]), (before, &id), "nothing has changed");
    site.bot.restart_with(|settings| settings.activity = false).await;
    site.bot.playground.wait("the command to go", || entry(&site).is_empty().then_some(())).await.unwrap();
    site.bot.restart_with(|settings| settings.activity = true).await;
    site.bot.playground.wait("the command again", || (entry(&site).len() == 1).then_some(())).await.unwrap();
    site.bot.stop().await;
}
