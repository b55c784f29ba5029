//! What single messages say, whom they ping and what can be pressed under them.

use super::*;

#[test]
fn a_board_pings_the_mover_alone_and_says_what_was_played() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let post = layout().board(&table, 1).unwrap();
    assert_eq!(post.content, "K7Q2 · <@2>, your move · 1. d1-d7/g7");
    assert_eq!(post.pings, [Person(2)]);
    assert!(post.picture.unwrap().alt.contains("Black is to move"));
    assert_eq!(post.rows.len(), 1);
}

#[test]
fn a_table_as_it_is_has_its_name_once() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let wanted = "K7Q2 · Game of the Amazons · <@1> – <@2>. <@2>, your move · 1. d1-d7/g7";
    assert_eq!(layout().state(&table, None).content, wanted);
    assert_eq!(layout().state_text(&table).content.lines().next(), Some(wanted));
}

#[test]
fn a_board_that_was_overtaken_pings_nobody_and_has_no_buttons() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    play(&mut table, "g10-g8/e8");
    let post = layout().board(&table, 1).unwrap();
    assert!(post.pings.is_empty() && post.rows.is_empty());
    assert_eq!(post.content, "K7Q2 · 1. d1-d7/g7");
}

#[test]
fn while_the_program_thinks_nobody_is_pinged() {
    let level = crate::kit::player::Level::Hard;
    let mut table = table(games::named("amazons").unwrap(), Occupant::Ai { level }, 2);
    play(&mut table, "d1-d7/g7");
    let post = layout().board(&table, 1).unwrap();
    assert!(post.pings.is_empty());
    assert_eq!(post.content, "K7Q2 · 1. d1-d7/g7 · Rookery (hard) is thinking");
}

#[test]
fn a_welcome_that_comes_after_the_first_move_still_says_who_began() {
    let mut table = two_people();
    let before = layout().welcome(&table).unwrap().content;
    play(&mut table, "d1-d7/g7");
    let after = layout().welcome(&table).unwrap().content;
    assert!(before.contains("<@1> moves first") && after.contains("<@1> moves first"), "{after}");
}

#[test]
fn a_challenge_pings_whom_it_is_for() {
    let invited = Occupant::Invited { person: Person(2) };
    let post = layout().announcement(&table(games::named("amazons").unwrap(), invited, 2));
    assert_eq!(post.pings, [Person(2)]);
    let labels: Vec<_> = post.rows[0].iter().map(label).collect();
    assert_eq!(labels, ["Accept", "Decline", "Leave"]);
    let open = layout().announcement(&table(games::named("amazons").unwrap(), Occupant::Open, 2));
    assert!(open.pings.is_empty());
    assert_eq!(open.rows[0].iter().map(label).collect::<Vec<_>>(), ["Join", "Fill with the bot", "Leave"]);
}

#[test]
fn an_offer_asks_the_other_side() {
    let mut table = two_people();
    happen(&mut table, Event::Offered { seat: 0, offer: Offer::Count });
    let post = layout().offered(&table, Offer::Count, Seat::FIRST, 0);
    assert_eq!(post.pings, [Person(2)]);
    assert_eq!(post.rows[0].len(), 2);
    play(&mut table, "d1-d7/g7");
    assert!(layout().offered(&table, Offer::Count, Seat::FIRST, 0).rows.is_empty(), "overtaken");
}

#[test]
fn of_several_who_have_left_each_takes_their_seat_back_with_the_same_button() {
    let game = games::ALL.iter().find(|game| game.about().seats.contains(&4)).unwrap();
    let mut table = table(*game, Occupant::Human { person: Person(4) }, 4);
    for seat in [1, 2] {
        let occupant = Occupant::Ai { level: crate::kit::player::Level::Easy };
        happen(&mut table, Event::Seated { seat, occupant });
    }
    assert_eq!(table.away().len(), 2);
    let post = layout().brought(&table);
    assert_eq!(limits::check(&post), Ok(()));
    let back = Press::new(table.id(), table.ply(), Deed::ComeBack).id();
    assert_eq!(post.rows.iter().flatten().filter(|part| part.id() == back).count(), 1);
}

/// A vote of everybody on the first turn of a game for two, with as many proposals as there may be.
fn full_vote(game: &dyn Game) -> Table {
    let chairs = [ADA, Person(u64::MAX)].map(|person| Occupant::Human { person }).to_vec();
    let mode = Crowd::Everyone.usual_mode();
    let teams = vec![Team { captain: ADA, crowd: Crowd::Everyone, mode }];
    let terms =
        Terms { game: game.about().key.into(), guild: Some(5), channel: u64::MAX, teams, ..Terms::default() };
    let events = state::open("K7Q2".parse().unwrap(), terms, ADA, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    let mut table = Table::replay("K7Q2".parse().unwrap(), &entries).unwrap().unwrap();
    for (text, person) in
        table.play().unwrap().moves().into_iter().rev().take(PROPOSALS_MOST).zip(u64::MAX / 2..)
    {
        happen(&mut table, Event::Proposed { seat: 0, person: Person(person), text });
    }
    table
}

#[test]
fn a_full_vote_keeps_discords_limits_in_every_game_and_has_a_button_for_every_move() {
    let two = games::ALL.iter().filter(|game| game.about().seats.contains(&2));
    for table in two.map(|game| full_vote(*game)) {
        let ballot = table.ballot().unwrap();
        let post = layout().vote(&table, ballot.number).unwrap();
        let pseudo = Layout { words: pseudo::words("fi"), ..layout() }.vote(&table, ballot.number).unwrap();
        for post in [&post, &pseudo] {
            assert_eq!(limits::check(post), Ok(()), "{}", post.content);
            assert!(post.pings.is_empty() && post.roles.is_empty());
        }
        let deeds = post.rows.iter().flatten().map(|part| Press::read(part.id()).unwrap().deed);
        let votes = deeds.filter(|deed| matches!(deed, Deed::Vote(..))).count();
        assert_eq!(votes, ballot.proposals.len(), "{}", table.terms().game);
        let board = layout().board(&table, 0).unwrap();
        assert_eq!(limits::check(&board), Ok(()), "{}", board.content);
        assert!(ballot.proposals.iter().all(|proposal| board.content.contains(&proposal.text)));
    }
}

#[test]
fn a_vote_whose_voters_have_left_has_no_boards() {
    let mut table = full_vote(games::named("amazons").unwrap());
    for person in (u64::MAX / 2..).take(PROPOSALS_MOST).map(Person) {
        happen(&mut table, Event::Departed { captain: ADA, person });
    }
    let post = layout().vote(&table, table.ballot().unwrap().number).unwrap();
    assert!(post.picture.is_none() && post.rows.len() == 1, "{:?}", post.rows);
    assert_eq!(limits::check(&post), Ok(()));
}
