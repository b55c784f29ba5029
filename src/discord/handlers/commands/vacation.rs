//! `/vacation`: days off, on which one's clocks stand.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use rookery_i18n::{Localizer, quoted};
use rookery_table::calendar::Zone;
use rookery_table::preferences::Vacation as Days;
use rookery_table::vacation::YEARLY_DAYS;

use super::{Command, OptionKind, completed, option};
use crate::discord::handlers::settings::vacation;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The options: the first day, the last, and how many.
const FROM: &str = "from";
const UNTIL: &str = "until";
const DAYS: &str = "days";
/// Days that are offered while a date is typed.
const DATES_OFFERED: i32 = 60;

/// Takes days off.
pub(super) struct Vacation;

#[async_trait]
impl Command for Vacation {
    fn name(&self) -> &'static str {
        "vacation"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let mut days = option(words, OptionKind::Number, DAYS, "command-vacation-days");
        (days["min_value"], days["max_value"]) = (json!(1), json!(YEARLY_DAYS));
        vec![
            days,
            completed(option(words, OptionKind::Text, FROM, "command-vacation-from")),
            completed(option(words, OptionKind::Text, UNTIL, "command-vacation-until")),
        ]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        if input.options.is_empty() {
            return vacation::shown(ctx, interaction).await;
        }
        let zone = ctx.registry.preferences_cache().person(interaction.who).await.zone.clone();
        match wish(ctx.words, input, &zone, ctx.registry.now()) {
            Ok(days) => vacation::taken(ctx, interaction, days).await,
            Err(sentence) => OutgoingMessage::text(sentence),
        }
    }

    async fn complete(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> Vec<String> {
        let typed = input.typed().trim();
        let zone = ctx.registry.preferences_cache().person(interaction.who).await.zone.clone();
        let dates = zone.dates(ctx.registry.now(), DATES_OFFERED);
        dates.into_iter().filter(|date| date.contains(typed)).collect()
    }
}

/// The chosen days: from now or the first day, up to the end of the last day or for a number of days.
///
/// # Errors
/// What to write in place of it.
fn wish(words: &Localizer, input: &CommandInput, zone: &Zone, now: Timestamp) -> Result<Days, String> {
    let day = |name: &str, days_on: i32| {
        let text = input.text(name)?;
        let unread = || words.say("vacation-no-date", &[("text", quoted(text).into())]);
        Some(zone.day_start(text, days_on).ok_or_else(unread))
    };
    let from = day(FROM, 0).transpose()?.unwrap_or(now);
    let end = day(UNTIL, 1).transpose()?;
    let until = match (input.number(DAYS), end) {
        (Some(count), None) => after(zone, input.text(FROM), from, count),
        (None, Some(until)) => until,
        _ => return Err(words.word("vacation-how-long")),
    };
    Ok(Days { from, until })
}

/// A number of days after a date, or after a moment.
fn after(zone: &Zone, date: Option<&str>, from: Timestamp, count: i64) -> Timestamp {
    let by_calendar =
        date.zip(i32::try_from(count).ok()).and_then(|(date, count)| zone.day_start(date, count));
    by_calendar.unwrap_or_else(|| from + SignedDuration::from_hours(24 * count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::interaction::OptionValue as Said;
    use rookery_table::clock::DAY;

    /// Friday, 27 March 2026, 12:00 UTC: two days before summer time in Berlin.
    const NOW: Timestamp = Timestamp::constant(1_774_612_800, 0);
    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    fn wished(options: &[(&str, Said)]) -> Result<Days, String> {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let input = CommandInput { options, ..CommandInput::default() };
        wish(Localizer::english(), &input, &Zone::named("Europe/Berlin").unwrap(), NOW)
    }

    fn text(text: &str) -> Said {
        Said::Text(text.to_owned())
    }

    #[test]
    fn days_are_those_of_the_persons_own_calendar() {
        let three = Days { from: NOW, until: NOW + 3 * DAY };
        assert_eq!(wished(&[(DAYS, Said::Number(3))]), Ok(three));
        // Midnight in Berlin is eleven hours after noon in UTC; the night to Sunday has an hour less.
        let from = NOW + 11 * HOUR;
        let weekend = Days { from, until: from + 47 * HOUR };
        assert_eq!(wished(&[(FROM, text("2026-03-28")), (UNTIL, text("2026-03-29"))]), Ok(weekend));
        assert_eq!(wished(&[(FROM, text("2026-03-28")), (DAYS, Said::Number(2))]), Ok(weekend));
        let from_now = Days { from: NOW, ..weekend };
        assert_eq!(wished(&[(UNTIL, text("2026-03-29"))]), Ok(from_now));
    }

    #[test]
    fn what_is_no_date_is_named_and_one_end_is_enough() {
        assert!(wished(&[(FROM, text("soon")), (DAYS, Said::Number(2))]).unwrap_err().contains("`soon`"));
        let both = [(UNTIL, text("2026-03-29")), (DAYS, Said::Number(2))];
        assert!(wished(&both).is_err() && wished(&[(FROM, text("2026-03-29"))]).is_err());
    }
}
