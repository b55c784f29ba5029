//! The answer to a text that addresses the bot and is neither a command nor a move.

use rookery_table::{Status, Table};

use crate::discord::state::context::Context;
use crate::discord::wire::help_id::HelpTopic;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Answers a text at a table that is neither a command nor a playable move.
pub(super) fn not_understood(ctx: &Context, table: &Table, text: &str) -> OutgoingMessage {
    let running = table.play().filter(|_| *table.status() == Status::Running);
    let Some((play, wrong)) = running.and_then(|play| Some((play, play.read(text).err()?))) else {
        return OutgoingMessage::text(ctx.words.word("help-unknown")).row(ctx.view().first_steps());
    };
    if !is_talk(text) {
        return OutgoingMessage::text(ctx.words.move_error(&wrong, Some(play)));
    }
    let example = play.moves().into_iter().next().unwrap_or_default();
    let args = [("table", table.id().to_string().into()), ("move", example.into())];
    let post = OutgoingMessage::text(ctx.words.say("help-unknown-at", &args));
    post.row([ctx.view().help_button(HelpTopic::During)])
}

/// Asks whether a misspelt word was meant as a command.
pub(super) fn did_you_mean(ctx: &Context, command: &str) -> OutgoingMessage {
    OutgoingMessage::text(ctx.words.say("help-did-you-mean", &[("command", command.into())]))
}

/// Answers that a turn can't be passed.
pub(super) fn no_pass(ctx: &Context, table: &Table) -> OutgoingMessage {
    let game = ctx.words.game_short(&table.terms().game);
    OutgoingMessage::text(ctx.words.say("help-no-pass", &[("game", game.into())]))
}

/// Whether an unreadable text is conversation rather than a mistyped move: moves have a digit in their first
/// word.
pub(super) fn is_talk(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    !first.contains(|letter: char| letter.is_ascii_digit())
}
