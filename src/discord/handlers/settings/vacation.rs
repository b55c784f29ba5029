//! Vacation: the page with a person's own days off, and the button that ends them.

use std::sync::Arc;

use futures_util::TryStreamExt;
use jiff::Timestamp;

use rookery_i18n::{Localizer, moment};
use rookery_table::clock::Clock;
use rookery_table::ports::{Filter, Stage};
use rookery_table::preferences::{PersonalPreferences, Vacation};
use rookery_table::vacation::{DaysOffError, YEARLY_DAYS};
use rookery_table::{Table, UserId};

use super::panel::not_kept;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::setting_id::{SettingId, SettingsPanel};

/// The key of the button that ends a vacation.
pub(super) const VACATION: &str = "vacation";
/// The most tables that the confirmation names.
const MAX_NAMED_TABLES: usize = 20;

/// Builds the page with a person's current days off.
pub async fn show(ctx: &Context, interaction: &Interaction) -> OutgoingMessage {
    let personal = ctx.registry.preferences_cache().person(interaction.who).await;
    page(ctx, interaction.who, &personal).await
}

/// Starts a vacation now or later; returns the person's updated page or the refusal.
pub async fn start(ctx: &Context, interaction: &Interaction, wanted: Vacation) -> OutgoingMessage {
    let now = ctx.registry.now();
    let mut outcome = Ok(());
    let kept = ctx
        .registry
        .preferences_cache()
        .change_person(interaction.who, |it| outcome = it.take_days_off(wanted, now));
    match (kept.await, outcome) {
        (Err(error), _) => not_kept(ctx.words, &error),
        (Ok(_), Err(refused)) => OutgoingMessage::text(refusal_text(ctx.words, refused)),
        (Ok(personal), Ok(())) => {
            update_vacation_clocks(ctx, interaction.who).await;
            page(ctx, interaction.who, &personal).await
        }
    }
}

/// Ends a vacation, or cancels a future one.
pub(super) async fn end(ctx: &Context, interaction: &Interaction) -> OutgoingMessage {
    let now = ctx.registry.now();
    let kept = ctx
        .registry
        .preferences_cache()
        .change_person(interaction.who, |it| {
            it.end_days_off(now);
        })
        .await;
    match kept {
        Err(error) => not_kept(ctx.words, &error),
        Ok(personal) => {
            update_vacation_clocks(ctx, interaction.who).await;
            page(ctx, interaction.who, &personal).await
        }
    }
}

/// Applies a person's new choice to the clocks of their tables.
pub(super) async fn update_vacation_clocks(ctx: &Context, who: UserId) {
    if let Err(error) = ctx.registry.apply_time_off(who).await {
        tracing::warn!(%error, "could not apply a vacation to clocks yet");
    }
}

/// Describes a person's days off in one line.
pub(super) fn line(words: &Localizer, personal: &PersonalPreferences, now: Timestamp) -> String {
    match personal.coming_days_off(now) {
        None => words.word("value-none"),
        Some(days) => {
            let [from, until] = [days.from, days.until].map(|at| moment(at).into());
            words.say("value-span", &[("from", from), ("to", until)])
        }
    }
}

async fn page(ctx: &Context, who: UserId, personal: &PersonalPreferences) -> OutgoingMessage {
    let (words, now) = (ctx.words, ctx.registry.now());
    let left = personal.days_left(now);
    let days = words.say("vacation-left", &[("left", left.into()), ("most", YEARLY_DAYS.into())]);
    let Some(coming) = personal.coming_days_off(now) else {
        return OutgoingMessage::text(format!("{}\n{days}", words.word("vacation-none")));
    };
    let key = if coming.from > now { "vacation-to-come" } else { "vacation-now" };
    let args = [("from", moment(coming.from).into()), ("until", moment(coming.until).into())];
    let text = format!("{}\n{days}\n{}", words.say(key, &args), affected_tables(ctx, who).await);
    let label = if coming.from > now { "button-vacation-drop" } else { "button-vacation-end" };
    let end = Component::button(
        words.word(label),
        ButtonStyle::Primary,
        SettingId::with(SettingsPanel::Personal, VACATION, "end").id(),
    );
    OutgoingMessage::text(text).row([end])
}

/// Lists the tables where the person's clock is stopped meanwhile, and those where it is not.
async fn affected_tables(ctx: &Context, who: UserId) -> String {
    let tables = running(ctx, who).await;
    let allows = |table: &&Arc<Table>| table.clock().is_some_and(|clock: &Clock| !clock.terms().no_vacation);
    let stands = tables.iter().filter(allows).count();
    let runs = tables.iter().filter(|table| table.clock().is_some_and(|clock| clock.terms().no_vacation));
    let runs: Vec<String> = runs.take(MAX_NAMED_TABLES).map(|table| table.id().to_string()).collect();
    let mut said = vec![ctx.words.say("vacation-stands", &[("count", stands.into())])];
    if !runs.is_empty() {
        said.push(ctx.words.say("vacation-runs", &[("tables", ctx.words.join(&runs).into())]));
    }
    said.join("\n")
}

async fn running(ctx: &Context, who: UserId) -> Vec<Arc<Table>> {
    let filter = Filter { person: Some(who), stage: Some(Stage::Running), ..Filter::default() };
    let mut tables = Vec::new();
    let mut cards = ctx.registry.scan(&filter);
    while let Ok(Some(card)) = cards.try_next().await {
        tables.extend(ctx.registry.table(card.id).await.ok());
    }
    tables
}

fn refusal_text(words: &Localizer, refused: DaysOffError) -> String {
    match refused {
        DaysOffError::Backwards => words.word("vacation-backwards"),
        DaysOffError::TooFar => words.word("vacation-too-far"),
        DaysOffError::TooMany { left, instead } => {
            let key = if instead { "vacation-too-many-instead" } else { "vacation-too-many" };
            words.say(key, &[("left", left.into()), ("most", YEARLY_DAYS.into())])
        }
        DaysOffError::Apart { until } => words.say("vacation-apart", &[("until", moment(until).into())]),
    }
}
