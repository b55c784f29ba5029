//! Buttons and selects of a message.

use serde_json::{Value, json};

use rookery_table::ChannelId;

/// Discord's number of a button that opens an address.
const LINK: u8 = 5;

/// A component of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// A button that sends its custom id when pressed.
    Button {
        /// The text on the button.
        label: String,
        /// How prominent the button is.
        style: ButtonStyle,
        /// The custom id that a press sends.
        id: String,
    },
    /// A button that opens an address.
    Link {
        /// The text on the button.
        label: String,
        /// The address, at most 512 characters.
        url: String,
    },
    /// A select with one choice.
    Select {
        /// The custom id that a choice sends.
        id: String,
        /// The text shown before a choice is made.
        placeholder: String,
        /// The choices, 1 to 25.
        choices: Vec<Choice>,
    },
    /// A select for one person.
    People {
        /// The custom id that a choice sends.
        id: String,
        /// The text shown before a choice is made.
        placeholder: String,
    },
    /// A select for any number of text channels.
    Channels {
        /// The custom id that a choice sends.
        id: String,
        /// The text shown while no channel is chosen.
        placeholder: String,
        /// The channels that are currently chosen.
        chosen: Vec<ChannelId>,
        /// The most channels that can be chosen.
        most: usize,
    },
}

/// One choice of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The visible text, at most 100 characters.
    pub label: String,
    /// The value that is sent back.
    pub value: String,
    /// A description below the label; may be empty.
    pub note: String,
}

/// The visual emphasis of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonStyle {
    /// The main action (blue).
    Primary,
    /// One action among several (grey).
    Secondary,
    /// A confirming action (green).
    Success,
    /// An irreversible action (red).
    Danger,
}

impl Component {
    /// Creates a button with this custom id.
    pub fn button(label: impl Into<String>, style: ButtonStyle, id: impl Into<String>) -> Component {
        Component::Button { label: label.into(), style, id: id.into() }
    }

    /// Creates a button that opens an address.
    pub fn link(label: impl Into<String>, url: impl Into<String>) -> Component {
        Component::Link { label: label.into(), url: url.into() }
    }

    /// Returns the custom id; empty for a link, which has none.
    pub fn id(&self) -> &str {
        match self {
            Component::Button { id, .. }
            | Component::Select { id, .. }
            | Component::People { id, .. }
            | Component::Channels { id, .. } => id,
            Component::Link { .. } => "",
        }
    }

    fn json(&self) -> Value {
        match self {
            Component::Button { label, style, id } => {
                json!({ "type": 2, "label": label, "style": style.style(), "custom_id": id })
            }
            Component::Link { label, url } => json!({ "type": 2, "label": label, "style": LINK, "url": url }),
            Component::People { id, placeholder } => {
                json!({ "type": 5, "custom_id": id, "placeholder": placeholder })
            }
            Component::Channels { id, placeholder, chosen, most } => {
                const TEXT_CHANNEL: u8 = 0;
                let now = |id: &ChannelId| json!({ "id": id.to_string(), "type": "channel" });
                json!({ "type": 8, "custom_id": id, "placeholder": placeholder, "min_values": 0,
                    "max_values": most, "channel_types": [TEXT_CHANNEL],
                    "default_values": chosen.iter().map(now).collect::<Vec<_>>() })
            }
            Component::Select { id, placeholder, choices } => {
                let options: Vec<_> = choices.iter().map(Choice::json).collect();
                json!({ "type": 3, "custom_id": id, "placeholder": placeholder, "options": options })
            }
        }
    }
}

impl Choice {
    fn json(&self) -> Value {
        let mut choice = json!({ "label": self.label, "value": self.value });
        if !self.note.is_empty() {
            choice["description"] = json!(self.note);
        }
        choice
    }
}

impl ButtonStyle {
    /// Returns Discord's number of the style.
    fn style(self) -> u8 {
        match self {
            ButtonStyle::Primary => 1,
            ButtonStyle::Secondary => 2,
            ButtonStyle::Success => 3,
            ButtonStyle::Danger => 4,
        }
    }
}

pub(super) fn row_json(row: &[Component]) -> Value {
    json!({ "type": 1, "components": row.iter().map(Component::json).collect::<Vec<_>>() })
}
