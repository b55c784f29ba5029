//! Teams against teams: reserved seats, captains, removed members.

use super::*;
use crate::pseudonym::NamesPeople;
use crate::teams::{ReservedSeat, Team, TeamMembers, TeamMode, VOTE_TIME};
use rookery_core::Seat;

const VOTE: TeamMode = TeamMode::Vote { length: VOTE_TIME, enough: None };
const RED: TeamMembers = TeamMembers::Role { role: RoleId(7) };
const BLUE: TeamMembers = TeamMembers::Role { role: RoleId(8) };

/// Ada leads the team of one role; the other seat is reserved for another role.
fn challenged() -> Story {
    let teams = vec![Team { captain: ADA, members: RED, mode: VOTE }];
    let reserved_seats = vec![ReservedSeat { seat: Seat::SECOND, members: BLUE, mode: TeamMode::Free }];
    Story::of(Terms { teams, reserved_seats, ..terms() }, vec![human(ADA), Occupant::Open])
}

fn seat(number: usize) -> Seat {
    Seat::new(number).unwrap()
}

#[test]
fn a_kept_seat_is_for_its_team_and_whoever_takes_it_leads() {
    let story = challenged();
    assert_eq!(story.ask(EVE, Order::Join), Err(OrderError::KeptForTeam));
    assert_eq!(story.ask(EVE, Order::Lead { seat: Seat::FIRST }), Err(OrderError::Full), "that one is Ada's");
    assert_eq!(story.ask(ADA, Order::Lead { seat: Seat::SECOND }), Err(OrderError::SeatedAlready));
    assert!(!story.table.has_free_seat() && story.table.reserved_seat(seat(1)).is_some());

    let story = story.does(BEN, Order::Lead { seat: Seat::SECOND });
    assert_eq!(story.table.status(), &Status::Running);
    let blue = story.table.team(seat(1)).unwrap();
    assert_eq!((blue.captain, &blue.members, blue.mode), (BEN, &BLUE, TeamMode::Free));
    assert!(story.table.reserved_seats().next().is_none() && !story.table.is_rated());
    let again = story.table.rematch_terms();
    assert_eq!((again.teams.len(), again.reserved_seats.len()), (2, 0), "both with their captains");
    let known = Table::replay(story.table.id(), &story.entries).unwrap().unwrap();
    assert_eq!(known.sides(), story.table.sides());
}

#[test]
fn who_stands_up_before_the_start_leads_no_more() {
    let mut terms = challenged().table.terms().clone();
    terms.game = "penguins".into();
    terms.options.clear();
    let story = Story::of(terms, vec![human(ADA), Occupant::Open, Occupant::Open]);
    let story = story.does(BEN, Order::Lead { seat: Seat::SECOND }).does(BEN, Order::Leave);
    assert_eq!((story.table.sides().len(), story.table.reserved_seats().count()), (1, 1));
    let joined = story.does(EVE, Order::Join);
    assert_eq!(joined.table.occupant(seat(2)), Some(human(EVE)), "the free seat, not the kept one");
    assert!(joined.table.team(seat(2)).is_none());
    let led = joined.does(BEN, Order::Lead { seat: Seat::SECOND });
    assert_eq!(led.table.sides().len(), 2);
}

#[test]
fn who_has_the_role_no_more_is_taken_out_with_their_vote() {
    let story = challenged().does(BEN, Order::Lead { seat: Seat::SECOND }).in_thread();
    let story = story.ordered(Actor::System, Order::AddMember { person: EVE, captain: ADA });
    let text = story.table.play().unwrap().moves()[0].clone();
    let story = story.plays(EVE, &text);
    assert_eq!(story.table.team_vote().unwrap().votes(), 1);
    let out = |person, captain| Order::RemoveMember { person, captain };
    assert_eq!(story.ask(BEN, out(EVE, ADA)), Err(OrderError::NotSeated), "only the house sees roles");
    for (person, captain) in [(ADA, ADA), (BEN, BEN), (BEN, ADA), (EVE, BEN)] {
        let refused = decide(&story.table, Actor::System, &out(person, captain), None, NOW).err();
        assert_eq!(refused, Some(OrderError::NotSeated), "no captain, and nobody who is not of it");
    }
    assert_eq!(
        story.would_say(Actor::System, out(EVE, ADA)),
        [format!("tally-{}", story.table.team_vote().unwrap().number)]
    );
    let story = story.ordered(Actor::System, out(EVE, ADA));
    assert_eq!((story.table.team_vote().unwrap().votes(), story.table.seat_of(EVE)), (0, None));
    assert_eq!(story.ask(EVE, r#move(&text, None)), Err(OrderError::NotSeated));
    let back = story.ordered(Actor::System, Order::AddMember { person: EVE, captain: ADA });
    assert_eq!(back.table.seat_of(EVE), Some(seat(0)), "with the role one plays again");
}

#[test]
fn terms_are_read_as_they_were_written_and_older_ones_have_no_kept_seats() {
    let mut terms = challenged().table.terms().clone();
    let written = serde_json::to_string(&terms).unwrap();
    assert_eq!(serde_json::from_str::<Terms>(&written).unwrap(), terms);
    assert!(terms.rename(ADA, BEN), "a captain can be taken out");
    let older = r#"{"game":"amazons","seed":5,"channel":2,"thread":false}"#;
    assert_eq!(serde_json::from_str::<Terms>(older).unwrap().reserved_seats, []);
}
