//! Reading fields of Discord's JSON without depending on the rest: a field that is missing, null or of another
//! type reads as absent and never makes the whole payload unreadable.

use serde_json::Value;

/// An object of Discord's. Fields of anything that is no object are absent.
#[derive(Clone, Copy, Debug)]
pub(in crate::discord) struct Fields<'a>(pub(in crate::discord) &'a Value);

impl<'a> Fields<'a> {
    /// The object under a key; its fields are absent if there is none.
    pub(in crate::discord) fn object(self, key: &str) -> Fields<'a> {
        Fields(&self.0[key])
    }

    /// Whether a key holds an object.
    pub(in crate::discord) fn has_object(self, key: &str) -> bool {
        self.0[key].is_object()
    }

    /// The elements of an array; none if there is no array.
    pub(in crate::discord) fn list(self, key: &str) -> impl Iterator<Item = Fields<'a>> + use<'a> {
        self.0[key].as_array().into_iter().flatten().map(Fields)
    }

    /// The keys and values of an object; none if there is no object.
    pub(in crate::discord) fn entries(
        self,
        key: &str,
    ) -> impl Iterator<Item = (&'a str, Fields<'a>)> + use<'a> {
        let object = self.0[key].as_object().into_iter().flatten();
        object.map(|(key, value)| (key.as_str(), Fields(value)))
    }

    /// A snowflake, written as a string or as a number; 0 counts as absent.
    pub(in crate::discord) fn id(self, key: &str) -> Option<u64> {
        number(&self.0[key]).filter(|id| *id != 0)
    }

    /// The snowflakes of an array, without what is none.
    pub(in crate::discord) fn ids(self, key: &str) -> Vec<u64> {
        self.list(key).filter_map(|item| number(item.0)).filter(|id| *id != 0).collect()
    }

    /// A number that is not negative, or bits written as a string.
    pub(in crate::discord) fn number(self, key: &str) -> Option<u64> {
        number(&self.0[key])
    }

    /// A text.
    pub(in crate::discord) fn text(self, key: &str) -> Option<&'a str> {
        self.0[key].as_str()
    }

    /// A text to keep.
    pub(in crate::discord) fn string(self, key: &str) -> Option<String> {
        self.text(key).map(str::to_owned)
    }

    /// The texts of an array, without what is none.
    pub(in crate::discord) fn strings(self, key: &str) -> Vec<String> {
        self.list(key).filter_map(|item| item.0.as_str()).map(str::to_owned).collect()
    }

    /// Whether a flag is set; absent counts as not set.
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
        assert_eq!((fields.id("id"), fields.id("bare"), fields.id("zero")), (Some(7), Some(8), None));
        assert_eq!(fields.ids("list"), [1, 2]);
        assert!(!fields.flag("flag") && fields.text("text").is_none() && fields.id("none").is_none());
        assert_eq!(fields.object("id").object("deeper").list("still").count(), 0);
    }
}
