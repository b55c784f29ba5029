//! Preferences of people and servers and their effects: settings, pings, quiet hours, server rules.

use std::time::Duration;

use rookery_core::player::Level;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::calendar::{Daily, Zone};
use rookery_table::preferences::Pings;
use rookery_table::{GuildId, Occupant, TableId, UserId};
use serde_json::json;

use crate::duel::slash_play;
use crate::duel::{Duel, Way, open};
use crate::test_bot::TestBot;

/// Longer than the time in which a recently active person is not pinged.
const A_WHILE: Duration = Duration::from_secs(61);

/// Chooses in a select of a private panel; returns the changed panel.
async fn choose(
    bot: &TestBot,
    who: &rookery_playground::testing::person::Person,
    panel: &VisibleMessage,
    id: &str,
    value: &str,
) -> VisibleMessage {
    let values = [value];
    let values = if value.is_empty() { &[][..] } else { &values[..] };
    bot.changed(who, panel, &who.choose(panel, id, values).unwrap()).await
}

/// Whether a select or a button shows a setting, which the text above doesn't show as well.
fn shows(panel: &VisibleMessage, line: &str) -> bool {
    let is_shown = panel.selects().iter().any(|it| it["placeholder"] == line) || panel.button(line).is_some();
    is_shown && !panel.content().contains(line)
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_panel_changes_take_effect() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let plain = duel.ada.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(!plain.content().contains("```"));
    let panel = duel.ada.slash(duel.thread, "settings", &json!({})).unwrap().message().await.unwrap();
    assert!(panel.is_ephemeral() && shows(&panel, "Theme: server default"), "{panel:?}");
    let panel = choose(&bot, &duel.ada, &panel, "set:theme", "slate").await;
    assert!(shows(&panel, "Theme: slate"), "{panel:?}");
    let panel = bot.press_private(&duel.ada, &panel, "Text board: off").await;
    assert!(shows(&panel, "Text board: on"), "{panel:?}");
    let panel = bot.press_private(&duel.ada, &panel, "Notifications and hours").await;
    let panel = choose(&bot, &duel.ada, &panel, "set:quiet", "1320-420").await;
    assert!(shows(&panel, "Quiet hours: 22:00 to 07:00"), "{panel:?}");

    let board = duel.ada.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(board.content().contains("```"), "the board in plain characters: {}", board.content());
    let (before, after) = (plain.files()[0].clone(), board.files()[0].clone());
    assert_ne!(before["size"], after["size"], "in other colours");
    let theirs = duel.ben.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(!theirs.content().contains("```"), "nobody else's boards change");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_complete_a_time_zone_while_it_is_typed() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let found = ada.complete(games, "settings", &json!({"zone": "new yo"}), "zone").await.unwrap();
    assert!(found.iter().any(|it| it["value"] == "America/New_York"), "{found:?}");
    let told =
        ada.slash(games, "settings", &json!({"zone": "America/New_York"})).unwrap().message().await.unwrap();
    assert!(shows(&told, "Time zone: America/New_York"), "{told:?}");
    let wrong = ada.slash(games, "settings", &json!({"zone": "Atlantis"})).unwrap().message().await.unwrap();
    assert!(wrong.content().contains("no time zone called `Atlantis`"), "{}", wrong.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_leaves_out_who_acted_a_moment_ago() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    duel.turn(&bot, Way::Reply).await;
    assert_eq!(duel.board.pinged(), ["Ben"], "he has not moved yet");
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "Ada is looking at it");
    bot.playground.clock().advance(A_WHILE);
    duel.turn(&bot, Way::Reply).await;
    assert_eq!(duel.board.pinged(), ["Ben"]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_follows_each_persons_settings() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ben = UserId(duel.ben.id.0);
    let preferences_cache = bot.registry.preferences_cache();
    preferences_cache.change_person(ben, |it| it.pings = Pings::Dm).await.unwrap();
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "one ping a turn: it came elsewhere");
    let direct =
        duel.ben.wait_for(duel.ben.dm(), "a direct message", |it| it.content().contains("Your turn")).await;
    assert!(direct.unwrap().content().contains(&duel.thread.to_string()), "with the way there");

    bot.playground.clock().advance(A_WHILE);
    duel.turn(&bot, Way::Reply).await;
    duel.ben.set_dms_open(false);
    bot.playground.clock().advance(A_WHILE);
    duel.turn(&bot, Way::Reply).await;
    assert_eq!(duel.board.pinged(), ["Ben"], "a closed door: the board pings");

    duel.turn(&bot, Way::Reply).await;
    preferences_cache.change_person(ben, |it| it.pings = Pings::Off).await.unwrap();
    bot.playground.clock().advance(A_WHILE);
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty() && duel.board.content().contains(&duel.ben.mention()));
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_to_closed_direct_messages_is_not_tried_every_turn() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let ben = duel.ben.clone();
    bot.registry
        .preferences_cache()
        .change_person(UserId(ben.id.0), |it| it.pings = Pings::Dm)
        .await
        .unwrap();
    ben.set_dms_open(false);
    for _ in 0..3 {
        duel.turn(&bot, Way::Reply).await;
        assert_eq!(duel.board.pinged(), ["Ben"], "a closed door: the board pings");
        bot.playground.clock().advance(A_WHILE);
        duel.turn(&bot, Way::Reply).await;
        bot.playground.clock().advance(A_WHILE);
    }
    // Counts the requests that opened DMs, and those that were refused.
    let dm_requests = || {
        let all = bot.playground.requests();
        let opened = all.iter().filter(|it| it.route == "/users/@me/channels").count();
        (opened, all.iter().filter(|it| it.status == 403).count())
    };
    assert_eq!(dm_requests(), (1, 1));

    ben.set_dms_open(true);
    let mut panel = ben.slash(duel.thread, "settings", &json!({})).unwrap().message().await.unwrap();
    panel = bot.changed(&ben, &panel, &ben.click(&panel, "set:hours").unwrap()).await;
    for pings in ["off", "dm"] {
        panel = bot.changed(&ben, &panel, &ben.choose(&panel, "set:pings", &[pings]).unwrap()).await;
    }
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "who asks for direct messages gets them");
    ben.wait_for(ben.dm(), "a direct message", |it| it.content().contains("Your turn")).await.unwrap();
    assert_eq!(dm_requests(), (1, 1), "by the way that is known");
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_hold_back_pings_until_they_end() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let now = Zone::default().local(bot.registry.now());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    let ben = UserId(duel.ben.id.0);
    bot.registry.preferences_cache().change_person(ben, |it| it.quiet = Some(quiet)).await.unwrap();
    bot.wait_until_quiet_hours_are_checked().await;
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty());
    bot.playground.clock().advance(Duration::from_secs(2 * 3_600));
    let late =
        duel.ben.wait_for(duel.thread, "the ping that waited", |it| it.pinged() == ["Ben"]).await.unwrap();
    assert!(
        late.content().contains(&duel.table) && late.content().contains("your move"),
        "{}",
        late.content()
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_settings_limit_channels_and_levels() {
    let bot = TestBot::start().await;
    let (ada, ben, games, lobby) = (bot.ada(), bot.ben(), bot.games(), bot.playground.channel("lobby"));
    let refused = ben.slash(games, "config panel", &json!({}));
    assert!(refused.is_err(), "only who manages the server");
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let panel = choose(&bot, &ada, &panel, "cfg:channels", &games.to_string()).await;
    let chosen = |panel: &VisibleMessage| panel.selects()[0]["default_values"][0]["id"].clone();
    assert_eq!(chosen(&panel), games.to_string(), "{panel:?}");
    assert!(shows(&panel, "Lobby: none"), "{panel:?}");
    let panel = bot.press_private(&ada, &panel, "Thread per game: on").await;
    let panel = bot.press_private(&ada, &panel, "Games and time").await;
    let panel = choose(&bot, &ada, &panel, "cfg:strongest", "easy").await;
    assert!(shows(&panel, "Rookery's top level: easy"), "{panel:?}");

    let small = json!({"game": "amazons", "size": "6x6"});
    let elsewhere = slash_play(&ben, lobby, &small).unwrap().message().await.unwrap();
    assert!(elsewhere.content().contains(&format!("<#{games}>")), "{}", elsewhere.content());
    let strong = json!({"game": "amazons", "size": "6x6", "ai": "hard"});
    let strong = slash_play(&ben, games, &strong).unwrap().message().await.unwrap();
    assert!(strong.content().contains("up to level easy"), "{}", strong.content());
    let table = open(&ben, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    ben.wait_for(games, "a board in the channel itself", |it| it.button("Move").is_some()).await.unwrap();
    assert!(!bot.table(&table).await.terms().thread);
    assert!(table.parse::<TableId>().is_ok());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn config_check_names_what_is_missing_and_how_to_grant_it() {
    const SEND_AND_FILES: u64 = 1 << 11 | 1 << 15;
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let well = ada.slash(games, "config check", &json!({})).unwrap().message().await.unwrap();
    assert!(well.content().contains("All permissions are fine"), "{}", well.content());
    bot.playground.deny_bot(games, SEND_AND_FILES);
    let told = ada.slash(games, "config check", &json!({})).unwrap().message().await.unwrap();
    for part in ["Send Messages", "Attach Files", "to show boards as pictures", "Permissions"] {
        assert!(told.content().contains(part), "{part}: {}", told.content());
    }
    assert!(!told.content().contains("View Channel"), "{}", told.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_of_offers_and_results_follows_each_persons_settings() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    let preferences_cache = bot.registry.preferences_cache();
    let ben = UserId(duel.ben.id.0);
    duel.turn(&bot, Way::Reply).await;
    duel.turn(&bot, Way::Reply).await;
    preferences_cache.change_person(ben, |it| it.pings = Pings::Dm).await.unwrap();
    duel.ada.slash(duel.thread, "undo", &json!({})).unwrap().message().await.unwrap();
    let asks = |it: &VisibleMessage| it.content().contains("wants to take back");
    let offer = duel.ben.wait_for(duel.thread, "the offer", asks).await.unwrap();
    assert!(offer.pinged().is_empty(), "it came elsewhere");
    let direct = duel.ben.wait_for(duel.ben.dm(), "the offer by direct message", asks).await.unwrap();
    assert!(direct.content().contains(&duel.thread.to_string()), "with the way there");
    bot.press(&duel.ben, &direct, "Play on").await;
    duel.ada.wait_for(duel.thread, "his answer", |it| it.content().contains("said no")).await.unwrap();

    preferences_cache.change_person(ben, |it| it.pings = Pings::Off).await.unwrap();
    bot.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    let over = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    assert!(
        over.pinged().is_empty() && over.content().contains(&duel.ben.mention()),
        "named, and not called"
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_of_a_challenges_answer_follows_the_hosts_settings() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    for (pings, direct) in [(Pings::Dm, 1), (Pings::Off, 1)] {
        bot.registry
            .preferences_cache()
            .change_person(UserId(ada.id.0), |it| it.pings = pings)
            .await
            .unwrap();
        let table = open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
        let challenge = crate::duel::challenge(&ben, games, &table).await;
        bot.press(&ben, &challenge, "Decline").await;
        let lapsed = |it: &VisibleMessage| it.content().contains(&format!("{table} didn't start"));
        let posted = ada.wait_for(games, "what became of it", lapsed).await.unwrap();
        assert!(posted.pinged().is_empty() && !posted.content().contains(&ada.mention()));
        assert_eq!(ada.messages(ada.dm()).len(), direct, "{pings:?}");
        // After that time he can be challenged again.
        bot.advance(Duration::from_secs(10 * 60)).await;
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_hold_back_a_challenge() {
    let bot = TestBot::start().await;
    let ben = bot.ben();
    let now = Zone::default().local(bot.registry.now());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    bot.registry
        .preferences_cache()
        .change_person(UserId(ben.id.0), |it| it.quiet = Some(quiet))
        .await
        .unwrap();
    bot.wait_until_quiet_hours_are_checked().await;
    let table = open(&bot.ada(), bot.games(), &json!({"game": "amazons", "opponent": ben.id})).await;
    let challenge = crate::duel::challenge(&ben, bot.games(), &table).await;
    assert!(challenge.pinged().is_empty() && challenge.button("Accept").is_some());
    bot.playground.clock().advance(Duration::from_secs(2 * 3_600));
    let late = |it: &VisibleMessage| it.content().contains(&table) && it.pinged() == ["Ben"];
    let late = ben.wait_for(bot.games(), "the ping that waited", late).await.unwrap();
    assert!(late.content().contains("you have a challenge to answer"), "{}", late.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn digest_puts_a_day_in_one_message() {
    let bot = TestBot::start().await;
    bot.advance_to_minute(8 * 60).await;
    let (mut duel, over) = (Duel::begin(&bot).await, Duel::begin(&bot).await);
    let watched = Duel::begin(&bot).await;
    let (ben, dm) = (duel.ben.clone(), duel.ben.dm());
    bot.registry
        .preferences_cache()
        .change_person(UserId(ben.id.0), |it| it.pings = Pings::Digest)
        .await
        .unwrap();
    let watch = json!({"table": watched.table, "how": "dm"});
    bot.cleo().slash(bot.games(), "watch", &watch).unwrap().message().await.unwrap();
    bot.advance_to_minute(8 * 60 + 30).await;
    // The clock stands still, and a digest reports only events after the previous check.
    bot.advance(Duration::from_secs(1)).await;
    duel.turn(&bot, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "he hears of it at nine");
    let mut over = over;
    over.turn(&bot, Way::Reply).await;
    bot.resign(&over.ada, &over.board).await;
    let challenge = json!({"game": "amoeba", "opponent": ben.id});
    let asked = open(&bot.cleo(), bot.games(), &challenge).await;
    bot.wait_until_idle().await;
    assert!(ben.messages(dm).is_empty());
    bot.advance_to_minute(9 * 60).await;
    let day = ben.wait_for(dm, "the day", |it| it.content().contains("Your turn in")).await.unwrap();
    for part in [&duel.table, &over.table, &asked] {
        assert!(day.content().contains(part.as_str()), "{part}: {}", day.content());
    }
    for title in ["Your turn in one game", "Waiting for your answer", "Your finished games"] {
        assert!(day.content().contains(title), "{title}: {}", day.content());
    }
    bot.wait_until_idle().await;
    assert_eq!(ben.messages(dm).len(), 1, "one message a day");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn digest_does_not_delay_a_warning_of_time() {
    const HOUR: Duration = Duration::from_secs(3_600);
    let bot = TestBot::start().await;
    let terms = json!({"game": "amazons", "size": "6x6", "clock": "daily"});
    let duel = Duel::begin_with(&bot, &terms).await;
    for who in [&duel.ada, &duel.ben] {
        bot.registry
            .preferences_cache()
            .change_person(UserId(who.id.0), |it| it.pings = Pings::Digest)
            .await
            .unwrap();
    }
    bot.advance(36 * HOUR).await;
    let told = async |who: &rookery_playground::testing::person::Person, words: &str| {
        let there = |it: &VisibleMessage| it.content().contains(words);
        let posted = who.wait_for(duel.thread, words, there).await.unwrap();
        assert!(posted.pinged().is_empty(), "it came directly");
        let direct = who.wait_for(who.dm(), &format!("{words}, directly"), there).await.unwrap();
        assert!(direct.content().contains(&duel.thread.to_string()), "with the way there");
        direct
    };
    let first = told(&duel.ada, "you have a quarter of your time left").await;
    assert_eq!(first.json["flags"], 1 << 12, "the first one makes no sound there either");
    bot.advance(10 * HOUR).await;
    told(&duel.ada, "your time is almost up").await;
    bot.advance(2 * HOUR).await;
    let up = told(&duel.ben, "is out of time, but can still move").await;
    assert!(up.button("Claim win").is_some());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_of_a_new_game_follows_each_persons_settings() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let likes = async |who: &rookery_playground::testing::person::Person, pings| {
        bot.registry
            .preferences_cache()
            .change_person(UserId(who.id.0), |it| it.pings = pings)
            .await
            .unwrap();
    };
    likes(&ada, Pings::Dm).await;
    likes(&ben, Pings::Dm).await;
    likes(&cleo, Pings::Off).await;
    let terms = json!({"game": "penguins", "players": 4, "first": "me"});
    let table = open(&ada, games, &terms).await;
    let challenge = crate::duel::challenge(&ben, games, &table).await;
    let dan = bot.playground.new_user("Dan");
    for who in [&ben, &cleo, &dan] {
        bot.press(who, &challenge, "Join").await;
    }
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let first = |it: &VisibleMessage| it.content().contains("moves first");
    let welcome = ada.wait_for(thread, "the welcome", first).await.unwrap();
    assert_eq!(welcome.pinged(), ["Dan"], "{}", welcome.content());
    let named = format!(" has started: this is game {table}. ");
    assert!(welcome.content().contains(&named), "{}", welcome.content());
    let begun = |it: &VisibleMessage| it.content().contains("Your game has started");
    let direct = ben.wait_for(ben.dm(), "that it begins", begun).await.unwrap();
    assert!(direct.content().contains(&thread.to_string()), "{}", direct.content());
    let turn = |it: &VisibleMessage| it.content().contains("Your turn");
    let told = ada.wait_for(ada.dm(), "her turn", turn).await.unwrap();
    assert!(told.content().contains("(Orange)"), "{}", told.content());
    bot.wait_until_idle().await;
    assert_eq!((ada.messages(ada.dm()).len(), cleo.messages(cleo.dm()).len()), (1, 0));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_settings_limit_the_bot_on_seats_that_it_takes_later() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let guild = bot.playground.guild("Rookery").unwrap().0;
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild), |it| it.ai.strongest = Some("easy".into()))
        .await
        .unwrap();
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3, "first": "me"})).await;
    let challenge = crate::duel::challenge(&ben, games, &table).await;
    bot.press(&ben, &challenge, "Join").await;
    let asked = bot.press(&ada, &challenge, "Play against the bot").await;
    let offered = asked.selects()[0]["options"].as_array().unwrap().clone();
    let levels: Vec<_> = offered.iter().map(|it| it["value"].as_str().unwrap()).collect();
    assert_eq!(levels, ["beginner", "easy", "random"]);
    bot.choose(&ada, &asked, "random").await;

    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    let strong = ben.slash(thread, "leave", &json!({"ai": "expert"})).unwrap().message().await.unwrap();
    assert!(strong.content().contains("up to level easy"), "{}", strong.content());
    let said = ben.say(thread, &format!("<@{}> leave expert", rookery_playground::BOT_ID)).unwrap();
    let strong = bot.answer_to(&ben, &said).await;
    assert!(strong.content().contains("up to level easy"), "{}", strong.content());
    let seated = async || bot.table(&table).await.chairs().to_vec();
    assert!(seated().await.contains(&Occupant::Human { person: UserId(ben.id.0) }));
    ben.slash(thread, "leave", &json!({})).unwrap().message().await.unwrap();
    assert!(seated().await.contains(&Occupant::Ai { level: Level::Easy }), "nobody said how strong");

    bot.registry.preferences_cache().change_server(GuildId(guild), |it| it.ai.games = 0).await.unwrap();
    let waiting = open(&ada, games, &json!({"game": "amazons"})).await;
    let challenge = crate::duel::challenge(&ada, games, &waiting).await;
    let asked = bot.press(&ada, &challenge, "Play against the bot").await;
    let full = bot.choose(&ada, &asked, "random").await;
    assert!(full.content().contains("You can't play against Rookery on this server"), "{}", full.content());
    assert_eq!(bot.table(&waiting).await.status(), &rookery_table::Status::Waiting);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_end_with_what_waited_for_each() {
    let bot = TestBot::start().await;
    let (ben, cleo, games) = (bot.ben(), bot.cleo(), bot.games());
    let now = Zone::default().local(bot.registry.now());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    for who in [&ben, &cleo] {
        bot.registry
            .preferences_cache()
            .change_person(UserId(who.id.0), |it| it.quiet = Some(quiet))
            .await
            .unwrap();
    }
    bot.wait_until_quiet_hours_are_checked().await;
    let terms = json!({"game": "penguins", "players": 3, "opponent": ben.id, "opponent2": cleo.id});
    let table = open(&bot.ada(), games, &terms).await;
    crate::duel::challenge(&ben, games, &table).await;
    bot.playground.clock().advance(Duration::from_secs(2 * 3_600));
    for who in [&ben, &cleo] {
        let late = |it: &VisibleMessage| it.content().contains(&table) && it.pinged() == [who.name.as_str()];
        who.wait_for(games, "the ping that waited", late).await.unwrap();
    }
    bot.stop().await;
}
