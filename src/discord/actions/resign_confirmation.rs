//! The question before somebody gives up: answered by who was asked only, and without buttons once it is
//! answered or the game is over.
//!
//! Who asks by command or button is asked alone, and the answer takes the question's place. Who writes `resign`
//! is asked in the open: where such questions stand is kept in memory, and a press says it as well, so that
//! after a restart no more is lost than buttons that nobody presses.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rookery_core::Seat;
use rookery_table::{Order, Person, Status, Table, TableId};

use crate::discord::actions::relocation;
use crate::discord::handlers::components::{ask_to_resign, holds};
use crate::discord::state::context::Context;
use crate::discord::wire::component_id::{ButtonAction, ComponentId};
use crate::discord::wire::interaction::{ComponentPress, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Tables whose questions are remembered before all are let go.
const CACHE_CAPACITY: usize = 1_000;

/// The questions that stand in the open, by table: whose seat it is about, the channel and the message. A copy
/// remembers the same.
#[derive(Clone, Default)]
pub struct ResignConfirmations(Arc<Mutex<HashMap<TableId, Vec<ConfirmationMessage>>>>);

type ConfirmationMessage = (Seat, u64, u64);

impl ResignConfirmations {
    /// Keeps where a question stands, if a message is one.
    pub(in crate::discord) fn note(&self, post: &OutgoingMessage, channel: u64, message: u64) {
        let asks = |press: ComponentId| match press.action {
            ButtonAction::ResignYes(seat) => Some((press.table, seat)),
            _ => None,
        };
        let parts = post.rows.iter().flatten();
        let Some((table, seat)) = parts.filter_map(|part| ComponentId::read(part.id()).ok()).find_map(asks)
        else {
            return;
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CACHE_CAPACITY {
            known.clear();
        }
        known.entry(table).or_default().push((seat, channel, message));
    }

    /// Lets go of a table's questions that are settled: those about a seat, or all; where they stand.
    fn settled(&self, table: TableId, seat: Option<Seat>) -> Vec<(u64, u64)> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (settled, open): (Vec<_>, Vec<_>) = known
            .remove(&table)
            .unwrap_or_default()
            .into_iter()
            .partition(|(about, ..)| seat.is_none_or(|seat| seat == *about));
        if !open.is_empty() {
            known.insert(table, open);
        }
        settled.into_iter().map(|(_, channel, message)| (channel, message)).collect()
    }
}

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

    async fn without_buttons(&self, places: Vec<(u64, u64)>) {
        for (channel, message) in places {
            if let Err(fault) =
                self.api.edit(channel, message, &OutgoingMessage::edit_without_buttons()).await
            {
                tracing::info!(channel, message, %fault, "a question keeps its buttons");
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
    // Whoever holds several seats would give up another one by now.
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

fn means_another(table: &Table, who: Person, seat: Seat) -> bool {
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
