//! Sets of two games in words.

use std::cmp::Ordering;

use rookery_core::Seat;
use rookery_table::sets::InSet;
use rookery_table::{Status, Table};

use super::Localizer;

impl Localizer {
    /// Describes which game of a set a table is and the set's score, for the line under its board or its
    /// result; `None` for a game outside a set.
    pub fn set_line(&self, table: &Table) -> Option<String> {
        let (set, halves) = (table.terms().set?, table.set_halves()?);
        let score = ("score", self.set_score(table, halves).into());
        let next = table.rematch().map(|id| id.to_string()).unwrap_or_default();
        Some(match (set, table.status()) {
            (InSet::First, Status::Over(_)) if table.has_second_game() && next.is_empty() => {
                self.say("set-first-ends", &[score])
            }
            (InSet::First, Status::Over(_)) if table.has_second_game() => {
                self.say("set-first-over", &[score, ("table", next.into())])
            }
            (InSet::First, Status::Over(_)) => self.word("set-called-off"),
            // What a set is, is explained once; later lines give only the score.
            (InSet::First, _) if table.ply() == 0 => self.word("set-first"),
            (InSet::First, _) => self.word("set-first-on"),
            (InSet::Second { .. }, Status::Over(_)) => self.set_over(table, halves),
            (InSet::Second { .. }, _) if table.ply() == 0 => self.say("set-second", &[score]),
            (InSet::Second { .. }, _) => self.say("set-second-on", &[score]),
        })
    }

    /// Formats the points of both players: "Ada 1½, Ben ½".
    fn set_score(&self, table: &Table, halves: [u8; 2]) -> String {
        let one = |(seat, halves): (Seat, u8)| {
            let points = self.halves(halves.into());
            self.say("set-points", &[("who", self.seated(table, seat).into()), ("points", points.into())])
        };
        Seat::all(2).zip(halves).map(one).collect::<Vec<_>>().join(", ")
    }

    /// Describes the result of a set: "Set over: Ada won the set 2 to 0."
    fn set_over(&self, table: &Table, [first, second]: [u8; 2]) -> String {
        let points = |halves: u8| self.halves(halves.into());
        let names: Vec<_> = Seat::all(2).map(|seat| self.seated(table, seat)).collect();
        let winner = match first.cmp(&second) {
            Ordering::Equal => self.join(&names),
            Ordering::Greater => names[0].clone(),
            Ordering::Less => names[1].clone(),
        };
        let args = [
            ("draw", if first == second { "yes" } else { "no" }.into()),
            ("winner", winner.into()),
            ("won", points(first.max(second)).into()),
            ("lost", points(first.min(second)).into()),
        ];
        self.say("set-over", &args)
    }

    /// Describes for a list of games which game of a set this is, and the score before it.
    pub fn set_short(&self, set: InSet) -> String {
        let [first, second] = set.carried_halves().map(|halves| self.halves(halves.into()));
        match set {
            InSet::First => self.word("games-set-first"),
            InSet::Second { .. } => {
                self.say("games-set-second", &[("first", first.into()), ("second", second.into())])
            }
        }
    }
}
