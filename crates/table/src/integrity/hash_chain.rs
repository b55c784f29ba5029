//! The hash chain of a journal: each entry's seal is a hash that covers the entry before it, so that a changed, removed
//! or inserted byte is detected.
//!
//! A seal is SHA-256 over the fields of an entry and the previous seal. Each field is preceded by its length (eight
//! bytes, big-endian), so that different lists of fields never give the same bytes:
//!
//! | field | bytes |
//! |---|---|
//! | domain prefix | `rookery entry 1` |
//! | table | its name |
//! | sequence | eight, big-endian |
//! | moment | milliseconds since 1970, eight, big-endian |
//! | source | eight, big-endian; none if there is no source |
//! | event | the JSON exactly as it is stored |
//! | previous seal | its 64 hexadecimal digits; none for the first entry |
//!
//! Entries from before seals are hashed as if they had them, so the first sealed entry covers all earlier ones.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::SourceId;
use crate::TableId;
use crate::model::Event;
use crate::model::records::Entry;

/// The prefix of the hashed bytes: it separates seals from other digests.
const DOMAIN_PREFIX: &[u8] = b"rookery entry 1";

/// The number of digits shown where people compare two seals.
const SHORT_DIGITS: usize = 16;

/// An entry as the store holds it, not parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainEntry {
    /// The sequence number within the table.
    pub sequence: u64,
    /// When it was decided.
    pub at: Timestamp,
    /// The message or interaction that gave the order.
    pub source: Option<SourceId>,
    /// The event as JSON.
    pub event: String,
    /// The seal in hexadecimal digits; `None` for an entry from before seals.
    pub seal: Option<String>,
}

/// All entries of a table as the store holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashChain {
    /// The entries, by sequence number.
    pub links: Vec<ChainEntry>,
    /// The latest seal according to the table's card.
    pub head: Option<String>,
}

/// The summary of an intact chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSummary {
    /// The number of entries.
    pub entries: usize,
    /// The number of entries at the beginning that are from before seals.
    pub unsealed: usize,
    /// The latest seal; `None` if no entry has one.
    pub head: Option<String>,
}

/// The first place at which a chain was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// An entry or its seal is not the one that was written.
    #[error("entry {sequence} is not as it was written")]
    Altered {
        /// The first such entry.
        sequence: u64,
    },
    /// An entry is missing or duplicated.
    #[error("entry {sequence} should stand here")]
    Missing {
        /// The expected sequence number.
        sequence: u64,
    },
    /// An entry has no seal though an earlier one has.
    #[error("entry {sequence} has lost its seal")]
    Unsealed {
        /// The sequence number of that entry.
        sequence: u64,
    },
    /// The last entries are not those that the card names.
    #[error("the end is missing")]
    CutOff,
}

impl ChainEntry {
    /// Returns the seal of this entry after the given previous seal.
    pub fn seal_after(&self, table: TableId, before: Option<&str>) -> String {
        let source = self.source.map(|source| source.0.to_be_bytes());
        let fields: [&[u8]; 7] = [
            DOMAIN_PREFIX,
            table.as_str().as_bytes(),
            &self.sequence.to_be_bytes(),
            &self.at.as_millisecond().to_be_bytes(),
            source.as_ref().map_or(&[], <[u8; 8]>::as_slice),
            self.event.as_bytes(),
            before.unwrap_or_default().as_bytes(),
        ];
        let mut digest = Sha256::new();
        for field in fields {
            digest.update((field.len() as u64).to_be_bytes());
            digest.update(field);
        }
        format!("{:x}", digest.finalize())
    }

    /// Parses the entry.
    ///
    /// # Errors
    /// If the JSON is not an event of this version.
    pub fn entry(&self) -> Result<Entry, serde_json::Error> {
        let event: Event = serde_json::from_str(&self.event)?;
        Ok(Entry { sequence: self.sequence, at: self.at, source: self.source, event })
    }
}

/// Seals entries that follow on others, in order.
pub fn chain_entries(table: TableId, entries: &[Entry], mut before: Option<String>) -> Vec<ChainEntry> {
    let mut links = Vec::with_capacity(entries.len());
    for entry in entries {
        let event = serde_json::to_string(&entry.event).expect("events have string keys and no odd numbers");
        let (sequence, at, source) = (entry.sequence, entry.at, entry.source);
        let mut link = ChainEntry { sequence, at, source, event, seal: None };
        before = Some(link.seal_after(table, before.as_deref()));
        link.seal.clone_from(&before);
        links.push(link);
    }
    links
}

/// Returns the seal that the next entry follows: that of the last entry, computed if it has none.
pub fn last_seal(table: TableId, links: &[ChainEntry]) -> Option<String> {
    if let Some(ChainEntry { seal: Some(seal), .. }) = links.last() {
        return Some(seal.clone());
    }
    let counted = |before: Option<String>, link: &ChainEntry| Some(link.seal_after(table, before.as_deref()));
    links.iter().fold(None, counted)
}

/// Verifies a chain from its first entry to its last.
///
/// # Errors
/// The first place at which the chain was changed.
pub fn verify(table: TableId, chain: &HashChain) -> Result<ChainSummary, ChainError> {
    let (mut before, mut unsealed) = (None, 0);
    for (link, sequence) in chain.links.iter().zip(1..) {
        if link.sequence != sequence {
            return Err(ChainError::Missing { sequence });
        }
        let right = link.seal_after(table, before.as_deref());
        match &link.seal {
            Some(seal) if *seal != right => return Err(ChainError::Altered { sequence }),
            None if unsealed + 1 < sequence => return Err(ChainError::Unsealed { sequence }),
            Some(_) => {}
            None => unsealed = sequence,
        }
        before = Some(right);
    }
    let head = chain.links.last().and_then(|link| link.seal.clone());
    if head != chain.head {
        return Err(ChainError::CutOff);
    }
    Ok(ChainSummary { entries: chain.links.len(), unsealed: unsealed as usize, head })
}

/// Returns the first digits of a digest, enough to compare by eye.
pub fn short_digest(digest: &str) -> &str {
    digest.get(..SHORT_DIGITS).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;
    use crate::{Occupant, UserId};
    use jiff::SignedDuration;
    use rookery_core::Seat;

    fn table() -> TableId {
        "K7Q2".parse().unwrap()
    }

    fn entries() -> Vec<Entry> {
        let occupant = Occupant::Human { person: UserId(7) };
        let events = [
            Event::Seated { seat: Seat::SECOND, occupant },
            Event::Started { line: "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1".into() },
            Event::Moved { seat: Seat::FIRST, text: "a2-a3/b3".into(), why: None },
        ];
        let numbered = (1..).zip(events);
        let source = |n: u64| (n != 2).then_some(n << 60);
        numbered
            .map(|(n, event)| Entry {
                sequence: n,
                at: millis::timestamp(n as i64),
                source: source(n).map(SourceId),
                event,
            })
            .collect()
    }

    fn chain() -> HashChain {
        let links = chain_entries(table(), &entries(), None);
        let head = links.last().unwrap().seal.clone();
        HashChain { links, head }
    }

    /// Returns every text that differs from this one in one byte and is still valid UTF-8.
    fn with_one_byte_changed(text: &str) -> impl Iterator<Item = String> {
        assert!(text.is_ascii());
        let all = (0..text.len()).flat_map(|at| (0..128u8).map(move |byte| (at, byte)));
        all.filter(|(at, byte)| text.as_bytes()[*at] != *byte).map(|(at, byte)| {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            String::from_utf8(bytes).unwrap()
        })
    }

    #[test]
    fn what_is_sealed_is_sound() {
        let chain = chain();
        let sound = ChainSummary { entries: 3, unsealed: 0, head: chain.head.clone() };
        assert_eq!(verify(table(), &chain), Ok(sound));
        let read: Result<Vec<_>, _> = chain.links.iter().map(ChainEntry::entry).collect();
        assert_eq!(read.unwrap(), entries());
        assert_eq!(
            verify(table(), &HashChain::default()),
            Ok(ChainSummary { entries: 0, unsealed: 0, head: None })
        );
    }

    /// The fields of the first entry written out by hand, hashed with another program (`sha256sum`).
    #[test]
    fn a_seal_is_the_digest_that_the_page_describes() {
        let link = ChainEntry {
            sequence: 1,
            at: millis::timestamp(2),
            source: None,
            event: "{}".into(),
            seal: None,
        };
        let seal = "f45ab7184f3868be";
        assert_eq!(short_digest(&link.seal_after(table(), None)), seal);
    }

    #[test]
    fn every_changed_byte_is_caught() {
        let mut tried = 0;
        let mut is_caught = |at: usize, change: &dyn Fn(&mut ChainEntry)| {
            let mut changed = chain();
            change(&mut changed.links[at]);
            assert!(verify(table(), &changed).is_err(), "{:?}", changed.links[at]);
            tried += 1;
        };
        for (at, link) in chain().links.iter().enumerate() {
            for event in with_one_byte_changed(&link.event) {
                is_caught(at, &|link| link.event.clone_from(&event));
            }
            for seal in with_one_byte_changed(link.seal.as_ref().unwrap()) {
                is_caught(at, &|link| link.seal = Some(seal.clone()));
            }
            for bit in 0..64 {
                is_caught(at, &|link| link.sequence ^= 1 << bit);
                is_caught(at, &|link| link.at = millis::timestamp(link.at.as_millisecond() ^ (1 << bit)));
                is_caught(at, &|link| {
                    link.source = Some(SourceId(link.source.map_or(1, |source| source.0) ^ (1 << bit)))
                });
            }
            if at > 0 {
                is_caught(at, &|link| link.seal = None);
            }
            is_caught(at, &|link| link.event.push(' '));
        }
        for head in with_one_byte_changed(&chain().head.unwrap()) {
            assert_eq!(verify(table(), &HashChain { head: Some(head), ..chain() }), Err(ChainError::CutOff));
        }
        assert!(tried > 10_000, "only {tried} changes were tried");
    }

    #[test]
    fn entries_cannot_be_taken_out_put_in_or_carried_to_another_table() {
        let sound = chain();
        let fails = |change: &dyn Fn(&mut HashChain)| {
            let mut changed = sound.clone();
            change(&mut changed);
            assert!(verify(table(), &changed).is_err(), "{changed:?}");
        };
        fails(&|chain| drop(chain.links.pop()));
        fails(&|chain| drop(chain.links.remove(0)));
        fails(&|chain| chain.links.swap(0, 1));
        fails(&|chain| chain.links.clear());
        fails(&|chain| chain.links.insert(1, chain.links[1].clone()));
        fails(&|chain| {
            chain.links.pop();
            chain.head.clone_from(&chain.links[0].seal);
        });
        assert!(verify("K7Q3".parse().unwrap(), &sound).is_err());
    }

    #[test]
    fn entries_from_before_are_vouched_for_by_the_first_seal() {
        let mut links = chain().links;
        links.truncate(2);
        links.iter_mut().for_each(|link| link.seal = None);
        let old = HashChain { links: links.clone(), head: None };
        assert_eq!(verify(table(), &old), Ok(ChainSummary { entries: 2, unsealed: 2, head: None }));

        links.extend(chain_entries(table(), &entries()[2..], last_seal(table(), &links)));
        let head = links[2].seal.clone();
        let grown = HashChain { links, head: head.clone() };
        assert_eq!(verify(table(), &grown), Ok(ChainSummary { entries: 3, unsealed: 2, head }));
        let mut changed = grown.clone();
        changed.links[0].at += SignedDuration::from_millis(1);
        assert_eq!(verify(table(), &changed), Err(ChainError::Altered { sequence: 3 }));
    }
}
