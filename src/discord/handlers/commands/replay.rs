//! `/replay`: a game to step through, as an animation, as pictures or as text.

use async_trait::async_trait;

use rookery_core::Seat;
use rookery_table::quota::LimitedAction;

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::{NumberFrom, TableName};
use super::options::{command_options, option_choices};
use crate::discord::actions::analysis;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::view::viewer::Span;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ViewOptions;

option_choices! {
    /// The forms of a replay; the first is the default.
    pub(super) enum ReplayForm {
        Steps = "steps", "replay-form-steps";
        Gif = "gif", "replay-form-gif";
        Images = "images", "replay-form-images";
        Text = "text", "replay-form-text";
    }
}

command_options! {
    pub(super) struct ReplayOptions {
        table: Option<TableName> = TABLE, "command-option-table";
        from: Option<NumberFrom<0>> = "from", "command-replay-from";
        to: Option<NumberFrom<0>> = "to", "command-replay-to";
        form: Option<ReplayForm> = "as", "command-replay-as";
    }
}

pub(super) struct Replay;

#[async_trait]
impl Command for Replay {
    type Input = ReplayOptions;

    fn name(&self) -> &'static str {
        "replay"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Replay
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ReplayOptions) -> OutgoingMessage {
        let table = match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        let ply = |number: NumberFrom<0>| usize::try_from(number.0).ok();
        let (from, to) = (input.from.and_then(ply), input.to.and_then(ply));
        if let (Some(from), Some(to)) = (from, to)
            && to < from
        {
            let args = [("from", from.into()), ("to", to.into())];
            return OutgoingMessage::text(ctx.words.say("replay-backwards", &args));
        }
        if matches!(input.form, Some(ReplayForm::Gif | ReplayForm::Images))
            && let Err(post) = ctx.count_use(interaction, LimitedAction::Gif)
        {
            return *post;
        }
        let span = Span::within(table.ply(), from, to);
        let side = table.seat_of(interaction.who).unwrap_or(Seat::FIRST);
        match input.form.unwrap_or(ReplayForm::Steps) {
            ReplayForm::Steps => {
                analysis::viewer(ctx, interaction, &table, span.from, ViewOptions::from(side)).await
            }
            ReplayForm::Gif => ctx.build_message_blocking(move |view| view.replay(&table, span, side)).await,
            ReplayForm::Images => {
                ctx.build_message_blocking(move |view| view.stills(&table, span, side)).await
            }
            ReplayForm::Text => ctx.build_message_blocking(move |view| view.as_text(&table, span)).await,
        }
    }
}
