//! Who belongs to a team of a role or of everyone, by the roles that Discord sends with each interaction. A
//! person who acts on another server is looked up on the table's server; where the bot is not a member,
//! nobody belongs to such a team.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::TryStreamExt;
use rookery_core::Seat;
use rookery_table::ports::{Filter, Stage};
use rookery_table::teams::{Team, TeamMembers};
use rookery_table::{Actor, ChannelId, GuildId, Occupant, Order, OutboxItem, RoleId, Table, UserId};

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::interaction::{Interaction, Requester, may_mention_all_roles};

/// The most roles named in one note: nobody reads a longer list.
const MAX_NAMED_ROLES: usize = 20;

/// The person who acts, with the facts that teams and access depend on.
#[derive(Clone, Copy, Debug)]
pub struct Caller<'a> {
    /// The Discord user id of the person.
    pub who: UserId,
    /// The server on which they act.
    pub guild: Option<GuildId>,
    /// The channel in which they act.
    pub channel: ChannelId,
    /// Whether they may write there.
    pub writes: bool,
    /// Their roles on that server; `None` if unknown.
    pub roles: Option<&'a [RoleId]>,
}

impl<'a> From<&'a Interaction> for Caller<'a> {
    fn from(interaction: &'a Interaction) -> Caller<'a> {
        let (guild, channel) = (interaction.place.guild, interaction.place.channel);
        Caller {
            who: interaction.who,
            guild,
            channel,
            writes: interaction.writes,
            roles: interaction.roles.as_deref(),
        }
    }
}

impl<'a> From<Requester<'a>> for Caller<'a> {
    fn from(requester: Requester<'a>) -> Caller<'a> {
        let Requester { who, place, roles, writes, .. } = requester;
        Caller { who, guild: place.guild, channel: place.channel, writes, roles }
    }
}

impl<'a> From<&'a IncomingMessage> for Caller<'a> {
    fn from(incoming: &'a IncomingMessage) -> Caller<'a> {
        let (who, roles) = (incoming.who, incoming.roles.as_deref());
        Caller { who, guild: incoming.guild, channel: incoming.channel, writes: true, roles }
    }
}

impl<'a> Caller<'a> {
    /// Creates a caller with no known facts but the person.
    pub(in crate::discord) fn elsewhere(who: UserId) -> Caller<'a> {
        Caller { who, guild: None, channel: ChannelId(0), writes: false, roles: None }
    }

    /// Whether the person belongs to these members.
    fn is_of(&self, table: &Table, members: &TeamMembers) -> bool {
        match members {
            TeamMembers::Everyone => self.writes && is_there(table, self.channel),
            TeamMembers::Role { role } => self.roles.is_some_and(|roles| roles.contains(role)),
            TeamMembers::Named { people } => people.contains(&self.who),
        }
    }

    /// Removes roles that do not count at a table, because they are of another server.
    fn here(self, table: &Table) -> Caller<'a> {
        let terms = table.terms();
        let at_home =
            if terms.user_install { self.channel == terms.channel } else { self.guild == terms.guild };
        Caller { roles: self.roles.filter(|_| at_home), ..self }
    }
}

/// Returns the table with the person enlisted in their team: from their first action until they lose its
/// role.
pub async fn enlisted(ctx: &Context, table: Arc<Table>, caller: Caller<'_>) -> Arc<Table> {
    let caller = caller.here(&table);
    let looked_up = roles(ctx, &table, caller).await;
    let caller = Caller { roles: caller.roles.or(looked_up.as_deref()), ..caller };
    let table = match lost_role_team(&table, caller) {
        Some(captain) => {
            with_known_members(ctx, table, Order::RemoveMember { person: caller.who, captain }).await
        }
        None => table,
    };
    match team_of(&table, caller).map(|team| team.captain) {
        Some(captain) => {
            with_known_members(ctx, table, Order::AddMember { person: caller.who, captain }).await
        }
        None => table,
    }
}

/// Returns the order for a press on Join: take a free seat, or lead a team of theirs whose seat is reserved.
///
/// # Errors
/// The people for whom the free seats are reserved, as a sentence.
pub fn join_order(ctx: &Context, table: &Table, caller: Caller<'_>) -> Result<Order, String> {
    let caller = caller.here(table);
    let is_invited = table.chairs().contains(&Occupant::Invited { person: caller.who });
    let mut theirs =
        table.reserved_seats().filter(|reserved_seat| caller.is_of(table, &reserved_seat.members));
    match theirs.next().filter(|_| !is_invited) {
        Some(reserved_seat) => Ok(Order::Lead { seat: reserved_seat.seat }),
        None if is_invited || table.has_free_seat() || table.reserved_seats().next().is_none() => {
            Ok(Order::Join)
        }
        None => Err(ctx.words.reserved_for(table)),
    }
}

/// Whether the person plays a seat, including team members whom the table does not know yet.
pub fn plays(table: &Table, seat: Seat, caller: Caller<'_>) -> bool {
    let theirs = team_of(table, caller.here(table)).zip(table.team(seat));
    table.plays_for(seat, caller.who) || theirs.is_some_and(|(theirs, its)| theirs.captain == its.captain)
}

/// Whether the person belongs to a team, but the table does not know it yet.
pub fn is_new(table: &Table, caller: Caller<'_>) -> bool {
    team_of(table, caller.here(table)).is_some()
}

/// Returns the turn for which a team member's move is meant, if the message replies to a board or the state
/// of a vote: another member may have moved meanwhile.
pub async fn meant(ctx: &Context, incoming: &IncomingMessage, table: &Table) -> Option<usize> {
    table.team_to_move()?;
    let answered = ctx.registry.journal().posted_item(incoming.answers?).await.ok()??;
    match answered {
        (id, Some(OutboxItem::Board { ply } | OutboxItem::Tally { ply, .. })) if id == table.id() => {
            Some(ply)
        }
        _ => None,
    }
}

/// Names the roles that Discord does not let the bot ping in the person's channel, with the setting that
/// allows it; `None` if there are none.
pub async fn unpinged_roles_note(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    roles: &[RoleId],
) -> Option<String> {
    let Requester { place, .. } = requester.into();
    let guild = place.guild.filter(|_| place.ours && !may_mention_all_roles(place))?;
    if roles.is_empty() {
        return None;
    }
    // A failed lookup is no reason for a warning.
    let known = ctx.api.roles(guild).await.ok()?;
    let silent = roles.iter().filter(|role| known.iter().any(|one| one.is_silent(**role)));
    let silent: Vec<String> = silent.take(MAX_NAMED_ROLES).map(|role| rookery_i18n::role(*role)).collect();
    let told = || ctx.words.say("team-uncalled", &[("roles", ctx.words.join(&silent).into())]);
    (!silent.is_empty()).then(told)
}

/// Returns the roles that the person may mention in this channel, because the bot pings no others for them;
/// none for a person who may not write there.
pub async fn pingable(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    mut roles: Vec<RoleId>,
) -> Vec<RoleId> {
    let requester = requester.into();
    if !requester.writes {
        return Vec::new();
    }
    if roles.is_empty() || requester.mentions_all {
        return roles;
    }
    let Some(guild) = requester.place.guild else { return Vec::new() };
    match ctx.api.roles(guild).await {
        Ok(known) => {
            roles.retain(|role| !known.iter().any(|one| one.is_silent(*role)));
            roles
        }
        Err(fault) => {
            tracing::info!(%fault, "could not look up mentionable roles; none is pinged");
            Vec::new()
        }
    }
}

/// A note about roles that aren't pinged because the person may not mention them; `None` if there are none.
pub fn not_pinged(ctx: &Context, roles: &[RoleId]) -> Option<String> {
    let named: Vec<String> =
        roles.iter().take(MAX_NAMED_ROLES).map(|role| rookery_i18n::role(*role)).collect();
    (!named.is_empty()).then(|| ctx.words.say("team-not-pinged", &[("roles", ctx.words.join(&named).into())]))
}

/// Returns the roles with which people play in the open and running games of a server, each once.
pub async fn roles_in_play(ctx: &Context, guild: GuildId) -> Vec<RoleId> {
    let filter = Filter { guild: Some(guild), unfinished: true, ..Filter::default() };
    let mut roles = BTreeSet::new();
    let mut cards = ctx.registry.scan(&filter);
    while let Ok(Some(card)) = cards.try_next().await {
        roles.extend(card.teams.iter().filter_map(|team| team.members.role()));
        // Only the table itself knows teams without a captain.
        if card.stage == Stage::Waiting
            && let Ok(table) = ctx.registry.table(card.id).await
        {
            roles.extend(table.reserved_seats().filter_map(|reserved_seat| reserved_seat.members.role()));
        }
    }
    roles.into_iter().collect()
}

/// Enlists or removes a team member and returns the table. If the order fails, the table stays as it was.
async fn with_known_members(ctx: &Context, table: Arc<Table>, order: Order) -> Arc<Table> {
    match ctx.registry.order(table.id(), Actor::System, order, None).await {
        Ok(seen) => seen.table,
        Err(denied) => {
            // The table itself answers people who do not play.
            tracing::info!(table = %table.id(), %denied, "could not record a team's members");
            table
        }
    }
}

/// Looks up the roles of a person whose own do not count at a table; `None` if they do, if roles do not
/// matter, or if the lookup fails.
async fn roles(ctx: &Context, table: &Table, caller: Caller<'_>) -> Option<Vec<RoleId>> {
    table.to_move()?;
    let by_role = table.sides().iter().any(|team| matches!(team.members, TeamMembers::Role { .. }));
    let guild = table.terms().guild.filter(|_| by_role && caller.roles.is_none())?;
    match ctx.api.roles_of(guild, caller.who).await {
        Ok(roles) => Some(roles),
        Err(DiscordError::NotFound { .. }) => Some(Vec::new()),
        Err(fault) => {
            tracing::info!(table = %table.id(), %fault, "could not look up a person's roles");
            None
        }
    }
}

/// Returns the captain of the team in which the person plays by a role that they no longer have.
fn lost_role_team(table: &Table, caller: Caller<'_>) -> Option<UserId> {
    table.to_move()?;
    let seat = table.seat_of(caller.who).filter(|seat| !table.is_holder_of(*seat, caller.who))?;
    let team = table.team(seat).filter(|team| matches!(team.members, TeamMembers::Role { .. }))?;
    // Without known facts it is also unknown whether they have lost it.
    (caller.roles.is_some() && !caller.is_of(table, &team.members)).then_some(team.captain)
}

/// Returns the team to which the person belongs without the table's knowledge: the one to move takes
/// precedence, and a team of a role over one of everyone.
fn team_of<'a>(table: &'a Table, caller: Caller<'_>) -> Option<&'a Team> {
    let turn = table.to_move()?;
    let theirs = table.open_teams(caller.who).filter(|team| caller.is_of(table, &team.members));
    theirs.min_by_key(|team| {
        let waits = table.team(turn).is_some_and(|its| its.captain == team.captain);
        (team.members == TeamMembers::Everyone, !waits)
    })
}

/// Whether the table is played, or was opened, in a channel.
fn is_there(table: &Table, channel: ChannelId) -> bool {
    table.terms().channel == channel
        || table.board_channel().is_some_and(|board_channel| board_channel.channel == channel)
}
