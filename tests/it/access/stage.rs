//! The people and the tables of the access matrix.

use std::collections::BTreeMap;

use rookery::drawing::Drawing;
use rookery::http_server::Limits;
use rookery::web::{self, Web};
use rookery_i18n::Localizer;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_render::{Names, Painter};
use rookery_table::quota::Quotas;
use serde_json::json;

use crate::duel::open;
use crate::test_bot::{TestBot, TestSetup};

/// Discord's permission to see a channel.
pub(super) const VIEW: u64 = 1 << 10;
/// The prefix of all links.
const WEB: &str = "https://games.example";

/// A person who tries to reach a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PersonKind {
    /// Ben, who owns the tables.
    Player,
    /// A member of the server with the role that reads the closed channel.
    Member,
    /// A member of the server who can read neither channel with games.
    Outsider,
    /// Eve, who left the server and has a seat at her own tables.
    FormerPlayer,
    /// Someone who left the server and has no seat.
    FormerMember,
    /// A member of another server that the bot is in.
    Stranger,
    /// A member of the server with the role that reads the closed channel, whom the server's managers banned from the
    /// bot.
    Banned,
    /// Another bot on the server, with the same role.
    AnotherBot,
}

impl PersonKind {
    pub(super) const ALL: [PersonKind; 8] = [
        PersonKind::Player,
        PersonKind::Member,
        PersonKind::Outsider,
        PersonKind::FormerPlayer,
        PersonKind::FormerMember,
        PersonKind::Stranger,
        PersonKind::Banned,
        PersonKind::AnotherBot,
    ];

    pub(super) fn named(word: &str) -> PersonKind {
        match word {
            "player" => PersonKind::Player,
            "member" => PersonKind::Member,
            "outsider" => PersonKind::Outsider,
            "former-player" => PersonKind::FormerPlayer,
            "former-member" => PersonKind::FormerMember,
            "stranger" => PersonKind::Stranger,
            "banned" => PersonKind::Banned,
            "another-bot" => PersonKind::AnotherBot,
            other => panic!("nobody is called {other}"),
        }
    }

    /// Whether they are a member of the server.
    pub(super) fn is_member(self) -> bool {
        matches!(
            self,
            PersonKind::Player
                | PersonKind::Member
                | PersonKind::Outsider
                | PersonKind::Banned
                | PersonKind::AnotherBot
        )
    }
}

/// The place of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TableKind {
    /// In its own thread, under a channel that most people can read.
    Open,
    /// In a channel that one role can read.
    Closed,
    /// In its player's direct messages with the bot.
    Direct,
    /// An imported game for study.
    Study,
    /// In the closed channel, with a share link for outsiders.
    Linked,
}

impl TableKind {
    pub(super) fn named(word: &str) -> TableKind {
        match word {
            "open" => TableKind::Open,
            "closed" => TableKind::Closed,
            "direct" => TableKind::Direct,
            "study" => TableKind::Study,
            "linked" => TableKind::Linked,
            other => panic!("no place is called {other}"),
        }
    }
}

/// One game in each place, with the channel of its boards.
struct Games {
    /// The path of the page that the linked game's share link opens.
    page: String,
    running: BTreeMap<TableKind, (String, Id)>,
    /// The tables with free seats.
    waiting: BTreeMap<TableKind, (String, Id)>,
}

/// Everybody, and the games of Ben and Eve.
pub(super) struct AccessSetup {
    pub(super) bot: TestBot,
    /// The address of the web server.
    web: String,
    people: BTreeMap<PersonKind, Person>,
    bens: Games,
    eves: Games,
}

impl AccessSetup {
    pub(super) async fn set() -> AccessSetup {
        let mut plan = TestSetup::default();
        plan.settings.width_px = 60;
        plan.settings.web = Some(WEB.to_owned());
        let bot = TestBot::of(plan).await;
        // The matrix needs more games than one person may open in an hour.
        bot.registry.set_quotas(Quotas::NONE);
        let people = people(&bot);
        let closed = closed_channel(&bot, &people);
        for who in PersonKind::ALL.into_iter().filter(|who| *who != PersonKind::AnotherBot) {
            bot.playground.join(bot.playground.guild("Reading Room").unwrap(), &people[&who]);
        }
        let bens = games_of(&bot, &people[&PersonKind::Player], closed).await;
        let eves = games_of(&bot, &people[&PersonKind::FormerPlayer], closed).await;
        bot.wait_until_idle().await;
        let banned = json!({"person": people[&PersonKind::Banned].id});
        bot.ada().slash(bot.games(), "config ban", &banned).unwrap().message().await.unwrap();
        let home = bot.playground.guild("Rookery").unwrap();
        bot.playground.leave(home, &people[&PersonKind::FormerPlayer]);
        bot.playground.leave(home, &people[&PersonKind::FormerMember]);
        let web = page_server(&bot).await;
        AccessSetup { bot, web, people, bens, eves }
    }

    /// Returns the status of a web page.
    pub(super) async fn page(&self, path: &str) -> u16 {
        reqwest::get(format!("{}{path}", self.web)).await.unwrap().status().as_u16()
    }

    /// Returns the path of the linked game's page.
    pub(super) fn link(&self, who: PersonKind) -> &str {
        let games = if who == PersonKind::FormerPlayer { &self.eves } else { &self.bens };
        &games.page
    }

    pub(super) fn person(&self, who: PersonKind) -> &Person {
        &self.people[&who]
    }

    /// Returns a running (or finished) table, and the channel of its boards.
    pub(super) fn running(&self, who: PersonKind, place: TableKind) -> &(String, Id) {
        let games = if who == PersonKind::FormerPlayer { &self.eves } else { &self.bens };
        &games.running[&place]
    }

    /// Returns Ben's table with free seats.
    pub(super) fn waiting(&self, place: TableKind) -> Option<&(String, Id)> {
        self.bens.waiting.get(&place)
    }
}

fn people(bot: &TestBot) -> BTreeMap<PersonKind, Person> {
    let playground = &bot.playground;
    let mut people: BTreeMap<PersonKind, Person> = [
        (PersonKind::Player, bot.ben()),
        (PersonKind::Member, bot.cleo()),
        (PersonKind::Outsider, playground.new_user("Olga")),
        (PersonKind::FormerPlayer, playground.new_user("Eve")),
        (PersonKind::FormerMember, playground.new_user("Fred")),
        (PersonKind::Stranger, playground.new_stranger("Sid")),
        (PersonKind::Banned, playground.new_user("Zed")),
    ]
    .into();
    people.insert(PersonKind::AnotherBot, playground.new_bot("Mallory").unwrap());
    people
}

/// Creates a channel that one role can read; the outsider can read neither it nor #games.
fn closed_channel(bot: &TestBot, people: &BTreeMap<PersonKind, Person>) -> Id {
    let playground = &bot.playground;
    let club: Vec<&Person> = [
        PersonKind::Player,
        PersonKind::Member,
        PersonKind::FormerPlayer,
        PersonKind::Banned,
        PersonKind::AnotherBot,
    ]
    .map(|who| &people[&who])
    .into();
    let role = playground.new_role("Club", &club).unwrap();
    let closed = playground.new_channel("club").unwrap();
    playground.set_role_overwrite(closed, playground.bot_role().unwrap(), VIEW, 0);
    playground.set_role_overwrite(closed, role, VIEW, 0);
    playground.set_role_overwrite(closed, playground.guild("Rookery").unwrap(), 0, VIEW);
    playground.deny(bot.games(), &people[&PersonKind::Outsider], VIEW);
    closed
}

async fn games_of(bot: &TestBot, host: &Person, closed: Id) -> Games {
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let mut here = terms.clone();
    here["where"] = json!("here");
    let games = bot.games();
    let opened = open(host, games, &terms).await;
    let thread = host.wait_for_thread(games, &opened).await.unwrap();
    let running = [
        (TableKind::Open, (opened, thread)),
        (TableKind::Closed, (open(host, closed, &here).await, closed)),
        (TableKind::Direct, (open(host, host.dm(), &terms).await, host.dm())),
        (TableKind::Study, (study(host).await, host.dm())),
        (TableKind::Linked, (open(host, closed, &here).await, closed)),
    ];
    let shared =
        host.slash(closed, "share", &json!({"table": running[4].1.0})).unwrap().message().await.unwrap();
    let page =
        shared.content().split_whitespace().find_map(|word| word.split_once(WEB).map(|(_, path)| path));
    let page = page.unwrap_or_else(|| panic!("no link: {}", shared.content()));
    let page = page.trim_end_matches(|sign: char| !sign.is_ascii_alphanumeric()).to_owned();
    let waits = json!({"game": "penguins", "players": 4});
    let waiting = [
        (TableKind::Open, (open(host, games, &waits).await, games)),
        (TableKind::Closed, (open(host, closed, &waits).await, closed)),
    ];
    Games { page, running: running.into(), waiting: waiting.into() }
}

/// Imports a game for study; returns the table's name, which the buttons contain.
async fn study(owner: &Person) -> String {
    let game = rookery_games::named("amazons").unwrap();
    let play = game.start(&rookery_core::rules::Setup::new(2).with("size", "6x6")).unwrap();
    let text = format!("amazons {}", play.line());
    let shown = owner.slash(owner.dm(), "import", &json!({"text": text})).unwrap().message().await.unwrap();
    let button = shown.button("As text").unwrap_or_else(|| panic!("{:?}", shown.buttons()));
    button.split(':').nth(1).unwrap().to_owned()
}

async fn page_server(bot: &TestBot) -> String {
    let web = Web {
        discord_side: Default::default(),
        registry: bot.registry.clone(),
        drawing: Drawing::with_tasks(Painter::new(), Default::default(), bot.registry.tasks().clone()),
        names: Names::embedded(),
        words: Localizer::english(),
        theme: "walnut".into(),
        address: Some(WEB.into()),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(web::page_server(listener, web, Limits::default()).serve(std::future::pending()));
    address
}
