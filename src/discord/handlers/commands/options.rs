//! The options of commands. Each is declared once, as a typed field of its command's input; the registration and
//! the reader are both made from that declaration.

use std::ops::RangeBounds;

use rookery_core::player::Level;
use rookery_i18n::{Localizer, clip};
use rookery_table::UserId;
use rookery_table::rating::Pool;
use serde_json::{Value, json};

use crate::discord::wire::game_list_id::GameListKind;
use crate::discord::wire::interaction::{Attachment, GivenOptions, OptionValue};
use crate::discord::wire::limits::MAX_DESCRIPTION_CHARS;
use crate::discord::wire::share_id::ShareAction;

/// The typed input of a command.
pub(in crate::discord) trait CommandOptions: Sized + Send {
    /// Returns the options as Discord registers them.
    fn register(words: &Localizer) -> Vec<Value>;
    /// Reads the options.
    ///
    /// # Errors
    /// If a required option is missing, or an option has a value that its declaration excludes. Discord checks both,
    /// unless the command is from another version.
    fn read(given: &GivenOptions) -> Result<Self, OptionError>;

    /// Reads the options while one of them is typed: Discord doesn't check them yet, so an invalid one counts as not
    /// given. `None` while a required option is missing.
    fn read_incomplete(given: &GivenOptions) -> Option<Self> {
        let mut given = given.clone();
        loop {
            match Self::read(&given) {
                Ok(input) => return Some(input),
                Err(OptionError::Invalid { option, .. }) if given.value(option).is_some() => {
                    given = given.without(option);
                }
                Err(_) => return None,
            }
        }
    }
}

/// Why the options of a command cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
pub(in crate::discord) enum OptionError {
    #[error("the option {0} is missing")]
    Missing(&'static str),
    /// The value is of another type, beyond the limits, or none of the choices.
    #[error("the option {option} is invalid")]
    Invalid {
        option: &'static str,
        /// Describes the valid values.
        valid: fn(&Localizer) -> String,
    },
    #[error("the subcommand {0:?} is unknown")]
    UnknownSubcommand(String),
}

impl OptionError {
    /// Returns the answer for the person who gave the command.
    pub(in crate::discord) fn sentence(&self, words: &Localizer) -> String {
        match self {
            OptionError::Missing(option) => words.say("option-missing", &[("option", (*option).into())]),
            OptionError::Invalid { option, valid } => {
                words.say("option-invalid", &[("option", (*option).into()), ("valid", valid(words).into())])
            }
            OptionError::UnknownSubcommand(_) => words.word("old-command"),
        }
    }
}

/// The type of an option's value.
pub(super) trait OptionType: Sized {
    const KIND: OptionKind;
    /// Adds the limits, the choices or the autocompletion to the registration.
    fn restrict(_option: &mut Value, _words: &Localizer) {}
    /// Describes the valid values, such as "a whole number from 1 to 5".
    fn describe_valid(words: &Localizer) -> String;
    /// Converts a value; `None` if it is of another type or not valid.
    fn from_value(value: &OptionValue) -> Option<Self>;
    /// Reads the option; `None` if it was not given.
    ///
    /// # Errors
    /// If the value is not valid.
    fn read(given: &GivenOptions, option: &'static str) -> Result<Option<Self>, OptionError> {
        let Some(value) = given.value(option) else { return Ok(None) };
        Self::from_value(value).map(Some).ok_or(OptionError::Invalid { option, valid: Self::describe_valid })
    }
}

/// Describes a whole number within limits.
pub(super) fn describe_number(words: &Localizer, least: i64, most: Option<i64>) -> String {
    match most {
        Some(most) => words.say("spoken-range", &[("least", least.into()), ("most", most.into())]),
        None => words.say("spoken-least", &[("least", least.into())]),
    }
}

/// Returns the text of a text option.
fn text(value: &OptionValue) -> Option<&str> {
    match value {
        OptionValue::Text(text) => Some(text),
        _ => None,
    }
}

/// Returns the number of a numeric option, if it lies within limits.
pub(super) fn number_in(value: &OptionValue, limits: impl RangeBounds<i64>) -> Option<i64> {
    match value {
        OptionValue::Number(number) => Some(*number).filter(|number| limits.contains(number)),
        _ => None,
    }
}

/// An option as a field of an input: `T` is required, `Option<T>` is not.
pub(super) trait OptionField: Sized {
    fn register(words: &Localizer, name: &str, description: &str) -> Value;
    fn read(given: &GivenOptions, name: &'static str) -> Result<Self, OptionError>;
}

impl<T: OptionType> OptionField for T {
    fn register(words: &Localizer, name: &str, description: &str) -> Value {
        let mut option = <Option<T> as OptionField>::register(words, name, description);
        option["required"] = json!(true);
        option
    }

    fn read(given: &GivenOptions, name: &'static str) -> Result<T, OptionError> {
        <T as OptionType>::read(given, name)?.ok_or(OptionError::Missing(name))
    }
}

impl<T: OptionType> OptionField for Option<T> {
    fn register(words: &Localizer, name: &str, description: &str) -> Value {
        let mut option = registered(words, T::KIND, name, description);
        option["required"] = json!(false);
        T::restrict(&mut option, words);
        option
    }

    fn read(given: &GivenOptions, name: &'static str) -> Result<Option<T>, OptionError> {
        <T as OptionType>::read(given, name)
    }
}

fn registered(words: &Localizer, kind: OptionKind, name: &str, description: &str) -> Value {
    let description = clip(&words.word(description), MAX_DESCRIPTION_CHARS);
    json!({ "type": kind as u8, "name": name, "description": description })
}

/// Returns the registration of a subcommand.
pub(super) fn subcommand(words: &Localizer, name: &str, description: &str, options: Vec<Value>) -> Value {
    let mut part = registered(words, OptionKind::Subcommand, name, description);
    part["options"] = options.into();
    part
}

/// The kinds of option in use, by Discord's numbers.
#[derive(Clone, Copy, PartialEq, Eq, strum::FromRepr)]
#[repr(u8)]
pub(in crate::discord) enum OptionKind {
    Subcommand = 1,
    Text = 3,
    Number = 4,
    Yes = 5,
    User = 6,
    File = 11,
}

impl OptionKind {
    /// Returns the kind of a registered option.
    pub(in crate::discord) fn of(option: &Value) -> Option<OptionKind> {
        OptionKind::from_repr(option["type"].as_u64()?.try_into().ok()?)
    }
}

/// Declares the input of a command: a struct with one field for each option, or an enum with one variant for each
/// subcommand. A field reads `name: Type = "option", "key of its description"`. An enum names the variant for
/// requests without a subcommand, which clients with an older registration send.
macro_rules! command_options {
    ($(#[$meta:meta])* $vis:vis struct $input:ident {
        $($(#[$field_meta:meta])* $field:ident: $type:ty = $option:expr, $description:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $input {
            $($(#[$field_meta])* pub(super) $field: $type,)*
        }

        impl $crate::discord::handlers::commands::options::CommandOptions for $input {
            fn register(words: &rookery_i18n::Localizer) -> Vec<serde_json::Value> {
                let _ = words;
                vec![$(<$type as $crate::discord::handlers::commands::options::OptionField>::register(words, $option, $description)),*]
            }

            fn read(
                given: &$crate::discord::wire::interaction::GivenOptions,
            ) -> Result<Self, $crate::discord::handlers::commands::options::OptionError> {
                let _ = given;
                Ok(Self { $($field: <$type as $crate::discord::handlers::commands::options::OptionField>::read(given, $option)?,)* })
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $input:ident otherwise $usual:ident {
        $($variant:ident($options:ty) = $name:literal, $description:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis enum $input {
            $($variant($options),)*
        }

        impl $crate::discord::handlers::commands::options::CommandOptions for $input {
            fn register(words: &rookery_i18n::Localizer) -> Vec<serde_json::Value> {
                use $crate::discord::handlers::commands::options::{CommandOptions, subcommand};
                vec![$(subcommand(words, $name, $description, <$options as CommandOptions>::register(words))),*]
            }

            fn read(
                given: &$crate::discord::wire::interaction::GivenOptions,
            ) -> Result<Self, $crate::discord::handlers::commands::options::OptionError> {
                use $crate::discord::handlers::commands::options::{CommandOptions, NoOptions, OptionError};
                Ok(match given.subcommand() {
                    None => Self::$usual(NoOptions {}),
                    $(Some($name) => Self::$variant(<$options as CommandOptions>::read(given)?),)*
                    Some(unknown) => return Err(OptionError::UnknownSubcommand(unknown.to_owned())),
                })
            }
        }
    };
}
pub(super) use command_options;

/// Declares an enum of the values that an option offers: `Variant = "value", "key of its label"`.
macro_rules! option_choices {
    ($(#[$meta:meta])* $vis:vis enum $choice:ident {
        $($variant:ident = $key:literal, $label:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $choice {
            $($variant,)*
        }

        impl $crate::discord::handlers::commands::options::Choice for $choice {
            fn all() -> Vec<Self> {
                vec![$(Self::$variant),*]
            }

            fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)*
                }
            }

            fn label(self, words: &rookery_i18n::Localizer) -> String {
                words.word(match self {
                    $(Self::$variant => $label,)*
                })
            }
        }
    };
}
pub(super) use option_choices;

command_options! {
    /// The input of a command without options.
    pub(super) struct NoOptions {}
}

/// The option of many commands that names a table.
pub(super) const TABLE: &str = GivenOptions::TABLE;

command_options! {
    /// The input of a command about a table.
    pub(super) struct TableOptions {
        table: Option<TableName> = TABLE, "command-option-table";
    }
}

command_options! {
    /// The input of a command about a game's rules.
    pub(super) struct GameOptions {
        game: GameKey = "game", "command-play-game";
    }
}

command_options! {
    /// The input of a command about a person.
    pub(super) struct PersonOptions {
        person: UserId = "person", "command-block-person";
    }
}

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

impl Choice for Pool {
    fn all() -> Vec<Pool> {
        Pool::ALL.to_vec()
    }

    fn key(self) -> &'static str {
        self.key()
    }

    fn label(self, words: &Localizer) -> String {
        words.pool(self)
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
        let choices = super::games_by_name(words).into_iter();
        option["choices"] = choices.map(|(name, key)| json!({ "name": name, "value": key })).collect();
    }

    fn describe_valid(words: &Localizer) -> String {
        words.either(&super::games_by_name(words).into_iter().map(|(name, _)| name).collect::<Vec<_>>())
    }

    fn from_value(value: &OptionValue) -> Option<GameKey> {
        text(value).map(|key| GameKey(key.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    option_choices! {
        enum Colour {
            Red = "red", "choice-me";
            Blue = "blue", "choice-them";
        }
    }

    command_options! {
        struct Bounded {
            count: Option<NumberIn<1, 30>> = "count", "command-vacation-days";
            seed: Option<NumberFrom<0>> = "seed", "command-play-seed";
            text: Option<TextUpTo<3>> = "text", "command-vacation-from";
            colour: Option<Colour> = "colour", "command-play-first";
            rated: Option<bool> = "rated", "command-play-rated";
            who: Option<UserId> = "who", "command-play-opponent";
            file: Option<Attachment> = "file", "command-vacation-from";
        }
    }

    command_options! {
        enum Parts otherwise Nothing {
            Nothing(NoOptions) = "nothing", "command-config-panel";
            Person(PersonOptions) = "person", "command-config-ban";
        }
    }

    fn given(values: &[(&str, OptionValue)]) -> GivenOptions {
        GivenOptions::of(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    fn text_of(text: &str) -> OptionValue {
        OptionValue::Text(text.to_owned())
    }

    fn refused<T: CommandOptions>(given: &GivenOptions) -> String {
        T::read(given).err().map(|error| error.sentence(Localizer::english())).unwrap_or_default()
    }

    #[test]
    fn absent_options_are_none_and_valid_ones_are_read() {
        let none = Bounded::read(&given(&[])).unwrap();
        assert!(none.count.is_none() && none.text.is_none() && none.colour.is_none() && none.file.is_none());
        let all = given(&[
            ("count", OptionValue::Number(30)),
            ("seed", OptionValue::Number(i64::MAX)),
            ("text", text_of("äöü")),
            ("colour", text_of("blue")),
            ("rated", OptionValue::Yes(false)),
            ("who", OptionValue::User(UserId(7))),
        ]);
        let all = Bounded::read(&all).unwrap();
        assert_eq!((all.count, all.seed), (Some(NumberIn(30)), Some(NumberFrom(i64::MAX))));
        assert_eq!((all.text, all.colour), (Some(TextUpTo("äöü".to_owned())), Some(Colour::Blue)));
        assert_eq!((all.rated, all.who), (Some(false), Some(UserId(7))));
    }

    #[test]
    fn invalid_values_are_errors_that_say_what_is_valid() {
        for (option, value, valid) in [
            ("count", OptionValue::Number(31), "a whole number from 1 to 30"),
            ("count", OptionValue::Number(0), "a whole number from 1 to 30"),
            ("count", text_of("3"), "a whole number from 1 to 30"),
            ("seed", OptionValue::Number(-1), "a whole number, 0 or more"),
            ("text", text_of("long"), "at most 3 characters"),
            ("text", OptionValue::Number(3), "at most 3 characters"),
            (
                "colour",
                text_of("green"),
                &format!(
                    "{} or {}",
                    Colour::Red.label(Localizer::english()),
                    Colour::Blue.label(Localizer::english())
                ),
            ),
            ("rated", text_of("yes"), "true or false"),
            ("who", OptionValue::Unreadable, "a person"),
            ("file", OptionValue::Unreadable, "a file"),
        ] {
            let told = refused::<Bounded>(&given(&[(option, value.clone())]));
            assert!(told.contains(option) && told.contains(valid), "{option} {value:?}: {told}");
        }
    }

    #[test]
    fn missing_options_are_named() {
        let told = refused::<PersonOptions>(&given(&[]));
        assert!(told.contains("person") && !told.contains("button"), "{told}");
    }

    #[test]
    fn unknown_subcommands_are_errors() {
        let part = |name: Option<&str>| GivenOptions { subcommand: name.map(str::to_owned), ..given(&[]) };
        assert!(matches!(Parts::read(&part(None)), Ok(Parts::Nothing(_))));
        assert!(matches!(Parts::read(&part(Some("nothing"))), Ok(Parts::Nothing(_))));
        assert!(matches!(Parts::read(&part(Some("person"))), Err(OptionError::Missing("person"))));
        let ada = GivenOptions {
            subcommand: Some("person".into()),
            ..given(&[("person", OptionValue::User(UserId(7)))])
        };
        assert!(matches!(Parts::read(&ada), Ok(Parts::Person(PersonOptions { person: UserId(7) }))));
        assert_eq!(refused::<Parts>(&part(Some("other"))), Localizer::english().word("old-command"));
    }

    #[test]
    fn while_an_option_is_typed_invalid_others_count_as_absent() {
        let typing = given(&[("count", OptionValue::Number(99)), ("seed", OptionValue::Number(3))]);
        let read = Bounded::read_incomplete(&typing).unwrap();
        assert_eq!((read.count, read.seed), (None, Some(NumberFrom(3))));
        assert!(PersonOptions::read_incomplete(&given(&[("person", text_of("A"))])).is_none());
    }
}
