//! The best moves at any turn of a finished game: private, searched for once, and stored with the game.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rookery_core::player::{SearchRequest, SearchResult};
use rookery_core::{Analysis, Play};
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::TableId;
use rookery_table::ports::{Answer, Job, Thinker};
use rookery_table::quota::Quotas;
use rookery_table::thinking_limits::BudgetOwner;
use serde_json::json;

use super::quotas::plan;
use crate::duel::{Duel, Way};
use crate::test_bot::{FirstMove, TestBot, TestSetup};

/// A thinker that counts what it is asked for.
#[derive(Default)]
struct CountingThinker {
    evaluations: AtomicUsize,
    lines: AtomicUsize,
}

impl CountingThinker {
    /// Returns the evaluations for reviews, and the positions whose best moves were searched for.
    fn counts(&self) -> (usize, usize) {
        (self.evaluations.load(Ordering::SeqCst), self.lines.load(Ordering::SeqCst))
    }
}

impl Thinker for CountingThinker {
    fn think(&self, job: Job, owner: BudgetOwner, play: Box<dyn Play>) -> Answer<String> {
        FirstMove.think(job, owner, play)
    }
    fn analyse(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
    ) -> Answer<SearchResult<String>> {
        self.evaluations.fetch_add(1, Ordering::SeqCst);
        FirstMove.analyse(owner, play, ask)
    }
    fn best_lines(
        &self,
        owner: BudgetOwner,
        play: Box<dyn Play>,
        ask: SearchRequest,
        most: usize,
    ) -> Answer<Analysis> {
        self.lines.fetch_add(1, Ordering::SeqCst);
        FirstMove.best_lines(owner, play, ask, most)
    }
    fn drop_table(&self, _: TableId) {}
}

/// Plays four moves; Ada resigns.
async fn finished(bot: &TestBot) -> Duel {
    let mut duel = Duel::begin(bot).await;
    for _ in 0..4 {
        duel.turn(bot, Way::Mention).await;
    }
    let asked = duel.ben.slash(duel.thread, "analyse", &json!({"move": 2})).unwrap();
    let early = asked.message().await.unwrap();
    assert!(early.content().contains("This game isn't over"), "{}", early.content());
    bot.resign(&duel.ada, &duel.board).await;
    bot.wait_until_idle().await;
    duel
}

/// Checks that a message shows the best moves at a ply, three of them, all legal there.
fn shows_best_moves(duel: &Duel, shown: &VisibleMessage, ply: usize) {
    let text = shown.content();
    let position = duel.play.at_ply(ply);
    let side = ["White", "Black"][position.turn().index()];
    assert!(shown.is_ephemeral() && text.contains(&format!("Best moves for {side}:")), "{text}");
    let lines: Vec<_> = text.lines().filter(|line| line.get(1..4) == Some(". `")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    for line in lines {
        let first = line.split('`').nth(1).unwrap();
        assert!(position.moves().iter().any(|text| text == first), "{first}: {text}");
        assert!(line.contains(" · "), "no value: {line}");
    }
    assert!(shown.button("Best moves").is_none(), "they are shown already");
}

#[tokio::test(flavor = "multi_thread")]
async fn best_moves_are_found_at_any_turn_once_and_survive_a_restart() {
    let thinker = Arc::new(CountingThinker::default());
    let mut bot = TestBot::of(TestSetup { thinker: thinker.clone(), ..TestSetup::default() }).await;
    let duel = finished(&bot).await;
    let (ben, cleo, thread) = (duel.ben.clone(), bot.cleo(), duel.thread);
    assert_eq!(thinker.counts(), (0, 0), "nothing is analysed during a game");

    let shown = ben.slash(thread, "analyse", &json!({"move": 2})).unwrap().message().await.unwrap();
    assert!(shown.content().contains("Move 2 of 4"), "{}", shown.content());
    shows_best_moves(&duel, &shown, 2);
    // The viewer shows what is known, and finds the rest on request.
    let viewer = cleo.slash(thread, "replay", &json!({"from": 2})).unwrap().message().await.unwrap();
    shows_best_moves(&duel, &viewer, 2);
    let next = bot.press_private(&cleo, &viewer, "Next ▶").await;
    assert!(!next.content().contains("Best moves"), "{}", next.content());
    let found = bot.press_private(&cleo, &next, "Best moves").await;
    assert!(found.content().contains("Move 3 of 4"), "{}", found.content());
    shows_best_moves(&duel, &found, 3);
    let again = ben.slash(thread, "analyse", &json!({"move": 3})).unwrap().message().await.unwrap();
    shows_best_moves(&duel, &again, 3);
    assert_eq!(thinker.counts(), (0, 2), "each position once");
    let end = ben.slash(thread, "analyse", &json!({"move": 99})).unwrap().message().await.unwrap();
    assert!(end.content().contains("Move 4 of 4"), "{}", end.content());
    shows_best_moves(&duel, &end, 4);

    let review = ben.slash(thread, "analyse", &json!({})).unwrap().message().await.unwrap();
    assert!(review.content().contains("how it went"), "{}", review.content());
    let counts = thinker.counts();
    assert_eq!(counts, (5, 3), "every position of the game");
    bot.restart().await;
    let later = ben.slash(thread, "analyse", &json!({})).unwrap().message().await.unwrap();
    assert_eq!(later.content(), review.content());
    let viewer = cleo.slash(thread, "replay", &json!({"from": 2})).unwrap().message().await.unwrap();
    shows_best_moves(&duel, &viewer, 2);
    assert!(viewer.content().contains("White's lead before and after: "), "{}", viewer.content());
    assert_eq!(thinker.counts(), counts, "stored with the game");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn best_moves_count_as_an_analysis_unless_they_are_known() {
    let quotas = Quotas { analyses_per_hour: 1, ..Quotas::default() };
    let bot = TestBot::of(plan(quotas)).await;
    let duel = finished(&bot).await;
    let asked = async |ply: usize| {
        duel.ben.slash(duel.thread, "analyse", &json!({"move": ply})).unwrap().message().await.unwrap()
    };
    shows_best_moves(&duel, &asked(1).await, 1);
    let known = asked(1).await;
    shows_best_moves(&duel, &known, 1);
    let refused = asked(2).await;
    assert!(refused.content().contains("one analysis an hour"), "{}", refused.content());
    // In the viewer the board stays.
    let next = bot.press_private(&duel.ben, &known, "Next ▶").await;
    let kept = bot.press_private(&duel.ben, &next, "Best moves").await;
    assert!(kept.content().contains("Move 2 of 4"), "{}", kept.content());
    assert!(kept.content().contains("one analysis an hour"), "{}", kept.content());
    assert_eq!(kept.files().len(), 1);
    bot.stop().await;
}

/// White has no move left: nothing can be compared there.
#[tokio::test(flavor = "multi_thread")]
async fn best_moves_are_not_offered_where_the_game_is_over() {
    let bot = TestBot::start().await;
    let cleo = bot.cleo();
    let over = json!({"text": "amazons Qpqp/pppp/4/4 w - - 0 1"});
    let shown = cleo.slash(bot.games(), "import", &over).unwrap().message().await.unwrap();
    assert!(shown.button("Flip board").is_some() && shown.button("Best moves").is_none(), "{shown:?}");
    let told = shown.content().split(' ').next().unwrap().trim_matches('*').to_owned();
    let options = json!({"table": told, "move": 0});
    let refused = cleo.slash(bot.games(), "analyse", &options).unwrap().message().await.unwrap();
    assert!(refused.content().contains("The game ends there"), "{}", refused.content());
    bot.stop().await;
}
