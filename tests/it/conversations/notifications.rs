//! What people and servers choose, and that it has effect: settings, pings, quiet hours, a server's rules.

use std::time::Duration;

use rookery_core::player::Level;
use rookery_playground::people::visible_message::VisibleMessage;
use rookery_table::calendar::{Daily, Zone};
use rookery_table::preferences::Pings;
use rookery_table::{Occupant, Person, TableId};
use serde_json::json;

use crate::duel::{Duel, Way, open};
use crate::test_bot::House;

/// Longer than the time in which somebody who acted is not pinged.
const A_WHILE: Duration = Duration::from_secs(61);

/// Chooses in a select of a panel that only this person sees; what the panel becomes.
async fn choose(
    house: &House,
    who: &rookery_playground::people::person::Person,
    panel: &VisibleMessage,
    id: &str,
    value: &str,
) -> VisibleMessage {
    let values = [value];
    let values = if value.is_empty() { &[][..] } else { &values[..] };
    house.changed(who, panel, &who.choose(panel, id, values).unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_chosen_on_a_panel_and_have_effect() {
    let house = House::open().await;
    let duel = Duel::begin(&house).await;
    let plain = duel.ada.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(!plain.content().contains("```"));
    let panel = duel.ada.slash(duel.thread, "settings", &json!({})).unwrap().message().await.unwrap();
    assert!(panel.is_ephemeral() && panel.content().contains("Theme: as usual here"), "{}", panel.content());
    let panel = choose(&house, &duel.ada, &panel, "set:theme", "slate").await;
    assert!(panel.content().contains("Theme: slate"), "{}", panel.content());
    let panel = house.press_private(&duel.ada, &panel, "Text board: off").await;
    assert!(panel.content().contains("Text board: on"), "{}", panel.content());
    let panel = house.press_private(&duel.ada, &panel, "Pings and hours …").await;
    let panel = choose(&house, &duel.ada, &panel, "set:quiet", "1320-420").await;
    assert!(panel.content().contains("Quiet hours: 22:00 to 07:00"), "{}", panel.content());

    let board = duel.ada.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(board.content().contains("```"), "the board in plain characters: {}", board.content());
    let (before, after) = (plain.files()[0].clone(), board.files()[0].clone());
    assert_ne!(before["size"], after["size"], "in other colours");
    let theirs = duel.ben.slash(duel.thread, "board", &json!({})).unwrap().message().await.unwrap();
    assert!(!theirs.content().contains("```"), "nobody else's boards change");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_zone_is_found_while_it_is_typed() {
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let found = ada.complete(games, "settings", &json!({"zone": "new yo"}), "zone").await.unwrap();
    assert!(found.iter().any(|it| it["value"] == "America/New_York"), "{found:?}");
    let told =
        ada.slash(games, "settings", &json!({"zone": "America/New_York"})).unwrap().message().await.unwrap();
    assert!(told.content().contains("Time zone: America/New_York"), "{}", told.content());
    let wrong = ada.slash(games, "settings", &json!({"zone": "Atlantis"})).unwrap().message().await.unwrap();
    assert!(wrong.content().contains("no time zone called `Atlantis`"), "{}", wrong.content());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_acted_a_moment_ago_is_not_pinged_and_who_did_not_is() {
    let house = House::open().await;
    let mut duel = Duel::begin(&house).await;
    duel.turn(&house, Way::Reply).await;
    assert_eq!(duel.board.pinged(), ["Ben"], "he has not moved yet");
    duel.turn(&house, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "Ada is looking at it");
    house.playground.clock().advance(A_WHILE);
    duel.turn(&house, Way::Reply).await;
    assert_eq!(duel.board.pinged(), ["Ben"]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_is_pinged_as_they_like_it() {
    let house = House::open().await;
    let mut duel = Duel::begin(&house).await;
    let ben = Person(duel.ben.id.0);
    let preferences_cache = house.registry.preferences_cache();
    preferences_cache.change_person(ben, |it| it.pings = Pings::Dm).await.unwrap();
    duel.turn(&house, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "one ping a turn: it came elsewhere");
    let direct =
        duel.ben.wait_for(duel.ben.dm(), "a direct message", |it| it.content().contains("your turn")).await;
    assert!(direct.unwrap().content().contains(&duel.thread.to_string()), "with the way there");

    house.playground.clock().advance(A_WHILE);
    duel.turn(&house, Way::Reply).await;
    duel.ben.let_dms_in(false);
    house.playground.clock().advance(A_WHILE);
    duel.turn(&house, Way::Reply).await;
    assert_eq!(duel.board.pinged(), ["Ben"], "a closed door: the board pings");

    duel.turn(&house, Way::Reply).await;
    preferences_cache.change_person(ben, |it| it.pings = Pings::Off).await.unwrap();
    house.playground.clock().advance(A_WHILE);
    duel.turn(&house, Way::Reply).await;
    assert!(duel.board.pinged().is_empty() && duel.board.content().contains(&duel.ben.mention()));
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lets_nobody_in_is_not_knocked_at_with_every_turn() {
    let house = House::open().await;
    let mut duel = Duel::begin(&house).await;
    let ben = duel.ben.clone();
    house
        .registry
        .preferences_cache()
        .change_person(Person(ben.id.0), |it| it.pings = Pings::Dm)
        .await
        .unwrap();
    ben.let_dms_in(false);
    for _ in 0..3 {
        duel.turn(&house, Way::Reply).await;
        assert_eq!(duel.board.pinged(), ["Ben"], "a closed door: the board pings");
        house.playground.clock().advance(A_WHILE);
        duel.turn(&house, Way::Reply).await;
        house.playground.clock().advance(A_WHILE);
    }
    // Requests that opened direct messages, and those that were refused.
    let knocks = || {
        let all = house.playground.requests();
        let opened = all.iter().filter(|it| it.route == "/users/@me/channels").count();
        (opened, all.iter().filter(|it| it.status == 403).count())
    };
    assert_eq!(knocks(), (1, 1));

    ben.let_dms_in(true);
    let mut panel = ben.slash(duel.thread, "settings", &json!({})).unwrap().message().await.unwrap();
    panel = house.changed(&ben, &panel, &ben.click(&panel, "set:hours").unwrap()).await;
    for pings in ["off", "dm"] {
        panel = house.changed(&ben, &panel, &ben.choose(&panel, "set:pings", &[pings]).unwrap()).await;
    }
    duel.turn(&house, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "who asks for direct messages gets them");
    ben.wait_for(ben.dm(), "a direct message", |it| it.content().contains("your turn")).await.unwrap();
    assert_eq!(knocks(), (1, 1), "by the way that is known");
    house.close_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_are_kept_and_told_of_when_they_end() {
    let house = House::open().await;
    let mut duel = Duel::begin(&house).await;
    let now = Zone::default().local(house.registry.now_ms());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    let ben = Person(duel.ben.id.0);
    house.registry.preferences_cache().change_person(ben, |it| it.quiet = Some(quiet)).await.unwrap();
    // The house looks at the clock, and sees that it is a quiet hour.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    duel.turn(&house, Way::Reply).await;
    assert!(duel.board.pinged().is_empty());
    house.playground.clock().advance(Duration::from_secs(2 * 3_600));
    let late =
        duel.ben.wait_for(duel.thread, "the ping that waited", |it| it.pinged() == ["Ben"]).await.unwrap();
    assert!(
        late.content().contains(&duel.table) && late.content().contains("your move"),
        "{}",
        late.content()
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_where_and_against_what_is_played() {
    let house = House::open().await;
    let (ada, ben, games, lobby) =
        (house.ada(), house.ben(), house.games(), house.playground.channel("lobby"));
    let refused = ben.slash(games, "config panel", &json!({}));
    assert!(refused.is_err(), "only who manages the server");
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let panel = choose(&house, &ada, &panel, "cfg:channels", &games.to_string()).await;
    assert!(panel.content().contains(&format!("<#{games}>")), "{}", panel.content());
    let panel = house.press_private(&ada, &panel, "A thread for each game: on").await;
    let panel = house.press_private(&ada, &panel, "Games and clocks …").await;
    let panel = choose(&house, &ada, &panel, "cfg:strongest", "easy").await;
    assert!(panel.content().contains("My strongest level: easy"), "{}", panel.content());

    let small = json!({"game": "amazons", "size": "6x6"});
    let elsewhere = ben.slash(lobby, "play", &small).unwrap().message().await.unwrap();
    assert!(elsewhere.content().contains(&format!("<#{games}>")), "{}", elsewhere.content());
    let strong = json!({"game": "amazons", "size": "6x6", "ai": "hard"});
    let strong = ben.slash(games, "play", &strong).unwrap().message().await.unwrap();
    assert!(strong.content().contains("up to level easy"), "{}", strong.content());
    let table = open(&ben, games, &json!({"game": "amazons", "size": "6x6", "ai": "easy"})).await;
    ben.wait_for(games, "a board in the channel itself", |it| it.button("Move").is_some()).await.unwrap();
    assert!(!house.table(&table).await.terms().thread);
    assert!(table.parse::<TableId>().is_ok());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_named_with_the_way_to_grant_it() {
    const SEND_AND_FILES: u64 = 1 << 11 | 1 << 15;
    let house = House::open().await;
    let (ada, games) = (house.ada(), house.games());
    let well = ada.slash(games, "config check", &json!({})).unwrap().message().await.unwrap();
    assert!(well.content().contains("all that I need"), "{}", well.content());
    house.playground.deny_bot(games, SEND_AND_FILES);
    let told = ada.slash(games, "config check", &json!({})).unwrap().message().await.unwrap();
    for part in ["Send Messages", "Attach Files", "no pictures", "Permissions"] {
        assert!(told.content().contains(part), "{part}: {}", told.content());
    }
    assert!(!told.content().contains("View Channel"), "{}", told.content());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn offers_and_results_come_as_everybody_likes_them() {
    let house = House::open().await;
    let mut duel = Duel::begin(&house).await;
    let preferences_cache = house.registry.preferences_cache();
    let ben = Person(duel.ben.id.0);
    duel.turn(&house, Way::Reply).await;
    duel.turn(&house, Way::Reply).await;
    preferences_cache.change_person(ben, |it| it.pings = Pings::Dm).await.unwrap();
    duel.ada.slash(duel.thread, "undo", &json!({})).unwrap().message().await.unwrap();
    let asks = |it: &VisibleMessage| it.content().contains("asks to take back");
    let offer = duel.ben.wait_for(duel.thread, "the offer", asks).await.unwrap();
    assert!(offer.pinged().is_empty(), "it came elsewhere");
    let direct = duel.ben.wait_for(duel.ben.dm(), "the offer by direct message", asks).await.unwrap();
    assert!(direct.content().contains(&duel.thread.to_string()), "with the way there");
    house.press(&duel.ben, &direct, "Play on").await;
    duel.ada.wait_for(duel.thread, "his answer", |it| it.content().contains("says no")).await.unwrap();

    preferences_cache.change_person(ben, |it| it.pings = Pings::Off).await.unwrap();
    house.resign(&duel.ada, &duel.board).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    let over = duel.ada.wait_for(duel.thread, "the result", over).await.unwrap();
    assert!(
        over.pinged().is_empty() && over.content().contains(&duel.ben.mention()),
        "named, and not called"
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_hears_of_the_answer_to_a_challenge_as_they_like_it() {
    let house = House::open().await;
    let (ada, ben, games) = (house.ada(), house.ben(), house.games());
    for (pings, direct) in [(Pings::Dm, 1), (Pings::Off, 1)] {
        house
            .registry
            .preferences_cache()
            .change_person(Person(ada.id.0), |it| it.pings = pings)
            .await
            .unwrap();
        let table = open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
        let challenge = crate::duel::challenge(&ben, games, &table).await;
        house.press(&ben, &challenge, "Decline").await;
        let lapsed = |it: &VisibleMessage| it.content().contains(&format!("{table} does not begin"));
        let posted = ada.wait_for(games, "what became of it", lapsed).await.unwrap();
        assert!(posted.pinged().is_empty() && !posted.content().contains(&ada.mention()));
        assert_eq!(ada.messages(ada.dm()).len(), direct, "{pings:?}");
        // Then he can be asked again.
        house.pass(Duration::from_secs(10 * 60)).await;
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_waits_for_the_end_of_quiet_hours() {
    let house = House::open().await;
    let ben = house.ben();
    let now = Zone::default().local(house.registry.now_ms());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    house
        .registry
        .preferences_cache()
        .change_person(Person(ben.id.0), |it| it.quiet = Some(quiet))
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let table = open(&house.ada(), house.games(), &json!({"game": "amazons", "opponent": ben.id})).await;
    let challenge = crate::duel::challenge(&ben, house.games(), &table).await;
    assert!(challenge.pinged().is_empty() && challenge.button("Accept").is_some());
    house.playground.clock().advance(Duration::from_secs(2 * 3_600));
    let late = |it: &VisibleMessage| it.content().contains(&table) && it.pinged() == ["Ben"];
    let late = ben.wait_for(house.games(), "the ping that waited", late).await.unwrap();
    assert!(late.content().contains("this challenge waits for your answer"), "{}", late.content());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_day_comes_in_one_message() {
    let house = House::open().await;
    house.until(8 * 60).await;
    let (mut duel, over) = (Duel::begin(&house).await, Duel::begin(&house).await);
    let watched = Duel::begin(&house).await;
    let (ben, dm) = (duel.ben.clone(), duel.ben.dm());
    house
        .registry
        .preferences_cache()
        .change_person(Person(ben.id.0), |it| it.pings = Pings::Digest)
        .await
        .unwrap();
    let watch = json!({"table": watched.table, "how": "dm"});
    house.cleo().slash(house.games(), "watch", &watch).unwrap().message().await.unwrap();
    house.until(8 * 60 + 30).await;
    duel.turn(&house, Way::Reply).await;
    assert!(duel.board.pinged().is_empty(), "he hears of it at nine");
    let mut over = over;
    over.turn(&house, Way::Reply).await;
    house.resign(&over.ada, &over.board).await;
    let challenge = json!({"game": "amoeba", "opponent": ben.id});
    let asked = open(&house.cleo(), house.games(), &challenge).await;
    house.quiet().await;
    assert!(ben.messages(dm).is_empty());
    house.until(9 * 60).await;
    let day = ben.wait_for(dm, "the day", |it| it.content().contains("Your turn in")).await.unwrap();
    for part in [&duel.table, &over.table, &asked] {
        assert!(day.content().contains(part.as_str()), "{part}: {}", day.content());
    }
    for title in ["Your turn in one game", "Waiting for your answer", "Games of yours that ended"] {
        assert!(day.content().contains(title), "{title}: {}", day.content());
    }
    house.quiet().await;
    assert_eq!(ben.messages(dm).len(), 1, "one message a day");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hears_once_a_day_is_told_at_once_that_time_runs_out() {
    const HOUR: Duration = Duration::from_secs(3_600);
    let house = House::open().await;
    let terms = json!({"game": "amazons", "size": "6x6", "clock": "daily"});
    let duel = Duel::begin_with(&house, &terms).await;
    for who in [&duel.ada, &duel.ben] {
        house
            .registry
            .preferences_cache()
            .change_person(Person(who.id.0), |it| it.pings = Pings::Digest)
            .await
            .unwrap();
    }
    house.pass(36 * HOUR).await;
    let told = async |who: &rookery_playground::people::person::Person, words: &str| {
        let there = |it: &VisibleMessage| it.content().contains(words);
        let posted = who.wait_for(duel.thread, words, there).await.unwrap();
        assert!(posted.pinged().is_empty(), "it came directly");
        let direct = who.wait_for(who.dm(), &format!("{words}, directly"), there).await.unwrap();
        assert!(direct.content().contains(&duel.thread.to_string()), "with the way there");
        direct
    };
    let first = told(&duel.ada, "a quarter of your time is left").await;
    assert_eq!(first.json["flags"], 1 << 12, "the first one makes no sound there either");
    house.pass(10 * HOUR).await;
    told(&duel.ada, "your time is nearly up").await;
    house.pass(2 * HOUR).await;
    let up = told(&duel.ben, "time is up").await;
    assert!(up.button("Claim the win").is_some());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_begins_calls_everybody_as_they_like_it() {
    let house = House::open().await;
    let (ada, ben, cleo, games) = (house.ada(), house.ben(), house.cleo(), house.games());
    let likes = async |who: &rookery_playground::people::person::Person, pings| {
        house
            .registry
            .preferences_cache()
            .change_person(Person(who.id.0), |it| it.pings = pings)
            .await
            .unwrap();
    };
    likes(&ada, Pings::Dm).await;
    likes(&ben, Pings::Dm).await;
    likes(&cleo, Pings::Off).await;
    let terms = json!({"game": "penguins", "players": 4, "first": "me"});
    let table = open(&ada, games, &terms).await;
    let challenge = crate::duel::challenge(&ben, games, &table).await;
    let dan = house.playground.new_user("Dan");
    for who in [&ben, &cleo, &dan] {
        house.press(who, &challenge, "Join").await;
    }
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let first = |it: &VisibleMessage| it.content().contains("moves first");
    let welcome = ada.wait_for(thread, "the welcome", first).await.unwrap();
    assert_eq!(welcome.pinged(), ["Dan"], "{}", welcome.content());
    let begun = |it: &VisibleMessage| it.content().contains("your game has begun");
    let direct = ben.wait_for(ben.dm(), "that it begins", begun).await.unwrap();
    assert!(direct.content().contains(&thread.to_string()), "{}", direct.content());
    let turn = |it: &VisibleMessage| it.content().contains("it is your turn");
    let told = ada.wait_for(ada.dm(), "her turn", turn).await.unwrap();
    assert!(told.content().contains("as Orange"), "{}", told.content());
    house.quiet().await;
    assert_eq!((ada.messages(ada.dm()).len(), cleo.messages(cleo.dm()).len()), (1, 0));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_limits_the_bot_on_seats_that_it_takes_later_as_well() {
    let house = House::open().await;
    let (ada, ben, games) = (house.ada(), house.ben(), house.games());
    let guild = house.playground.guild("Rookery").unwrap().0;
    house
        .registry
        .preferences_cache()
        .change_server(guild, |it| it.ai.strongest = Some("easy".into()))
        .await
        .unwrap();
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3, "first": "me"})).await;
    let challenge = crate::duel::challenge(&ben, games, &table).await;
    house.press(&ben, &challenge, "Join").await;
    let asked = house.press(&ada, &challenge, "Fill with Rookery").await;
    let offered = asked.selects()[0]["options"].as_array().unwrap().clone();
    let levels: Vec<_> = offered.iter().map(|it| it["value"].as_str().unwrap()).collect();
    assert_eq!(levels, ["random", "beginner", "easy"]);
    house.take(&ada, &asked, "random").await;

    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    let strong = ben.slash(thread, "leave", &json!({"ai": "expert"})).unwrap().message().await.unwrap();
    assert!(strong.content().contains("up to level easy"), "{}", strong.content());
    let said = ben.say(thread, &format!("<@{}> leave expert", rookery_playground::BOT_ID)).unwrap();
    let strong = house.answer_to(&ben, &said).await;
    assert!(strong.content().contains("up to level easy"), "{}", strong.content());
    let seated = async || house.table(&table).await.chairs().to_vec();
    assert!(seated().await.contains(&Occupant::Human { person: Person(ben.id.0) }));
    ben.slash(thread, "leave", &json!({})).unwrap().message().await.unwrap();
    assert!(seated().await.contains(&Occupant::Ai { level: Level::Easy }), "nobody said how strong");

    house.registry.preferences_cache().change_server(guild, |it| it.ai.games = 0).await.unwrap();
    let waiting = open(&ada, games, &json!({"game": "amazons"})).await;
    let challenge = crate::duel::challenge(&ada, games, &waiting).await;
    let asked = house.press(&ada, &challenge, "Fill with Rookery").await;
    let full = house.take(&ada, &asked, "random").await;
    assert!(full.content().contains("nobody plays against me"), "{}", full.content());
    assert_eq!(house.table(&waiting).await.status(), &rookery_table::Status::Waiting);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_hears_of_what_waited_through_quiet_hours() {
    let house = House::open().await;
    let (ben, cleo, games) = (house.ben(), house.cleo(), house.games());
    let now = Zone::default().local(house.registry.now_ms());
    let quiet = Daily { from_min: now.minute / 15 * 15, to_min: (now.minute / 15 * 15 + 120) % 1_440 };
    for who in [&ben, &cleo] {
        house
            .registry
            .preferences_cache()
            .change_person(Person(who.id.0), |it| it.quiet = Some(quiet))
            .await
            .unwrap();
    }
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let terms = json!({"game": "penguins", "players": 3, "opponent": ben.id, "opponent2": cleo.id});
    let table = open(&house.ada(), games, &terms).await;
    crate::duel::challenge(&ben, games, &table).await;
    house.playground.clock().advance(Duration::from_secs(2 * 3_600));
    for who in [&ben, &cleo] {
        let late = |it: &VisibleMessage| it.content().contains(&table) && it.pinged() == [who.name.as_str()];
        who.wait_for(games, "the ping that waited", late).await.unwrap();
    }
    house.close().await;
}
