//! The question before somebody gives up: answered by who was asked only, and without buttons once it is
//! answered or the game is over.
//!
//! Who asks by command or button is asked alone, and the answer takes the question's place. Who writes `resign`
//! is asked in the open: where such questions stand is kept in memory, and a press says it as well, so that
//! after a restart no more is lost than buttons that nobody presses.

use rookery_table::OrderError;

use rookery_core::Seat;
use rookery_table::{ChannelId, MessageId, Order, Status, Table, TableId, UserId};

use crate::discord::actions::relocation;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{ComponentPress, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Takes the buttons off a table's questions: those about a seat, or, once the game is over, all.
    pub(in crate::discord) async fn settle_questions(&self, table: TableId, seat: Option<Seat>) {
        self.without_buttons(self.resign_confirmations.settled(table, seat)).await;
    }

    /// The same for those about a seat, and the one that was just pressed.
    async fn settle_pressed(
        &self,
        table: TableId,
        seat: Seat,
        interaction: &Interaction,
        pressed: &ComponentPress,
    ) {
        let mut places = self.resign_confirmations.settled(table, Some(seat));
        let here = (interaction.place.channel, pressed.message);
        // The answer takes the place of one that its asker alone sees.
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
                tracing::info!(%channel, %message, %fault, "a question keeps its buttons");
            }
        }
    }
}

/// A question that was asked in the open can be answered by who was asked only.
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
    // A player with several seats would resign another one by now.
    if means_another(table, interaction.who, seat) {
        return ask_to_resign(ctx, table, interaction.who);
    }
    let done = |table: &Table| table.resigned().contains(&seat);
    let told = || ctx.view().resigned(table, seat);
    let answer = match ctx.order(table.id(), interaction.into(), Order::Resign, interaction.token.id).await {
        Ok(seen) => {
            relocation::with_board(ctx, interaction.place, interaction.who, &seen.table, told()).await
        }
        // A button that is pressed twice says twice what came of it.
        Err(_) if ctx.look_again(table).await.is_ok_and(|now| done(&now)) => told(),
        Err(post) => *post,
    };
    let now = ctx.look_again(table).await;
    if now.is_ok_and(|now| done(&now) || matches!(now.status(), Status::Over(_))) {
        ctx.settle_pressed(table.id(), seat, interaction, pressed).await;
    }
    answer
}

fn means_another(table: &Table, who: UserId, seat: Seat) -> bool {
    let acts = table.seat_of(who);
    *table.status() == Status::Running && acts != Some(seat) && !table.resigned().contains(&seat)
}

/// Minds can change.
pub(in crate::discord) async fn keep(
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

/// The question before giving up.
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

/// The seat with which somebody can act in a game that is on; else why they cannot.
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
