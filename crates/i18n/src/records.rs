//! Audit results and commitments to randomness in words.

use rookery_table::audit::{Audit, Breach, DrawSeed, Redaction, SeedAudit, Votes};
use rookery_table::hash_chain::{ChainError, ChainSummary, short_digest};
use rookery_table::{Status, Table, TableId};

use super::{Localizer, moment};

impl Localizer {
    /// Describes the result of an audit, one sentence per line.
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
            lines.push(self.seed_audit(&audit.seed));
            lines.extend(self.votes(audit.votes));
        }
        lines.extend(audit.forgotten.iter().map(|it| self.forgotten(it)));
        lines.join("\n")
    }

    /// Describes the teams' votes; `None` if there were none.
    fn votes(&self, votes: Result<Votes, u64>) -> Option<String> {
        match votes {
            Ok(Votes { held: 0, .. }) => None,
            Ok(Votes { held, drawn }) => {
                Some(self.say("verify-votes", &[("held", held.into()), ("drawn", drawn.into())]))
            }
            Err(entry) => Some(self.say("verify-miscounted", &[("entry", entry.into())])),
        }
    }

    fn forgotten(&self, it: &Redaction) -> String {
        let key = if it.sound { "verify-forgotten" } else { "verify-forgotten-wrong" };
        let seal = it.seal.as_deref().map_or("–", short_digest);
        let entries = ("entries", (it.sequence - 1).into());
        let told = self.say(key, &[("when", moment(it.at).into()), entries, ("seal", seal.into())]);
        if it.unsealed == 0 {
            return told;
        }
        format!("{told}\n{}", self.say("verify-unsealed", &[("entries", it.unsealed.into())]))
    }

    fn sound(&self, sound: &ChainSummary) -> Vec<String> {
        let Some(head) = &sound.head else { return vec![self.word("verify-old")] };
        let args = [("entries", sound.entries.into()), ("seal", short_digest(head).into())];
        let all = self.say("verify-record", &args);
        let before =
            (sound.unsealed > 0).then(|| self.say("verify-unsealed", &[("entries", sound.unsealed.into())]));
        std::iter::once(all).chain(before).collect()
    }

    fn broken(&self, broken: &ChainError) -> String {
        match broken {
            ChainError::Altered { sequence } => self.say("verify-altered", &[("entry", (*sequence).into())]),
            ChainError::Missing { sequence } => self.say("verify-missing", &[("entry", (*sequence).into())]),
            ChainError::Unsealed { sequence } => {
                self.say("verify-seal-lost", &[("entry", (*sequence).into())])
            }
            ChainError::CutOff => self.word("verify-cut-off"),
        }
    }

    fn seed_audit(&self, chance: &SeedAudit) -> String {
        match chance {
            SeedAudit::NoCommitment => self.word("verify-unpledged"),
            SeedAudit::Chosen { seed, draw_seed } => {
                let chosen = self.say("verify-chosen", &[("seed", seed.to_string().into())]);
                let draw_seed = draw_seed.as_ref().map(|draw_seed| self.draw_seed(draw_seed));
                [Some(chosen), draw_seed].into_iter().flatten().collect::<Vec<_>>().join("\n")
            }
            SeedAudit::Sealed { digest } => {
                self.say("verify-sealed", &[("digest", short_digest(digest).into())])
            }
            SeedAudit::Kept { digest, seed, salt } => {
                let (seed, salt) = (seed.to_string(), salt.as_str());
                let args =
                    [("digest", short_digest(digest).into()), ("seed", seed.into()), ("salt", salt.into())];
                self.say("verify-kept", &args)
            }
            SeedAudit::Broken(Breach::Digest) => self.word("verify-breach-digest"),
            SeedAudit::Broken(Breach::Layout) => self.word("verify-breach-layout"),
            SeedAudit::Broken(Breach::Seats) => self.word("verify-breach-seats"),
        }
    }

    /// Describes the seed from which lots are drawn.
    fn draw_seed(&self, draw_seed: &DrawSeed) -> String {
        let digest = ("digest", short_digest(&draw_seed.digest).into());
        match &draw_seed.shown {
            None => self.say("verify-lots-sealed", &[digest]),
            Some((draw_seed, salt)) => {
                let (draw_seed, salt) = (draw_seed.to_string(), salt.as_str());
                self.say("verify-lots-kept", &[digest, ("lots", draw_seed.into()), ("salt", salt.into())])
            }
        }
    }

    /// Says that a waiting table's random layout is fixed. `/verify` shows the digest. `None` if no layout is drawn, or
    /// the game has begun.
    pub fn fixed_layout(&self, table: &Table) -> Option<String> {
        let (terms, commitment) = (table.terms(), table.terms().commitment.as_ref()?);
        let draws_layout = terms.layout.is_none() && table.game()?.info().has_layout;
        let says = draws_layout && commitment.is_secret() && *table.status() == Status::Waiting;
        says.then(|| self.word("layout-fixed"))
    }
}
