//! The question which table a person means.

use futures_util::future::join_all;
use rookery_i18n::clip;
use rookery_table::TableId;

use super::{LookupError, TablePurpose};
use crate::discord::state::context::Context;
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_LABEL_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The most games that are named to choose from.
const MAX_NAMED: usize = 10;

/// Asks which table is meant, or says that there is none.
pub(super) async fn ask_back(ctx: &Context, why: &LookupError, purpose: TablePurpose) -> OutgoingMessage {
    let (none, several) = match purpose {
        TablePurpose::Talk => return ctx.view().small_talk(),
        TablePurpose::Act | TablePurpose::Answer => ("which-none", "which-several"),
        TablePurpose::Unwatch => ("which-none-watched", "which-several-watched"),
        TablePurpose::Board => ("which-none-to-see", "which-several-board"),
        TablePurpose::See | TablePurpose::Replay | TablePurpose::Review | TablePurpose::Watch => {
            ("which-none-to-see", "which-several-to-see")
        }
    };
    match why {
        LookupError::None => OutgoingMessage::text(ctx.words.word(none)).row(ctx.view().first_steps()),
        LookupError::Several(tables) => {
            let named = &tables[..tables.len().min(MAX_NAMED)];
            let names = join_all(named.iter().map(|table| with_game(ctx, *table))).await;
            let example = tables.first().map(ToString::to_string).unwrap_or_default();
            let args = [("tables", ctx.words.join(&names).into()), ("example", example.into())];
            let post = OutgoingMessage::text(ctx.words.say(several, &args));
            if purpose == TablePurpose::Board { with_board_buttons(post, named, names) } else { post }
        }
    }
}

/// Adds a button for each table that shows its board.
fn with_board_buttons(post: OutgoingMessage, tables: &[TableId], names: Vec<String>) -> OutgoingMessage {
    let button = |(table, name): (&TableId, String)| {
        let id = TableButtonId::new(*table, 0, ButtonAction::Board).id();
        Component::button(clip(&name, MAX_LABEL_CHARS), ButtonStyle::Secondary, id)
    };
    let buttons: Vec<Component> = tables.iter().zip(names).map(button).collect();
    buttons.chunks(MAX_BUTTONS).fold(post, |post, row| post.row(row.to_vec()))
}

/// Names a table with its game, by which people know it: "Amazons K7Q2".
async fn with_game(ctx: &Context, table: TableId) -> String {
    match ctx.registry.table(table).await {
        Ok(found) => {
            let game = ctx.words.game_short(&found.terms().game);
            ctx.words.say("which-one", &[("game", game.into()), ("table", table.to_string().into())])
        }
        Err(_) => table.to_string(),
    }
}
