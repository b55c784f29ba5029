//! Panels on which people and servers choose: selects and buttons whose ids name what they set, so that
//! a panel needs no memory and outlives the process.
//!
//! `mine` is what a person sets, [`vacation`] their days off, `ours` what those who manage a server set,
//! `check` what we may do there.

mod check;
mod mine;
mod ours;
mod rules;
mod spans;
pub mod vacation;

use rookery_i18n::Words;
use rookery_table::ports::JournalError;

use super::asked::{Asked, Pressed};
use super::desk::Desk;
use super::limits::{CHOICE_MOST, CHOICES_MOST, LABEL_MOST, PLACEHOLDER_MOST};
use super::post::{Choice, Part, Post, Tone};
use rookery_i18n::clip;

pub use check::check;
pub use mine::{Mine, set_zone};
pub use ours::Ours;
pub use rules::{allowed, may_seat, strongest_in, usual_in};

/// What stands for "nothing chosen": Discord takes no empty value.
const NONE: &str = "-";
/// What ids of personal settings begin with.
const PERSONAL: &str = "set";
/// What ids of a server's settings begin with.
const SERVER: &str = "cfg";

/// Carries out a press on a settings panel; `None` if the id is not of one.
pub async fn pressed(desk: &Desk, asked: &Asked, pressed: &Pressed) -> Option<Post> {
    let mut fields = pressed.id.splitn(3, ':');
    let (kind, what) = (fields.next()?, fields.next()?);
    // A button carries its value, a select's comes with the press.
    let on_button = fields.next().map(str::to_owned);
    let values: Vec<String> = on_button.into_iter().chain(pressed.values.iter().cloned()).collect();
    match kind {
        PERSONAL => Some(mine::set(desk, asked, what, &values).await),
        SERVER => Some(ours::set(desk, asked, what, &values).await),
        _ => None,
    }
}

/// What is answered where the store does not take a choice.
fn not_kept(words: &Words, error: &JournalError) -> Post {
    tracing::error!(%error, "a choice could not be kept");
    Post::text(words.word("denied-journal"))
}

/// One panel in the making.
struct Panel<'a> {
    words: &'a Words,
    kind: &'static str,
}

impl Panel<'_> {
    fn id(&self, what: &str) -> String {
        format!("{}:{what}", self.kind)
    }

    /// A line that says what is set: "Theme: walnut".
    fn line(&self, what: &str, value: &str) -> String {
        self.words.say("setting-line", &[("what", self.name(what).into()), ("value", value.into())])
    }

    fn name(&self, what: &str) -> String {
        self.words.word(&format!("setting-{what}"))
    }

    /// A select over values and their names; what is set stands on it.
    fn select(&self, what: &str, now: &str, choices: Vec<(String, String)>) -> Vec<Part> {
        let choice = |(value, label): (String, String)| Choice {
            label: clip(&label, CHOICE_MOST),
            value,
            note: String::new(),
        };
        let choices = choices.into_iter().take(CHOICES_MOST).map(choice).collect();
        let placeholder = clip(&self.line(what, now), PLACEHOLDER_MOST);
        vec![Part::Select { id: self.id(what), placeholder, choices }]
    }

    /// A button that turns something on or off; what it is now stands on it.
    fn switch(&self, what: &str, on: bool) -> Part {
        let label = clip(&self.line(what, &on_or_off(self.words, on)), LABEL_MOST);
        let tone = if on { Tone::Good } else { Tone::Plain };
        Part::button(label, tone, format!("{}:{}", self.id(what), if on { "off" } else { "on" }))
    }

    /// A button that shows another page.
    fn page(&self, what: &str) -> Part {
        Part::button(clip(&self.name(what), LABEL_MOST), Tone::Main, self.id(what))
    }
}

fn on_or_off(words: &Words, on: bool) -> String {
    words.word(if on { "value-on" } else { "value-off" })
}

/// The languages of the house by their own names, and none.
fn languages(desk: &Desk, none: &str) -> Vec<(String, String)> {
    let all = desk.languages.all().iter();
    let named = all.map(|words| (words.tag().to_owned(), words.word("language-name")));
    std::iter::once((NONE.to_owned(), desk.words.word(none))).chain(named).collect()
}

/// A language by its own name.
fn language(desk: &Desk, tag: Option<&str>, none: &str) -> String {
    let found = tag.and_then(|tag| desk.languages.find(tag));
    found.map_or_else(|| desk.words.word(none), |words| words.word("language-name"))
}

/// The names of all themes of all games, each once.
fn theme_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for theme in rookery_games::ALL.iter().flat_map(|game| game.themes()) {
        if !names.contains(&theme.name) {
            names.push(theme.name);
        }
    }
    names
}

fn themes(words: &Words) -> Vec<(String, String)> {
    let named = theme_names().into_iter().map(|name| (name.to_owned(), words.word(&format!("theme-{name}"))));
    std::iter::once((NONE.to_owned(), words.word("value-usual"))).chain(named).collect()
}

fn theme(words: &Words, name: Option<&str>) -> String {
    let known = name.filter(|name| theme_names().contains(name));
    known.map_or_else(|| words.word("value-usual"), |name| words.word(&format!("theme-{name}")))
}

/// A value that was chosen, unless it stands for none.
fn chosen(value: &str) -> Option<String> {
    (value != NONE).then(|| value.to_owned())
}
