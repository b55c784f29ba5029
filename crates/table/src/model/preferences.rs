//! What people and servers chose: how boards look, when somebody may be pinged, what a server allows.
//!
//! Kept as JSON: a field is never renamed without reading the old name still, and every field has a
//! default, so that what an older version kept is still read.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ChannelId;
use crate::calendar::{Daily, Weekly, Zone};

/// What a person chose for themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PersonalPreferences {
    /// The theme's name; `None` takes the server's.
    pub theme: Option<String>,
    /// Whether sides are told apart by more than colour: by patterns on pieces and on what is theirs.
    pub patterns: bool,
    /// Whether the board in plain characters stands under its picture.
    pub text_board: bool,
    /// Whether boards have large coordinates and pieces.
    pub large_print: bool,
    /// From where they look at a board.
    pub orientation: Orientation,
    /// Whether the panel asks before it plays a move.
    pub confirm: bool,
    /// How they hear that it is their turn.
    pub pings: Pings,
    /// Hours of each day in which nothing pings them.
    pub quiet: Option<Daily>,
    /// A part of each week in which they do not play: pings wait, and so do clocks where the game lets them.
    pub weekly: Option<Weekly>,
    /// Where they live, for hours and days.
    pub zone: Zone,
    /// The language in which they are answered, such as `de`; `None` takes that of their client.
    pub language: Option<String>,
    /// Days off that they took last: to come, going on or over.
    pub vacation: Option<Vacation>,
    /// Those that they took before, of the last twelve months.
    pub days_off: Vec<Vacation>,
    /// The weekly window that their clocks keep to; it follows `weekly`, though not every day.
    pub clock_week: Option<ClockWeek>,
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
        }
    }
}

impl PersonalPreferences {
    /// Whether nothing should ping them at this moment.
    pub fn is_quiet_at(&self, now: Timestamp) -> bool {
        let local = self.zone.local(now);
        self.quiet.is_some_and(|daily| daily.holds(local))
            || self.weekly.is_some_and(|weekly| weekly.holds(local))
            || self.vacation.is_some_and(|vacation| vacation.holds(now))
    }
}

/// From where somebody looks at a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    /// Their own seat at the bottom.
    #[default]
    Own,
    /// The first seat at the bottom, as in records.
    First,
}

/// How somebody hears that it is their turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pings {
    /// Where the game is played, with the board.
    #[default]
    Thread,
    /// In a direct message, a few a day.
    Dm,
    /// Once a day, all games in one direct message; of time that runs out at once, in one of its own.
    Digest,
    /// Not at all: the board names them without a ping.
    Off,
}

/// Days off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacation {
    /// From this moment.
    #[serde(rename = "from_ms", with = "crate::model::millis::moment")]
    pub from: Timestamp,
    /// Up to this moment.
    #[serde(rename = "until_ms", with = "crate::model::millis::moment")]
    pub until: Timestamp,
}

impl Vacation {
    /// Whether a moment lies in it.
    pub fn holds(self, now: Timestamp) -> bool {
        (self.from..self.until).contains(&now)
    }
}

/// What those who manage a server chose for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerPreferences {
    /// The channels in which games may be opened; empty for all of them.
    pub channels: Vec<ChannelId>,
    /// Whether games get a thread of their own.
    pub threads: bool,
    /// The clock of a game where nobody chose one, by its key.
    pub clock: Option<String>,
    /// The channel with the list of open challenges and running games.
    pub lobby: Option<ChannelId>,
    /// Whether games may be rated.
    pub rated: bool,
    /// What the program may be asked for.
    pub ai: AiLimits,
    /// The language of what everybody reads, such as `de`; `None` takes the one that Discord tells.
    pub language: Option<String>,
    /// The theme of boards that everybody sees.
    pub theme: Option<String>,
    /// The channel in which reports are posted for the server's moderators.
    pub reports: Option<ChannelId>,
    /// Whether every game has a link to a page in the browser.
    pub public_pages: bool,
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
        }
    }
}

/// What a server lets people ask of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AiLimits {
    /// The strongest level, by its key; `None` for any.
    pub strongest: Option<String>,
    /// Games against the program that may go on at once.
    pub games: u16,
    /// Games in which the program holds every seat that may go on at once.
    pub shows: u16,
}

impl Default for AiLimits {
    fn default() -> AiLimits {
        AiLimits { strongest: None, games: 50, shows: 2 }
    }
}

/// The weekly window that somebody's clocks keep to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockWeek {
    /// The window; `None` if there is none.
    pub weekly: Option<Weekly>,
    /// Where it is that time.
    pub zone: Zone,
    /// Since when.
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
        let kept = serde_json::to_string(&personal).unwrap();
        assert_eq!(serde_json::from_str::<PersonalPreferences>(&kept).unwrap(), personal);
    }
}
