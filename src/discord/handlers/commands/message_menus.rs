//! Message menu commands: actions on the board that a message shows.

use serde_json::{Value, json};

use rookery_core::Seat;
use rookery_i18n::Localizer;
use rookery_table::access::Action;
use rookery_table::quota::LimitedAction;
use rookery_table::{OutboxItem, TableId};

use super::{import, picture_import};
use crate::discord::actions::analysis;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Attachment, Interaction, TargetMessage};
use crate::discord::wire::other_seats::OtherSeats;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::{TableButtonId, ViewOptions};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Menu {
    /// Step through the game from this board.
    Replay,
    /// Show this board from the asker's side.
    Side,
    /// Describe this board in words.
    Aloud,
    /// Import the game that the message contains.
    Import,
}

const ALL: [Menu; 4] = [Menu::Replay, Menu::Side, Menu::Aloud, Menu::Import];

impl Menu {
    fn name(self, words: &Localizer) -> String {
        words.word(match self {
            Menu::Replay => "menu-replay",
            Menu::Side => "menu-side",
            Menu::Aloud => "menu-aloud",
            Menu::Import => "menu-import",
        })
    }
}

/// Returns the registrations of the message menu commands.
pub(super) fn registration(words: &Localizer) -> impl Iterator<Item = Value> + '_ {
    ALL.into_iter().map(|menu| {
        json!({
            "name": menu.name(words),
            "type": 3,
            "contexts": [0, 1],
            "integration_types": [0],
        })
    })
}

/// Answers a message menu command; an unknown one is left over from another version.
pub(super) async fn run(
    ctx: &Context,
    interaction: &Interaction,
    name: &str,
    target: &TargetMessage,
) -> OutgoingMessage {
    match ALL.into_iter().find(|menu| menu.name(ctx.languages.default_language()) == name) {
        Some(Menu::Import) => import_message(ctx, interaction, target).await,
        Some(menu) => show(ctx, interaction, menu, target).await,
        None => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

async fn show(
    ctx: &Context,
    interaction: &Interaction,
    menu: Menu,
    target: &TargetMessage,
) -> OutgoingMessage {
    let Some((id, ply)) = meant(ctx, target).await else {
        return OutgoingMessage::text(ctx.words.word("menu-no-board"));
    };
    let table = match ctx.open_table(interaction.into(), id, Action::See).await {
        Ok(table) => table,
        Err(post) => return *post,
    };
    let ply = ply.unwrap_or(table.ply());
    // Spectators see the board from the other side than the public one.
    let side =
        table.seat_of(interaction.who).unwrap_or(if menu == Menu::Side { Seat::SECOND } else { Seat::FIRST });
    if menu == Menu::Aloud {
        return ctx.build_message_blocking(move |layout| layout.full_description(&table, ply)).await;
    }
    analysis::viewer(ctx, interaction, &table, ply, ViewOptions::from(side)).await
}

/// Returns the table and the turn that a message shows: from the journal, otherwise from its buttons.
async fn meant(ctx: &Context, target: &TargetMessage) -> Option<(TableId, Option<usize>)> {
    match ctx.registry.journal().posted_item(target.message).await {
        Ok(Some((table, Some(OutboxItem::Board { ply })))) => return Some((table, Some(ply))),
        Ok(Some((table, _))) => return Some((table, None)),
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "could not read which message this was"),
    }
    let mut presses = target.buttons.iter().filter_map(|id| TableButtonId::read(id).ok());
    presses.find(TableButtonId::concerns_shown_turn).map(|press| (press.table, Some(press.ply)))
}

/// Imports the game in a message: from its first file with text, otherwise from its text if that is a record,
/// otherwise from its first picture.
async fn import_message(ctx: &Context, interaction: &Interaction, target: &TargetMessage) -> OutgoingMessage {
    if let Err(post) = ctx.count_use(interaction, LimitedAction::Import) {
        return *post;
    }
    let text = match target.files.iter().find(|file| file.is_text()) {
        Some(file) => match import::fetched(ctx, file).await {
            Ok(text) => text,
            Err(post) => return *post,
        },
        None if import::is_record(&target.text) => target.text.clone(),
        None => {
            let pictures: Vec<_> = target.files.iter().filter(|file| file.is_picture()).collect();
            if let Some(first) = pictures.first() {
                return import_first_picture(ctx, interaction, first, pictures.len()).await;
            }
            if import::is_no_record(&target.text) {
                return OutgoingMessage::text(ctx.words.word("menu-nothing-to-import"));
            }
            target.text.clone()
        }
    };
    match import::read(ctx, interaction, text, None).await {
        Ok(outside) => import::store_for_viewing(ctx, interaction, &outside).await.1,
        Err(post) => *post,
    }
}

/// Imports the first picture of a message, and says that it's the first if there are more.
async fn import_first_picture(
    ctx: &Context,
    interaction: &Interaction,
    first: &Attachment,
    count: usize,
) -> OutgoingMessage {
    let mut post = picture_import::run(ctx, interaction, first, OtherSeats::default()).await;
    if count > 1 {
        let sentence = ctx.words.say("menu-first-picture", &[("count", count.into())]);
        post.content = format!("{sentence}\n{}", post.content);
    }
    post
}
