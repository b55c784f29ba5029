//! Seats played by teams: members, votes, deadlines, draws.

use super::*;
use crate::audit::{self, Breach, Votes};
use crate::clock::{ClockTerms, HOUR, TimeSpan};
use crate::hash_chain::{self, HashChain};
use crate::teams::{MAX_PROPOSALS, Team, TeamMembers, TeamMode, VOTE_TIME, draw};
use jiff::SignedDuration;
use jiff::Timestamp;
use rookery_core::Seat;

const VOTE: TeamMode = TeamMode::Vote { length: VOTE_TIME, enough: None };
const FAY: UserId = UserId(4);

fn with(members: TeamMembers, mode: TeamMode) -> Terms {
    Terms { teams: vec![Team { captain: ADA, members, mode }], ..terms() }
}

fn named(people: &[UserId]) -> TeamMembers {
    TeamMembers::Named { people: people.to_vec() }
}

/// Ada's team on the first seat, Ben on the other.
fn team(members: TeamMembers, mode: TeamMode) -> Story {
    Story::of(with(members, mode), vec![human(ADA), human(BEN)]).in_thread()
}

fn enlisted(story: Story, who: UserId) -> Story {
    story.ordered(Actor::System, Order::AddMember { person: who, captain: ADA })
}

/// Returns several legal moves of the player to move.
fn moves(story: &Story) -> Vec<String> {
    story.table.play().unwrap().moves()
}

fn vote(story: &Story, proposal: usize) -> Order {
    Order::Vote { number: story.table.team_vote().unwrap().number, proposal }
}

/// Applies what is due at a moment.
fn ticked(mut story: Story, now: Timestamp) -> Story {
    let events = decide(&story.table, Actor::System, &Order::Tick, None, now).unwrap().events;
    for entry in actor::number(events, story.table.sequence(), now, None) {
        story.table.apply(&entry).unwrap();
        story.entries.push(entry);
    }
    story
}

#[test]
fn the_first_legal_move_of_a_free_team_counts() {
    let story = team(named(&[ADA, EVE]), TeamMode::Free);
    let text = moves(&story)[0].clone();
    assert_eq!(story.ask(FAY, r#move(&text, None)), Err(OrderError::NotSeated));
    let story = story.plays(EVE, &text);
    assert_eq!(story.table.play().unwrap().record(), [text]);
    assert!(matches!(story.entries[story.entries.len() - 2].event, Event::Proposed { person: EVE, .. }));
    assert_eq!(story.table.acted_at(EVE), Some(NOW));
    assert_eq!(story.table.acted_at(ADA), None, "it was not Ada who moved");
    assert_eq!(story.ask(ADA, r#move("a1", None)), Err(OrderError::NotYourTurn { whose: Seat::SECOND }));
}

#[test]
fn whoever_was_seen_to_belong_to_a_role_plays_and_nobody_else() {
    let story = team(TeamMembers::Role { role: RoleId(77) }, VOTE);
    let text = moves(&story)[0].clone();
    assert_eq!(story.ask(EVE, r#move(&text, None)), Err(OrderError::NotSeated));
    let own = Order::AddMember { person: EVE, captain: ADA };
    assert_eq!(story.ask(EVE, own.clone()), Err(OrderError::NotSeated), "only the house sees roles");
    let by_house = |story: &Story, person| {
        decide(&story.table, Actor::System, &Order::AddMember { person, captain: ADA }, None, NOW).err()
    };
    assert_eq!(by_house(&story, BEN), Some(OrderError::NotSeated), "Ben plays against them");
    let story = enlisted(story, EVE);
    assert_eq!(by_house(&story, EVE), Some(OrderError::NotSeated), "once is enough");
    assert_eq!(story.table.seat_of(EVE), Some(Seat::FIRST));
    let card = story.table.card();
    assert!(card.has(EVE) && card.waits_on(EVE) && card.waits_on(ADA) && !card.waits_on(BEN));
    assert!(card.waited_for().is_empty(), "a role is called by its name");
    assert_eq!(story.does(EVE, r#move(&text, None)).table.ply(), 0, "it is only proposed");
}

#[test]
fn more_than_half_of_a_team_of_known_size_settle_a_vote_at_once() {
    let story = team(named(&[ADA, EVE, FAY]), VOTE);
    let text = moves(&story);
    let story = story.plays(ADA, &text[0]).plays(EVE, &text[1]);
    assert_eq!(story.table.ply(), 0);
    let both = story.table.team_vote().unwrap();
    assert_eq!((both.votes(), both.leaders()), (2, vec![0, 1]));
    let order = vote(&story, 1);
    let story = story.does(FAY, order);
    assert_eq!(story.table.play().unwrap().record(), [text[1].clone()]);
    let vote_result = story.table.vote_result(1).unwrap();
    assert_eq!((vote_result.votes, vote_result.of, vote_result.tied), (2, 3, 1));
    assert!(story.table.team_vote().is_none());
}

#[test]
fn a_vote_may_be_moved_and_a_move_that_is_proposed_again_is_a_vote_for_it() {
    let story = enlisted(enlisted(team(TeamMembers::Everyone, VOTE), EVE), FAY);
    let text = moves(&story);
    let story = story.plays(ADA, &text[0]).plays(EVE, &text[1]).plays(EVE, &text[0]);
    let team_vote = story.table.team_vote().unwrap();
    let voters: Vec<_> = team_vote.proposals.iter().map(|proposal| proposal.voters.clone()).collect();
    assert_eq!(voters, [vec![ADA, EVE], vec![]]);
    assert_eq!(story.ask(EVE, vote(&story, 0)), Ok(Vec::new()), "nothing changes");
    assert_eq!(story.ask(EVE, vote(&story, 2)), Err(OrderError::NoOpenVote));
    assert_eq!(story.ask(BEN, vote(&story, 0)), Err(OrderError::NotYourTurn { whose: Seat::FIRST }));
    assert_eq!(story.ask(UserId(9), vote(&story, 0)), Err(OrderError::NotSeated));
}

#[test]
fn so_many_votes_as_were_agreed_on_settle_it() {
    let mode = TeamMode::Vote { length: VOTE_TIME, enough: Some(2) };
    let story = enlisted(team(TeamMembers::Everyone, mode), EVE);
    let text = moves(&story)[3].clone();
    let story = story.plays(EVE, &text);
    assert_eq!(story.table.ply(), 0);
    let order = vote(&story, 0);
    assert_eq!(story.does(ADA, order).table.ply(), 1);
}

#[test]
fn votes_needed_are_known_before_they_are_cast() {
    let enough = |enough| TeamMode::Vote { length: VOTE_TIME, enough: Some(enough) };
    let five = [ADA, EVE, FAY, UserId(8), UserId(9)];
    for (members, mode, early) in [
        (named(&[ADA, EVE, FAY]), VOTE, (Some(2), Some(3))),
        (named(&[ADA, EVE]), VOTE, (Some(2), Some(2))),
        (named(&five), enough(2), (Some(2), Some(5))),
        (named(&five), enough(4), (Some(3), Some(5))),
        (TeamMembers::Everyone, VOTE, (None, None)),
        (TeamMembers::Everyone, enough(4), (Some(4), None)),
    ] {
        let end = team(members, mode).table.vote_early_end().unwrap();
        assert_eq!((end.enough, end.voters), early, "{mode:?}");
    }
}

#[test]
fn at_its_deadline_the_only_proposal_is_played_and_never_before() {
    let story = team(TeamMembers::Everyone, VOTE);
    assert_eq!(story.table.vote_closes(), Some(NOW + VOTE_TIME));
    let text = moves(&story)[0].clone();
    let story = story.plays(ADA, &text);
    assert_eq!(story.table.next_due(), Some(NOW + VOTE_TIME));
    let story = ticked(story, NOW + VOTE_TIME - SignedDuration::from_millis(1));
    assert_eq!(story.table.ply(), 0);
    assert_eq!(ticked(story, NOW + VOTE_TIME).table.ply(), 1);
}

#[test]
fn a_vote_without_a_proposal_stays_open_and_the_first_one_after_that_is_played() {
    let story = ticked(team(TeamMembers::Everyone, VOTE), NOW + 3 * VOTE_TIME);
    assert!(story.table.team_vote().is_some() && story.table.ply() == 0);
    let order = r#move(&moves(&story)[0], None);
    let events = decide(&story.table, Actor::Person(ADA), &order, None, NOW + 3 * VOTE_TIME).unwrap().events;
    assert!(matches!(events[1], Event::Elected { proposal: 0, tied: 1, .. }), "{events:?}");
}

#[test]
fn a_vote_closes_with_the_clock_and_before_the_game_is_lost() {
    let clock = ClockTerms::read("3h hard").unwrap();
    let terms = Terms { clock, ..with(TeamMembers::Everyone, VOTE) };
    let story = Story::of(terms, vec![human(ADA), human(BEN)]).in_thread();
    let up_at = NOW + 3 * HOUR;
    assert_eq!(story.table.vote_closes(), Some(up_at));
    let text = moves(&story)[0].clone();
    let story = ticked(story.plays(ADA, &text), up_at);
    assert_eq!((story.table.ply(), story.table.status()), (1, &Status::Running));
}

#[test]
fn time_that_stood_still_is_added_to_a_vote() {
    let story = team(TeamMembers::Everyone, VOTE);
    let text = moves(&story)[0].clone();
    let mut story = story.plays(ADA, &text);
    let paused = [
        (NOW + HOUR, Event::Paused { seat: Seat::FIRST }),
        (NOW + 5 * HOUR, Event::Resumed { seat: Seat::FIRST }),
        (
            NOW + 6 * HOUR,
            Event::Lost { spans: vec![TimeSpan { from: NOW + 5 * HOUR, until: NOW + 6 * HOUR }] },
        ),
    ];
    for (at, event) in paused {
        let sequence = story.table.sequence() + 1;
        story.table.apply(&Entry { sequence, at, source: None, event }).unwrap();
        assert_eq!(story.table.vote_closes().is_none(), story.table.is_paused());
    }
    assert_eq!(story.table.vote_closes(), Some(NOW + VOTE_TIME + 5 * HOUR));
}

/// Two proposals with one vote each, drawn at the deadline.
fn tie(seed: u64) -> (Story, Vec<String>) {
    let terms = Terms { seed, ..with(TeamMembers::Everyone, VOTE) };
    let story = enlisted(Story::of(terms, vec![human(ADA), human(BEN)]).in_thread(), EVE);
    let text = moves(&story)[..2].to_vec();
    let story = story.plays(ADA, &text[0]).plays(EVE, &text[1]);
    (ticked(story, NOW + VOTE_TIME), text)
}

#[test]
fn of_several_with_as_many_votes_one_is_drawn_from_the_seed() {
    for seed in 0..20 {
        let (story, text) = tie(seed);
        let drawn = draw(seed, 2, 2);
        assert_eq!(story.table.play().unwrap().record(), [text[drawn].clone()]);
        assert_eq!(story.table.vote_result(1).unwrap().tied, 2);
    }
}

#[test]
fn every_proposal_is_as_likely_to_be_drawn() {
    let count = |wanted| (0..3_000).filter(|number| draw(7, *number, 3) == wanted).count();
    // Six standard deviations of a binomial count (3000, 1/3) are 155.
    assert!((0..3).all(|wanted| (845..=1_155).contains(&count(wanted))));
}

fn audited(story: &Story) -> audit::Audit {
    let links = hash_chain::chain_entries(story.table.id(), &story.entries, None);
    let head = links.last().and_then(|link| link.seal.clone());
    audit::audit(story.table.id(), &HashChain { links, head }).unwrap()
}

#[test]
fn an_audit_counts_votes_and_draws_again() {
    let (story, _) = tie(3);
    assert_eq!(audited(&story).votes, Ok(Votes { held: 1, drawn: 1 }));
    let (mut forged, text) = tie(3);
    let at = forged.entries.iter().position(|entry| matches!(entry.event, Event::Elected { .. })).unwrap();
    let other = 1 - draw(3, 2, 2);
    forged.entries[at].event = Event::Elected { seat: Seat::FIRST, proposal: other as u16, tied: 2 };
    forged.entries[at + 1].event = Event::Moved { seat: Seat::FIRST, text: text[other].clone(), why: None };
    let audit = audited(&forged);
    assert_eq!(audit.votes, Err(at as u64 + 1));
    assert!(!audit.is_clean() && !matches!(audit.seed, audit::SeedAudit::Broken(Breach::Layout)));
}

#[test]
fn all_that_is_no_move_is_the_captains() {
    let story = team(named(&[ADA, EVE]), VOTE);
    let theirs = Err(OrderError::NotCaptain { captain: ADA });
    for order in [Order::Resign, Order::Offer(Offer::Abort)] {
        assert_eq!(story.ask(EVE, order), theirs);
    }
    let offered = story.does(BEN, Order::Offer(Offer::Pause));
    assert_eq!(offered.ask(EVE, Order::Answer { yes: true, to: None }), theirs);
    let offered = offered.does(ADA, Order::Answer { yes: true, to: None });
    assert!(offered.table.is_paused());
    assert_eq!(offered.ask(EVE, Order::Plan("if a then b".into())), Err(OrderError::TeamVotes));
}

#[test]
fn who_leaves_a_team_takes_their_vote_along_and_may_come_back() {
    let story = team(named(&[ADA, EVE, FAY]), VOTE);
    let text = moves(&story);
    let story = story.plays(EVE, &text[0]).does(EVE, Order::Substitute { level: Level::Easy });
    assert_eq!(story.table.team_vote().unwrap().live().count(), 0);
    assert_eq!(story.table.players_of(Seat::FIRST), [ADA, FAY]);
    assert_eq!(story.ask(EVE, r#move(&text[1], None)), Err(OrderError::NotSeated));
    assert!(!story.table.card().has(EVE));
    let back = story.does(EVE, Order::ComeBack);
    assert_eq!(back.table.seat_of(EVE), Some(Seat::FIRST));
    let again = back.does(EVE, Order::Substitute { level: Level::Easy }).plays(ADA, &text[0]);
    assert_eq!(again.table.ply(), 0, "one of two is not more than half");
    let captain = again.ask(ADA, Order::Substitute { level: Level::Easy });
    assert_eq!(captain, Err(OrderError::OnlyTwo), "a captain holds the seat");
    assert_eq!(again.plays(FAY, &text[0]).table.ply(), 1);
}

/// Deletes a person's data.
fn parts(story: Story, who: UserId) -> Story {
    story.ordered(Actor::System, Order::RemovePerson { person: who, leave_policy: LeavePolicy::Resign })
}

#[test]
fn a_team_does_not_wait_for_the_vote_of_who_has_left_it() {
    let story = team(named(&[ADA, EVE, FAY]), VOTE);
    let text = moves(&story);
    let voted = || {
        Story { table: story.table.clone(), entries: Vec::new() }.plays(ADA, &text[0]).plays(EVE, &text[1])
    };
    let left = voted().does(FAY, Order::Substitute { level: Level::Easy });
    assert_eq!(left.table.ply(), 1, "the others have voted already");
    assert_eq!(left.table.vote_result(1).map(|it| (it.of, it.tied)), Some((2, 2)));
    assert_eq!(parts(voted(), FAY).table.ply(), 1, "and so it is with who is forgotten");
    let dismissed = Order::RemoveMember { person: FAY, captain: ADA };
    assert_eq!(voted().ordered(Actor::System, dismissed).table.ply(), 1);
    // Ada holds the seat, but her vote is not awaited any more.
    let without = parts(Story { table: story.table.clone(), entries: Vec::new() }, ADA);
    assert_eq!(without.table.voters_of(Seat::FIRST), [EVE, FAY]);
    assert_eq!(without.plays(EVE, &text[0]).plays(FAY, &text[1]).table.ply(), 1);
}

#[test]
fn who_is_forgotten_leaves_their_team_once_and_the_last_of_it_gives_up() {
    let story = parts(parts(team(named(&[ADA, EVE]), TeamMode::Free), ADA), ADA);
    assert_eq!(story.table.status(), &Status::Running, "Eve plays on");
    let story = parts(story, EVE);
    assert_eq!(
        story.table.status(),
        &Status::Over(Ending { winners: vec![Seat::SECOND], cause: EndCause::Resigned })
    );
}

#[test]
fn who_leaves_a_team_before_the_start_leaves_its_captain_seated() {
    let story = Story::of(with(named(&[ADA, EVE]), VOTE), vec![human(ADA), Occupant::Open]);
    let left = story.does(EVE, Order::Leave);
    assert_eq!(left.table.occupant(Seat::FIRST), Some(human(ADA)));
    assert_eq!((left.table.seat_of(EVE), left.table.players_of(Seat::FIRST)), (None, vec![ADA]));
    let story = Story::of(with(named(&[ADA, EVE]), VOTE), vec![human(ADA), Occupant::Open]);
    assert_eq!(parts(story, EVE).table.occupant(Seat::FIRST), Some(human(ADA)));
}

#[test]
fn no_more_is_proposed_than_there_are_buttons_for_and_nobody_fills_them_alone() {
    let story = team(TeamMembers::Everyone, VOTE);
    let text = moves(&story);
    let story = text[..2 * MAX_PROPOSALS].iter().fold(story, |story, text| story.plays(ADA, text));
    let live = |story: &Story| story.table.team_vote().unwrap().live().count();
    assert_eq!(live(&story), 1, "the others are off the list again");
    let others = (1..MAX_PROPOSALS).map(|n| UserId(100 + n as u64)).zip(&text);
    let story = others.fold(story, |story, (who, text)| enlisted(story, who).plays(who, text));
    assert_eq!(live(&story), MAX_PROPOSALS);
    let story = enlisted(story, EVE);
    assert_eq!(story.ask(EVE, r#move(&text[50], None)), Err(OrderError::VoteFull));
    assert_eq!(story.ask(EVE, r#move(&text[MAX_PROPOSALS], None)), Err(OrderError::VoteFull), "one of Ada's");
    let story = story.plays(EVE, &text[4]).plays(ADA, &text[50]);
    assert_eq!(live(&story), MAX_PROPOSALS, "who is for a move alone can propose another in its place");
}

#[test]
fn a_vote_is_told_of_in_one_message_until_it_is_over() {
    let story = enlisted(team(TeamMembers::Everyone, VOTE), EVE);
    let text = moves(&story);
    assert_eq!(story.would_say(Actor::Person(ADA), r#move(&text[0], None)), ["tally-2"]);
    let story = story.plays(ADA, &text[0]);
    assert_eq!(story.would_say(Actor::Person(EVE), vote(&story, 0)), ["tally-2"]);
    assert_eq!(story.would_say(Actor::Person(ADA), vote(&story, 0)), Vec::<String>::new());
    let resigned = story.would_say(Actor::Person(ADA), Order::Resign);
    assert!(resigned.contains(&"tally-2".to_owned()), "{resigned:?}");
}

#[test]
fn a_turn_taken_back_is_voted_on_anew() {
    let (story, text) = tie(1);
    let mut story = story;
    let undone = Event::Undone { seat: Seat::FIRST, from: 1, ply: 0, casual: false };
    let sequence = story.table.sequence() + 1;
    story.table.apply(&Entry { sequence, at: NOW, source: None, event: undone }).unwrap();
    let team_vote = story.table.team_vote().unwrap();
    assert!(
        team_vote.proposals.is_empty()
            && team_vote.number == sequence
            && story.table.vote_result(1).is_none()
    );
    let old = Order::Vote { number: 2, proposal: 0 };
    assert_eq!(story.ask(ADA, old), Err(OrderError::NoOpenVote), "a button of the vote that was taken back");
    assert_eq!(story.plays(ADA, &text[0]).table.team_vote().unwrap().votes(), 1);
}

#[test]
fn who_gives_up_a_game_of_three_leaves_another_board_to_vote_on() {
    let (dan, options) = (UserId(9), [].into());
    let terms = Terms { game: "penguins".into(), options, ..with(TeamMembers::Everyone, VOTE) };
    let story = Story::of(terms, vec![human(ADA), human(BEN), human(dan)]).in_thread();
    let text = moves(&story)[0].clone();
    let story = story.plays(ADA, &text);
    assert!(story.would_say(Actor::Person(dan), Order::Resign).contains(&"tally-2".to_owned()));
    let story = story.does(dan, Order::Resign);
    let team_vote = story.table.team_vote().unwrap();
    assert!(team_vote.proposals.is_empty() && team_vote.number > 2);
}

#[test]
fn games_of_teams_are_never_rated_and_what_was_written_before_is_read() {
    let terms = Terms { rated: true, ..with(TeamMembers::Everyone, VOTE) };
    assert!(!Story::of(terms, vec![human(ADA), human(BEN)]).table.is_rated());
    let old: Terms =
        serde_json::from_str(r#"{"game":"amazons","seed":5,"channel":2,"thread":true}"#).unwrap();
    assert!(old.teams.is_empty());
    let new = with(named(&[ADA, EVE]), VOTE);
    assert_eq!(serde_json::from_str::<Terms>(&serde_json::to_string(&new).unwrap()).unwrap(), new);
}

/// Discord that reports a lost role for some people, and never answers for others.
struct Lost(Vec<UserId>);

#[async_trait]
impl MembershipSource for Lost {
    async fn has_lost_role(&self, _: GuildId, role: RoleId, who: UserId) -> bool {
        assert_eq!(role, RoleId(77));
        if self.0.contains(&who) { true } else { std::future::pending().await }
    }

    async fn is_public(&self, _: ChannelId) -> bool {
        false
    }
}

#[tokio::test(start_paused = true)]
async fn votes_of_whom_nothing_is_known_in_time_count() {
    let clock = Arc::new(ManualClock::default());
    let registry = registry::TableRegistry::new(
        Arc::new(FailingJournal::default()),
        clock.clone(),
        Arc::new(FirstMoveThinker::default()),
        1,
    );
    registry.set_membership_source(Arc::new(Lost(vec![EVE])));
    let chairs = vec![human(ADA), human(BEN)];
    let id = registry
        .open(with(TeamMembers::Role { role: RoleId(77) }, VOTE), ADA, chairs, None)
        .await
        .unwrap()
        .table
        .id();
    let moves = registry.table(id).await.unwrap().play().unwrap().moves();
    for (who, text) in [(EVE, &moves[0]), (FAY, &moves[1])] {
        registry
            .order(id, Actor::System, Order::AddMember { person: who, captain: ADA }, None)
            .await
            .unwrap();
        registry.order(id, Actor::Person(who), r#move(text, None), None).await.unwrap();
    }
    clock.0.fetch_add(millis::whole(VOTE_TIME), Ordering::SeqCst);
    registry.tick().await;
    let table = registry.table(id).await.unwrap();
    assert_eq!(table.play().unwrap().record(), [moves[1].clone()], "nobody waits for an answer for ever");
    assert_eq!(table.vote_result(1).map(|vote_result| vote_result.of), Some(1));
}
