//! `/play`: opens a table.

use std::sync::Arc;

use async_trait::async_trait;
use rookery_core::rules::{GameInfo, OptionSpec};
use rookery_i18n::Localizer;
use rookery_table::commitment::SeedCommitment;
use rookery_table::rated;
use rookery_table::sets::InSet;
use rookery_table::{ChannelId, GuildId, Occupant, Status, Table, Terms};

use super::command::Command;
use super::open_table::{CLOCK, FirstPlayer, OpenTable, PIE, PlayPlace, SetLength, offered, own_options};
use super::play_input::PlayInput;
use super::{challenge_menu, clock_option, play_choices, seating, team_option};
use crate::discord::actions::board_link::with_board_link;
use crate::discord::policy::bans;
use crate::discord::policy::opening;
use crate::discord::policy::opening::{may_play, may_rate, nobody_else};
use crate::discord::policy::server_rules;
use crate::discord::policy::teams::pingable;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{FocusedOption, Interaction, InteractionChannel, can_thread};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The option of games with layouts: a named layout, or custom rows.
pub(in crate::discord) const LAYOUT: &str = "layout";

pub(super) struct Play;

#[async_trait]
impl Command for Play {
    type Input = PlayInput;

    fn name(&self) -> &'static str {
        "play"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: PlayInput) -> OutgoingMessage {
        match (&input.request, input.opponent) {
            (None, Some((opponent, is_bot))) => challenge_menu::run(ctx, opponent, is_bot),
            (None, None) => ctx.view().start_panel(),
            (Some(request), _) if request.names_opponents() => {
                open_table_and_link(ctx, interaction, request).await
            }
            (Some(request), _) => {
                play_choices::ask_for_opponent(ctx, interaction, &request.game, input.chosen).await
            }
        }
    }

    async fn complete(
        &self,
        ctx: &Context,
        _: &Interaction,
        focus: &FocusedOption,
        input: Option<PlayInput>,
    ) -> Vec<String> {
        let (name, typed) = (focus.name.as_str(), focus.typed.as_str());
        if name == CLOCK {
            return clock_option::complete(ctx.words, typed);
        }
        let game = input
            .and_then(|input| input.request)
            .and_then(|request| rookery_games::named(&request.game))
            .map(|game| game.info());
        if let Some(info) = game.filter(|info| lacks(info, name)) {
            // An empty list would look broken. This choice is offered instead; it is refused with the reason.
            let args = [("game", ctx.words.game_short(info.key).into()), ("option", name.into())];
            return vec![ctx.words.say("play-lacks-option", &args)];
        }
        values(game, name, typed)
    }
}

/// Whether only other games have an option.
fn lacks(info: &GameInfo, name: &str) -> bool {
    own_options().contains_key(name) && !info.options.iter().any(|option| option.key == name)
}

/// Whether a layout is written as rows: no named layout has a digit or a dot in its name.
fn is_rows(text: &str) -> bool {
    text.contains(|sign: char| sign.is_ascii_digit() || sign == '.')
}

/// Returns the values of a game's option that fit the typed text, and the text itself if it is valid.
fn values(game: Option<&GameInfo>, name: &str, typed: &str) -> Vec<String> {
    let typed = typed.trim().to_lowercase();
    let of_game = |spec: &&&OptionSpec| {
        game.is_none_or(|info| {
            info.options.iter().any(|own| own.key == spec.key && std::ptr::eq(own, **spec))
        })
    };
    let all = own_options();
    let specs = all.get(name).map(Vec::as_slice).unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    for spec in specs.iter().filter(of_game) {
        found.extend(offered(&spec.allowed));
        if !typed.is_empty() && spec.allowed.accepts(&typed) {
            found.insert(0, typed.clone());
        }
    }
    let mut once: Vec<String> = Vec::new();
    found.retain(|value| {
        value.starts_with(&typed) && !once.contains(value) && {
            once.push(value.clone());
            true
        }
    });
    found
}

/// Opens a table as a message asks, or asks for the opponent if it names none; returns the answer.
pub(in crate::discord) async fn open_or_ask(
    ctx: &Context,
    interaction: &Interaction,
    input: PlayInput,
) -> OutgoingMessage {
    match input.request {
        Some(request) if request.names_opponents() => open_table(ctx, interaction, &request).await,
        Some(request) => play_choices::ask_for_opponent(ctx, interaction, &request.game, input.chosen).await,
        None => ctx.view().start_panel(),
    }
}

/// Opens a table; returns the answer. A person who is banned on the server cannot open one.
pub(in crate::discord) async fn open_table(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
) -> OutgoingMessage {
    match try_open(ctx, interaction, request).await {
        Ok(table) => answer(ctx, interaction, &table).await,
        Err(refusal) => *refusal,
    }
}

/// Opens a table; the answer links to the game's channel. For answers that do not keep other events waiting.
async fn open_table_and_link(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
) -> OutgoingMessage {
    open_and_link(ctx, interaction, request).await.unwrap_or_else(|refusal| *refusal)
}

/// Opens a table; the answer links to the game's channel.
///
/// # Errors
/// The refusal, if no table was opened.
pub(in crate::discord) async fn open_and_link(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
) -> Result<OutgoingMessage, Box<OutgoingMessage>> {
    let table = try_open(ctx, interaction, request).await?;
    let post = answer(ctx, interaction, &table).await;
    Ok(with_board_link(ctx, interaction, &table, post).await)
}

async fn try_open(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
) -> Result<Arc<Table>, Box<OutgoingMessage>> {
    if let Some(refusal) = bans::refuse_banned_opening(ctx, interaction).await {
        return Err(Box::new(refusal));
    }
    open(ctx, interaction, request).await.map_err(|sentence| Box::new(OutgoingMessage::text(sentence)))
}

async fn answer(ctx: &Context, interaction: &Interaction, table: &Table) -> OutgoingMessage {
    let mut post = ctx.with_short_search_notice(table, opened(ctx.words, table, interaction.place));
    if let Some(line) = opening::unpinged_roles_note(ctx, interaction, table).await {
        post.content = format!("{} {line}", post.content);
    }
    post
}

async fn open(ctx: &Context, interaction: &Interaction, request: &OpenTable) -> Result<Arc<Table>, String> {
    let words = ctx.words;
    let game = request.game.as_str();
    let info = rookery_games::named(game).map(|game| game.info());
    let info = info.ok_or_else(|| words.no_such_game(game))?;
    let level = seating::level(ctx, interaction, request, info.key).await;
    let seating_request = seating::parse_request(ctx, interaction, request, info, level)?;
    let sides = team_option::parse_teams(words, interaction, request)?;
    let seating_request = match &sides {
        Some(sides) if sides.is_everyone_alone() => seating_request.against_program(),
        Some(sides) => seating_request.against(sides.kept()),
        None => seating_request,
    };
    sides.iter().try_for_each(|sides| team_option::check_disjoint(words, sides, seating_request.guests()))?;
    opening::readers_only(ctx, interaction, sides.iter().flat_map(team_option::TeamSetup::all_members))
        .await?;
    let own_seed = request.seed.and_then(|seed| u64::try_from(seed).ok());
    let seed = own_seed.unwrap_or_else(|| ctx.registry.seed());
    let chairs = seating::chairs(&seating_request, interaction.who, info, seed);
    let sits = |chairs: &Vec<Occupant>| chairs.contains(&Occupant::Human { person: interaction.who });
    let chairs = chairs.filter(|chairs| sides.is_none() || sits(chairs));
    let chairs = chairs.ok_or_else(|| words.word("play-no-seat"))?;
    let alone = sides.is_none() && nobody_else(interaction.who, &chairs);
    may_play(ctx, interaction, &chairs).await?;
    server_rules::allowed(ctx, interaction, &chairs).await?;
    if request.rated {
        may_rate(ctx, interaction, &chairs).await?;
    }
    let server = ctx.registry.preferences_cache().server(interaction.place.guild).await;
    let clock = clock_option::parse_clock(words, request, server.clock.as_deref())?;
    let commitment =
        Some(Box::new(SeedCommitment::requested(own_seed.is_some(), seating_request.by_chance())));
    let kept = seating_request.kept_seats(&chairs, interaction.who);
    let (teams, reserved_seats) = sides.map(|sides| sides.seated(&kept)).unwrap_or_default();
    let set = set(words, request, &chairs)?;
    let venue = venue(ctx, interaction, request, alone).await?;
    let terms =
        Terms { commitment, clock, teams, reserved_seats, set, ..terms(ctx, request, info, seed, venue)? };
    let pingable_roles = pingable(ctx, interaction, terms.team_roles()).await;
    let terms = Terms { pingable_roles, ..terms };
    let seen = ctx.registry.open(terms, interaction.who, chairs, Some(interaction.token.id)).await;
    seen.map(|seen| seen.table).map_err(|denied| words.table_error(&denied, None))
}

/// Returns the position in a set, if one is requested; only two players can swap seats.
fn set(words: &Localizer, request: &OpenTable, chairs: &[Occupant]) -> Result<Option<InSet>, String> {
    match request.set {
        Some(SetLength::Two) if chairs.len() == 2 => Ok(Some(InSet::First)),
        Some(SetLength::Two) => Err(words.word("play-set-seats")),
        Some(SetLength::One) | None => Ok(None),
    }
}

/// Where a game is played.
struct Venue {
    guild: Option<GuildId>,
    channel: ChannelId,
    thread: bool,
    user_install: bool,
}

/// Returns the chosen place. Where the bot is only user-installed it cannot post: a game there is a single
/// message that is edited, and a game without other people is played in direct messages with the bot unless
/// the person chooses the channel.
async fn venue(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
    alone: bool,
) -> Result<Venue, String> {
    let (place, words) = (interaction.place, ctx.words);
    let (dm, here) = (request.place == Some(PlayPlace::Dm), request.place == Some(PlayPlace::Here));
    if !dm && place.ours {
        let threads = ctx.registry.preferences_cache().server(place.guild).await.threads;
        let thread = !here && threads && can_thread(place);
        return Ok(Venue { guild: place.guild, channel: place.channel, thread, user_install: false });
    }
    if !place.ours && !dm && (!alone || here) {
        // The bot is not on that server, so the game does not count as one of its games.
        return Ok(Venue { guild: None, channel: place.channel, thread: false, user_install: true });
    }
    if !alone {
        return Err(words.word("play-dm-alone"));
    }
    let channel = ctx.dm_for_games(interaction.who, Some(place.channel), interaction.token.id).await?;
    Ok(Venue { guild: None, channel, thread: false, user_install: false })
}

fn terms(
    ctx: &Context,
    request: &OpenTable,
    info: &GameInfo,
    seed: u64,
    venue: Venue,
) -> Result<Terms, String> {
    // An option of another game is passed on, so that the game refuses it by name.
    let mut options = request.options.clone();
    let layout = options.get(LAYOUT).filter(|text| info.has_layout && is_rows(text)).cloned();
    if layout.is_some() {
        options.remove(LAYOUT);
    }
    if request.first == Some(FirstPlayer::Pie) {
        if !info.options.iter().any(|option| option.key == PIE) {
            return Err(ctx.words.word("play-no-pie"));
        }
        options.insert(PIE.to_owned(), "on".to_owned());
    }
    let terms = Terms {
        game: info.key.to_owned(),
        options,
        seed,
        layout,
        guild: venue.guild,
        channel: venue.channel,
        thread: venue.thread,
        user_install: venue.user_install,
        rated: request.rated,
        settle: request.settle,
        ..Terms::default()
    };
    let counts = !terms.rated || rated::starts_even(&terms);
    counts.then_some(terms).ok_or_else(|| ctx.words.word("play-rated-start"))
}

/// Returns the sentence key for the next step at a new table. In a thread all players are pinged. In a
/// channel the board pings only the player who begins; players who take a seat before the last one are not
/// pinged.
fn next_step_key(table: &Table) -> &'static str {
    let is_invited = |chair: &&Occupant| matches!(chair, Occupant::Invited { .. });
    let absent = table.chairs().iter().filter(|chair| is_invited(chair) || **chair == Occupant::Open).count();
    match table.status() {
        Status::Waiting if !table.terms().thread => "play-opened-here",
        Status::Waiting if absent > 1 => "play-opened-filling",
        Status::Waiting if table.chairs().iter().any(|chair| is_invited(&chair)) => "play-invited-waiting",
        Status::Waiting => "play-opened-waiting",
        _ => "play-opened-running",
    }
}

/// Builds the answer to the host of a new table.
pub(super) fn opened(words: &Localizer, table: &Table, place: InteractionChannel) -> OutgoingMessage {
    let args = [("table", table.id().to_string().into()), ("next", words.word(next_step_key(table)).into())];
    let text = words.say("play-opened", &args);
    if table.is_user_install() {
        return OutgoingMessage::text(format!("{text}\n{}", words.word("play-brought")));
    }
    if table.terms().guild != place.guild || !place.ours {
        return OutgoingMessage::text(format!("{text}\n{}", words.word("play-in-dm")));
    }
    if table.terms().thread || place.guild.is_none() || place.thread || can_thread(place) {
        return OutgoingMessage::text(text);
    }
    let lacking = ["permission-threads-make", "permission-threads-send"].map(|key| words.word(key));
    let no_thread = words.say("play-no-thread", &[("permissions", words.join(&lacking).into())]);
    OutgoingMessage::text(format!("{text}\n{no_thread}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amazons() -> &'static GameInfo {
        rookery_games::named("amazons").unwrap().info()
    }

    #[test]
    fn an_option_offers_what_its_game_allows() {
        assert_eq!(values(Some(amazons()), "size", ""), ["10x10", "8x8", "6x6"]);
        assert_eq!(values(Some(amazons()), "size", "5x7"), ["5x7"]);
        assert_eq!(values(Some(amazons()), "size", "99x99"), Vec::<String>::new());
    }

    #[test]
    fn layout_rows_are_distinguished_from_layout_names() {
        let specs = own_options().remove(LAYOUT).unwrap();
        let ways = specs.iter().flat_map(|spec| offered(&spec.allowed));
        assert_eq!(ways.filter(|way| is_rows(way)).count(), 0);
        assert!(is_rows("123/231") && is_rows("...1"));
    }
}
