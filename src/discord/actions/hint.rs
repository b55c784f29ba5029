//! Hints: the bot's advice for the player to move. Everyone at the table can see that a hint was used.

use std::sync::Arc;
use std::time::Duration;

use rookery_core::player::SearchResult;
use rookery_table::fair_play::HelpKind;
use rookery_table::quota::LimitedAction;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{Order, OrderError, Table, TableError, hints};

use crate::discord::policy::teams::Caller;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Requester;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The node limit of the search for a hint.
const NODES: u64 = 200_000;
/// The time limit of the search for a hint.
const TIME: Duration = Duration::from_secs(2);

/// A hint.
pub(in crate::discord) struct Hint {
    /// The table at the turn that it is about.
    pub(in crate::discord) table: Arc<Table>,
    /// What the search found there.
    pub(in crate::discord) thought: Arc<SearchResult<String>>,
}

/// Finds a hint. Its use is recorded before the search starts, so that no hint is secret; the same request again is counted
/// and recorded only once.
///
/// # Errors
/// The answer for the person, if they may have no hint or none could be found.
pub(in crate::discord) async fn find_hint(
    ctx: &Context,
    requester: Requester<'_>,
    caller: Caller<'_>,
    table: &Table,
) -> Result<Hint, Box<OutgoingMessage>> {
    let (who, guild) = (requester.who, requester.place.guild);
    let say = |text| Box::new(OutgoingMessage::text(text));
    // A table opened from the position of a rated game must not become a way around the rule.
    if let Some(play) = table.play()
        && ctx.registry.would_help_rated_game(&[who], guild, play, HelpKind::Evaluates).await
    {
        return Err(say(ctx.words.order_error(&OrderError::NoHelp, Some(table))));
    }
    // A request of an earlier turn must not find a hint that nobody hears of.
    let is_known = table.sources().any(|known| known == requester.source);
    let is_repeated = is_known && table.is_hinted() && hints::is_available(table, who);
    if !is_repeated {
        ctx.count_use(requester, LimitedAction::Hint)?;
    }
    let table = match ctx.try_order(table.id(), caller, Order::Hint, requester.source).await? {
        Ok(seen) => seen.table,
        Err(TableError::Refused(OrderError::Repeated)) if is_repeated => Arc::new(table.clone()),
        Err(denied) => return Err(Box::new(ctx.denied(table.id(), who, &denied).await)),
    };
    if table.play().is_none() {
        return Err(say(ctx.words.word("refused-not-begun")));
    }
    match ctx.registry.advise(BudgetOwner::of(&table), &table, (NODES, TIME)).await {
        Some(thought) => Ok(Hint { table, thought }),
        None => Err(say(ctx.words.word("hint-busy"))),
    }
}
