//! How games end, in words.

use crate::kit::{Play, Reason, Seat};
use crate::table::{Cause, Ending, Table};

use super::Words;

impl Words {
    /// The result of a table: who won, by what, by how much.
    pub fn ending(&self, table: &Table, ending: &Ending) -> String {
        self.ending_of(ending, |seat| self.seated(table, seat))
    }

    /// The same where only sides are named.
    pub(super) fn ending_by_sides(&self, play: &dyn Play, ending: &Ending) -> String {
        self.ending_of(ending, |seat| self.side(play, seat))
    }

    /// The same with names for the seats as somebody calls them.
    pub fn ending_of(&self, ending: &Ending, name: impl Fn(Seat) -> String) -> String {
        let winners: Vec<_> = ending.winners.iter().filter_map(|seat| Seat::new((*seat).into())).collect();
        let how = self.cause(&ending.cause);
        if winners.is_empty() {
            return how;
        }
        let names: Vec<_> = winners.iter().map(|seat| name(*seat)).collect();
        let shared = winners.len() > 1;
        let key = if shared { "ending-shared" } else { "ending-won" };
        self.say(key, &[("who", self.join(&names).into()), ("how", how.into())])
    }

    fn cause(&self, cause: &Cause) -> String {
        match cause {
            Cause::Rules { reason } => self.reason(*reason),
            Cause::Resigned => self.word("cause-resigned"),
            Cause::OnTime => self.word("cause-on-time"),
            Cause::Abandoned => self.word("cause-abandoned"),
            Cause::Counted { margin_halves: Some(halves) } => {
                self.say("cause-counted-margin", &[("margin", self.halves(*halves).into())])
            }
            Cause::Proven { margin_halves: Some(halves) } => {
                self.say("cause-proven-margin", &[("margin", self.halves(*halves).into())])
            }
            Cause::Proven { margin_halves: None } => self.word("cause-proven"),
            Cause::Counted { margin_halves: None } => self.word("cause-counted"),
            Cause::Agreed => self.word("cause-agreed"),
            Cause::Aborted => self.word("cause-aborted"),
            Cause::Closed => self.word("cause-closed"),
            Cause::Refused => self.word("cause-refused"),
            Cause::Expired => self.word("cause-expired"),
            Cause::Imported => self.word("cause-imported"),
        }
    }

    fn reason(&self, reason: Reason) -> String {
        self.word(&format!("reason-{}", reason.key()))
    }

    /// A number of half units: "3", "2½", "½".
    pub fn halves(&self, halves: u32) -> String {
        match (halves / 2, halves % 2) {
            (whole, 0) => whole.to_string(),
            (0, _) => "½".to_owned(),
            (whole, _) => format!("{whole}½"),
        }
    }
}
