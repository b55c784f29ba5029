//! Presses of buttons and selects: each becomes an order, a picture or a panel.

mod before_start;

use jiff::SignedDuration;
use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_table::access::Action;
use rookery_table::requests::OrderOutcome;
use rookery_table::{Event, Occupant, Order, Status, Table, UserId, offers};

use crate::discord::actions::board_link::with_board_link;
use crate::discord::actions::browsers;
use crate::discord::actions::relocation;
use crate::discord::actions::rematch;
use crate::discord::actions::resign_confirmation;
use crate::discord::actions::resign_confirmation::{ask_to_resign, holds, seat_to_act};
use crate::discord::actions::sharing;
use crate::discord::actions::vote_answers;
use crate::discord::handlers::commands::analyse::{analyse, turning};
use crate::discord::handlers::commands::hint::hint;
use crate::discord::handlers::commands::{challenge_menu, games, owner, picture_import, plan, privacy};
use crate::discord::handlers::lesson;
use crate::discord::handlers::response::ResponseMode;
use crate::discord::handlers::settings;
use crate::discord::handlers::start;
use crate::discord::handlers::viewer_buttons;
use crate::discord::policy::bans;
use crate::discord::policy::teams;
use crate::discord::state::context::Context;
use crate::discord::view;
use crate::discord::view::panel::{self, PanelStage};
use crate::discord::wire::challenge_id::ChallengeId;
use crate::discord::wire::custom_id::CustomId;
use crate::discord::wire::form::Form;
use crate::discord::wire::interaction::{ComponentPress, Interaction, InteractionChannel};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::start_id::StartId;
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};
use before_start::{ask_for_level, ask_to_fill, decline, fill, join, leave_pressed};

pub(in crate::discord) use before_start::{done_before_start, leave};

/// Returns how a press is answered: by updating the message if only the presser sees it, or by a separate
/// message for answers that must leave the buttons in place, such as the board as text. Where the bot is not
/// a member, a press below a public message is what allows the bot to edit that message.
pub fn mode(place: InteractionChannel, pressed: &ComponentPress) -> ResponseMode {
    if !place.ours && !pressed.private {
        return ResponseMode::FollowUp;
    }
    let beside = match &pressed.custom_id {
        CustomId::Table(press) => match press.action {
            ButtonAction::Text | ButtonAction::Analyse | ButtonAction::Turning | ButtonAction::OpenBoard => {
                true
            }
            ButtonAction::Viewer(step, _) => step.answers_separately(),
            _ => false,
        },
        CustomId::Lesson(lesson) => lesson.answers_separately(),
        _ => false,
    };
    if pressed.private && !beside { ResponseMode::Update } else { ResponseMode::New }
}

/// Whether a press may open a form, which must be the first answer.
pub fn may_open_form(pressed: &ComponentPress) -> bool {
    match &pressed.custom_id {
        CustomId::Start(StartId::Pick(..)) => true,
        // What was sent with the form has the same id.
        CustomId::PicturePoints(_) => pressed.values.is_empty(),
        _ => false,
    }
}

/// Returns the form that a press opens; `None` for the presses that are answered with a message.
pub async fn form(ctx: &Context, interaction: &Interaction, pressed: &ComponentPress) -> Option<Form> {
    match &pressed.custom_id {
        CustomId::Start(start) => start::form(ctx, interaction, pressed, start).await,
        CustomId::PicturePoints(id) => picture_import::points_form(ctx, id, &pressed.content),
        _ => None,
    }
}

/// Lets the bot take over the presser's seat.
const STAND_IN: fn(Level) -> Order = |level| Order::Substitute { level };
/// Lets the bot play on for the player to move.
const SEAT_PROGRAM: fn(Level) -> Order = |level| Order::SeatProgram { level };

/// How long repeated presses of a button below the same message count as one press.
const SAME_PRESS: SignedDuration = SignedDuration::from_secs(10);

/// Carries out a press; only the presser sees the answer. An action that would take effect each time is
/// carried out only once if the button is pressed twice.
pub async fn handle_press(
    ctx: &Context,
    interaction: &Interaction,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    if let Some(post) = bans::refuse_banned_press(ctx, interaction, pressed).await {
        return post;
    }
    // The future is boxed because it is large and would be copied on the stack several times.
    let work = Box::pin(carried_out(ctx, interaction, pressed));
    if !pressed.custom_id.takes_effect_again() {
        return work.await;
    }
    let (who, message, values) = (interaction.who.0, pressed.message, pressed.values.join(" "));
    let what = format!("press {who} {message} {} {values}", pressed.id);
    // Opening a table reports this error only as a sentence. A press that could not be stored may be
    // repeated.
    let not_kept = ctx.words.word("denied-journal");
    let work = async {
        let post = work.await;
        OutgoingMessage { not_kept: post.not_kept || post.content == not_kept, ..post }
    };
    ctx.recent_presses.run_or_reuse(what, (ctx.registry.now(), SAME_PRESS), work).await
}

async fn carried_out(ctx: &Context, interaction: &Interaction, pressed: &ComponentPress) -> OutgoingMessage {
    let value = pressed.values.first().map(String::as_str);
    match &pressed.custom_id {
        CustomId::Table(press) => at_table(ctx, interaction, press, pressed).await,
        CustomId::Lesson(step) => lesson::pressed(ctx, interaction, step, value).await,
        CustomId::Challenge(ChallengeId(target)) => {
            challenge_menu::chosen(ctx, interaction, *target, value).await
        }
        CustomId::GameList(page) => games::shown(ctx, interaction, page).await,
        CustomId::Share(action, table) => sharing::pressed(ctx, interaction, *action, *table).await,
        CustomId::Owner(action) => owner::pressed(ctx, interaction, *action).await,
        CustomId::Privacy(action) => privacy::pressed(ctx, interaction, *action).await,
        CustomId::Start(start) => start::pressed(ctx, interaction, start, pressed).await,
        CustomId::PictureCell(id) => {
            picture_import::chosen(ctx, interaction, id, value, &pressed.content).await
        }
        CustomId::PictureOrientation(id) => {
            picture_import::orientation_chosen(ctx, interaction, id, &pressed.content).await
        }
        CustomId::PictureTurn(id) => {
            picture_import::turn_chosen(ctx, interaction, id, &pressed.content).await
        }
        CustomId::PicturePoints(id) => {
            picture_import::points_sent(ctx, interaction, id, (&pressed.values, &pressed.content)).await
        }
        CustomId::PictureBack(id) => picture_import::back(ctx, id, &pressed.content).await,
        CustomId::PicturePlayOn(id) => picture_import::play_on(ctx, interaction, *id).await,
        CustomId::Setting(setting) => settings::pressed(ctx, interaction, setting, &pressed.values).await,
        // The help is answered before: it lists all commands, and some of them use this file.
        CustomId::Help(_) | CustomId::Unknown => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

async fn at_table(
    ctx: &Context,
    interaction: &Interaction,
    press: &TableButtonId,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    let table = match ctx.open_table(interaction.into(), press.table, Action::See).await {
        Ok(table) if press.moves() => teams::enlisted(ctx, table, interaction.into()).await,
        Ok(table) => table,
        Err(post) => return *post,
    };
    act(ctx, interaction, &table, press, pressed).await
}

/// Carries out the actions that mean the same at any ply.
async fn act(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    press: &TableButtonId,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    let value = pressed.values.first().map(String::as_str);
    match &press.action {
        ButtonAction::Join => join(ctx, interaction, table).await,
        ButtonAction::Leave => leave_pressed(ctx, interaction, table).await,
        ButtonAction::Decline => decline(ctx, interaction, table).await,
        ButtonAction::Fill => ask_to_fill(ctx, table, interaction.who).await,
        ButtonAction::FillWith => fill(ctx, interaction, table, value).await,
        ButtonAction::Plans => plan::list_plans(ctx, interaction.who, table),
        ButtonAction::Board => viewer_buttons::watch(ctx, interaction, table).await,
        ButtonAction::Analyse => analyse(ctx, interaction, table).await,
        ButtonAction::Turning => turning(ctx, interaction, table, press.ply).await,
        ButtonAction::Viewer(step, view_options) => {
            viewer_buttons::handle(ctx, interaction, table, (press.ply, *step, *view_options), value).await
        }
        ButtonAction::Text => ctx.view().state_text(table),
        ButtonAction::OpenBoard => browsers::open_board(ctx, interaction, table).await,
        ButtonAction::Resign => ask_to_resign(ctx, table, interaction.who),
        ButtonAction::ResignYes(seat) => {
            resign_confirmation::resign(ctx, interaction, table, *seat, pressed).await
        }
        ButtonAction::ResignNo(seat) => {
            resign_confirmation::cancel(ctx, interaction, table, *seat, pressed).await
        }
        ButtonAction::Agree(number) => answer(ctx, interaction, table, (press.ply, *number), true).await,
        ButtonAction::Disagree(number) => answer(ctx, interaction, table, (press.ply, *number), false).await,
        ButtonAction::More if table.seat_of(interaction.who).is_none() => {
            viewer_buttons::watch(ctx, interaction, table).await
        }
        ButtonAction::More => more(ctx, table, interaction.who),
        ButtonAction::Offer(offer) if offers::ends_without_consent(table, interaction.who, *offer) => {
            ctx.view().offer_confirmation(table, interaction.who, *offer)
        }
        ButtonAction::Offer(offer) | ButtonAction::OfferYes(offer) => {
            order_with_consent(ctx, interaction, table, Order::Offer(*offer)).await
        }
        ButtonAction::Hint => hint(ctx, interaction, table).await,
        ButtonAction::Rematch => match rematch::open_or_join(ctx, interaction.into(), table).await {
            Ok(found) => {
                with_board_link(ctx, interaction, &found.table, OutgoingMessage::text(found.text)).await
            }
            Err(post) => *post,
        },
        ButtonAction::StandIn => {
            ask_for_level(ctx, interaction, table, STAND_IN, ButtonAction::StandInWith).await
        }
        ButtonAction::StandInWith => match value.and_then(Level::named) {
            Some(level) => order_with_consent(ctx, interaction, table, Order::Substitute { level }).await,
            None => OutgoingMessage::text(ctx.words.word("old-button")),
        },
        ButtonAction::ComeBack => order_with_consent(ctx, interaction, table, Order::ComeBack).await,
        ButtonAction::Accept => {
            order_with_consent(ctx, interaction, table, Order::Accept { yes: true }).await
        }
        ButtonAction::PlayOn => {
            order_with_consent(ctx, interaction, table, Order::Accept { yes: false }).await
        }
        ButtonAction::Proof => {
            ctx.view().proof(table).unwrap_or_else(|| old_button_answer(ctx, interaction, table))
        }
        ButtonAction::Resume => order_with_consent(ctx, interaction, table, Order::Resume).await,
        ButtonAction::Vote(number, proposal) => vote(ctx, interaction, table, (*number, *proposal)).await,
        ButtonAction::Play(steps) => play(ctx, interaction, table, press.ply, steps.concat()).await,
        _ if press.ply != table.ply() => outdated_panel_answer(ctx, interaction, table),
        action => act_this_turn(ctx, interaction, table, action, pressed).await,
    }
}

/// Carries out the actions that apply only to the turn in which the button was created.
async fn act_this_turn(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    action: &ButtonAction,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    let value = pressed.values.first().map(String::as_str);
    match action {
        ButtonAction::PlanStep(moves, step) => plan::step(ctx, interaction, table, moves, step, value),
        ButtonAction::PlanYes => {
            let text = view::plan::of_message(&pressed.content);
            plan::order_and_list(ctx, interaction, table, Order::Plan(text)).await
        }
        ButtonAction::Unplan(which) => plan::delete_plans(ctx, interaction, table, which.as_deref()).await,
        ButtonAction::Narrow(line, taken) => panel_at(ctx, interaction, table, taken, Some(*line)),
        ButtonAction::Claim => {
            let done = if table.others_play_on() { "claim-out-done" } else { "claim-done" };
            order(ctx, interaction, table, Order::Claim, done).await
        }
        ButtonAction::GiveTime => order(ctx, interaction, table, Order::GiveTime, "give-done").await,
        ButtonAction::SeatProgram => {
            ask_for_level(ctx, interaction, table, SEAT_PROGRAM, ButtonAction::SeatProgramWith).await
        }
        ButtonAction::SeatProgramWith => match value.and_then(Level::named) {
            Some(level) => {
                order(ctx, interaction, table, Order::SeatProgram { level }, "program-seated").await
            }
            None => OutgoingMessage::text(ctx.words.word("old-button")),
        },
        ButtonAction::Panel(taken) => panel_at(ctx, interaction, table, taken, None),
        ButtonAction::Pick(_, taken) => pick(ctx, interaction, table, taken, value).await,
        ButtonAction::Column(_, taken) => {
            panel_at(ctx, interaction, table, taken, value.and_then(|value| value.chars().next()))
        }
        // All other actions mean the same at any time.
        _ => old_button_answer(ctx, interaction, table),
    }
}

async fn vote(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    (number, proposal): (u64, u16),
) -> OutgoingMessage {
    order_with_consent(ctx, interaction, table, Order::Vote { number, proposal: proposal.into() }).await
}

/// Gives an order; returns the answer, which links to the boards if the game begins with it.
async fn order(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    order: Order,
    done: &str,
) -> OutgoingMessage {
    let seen = match ctx.order(table.id(), interaction.into(), order, interaction.token.id).await {
        Ok(seen) => seen,
        Err(refusal) => return *refusal,
    };
    let post = OutgoingMessage::text(ctx.words.say(done, &[("table", table.id().as_str().into())]));
    match (table.status(), seen.table.status()) {
        (Status::Waiting, Status::Running) => with_board_link(ctx, interaction, &seen.table, post).await,
        _ => post,
    }
}

/// Answers a button of an earlier turn with the current board and new buttons.
fn old_button_answer(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    let mut post = ctx.view().state(table, Some(interaction.who));
    post.content = format!("{}\n{}", ctx.words.word("refused-stale"), post.content);
    post
}

/// Answers a panel or a question of an earlier turn: a person whose turn it is again gets the current one.
fn outdated_panel_answer(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    let turn = table.to_move();
    if ctx.view().is_bot_to_move(table) && table.seat_of(interaction.who).is_some() {
        return OutgoingMessage::text(ctx.words.word("panel-bot-thinks"));
    }
    if turn.is_none() || turn != table.seat_of(interaction.who) {
        return old_button_answer(ctx, interaction, table);
    }
    let mut post = panel_at(ctx, interaction, table, &[], None);
    let told = ctx.view().now_line(table);
    post.content = format!("{}\n{told}\n{}", ctx.words.word("refused-stale"), post.content);
    post
}

/// Builds the menu of less common actions.
fn more(ctx: &Context, table: &Table, who: UserId) -> OutgoingMessage {
    match seat_to_act(ctx, table, who) {
        Ok(_) => ctx.view().more(table, who),
        Err(refused) => OutgoingMessage::text(refused),
    }
}

/// Answers an offer. An answer to an offer of an earlier turn, or to another offer, must not count for this
/// one.
async fn answer(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    made: (usize, u64),
    yes: bool,
) -> OutgoingMessage {
    let (ply, number) = made;
    if ply != table.ply() {
        return OutgoingMessage::text(ctx.words.word("refused-no-offer"));
    }
    let to = (number != 0).then_some(number);
    order(ctx, interaction, table, Order::Answer { yes, to }, "answer-given").await
}

/// Gives an order that needs the consent of the other players; returns the answer for its author.
pub async fn order_with_consent(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    order: Order,
) -> OutgoingMessage {
    match ctx.order(table.id(), interaction.into(), order, interaction.token.id).await {
        Ok(seen) => order_confirmation(ctx, &seen),
        Err(post) => *post,
    }
}

/// Builds the confirmation of an order, in one sentence.
pub fn order_confirmation(ctx: &Context, seen: &OrderOutcome) -> OutgoingMessage {
    let table = [("table", seen.table.id().to_string().into())];
    // Leaving may also decide a vote, which the board reports.
    if seen.events.iter().any(|event| matches!(event, Event::Departed { .. })) {
        return OutgoingMessage::text(ctx.words.say("team-left", &table));
    }
    if let Some(post) = vote_answers::vote_answer(ctx, seen) {
        return post;
    }
    let key = match seen.events.last() {
        Some(Event::Moved { .. }) => return played(ctx, seen),
        Some(Event::Offered { .. }) => "offer-made",
        // An answer in the same outcome as the offer comes from the bot.
        Some(Event::Declined { .. }) if is_offer_made(seen) => "offer-made-no",
        _ if is_offer_made(seen) => "offer-made-yes",
        Some(Event::Declined { .. } | Event::Agreed { .. } | Event::Accepted { .. }) => "answer-given",
        Some(Event::Undone { .. }) => "undo-done",
        Some(Event::Enlisted { .. }) => "team-back",
        Some(Event::Seated { occupant: Occupant::Ai { .. }, .. }) => "stand-in-done",
        Some(Event::Seated { .. }) => "back-done",
        Some(Event::Paused { .. }) => "pause-done",
        Some(Event::Resumed { .. }) => "resume-done",
        _ => "order-done",
    };
    OutgoingMessage::text(ctx.words.say(key, &table))
}

/// Whether an offer was made.
fn is_offer_made(seen: &OrderOutcome) -> bool {
    seen.events.iter().any(|event| matches!(event, Event::Offered { .. }))
}

/// Builds the panel after these steps, or an answer that says why there is none.
pub fn panel_at(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    taken: &[String],
    column: Option<char>,
) -> OutgoingMessage {
    let refused = |key| OutgoingMessage::text(ctx.words.word(key));
    let (Some(play), Some(turn)) = (table.play(), table.to_move()) else {
        return refused(if *table.status() == Status::Waiting {
            "refused-not-begun"
        } else {
            "refused-over"
        });
    };
    match table.seat_of(interaction.who) {
        None => return OutgoingMessage::text(ctx.words.not_seated(Some(table))),
        Some(seat) if seat != turn => return not_yet(ctx, table, turn),
        Some(_) => {}
    }
    let shown = match panel::stage(play, taken) {
        PanelStage::Choose { taken, choices } => {
            ctx.view().panel(table, interaction.who, &taken, &choices, column)
        }
        PanelStage::Done(text) => ctx.view().confirm(table, interaction.who, taken, &text),
        PanelStage::Nothing => None,
    };
    shown.unwrap_or_else(|| old_button_answer(ctx, interaction, table))
}

fn not_yet(ctx: &Context, table: &Table, turn: Seat) -> OutgoingMessage {
    if ctx.view().is_bot_to_move(table) {
        return OutgoingMessage::text(ctx.words.word("panel-bot-thinks"));
    }
    let who = ctx.words.seated(table, turn);
    OutgoingMessage::text(
        ctx.words.say("panel-not-now", &[("table", table.id().as_str().into()), ("who", who.into())]),
    )
}

/// Adds a step to a move. After the last one the move is played, or its confirmation shown.
async fn pick(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    taken: &[String],
    value: Option<&str>,
) -> OutgoingMessage {
    let taken: Vec<_> = taken.iter().cloned().chain(value.map(str::to_owned)).collect();
    match table.play().map(|play| panel::stage(play, &taken)) {
        Some(PanelStage::Done(text)) if !ctx.settings.confirm => {
            play(ctx, interaction, table, table.ply(), text).await
        }
        _ => panel_at(ctx, interaction, table, &taken, None),
    }
}

/// Plays a move in the turn for which it was chosen. A second press of the button gets the same answer.
async fn play(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    ply: usize,
    text: String,
) -> OutgoingMessage {
    let again = |table: &Table| {
        is_played(table, interaction.who, ply, &text).then(|| already_played_answer(ctx, table, &text))
    };
    if ply != table.ply() {
        return again(table).unwrap_or_else(|| outdated_panel_answer(ctx, interaction, table));
    }
    let order = Order::Move { text: text.clone(), ply: Some(ply) };
    match ctx.order(table.id(), interaction.into(), order, interaction.token.id).await {
        Ok(seen) => {
            let post = games::with_next_game(ctx, interaction.who, table.id(), played(ctx, &seen)).await;
            relocation::with_board(ctx, interaction.place, interaction.who, &seen.table, post).await
        }
        Err(post) => ctx.look_again(table).await.ok().and_then(|now| again(&now)).unwrap_or(*post),
    }
}

/// Whether this player played this move at that ply; false for team members.
fn is_played(table: &Table, who: UserId, ply: usize, text: &str) -> bool {
    let mover = table.play().and_then(|play| play.movers().get(ply).copied());
    let theirs = mover.is_some_and(|seat| holds(table, who, seat) && table.team(seat).is_none());
    theirs && table.play().is_some_and(|play| play.record().get(ply).is_some_and(|known| known == text))
}

/// Builds the confirmation of a move, in the notation of the record.
pub fn played(ctx: &Context, seen: &OrderOutcome) -> OutgoingMessage {
    if let Some(post) = vote_answers::vote_answer(ctx, seen) {
        return post;
    }
    let text = seen.events.iter().find_map(|event| match event {
        Event::Moved { text, .. } => Some(text.as_str()),
        _ => None,
    });
    already_played_answer(ctx, &seen.table, text.unwrap_or_default())
}

fn already_played_answer(ctx: &Context, table: &Table, text: &str) -> OutgoingMessage {
    let args = [("table", table.id().to_string().into()), ("move", text.into())];
    let post = OutgoingMessage::text(ctx.words.say("move-played", &args));
    let waits = *table.status() == Status::Running;
    if waits { post.row([ctx.view().plan_button(table)]) } else { post }
}
