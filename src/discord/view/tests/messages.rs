//! The text, pings and buttons of single messages.

use rookery_core::player::{SearchResult, Value};
use rookery_core::scene::DrawOptions;
use rookery_table::review::{LeadCurve, Review};
use rookery_table::{ChannelId, EndCause, Ending, GuildId, OrderError, Proof, TableError};

use super::*;

#[test]
fn a_board_pings_the_mover_alone_and_says_what_was_played() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let post = view().board(&table, 1).unwrap();
    assert_eq!(post.content, "K7Q2 · White played d1-d7/g7 · <@2>, your move (Black).");
    assert_eq!(post.pings, [UserId(2)]);
    assert!(post.picture.unwrap().alt.contains("Black to move"));
    assert_eq!(post.rows.len(), 1);
}

#[test]
fn a_table_as_it_is_has_its_name_once() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let wanted = "K7Q2 · Game of the Amazons\nWhite: <@1> · Black: <@2>\n\
                  White played d1-d7/g7 · <@2>, your move (Black).";
    assert_eq!(view().state(&table, None).content, wanted);
    assert!(view().state_text(&table).content.starts_with(&format!("{wanted}\n")));
}

#[test]
fn a_board_that_was_overtaken_pings_nobody_and_has_no_buttons() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    play(&mut table, "g10-g8/e8");
    let post = view().board(&table, 1).unwrap();
    assert!(post.pings.is_empty() && post.rows.is_empty());
    assert_eq!(post.content, "K7Q2 · 1. d1-d7/g7");
}

#[test]
fn a_direct_message_names_the_side_whose_turn_it_is() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let told = view().turn_dm(&table).content;
    assert!(told.starts_with("K7Q2 · Your turn (Black): "), "{told}");
}

/// A page shows moves without quotes, and some moves end in a dot.
#[test]
fn a_hint_separates_the_moves_after_it_by_commas() {
    let table = seated("penguin_soccer", &people(2), &[]);
    let line: Vec<String> = ["1NR", "1SW.", "a3NERR"].map(str::to_owned).to_vec();
    let value = Value::Estimate(-30);
    let thought = SearchResult { best: line[0].clone(), value, depth: 3, nodes: 1, line, others: Vec::new() };
    let told = view().page_hint(&table, &thought);
    assert!(told.ends_with("`1SW.`, `a3NERR`"), "{told}");
}

/// Discord refuses a row without buttons.
#[test]
fn a_game_that_never_began_has_nothing_to_review() {
    let mut closed = table(rookery_games::named("amazons").unwrap(), Occupant::Open, 2);
    happen(&mut closed, Event::Ended { ending: Ending { winners: Vec::new(), cause: EndCause::Closed } });
    let post = view().review_offer(&closed);
    assert!(post.rows.is_empty() && post.content.contains("nothing to analyse"), "{}", post.content);
}

/// Notes and the analysis are on the web page, so each message of a finished game leads there.
#[test]
fn messages_of_a_finished_game_lead_to_its_web_page() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let proof = Proof {
        ply: 1,
        regions: Vec::new(),
        left: vec![(1, 1); 2],
        moves: Vec::new(),
        winners: vec![Seat::FIRST],
        margin_halves: None,
    };
    happen(&mut table, Event::Proven { proof });
    let asked = table.clone();
    happen(&mut table, Event::Resigned { seat: Seat::SECOND });
    let ending = Ending { winners: vec![Seat::FIRST], cause: EndCause::Resigned };
    happen(&mut table, Event::Ended { ending });
    let curve = LeadCurve { seat: Seat::FIRST, dots: vec![(0, 0), (1, 50)] };
    let review = Review { curves: vec![curve], turns: Vec::new() };
    let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::OpenBoard).id();
    let span = Span::within(table.ply(), None, None);
    for (web, number) in [(Some("https://example.org"), 1), (None, 0)] {
        let view = MessageView { web, ..view() };
        let posts = [
            view.result(&table),
            view.proven(&asked),
            view.proven(&table),
            Some(view.review_offer(&table)),
            Some(view.state(&table, Some(ADA))),
            view.viewer(&table, 1, ViewOptions::from(Seat::FIRST)),
            view.replay(&table, span, Seat::FIRST),
            view.stills(&table, span, Seat::FIRST),
            view.as_text(&table, span),
            Some(view.review(&table, &review)),
        ];
        for post in posts {
            let post = post.unwrap();
            let sent = post.json(None).to_string();
            assert_eq!(sent.matches(&id).count(), number, "{sent}");
            assert_eq!(limits::check(&post), Ok(()), "{sent}");
        }
    }
}

/// Each player learns it on the first turn after their own last placement, no matter who placed last of all.
#[test]
fn both_players_are_told_that_placing_is_over() {
    let mut table = seated("penguins", &people(2), &[]);
    for ply in 1..=10 {
        let text = table.play().unwrap().moves().remove(0);
        play(&mut table, &text);
        let told = view().board(&table, ply).unwrap().content;
        assert_eq!(told.contains("All penguins are placed"), matches!(ply, 8 | 9), "{ply}: {told}");
        assert_eq!(told.contains("Place a penguin on a tile with one fish"), ply < 8, "{ply}: {told}");
    }
}

#[test]
fn while_the_program_thinks_nobody_is_pinged() {
    let level = rookery_core::player::Level::Hard;
    let mut table = table(rookery_games::named("amazons").unwrap(), Occupant::Ai { level }, 2);
    play(&mut table, "d1-d7/g7");
    let post = view().board(&table, 1).unwrap();
    assert!(post.pings.is_empty());
    assert_eq!(post.content, "K7Q2 · White played d1-d7/g7 · Rookery (hard) is thinking");
}

#[test]
fn a_welcome_that_comes_after_the_first_move_still_says_who_began() {
    let mut table = two_people();
    let before = view().welcome(&table).unwrap().content;
    play(&mut table, "d1-d7/g7");
    let after = view().welcome(&table).unwrap().content;
    assert!(before.contains("<@1> moves first") && after.contains("<@1> moves first"), "{after}");
}

/// Creates a table with these chairs and options.
fn seated(key: &str, chairs: &[Occupant], options: &[(&str, &str)]) -> Table {
    let options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let terms = Terms {
        game: key.into(),
        options,
        seed: 1,
        guild: Some(GuildId(5)),
        channel: ChannelId(6),
        ..Terms::default()
    };
    let id = "K7Q2".parse().unwrap();
    let events = decide::open(id, terms, ADA, chairs.to_vec()).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    Table::replay(id, &entries).unwrap().unwrap()
}

fn people(many: u64) -> Vec<Occupant> {
    (1..=many).map(|n| Occupant::Human { person: UserId(n) }).collect()
}

#[test]
fn a_board_says_that_sides_may_be_swapped_and_afterwards_who_plays_which() {
    for key in ["amazons", "amoeba"] {
        let mut table = seated(key, &people(2), &[("pie", "on")]);
        let moves = table.play().unwrap().moves();
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| {
            let play = table.play().unwrap();
            view().words.side(play, seat)
        });
        assert!(!view().board(&table, 0).unwrap().content.contains("swap"));
        play(&mut table, &moves[0]);
        let post = view().board(&table, 1).unwrap();
        let told = format!("moving, <@2> can press Swap sides (or type `swap`) to play {first}.");
        assert!(post.content.contains(&told), "{}", post.content);
        assert_eq!(limits::check(&post), Ok(()));
        let button = post.rows[0].iter().find(|part| label(part) == "Swap sides").unwrap();
        let ButtonAction::Panel(taken) = TableButtonId::read(button.id()).unwrap().action else {
            panic!("no panel")
        };
        assert_eq!(panel::stage(table.play().unwrap(), &taken), PanelStage::Done("swap".into()));

        play(&mut table, "swap");
        let post = view().board(&table, 2).unwrap();
        let told = format!(
            "K7Q2 · <@1>, your move ({second}) · 2. swap\n\
             Sides swapped: <@1> now plays {second}, and <@2> plays {first}."
        );
        assert_eq!(post.content, told);
        assert!(post.rows[0].iter().all(|part| label(part) != "Swap sides"));
        let alt = &post.picture.as_ref().unwrap().alt;
        assert!(alt.contains(&format!("Last move: {second} swap.")), "{alt}");
        let last = view().words.last(&table, table.play().unwrap());
        assert!(last.contains(&format!("Last move: {second} `swap`")), "{last}");

        // After a swap the starting pieces belong to the other player.
        let wrong = table.play().unwrap().read(moves.last().unwrap()).unwrap_err();
        let denied = TableError::Refused(OrderError::Move(wrong));
        let refused = view().words.table_error(&denied, Some(&table));
        assert!(refused.ends_with(&format!("The sides were swapped, so you're {second} now.")), "{refused}");
    }
}

#[test]
fn among_three_every_move_is_told_with_its_side() {
    let level = rookery_core::player::Level::Easy;
    let chairs = [people(1)[0], Occupant::Ai { level }, Occupant::Ai { level }];
    let mut table = seated("penguins", &chairs, &[]);
    let mut moves = Vec::new();
    for _ in 0..3 {
        moves.push(table.play().unwrap().moves().remove(0));
        play(&mut table, moves.last().unwrap());
    }
    let sides: Vec<_> = Seat::all(3).map(|seat| view().words.side(table.play().unwrap(), seat)).collect();
    let post = view().board(&table, 3).unwrap();
    let (a, b) = (format!("2. {} {}", sides[1], moves[1]), format!("3. {} {}", sides[2], moves[2]));
    let asked = "Place a penguin on a tile with one fish: you have 2 left.";
    assert_eq!(post.content, format!("K7Q2 · <@1>, your move ({}) · {a}, {b}\n{asked}", sides[0]));
    let next = table.play().unwrap().moves().remove(0);
    play(&mut table, &next);
    let thinks = view().board(&table, 4).unwrap().content;
    assert!(thinks.contains(&format!("Rookery (easy) as {} is thinking · ", sides[1])), "{thinks}");
}

/// In games with more than two players, a board must mark every move since the player's own.
#[test]
fn a_board_marks_every_move_that_it_tells_of() {
    let level = rookery_core::player::Level::Easy;
    for (key, seats) in [("penguins", 3), ("penguin_soccer", 4)] {
        let mut chairs = vec![Occupant::Ai { level }; seats];
        chairs[0] = people(1)[0];
        let mut table = seated(key, &chairs, &[]);
        // The first plies place pieces; later ones move them.
        for _ in 0..seats * 5 {
            let next = table.play().unwrap().moves().remove(0);
            play(&mut table, &next);
        }
        let (ply, look) = (table.ply(), DrawOptions::from_seat(Seat::FIRST));
        let items = |earlier| {
            let scene = table.play().unwrap().scene(&DrawOptions { earlier, ..look.clone() });
            scene.items.len()
        };
        assert!(items(0) < items(seats - 2), "{key}");
        let drawn = view().board(&table, ply).unwrap().picture.unwrap();
        assert_eq!(drawn.scenes.clone().make()[0].items.len(), items(seats - 2), "{key}");
    }
}

#[test]
fn where_only_the_program_plays_nobody_is_told_how_to_move() {
    let level = rookery_core::player::Level::Easy;
    let of = |chairs: &[Occupant]| view().welcome(&seated("amazons", chairs, &[])).unwrap().content;
    let shown = of(&[Occupant::Ai { level }; 2]);
    assert!(shown.contains("moves first.") && !shown.contains("press Move"), "{shown}");
    assert!(of(&people(2)).contains("Reply to the board with a move"));
}

#[test]
fn who_plays_both_sides_is_asked_which_they_give_up() {
    let table = seated("amazons", &[people(1)[0]; 2], &[]);
    assert_eq!(view().board(&table, 0).unwrap().content, "K7Q2 · <@1>, your move (White).");
    let question = view().resign_confirmation(&table, Seat::FIRST).content;
    assert_eq!(question, "Resign from K7Q2 as White?");
    assert_eq!(view().resigned(&table, Seat::SECOND).content, "You've resigned from K7Q2 as Black.");
    let of_two = view().resign_confirmation(&two_people(), Seat::FIRST).content;
    assert_eq!(of_two, "Resign from K7Q2?");
}

#[test]
fn a_result_names_who_gave_up() {
    let mut table = two_people();
    happen(&mut table, Event::Resigned { seat: Seat::SECOND });
    happen(
        &mut table,
        Event::Ended { ending: Ending { winners: vec![Seat::FIRST], cause: EndCause::Resigned } },
    );
    let result = view().result(&table).unwrap().content;
    assert_eq!(result, "**K7Q2 is over.** <@1> (White) won: <@2> (Black) resigned.");
    let alt = view().board(&table, 0).unwrap().picture.unwrap().alt;
    assert!(alt.contains("White won: Black resigned."), "{alt}");
}

#[test]
fn a_challenge_pings_whom_it_is_for() {
    let invited = Occupant::Invited { person: UserId(2) };
    let post = view().announcement(&table(rookery_games::named("amazons").unwrap(), invited, 2));
    assert_eq!(post.pings, [UserId(2)]);
    let labels: Vec<_> = post.rows[0].iter().map(label).collect();
    assert_eq!(labels, ["Accept", "Decline", "Cancel"]);
    let open = view().announcement(&table(rookery_games::named("amazons").unwrap(), Occupant::Open, 2));
    assert!(open.pings.is_empty());
    assert_eq!(
        open.rows[0].iter().map(label).collect::<Vec<_>>(),
        ["Join", "Play against the bot", "Cancel"]
    );
}

#[test]
fn an_offer_asks_the_other_side() {
    let mut table = two_people();
    happen(&mut table, Event::Offered { seat: Seat::FIRST, offer: Offer::Count });
    let post = view().offered(&table, Offer::Count, Seat::FIRST, 0);
    assert_eq!(post.pings, [UserId(2)]);
    assert_eq!(post.rows[0].len(), 2);
    play(&mut table, "d1-d7/g7");
    assert!(view().offered(&table, Offer::Count, Seat::FIRST, 0).rows.is_empty(), "overtaken");
}

#[test]
fn of_several_who_have_left_each_takes_their_seat_back_with_the_same_button() {
    let game = rookery_games::all().iter().find(|game| game.info().seats.contains(&4)).unwrap();
    let mut table = table(*game, Occupant::Human { person: UserId(4) }, 4);
    for seat in Seat::all(3).skip(1) {
        let occupant = Occupant::Ai { level: rookery_core::player::Level::Easy };
        happen(&mut table, Event::Seated { seat, occupant });
    }
    assert_eq!(table.substitutions().len(), 2);
    let post = view().user_install(&table);
    assert_eq!(limits::check(&post), Ok(()));
    let back = TableButtonId::new(table.id(), table.ply(), ButtonAction::ComeBack).id();
    assert_eq!(post.rows.iter().flatten().filter(|part| part.id() == back).count(), 1);
}

/// Creates a vote of everybody on the first turn of a two-player game, with the maximum number of proposals.
pub(super) fn full_vote(game: &dyn Game) -> Table {
    let chairs = [ADA, UserId(u64::MAX)].map(|person| Occupant::Human { person }).to_vec();
    let mode = TeamMembers::Everyone.usual_mode();
    let teams = vec![Team { captain: ADA, members: TeamMembers::Everyone, mode }];
    let terms = Terms {
        game: game.info().key.into(),
        guild: Some(GuildId(5)),
        channel: ChannelId(u64::MAX),
        teams,
        ..Terms::default()
    };
    let events = decide::open("K7Q2".parse().unwrap(), terms, ADA, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    let mut table = Table::replay("K7Q2".parse().unwrap(), &entries).unwrap().unwrap();
    for (text, person) in
        table.play().unwrap().moves().into_iter().rev().take(MAX_PROPOSALS).zip(u64::MAX / 2..)
    {
        happen(&mut table, Event::Proposed { seat: Seat::FIRST, person: UserId(person), text });
    }
    table
}

#[test]
fn a_full_vote_keeps_discords_limits_in_every_game_and_has_a_button_for_every_move() {
    let two = rookery_games::all().iter().filter(|game| game.info().seats.contains(&2));
    for table in two.map(|game| full_vote(*game)) {
        let team_vote = table.team_vote().unwrap();
        let post = view().vote(&table, team_vote.number).unwrap();
        let pseudo =
            MessageView { words: pseudo_language("fi"), ..view() }.vote(&table, team_vote.number).unwrap();
        for post in [&post, &pseudo] {
            assert_eq!(limits::check(post), Ok(()), "{}", post.content);
            assert!(post.pings.is_empty() && post.roles.is_empty());
        }
        let deeds = post.rows.iter().flatten().map(|part| TableButtonId::read(part.id()).unwrap().action);
        let votes = deeds.filter(|action| matches!(action, ButtonAction::Vote(..))).count();
        assert_eq!(votes, team_vote.proposals.len(), "{}", table.terms().game);
        let board = view().board(&table, 0).unwrap();
        assert_eq!(limits::check(&board), Ok(()), "{}", board.content);
        assert!(team_vote.proposals.iter().all(|proposal| board.content.contains(&proposal.text)));
    }
}

#[test]
fn a_vote_whose_voters_have_left_has_no_boards() {
    let mut table = full_vote(rookery_games::named("amazons").unwrap());
    for person in (u64::MAX / 2..).take(MAX_PROPOSALS).map(UserId) {
        happen(&mut table, Event::Departed { captain: ADA, person });
    }
    let post = view().vote(&table, table.team_vote().unwrap().number).unwrap();
    assert!(post.picture.is_none() && post.rows.len() == 1, "{:?}", post.rows);
    assert_eq!(limits::check(&post), Ok(()));
}
