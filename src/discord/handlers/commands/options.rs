//! The options of commands. Each is declared once, as a typed field of its command's input; the registration and
//! the reader are both made from that declaration.

use rookery_core::player::Level;
use rookery_i18n::{Localizer, clip};
use rookery_table::UserId;
use rookery_table::rating::Pool;
use serde_json::{Value, json};

use crate::discord::wire::game_list_id::GameListKind;
use crate::discord::wire::interaction::{Attachment, GivenOptions};
use crate::discord::wire::limits::MAX_DESCRIPTION_CHARS;
use crate::discord::wire::share_id::ShareAction;

/// The typed input of a command.
pub(in crate::discord) trait CommandOptions: Sized + Send {
    /// Returns the options as Discord registers them.
    fn register(words: &Localizer) -> Vec<Value>;
    /// Reads the options.
    ///
    /// # Errors
    /// If a required option is missing: Discord sends it, unless the command is from another version.
    fn read(given: &GivenOptions) -> Result<Self, MissingOption>;
}

/// A required option was not sent, or has a value that this version does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the option {0} is missing")]
pub(in crate::discord) struct MissingOption(pub(in crate::discord) &'static str);

/// The type of an option's value.
pub(super) trait OptionType: Sized {
    const KIND: OptionKind;
    /// Adds the limits, the choices or the autocompletion to the registration.
    fn restrict(_option: &mut Value, _words: &Localizer) {}
    /// Reads the value; `None` if it was not given or is not of this type.
    fn read(given: &GivenOptions, name: &str) -> Option<Self>;
}

/// An option as a field of an input: `T` is required, `Option<T>` is not.
pub(super) trait OptionField: Sized {
    fn register(words: &Localizer, name: &str, description: &str) -> Value;
    fn read(given: &GivenOptions, name: &'static str) -> Result<Self, MissingOption>;
}

impl<T: OptionType> OptionField for T {
    fn register(words: &Localizer, name: &str, description: &str) -> Value {
        let mut option = <Option<T> as OptionField>::register(words, name, description);
        option["required"] = json!(true);
        option
    }

    fn read(given: &GivenOptions, name: &'static str) -> Result<T, MissingOption> {
        <T as OptionType>::read(given, name).ok_or(MissingOption(name))
    }
}

impl<T: OptionType> OptionField for Option<T> {
    fn register(words: &Localizer, name: &str, description: &str) -> Value {
        let mut option = registered(words, T::KIND, name, description);
        option["required"] = json!(false);
        T::restrict(&mut option, words);
        option
    }

    fn read(given: &GivenOptions, name: &'static str) -> Result<Option<T>, MissingOption> {
        Ok(T::read(given, name))
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
            ) -> Result<Self, $crate::discord::handlers::commands::options::MissingOption> {
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
            ) -> Result<Self, $crate::discord::handlers::commands::options::MissingOption> {
                use $crate::discord::handlers::commands::options::{CommandOptions, NoOptions};
                Ok(match given.subcommand() {
                    $(Some($name) => Self::$variant(<$options as CommandOptions>::read(given)?),)*
                    _ => Self::$usual(NoOptions {}),
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

    fn read(given: &GivenOptions, name: &str) -> Option<T> {
        let key = given.text(name)?;
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

    fn read(given: &GivenOptions, name: &str) -> Option<String> {
        given.text(name).map(str::to_owned)
    }
}

impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Yes;

    fn read(given: &GivenOptions, name: &str) -> Option<bool> {
        given.yes(name)
    }
}

impl OptionType for UserId {
    const KIND: OptionKind = OptionKind::User;

    fn read(given: &GivenOptions, name: &str) -> Option<UserId> {
        given.person(name)
    }
}

impl OptionType for Attachment {
    const KIND: OptionKind = OptionKind::File;

    fn read(given: &GivenOptions, _name: &str) -> Option<Attachment> {
        given.file().cloned()
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

    fn read(given: &GivenOptions, name: &str) -> Option<Self> {
        given.number(name).map(NumberFrom)
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

    fn read(given: &GivenOptions, name: &str) -> Option<Self> {
        given.number(name).map(NumberIn)
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

    fn read(given: &GivenOptions, name: &str) -> Option<Self> {
        given.text(name).map(|text| TextUpTo(text.to_owned()))
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

    fn read(given: &GivenOptions, name: &str) -> Option<Self> {
        given.text(name).map(|text| CompletedText(text.to_owned()))
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

    fn read(given: &GivenOptions, name: &str) -> Option<GameKey> {
        given.text(name).map(|key| GameKey(key.to_owned()))
    }
}

/// Returns all games by name and key.
pub(super) fn games_by_name(words: &Localizer) -> Vec<(String, String)> {
    let games = rookery_games::all().iter().map(|game| game.info().key);
    games.map(|key| (words.game(key), key.to_owned())).collect()
}
