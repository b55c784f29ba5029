//! Lenient access to fields of Discord's JSON: a field that is missing, null or of another type reads as
//! absent and never makes the whole payload unreadable.

use serde_json::Value;

/// A JSON object of Discord. In a value that is not an object all fields are absent.
#[derive(Clone, Copy, Debug)]
pub(in crate::discord) struct Fields<'a>(pub(in crate::discord) &'a Value);

impl<'a> Fields<'a> {
    /// Returns the object under a key; without one, all its fields are absent.
    pub(in crate::discord) fn object(self, key: &str) -> Fields<'a> {
        Fields(&self.0[key])
    }

    /// Whether the key holds an object.
    pub(in crate::discord) fn has_object(self, key: &str) -> bool {
        self.0[key].is_object()
    }

    /// Returns the elements of an array; none without an array.
    pub(in crate::discord) fn list(self, key: &str) -> impl Iterator<Item = Fields<'a>> + use<'a> {
        self.0[key].as_array().into_iter().flatten().map(Fields)
    }

    /// Returns the keys and values of an object; none without an object.
    pub(in crate::discord) fn entries(
        self,
        key: &str,
    ) -> impl Iterator<Item = (&'a str, Fields<'a>)> + use<'a> {
        let object = self.0[key].as_object().into_iter().flatten();
        object.map(|(key, value)| (key.as_str(), Fields(value)))
    }

    /// Returns a snowflake, written as a string or a number; 0 counts as absent.
    pub(in crate::discord) fn id<T: From<u64>>(self, key: &str) -> Option<T> {
        number(&self.0[key]).filter(|id| *id != 0).map(T::from)
    }

    /// Returns the snowflakes of an array, without invalid elements.
    pub(in crate::discord) fn ids<T: From<u64>>(self, key: &str) -> Vec<T> {
        self.list(key).filter_map(|item| number(item.0)).filter(|id| *id != 0).map(T::from).collect()
    }

    /// Returns a non-negative number, or bits written as a string.
    pub(in crate::discord) fn number(self, key: &str) -> Option<u64> {
        number(&self.0[key])
    }

    /// Returns a text, borrowed from the payload.
    pub(in crate::discord) fn text(self, key: &str) -> Option<&'a str> {
        self.0[key].as_str()
    }

    /// Returns a text as an owned string.
    pub(in crate::discord) fn string(self, key: &str) -> Option<String> {
        self.text(key).map(str::to_owned)
    }

    /// Returns the texts of an array, without other elements.
    pub(in crate::discord) fn strings(self, key: &str) -> Vec<String> {
        self.list(key).filter_map(|item| item.0.as_str()).map(str::to_owned).collect()
    }

    /// Returns a flag; absent counts as false.
    pub(in crate::discord) fn flag(self, key: &str) -> bool {
        self.0[key].as_bool().unwrap_or(false)
    }
}

fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_of_another_type_is_absent() {
        let value =
            json!({"id": "7", "bare": 8, "zero": "0", "list": ["1", 2, null, "x"], "flag": 1, "text": 3});
        let fields = Fields(&value);
        assert_eq!(
            (fields.id("id"), fields.id("bare"), fields.id("zero")),
            (Some(7_u64), Some(8_u64), None::<u64>)
        );
        assert_eq!(fields.ids::<u64>("list"), [1, 2]);
        assert!(!fields.flag("flag") && fields.text("text").is_none() && fields.id::<u64>("none").is_none());
        assert_eq!(fields.object("id").object("deeper").list("still").count(), 0);
    }
}
