//! `/verify`: whether a game's record was changed, and whether chance was kept to.

use async_trait::async_trait;
use serde_json::Value;

use crate::table::{Denied, Person, Table, TableId, audit};
use crate::words::Words;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::which::Want;
use super::{Command, TABLE, meant, table_option};

/// Checks a game's record.
pub(super) struct Verify;

#[async_trait]
impl Command for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn want(&self) -> Want {
        Want::Replay
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        // A record that was tampered with may not be readable as a table any more.
        let id = match given.text(TABLE).and_then(|text| text.parse().ok()) {
            Some(id) => id,
            None => match meant(desk, asked, given, self.want()).await {
                Ok(table) => table.id(),
                Err(post) => return *post,
            },
        };
        Post::text(verify(desk, id).await.unwrap_or_else(|denied| desk.words.denied(&denied, None)))
    }
}

async fn verify(desk: &Desk, id: TableId) -> Result<String, Denied> {
    let chain = desk.hall.journal().chain(id).await.map_err(|error| Denied::Journal(error.to_string()))?;
    // Every move is played again, which takes a moment in a long game.
    let looked = tokio::task::spawn_blocking(move || audit::audit(id, &chain)).await;
    let audit = looked.map_err(|_| Denied::Fault)?.ok_or(Denied::NoTable(id))?;
    let told = desk.words.audit(id, &audit);
    let gone =
        audit.forgotten.is_empty() && desk.hall.see(id).await.is_ok_and(|table| somebody_is_gone(&table));
    Ok(if gone { format!("{told}\n{}", desk.words.word("verify-stand-in")) } else { told })
}

/// Whether somebody who sat there had their data deleted.
fn somebody_is_gone(table: &Table) -> bool {
    let people = table.chairs().iter().filter_map(|chair| chair.person());
    people.chain([table.host()]).any(Person::is_stand_in)
}
