//! The custom ids with which the contents of unclear cells of a board in a picture are asked.

use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

/// The beginning of the custom id of the select.
const SELECT: &str = "pic:";
/// The beginning of the custom id of the button that leads back.
const BACK: &str = "pcb:";
/// Separates the names of cells.
const FIELD: char = '~';
/// Precedes each answer.
const ANSWER: char = '/';
/// Separates the cell of an answer from what was chosen.
const IS: char = '=';

/// What a person chose for a cell: the cell's name, and the value of the choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureAnswer {
    /// The name of the cell.
    pub cell: String,
    /// The value of the choice.
    pub value: String,
}

/// The names of the cells that are unclear, and the latest answers. The select asks for the first cell, the next selects for
/// the others; the position before the answers is in the text of the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureCellId {
    /// The cells in the order in which they are asked about.
    pub cells: Vec<String>,
    /// The answers in the order in which they were given.
    pub answers: Vec<PictureAnswer>,
}

impl PictureCellId {
    /// Whether the ids are short enough for Discord.
    pub fn fits(&self) -> bool {
        self.id().len().max(self.back_id().len()) <= MAX_CUSTOM_ID_CHARS
    }

    /// Returns the custom id of the select.
    pub fn id(&self) -> String {
        format!("{SELECT}{}", self.fields())
    }

    /// Returns the custom id of the button that leads back to the cell of the last answer.
    pub fn back_id(&self) -> String {
        format!("{BACK}{}", self.fields())
    }

    fn fields(&self) -> String {
        let answer = |answer: &PictureAnswer| format!("{ANSWER}{}{IS}{}", answer.cell, answer.value);
        let answers: String = self.answers.iter().map(answer).collect();
        format!("{}{answers}", self.cells.join(&FIELD.to_string()))
    }

    /// Parses the custom id of a select; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PictureCellId> {
        read_fields(id.strip_prefix(SELECT)?).filter(|id| !id.cells.is_empty())
    }

    /// Parses the custom id of a button that leads back; `None` if it is of another kind. After the last question no cell is
    /// left.
    pub fn read_back(id: &str) -> Option<PictureCellId> {
        read_fields(id.strip_prefix(BACK)?).filter(|id| !id.answers.is_empty())
    }
}

fn read_fields(fields: &str) -> Option<PictureCellId> {
    let mut parts = fields.split(ANSWER);
    let cells = parts.next().filter(|cells| !cells.is_empty());
    let cells: Vec<String> =
        cells.into_iter().flat_map(|cells| cells.split(FIELD)).map(str::to_owned).collect();
    let answer = |part: &str| {
        let (cell, value) = part.split_once(IS)?;
        (is_name(cell) && !value.is_empty())
            .then(|| PictureAnswer { cell: cell.to_owned(), value: value.to_owned() })
    };
    let answers = parts.map(answer).collect::<Option<Vec<PictureAnswer>>>()?;
    let id = PictureCellId { cells, answers };
    (id.cells.iter().all(|cell| is_name(cell)) && id.fits()).then_some(id)
}

fn is_name(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(cells: &[&str], answers: &[(&str, &str)]) -> PictureCellId {
        let answer = |(cell, value): &(&str, &str)| PictureAnswer {
            cell: (*cell).to_owned(),
            value: (*value).to_owned(),
        };
        let cells = cells.iter().map(|&cell| cell.to_owned()).collect();
        PictureCellId { cells, answers: answers.iter().map(answer).collect() }
    }

    #[test]
    fn picture_cell_id_is_read_back() {
        for (id, text) in [
            (asks(&["d4", "e10"], &[]), "pic:d4~e10"),
            (asks(&["d4"], &[("a1", "B1:9"), ("b2", "-")]), "pic:d4/a1=B1:9/b2=-"),
        ] {
            assert_eq!(id.id(), text);
            assert_eq!(PictureCellId::read(text), Some(id));
        }
        for bad in [
            "pic:",
            "pic:d4~",
            "pic:d4~`",
            "prv:d4",
            "pic",
            "pic:d4/",
            "pic:d4/a1",
            "pic:d4/a1=",
            "pic:/a1=q",
        ] {
            assert_eq!(PictureCellId::read(bad), None, "{bad}");
        }
        assert!(!asks(&["a10"; 30], &[]).fits(), "longer than Discord allows");
        assert_eq!(PictureCellId::read(&asks(&["a10"; 30], &[]).id()), None);
    }

    #[test]
    fn picture_cell_id_of_the_way_back_needs_an_answer() {
        for (id, text) in
            [(asks(&["d4"], &[("a1", "q")]), "pcb:d4/a1=q"), (asks(&[], &[("a1", "A+K")]), "pcb:/a1=A+K")]
        {
            assert_eq!(id.back_id(), text);
            assert_eq!(PictureCellId::read_back(text), Some(id));
        }
        for bad in ["pcb:", "pcb:d4", "pcb:d4~/a1=q", "pic:d4/a1=q"] {
            assert_eq!(PictureCellId::read_back(bad), None, "{bad}");
        }
    }
}
