//! Playing on a web page: the page's requests pass the same checks as presses and messages.

use std::sync::Arc;

use async_trait::async_trait;
use rookery_core::Seat;
use rookery_table::access::Action;
use rookery_table::{Offer, Order, OrderError, SourceId, Status, Table, TableError, TableId, UserId, offers};

use crate::discord::actions::resign_confirmation::holds;
use crate::discord::handlers::accounts::DiscordAccounts;
use crate::discord::handlers::components::order_confirmation;
use crate::discord::policy::table_access::TableAccessError;
use crate::discord::policy::teams::{self, Caller};
use crate::discord::state::context::Context;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::web::{Accounts, OpenOffer, Opened, PageOrder, Players, Refusal, TableAction};

/// Opens tables for web pages and gives their orders.
pub struct PagePlayers(pub Arc<Context>, pub Option<DiscordAccounts>);

#[async_trait]
impl Players for PagePlayers {
    async fn open(&self, who: UserId, id: TableId) -> Result<Opened, Refusal> {
        let (ctx, table) = self.opened(who, id).await?;
        Ok(Opened {
            look: ctx.view().look_for(&table, who),
            words: ctx.words,
            confirms: ctx.settings.confirm,
            offer: offer_to_answer(&ctx, &table, who),
            actions: actions(&ctx, &table, who),
            table,
        })
    }

    async fn order(
        &self,
        who: UserId,
        id: TableId,
        order: PageOrder,
        source: SourceId,
    ) -> Result<String, Refusal> {
        let (ctx, table) = self.opened(who, id).await?;
        if table.sources().any(|known| known == source) {
            return Ok(String::new());
        }
        let caller = Caller::elsewhere(who);
        let table = match order {
            PageOrder::Move { .. } => teams::enlisted(&ctx, table, caller).await,
            _ => table,
        };
        let order = checked(&ctx, &table, who, order).map_err(Refusal::Refused)?;
        match ctx.try_order(id, caller, order, source).await {
            Ok(Ok(seen)) => Ok(order_confirmation(&ctx, &seen).content),
            Ok(Err(TableError::Refused(OrderError::Repeated))) => Ok(String::new()),
            Ok(Err(denied)) => {
                let sentence = ctx.words.table_error(&denied, Some(&table));
                let is_refused = matches!(denied, TableError::Refused(_));
                Err(if is_refused { Refusal::Refused(sentence) } else { Refusal::Failed(sentence) })
            }
            Err(post) if post.not_kept => Err(Refusal::Failed(post.content)),
            Err(post) => Err(Refusal::Refused(post.content)),
        }
    }

    async fn name(&self, who: UserId) -> Option<String> {
        let name = self.0.api.user_name(who).await;
        name.inspect_err(|error| tracing::info!(%error, "a page shows no name")).ok()
    }

    fn accounts(&self) -> Option<&dyn Accounts> {
        self.1.as_ref().map(|accounts| accounts as &dyn Accounts)
    }
}

impl PagePlayers {
    /// Opens a table to a person who is in no channel; returns it with the context in their language, and with their
    /// preferences there.
    async fn opened(&self, who: UserId, id: TableId) -> Result<(Context, Arc<Table>), Refusal> {
        let opened = self.0.try_open(Caller::elsewhere(who), id, Action::See).await;
        let table = opened.map_err(|why| self.refusal(&why))?;
        let ctx = self.0.for_writer(who, table.terms().guild, table.terms().channel).await;
        Ok((ctx, table))
    }

    fn refusal(&self, why: &TableAccessError) -> Refusal {
        let OutgoingMessage { content, .. } = self.0.access_error_message(why);
        match why {
            why if why.is_no_table() => Refusal::NoTable(content),
            TableAccessError::Failed(_) => Refusal::Failed(content),
            TableAccessError::Access(..) => Refusal::Refused(content),
        }
    }
}

/// Returns the table's order, if it still means what the person saw.
fn checked(ctx: &Context, table: &Table, who: UserId, order: PageOrder) -> Result<Order, String> {
    match order {
        PageOrder::Move { text, ply } => Ok(Order::Move { text, ply: Some(ply) }),
        PageOrder::Resign(seat) if table.seat_of(who) != Some(seat) => Err(ctx.words.word("not-for-you")),
        PageOrder::Resign(_) => Ok(Order::Resign),
        PageOrder::Offer(offer) => Ok(Order::Offer(offer)),
        PageOrder::Answer { ply, .. } if ply != table.ply() => Err(ctx.words.word("refused-no-offer")),
        PageOrder::Answer { yes, number, .. } => Ok(Order::Answer { yes, to: Some(number) }),
        PageOrder::Resume => Ok(Order::Resume),
        PageOrder::Claim => Ok(Order::Claim),
        PageOrder::GiveTime => Ok(Order::GiveTime),
    }
}

/// Returns the open offer if the person is asked and has not answered.
fn offer_to_answer(ctx: &Context, table: &Table, who: UserId) -> Option<OpenOffer> {
    let standing = table.offer()?;
    let has_agreed = standing.agreed.iter().any(|seat| holds(table, who, *seat));
    if has_agreed || !offers::asked(table, standing.by).contains(&who) {
        return None;
    }
    let text = ctx.view().offer_line(table, standing.offer, standing.by);
    Some(OpenOffer { text, number: standing.number })
}

/// Returns what a player may do beside moving.
fn actions(ctx: &Context, table: &Table, who: UserId) -> Vec<TableAction> {
    let seat = table.seat_of(who).filter(|_| *table.status() == Status::Running);
    let Some(seat) = seat.filter(|seat| holds(table, who, *seat)) else { return Vec::new() };
    let (view, words) = (ctx.view(), ctx.words);
    let offer = |offer: Offer| {
        let ends = offers::ends_without_consent(table, who, offer);
        let sure = ends.then(|| view.offer_confirmation(table, who, offer).content);
        TableAction { order: PageOrder::Offer(offer), label: view.offer_name(offer), sure }
    };
    let resume = TableAction { order: PageOrder::Resume, label: words.word("button-resume"), sure: None };
    let mut all: Vec<_> = table.is_paused().then_some(resume).into_iter().collect();
    all.extend(time_actions(ctx, table, seat));
    all.extend(Offer::ALL.iter().copied().filter(|it| offers::is_available(table, who, *it)).map(offer));
    let sure = Some(view.resign_confirmation(table, seat).content);
    all.push(TableAction { order: PageOrder::Resign(seat), label: words.word("button-resign"), sure });
    all
}

/// Returns what a player may do about the clock of another one.
fn time_actions(ctx: &Context, table: &Table, own: Seat) -> Vec<TableAction> {
    let clock = table.clock().filter(|clock| clock.deadline().is_some());
    let Some(clock) = clock.filter(|clock| clock.mover().is_some_and(|mover| mover != own)) else {
        return Vec::new();
    };
    let action = |order, label| TableAction { order, label, sure: None };
    let key = if table.others_play_on() { "button-claim-out" } else { "button-claim" };
    let is_up = clock.is_out_of_time(ctx.registry.now());
    let claim = is_up.then(|| action(PageOrder::Claim, ctx.words.word(key)));
    let more = ctx.words.length(clock.terms().gift());
    let give = action(PageOrder::GiveTime, ctx.words.say("button-give-time", &[("more", more.into())]));
    claim.into_iter().chain([give]).collect()
}
