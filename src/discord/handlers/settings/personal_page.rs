//! A person's own settings: a panel of two pages.

use std::sync::Arc;

use jiff::Timestamp;
use strum::VariantArray;

use rookery_i18n::{Localizer, quoted};
use rookery_table::calendar::{DAY_MIN, Daily, WEEK_MIN, Weekly, Zone};
use rookery_table::preferences::{Orientation, PersonalPreferences, Pings};

use super::panel::{NONE, Panel, chosen, language_select, not_kept, theme, themes};
use super::{hours, vacation};
use crate::discord::actions::browsers;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::limits::MAX_CHOICES;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::setting_id::SettingsPanel;

/// The time zones offered without typing: one large city for most offsets.
const ZONES: [&str; MAX_CHOICES - 1] = [
    "UTC",
    "Pacific/Honolulu",
    "America/Anchorage",
    "America/Los_Angeles",
    "America/Denver",
    "America/Chicago",
    "America/New_York",
    "America/Sao_Paulo",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Helsinki",
    "Europe/Moscow",
    "Africa/Lagos",
    "Africa/Johannesburg",
    "Africa/Nairobi",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Kolkata",
    "Asia/Dhaka",
    "Asia/Bangkok",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "Australia/Sydney",
    "Pacific/Auckland",
];

/// A page of a person's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonalPage {
    /// The appearance of boards, and the language.
    Appearance,
    /// The times at which the person may be pinged.
    Hours,
}

impl PersonalPage {
    /// Builds the page with a person's current settings.
    pub fn show(self, ctx: &Context, personal: &PersonalPreferences) -> OutgoingMessage {
        match self {
            PersonalPage::Appearance => look(ctx, personal),
            PersonalPage::Hours => hours(ctx.words, personal, ctx.registry.now()),
        }
    }
}

fn look(ctx: &Context, it: &PersonalPreferences) -> OutgoingMessage {
    let (words, panel) = (ctx.words, Panel { words: ctx.words, panel: SettingsPanel::Personal });
    let own_theme = theme(words, it.theme.as_deref());
    // The selects and buttons show the values.
    let lines = [words.word("settings-look"), words.word("settings-patterns")];
    let sign_out = ctx.settings.web.as_ref().map(|_| panel.action("browsers"));
    let post = OutgoingMessage::text(lines.join("\n")).row(panel.select("theme", &own_theme, themes(words)));
    let language = language_select(ctx, &panel, it.language.as_deref(), "value-client");
    language
        .into_iter()
        .fold(post, OutgoingMessage::row)
        .row(switches(it).map(|(what, on)| panel.switch(what, on)))
        .row([panel.page("hours")].into_iter().chain(sign_out))
}

/// Returns the settings that are on or off.
fn switches(it: &PersonalPreferences) -> [(&'static str, bool); 5] {
    [
        ("patterns", it.patterns),
        ("text", it.text_board),
        ("large", it.large_print),
        ("side", it.orientation == Orientation::Own),
        ("confirm", it.confirm),
    ]
}

fn hours(words: &Localizer, it: &PersonalPreferences, now: Timestamp) -> OutgoingMessage {
    let panel = Panel { words, panel: SettingsPanel::Personal };
    let pings = words.word(pings_key(it.pings));
    let quiet = hours::daily_name(words, it.quiet);
    let weekly = hours::weekly_name(words, it.weekly);
    let lines = [
        words.word("settings-hours"),
        words.word(if it.has_other_week() { "settings-week-waits" } else { "settings-week" }),
        panel.line("vacation", &vacation::line(words, it, now)),
        words.word("settings-zone-more"),
    ];
    let value = |one: Pings| <&str>::from(one).to_owned();
    let all_pings = Pings::VARIANTS.iter().map(|one| (value(*one), words.word(pings_key(*one))));
    OutgoingMessage::text(lines.join("\n"))
        .row(panel.select("pings", &pings, all_pings.collect()))
        .row(panel.select("quiet", &quiet, hours::daily(words)))
        .row(panel.select("weekly", &weekly, hours::weekly(words)))
        .row(panel.select("zone", it.zone.name(), zones(&it.zone)))
        .row([panel.page("look")])
}

fn pings_key(pings: Pings) -> &'static str {
    match pings {
        Pings::Thread => "pings-thread",
        Pings::Dm => "pings-dm",
        Pings::Digest => "pings-digest",
        Pings::Off => "pings-off",
    }
}

/// Returns the offered zones, with the person's own among them.
fn zones(own: &Zone) -> Vec<(String, String)> {
    let extra = (!ZONES.contains(&own.name())).then_some(own.name());
    let names = extra.into_iter().chain(ZONES);
    names.map(|name| (name.to_owned(), name.replace('_', " "))).collect()
}

/// Changes a setting and shows its page.
pub(super) async fn set(
    ctx: &Context,
    interaction: &Interaction,
    what: &str,
    values: &[String],
) -> OutgoingMessage {
    if what == vacation::VACATION {
        return vacation::end(ctx, interaction).await;
    }
    if what == "browsers" {
        return browsers::sign_out(ctx, interaction.who).await;
    }
    let value = values.first().map_or(NONE, String::as_str);
    let page = if matches!(what, "hours" | "pings" | "quiet" | "weekly" | "zone") {
        PersonalPage::Hours
    } else {
        PersonalPage::Appearance
    };
    let mut known = true;
    let kept = ctx
        .registry
        .preferences_cache()
        .change_person(interaction.who, |it| known = put(it, what, value))
        .await;
    match kept {
        _ if !known => OutgoingMessage::text(ctx.words.word("old-button")),
        Err(error) => not_kept(ctx.words, &error),
        // The page is shown in the language just chosen.
        Ok(personal) => {
            // A person who asks for direct messages has allowed them, or is about to.
            if what == "pings" {
                ctx.dm_channels.clear_refusal(interaction.who);
            }
            let personal = if affects_weekly_clocks(what) {
                apply_weekly_period(ctx, interaction).await
            } else {
                personal
            };
            page.show(&ctx.for_asker(interaction).await, &personal)
        }
    }
}

/// Whether the setting affects clocks.
fn affects_weekly_clocks(what: &str) -> bool {
    matches!(what, "weekly" | "zone")
}

/// Applies the weekly period to the person's clocks where that is allowed now; returns the resulting
/// preferences.
async fn apply_weekly_period(ctx: &Context, interaction: &Interaction) -> Arc<PersonalPreferences> {
    vacation::update_vacation_clocks(ctx, interaction.who).await;
    ctx.registry.preferences_cache().person(interaction.who).await
}

/// Changes a setting; returns whether it exists.
fn put(it: &mut PersonalPreferences, what: &str, value: &str) -> bool {
    let on = value == "on";
    match what {
        "look" | "hours" => {}
        "theme" => it.theme = chosen(value),
        "language" => it.language = chosen(value),
        "patterns" => it.patterns = on,
        "text" => it.text_board = on,
        "large" => it.large_print = on,
        "side" => it.orientation = if on { Orientation::Own } else { Orientation::First },
        "confirm" => it.confirm = on,
        "pings" => {
            return value.parse().map(|one| it.pings = one).is_ok();
        }
        "quiet" => {
            it.quiet = hours::read(value, DAY_MIN).map(|(from_min, to_min)| Daily { from_min, to_min })
        }
        "weekly" => {
            it.weekly = hours::read(value, WEEK_MIN).map(|(from_min, to_min)| Weekly { from_min, to_min })
        }
        "zone" => return Zone::named(value).map(|zone| it.zone = zone).is_some(),
        _ => return false,
    }
    true
}

/// Sets the time zone by its typed name.
pub async fn set_zone(ctx: &Context, interaction: &Interaction, name: &str) -> OutgoingMessage {
    let Some(zone) = Zone::named(name) else {
        return OutgoingMessage::text(ctx.words.say("settings-no-zone", &[("name", quoted(name).into())]));
    };
    match ctx.registry.preferences_cache().change_person(interaction.who, |it| it.zone = zone).await {
        Ok(_) => PersonalPage::Hours.show(ctx, &*apply_weekly_period(ctx, interaction).await),
        Err(error) => not_kept(ctx.words, &error),
    }
}
