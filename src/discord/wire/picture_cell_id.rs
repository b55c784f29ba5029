//! The custom ids with which the contents of unclear cells of a board in a picture are asked.

use rookery_core::{MAX_SEATS, Seat};
use rookery_table::TableId;

use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;
use crate::discord::wire::other_seats::OtherSeats;

/// The beginning of the custom id of the select.
const SELECT: &str = "pic:";
/// The beginning of the custom id of the button that leads back.
const BACK: &str = "pcb:";
/// The beginning of the custom id of a button that says from which end a board is seen.
const ORIENTATION: &str = "pce:";
/// The beginning of the custom id of a button that says whose turn it is.
const TURN: &str = "pct:";
/// The beginning of the custom id of the button, and of its form, that sets the points.
const POINTS: &str = "pcp:";
/// The beginning of the custom id of the button that plays on.
const PLAY_ON: &str = "pco:";
/// Separates the names of cells.
const FIELD: char = '~';
/// Precedes each answer.
const ANSWER: char = '/';
/// Begins the fields if it is known whose turn it is.
const TURN_KNOWN: char = '.';
/// Comes next if the points of all players are known.
const POINTS_KNOWN: char = ',';
/// Separates the cell of an answer from what was chosen.
const IS: char = '=';

/// The button that plays on from the position of a picture, against the players who were named with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturePlayOnId {
    /// The table at which the position is stored.
    pub table: TableId,
    /// The other players.
    pub named: OtherSeats,
}

impl PicturePlayOnId {
    /// Returns the custom id.
    pub fn id(self) -> String {
        format!("{PLAY_ON}{}{}", self.table, self.named.end())
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PicturePlayOnId> {
        let (table, named) = OtherSeats::split(id.strip_prefix(PLAY_ON)?)?;
        let table = table.parse().ok().filter(|_| !named.is_nobody())?;
        Some(PicturePlayOnId { table, named })
    }
}

/// A button that says from which end the board in a picture is seen, since its letters and numbers aren't in the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureOrientationId {
    /// Which of the positions that the message quotes is the right one, from 0.
    pub position: usize,
    /// The cells that are unclear in it.
    pub cells: PictureCellId,
}

impl PictureOrientationId {
    /// Returns the custom id; `None` if it is too long for Discord.
    pub fn id(&self) -> Option<String> {
        let id = format!("{ORIENTATION}{}:{}", self.position, self.cells.fields());
        (id.len() <= MAX_CUSTOM_ID_CHARS).then_some(id)
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PictureOrientationId> {
        let (position, fields) = id.strip_prefix(ORIENTATION)?.split_once(':')?;
        let position = ["0", "1"].iter().position(|known| *known == position)?;
        Some(PictureOrientationId { position, cells: read_fields(fields)? })
            .filter(|read| read.id().is_some())
    }
}

/// A button that says whose turn it is in the position of a picture, if that wasn't shown or was read wrongly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureTurnId {
    /// Who is to move.
    pub seat: Seat,
    /// The answers that led to the position.
    pub cells: PictureCellId,
}

impl PictureTurnId {
    /// Returns the custom id; `None` if it is too long for Discord.
    pub fn id(&self) -> Option<String> {
        let id = format!("{TURN}{}:{}", self.seat.number(), self.cells.fields());
        (id.len() <= MAX_CUSTOM_ID_CHARS).then_some(id)
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PictureTurnId> {
        let (number, fields) = id.strip_prefix(TURN)?.split_once(':')?;
        let seat = Seat::all(MAX_SEATS).find(|seat| seat.number().to_string() == number)?;
        Some(PictureTurnId { seat, cells: read_fields(fields)? }).filter(|read| read.id().is_some())
    }
}

/// The button with which the points in the position of a picture are set, and the form that it opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PicturePointsId {
    /// The answers that led to the position.
    pub cells: PictureCellId,
}

impl PicturePointsId {
    /// Returns the custom id; `None` if it is too long for Discord.
    pub fn id(&self) -> Option<String> {
        let id = format!("{POINTS}{}", self.cells.fields());
        (id.len() <= MAX_CUSTOM_ID_CHARS).then_some(id)
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub fn read(id: &str) -> Option<PicturePointsId> {
        let cells = read_fields(id.strip_prefix(POINTS)?)?;
        Some(PicturePointsId { cells }).filter(|read| read.id().is_some())
    }
}

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
    /// The players to play on against, once all is answered.
    pub named: OtherSeats,
    /// Whether it is known whose turn it is, from the picture or from the person.
    pub is_turn_known: bool,
    /// Whether the points of all players are known from the picture.
    pub are_points_known: bool,
}

impl PictureCellId {
    /// Whether the ids are short enough for Discord.
    pub fn fits(&self) -> bool {
        self.id().len().max(self.back_id().len()) <= MAX_CUSTOM_ID_CHARS
    }

    /// Whether the id of a button that says whose turn it is is short enough, too.
    pub fn fits_with_turn(&self) -> bool {
        self.fits() && PictureTurnId { seat: Seat::FIRST, cells: self.clone() }.id().is_some()
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
        let known = [(self.is_turn_known, TURN_KNOWN), (self.are_points_known, POINTS_KNOWN)];
        let known: String = known.iter().filter(|(is_known, _)| *is_known).map(|(_, mark)| *mark).collect();
        format!("{known}{}{answers}{}", self.cells.join(&FIELD.to_string()), self.named.end())
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

fn read_fields<'a>(fields: &'a str) -> Option<PictureCellId> {
    let without = |fields: &'a str, mark| match fields.strip_prefix(mark) {
        Some(fields) => (true, fields),
        None => (false, fields),
    };
    let (is_turn_known, fields) = without(fields, TURN_KNOWN);
    let (are_points_known, fields) = without(fields, POINTS_KNOWN);
    let (fields, named) = OtherSeats::split(fields)?;
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
    let id = PictureCellId { cells, answers, named, is_turn_known, are_points_known };
    (id.cells.iter().all(|cell| is_name(cell)) && id.fits()).then_some(id)
}

fn is_name(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use rookery_core::player::Level;
    use rookery_table::UserId;

    use super::*;

    fn asks(cells: &[&str], answers: &[(&str, &str)]) -> PictureCellId {
        let answer = |(cell, value): &(&str, &str)| PictureAnswer {
            cell: (*cell).to_owned(),
            value: (*value).to_owned(),
        };
        let cells = cells.iter().map(|&cell| cell.to_owned()).collect();
        PictureCellId { cells, answers: answers.iter().map(answer).collect(), ..PictureCellId::default() }
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
    fn picture_cell_id_keeps_the_players_who_were_named() {
        let (easy, ben) = (Some(Level::Easy), Some(UserId(u64::MAX)));
        for (ai, opponent, text) in [
            (easy, None, "pic:d4/a1=-!easy!"),
            (None, ben, "pic:d4/a1=-!!18446744073709551615"),
            (easy, ben, "pic:d4/a1=-!easy!18446744073709551615"),
        ] {
            let named = OtherSeats { ai, opponent };
            let id = PictureCellId { named, ..asks(&["d4"], &[("a1", "-")]) };
            assert_eq!(id.id(), text);
            assert_eq!(PictureCellId::read(text), Some(id));
            let play_on = PicturePlayOnId { table: "K7Q2".parse().unwrap(), named };
            assert_eq!(PicturePlayOnId::read(&play_on.id()), Some(play_on));
        }
        let known = PictureCellId { is_turn_known: true, ..asks(&["d4"], &[("a1", "-")]) };
        assert_eq!(known.id(), "pic:.d4/a1=-");
        assert_eq!(PictureCellId::read("pic:.d4/a1=-"), Some(known.clone()));
        let known = PictureCellId { are_points_known: true, ..known };
        assert_eq!(known.id(), "pic:.,d4/a1=-");
        assert_eq!(PictureCellId::read("pic:.,d4/a1=-"), Some(known));
        assert!(PictureCellId::read("pic:,d4").is_some_and(|id| id.are_points_known && !id.is_turn_known));
        for bad in [
            "pic:..d4",
            "pic:,.d4",
            "pic:.",
            "pic:d4!",
            "pic:d4!!",
            "pic:d4!queen!",
            "pic:d4!easy!x",
            "pic:d4!easy!1!2",
            "pco:K7Q2",
            "pco:K7Q2!!",
        ] {
            assert_eq!((PictureCellId::read(bad), PicturePlayOnId::read(bad)), (None, None), "{bad}");
        }
    }

    #[test]
    fn picture_orientation_id_is_read_back() {
        for (position, cells, text) in
            [(0, asks(&["d4", "e10"], &[]), "pce:0:d4~e10"), (1, asks(&[], &[]), "pce:1:")]
        {
            let id = PictureOrientationId { position, cells };
            assert_eq!(id.id().as_deref(), Some(text));
            assert_eq!(PictureOrientationId::read(text), Some(id));
        }
        for bad in ["pce:", "pce:0", "pce:2:d4", "pce:01:d4", "pce:0:d4~", "pic:0:d4"] {
            assert_eq!(PictureOrientationId::read(bad), None, "{bad}");
        }
        let long = PictureOrientationId { position: 0, cells: asks(&["a10"; 24], &[]) };
        assert_eq!(long.id(), None, "longer than Discord allows");
        // A select's id with these fields is just short enough, since it begins shorter.
        let fields = format!("{}a1~a", "a10~".repeat(23));
        assert!(PictureCellId::read(&format!("pic:{fields}")).is_some());
        assert_eq!(
            PictureOrientationId::read(&format!("pce:0:{fields}")),
            None,
            "longer than Discord allows"
        );
    }

    #[test]
    fn picture_turn_id_is_read_back() {
        for (seat, cells, text) in [
            (Seat::FIRST, asks(&[], &[("a1", "q")]), "pct:1:/a1=q"),
            (Seat::SECOND, asks(&["d4"], &[]), "pct:2:d4"),
        ] {
            let id = PictureTurnId { seat, cells };
            assert_eq!(id.id().as_deref(), Some(text));
            assert_eq!(PictureTurnId::read(text), Some(id));
        }
        for bad in ["pct:", "pct:0:", "pct:1", "pct:9:", "pct:01:", "pct:1:d4~", "pce:1:"] {
            assert_eq!(PictureTurnId::read(bad), None, "{bad}");
        }
        let long = PictureTurnId { seat: Seat::FIRST, cells: asks(&["a10"; 24], &[]) };
        assert_eq!(long.id(), None, "longer than Discord allows");
    }

    #[test]
    fn picture_points_id_is_read_back() {
        for (cells, text) in [(asks(&[], &[]), "pcp:"), (asks(&["d4"], &[("a1", "q")]), "pcp:d4/a1=q")] {
            let id = PicturePointsId { cells };
            assert_eq!(id.id().as_deref(), Some(text));
            assert_eq!(PicturePointsId::read(text), Some(id));
        }
        for bad in ["pcp", "pcp:d4~", "pcp:/a1", "pct:1:"] {
            assert_eq!(PicturePointsId::read(bad), None, "{bad}");
        }
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
