//! A form with a text field, which Discord shows in a window of its own (a modal).

use serde_json::{Value, json};

use crate::discord::wire::limits::{MAX_FORM_LABEL_CHARS, MAX_FORM_TITLE_CHARS};
use rookery_i18n::clip;

/// The custom id of the text field: a form has one.
const FIELD: &str = "text";
/// Discord's number of a text field in one line.
const ONE_LINE: u8 = 1;

/// A form that asks for one line of text. What was typed arrives as the value of a press with the form's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The custom id, which comes back with the text.
    pub id: String,
    /// The title of the window; clipped to Discord's limit.
    pub title: String,
    /// The label of the field; clipped to Discord's limit.
    pub label: String,
    /// The text in the field at the start.
    pub text: String,
    /// The most characters that can be typed.
    pub most: usize,
}

impl Form {
    /// Returns the data of the answer that opens the form. The text may be empty, which clears it.
    pub(super) fn json(&self) -> Value {
        let mut field = json!({
            "type": 4, "custom_id": FIELD, "style": ONE_LINE, "required": false, "max_length": self.most,
            "label": clip(&self.label, MAX_FORM_LABEL_CHARS),
        });
        if !self.text.is_empty() {
            field["value"] = json!(clip(&self.text, self.most));
        }
        json!({
            "custom_id": self.id,
            "title": clip(&self.title, MAX_FORM_TITLE_CHARS),
            "components": [{ "type": 1, "components": [field] }],
        })
    }
}
