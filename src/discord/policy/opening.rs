//! Whether a person may open a table here for these players.

use futures_util::TryStreamExt;
use rookery_i18n::person;
use rookery_table::access::TriState;
use rookery_table::ports::{Filter, OpenTables, Stage};
use rookery_table::teams::TeamMembers;
use rookery_table::{Occupant, RoleId, Table, UserId, rated};

use crate::discord::policy::teams;
use crate::discord::state::context::Context;
use crate::discord::state::member_access::FRESH;
use crate::discord::wire::interaction::{Requester, missing};

/// Whether only the host and the bot are to play.
pub(in crate::discord) fn nobody_else(host: UserId, chairs: &[Occupant]) -> bool {
    chairs.iter().all(|chair| chair.person() == Some(host) || matches!(chair, Occupant::Ai { .. }))
}

/// Checks whether this channel and this person may have another table.
pub(in crate::discord) async fn may_play(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    chairs: &[Occupant],
) -> Result<(), String> {
    let (words, requester) = (ctx.words, requester.into());
    let missing: Vec<_> = missing(requester.place).into_iter().map(|key| words.word(key)).collect();
    if requester.place.ours && !missing.is_empty() {
        return Err(words.say("play-missing", &[("permissions", words.join(&missing).into())]));
    }
    if chairs.iter().all(|chair| matches!(chair, Occupant::Ai { .. })) {
        return may_watch(ctx, requester).await;
    }
    let alone = chairs.iter().all(|chair| chair.person().is_some() || matches!(chair, Occupant::Ai { .. }));
    if alone {
        return Ok(());
    }
    if requester.place.guild.is_none() && requester.place.ours {
        return Err(words.word("play-dm"));
    }
    let (mine, most) = (OpenTables::WaitingFor(requester.who), ctx.settings.open_per_person);
    let own = ctx.registry.journal().count_open(mine, most).await;
    let own = own.map_err(|error| words.table_error(&error.into(), None))?;
    if own >= most {
        return Err(words.say("play-too-many", &[("count", own.into())]));
    }
    Ok(())
}

/// Checks whether a game with these chairs can be rated here. On a server its managers decide. Where the bot
/// is only user-installed nobody does, because each player identifies themselves by their presses. Outside a
/// server with the bot a rated game needs a second person.
pub(in crate::discord) async fn may_rate(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    chairs: &[Occupant],
) -> Result<(), String> {
    let requester = requester.into();
    let server = ctx.registry.preferences_cache().server(requester.place.guild).await;
    let refused = match () {
        () if nobody_else(requester.who, chairs)
            && !(requester.place.ours && requester.place.guild.is_some()) =>
        {
            "play-rated-dm"
        }
        () if requester.place.ours && !server.rated => "play-rated-off",
        () if !rated::can_count(chairs) => "play-rated-chairs",
        () => return Ok(()),
    };
    Err(ctx.words.word(refused))
}

/// Checks whether another game without human players may run here.
async fn may_watch(ctx: &Context, requester: Requester<'_>) -> Result<(), String> {
    let most = usize::from(ctx.registry.preferences_cache().server(requester.place.guild).await.ai.shows);
    let channel = requester.place.guild.is_none().then_some(requester.place.channel);
    let running = Some(Stage::Running);
    let filter = Filter { guild: requester.place.guild, channel, stage: running, ..Filter::default() };
    let (mut cards, mut shows) = (ctx.registry.scan(&filter), 0);
    let unread = |denied| ctx.words.table_error(&denied, None);
    while let Some(card) = cards.try_next().await.map_err(unread)? {
        shows += usize::from(card.people.iter().all(Option::is_none));
    }
    if shows < most { Ok(()) } else { Err(ctx.words.say("play-too-many-shows", &[("count", most.into())])) }
}

/// Refuses teams with people who cannot read the channel in which the game is opened, because they would
/// otherwise see it. Where the bot is not a member of the server, Discord cannot be asked.
///
/// # Errors
/// The sentence that names them.
pub(in crate::discord) async fn readers_only<'a>(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    all_members: impl Iterator<Item = &'a TeamMembers>,
) -> Result<(), String> {
    let requester = requester.into();
    let Some(guild) = requester.place.guild.filter(|_| requester.place.ours) else { return Ok(()) };
    let mut outside = Vec::new();
    for who in all_members.flat_map(TeamMembers::named).filter(|who| **who != requester.who) {
        let reader = ctx.reader((guild, requester.place.channel), *who, None, FRESH).await;
        if reader.reads != TriState::Yes && !outside.contains(who) {
            outside.push(*who);
        }
    }
    if outside.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = outside.into_iter().map(person).collect();
    Err(ctx.words.say("team-outside", &[("people", ctx.words.join(&named).into())]))
}

/// Builds a note for the host about teams whose role isn't pinged, because the host may not mention it or
/// because Discord doesn't let the bot.
pub(in crate::discord) async fn unpinged_roles_note(
    ctx: &Context,
    requester: impl Into<Requester<'_>>,
    table: &Table,
) -> Option<String> {
    let requester = requester.into();
    let (pinged, silent): (Vec<RoleId>, Vec<RoleId>) =
        table.terms().team_roles().into_iter().partition(|role| table.pings_role(*role));
    let told = [teams::not_pinged(ctx, &silent), teams::unpinged_roles_note(ctx, requester, &pinged).await];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join("\n"))
}
