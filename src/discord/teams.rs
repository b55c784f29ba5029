//! Who belongs to a team of a role, or of everybody: seen by what Discord tells of whoever acts.

use std::sync::Arc;

use crate::kit::Seat;
use crate::table::teams::{Crowd, Team};
use crate::table::{By, Order, Person, Say, Table};

use super::asked::Asked;
use super::desk::Desk;
use super::hear::Heard;

/// Whoever acts, as far as it says to which teams they belong.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// Who.
    pub who: Person,
    /// Where they act.
    pub channel: u64,
    /// Whether they may write there.
    pub writes: bool,
    /// Their roles.
    pub roles: &'a [u64],
}

impl<'a> From<&'a Asked> for Caller<'a> {
    fn from(asked: &'a Asked) -> Caller<'a> {
        Caller { who: asked.who, channel: asked.place.channel, writes: asked.writes, roles: &asked.roles }
    }
}

impl<'a> From<&'a Heard> for Caller<'a> {
    fn from(heard: &'a Heard) -> Caller<'a> {
        Caller { who: Person(heard.who), channel: heard.channel, writes: true, roles: &heard.roles }
    }
}

/// The table, with whoever acts in the team they belong to: from their first act on it knows them.
pub async fn enlisted(desk: &Desk, table: Arc<Table>, caller: Caller<'_>) -> Arc<Table> {
    let Some(captain) = team_of(&table, caller).map(|team| team.captain) else { return table };
    let order = Order::Enlist { person: caller.who, captain };
    match desk.hall.order(table.id(), By::House, order, None).await {
        Ok(seen) => seen.table,
        Err(denied) => {
            // They are told what the table says to those who do not play.
            tracing::info!(table = %table.id(), %denied, "somebody is not enlisted");
            table
        }
    }
}

/// Whether somebody plays a seat, known to the table or not yet.
pub fn plays(table: &Table, seat: Seat, caller: Caller<'_>) -> bool {
    let theirs = team_of(table, caller).zip(table.team(seat));
    table.plays_for(seat, caller.who) || theirs.is_some_and(|(theirs, its)| theirs.captain == its.captain)
}

/// Whether the table does not know yet that somebody plays there.
pub fn is_new(table: &Table, caller: Caller<'_>) -> bool {
    team_of(table, caller).is_some()
}

/// The turn for which somebody of a team has made a move, where it answers a board or a tally: another of
/// them may have taken that turn meanwhile.
pub async fn meant(desk: &Desk, heard: &Heard, table: &Table) -> Option<usize> {
    table.team_to_move()?;
    let answered = desk.hall.journal().said_as(heard.answers?).await.ok()??;
    match answered {
        (id, Say::Board { ply } | Say::Tally { ply, .. }) if id == table.id() => Some(ply),
        _ => None,
    }
}

fn team_of<'a>(table: &'a Table, caller: Caller<'_>) -> Option<&'a Team> {
    table.to_move()?;
    table.open_teams(caller.who).find(|team| match &team.crowd {
        Crowd::Everyone => caller.writes && is_there(table, caller.channel),
        Crowd::Role { role } => caller.roles.contains(role),
        Crowd::Named { .. } => false,
    })
}

/// Whether a channel is where a table is played, or was opened.
fn is_there(table: &Table, channel: u64) -> bool {
    table.terms().channel == channel || table.home().is_some_and(|home| home.channel == channel)
}
