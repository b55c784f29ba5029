//! The open vote of a person's team.

use rookery_core::Play;
use rookery_i18n::{Localizer, moment, person};
use rookery_table::teams::{EarlyEnd, Proposal};
use rookery_table::{Status, UserId};
use serde::Serialize;

use super::super::discord_side::{OpenedTable, PageOrder};
use super::names::name_of;
use super::order_query::query_of;
use super::sentence::plain;

/// A vote.
#[derive(Serialize)]
pub(super) struct VoteView {
    /// What is voted on, and until when.
    text: String,
    /// Which move is played, and when.
    decided: String,
    /// The proposals, the earliest first.
    proposals: Vec<ProposalView>,
}

/// A proposed move.
#[derive(Serialize)]
struct ProposalView {
    /// The move.
    #[serde(rename = "move")]
    text: String,
    /// Its votes and who proposed it, in words.
    votes: String,
    /// Whether the person voted for it.
    mine: bool,
    /// The order that votes for it.
    order: String,
}

/// Returns the open vote if the person's team votes now; `None` without one, and for other people.
pub(super) fn vote(opened: &OpenedTable, play: &dyn Play, who: UserId) -> Option<VoteView> {
    let (table, words) = (&*opened.table, opened.words);
    let vote = table.team_vote().filter(|_| *table.status() == Status::Running)?;
    let seat = table.seat_of(who).filter(|seat| table.to_move() == Some(*seat))?;
    table.team(seat).filter(|team| team.votes())?;
    let name = |who: UserId| name_of(opened, play, who);
    let text = match table.vote_closes() {
        Some(closes) => words.say("page-vote-until", &[("when", moment(closes).into())]),
        None => words.word("page-vote"),
    };
    let view = |(at, proposal): (usize, &Proposal)| ProposalView {
        text: proposal.text.clone(),
        votes: plain(
            &words.say(
                "page-vote-count",
                &[("votes", proposal.voters.len().into()), ("by", person(proposal.by).into())],
            ),
            &name,
        ),
        mine: proposal.voters.contains(&who),
        order: query_of(&PageOrder::Vote { number: vote.number, proposal: at }),
    };
    let proposals = vote.live().map(view).collect();
    Some(VoteView { text: plain(&text, &name), decided: decided(words, table.vote_early_end()?), proposals })
}

/// Says how many votes a move needs, and what happens without them.
fn decided(words: &Localizer, EarlyEnd { enough, voters }: EarlyEnd) -> String {
    let kind = match (enough, voters) {
        (None, _) => "time",
        (Some(_), None) => "enough",
        (Some(_), Some(_)) => "all",
    };
    words.say("page-vote-decided", &[("kind", kind.into()), ("enough", enough.unwrap_or_default().into())])
}
