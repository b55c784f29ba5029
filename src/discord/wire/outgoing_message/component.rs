//! Buttons and selects of a message.

use serde_json::{Value, json};

use rookery_table::ChannelId;

/// What stands on a button that is none: Discord wants a label on every one.
const NOTHING: &str = "·";

/// Something to press or choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// A button.
    Button {
        /// What stands on it.
        label: String,
        /// How loud it is.
        style: ButtonStyle,
        /// What comes back when it is pressed.
        id: String,
    },
    /// A place where no button is, so that those beside it keep theirs.
    Blank {
        /// Any id that no other part has; nothing ever comes back.
        id: String,
    },
    /// A list of choices, one to be taken.
    Select {
        /// What comes back when something is chosen.
        id: String,
        /// What stands there before.
        placeholder: String,
        /// What there is.
        choices: Vec<Choice>,
    },
    /// A choice of text channels, several or none.
    Channels {
        /// What comes back when something is chosen.
        id: String,
        /// What stands there where nothing is chosen.
        placeholder: String,
        /// Those chosen now.
        chosen: Vec<ChannelId>,
        /// How many may be chosen.
        most: usize,
    },
}

/// One choice of a select.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is shown.
    pub label: String,
    /// What comes back.
    pub value: String,
    /// A note under it; may be empty.
    pub note: String,
}

/// How loud a button is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonStyle {
    /// What one came for.
    Primary,
    /// One of several.
    Secondary,
    /// Yes, gladly.
    Success,
    /// Not to be undone.
    Danger,
}

impl Component {
    /// A button.
    pub fn button(label: impl Into<String>, style: ButtonStyle, id: impl Into<String>) -> Component {
        Component::Button { label: label.into(), style, id: id.into() }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Component::Button { id, .. }
            | Component::Blank { id }
            | Component::Select { id, .. }
            | Component::Channels { id, .. } => id,
        }
    }

    fn json(&self) -> Value {
        match self {
            Component::Button { label, style, id } => {
                json!({ "type": 2, "label": label, "style": style.style(), "custom_id": id })
            }
            Component::Blank { id } => {
                let style = ButtonStyle::Secondary.style();
                json!({ "type": 2, "label": NOTHING, "style": style, "custom_id": id, "disabled": true })
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
    /// Discord's number for it.
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
