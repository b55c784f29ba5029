//! `/watch` and `/unwatch`: follow a table without playing there.

use async_trait::async_trait;
use jiff::SignedDuration;

use rookery_table::calendar::Zone;
use rookery_table::ports::{StoreError, WatchMode};
use rookery_table::{ChannelId, Status, Table, TableError, TableId, UserId};

use super::command::{Command, meant};
use super::common_options::{TABLE, TableOptions};
use super::option_types::TableName;
use super::options::{command_options, option_choices};
use crate::discord::policy::pings::nonce_for;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The shortest interval between two messages in a thread that welcome the same watcher.
const WELCOME_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

pub(super) struct Watch;

pub(super) struct Unwatch;

option_choices! {
    /// The ways to follow a game.
    pub(super) enum WatchWay {
        Thread = "thread", "watch-in-thread";
        Moves = "moves", "watch-each-move";
        Dm = "dm", "watch-in-dm";
    }
}

command_options! {
    pub(super) struct WatchOptions {
        table: Option<TableName> = TABLE, "command-option-table";
        how: Option<WatchWay> = "how", "command-watch-how";
    }
}

#[async_trait]
impl Command for Watch {
    type Input = WatchOptions;

    fn name(&self) -> &'static str {
        "watch"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Watch
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: WatchOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => watch(ctx, interaction, &table, input.how).await,
            Err(post) => *post,
        }
    }
}

async fn watch(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    how: Option<WatchWay>,
) -> OutgoingMessage {
    let refused = match table.status() {
        Status::Over(_) => Some("watch-is-over"),
        _ if table.seat_of(interaction.who).is_some() => Some("watch-plays"),
        _ => None,
    };
    if let Some(refused) = refused {
        return OutgoingMessage::text(ctx.words.word(refused));
    }
    let thread = table
        .board_channel()
        .filter(|board_channel| board_channel.thread)
        .map(|board_channel| board_channel.channel);
    followed(ctx, interaction, table, (how, thread)).await.unwrap_or_else(|error| failed(ctx, &error))
}

async fn followed(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    (how, thread): (Option<WatchWay>, Option<ChannelId>),
) -> Result<OutgoingMessage, StoreError> {
    let follows = ctx.registry.journal().follows();
    let before = follows.watch_mode(interaction.who, table.id()).await?;
    let is_in = before.is_some_and(|how| how != WatchMode::Digest);
    let thread = match thread {
        Some(thread) if is_in || may_enter(ctx, interaction, table, thread).await => Some(thread),
        _ => None,
    };
    let how = match (how, thread) {
        (Some(WatchWay::Dm), _) | (_, None) => WatchMode::Digest,
        (Some(WatchWay::Moves), Some(_)) => WatchMode::Moves,
        (_, Some(_)) => WatchMode::Thread,
    };
    follows.follow(interaction.who, table.id(), how).await?;
    let say = |key| OutgoingMessage::text(ctx.words.say(key, &[("table", table.id().as_str().into())]));
    let Some(thread) = thread.filter(|_| how != WatchMode::Digest) else {
        let lives = ctx.registry.preferences_cache().person(interaction.who).await.zone != Zone::default();
        return Ok(say(if lives { "watch-digest" } else { "watch-digest-utc" }));
    };
    if is_in {
        return Ok(say("watch-thread"));
    }
    // Otherwise a person who watches and stops in turn would fill the players' thread with messages.
    let what = format!("watch {} {}", table.id(), interaction.who.0);
    let times = (ctx.registry.now(), WELCOME_INTERVAL);
    Ok(ctx
        .recent_presses
        .run_or_reuse(what, times, async { say(welcome(ctx, interaction.who, table, thread).await) })
        .await)
}

/// Whether a person may be added to a table's thread: they must be able to see it from where they ask, as far
/// as that is known.
async fn may_enter(ctx: &Context, interaction: &Interaction, table: &Table, thread: ChannelId) -> bool {
    let here = interaction.place.guild.is_some() && interaction.place.guild == table.terms().guild;
    // Nobody is added to the thread of a player who has blocked them.
    let players: Vec<UserId> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
    here && ctx.registry.check_blocks(interaction.who, &players).await.is_ok()
        && ctx.may_show(thread, interaction.place.channel).await
}

/// Adds the person to the thread by a mention; the thread then appears in their list of threads.
async fn welcome(ctx: &Context, who: UserId, table: &Table, channel: ChannelId) -> &'static str {
    let post = ctx.for_table(table).await.view().welcome_watcher(table, who);
    let nonce = nonce_for(&format!("w{}", table.id()), who);
    match ctx.post_in(channel, &post, &nonce).await {
        Ok(_) => "watch-thread",
        Err(fault) => {
            tracing::info!(table = %table.id(), %fault, "could not add a watcher to the thread");
            "watch-thread-closed"
        }
    }
}

#[async_trait]
impl Command for Unwatch {
    type Input = TableOptions;

    fn name(&self) -> &'static str {
        "unwatch"
    }

    fn purpose(&self) -> TablePurpose {
        TablePurpose::Unwatch
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: TableOptions) -> OutgoingMessage {
        // A person may stop watching a table that they can no longer see.
        if let Some(id) = input.table.as_ref().and_then(|named| named.0.parse().ok())
            && let Ok(true) = ctx.registry.journal().follows().unfollow(interaction.who, id).await
        {
            return unwatched(ctx, id, true);
        }
        match meant(ctx, interaction, input.table.as_ref(), self.purpose()).await {
            Ok(table) => unwatch(ctx, interaction.who, &table).await,
            Err(post) => *post,
        }
    }
}

async fn unwatch(ctx: &Context, who: UserId, table: &Table) -> OutgoingMessage {
    match ctx.registry.journal().follows().unfollow(who, table.id()).await {
        Ok(did) => unwatched(ctx, table.id(), did),
        Err(error) => failed(ctx, &error),
    }
}

fn unwatched(ctx: &Context, id: TableId, did: bool) -> OutgoingMessage {
    let key = if did { "watch-done" } else { "watch-none" };
    OutgoingMessage::text(ctx.words.say(key, &[("table", id.as_str().into())]))
}

fn failed(ctx: &Context, error: &StoreError) -> OutgoingMessage {
    OutgoingMessage::text(ctx.words.table_error(&TableError::Store(error.to_string()), None))
}
