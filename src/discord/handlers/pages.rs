//! Playing on a web page: the page's requests pass the same checks as presses and messages.

mod actions;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use rookery_core::player::Level;
use rookery_core::{Play, Seat};
use rookery_table::access::Action;
use rookery_table::ports::Card;
use rookery_table::quota::LimitedAction;
use rookery_table::saved_analysis::BestLines;
use rookery_table::{
    Order, OrderError, SourceId, Status, Table, TableError, TableId, Terms, UserId, hints, plans,
};

use crate::discord::actions::play_on::{self, Checked};
use crate::discord::actions::{analysis, hint, rematch, study};
use crate::discord::handlers::accounts::DiscordAccounts;
use crate::discord::handlers::components::order_confirmation;
use crate::discord::policy::table_access::TableAccessError;
use crate::discord::policy::teams::{self, Caller};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{InteractionChannel, Requester};
use crate::discord::wire::other_seats::OtherSeats;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::web::{
    DiscordSide, DiscordSignIn, HintedMove, OpenedTable, PageOrder, PageOrderOutcome, Preferences, Refusal,
    RematchState,
};
use actions::{actions, open_offer};

/// Opens tables for web pages and gives their orders.
pub struct PageRequests {
    /// What the orders of Discord's messages have as well.
    pub ctx: Arc<Context>,
    /// What signs people in with their Discord account; `None` without a client secret.
    pub accounts: Option<DiscordAccounts>,
}

#[async_trait]
impl DiscordSide for PageRequests {
    async fn open(&self, who: UserId, id: TableId) -> Result<OpenedTable, Refusal> {
        let (ctx, table) = self.opened(who, id).await?;
        let mut names = ctx.names_at(&table).await;
        if !names.contains_key(&who) {
            names.extend(ctx.names_of(None, [who].into_iter()).await);
        }
        Ok(OpenedTable {
            look: ctx.view().look_for(&table, who),
            words: ctx.words,
            confirms: ctx.settings.confirm,
            offer: open_offer(&ctx, &table, who),
            actions: actions(&ctx, &table, who),
            names,
            rematch: rematch_state(&ctx, &table, who).await,
            table,
        })
    }

    async fn order(
        &self,
        who: UserId,
        id: TableId,
        order: PageOrder,
        source: SourceId,
    ) -> Result<PageOrderOutcome, Refusal> {
        let (ctx, table) = self.opened(who, id).await?;
        match order {
            PageOrder::Rematch => return open_rematch(&ctx, requester(&table, who, source), &table).await,
            PageOrder::Hint { ply } => {
                return hinted(&ctx, requester(&table, who, source), &table, ply).await;
            }
            _ => {}
        }
        if table.sources().any(|known| known == source) {
            return Ok(PageOrderOutcome::default());
        }
        let caller = Caller::elsewhere(who);
        let table = match order {
            PageOrder::Move { .. } | PageOrder::Vote { .. } => teams::enlisted(&ctx, table, caller).await,
            _ => table,
        };
        let order = checked(&ctx, &table, who, order).map_err(Refusal::Refused)?;
        match ctx.try_order(id, caller, order, source).await {
            Ok(Ok(seen)) => Ok(PageOrderOutcome {
                said: order_confirmation(&ctx, &seen).content,
                ..PageOrderOutcome::default()
            }),
            Ok(Err(TableError::Refused(OrderError::Repeated))) => Ok(PageOrderOutcome::default()),
            Ok(Err(denied)) => {
                let sentence = ctx.words.table_error(&denied, Some(&table));
                let is_refused = matches!(denied, TableError::Refused(_));
                Err(if is_refused { Refusal::Refused(sentence) } else { Refusal::Failed(sentence) })
            }
            Err(post) => Err(refused(*post)),
        }
    }

    async fn best_lines(&self, who: UserId, id: TableId, ply: usize) -> Result<BestLines, Refusal> {
        let (ctx, table) = self.opened(who, id).await?;
        // Nothing is stored under the request's id: the lines are the same if it comes twice.
        let requester = requester(&table, who, SourceId(0));
        analysis::find_best_lines(&ctx, requester, &table, ply).await.map_err(Refusal::Refused)
    }

    async fn variation_lines(
        &self,
        who: UserId,
        id: TableId,
        play: Box<dyn Play>,
    ) -> Result<BestLines, Refusal> {
        let (ctx, table) = self.opened(who, id).await?;
        let requester = requester(&table, who, SourceId(0));
        analysis::find_variation_lines(&ctx, requester, &table, play).await.map_err(Refusal::Refused)
    }

    async fn check_comment(&self, who: UserId, table: &Table, play: Box<dyn Play>) -> Result<(), Refusal> {
        let ctx = self.ctx.for_writer(who, table.terms().guild, table.terms().channel).await;
        let refused = hints::may_help(table).err();
        if let Some(refused) = refused {
            return Err(Refusal::Refused(ctx.words.order_error(&refused, Some(table))));
        }
        let requester = requester(table, who, SourceId(0));
        analysis::check_fair(&ctx, requester, table, play.as_ref()).await.map_err(Refusal::Refused)
    }

    async fn preferences(&self, who: UserId) -> Preferences {
        let ctx = self.elsewhere(who).await;
        Preferences { words: ctx.words, look: ctx.view().look_from(Seat::FIRST) }
    }

    async fn study(&self, who: UserId, play: Box<dyn Play>) -> Result<TableId, Refusal> {
        let ctx = self.elsewhere(who).await;
        study::check_fair(&ctx, who, None, play.as_ref()).await.map_err(Refusal::Refused)?;
        let spent = ctx.registry.spend(who, None, LimitedAction::Import);
        spent.map_err(|limited| Refusal::Refused(ctx.words.quota_error(&limited)))?;
        let winners = play.outcome().map(|outcome| outcome.winners).unwrap_or_default();
        let opened = study::open(&ctx, who, None, play.as_ref(), winners).await;
        opened.map(|table| table.id()).map_err(Refusal::Refused)
    }

    async fn play_on(
        &self,
        who: UserId,
        play: Box<dyn Play>,
        level: Level,
        source: SourceId,
    ) -> Result<TableId, Refusal> {
        let ctx = self.elsewhere(who).await;
        // The sentence of `/import` names its options.
        if play.outcome().is_some() {
            return Err(Refusal::Refused(ctx.words.word("page-set-up-over")));
        }
        let spent = ctx.registry.spend(who, None, LimitedAction::Import);
        spent.map_err(|limited| Refusal::Refused(ctx.words.quota_error(&limited)))?;
        let at = |channel| Requester {
            who,
            place: InteractionChannel {
                channel,
                guild: None,
                thread: false,
                parent: None,
                may: None,
                ours: true,
            },
            roles: None,
            writes: false,
            mentions_all: false,
            source,
        };
        let others = OtherSeats { opponent: None, ai: Some(level) };
        // Before the first direct message: a person who is refused gets none.
        let checked = play_on::check(&ctx, at(Terms::default().channel), play.as_ref(), others).await;
        let chairs = match checked.map_err(Refusal::Refused)? {
            Checked::Opened(table) => return Ok(table.id()),
            Checked::Allowed(chairs) => chairs,
        };
        let channel = ctx.dm_for_games(who, None, source).await.map_err(Refusal::Refused)?;
        let opened = play_on::open(&ctx, at(channel), play.as_ref(), chairs).await;
        opened.map(|table| table.id()).map_err(Refusal::Refused)
    }

    async fn names(&self, card: &Card) -> BTreeMap<UserId, String> {
        self.ctx.names_of(card.guild, card.everybody().into_iter()).await
    }

    async fn name(&self, who: UserId) -> Option<String> {
        let name = self.ctx.api.user_name(who).await;
        name.inspect_err(|error| tracing::info!(%error, "a page shows no name")).ok()
    }

    fn sign_in(&self) -> Option<&dyn DiscordSignIn> {
        self.accounts.as_ref().map(|accounts| accounts as &dyn DiscordSignIn)
    }
}

impl PageRequests {
    /// Returns the context of a person who is in no channel, and at no table.
    async fn elsewhere(&self, who: UserId) -> Context {
        self.ctx.for_writer(who, None, Terms::default().channel).await
    }

    /// Opens a table to a person who is in no channel; returns it with the context in their language, and with their
    /// preferences there.
    async fn opened(&self, who: UserId, id: TableId) -> Result<(Context, Arc<Table>), Refusal> {
        let opened = self.ctx.try_open(Caller::elsewhere(who), id, Action::See).await;
        let table = opened.map_err(|why| self.refusal(&why))?;
        let ctx = self.ctx.for_writer(who, table.terms().guild, table.terms().channel).await;
        Ok((ctx, table))
    }

    fn refusal(&self, why: &TableAccessError) -> Refusal {
        let OutgoingMessage { content, .. } = self.ctx.access_error_message(why);
        match why {
            // The sentence for Discord names a command.
            why if why.is_no_table() => Refusal::NoTable(self.ctx.words.word("page-no-table")),
            TableAccessError::Failed(_) => Refusal::Failed(content),
            TableAccessError::Access(..) => Refusal::Refused(content),
        }
    }
}

/// Returns the person as one who asks at the place of the game.
fn requester(table: &Table, who: UserId, source: SourceId) -> Requester<'static> {
    let terms = table.terms();
    let place = InteractionChannel {
        channel: terms.channel,
        guild: terms.guild,
        thread: false,
        parent: None,
        may: None,
        ours: !terms.user_install,
    };
    Requester { who, place, roles: None, writes: false, mentions_all: false, source }
}

async fn open_rematch(
    ctx: &Context,
    requester: Requester<'_>,
    table: &Table,
) -> Result<PageOrderOutcome, Refusal> {
    let found = rematch::open_or_join(ctx, requester, table).await.map_err(|post| refused(*post))?;
    Ok(PageOrderOutcome { said: found.text, next: Some(found.table.id()), hint: None })
}

/// Finds a hint for the turn that the page showed.
async fn hinted(
    ctx: &Context,
    requester: Requester<'_>,
    table: &Table,
    ply: usize,
) -> Result<PageOrderOutcome, Refusal> {
    if table.ply() != ply {
        let stale = OrderError::Stale { meant: ply, now: table.ply() };
        return Err(Refusal::Refused(ctx.words.order_error(&stale, Some(table))));
    }
    let found = hint::find_hint(ctx, requester, Caller::elsewhere(requester.who), table).await;
    let hint = found.map_err(|post| refused(*post))?;
    let said = ctx.view().page_hint(&hint.table, &hint.thought);
    let text = hint.thought.best.clone();
    Ok(PageOrderOutcome { said, next: None, hint: Some(HintedMove { text, ply: hint.table.ply() }) })
}

fn refused(post: OutgoingMessage) -> Refusal {
    if post.not_kept { Refusal::Failed(post.content) } else { Refusal::Refused(post.content) }
}

/// Returns the rematch of a game, unless it ended before it began or the person may not see it.
async fn rematch_state(ctx: &Context, table: &Table, who: UserId) -> Option<RematchState> {
    let next = ctx.try_open(Caller::elsewhere(who), table.rematch()?, Action::See).await.ok()?;
    let is_gone = matches!(next.status(), Status::Over(_)) && next.play().is_none();
    (!is_gone).then(|| RematchState {
        table: next.id(),
        has_begun: next.play().is_some(),
        is_seated: next.seat_of(who).is_some(),
    })
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
        PageOrder::Hint { .. } | PageOrder::Rematch => Err(ctx.words.word("page-out-of-date")),
        PageOrder::Plan(text) => Ok(Order::Plan(text)),
        PageOrder::Unplan(mark) => {
            let planned = table.seat_of(who).map_or(&[][..], |seat| table.plans().of(seat));
            let branch = planned.iter().find(|branch| plans::mark(branch) == mark);
            let branch = branch.ok_or_else(|| ctx.words.order_error(&OrderError::NoPlan, Some(table)))?;
            Ok(Order::Unplan(Some(branch.clone())))
        }
        PageOrder::Vote { number, proposal } => Ok(Order::Vote { number, proposal }),
    }
}
