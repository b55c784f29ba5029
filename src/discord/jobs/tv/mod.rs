//! TV channels: a board in a channel that shows the best running game of its server, among those whose own
//! channel every reader can see ([`channel_access`](crate::discord::state::channel_access)).
//!
//! The message is edited while it is recent, and then posted anew (`live_message`). The journal's notes
//! store its state, so that a restart continues with the same message. `game_choice` selects the game.

mod game_choice;

use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;

use game_choice::GameScores;
use rookery_table::ports::{LeaderTask, StoreError};
use rookery_table::{GuildId, MessageId, Status, Table};
use rookery_tasks::heartbeat;

use crate::discord::actions::live_message;
use crate::discord::actions::tv_state::{ShownBoard, TvState, all, read, replace, set_channel};
use crate::discord::state::context::Context;
use crate::discord::state::refused_channels::REFUSAL_PERIOD;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::shutdown::Stop;

/// The shortest time between two updates: in faster games an update skips plies.
const CHANGE_INTERVAL: SignedDuration = SignedDuration::from_secs(5);
/// How long a result stays before the next game is shown.
const RESULT: SignedDuration = SignedDuration::from_mins(1);

/// Updates all TV channels until the program stops.
pub(in crate::discord) async fn work(ctx: Arc<Context>, stop: Stop) {
    let mut moments = tokio::time::interval(ctx.settings.tv_interval);
    let mut scores = GameScores::default();
    loop {
        heartbeat();
        tokio::select! {
            biased;
            _ = moments.tick() => {}
            () = stop.finishing() => return,
        }
        if !ctx.registry.leads(LeaderTask::Televisions).await {
            continue;
        }
        if let Err(error) = show_all(&ctx, &mut scores).await {
            tracing::warn!(%error, "could not look up TV games; trying again");
        }
    }
}

async fn show_all(ctx: &Context, scores: &mut GameScores) -> Result<(), StoreError> {
    for guild in all(ctx).await? {
        heartbeat();
        let Some(set) = read(ctx, guild).await? else { continue };
        if ctx.registry.now() >= set.next_due {
            show(ctx, guild, set, scores).await?;
        }
    }
    Ok(())
}

/// Shows the best game now, if it differs from the one shown.
async fn show(
    ctx: &Context,
    guild: GuildId,
    set: TvState,
    scores: &mut GameScores,
) -> Result<(), StoreError> {
    if ctx.is_gone(set.channel).await {
        return remove_tv_channel(ctx, guild, "its channel was deleted").await;
    }
    let table = game_to_show(ctx, guild, &set, scores).await;
    let best =
        table.as_ref().map_or(ShownBoard::Nothing, |table| ShownBoard::Game(table.id(), table.sequence()));
    if set.shown == Some(best) {
        return Ok(());
    }
    let post = match &table {
        Some(table) => ctx.for_table(table).await.view().tv_board(table),
        None => ctx.for_server(guild).await.view().tv_idle(),
    };
    let now = ctx.registry.now();
    let next = match post_or_edit(ctx, &set, &post, best).await {
        Ok(message) => TvState {
            message: Some(message),
            shown: Some(best),
            next_due: now + CHANGE_INTERVAL,
            ..set.clone()
        },
        Err(DiscordError::NotFound { why, .. }) => return remove_tv_channel(ctx, guild, &why).await,
        Err(fault) => {
            tracing::info!(%fault, %guild, "a TV update is delayed");
            let pause = if fault.is_temporary() {
                CHANGE_INTERVAL
            } else {
                SignedDuration::try_from(REFUSAL_PERIOD).unwrap_or(CHANGE_INTERVAL)
            };
            TvState { next_due: now + pause, ..set.clone() }
        }
    };
    let message = next.message;
    // If the channel was changed or removed meanwhile, the message that was known then is deleted already.
    if !replace(ctx, guild, &set, next).await?
        && let Some(orphan) = message.filter(|_| message != set.message)
    {
        live_message::delete_message(ctx, set.channel, orphan).await;
    }
    Ok(())
}

async fn remove_tv_channel(ctx: &Context, guild: GuildId, why: &str) -> Result<(), StoreError> {
    tracing::info!(why, %guild, "a TV channel is gone; TV is off there");
    set_channel(ctx, guild, None).await
}

/// Returns the game to show: a game that has just ended stays for a while, so that people see its result.
async fn game_to_show(
    ctx: &Context,
    guild: GuildId,
    set: &TvState,
    scores: &mut GameScores,
) -> Option<Arc<Table>> {
    let shown = match set.shown {
        Some(ShownBoard::Game(id, _)) => ctx.registry.table(id).await.ok(),
        _ => None,
    };
    match shown {
        Some(table)
            if is_fresh_result(&table, ctx.registry.now())
                && ctx.may_list(&table.card(), set.channel).await =>
        {
            Some(table)
        }
        shown => game_choice::best(ctx, (guild, set.channel), shown.map(|table| table.id()), scores).await,
    }
}

fn is_fresh_result(table: &Table, now: Timestamp) -> bool {
    matches!(table.status(), Status::Over(_)) && now.duration_since(table.at()) < RESULT
}

/// Posts or edits the TV message, and returns its id.
async fn post_or_edit(
    ctx: &Context,
    set: &TvState,
    post: &OutgoingMessage,
    now: ShownBoard,
) -> Result<MessageId, DiscordError> {
    let nonce = match now {
        ShownBoard::Nothing => format!("tv{}", ctx.registry.now().as_millisecond()),
        ShownBoard::Game(table, sequence) => format!("tv{table}-{sequence}"),
    };
    live_message::update_or_post(ctx, set.channel, set.message, post, &nonce).await
}
