//! `/paper`: a page to print and to play on.

use async_trait::async_trait;

use rookery_core::Play;
use rookery_core::printed_page::PaperSize;
use rookery_core::rules::Setup;
use rookery_core::svg::page_svg;
use rookery_games::printed::printed_page;
use rookery_table::quota::LimitedAction;

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::{GameKey, TableName};
use super::options::{command_options, option_choices};
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

option_choices! {
    /// The formats of the file; the first is the default.
    pub(super) enum PageForm {
        Pdf = "pdf", "paper-form-pdf";
        Svg = "svg", "paper-form-svg";
    }
}

command_options! {
    pub(super) struct PaperOptions {
        game: Option<GameKey> = "game", "command-paper-game";
        table: Option<TableName> = TABLE, "command-paper-table";
        size: Option<PaperSize> = "size", "command-paper-size";
        form: Option<PageForm> = "as", "command-paper-as";
    }
}

pub(super) struct Paper;

#[async_trait]
impl Command for Paper {
    type Input = PaperOptions;

    fn name(&self) -> &'static str {
        "paper"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::See
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: PaperOptions) -> OutgoingMessage {
        if let Err(post) = ctx.count_use(interaction, LimitedAction::Export) {
            return *post;
        }
        let (play, name) = match &input.game {
            Some(game) => match at_start(game.0.as_str(), interaction.token.id.0) {
                Some(play) => (play, game.0.clone()),
                None => return OutgoingMessage::text(ctx.words.no_such_game(game.0.as_str())),
            },
            None => match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
                Ok(table) => match table.play() {
                    Some(play) => (play.clone_play(), table.id().to_string()),
                    None => return OutgoingMessage::text(ctx.words.word("refused-not-begun")),
                },
                Err(post) if input.table.is_none() => return with_advice(ctx, *post),
                Err(post) => return *post,
            },
        };
        let size = input.size.unwrap_or(PaperSize::A4);
        written(ctx, play, name, size, input.form.unwrap_or(PageForm::Pdf)).await
    }
}

/// Says besides a refusal that a game can be printed without a table.
fn with_advice(ctx: &Context, post: OutgoingMessage) -> OutgoingMessage {
    OutgoingMessage { content: format!("{}\n{}", post.content, ctx.words.word("paper-or-game")), ..post }
}

/// Starts a game with its usual options and, if its board is random, a board of its own.
fn at_start(game: &str, seed: u64) -> Option<Box<dyn Play>> {
    let game = rookery_games::named(game)?;
    game.start(&Setup::new(game.info().fewest()).seeded(seed)).ok()
}

async fn written(
    ctx: &Context,
    play: Box<dyn Play>,
    name: String,
    size: PaperSize,
    form: PageForm,
) -> OutgoingMessage {
    let words = ctx.words.page_words(play.as_ref());
    let said = ctx.words.say("paper-done", &[("game", words.title.clone().into())]);
    let draw = move || {
        let page = printed_page(play.as_ref(), &words);
        match form {
            PageForm::Pdf => (format!("{name}.pdf"), rookery_render::pdf(&page, size)),
            PageForm::Svg => (format!("{name}.svg"), page_svg(&page, size).into_bytes()),
        }
    };
    match ctx.registry.tasks().compute("page to print", draw).await {
        Ok((file, bytes)) => OutgoingMessage::text(said).file(file, bytes),
        Err(_) => OutgoingMessage::text(ctx.words.word("denied-fault")),
    }
}
