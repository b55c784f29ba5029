//! The path of a typed move, from the gateway event to the post.

use rookery_core::reads;
use rookery_playground::BOT_ID;

use crate::duel::Duel;
use crate::test_bot::TestBot;

/// The person's text is read once; the table gets the move in the notation of the record.
#[tokio::test(flavor = "multi_thread")]
async fn typed_move_is_read_once() {
    let bot = TestBot::start().await;
    let mut duel = Duel::begin(&bot).await;
    for as_reply in [false, true] {
        let text = duel.any_move();
        // A spelling that no other test uses, so that only this message is counted.
        let typed = text.replace('-', "   -   ").replace('/', "   /   ");
        let mover = duel.mover();
        match as_reply {
            true => mover.reply(&duel.board, &typed).unwrap(),
            false => mover.say(duel.thread, &format!("<@{BOT_ID}> {typed}")).unwrap(),
        };
        duel.see(&text).await;
        assert_eq!(reads::of(&typed), 1, "{typed:?}");
    }
    bot.stop().await;
}
