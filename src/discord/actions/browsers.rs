//! Browsers in which people play: the link that signs one in, and signing out of all.

use rookery_table::{Table, UserId};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::{Component, OutgoingMessage};

/// Opens the board of a table in the Activity, for a person who may see it. Without an Activity, or if Discord doesn't open
/// it, the private answer links to the board in a browser. The link works once.
pub(in crate::discord) async fn open_board(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
) -> OutgoingMessage {
    let Some(web) = &ctx.settings.web else {
        return OutgoingMessage::text(ctx.words.word("share-no-web"));
    };
    match ctx.registry.new_sign_in(interaction.who, table.id()).await {
        Ok(token) => {
            let label = ctx.words.word("button-open-board");
            let link = Component::link(label, format!("{web}/in/{}", token.as_str()));
            let told = ctx.words.say("browser-link", &[("table", table.id().as_str().into())]);
            OutgoingMessage { launches: ctx.settings.activity, ..OutgoingMessage::text(told).row([link]) }
        }
        Err(error) => {
            tracing::error!(%error, "could not store a sign-in token");
            OutgoingMessage::text(ctx.words.word("denied-journal"))
        }
    }
}

/// Opens the Activity, where it shows a person's games. If Discord doesn't open it, the answer links to them.
pub(in crate::discord) fn open_games(ctx: &Context) -> OutgoingMessage {
    let Some(web) = ctx.settings.web.as_ref().filter(|_| ctx.settings.activity) else {
        return OutgoingMessage::text(ctx.words.word("old-command"));
    };
    let link = Component::link(ctx.words.word("page-mine"), format!("{web}/play"));
    let told = OutgoingMessage::text(ctx.words.word("activity-refused")).row([link]);
    OutgoingMessage { launches: true, ..told }
}

/// Signs a person out of all browsers; returns the answer.
pub(in crate::discord) async fn sign_out(ctx: &Context, who: UserId) -> OutgoingMessage {
    match ctx.registry.sign_out_browsers(who).await {
        Ok(browsers) => {
            OutgoingMessage::text(ctx.words.say("browsers-signed-out", &[("browsers", browsers.into())]))
        }
        Err(error) => {
            tracing::error!(%error, "could not sign browsers out");
            OutgoingMessage::text(ctx.words.word("denied-journal"))
        }
    }
}
