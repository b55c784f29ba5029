//! The access policy: who may see, join, act at and be notified of a table. Every entry point asks here: slash
//! commands, autocomplete, buttons, selects, typed words, direct messages, menus, imports, lists, lobby, TV channels
//! and the web pages.
//!
//! The module is pure. Callers gather the facts ([`Viewer`], [`Venue`]); [`check`] decides and returns the reason as
//! data ([`AccessError`]), which only `rookery_i18n` turns into a sentence.
//!
//! | viewer | see | join | act | be notified |
//! |---|---|---|---|---|
//! | player: seated, in a team, or the person whose seat the bot has taken over | yes | yes¹ | yes | yes |
//! | player who has left the server, or lost the channel | yes | no | yes | yes |
//! | invited member who reads the channel | yes | yes | yes | yes |
//! | invited member who does not | yes | no, with the reason | yes² | yes |
//! | invited person who has left the server | yes | no, with the reason | yes² | yes |
//! | person invited to a table in direct messages | yes | yes | yes | yes |
//! | member who reads the channel | yes | yes | yes³ | yes |
//! | member who does not, stranger | no | no | no | no |
//! | holder of a link | yes | no | no | no |
//! | owner of a study | yes | yes¹ | yes | yes |
//! | anybody else, of a study | no | no | no | no |
//! | banned on the table's server, seated | yes | no | yes⁴ | yes |
//! | banned on the table's server, otherwise | no | no | no | no |
//! | another bot | no | no | no | no |
//!
//! ¹ The table itself answers that they are seated, or that the game is over. ² To decline the invitation. ³ The table
//! itself refuses orders of people who do not play there. ⁴ A ban allows nothing new; a running game is finished, so
//! that the opponent loses nothing.
//!
//! A player keeps access to their own game whatever their roles are: they may view it, move and resign by direct
//! message, and a failed look-up does not lock them out. A new seat, for instance in a rematch, requires membership and
//! access to the channel again.
//!
//! A refusal never reveals that a table exists. [`AccessError::NoSuchTable`] and, while Discord cannot be asked,
//! [`AccessError::SightUnknown`] have the same text as the answer for an unknown table.
//!
//! An invitation ends with the game: a person who was invited but never took the seat sees a finished game only if they
//! can read its channel.

use crate::model::records::Card;
use crate::{GuildId, Occupant, Status, Table, UserId};

/// What a person wants to do with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// View it: its board, record, clocks, review.
    See,
    /// Take a seat, alone or in a team.
    Join,
    /// Do anything else: move, resign, offer, answer, decline an invitation.
    Act,
    /// Receive messages about it without asking: pings, digests, moves of a followed game.
    BeNotified,
}

impl Action {
    /// All actions, in the order of the columns above.
    pub const ALL: [Action; 4] = [Action::See, Action::Join, Action::Act, Action::BeNotified];
}

/// A fact that may require a request to Discord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TriState {
    /// The fact is true.
    Yes,
    /// The fact is false.
    #[default]
    No,
    /// Discord could not be asked; a later request may succeed.
    Unknown,
}

impl From<bool> for TriState {
    fn from(holds: bool) -> TriState {
        if holds { TriState::Yes } else { TriState::No }
    }
}

/// What is known about the person who wants something. The default is a stranger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Viewer {
    /// Their relation to the table itself.
    pub relation: Relation,
    /// Whether they can read the table's channel now.
    pub reads_channel: TriState,
    /// Whether they are a member of the table's server; ignored in direct messages.
    pub is_member: TriState,
    /// Whether the table's server has banned them from the bot.
    pub is_banned: bool,
    /// Whether they are a bot or a webhook.
    pub is_bot: bool,
    /// Whether they hold a share link to the table that is not withdrawn.
    pub holds_link: bool,
}

impl Viewer {
    /// A visitor of the web pages, of whom only the link is known.
    pub const LINK_HOLDER: Viewer = Viewer {
        relation: Relation::None,
        reads_channel: TriState::No,
        is_member: TriState::No,
        is_banned: false,
        is_bot: false,
        holds_link: true,
    };
}

/// The relation of a person to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Relation {
    /// No relation: a stranger.
    #[default]
    None,
    /// A seat, alone or in a team, is reserved for them, and the game is not over.
    Invited,
    /// They hold a seat, alone or in a team, may return to theirs, or opened the table or study.
    Seated,
}

impl Relation {
    /// Returns the relation of a person to a table.
    pub fn of(table: &Table, who: UserId) -> Relation {
        if table.is_participant(who) || table.host() == who {
            return Relation::Seated;
        }
        if matches!(table.status(), Status::Over(_)) {
            return Relation::None;
        }
        let invited = table.chairs().contains(&Occupant::Invited { person: who });
        let of_rival =
            table.reserved_seats().any(|reserved_seat| reserved_seat.members.named().contains(&who));
        let of_team = table.sides().iter().any(|team| team.members.named().contains(&who));
        if invited || of_rival || of_team { Relation::Invited } else { Relation::None }
    }

    /// Returns the relation from a table's card, for lists.
    pub fn of_card(card: &Card, who: UserId) -> Relation {
        if card.has(who) || card.host == Some(who) { Relation::Seated } else { Relation::None }
    }
}

/// The kind of place that a table belongs to, as far as access depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Venue {
    /// A channel or thread of a server.
    Server,
    /// A direct message, or a place with a user-installed bot only: there is no server to be a member of.
    Direct,
    /// No place: a position or record that a person imported to view alone.
    Study,
}

impl Venue {
    /// Returns the place of a table.
    pub fn of(table: &Table) -> Venue {
        Venue::from_parts(table.is_imported(), table.terms().guild)
    }

    /// Returns the place from a table's card.
    pub fn of_card(card: &Card) -> Venue {
        Venue::from_parts(card.imported, card.guild)
    }

    fn from_parts(imported: bool, guild: Option<GuildId>) -> Venue {
        match (imported, guild) {
            (true, _) => Venue::Study,
            (false, Some(_)) => Venue::Server,
            (false, None) => Venue::Direct,
        }
    }
}

/// Why an action at a table is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum AccessError {
    /// They must not learn that the table exists: same text as for an unknown table.
    #[error("no such table for this viewer")]
    NoSuchTable,
    /// Discord could not be asked whether they may see the table: same text as [`AccessError::NoSuchTable`].
    #[error("unknown for now whether this viewer may see the table")]
    SightUnknown,
    /// They are invited, but cannot read the table's channel.
    #[error("the table's channel is closed to the invited person")]
    ChannelClosed,
    /// They may see the table, but are not a member of its server.
    #[error("not a member of the table's server")]
    NotMember,
    /// The server has banned them from the bot.
    #[error("banned on the table's server")]
    Banned,
    /// They hold a link, which only allows viewing.
    #[error("a link only shows")]
    LinkOnly,
    /// A bot or webhook, which gets no answer.
    #[error("another bot")]
    Bot,
    /// They may see the table, but Discord could not be asked whether they may join.
    #[error("unknown for now whether this viewer may join")]
    TryAgain,
}

/// Checks whether a viewer may do something at a table that belongs to a venue.
///
/// # Errors
/// The reason for the refusal.
pub fn check(action: Action, viewer: &Viewer, venue: Venue) -> Result<(), AccessError> {
    if viewer.is_bot {
        return Err(AccessError::Bot);
    }
    let sight = sight(viewer, venue);
    let finishes_own_game = viewer.relation == Relation::Seated && action != Action::Join;
    if viewer.is_banned && venue == Venue::Server && !finishes_own_game {
        // Only a person who may see the table learns that they are banned there.
        return Err(sight.err().unwrap_or(AccessError::Banned));
    }
    sight?;
    match action {
        Action::See => Ok(()),
        Action::Join => join(viewer, venue),
        Action::Act | Action::BeNotified if only_by_link(viewer) => Err(AccessError::LinkOnly),
        Action::Act | Action::BeNotified => Ok(()),
    }
}

/// Why a person can't share a game by a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ShareError {
    /// They don't play in it.
    #[error("only players share a game")]
    NotSeated,
    /// It has not begun.
    #[error("the game has not begun")]
    NotBegun,
}

/// Checks whether a person may make a link that shows a game, or their annotations of it, to people outside Discord.
///
/// # Errors
/// The reason for the refusal.
pub fn may_share(table: &Table, who: UserId) -> Result<(), ShareError> {
    match () {
        () if table.seat_of(who).is_none() => Err(ShareError::NotSeated),
        () if table.play().is_none() => Err(ShareError::NotBegun),
        () => Ok(()),
    }
}

/// Checks whether a table may be named where many people read: in a lobby, a TV channel, a public list.
/// `readers_see` says whether all readers of that place can read the table's channel too.
///
/// # Errors
/// The reason for the refusal.
pub fn may_list(venue: Venue, readers_see: TriState) -> Result<(), AccessError> {
    match (venue, readers_see) {
        (Venue::Study, _) | (_, TriState::No) => Err(AccessError::NoSuchTable),
        (_, TriState::Unknown) => Err(AccessError::SightUnknown),
        (_, TriState::Yes) => Ok(()),
    }
}

fn sight(viewer: &Viewer, venue: Venue) -> Result<(), AccessError> {
    if viewer.relation != Relation::None || viewer.holds_link {
        return Ok(());
    }
    match (venue, viewer.reads_channel) {
        (Venue::Study, _) | (_, TriState::No) => Err(AccessError::NoSuchTable),
        (_, TriState::Unknown) => Err(AccessError::SightUnknown),
        (_, TriState::Yes) => Ok(()),
    }
}

/// Whether a viewer has access to the table only through a link.
fn only_by_link(viewer: &Viewer) -> bool {
    viewer.relation == Relation::None && viewer.reads_channel != TriState::Yes
}

fn join(viewer: &Viewer, venue: Venue) -> Result<(), AccessError> {
    match (venue, viewer.is_member, viewer.reads_channel) {
        _ if only_by_link(viewer) => Err(AccessError::LinkOnly),
        (Venue::Direct | Venue::Study, ..) | (_, TriState::Yes, TriState::Yes) => Ok(()),
        (Venue::Server, TriState::No, _) => Err(AccessError::NotMember),
        (Venue::Server, _, TriState::No) => Err(AccessError::ChannelClosed),
        (Venue::Server, ..) => Err(AccessError::TryAgain),
    }
}

#[cfg(test)]
mod tests;
