//! The terms of a table: what it was opened for.

use std::collections::BTreeMap;

use rookery_core::rules::{Setup, SetupError};
use rookery_core::{Game, Play};
use serde::{Deserialize, Serialize};

use super::clock::ClockTerms;
use super::commitment::SeedCommitment;
use super::team::{ReservedSeat, Team, TeamMembers, TeamMode};
use super::{ChannelId, GuildId, InSet, RoleId, SettlementPolicy, TableId};

/// What a table was opened for. Fixed from then on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The game's key.
    pub game: String,
    /// Its options, those given.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Random layouts, colours and the program's draws come from this seed.
    pub seed: u64,
    /// A layout given as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// The server, unless in a DM.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guild: Option<GuildId>,
    /// The channel where it was opened (threads are made under it).
    pub channel: ChannelId,
    /// Whether to make a thread for it.
    pub thread: bool,
    /// Whether only a person has brought us along there: then nothing can be posted, and its board is an
    /// answer that is changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "brought")]
    pub user_install: bool,
    /// Whether it counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// What becomes of a proven end; `None` where nobody said ([`crate::Table::settlement_policy`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<SettlementPolicy>,
    /// A position to play on from, in the game's own line, in place of the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// How its chance was settled; `None` if it was opened before that was done, and in what is asked
    /// for where nothing special is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "pledge")]
    pub commitment: Option<Box<SeedCommitment>>,
    /// How much time everybody has; `None` leaves all the time in the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockTerms>,
    /// Those who play a seat together, each found by its captain, who holds the seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Team>,
    /// Seats that are kept for teams that have no captain yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "rivals")]
    pub reserved_seats: Vec<ReservedSeat>,
    /// The roles of teams that the host may mention themselves: no others are pinged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pingable_roles: Vec<RoleId>,
    /// Which game of a set it is; `None` for a game by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<InSet>,
    /// The finished table whose game is played again here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<TableId>,
}

impl Terms {
    /// The game's setup for this number of seats.
    pub fn setup(&self, seats: usize) -> Setup {
        Setup { seats, options: self.options.clone(), seed: self.seed, layout: self.layout.clone() }
    }

    /// The first position for this number of seats.
    ///
    /// # Errors
    /// If the terms do not fit the game, or the position to play on from has another number of seats.
    pub fn begin(&self, game: &dyn Game, seats: usize) -> Result<Box<dyn Play>, SetupError> {
        let Some(line) = &self.from else { return game.start(&self.setup(seats)) };
        let play = game.resume(line).map_err(SetupError::BadLayout)?;
        let fits = play.seats() == seats;
        fits.then_some(play).ok_or(SetupError::Seats { seats, allowed: game.info().seats })
    }

    /// The commitment that is sealed, if there is one.
    pub fn secret_commitment(&self) -> Option<&SeedCommitment> {
        self.commitment.as_deref().filter(|commitment| commitment.is_secret())
    }

    /// What is drawn from while the game goes on: a secret until it is over, but at tables from before
    /// lots were sealed beside an open seed.
    pub fn draw_seed(&self) -> u64 {
        self.commitment.as_ref().and_then(|commitment| commitment.draw_seed).unwrap_or(self.seed)
    }

    /// The roles with which people play there, each once.
    pub fn team_roles(&self) -> Vec<RoleId> {
        let all_members = self
            .teams
            .iter()
            .map(|team| &team.members)
            .chain(self.reserved_seats.iter().map(|one| &one.members));
        let mut roles: Vec<RoleId> = all_members.filter_map(TeamMembers::role).collect();
        roles.sort_unstable();
        roles.dedup();
        roles
    }

    /// Whether a seat is for a team.
    pub fn has_teams(&self) -> bool {
        !self.teams.is_empty() || !self.reserved_seats.is_empty()
    }

    /// How the teams decide, with who belongs to each: those with a captain first.
    pub fn sides(&self) -> impl Iterator<Item = (&TeamMembers, TeamMode)> {
        let led = self.teams.iter().map(|team| (&team.members, team.mode));
        led.chain(
            self.reserved_seats.iter().map(|reserved_seat| (&reserved_seat.members, reserved_seat.mode)),
        )
    }

    /// Whether a team votes.
    pub fn has_votes(&self) -> bool {
        self.sides().any(|(_, mode)| matches!(mode, TeamMode::Vote { .. }))
    }
}
