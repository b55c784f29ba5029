//! Presses before a game begins: taking, leaving and filling seats.

use rookery_core::player::Level;
use rookery_table::{Actor, Occupant, Order, Status, Table, TableError, UserId, decide};

use super::order;
use crate::discord::policy::{server_rules, teams};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ButtonAction;

/// Takes a seat. The first person on a seat reserved for a team becomes its captain.
pub(super) async fn join(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    if is_own_challenge(table, interaction.who) {
        return ctx.view().own_challenge(table);
    }
    match teams::join_order(ctx, table, interaction.into()) {
        Ok(way) => before_start(ctx, interaction, table, way).await,
        Err(sentence) => OutgoingMessage::text(sentence),
    }
}

/// Declines a challenge. The person who made it gets its other buttons.
pub(super) async fn decline(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    if is_own_challenge(table, interaction.who) {
        return ctx.view().own_challenge(table);
    }
    before_start(ctx, interaction, table, Order::Decline).await
}

/// Whether a person has opened a table that waits for others.
fn is_own_challenge(table: &Table, who: UserId) -> bool {
    *table.status() == Status::Waiting && table.host() == who && table.seat_of(who).is_some()
}

/// Leaves a seat before the game begins. An invited person who presses the host's button is asked first.
pub(super) async fn leave_pressed(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
) -> OutgoingMessage {
    let is_invited = table.chairs().contains(&Occupant::Invited { person: interaction.who });
    if is_invited && *table.status() == Status::Waiting && table.host() != interaction.who {
        return ctx.view().not_your_challenge(table);
    }
    leave(ctx, interaction, table).await
}

/// Leaves a seat before the game begins.
pub(in crate::discord) async fn leave(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
) -> OutgoingMessage {
    before_start(ctx, interaction, table, Order::Leave).await
}

pub(super) async fn before_start(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    what: Order,
) -> OutgoingMessage {
    let done = done_before_start(table, interaction.who, &what);
    order(ctx, interaction, table, what, done).await
}

/// Returns the key of the answer to an order at a waiting table. A host who leaves closes it; an invited
/// person declines the challenge.
pub(in crate::discord) fn done_before_start(table: &Table, who: UserId, order: &Order) -> &'static str {
    let is_invited = table.chairs().contains(&Occupant::Invited { person: who });
    match order {
        Order::Lead { .. } => "joined-team",
        Order::Join => "joined",
        Order::Leave if table.host() == who => "closed",
        Order::Leave if !is_invited => "left",
        _ => "declined",
    }
}

/// Asks for the level at which the bot fills the free seats.
pub(super) async fn ask_to_fill(ctx: &Context, table: &Table, who: UserId) -> OutgoingMessage {
    let refused = match table.status() {
        Status::Waiting if table.host() == who => {
            return ctx.view().fill(table, server_rules::max_level(ctx, table.terms().guild).await);
        }
        Status::Waiting => "refused-not-host",
        Status::Running => "refused-begun",
        Status::Over(_) => "refused-over",
    };
    OutgoingMessage::text(ctx.words.word(refused))
}

pub(super) async fn fill(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    value: Option<&str>,
) -> OutgoingMessage {
    match value.and_then(Level::named) {
        Some(level) => order(ctx, interaction, table, Order::Fill(level), "filled").await,
        None => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

/// Asks for the level at which the bot takes over a seat, or says why it cannot.
pub(super) async fn ask_for_level(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    order: fn(Level) -> Order,
    action: ButtonAction,
) -> OutgoingMessage {
    // The level does not matter for the check.
    let tried = order(Level::Random);
    if let Err(sentence) = server_rules::may_seat(ctx, table, interaction.who, &tried).await {
        return OutgoingMessage::text(sentence);
    }
    match decide::decide(table, Actor::Person(interaction.who), &tried, None, ctx.registry.now()) {
        Ok(_) => {
            ctx.view().level_menu(table, action, server_rules::max_level(ctx, table.terms().guild).await)
        }
        Err(refused) => {
            OutgoingMessage::text(ctx.words.table_error(&TableError::Refused(refused), Some(table)))
        }
    }
}
