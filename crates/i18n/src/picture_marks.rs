//! Descriptions of a picture's marks and of what the last move changed.

use rookery_core::scene::{DrawOptions, Mark, MarkKind};
use rookery_core::{Cell, Fact, Play, Seat};

use super::Localizer;
use super::boards::{TINTED, ranges};
use super::truncation::TextPart;

impl Localizer {
    /// Describes the facts that hold since the last move and did not hold before.
    pub(super) fn changed(&self, play: &dyn Play) -> Option<String> {
        let before = play.at_ply(play.ply().checked_sub(1)?).facts();
        let facts: Vec<_> = play.facts().into_iter().map(|fact| fresh(fact, &before)).collect();
        let told: Vec<_> = facts.iter().filter_map(|fact| self.fact(play, fact)).collect();
        (!told.is_empty()).then(|| self.say("alt-changed", &[("facts", told.join(" ").into())]))
    }

    /// Describes the chosen cells, the selectable cells with their labels, and the tinted cells.
    pub(super) fn marked(&self, play: &dyn Play, look: &DrawOptions) -> Vec<TextPart> {
        let board = play.board();
        let of_kind = |kind: &MarkKind| -> Vec<Cell> {
            look.marks.iter().filter(|mark| mark.kind == *kind).map(|mark| mark.cell).collect()
        };
        let mut parts = Vec::new();
        for (kind, key) in [(MarkKind::Chosen, "alt-chosen"), (MarkKind::Goal, "alt-goals")] {
            let cells = ranges(board, &of_kind(&kind));
            parts.extend((!cells.is_empty()).then(|| TextPart(1, self.say(key, &[("cells", cells.into())]))));
        }
        let label = |mark: &Mark| {
            let (label, cell) = (mark.kind.label()?, board.name(mark.cell));
            Some(match mark.kind {
                MarkKind::Facing { heading, .. } => format!("{label} {cell} {}", arrow(heading)),
                _ => format!("{label} {cell}"),
            })
        };
        let labels: Vec<_> = look.marks.iter().filter_map(label).collect();
        let labelled = [("labels", labels.join(", ").into())];
        parts.extend((!labels.is_empty()).then(|| TextPart(1, self.say("alt-labels", &labelled))));
        parts.extend(self.counted(play, look).map(|text| TextPart(1, text)));
        parts.extend(Seat::all(play.seats()).filter_map(|seat| self.tinted(play, look, seat)));
        let shared = ranges(board, &look.shared().iter().collect::<Vec<_>>());
        let hatched = || TextPart(TINTED, self.say("alt-shared", &[("cells", shared.clone().into())]));
        parts.extend((!shared.is_empty()).then(hatched));
        parts
    }

    /// Counts the territory, if the picture shows it.
    fn counted(&self, play: &dyn Play, look: &DrawOptions) -> Option<String> {
        let reach = look.territory.as_ref()?;
        Some(self.say("alt-territory", &[("territory", self.territory(play, reach).into())]))
    }

    fn tinted(&self, play: &dyn Play, look: &DrawOptions, seat: Seat) -> Option<TextPart> {
        let own = look.owned().filter(|(_, owner, _)| *owner == seat);
        let cells: Vec<_> = own.map(|(cell, ..)| cell).collect();
        let args = [("side", self.side(play, seat).into()), ("cells", ranges(play.board(), &cells).into())];
        (!cells.is_empty()).then(|| TextPart(TINTED, self.say("alt-tinted", &args)))
    }
}

/// Returns the arrow for a direction in eighths clockwise from up.
pub fn arrow(heading: u8) -> &'static str {
    const ARROWS: [&str; 8] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];
    ARROWS[usize::from(heading) % ARROWS.len()]
}

/// Returns the part of a fact that the same earlier fact does not contain.
fn fresh(fact: Fact, before: &[Fact]) -> Fact {
    let Some(old) = before.iter().find(|old| old.key == fact.key && old.seat == fact.seat) else {
        return fact;
    };
    Fact {
        cells: fact.cells.into_iter().filter(|cell| !old.cells.contains(cell)).collect(),
        words: fact.words.into_iter().filter(|word| !old.words.contains(word)).collect(),
        ..fact
    }
}
