//! The types of option values: lists of choices, texts, numbers, people, files and games.

use rookery_core::player::Level;
use rookery_core::printed_page::PaperSize;
use rookery_i18n::Localizer;
use rookery_table::UserId;
use rookery_table::rating::RatingPool;
use serde_json::{Value, json};

use super::options::{OptionError, OptionKind, OptionType, describe_number, number_in, text};
use crate::discord::wire::game_list_id::GameListKind;
use crate::discord::wire::interaction::{Attachment, GivenOptions, OptionValue};
use crate::discord::wire::share_id::ShareAction;

/// A value from a list that Discord offers.
pub(super) trait Choice: Copy {
    /// Returns all values in the order in which they are offered.
    fn all() -> Vec<Self>;
    /// Returns the value as Discord sends it.
    fn key(self) -> &'static str;
    /// Returns the value as people read it.
    fn label(self, words: &Localizer) -> String;
}

impl<T: Choice> OptionType for T {
    const KIND: OptionKind = OptionKind::Text;

    fn restrict(option: &mut Value, words: &Localizer) {
        let choices = T::all().into_iter();
        option["choices"] =
            choices.map(|choice| json!({ "name": choice.label(words), "value": choice.key() })).collect();
    }

    fn describe_valid(words: &Localizer) -> String {
        words.either(&T::all().into_iter().map(|choice| choice.label(words)).collect::<Vec<_>>())
    }

    fn from_value(value: &OptionValue) -> Option<T> {
        let key = text(value)?;
        T::all().into_iter().find(|choice| choice.key() == key)
    }
}

impl Choice for Level {
    fn all() -> Vec<Level> {
        Level::ALL.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.level(self)
    }
}

impl Choice for RatingPool {
    fn all() -> Vec<RatingPool> {
        RatingPool::ALL.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.pool(self)
    }
}

impl Choice for PaperSize {
    fn all() -> Vec<PaperSize> {
        PaperSize::ALL.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.paper_size(self)
    }
}

impl Choice for GameListKind {
    fn all() -> Vec<GameListKind> {
        GameListKind::ALL.map(|(kind, ..)| kind).to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.word(self.offer())
    }
}

impl Choice for ShareAction {
    fn all() -> Vec<ShareAction> {
        ShareAction::ALL.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.word(self.offer())
    }
}

impl OptionType for String {
    const KIND: OptionKind = OptionKind::Text;

    fn describe_valid(words: &Localizer) -> String {
        words.word("option-valid-text")
    }

    fn from_value(value: &OptionValue) -> Option<String> {
        text(value).map(str::to_owned)
    }
}

impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Yes;

    fn describe_valid(words: &Localizer) -> String {
        words.word("option-valid-boolean")
    }

    fn from_value(value: &OptionValue) -> Option<bool> {
        match value {
            OptionValue::Yes(yes) => Some(*yes),
            _ => None,
        }
    }
}

impl OptionType for UserId {
    const KIND: OptionKind = OptionKind::User;

    fn describe_valid(words: &Localizer) -> String {
        words.word("option-valid-person")
    }

    fn from_value(value: &OptionValue) -> Option<UserId> {
        match value {
            OptionValue::User(person) => Some(*person),
            _ => None,
        }
    }
}

impl OptionType for Attachment {
    const KIND: OptionKind = OptionKind::File;

    fn describe_valid(words: &Localizer) -> String {
        words.word("option-valid-file")
    }

    fn from_value(_: &OptionValue) -> Option<Attachment> {
        None
    }

    fn read(given: &GivenOptions, option: &'static str) -> Result<Option<Attachment>, OptionError> {
        match (given.file(), given.value(option)) {
            (Some(file), _) => Ok(Some(file.clone())),
            (None, None) => Ok(None),
            (None, Some(_)) => Err(OptionError::Invalid { option, valid: Self::describe_valid }),
        }
    }
}

/// A whole number of at least `MIN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberFrom<const MIN: i64>(pub(super) i64);

impl<const MIN: i64> OptionType for NumberFrom<MIN> {
    const KIND: OptionKind = OptionKind::Number;

    fn restrict(option: &mut Value, _words: &Localizer) {
        option["min_value"] = json!(MIN);
    }

    fn describe_valid(words: &Localizer) -> String {
        describe_number(words, MIN, None)
    }

    fn from_value(value: &OptionValue) -> Option<Self> {
        number_in(value, MIN..).map(NumberFrom)
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NumberIn<const MIN: i64, const MAX: i64>(pub(super) i64);

impl<const MIN: i64, const MAX: i64> OptionType for NumberIn<MIN, MAX> {
    const KIND: OptionKind = OptionKind::Number;

    fn restrict(option: &mut Value, _words: &Localizer) {
        (option["min_value"], option["max_value"]) = (json!(MIN), json!(MAX));
    }

    fn describe_valid(words: &Localizer) -> String {
        describe_number(words, MIN, Some(MAX))
    }

    fn from_value(value: &OptionValue) -> Option<Self> {
        number_in(value, MIN..=MAX).map(NumberIn)
    }
}

/// A text of at most `MAX` characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextUpTo<const MAX: usize>(pub(super) String);

impl<const MAX: usize> OptionType for TextUpTo<MAX> {
    const KIND: OptionKind = OptionKind::Text;

    fn restrict(option: &mut Value, _words: &Localizer) {
        option["max_length"] = json!(MAX);
    }

    fn describe_valid(words: &Localizer) -> String {
        words.say("option-valid-length", &[("most", MAX.into())])
    }

    fn from_value(value: &OptionValue) -> Option<Self> {
        text(value).filter(|text| text.chars().count() <= MAX).map(|text| TextUpTo(text.to_owned()))
    }
}

/// A text that its command completes while it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CompletedText(pub(super) String);

impl OptionType for CompletedText {
    const KIND: OptionKind = OptionKind::Text;

    fn restrict(option: &mut Value, _words: &Localizer) {
        option["autocomplete"] = json!(true);
    }

    fn describe_valid(words: &Localizer) -> String {
        words.word("option-valid-text")
    }

    fn from_value(value: &OptionValue) -> Option<Self> {
        text(value).map(|text| CompletedText(text.to_owned()))
    }
}

/// The name of a table, as typed; completed by the tables that the command is meant for.
pub(super) type TableName = CompletedText;

/// The key of a game. Messages may name a game that does not exist, so it is looked up by the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GameKey(pub(super) String);

impl OptionType for GameKey {
    const KIND: OptionKind = OptionKind::Text;

    fn restrict(option: &mut Value, words: &Localizer) {
        let choices = games_by_name(words).into_iter();
        option["choices"] = choices.map(|(name, key)| json!({ "name": name, "value": key })).collect();
    }

    fn describe_valid(words: &Localizer) -> String {
        words.either(&games_by_name(words).into_iter().map(|(name, _)| name).collect::<Vec<_>>())
    }

    fn from_value(value: &OptionValue) -> Option<GameKey> {
        text(value).map(|key| GameKey(key.to_owned()))
    }
}

/// Returns all games by name and key.
pub(super) fn games_by_name(words: &Localizer) -> Vec<(String, String)> {
    let games = rookery_games::all().iter().map(|game| game.info().key);
    games.map(|key| (words.game(key), key.to_owned())).collect()
}
