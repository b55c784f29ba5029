//! The clock option of `/play`: a preset, or custom terms in one line.

use rookery_i18n::Localizer;
use rookery_table::clock::ClockTerms;

use super::open_table::OpenTable;

/// The units that are offered after a number.
const UNITS: [&str; 3] = ["m", "h", "d"];

/// Returns the requested clock, or the server's default.
///
/// # Errors
/// A sentence that says what is wrong with the text.
pub(super) fn parse_clock(
    words: &Localizer,
    request: &OpenTable,
    usual: Option<&str>,
) -> Result<Option<ClockTerms>, String> {
    let Some(text) = request.clock.as_deref().or(usual) else { return Ok(None) };
    ClockTerms::read(text).map_err(|bad| words.bad_clock(&bad))
}

/// Returns completions: the presets that begin with the text, the text itself if it is a clock, the options
/// that can be added to it, and units after a number.
pub(super) fn complete(words: &Localizer, typed: &str) -> Vec<String> {
    let typed = typed.trim().to_lowercase();
    let mut found: Vec<_> = words.presets().into_iter().filter(|shown| shown.starts_with(&typed)).collect();
    match ClockTerms::read(&typed) {
        Ok(Some(clock)) => {
            let itself = found.is_empty().then_some("");
            let per_move = (itself.is_some() && clock.increment.is_zero()).then_some(" per move");
            found.extend(
                itself
                    .into_iter()
                    .chain(per_move)
                    .chain(clock_modifiers(&clock))
                    .map(|manner| format!("{typed}{manner}")),
            );
        }
        Err(_) if typed.ends_with(|sign: char| sign.is_ascii_digit()) => {
            let with_unit = UNITS.map(|unit| format!("{typed}{unit}"));
            found.extend(with_unit.into_iter().filter(|text| ClockTerms::read(text).is_ok()));
        }
        _ => {}
    }
    found
}

/// Returns the options that can be added to a clock: each is the opposite of the current one.
fn clock_modifiers(clock: &ClockTerms) -> [&'static str; 2] {
    let end = if clock.hard { " soft" } else { " hard" };
    [end, if clock.no_vacation { " vacation" } else { " no vacation" }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_come_first_and_own_clocks_when_they_can_be_read() {
        let words = Localizer::english();
        assert_eq!(complete(words, "").len(), 6);
        let daily = complete(words, "DA");
        assert!(daily.len() == 1 && daily[0].starts_with("daily (2 days"), "{daily:?}");
        assert_eq!(complete(words, "3d+12h"), ["3d+12h", "3d+12h hard", "3d+12h no vacation"]);
        assert_eq!(complete(words, "3d"), ["3d", "3d per move", "3d hard", "3d no vacation"]);
        assert_eq!(complete(words, "3d+"), Vec::<String>::new());
    }

    #[test]
    fn a_preset_can_end_otherwise() {
        let found = complete(Localizer::english(), "live");
        assert_eq!(found[1..], ["live soft", "live vacation"]);
        for text in &found {
            assert!(ClockTerms::read(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_number_is_given_a_unit() {
        assert_eq!(complete(Localizer::english(), "48h+24"), ["48h+24m", "48h+24h", "48h+24d"]);
        assert_eq!(
            complete(Localizer::english(), "2d cap 4"),
            ["2d cap 4d"],
            "the cap is not below the rest"
        );
    }
}
