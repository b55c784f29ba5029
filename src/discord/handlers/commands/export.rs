//! `/export`: a game's record as a file.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use rookery_games::record::Record;
use rookery_games::record::abstract_play::Unfit;
use rookery_i18n::Localizer;
use rookery_table::quota::LimitedAction;
use rookery_table::{Table, game_record};
use rookery_tasks::Panicked;

use super::{Command, OptionKind, chosen, meant, option, table_option};
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The form that a record has where nobody says.
const USUAL_FORM: &str = "text";
/// The forms that a record can be had in, and the sentences that offer them.
const FORMS: [(&str, &str); 3] = [
    (USUAL_FORM, "export-form-text"),
    ("json", "export-form-json"),
    ("abstractplay", "export-form-abstractplay"),
];

/// Hands a game's record out.
pub(super) struct Export;

#[async_trait]
impl Command for Export {
    fn name(&self) -> &'static str {
        "export"
    }

    fn want(&self) -> TablePurpose {
        TablePurpose::Replay
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let forms = FORMS.map(|(form, offer)| (words.word(offer), form.to_owned()));
        let form = chosen(option(words, OptionKind::Text, "as", "command-export-as"), forms);
        vec![table_option(words), form]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        if let Err(post) = ctx.spend(interaction, LimitedAction::Export) {
            return *post;
        }
        match meant(ctx, interaction, input, self.want()).await {
            Ok(table) => export(ctx, table, input.text("as").unwrap_or(USUAL_FORM)).await,
            Err(post) => *post,
        }
    }
}

async fn export(ctx: &Context, table: Arc<Table>, form: &str) -> OutgoingMessage {
    let chain = match ctx.registry.chain(table.id()).await {
        Ok(chain) => chain,
        Err(denied) => return OutgoingMessage::text(ctx.words.table_error(&denied, Some(&table))),
    };
    let (shown, form, now) = (table.clone(), form.to_owned(), ctx.registry.now());
    let written = move || written(&game_record::record(&shown, &chain, now)?, shown.chairs().len(), &form);
    let (ending, text) = match ctx.registry.tasks().compute("export", written).await {
        Ok(Some(Ok(written))) => written,
        Ok(Some(Err(Unfit::Unfinished | Unfit::Undated))) => {
            return OutgoingMessage::text(ctx.words.word("export-unfinished"));
        }
        Ok(None) => return OutgoingMessage::text(ctx.words.word("refused-not-begun")),
        Err(Panicked) => return OutgoingMessage::text(ctx.words.word("denied-fault")),
    };
    let name = format!("{}.{ending}", game_record::file_name(table.id()));
    let args = [("table", table.id().to_string().into()), ("ply", table.ply().into())];
    OutgoingMessage::text(ctx.words.say("export-done", &args)).file(name, text.into_bytes())
}

/// A record in a form, and what the name of its file ends with.
fn written(record: &Record, seats: usize, form: &str) -> Option<Result<(&'static str, String), Unfit>> {
    Some(match form {
        "json" => Ok(("json", record.to_json(seats))),
        "abstractplay" => record.to_abstract_play().map(|text| ("abstractplay.json", text)),
        _ => Ok(("txt", record.write(seats))),
    })
}
