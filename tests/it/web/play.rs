//! Playing on a web page, by its requests: signing in, who may see and act, orders.

use std::time::Duration;

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use rookery::discord::{ClientSecret, Settings};
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::{Value, json};

use super::connection::Connection;
use super::*;
use crate::duel::{Duel, open};
use crate::test_bot::{TestBot, TestSetup};

/// The secret of the application.
const SECRET: &str = "the-secret-of-the-application";

/// The bot on its playground, with web pages.
pub(crate) struct PlaySite {
    pub(crate) bot: TestBot,
    pub(crate) base: String,
}

impl PlaySite {
    pub(crate) async fn open() -> PlaySite {
        PlaySite::with_secret(Some(SECRET)).await
    }

    /// Opens a game that Ada and Ben play as a team against the bot, deciding by votes; returns it and its first board.
    pub(super) async fn open_vote(&self) -> (String, VisibleMessage) {
        let (ada, games) = (self.bot.ada(), self.bot.games());
        let team = format!("<@{}> <@{}> vote 6h 2", ada.id, self.bot.ben().id);
        let terms = json!({"game": "amazons", "size": "6x6", "first": "me", "ai": "easy", "team": team});
        let table = open(&ada, games, &terms).await;
        let thread = ada.wait_for_thread(games, &table).await.unwrap();
        let board = ada.wait_for(thread, "the board", |it| it.button("Open board").is_some()).await.unwrap();
        (table, board)
    }

    /// Opens it with a client secret that may be wrong.
    pub(super) async fn with_secret(secret: Option<&str>) -> PlaySite {
        PlaySite::with_settings(|settings| settings.client_secret = secret.map(client_secret)).await
    }

    /// Opens a site whose pages are reached through a connection that can be cut.
    pub(crate) async fn with_connection() -> (PlaySite, Connection) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let connection = Connection::to(listener.local_addr().unwrap()).await;
        let base = format!("http://{}", connection.address());
        (PlaySite::at(listener, base, |_| ()).await, connection)
    }

    /// Opens a site with an Activity, whose pages are reached through a connection that can be cut. `is_mapped` says whether
    /// Discord knows where they are.
    pub(super) async fn with_activity(is_mapped: bool) -> (PlaySite, Connection) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let connection = Connection::to(listener.local_addr().unwrap()).await;
        let base = format!("http://{}", connection.address());
        let site = PlaySite::at(listener, base, |settings| settings.activity = true).await;
        if is_mapped {
            site.bot.playground.map_activity(connection.address());
        }
        (site, connection)
    }

    /// Opens it with other settings.
    pub(super) async fn with_settings(change: impl FnOnce(&mut Settings)) -> PlaySite {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        PlaySite::at(listener, base, change).await
    }

    async fn at(
        listener: tokio::net::TcpListener,
        base: String,
        change: impl FnOnce(&mut Settings),
    ) -> PlaySite {
        let mut plan = TestSetup::default();
        plan.settings.web = Some(base.clone());
        plan.settings.client_secret = Some(client_secret(SECRET));
        change(&mut plan.settings);
        plan.options.client_secret = Some(SECRET.to_owned());
        plan.options.redirects = vec![format!("{base}{}", web::REDIRECT)];
        let bot = TestBot::of(plan).await;
        let web = Web {
            registry: bot.registry.clone(),
            drawing: Drawing::with_tasks(Painter::new(), Default::default(), bot.registry.tasks().clone()),
            names: Names::embedded(),
            words: Localizer::english(),
            theme: "walnut".into(),
            address: Some(base.clone()),
            discord_side: bot.discord_side.clone(),
        };
        let limits = Limits { requests_per_minute: 0, ..Limits::default() };
        tokio::spawn(web::page_server(listener, web, limits).serve(std::future::pending()));
        PlaySite { bot, base }
    }

    /// Presses *Open board* below a board; returns the link.
    pub(crate) async fn link(&self, who: &Person, board: &VisibleMessage) -> String {
        let answer = self.bot.press(who, board, "Open board").await;
        assert!(answer.is_ephemeral(), "for the person alone");
        let url = answer.json["components"][0]["components"][0]["url"].as_str();
        url.unwrap_or_else(|| panic!("no link: {}", answer.json)).to_owned()
    }

    /// Signs a browser in.
    pub(super) async fn sign_in(&self, who: &Person, board: &VisibleMessage) -> Visitor {
        let link = self.link(who, board).await;
        let mut visitor = Visitor::new();
        let signed_in = visitor.post(&link, &[]).await;
        assert_eq!(signed_in.status(), StatusCode::SEE_OTHER);
        visitor.keep_cookie(&signed_in);
        visitor
    }
}

fn client_secret(secret: &str) -> ClientSecret {
    ClientSecret(secret.to_owned())
}

/// A browser, as far as its requests show it.
pub(crate) struct Visitor {
    client: Client,
    pub(super) cookie: Option<String>,
}

impl Visitor {
    pub(crate) fn new() -> Visitor {
        Visitor { client: Client::builder().redirect(Policy::none()).build().unwrap(), cookie: None }
    }

    pub(crate) fn keep_cookie(&mut self, answer: &Response) {
        let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
        self.cookie = Some(cookie.split(';').next().unwrap().to_owned());
    }

    /// Keeps all cookies, also those of one address.
    pub(super) fn keep_cookies(&mut self, answer: &Response) {
        let all = answer.headers().get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap());
        let pairs: Vec<_> = all.filter_map(|cookie| cookie.split(';').next()).collect();
        self.cookie = Some(pairs.join("; "));
    }

    pub(crate) async fn get(&self, address: &str) -> Response {
        self.get_with(address, &[]).await
    }

    /// Gets it as browsers do, which take it compressed.
    async fn get_compressed(&self, address: &str) -> Response {
        self.get_with(address, &[(ACCEPT_ENCODING.as_str(), "gzip, deflate, br, zstd")]).await
    }

    async fn get_with(&self, address: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = self.client.get(address);
        if let Some(cookie) = &self.cookie {
            request = request.header(COOKIE, cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.unwrap()
    }

    pub(crate) async fn post(&self, address: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = self.client.post(address);
        if let Some(cookie) = &self.cookie {
            request = request.header(COOKIE, cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.unwrap()
    }

    /// Returns the data in a table's page.
    pub(crate) async fn data(&self, page: &str) -> Value {
        let answer = self.get(page).await;
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert_eq!(status, StatusCode::OK, "{page}: {text}");
        let data =
            text.split("type=\"application/json\">").nth(1).unwrap().split("</script>").next().unwrap();
        serde_json::from_str(data).unwrap()
    }

    /// Sends an order as the page does; returns the status and the answer.
    pub(crate) async fn order(&self, page: &str, query: &str) -> (StatusCode, Value) {
        let token = self.data(page).await["token"].as_str().unwrap().to_owned();
        let headers = [("x-rookery-page", token.as_str()), ("sec-fetch-site", "same-origin")];
        let answer = self.post(&format!("{page}/order?{query}"), &headers).await;
        let status = answer.status();
        (status, answer.json().await.unwrap())
    }
}

/// What a browser loads for a board.
const FILES: [&str; 23] = [
    "play.css",
    "play.js",
    "shown.js",
    "choosing.js",
    "variations.js",
    "orders.js",
    "live.js",
    "board-view.js",
    "after-game.js",
    "sound-button.js",
    "board.js",
    "off-board.js",
    "drag.js",
    "moves.js",
    "navigation.js",
    "record.js",
    "hint.js",
    "request.js",
    "panels.js",
    "players.js",
    "dom.js",
    "double-press.js",
    "storage.js",
];

/// An order's id.
pub(crate) fn id(number: u32) -> String {
    format!("id=order-number-{number:08}")
}

#[tokio::test(flavor = "multi_thread")]
async fn play_link_signs_one_browser_in_once() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let link = site.link(&duel.ada, &duel.board).await;
    let mut visitor = Visitor::new();
    for _ in 0..2 {
        let page = visitor.get(&link).await;
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.headers()["cache-control"], "private, no-store");
        let text = page.text().await.unwrap();
        assert!(text.contains("Sign in as Ada (@ada)"), "it says who: {text}");
        assert!(text.contains("<form") && !text.contains("<script"), "nothing is sent by itself: {text}");
    }
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        assert_eq!(visitor.post(&link, &[(name, value)]).await.status(), StatusCode::FORBIDDEN, "{name}");
    }
    let all = futures_util::future::join_all((0..4).map(|_| visitor.post(&link, &[]))).await;
    let (mut in_, gone): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|answer| answer.status() == StatusCode::SEE_OTHER);
    assert_eq!((in_.len(), gone.len()), (1, 3), "of several at once, one");
    assert!(gone.iter().all(|answer| answer.status() == StatusCode::GONE));
    let signed_in = in_.remove(0);
    assert_eq!(signed_in.headers()[LOCATION].to_str().unwrap(), format!("/play/{}", duel.table));
    let cookie = signed_in.headers()[SET_COOKIE].to_str().unwrap().to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "the address is not https");
    visitor.keep_cookie(&signed_in);
    let data = visitor.data(&format!("{}/play/{}", site.base, duel.table)).await;
    assert_eq!((&data["state"]["mine"], &data["state"]["ply"]), (&json!(true), &json!(0)));
    assert_eq!(Visitor::new().get(&format!("{}/play", site.base)).await.status(), StatusCode::UNAUTHORIZED);

    // Ten minutes later a link no longer works.
    let late = site.link(&duel.ada, &duel.board).await;
    site.bot.advance(Duration::from_secs(601)).await;
    assert_eq!(Visitor::new().post(&late, &[]).await.status(), StatusCode::GONE);
    assert_eq!(Visitor::new().get(&late).await.status(), StatusCode::GONE);
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_orders_pass_the_same_checks_and_are_carried_out_once() {
    let site = PlaySite::open().await;
    let mut duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let text = duel.any_move();
    let first = format!("kind=move&ply=0&text={text}&{}", id(1));

    let plain = ada.post(&format!("{page}/order?{first}"), &[]).await;
    assert_eq!(plain.status(), StatusCode::FORBIDDEN, "without the page's token");
    let token = ada.data(&page).await["token"].as_str().unwrap().to_owned();
    let forged = [("x-rookery-page", token.as_str()), ("sec-fetch-site", "cross-site")];
    assert_eq!(ada.post(&format!("{page}/order?{first}"), &forged).await.status(), StatusCode::FORBIDDEN);
    let (status, _) = ben.order(&page, &first).await;
    assert_eq!(status, StatusCode::CONFLICT, "it is not his turn");
    let (status, answer) = ada.order(&page, &format!("kind=move&ply=0&text=a1-a9&{}", id(2))).await;
    assert!(status == StatusCode::CONFLICT && !answer["said"].as_str().unwrap().is_empty(), "{answer}");
    assert_eq!(site.bot.table(&duel.table).await.ply(), 0);

    let (status, answer) = ada.order(&page, &first).await;
    assert_eq!((status, &answer["state"]["mine"]), (StatusCode::OK, &json!(false)), "{answer}");
    duel.see(&text).await;
    let (status, _) = ada.order(&page, &first).await;
    assert_eq!(status, StatusCode::OK, "the same order again is no other one");
    assert_eq!(site.bot.table(&duel.table).await.ply(), 1);
    let (status, answer) = ada.order(&page, &format!("kind=move&ply=0&text={text}&{}", id(3))).await;
    assert!(status == StatusCode::CONFLICT, "{answer}");

    // On Discord and on the page the game is the same.
    let reply = duel.any_move();
    ben.order(&page, &format!("kind=move&ply=1&text={reply}&{}", id(4))).await;
    duel.see(&reply).await;
    let (status, answer) = ada.order(&page, &format!("kind=move&ply=0&text={text}&{}", id(5))).await;
    let said = answer["said"].as_str().unwrap();
    assert!(status == StatusCode::CONFLICT && said.contains("moved on"), "{answer}");
    let (status, answer) = ben.order(&page, &format!("kind=resign&number=1&{}", id(6))).await;
    assert_eq!((status, &answer["state"]["over"]), (StatusCode::OK, &json!(true)), "{answer}");
    assert!(answer["state"]["headline"].as_str().unwrap().contains("White"), "{answer}");
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_page_shows_only_what_discord_shows() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    // Everybody reads the channel, so Cleo watches; she has no hands.
    let cleo = site.sign_in(&site.bot.cleo(), &duel.board).await;
    let data = cleo.data(&page).await;
    assert_eq!((&data["state"]["mine"], &data["state"]["steps"]), (&json!(false), &Value::Null));
    assert_eq!(data["state"]["actions"], json!([]));
    let (status, _) = cleo.order(&page, &format!("kind=move&ply=0&text=a2-a3/a4&{}", id(1))).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let half = cleo.get(&format!("{page}/after?ply=0&steps=d1")).await;
    assert_eq!(half.status(), StatusCode::BAD_REQUEST);
    assert!(
        half.text().await.unwrap().contains("Reload it to see the latest board."),
        "in words for the web"
    );

    // A game in Ben's direct messages is his alone.
    let dm = duel.ben.dm();
    let own = open(&duel.ben, dm, &json!({"game": "amazons", "size": "6x6", "ai": "random"})).await;
    for gone in [own.as_str(), "ZZZZ", "x"] {
        let answer = cleo.get(&format!("{}/play/{gone}", site.base)).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{gone}");
        assert!(
            answer.text().await.unwrap().contains("There's no such game, or you can't see it."),
            "{gone}"
        );
        assert_eq!(
            cleo.get(&format!("{}/play/{gone}/events", site.base)).await.status(),
            StatusCode::NOT_FOUND
        );
    }
    let ben = site.sign_in(&duel.ben, &duel.board).await;
    ben.data(&format!("{}/play/{own}", site.base)).await;
    let mine = ben.get(&format!("{}/play", site.base)).await.text().await.unwrap();
    assert!(mine.contains(&own) && mine.contains(&duel.table), "his games");
    assert!(mine.find(&own) < mine.find(&duel.table), "the one that waits for him first");
    let next = ben.get(&format!("{}/play/next?after={}", site.base, duel.table)).await;
    assert_eq!(next.headers()[LOCATION].to_str().unwrap(), format!("/play/{own}"));
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_sessions_end_when_they_are_revoked() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let mut heard = ada.get(&format!("{page}/events")).await;
    let first = String::from_utf8(heard.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    let entry = site.bot.table(&duel.table).await.sequence();
    assert!(first.contains(&format!("data: {entry}")), "{first}");
    let settings = duel.ada.slash(site.bot.games(), "settings", &json!({})).unwrap().message().await.unwrap();
    let told = site.bot.press_private(&duel.ada, &settings, "Sign out browsers").await;
    assert!(told.content().contains("1 browser"), "{}", told.content());
    assert!(heard.chunk().await.unwrap().is_none(), "the stream ends");
    assert_eq!(ada.get(&page).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(ada.get(&format!("{page}/state")).await.status(), StatusCode::UNAUTHORIZED);

    // A session that is unused for a month has expired.
    let again = site.sign_in(&duel.ada, &duel.board).await;
    let month = Duration::from_secs(31 * 24 * 3_600);
    site.bot.playground.clock().advance(month);
    assert_eq!(again.get(&page).await.status(), StatusCode::UNAUTHORIZED);
    site.bot.stop_early().await;
}

/// Positions of the game are for everybody who sees it; trying moves and the engine only for those who may.
#[tokio::test(flavor = "multi_thread")]
async fn play_positions_and_lines_are_only_for_those_who_may_have_them() {
    let site = PlaySite::open().await;
    let mut duel = Duel::begin(&site.bot).await;
    for _ in 0..2 {
        duel.turn(&site.bot, crate::duel::Way::Mention).await;
    }
    let page = format!("{}/play/{}", site.base, duel.table);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let ben = site.sign_in(&duel.ben, &duel.board).await;
    let cleo = site.sign_in(&site.bot.cleo(), &duel.board).await;
    let first = duel.play.record().remove(0);
    let now: Value = cleo.get(&format!("{page}/position?ply=1")).await.json().await.unwrap();
    assert_eq!(now["text"], json!(duel.play.at_ply(1).text_board()));
    assert_eq!((&now["turn"], &now["steps"]), (&json!(1), &Value::Null));
    assert_eq!(now["played"], json!(format!("White played {first}")));

    let status =
        async |who: &Visitor, query: &str| who.get(&format!("{page}/position?{query}")).await.status();
    // It's Ada's turn, so Ben may plan, and nobody else may try moves.
    assert_eq!(status(&ben, "ply=2&tries=true").await, StatusCode::OK);
    for who in [&ada, &cleo] {
        assert_eq!(status(who, "ply=2&tries=true").await, StatusCode::BAD_REQUEST);
    }
    let legal = duel.play.moves().remove(0);
    assert_eq!(status(&cleo, &format!("ply=2&line={legal}")).await, StatusCode::OK);
    let long = vec![legal.clone(); 100].join(",");
    for query in
        ["ply=3", "ply=2&line=a1-a9/z3", "line=x", "ply=-1", "ply=2&line=,,x", &format!("ply=2&line={long}")]
    {
        assert_eq!(status(&ben, query).await, StatusCode::BAD_REQUEST, "{query}");
    }
    let lines = format!("{page}/lines?ply=1");
    assert_eq!(ada.post(&lines, &[]).await.status(), StatusCode::FORBIDDEN, "without the page's token");
    let token = ada.data(&page).await["token"].as_str().unwrap().to_owned();
    let own = [("x-rookery-page", token.as_str()), ("sec-fetch-site", "same-origin")];
    assert_eq!(ada.post(&lines, &own).await.status(), StatusCode::CONFLICT, "not during the game");

    let (status_after, _) = ben.order(&page, &format!("kind=resign&number=1&{}", id(1))).await;
    assert_eq!(status_after, StatusCode::OK);
    let found: Value = ada.post(&lines, &own).await.json().await.unwrap();
    let best = found["lines"][0]["moves"][0].as_str().unwrap().to_owned();
    assert!(duel.play.at_ply(1).moves().contains(&best), "{found}");
    lines_of_variations(&ada, &lines, &own, duel.play.at_ply(1)).await;
    assert_eq!(status(&cleo, "ply=0&tries=true").await, StatusCode::OK, "after the game everybody may try");
    let tinted: Value =
        cleo.get(&format!("{page}/position?ply=1&territory=true")).await.json().await.unwrap();
    assert!(!tinted["legend"].as_str().unwrap().is_empty(), "{tinted}");
    site.bot.stop().await;
}

/// The engine's lines at a position beside the game, and what is no such position.
async fn lines_of_variations(
    visitor: &Visitor,
    lines: &str,
    own: &[(&str, &str)],
    mut play: Box<dyn rookery_core::Play>,
) {
    let mine = play.moves().remove(7);
    let found: Value = visitor.post(&format!("{lines}&line={mine}"), own).await.json().await.unwrap();
    play.play(&mine).unwrap();
    let best = found["lines"][0]["moves"][0].as_str().unwrap();
    assert!(play.moves().contains(&best.to_owned()), "{found} at {}", play.line());
    for wrong in ["line=x", "line=a1-a9/z3", &format!("line={mine},{mine}")] {
        let answer = visitor.post(&format!("{lines}&{wrong}"), own).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{wrong}");
    }
}

/// Every game, and the largest board: the page with its first board and the tree of moves, and all files, as a browser gets them.
#[tokio::test(flavor = "multi_thread")]
async fn play_page_of_every_game_stays_under_150_kb() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ben = site.sign_in(&duel.ben, &duel.board).await;
    let of_all = rookery_games::all().iter().map(|game| json!({"game": game.info().key, "ai": "random"}));
    for terms in of_all.chain([json!({"game": "amazons", "size": "12x12", "ai": "random"})]) {
        let table = open(&duel.ben, duel.ben.dm(), &terms).await;
        let page = ben.get_compressed(&format!("{}/play/{table}", site.base)).await;
        assert!(
            !page.headers().contains_key(CONTENT_ENCODING),
            "how much it shrinks would say what is in it"
        );
        let text = page.text().await.unwrap();
        let mut bytes = text.len();
        let version = text.split("/play/files/").nth(1).unwrap().split('/').next().unwrap();
        for file in FILES {
            let file = ben.get_compressed(&format!("{}/play/files/{version}/{file}", site.base)).await;
            assert!(file.headers()["cache-control"].to_str().unwrap().contains("immutable"));
            bytes += file.bytes().await.unwrap().len();
        }
        assert!(bytes < 150_000, "{terms}: {bytes} bytes");
        assert!(!text.contains("style=") && !text.contains("onclick"), "nothing that the policy forbids");
    }
    site.bot.stop_early().await;
}
