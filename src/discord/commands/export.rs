//! `/export`: a game's record as a file.

use async_trait::async_trait;
use serde_json::Value;

use rookery_games::record::Record;
use rookery_games::record::abstract_play::Unfit;
use rookery_i18n::Words;
use rookery_table::quota::Use;
use rookery_table::{Denied, Table, recorded};

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
            Ok(table) => export(desk, &table, given.text("as").unwrap_or(USUAL_FORM)).await,
            Err(post) => *post,
        }
    }
}

async fn export(desk: &Desk, table: &Table, form: &str) -> Post {
    let record = match record(desk, table).await {
        Ok(Some(record)) => record,
        Ok(None) => return Post::text(desk.words.word("refused-not-begun")),
        Err(denied) => return Post::text(desk.words.denied(&denied, Some(table))),
    };
    let seats = table.chairs().len();
    let (ending, text) = match form {
        "json" => ("json", record.to_json(seats)),
        "abstractplay" => match record.to_abstract_play() {
            Ok(text) => ("abstractplay.json", text),
            Err(Unfit::Unfinished | Unfit::Undated) => {
                return Post::text(desk.words.word("export-unfinished"));
            }
        },
        _ => ("txt", record.write(seats)),
    };
    let name = format!("{}.{ending}", recorded::file_name(table.id()));
    let args = [("table", table.id().to_string().into()), ("ply", table.ply().into())];
    Post::text(desk.words.say("export-done", &args)).file(name, text.into_bytes())
}

/// A table's record, as it is now.
async fn record(desk: &Desk, table: &Table) -> Result<Option<Record>, Denied> {
    let chain = desk.hall.journal().chain(table.id()).await;
    let chain = chain.map_err(|error| Denied::Journal(error.to_string()))?;
    Ok(recorded::record(table, &chain, desk.hall.now_ms()))
}
