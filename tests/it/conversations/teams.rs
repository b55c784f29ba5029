//! A seat of a team: everybody in the channel, a role, named people; freely or by vote.

use std::time::Duration;

use rookery_core::seed::SeededRng;
use rookery_playground::BOT_ID;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::duel::{challenge, has_move_at, open, slash_play, tally, tap_through, tells_move};
use crate::test_bot::TestBot;

const HOUR: Duration = Duration::from_secs(3_600);

/// A game of the Amazons on six by six squares in which Ada's team has the first seat.
struct Shared {
    table: String,
    thread: Id,
    board: VisibleMessage,
}

impl Shared {
    /// Starts a game of the team against the bot.
    async fn begin(bot: &TestBot, team: &str) -> Shared {
        Shared::with(bot, &json!({"team": team, "ai": "easy"})).await
    }

    async fn with(bot: &TestBot, more: &Value) -> Shared {
        let (ada, games) = (bot.ada(), bot.games());
        let mut terms = json!({"game": "amazons", "size": "6x6", "first": "me", "settle": "off"});
        terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let table = open(&ada, games, &terms).await;
        let thread = ada.wait_for_thread(games, &table).await.unwrap();
        let board = ada.wait_for(thread, "the first board", |it| it.button("Move").is_some()).await.unwrap();
        Shared { table, thread, board }
    }

    /// Returns the legal moves of the present position.
    async fn moves(&self, bot: &TestBot) -> Vec<String> {
        bot.table(&self.table).await.play().unwrap().moves()
    }

    /// Waits for the board on which the bot has answered and the team is to move, after `ply` turns.
    async fn answered(&mut self, bot: &TestBot, ply: usize) {
        let shows = |it: &VisibleMessage| has_move_at(it, ply);
        self.board = bot.ada().wait_for(self.thread, "the bot's answer", shows).await.unwrap();
    }

    /// Waits for the message with the state of the vote, once it contains these words.
    async fn tally(&self, bot: &TestBot, words: &str) -> VisibleMessage {
        tally(bot, self.thread, words).await
    }

    async fn ply(&self, bot: &TestBot) -> usize {
        bot.table(&self.table).await.ply()
    }
}

/// Presses the button of a proposal; returns the answer.
async fn votes(bot: &TestBot, who: &Person, tally: &VisibleMessage, text: &str) -> String {
    let label = tally.buttons().into_iter().find(|label| label.contains(text)).map(str::to_owned);
    let label = label.unwrap_or_else(|| panic!("no button for {text}: {:?}", tally.buttons()));
    bot.press(who, tally, &label).await.content().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn team_of_a_channel_plays_the_first_legal_move() {
    let bot = TestBot::start().await;
    let (ben, cleo) = (bot.ben(), bot.cleo());
    let games = bot.games();
    let mut shared = Shared::with(&bot, &json!({"team": "everyone free"})).await;
    let announced = challenge(&ben, games, &shared.table).await;
    let names = format!("White: everyone in <#{games}> · Black: Rookery");
    assert!(announced.content().contains(&names), "{}", announced.content());
    assert!(shared.board.pinged().is_empty() && shared.board.json["mention_roles"] == json!([]));

    let text = shared.moves(&bot).await[0].clone();
    ben.reply(&shared.board, &text).unwrap();
    let first = shared.board.clone();
    shared.answered(&bot, 2).await;
    let next = shared.moves(&bot).await[0].clone();
    let late = bot.ada().reply(&first, &next).unwrap();
    let told = bot.answer_to(&bot.ada(), &late).await;
    assert!(told.content().contains("moved on"), "Ada saw another board: {}", told.content());
    let panel = bot.press(&cleo, &shared.board, "Move").await;
    tap_through(&bot, &cleo, panel, &mut SeededRng::new(3)).await;
    shared.answered(&bot, 4).await;
    let list = cleo.slash(games, "games", &json!({})).unwrap().message().await.unwrap();
    assert!(list.content().contains(&shared.table), "a game that Cleo plays in: {}", list.content());
    let names = format!("everyone in <#{games}> – Rookery");
    assert!(list.content().contains(&names), "by their channel, not by its thread: {}", list.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_plays_the_leading_move_at_the_deadline() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let mut shared = Shared::begin(&bot, "everyone vote 6h").await;
    assert!(shared.board.content().contains("Your team votes"), "{}", shared.board.content());
    let moves = shared.moves(&bot).await;
    let (first, second) = (&moves[0], &moves[moves.len() - 1]);

    let panel = bot.press(&ada, &shared.board, "Move").await;
    assert!(!panel.files().is_empty(), "the panel moves as anywhere: {}", panel.content());
    ada.reply(&shared.board, first).unwrap();
    let tally = shared.tally(&bot, first).await;
    assert!(tally.pinged().is_empty() && tally.files().len() == 1);
    let alt = tally.files()[0]["description"].as_str().unwrap();
    assert!(alt.contains(first.as_str()) && alt.contains("1 vote"), "{alt}");

    let told = cleo.slash(shared.thread, "move", &json!({"move": second})).unwrap().message().await.unwrap();
    assert!(told.content().contains(&format!("You proposed `{second}`")), "{}", told.content());
    let both = shared.tally(&bot, second).await;
    assert_eq!(both.id, tally.id, "one message");
    let said = votes(&bot, &ben, &both, second).await;
    assert!(said.contains("It now has 2 votes"), "{said}");
    shared.tally(&bot, "2 votes").await;
    assert_eq!(shared.ply(&bot).await, 0, "nothing is played before the vote is over");

    bot.advance(6 * HOUR).await;
    shared.answered(&bot, 2).await;
    let voted = |it: &VisibleMessage| it.content().contains(&format!("1. {second} (2 of 3 votes)"));
    ada.wait_for(shared.thread, "the board after the vote", voted).await.unwrap();
    let over = shared.tally(&bot, "Vote over").await;
    assert!(
        over.buttons().is_empty() && over.content().contains(&format!("`{second}` won with 2 of 3 votes"))
    );
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_ties_are_drawn_from_the_commitment() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let mut shared = Shared::begin(&bot, "everyone").await;
    let moves = shared.moves(&bot).await;
    ada.reply(&shared.board, &moves[0]).unwrap();
    shared.tally(&bot, &moves[0]).await;
    ben.reply(&shared.board, &moves[1]).unwrap();
    shared.tally(&bot, &moves[1]).await;
    bot.advance(12 * HOUR).await;
    shared.tally(&bot, "picked at random from 2 tied moves, with 1 of 2 votes each").await;
    shared.answered(&bot, 2).await;
    let played = bot.table(&shared.table).await.play().unwrap().record()[0].clone();
    assert!(moves[..2].contains(&played));

    bot.resign(&ada, &shared.board).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    ada.wait_for(shared.thread, "the result", over).await.unwrap();
    let audit = ben.slash(shared.thread, "verify", &json!({"table": shared.table})).unwrap();
    let audit = audit.message().await.unwrap();
    assert!(audit.content().contains("everything checks out"), "{}", audit.content());
    assert!(audit.content().contains("One was a tie, and the random pick is right"), "{}", audit.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_ties_use_committed_lots_where_the_seed_is_known() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let terms = json!({"team": "everyone", "ai": "easy", "seed": 5});
    let mut shared = Shared::with(&bot, &terms).await;
    let announced = challenge(&ben, bot.games(), &shared.table).await;
    let digest = bot.table(&shared.table).await.terms().commitment.as_ref().unwrap().digest[..16].to_owned();
    assert!(!announced.content().contains(&digest), "it is for /verify: {}", announced.content());
    let (thread, table) = (shared.thread, shared.table.clone());
    let verified = async || {
        let asked = ben.slash(thread, "verify", &json!({"table": table})).unwrap();
        asked.message().await.unwrap().content().to_owned()
    };
    let sealed = verified().await;
    assert!(
        sealed.contains("Random tie-breaks were fixed in advance") && sealed.contains(&digest),
        "{sealed}"
    );
    let moves = shared.moves(&bot).await;
    ada.reply(&shared.board, &moves[0]).unwrap();
    shared.tally(&bot, &moves[0]).await;
    ben.reply(&shared.board, &moves[1]).unwrap();
    shared.tally(&bot, &moves[1]).await;
    bot.advance(12 * HOUR).await;
    shared.tally(&bot, "picked at random from 2 tied moves").await;

    shared.answered(&bot, 2).await;
    bot.resign(&ada, &shared.board).await;
    let over = |it: &VisibleMessage| it.content().contains("is over");
    ada.wait_for(shared.thread, "the result", over).await.unwrap();
    let kept = verified().await;
    assert!(kept.contains("everything checks out") && kept.contains("pick is right"), "{kept}");
    // Anybody can verify the commitment made before the first vote.
    let (lots, salt) =
        kept.split_once("%s' ").unwrap().1.split_once(" |").unwrap().0.split_once(' ').unwrap();
    let counted = Sha256::digest(format!("rookery seed 1\n{lots}\n{salt}"));
    let counted: String = counted.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(counted.starts_with(&digest) && lots != "5", "{counted} {digest}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_time_stops_during_a_pause() {
    let bot = TestBot::start().await;
    let ada = bot.ada();
    let shared = Shared::begin(&bot, "everyone vote 12h").await;
    let clock = ada.slash(shared.thread, "clock", &json!({})).unwrap().message().await.unwrap();
    let told = clock.content();
    assert!(
        told.contains("has no time limit") && told.contains("Your team votes") && told.contains("until <t:"),
        "{told}"
    );
    let text = shared.moves(&bot).await[0].clone();
    ada.reply(&shared.board, &text).unwrap();
    shared.tally(&bot, "Closes").await;
    bot.advance(HOUR).await;
    ada.slash(shared.thread, "pause", &json!({})).unwrap().message().await.unwrap();
    bot.advance(20 * HOUR).await;
    assert_eq!(shared.ply(&bot).await, 0);
    ada.slash(shared.thread, "resume", &json!({})).unwrap().message().await.unwrap();
    bot.advance(10 * HOUR).await;
    assert_eq!(shared.ply(&bot).await, 0);
    bot.advance(HOUR).await;
    assert!(shared.ply(&bot).await > 0, "11 hours after the pause and one before it");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_without_proposals_plays_the_next_move() {
    let bot = TestBot::start().await;
    let mut shared = Shared::begin(&bot, "everyone vote 2h").await;
    bot.advance(30 * HOUR).await;
    assert_eq!(shared.ply(&bot).await, 0);
    let text = shared.moves(&bot).await[0].clone();
    bot.ben().reply(&shared.board, &text).unwrap();
    shared.answered(&bot, 2).await;
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_of_a_role_refuses_others() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let dan = bot.playground.new_user("Dan");
    let queens = bot.playground.new_role("Queens", &[&ben, &cleo]).unwrap();
    let mut shared = Shared::begin(&bot, &format!("<@&{queens}> vote 1h 2")).await;
    assert_eq!(shared.board.json["mention_roles"], json!([queens]), "the role is called");
    assert!(shared.board.content().contains(&format!("<@&{queens}>, your move")));

    let refused = bot.press(&dan, &shared.board, "Move").await;
    let words = format!("Only <@&{queens}>");
    assert!(refused.is_ephemeral() && refused.content().contains(&words), "{}", refused.content());
    let moves = shared.moves(&bot).await;
    let said = dan.reply(&shared.board, &moves[0]).unwrap();
    assert!(bot.answer_to(&dan, &said).await.content().contains(&words));

    ben.reply(&shared.board, &moves[0]).unwrap();
    let tally = shared.tally(&bot, &moves[0]).await;
    let outside = votes(&bot, &dan, &tally, &moves[0]).await;
    assert!(outside.contains(&words), "{outside}");
    let settled = votes(&bot, &cleo, &tally, &moves[0]).await;
    assert!(settled.contains("Your vote decided it"), "{settled}");
    shared.answered(&bot, 2).await;
    assert_eq!(shared.board.json["mention_roles"], json!([]), "they are here already");
    let listed = ada.slash(bot.games(), "games", &json!({"which": "turn"})).unwrap().message().await.unwrap();
    assert!(listed.content().contains(&shared.table), "Ada holds the seat: {}", listed.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_of_named_people_ends_with_a_majority() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let mut shared = Shared::begin(&bot, &format!("{} vote", ben.mention())).await;
    let mut pinged = shared.board.pinged();
    pinged.sort_unstable();
    assert_eq!(pinged, ["Ada", "Ben"]);
    let text = shared.moves(&bot).await[2].clone();
    ben.reply(&shared.board, &text).unwrap();
    let tally = shared.tally(&bot, &text).await;
    votes(&bot, &ada, &tally, &text).await;
    shared.answered(&bot, 2).await;

    let left = ben.slash(shared.thread, "leave", &json!({})).unwrap().message().await.unwrap();
    assert!(left.content().contains("won't be pinged"), "{}", left.content());
    let text = shared.moves(&bot).await[0].clone();
    ada.reply(&shared.board, &text).unwrap();
    shared.answered(&bot, 4).await;
    assert!(!shared.board.pinged().contains(&"Ben"), "who has left is not called");
    ben.slash(shared.thread, "back", &json!({})).unwrap().message().await.unwrap();
    let resign = bot.press(&ben, &shared.board, "Resign").await;
    let words = format!("Only your captain, {}, can resign", ada.mention());
    assert!(resign.content().contains(&words), "{}", resign.content());
    let plan =
        ben.slash(shared.thread, "if", &json!({"plan": "if a then b"})).unwrap().message().await.unwrap();
    assert!(plan.content().contains("your team votes on each one"), "{}", plan.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_that_is_large_pings_all_who_want_it() {
    let bot = TestBot::start().await;
    let more = ["Dan", "Eli", "Fay", "Gus"].map(|name| bot.playground.new_user(name));
    let gus = &more[3];
    let off = rookery_table::preferences::Pings::Off;
    let preferences_cache = bot.registry.preferences_cache();
    preferences_cache.change_person(rookery_table::UserId(gus.id.0), |it| it.pings = off).await.unwrap();
    let named: Vec<_> = [bot.ben(), bot.cleo()].iter().chain(&more).map(Person::mention).collect();
    let shared = Shared::begin(&bot, &format!("{} free", named.join(" "))).await;
    let told = shared.board.content();
    assert!(told.lines().next().unwrap().contains("and 3 more, your move"), "{told}");
    let mut pinged = shared.board.pinged();
    pinged.sort_unstable();
    assert_eq!(pinged, ["Ada", "Ben", "Cleo", "Dan", "Eli", "Fay"], "{told}");
    assert!(!told.contains(&gus.mention()), "{told}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_of_a_channel_excludes_its_opponent() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let words = format!("<@{BOT_ID}> play amazons 6x6 {} team:everyone,free", ben.mention());
    let said = ada.say(games, &words).unwrap();
    let told = bot.answer_to(&ada, &said).await;
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let asked = |it: &VisibleMessage| it.content().contains(&table) && it.button("Accept").is_some();
    let posted = ben.wait_for(games, "the challenge", asked).await.unwrap();
    bot.press(&ben, &posted, "Accept").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = ben.wait_for(thread, "the first board", |it| it.button("Move").is_some()).await.unwrap();

    let text = bot.table(&table).await.play().unwrap().moves()[0].clone();
    let own = ben.reply(&board, &text).unwrap();
    let refused = bot.answer_to(&ben, &own).await;
    assert!(refused.content().contains(&format!("everyone in <#{games}>")), "{}", refused.content());
    assert_eq!(bot.table(&table).await.ply(), 0, "Ben sits on the other side");
    cleo.reply(&board, &text).unwrap();
    let theirs = |it: &VisibleMessage| it.content().contains(&format!("{}, your move", ben.mention()));
    let board = ben.wait_for(thread, "Ben's turn", theirs).await.unwrap();
    assert_eq!(board.pinged(), ["Ben"]);
    let text = bot.table(&table).await.play().unwrap().moves()[0].clone();
    ben.reply(&board, &text).unwrap();
    let back = |it: &VisibleMessage| tells_move(it, &text);
    assert!(cleo.wait_for(thread, "the channel's turn", back).await.unwrap().pinged().is_empty());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vote_goes_on_after_a_restart() {
    let mut bot = TestBot::start().await;
    let (ada, ben, cleo) = (bot.ada(), bot.ben(), bot.cleo());
    let mut shared = Shared::begin(&bot, "everyone vote 6h").await;
    let moves = shared.moves(&bot).await;
    ada.reply(&shared.board, &moves[0]).unwrap();
    shared.tally(&bot, &moves[0]).await;
    ben.reply(&shared.board, &moves[1]).unwrap();
    let tally = shared.tally(&bot, &moves[1]).await;
    bot.wait_until_idle().await;

    bot.restart().await;
    let told = votes(&bot, &cleo, &tally, &moves[1]).await;
    assert!(told.contains("It now has 2 votes"), "{told}");
    let edited = shared.tally(&bot, "2 votes").await;
    assert_eq!(edited.id, tally.id);
    bot.wait_until_idle().await;

    bot.advance(HOUR).await;
    votes(&bot, &ada, &edited, &moves[1]).await;
    let anew = shared.tally(&bot, "3 votes").await;
    bot.wait_until_idle().await;
    assert!(anew.id > tally.id && ada.refetch(&tally).is_none(), "the old one is taken away");
    bot.restart().await;
    bot.advance(5 * HOUR).await;
    shared.answered(&bot, 2).await;
    assert_eq!(bot.table(&shared.table).await.play().unwrap().record()[0], moves[1]);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn team_that_is_impossible_is_refused_with_the_reason() {
    let bot = TestBot::start().await;
    let (ada, ben) = (bot.ada(), bot.ben());
    let ask = async |channel: Id, more: Value| {
        let mut terms = json!({"game": "amazons"});
        terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let told = slash_play(&ada, channel, &terms).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral());
        told.content().to_owned()
    };
    let games = bot.games();
    for (more, words) in [
        (json!({"team": "friends"}), "I don't understand `friends`"),
        (json!({"team": "everyone", "rated": true}), "can't be rated"),
        (json!({"team": ben.mention(), "opponent": ben.id.to_string()}), "can't play on both sides"),
        (json!({"team": "everyone vote 40d"}), "at most 30 days"),
    ] {
        let told = ask(games, more).await;
        assert!(told.contains(words), "{told}");
    }
    let direct = ask(ada.dm(), json!({"team": "everyone"})).await;
    assert!(direct.contains("can't play in a direct message with me"), "{direct}");
    bot.stop().await;
}
