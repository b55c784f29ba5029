//! The counts of quotas, and the request for a new table.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::{Occupant, Terms, UserId};
use crate::ports::OpenTables;
use crate::quota::{Invitees, QuotaLedger, Quotas};
use crate::{GuildId, RoleId};

/// The counts in memory.
#[derive(Default)]
pub(super) struct QuotaState(Mutex<Counts>);

pub(super) struct Counts {
    pub(super) quotas: Quotas,
    pub(super) ledger: QuotaLedger,
    /// Tables that are being opened: the store does not count them yet.
    pub(super) opening: HashMap<OpenTables, u32>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { quotas: Quotas::NONE, ledger: QuotaLedger::default(), opening: HashMap::new() }
    }
}

impl QuotaState {
    pub(super) fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A table that a person wants to open.
pub(super) struct OpenRequest {
    pub(super) host: UserId,
    pub(super) guild: Option<GuildId>,
    /// Everybody who is invited, each once.
    pub(super) invited: Vec<UserId>,
    /// The roles that are invited, each once.
    pub(super) roles: Vec<RoleId>,
    pub(super) again: bool,
}

impl OpenRequest {
    pub(super) fn new(terms: &Terms, host: UserId, chairs: &[Occupant]) -> OpenRequest {
        let asked = chairs.iter().filter_map(|chair| match chair {
            Occupant::Invited { person } => Some(*person),
            _ => None,
        });
        let teams = terms.teams.iter().flat_map(|team| team.members.named());
        let reserved_seats =
            terms.reserved_seats.iter().flat_map(|reserved_seat| reserved_seat.members.named());
        let invited: BTreeSet<UserId> = asked.chain(teams.chain(reserved_seats).copied()).collect();
        let invited = invited.into_iter().filter(|who| *who != host && !who.is_pseudonym()).collect();
        OpenRequest { host, guild: terms.guild, invited, roles: terms.team_roles(), again: false }
    }

    pub(super) fn called(&self) -> Invitees<'_> {
        Invitees { people: &self.invited, roles: &self.roles }
    }

    pub(super) fn again(terms: &Terms, host: UserId, chairs: &[Occupant]) -> OpenRequest {
        OpenRequest { again: true, ..OpenRequest::new(terms, host, chairs) }
    }
}
