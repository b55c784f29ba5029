//! The preferences of people and servers: how boards look, when a person may be pinged, what a server allows.
//!
//! Stored as JSON: a renamed field must keep the old name readable, and every field has a default, so that
//! data of older versions stays readable.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ChannelId;
use crate::calendar::{Daily, Weekly, Zone};

/// The preferences of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PersonalPreferences {
    /// The theme's name; `None` uses the server's.
    pub theme: Option<String>,
    /// Whether sides differ by more than colour: by patterns on pieces and territory.
    pub patterns: bool,
    /// Whether a text version of the board is posted below its picture.
    pub text_board: bool,
    /// Whether boards have large coordinates and pieces.
    pub large_print: bool,
    /// The side at the bottom of the board.
    pub orientation: Orientation,
    /// Whether the panel asks for confirmation before it plays a move.
    pub confirm: bool,
    /// How the person learns that it is their turn.
    pub pings: Pings,
    /// The hours of each day without pings.
    pub quiet: Option<Daily>,
    /// The period of each week in which the person does not play: pings wait, and so do clocks if the game
    /// allows it.
    pub weekly: Option<Weekly>,
    /// The person's time zone, for hours and days.
    pub zone: Zone,
    /// The language of answers to the person, such as `de`; `None` uses that of their client.
    pub language: Option<String>,
    /// The latest days off: future, current or past.
    pub vacation: Option<Vacation>,
    /// Earlier days off of the last twelve months.
    pub days_off: Vec<Vacation>,
    /// The weekly window that applies to the person's clocks. It follows `weekly`, but cannot change every
    /// day.
    pub clock_week: Option<ClockWeek>,
    /// What the person last chose for new games.
    pub play: PlayChoices,
}

impl Default for PersonalPreferences {
    fn default() -> PersonalPreferences {
        PersonalPreferences {
            theme: None,
            patterns: false,
            text_board: false,
            large_print: false,
            orientation: Orientation::Own,
            confirm: true,
            pings: Pings::Thread,
            quiet: None,
            weekly: None,
            zone: Zone::default(),
            language: None,
            vacation: None,
            days_off: Vec::new(),
            clock_week: None,
            play: PlayChoices::default(),
        }
    }
}

impl PersonalPreferences {
    /// Returns whether the person must not be pinged at this moment.
    pub fn is_quiet_at(&self, now: Timestamp) -> bool {
        let local = self.zone.local(now);
        self.quiet.is_some_and(|daily| daily.holds(local))
            || self.weekly.is_some_and(|weekly| weekly.holds(local))
            || self.vacation.is_some_and(|vacation| vacation.holds(now))
    }
}

/// What a person last chose for new games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayChoices {
    /// The level of the bot, by its key.
    pub level: Option<String>,
    /// The options that differ from the standard, by game, with their values as text.
    pub options: BTreeMap<String, BTreeMap<String, String>>,
}

/// The side at the bottom of a person's boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    /// Their own seat at the bottom.
    #[default]
    Own,
    /// The first seat at the bottom, as in records.
    First,
}

/// How a person learns that it is their turn.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "snake_case")]
pub enum Pings {
    /// In the game's channel, with the board.
    #[default]
    Thread,
    /// In direct messages, a few a day.
    Dm,
    /// Once a day, for all games in one direct message. A clock that runs out is announced at once in its own
    /// message.
    Digest,
    /// Not at all: the board shows their name without a ping.
    Off,
}

/// A span of days off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacation {
    /// The first moment of the days off.
    #[serde(rename = "from_ms", with = "crate::model::millis::moment")]
    pub from: Timestamp,
    /// The first moment after the days off.
    #[serde(rename = "until_ms", with = "crate::model::millis::moment")]
    pub until: Timestamp,
}

impl Vacation {
    /// Returns whether a moment lies in the days off.
    pub fn holds(self, now: Timestamp) -> bool {
        (self.from..self.until).contains(&now)
    }
}

/// The preferences of a server, set by its managers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerPreferences {
    /// The channels in which games may be opened; empty for all channels.
    pub channels: Vec<ChannelId>,
    /// Whether each game gets its own thread.
    pub threads: bool,
    /// The default time control of games, by its key.
    pub clock: Option<String>,
    /// The channel with the list of open challenges and running games.
    pub lobby: Option<ChannelId>,
    /// Whether games may be rated.
    pub rated: bool,
    /// The limits on games against the bot.
    pub ai: AiLimits,
    /// The language of public messages, such as `de`; `None` uses the one that Discord reports.
    pub language: Option<String>,
    /// The theme of public boards.
    pub theme: Option<String>,
    /// The channel in which reports are posted for the server's moderators.
    pub reports: Option<ChannelId>,
    /// Whether every game has a public web page.
    pub public_pages: bool,
    /// The channel with the welcome message, whose buttons start games.
    pub welcome: Option<ChannelId>,
    /// Whether boards show the last move in motion.
    pub motion: bool,
}

impl Default for ServerPreferences {
    fn default() -> ServerPreferences {
        ServerPreferences {
            channels: Vec::new(),
            threads: true,
            clock: None,
            lobby: None,
            rated: false,
            ai: AiLimits::default(),
            language: None,
            theme: None,
            reports: None,
            public_pages: false,
            welcome: None,
            motion: false,
        }
    }
}

/// The limits of a server on games with the bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AiLimits {
    /// The strongest level allowed, by its key; `None` for any.
    pub strongest: Option<String>,
    /// The most games against the bot in progress at once.
    pub games: u16,
    /// The most games in progress at once in which the bot holds every seat.
    pub shows: u16,
}

impl Default for AiLimits {
    fn default() -> AiLimits {
        AiLimits { strongest: None, games: 50, shows: 2 }
    }
}

/// The weekly window that applies to a person's clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockWeek {
    /// The window; `None` if there is none.
    pub weekly: Option<Weekly>,
    /// The time zone of the window.
    pub zone: Zone,
    /// When it took effect.
    #[serde(rename = "since_ms", with = "crate::model::millis::moment")]
    pub since: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;

    #[test]
    fn what_an_older_version_kept_is_read_with_defaults() {
        let personal: PersonalPreferences = serde_json::from_str(r#"{"theme":"paper"}"#).unwrap();
        assert_eq!(
            personal,
            PersonalPreferences { theme: Some("paper".into()), ..PersonalPreferences::default() }
        );
        let server: ServerPreferences = serde_json::from_str(r#"{"ai":{"shows":1}}"#).unwrap();
        assert_eq!(server.ai, AiLimits { shows: 1, ..AiLimits::default() });
        assert!(server.threads && !server.rated);
    }

    #[test]
    fn everything_is_read_as_it_was_kept() {
        let personal = PersonalPreferences {
            pings: Pings::Digest,
            quiet: Some(Daily { from_min: 22 * 60, to_min: 7 * 60 }),
            weekly: Some(Weekly { from_min: 0, to_min: 24 * 60 }),
            zone: Zone::named("Europe/Berlin").unwrap(),
            vacation: Some(Vacation { from: millis::timestamp(1), until: millis::timestamp(2) }),
            ..PersonalPreferences::default()
        };
        let sizes = BTreeMap::from([("size".to_owned(), "6x6".to_owned())]);
        let play = PlayChoices {
            level: Some("easy".into()),
            options: BTreeMap::from([("amazons".to_owned(), sizes)]),
        };
        let personal = PersonalPreferences { play, ..personal };
        let kept = serde_json::to_string(&personal).unwrap();
        assert_eq!(serde_json::from_str::<PersonalPreferences>(&kept).unwrap(), personal);
    }
}
