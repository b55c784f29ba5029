//! Tests of declared options.

use super::super::common_options::PersonOptions;
use super::super::option_types::{Choice, NumberFrom, NumberIn, TextUpTo};
use super::*;
use crate::discord::wire::interaction::Attachment;
use rookery_table::UserId;

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
