//! An audit: was a table's record changed, does it tell of a legal game, and was chance kept to?
//!
//! # Where somebody had their name deleted
//!
//! Entries call people by [stand-ins](super::stand_in), so that a name is taken out without touching an entry:
//! the seals then vouch for every byte as before, from the first entry on.
//!
//! Entries from before there were stand-ins name people themselves and had to be rewritten and sealed anew
//! ([`super::redact`]). What an audit can say of them:
//! - from the moment of the deletion on, nothing was changed: the new seals show that;
//! - at that moment the program looked whether all was as it had been written, and noted what it found and the
//!   seal that closed the record: whoever had noted that seal before (`/verify` and every record show it) can
//!   see that it is the same;
//! - it is a legal game with the start that was drawn, which is seen afresh;
//! - it cannot show that nothing but the name was changed in that moment: the names that the old seals go over
//!   are gone. That rests on whoever runs the program, and is said so.

use super::ports::Entry;
use super::seal::{self, Broken, Chain, Sound};
use super::words::{Event, Status, Terms};
use super::{Table, TableId, pledge};

/// What an audit finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Whether the record is as it was written.
    pub record: Result<Sound, Broken>,
    /// How many turns the game has that the record tells; the number of the entry that makes no sense otherwise.
    pub game: Result<usize, u64>,
    /// What became of chance.
    pub chance: Chance,
    /// How teams have voted; the number of the entry that closes a vote otherwise than votes and chance do.
    pub votes: Result<Votes, u64>,
    /// Names that were taken out of entries, in order.
    pub forgotten: Vec<Forgotten>,
}

/// How a table's teams have voted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Votes {
    /// Turns that were voted on.
    pub held: usize,
    /// How many of them were drawn, among several moves with as many votes.
    pub drawn: usize,
}

/// A name was taken out of the entries before, which were sealed anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// The entry that says so.
    pub sequence: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
    /// The seal that closed the record until then; `None` if it had none.
    pub seal: Option<String>,
    /// Whether all was as it had been written until then.
    pub sound: bool,
    /// How many entries, from the first, had no seal, so that the next ones vouched for them.
    pub unsealed: usize,
}

/// What became of a table's chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Nothing was promised: the table is from before that was done.
    Unpledged,
    /// The seed was known from the start.
    Chosen {
        /// The seed.
        seed: u64,
        /// What lots are drawn from in its place; `None` at tables from before there were any.
        lots: Option<Lots>,
    },
    /// The seed is sealed until the game is over.
    Sealed {
        /// The digest that was shown from the start.
        digest: String,
    },
    /// The game is over: everybody can count again.
    Kept {
        /// The digest that was shown from the start.
        digest: String,
        /// The seed.
        seed: u64,
        /// The salt.
        salt: String,
    },
    /// It was not kept to.
    Broken(Breach),
}

/// What lots are drawn from where the seed is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lots {
    /// The digest that was shown from the start.
    pub digest: String,
    /// The number and the salt, once the game is over.
    pub shown: Option<(u64, String)>,
}

/// How chance was not kept to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// The digest is not that of the seed.
    Digest,
    /// The first position is not what the seed gives.
    Layout,
    /// Chance was to decide who sits where, and it decided otherwise.
    Seats,
}

impl Audit {
    /// Whether all is as it should be.
    pub fn is_clean(&self) -> bool {
        self.record.is_ok()
            && self.game.is_ok()
            && self.votes.is_ok()
            && !matches!(self.chance, Chance::Broken(_))
            && self.forgotten.iter().all(|it| it.sound)
    }
}

/// Looks through all that is kept of a table; `None` if there is no such table.
pub fn audit(id: TableId, chain: &Chain) -> Option<Audit> {
    if chain.links.is_empty() && chain.head.is_none() {
        return None;
    }
    let record = seal::check(id, chain);
    let read = chain.links.iter().map_while(|link| link.entry().ok());
    let entries: Vec<Entry> = read.collect();
    let unread = chain.links.get(entries.len()).map(|link| link.sequence);
    let record = record.and_then(|sound| never_unsealed(sound, &entries));
    let (game, chance) = match (Table::replay(id, &entries), unread) {
        (Ok(Some(table)), None) => (Ok(table.ply()), chance(&table, &entries)),
        (Ok(_), unread) => (Err(unread.unwrap_or(1)), Chance::Unpledged),
        (Err(broken), _) => (Err(broken.sequence), Chance::Unpledged),
    };
    let votes = if game.is_ok() { votes(id, &entries) } else { Ok(Votes::default()) };
    let forgotten = entries.iter().filter_map(forgotten).collect();
    Some(Audit { record, game, chance, votes, forgotten })
}

/// Counts every vote again, in a table whose entries make sense.
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

/// Whether votes and the draw give what was elected, of so many with as many votes, and it was played.
fn counted(table: &Table, (elected, tied): (u16, u8), next: Option<&Event>) -> bool {
    let Some(ballot) = table.ballot() else { return false };
    let played = ballot.proposals.get(usize::from(elected)).is_some_and(
        |proposal| matches!(next, Some(Event::Moved { text, why: None, .. }) if *text == proposal.text),
    );
    played
        && ballot.winner(table.terms().lots()) == Some(elected.into())
        && ballot.leaders().len() == usize::from(tied)
}

fn forgotten(entry: &Entry) -> Option<Forgotten> {
    let Event::Forgotten { seal, sound, unsealed } = &entry.event else { return None };
    let (sequence, at_ms, seal) = (entry.sequence, entry.at_ms, seal.clone());
    Some(Forgotten { sequence, at_ms, seal, sound: *sound, unsealed: *unsealed })
}

/// A table whose chance was settled when it was opened is not from before there were seals.
fn never_unsealed(sound: Sound, entries: &[Entry]) -> Result<Sound, Broken> {
    let pledged = entries.first().is_some_and(|first| match &first.event {
        Event::Opened { terms, .. } => terms.pledge.is_some(),
        _ => false,
    });
    if pledged && sound.unsealed > 0 { Err(Broken::Unsealed { sequence: 1 }) } else { Ok(sound) }
}

/// What became of chance, in a table whose entries make sense.
fn chance(table: &Table, entries: &[Entry]) -> Chance {
    let terms = table.terms();
    let Some(pledge) = &terms.pledge else { return Chance::Unpledged };
    if let Some(breach) = breach(terms, entries) {
        return Chance::Broken(breach);
    }
    let (seed, digest, salt) = (terms.seed, pledge.digest.clone(), pledge.salt.clone());
    match table.status() {
        status if pledge.chosen => {
            let shown = |lots| matches!(status, Status::Over(_)).then_some((lots, salt));
            Chance::Chosen { seed, lots: pledge.lots.map(|lots| Lots { digest, shown: shown(lots) }) }
        }
        Status::Over(_) => Chance::Kept { digest, seed, salt },
        _ => Chance::Sealed { digest },
    }
}

fn breach(terms: &Terms, entries: &[Entry]) -> Option<Breach> {
    let pledge = terms.pledge.as_ref()?;
    if !pledge.fits(terms.seed) {
        return Some(Breach::Digest);
    }
    let Event::Opened { host, chairs, .. } = &entries.first()?.event else { return None };
    let sits = chairs.get(pledge::host_chair(terms.seed, chairs.len()));
    if pledge.seats && sits.and_then(|chair| chair.person()) != Some(*host) {
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
    use super::super::host::number;
    use super::super::words::{By, Cause, Ending, Occupant, Order, Person};
    use super::super::{pledge::Pledge, redact, state};
    use super::*;
    use rookery_core::seed;

    const ADA: Person = Person(1);
    const BEN: Person = Person(2);

    fn id() -> TableId {
        "K7Q2".parse().unwrap()
    }

    fn terms(wish: Pledge) -> Terms {
        let pledge = Some(Box::new(Pledge::seal(Some(&wish), 5, &mut seed::SeededRng::new(1))));
        let (game, options) = ("penguins".to_owned(), Default::default());
        let (guild, channel) = (None, 2);
        Terms {
            game,
            options,
            seed: 5,
            guild,
            channel,
            thread: false,
            rated: false,
            pledge,
            ..Terms::default()
        }
    }

    fn chairs() -> Vec<Occupant> {
        let mut chairs = [ADA, BEN].map(|person| Occupant::Human { person });
        chairs.rotate_right(pledge::host_chair(5, 2));
        chairs.to_vec()
    }

    /// A game of a few moves, then given up if `over`.
    fn events(terms: Terms, over: bool) -> Vec<Event> {
        let mut events = state::open(id(), terms, ADA, chairs()).unwrap();
        for _ in 0..6 {
            let table = Table::replay(id(), &number(events.clone(), 0, 1, None)).unwrap().unwrap();
            let who = table.to_move().and_then(|seat| table.occupant(seat)?.person()).unwrap();
            let text = table.play().unwrap().moves().remove(0);
            let order = Order::Move { text, ply: None };
            events.extend(state::decide(&table, By::Person(who), &order, None, 1).unwrap());
        }
        let ending = Ending { winners: vec![0], cause: Cause::Resigned };
        events.extend(over.then_some(Event::Ended { ending }));
        events
    }

    fn audited(events: Vec<Event>) -> Audit {
        let links = seal::seal(id(), &number(events, 0, 1, Some(9)), None);
        let head = links.last().and_then(|link| link.seal.clone());
        audit(id(), &Chain { links, head }).unwrap()
    }

    #[test]
    fn a_game_that_was_played_fairly_is_clean() {
        let wish = || Pledge::wish(false, true);
        let running = audited(events(terms(wish()), false));
        assert!(running.is_clean() && running.game == Ok(6));
        assert!(matches!(&running.chance, Chance::Sealed { digest } if digest.len() == 64));
        let over = audited(events(terms(wish()), true));
        let Chance::Kept { digest, seed: 5, salt } = over.chance else { panic!("{:?}", over.chance) };
        assert_eq!(pledge::digest(5, &salt), digest);
        let chosen = audited(events(terms(Pledge::wish(true, false)), false));
        assert!(
            matches!(&chosen.chance, Chance::Chosen { seed: 5, lots: Some(lots) } if lots.shown.is_none()),
            "{:?}",
            chosen.chance
        );
        let over = audited(events(terms(Pledge::wish(true, false)), true));
        let Chance::Chosen { lots: Some(Lots { digest, shown: Some((lots, salt)) }), .. } = over.chance
        else {
            panic!("{:?}", over.chance)
        };
        assert_eq!(pledge::digest(lots, &salt), digest);
        let open = Box::new(Pledge { chosen: true, ..Pledge::default() });
        let old = audited(events(Terms { pledge: Some(open), ..terms(wish()) }, false));
        assert_eq!(old.chance, Chance::Chosen { seed: 5, lots: None });
        let old = audited(events(Terms { pledge: None, ..terms(wish()) }, true));
        assert!(old.is_clean() && old.chance == Chance::Unpledged);
        assert_eq!(audit(id(), &Chain::default()), None);
    }

    /// A record from before stand-ins, out of which a name was taken, with this done to it before.
    fn audited_without_ada(before: impl Fn(&mut Chain)) -> Audit {
        let links =
            seal::seal(id(), &number(events(terms(Pledge::wish(false, true)), true), 0, 1, None), None);
        let head = links.last().and_then(|link| link.seal.clone());
        let mut chain = Chain { links, head };
        before(&mut chain);
        let links = redact::without(id(), &chain, (ADA, Person::stand_in(9)), 5).unwrap().unwrap();
        let head = links.last().and_then(|link| link.seal.clone());
        audit(id(), &Chain { links, head }).unwrap()
    }

    #[test]
    fn a_record_without_a_name_says_so_and_is_no_cleaner_than_before() {
        let sound = audited_without_ada(|_| {});
        assert!(sound.is_clean() && sound.game == Ok(6), "{sound:?}");
        assert!(matches!(&sound.forgotten[..], [it] if it.sound && it.seal.is_some() && it.unsealed == 0));
        assert!(matches!(sound.chance, Chance::Kept { .. }), "who sat where is still what was drawn");
        let wrong = audited_without_ada(|chain| chain.links[1].at_ms += 1);
        assert!(wrong.record.is_ok() && !wrong.is_clean(), "{wrong:?}");
        let cut = audited_without_ada(|chain| drop(chain.links.pop()));
        assert!(!cut.is_clean(), "{cut:?}");
    }

    #[test]
    fn chance_that_was_not_kept_to_shows() {
        let breach = |change: &dyn Fn(&mut Vec<Event>)| {
            let mut events = events(terms(Pledge::wish(false, true)), true);
            change(&mut events);
            audited(events).chance
        };
        let on_opening = |change: &dyn Fn(&mut Terms, &mut Vec<Occupant>)| {
            breach(&|events| {
                if let Event::Opened { terms, chairs, .. } = &mut events[0] {
                    change(terms, chairs);
                }
                events.truncate(1);
            })
        };
        assert_eq!(on_opening(&|terms, _| terms.seed = 6), Chance::Broken(Breach::Digest));
        let other_lots = |terms: &mut Terms, _: &mut Vec<Occupant>| {
            let mut pledge = Pledge::seal(Some(&Pledge::wish(true, false)), 5, &mut seed::SeededRng::new(2));
            pledge.lots = Some(1);
            terms.pledge = Some(Box::new(pledge));
        };
        assert_eq!(on_opening(&other_lots), Chance::Broken(Breach::Digest));
        assert_eq!(on_opening(&|_, chairs| chairs.reverse()), Chance::Broken(Breach::Seats));
        let other = breach(&|events| {
            let terms = Terms { seed: 6, ..terms(Pledge::default()) };
            events.truncate(1);
            events.extend(state::open(id(), terms, ADA, chairs()).unwrap().into_iter().skip(1));
        });
        assert_eq!(other, Chance::Broken(Breach::Layout));
    }

    #[test]
    fn seals_cannot_be_taken_off_from_the_first_entry_on() {
        let mut links = seal::seal(id(), &number(events(terms(Pledge::default()), false), 0, 1, None), None);
        let head = links.last().and_then(|link| link.seal.clone());
        for taken in 0..links.len() {
            links[taken].seal = None;
            let head = head.clone().filter(|_| taken + 1 < links.len());
            let found = audit(id(), &Chain { links: links.clone(), head }).unwrap();
            assert_eq!(found.record, Err(Broken::Unsealed { sequence: 1 }));
        }
    }

    #[test]
    fn a_record_that_tells_of_no_game_is_named_by_its_entry() {
        let mut events = events(terms(Pledge::default()), false);
        events[3] = Event::Moved { seat: 0, text: "z9".into(), why: None };
        assert_eq!(audited(events).game, Err(4));
    }
}
