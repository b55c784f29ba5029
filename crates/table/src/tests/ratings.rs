//! Ratings of players at a table, before their first game and after.

use super::rated::Account;
use super::rating::{Rating, RatingPool};
use super::*;

#[tokio::test]
async fn newcomers_stand_where_newcomers_do_and_levels_where_they_were_measured() {
    let fixture = TestRegistry::build();
    let id = fixture.open_against_ai().await;
    let table = fixture.registry.table(id).await.unwrap();
    let easy = Account::Program(Level::Easy);
    let ada = fixture.registry.rating(Account::Person(ADA), &table, RatingPool::Program).await.unwrap();
    assert_eq!(ada, Rating::default());
    let bot = fixture.registry.rating(easy, &table, RatingPool::Program).await.unwrap();
    assert_eq!(bot, level_ratings::initial_rating(easy, "amazons"));
    assert_ne!(bot, ada, "a level is not a newcomer");
}

#[tokio::test]
async fn who_has_played_is_rated_by_that() {
    let fixture = TestRegistry::build();
    let terms = Terms { rated: true, ..terms() };
    let chairs = vec![human(ADA), human(BEN)];
    let id = fixture.registry.open(terms, ADA, chairs, Some(SourceId(1))).await.unwrap().table.id();
    for who in [ADA, BEN] {
        let moves = fixture.registry.table(id).await.unwrap().play().unwrap().moves();
        fixture.registry.order(id, Actor::Person(who), r#move(&moves[0], None), None).await.unwrap();
    }
    fixture.registry.order(id, Actor::Person(BEN), Order::Resign, None).await.unwrap();
    fixture.registry.rate(id).await.unwrap();
    let table = fixture.registry.table(id).await.unwrap();
    let ada = fixture.registry.rating(Account::Person(ADA), &table, RatingPool::Two).await.unwrap();
    // Two newcomers, one win: 1662 in Glickman's system (Glicko-2, 2013).
    assert_eq!(ada.mean().round(), 1662.0);
}

#[test]
fn a_rated_game_of_three_that_the_program_fills_up_is_a_casual_one_and_says_so() {
    let rated = |chairs| {
        Story::of(Terms { rated: true, game: "penguins".into(), options: [].into(), ..terms() }, chairs)
    };
    let open = rated(vec![human(ADA), Occupant::Open, Occupant::Open]).does(BEN, Order::Join);
    assert!(open.table.is_rated());
    let story = open.does(ADA, Order::Fill(Level::Easy));
    assert_eq!((story.table.status(), story.table.is_rated()), (&Status::Running, false));
    let board_channel = |channel| Order::SetBoardChannel(BoardChannel { channel, thread: true });
    assert_eq!(story.would_say(Actor::System, board_channel(ChannelId(9))), ["note", "board-0"]);
    assert!(crate::hints::may_help(&story.table).is_ok());
    let story = story.ordered(Actor::System, board_channel(ChannelId(9)));
    assert_eq!(
        story.would_say(Actor::System, board_channel(ChannelId(10))),
        ["board-0"],
        "once, whatever its next place"
    );
    let story = story.ordered(Actor::System, Order::ClearBoardChannel);
    assert_eq!(story.would_say(Actor::System, board_channel(ChannelId(10))), ["board-0"]);
    let two = Story::of(Terms { rated: true, ..terms() }, vec![human(ADA), Occupant::Open]);
    let two = two.does(ADA, Order::Fill(Level::Easy));
    assert!(two.table.is_rated(), "one of two may be the program");
    assert_eq!(
        two.would_say(
            Actor::System,
            Order::SetBoardChannel(BoardChannel { channel: ChannelId(9), thread: true })
        ),
        ["board-0"]
    );
}
