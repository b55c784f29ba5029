//! A vote that a team holds: who proposed what, who is for it, what would be played.

use crate::clock::TimeSpan;
use crate::model::records::Entry;
use crate::model::{Event, UserId};
use jiff::{SignedDuration, Timestamp};
use rookery_core::seed::mix;

/// Moves that somebody is for in one vote, at most: what the buttons under a message have room for, and more
/// than anybody can weigh up.
pub const MAX_PROPOSALS: usize = 20;
/// Told apart from all else that is drawn from a seed: which of several moves with as many votes is played.
const TIES: u64 = 0x71e5;

/// A vote that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamVote {
    /// The number of the entry with which the team's turn began: its name.
    pub number: u64,
    /// Turns taken before the one that is voted on.
    pub ply: usize,
    /// The moves proposed, the earliest first, those that nobody is for any more among them.
    pub proposals: Vec<Proposal>,
    /// From when its time counts: later by what did not count.
    pub(in crate::rules) since: Timestamp,
    /// Since when it stands still with the game.
    still_since: Option<Timestamp>,
}

/// A move that somebody proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The move in canonical spelling.
    pub text: String,
    /// Who proposed it.
    pub by: UserId,
    /// Who is for it, in the order in which they said so.
    pub voters: Vec<UserId>,
}

/// A vote that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedVote {
    /// As it was when it closed.
    pub team_vote: TeamVote,
    /// The index of the proposal that was played.
    pub elected: u16,
}

/// How a turn was voted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoteResult {
    /// The turn's number, from 1.
    pub turn: usize,
    /// Votes for what was played.
    pub votes: usize,
    /// All votes.
    pub of: usize,
    /// How many proposals had as many votes, what was played among them: more than one, and it was drawn.
    pub tied: u8,
}

impl TeamVote {
    pub(in crate::rules) fn new(number: u64, ply: usize, at: Timestamp) -> TeamVote {
        TeamVote { number, ply, proposals: Vec::new(), since: at, still_since: None }
    }

    /// How many have voted.
    pub fn votes(&self) -> usize {
        self.proposals.iter().map(|proposal| proposal.voters.len()).sum()
    }

    /// The proposals with votes, each with its index among all; at most `PROPOSALS_MOST`. Of several
    /// proposals by one person
    /// only the last remains.
    pub fn live(&self) -> impl Iterator<Item = (usize, &Proposal)> {
        self.proposals.iter().enumerate().filter(|(_, proposal)| !proposal.voters.is_empty())
    }

    /// The index of the proposal that somebody is for.
    pub fn choice_of(&self, who: UserId) -> Option<usize> {
        self.proposals.iter().position(|proposal| proposal.voters.contains(&who))
    }

    /// The indices of the proposals with most votes; none where nobody has voted.
    pub fn leaders(&self) -> Vec<usize> {
        let most = self.proposals.iter().map(|proposal| proposal.voters.len()).max().unwrap_or(0);
        let leads = |i: &usize| most > 0 && self.proposals[*i].voters.len() == most;
        (0..self.proposals.len()).filter(leads).collect()
    }

    /// The index of what is played if it closes as it stands, by a table's [lots](crate::Terms::draw_seed).
    pub fn winner(&self, draw_seed: u64) -> Option<usize> {
        let leaders = self.leaders();
        (!leaders.is_empty()).then(|| leaders[draw(draw_seed, self.number, leaders.len())])
    }

    /// Takes somebody's vote away.
    pub(in crate::rules) fn withdraw(&mut self, who: UserId) {
        self.proposals.iter_mut().for_each(|proposal| proposal.voters.retain(|voter| *voter != who));
    }

    pub(in crate::rules) fn propose(&mut self, who: UserId, text: &str) {
        self.withdraw(who);
        self.proposals.push(Proposal { text: text.to_owned(), by: who, voters: vec![who] });
    }

    pub(in crate::rules) fn vote(&mut self, who: UserId, proposal: u16) -> Result<(), String> {
        self.withdraw(who);
        let chosen = self.proposals.get_mut(usize::from(proposal));
        chosen.ok_or_else(|| format!("there is no proposal {proposal}"))?.voters.push(who);
        Ok(())
    }

    pub(in crate::rules) fn vote_result(&self, proposal: u16, tied: u8) -> Result<VoteResult, String> {
        let played = self.proposals.get(usize::from(proposal));
        let votes = played.ok_or_else(|| format!("there is no proposal {proposal}"))?.voters.len();
        Ok(VoteResult { turn: self.ply + 1, votes, of: self.votes(), tied })
    }

    /// What an entry means to its time.
    pub(in crate::rules) fn run(&mut self, entry: &Entry, stands_still: bool) {
        if let (Event::Lost { spans }, None) = (&entry.event, self.still_since) {
            let counted = TimeSpan { from: self.since, until: entry.at };
            let lost = spans.iter().filter_map(|span| span.meets(counted));
            self.since += lost.map(|span| span.until.duration_since(span.from)).sum::<SignedDuration>();
        }
        match (self.still_since, stands_still) {
            (None, true) => self.still_since = Some(entry.at),
            (Some(still_since), false) => {
                self.since += entry.at.duration_since(still_since);
                self.still_since = None;
            }
            _ => {}
        }
    }
}

/// The index of the proposal that is played among `tied` (1 or more) with equal votes, drawn from the table's
/// lots and the
/// number of the vote.
pub fn draw(draw_seed: u64, number: u64, tied: usize) -> usize {
    (mix(mix(draw_seed ^ TIES) ^ number) % tied as u64) as usize
}
