//! Whose turn it is, as far as a picture shows it by the mark of the player to move.

use rayon::prelude::*;
use rookery_core::{Play, PositionEdit, Seat};
use rookery_render::Painter;

use crate::compare::{
    CLEAR, as_far_as_shown, best_match, telling_pixels, unexplained_share, whole_preference,
};
use crate::look::Look;
use crate::plane::{Colours, Pyramid};
use crate::projection::Projection;

/// The largest share of what tells players apart that isn't as drawn. It was at most 0.2 with the mark of a player, and at least 0.48
/// without one, as in the plain style, in the pictures of `read_spoiled 90000 40` of Penguins, Penguin Soccer and Amoeba.
const MAX_UNEXPLAINED: f32 = 0.35;
/// The least share of it that a picture shows. Where a mark is cut off, the few pixels that are left may look like it by chance.
/// In Amoeba two marks have about a half each.
const MIN_SHOWN: f32 = 0.4;

/// The position with the player to move who has the mark in a picture; `None` if none has it. `flat` is the picture in the size of
/// the look's drawings, blurred by one pixel, and the projection leads from the drawings to the picture.
pub(crate) fn with_shown_turn(
    play: &dyn Play,
    look: &Look,
    (picture, flat, projection): (&Pyramid, &Colours, &Projection),
    painter: &Painter,
) -> Option<Box<dyn Play>> {
    let seats: Vec<Seat> = Seat::all(play.seats()).collect();
    let drawn = seats.into_par_iter().filter_map(|seat| {
        let turned = with_turn(play, seat)?;
        let drawing = look.drawn(turned.as_ref(), painter).blurred(1);
        Some((seat, turned, drawing))
    });
    let mut drawn: Vec<(Seat, Box<dyn Play>, Colours)> = drawn.collect();
    let (first, others) = drawn.split_first_mut()?;
    for (_, _, other) in others {
        let all = std::mem::replace(other, Colours::zero(0, 0));
        let wanted = telling_pixels(&first.2, &all) as f32 * MIN_SHOWN;
        *other = as_far_as_shown(all, &first.2, picture, projection);
        if (telling_pixels(&first.2, other) as f32) < wanted {
            return None;
        }
    }
    let (best, least) = best_match(drawn.len(), |a, b| whole_preference(flat, &drawn[a].2, &drawn[b].2));
    let unexplained = |other: usize| unexplained_share(flat, &drawn[best].2, &drawn[other].2);
    let is_as_drawn = |other: usize| other == best || unexplained(other) <= MAX_UNEXPLAINED;
    if drawn.len() < 2 || least < CLEAR || !(0..drawn.len()).all(is_as_drawn) {
        return None;
    }
    let (seat, turned, _) = drawn.swap_remove(best);
    // A position that is set up has no last move.
    Some(if seat == play.turn() { play.clone_play() } else { turned })
}

/// The same position with another player to move, as a game that starts there; `None` if that isn't possible.
#[must_use]
pub fn with_turn(play: &dyn Play, seat: Seat) -> Option<Box<dyn Play>> {
    play.edited(&PositionEdit::Turn(seat)).ok().filter(|turned| turned.turn() == seat)
}
