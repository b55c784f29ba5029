//! The confirmation of a resignation: only the person asked can answer it, and its buttons are removed once
//! it is answered or the game is over.
//!
//! A resignation by command or button is confirmed in an ephemeral message, and the answer replaces it. One
//! by the message `resign` is confirmed in public. The public confirmations are kept in memory only: after a
//! restart some may keep their buttons, but a press still works, because its custom id carries the seat.

use rookery_table::OrderError;

use rookery_core::Seat;
use rookery_table::{ChannelId, MessageId, Order, Status, Table, TableId, UserId};

use crate::discord::actions::relocation;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{ComponentPress, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Removes the buttons from a table's confirmations: those for a seat, or all once the game is over.
    pub(in crate::discord) async fn remove_confirmation_buttons(&self, table: TableId, seat: Option<Seat>) {
        self.without_buttons(self.resign_confirmations.settled(table, seat)).await;
    }

    /// Removes the buttons from the confirmations for a seat and from the one that was pressed.
    async fn settle_pressed(
        &self,
        table: TableId,
        seat: Seat,
        interaction: &Interaction,
        pressed: &ComponentPress,
    ) {
        let mut places = self.resign_confirmations.settled(table, Some(seat));
        let here = (interaction.place.channel, pressed.message);
        // The answer replaces an ephemeral confirmation, so it needs no edit.
        if interaction.place.ours && !pressed.private && !places.contains(&here) {
            places.push(here);
        }
        self.without_buttons(places).await;
    }

    async fn without_buttons(&self, places: Vec<(ChannelId, MessageId)>) {
        for (channel, message) in places {
            if let Err(fault) =
                self.api.edit(channel, message, &OutgoingMessage::edit_without_buttons()).await
            {
                tracing::info!(%channel, %message, %fault, "could not remove the buttons of a question");
            }
        }
    }
}

/// Carries out a confirmed resignation. Only the person asked can confirm a public one.
pub(in crate::discord) async fn resign(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    seat: Seat,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    if !holds(table, interaction.who, seat) {
        return OutgoingMessage::text(ctx.words.word("not-for-you"));
    }
    // A player with several seats may be asked for another one by now.
    if is_for_other_seat(table, interaction.who, seat) {
        return ask_to_resign(ctx, table, interaction.who);
    }
    let done = |table: &Table| !table.still_plays(seat);
    let told = || ctx.view().resigned(table, seat);
    let answer = match ctx.order(table.id(), interaction.into(), Order::Resign, interaction.token.id).await {
        Ok(seen) => {
            relocation::with_board(ctx, interaction.place, interaction.who, &seen.table, told()).await
        }
        // A second press of the same button gets the same answer as the first.
        Err(_) if ctx.look_again(table).await.is_ok_and(|now| done(&now)) => told(),
        Err(post) => *post,
    };
    let now = ctx.look_again(table).await;
    if now.is_ok_and(|now| done(&now) || matches!(now.status(), Status::Over(_))) {
        ctx.settle_pressed(table.id(), seat, interaction, pressed).await;
    }
    answer
}

fn is_for_other_seat(table: &Table, who: UserId, seat: Seat) -> bool {
    let acts = table.seat_of(who);
    *table.status() == Status::Running && acts != Some(seat) && table.still_plays(seat)
}

/// Cancels the resignation if the person holds the seat; returns the answer.
pub(in crate::discord) async fn cancel(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    seat: Seat,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    let holds = holds(table, interaction.who, seat);
    if holds {
        ctx.settle_pressed(table.id(), seat, interaction, pressed).await;
    }
    let key = if holds { "resign-kept" } else { "not-for-you" };
    OutgoingMessage::text(ctx.words.say(key, &[("table", table.id().as_str().into())]))
}

/// Builds the confirmation of a resignation.
pub fn ask_to_resign(ctx: &Context, table: &Table, who: UserId) -> OutgoingMessage {
    let captain = |seat| table.team(seat).map(|team| team.captain).filter(|captain| *captain != who);
    match seat_to_act(ctx, table, who) {
        Ok(seat) => match captain(seat) {
            Some(captain) => {
                OutgoingMessage::text(ctx.words.order_error(&OrderError::NotCaptain { captain }, Some(table)))
            }
            None => ctx.view().resign_confirmation(table, seat),
        },
        Err(refused) => OutgoingMessage::text(refused),
    }
}

/// Returns the seat of a player in a running game, or why the person cannot act in it.
pub(in crate::discord) fn seat_to_act(ctx: &Context, table: &Table, who: UserId) -> Result<Seat, String> {
    match (table.status(), table.seat_of(who)) {
        (Status::Running, Some(seat)) => Ok(seat),
        (Status::Over(_), _) => Err(ctx.words.word("refused-over")),
        (_, None) => Err(ctx.words.not_seated(Some(table))),
        (Status::Waiting, Some(_)) => Err(ctx.words.word("refused-not-begun")),
    }
}

pub(in crate::discord) fn holds(table: &Table, who: UserId, seat: Seat) -> bool {
    table.occupant(seat).and_then(|occupant| occupant.person()) == Some(who)
}
