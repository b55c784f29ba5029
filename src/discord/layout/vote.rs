//! A team's vote: the moves proposed, each with its board and a button; and whom a turn of a team calls.

use rookery_core::scene::Scene;
use rookery_core::{Play, Seat};
use rookery_i18n::{clip, moment, person, relative};
use rookery_table::teams::{Ballot, Closed, Crowd, Proposal};
use rookery_table::{Person, Table};

use super::super::limits::{ALT_MOST, BUTTONS_MOST, CONTENT_MOST, LABEL_MOST};
use super::super::post::{Part, Picture, Post, Tone};
use super::super::press::{Deed, Press};
use super::super::taste::public_side;
use super::Layout;

impl Layout<'_> {
    /// How the vote of a number stands, or ended; `None` if the table does not know it any more. Nobody
    /// is pinged: the board before it was the turn's ping.
    pub fn vote(&self, table: &Table, number: u64) -> Option<Post> {
        if let Some(ballot) = table.ballot().filter(|ballot| ballot.number == number) {
            let play = table.play()?.at_ply(ballot.ply);
            let head = self.open_line(table, ballot, play.turn());
            let post = self.proposals(table, ballot, play.as_ref(), &head);
            return Some(self.with_vote_buttons(post, table, ballot).silent());
        }
        let closed = table.closed_ballot().filter(|closed| closed.ballot.number == number)?;
        let play = table.play().filter(|now| now.ply() > closed.ballot.ply)?.at_ply(closed.ballot.ply);
        Some(self.proposals(table, &closed.ballot, play.as_ref(), &self.over_line(table, closed)?).silent())
    }

    fn open_line(&self, table: &Table, ballot: &Ballot, seat: Seat) -> String {
        let mut args = vec![
            ("table", table.id().to_string().into()),
            ("number", (ballot.ply + 1).into()),
            ("who", self.words.seated(table, seat).into()),
        ];
        let Some(closes_ms) = table.vote_closes_ms() else { return self.words.say("tally-still", &args) };
        args.push(("when", relative(closes_ms).into()));
        self.words.say("tally-open", &args)
    }

    fn over_line(&self, table: &Table, closed: &Closed) -> Option<String> {
        let election = table.election(closed.ballot.ply + 1)?;
        let played = closed.ballot.proposals.get(usize::from(closed.elected))?;
        let key = if election.tied > 1 { "tally-drawn" } else { "tally-over" };
        let args = [
            ("table", table.id().to_string().into()),
            ("number", election.turn.into()),
            ("move", played.text.as_str().into()),
            ("votes", election.votes.into()),
            ("of", election.of.into()),
            ("tied", u32::from(election.tied).into()),
        ];
        Some(self.words.say(key, &args))
    }

    /// The moves under each other, with a sheet of their boards.
    fn proposals(&self, table: &Table, ballot: &Ballot, play: &dyn Play, head: &str) -> Post {
        let lines = |key| {
            let lines: Vec<_> =
                listed(ballot).map(|(at, proposal)| self.proposal(key, at, proposal)).collect();
            format!("{head}\n{}", lines.join("\n"))
        };
        let long = lines("tally-line");
        let fits = long.chars().count() <= CONTENT_MOST;
        let text = if fits { long } else { clip(&lines("tally-line-short"), CONTENT_MOST) };
        let post = Post::text(text);
        // Whoever was for the only one may have left.
        if ballot.votes() == 0 { post } else { post.picture(self.sheet(table, ballot, play)) }
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

    fn sheet(&self, table: &Table, ballot: &Ballot, play: &dyn Play) -> Picture {
        let look = self.taste.look(public_side(table, self.taste));
        let board = |(at, proposal): (usize, &Proposal)| -> (Scene, String) {
            let mut after = play.clone_play();
            // Only legal moves are proposed; were one not, its board would be the one before it.
            drop(after.play(&proposal.text));
            (after.scene(&look), self.proposal("tally-caption", at, proposal))
        };
        let named = listed(ballot).map(|(at, proposal)| self.proposal("tally-picture-move", at, proposal));
        let named = named.collect::<Vec<_>>().join("; ");
        let alt = self.words.say("tally-picture", &[("moves", named.into())]);
        Picture::sheet(listed(ballot).map(board).collect(), clip(&alt, ALT_MOST))
    }

    fn with_vote_buttons(&self, mut post: Post, table: &Table, ballot: &Ballot) -> Post {
        post.rows = self.vote_buttons(table, ballot);
        let other = Press::new(table.id(), ballot.ply, Deed::Panel(Vec::new())).id();
        post.row([Part::button(self.words.word("button-propose-other"), Tone::Main, other)])
    }

    /// A button for each move that somebody is for.
    pub(super) fn vote_buttons(&self, table: &Table, ballot: &Ballot) -> Vec<Vec<Part>> {
        let button = |(at, (index, proposal)): (usize, (usize, &Proposal))| {
            let label = clip(&self.proposal("button-vote", at, proposal), LABEL_MOST);
            let vote = Deed::Vote(ballot.number, index as u16);
            Part::button(label, Tone::Plain, Press::new(table.id(), ballot.ply, vote).id())
        };
        let all: Vec<_> = ballot.live().enumerate().map(button).collect();
        all.chunks(BUTTONS_MOST).map(<[_]>::to_vec).collect()
    }

    /// A line about the vote that is held, under a text, where one is.
    pub(super) fn with_vote(&self, text: String, table: &Table) -> String {
        let Some(ballot) = table.ballot() else { return text };
        let vote = match table.vote_closes_ms() {
            Some(closes_ms) => self.words.say("board-votes", &[("until", moment(closes_ms).into())]),
            None => self.words.word("board-votes-still"),
        };
        let short: Vec<_> =
            listed(ballot).map(|(at, it)| self.proposal("tally-line-short", at, it)).collect();
        let so_far = self.words.say("board-tally", &[("tally", short.join(" · ").into())]);
        if short.is_empty() { format!("{text}\n{vote}") } else { format!("{text}\n{vote}\n{so_far}") }
    }

    /// A turn in the record, where it was voted on.
    pub(super) fn voted(&self, table: &Table, turn: usize, text: &str) -> Option<String> {
        let election = table.election(turn)?;
        let key = if election.tied > 1 { "board-drawn" } else { "board-voted" };
        let args = [
            ("number", turn.into()),
            ("move", text.into()),
            ("votes", election.votes.into()),
            ("of", election.of.into()),
            ("tied", u32::from(election.tied).into()),
        ];
        Some(self.words.say(key, &args))
    }

    /// A post that reaches whoever plays a seat: a person, all of a team of named people, a role. A team
    /// of everybody is not called: they see it.
    pub(super) fn calling(&self, post: Post, table: &Table, seat: Seat) -> Post {
        let post = post.ping(called(table, seat));
        match table.team(seat).map(|team| &team.crowd) {
            Some(Crowd::Role { role }) if table.pings_role(*role) => post.ping_roles([*role]),
            _ => post,
        }
    }
}

/// The moves that somebody is for, numbered from 0 as they are shown.
fn listed(ballot: &Ballot) -> impl Iterator<Item = (usize, &Proposal)> {
    ballot.live().map(|(_, proposal)| proposal).enumerate()
}

/// The people by name who are called for a seat.
pub(super) fn called(table: &Table, seat: Seat) -> Vec<Person> {
    match table.team(seat).map(|team| &team.crowd) {
        Some(Crowd::Everyone | Crowd::Role { .. }) => Vec::new(),
        Some(Crowd::Named { .. }) | None => table.players_of(seat),
    }
}
