//! The parts of settings panels: lines, selects, buttons, and the values that several pages offer.

use rookery_i18n::Localizer;
use rookery_i18n::clip;
use rookery_table::ports::StoreError;

use crate::discord::state::context::Context;
use crate::discord::wire::limits::{MAX_CHOICE_CHARS, MAX_CHOICES, MAX_LABEL_CHARS, MAX_PLACEHOLDER_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, Component, OutgoingMessage};
use crate::discord::wire::setting_id::{SettingId, SettingsPanel};

/// The value for "nothing chosen": Discord rejects an empty value.
pub(super) const NONE: &str = "-";

/// Builds the answer if a choice could not be stored.
pub(super) fn not_kept(words: &Localizer, error: &StoreError) -> OutgoingMessage {
    tracing::error!(%error, "could not save a setting");
    OutgoingMessage::text(words.word("denied-journal"))
}

/// A panel that is being built.
pub(super) struct Panel<'a> {
    pub(super) words: &'a Localizer,
    pub(super) panel: SettingsPanel,
}

impl Panel<'_> {
    pub(super) fn id(&self, what: &str) -> String {
        SettingId::new(self.panel, what).id()
    }

    /// Formats a setting: "Theme: walnut".
    pub(super) fn line(&self, what: &str, value: &str) -> String {
        self.words.say("setting-line", &[("what", self.name(what).into()), ("value", value.into())])
    }

    pub(super) fn name(&self, what: &str) -> String {
        self.words.word(&format!("setting-{what}"))
    }

    /// Builds a select of values and their names, with the current one as the placeholder.
    pub(super) fn select(&self, what: &str, now: &str, choices: Vec<(String, String)>) -> Vec<Component> {
        let choice = |(value, label): (String, String)| Choice {
            label: clip(&label, MAX_CHOICE_CHARS),
            value,
            note: String::new(),
        };
        let choices = choices.into_iter().take(MAX_CHOICES).map(choice).collect();
        let placeholder = clip(&self.line(what, now), MAX_PLACEHOLDER_CHARS);
        vec![Component::Select { id: self.id(what), placeholder, choices }]
    }

    /// Builds a button that switches a setting on or off and shows its current value.
    pub(super) fn switch(&self, what: &str, on: bool) -> Component {
        let label = clip(&self.line(what, &on_or_off(self.words, on)), MAX_LABEL_CHARS);
        let style = if on { ButtonStyle::Success } else { ButtonStyle::Secondary };
        Component::button(label, style, SettingId::with(self.panel, what, if on { "off" } else { "on" }).id())
    }

    /// Builds a button that does something at once.
    pub(super) fn action(&self, what: &str) -> Component {
        Component::button(clip(&self.name(what), MAX_LABEL_CHARS), ButtonStyle::Secondary, self.id(what))
    }

    /// Builds a button that leads to another page.
    pub(super) fn page(&self, what: &str) -> Component {
        Component::button(clip(&self.name(what), MAX_LABEL_CHARS), ButtonStyle::Primary, self.id(what))
    }
}

pub(super) fn on_or_off(words: &Localizer, on: bool) -> String {
    words.word(if on { "value-on" } else { "value-off" })
}

/// Builds the select of the languages, each named in its own language; `none` is the key of the entry for none of them.
/// Without another language than the default there is nothing to choose.
pub(super) fn language_select(
    ctx: &Context,
    panel: &Panel<'_>,
    own: Option<&str>,
    none: &str,
) -> Option<Vec<Component>> {
    let all = ctx.languages.all();
    let none = ctx.words.word(none);
    let found = own.and_then(|tag| ctx.languages.find(tag));
    let now = found.map_or_else(|| none.clone(), |words| words.word("language-name"));
    let named = all.iter().map(|words| (words.tag().to_owned(), words.word("language-name")));
    let choices = std::iter::once((NONE.to_owned(), none)).chain(named).collect();
    (all.len() > 1).then(|| panel.select("language", &now, choices))
}

/// Returns the theme names of all games, each once.
fn theme_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for theme in rookery_games::all().iter().flat_map(|game| game.themes()) {
        if !names.contains(&theme.name) {
            names.push(theme.name);
        }
    }
    names
}

pub(super) fn themes(words: &Localizer) -> Vec<(String, String)> {
    let named = theme_names().into_iter().map(|name| (name.to_owned(), words.word(&format!("theme-{name}"))));
    std::iter::once((NONE.to_owned(), words.word("value-usual"))).chain(named).collect()
}

pub(super) fn theme(words: &Localizer, name: Option<&str>) -> String {
    let known = name.filter(|name| theme_names().contains(name));
    known.map_or_else(|| words.word("value-usual"), |name| words.word(&format!("theme-{name}")))
}

/// Returns the chosen value, or `None` for the entry for none.
pub(super) fn chosen(value: &str) -> Option<String> {
    (value != NONE).then(|| value.to_owned())
}
