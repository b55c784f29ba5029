//! `/if`: plans replies to moves that the opponents may make.

use async_trait::async_trait;

use rookery_core::{Play, Seat};
use rookery_table::teams::Team;
use rookery_table::{Order, Table, UserId, plans};

use super::command::{Command, meant};
use super::common_options::TABLE;
use super::option_types::TableName;
use super::options::command_options;
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::view::panel::{self, PanelStage, PanelTarget};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ButtonAction;

pub(super) struct PlanCommand;

command_options! {
    pub(super) struct PlanOptions {
        plan: Option<String> = "plan", "command-if-plan";
        table: Option<TableName> = TABLE, "command-option-table";
    }
}

#[async_trait]
impl Command for PlanCommand {
    type Input = PlanOptions;

    fn name(&self) -> &'static str {
        "if"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: PlanOptions) -> OutgoingMessage {
        match meant(ctx, interaction, input.table.as_ref(), TablePurpose::Act).await {
            Ok(table) => confirm_or_list(ctx, interaction.who, &table, input.plan.as_deref()),
            Err(post) => *post,
        }
    }
}

/// Builds the confirmation of a plan, or without a text the list of planned replies.
pub fn confirm_or_list(ctx: &Context, who: UserId, table: &Table, text: Option<&str>) -> OutgoingMessage {
    let Some(text) = text else { return list_plans(ctx, who, table) };
    match plans::read(table, who, text) {
        Ok((seat, branches)) => ctx.view().plan_confirmation(table, seat, &branches),
        Err(refused) => OutgoingMessage::text(ctx.words.order_error(&refused, Some(table))),
    }
}

/// Builds the list of a person's planned replies.
pub fn list_plans(ctx: &Context, who: UserId, table: &Table) -> OutgoingMessage {
    let votes = |seat| table.team(seat).is_some_and(Team::votes);
    match table.seat_of(who) {
        Some(seat) if votes(seat) => OutgoingMessage::text(ctx.words.word("refused-team-votes")),
        Some(seat) => ctx.view().planned(table, seat),
        None => OutgoingMessage::text(ctx.words.not_seated(Some(table))),
    }
}

/// Deletes the plan with this mark, or all plans. A plan that is gone already needs no order; if another
/// press of the same button was faster, the answer is the remaining list.
pub async fn delete_plans(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    which: Option<&str>,
) -> OutgoingMessage {
    let Some(mark) = which else { return order_and_list(ctx, interaction, table, Order::Unplan(None)).await };
    let Some(branch) = marked(table, interaction.who, mark) else {
        return list_plans(ctx, interaction.who, table);
    };
    let order = Order::Unplan(Some(branch.clone()));
    let post = match ctx.order(table.id(), interaction.into(), order, interaction.token.id).await {
        Ok(seen) => return list_plans(ctx, interaction.who, &seen.table),
        Err(post) => post,
    };
    match ctx.look_again(table).await {
        Ok(now) if marked(&now, interaction.who, mark).is_none() => list_plans(ctx, interaction.who, &now),
        _ => *post,
    }
}

/// Returns the person's plan with this mark.
fn marked<'a>(table: &'a Table, who: UserId, mark: &str) -> Option<&'a plans::Branch> {
    let planned = table.seat_of(who).map_or(&[][..], |seat| table.plans().of(seat));
    planned.iter().find(|branch| plans::mark(branch) == mark)
}

/// Carries out an order about plans and shows the remaining ones.
pub async fn order_and_list(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    order: Order,
) -> OutgoingMessage {
    match ctx.order(table.id(), interaction.into(), order, interaction.token.id).await {
        Ok(seen) => list_plans(ctx, interaction.who, &seen.table),
        Err(post) => *post,
    }
}

/// Carries out one step of composing a plan. Once the planner's own move is complete, the confirmation is
/// shown.
pub fn step(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    moves: &[String],
    step: &ButtonAction,
    value: Option<&str>,
) -> OutgoingMessage {
    let refused = |key| OutgoingMessage::text(ctx.words.word(key));
    let (Some(play), Some(turn)) = (table.play(), table.to_move()) else { return refused("refused-over") };
    let Some(seat) = table.seat_of(interaction.who) else { return refused("refused-not-seated") };
    if turn == seat {
        return refused("refused-plan-own-turn");
    }
    let (mut taken, line) = match step {
        ButtonAction::Panel(taken) | ButtonAction::Pick(_, taken) => (taken.clone(), None),
        ButtonAction::Narrow(line, taken) => (taken.clone(), Some(*line)),
        _ => return refused("old-button"),
    };
    taken.extend(value.map(str::to_owned));
    let mut ahead = play.clone_play();
    if moves.iter().any(|text| ahead.play(text).is_err()) {
        return refused("refused-stale");
    }
    next_step(ctx, interaction, (table, seat), (moves.to_vec(), ahead), (taken, line))
}

/// Builds the next choice of a plan, after its moves so far (with the position after them) and the steps
/// taken there; forced turns are played automatically. Once the planner's own move is complete, the
/// confirmation of the whole plan is shown.
fn next_step(
    ctx: &Context,
    interaction: &Interaction,
    (table, seat): (&Table, Seat),
    (mut moves, mut play): (Vec<String>, Box<dyn Play>),
    (mut taken, line): (Vec<String>, Option<char>),
) -> OutgoingMessage {
    let refused = |key| OutgoingMessage::text(ctx.words.word(key));
    loop {
        match panel::stage(play.as_ref(), &taken) {
            PanelStage::Choose { taken, choices } => {
                let view = PanelTarget { table, play: play.as_ref(), side: seat, ahead: Some(&moves) };
                let post = ctx.view().panel_of(&view, &taken, &choices, line);
                return post.unwrap_or_else(|| refused("old-button"));
            }
            PanelStage::Done(text) => {
                let own = play.turn() == seat;
                let played = play.play(&text);
                moves.extend(played);
                taken.clear();
                if own {
                    return confirm_or_list(ctx, interaction.who, table, Some(&moves.join(" then ")));
                }
            }
            PanelStage::Nothing => return refused("plan-no-answer"),
        }
    }
}
