//! Starting a game: from a menu, in plain words, with the bot on any seat, in any channel.

use std::time::Duration;

use rookery_core::player::Level;
use rookery_playground::BOT_ID;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{ChannelId, GuildId, Occupant, Status};
use serde_json::json;

use crate::duel::slash_play;
use crate::duel::{challenge, open};
use crate::eventually::poll_interval;
use crate::test_bot::{TestBot, TestSetup};

#[tokio::test(flavor = "multi_thread")]
async fn user_menu_challenges_a_person() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let asked = ada.on_user(games, "Challenge to a game", ben.id).unwrap().message().await.unwrap();
    assert!(asked.is_ephemeral() && asked.content().contains(&ben.mention()), "{}", asked.content());
    let told = bot.choose(&ada, &asked, "amoeba").await;
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let challenge = challenge(&ben, games, &table).await;
    assert!(challenge.content().contains("Amoeba") && challenge.pinged() == ["Ben"]);
    bot.press(&ben, &challenge, "Accept").await;
    ben.wait_for_thread(games, &table).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_phrase_opens_a_game() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let said = ada.say(games, &format!("<@{BOT_ID}> play amazons 6x6 easy them")).unwrap();
    let told = bot.answer_to(&ada, &said).await;
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let table = bot.table(&table).await;
    assert_eq!(table.chairs()[0], Occupant::Ai { level: Level::Easy });
    assert_eq!(table.terms().options["size"], "6x6");
    let wrong = ada.say(games, &format!("<@{BOT_ID}> play amazons quickly")).unwrap();
    let told = bot.answer_to(&ada, &wrong).await;
    assert!(told.content().contains("`quickly`"), "{}", told.content());
    let gift = ada.say(games, &format!("<@{BOT_ID}> play [gift](https://evil.example)")).unwrap();
    let told = bot.answer_to(&ada, &gift).await;
    assert!(told.content().contains("`[gift](https://evil.example)`"), "no link of ours: {}", told.content());
    for (said, part) in [
        ("play", "Penguin Soccer"),
        ("play amazons ai:grandmaster", "grandmaster"),
        ("play amazons 99x99", "10x10, 8x8 or 6x6"),
        ("play paper_penguins pieces:9", "from 1 to 8"),
        ("play amoeba size:8x8", "no option"),
    ] {
        let wrong = ada.say(games, &format!("<@{BOT_ID}> {said}")).unwrap();
        let told = bot.answer_to(&ada, &wrong).await;
        let refused = told.content().contains(part) && !told.content().contains("Your game is **");
        assert!(refused && !told.content().contains("while you type"), "{said}: {}", told.content());
    }
    let help = ada.say(games, &format!("<@{BOT_ID}> help")).unwrap();
    assert!(bot.answer_to(&ada, &help).await.content().contains("/play"));
    bot.stop().await;
}

/// A message may contain any number; one of these once exhausted the memory and crashed the bot.
#[tokio::test(flavor = "multi_thread")]
async fn play_phrase_refuses_more_people_than_seats() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    for players in ["100000000000000", "9223372036854775807", "50000000", "0", "-3"] {
        for who in ["easy", "", "ai_seats:all"] {
            let said = ada.say(games, &format!("<@{BOT_ID}> play penguins {who} players:{players}")).unwrap();
            let told = bot.answer_to(&ada, &said).await;
            let refused = told.content().contains("from 2 to 4") && told.content().contains(players);
            assert!(refused, "{who}: {}", told.content());
        }
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn host_fills_free_seats_with_the_bot() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3})).await;
    let challenge = challenge(&ben, games, &table).await;
    assert_eq!(challenge.buttons(), ["Join", "Play against the bot", "Cancel"]);
    let refused = bot.press(&ben, &challenge, "Play against the bot").await;
    assert!(refused.content().contains("Only the person who started"), "{}", refused.content());
    bot.press(&ben, &challenge, "Join").await;
    let sure = bot.press(&ada, &challenge, "Play against the bot").await;
    let filled = bot.choose(&ada, &sure, "easy").await;
    assert!(filled.content().contains("Rookery has joined"), "{}", filled.content());
    let table = bot.table(&table).await;
    assert_eq!(*table.status(), Status::Running);
    assert_eq!(table.chairs()[2], Occupant::Ai { level: Level::Easy });
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn host_who_fills_a_rated_table_is_warned() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    bot.allow_rated().await;
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3, "rated": true})).await;
    let challenge = challenge(&ben, games, &table).await;
    bot.press(&ben, &challenge, "Join").await;
    let sure = bot.press(&ada, &challenge, "Play against the bot").await;
    assert!(sure.content().contains("this game won't be rated"), "{}", sure.content());
    bot.choose(&ada, &sure, "easy").await;
    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    ben.wait_for(thread, "that it does not count", |it| it.content().contains("this game isn't rated"))
        .await
        .unwrap();
    bot.wait_until_idle().await;
    let announced = ben.refetch(&challenge).unwrap();
    assert!(!announced.content().contains("rated"), "{}", announced.content());
    assert!(!bot.table(&table).await.is_rated());
    bot.stop().await;
}

/// A challenge of another person does not count against those who joined it or are invited.
#[tokio::test(flavor = "multi_thread")]
async fn challenge_limit_counts_ones_own_only() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let most = rookery::discord::Settings::default().open_per_person;
    for _ in 0..most {
        let table = open(&ada, games, &json!({"game": "penguins", "players": 3})).await;
        let challenge = challenge(&ben, games, &table).await;
        bot.press(&ben, &challenge, "Join").await;
    }
    open(&ben, games, &json!({"game": "amoeba"})).await;
    let full = slash_play(&ada, games, &json!({"game": "amoeba"})).unwrap().message().await.unwrap();
    assert!(full.content().contains("open challenges"), "{}", full.content());
    bot.stop().await;
}

/// One person plays against three bot seats, whose consecutive moves share one board.
#[tokio::test(flavor = "multi_thread")]
async fn bot_on_several_seats_answers_in_one_board() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "penguins", "players": 4, "ai": "easy", "where": "here", "seed": 1});
    let table = open(&ada, games, &terms).await;
    let first = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&table);
    let board = ada.wait_for(games, "the first board", first).await.unwrap();
    let own = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.reply(&board, &own).unwrap();
    let all = |it: &VisibleMessage| ["2. ", "3. ", "4. "].iter().all(|number| it.content().contains(number));
    let board = ada.wait_for(games, "the board after all of them", all).await.unwrap();
    assert!(board.pinged().is_empty(), "she has just moved and is looking");
    bot.wait_until_idle().await;
    let shown = ada.messages(games).into_iter().filter(|it| !it.files().is_empty()).count();
    assert_eq!(shown, 3, "the start, her own move, theirs");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_plays_itself_with_a_board_each_round() {
    let bot = TestBot::start().await;
    bot.registry.set_exhibition_pace(Duration::ZERO);
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "4x4", "ai_seats": "all", "where": "here"});
    let table = open(&ada, games, &terms).await;
    let over = format!("{table} is over");
    let result = ada.wait_for(games, "the result", |it| it.content().contains(&over)).await.unwrap();
    assert!(result.pinged().is_empty(), "nobody plays, nobody is pinged");
    let plies = bot.table(&table).await.ply();
    bot.wait_until_idle().await;
    let boards = ada.messages(games).into_iter().filter(|it| !it.files().is_empty()).count();
    assert!(boards <= plies / 2 + 2, "{boards} boards for {plies} turns");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_game_goes_to_direct_messages_on_request() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy", "where": "dm"});
    let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    assert!(told.content().contains("direct messages"), "{}", told.content());
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let is_board = |it: &VisibleMessage| it.button("Move").is_some() && it.content().contains(&table);
    ada.wait_for(ada.dm(), "the board", is_board).await.unwrap();
    assert!(ada.messages(games).iter().all(|it| it.is_ephemeral()), "nothing in the channel");
    let two = json!({"game": "amazons", "opponent": ben.id, "where": "dm"});
    let refused = slash_play(&ada, games, &two).unwrap().message().await.unwrap();
    assert!(refused.content().contains("Choose a level"), "{}", refused.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seating_that_is_impossible_is_refused_with_the_reason() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let refused = async |terms: serde_json::Value, reason: &str| {
        let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral() && told.content().contains(reason), "{terms}: {}", told.content());
    };
    refused(json!({"game": "amazons", "ai_seats": "7"}), "how many bots play").await;
    refused(json!({"game": "amazons", "ai_seats": "1 2"}), "takes 2 players, not 3").await;
    let two = json!({"game": "penguins", "ai_seats": "1 2", "players": 2});
    refused(two, "aren't enough seats").await;
    refused(json!({"game": "penguins", "first": "pie"}), "can't be swapped").await;
    let guild = bot.playground.guild("Rookery").unwrap().0;
    let set = |server: &mut rookery_table::preferences::ServerPreferences| server.rated = true;
    bot.registry.preferences_cache().change_server(GuildId(guild), set).await.unwrap();
    refused(json!({"game": "amazons", "opponent": ada.id, "rated": true}), "different player").await;
    let pie = open(&ada, games, &json!({"game": "amazons", "first": "pie", "rated": true})).await;
    let table = bot.table(&pie).await;
    assert!(table.is_rated() && table.terms().options["pie"] == "on");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_shows_waiting_and_running_games_in_one_message() {
    let mut plan = TestSetup::default();
    plan.settings.lobby_interval = Duration::from_millis(50);
    let bot = TestBot::of(plan).await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let lobby = bot.playground.channel("general");
    let guild = bot.playground.guild("Rookery").unwrap().0;
    let set =
        |server: &mut rookery_table::preferences::ServerPreferences| server.lobby = Some(ChannelId(lobby.0));
    bot.registry.preferences_cache().change_server(GuildId(guild), set).await.unwrap();
    let empty = ada.wait_for(lobby, "the lobby before there is a game", |it| it.buttons().is_empty()).await;
    assert!(empty.unwrap().content().contains("Nobody is looking"));
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6"})).await;
    let join = format!("Join {table}");
    // The lobby may be updated before the challenge itself is posted; the next update adds the link.
    let linked =
        |it: &VisibleMessage| it.button(&join).is_some() && it.content().contains(&format!("[{table}]("));
    let listed = ben.wait_for(lobby, "the challenge", linked).await.unwrap();
    assert!(listed.pinged().is_empty(), "{}", listed.content());
    bot.press(&ben, &listed, &join).await;
    let running = || ben.refetch(&listed).filter(|it| it.buttons().is_empty());
    let running = bot.playground.wait("the game going on", running).await.unwrap();
    assert!(running.content().contains(&table) && running.content().contains("Nobody is looking"));

    // After an hour Discord allows few edits: the lobby is posted anew and the old message is deleted.
    bot.wait_until_idle().await;
    bot.playground.clock().advance(Duration::from_secs(4_000));
    let second = open(&ada, games, &json!({"game": "amoeba"})).await;
    let join = format!("Join {second}");
    let fresh = ben.wait_for(lobby, "the new lobby", |it| it.button(&join).is_some()).await.unwrap();
    assert_ne!(fresh.id, listed.id);
    let gone = || ben.refetch(&listed).is_none().then_some(());
    bot.playground.wait("the old lobby to go", gone).await.unwrap();
    bot.stop().await;
}

/// A user-installed bot cannot post in the channel, so games against it are played in DMs by default.
#[tokio::test(flavor = "multi_thread")]
async fn user_install_plays_the_bot_in_direct_messages() {
    let bot = TestBot::start().await;
    let (ada, elsewhere) = (bot.ada(), bot.games());
    bot.playground.remove_bot(bot.playground.guild("Rookery").unwrap());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    let told = slash_play(&ada, elsewhere, &terms).unwrap().message().await.unwrap();
    assert!(told.content().contains("direct messages"), "{}", told.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_leaves_out_what_its_readers_may_not_see() {
    let mut plan = TestSetup::default();
    plan.settings.lobby_interval = Duration::from_millis(50);
    let bot = TestBot::of(plan).await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let lobby = bot.playground.channel("general");
    let guild = bot.playground.guild("Rookery").unwrap();
    let set =
        |server: &mut rookery_table::preferences::ServerPreferences| server.lobby = Some(ChannelId(lobby.0));
    bot.registry.preferences_cache().change_server(GuildId(guild.0), set).await.unwrap();
    let secret = bot.playground.new_channel("secret").unwrap();
    bot.playground.restrict_channel_to(secret, &[&ada, &ben]);

    let hidden = open(&ben, secret, &json!({"game": "amazons", "size": "6x6", "where": "here"})).await;
    let in_public_channels = open(&ben, bot.games(), &json!({"game": "amazons", "size": "6x6"})).await;
    let tells = |it: &VisibleMessage| it.content().contains(&in_public_channels);
    let shown = cleo.wait_for(lobby, "the lobby with one challenge", tells).await.unwrap();
    assert!(!shown.content().contains(&hidden) && shown.button(&format!("Join {hidden}")).is_none());

    bot.playground.restrict_channel_to(secret, &[]);
    let both = |it: &VisibleMessage| it.content().contains(&hidden);
    cleo.wait_for(lobby, "the lobby with both", both).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_tells_of_free_seats_beside_invited_ones() {
    let mut plan = TestSetup::default();
    plan.settings.lobby_interval = Duration::from_millis(50);
    let bot = TestBot::of(plan).await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let lobby = bot.playground.channel("general");
    let guild = bot.playground.guild("Rookery").unwrap().0;
    let set =
        |server: &mut rookery_table::preferences::ServerPreferences| server.lobby = Some(ChannelId(lobby.0));
    bot.registry.preferences_cache().change_server(GuildId(guild), set).await.unwrap();
    let private = open(&ada, games, &json!({"game": "amazons", "opponent": ben.id})).await;
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3, "opponent": ben.id})).await;
    let join = format!("Join {table}");
    let listed = cleo.wait_for(lobby, "the free seat", |it| it.button(&join).is_some()).await.unwrap();
    assert!(listed.content().contains("1 seat free") && !listed.content().contains(&private));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_seats_have_levels_of_their_own() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "penguins", "ai_seats": "2 easy, 3 random"});
    let table = bot.table(&open(&ada, games, &terms).await).await;
    let [easy, random] = [Level::Easy, Level::Random].map(|level| Occupant::Ai { level });
    assert_eq!(table.chairs()[1..], [easy, random]);
    let wrong = json!({"game": "penguins", "ai_seats": "2 mighty"});
    let told = slash_play(&ada, games, &wrong).unwrap().message().await.unwrap();
    assert!(told.content().contains("`2 easy, 3 expert`"), "{}", told.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_challenge_says_what_became_of_it() {
    const LATER: Duration = Duration::from_secs(2 * 3_600);
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "first": "me"})).await;
    let challenge = crate::duel::challenge(&ben, games, &table).await;
    bot.advance(LATER).await;
    bot.press(&ben, &challenge, "Join").await;
    let taken = || ben.refetch(&challenge).filter(|it| it.button("Join").is_none());
    let taken = bot.playground.wait("the challenge to say that it was taken", taken).await.unwrap();
    assert!(!taken.content().contains("Press Join"), "{}", taken.content());
    let thread = ben.wait_for_thread(games, &table).await.unwrap();
    let board = ada.wait_for(thread, "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.advance(LATER).await;
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.reply(&board, &text).unwrap();
    let stripped = || ada.refetch(&board).filter(|it| it.button("Move").is_none());
    bot.playground.wait("the old board to call nobody", stripped).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_permission_is_noticed_before_a_game_opens() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "where": "dm", "first": "me"});
    ada.set_dms_open(false);
    let refused = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    assert!(refused.content().contains("can't send you direct messages"), "{}", refused.content());
    let list = ada.slash(games, "games", &json!({})).unwrap().message().await.unwrap();
    assert!(list.content().contains("No games"), "{}", list.content());

    // If the DM is closed later, the game moves as if its channel were deleted.
    ada.set_dms_open(true);
    let table = open(&ada, games, &terms).await;
    ada.wait_for(ada.dm(), "a board", |it| it.button("Move").is_some()).await.unwrap();
    bot.wait_until_idle().await;
    ada.set_dms_open(false);
    let text = bot.table(&table).await.play().unwrap().moves().remove(0);
    ada.slash(games, "move", &json!({"table": table, "move": text})).unwrap().message().await.unwrap();
    bot.wait_until_idle().await;
    let told = ada.slash(games, "board", &json!({"table": table})).unwrap().message().await.unwrap();
    assert!(told.content().contains("so it goes on here"), "{}", told.content());
    let here = |it: &VisibleMessage| !it.is_ephemeral() && it.button("Move").is_some();
    ada.wait_for(games, "the board in its new place", here).await.unwrap();
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lobby_that_moves_leaves_no_message_behind() {
    let mut plan = TestSetup::default();
    plan.settings.lobby_interval = Duration::from_millis(50);
    let bot = TestBot::of(plan).await;
    let (ada, games) = (bot.ada(), bot.games());
    let (first, second) = (bot.playground.channel("general"), bot.playground.channel("lobby"));
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let set = async |channel: Option<rookery_playground::id::Id>| {
        let value = channel.map(|channel| channel.to_string());
        let values: Vec<&str> = value.iter().map(String::as_str).collect();
        ada.choose(&panel, "cfg:lobby", &values).unwrap().answer().await.unwrap();
    };
    let is_lobby =
        |it: &VisibleMessage| it.author() == Some(BOT_ID) && it.content().contains("Nobody is looking");
    // Wait until the journal has stored the lobby's message.
    let there = async |channel: rookery_playground::id::Id| loop {
        let lobby = ada.wait_for(channel, "the lobby", is_lobby).await.unwrap();
        let note = bot.registry.journal().note(&format!("lobby:{channel}")).await.unwrap();
        if note.is_some_and(|note| note.starts_with(&lobby.id.to_string())) {
            return lobby;
        }
        poll_interval().await;
    };
    let gone = async |lobby: &VisibleMessage| {
        let gone = || ada.refetch(lobby).is_none().then_some(());
        bot.playground.wait("the lobby to go", gone).await.unwrap();
    };
    set(Some(first)).await;
    let old = there(first).await;
    set(Some(second)).await;
    gone(&old).await;
    let new = there(second).await;
    set(Some(second)).await;
    gone(&new).await;
    let again = there(second).await;
    set(None).await;
    gone(&again).await;
    bot.stop_after(&[404]).await;
}

/// An empty list would look as if the bot did not answer.
#[tokio::test(flavor = "multi_thread")]
async fn option_completion_says_which_option_a_game_lacks() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let given = json!({"game": "penguins", "size": ""});
    let offered = ada.complete(games, "play", &given, "size").await.unwrap();
    let said = offered[0]["name"].as_str().unwrap();
    assert_eq!((offered.len(), said), (1, "Penguins has no size: leave it out."));
    let taken = json!({"game": "penguins", "size": said});
    let refused = slash_play(&ada, games, &taken).unwrap().message().await.unwrap();
    assert!(refused.content().contains("This game has no option"), "{}", refused.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mention_of_the_bots_role_is_understood() {
    for reads in [true, false] {
        let mut plan = TestSetup::default();
        plan.options.allow_message_content = reads;
        plan.settings.message_content = reads;
        let bot = TestBot::of(plan).await;
        let (ada, role) = (bot.ada(), bot.playground.bot_role().unwrap());
        // With the Message Content intent the text can be read even if the role is not mentionable.
        bot.playground.set_role_mentionable(role, !reads);
        // After any answer the bot knows the server's roles, which come with the server.
        ada.slash(bot.games(), "help", &json!({})).unwrap().message().await.unwrap();
        let said = ada.say(bot.games(), &format!("<@&{role}> play amazons 6x6 easy them")).unwrap();
        let told = bot.answer_to(&ada, &said).await;
        let wanted = if reads { "It has begun" } else { "Mention me instead" };
        assert!(told.content().contains(wanted), "{}", told.content());
        bot.stop().await;
    }
}
