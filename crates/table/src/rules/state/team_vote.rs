//! A team's vote: the proposals, their voters, and the winner.

use crate::clock::TimeSpan;
use crate::model::records::Entry;
use crate::model::{Event, UserId};
use jiff::{SignedDuration, Timestamp};
use rookery_core::seed::mix;

/// The most proposals with votes in one vote: the buttons that fit under a message.
pub const MAX_PROPOSALS: usize = 20;
/// Separates the draw between tied proposals from other draws with the same seed.
const TIE_DRAW_SALT: u64 = 0x71e5;

/// A team's vote on one turn, while it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamVote {
    /// The number of the entry with which the team's turn began; it identifies the vote.
    pub number: u64,
    /// The number of turns taken before the one that is voted on.
    pub ply: usize,
    /// The proposals, the earliest first, including those without votes.
    pub proposals: Vec<Proposal>,
    /// The moment from which its time counts; outages and pauses move it later.
    pub(in crate::rules) since: Timestamp,
    /// Since when it is stopped, while the game is paused or frozen.
    stopped_since: Option<Timestamp>,
}

/// A proposed move with its voters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The move in canonical notation.
    pub text: String,
    /// The person who proposed it first.
    pub by: UserId,
    /// Its voters, in the order of voting.
    pub voters: Vec<UserId>,
}

/// A vote after its close, with the played proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedVote {
    /// The vote at its close.
    pub team_vote: TeamVote,
    /// The index of the proposal that was played.
    pub elected: u16,
}

/// The result of a vote on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoteResult {
    /// The turn's number, from 1.
    pub turn: usize,
    /// The votes for the played move.
    pub votes: usize,
    /// The number of all votes.
    pub of: usize,
    /// The number of proposals with the most votes; if it is more than one, the played move was drawn.
    pub tied: u8,
}

impl TeamVote {
    pub(in crate::rules) fn new(number: u64, ply: usize, at: Timestamp) -> TeamVote {
        TeamVote { number, ply, proposals: Vec::new(), since: at, stopped_since: None }
    }

    /// Returns the number of people who have voted.
    pub fn votes(&self) -> usize {
        self.proposals.iter().map(|proposal| proposal.voters.len()).sum()
    }

    /// Returns the proposals with votes, each with its index among all; at most [`MAX_PROPOSALS`]. Of several proposals
    /// by one person only the last has a vote.
    pub fn live(&self) -> impl Iterator<Item = (usize, &Proposal)> {
        self.proposals.iter().enumerate().filter(|(_, proposal)| !proposal.voters.is_empty())
    }

    /// Returns the index of the proposal that a person votes for.
    pub fn choice_of(&self, who: UserId) -> Option<usize> {
        self.proposals.iter().position(|proposal| proposal.voters.contains(&who))
    }

    /// Returns the indices of the proposals with the most votes; none if nobody has voted.
    pub fn leaders(&self) -> Vec<usize> {
        let most = self.proposals.iter().map(|proposal| proposal.voters.len()).max().unwrap_or(0);
        let leads = |i: &usize| most > 0 && self.proposals[*i].voters.len() == most;
        (0..self.proposals.len()).filter(leads).collect()
    }

    /// Returns the index of the proposal that is played if the vote closes now, with a table's [draw
    /// seed](crate::Terms::draw_seed).
    pub fn winner(&self, draw_seed: u64) -> Option<usize> {
        let leaders = self.leaders();
        (!leaders.is_empty()).then(|| leaders[draw(draw_seed, self.number, leaders.len())])
    }

    /// Removes a person's vote.
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

    /// Updates the vote's time after an entry.
    pub(in crate::rules) fn run(&mut self, entry: &Entry, is_suspended: bool) {
        if let (Event::Lost { spans }, None) = (&entry.event, self.stopped_since) {
            let counted = TimeSpan { from: self.since, until: entry.at };
            let lost = spans.iter().filter_map(|span| span.intersection(counted));
            self.since += lost.map(|span| span.until.duration_since(span.from)).sum::<SignedDuration>();
        }
        match (self.stopped_since, is_suspended) {
            (None, true) => self.stopped_since = Some(entry.at),
            (Some(stopped_since), false) => {
                self.since += entry.at.duration_since(stopped_since);
                self.stopped_since = None;
            }
            _ => {}
        }
    }
}

/// Returns the index of the played proposal among `tied` (1 or more) with equal votes, drawn from the table's draw seed
/// and the number of the vote.
pub fn draw(draw_seed: u64, number: u64, tied: usize) -> usize {
    (mix(mix(draw_seed ^ TIE_DRAW_SALT) ^ number) % tied as u64) as usize
}
