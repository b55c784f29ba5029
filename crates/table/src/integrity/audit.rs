//! An audit verifies that a table's record is unchanged, describes a legal game, and keeps the commitment to its random
//! seed.
//!
//! # Where a name was deleted
//!
//! Entries name people by [pseudonyms](crate::pseudonym), so a name is removed without changing an entry, and the
//! hashes still cover every byte from the first entry on.
//!
//! Entries from before pseudonyms contain the people's ids and had to be rewritten and hashed again
//! ([`crate::redact`]). For these an audit shows that:
//! - nothing has changed since the deletion: the new hashes cover it;
//! - at the deletion the program verified the record, and stored the result and the last hash of the old chain: a
//!   person who noted that hash before (`/verify` and every record show it) can compare;
//! - the game is legal and has the start that was drawn, which is verified again.
//!
//! It cannot show that only the name was changed at the deletion, because the names under the old hashes are gone. This
//! requires trust in the operator, and the audit says so.

use crate::hash_chain::{self, ChainError, ChainSummary, HashChain};
use crate::model::records::Entry;
use crate::model::{Event, Status, Terms};
use crate::{Table, TableId, commitment};
use jiff::Timestamp;

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Whether the hash chain is intact.
    pub record: Result<ChainSummary, ChainError>,
    /// The number of turns in the record; on failure, the number of the first entry that cannot be applied.
    pub game: Result<usize, u64>,
    /// Whether the commitment to the seed was kept.
    pub seed: SeedAudit,
    /// The votes of the teams; on failure, the number of the entry whose election does not match the votes and the
    /// draw.
    pub votes: Result<Votes, u64>,
    /// The removals of names from entries, in order.
    pub forgotten: Vec<Redaction>,
}

/// Counts of the teams' votes at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Votes {
    /// The number of turns that were decided by a vote.
    pub held: usize,
    /// The number of them that were drawn because several moves had equally many votes.
    pub drawn: usize,
}

/// A removal of a name from the entries before it, which were hashed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redaction {
    /// The entry that records the removal.
    pub sequence: u64,
    /// The time of the removal.
    pub at: Timestamp,
    /// The last hash of the record before the removal; `None` if it had none.
    pub seal: Option<String>,
    /// Whether the record was intact until then.
    pub sound: bool,
    /// The number of entries at the beginning that had no hash; the first hashed entry covers them.
    pub unsealed: usize,
}

/// Whether a table kept the commitment to its seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeedAudit {
    /// There was no commitment: the table is older than commitments.
    NoCommitment,
    /// The seed was public from the start.
    Chosen {
        /// The seed that everyone knows.
        seed: u64,
        /// The seed of draws during the game; `None` at tables from before draw seeds.
        draw_seed: Option<DrawSeed>,
    },
    /// The seed is secret until the game is over.
    Sealed {
        /// The digest shown from the start.
        digest: String,
    },
    /// The game is over, and the digest matches the seed.
    Kept {
        /// The digest shown from the start.
        digest: String,
        /// The seed, which is public now.
        seed: u64,
        /// The salt that was hashed with the seed.
        salt: String,
    },
    /// The commitment was broken.
    Broken(Breach),
}

/// The seed of draws during a game whose own seed is public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawSeed {
    /// The digest shown from the start.
    pub digest: String,
    /// The draw seed and its salt, once the game is over.
    pub shown: Option<(u64, String)>,
}

/// How the commitment was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The digest does not match the seed.
    Digest,
    /// The initial position is not the one that the seed gives.
    Layout,
    /// The seats were to be assigned at random, and the assignment differs from the drawn one.
    Seats,
}

impl Audit {
    /// Whether the audit found no problem.
    pub fn is_clean(&self) -> bool {
        self.record.is_ok()
            && self.game.is_ok()
            && self.votes.is_ok()
            && !matches!(self.seed, SeedAudit::Broken(_))
            && self.forgotten.iter().all(|it| it.sound)
    }
}

/// Audits everything stored for a table; `None` if there is no such table.
pub fn audit(id: TableId, chain: &HashChain) -> Option<Audit> {
    if chain.links.is_empty() && chain.head.is_none() {
        return None;
    }
    let record = hash_chain::verify(id, chain);
    let read = chain.links.iter().map_while(|link| link.entry().ok());
    let entries: Vec<Entry> = read.collect();
    let unread = chain.links.get(entries.len()).map(|link| link.sequence);
    let record = record.and_then(|sound| never_unsealed(sound, &entries));
    let (game, seed) = match (Table::replay(id, &entries), unread) {
        (Ok(Some(table)), None) => (Ok(table.ply()), seed_audit(&table, &entries)),
        (Ok(_), unread) => (Err(unread.unwrap_or(1)), SeedAudit::NoCommitment),
        (Err(broken), _) => (Err(broken.sequence), SeedAudit::NoCommitment),
    };
    let votes = if game.is_ok() { votes(id, &entries) } else { Ok(Votes::default()) };
    let forgotten = entries.iter().filter_map(forgotten).collect();
    Some(Audit { record, game, seed, votes, forgotten })
}

/// Counts every vote again, in a table whose entries can be applied.
fn votes(id: TableId, entries: &[Entry]) -> Result<Votes, u64> {
    let mut found = Votes::default();
    let Ok(Some(mut table)) = Table::replay(id, &entries[..1]) else { return Ok(found) };
    for (entry, next) in entries.iter().skip(1).zip(entries.iter().skip(2).map(Some).chain([None])) {
        if let Event::Elected { proposal, tied, .. } = entry.event {
            let next = next.map(|next| &next.event);
            counted(&table, (proposal, tied), next).then_some(()).ok_or(entry.sequence)?;
            found.held += 1;
            found.drawn += usize::from(tied > 1);
        }
        table.apply(entry).map_err(|_| entry.sequence)?;
    }
    Ok(found)
}

/// Whether the votes and the draw among `tied` proposals give the elected one, and that one was played.
fn counted(table: &Table, (elected, tied): (u16, u8), next: Option<&Event>) -> bool {
    let Some(team_vote) = table.team_vote() else { return false };
    let played = team_vote.proposals.get(usize::from(elected)).is_some_and(
        |proposal| matches!(next, Some(Event::Moved { text, why: None, .. }) if *text == proposal.text),
    );
    played
        && team_vote.winner(table.terms().draw_seed()) == Some(elected.into())
        && team_vote.leaders().len() == usize::from(tied)
}

fn forgotten(entry: &Entry) -> Option<Redaction> {
    let Event::Forgotten { seal, sound, unsealed } = &entry.event else { return None };
    let (sequence, at, seal) = (entry.sequence, entry.at, seal.clone());
    Some(Redaction { sequence, at, seal, sound: *sound, unsealed: *unsealed })
}

/// Refuses missing hashes at a table with a commitment: such a table is newer than hashes.
fn never_unsealed(sound: ChainSummary, entries: &[Entry]) -> Result<ChainSummary, ChainError> {
    let pledged = entries.first().is_some_and(|first| match &first.event {
        Event::Opened { terms, .. } => terms.commitment.is_some(),
        _ => false,
    });
    if pledged && sound.unsealed > 0 { Err(ChainError::Unsealed { sequence: 1 }) } else { Ok(sound) }
}

/// Verifies the commitment of a table whose entries can be applied.
fn seed_audit(table: &Table, entries: &[Entry]) -> SeedAudit {
    let terms = table.terms();
    let Some(commitment) = &terms.commitment else { return SeedAudit::NoCommitment };
    if let Some(breach) = breach(terms, entries) {
        return SeedAudit::Broken(breach);
    }
    let (seed, digest, salt) = (terms.seed, commitment.digest.clone(), commitment.salt.clone());
    match table.status() {
        status if commitment.chosen => {
            let shown = |draw_seed| matches!(status, Status::Over(_)).then_some((draw_seed, salt));
            SeedAudit::Chosen {
                seed,
                draw_seed: commitment.draw_seed.map(|draw_seed| DrawSeed { digest, shown: shown(draw_seed) }),
            }
        }
        Status::Over(_) => SeedAudit::Kept { digest, seed, salt },
        _ => SeedAudit::Sealed { digest },
    }
}

fn breach(terms: &Terms, entries: &[Entry]) -> Option<Breach> {
    let commitment = terms.commitment.as_ref()?;
    if !commitment.fits(terms.seed) {
        return Some(Breach::Digest);
    }
    let Event::Opened { host, chairs, .. } = &entries.first()?.event else { return None };
    let sits = chairs.get(commitment::host_seat(terms.seed, chairs.len()));
    if commitment.seats && sits.and_then(|chair| chair.person()) != Some(*host) {
        return Some(Breach::Seats);
    }
    let started = entries.iter().find_map(|entry| match &entry.event {
        Event::Started { line } => Some(line),
        _ => None,
    });
    let drawn = terms.begin(rookery_games::named(&terms.game)?, chairs.len());
    let as_drawn = drawn.is_ok_and(|play| started.is_none_or(|line| *line == play.start_line()));
    (!as_drawn).then_some(Breach::Layout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actor::number;
    use crate::model::millis;
    use crate::model::{Actor, EndCause, Ending, Occupant, Order, UserId};
    use crate::{ChannelId, SourceId};
    use crate::{commitment::SeedCommitment, decide, redact};
    use jiff::SignedDuration;
    use rookery_core::{Seat, seed};

    const ADA: UserId = UserId(1);
    const BEN: UserId = UserId(2);

    fn id() -> TableId {
        "K7Q2".parse().unwrap()
    }

    fn terms(wish: SeedCommitment) -> Terms {
        let commitment = Some(Box::new(SeedCommitment::commit(Some(&wish), 5, &mut seed::SeededRng::new(1))));
        let (game, options) = ("penguins".to_owned(), Default::default());
        let (guild, channel) = (None, 2);
        Terms {
            game,
            options,
            seed: 5,
            guild,
            channel: ChannelId(channel),
            thread: false,
            rated: false,
            commitment,
            ..Terms::default()
        }
    }

    fn chairs() -> Vec<Occupant> {
        let mut chairs = [ADA, BEN].map(|person| Occupant::Human { person });
        chairs.rotate_right(commitment::host_seat(5, 2));
        chairs.to_vec()
    }

    /// A game of a few moves; the last player resigns if `over`.
    fn events(terms: Terms, over: bool) -> Vec<Event> {
        let mut events = decide::open(id(), terms, ADA, chairs()).unwrap();
        for _ in 0..6 {
            let table =
                Table::replay(id(), &number(events.clone(), 0, millis::timestamp(1), None)).unwrap().unwrap();
            let who = table.to_move().and_then(|seat| table.occupant(seat)?.person()).unwrap();
            let text = table.play().unwrap().moves().remove(0);
            let order = Order::Move { text, ply: None };
            events.extend(
                decide::decide(&table, Actor::Person(who), &order, None, millis::timestamp(1))
                    .unwrap()
                    .events,
            );
        }
        let ending = Ending { winners: vec![Seat::FIRST], cause: EndCause::Resigned };
        events.extend(over.then_some(Event::Ended { ending }));
        events
    }

    fn audited(events: Vec<Event>) -> Audit {
        let links = hash_chain::chain_entries(
            id(),
            &number(events, 0, millis::timestamp(1), Some(SourceId(9))),
            None,
        );
        let head = links.last().and_then(|link| link.seal.clone());
        audit(id(), &HashChain { links, head }).unwrap()
    }

    #[test]
    fn a_game_that_was_played_fairly_is_clean() {
        let wish = || SeedCommitment::requested(false, true);
        let running = audited(events(terms(wish()), false));
        assert!(running.is_clean() && running.game == Ok(6));
        assert!(matches!(&running.seed, SeedAudit::Sealed { digest } if digest.len() == 64));
        let over = audited(events(terms(wish()), true));
        let SeedAudit::Kept { digest, seed: 5, salt } = over.seed else { panic!("{:?}", over.seed) };
        assert_eq!(commitment::digest(5, &salt), digest);
        let chosen = audited(events(terms(SeedCommitment::requested(true, false)), false));
        assert!(
            matches!(&chosen.seed, SeedAudit::Chosen { seed: 5, draw_seed: Some(draw_seed) } if draw_seed.shown.is_none()),
            "{:?}",
            chosen.seed
        );
        let over = audited(events(terms(SeedCommitment::requested(true, false)), true));
        let SeedAudit::Chosen {
            draw_seed: Some(DrawSeed { digest, shown: Some((draw_seed, salt)) }), ..
        } = over.seed
        else {
            panic!("{:?}", over.seed)
        };
        assert_eq!(commitment::digest(draw_seed, &salt), digest);
        let open = Box::new(SeedCommitment { chosen: true, ..SeedCommitment::default() });
        let old = audited(events(Terms { commitment: Some(open), ..terms(wish()) }, false));
        assert_eq!(old.seed, SeedAudit::Chosen { seed: 5, draw_seed: None });
        let old = audited(events(Terms { commitment: None, ..terms(wish()) }, true));
        assert!(old.is_clean() && old.seed == SeedAudit::NoCommitment);
        assert_eq!(audit(id(), &HashChain::default()), None);
    }

    /// Audits a record from before pseudonyms after `before` changed it and a name was removed.
    fn audited_without_ada(before: impl Fn(&mut HashChain)) -> Audit {
        let links = hash_chain::chain_entries(
            id(),
            &number(
                events(terms(SeedCommitment::requested(false, true)), true),
                0,
                millis::timestamp(1),
                None,
            ),
            None,
        );
        let head = links.last().and_then(|link| link.seal.clone());
        let mut chain = HashChain { links, head };
        before(&mut chain);
        let links = redact::redact_person(id(), &chain, (ADA, UserId::pseudonym(9)), millis::timestamp(5))
            .unwrap()
            .unwrap();
        let head = links.last().and_then(|link| link.seal.clone());
        audit(id(), &HashChain { links, head }).unwrap()
    }

    #[test]
    fn a_record_without_a_name_says_so_and_is_no_cleaner_than_before() {
        let sound = audited_without_ada(|_| {});
        assert!(sound.is_clean() && sound.game == Ok(6), "{sound:?}");
        assert!(matches!(&sound.forgotten[..], [it] if it.sound && it.seal.is_some() && it.unsealed == 0));
        assert!(matches!(sound.seed, SeedAudit::Kept { .. }), "who sat where is still what was drawn");
        let wrong = audited_without_ada(|chain| chain.links[1].at += SignedDuration::from_millis(1));
        assert!(wrong.record.is_ok() && !wrong.is_clean(), "{wrong:?}");
        let cut = audited_without_ada(|chain| drop(chain.links.pop()));
        assert!(!cut.is_clean(), "{cut:?}");
    }

    #[test]
    fn audit_finds_a_broken_commitment() {
        let breach = |change: &dyn Fn(&mut Vec<Event>)| {
            let mut events = events(terms(SeedCommitment::requested(false, true)), true);
            change(&mut events);
            audited(events).seed
        };
        let on_opening = |change: &dyn Fn(&mut Terms, &mut Vec<Occupant>)| {
            breach(&|events| {
                if let Event::Opened { terms, chairs, .. } = &mut events[0] {
                    change(terms, chairs);
                }
                events.truncate(1);
            })
        };
        assert_eq!(on_opening(&|terms, _| terms.seed = 6), SeedAudit::Broken(Breach::Digest));
        let other_lots = |terms: &mut Terms, _: &mut Vec<Occupant>| {
            let mut commitment = SeedCommitment::commit(
                Some(&SeedCommitment::requested(true, false)),
                5,
                &mut seed::SeededRng::new(2),
            );
            commitment.draw_seed = Some(1);
            terms.commitment = Some(Box::new(commitment));
        };
        assert_eq!(on_opening(&other_lots), SeedAudit::Broken(Breach::Digest));
        assert_eq!(on_opening(&|_, chairs| chairs.reverse()), SeedAudit::Broken(Breach::Seats));
        let other = breach(&|events| {
            let terms = Terms { seed: 6, ..terms(SeedCommitment::default()) };
            events.truncate(1);
            events.extend(decide::open(id(), terms, ADA, chairs()).unwrap().into_iter().skip(1));
        });
        assert_eq!(other, SeedAudit::Broken(Breach::Layout));
    }

    #[test]
    fn seals_cannot_be_taken_off_from_the_first_entry_on() {
        let mut links = hash_chain::chain_entries(
            id(),
            &number(events(terms(SeedCommitment::default()), false), 0, millis::timestamp(1), None),
            None,
        );
        let head = links.last().and_then(|link| link.seal.clone());
        for taken in 0..links.len() {
            links[taken].seal = None;
            let head = head.clone().filter(|_| taken + 1 < links.len());
            let found = audit(id(), &HashChain { links: links.clone(), head }).unwrap();
            assert_eq!(found.record, Err(ChainError::Unsealed { sequence: 1 }));
        }
    }

    #[test]
    fn a_record_that_tells_of_no_game_is_named_by_its_entry() {
        let mut events = events(terms(SeedCommitment::default()), false);
        events[3] = Event::Moved { seat: Seat::FIRST, text: "z9".into(), why: None };
        assert_eq!(audited(events).game, Err(4));
    }
}
