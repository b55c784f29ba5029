//! Challenges: open or personal, accepted, declined, withdrawn, expired.

use std::time::Duration;

use rookery_playground::testing::person::Person;
use rookery_playground::testing::request_log::LoggedRequest;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{EndCause, Status};
use serde_json::json;

use crate::duel::slash_play;
use crate::duel::{challenge, open};
use crate::test_bot::TestBot;

#[tokio::test(flavor = "multi_thread")]
async fn challenge_that_is_open_is_accepted_by_anybody() {
    let bot = TestBot::start().await;
    let (ada, cleo, games) = (bot.ada(), bot.cleo(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "first": "them"})).await;
    let open = challenge(&cleo, games, &table).await;
    assert!(open.content().contains(&ada.mention()) && open.content().contains("6x6"), "{}", open.content());
    assert!(open.pinged().is_empty(), "nobody in particular is asked");
    let own = bot.press(&ada, &open, "Join").await;
    assert!(own.content().contains("your game"), "{}", own.content());
    bot.press(&cleo, &open, "Join").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let board = cleo.wait_for(thread, "a board", |it| !it.files().is_empty()).await.unwrap();
    assert_eq!(board.pinged(), ["Cleo"], "them first");
    let gone = || cleo.refetch(&open).filter(|it| it.button("Join").is_none());
    let after = bot.playground.wait("Join to go", gone).await.unwrap();
    assert!(after.content().contains(&cleo.mention()), "{}", after.content());
    bot.stop().await;
}

/// A thread's first message shows the one that it began with, as it is now.
#[tokio::test(flavor = "multi_thread")]
async fn challenge_and_the_first_message_of_the_thread_follow_the_start() {
    let mut bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons", "size": "6x6", "clock": "live"})).await;
    let posted = challenge(&ben, games, &table).await;
    let sides = |white: &str, black: &str| format!("White: {white} · Black: {black}");
    let content = posted.content();
    assert!(content.contains("Press Join") && content.contains(&sides(&ada.mention(), "free")), "{content}");
    bot.press(&ben, &posted, "Join").await;
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let edits = |bot: &TestBot| {
        let path = format!("/messages/{}", posted.id);
        let edits = |it: &LoggedRequest| it.method == "PATCH" && it.path.ends_with(&path);
        bot.playground.requests().iter().filter(|it| edits(it)).count()
    };
    let begun = sides(&ada.mention(), &ben.mention());
    let now = || ben.refetch(&posted).filter(|it| it.content().contains(&begun));
    let now = bot.playground.wait("the sides in the announcement", now).await.unwrap();
    let told = ["6x6", "Time control"].iter().all(|part| now.content().contains(part));
    assert!(told && !now.content().contains("Join"), "{}", now.content());
    assert!(now.content().lines().count() <= 6, "{}", now.content());
    let first = ada.messages(thread).into_iter().next().unwrap();
    assert_eq!(first.json["referenced_message"]["content"], now.content());
    bot.wait_until_idle().await;
    assert_eq!(edits(&bot), 1, "one edit for the start");
    bot.restart().await;
    bot.wait_until_idle().await;
    assert_eq!(edits(&bot), 1, "and none after a restart");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_of_a_person_is_answered_by_them_only() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ben.id});
    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    assert_eq!(asked.pinged(), ["Ben"]);
    let other = bot.press(&cleo, &asked, "Accept").await;
    assert!(other.content().contains("This game is full"), "{}", other.content());
    bot.press(&cleo, &asked, "Decline").await;
    assert_eq!(*bot.table(&table).await.status(), Status::Waiting);
    bot.press(&ben, &asked, "Accept").await;
    ada.wait_for_thread(games, &table).await.unwrap();
    assert_eq!(*bot.table(&table).await.status(), Status::Running);

    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    bot.press(&ben, &asked, "Decline").await;
    let told = || ada.refetch(&asked).filter(|it| it.content().contains("declined"));
    let told = bot.playground.wait("the answer in the channel", told).await.unwrap();
    assert!(told.buttons().is_empty());
    let lapsed = |it: &VisibleMessage| it.content().contains(&format!("{table} didn't start"));
    let lapsed = ada.wait_for(games, "what became of it", lapsed).await.unwrap();
    let declined = format!("{} declined the challenge.", ben.mention());
    assert!(lapsed.content().contains(&declined), "{}", lapsed.content());
    assert_eq!(lapsed.pinged(), ["Ada"], "she was promised to be told, and he knows");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_is_answered_in_words_or_by_buttons() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let terms = json!({"game": "amazons", "size": "6x6", "opponent": ben.id});
    let told = async |who: &Person, said: &VisibleMessage, what: &str| {
        let told = bot.answer_to(who, said).await;
        assert!(told.content().contains(what), "{}", told.content());
    };
    let status = async |table: &str| bot.table(table).await.status().clone();
    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    told(&cleo, &cleo.reply(&asked, "accept").unwrap(), "This game is full").await;
    told(&ada, &ada.reply(&asked, "no").unwrap(), "already playing in this game").await;
    told(&ben, &ben.reply(&asked, "accept").unwrap(), &format!("You've joined {table}")).await;
    assert_eq!(status(&table).await, Status::Running);

    // The message in the DM names no table while another game is running, but this challenge waits for an
    // answer.
    let table = open(&ada, games, &terms).await;
    told(&ben, &ben.say(ben.dm(), "accept").unwrap(), &format!("You've joined {table}")).await;
    assert_eq!(status(&table).await, Status::Running);

    for word in ["decline", "leave"] {
        let table = open(&ada, games, &terms).await;
        let asked = challenge(&ben, games, &table).await;
        told(&ben, &ben.reply(&asked, word).unwrap(), "You've declined the challenge").await;
        assert!(matches!(status(&table).await, Status::Over(ending) if ending.cause == EndCause::Refused));
        // After that time he can be challenged again.
        bot.advance(Duration::from_secs(20 * 60)).await;
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn seat_at_a_waiting_table_is_left_in_words() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "penguins", "players": 3})).await;
    let posted = challenge(&ben, games, &table).await;
    for (who, word, what) in [
        (&ben, "yes", format!("You've joined {table}")),
        (&ben, "leave", format!("You've left {table}")),
        (&ada, "leave", format!("You've closed {table}")),
    ] {
        let said = who.reply(&posted, word).unwrap();
        let told = bot.answer_to(who, &said).await;
        assert!(told.content().contains(&what), "{word}: {}", told.content());
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_of_three_names_who_declined() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let terms = json!({"game": "penguins", "players": 3, "opponent": ben.id, "opponent2": cleo.id});
    let table = open(&ada, games, &terms).await;
    let asked = challenge(&ben, games, &table).await;
    bot.press(&cleo, &asked, "Accept").await;
    let told = bot.press(&ben, &asked, "Cancel").await;
    assert!(told.content().contains("Do you want to decline it?"), "{}", told.content());
    let told = bot.press(&ben, &told, "Decline").await;
    assert!(told.content().contains("You've declined the challenge"), "{}", told.content());
    let named = format!("{} declined, so anyone can join now", ben.mention());
    let news = ada.wait_for(games, "who said no", |it| it.content().contains(&named)).await.unwrap();
    assert_eq!(news.pinged(), ["Ada"], "who can do something about it");
    let free = || ada.refetch(&asked).filter(|it| it.content().contains(": free"));
    let now = bot.playground.wait("the announcement to say that a seat is free", free).await.unwrap();
    assert_eq!(now.buttons(), ["Join", "Play against the bot", "Leave"]);
    let sure = bot.press(&ada, &now, "Play against the bot").await;
    bot.choose(&ada, &sure, "easy").await;
    assert_eq!(*bot.table(&table).await.status(), Status::Running);
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_tells_who_sits_where_and_how_many_seats_are_free() {
    let bot = TestBot::start().await;
    let (ada, ben, cleo, games) = (bot.ada(), bot.ben(), bot.cleo(), bot.games());
    let terms = json!({"game": "penguins", "players": 4, "ai_seats": "3 hard"});
    let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let promised = told.content().contains("I'll let you know when everyone has joined");
    assert!(promised && !told.content().contains("when someone joins"), "{}", told.content());
    let table = told.content().split("**").nth(1).unwrap().to_owned();
    let posted = challenge(&ben, games, &table).await;
    let seats = |second: &str| {
        format!("Orange: {} · Blue: {second}\nYellow: Rookery (hard) · Claret: free", ada.mention())
    };
    assert!(posted.content().contains(&seats("free")), "{}", posted.content());
    let reads = async |seats: &str| {
        let now = || ben.refetch(&posted).filter(|it| it.content().contains(seats));
        let now = bot.playground.wait(&format!("the announcement to say {seats}"), now).await.unwrap();
        assert!(now.pinged().is_empty() && now.button("Join").is_some());
    };
    bot.press(&ben, &posted, "Join").await;
    reads(&seats(&ben.mention())).await;
    bot.press(&ben, &posted, "Cancel").await;
    reads(&seats("free")).await;
    for who in [&ben, &cleo] {
        bot.press(who, &posted, "Join").await;
    }
    let thread = ada.wait_for_thread(games, &table).await.unwrap();
    let called = |it: &VisibleMessage| it.content().contains(&ada.mention());
    ada.wait_for(thread, "being called", called).await.unwrap();
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_confirmation_matches_the_table() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    for (terms, said) in [
        (json!({"game": "amazons"}), "I'll let you know when someone joins."),
        (json!({"game": "amazons", "opponent": ben.id}), "I'll let you know when they answer."),
        (
            json!({"game": "penguins", "players": 3, "opponent": ben.id}),
            "I'll let you know when everyone has joined.",
        ),
        // In a channel only the first player to move is pinged.
        (json!({"game": "amazons", "first": "them", "where": "here"}), "shows who has joined."),
    ] {
        let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
        assert!(told.content().ends_with(said), "{terms}: {}", told.content());
        let table = told.content().split("**").nth(1).unwrap().to_owned();
        let posted = challenge(&ben, games, &table).await;
        let line = posted
            .content()
            .lines()
            .find(|line| ["White: ", "Orange: "].iter().any(|it| line.starts_with(it)));
        let wanted = match &terms {
            terms if terms["players"] == 3 => {
                Some(format!("Orange: {} · Blue: {} (invited)", ada.mention(), ben.mention()))
            }
            terms if terms["first"] == "them" => Some(format!("White: free · Black: {}", ada.mention())),
            terms if terms.get("opponent").is_none() => {
                Some(format!("White: {} · Black: free", ada.mention()))
            }
            _ => None,
        };
        assert_eq!(line.map(str::to_owned), wanted, "{terms}");
        bot.press(&ada, &posted, "Cancel").await;
    }
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_can_be_withdrawn_by_its_host() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons"})).await;
    let open = challenge(&ben, games, &table).await;
    let left = bot.press(&ada, &open, "Cancel").await;
    assert!(left.content().contains("closed"), "{}", left.content());
    let closed = || ben.refetch(&open).filter(|it| it.buttons().is_empty());
    let closed = bot.playground.wait("the challenge to be closed", closed).await.unwrap();
    assert!(closed.content().contains("closed this game"), "{}", closed.content());
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn challenge_that_nobody_accepts_expires() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    let table = open(&ada, games, &json!({"game": "amazons"})).await;
    let open = challenge(&ben, games, &table).await;
    let day = Duration::from_secs(24 * 3_600);
    bot.playground.clock().advance(day - Duration::from_secs(60));
    assert_eq!(bot.registry.expire_challenges(day).await.unwrap(), 0);
    bot.playground.clock().advance(Duration::from_secs(120));
    assert_eq!(bot.registry.expire_challenges(day).await.unwrap(), 1);
    let told = || ben.refetch(&open).filter(|it| it.buttons().is_empty());
    let told = bot.playground.wait("the challenge to say so itself", told).await.unwrap();
    assert!(told.content().contains("Nobody joined in time"), "{}", told.content());
    bot.wait_until_idle().await;
    let posted = ben.messages(games).into_iter().filter(|it| it.content().contains(&table)).count();
    assert_eq!(posted, 1, "one message about it, and no other");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn layout_can_be_given_in_rows() {
    let bot = TestBot::start().await;
    let rows = "11111/12221/12321/12221/11111";
    let terms = json!({"game": "paper_penguins", "size": "5x5", "pieces": "2", "layout": rows});
    let table = open(&bot.ada(), bot.games(), &terms).await;
    let table = bot.table(&table).await;
    assert_eq!(table.terms().layout.as_deref(), Some(rows));
    assert!(!table.terms().options.contains_key("layout"));
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_command_refuses_wrong_terms_with_the_reason() {
    let bot = TestBot::start().await;
    let (ada, games) = (bot.ada(), bot.games());
    let refused = async |terms: serde_json::Value, reason: &str| {
        let told = slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
        assert!(told.is_ephemeral() && told.content().contains(reason), "{terms}: {}", told.content());
    };
    refused(json!({"game": "amazons", "size": "99x99"}), "can't be `99x99`").await;
    refused(json!({"game": "amazons", "layout": "classic"}), "no option `layout`").await;
    refused(json!({"game": "penguins", "layout": "printed"}), "can't be `printed`").await;
    let wide = "1111111/22222222/1111111/33333333/1111111/........./1111111/11111111";
    refused(json!({"game": "penguins", "layout": wide}), "at character 43").await;
    for _ in 0..5 {
        open(&ada, games, &json!({"game": "amazons"})).await;
    }
    refused(json!({"game": "amazons"}), "5 open challenges").await;
    let dm = ada.dm();
    let alone = slash_play(&ada, dm, &json!({"game": "amazons"})).unwrap().message().await.unwrap();
    assert!(alone.content().contains("choose a level"), "{}", alone.content());
    bot.stop().await;
}
