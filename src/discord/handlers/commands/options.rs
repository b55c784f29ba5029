//! The options of commands. Each is declared once, as a typed field of its command's input; the registration and
//! the reader are both made from that declaration.

use std::ops::RangeBounds;

use rookery_i18n::{Localizer, clip};
use serde_json::{Value, json};

use crate::discord::wire::interaction::{GivenOptions, OptionValue};
use crate::discord::wire::limits::MAX_DESCRIPTION_CHARS;

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
pub(super) fn text(value: &OptionValue) -> Option<&str> {
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

        impl $crate::discord::handlers::commands::option_types::Choice for $choice {
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

#[cfg(test)]
mod tests;
