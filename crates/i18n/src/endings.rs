//! Results of games in words.

use rookery_core::{Play, Reason, Seat};
use rookery_table::{EndCause, Ending, Occupant, Table};

use super::Localizer;

impl Localizer {
    /// Describes the result of a table: who won, how, and by how much.
    pub fn ending(&self, table: &Table, ending: &Ending) -> String {
        self.ending_of(ending, last_resigned(table), |seat| self.seated(table, seat))
    }

    /// Describes the result with sides in place of players.
    pub(super) fn ending_by_sides(&self, table: &Table, play: &dyn Play, ending: &Ending) -> String {
        self.ending_of(ending, last_resigned(table), |seat| self.side(play, seat))
    }

    /// Describes the result with `name` for each seat; `out` is the seat that resigned last, if known.
    pub fn ending_of(&self, ending: &Ending, out: Option<Seat>, name: impl Fn(Seat) -> String) -> String {
        let winners = &ending.winners;
        let how = self.how(ending, out, &name);
        if winners.is_empty() {
            return how;
        }
        let names: Vec<_> = winners.iter().map(|seat| name(*seat)).collect();
        if is_sentence(&how) {
            return self
                .say("ending-told", &[("head", self.winners_line(&names).into()), ("how", how.into())]);
        }
        let shared = winners.len() > 1;
        let key = if shared { "ending-shared" } else { "ending-won" };
        self.say(key, &[("who", self.join(&names).into()), ("how", how.into())])
    }

    /// Describes the result in two lines for a picture: who won, and why.
    pub fn ending_lines(
        &self,
        ending: &Ending,
        out: Option<Seat>,
        name: impl Fn(Seat) -> String,
    ) -> [String; 2] {
        let winners = ending.winners.iter().copied();
        let names: Vec<_> = winners.map(&name).collect();
        [self.winners_line(&names), capital(&self.how(ending, out, &name))]
    }

    /// Describes why a game ended; after a resignation or a declined challenge, by whom.
    fn how(&self, ending: &Ending, out: Option<Seat>, name: &impl Fn(Seat) -> String) -> String {
        match (out, &ending.cause) {
            (Some(out), EndCause::Resigned) => self.say("cause-resigned-by", &[("who", name(out).into())]),
            (Some(out), EndCause::Refused) => self.say("cause-refused-by", &[("who", name(out).into())]),
            _ => self.cause(&ending.cause),
        }
    }

    /// Describes who won, without why.
    pub fn winners_line(&self, names: &[String]) -> String {
        self.say("ending-head", &[("winners", names.len().into()), ("who", self.join(names).into())])
    }

    /// Describes an ending by its key in records; `None` for an unknown key.
    pub fn ending_by_key(&self, key: &str) -> Option<String> {
        let named = [format!("reason-{key}"), format!("cause-{key}")];
        named.iter().find(|key| self.has(key)).map(|key| capital(&self.word(key)))
    }

    fn cause(&self, cause: &EndCause) -> String {
        match cause {
            EndCause::Rules { reason } => self.reason(*reason),
            EndCause::Resigned => self.word("cause-resigned"),
            EndCause::OnTime => self.word("cause-on-time"),
            EndCause::Abandoned => self.word("cause-abandoned"),
            EndCause::Counted { margin_halves: Some(halves) } => {
                self.say("cause-counted-margin", &[("margin", self.halves(*halves).into())])
            }
            EndCause::Proven { margin_halves: Some(halves) } => {
                self.say("cause-proven-margin", &[("margin", self.halves(*halves).into())])
            }
            EndCause::Proven { margin_halves: None } => self.word("cause-proven"),
            EndCause::Counted { margin_halves: None } => self.word("cause-counted"),
            EndCause::Agreed => self.word("cause-agreed"),
            EndCause::Aborted => self.word("cause-aborted"),
            EndCause::Closed => self.word("cause-closed"),
            EndCause::Refused => self.word("cause-refused"),
            EndCause::Expired => self.word("cause-expired"),
            EndCause::Imported => self.word("cause-imported"),
        }
    }

    fn reason(&self, reason: Reason) -> String {
        self.word(&format!("reason-{}", reason.key()))
    }

    /// Formats a number of half units: "3", "2½", "½".
    pub fn halves(&self, halves: u32) -> String {
        match (halves / 2, halves % 2) {
            (whole, 0) => whole.to_string(),
            (0, _) => "½".to_owned(),
            (whole, _) => format!("{whole}½"),
        }
    }
}

/// Returns the seat that resigned last, or before the start the only seat that has not answered the
/// challenge. A resignation or a declined challenge that ended the table was theirs.
pub fn last_resigned(table: &Table) -> Option<Seat> {
    if table.play().is_some() {
        return table.resigned().last().copied();
    }
    let asked = |seat: &Seat| matches!(table.occupant(*seat), Some(Occupant::Invited { .. }));
    let mut asked = Seat::all(table.chairs().len()).filter(asked);
    asked.next().filter(|_| asked.next().is_none())
}

/// Whether a cause is a sentence of its own: "The game was called off."
fn is_sentence(how: &str) -> bool {
    how.ends_with('.')
}

/// Capitalises the first letter and removes a full stop at the end.
fn capital(how: &str) -> String {
    let mut letters = how.strip_suffix('.').unwrap_or(how).chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
