//! The terms that a table was opened with.

use std::collections::BTreeMap;

use rookery_core::rules::{Setup, SetupError};
use rookery_core::{Game, Play};
use serde::{Deserialize, Serialize};

use super::clock::ClockTerms;
use super::commitment::SeedCommitment;
use super::team::{ReservedSeat, Team, TeamMembers, TeamMode};
use super::{ChannelId, GuildId, InSet, RoleId, SettlementPolicy, TableId};

/// The terms that a table was opened with. They never change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The key of the game.
    pub game: String,
    /// The options that were given.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The seed of random layouts and colours, and of the bot's draws.
    pub seed: u64,
    /// A layout given as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// The server; `None` in a direct message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guild: Option<GuildId>,
    /// The channel where it was opened; the thread is created under it.
    pub channel: ChannelId,
    /// Whether to create a thread for it.
    pub thread: bool,
    /// Whether the bot is there only by a person's user install. Then it cannot post, and the board is an
    /// interaction response that is edited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "brought")]
    pub user_install: bool,
    /// Whether the game is rated.
    #[serde(default)]
    pub rated: bool,
    /// What happens when the result is proven; `None` uses the default ([`crate::Table::settlement_policy`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<SettlementPolicy>,
    /// A start position in the game's own notation, in place of the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// How the randomness was fixed. `None` at tables from before commitments existed, and in a request
    /// without special wishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "pledge")]
    pub commitment: Option<Box<SeedCommitment>>,
    /// The time control; `None` for a game without a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockTerms>,
    /// The teams that share a seat, each identified by its captain, who holds the seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Team>,
    /// The seats reserved for teams without a captain yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "rivals")]
    pub reserved_seats: Vec<ReservedSeat>,
    /// The roles of teams that the host may mention; no others are pinged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pingable_roles: Vec<RoleId>,
    /// The place in a set of two games; `None` for a single game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<InSet>,
    /// The finished table that this one is a rematch of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<TableId>,
}

impl Terms {
    /// Returns the game's setup for this number of seats.
    pub fn setup(&self, seats: usize) -> Setup {
        Setup { seats, options: self.options.clone(), seed: self.seed, layout: self.layout.clone() }
    }

    /// Returns the initial position for this number of seats.
    ///
    /// # Errors
    /// If the terms do not fit the game, or the given start position has another number of seats.
    pub fn begin(&self, game: &dyn Game, seats: usize) -> Result<Box<dyn Play>, SetupError> {
        let Some(line) = &self.from else { return game.start(&self.setup(seats)) };
        let play = game.resume(line).map_err(SetupError::BadLayout)?;
        let fits = play.seats() == seats;
        fits.then_some(play).ok_or(SetupError::Seats { seats, allowed: game.info().seats })
    }

    /// Returns the commitment to a secret seed, if there is one.
    pub fn secret_commitment(&self) -> Option<&SeedCommitment> {
        self.commitment.as_deref().filter(|commitment| commitment.is_secret())
    }

    /// Returns the seed of draws during the game. It is secret until the game is over, except at tables from
    /// before the draw seed of a public seed was committed to separately.
    pub fn draw_seed(&self) -> u64 {
        self.commitment.as_ref().and_then(|commitment| commitment.draw_seed).unwrap_or(self.seed)
    }

    /// Returns the roles of the teams, each once.
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

    /// Returns whether any seat is for a team.
    pub fn has_teams(&self) -> bool {
        !self.teams.is_empty() || !self.reserved_seats.is_empty()
    }

    /// Returns the members and the mode of each team, those with a captain first.
    pub fn sides(&self) -> impl Iterator<Item = (&TeamMembers, TeamMode)> {
        let led = self.teams.iter().map(|team| (&team.members, team.mode));
        led.chain(
            self.reserved_seats.iter().map(|reserved_seat| (&reserved_seat.members, reserved_seat.mode)),
        )
    }

    /// Returns whether any team votes.
    pub fn has_votes(&self) -> bool {
        self.sides().any(|(_, mode)| matches!(mode, TeamMode::Vote { .. }))
    }
}
