//! Proven results: announced once, never for a past position, accepted by those who gain nothing.

use rookery_core::seed::SeededRng;

use super::*;

/// A table after random moves until the sides were walled off from each other, and the proof of its result.
fn walled_off(terms: Terms, chairs: Vec<Occupant>) -> (Story, Proof) {
    for seed in 1..100 {
        let mut story = Story::of(terms.clone(), chairs.clone());
        let mut rng = SeededRng::new(seed);
        while let (Some(turn), Some(play)) = (story.table.to_move(), story.table.play()) {
            if let Some(found) = play.settle(state::COUNT_BUDGET_NODES) {
                let proof = Proof::of(play, found);
                match proof.moves.len() {
                    // A game that is almost over would not test the moves in between.
                    0..=2 => break,
                    _ => return (story, proof),
                }
            }
            let text = rng.pick(&play.moves()).unwrap().clone();
            let by = story.table.occupant(turn).and_then(Occupant::person).map_or(Actor::Ai, Actor::Person);
            story = story.ordered(by, r#move(&text, None));
        }
    }
    panic!("no game of a hundred is ever walled off");
}

fn two() -> Vec<Occupant> {
    vec![human(ADA), human(BEN)]
}

fn asking() -> Terms {
    Terms { settle: Some(SettlementPolicy::Ask), ..terms() }
}

fn settled(proof: &Proof) -> Order {
    Order::Settled(Box::new(proof.clone()))
}

fn accept(yes: bool) -> Order {
    Order::Accept { yes }
}

fn over(proof: &Proof) -> Status {
    let cause = EndCause::Proven { margin_halves: proof.margin_halves };
    Status::Over(Ending { winners: proof.winners.clone(), cause })
}

#[test]
fn what_becomes_of_a_proof_follows_from_the_terms_or_from_who_plays() {
    let settles = |terms: Terms, chairs| Story::of(terms, chairs).table.settlement_policy();
    let rated = Terms { rated: true, ..terms() };
    let bot = Occupant::Ai { level: Level::Easy };
    assert_eq!(settles(terms(), two()), SettlementPolicy::Auto);
    assert_eq!(settles(rated.clone(), two()), SettlementPolicy::Ask);
    assert_eq!(settles(rated, vec![human(ADA), bot]), SettlementPolicy::Auto);
    assert_eq!(settles(asking(), vec![human(ADA), bot]), SettlementPolicy::Ask);
}

#[test]
fn a_casual_game_ends_by_its_proof_with_the_margin() {
    let (story, proof) = walled_off(terms(), two());
    let story = story.in_thread();
    let strip = format!("strip-{}", proof.ply);
    let outbox_items = story.would_say(Actor::System, settled(&proof));
    assert_eq!(outbox_items, ["proven", "result", strip.as_str(), "reannounce"]);
    let story = story.ordered(Actor::System, settled(&proof));
    assert_eq!(story.table.status(), &over(&proof));
    // The moves left, counted by the rules: the loser of the Amazons has fewer.
    let winner = proof.winners[0];
    assert!(proof.left[winner.index()].0 >= proof.left[winner.other().index()].1, "{proof:?}");
}

#[test]
fn people_accept_or_play_on_and_are_not_asked_again() {
    let (story, proof) = walled_off(asking(), two());
    let story = story.in_thread().ordered(Actor::System, settled(&proof));
    assert!(story.table.proof_stands());
    let again = decide(&story.table, Actor::System, &settled(&proof), None, NOW).err();
    assert_eq!(again, Some(OrderError::NoOffer));
    let (board, elsewhere) =
        (format!("board-{}", proof.ply), BoardChannel { channel: ChannelId(2), thread: false });
    let outbox_items = story.would_say(Actor::System, Order::SetBoardChannel(elsewhere));
    assert_eq!(outbox_items, [board.as_str(), "proven"], "asked again where the game goes on");
    let (winner, loser) = if proof.winners == [Seat::FIRST] { (ADA, BEN) } else { (BEN, ADA) };
    let story = story.does(winner, accept(true));
    assert_eq!(story.table.status(), &Status::Running, "who loses must accept");
    let on = Story { table: story.table.clone(), entries: Vec::new() };
    assert_eq!(on.would_say(Actor::Person(loser), accept(false)), ["note", "reproven"]);
    let on = on.does(loser, accept(false));
    assert_eq!(on.ask(winner, accept(true)), Err(OrderError::NoOffer));
    assert_eq!(story.does(loser, accept(true)).table.status(), &over(&proof));
}

#[test]
fn whoever_gave_up_has_no_say_in_a_proven_end() {
    let penguins = Terms { game: "penguins".into(), options: [].into(), ..asking() };
    let (story, proof) = walled_off(penguins, vec![human(ADA), human(BEN), human(EVE)]);
    let story = story.ordered(Actor::System, settled(&proof)).does(EVE, Order::Resign);
    assert!(story.table.proof_stands());
    for yes in [true, false] {
        assert_eq!(story.ask(EVE, accept(yes)), Err(OrderError::ResignedAlready));
    }
}

#[test]
fn proof_counts_only_at_its_position_and_from_the_system() {
    let (story, proof) = walled_off(asking(), two());
    let late = Proof { ply: proof.ply - 1, ..proof.clone() };
    let meant = proof.ply - 1;
    let stale = Some(OrderError::Stale { meant, now: proof.ply });
    assert_eq!(decide(&story.table, Actor::System, &settled(&late), None, NOW).err(), stale);
    assert_eq!(story.ask(ADA, settled(&proof)), Err(OrderError::NotSeated));
    let wrong = Proof { winners: vec![proof.winners[0].other()], ..proof };
    let refused = decide(&story.table, Actor::System, &settled(&wrong), None, NOW).err();
    assert_eq!(refused, Some(OrderError::NoOffer));
}

#[test]
fn the_question_dies_with_the_next_move_and_the_proof_with_what_is_taken_back() {
    let (story, proof) = walled_off(asking(), two());
    let mover = story.table.occupant(story.table.to_move().unwrap()).and_then(Occupant::person).unwrap();
    let story = story.in_thread().ordered(Actor::System, settled(&proof)).plays(mover, &proof.moves[0]);
    assert!(!story.table.proof_stands() && story.table.proof().is_some());
    let other = if mover == ADA { BEN } else { ADA };
    let answer = Order::Answer { yes: true, to: None };
    let story = story.does(other, Order::Offer(Offer::Undo)).does(mover, answer);
    assert!(story.table.ply() < proof.ply && story.table.proof().is_none(), "it may be found again");
}

#[tokio::test]
async fn proof_search_after_a_move_blocks_nothing() {
    let (story, proof) = walled_off(terms(), two());
    let record = story.table.play().unwrap().record();
    let registry = TestRegistry::build().registry;
    let table = registry.open(terms(), ADA, two(), None).await.unwrap().table;
    for (ply, text) in record.iter().enumerate() {
        let by = Actor::Person(if ply % 2 == 0 { ADA } else { BEN });
        registry.order(table.id(), by, r#move(text, None), None).await.unwrap();
    }
    for _ in 0..1_000 {
        if matches!(registry.table(table.id()).await.unwrap().status(), Status::Over(_)) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let table = registry.table(table.id()).await.unwrap();
    assert_eq!((table.status(), table.ply()), (&over(&proof), proof.ply));
}

#[tokio::test]
async fn a_proof_that_was_lost_with_the_process_is_looked_for_again() {
    let (story, proof) = walled_off(asking(), two());
    let journal = TestRegistry::build().journal;
    let batch = actor::batch(None, &story.table, story.entries.clone());
    assert!(batch.card.proof_owed, "nothing is shared any more");
    journal.append(&batch).await.unwrap();
    let fixture = TestRegistry::over(journal);
    fixture.registry.resume().await.unwrap();
    let found = loop {
        let table = fixture.registry.table(story.table.id()).await.unwrap();
        if let Some(found) = table.proof() {
            break found.clone();
        }
        tokio::task::yield_now().await;
    };
    assert_eq!((found.ply, found.winners), (proof.ply, proof.winners));
    let told = fixture.registry.table(story.table.id()).await.unwrap();
    assert!(!told.card().proof_owed, "it is told of once");
}
