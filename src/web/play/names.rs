//! The names of players on a page: people by the name that Discord shows, with their side.

use rookery_core::{Play, Seat};
use rookery_table::{Occupant, UserId};

use super::super::discord_side::OpenedTable;
use super::sentence::plain;

/// Returns the name that stands for a mention: the person's, or else their side.
pub(super) fn name_of(opened: &OpenedTable, play: &dyn Play, who: UserId) -> Option<String> {
    let name = opened.names.get(&who).map(|name| readable(name));
    name.or_else(|| opened.table.seat_of(who).map(|seat| opened.words.side(play, seat)))
}

/// Returns the player of a seat with the side: "Ada (White)", "Rookery (easy, Black)", or the side alone of a person
/// whose name is unknown, and in a study, whose sides are all its owner's.
pub(super) fn player_name(opened: &OpenedTable, play: &dyn Play, seat: Seat) -> String {
    let (table, words) = (&*opened.table, opened.words);
    let is_unknown = match table.occupant(seat) {
        Some(Occupant::Human { person }) if table.team(seat).is_none() => !opened.names.contains_key(&person),
        _ => false,
    };
    if (is_unknown || table.is_imported()) && !table.resigned_before_start().contains(&seat) {
        return words.side(play, seat);
    }
    plain(&words.player_with_side(table, play, seat), &|who| name_of(opened, play, who))
}

/// Removes the brackets with which the page's own marks begin and end.
fn readable(name: &str) -> String {
    name.replace(['<', '>'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_on_pages_can_not_look_like_times() {
        assert_eq!(readable("<t:1790000000> Ada"), "t:1790000000 Ada");
    }
}
