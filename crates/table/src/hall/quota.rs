//! Fair shares at the hall: what opening a table and sitting down at one must pass, whichever way the request
//! came. The bot's own actions (the second game of a set, a thaw) pass by none of this.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ports::OpenTables;
use crate::quota::{Ledger, Limited, Quotas, Use};
use crate::words::{By, Denied, Occupant, Order, Person, Refused, Terms};
use crate::{Table, TableId};

use super::Hall;

/// How much more a rematch may have: a game that has just ended made room, which others may have filled.
const AGAIN_FACTOR: u32 = 2;

/// What is counted in memory.
#[derive(Default)]
pub(super) struct Shares(Mutex<Counted>);

struct Counted {
    quotas: Quotas,
    ledger: Ledger,
    /// Tables that are being opened now: the store does not count them yet.
    opening: HashMap<OpenTables, u32>,
}

impl Default for Counted {
    fn default() -> Counted {
        Counted { quotas: Quotas::NONE, ledger: Ledger::default(), opening: HashMap::new() }
    }
}

impl Shares {
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A table that somebody wants to open.
pub(super) struct Opening {
    host: Person,
    guild: Option<u64>,
    /// Everybody who is asked to play, each once.
    invited: Vec<Person>,
    /// Whether it is a rematch.
    again: bool,
}

impl Opening {
    pub(super) fn new(terms: &Terms, host: Person, chairs: &[Occupant]) -> Opening {
        let asked = chairs.iter().filter_map(|chair| match chair {
            Occupant::Invited { person } => Some(*person),
            _ => None,
        });
        let teams = terms.teams.iter().flat_map(|team| team.crowd.named());
        let rivals = terms.rivals.iter().flat_map(|rival| rival.crowd.named());
        let invited: BTreeSet<Person> = asked.chain(teams.chain(rivals).copied()).collect();
        let invited = invited.into_iter().filter(|who| *who != host && !who.is_stand_in()).collect();
        Opening { host, guild: terms.guild, invited, again: false }
    }

    pub(super) fn again(terms: &Terms, host: Person, chairs: &[Occupant]) -> Opening {
        Opening { again: true, ..Opening::new(terms, host, chairs) }
    }
}

/// Places taken for a table that is being opened; given back when it is dropped.
pub(super) struct Share<'a> {
    shares: &'a Shares,
    taken: Vec<OpenTables>,
    /// A challenge that was counted, until the table is opened.
    challenge: Option<(Person, Vec<Person>)>,
}

impl Share<'_> {
    /// The table is in the store: those who are asked to it were challenged.
    pub(super) fn opened(mut self) {
        if let Some((host, invited)) = self.challenge.take() {
            self.shares.counted().ledger.challenged(host, &invited);
        }
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        let mut counted = self.shares.counted();
        if let Some((host, invited)) = self.challenge.take() {
            let Counted { quotas, ledger, .. } = &mut *counted;
            ledger.give_back_challenge(quotas, host, &invited);
        }
        for which in &self.taken {
            if let Some(count) = counted.opening.get_mut(which) {
                *count -= 1;
            }
        }
        counted.opening.retain(|_, count| *count > 0);
    }
}

impl Hall {
    /// Chooses the limits; without this there are none.
    pub fn set_quotas(&self, quotas: Quotas) {
        self.shares.counted().quotas = quotas;
    }

    /// The limits.
    pub fn quotas(&self) -> Quotas {
        self.shares.counted().quotas
    }

    /// Counts a use of something that costs work.
    ///
    /// # Errors
    /// [`Limited::Rate`] with the moment at which the next one is free; nothing is counted then.
    pub fn spend(&self, who: Person, guild: Option<u64>, what: Use) -> Result<(), Limited> {
        let mut counted = self.shares.counted();
        let Counted { quotas, ledger, .. } = &mut *counted;
        ledger.spend(quotas, what, (who, guild), self.now_ms())
    }

    /// Whether somebody is banned from a server; nobody is in direct messages.
    pub async fn is_banned(&self, guild: Option<u64>, who: Person) -> bool {
        self.moderation().is_banned(guild, who).await
    }

    /// Whether somebody may ask these people to play.
    ///
    /// # Errors
    /// [`Limited`], of the first of them who cannot be asked; or if the store fails.
    pub async fn may_ask(&self, who: Person, others: &[Person]) -> Result<(), Denied> {
        for person in others.iter().copied().filter(|person| *person != who) {
            if self.moderation().blocks(who, person).await? {
                return Err(refused(Limited::OwnBlock { person }));
            }
            if self.moderation().blocks(person, who).await? {
                return Err(refused(Limited::Unavailable { person }));
            }
        }
        Ok(())
    }

    /// Whether a table may be opened. What is returned holds its place until the table is in the store.
    pub(super) async fn may_open(&self, opening: &Opening) -> Result<Share<'_>, Denied> {
        if self.is_banned(opening.guild, opening.host).await {
            return Err(refused(Limited::Banned));
        }
        self.may_ask(opening.host, &opening.invited).await?;
        let mut share = self.room(opening).await?;
        self.count_challenge(opening)?;
        share.challenge = Some((opening.host, opening.invited.clone()));
        Ok(share)
    }

    fn count_challenge(&self, opening: &Opening) -> Result<(), Denied> {
        let mut counted = self.shares.counted();
        let Counted { quotas, ledger, .. } = &mut *counted;
        ledger.challenge(quotas, opening.host, &opening.invited, self.now_ms()).map_err(refused)
    }

    /// Takes a place among the unfinished tables of the host, and of the server.
    async fn room(&self, opening: &Opening) -> Result<Share<'_>, Denied> {
        let (quotas, factor) = (self.quotas(), if opening.again { AGAIN_FACTOR } else { 1 });
        let own = (OpenTables::HostedBy(opening.host), quotas.tables_per_person);
        let shared = opening.guild.map(|guild| (OpenTables::OnServer(guild), quotas.tables_per_server));
        let mut share = Share { shares: &self.shares, taken: Vec::new(), challenge: None };
        for (which, most) in [own].into_iter().chain(shared).filter(|(_, most)| *most > 0) {
            let places = most.saturating_mul(factor) as usize;
            // Counted first, so that of several at the same moment none passes by the others.
            let opening = {
                let mut counted = self.shares.counted();
                let opening = counted.opening.entry(which).or_default();
                *opening += 1;
                *opening as usize
            };
            share.taken.push(which);
            if self.journal().count_open(which, places).await? + opening > places {
                return Err(refused(match which {
                    OpenTables::OnServer(_) => Limited::ServerTables { most },
                    _ => Limited::Tables { most },
                }));
            }
        }
        Ok(share)
    }

    /// Whether somebody may sit down at a table, if that is what they want.
    pub(super) async fn may_sit_down(&self, id: TableId, by: By, order: &Order) -> Result<(), Denied> {
        let (By::Person(who), Order::Join | Order::Lead { .. }) = (by, order) else { return Ok(()) };
        let table = self.see(id).await?;
        if self.is_banned(table.terms().guild, who).await {
            return Err(refused(Limited::Banned));
        }
        self.may_ask(who, &there(&table)).await
    }

    /// Keeps in mind what became of a challenge: it was accepted, turned down, or nobody answered.
    pub(crate) fn answered(&self, before: &Table, by: By, order: &Order) {
        let (host, now_ms) = (before.host(), self.now_ms());
        let invited: Vec<Person> = invited(before).collect();
        let mut counted = self.shares.counted();
        let Counted { quotas, ledger, .. } = &mut *counted;
        match (by, order) {
            (By::Person(who), Order::Join | Order::Lead { .. }) => {
                ledger.accepted(quotas, host, who, invited.contains(&who));
            }
            (By::Person(who), Order::Decline | Order::Leave) if invited.contains(&who) => {
                ledger.turned_down(quotas, host, who, now_ms);
            }
            (_, Order::Expire) => {
                invited.iter().for_each(|who| ledger.turned_down(quotas, host, *who, now_ms))
            }
            _ => {}
        }
    }

    /// Forgets what was counted of somebody.
    pub(super) fn forget_shares(&self, who: Person) {
        self.shares.counted().ledger.forget(who);
    }
}

fn refused(limited: Limited) -> Denied {
    Denied::Refused(Refused::Limited(limited))
}

/// Those who are asked to a table and have not answered.
fn invited(table: &Table) -> impl Iterator<Item = Person> + '_ {
    table.chairs().iter().filter_map(|chair| match chair {
        Occupant::Invited { person } => Some(*person),
        _ => None,
    })
}

/// Everybody who is at a table already, or whom it waits for: the host first.
fn there(table: &Table) -> Vec<Person> {
    let seated = table.chairs().iter().filter_map(|chair| chair.person());
    let named = table.terms().teams.iter().flat_map(|team| team.crowd.named()).copied();
    [table.host()].into_iter().chain(seated).chain(invited(table)).chain(named).collect()
}
