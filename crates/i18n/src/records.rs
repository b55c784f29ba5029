//! What an audit found, and how chance was settled, in words.

use rookery_table::audit::{Audit, Breach, Chance, Forgotten, Lots, Votes};
use rookery_table::seal::{Broken, Sound, short};
use rookery_table::{Status, Table, TableId};

use super::{Words, moment};

impl Words {
    /// What an audit found, a sentence a line.
    pub fn audit(&self, table: TableId, audit: &Audit) -> String {
        let head = if audit.is_clean() { "verify-clean" } else { "verify-wrong" };
        let mut lines = vec![self.say(head, &[("table", table.as_str().into())])];
        match &audit.record {
            Ok(sound) => lines.extend(self.sound(sound)),
            Err(broken) => lines.push(self.broken(broken)),
        }
        lines.push(match audit.game {
            Ok(ply) => self.say("verify-game", &[("ply", ply.into())]),
            Err(entry) => self.say("verify-no-game", &[("entry", entry.into())]),
        });
        if audit.game.is_ok() {
            lines.push(self.chance(&audit.chance));
            lines.extend(self.votes(audit.votes));
        }
        lines.extend(audit.forgotten.iter().map(|it| self.forgotten(it)));
        lines.join("\n")
    }

    /// How teams have voted; nothing where none did.
    fn votes(&self, votes: Result<Votes, u64>) -> Option<String> {
        match votes {
            Ok(Votes { held: 0, .. }) => None,
            Ok(Votes { held, drawn }) => {
                Some(self.say("verify-votes", &[("held", held.into()), ("drawn", drawn.into())]))
            }
            Err(entry) => Some(self.say("verify-miscounted", &[("entry", entry.into())])),
        }
    }

    fn forgotten(&self, it: &Forgotten) -> String {
        let key = if it.sound { "verify-forgotten" } else { "verify-forgotten-wrong" };
        let seal = it.seal.as_deref().map_or("–", short);
        let entries = ("entries", (it.sequence - 1).into());
        let told = self.say(key, &[("when", moment(it.at_ms).into()), entries, ("seal", seal.into())]);
        if it.unsealed == 0 {
            return told;
        }
        format!("{told} {}", self.say("verify-unsealed", &[("entries", it.unsealed.into())]))
    }

    fn sound(&self, sound: &Sound) -> Vec<String> {
        let Some(head) = &sound.head else { return vec![self.word("verify-old")] };
        let args = [("entries", sound.entries.into()), ("seal", short(head).into())];
        let all = self.say("verify-record", &args);
        let before =
            (sound.unsealed > 0).then(|| self.say("verify-unsealed", &[("entries", sound.unsealed.into())]));
        std::iter::once(all).chain(before).collect()
    }

    fn broken(&self, broken: &Broken) -> String {
        match broken {
            Broken::Altered { sequence } => self.say("verify-altered", &[("entry", (*sequence).into())]),
            Broken::Missing { sequence } => self.say("verify-missing", &[("entry", (*sequence).into())]),
            Broken::Unsealed { sequence } => self.say("verify-seal-lost", &[("entry", (*sequence).into())]),
            Broken::CutOff => self.word("verify-cut-off"),
        }
    }

    fn chance(&self, chance: &Chance) -> String {
        match chance {
            Chance::Unpledged => self.word("verify-unpledged"),
            Chance::Chosen { seed, lots } => {
                let lots = lots.as_ref().map(|lots| format!(" {}", self.lots(lots)));
                self.say("verify-chosen", &[("seed", seed.to_string().into())]) + &lots.unwrap_or_default()
            }
            Chance::Sealed { digest } => self.say("verify-sealed", &[("digest", short(digest).into())]),
            Chance::Kept { digest, seed, salt } => {
                let (seed, salt) = (seed.to_string(), salt.as_str());
                let args = [("digest", short(digest).into()), ("seed", seed.into()), ("salt", salt.into())];
                self.say("verify-kept", &args)
            }
            Chance::Broken(Breach::Digest) => self.word("verify-breach-digest"),
            Chance::Broken(Breach::Layout) => self.word("verify-breach-layout"),
            Chance::Broken(Breach::Seats) => self.word("verify-breach-seats"),
        }
    }

    /// What lots are drawn from where the seed is known.
    fn lots(&self, lots: &Lots) -> String {
        let digest = ("digest", short(&lots.digest).into());
        match &lots.shown {
            None => self.say("verify-lots-sealed", &[digest]),
            Some((lots, salt)) => {
                let (lots, salt) = (lots.to_string(), salt.as_str());
                self.say("verify-lots-kept", &[digest, ("lots", lots.into()), ("salt", salt.into())])
            }
        }
    }

    /// How a table's chance was settled, where something that everybody sees is drawn: sealed until
    /// the game is over, shown from then on.
    pub fn pledge(&self, table: &Table) -> Option<String> {
        let (terms, pledge) = (table.terms(), table.terms().pledge.as_ref()?);
        let draws_layout = terms.layout.is_none() && table.game()?.info().has_layout;
        let draws_lots = terms.has_votes();
        let (seed, [shown, sealed]) = match pledge.lots {
            Some(lots) if draws_lots => (lots, ["lots-shown", "lots-sealed"]),
            None if pledge.is_sealed() && (draws_layout || draws_lots || pledge.seats) => {
                (terms.seed, ["chance-shown", "chance-sealed"])
            }
            _ => return None,
        };
        let digest = ("digest", short(&pledge.digest).into());
        Some(match table.status() {
            Status::Over(_) => {
                let (seed, salt) = (seed.to_string(), pledge.salt.as_str());
                self.say(shown, &[digest, ("seed", seed.into()), ("salt", salt.into())])
            }
            _ => self.say(sealed, &[digest]),
        })
    }
}
