//! What the hall asks outside, of whoever knows. Before a team of a role has its vote counted at the deadline: who
//! of the voters still has the role, since Discord tells nothing of roles that are lost, and not everybody acts
//! again. Before tables are listed for everybody: whether everybody reads their channels.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};

use super::super::ports::{Card, Census};
use super::super::words::{By, Home, Order, Person};
use super::super::{Table, TableId};
use super::Hall;

/// For how long it is waited for answers, whatever there is to ask.
const PATIENCE: Duration = Duration::from_secs(5);
/// Voters who are asked about at a time: beside them all else that is said on Discord has to get through.
const ASKED_MOST: usize = 50;
/// Questions under way at the same moment.
const AT_ONCE: usize = 5;

/// Somebody whose vote is about to be counted.
struct Voter {
    table: TableId,
    guild: u64,
    role: u64,
    captain: Person,
    person: Person,
}

impl Hall {
    /// Chooses who is asked about roles and channels; where nobody is, votes are counted as they stand, and no
    /// channel is taken to be open to everybody.
    pub fn ask_outside(&self, census: Arc<dyn Census>) {
        if self.census.set(census).is_err() {
            tracing::error!("it was chosen before who is asked about roles and channels");
        }
    }

    /// Those of some tables that are in channels which everybody on their server reads. What is not known in time
    /// is none of them.
    pub async fn open_to_all(&self, cards: Vec<Card>) -> Vec<Card> {
        let Some(census) = self.census.get() else { return Vec::new() };
        let until = tokio::time::Instant::now() + PATIENCE;
        let mut known: HashMap<u64, bool> = HashMap::new();
        let mut open = Vec::new();
        for card in cards {
            let Some(channel) = self.channel_of(&card).await else { continue };
            let is_open = match known.get(&channel) {
                Some(is_open) => *is_open,
                None => tokio::time::timeout_at(until, census.is_open(channel)).await.unwrap_or(false),
            };
            known.insert(channel, is_open);
            if is_open {
                open.push(card);
            }
        }
        open
    }

    /// The channel that whoever reads a table's boards reads: a thread hangs under the one where it was opened.
    async fn channel_of(&self, card: &Card) -> Option<u64> {
        match card.home {
            Some(Home { channel, thread: false }) => Some(channel),
            _ if card.opened_in.is_some() => card.opened_in,
            _ => Some(self.see(card.id).await.ok()?.terms().channel),
        }
    }

    /// Takes those out of teams who have lost its role and whose vote is about to be counted at one of these
    /// tables. Of whom nothing is known in time, their vote counts.
    pub(super) async fn muster(&self, due: &[TableId]) {
        let Some(census) = self.census.get() else { return };
        let mut voters = Vec::new();
        for id in due {
            if let Ok(table) = self.see(*id).await {
                voters.extend(voters_at(&table, self.now_ms()));
            }
        }
        voters.truncate(ASKED_MOST);
        let asked = stream::iter(voters).for_each_concurrent(AT_ONCE, |voter| async move {
            if census.has_lost(voter.guild, voter.role, voter.person).await {
                self.dismiss(&voter).await;
            }
        });
        if tokio::time::timeout(PATIENCE, asked).await.is_err() {
            tracing::warn!("not everybody's role could be asked for in time; their votes count");
        }
    }

    async fn dismiss(&self, voter: &Voter) {
        let order = Order::Dismiss { person: voter.person, captain: voter.captain };
        if let Err(denied) = self.order(voter.table, By::House, order, None).await {
            tracing::info!(table = %voter.table, %denied, "who has lost a role stays in its team");
        }
    }
}

/// Whose votes are about to be counted in a team of a role, those for what has most votes first; its captain
/// speaks for it, whatever their roles.
fn voters_at(table: &Table, now_ms: i64) -> Vec<Voter> {
    let due = table.vote_due_ms().is_some_and(|due_ms| due_ms <= now_ms);
    let team = table.team_to_move().filter(|_| due);
    let role = team.and_then(|team| Some((team.captain, team.crowd.role()?)));
    let (Some((captain, role)), Some(guild), Some(ballot)) = (role, table.terms().guild, table.ballot())
    else {
        return Vec::new();
    };
    let mut proposals: Vec<_> = ballot.live().map(|(_, proposal)| proposal).collect();
    proposals.sort_by_key(|proposal| Reverse(proposal.voters.len()));
    let voters = proposals.iter().flat_map(|proposal| &proposal.voters).filter(|who| **who != captain);
    voters.map(|person| Voter { table: table.id(), guild, role, captain, person: *person }).collect()
}
