//! `/export`: a game's record as a file.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;

use rookery_games::record::Record;
use rookery_games::record::abstract_play::Unfit;
use rookery_i18n::Words;
use rookery_table::quota::Use;
use rookery_table::{Denied, Table, recorded};
use rookery_tasks::Panicked;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, Kind, chosen, meant, option, table_option};

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

    fn want(&self) -> Want {
        Want::Replay
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let forms = FORMS.map(|(form, offer)| (words.word(offer), form.to_owned()));
        let form = chosen(option(words, Kind::Text, "as", "command-export-as"), forms);
        vec![table_option(words), form]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        if let Err(post) = desk.spend(asked, Use::Export) {
            return *post;
        }
        match meant(desk, asked, given, self.want()).await {
            Ok(table) => export(desk, table, given.text("as").unwrap_or(USUAL_FORM)).await,
            Err(post) => *post,
        }
    }
}

async fn export(desk: &Desk, table: Arc<Table>, form: &str) -> Post {
    let chain = match desk.hall.journal().chain(table.id()).await {
        Ok(chain) => chain,
        Err(error) => {
            let denied = Denied::Journal(error.to_string());
            return Post::text(desk.words.denied(&denied, Some(&table)));
        }
    };
    let (shown, form, now_ms) = (table.clone(), form.to_owned(), desk.hall.now_ms());
    let written = move || written(&recorded::record(&shown, &chain, now_ms)?, shown.chairs().len(), &form);
    let (ending, text) = match desk.hall.tasks().compute("export", written).await {
        Ok(Some(Ok(written))) => written,
        Ok(Some(Err(Unfit::Unfinished | Unfit::Undated))) => {
            return Post::text(desk.words.word("export-unfinished"));
        }
        Ok(None) => return Post::text(desk.words.word("refused-not-begun")),
        Err(Panicked) => return Post::text(desk.words.word("denied-fault")),
    };
    let name = format!("{}.{ending}", recorded::file_name(table.id()));
    let args = [("table", table.id().to_string().into()), ("ply", table.ply().into())];
    Post::text(desk.words.say("export-done", &args)).file(name, text.into_bytes())
}

/// A record in a form, and what the name of its file ends with.
fn written(record: &Record, seats: usize, form: &str) -> Option<Result<(&'static str, String), Unfit>> {
    Some(match form {
        "json" => Ok(("json", record.to_json(seats))),
        "abstractplay" => record.to_abstract_play().map(|text| ("abstractplay.json", text)),
        _ => Ok(("txt", record.write(seats))),
    })
}
