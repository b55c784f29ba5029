//! Requests to the web pages: the target on the first line, then further lines of the head. An input that begins with a
//! NUL byte is sent as it is after that byte. `LINK` and `NOTES` stand for the tokens of a game and of a person's annotations,
//! `STUDY` for a finished game. A line `Note: …` sends the rest of it as an annotation, from the page of the person.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use rookery::drawing::{self, Drawing};
use rookery::http_server::Limits;
use rookery::web::{
    self, DiscordSide, DiscordSideSlot, DiscordSignIn, DiscordSignInError, FrameGrant, FramePlace,
    FrameToken, OpenedTable, PageOrder, PageOrderOutcome, Preferences, Refusal, Web,
};
use rookery_core::player::{Level, SearchRequest, SearchResult};
use rookery_core::scene::DrawOptions;
use rookery_core::{Analysis, Play, Seat};
use rookery_i18n::Localizer;
use rookery_render::{Names, Painter};
use rookery_table::annotation::{AnnotatedPosition, Annotation, MAX_COMMENT_CHARS, MAX_DRAWN, MAX_POSITIONS};
use rookery_table::digest::sha256_hex;
use rookery_table::ports::{Answer, Card, Clock, Job, Thinker, answered};
use rookery_table::registry::TableRegistry;
use rookery_table::saved_analysis::BestLines;
use rookery_table::testing::MemoryJournal;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{
    Actor, BoardChannel, ChannelId, GuildId, Occupant, Order, SourceId, Table, TableId, Terms, UserId,
};
use tokio::runtime::Runtime;

use super::sockets::{EndOfRequest, exchange, runtime, status};
use super::{Target, text};

pub(super) const TARGET: Target = Target { name: "web_requests", check, seeds, words };

const ADA: UserId = UserId(11);
const BEN: UserId = UserId(12);

/// The page on which people are asked.
const DISCORD: &str = "https://discord.example/oauth2/authorize?";
/// The origin of the pages in Discord's frame.
const FRAME: &str = "https://17.frame.example";
/// A code that Discord knows.
const CODE: &str = "good";

/// The beginning of a line with an annotation.
const NOTE: &str = "Note: ";

static SITE: Mutex<Option<Site>> = Mutex::new(None);

/// The pages, with a game that somebody shares.
struct Site {
    runtime: Runtime,
    address: SocketAddr,
    link: String,
    registry: Arc<TableRegistry>,
    /// A finished game that Ada sees.
    study: TableId,
    /// The token of the link to Ada's annotations of it.
    notes: String,
    /// The token of Ada's session.
    session: String,
}

fn check(bytes: &[u8]) {
    let mut site = SITE.lock().unwrap_or_else(PoisonError::into_inner);
    let site = site.get_or_insert_with(Site::open);
    if let Some(raw) = bytes.strip_prefix(&[0]) {
        // A part of a request has no answer; the connection must end all the same.
        let answer = site.runtime.block_on(exchange(site.address, raw, EndOfRequest::AtOnce));
        assert!(answer.is_empty() || status(&answer, raw) != 500, "{:?}", text(raw));
        check_frame(&text(raw), &text(&answer));
        return;
    }
    let written = text(bytes).replace("LINK", &site.link).replace("NOTES", &site.notes);
    let written = written.replace("STUDY", site.study.as_str());
    let (path, head) = written.split_once('\n').unwrap_or((&written, ""));
    let visible = |sign: char| if sign.is_ascii_graphic() { sign } else { '+' };
    let path: String = path.chars().map(visible).collect();
    let path = if path.is_empty() { "/" } else { &path };
    let method = if head.lines().any(|line| line.starts_with(NOTE)) { "POST" } else { "GET" };
    let head: String = head.lines().filter(|line| !line.is_empty()).map(|line| site.line(line)).collect();
    let request =
        format!("{method} {path} HTTP/1.1\r\nHost: games.example\r\nConnection: close\r\n{head}\r\n");
    let answer =
        site.runtime.block_on(exchange(site.address, request.as_bytes(), EndOfRequest::WithTheAnswer));
    let status = status(&answer, request.as_bytes());
    assert!(status < 500 || status == 503, "{status} in answer to {request:?}");
    check_frame(&request, &text(&answer));
    site.check_annotations();
    if let Some(there) = location(&answer) {
        let is_own = there.starts_with('/') && !there.starts_with("//") && !there.starts_with("/\\");
        assert!(is_own || there.starts_with(DISCORD), "{request:?} leads to {there}");
    }
}

/// Discord may frame the answers to requests of its frame alone, and only a code from there begins a session.
fn check_frame(request: &str, answer: &str) {
    if answer.contains("frame-ancestors 'self'") {
        let is_of_frame = request.contains("frame_id=") || request.contains("rookery-frame=");
        assert!(is_of_frame, "{request:?} may be framed");
    }
    let head = answer.split("\r\n\r\n").next().unwrap_or_default();
    let cookies = head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
    // Other cookies have the page that a sign-in leads back to, with its query, within their value.
    let mut names = cookies.filter_map(|cookie| cookie.split('=').next());
    if names.any(|name| name.trim_start_matches("__Host-") == "rookery-frame") {
        assert!(request.contains(FRAME) && request.contains(CODE), "{request:?} signs in");
    }
}

/// Returns where an answer leads.
fn location(answer: &[u8]) -> Option<String> {
    let answer = text(answer);
    let head = answer.split("\r\n\r\n").next()?;
    let line = head.lines().find_map(|line| line.strip_prefix("location: "));
    line.map(str::to_owned)
}

impl Site {
    /// Returns a line of a head, with its line end.
    fn line(&self, line: &str) -> String {
        let Some(note) = line.strip_prefix(NOTE) else { return format!("{line}\r\n") };
        let page = sha256_hex(&format!("page {}", self.session));
        let (note, session) = (URL_SAFE_NO_PAD.encode(note), &self.session);
        format!("Cookie: rookery={session}\r\nX-Rookery-Page: {page}\r\nX-Rookery-Annotation: {note}\r\n")
    }

    /// What is stored keeps its limits.
    fn check_annotations(&self) {
        let kept = self.registry.journal().annotations();
        let all = self.runtime.block_on(kept.annotations_of(ADA, self.study)).expect("they are in memory");
        assert!(all.len() <= MAX_POSITIONS, "{} positions", all.len());
        for one in all {
            assert!(one.comment.chars().count() <= MAX_COMMENT_CHARS && !one.is_empty(), "{one:?}");
            assert!(one.arrows.len() <= MAX_DRAWN && one.marks.len() <= MAX_DRAWN, "{one:?}");
            assert!(!one.comment.chars().any(|sign| sign != '\n' && sign.is_control()), "{one:?}");
        }
    }

    fn open() -> Site {
        let runtime = runtime();
        let (address, link, registry, study, notes, session) = runtime.block_on(async {
            let registry =
                TableRegistry::new(Arc::new(MemoryJournal::default()), Arc::new(Still), Arc::new(Still), 7);
            let link = shared_game(&registry).await;
            let (study, notes) = shared_annotations(&registry).await;
            let session = registry.begin_session(ADA).await.expect("a session").as_str().to_owned();
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let discord_side = DiscordSideSlot::default();
            discord_side.fill(Arc::new(Readers { registry: registry.clone(), study }));
            let web = Web {
                discord_side,
                drawing: Drawing::with_tasks(
                    Painter::new(),
                    drawing::Limits::default(),
                    registry.tasks().clone(),
                ),
                registry: registry.clone(),
                names: Names::embedded(),
                words: Localizer::english(),
                theme: "walnut".to_owned(),
                address: Some("https://games.example".to_owned()),
            };
            // All inputs come from one address.
            let limits = Limits { requests_per_minute: 0, ..Limits::default() };
            tokio::spawn(web::page_server(listener, web, limits).serve(std::future::pending()));
            (address, link, registry, study, notes, session)
        });
        Site { runtime, address, link, registry, study, notes, session }
    }
}

/// Opens a study of a few turns with an annotation; returns its table and the token of the annotation's link.
async fn shared_annotations(registry: &TableRegistry) -> (TableId, String) {
    let terms = Terms { game: "amazons".to_owned(), ..Terms::default() };
    let mut play = rookery_games::named("amazons").expect("a game").start(&terms.setup(2)).expect("a board");
    for _ in 0..3 {
        let text = play.moves().remove(0);
        play.play(&text).expect("a turn");
    }
    let study = registry.import(terms, ADA, play.as_ref(), Vec::new()).await.expect("a table").table;
    let position = AnnotatedPosition { ply: 1, line: String::new() };
    let arrows = ["a1-a2".to_owned()];
    let one = Annotation::new(position, "x", &arrows, &[], registry.now()).expect("an annotation");
    assert!(registry.annotate(study.id(), ADA, &one).await.expect("room"));
    let link = registry.share_annotations(&study, ADA).await.expect("a link");
    (study.id(), link.token.as_str().to_owned())
}

/// Opens a game of a few turns and returns the token of its link.
async fn shared_game(registry: &TableRegistry) -> String {
    let options = [("size".to_owned(), "6x6".to_owned())].into();
    let terms = Terms {
        game: "amazons".to_owned(),
        options,
        guild: Some(GuildId(77)),
        channel: ChannelId(78),
        ..Terms::default()
    };
    let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
    let id = registry.open(terms, ADA, chairs, None).await.expect("a table").table.id();
    let place = BoardChannel { channel: ChannelId(78), thread: false };
    registry.order(id, Actor::System, Order::SetBoardChannel(place), None).await.expect("a channel");
    for _ in 0..3 {
        let table = registry.table(id).await.expect("the table");
        let play = table.play().expect("a game");
        let person = table.occupant(play.turn()).and_then(Occupant::person).expect("a person");
        let text = play.moves().into_iter().next().expect("a move");
        registry
            .order(id, Actor::Person(person), Order::Move { text, ply: None }, None)
            .await
            .expect("a turn");
    }
    let table = registry.table(id).await.expect("the table");
    registry.share(&table, ADA).await.expect("a link").token.as_str().to_owned()
}

/// A clock that doesn't move, and a player who is never asked.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

/// The people on the pages: Ada sees her study, and there is no other table.
struct Readers {
    registry: Arc<TableRegistry>,
    study: TableId,
}

/// Everybody may sign in with the code that Discord knows.
#[async_trait]
impl DiscordSide for Readers {
    async fn open(&self, who: UserId, table: TableId) -> Result<OpenedTable, Refusal> {
        if (who, table) != (ADA, self.study) {
            return Err(Refusal::NoTable("There's no such game.".to_owned()));
        }
        Ok(OpenedTable {
            table: self.registry.table(table).await.expect("the study"),
            words: Localizer::english(),
            look: DrawOptions::from_seat(Seat::FIRST),
            confirms: false,
            offer: None,
            actions: Vec::new(),
            names: BTreeMap::new(),
            rematch: None,
        })
    }

    async fn order(
        &self,
        _: UserId,
        _: TableId,
        _: PageOrder,
        _: SourceId,
    ) -> Result<PageOrderOutcome, Refusal> {
        Err(Refusal::NoTable("There's no such game.".to_owned()))
    }

    async fn variation_lines(&self, _: UserId, _: TableId, _: Box<dyn Play>) -> Result<BestLines, Refusal> {
        Err(Refusal::NoTable("There's no such game.".to_owned()))
    }

    async fn best_lines(&self, _: UserId, _: TableId, _: usize) -> Result<BestLines, Refusal> {
        Err(Refusal::NoTable("There's no such game.".to_owned()))
    }

    async fn check_comment(&self, _: UserId, _: &Table, _: Box<dyn Play>) -> Result<(), Refusal> {
        Err(Refusal::NoTable("There's no such game.".to_owned()))
    }

    async fn preferences(&self, _: UserId) -> Preferences {
        Preferences { words: Localizer::english(), look: DrawOptions::from_seat(Seat::FIRST) }
    }

    async fn study(&self, _: UserId, _: Box<dyn Play>) -> Result<TableId, Refusal> {
        Err(Refusal::Refused("No more today.".to_owned()))
    }

    async fn play_on(&self, _: UserId, _: Box<dyn Play>, _: Level, _: SourceId) -> Result<TableId, Refusal> {
        Err(Refusal::Refused("No more today.".to_owned()))
    }

    async fn names(&self, _: &Card) -> BTreeMap<UserId, String> {
        BTreeMap::new()
    }

    async fn name(&self, _: UserId) -> Option<String> {
        None
    }

    fn sign_in(&self) -> Option<&dyn DiscordSignIn> {
        Some(&Still)
    }
}

#[async_trait]
impl DiscordSignIn for Still {
    fn authorization(&self, state: &str, _: &str) -> Option<String> {
        Some(format!("{DISCORD}state={state}"))
    }

    async fn identify(&self, code: &str, _: &str) -> Result<UserId, DiscordSignInError> {
        if code == CODE { Ok(ADA) } else { Err(DiscordSignInError::Refused) }
    }

    fn frame(&self) -> Option<FramePlace> {
        let (application, parents) = ("17".to_owned(), vec!["https://discord.example".to_owned()]);
        Some(FramePlace { application, origin: FRAME.to_owned(), parents })
    }

    async fn enter_frame(&self, code: &str) -> Result<FrameGrant, DiscordSignInError> {
        let access_token = FrameToken("token".to_owned());
        if code == CODE {
            Ok(FrameGrant { who: ADA, access_token })
        } else {
            Err(DiscordSignInError::Refused)
        }
    }
}

impl Thinker for Still {
    fn think(&self, _: Job, _: BudgetOwner, _: Box<dyn Play>) -> Answer<String> {
        answered(None)
    }
    fn analyse(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest) -> Answer<SearchResult<String>> {
        answered(None)
    }
    fn best_lines(&self, _: BudgetOwner, _: Box<dyn Play>, _: SearchRequest, _: usize) -> Answer<Analysis> {
        answered(None)
    }
    fn drop_table(&self, _: TableId) {}
}

fn seeds() -> Vec<Vec<u8>> {
    let requests = [
        "/",
        "/g/LINK",
        "/g/LINK?ply=2&territory=true",
        "/g/LINK/step?ply=0",
        "/g/LINK/step?ply=18446744073709551615",
        "/g/LINK/board.png?ply=1",
        "/g/LINK/card.png",
        "/g/LINK/record.txt",
        "/g/LINK/events\nAccept: text/event-stream",
        "/g/AAAAAAAAAAAAAAAAAAAAAA",
        "/s/AAAAAAAAAAAAAAAAAAAAAA",
        "/s/LINK",
        "/g/%4CINK/../LINK",
        "/t/K7Q2",
        "/in/AAAAAAAAAAAAAAAAAAAAAA",
        "/play\nCookie: a=b; rookery=AAAAAAAAAAAAAAAAAAAAAA",
        "/play/K7Q2/after?ply=0&steps=d1~-d7\nCookie: rookery=LINK",
        "/play/next?after=K7Q2",
        "/discord?to=/play/next?rookery-frame=LINK",
        "/play/K7Q2/sheet?ply=1&line=d1-d7/g7&paper=letter\nCookie: rookery=LINK",
        "/play/K7Q2/set-up?ply=1&line=d1-d7/g7\nCookie: rookery=LINK",
        "/play/set-up/amoeba/sheet?paper=a4\nCookie: rookery=LINK",
        "/play/set-up/amoeba?seats=2",
        "/play/set-up/amazons/play?position=6/2q3/6/6/3Q2/6+w&level=easy&id=0123456789abcdef\nCookie: rookery=LINK",
        "/play/set-up/amazons/position?position=6/2q3/6/6/3Q2/6+w&edit=carry:d2:d3\nCookie: rookery=LINK",
        "/discord?to=/play/next%3Fafter=K7Q2",
        "/discord?to=//evil.example",
        "/discord/return?code=good&state=AAAAAAAAAAAAAAAAAAAAAA\nCookie: __Host-rookery-discord=AAAAAAAAAAAAAAAAAAAAAA:/play",
        "/discord/return?code=good&state=AAAAAAAAAAAAAAAAAAAAAA\nCookie: __Host-rookery-discord=AAAAAAAAAAAAAAAAAAAAAA:/\\evil.example",
        "/discord/return?error=access_denied&state=AAAAAAAAAAAAAAAAAAAAAA\nCookie: __Host-rookery-discord=AAAAAAAAAAAAAAAAAAAAAA:/play",
        "/play/files/0/play.js",
        "/n/NOTES",
        "/n/NOTES?ply=2",
        "/n/NOTES?ply=18446744073709551615&line=a1-a2/a3,,",
        "/n/LINK",
        "/play/STUDY/annotations\nNote: {}",
        "/play/STUDY/annotation\nNote: {\"ply\":2,\"line\":[],\"comment\":\"Why?\",\"arrows\":[\"a1-a2\"],\"marks\":[\"a1\"]}",
        "/play/STUDY/annotation\nNote: {\"ply\":1,\"line\":[\"a4-a5/a6\",\"\"],\"comment\":\"\\u0000\\ud800\",\"arrows\":[],\"marks\":[]}",
        "/play/STUDY/annotation\nX-Rookery-Annotation: ====",
        "/play/STUDY/annotations/share\nNote: ",
        "/play/STUDY/annotations/stop\nNote: ",
        "/?frame_id=f&instance_id=i&platform=mobile",
        "/?x&frame_id",
        "/play\nCookie: rookery-frame=AAAAAAAAAAAAAAAAAAAAAA",
        "/play/K7Q2/state\nOrigin: https://17.frame.example\nCookie: rookery-frame=AAAAAAAAAAAAAAAAAAAAAA",
        "/frame/session",
        "\0POST /frame/session HTTP/1.1\r\nHost: a\r\nOrigin: https://17.frame.example\r\nX-Rookery-Code: good\r\n\r\n",
        "\0POST /frame/session HTTP/1.1\r\nHost: a\r\nOrigin: https://evil.example\r\nX-Rookery-Code: good\r\n\r\n",
        "\0POST /frame/session HTTP/1.1\r\nHost: a\r\nOrigin: https://17.frame.example\r\nX-Rookery-Code: \r\nX-Rookery-Code: good\r\n\r\n",
        "/g/LINK\nX-Forwarded-For: 203.0.113.5, 10.0.0.1\nForwarded: for=\"[::1]\"",
        "/\nContent-Length: 5",
        "*",
        "/\nTransfer-Encoding: chunked\nExpect: 100-continue",
        "http://a/g/LINK",
        "/g/LINK\nUpgrade: h2c\nConnection: Upgrade",
        "\0GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /g/x HTTP/1.1\r\nHost: a\r\n\r\n",
        "\0POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\nx",
        "\0PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\0GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    ];
    requests.map(|request| request.as_bytes().to_vec()).to_vec()
}

fn words() -> Vec<String> {
    let words = "/discord /discord/return ?to= &state= ?code=good ?error= access_denied AAAAAAAAAAAAAAAAAAAAAA :/play __Host-rookery-discord= evil.example \
        /frame/session ?frame_id= rookery-frame= Origin: https://17.frame.example X-Rookery-Code: good \
        ?instead_of= /g/ /s/ /n/ /in/ /play/ LINK NOTES STUDY /annotation /annotations /share /stop Note: \"ply\": \"line\":[] \"comment\": \"arrows\": \"marks\": \\u0000 a1-a2 { } [ ] /step /board.png /card.png /record.txt /events /state /after /order /next /files/ /set-up/ /position /study /set-up/amazons/play ?position= &level=hard &edit= put:Q:a1 clear:a1 carry:a1:a2 turn:2 points:1:9 empty random &seed=7 ?steps= &kind=move &kind=hint &id= Cookie: rookery= ?ply= &ply= territory=true territory=false -1 \
        18446744073709551615 %00 %2F %2e%2e %FF .. // ? # X-Forwarded-For: Forwarded: Content-Length: Transfer-Encoding: chunked \
        Range: bytes=0- Connection: Upgrade: websocket Expect: 100-continue Host: HTTP/1.1 HTTP/1.0 GET HEAD POST OPTIONS ::1 \
        127.0.0.1 , ;";
    words.split_whitespace().map(str::to_owned).collect()
}
