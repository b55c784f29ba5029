//! Removal of a name from entries written before pseudonyms.
//!
//! Those entries contain people's ids, and their hashes cover them, so they cannot stay unchanged. They are rewritten
//! and hashed again, and a last entry ([`Event::Forgotten`]) records that with the last hash of the old chain.
//! [`crate::audit`] describes what this can show and what it cannot.

use crate::TableId;
use crate::hash_chain::{self, ChainEntry, HashChain};
use crate::model::records::StoreError;
use crate::model::{Event, UserId};
use crate::pseudonym::NamesPeople;
use jiff::Timestamp;

/// Replaces a person with a pseudonym in a table's entries, hashes them again, and adds an entry that records it;
/// `None` if no entry names the person.
///
/// # Errors
/// If an entry cannot be read.
pub fn redact_person(
    table: TableId,
    chain: &HashChain,
    who: (UserId, UserId),
    now: Timestamp,
) -> Result<Option<Vec<ChainEntry>>, StoreError> {
    let (person, pseudonym) = who;
    let mut entries = Vec::with_capacity(chain.links.len() + 1);
    let mut named = false;
    for link in &chain.links {
        let sequence = link.sequence;
        let mut entry = link.entry().map_err(|error| StoreError::Unreadable {
            table,
            sequence,
            why: error.to_string(),
        })?;
        named |= entry.event.rename(person, pseudonym);
        entries.push(entry);
    }
    let Some(last) = entries.last().filter(|_| named) else { return Ok(None) };
    let checked = hash_chain::verify(table, chain);
    let event = Event::Forgotten {
        seal: chain.head.clone(),
        sound: checked.is_ok(),
        unsealed: checked.map_or(0, |sound| sound.unsealed),
    };
    let (sequence, at) = (last.sequence + 1, now.max(last.at));
    entries.push(crate::model::records::Entry { sequence, at, source: None, event });
    Ok(Some(hash_chain::chain_entries(table, &entries, None)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceId;
    use crate::model::millis;
    use crate::model::records::Entry;
    use crate::model::{Occupant, Terms};
    use rookery_core::Seat;

    const ADA: UserId = UserId(1_000_001);
    const BEN: UserId = UserId(1_000_002);
    const NOBODY: UserId = UserId(u64::MAX - 6);

    fn table() -> TableId {
        "K7Q2".parse().unwrap()
    }

    fn chain() -> HashChain {
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let events = [
            Event::Opened { terms: Terms::default(), host: ADA, chairs },
            Event::Moved { seat: Seat::FIRST, text: "a2-a3/b3".into(), why: None },
        ];
        let entry = |(sequence, event)| Entry {
            sequence,
            at: millis::timestamp(5),
            source: Some(SourceId(9)),
            event,
        };
        let entries: Vec<_> = (1..).zip(events).map(entry).collect();
        let links = hash_chain::chain_entries(table(), &entries, None);
        let head = links.last().unwrap().seal.clone();
        HashChain { links, head }
    }

    fn grown(links: Vec<ChainEntry>) -> HashChain {
        let head = links.last().unwrap().seal.clone();
        HashChain { links, head }
    }

    #[test]
    fn the_name_is_gone_and_the_record_says_what_was_done() {
        let before = chain();
        let links = redact_person(table(), &before, (ADA, NOBODY), millis::timestamp(7)).unwrap().unwrap();
        assert!(links.iter().all(|link| !link.event.contains(&ADA.0.to_string())));
        assert!(links[0].event.contains(&BEN.0.to_string()), "others stay");
        assert_eq!(links[1].event, before.links[1].event, "what names nobody stays as it was");
        let said = Event::Forgotten { seal: before.head.clone(), sound: true, unsealed: 0 };
        assert_eq!(links[2].entry().unwrap().event, said);
        assert_eq!(hash_chain::verify(table(), &grown(links.clone())).unwrap().entries, 3);
        assert_eq!(
            redact_person(table(), &grown(links), (ADA, NOBODY), millis::timestamp(8)).unwrap(),
            None,
            "once is enough"
        );
    }

    #[test]
    fn redaction_keeps_an_earlier_fault_visible() {
        let mut wrong = chain();
        wrong.links[1].event = wrong.links[1].event.replace("b3", "b4");
        let links = redact_person(table(), &wrong, (ADA, NOBODY), millis::timestamp(7)).unwrap().unwrap();
        let Event::Forgotten { sound, .. } = links[2].entry().unwrap().event else { panic!("{links:?}") };
        assert!(!sound);
    }
}
