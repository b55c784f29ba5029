//! The web pages of games: requested directly, and shown in a browser.

mod accessibility;
mod accessibility_in_frame;
mod activity;
mod activity_in_browser;
mod annotations;
mod annotations_in_browser;
pub(crate) mod browser_driver;
mod browser_fingers;
mod browser_games;
mod browser_layout;
mod browser_off_board;
mod browser_panels;
mod browser_phones;
mod browser_settings;
mod browser_steps;
mod browser_storage;
mod connection;
mod discord_sign_in;
mod hints;
mod hints_in_browser;
mod links;
mod other_person;
mod own_games;
mod page_orders;
pub(crate) mod play;
mod play_in_browser;
mod proofs;
mod rules;
mod set_up_edits;
mod set_up_positions;
mod sheets;
mod used_links;

use std::sync::Arc;

use async_trait::async_trait;
use rookery::drawing::Drawing;
use rookery::http_server::Limits;
use rookery::web::{self, Web};
use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_core::seed::SeededRng;
use rookery_i18n::Localizer;
use rookery_render::{Names, Painter};
use rookery_table::ports::{Journal, MembershipSource};
use rookery_table::registry::TableRegistry;
use rookery_table::testing::MemoryJournal;
use rookery_table::{
    Actor, BoardChannel, ChannelId, GuildId, LeavePolicy, Occupant, Order, RoleId, TableId, Terms, UserId,
};

use crate::browser::{Browser, in_a_browser};
use crate::test_bot::registry_without_bot;

/// The left arrow key, in WebDriver's encoding.
const LEFT: &str = "\u{E012}";

const ADA: UserId = UserId(11);
const BEN: UserId = UserId(12);
/// A channel that only some people can read.
const STAFF: u64 = 79;
/// The server in which the games are played.
const GUILD: u64 = 77;

/// A membership source in which everybody reads every channel but one.
struct Closed(ChannelId);

#[async_trait]
impl MembershipSource for Closed {
    async fn has_lost_role(&self, _: GuildId, _: RoleId, _: UserId) -> bool {
        false
    }

    async fn is_public(&self, channel: ChannelId) -> bool {
        channel != self.0
    }
}

struct Site {
    registry: Arc<TableRegistry>,
    base: String,
    table: TableId,
    /// The path of the game's page: the link that Ada shares.
    page: String,
}

impl Site {
    /// Opens a site with a game of three turns.
    async fn open() -> Site {
        Site::on(Arc::new(MemoryJournal::default())).await
    }

    /// Opens it on a journal.
    async fn on(journal: Arc<dyn Journal>) -> Site {
        let registry = registry_without_bot(journal);
        registry.set_membership_source(Arc::new(Closed(ChannelId(STAFF))));
        let terms = Terms {
            game: "amazons".into(),
            options: [("size".to_owned(), "6x6".to_owned())].into(),
            seed: 1,
            guild: Some(GuildId(77)),
            channel: ChannelId(78),
            thread: false,
            rated: false,
            ..Terms::default()
        };
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let table = registry.open(terms, ADA, chairs, None).await.unwrap().table.id();
        registry
            .order(
                table,
                Actor::System,
                Order::SetBoardChannel(BoardChannel { channel: ChannelId(78), thread: false }),
                None,
            )
            .await
            .unwrap();
        let mut site = Site { registry, base: String::new(), table, page: String::new() };
        site.page = site.share(table).await;
        for _ in 0..3 {
            site.play().await;
        }
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        site.base = format!("http://{}", listener.local_addr().unwrap());
        let web = Web {
            registry: site.registry.clone(),
            drawing: Drawing::with_tasks(Painter::new(), Default::default(), site.registry.tasks().clone()),
            names: Names::embedded(),
            words: Localizer::english(),
            theme: "walnut".into(),
            address: Some("https://games.example".into()),
            discord_side: Default::default(),
        };
        let server = web::page_server(listener, web, Limits::default());
        tokio::spawn(server.serve(std::future::pending()));
        site
    }

    /// Ada shares a game; returns the path of its page.
    async fn share(&self, table: TableId) -> String {
        let table = self.registry.table(table).await.unwrap();
        format!("/g/{}", self.registry.share(&table, ADA).await.unwrap().token.as_str())
    }

    /// Returns the paths that the server's setting shares: the list of its games, and a game.
    async fn public(&self, table: TableId) -> (String, String) {
        let table = self.registry.table(table).await.unwrap();
        let list = self.registry.server_link(GuildId(GUILD)).await.unwrap().expect("the setting is on");
        let game = self.registry.public_link(&table).await.unwrap().expect("the setting is on");
        (format!("/s/{}", list.token.as_str()), format!("/g/{}", game.token.as_str()))
    }

    /// Plays the first legal move of the player to move.
    async fn play(&self) {
        let table = self.registry.table(self.table).await.unwrap();
        let who = table.to_move().and_then(|seat| table.occupant(seat)).and_then(Occupant::person).unwrap();
        let text = table.play().unwrap().moves().remove(0);
        self.registry
            .order(self.table, Actor::Person(who), Order::Move { text, ply: None }, None)
            .await
            .unwrap();
    }

    /// Opens another game and plays a few turns.
    async fn another(&self, game: &str, seats: usize) -> TableId {
        let terms = Terms {
            game: game.into(),
            seed: 1,
            guild: Some(GuildId(77)),
            channel: ChannelId(78),
            ..Terms::default()
        };
        let chairs = (0..seats as u64).map(|seat| Occupant::Human { person: UserId(11 + seat) }).collect();
        let table = self.registry.open(terms, ADA, chairs, None).await.unwrap().table.id();
        let mut rng = SeededRng::new(5);
        for _ in 0..16 {
            let now = self.registry.table(table).await.unwrap();
            let Some(seat) = now.to_move() else { break };
            let who = now.occupant(seat).and_then(Occupant::person).unwrap();
            let text = rng.pick(&now.play().unwrap().moves()).unwrap().clone();
            self.registry
                .order(table, Actor::Person(who), Order::Move { text, ply: None }, None)
                .await
                .unwrap();
        }
        table
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        reqwest::get(format!("{}{path}", self.base)).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn web_page_arrives_whole_and_names_no_people() {
    let site = Site::open().await;
    let answer = site.get(&site.page).await;
    assert!(answer.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
    let page = answer.text().await.unwrap();
    assert!(page.len() < 100_000, "{} bytes", page.len());
    let table = site.registry.table(site.table).await.unwrap();
    let play = table.play().unwrap();
    assert!(page.contains("data:image/png;base64,") && page.contains(&play.line()), "{page}");
    assert!(play.record().iter().all(|text| page.contains(text)), "the record is there");
    assert!(page.contains("White") && !page.contains("&lt;@11"), "sides, not people");
    assert!(page.contains("<a href=\"/play/rules/amazons\">Rules of this game</a>"), "{page}");
}

/// With three players of the same name, only the side tells them apart.
#[tokio::test(flavor = "multi_thread")]
async fn web_page_names_the_side_of_the_program() {
    let site = Site::open().await;
    let terms = Terms {
        game: "penguins".into(),
        seed: 1,
        guild: Some(GuildId(77)),
        channel: ChannelId(78),
        ..Terms::default()
    };
    let program = Occupant::Ai { level: Level::Easy };
    let chairs = vec![Occupant::Human { person: ADA }, program, program];
    let table = site.registry.open(terms, ADA, chairs, None).await.unwrap().table;
    let words = Localizer::english();
    let sides: Vec<_> = Seat::all(3).map(|seat| words.side(table.play().unwrap(), seat)).collect();
    let [own, second, third] = &sides[..] else { unreachable!() };
    let page = site.get(&site.share(table.id()).await).await.text().await.unwrap();
    let players = format!("{own} – Rookery (easy, {second}) – Rookery (easy, {third})");
    assert!(page.contains(&players), "{players} is not in {page}");
}

/// Every game with its fewest and its most players, some turns after the start.
#[tokio::test(flavor = "multi_thread")]
async fn web_page_of_every_game_stays_under_100_kb_with_its_first_board() {
    let site = Site::open().await;
    for about in rookery_games::all().iter().map(|game| game.info()) {
        for seats in [about.fewest(), about.seats.iter().copied().max().unwrap()] {
            let table = site.another(about.key, seats).await;
            let page = site.get(&site.share(table).await).await.text().await.unwrap();
            assert!(page.contains("data:image/png;base64,"), "{} for {seats}", about.key);
            assert!(page.len() < 100_000, "{} for {seats}: {} bytes", about.key, page.len());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn web_page_shows_every_ply_and_reports_a_missing_one() {
    let site = Site::open().await;
    let table = &site.page;
    for (query, ply) in [("?ply=0", 0), ("?ply=2", 2), ("?ply=99", 3), ("", 3), ("?ply=3&territory=true", 3)]
    {
        let step: serde_json::Value =
            serde_json::from_str(&site.get(&format!("{table}/step{query}")).await.text().await.unwrap())
                .unwrap();
        assert_eq!((step["ply"].as_u64(), step["last"].as_u64()), (Some(ply), Some(3)), "{query}");
    }
    for (path, kind) in
        [("card.png", "image/png"), ("board.png?ply=1", "image/png"), ("record.txt", "text/plain")]
    {
        let answer = site.get(&format!("{table}/{path}")).await;
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with(kind), "{path}");
    }
    let record = site.get(&format!("{table}/record.txt")).await.text().await.unwrap();
    let record = rookery_games::record::Record::read(&record).unwrap();
    assert_eq!(record.replay().unwrap().ply(), 3);
    let unknown = "A".repeat(22);
    for gone in ["/g/ZZZZ", "/g/...", "/g", "/s/x", &format!("/g/{unknown}"), &format!("/g/{unknown}/events")]
    {
        assert_eq!(site.get(gone).await.status(), 404, "{gone}");
    }
}

/// The picture and the text beside it are two pieces of work, each done once for all who ask.
#[tokio::test(flavor = "multi_thread")]
async fn web_steps_share_one_drawing_of_a_board() {
    let site = Site::open().await;
    let pieces = || {
        let tasks = site.registry.tasks().status();
        tasks.into_iter().find(|task| task.name == "drawing").map_or(0, |task| task.computed)
    };
    let mut counts = Vec::new();
    for path in ["step?ply=1", "step?ply=1", "board.png?ply=1"] {
        let before = pieces();
        assert_eq!(site.get(&format!("{}/{path}", site.page)).await.status(), 200, "{path}");
        counts.push(pieces() - before);
    }
    assert_eq!(counts, [2, 0, 0]);
}

/// Anybody can open the root without a game's address, so it names no game and no server.
#[tokio::test(flavor = "multi_thread")]
async fn web_root_explains_itself_and_names_no_game() {
    let site = Site::open().await;
    let answer = site.get("/").await;
    assert!(answer.status().is_success(), "{}", answer.status());
    let page = answer.text().await.unwrap();
    assert!(page.contains("Rookery is a Discord bot") && page.contains("/share"), "{page}");
    assert!(!page.contains("Nothing here") && !page.contains("href=\"/"), "{page}");
    assert!(!page.contains(site.table.as_str()) && !page.contains("/g/") && !page.contains("/s/"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn web_server_page_leaves_out_games_of_closed_channels() {
    let site = Site::open().await;
    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    let opened = async |channel, board_channel| {
        let terms = Terms { game: "amazons".into(), guild: Some(GuildId(77)), channel, ..Terms::default() };
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let table = site.registry.open(terms, ADA, chairs, None).await.unwrap().table.id();
        site.registry.order(table, Actor::System, Order::SetBoardChannel(board_channel), None).await.unwrap();
        table
    };
    // Readers of a channel can read its threads, and a game may have moved to another channel since.
    let closed = [
        opened(ChannelId(STAFF), BoardChannel { channel: ChannelId(STAFF), thread: false }).await,
        opened(ChannelId(STAFF), BoardChannel { channel: ChannelId(501), thread: true }).await,
        opened(ChannelId(78), BoardChannel { channel: ChannelId(STAFF), thread: false }).await,
    ];
    let open = opened(ChannelId(STAFF), BoardChannel { channel: ChannelId(78), thread: false }).await;
    let (list, game) = site.public(site.table).await;
    let server = site.get(&list).await.text().await.unwrap();
    assert!(server.contains(&game) && server.contains(&site.public(open).await.1), "{server}");
    assert!(!server.contains(&site.page), "a player's own link is nobody else's to give");
    for table in closed {
        let address = site.public(table).await.1;
        assert!(!server.contains(&address) && !server.contains(table.as_str()), "{table}");
        assert!(site.get(&address).await.status().is_success(), "who has its link can watch it");
    }
}

/// A page that reconnects gets the present state at once.
#[tokio::test(flavor = "multi_thread")]
async fn web_stream_sends_the_present_position_first() {
    let site = Site::open().await;
    let now = site.registry.table(site.table).await.unwrap();
    let mut heard = site.get(&format!("{}/events", site.page)).await;
    let first = String::from_utf8(heard.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(first.contains("data: 3") && first.contains(&format!("id: {}", now.sequence())), "{first}");
    let page = site.get(&site.page).await.text().await.unwrap();
    assert!(
        page.contains(&format!("data-entry=\"{}\"", now.sequence())),
        "the page knows what it was made after"
    );
    let picture = format!("https://games.example{}/card.png", site.page);
    assert!(page.contains(&picture), "the whole address of the picture beside a link");
    let step = site.get(&format!("{}/step", site.page)).await.text().await.unwrap();
    let step: serde_json::Value = serde_json::from_str(&step).unwrap();
    let moves = now.play().unwrap().record();
    assert!(moves.iter().all(|text| step["record"].as_str().unwrap().contains(text)), "{step}");
}

#[tokio::test(flavor = "multi_thread")]
async fn web_page_follows_a_running_game_and_steps_by_keys() {
    let site = Site::open().await;
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| watch(browser, &site).await).await;
}

async fn watch(browser: &Browser, site: &Site) {
    browser.client.goto(&format!("{}{}", site.base, site.page)).await.unwrap();
    let shown = async |want: &str| {
        browser
            .wait_until(&format!("document.getElementById('played').innerText.startsWith('{want}')"))
            .await;
    };
    let press = async |key: &str| browser.wait_for("body").await.send_keys(key).await.unwrap();
    shown("3 / 3").await;
    let before = browser.ask("document.getElementById('board').src").await;
    site.play().await;
    shown("4 / 4").await;
    assert_ne!(browser.ask("document.getElementById('board').src").await, before, "the picture follows");
    press(LEFT).await;
    shown("3 / 4").await;
    assert_eq!(browser.ask("document.getElementById('board').src").await, before, "and comes back");
    site.play().await;
    press(LEFT).await;
    shown("2 / 5").await;
    browser.click("#latest").await;
    shown("5 / 5").await;
    browser.client.set_window_size(1280, 757).await.unwrap();
    let fits = "(() => { const steps = document.querySelector('nav').getBoundingClientRect(), board = \
        document.getElementById('board').getBoundingClientRect(); return steps.bottom <= innerHeight && \
        board.height > innerHeight / 2 && Math.abs(board.width - board.height) < 2; })()";
    browser.wait_until(fits).await;
    let loaded = browser.ask("document.getElementById('board').naturalWidth").await;
    assert_eq!(loaded, 840, "the page's own rules let its picture in");
}

/// Without scripts, links lead from board to board.
#[tokio::test(flavor = "multi_thread")]
async fn web_page_steps_by_links_without_scripts() {
    let site = Site::open().await;
    let address = &site.page;
    let page = site.get(address).await.text().await.unwrap();
    for link in ["?ply=0", "?ply=2", "?ply=3&amp;territory=true"] {
        assert!(page.contains(&format!("href=\"{address}{link}\"")), "{link}: {page}");
    }
    let back = site.get(&format!("{address}?ply=2")).await.text().await.unwrap();
    assert!(back.contains("2 / 3 ·") && back.contains(&format!("href=\"{address}?ply=1\"")));
}

#[tokio::test]
async fn web_pictures_are_drawn_once_for_each_position() {
    let site = Site::open().await;
    let drawn = || {
        let tasks = site.registry.tasks().status();
        tasks.iter().find(|task| task.name == "drawing").map_or(0, |task| task.computed)
    };
    let address = |path: &str| format!("{}{}{path}", site.base, site.page);
    let mut seen = Vec::new();
    for _ in 0..3 {
        for path in ["/board.png", "/board.png?ply=1", "/card.png"] {
            let answer = reqwest::get(address(path)).await.unwrap();
            assert_eq!(answer.headers()["content-type"], "image/png");
            seen.push(answer.bytes().await.unwrap());
        }
    }
    assert_eq!(drawn(), 3, "each of them once");
    assert!(seen[..3] == seen[3..6] && seen[0] != seen[1] && seen[1] != seen[2]);
    site.play().await;
    let next = reqwest::get(address("/board.png")).await.unwrap().bytes().await.unwrap();
    assert!(next != seen[0] && drawn() == 4, "another board");
}
