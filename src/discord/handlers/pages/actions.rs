//! What a page offers beside moving.

use rookery_core::Seat;
use rookery_table::{Offer, Status, Table, UserId, hints, offers};

use crate::discord::actions::resign_confirmation::holds;
use crate::discord::state::context::Context;
use crate::web::{OpenOffer, PageOrder, TableAction};

/// Returns the open offer if the person is asked, or waits for the answers of others.
pub(super) fn open_offer(ctx: &Context, table: &Table, who: UserId) -> Option<OpenOffer> {
    let standing = table.offer()?;
    let waits = standing.agreed.iter().chain([&standing.by]).any(|seat| holds(table, who, *seat));
    if !waits && !offers::asked(table, standing.by).contains(&who) {
        return None;
    }
    let text = ctx.view().offer_line(table, standing.offer, standing.by);
    Some(OpenOffer { text, number: (!waits).then_some(standing.number) })
}

/// Returns what a player may do beside moving.
pub(super) fn actions(ctx: &Context, table: &Table, who: UserId) -> Vec<TableAction> {
    let (view, words) = (ctx.view(), ctx.words);
    if may_ask_for_rematch(table, who) {
        return vec![TableAction {
            order: PageOrder::Rematch,
            label: words.word("button-rematch"),
            sure: None,
        }];
    }
    let seat = table.seat_of(who).filter(|_| *table.status() == Status::Running);
    let mut all = Vec::from_iter(hint(ctx, table, who));
    let plays = |seat: &Seat| holds(table, who, *seat) && table.still_plays(*seat);
    let Some(seat) = seat.filter(plays) else { return all };
    let offer = |offer: Offer| {
        let ends = offers::ends_without_consent(table, who, offer);
        let sure = ends.then(|| view.offer_confirmation(table, who, offer).content);
        TableAction { order: PageOrder::Offer(offer), label: view.offer_name(offer), sure }
    };
    let resume = TableAction { order: PageOrder::Resume, label: words.word("button-resume"), sure: None };
    all.extend(table.is_paused().then_some(resume));
    all.extend(time_actions(ctx, table, seat));
    all.extend(Offer::ALL.iter().copied().filter(|it| offers::is_available(table, who, *it)).map(offer));
    let sure = Some(view.resign_confirmation(table, seat).content);
    all.push(TableAction { order: PageOrder::Resign(seat), label: words.word("button-resign"), sure });
    all
}

/// Returns the button for a hint, which each member of a team may have. While a game is paused nothing can be chosen.
fn hint(ctx: &Context, table: &Table, who: UserId) -> Option<TableAction> {
    let is_offered = hints::is_available(table, who) && !table.is_suspended();
    let order = PageOrder::Hint { ply: table.ply() };
    is_offered.then(|| TableAction { order, label: ctx.words.word("button-hint"), sure: None })
}

/// Whether a finished game has the button for a rematch: in a set the second game follows without one, and in a study nobody
/// plays.
fn may_ask_for_rematch(table: &Table, who: UserId) -> bool {
    let is_over = matches!(table.status(), Status::Over(_)) && table.play().is_some();
    is_over && table.is_participant(who) && !table.has_second_game() && !table.is_imported()
}

/// Returns what a player may do about the clock of another one.
fn time_actions(ctx: &Context, table: &Table, own: Seat) -> Vec<TableAction> {
    let clock = table.clock().filter(|clock| clock.deadline().is_some());
    let Some(clock) = clock.filter(|clock| clock.mover().is_some_and(|mover| mover != own)) else {
        return Vec::new();
    };
    let action = |order, label| TableAction { order, label, sure: None };
    let key = if table.others_play_on() { "button-claim-out" } else { "button-claim" };
    let is_up = clock.is_out_of_time(ctx.registry.now());
    let claim = is_up.then(|| action(PageOrder::Claim, ctx.words.word(key)));
    let more = ctx.words.length(clock.terms().gift());
    let label = match table.chairs().len() {
        2 => ctx.words.say("page-give-time", &[("more", more.into())]),
        _ => ctx.view().give_time_label(table),
    };
    claim.into_iter().chain([action(PageOrder::GiveTime, label)]).collect()
}
