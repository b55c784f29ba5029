//! `/verify`: checks whether a game's record was changed, and whether random choices match their commitment.

use async_trait::async_trait;

use rookery_table::access::Action;
use rookery_table::{Table, TableError, TableId, UserId, audit};

use super::command::{Command, meant};
use super::common_options::TableOptions;
use crate::discord::policy::table_access::TableAccessError;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub(super) struct Verify;

#[async_trait]
impl Command for Verify {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "verify"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Replay
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        // A record that was tampered with may not be readable as a table.
        let id = match input.table.as_ref().and_then(|named| named.0.parse().ok()) {
            Some(id) => match may_verify(ctx, interaction, id).await {
                Ok(()) => id,
                Err(post) => return *post,
            },
            None => match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
                Ok(table) => table.id(),
                Err(post) => return *post,
            },
        };
        OutgoingMessage::text(
            verify(ctx, id).await.unwrap_or_else(|denied| ctx.words.table_error(&denied, None)),
        )
    }
}

/// Whether a person may see the table of a record, even if its record can no longer be replayed.
async fn may_verify(
    ctx: &Context,
    interaction: &Interaction,
    id: TableId,
) -> Result<(), Box<OutgoingMessage>> {
    match ctx.try_open(interaction.into(), id, Action::See).await {
        Ok(_) | Err(TableAccessError::Failed(TableError::Internal | TableError::Unreadable(_))) => Ok(()),
        Err(why) => Err(Box::new(ctx.access_error_message(&why))),
    }
}

async fn verify(ctx: &Context, id: TableId) -> Result<String, TableError> {
    let chain = ctx.registry.chain(id).await?;
    // Every move is replayed, which takes a moment for a long game.
    let looked = ctx.registry.tasks().compute("audit", move || audit::audit(id, &chain)).await;
    let audit = looked.map_err(|_| TableError::Internal)?.ok_or(TableError::NoTable(id))?;
    let told = ctx.words.audit(id, &audit);
    let gone = audit.forgotten.is_empty()
        && ctx.registry.table(id).await.is_ok_and(|table| has_deleted_player(&table));
    Ok(if gone { format!("{told}\n{}", ctx.words.word("verify-stand-in")) } else { told })
}

/// Returns whether a player of the table had their data deleted.
fn has_deleted_player(table: &Table) -> bool {
    let people = table.chairs().iter().filter_map(|chair| chair.person());
    people.chain([table.host()]).any(UserId::is_pseudonym)
}
