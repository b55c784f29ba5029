//! Team votes: the proposed moves, each with its board and a button; and the pings of a team's turn.

use rookery_core::scene::Scene;
use rookery_core::{Play, Seat};
use rookery_i18n::{clip, moment, person, relative};
use rookery_table::teams::{ClosedVote, Proposal, TeamMembers, TeamVote};
use rookery_table::{Table, UserId};

use super::MessageView;
use crate::discord::state::display_preferences::public_side;
use crate::discord::wire::limits::{MAX_ALT_CHARS, MAX_BUTTONS, MAX_CONTENT_CHARS, MAX_LABEL_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage, Picture};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

impl MessageView<'_> {
    /// Builds the state or result of a vote by number; `None` if the table no longer knows it. It pings
    /// nobody, because the board before it has pinged for the turn.
    pub fn vote(&self, table: &Table, number: u64) -> Option<OutgoingMessage> {
        if let Some(team_vote) = table.team_vote().filter(|team_vote| team_vote.number == number) {
            let play = table.play()?.at_ply(team_vote.ply);
            let head = self.open_line(table, team_vote, play.turn());
            let post = self.proposals(table, team_vote, play.as_ref(), &head);
            return Some(self.with_vote_buttons(post, table, team_vote).silent());
        }
        let closed = table.closed_vote().filter(|closed| closed.team_vote.number == number)?;
        let play = table.play().filter(|now| now.ply() > closed.team_vote.ply)?.at_ply(closed.team_vote.ply);
        Some(
            self.proposals(table, &closed.team_vote, play.as_ref(), &self.over_line(table, closed)?).silent(),
        )
    }

    fn open_line(&self, table: &Table, team_vote: &TeamVote, seat: Seat) -> String {
        let mut args = vec![
            ("table", table.id().to_string().into()),
            ("number", (team_vote.ply + 1).into()),
            ("who", self.words.seated(table, seat).into()),
        ];
        let Some(closes) = table.vote_closes() else { return self.words.say("tally-still", &args) };
        args.push(("when", relative(closes).into()));
        self.words.say("tally-open", &args)
    }

    fn over_line(&self, table: &Table, closed: &ClosedVote) -> Option<String> {
        let vote_result = table.vote_result(closed.team_vote.ply + 1)?;
        let played = closed.team_vote.proposals.get(usize::from(closed.elected))?;
        let key = if vote_result.tied > 1 { "tally-drawn" } else { "tally-over" };
        let args = [
            ("table", table.id().to_string().into()),
            ("number", vote_result.turn.into()),
            ("move", played.text.as_str().into()),
            ("votes", vote_result.votes.into()),
            ("of", vote_result.of.into()),
            ("tied", u32::from(vote_result.tied).into()),
        ];
        Some(self.words.say(key, &args))
    }

    /// Builds the list of moves, with a contact sheet of their boards.
    fn proposals(&self, table: &Table, team_vote: &TeamVote, play: &dyn Play, head: &str) -> OutgoingMessage {
        let lines = |key| {
            let lines: Vec<_> =
                listed(team_vote).map(|(at, proposal)| self.proposal(key, at, proposal)).collect();
            format!("{head}\n{}", lines.join("\n"))
        };
        let long = lines("tally-line");
        let fits = long.chars().count() <= MAX_CONTENT_CHARS;
        let text = if fits { long } else { clip(&lines("tally-line-short"), MAX_CONTENT_CHARS) };
        let post = OutgoingMessage::text(text);
        // The only supporter of a proposal may have left.
        if team_vote.votes() == 0 { post } else { post.picture(self.sheet(table, team_vote, play)) }
    }

    fn proposal(&self, key: &str, at: usize, proposal: &Proposal) -> String {
        let args = [
            ("number", (at + 1).into()),
            ("move", proposal.text.as_str().into()),
            ("votes", proposal.voters.len().into()),
            ("by", person(proposal.by).into()),
        ];
        self.words.say(key, &args)
    }

    fn sheet(&self, table: &Table, team_vote: &TeamVote, play: &dyn Play) -> Picture {
        let look = self.display.look(public_side(table, self.display));
        let board = |(at, proposal): (usize, &Proposal)| -> (Scene, String) {
            let mut after = play.clone_play();
            // Only legal moves are proposed; an illegal one would show the board before it.
            drop(after.play(&proposal.text));
            (after.scene(&look), self.proposal("tally-caption", at, proposal))
        };
        let named = listed(team_vote).map(|(at, proposal)| self.proposal("tally-picture-move", at, proposal));
        let named = named.collect::<Vec<_>>().join("; ");
        let alt = self.words.say("tally-picture", &[("moves", named.into())]);
        Picture::sheet(listed(team_vote).map(board).collect(), clip(&alt, MAX_ALT_CHARS))
    }

    fn with_vote_buttons(
        &self,
        mut post: OutgoingMessage,
        table: &Table,
        team_vote: &TeamVote,
    ) -> OutgoingMessage {
        post.rows = self.vote_buttons(table, team_vote);
        let other = TableButtonId::new(table.id(), team_vote.ply, ButtonAction::Panel(Vec::new())).id();
        post.row([Component::button(self.words.word("button-propose-other"), ButtonStyle::Primary, other)])
    }

    /// Builds a button for each move with a supporter.
    pub(super) fn vote_buttons(&self, table: &Table, team_vote: &TeamVote) -> Vec<Vec<Component>> {
        let button = |(at, (index, proposal)): (usize, (usize, &Proposal))| {
            let label = clip(&self.proposal("button-vote", at, proposal), MAX_LABEL_CHARS);
            let vote = ButtonAction::Vote(team_vote.number, index as u16);
            Component::button(
                label,
                ButtonStyle::Secondary,
                TableButtonId::new(table.id(), team_vote.ply, vote).id(),
            )
        };
        let all: Vec<_> = team_vote.live().enumerate().map(button).collect();
        all.chunks(MAX_BUTTONS).map(<[_]>::to_vec).collect()
    }

    /// Adds a line about the open vote to a text, if there is one.
    pub(super) fn with_vote(&self, text: String, table: &Table) -> String {
        let Some(team_vote) = table.team_vote() else { return text };
        let vote = match table.vote_closes() {
            Some(closes) => self.words.say("board-votes", &[("until", moment(closes).into())]),
            None => self.words.word("board-votes-still"),
        };
        let short: Vec<_> =
            listed(team_vote).map(|(at, it)| self.proposal("tally-line-short", at, it)).collect();
        let so_far = self.words.say("board-tally", &[("tally", short.join(" · ").into())]);
        if short.is_empty() { format!("{text}\n{vote}") } else { format!("{text}\n{vote}\n{so_far}") }
    }

    /// Formats a turn of the record that was decided by a vote.
    pub(super) fn voted(&self, table: &Table, turn: usize, text: &str) -> Option<String> {
        let vote_result = table.vote_result(turn)?;
        let key = if vote_result.tied > 1 { "board-drawn" } else { "board-voted" };
        let args = [
            ("number", turn.into()),
            ("move", text.into()),
            ("votes", vote_result.votes.into()),
            ("of", vote_result.of.into()),
            ("tied", u32::from(vote_result.tied).into()),
        ];
        Some(self.words.say(key, &args))
    }

    /// Adds the pings for the player of a seat: a person, the members of a named team, or a role. A team of
    /// everybody is not pinged: its members see the post.
    pub(super) fn pinging_seat(&self, post: OutgoingMessage, table: &Table, seat: Seat) -> OutgoingMessage {
        let post = post.ping(people_to_ping(table, seat));
        match table.team(seat).map(|team| &team.members) {
            Some(TeamMembers::Role { role }) if table.pings_role(*role) => post.ping_roles([*role]),
            _ => post,
        }
    }
}

/// Returns the moves with a supporter, numbered from 0 in the order shown.
fn listed(team_vote: &TeamVote) -> impl Iterator<Item = (usize, &Proposal)> {
    team_vote.live().map(|(_, proposal)| proposal).enumerate()
}

/// Returns the people who are pinged by name for a seat.
pub(super) fn people_to_ping(table: &Table, seat: Seat) -> Vec<UserId> {
    match table.team(seat).map(|team| &team.members) {
        Some(TeamMembers::Everyone | TeamMembers::Role { .. }) => Vec::new(),
        Some(TeamMembers::Named { .. }) | None => table.players_of(seat),
    }
}
