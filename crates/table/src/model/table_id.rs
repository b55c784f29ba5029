//! The ids of tables.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use rookery_core::seed::SeededRng;

/// A table's short id, such as `K7Q2`: four to six characters that are hard to confuse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TableId([u8; 6], u8);

impl TableId {
    /// The characters of an id: no `0 O`, no `1 I L`, no `U` (which also avoids most rude words).
    const SIGNS: &'static [u8] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// Draws a random id of `length` characters, 4 to 6.
    pub fn draw(rng: &mut SeededRng, length: usize) -> TableId {
        let length = length.clamp(4, 6);
        let mut signs = [0; 6];
        for sign in &mut signs[..length] {
            *sign = Self::SIGNS[rng.below(Self::SIGNS.len() as u64) as usize];
        }
        TableId(signs, length as u8)
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0[..usize::from(self.1)]).expect("the signs are ASCII")
    }
}

/// A text is not a table id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a table's name has four to six letters and digits, such as K7Q2")]
pub struct TableIdError;

impl FromStr for TableId {
    type Err = TableIdError;

    /// Parses an id in any letter case, with an optional leading `#`.
    fn from_str(text: &str) -> Result<TableId, TableIdError> {
        let text = text.trim().trim_start_matches('#').to_ascii_uppercase();
        let fits = (4..=6).contains(&text.len()) && text.bytes().all(|b| Self::SIGNS.contains(&b));
        if !fits {
            return Err(TableIdError);
        }
        let mut signs = [0; 6];
        signs[..text.len()].copy_from_slice(text.as_bytes());
        Ok(TableId(signs, text.len() as u8))
    }
}

impl TryFrom<String> for TableId {
    type Error = TableIdError;
    fn try_from(text: String) -> Result<TableId, TableIdError> {
        text.parse()
    }
}

impl From<TableId> for String {
    fn from(id: TableId) -> String {
        id.as_str().to_owned()
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
