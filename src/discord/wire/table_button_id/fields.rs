//! The fields that follow the action's word in a custom id: one encoding for each type.

use rookery_core::Seat;
use rookery_table::{Offer, plans};

use super::{ButtonAction, FIELD, UnknownComponentId, ViewOptions, ViewerAction};

/// Separates the steps of a move. No game's notation uses it.
const STEP: char = '~';

/// The words of the actions that another action may hold: [`ButtonAction::Panel`], `Pick` and `Narrow`.
const PANEL_WORDS: [&str; 3] = ["panel", "pick", "in"];

/// The fields that are not read yet; `None` after the last.
pub(super) struct Fields<'a>(pub(super) Option<&'a str>);

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<&'a str, UnknownComponentId> {
        let rest = self.0.take().ok_or(UnknownComponentId)?;
        let (field, rest) = rest.split_once(FIELD).map_or((rest, None), |(field, rest)| (field, Some(rest)));
        self.0 = rest;
        Ok(field)
    }

    /// Returns an empty text after the last field.
    fn next_or_empty(&mut self) -> &'a str {
        self.next().unwrap_or_default()
    }
}

/// A part of an action that can be encoded in a custom id.
pub(super) trait IdField: Sized {
    /// Encodes the value, without the separator before it.
    fn encode(&self) -> String;
    /// Decodes the output of [`IdField::encode`].
    fn decode(fields: &mut Fields<'_>) -> Result<Self, UnknownComponentId>;
}

/// Types that are encoded by `Display` and decoded by `FromStr`.
macro_rules! plain_fields {
    ($($kind:ty),+) => {$(
        impl IdField for $kind {
            fn encode(&self) -> String {
                self.to_string()
            }
            fn decode(fields: &mut Fields<'_>) -> Result<$kind, UnknownComponentId> {
                fields.next()?.parse().map_err(|_| UnknownComponentId)
            }
        }
    )+};
}

plain_fields!(u8, u16, char);

/// The number of an offer or a vote. The buttons of the first versions had none, which counts as 0.
impl IdField for u64 {
    fn encode(&self) -> String {
        self.to_string()
    }
    fn decode(fields: &mut Fields<'_>) -> Result<u64, UnknownComponentId> {
        match fields.next_or_empty() {
            "" => Ok(0),
            number => number.parse().map_err(|_| UnknownComponentId),
        }
    }
}

/// Steps of a move, or moves of a plan.
impl IdField for Vec<String> {
    fn encode(&self) -> String {
        self.join(&STEP.to_string())
    }
    fn decode(fields: &mut Fields<'_>) -> Result<Vec<String>, UnknownComponentId> {
        Ok(fields.next_or_empty().split(STEP).filter(|step| !step.is_empty()).map(str::to_owned).collect())
    }
}

/// The [mark](plans::mark) of a plan.
impl IdField for Option<String> {
    fn encode(&self) -> String {
        self.clone().unwrap_or_default()
    }
    fn decode(fields: &mut Fields<'_>) -> Result<Option<String>, UnknownComponentId> {
        match fields.next_or_empty() {
            "" => Ok(None),
            mark if mark.len() == plans::BRANCH_ID_CHARS => Ok(Some(mark.to_owned())),
            _ => Err(UnknownComponentId),
        }
    }
}

impl IdField for Seat {
    fn encode(&self) -> String {
        self.index().to_string()
    }
    fn decode(fields: &mut Fields<'_>) -> Result<Seat, UnknownComponentId> {
        fields.next()?.parse().ok().and_then(Seat::new).ok_or(UnknownComponentId)
    }
}

impl IdField for Offer {
    fn encode(&self) -> String {
        self.key().to_owned()
    }
    fn decode(fields: &mut Fields<'_>) -> Result<Offer, UnknownComponentId> {
        Offer::named(fields.next()?).ok_or(UnknownComponentId)
    }
}

impl IdField for ViewerAction {
    fn encode(&self) -> String {
        self.key().to_owned()
    }
    fn decode(fields: &mut Fields<'_>) -> Result<ViewerAction, UnknownComponentId> {
        ViewerAction::named(fields.next()?).ok_or(UnknownComponentId)
    }
}

/// Two fields: the side at the bottom, and whether cells are tinted.
impl IdField for ViewOptions {
    fn encode(&self) -> String {
        format!("{}{FIELD}{}", self.side.encode(), u8::from(self.tints))
    }
    fn decode(fields: &mut Fields<'_>) -> Result<ViewOptions, UnknownComponentId> {
        Ok(ViewOptions { side: Seat::decode(fields)?, tints: fields.next()? == "1" })
    }
}

/// A step of a panel within another action: its word and fields, to the end of the id.
impl IdField for Box<ButtonAction> {
    fn encode(&self) -> String {
        let (word, rest) = ButtonAction::encode(self);
        format!("{word}{rest}")
    }
    fn decode(fields: &mut Fields<'_>) -> Result<Box<ButtonAction>, UnknownComponentId> {
        let word = fields.next()?;
        // Checked first: a step within a step within a step would be decoded by recursion.
        if !PANEL_WORDS.contains(&word) {
            return Err(UnknownComponentId);
        }
        ButtonAction::decode(word, fields.0.take().unwrap_or_default()).map(Box::new)
    }
}
