//! What is deleted by itself.

use super::*;

const DAY_MS: i64 = 24 * 3_600 * 1_000;

#[tokio::test]
async fn what_was_brought_along_to_be_looked_at_is_kept_for_thirty_days() {
    let (journal, clock) = (Arc::new(Shaky::default()), Arc::new(Hands::default()));
    let hall = hall::Hall::new(journal, clock.clone(), Arc::new(First::default()), 1);
    let play = Story::two().table.play().unwrap().clone_play();
    let study = hall.keep(terms(), ADA, play.as_ref(), Vec::new()).await.unwrap().table.id();
    let own = vec![human(ADA), Occupant::Ai { level: Level::Easy }];
    let played = hall.open(terms(), ADA, own, None).await.unwrap().table.id();
    hall.order(played, By::Person(ADA), Order::Resign, None).await.unwrap();
    clock.0.store(30 * DAY_MS - 1_000, Ordering::SeqCst);
    assert_eq!(hall.let_imports_go().await.unwrap(), 0);
    assert!(hall.see(study).await.is_ok());
    clock.0.store(30 * DAY_MS + 1_000, Ordering::SeqCst);
    assert_eq!(hall.let_imports_go().await.unwrap(), 1);
    assert!(matches!(hall.see(study).await, Err(Denied::NoTable(_))));
    assert!(hall.see(played).await.is_ok(), "what was played here stays");
}
