//! The link from an answer to the channel with a game's boards.

use std::time::Duration;

use rookery_table::{ChannelId, Status, Table};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// How long the answer waits for the thread of a new game, so that it can link to it.
const CHANNEL_WAIT: Duration = Duration::from_secs(4);
/// The interval between two looks for that thread.
const CHANNEL_POLL: Duration = Duration::from_millis(50);

/// Adds the link to the channel with the game's boards, unless the person is there already.
pub(in crate::discord) async fn with_board_link(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    mut post: OutgoingMessage,
) -> OutgoingMessage {
    let channel = board_channel(ctx, table).await;
    if let Some(channel) = channel.filter(|channel| *channel != interaction.place.channel) {
        let link = ctx.words.say("play-go", &[("place", format!("<#{channel}>").into())]);
        post.content = format!("{} {link}", post.content);
    }
    post
}

/// Waits for the channel with the boards of a game that has begun, which the outbox creates; `None` if it takes
/// too long.
async fn board_channel(ctx: &Context, table: &Table) -> Option<ChannelId> {
    let channel_of = |table: &Table| table.board_channel().map(|board_channel| board_channel.channel);
    if *table.status() != Status::Running || !table.terms().thread {
        return channel_of(table);
    }
    let created = async {
        loop {
            let now = ctx.registry.table(table.id()).await.ok()?;
            if let Some(channel) = channel_of(&now) {
                return Some(channel);
            }
            tokio::time::sleep(CHANNEL_POLL).await;
        }
    };
    tokio::time::timeout(CHANNEL_WAIT, created).await.ok().flatten()
}
