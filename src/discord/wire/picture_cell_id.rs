//! The custom id of the select that asks what is on a cell of a board in a picture.

use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

/// The beginning of the custom id.
const PREFIX: &str = "pic:";
/// Separates the names of cells.
const FIELD: char = '~';

/// The names of the cells that are unclear. The select asks for the first one, the next selects for the others; the
/// position is in the text of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureCellId(Vec<String>);

impl PictureCellId {
    /// An id that asks for these cells in their order; `None` if there are none, or too many for a custom id.
    pub fn new(cells: &[&str]) -> Option<PictureCellId> {
        let id = PictureCellId(cells.iter().map(|&cell| cell.to_owned()).collect());
        (!cells.is_empty() && id.id().len() <= MAX_CUSTOM_ID_CHARS).then_some(id)
    }

    /// Returns the custom id.
    pub fn id(&self) -> String {
        format!("{PREFIX}{}", self.0.join(&FIELD.to_string()))
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PictureCellId> {
        let cells: Vec<&str> = id.strip_prefix(PREFIX)?.split(FIELD).collect();
        let is_name = |cell: &&str| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if cells.iter().all(is_name) { PictureCellId::new(&cells) } else { None }
    }

    /// Returns the cell that the select asks for, and those after it.
    pub fn cells(&self) -> Option<(&String, &[String])> {
        self.0.split_first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_cell_id_is_read_back() {
        let id = PictureCellId::new(&["d4", "e10"]).unwrap();
        assert_eq!(id.id(), "pic:d4~e10");
        assert_eq!(PictureCellId::read("pic:d4~e10"), Some(id));
        for bad in ["pic:", "pic:d4~", "pic:d4~`", "prv:d4", "pic"] {
            assert_eq!(PictureCellId::read(bad), None, "{bad}");
        }
        assert_eq!(PictureCellId::new(&[]), None);
        assert_eq!(PictureCellId::new(&["a10"; 30]), None, "longer than Discord allows");
    }
}
