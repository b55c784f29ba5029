//! The pages that show games in a browser: asked for as a browser does, and watched in one.

use std::sync::Arc;

use async_trait::async_trait;
use rookery::games;
use rookery::kit::Seat;
use rookery::kit::player::Level;
use rookery::kit::seed::Chance;
use rookery::render::{Names, Painter};
use rookery::table::hall::Hall;
use rookery::table::ports::Census;
use rookery::table::{By, Home, Occupant, Order, Person, TableId, Terms};
use rookery::web::{self, Web};
use rookery::words::Words;

use crate::browser::{Browser, in_a_browser};
use crate::house::hall_alone;

/// The arrow key, as WebDriver writes it.
const LEFT: &str = "\u{E012}";

const ADA: Person = Person(11);
const BEN: Person = Person(12);
/// A channel that not everybody reads.
const STAFF: u64 = 79;

/// Everybody reads every channel but one.
struct Closed(u64);

#[async_trait]
impl Census for Closed {
    async fn has_lost(&self, _: u64, _: u64, _: Person) -> bool {
        false
    }

    async fn is_open(&self, channel: u64) -> bool {
        channel != self.0
    }
}

struct Site {
    hall: Arc<Hall>,
    base: String,
    table: TableId,
}

impl Site {
    /// A game of three turns, and its page.
    async fn open() -> Site {
        let hall = hall_alone();
        hall.ask_outside(Arc::new(Closed(STAFF)));
        let terms = Terms {
            game: "amazons".into(),
            options: [("size".to_owned(), "6x6".to_owned())].into(),
            seed: 1,
            guild: Some(77),
            channel: 78,
            thread: false,
            rated: false,
            ..Terms::default()
        };
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let table = hall.open(terms, ADA, chairs, None).await.unwrap().table.id();
        hall.order(table, By::House, Order::House(Home { channel: 78, thread: false }), None).await.unwrap();
        let mut site = Site { hall, base: String::new(), table };
        for _ in 0..3 {
            site.play().await;
        }
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        site.base = format!("http://{}", listener.local_addr().unwrap());
        let web = Web {
            hall: site.hall.clone(),
            painter: Painter::new(),
            names: Names::carried(),
            words: Words::english(),
            theme: "walnut".into(),
            address: Some("https://games.example".into()),
        };
        tokio::spawn(web::serve(listener, web, std::future::pending()));
        site
    }

    /// The first legal move of whoever is to move.
    async fn play(&self) {
        let table = self.hall.see(self.table).await.unwrap();
        let who = table.to_move().and_then(|seat| table.occupant(seat)).and_then(Occupant::person).unwrap();
        let text = table.play().unwrap().moves().remove(0);
        self.hall.order(self.table, By::Person(who), Order::Move { text, ply: None }, None).await.unwrap();
    }

    /// Another game, a few turns after its start.
    async fn another(&self, game: &str, seats: usize) -> TableId {
        let terms = Terms { game: game.into(), seed: 1, guild: Some(77), channel: 78, ..Terms::default() };
        let chairs = (0..seats as u64).map(|seat| Occupant::Human { person: Person(11 + seat) }).collect();
        let table = self.hall.open(terms, ADA, chairs, None).await.unwrap().table.id();
        let mut chance = Chance::new(5);
        for _ in 0..16 {
            let now = self.hall.see(table).await.unwrap();
            let Some(seat) = now.to_move() else { break };
            let who = now.occupant(seat).and_then(Occupant::person).unwrap();
            let text = chance.pick(&now.play().unwrap().moves()).unwrap().clone();
            self.hall.order(table, By::Person(who), Order::Move { text, ply: None }, None).await.unwrap();
        }
        table
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        reqwest::get(format!("{}{path}", self.base)).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_whole_in_one_answer_and_keeps_people_to_themselves() {
    let site = Site::open().await;
    let answer = site.get(&format!("/table/{}", site.table)).await;
    assert!(answer.headers()["content-security-policy"].to_str().unwrap().contains("default-src 'none'"));
    let page = answer.text().await.unwrap();
    assert!(page.len() < 100_000, "{} bytes", page.len());
    let table = site.hall.see(site.table).await.unwrap();
    let play = table.play().unwrap();
    assert!(page.contains("data:image/png;base64,") && page.contains(&play.line()), "{page}");
    assert!(play.record().iter().all(|text| page.contains(text)), "the record is there");
    assert!(page.contains("White") && !page.contains("&lt;@11"), "sides, not people");
}

/// Nobody could tell which of three alike is meant.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_says_which_side_the_program_plays() {
    let site = Site::open().await;
    let terms = Terms { game: "penguins".into(), seed: 1, guild: Some(77), channel: 78, ..Terms::default() };
    let program = Occupant::Ai { level: Level::Easy };
    let chairs = vec![Occupant::Human { person: ADA }, program, program];
    let table = site.hall.open(terms, ADA, chairs, None).await.unwrap().table;
    let words = Words::english();
    let sides: Vec<_> = Seat::all(3).map(|seat| words.side(table.play().unwrap(), seat)).collect();
    let [own, second, third] = &sides[..] else { unreachable!() };
    let page = site.get(&format!("/table/{}", table.id())).await.text().await.unwrap();
    let players = format!("{own} – Rookery (easy) as {second} – Rookery (easy) as {third}");
    assert!(page.contains(&players), "{players} is not in {page}");
}

/// Every game with as few and as many as can play it, some turns after its start.
#[tokio::test(flavor = "multi_thread")]
async fn no_games_page_is_longer_than_a_hundred_thousand_bytes_with_its_first_board() {
    let site = Site::open().await;
    for about in games::ALL.iter().map(|game| game.about()) {
        for seats in [about.fewest(), about.seats.iter().copied().max().unwrap()] {
            let table = site.another(about.key, seats).await;
            let page = site.get(&format!("/table/{table}")).await.text().await.unwrap();
            assert!(page.contains("data:image/png;base64,"), "{} for {seats}", about.key);
            assert!(page.len() < 100_000, "{} for {seats}: {} bytes", about.key, page.len());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_moment_can_be_asked_for_and_what_is_not_there_says_so() {
    let site = Site::open().await;
    let table = format!("/table/{}", site.table);
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
    let record = rookery::games::record::Record::read(&record).unwrap();
    assert_eq!(record.replay().unwrap().ply(), 3);
    let server = site.get("/server/77").await.text().await.unwrap();
    assert!(server.contains(&table) && !site.get("/server/76").await.text().await.unwrap().contains(&table));
    for gone in ["/table/ZZZZ", "/table/...", "/server/x", "/table", "/table/ZZZZ/events"] {
        let answer = site.get(gone).await;
        assert!([400, 404].contains(&answer.status().as_u16()), "{gone}: {}", answer.status());
    }
}

/// Who comes to the root has no game's address, and may be anybody: no game is named there, nor any server.
#[tokio::test(flavor = "multi_thread")]
async fn the_root_says_what_this_is_and_names_no_game() {
    let site = Site::open().await;
    let answer = site.get("/").await;
    assert!(answer.status().is_success(), "{}", answer.status());
    let page = answer.text().await.unwrap();
    assert!(page.contains("Rookery is a Discord bot") && page.contains("/table/K7Q2"), "{page}");
    assert!(!page.contains("Nothing is here") && !page.contains("href=\"/"), "{page}");
    assert!(!page.contains(site.table.as_str()) && !page.contains("/server/77"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_page_names_no_game_of_a_channel_that_is_closed_to_somebody() {
    let site = Site::open().await;
    let opened = async |channel, home| {
        let terms = Terms { game: "amazons".into(), guild: Some(77), channel, ..Terms::default() };
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let table = site.hall.open(terms, ADA, chairs, None).await.unwrap().table.id();
        site.hall.order(table, By::House, Order::House(home), None).await.unwrap();
        format!("/table/{table}")
    };
    // A thread is read by those who read the channel it hangs under; a game may have moved since.
    let closed = [
        opened(STAFF, Home { channel: STAFF, thread: false }).await,
        opened(STAFF, Home { channel: 501, thread: true }).await,
        opened(78, Home { channel: STAFF, thread: false }).await,
    ];
    let open = opened(STAFF, Home { channel: 78, thread: false }).await;
    let server = site.get("/server/77").await.text().await.unwrap();
    assert!(server.contains(&open) && server.contains(&format!("/table/{}", site.table)));
    for table in &closed {
        assert!(!server.contains(table), "{table}");
        assert!(site.get(table).await.status().is_success(), "who has its address can watch it");
    }
}

/// A page whose line was lost meanwhile learns what it has missed.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_listens_hears_at_once_how_it_stands() {
    let site = Site::open().await;
    let now = site.hall.see(site.table).await.unwrap();
    let mut heard = site.get(&format!("/table/{}/events", site.table)).await;
    let first = String::from_utf8(heard.chunk().await.unwrap().unwrap().to_vec()).unwrap();
    assert!(first.contains("data: 3") && first.contains(&format!("id: {}", now.sequence())), "{first}");
    let page = site.get(&format!("/table/{}", site.table)).await.text().await.unwrap();
    assert!(
        page.contains(&format!("data-entry=\"{}\"", now.sequence())),
        "the page knows what it was made after"
    );
    let picture = format!("https://games.example/table/{}/card.png", site.table);
    assert!(page.contains(&picture), "the whole address of the picture beside a link");
    let step = site.get(&format!("/table/{}/step", site.table)).await.text().await.unwrap();
    let step: serde_json::Value = serde_json::from_str(&step).unwrap();
    let moves = now.play().unwrap().record();
    assert!(moves.iter().all(|text| step["record"].as_str().unwrap().contains(text)), "{step}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_game_goes_on_in_the_browser_and_keys_step() {
    let site = Site::open().await;
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| watch(browser, &site).await).await;
}

async fn watch(browser: &Browser, site: &Site) {
    browser.client.goto(&format!("{}/table/{}", site.base, site.table)).await.unwrap();
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

/// What a browser sees that runs no script: links that lead from board to board.
#[tokio::test(flavor = "multi_thread")]
async fn without_scripts_links_step() {
    let site = Site::open().await;
    let address = format!("/table/{}", site.table);
    let page = site.get(&address).await.text().await.unwrap();
    for link in ["?ply=0", "?ply=2", "?ply=3&amp;territory=true"] {
        assert!(page.contains(&format!("href=\"{address}{link}\"")), "{link}: {page}");
    }
    let back = site.get(&format!("{address}?ply=2")).await.text().await.unwrap();
    assert!(back.contains("2 / 3 ·") && back.contains(&format!("href=\"{address}?ply=1\"")));
}
