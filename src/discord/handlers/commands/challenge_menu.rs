//! The user menu command with which a person is challenged.

use serde_json::{Value, json};

use rookery_i18n::{Localizer, clip, person};
use rookery_table::UserId;

use super::command::BY_ANYBODY;
use super::open_table::OpenTable;
use super::option_types::games_by_name;
use super::play::open_table;
use crate::discord::state::context::Context;
use crate::discord::wire::challenge_id::ChallengeId;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::limits::{MAX_CHOICE_CHARS, MAX_COMMAND_NAME_CHARS};
use crate::discord::wire::outgoing_message::{Choice, Component, OutgoingMessage};

/// Returns the registration of the command.
pub(super) fn registration(words: &Localizer) -> Value {
    const ON_PERSON: u8 = 2;
    const ON_SERVERS: [u8; 1] = [0];
    json!({
        "name": clip(&words.word("command-challenge"), MAX_COMMAND_NAME_CHARS),
        "type": ON_PERSON,
        "contexts": ON_SERVERS,
        "integration_types": BY_ANYBODY,
    })
}

/// Asks which game to play; another bot is refused.
pub(super) fn run(ctx: &Context, target: UserId, is_bot: bool) -> OutgoingMessage {
    let words = ctx.words;
    if is_bot && target != ctx.me() {
        return OutgoingMessage::text(words.say("play-bot", &[("who", person(target).into())]));
    }
    let choice = |(name, key): (String, String)| Choice {
        label: clip(&name, MAX_CHOICE_CHARS),
        value: key,
        note: String::new(),
    };
    let select = Component::Select {
        id: ChallengeId(target).id(),
        placeholder: words.word("challenge-which"),
        choices: games_by_name(words).into_iter().map(choice).collect(),
    };
    OutgoingMessage::text(words.say("challenge-ask", &[("who", person(target).into())])).row([select])
}

/// Opens a table of the chosen game with its default terms.
pub async fn chosen(
    ctx: &Context,
    interaction: &Interaction,
    target: UserId,
    game: Option<&str>,
) -> OutgoingMessage {
    let game = game.unwrap_or_default().to_owned();
    let request = OpenTable { game, guests: vec![target], ..OpenTable::default() };
    open_table(ctx, interaction, &request).await
}
