//! Quotas at the registry: the checks before a table is opened or a seat is taken, for every kind of request. The bot's
//! own actions (the second game of a set, a thaw) are exempt.

use crate::model::{Actor, Occupant, Order, OrderError, TableError, UserId};
use crate::ports::{OpenTables, challenge_note};
use crate::quota::{ChallengeHistory, LimitedAction, QuotaError, Quotas};
use crate::{GuildId, Table, TableId};

use super::TableRegistry;
use super::quota_state::{Counts, OpenRequest, QuotaState};

/// The factor by which a rematch may exceed a limit: others may have taken the place of the finished game.
const REMATCH_FACTOR: u32 = 2;

/// Places reserved for a table that is being opened; dropping it frees them.
pub(super) struct Reservation<'a> {
    quota_state: &'a QuotaState,
    taken: Vec<OpenTables>,
    /// The counted challenge, until the table is opened.
    challenge: Option<OpenRequest>,
}

impl Reservation<'_> {
    /// Completes the reservation after the table is stored: the invited people count as challenged.
    pub(super) async fn opened(mut self, registry: &TableRegistry) {
        let Some(OpenRequest { host, invited, .. }) = self.challenge.take() else { return };
        self.quota_state.counts().ledger.challenged(host, &invited);
        let pairs = invited.into_iter().map(|who| (who, host)).collect();
        registry.store_pairs(pairs).await;
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut counts = self.quota_state.counts();
        if let Some(opening) = self.challenge.take() {
            let Counts { quotas, ledger, .. } = &mut *counts;
            ledger.give_back_challenge(quotas, opening.host, opening.called());
        }
        for which in &self.taken {
            if let Some(count) = counts.opening.get_mut(which) {
                *count -= 1;
            }
        }
        counts.opening.retain(|_, count| *count > 0);
    }
}

impl TableRegistry {
    /// Sets the limits; without this there are none.
    pub fn set_quotas(&self, quotas: Quotas) {
        self.quota_state.counts().quotas = quotas;
    }

    /// Returns the current limits.
    pub fn quotas(&self) -> Quotas {
        self.quota_state.counts().quotas
    }

    /// Counts a use of a limited action.
    ///
    /// # Errors
    /// [`QuotaError::Rate`] with the moment at which the next use is allowed; nothing is counted then.
    pub fn spend(&self, who: UserId, guild: Option<GuildId>, what: LimitedAction) -> Result<(), QuotaError> {
        let mut counts = self.quota_state.counts();
        let Counts { quotas, ledger, .. } = &mut *counts;
        ledger.spend(quotas, what, (who, guild), self.now())
    }

    /// Whether a person is banned from a server; `false` in direct messages.
    pub async fn is_banned(&self, guild: Option<GuildId>, who: UserId) -> bool {
        self.moderation().is_banned(guild, who).await
    }

    /// Checks whether a person may invite these people.
    ///
    /// # Errors
    /// [`QuotaError`] of the first of them who cannot be invited; or if the store fails.
    pub async fn check_blocks(&self, who: UserId, others: &[UserId]) -> Result<(), TableError> {
        for person in others.iter().copied().filter(|person| *person != who) {
            if self.moderation().blocks(who, person).await? {
                return Err(refused(QuotaError::OwnBlock { person }));
            }
            if self.moderation().blocks(person, who).await? {
                return Err(refused(QuotaError::Unavailable { person }));
            }
        }
        Ok(())
    }

    /// Checks whether a table may be opened. The reservation holds its place until the table is in the store.
    pub(super) async fn check_open(&self, opening: OpenRequest) -> Result<Reservation<'_>, TableError> {
        self.check_drain()?;
        if self.is_banned(opening.guild, opening.host).await {
            return Err(refused(QuotaError::Banned));
        }
        self.check_blocks(opening.host, &opening.invited).await?;
        let mut reservation = self.reserve(&opening).await?;
        let pairs: Vec<_> = opening.invited.iter().map(|who| (opening.host, *who)).collect();
        self.recall_pairs(&pairs).await?;
        self.count_challenge(&opening)?;
        let (host, guild) = (opening.host, opening.guild);
        reservation.challenge = Some(opening);
        self.spend(host, guild, LimitedAction::Table).map_err(refused)?;
        Ok(reservation)
    }

    fn count_challenge(&self, opening: &OpenRequest) -> Result<(), TableError> {
        let mut counts = self.quota_state.counts();
        let Counts { quotas, ledger, .. } = &mut *counts;
        ledger.challenge(quotas, opening.host, opening.called(), self.now()).map_err(refused)
    }

    /// Reserves a place among the unfinished tables of the host and of the server.
    async fn reserve(&self, opening: &OpenRequest) -> Result<Reservation<'_>, TableError> {
        let (quotas, factor) = (self.quotas(), if opening.again { REMATCH_FACTOR } else { 1 });
        let own = (OpenTables::HostedBy(opening.host), quotas.tables_per_person);
        let shared = opening.guild.map(|guild| (OpenTables::OnServer(guild), quotas.tables_per_server));
        let mut reservation =
            Reservation { quota_state: &self.quota_state, taken: Vec::new(), challenge: None };
        for (which, most) in [own].into_iter().chain(shared).filter(|(_, most)| *most > 0) {
            let places = most.saturating_mul(factor) as usize;
            // Reserved before the count, so that simultaneous requests see each other.
            let opening = {
                let mut counts = self.quota_state.counts();
                let opening = counts.opening.entry(which).or_default();
                *opening += 1;
                *opening as usize
            };
            reservation.taken.push(which);
            if self.journal().count_open(which, places).await? + opening > places {
                return Err(refused(match which {
                    OpenTables::OnServer(_) => QuotaError::ServerTables { most },
                    _ => QuotaError::Tables { most },
                }));
            }
        }
        Ok(reservation)
    }

    /// Checks whether a person may take a seat, if the order asks for one.
    pub(super) async fn check_join(&self, id: TableId, by: Actor, order: &Order) -> Result<(), TableError> {
        let who = match (by, order) {
            (Actor::Person(who), Order::Join | Order::Lead { .. }) => who,
            // Discord's side has checked that they belong to a team that plays already.
            (Actor::System, Order::AddMember { person, .. }) => *person,
            _ => return Ok(()),
        };
        let table = self.table(id).await?;
        if self.is_banned(table.terms().guild, who).await {
            return Err(refused(QuotaError::Banned));
        }
        self.check_blocks(who, &participants(&table)).await
    }

    /// Records the answer to a challenge: accepted, declined or expired.
    pub(crate) async fn note_answer(&self, before: &Table, by: Actor, order: &Order) {
        let (host, now) = (before.host(), self.now());
        let invited: Vec<UserId> = invited(before).collect();
        let (refused, accepted): (Vec<UserId>, Option<UserId>) = match (by, order) {
            (Actor::Person(who), Order::Join | Order::Lead { .. }) => (Vec::new(), Some(who)),
            (Actor::Person(who), Order::Decline | Order::Leave) if invited.contains(&who) => {
                (asked_with(before, who), None)
            }
            (_, Order::Expire) => (invited.iter().flat_map(|who| asked_with(before, *who)).collect(), None),
            _ => return,
        };
        let pairs: Vec<_> = refused.iter().copied().chain(accepted).map(|who| (host, who)).collect();
        // If that fails, the wait starts anew with this one.
        let _ = self.recall_pairs(&pairs).await;
        {
            let mut counts = self.quota_state.counts();
            let Counts { quotas, ledger, .. } = &mut *counts;
            refused.iter().for_each(|who| ledger.turned_down(quotas, host, *who, now));
            if let Some(who) = accepted {
                ledger.accepted(quotas, host, who, invited.contains(&who));
            }
        }
        self.store_pairs(pairs).await;
    }

    /// Loads the stored history of challenges between people.
    async fn recall_pairs(&self, pairs: &[(UserId, UserId)]) -> Result<(), TableError> {
        for pair in pairs.iter().copied() {
            if self.quota_state.counts().ledger.pair(pair.0, pair.1).is_some() {
                continue;
            }
            let note = self.journal().note(&challenge_note(pair.0, pair.1)).await?;
            if let Some(kept) = note.as_deref().and_then(ChallengeHistory::from_note) {
                self.quota_state.counts().ledger.recall(pair, kept, self.now());
            }
        }
        Ok(())
    }

    /// Stores the history of challenges between people, for after a restart.
    async fn store_pairs(&self, pairs: Vec<(UserId, UserId)>) {
        for pair in pairs {
            let (key, now) =
                (challenge_note(pair.0, pair.1), self.quota_state.counts().ledger.pair(pair.0, pair.1));
            let note = now.map(|pair| pair.to_note()).unwrap_or_default();
            let kept = match self.journal().note(&key).await.map(Option::unwrap_or_default) {
                Ok(kept) if kept == note => Ok(()),
                Ok(_) => self.journal().store_note(&key, &note).await,
                Err(error) => Err(error),
            };
            if let Err(error) = kept {
                tracing::warn!(%error, "the wait before a challenge is not kept for after a restart");
            }
        }
    }

    /// Drops a person's counts.
    pub(super) fn forget_counts(&self, who: UserId) {
        self.quota_state.counts().ledger.forget(who);
    }
}

fn refused(limited: QuotaError) -> TableError {
    TableError::Refused(OrderError::Limited(limited))
}

/// Returns an invited person, with everybody named in the team that they would lead.
fn asked_with(table: &Table, who: UserId) -> Vec<UserId> {
    let theirs = table.terms().teams.iter().filter(|team| team.captain == who);
    let named = theirs.flat_map(|team| team.members.named()).copied();
    let mut all: Vec<UserId> = named.filter(|one| *one != table.host()).chain([who]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the people who are invited to a table and have not answered.
fn invited(table: &Table) -> impl Iterator<Item = UserId> + '_ {
    table.chairs().iter().filter_map(|chair| match chair {
        Occupant::Invited { person } => Some(*person),
        _ => None,
    })
}

/// Returns everybody who is seated or invited at a table, the host first.
fn participants(table: &Table) -> Vec<UserId> {
    let seated = table.chairs().iter().filter_map(|chair| chair.person());
    let named = table.terms().teams.iter().flat_map(|team| team.members.named()).copied();
    [table.host()].into_iter().chain(seated).chain(invited(table)).chain(named).collect()
}
