//! A form with text fields, which Discord shows in a window of its own (a modal).

use serde_json::{Value, json};

use crate::discord::wire::limits::{MAX_FORM_LABEL_CHARS, MAX_FORM_TITLE_CHARS};
use rookery_i18n::clip;

/// The custom id of the first text field; a later one has its number behind it.
const FIELD: &str = "text";
/// Discord's number of a text field in one line.
const ONE_LINE: u8 = 1;

/// A form that asks for lines of text. What was typed arrives as the values of a press with the form's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The custom id, which comes back with the texts.
    pub id: String,
    /// The title of the window; clipped to Discord's limit.
    pub title: String,
    /// The fields: one to five.
    pub fields: Vec<FormField>,
}

/// A text field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormField {
    /// The label of the field; clipped to Discord's limit.
    pub label: String,
    /// The text in the field at the start.
    pub text: String,
    /// The most characters that can be typed.
    pub most: usize,
}

impl Form {
    /// Returns the data of the answer that opens the form.
    pub(super) fn json(&self) -> Value {
        let rows: Vec<Value> = self
            .fields
            .iter()
            .enumerate()
            .map(|(index, field)| json!({ "type": 1, "components": [field.json(index)] }))
            .collect();
        json!({
            "custom_id": self.id,
            "title": clip(&self.title, MAX_FORM_TITLE_CHARS),
            "components": rows,
        })
    }
}

impl FormField {
    /// The text may be empty, which clears it.
    fn json(&self, index: usize) -> Value {
        let id = if index == 0 { FIELD.to_owned() } else { format!("{FIELD}{}", index + 1) };
        let mut field = json!({
            "type": 4, "custom_id": id, "style": ONE_LINE, "required": false, "max_length": self.most,
            "label": clip(&self.label, MAX_FORM_LABEL_CHARS),
        });
        if !self.text.is_empty() {
            field["value"] = json!(clip(&self.text, self.most));
        }
        field
    }
}
