//! The points and tiles of the players in the position of a picture: the button, its form, and what was typed into it.

use rookery_core::{MAX_POINTS, Play, PositionEdit, Seat};
use rookery_i18n::Localizer;

use crate::discord::wire::form::{Form, FormField};
use crate::discord::wire::limits::MAX_FORM_FIELDS;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component};
use crate::discord::wire::picture_cell_id::{PictureCellId, PicturePointsId};

/// The most characters of a number. A few more than the largest number has, so that a typing error is shown rather
/// than cut off.
const MAX_NUMBER_CHARS: usize = 8;

/// A number of a player that the form asks for.
#[derive(Clone, Copy)]
enum Number {
    Points(Seat),
    /// How many tiles were taken: that decides if the points are equal.
    Tiles(Seat),
}

impl Number {
    /// The numbers that belong to a position; none if it has none, if the game is over, as its points may then include what is
    /// below the pieces, or if a form has no room for all.
    fn all(play: &dyn Play) -> Vec<Number> {
        let scores =
            play.scores().filter(|_| play.has_own_points() && play.outcome().is_none()).unwrap_or_default();
        let has_tiles = scores.iter().any(|score| score.tiles.is_some());
        let tiles = has_tiles.then(|| Seat::all(play.seats()).map(Number::Tiles)).into_iter().flatten();
        let all: Vec<Number> = Seat::all(scores.len()).map(Number::Points).chain(tiles).collect();
        if all.len() > MAX_FORM_FIELDS { Vec::new() } else { all }
    }

    fn label(self, words: &Localizer, play: &dyn Play) -> String {
        let (key, seat) = match self {
            Number::Points(seat) => ("page-set-up-points", seat),
            Number::Tiles(seat) => ("picture-tiles-of", seat),
        };
        words.say(key, &[("side", words.side(play, seat).into())])
    }

    /// Its value in a position.
    fn now(self, play: &dyn Play) -> String {
        let scores = play.scores().unwrap_or_default();
        let value = match self {
            Number::Points(seat) => scores.get(seat.index()).map(|score| score.points),
            Number::Tiles(seat) => scores.get(seat.index()).and_then(|score| score.tiles),
        };
        value.map(|value| value.to_string()).unwrap_or_default()
    }

    /// The largest value.
    fn most(self, play: &dyn Play) -> usize {
        match self {
            Number::Points(_) => usize::from(MAX_POINTS),
            Number::Tiles(_) => play.board().cells().count(),
        }
    }

    /// The edit that sets it; `None` if the text is no such number.
    fn edit(self, play: &dyn Play, text: &str) -> Option<PositionEdit> {
        let value: u16 = text.parse().ok().filter(|value| usize::from(*value) <= self.most(play))?;
        Some(match self {
            Number::Points(seat) => PositionEdit::Points { seat, points: value },
            Number::Tiles(seat) => PositionEdit::Tiles { seat, tiles: value },
        })
    }
}

/// The button that opens the form; `None` in a position without numbers that a form can ask for.
pub(super) fn button(words: &Localizer, play: &dyn Play, cells: &PictureCellId) -> Option<Component> {
    let id = PicturePointsId { cells: cells.clone() }.id().filter(|_| !Number::all(play).is_empty())?;
    Some(Component::button(words.word("picture-set-points"), ButtonStyle::Secondary, id))
}

/// The form with a field for each number; `None` in a position without any.
pub(super) fn form(words: &Localizer, play: &dyn Play, id: &PicturePointsId) -> Option<Form> {
    let field = |number: Number| FormField {
        label: number.label(words, play),
        text: number.now(play),
        most: MAX_NUMBER_CHARS,
    };
    let fields: Vec<FormField> = Number::all(play).into_iter().map(field).collect();
    (!fields.is_empty()).then_some(Form { id: id.id()?, title: words.word("picture-set-points"), fields })
}

/// Returns the position with the numbers that were typed, by the rules of the editor.
///
/// # Errors
/// What is wrong with them, and what to do next. `None` if they aren't those of the form, so that the button is outdated.
pub(super) fn with_typed(
    words: &Localizer,
    play: &dyn Play,
    typed: &[String],
) -> Option<Result<Box<dyn Play>, String>> {
    let numbers = Number::all(play);
    if numbers.is_empty() || numbers.len() != typed.len() {
        return None;
    }
    let mut fields = numbers.into_iter().zip(typed);
    Some(fields.try_fold(play.clone_play(), |now, (number, text)| {
        let (text, field) = (text.trim(), number.label(words, play));
        let Some(edit) = number.edit(play, text) else {
            // The message quotes positions, which later presses read from it.
            let args = [
                ("field", field.into()),
                ("typed", text.replace('`', "'").into()),
                ("most", number.most(play).into()),
            ];
            return Err(words.say("picture-points-wrong", &args));
        };
        now.edited(&edit).map_err(|error| {
            let args = [("field", field.into()), ("why", words.edit_error(&error).into())];
            words.say("picture-points-refused", &args)
        })
    }))
}
