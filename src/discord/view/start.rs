//! The welcome message, and the panels that lead from its buttons to a game.

use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_core::rules::GameInfo;
use rookery_i18n::clip;
use rookery_table::ChannelId;

use super::MessageView;
use super::lists::example;
use crate::discord::wire::help_id::HelpTopic;
use crate::discord::wire::limits::{
    MAX_ALT_CHARS, MAX_CHOICE_CHARS, MAX_CHOICES, MAX_LABEL_CHARS, MAX_PLACEHOLDER_CHARS,
};
use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, Component, OutgoingMessage, Picture};
use crate::discord::wire::setting_id::{SettingId, SettingsPanel};
use crate::discord::wire::start_id::{StartId, StartPurpose};

/// The game on the board of the welcome message.
const WELCOME_GAME: &str = "amazons";
/// The most games that are offered as buttons in a row: a phone shows three names side by side.
const GAMES_A_ROW: usize = 3;
/// The value that sets an option back: Discord rejects an empty one.
pub const STANDARD: &str = "-";

/// An option of a game that is set in a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartOption {
    /// Its key, as in `/play`.
    pub key: String,
    /// What it means, in one line.
    pub note: String,
    /// The values to choose from; none if the value is typed.
    pub choices: Vec<OptionChoice>,
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionChoice {
    /// The value as the option takes it.
    pub value: String,
    /// The value as people read it.
    pub label: String,
}

impl MessageView<'_> {
    /// Builds the message in the channel for games: a board, and buttons that lead to a game.
    pub fn welcome_message(&self) -> OutgoingMessage {
        let post = OutgoingMessage::text(self.words.word("start-welcome")).row(self.start_buttons());
        match example(WELCOME_GAME) {
            Some(play) => post.picture(self.position_picture(play.as_ref(), Seat::FIRST, Vec::new())),
            None => post,
        }
    }

    /// Builds the question to the managers of a server that the bot has just joined: which channel is for games.
    /// `here` is the channel of the question.
    pub fn welcome_question(&self, here: ChannelId) -> OutgoingMessage {
        let id = |value: Option<&str>| match value {
            Some(value) => SettingId::with(SettingsPanel::Server, "welcome", value).id(),
            None => SettingId::new(SettingsPanel::Server, "welcome").id(),
        };
        let select = Component::Channels {
            id: id(None),
            placeholder: self.words.word("start-question-other"),
            chosen: Vec::new(),
            most: 1,
        };
        let this = id(Some(&here.to_string()));
        let button = Component::button(self.words.word("button-start-here"), ButtonStyle::Success, this);
        OutgoingMessage::text(self.words.word("start-question")).row([button]).row([select])
    }

    /// Builds the panel with which everything begins, for one person.
    pub fn start_panel(&self) -> OutgoingMessage {
        OutgoingMessage::text(self.words.word("start-panel")).row(self.start_buttons())
    }

    /// Builds the answer to a text that is no move and no command, from a person without a game.
    pub fn small_talk(&self) -> OutgoingMessage {
        OutgoingMessage::text(self.words.word("small-talk")).row(self.first_steps())
    }

    /// Builds the buttons for a person who has no game: play, learn, or read the help.
    pub fn first_steps(&self) -> Vec<Component> {
        let (bot, learn) = (StartId::Games(StartPurpose::Bot), StartId::Games(StartPurpose::Lesson));
        vec![
            self.start_button("button-start-bot", ButtonStyle::Success, &bot),
            self.start_button("button-start-learn", ButtonStyle::Secondary, &learn),
            self.help_button(HelpTopic::Start),
        ]
    }

    /// Builds the buttons of the welcome message.
    pub fn start_buttons(&self) -> Vec<Component> {
        [
            ("button-start-bot", ButtonStyle::Success, StartId::Games(StartPurpose::Bot)),
            ("button-start-ask", ButtonStyle::Primary, StartId::Games(StartPurpose::Person)),
            ("button-start-learn", ButtonStyle::Secondary, StartId::Games(StartPurpose::Lesson)),
            ("button-start-watch", ButtonStyle::Secondary, StartId::Watch),
        ]
        .map(|(key, style, id)| self.start_button(key, style, &id))
        .into()
    }

    fn start_button(&self, key: &str, style: ButtonStyle, id: &StartId) -> Component {
        Component::button(clip(&self.words.word(key), MAX_LABEL_CHARS), style, id.id())
    }

    /// Asks for the game: a picture of all games, and a button for each.
    pub fn start_games(&self, purpose: StartPurpose) -> OutgoingMessage {
        let text = match purpose {
            StartPurpose::Bot | StartPurpose::BotOptions | StartPurpose::Opponent => {
                self.words.word("start-games")
            }
            StartPurpose::BotAt(level) => {
                self.words.say("start-games-at", &[("level", self.level(level).into())])
            }
            StartPurpose::Person => self.words.word("start-games-ask"),
            StartPurpose::Lesson => self.words.word("start-games-learn"),
        };
        self.start_pictures(text, |game| StartId::Game(purpose, game.to_owned()))
    }

    /// Asks for the game against the bot, which starts at once, at a level that can be changed. `most` is the highest
    /// level that the server allows.
    pub fn start_games_against_bot(&self, level: Option<Level>, most: Level) -> OutgoingMessage {
        let offered = offered_levels(most);
        let level = level.filter(|level| offered.contains(level)).unwrap_or_else(|| default_level(&offered));
        let choice = |level: &Level| Choice {
            label: clip(&self.level(*level), MAX_CHOICE_CHARS),
            value: level.key().to_owned(),
            note: String::new(),
        };
        let args = || [("level", self.level(level).into())];
        let select = Component::Select {
            id: StartId::GamesLevel.id(),
            placeholder: clip(&self.words.say("start-level-select", &args()), MAX_PLACEHOLDER_CHARS),
            choices: offered.iter().map(choice).collect(),
        };
        let more = StartId::Games(StartPurpose::BotAt(level));
        self.start_pictures(self.words.say("start-games-bot", &args()), |game| {
            StartId::Level(game.to_owned(), level.key().to_owned())
        })
        .row([select])
        .row([self.start_button("button-start-more", ButtonStyle::Secondary, &more)])
    }

    /// Builds a picture of all games, and a button for each.
    fn start_pictures(&self, text: String, press: impl Fn(&str) -> StartId) -> OutgoingMessage {
        let keys: Vec<&str> = rookery_games::all().iter().map(|game| game.info().key).collect();
        let short = |key: &&str| self.words.game_short(key);
        let boards = keys.iter().filter_map(|key| {
            Some((example(key)?.scene(&self.display.look(Seat::FIRST)), self.words.game_short(key)))
        });
        let names = self.words.join(&keys.iter().map(short).collect::<Vec<_>>());
        let alt = self.words.say("start-games-alt", &[("games", names.into())]);
        let post =
            OutgoingMessage::text(text).picture(Picture::sheet(boards.collect(), clip(&alt, MAX_ALT_CHARS)));
        let button = |key: &&str| {
            Component::button(clip(&short(key), MAX_LABEL_CHARS), ButtonStyle::Primary, press(key).id())
        };
        keys.chunks(GAMES_A_ROW).fold(post, |post, row| post.row(row.iter().map(button)))
    }

    /// Asks for the level of the bot, up to `most`, the easiest first. `last` is marked; without it an easy level is
    /// highlighted.
    pub fn start_levels(
        &self,
        info: &GameInfo,
        (last, most): (Option<Level>, Level),
        summary: &str,
    ) -> OutgoingMessage {
        let offered = offered_levels(most);
        let last = last.filter(|last| offered.contains(last));
        let marked = last.unwrap_or_else(|| default_level(&offered));
        let button = |level: &Level| {
            let id = StartId::Level(info.key.to_owned(), level.key().to_owned()).id();
            let name = self.level(*level);
            let label = match last == Some(*level) {
                true => self.words.say("start-level-last", &[("level", name.into())]),
                false => name,
            };
            let style = if *level == marked { ButtonStyle::Success } else { ButtonStyle::Primary };
            Component::button(clip(&label, MAX_LABEL_CHARS), style, id)
        };
        let levels: Vec<Component> = offered.iter().map(button).collect();
        self.start_of("start-level", info, summary)
            .row(levels)
            .row(self.start_navigation(info, StartPurpose::Bot))
    }

    /// Asks for the person to challenge.
    pub fn start_person(&self, info: &GameInfo, summary: &str) -> OutgoingMessage {
        self.start_of("start-person", info, summary)
            .row([self.start_people(info)])
            .row(self.start_navigation(info, StartPurpose::Person))
    }

    /// Asks for the opponent: the bot, a person, or anyone.
    pub fn start_opponent(&self, info: &GameInfo, summary: &str) -> OutgoingMessage {
        let game = || info.key.to_owned();
        let bot = StartId::Game(StartPurpose::Bot, game());
        let more = StartId::Options(game(), StartPurpose::Opponent);
        self.start_of("start-opponent", info, summary)
            .row([self.start_button("button-start-bot", ButtonStyle::Success, &bot)])
            .row([self.start_people(info)])
            .row([
                self.start_button("button-start-anyone", ButtonStyle::Primary, &StartId::Open(game())),
                self.start_button("button-start-more", ButtonStyle::Secondary, &more),
            ])
    }

    /// Shows the options of a game with their values. `changing` is the option to change, if one is chosen.
    pub fn start_options(
        &self,
        info: &GameInfo,
        back: StartPurpose,
        options: &[(StartOption, Option<String>)],
        changing: Option<&str>,
    ) -> OutgoingMessage {
        let set = options.iter().filter_map(|(option, value)| Some((option, value.as_deref()?)));
        let lines: Vec<String> = set.map(|(option, value)| self.option_line(&option.key, value)).collect();
        let head = self.words.say("start-options", &[("game", self.words.game_short(info.key).into())]);
        let state = if lines.is_empty() { self.words.word("start-options-none") } else { lines.join("\n") };
        let post = OutgoingMessage::text(format!("{head}\n{state}"));
        let post = post.row([self.option_select(info, back, options)]);
        let found = changing.and_then(|key| options.iter().find(|(option, _)| option.key == key));
        let post = match found {
            Some((option, _)) if !option.choices.is_empty() => {
                post.row([self.value_select(info, back, option)])
            }
            _ => post,
        };
        let game = || info.key.to_owned();
        let mut last = match back {
            StartPurpose::BotAt(level) => self.start_at(info, level),
            _ => {
                let done = StartId::Game(back, game());
                vec![self.start_button("button-start-done", ButtonStyle::Success, &done)]
            }
        };
        if !lines.is_empty() {
            let reset = StartId::Reset(game(), back);
            last.push(self.start_button("button-start-reset", ButtonStyle::Secondary, &reset));
        }
        post.row(last)
    }

    /// Builds the buttons that start a game against the bot at the level that was chosen, or ask for another one.
    fn start_at(&self, info: &GameInfo, level: Level) -> Vec<Component> {
        let start = self.words.say("button-start-at", &[("level", self.level(level).into())]);
        let id = StartId::Level(info.key.to_owned(), level.key().to_owned()).id();
        let other = StartId::Game(StartPurpose::Bot, info.key.to_owned());
        vec![
            Component::button(clip(&start, MAX_LABEL_CHARS), ButtonStyle::Success, id),
            self.start_button("button-start-level", ButtonStyle::Secondary, &other),
        ]
    }

    /// The name of a level.
    fn level(&self, level: Level) -> String {
        self.words.word(&format!("button-level-{}", level.key()))
    }

    fn option_select(
        &self,
        info: &GameInfo,
        back: StartPurpose,
        options: &[(StartOption, Option<String>)],
    ) -> Component {
        let choice = |(option, value): &(StartOption, Option<String>)| {
            let label = match value {
                Some(value) => self.option_line(&option.key, value),
                None => self.words.option_name(&option.key),
            };
            Choice {
                label: clip(&label, MAX_CHOICE_CHARS),
                value: option.key.clone(),
                note: clip(&option.note, MAX_CHOICE_CHARS),
            }
        };
        Component::Select {
            id: StartId::Pick(info.key.to_owned(), back).id(),
            placeholder: self.words.word("start-options-pick"),
            choices: options.iter().take(MAX_CHOICES).map(choice).collect(),
        }
    }

    fn value_select(&self, info: &GameInfo, back: StartPurpose, option: &StartOption) -> Component {
        let standard = OptionChoice { value: STANDARD.to_owned(), label: self.words.word("start-standard") };
        let choice = |choice: &OptionChoice| Choice {
            label: clip(&choice.label, MAX_CHOICE_CHARS),
            value: choice.value.clone(),
            note: String::new(),
        };
        let choices = std::iter::once(&standard).chain(&option.choices).take(MAX_CHOICES).map(choice);
        let args = [("option", self.words.option_name(&option.key).into())];
        Component::Select {
            id: StartId::Set(info.key.to_owned(), back, option.key.clone()).id(),
            placeholder: clip(&self.words.say("start-options-value", &args), MAX_PLACEHOLDER_CHARS),
            choices: choices.collect(),
        }
    }

    /// Formats an option: "size: 6x6".
    pub fn option_line(&self, key: &str, value: &str) -> String {
        let args = [("what", self.words.option_name(key).into()), ("value", value.into())];
        self.words.say("setting-line", &args)
    }

    fn start_people(&self, info: &GameInfo) -> Component {
        let placeholder = self.words.word("start-person-select");
        Component::People { id: StartId::Challenge(info.key.to_owned()).id(), placeholder }
    }

    /// Formats the question of a panel, with what differs from a standard game.
    fn start_of(&self, key: &str, info: &GameInfo, summary: &str) -> OutgoingMessage {
        let text = self.words.say(key, &[("game", self.words.game_short(info.key).into())]);
        let with =
            (!summary.is_empty()).then(|| self.words.say("start-with", &[("options", summary.into())]));
        OutgoingMessage::text([Some(text), with].into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }

    fn start_navigation(&self, info: &GameInfo, purpose: StartPurpose) -> [Component; 2] {
        let more = StartId::Options(info.key.to_owned(), purpose);
        [
            self.start_button("button-back", ButtonStyle::Secondary, &StartId::Games(purpose)),
            self.start_button("button-start-more", ButtonStyle::Secondary, &more),
        ]
    }
}

/// Returns the levels that are offered where `most` is the highest allowed, the easiest first.
fn offered_levels(most: Level) -> Vec<Level> {
    let offered: Vec<Level> =
        Level::ALL.into_iter().filter(|level| *level <= most && *level != Level::Random).collect();
    // A server may allow the lowest level only.
    if offered.is_empty() { vec![Level::Random] } else { offered }
}

/// Returns the level for a person who has not chosen one: easy, or the highest offered below it.
fn default_level(offered: &[Level]) -> Level {
    offered.iter().copied().rfind(|level| *level <= Level::Easy).unwrap_or(Level::Easy)
}
