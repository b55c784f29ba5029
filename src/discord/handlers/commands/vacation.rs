//! `/vacation`: days off, on which the person's clocks are stopped.

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};

use rookery_i18n::{Localizer, quoted};
use rookery_table::calendar::Zone;
use rookery_table::preferences::Vacation as Days;
use rookery_table::vacation::YEARLY_DAYS;

use super::command::Command;
use super::option_types::{CompletedText, NumberIn};
use super::options::command_options;
use crate::discord::handlers::settings::vacation;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{FocusedOption, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most days off at once: all days of a year's allowance.
const MAX_DAYS: i64 = YEARLY_DAYS as i64;
/// The number of dates that are offered while a date is typed.
const DATES_OFFERED: i32 = 60;

pub(super) struct Vacation;

command_options! {
    pub(super) struct VacationOptions {
        days: Option<NumberIn<1, MAX_DAYS>> = "days", "command-vacation-days";
        from: Option<CompletedText> = "from", "command-vacation-from";
        until: Option<CompletedText> = "until", "command-vacation-until";
    }
}

#[async_trait]
impl Command for Vacation {
    type Input = VacationOptions;

    fn name(&self) -> &'static str {
        "vacation"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: VacationOptions) -> OutgoingMessage {
        if input.days.is_none() && input.from.is_none() && input.until.is_none() {
            return vacation::show(ctx, interaction).await;
        }
        let zone = ctx.registry.preferences_cache().person(interaction.who).await.zone.clone();
        match parse_days(ctx.words, &input, &zone, ctx.registry.now()) {
            Ok(days) => vacation::start(ctx, interaction, days).await,
            Err(sentence) => OutgoingMessage::text(sentence),
        }
    }

    async fn complete(
        &self,
        ctx: &Context,
        interaction: &Interaction,
        focus: &FocusedOption,
        _: Option<VacationOptions>,
    ) -> Vec<String> {
        let typed = focus.typed.trim();
        let zone = ctx.registry.preferences_cache().person(interaction.who).await.zone.clone();
        let dates = zone.dates(ctx.registry.now(), DATES_OFFERED);
        dates.into_iter().filter(|date| date.contains(typed)).collect()
    }
}

/// Returns the requested days: from now or the first day, up to the end of the last day or for a number of
/// days.
///
/// # Errors
/// A sentence that explains the format.
fn parse_days(
    words: &Localizer,
    input: &VacationOptions,
    zone: &Zone,
    now: Timestamp,
) -> Result<Days, String> {
    let day = |text: &Option<CompletedText>, days_on: i32| {
        let text = text.as_ref()?.0.as_str();
        let unread = || words.say("vacation-no-date", &[("text", quoted(text).into())]);
        Some(zone.day_start(text, days_on).ok_or_else(unread))
    };
    let from = day(&input.from, 0).transpose()?.unwrap_or(now);
    let end = day(&input.until, 1).transpose()?;
    let until = match (input.days, end) {
        (Some(count), None) => {
            let date = input.from.as_ref().map(|date| date.0.as_str());
            after(zone, date, from, count.0)
        }
        (None, Some(until)) => until,
        _ => return Err(words.word("vacation-how-long")),
    };
    Ok(Days { from, until })
}

/// Returns the end of a number of days after a date, or after a moment; the last moment that `jiff` knows if the
/// end is later, so that it is refused as too far away.
fn after(zone: &Zone, date: Option<&str>, from: Timestamp, count: i64) -> Timestamp {
    let by_calendar =
        date.zip(i32::try_from(count).ok()).and_then(|(date, count)| zone.day_start(date, count));
    by_calendar.unwrap_or_else(|| {
        let length = count.checked_mul(24).and_then(SignedDuration::try_from_hours);
        length.and_then(|length| from.checked_add(length).ok()).unwrap_or(Timestamp::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::clock::DAY;
    use rookery_table::preferences::PersonalPreferences;
    use rookery_table::vacation::DaysOffError;

    /// Friday, 27 March 2026, 12:00 UTC: two days before summer time starts in Berlin.
    const NOW: Timestamp = Timestamp::constant(1_774_612_800, 0);
    const HOUR: SignedDuration = SignedDuration::from_hours(1);

    fn parsed(from: Option<&str>, until: Option<&str>, days: Option<i64>) -> Result<Days, String> {
        let date = |text: &str| CompletedText(text.to_owned());
        let input =
            VacationOptions { days: days.map(NumberIn), from: from.map(date), until: until.map(date) };
        parse_days(Localizer::english(), &input, &Zone::named("Europe/Berlin").unwrap(), NOW)
    }

    #[test]
    fn days_are_those_of_the_persons_own_calendar() {
        let three = Days { from: NOW, until: NOW + 3 * DAY };
        assert_eq!(parsed(None, None, Some(3)), Ok(three));
        // Midnight in Berlin is eleven hours after noon in UTC; the night to Sunday is one hour shorter.
        let from = NOW + 11 * HOUR;
        let weekend = Days { from, until: from + 47 * HOUR };
        assert_eq!(parsed(Some("2026-03-28"), Some("2026-03-29"), None), Ok(weekend));
        assert_eq!(parsed(Some("2026-03-28"), None, Some(2)), Ok(weekend));
        let from_now = Days { from: NOW, ..weekend };
        assert_eq!(parsed(None, Some("2026-03-29"), None), Ok(from_now));
    }

    #[test]
    fn days_beyond_the_calendar_end_at_its_last_moment() {
        let far = parsed(Some("9999-12-10"), None, Some(30)).unwrap();
        assert_eq!(far.until, Timestamp::MAX);
        assert_eq!(PersonalPreferences::default().take_days_off(far, NOW), Err(DaysOffError::TooFar));
        for days in [10_000_000, i64::MAX] {
            let long = parsed(None, None, Some(days)).unwrap();
            assert_eq!(long, Days { from: NOW, until: Timestamp::MAX });
            let refused = PersonalPreferences::default().take_days_off(long, NOW);
            assert_eq!(refused, Err(DaysOffError::TooMany { left: YEARLY_DAYS, instead: false }));
        }
    }

    #[test]
    fn what_is_no_date_is_named_and_one_end_is_enough() {
        assert!(parsed(Some("soon"), None, Some(2)).unwrap_err().contains("`soon`"));
        assert!(parsed(None, Some("2026-03-29"), Some(2)).is_err());
        assert!(parsed(Some("2026-03-29"), None, None).is_err());
    }
}
