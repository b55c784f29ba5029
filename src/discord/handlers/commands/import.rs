//! `/import`: loads a record or position, to look at it or to play on from it.

use std::sync::Arc;

use async_trait::async_trait;
use rookery_core::player::Level;
use rookery_core::{Play, Seat};
use rookery_games::record::abstract_play::LEFT_OUT;
use rookery_games::record::{BadRecord, Record, RecordError};
use rookery_table::quota::LimitedAction;
use rookery_table::{Table, TableId, UserId};

use super::command::Command;
use super::option_types::{GameKey, TextUpTo};
use super::options::command_options;
use super::picture_import;
use super::play::opened;
use crate::discord::actions::board_link::with_board_link;
use crate::discord::actions::play_on::play_on;
use crate::discord::actions::study;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::interaction::{Attachment, Interaction};
use crate::discord::wire::other_seats::OtherSeats;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ViewOptions;

/// The most turns that are read, far more than any game has.
const MAX_TURNS: usize = 2_000;

pub(super) struct Import;

command_options! {
    pub(super) struct ImportOptions {
        text: Option<TextUpTo<6_000>> = "text", "command-import-text";
        file: Option<Attachment> = "file", "command-import-file";
        game: Option<GameKey> = "game", "command-import-game";
        ai: Option<Level> = "ai", "command-import-ai";
        opponent: Option<UserId> = "opponent", "command-import-opponent";
    }
}

#[async_trait]
impl Command for Import {
    type Input = ImportOptions;

    fn name(&self) -> &'static str {
        "import"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ImportOptions) -> OutgoingMessage {
        if let Err(post) = ctx.count_use(interaction, LimitedAction::Import) {
            return *post;
        }
        let ignores_file = input.text.is_some() && input.file.is_some();
        let mut post = import(ctx, interaction, input).await;
        if ignores_file {
            post.content = format!("{}\n{}", ctx.words.word("import-file-ignored"), post.content);
        }
        post
    }
}

/// Imports the text, or else the file.
async fn import(ctx: &Context, interaction: &Interaction, input: ImportOptions) -> OutgoingMessage {
    let named = OtherSeats { opponent: input.opponent.filter(|who| *who != ctx.me()), ai: input.ai };
    let plays_on = input.opponent.is_some() || input.ai.is_some();
    if let (None, Some(file)) = (&input.text, &input.file)
        && file.is_picture()
    {
        return picture_import::run(ctx, interaction, file, named).await;
    }
    let text = match (input.text, &input.file) {
        (Some(text), _) => text.0,
        (None, Some(file)) => match fetched(ctx, file).await {
            Ok(text) => text,
            Err(post) => return *post,
        },
        (None, None) => return OutgoingMessage::text(ctx.words.word("import-nothing")),
    };
    let imported = match read(ctx, interaction, text, input.game.as_ref().map(|game| game.0.as_str())).await {
        Ok(imported) => imported,
        Err(post) => return *post,
    };
    if !plays_on {
        return store_for_viewing(ctx, interaction, &imported).await.1;
    }
    play_on_and_link(ctx, interaction, imported.play.as_ref(), named).await
}

/// Opens a table from a position; returns the answer.
pub(super) async fn play_on_and_link(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
    others: OtherSeats,
) -> OutgoingMessage {
    match play_on(ctx, interaction.into(), play, others).await {
        Ok(table) => {
            let post = opened(ctx.words, &table, interaction.place);
            with_board_link(ctx, interaction, &table, post).await
        }
        Err(sentence) => OutgoingMessage::text(sentence),
    }
}

pub(super) struct ImportedGame {
    pub(super) play: Box<dyn Play>,
    winners: Vec<Seat>,
    /// The number of moves left out at the end because the rules here end the game before them.
    left_out: usize,
    /// Whether the rules here name other winners than the record. The record's winners are kept.
    other_winners: bool,
}

impl ImportedGame {
    /// A position, with nothing known of the game before it.
    pub(super) fn position(play: Box<dyn Play>) -> ImportedGame {
        ImportedGame { play, winners: Vec::new(), left_out: 0, other_winners: false }
    }
}

/// Downloads a file, or returns the answer that says why not.
pub(super) async fn fetched(ctx: &Context, file: &Attachment) -> Result<String, Box<OutgoingMessage>> {
    ctx.api.fetch(file).await.map_err(|fault| {
        tracing::info!(%fault, "could not download an imported file");
        Box::new(OutgoingMessage::text(ctx.words.word("import-no-file")))
    })
}

/// Reads a game and replays it, off the async threads. A game that would give help in a running rated one is
/// refused.
pub(super) async fn read(
    ctx: &Context,
    interaction: &Interaction,
    text: String,
    game: Option<&str>,
) -> Result<ImportedGame, Box<OutgoingMessage>> {
    let game = game.map(str::to_owned);
    let through = ctx.registry.tasks().compute("import", move || play_through(&text, game.as_deref())).await;
    let told = match through {
        Ok(Ok(outside)) => {
            let play = outside.play.as_ref();
            match study::check_fair(ctx, interaction.who, Some(interaction.place), play).await {
                Ok(()) => return Ok(outside),
                Err(sentence) => sentence,
            }
        }
        Ok(Err(bad)) => ctx.words.bad_record(&bad),
        Err(_) => ctx.words.word("denied-fault"),
    };
    Err(Box::new(OutgoingMessage::text(told)))
}

/// Whether a text is a whole record or position. A sentence may begin with a move.
pub(super) fn is_record(text: &str) -> bool {
    Record::read_any(text, None).is_ok_and(|record| record.replay().is_ok())
}

/// Whether a text doesn't even begin like a record or position.
pub(super) fn is_no_record(text: &str) -> bool {
    Record::read_any(text, None)
        .is_err_and(|bad| matches!(bad.fault, RecordError::Empty | RecordError::Unknown))
}

fn play_through(text: &str, game: Option<&str>) -> Result<ImportedGame, BadRecord> {
    let record = Record::read_any(text, game)?;
    if record.turns.len() > MAX_TURNS {
        return Err(RecordError::TooLong { most: MAX_TURNS }.at(1));
    }
    let play = record.replay()?;
    let left_out = record.header(LEFT_OUT).and_then(|count| count.parse().ok()).unwrap_or_default();
    let winners = record.winners.unwrap_or_default();
    let differ = |mut ours: Vec<Seat>| {
        ours.sort_unstable();
        !winners.is_empty() && ours != winners
    };
    let other_winners = play.outcome().is_some_and(|outcome| differ(outcome.winners));
    Ok(ImportedGame { winners, play, left_out, other_winners })
}

/// Stores an imported game as a finished table, so that it can be viewed like any other. Returns the table, if it was stored,
/// and the answer.
pub(super) async fn store_for_viewing(
    ctx: &Context,
    interaction: &Interaction,
    outside: &ImportedGame,
) -> (Option<TableId>, OutgoingMessage) {
    let (who, place) = (interaction.who, Some(interaction.place));
    match study::open(ctx, who, place, outside.play.as_ref(), outside.winners.clone()).await {
        Ok(table) => (Some(table.id()), with_note(ctx, viewer_of(ctx, who, table).await, outside)),
        Err(sentence) => (None, OutgoingMessage::text(sentence)),
    }
}

/// The message that shows a stored game.
pub(super) async fn viewer_of(ctx: &Context, who: UserId, table: Arc<Table>) -> OutgoingMessage {
    let viewer = move |layout: &MessageView<'_>| {
        let viewer = layout.viewer(&table, table.ply(), ViewOptions::from(Seat::FIRST));
        Some(viewer.unwrap_or_else(|| layout.state(&table, Some(who))))
    };
    ctx.build_message_blocking(viewer).await
}

/// Adds notes if moves were left out, or if the record names other winners than the rules here.
fn with_note(ctx: &Context, mut post: OutgoingMessage, outside: &ImportedGame) -> OutgoingMessage {
    if outside.left_out > 0 {
        let note = ctx.words.say("import-left-out", &[("count", outside.left_out.into())]);
        post.content = format!("{}\n{note}", post.content);
    }
    if outside.other_winners {
        post.content = format!("{}\n{}", post.content, ctx.words.word("import-other-winners"));
    }
    post
}
