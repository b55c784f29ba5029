//! Questions to the membership source. Before a vote of a role's team is counted at the deadline: which voters still
//! have the role, since Discord sends nothing about lost roles. Before tables are listed for everybody: whether
//! everybody reads their channels.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use jiff::Timestamp;

use super::TableRegistry;
use crate::model::{Actor, BoardChannel, Order, UserId};
use crate::ports::{Card, MembershipSource};
use crate::{ChannelId, GuildId, RoleId, Table, TableId};

/// The timeout of a group of look-ups.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(5);
/// The most voters looked up at a time, so that other requests to Discord are not delayed.
const MAX_LOOKUPS: usize = 50;
/// The most look-ups at the same time.
const CONCURRENT_LOOKUPS: usize = 5;

/// A person whose vote is about to be counted.
struct Voter {
    table: TableId,
    guild: GuildId,
    role: RoleId,
    captain: UserId,
    person: UserId,
}

impl TableRegistry {
    /// Sets the source of roles and channels. Without one, all votes are counted, and no channel counts as public.
    pub fn set_membership_source(&self, memberships: Arc<dyn MembershipSource>) {
        if self.memberships.set(memberships).is_err() {
            tracing::error!("it was chosen before who is asked about roles and channels");
        }
    }

    /// Returns the tables whose channel everybody on its server reads. Tables without an answer in time are left out.
    pub async fn in_public_channels(&self, cards: Vec<Card>) -> Vec<Card> {
        let Some(memberships) = self.memberships.get() else { return Vec::new() };
        let until = tokio::time::Instant::now() + LOOKUP_TIMEOUT;
        let mut known: HashMap<ChannelId, bool> = HashMap::new();
        let mut open = Vec::new();
        for card in cards {
            let Some(channel) = self.channel_of(&card).await else { continue };
            let is_open = match known.get(&channel) {
                Some(is_open) => *is_open,
                None => tokio::time::timeout_at(until, memberships.is_public(channel)).await.unwrap_or(false),
            };
            known.insert(channel, is_open);
            if is_open {
                open.push(card);
            }
        }
        open
    }

    /// Returns the channel whose readers see a table's boards: for a thread, the channel where the table was opened.
    async fn channel_of(&self, card: &Card) -> Option<ChannelId> {
        match card.board_channel {
            Some(BoardChannel { channel, thread: false }) => Some(channel),
            _ if card.opened_in.is_some() => card.opened_in,
            _ => Some(self.table(card.id).await.ok()?.terms().channel),
        }
    }

    /// Removes team members who have lost the role and whose vote is about to be counted at one of these tables.
    /// Without an answer in time the vote counts.
    pub(super) async fn dismiss_former_members(&self, due: &[TableId]) {
        let Some(memberships) = self.memberships.get() else { return };
        let mut voters = Vec::new();
        for id in due {
            if let Ok(table) = self.table(*id).await {
                voters.extend(voters_at(&table, self.now()));
            }
        }
        voters.truncate(MAX_LOOKUPS);
        let asked = stream::iter(voters).for_each_concurrent(CONCURRENT_LOOKUPS, |voter| async move {
            if memberships.has_lost_role(voter.guild, voter.role, voter.person).await {
                self.dismiss(&voter).await;
            }
        });
        if tokio::time::timeout(LOOKUP_TIMEOUT, asked).await.is_err() {
            tracing::warn!("not everybody's role could be asked for in time; their votes count");
        }
    }

    async fn dismiss(&self, voter: &Voter) {
        let order = Order::RemoveMember { person: voter.person, captain: voter.captain };
        if let Err(denied) = self.order(voter.table, Actor::System, order, None).await {
            tracing::info!(table = %voter.table, %denied, "who has lost a role stays in its team");
        }
    }
}

/// Returns the voters of a role's team whose votes are about to be counted, those for the leading proposals first. The
/// captain's roles do not matter.
fn voters_at(table: &Table, now: Timestamp) -> Vec<Voter> {
    let due = table.vote_due().is_some_and(|due| due <= now);
    let team = table.team_to_move().filter(|_| due);
    let role = team.and_then(|team| Some((team.captain, team.members.role()?)));
    let (Some((captain, role)), Some(guild), Some(team_vote)) =
        (role, table.terms().guild, table.team_vote())
    else {
        return Vec::new();
    };
    let mut proposals: Vec<_> = team_vote.live().map(|(_, proposal)| proposal).collect();
    proposals.sort_by_key(|proposal| Reverse(proposal.voters.len()));
    let voters = proposals.iter().flat_map(|proposal| &proposal.voters).filter(|who| **who != captain);
    voters.map(|person| Voter { table: table.id(), guild, role, captain, person: *person }).collect()
}
