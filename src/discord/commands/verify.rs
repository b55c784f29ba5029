//! `/verify`: whether a game's record was changed, and whether chance was kept to.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Words;
use rookery_table::access::Action;
use rookery_table::{Denied, Person, Table, TableId, audit};

use super::super::access::NotOpened;
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
            Some(id) => match may_verify(desk, asked, id).await {
                Ok(()) => id,
                Err(post) => return *post,
            },
            None => match meant(desk, asked, given, self.want()).await {
                Ok(table) => table.id(),
                Err(post) => return *post,
            },
        };
        Post::text(verify(desk, id).await.unwrap_or_else(|denied| desk.words.denied(&denied, None)))
    }
}

/// Whether a person may see the table of a record, also of one that cannot be played through any more.
async fn may_verify(desk: &Desk, asked: &Asked, id: TableId) -> Result<(), Box<Post>> {
    match desk.try_open(asked.into(), id, Action::See).await {
        Ok(_) | Err(NotOpened::Failed(Denied::Fault | Denied::Unreadable(_))) => Ok(()),
        Err(why) => Err(Box::new(desk.not_opened(&why))),
    }
}

async fn verify(desk: &Desk, id: TableId) -> Result<String, Denied> {
    let chain = desk.hall.journal().chain(id).await.map_err(|error| Denied::Journal(error.to_string()))?;
    // Every move is played again, which takes a moment in a long game.
    let looked = desk.hall.tasks().compute("audit", move || audit::audit(id, &chain)).await;
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
