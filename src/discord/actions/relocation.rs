//! A new home for a game whose thread or channel is gone or closed to us: where one of its players asks for the board,
//! or moves. A game whose thread was only closed goes back there once it is open.

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

/// Unfinished games of a server that are looked through for those of a deleted channel.
const MAX_CARDS: usize = 10_000;
/// Rows of the outbox that are looked through.
const MAX_DUE: usize = 200;

/// Gives the game a home where it is asked for, if it has none any more; whether it did.
pub async fn move_here(ctx: &Context, interaction: &Interaction, table: &Table) -> bool {
    let may = may_live(ctx, table, interaction.place, interaction.who).await;
    may && is_homeless(ctx, table, interaction.place.channel).await
        && move_to(ctx, interaction.place, table).await
}

/// An answer to a player who moved elsewhere than where the boards are. Where nothing can be posted there any more
/// the game moves to where they are, if all players can see it there; else the answer shows them the board.
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
    if may_live(ctx, table, place, who).await && move_to(ctx, place, table).await {
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
            tracing::warn!(table = %table.id(), %denied, "a game that has lost its home finds none");
            false
        }
    }
}

/// Whether the place of a game that goes on, or is over, is gone, and the channel as well that its thread hung under.
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

/// Whether a person may bring the game to a place: a player, to where all players can see it and nobody else who
/// could not see it before.
async fn may_live(ctx: &Context, table: &Table, place: InteractionChannel, who: UserId) -> bool {
    let running = *table.status() == Status::Running;
    if !(place.ours && running && table.concerns(who) && missing(place).is_empty()) {
        return false;
    }
    let people: Vec<UserId> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
    let alone = people.iter().all(|person| *person == who) && !table.terms().has_teams();
    // A person had installed the bot for this channel, and it is a member now.
    let same_channel = place.channel == table.terms().channel;
    alone || same_channel || keeps_its_readers(ctx, table, place, &people).await
}

/// Whether a channel of the table's server shows the game to nobody who could not read it so far. Of a channel that
/// was deleted only [`note_deleted_channel`] says who could: unless everybody could, the new one must not be open to
/// everybody. And all who sit there must be able to read the new one.
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

/// The key of the note that everybody on the server could read a channel that was deleted.
fn open_channel_note(channel: ChannelId) -> String {
    format!("deleted-open-channel-{channel}")
}

/// Keeps that everybody could read a channel that is being deleted, if games are played there that may have to move.
/// Without the note, for instance because the bot was away, a channel counts as closed.
pub(in crate::discord) async fn note_deleted_channel(
    ctx: &Context,
    guild: GuildId,
    channel: ChannelId,
    described: &Value,
) {
    let filter = Filter { guild: Some(guild), unfinished: true, most: MAX_CARDS, ..Filter::default() };
    let cards = ctx.registry.list(&filter).await.unwrap_or_default();
    let is_here = |card: &Card| {
        card.opened_in == Some(channel) || card.board_channel.is_some_and(|board| board.channel == channel)
    };
    if cards.iter().any(is_here)
        && ctx.was_open(guild, described).await
        && let Err(error) = ctx.registry.journal().keep_note(&open_channel_note(channel), "1").await
    {
        tracing::warn!(%error, %channel, "games of a deleted channel move to closed channels only");
    }
}

async fn was_open(ctx: &Context, channel: ChannelId) -> bool {
    matches!(ctx.registry.journal().note(&open_channel_note(channel)).await, Ok(Some(_)))
}

/// Under which names it is kept that a table left its thread because nothing may be posted there: by the thread, and
/// by the table.
fn thread_note(thread: ChannelId) -> String {
    format!("closed-thread-{thread}")
}

fn table_note(table: TableId) -> String {
    format!("closed-thread-of-{table}")
}

/// Keeps that a table leaves its thread because nothing may be posted there.
///
/// # Errors
/// If the journal does not take it.
pub(in crate::discord) async fn note_closed_thread(
    ctx: &Context,
    table: TableId,
    thread: ChannelId,
) -> Result<(), StoreError> {
    let journal = ctx.registry.journal();
    journal.keep_note(&thread_note(thread), table.as_str()).await?;
    journal.keep_note(&table_note(table), &thread.to_string()).await
}

/// A thread takes messages again, or may: a game that left it goes back there.
pub(in crate::discord) async fn thread_opened(ctx: &Context, thread: ChannelId) {
    let note = ctx.registry.journal().note(&thread_note(thread)).await.ok().flatten();
    let Some(table) = note.and_then(|id| id.parse::<TableId>().ok()) else { return };
    if let Ok(table) = ctx.registry.table(table).await {
        go_back(ctx, &table, thread).await;
    }
}

/// Brings a game back to the thread that it left, if that takes messages now; whether it did.
pub(in crate::discord) async fn return_to_thread(ctx: &Context, table: &Table) -> bool {
    let note = ctx.registry.journal().note(&table_note(table.id())).await.ok().flatten();
    let Some(thread) = note.and_then(|thread| thread.parse().ok()) else { return false };
    matches!(ctx.api.is_open_thread(thread).await, Ok(true)) && go_back(ctx, table, thread).await
}

async fn go_back(ctx: &Context, table: &Table, thread: ChannelId) -> bool {
    let wanted = *table.status() == Status::Running && table.frozen_since().is_none();
    let board_channel = BoardChannel { channel: thread, thread: true };
    if wanted {
        ctx.refused_channels.forget(thread);
        if let Err(denied) =
            ctx.registry.order(table.id(), Actor::System, Order::SetBoardChannel(board_channel), None).await
        {
            tracing::warn!(table = %table.id(), %denied, "a game does not go back to its thread");
            return false;
        }
        tracing::info!(table = %table.id(), "the thread is open again; back there");
    }
    for key in [thread_note(thread), table_note(table.id())] {
        if let Err(error) = ctx.registry.journal().keep_note(&key, "").await {
            tracing::info!(%error, "it will be looked at that thread once more");
        }
    }
    wanted
}

/// Whether a game has no place where its boards can be posted. One that is only on its way to its first place is not
/// homeless.
async fn is_homeless(ctx: &Context, table: &Table, here: ChannelId) -> bool {
    match table.board_channel() {
        None => !is_due(ctx, table, |say| *say == OutboxItem::MakeThread).await,
        Some(board_channel) if board_channel.channel == here => false,
        Some(board_channel) => {
            matches!(ctx.api.is_there(board_channel.channel).await, Ok(false)) || is_unseen(ctx, table).await
        }
    }
}

/// Whether the board of this turn was given up, because nothing may be posted any more where it belongs: the thread
/// is locked, or somebody took leave from us.
async fn is_unseen(ctx: &Context, table: &Table) -> bool {
    let board = OutboxItem::Board { ply: table.ply() };
    let has_board = table.frozen_since().is_none() && posted_boards::is_posted(table, table.ply());
    // The same turn may have had a board before, and been taken back.
    let latest = ctx.registry.journal().latest(table.id(), &board).await;
    has_board && matches!(latest, Ok(None | Some((_, false)))) && !is_due(ctx, table, |_| true).await
}

/// Whether something like that is yet to be said at a table, as far as is known.
async fn is_due(ctx: &Context, table: &Table, like: impl Fn(&OutboxItem) -> bool) -> bool {
    let due = ctx.registry.journal().due_at(table.id(), MAX_DUE).await;
    due.map_or(true, |due| due.len() == MAX_DUE || due.iter().any(|due| like(&due.item)))
}
