//! Relocates a game whose thread or channel is gone or refuses the bot. The game moves to the channel where a
//! player asks for the board or makes a move, and returns to a locked thread once that is open again.

use futures_util::TryStreamExt;
use rookery_table::access::TriState;
use rookery_table::ports::{Card, Filter, StoreError};
use rookery_table::{
    Actor, BoardChannel, ChannelId, GuildId, Order, OutboxItem, Status, Table, TableId, UserId, posted_boards,
};

use serde_json::Value;

use crate::discord::state::context::Context;
use crate::discord::state::member_access::FRESH;
use crate::discord::wire::interaction::{Interaction, InteractionChannel, missing};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most outbox rows that are searched.
const MAX_DUE: usize = 200;

/// Moves the game to the interaction's channel if its own channel is lost; returns whether it did.
pub async fn move_here(ctx: &Context, interaction: &Interaction, table: &Table) -> bool {
    let may = may_relocate_to(ctx, table, interaction.place, interaction.who).await;
    may && has_no_channel(ctx, table, interaction.place.channel).await
        && move_to(ctx, interaction.place, table).await
}

/// Moves the game here like [`move_here`], and says so above its board.
pub async fn above_board(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    mut board: OutgoingMessage,
) -> OutgoingMessage {
    if move_here(ctx, interaction, table).await {
        board.content = format!("{}\n{}", ctx.words.word("board-lives-here"), board.content);
    }
    board
}

/// Adds the board to the answer of a player who moved in another channel. If the game's own channel is lost,
/// the game moves to this one, provided that all players can see it there; otherwise the answer itself shows
/// them the board.
pub async fn with_board(
    ctx: &Context,
    place: InteractionChannel,
    who: UserId,
    table: &Table,
    mut post: OutgoingMessage,
) -> OutgoingMessage {
    if table.is_user_install() || !is_lost(ctx, table, place.channel).await {
        return post;
    }
    if may_relocate_to(ctx, table, place, who).await && move_to(ctx, place, table).await {
        post.content = format!("{}\n{}", post.content, ctx.words.word("board-lives-here"));
        return post;
    }
    let board = ctx.view().state(table, Some(who));
    let is_over = *table.status() != Status::Running;
    let told = ctx.words.word(if is_over { "board-no-place-over" } else { "board-no-place" });
    let content = format!("{}\n{told}\n{}", post.content, board.content);
    let rows = board.rows.into_iter().chain(post.rows).collect();
    OutgoingMessage { content, rows, ..board }
}

async fn move_to(ctx: &Context, place: InteractionChannel, table: &Table) -> bool {
    let board_channel = BoardChannel { channel: place.channel, thread: false };
    match ctx.registry.order(table.id(), Actor::System, Order::SetBoardChannel(board_channel), None).await {
        Ok(_) => true,
        Err(denied) => {
            tracing::warn!(table = %table.id(), %denied, "no channel found for a game that lost its own");
            false
        }
    }
}

/// Whether the place of a started game is gone, including the parent channel of its thread.
async fn is_lost(ctx: &Context, table: &Table, here: ChannelId) -> bool {
    if *table.status() == Status::Waiting || table.play().is_none() {
        return false;
    }
    let is_gone = async |channel: ChannelId| matches!(ctx.api.is_there(channel).await, Ok(false));
    match table.board_channel() {
        None => table.was_shown(),
        Some(board_channel) if board_channel.channel == here => false,
        Some(board_channel) if board_channel.thread => {
            is_gone(board_channel.channel).await && is_gone(table.terms().channel).await
        }
        Some(board_channel) => is_gone(board_channel.channel).await,
    }
}

/// Whether a person may move the game to a place: the person must be a player, all players must be able to
/// see the place, and nobody else may gain access to the game.
async fn may_relocate_to(ctx: &Context, table: &Table, place: InteractionChannel, who: UserId) -> bool {
    let running = *table.status() == Status::Running;
    if !(place.ours && running && table.is_participant(who) && missing(place).is_empty()) {
        return false;
    }
    let people: Vec<UserId> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
    let alone = people.iter().all(|person| *person == who) && !table.terms().has_teams();
    // The bot was only user-installed in this channel before, and is a member now.
    let same_channel = place.channel == table.terms().channel;
    alone || same_channel || keeps_its_readers(ctx, table, place, &people).await
}

/// Whether every reader of a channel of the table's server could read the game before. For a deleted channel
/// only the note of [`note_deleted_channel`] has that information: unless everyone could, the new channel
/// must not be open to everyone. All players must be able to read the new channel.
async fn keeps_its_readers(
    ctx: &Context,
    table: &Table,
    place: InteractionChannel,
    people: &[UserId],
) -> bool {
    let Some(guild) = place.guild.filter(|guild| table.terms().guild == Some(*guild)) else { return false };
    let before = ctx.readers_channel(table.board_channel(), table.terms().channel).await;
    if !ctx.is_gone(before).await {
        return ctx.may_show(before, place.channel).await;
    }
    if !was_open(ctx, before).await && ctx.is_open(place.channel).await {
        return false;
    }
    for person in people {
        let reader = ctx.reader((guild, place.channel), *person, None, FRESH).await;
        if reader.reads != TriState::Yes {
            return false;
        }
    }
    true
}

/// Returns the key of the note that everyone on the server could read a deleted channel.
fn open_channel_note(channel: ChannelId) -> String {
    format!("deleted-open-channel-{channel}")
}

/// Notes that everyone could read a channel that is being deleted, if it has games that may have to move. A
/// channel without the note, for instance because the bot was offline, counts as closed.
pub(in crate::discord) async fn note_deleted_channel(
    ctx: &Context,
    guild: GuildId,
    channel: ChannelId,
    described: &Value,
) {
    let filter = Filter { guild: Some(guild), unfinished: true, ..Filter::default() };
    let is_here = |card: &Card| {
        card.opened_in == Some(channel) || card.board_channel.is_some_and(|board| board.channel == channel)
    };
    let mut here = ctx.registry.scan(&filter).try_filter(|card| std::future::ready(is_here(card)));
    if matches!(here.try_next().await, Ok(Some(_)))
        && ctx.was_open(guild, described).await
        && let Err(error) = ctx.registry.journal().store_note(&open_channel_note(channel), "1").await
    {
        tracing::warn!(%error, %channel, "the games of a deleted channel move to private channels only");
    }
}

async fn was_open(ctx: &Context, channel: ChannelId) -> bool {
    matches!(ctx.registry.journal().note(&open_channel_note(channel)).await, Ok(Some(_)))
}

/// Returns the key of the note that a table left this thread because nothing may be posted there.
/// [`table_note`] is the key of the note in the other direction.
fn thread_note(thread: ChannelId) -> String {
    format!("closed-thread-{thread}")
}

fn table_note(table: TableId) -> String {
    format!("closed-thread-of-{table}")
}

/// Notes that a table leaves its thread because nothing may be posted there.
///
/// # Errors
/// If the journal cannot store it.
pub(in crate::discord) async fn note_closed_thread(
    ctx: &Context,
    table: TableId,
    thread: ChannelId,
) -> Result<(), StoreError> {
    let journal = ctx.registry.journal();
    journal.store_note(&thread_note(thread), table.as_str()).await?;
    journal.store_note(&table_note(table), &thread.to_string()).await
}

/// Handles a thread that may accept messages again: a game that left it returns there.
pub(in crate::discord) async fn thread_opened(ctx: &Context, thread: ChannelId) {
    let note = ctx.registry.journal().note(&thread_note(thread)).await.ok().flatten();
    let Some(table) = note.and_then(|id| id.parse::<TableId>().ok()) else { return };
    if let Ok(table) = ctx.registry.table(table).await {
        move_back_to_thread(ctx, &table, thread).await;
    }
}

/// Returns a game to the thread that it left, if the thread accepts messages now; returns whether it did.
pub(in crate::discord) async fn return_to_thread(ctx: &Context, table: &Table) -> bool {
    let note = ctx.registry.journal().note(&table_note(table.id())).await.ok().flatten();
    let Some(thread) = note.and_then(|thread| thread.parse().ok()) else { return false };
    matches!(ctx.api.is_open_thread(thread).await, Ok(true)) && move_back_to_thread(ctx, table, thread).await
}

async fn move_back_to_thread(ctx: &Context, table: &Table, thread: ChannelId) -> bool {
    let wanted = *table.status() == Status::Running && table.frozen_since().is_none();
    let board_channel = BoardChannel { channel: thread, thread: true };
    if wanted {
        ctx.refused_channels.forget(thread);
        if let Err(denied) =
            ctx.registry.order(table.id(), Actor::System, Order::SetBoardChannel(board_channel), None).await
        {
            tracing::warn!(table = %table.id(), %denied, "could not move a game back to its thread");
            return false;
        }
        tracing::info!(table = %table.id(), "the thread is open again; using it");
    }
    for key in [thread_note(thread), table_note(table.id())] {
        if let Err(error) = ctx.registry.journal().store_note(&key, "").await {
            tracing::info!(%error, "that thread will be checked again");
        }
    }
    wanted
}

/// Whether a game has no place where its boards can be posted. A game whose first channel is still being
/// created is not homeless.
async fn has_no_channel(ctx: &Context, table: &Table, here: ChannelId) -> bool {
    match table.board_channel() {
        None => !is_due(ctx, table, |say| *say == OutboxItem::MakeThread).await,
        Some(board_channel) if board_channel.channel == here => false,
        Some(board_channel) => {
            matches!(ctx.api.is_there(board_channel.channel).await, Ok(false))
                || is_board_undelivered(ctx, table).await
        }
    }
}

/// Whether the board of this turn could not be posted in its channel: the thread is locked, or the bot has
/// lost a permission.
async fn is_board_undelivered(ctx: &Context, table: &Table) -> bool {
    let board = OutboxItem::Board { ply: table.ply() };
    let has_board = table.frozen_since().is_none() && posted_boards::is_posted(table, table.ply());
    // An earlier board of the same turn may have been posted, if the turn was taken back.
    let latest = ctx.registry.journal().latest(table.id(), &board).await;
    has_board && matches!(latest, Ok(None | Some((_, false)))) && !is_due(ctx, table, |_| true).await
}

/// Whether the outbox of a table contains an item for which `like` is true.
async fn is_due(ctx: &Context, table: &Table, predicate: impl Fn(&OutboxItem) -> bool) -> bool {
    let due = ctx.registry.journal().due_at(table.id(), MAX_DUE).await;
    due.map_or(true, |due| due.len() == MAX_DUE || due.iter().any(|due| predicate(&due.item)))
}
