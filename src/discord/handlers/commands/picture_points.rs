//! The points of the players in the position of a picture: the button, its form, and what was typed into it.

use rookery_core::{Play, PositionEdit, Seat};
use rookery_i18n::Localizer;

use crate::discord::wire::form::{Form, FormField};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component};
use crate::discord::wire::picture_cell_id::{PictureCellId, PicturePointsId};

/// The most characters of a player's points. A few more than the largest number has, so that a typing error is shown rather
/// than cut off.
const MAX_POINTS_CHARS: usize = 8;

/// Whether points belong to a position, and are not counted from the board.
pub(super) fn has_points(play: &dyn Play) -> bool {
    play.edited(&PositionEdit::Points { seat: Seat::FIRST, points: 0 }).is_ok()
}

/// The button that opens the form; `None` in a game without points.
pub(super) fn button(words: &Localizer, play: &dyn Play, cells: &PictureCellId) -> Option<Component> {
    let id = PicturePointsId { cells: cells.clone() }.id().filter(|_| has_points(play))?;
    Some(Component::button(words.word("picture-set-points"), ButtonStyle::Secondary, id))
}

/// The form with a field for each player's points; `None` in a game without points.
pub(super) fn form(words: &Localizer, play: &dyn Play, id: &PicturePointsId) -> Option<Form> {
    let scores = play.scores().filter(|_| has_points(play))?;
    let field = |(seat, points): (Seat, String)| FormField {
        label: label(words, play, seat),
        text: points,
        most: MAX_POINTS_CHARS,
    };
    let points = scores.iter().map(|score| score.points.to_string());
    let fields = Seat::all(play.seats()).zip(points).map(field).collect();
    Some(Form { id: id.id()?, title: words.word("picture-set-points"), fields })
}

/// Returns the position with the points that were typed, by the rules of the editor.
///
/// # Errors
/// What is wrong with them, and what to do next.
pub(super) fn with_typed(
    words: &Localizer,
    play: &dyn Play,
    typed: &[String],
) -> Result<Box<dyn Play>, String> {
    Seat::all(play.seats()).zip(typed).try_fold(play.clone_play(), |now, (seat, text)| {
        let text = text.trim();
        let edit = PositionEdit::read(&format!("points:{seat}:{text}"), now.board(), now.seats());
        let Some(edit) = edit else {
            // The message quotes positions, which later presses read from it.
            let typed = text.replace('`', "'");
            let args = [("field", label(words, play, seat).into()), ("typed", typed.into())];
            return Err(words.say("picture-points-wrong", &args));
        };
        now.edited(&edit).map_err(|error| {
            let args = [("field", label(words, play, seat).into()), ("why", words.edit_error(&error).into())];
            words.say("picture-points-refused", &args)
        })
    })
}

fn label(words: &Localizer, play: &dyn Play, seat: Seat) -> String {
    words.say("page-set-up-points", &[("side", words.side(play, seat).into())])
}
