//! The access policy: who may see, join, act at and be notified of a table. Every entrance asks here, and nowhere
//! else is it decided: slash commands, autocomplete, buttons, selects, typed words, direct messages, menus, imports,
//! lists, lobby, television and the web pages.
//!
//! The module is pure. Callers gather the facts ([`Viewer`], [`Venue`]); [`check`] decides and gives the reason
//! as data ([`AccessError`]), which only `rookery_i18n` makes a sentence of.
//!
//! | viewer | see | join | act | be notified |
//! |---|---|---|---|---|
//! | player: seated, in a team, or the person whose seat the program has taken over | yes | yes¹ | yes | yes |
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
//! ¹ The table itself says that they sit there, or that the game is over. ² Turning the invitation down.
//! ³ The table itself refuses orders of people who do not play there.
//! ⁴ A ban opens nothing new; a game that goes on is finished, so that the opponent loses nothing by it.
//!
//! A player keeps their own game whatever becomes of their roles: they may look at it, move and resign by direct
//! message, and no failed look-up keeps them out. A new seat, a rematch for instance, takes membership and sight of
//! the channel again.
//!
//! A refusal never shows that a table exists. [`AccessError::NoSuchTable`] and, while Discord cannot be asked,
//! [`AccessError::SightUnknown`] are worded like the answer to a name that no table has.
//!
//! An invitation ends with the game: a person who was named but never took the seat sees a finished game only if they
//! can read its channel.

use crate::model::records::Card;
use crate::{GuildId, Occupant, Status, Table, UserId};

/// What somebody wants of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Look at it: its board, record, clocks, review.
    See,
    /// Take a seat.
    Join,
    /// Do anything else there: move, resign, offer, answer, decline an invitation.
    Act,
    /// Receive messages about it without asking: calls, digests, moves of a game that is followed.
    BeNotified,
}

impl Action {
    /// All of them.
    pub const ALL: [Action; 4] = [Action::See, Action::Join, Action::Act, Action::BeNotified];
}

/// A fact that may take a look-up at Discord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TriState {
    /// It holds.
    Yes,
    /// It does not hold.
    #[default]
    No,
    /// Discord could not be asked; it may be asked again later.
    Unknown,
}

impl From<bool> for TriState {
    fn from(holds: bool) -> TriState {
        if holds { TriState::Yes } else { TriState::No }
    }
}

/// What is known of the person who wants something of a table. The default is a stranger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Viewer {
    /// How they are tied to the table itself.
    pub relation: Relation,
    /// Whether they can read the table's channel now.
    pub reads_channel: TriState,
    /// Whether they are a member of the table's server. In direct messages there is no server: not asked.
    pub is_member: TriState,
    /// Whether the table's server has banned them from the bot.
    pub is_banned: bool,
    /// Whether they are a bot or a webhook.
    pub is_bot: bool,
    /// Whether they hold a link to the table that was made for outsiders and not taken back.
    pub holds_link: bool,
}

impl Viewer {
    /// The holder of a link, of whom nothing else is known: a visitor of the web pages.
    pub const LINK_HOLDER: Viewer = Viewer {
        relation: Relation::None,
        reads_channel: TriState::No,
        is_member: TriState::No,
        is_banned: false,
        is_bot: false,
        holds_link: true,
    };
}

/// How a person is tied to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Not at all.
    #[default]
    None,
    /// A seat, or one of a team, is kept for them, and the game has not ended.
    Invited,
    /// They hold a seat, alone or in a team, may come back to theirs, or opened the table. Of a study: it is theirs.
    Seated,
}

impl Relation {
    /// How a person is tied to a table.
    pub fn of(table: &Table, who: UserId) -> Relation {
        if table.concerns(who) || table.host() == who {
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

    /// The same by a table's card, for lists.
    pub fn of_card(card: &Card, who: UserId) -> Relation {
        if card.has(who) || card.host == Some(who) { Relation::Seated } else { Relation::None }
    }
}

/// Where a table belongs, as far as access depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Venue {
    /// A channel or thread of a server.
    Server,
    /// A direct message, or a place where the bot is only installed by a person: there is no server to be a member
    /// of.
    Direct,
    /// Nowhere: a position or record that somebody imported to look at alone.
    Study,
}

impl Venue {
    /// Where a table belongs.
    pub fn of(table: &Table) -> Venue {
        Venue::from_parts(table.is_imported(), table.terms().guild)
    }

    /// The same by its card.
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

/// Why somebody may not do something at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum AccessError {
    /// They may not know that there is such a table: to be worded like a name that no table has.
    #[error("no such table for this viewer")]
    NoSuchTable,
    /// Discord could not be asked whether they may see the table: to be worded like [`AccessError::NoSuchTable`].
    #[error("unknown for now whether this viewer may see the table")]
    SightUnknown,
    /// They are invited, but cannot read the table's channel.
    #[error("the table's channel is closed to the invited person")]
    ChannelClosed,
    /// They may see the table, but are no member of its server.
    #[error("not a member of the table's server")]
    NotMember,
    /// The server has banned them from the bot.
    #[error("banned on the table's server")]
    Banned,
    /// They hold a link, which is for looking only.
    #[error("a link only shows")]
    LinkOnly,
    /// A bot or webhook: it is given no answer.
    #[error("another bot")]
    Bot,
    /// They may see the table; Discord could not be asked whether they may join.
    #[error("unknown for now whether this viewer may join")]
    TryAgain,
}

/// Whether a viewer may do something at a table that belongs to a venue.
///
/// # Errors
/// Why not.
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

/// Whether a table may be named where many people read along: in a lobby, on a television, in a public list.
/// `readers_see` says whether everybody who reads there can read the table's channel as well.
///
/// # Errors
/// Why not.
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

/// A holder of a link to whom the table is not open otherwise.
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
