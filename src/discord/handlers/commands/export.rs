//! `/export`: a game's record as a file.

use std::sync::Arc;

use async_trait::async_trait;

use rookery_games::record::Record;
use rookery_games::record::abstract_play::AbstractPlayError;
use rookery_table::quota::LimitedAction;
use rookery_table::{Table, game_record};
use rookery_tasks::Panicked;

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::TableName;
use super::options::{command_options, option_choices};
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

option_choices! {
    /// The formats of a record; the first is the default.
    pub(super) enum RecordForm {
        Text = "text", "export-form-text";
        Json = "json", "export-form-json";
        AbstractPlay = "abstractplay", "export-form-abstractplay";
    }
}

command_options! {
    pub(super) struct ExportOptions {
        table: Option<TableName> = TABLE, "command-option-table";
        form: Option<RecordForm> = "as", "command-export-as";
    }
}

pub(super) struct Export;

#[async_trait]
impl Command for Export {
    type Input = ExportOptions;

    fn name(&self) -> &'static str {
        "export"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Replay
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ExportOptions) -> OutgoingMessage {
        if let Err(post) = ctx.count_use(interaction, LimitedAction::Export) {
            return *post;
        }
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => export(ctx, table, input.form.unwrap_or(RecordForm::Text)).await,
            Err(post) => *post,
        }
    }
}

async fn export(ctx: &Context, table: Arc<Table>, form: RecordForm) -> OutgoingMessage {
    let chain = match ctx.registry.chain(table.id()).await {
        Ok(chain) => chain,
        Err(denied) => return OutgoingMessage::text(ctx.words.table_error(&denied, Some(&table))),
    };
    let (shown, now) = (table.clone(), ctx.registry.now());
    let written = move || written(&game_record::record(&shown, &chain, now)?, shown.chairs().len(), form);
    let (ending, text) = match ctx.registry.tasks().compute("export", written).await {
        Ok(Some(Ok(written))) => written,
        Ok(Some(Err(AbstractPlayError::Unfinished | AbstractPlayError::Undated))) => {
            return OutgoingMessage::text(ctx.words.word("export-unfinished"));
        }
        Ok(None) => return OutgoingMessage::text(ctx.words.word("refused-not-begun")),
        Err(Panicked) => return OutgoingMessage::text(ctx.words.word("denied-fault")),
    };
    let name = format!("{}.{ending}", game_record::file_name(table.id()));
    let args = [("table", table.id().to_string().into()), ("ply", table.ply().into())];
    OutgoingMessage::text(ctx.words.say("export-done", &args)).file(name, text.into_bytes())
}

/// Formats a record; returns the suffix of the file name and the text.
fn written(
    record: &Record,
    seats: usize,
    form: RecordForm,
) -> Option<Result<(&'static str, String), AbstractPlayError>> {
    Some(match form {
        RecordForm::Json => Ok(("json", record.to_json(seats))),
        RecordForm::AbstractPlay => record.to_abstract_play().map(|text| ("abstractplay.json", text)),
        RecordForm::Text => Ok(("txt", record.write(seats))),
    })
}
