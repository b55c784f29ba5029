//! Finds the table that a person means if they name none.

mod completion;
mod question;

use std::sync::Arc;

use futures_util::TryStreamExt;
use rookery_i18n::quoted;
use rookery_table::access::Action;
use rookery_table::ports::{Card, Filter, Stage, walk_pages};
use rookery_table::{ChannelId, GuildId, Table, TableError, TableId, UserId};

use crate::discord::policy::teams::Caller;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::InteractionChannel;
use crate::discord::wire::outgoing_message::OutgoingMessage;

pub use completion::complete;
use question::ask_back;

/// The purpose for which a table is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablePurpose {
    /// To look at it: other people's games count as well.
    See,
    /// To see its board, like [`TablePurpose::See`]: of several games one is chosen with a button.
    Board,
    /// To act: the person's own games come first.
    Act,
    /// To answer yes or no: a table that asks the person comes before all others.
    Answer,
    /// To answer a text that is no move and no command; looked up like [`TablePurpose::Act`].
    Talk,
    /// To step through it: a finished game if none is running.
    Replay,
    /// To analyse a finished game.
    Review,
    /// To watch a game in which the person does not play.
    Watch,
    /// To stop watching a game.
    Unwatch,
}

impl TablePurpose {
    /// Returns the action for which access is checked.
    fn action(self) -> Action {
        match self {
            TablePurpose::See
            | TablePurpose::Board
            | TablePurpose::Replay
            | TablePurpose::Review
            | TablePurpose::Watch
            | TablePurpose::Unwatch => Action::See,
            TablePurpose::Act | TablePurpose::Answer | TablePurpose::Talk => Action::Act,
        }
    }
}

/// Where a person asks for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// The channel, thread or DM.
    pub channel: ChannelId,
    /// The server, unless in a DM.
    pub guild: Option<GuildId>,
}

impl From<InteractionChannel> for Location {
    fn from(place: InteractionChannel) -> Location {
        Location { channel: place.channel, guild: place.guild }
    }
}

/// Finds the table that a person means in a channel: the one they name, otherwise the one of the thread,
/// otherwise their own there, otherwise the only one that fits.
///
/// # Errors
/// A question to the person, or the refusal.
pub async fn find_table(
    ctx: &Context,
    caller: Caller<'_>,
    location: Location,
    named: Option<&str>,
    purpose: TablePurpose,
) -> Result<Arc<Table>, Box<OutgoingMessage>> {
    let id = match named {
        Some(text) => named_table(ctx, text)?,
        None => meant(ctx, caller.who, location, purpose).await?,
    };
    ctx.open_table(caller, id, purpose.action()).await
}

fn named_table(ctx: &Context, text: &str) -> Result<TableId, Box<OutgoingMessage>> {
    let words = ctx.words;
    text.parse().map_err(|_| {
        Box::new(OutgoingMessage::text(words.say("which-no-table", &[("text", quoted(text).into())])))
    })
}

async fn meant(
    ctx: &Context,
    who: UserId,
    location: Location,
    purpose: TablePurpose,
) -> Result<TableId, Box<OutgoingMessage>> {
    let near = near(ctx, who, location, purpose).await;
    let near =
        near.map_err(|denied| Box::new(OutgoingMessage::text(ctx.words.table_error(&denied, None))))?;
    match choose(&near, who, purpose) {
        Ok(table) => Ok(table),
        Err(why) => Err(Box::new(ask_back(ctx, &why, purpose).await)),
    }
}

/// The most finished games that are considered.
const LATEST_OVER: usize = 100;

/// The tables that a person may mean, each list with the latest first.
#[derive(Default)]
struct CandidateTables {
    /// The unfinished tables of the channel; if there are none, the latest finished one.
    here: Vec<Card>,
    /// Other people's running games in threads of the channel.
    in_threads: Vec<Card>,
    /// The person's own unfinished tables.
    own_tables: Vec<Card>,
    /// The finished games of the channel.
    finished_here: Vec<Card>,
    /// The person's own finished games.
    over: Vec<Card>,
    /// The tables that the person watches.
    watched: Vec<TableId>,
}

async fn near(
    ctx: &Context,
    who: UserId,
    location: Location,
    purpose: TablePurpose,
) -> Result<CandidateTables, TableError> {
    let in_channel = Filter { channel: Some(location.channel), ..Filter::default() };
    let of_theirs = Filter { person: Some(who), ..Filter::default() };
    let unfinished = Filter { unfinished: true, ..in_channel.clone() };
    let mut here: Vec<Card> = ctx.registry.latest(&unfinished).try_collect().await?;
    if here.is_empty() {
        here = ctx.registry.list(&in_channel, 1).await?;
    }
    let unfinished = Filter { unfinished: true, ..of_theirs.clone() };
    let own_tables = ctx.registry.latest(&unfinished).try_collect().await?;
    let mut near = CandidateTables { here, own_tables, ..CandidateTables::default() };
    if purpose == TablePurpose::Unwatch {
        near.watched = watched(ctx, who).await?;
    } else if !matches!(purpose, TablePurpose::Act | TablePurpose::Answer | TablePurpose::Talk)
        && !near.here.iter().any(|card| own_thread(&card))
    {
        // A game's own thread settles which game is meant. Elsewhere permissions are looked up, which takes a
        // while.
        near.in_threads = tables_in_threads(ctx, who, location).await?;
    }
    if matches!(purpose, TablePurpose::Replay | TablePurpose::Review) {
        near.finished_here = over(ctx, in_channel).await?;
        near.over = over(ctx, of_theirs).await?;
    }
    Ok(near)
}

/// Returns other people's running games in threads of a channel that may be listed there.
async fn tables_in_threads(ctx: &Context, who: UserId, location: Location) -> Result<Vec<Card>, TableError> {
    let Some(guild) = location.guild else { return Ok(Vec::new()) };
    let running = Filter { guild: Some(guild), stage: Some(Stage::Running), ..Filter::default() };
    let (mut cards, mut under) = (ctx.registry.latest(&running), Vec::new());
    while let Some(card) = cards.try_next().await? {
        let hangs = own_thread(&&card) && card.opened_in == Some(location.channel);
        if hangs && !card.has(who) && ctx.may_list(&card, location.channel).await {
            under.push(card);
        }
    }
    Ok(under)
}

/// Returns the latest finished games: older ones are not meant unless they are named. A game without a move does not
/// count.
async fn over(ctx: &Context, filter: Filter) -> Result<Vec<Card>, TableError> {
    let cards = ctx.registry.list(&Filter { stage: Some(Stage::Over), ..filter }, LATEST_OVER).await?;
    Ok(cards.into_iter().filter(|card| card.ply > 0).collect())
}

async fn watched(ctx: &Context, who: UserId) -> Result<Vec<TableId>, TableError> {
    let follows = ctx.registry.journal().follows();
    let watched = walk_pages(|page| follows.watched_by(who, page)).try_collect().await;
    watched.map_err(|error| TableError::Store(error.to_string()))
}

/// Why it is unclear which table is meant.
#[derive(Debug, PartialEq, Eq)]
enum LookupError {
    None,
    Several(Vec<TableId>),
}

/// Chooses the table: the first place with a fitting table decides; places further away are then ignored,
/// even if they have only one.
fn choose(near: &CandidateTables, who: UserId, purpose: TablePurpose) -> Result<TableId, LookupError> {
    let running = |card: &&Card| card.stage == Stage::Running;
    let in_thread: Vec<_> = near.here.iter().filter(own_thread).collect();
    let others: Vec<_> = near.here.iter().filter(running).collect();
    let (seated_here, strangers): (Vec<_>, Vec<_>) = others.iter().copied().partition(|card| card.has(who));
    // Of several games in a game's own thread the newest is meant: one without a thread of its own.
    if !in_thread.is_empty()
        && !matches!(purpose, TablePurpose::Review | TablePurpose::Watch | TablePurpose::Unwatch)
        && let Some(newest) = seated_here.iter().min_by_key(|card| own_thread(card))
    {
        return Ok(newest.id);
    }
    let elsewhere: Vec<_> = near.own_tables.iter().filter(|card| card.stage != Stage::Over).collect();
    let going_on: Vec<_> = elsewhere.iter().copied().filter(running).collect();
    let in_threads: Vec<_> = near.in_threads.iter().collect();
    if purpose == TablePurpose::Answer
        && in_thread.is_empty()
        && let Some(asking) = asking(near, who)
    {
        return asking;
    }
    let places = match purpose {
        TablePurpose::See | TablePurpose::Board => {
            vec![in_thread, seated_here, others, elsewhere, in_threads]
        }
        TablePurpose::Act | TablePurpose::Answer | TablePurpose::Talk => {
            vec![in_thread, seated_here, elsewhere, others]
        }
        TablePurpose::Replay => {
            vec![in_thread, seated_here, others, going_on, latest_over(near, who), in_threads, elsewhere]
        }
        TablePurpose::Review => {
            let of_thread: Vec<_> = near.finished_here.iter().filter(own_thread).take(1).collect();
            vec![of_thread, in_thread, latest_over(near, who), seated_here, others, elsewhere, in_threads]
        }
        // The person's own tables come last: the refusal then explains that players cannot watch.
        TablePurpose::Watch => vec![in_thread, strangers, in_threads, others],
        TablePurpose::Unwatch => vec![in_thread],
    };
    match places.iter().find(|place| !place.is_empty()) {
        Some(place) => one_of(place, who),
        None if purpose == TablePurpose::Unwatch => only(&near.watched),
        None => near.here.first().map(|card| card.id).ok_or(LookupError::None),
    }
}

/// Returns the only table that waits for the person's answer, in the first place with one; `None` if there is
/// none. With several, none is guessed: the answer may differ between them.
fn asking(near: &CandidateTables, who: UserId) -> Option<Result<TableId, LookupError>> {
    let asks = |cards: &[Card]| -> Vec<TableId> {
        cards.iter().filter(|card| card.asked.contains(&who)).map(|card| card.id).collect()
    };
    let found = [asks(&near.here), asks(&near.own_tables)].into_iter().find(|found| !found.is_empty())?;
    Some(if let [only] = found[..] { Ok(only) } else { Err(LookupError::Several(found)) })
}

/// Whether the boards are in the game's own thread.
pub(super) fn own_thread(card: &&Card) -> bool {
    card.board_channel.is_some_and(|board_channel| board_channel.thread)
}

/// Returns the latest finished game: the person's own here, otherwise their own elsewhere, otherwise one of
/// others here.
fn latest_over(near: &CandidateTables, who: UserId) -> Vec<&Card> {
    let own_here = near.finished_here.iter().find(|card| card.has(who));
    own_here.or(near.over.first()).or(near.finished_here.first()).into_iter().collect()
}

/// Returns the only table of several, otherwise the only running one, otherwise the only one that waits for
/// the person.
fn one_of(place: &[&Card], who: UserId) -> Result<TableId, LookupError> {
    let running: Vec<_> = place.iter().copied().filter(|card| card.stage == Stage::Running).collect();
    let waits: Vec<_> = running.iter().copied().filter(|card| card.waits_on(who)).collect();
    let only = [place, &running, &waits].into_iter().find(|found| found.len() == 1);
    let asked_about = if running.is_empty() { place } else { &running };
    only.map(|found| found[0].id)
        .ok_or_else(|| LookupError::Several(asked_about.iter().map(|card| card.id).collect()))
}

fn only(tables: &[TableId]) -> Result<TableId, LookupError> {
    match tables {
        [] => Err(LookupError::None),
        [only] => Ok(*only),
        several => Err(LookupError::Several(several.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_table::millis;

    const ADA: UserId = UserId(1);
    const BEN: UserId = UserId(2);

    fn card(id: &str, stage: Stage, waits_for: UserId) -> Card {
        Card {
            id: id.parse().unwrap(),
            game: "amazons".into(),
            stage,
            ply: 0,
            guild: None,
            board_channel: None,
            people: vec![Some(ADA), Some(BEN)],
            programs: Vec::new(),
            imported: false,
            opened_in: None,
            gone: Vec::new(),
            host: Some(ADA),
            waits_for: Some(waits_for),
            to_move: None,
            asked: Vec::new(),
            winners: Vec::new(),
            result: None,
            at: millis::timestamp(0),
            frozen_since: None,
            paused: false,
            set: None,
            rests: false,
            proof_owed: false,
            rated: None,
            next_due: None,
            timed: false,
            teams: Vec::new(),
            members: Vec::new(),
        }
    }

    fn near(here: &[Card], own_tables: &[Card]) -> CandidateTables {
        CandidateTables { here: here.to_vec(), own_tables: own_tables.to_vec(), ..CandidateTables::default() }
    }

    #[test]
    fn the_game_in_this_channel_comes_first() {
        let here = [card("K7Q2", Stage::Running, BEN)];
        let own_tables = [card("AAAA", Stage::Running, ADA), here[0].clone()];
        assert_eq!(choose(&near(&here, &own_tables), ADA, TablePurpose::Act), Ok(here[0].id));
    }

    #[test]
    fn of_several_the_one_that_waits_is_meant() {
        let own_tables = [card("AAAA", Stage::Running, BEN), card("BBBB", Stage::Running, ADA)];
        assert_eq!(choose(&near(&[], &own_tables), ADA, TablePurpose::Act), Ok(own_tables[1].id));
    }

    #[test]
    fn several_that_wait_are_asked_about() {
        let own_tables = [card("AAAA", Stage::Running, ADA), card("BBBB", Stage::Running, ADA)];
        let both = vec![own_tables[0].id, own_tables[1].id];
        assert_eq!(choose(&near(&[], &own_tables), ADA, TablePurpose::Act), Err(LookupError::Several(both)));
    }

    #[test]
    fn of_two_games_in_this_channel_none_is_guessed() {
        let on_turn = |id| card(id, Stage::Running, ADA);
        let here = [on_turn("K7Q2"), on_turn("AAAA"), card("CCCC", Stage::Over, ADA)];
        let both = || Err(LookupError::Several(vec![here[0].id, here[1].id]));
        assert_eq!(choose(&near(&here, &here[..2]), ADA, TablePurpose::Act), both());
        assert_eq!(choose(&near(&here, &here[..2]), ADA, TablePurpose::See), both());
        let theirs_to_move = [card("K7Q2", Stage::Running, BEN), card("AAAA", Stage::Running, BEN)];
        let all = [&theirs_to_move[..], &[on_turn("BBBB")]].concat();
        assert_eq!(
            choose(&near(&theirs_to_move, &all), ADA, TablePurpose::Act),
            both(),
            "what is elsewhere does not settle it"
        );
        assert_eq!(
            choose(&near(&[here[0].clone(), theirs_to_move[1].clone()], &all), ADA, TablePurpose::Act),
            Ok(here[0].id)
        );
    }

    #[test]
    fn who_watches_means_the_game_of_the_channel() {
        let here = [card("AAAA", Stage::Running, ADA)];
        assert_eq!(choose(&near(&here, &[]), UserId(3), TablePurpose::See), Ok(here[0].id));
        assert_eq!(
            choose(&near(&[card("AAAA", Stage::Over, ADA)], &[]), ADA, TablePurpose::See),
            Ok(here[0].id)
        );
        assert_eq!(choose(&near(&[], &[]), ADA, TablePurpose::See), Err(LookupError::None));
    }

    #[test]
    fn who_acts_means_a_game_of_their_own_unless_in_a_thread() {
        let mut here = [card("AAAA", Stage::Running, BEN)];
        here[0].people = vec![Some(BEN), None];
        let own_tables = [card("BBBB", Stage::Running, ADA)];
        assert_eq!(choose(&near(&here, &own_tables), ADA, TablePurpose::Act), Ok(own_tables[0].id));
        assert_eq!(choose(&near(&here, &own_tables), ADA, TablePurpose::See), Ok(here[0].id));
        here[0].board_channel = Some(rookery_table::BoardChannel { channel: ChannelId(1), thread: true });
        assert_eq!(choose(&near(&here, &own_tables), ADA, TablePurpose::Act), Ok(here[0].id));
    }

    #[test]
    fn of_two_games_in_a_games_own_thread_the_newest_is_meant() {
        let thread = rookery_table::BoardChannel { channel: ChannelId(1), thread: true };
        let first = Card { board_channel: Some(thread), ..card("AAAA", Stage::Running, ADA) };
        let second = rookery_table::BoardChannel { thread: false, ..thread };
        let second = Card { board_channel: Some(second), ..card("BBBB", Stage::Running, BEN) };
        let here = [first.clone(), second.clone()];
        for purpose in [TablePurpose::Act, TablePurpose::See, TablePurpose::Talk] {
            assert_eq!(choose(&near(&here, &here), ADA, purpose), Ok(second.id), "{purpose:?}");
        }
        assert_eq!(choose(&near(&here, &[]), UserId(3), TablePurpose::See), Ok(first.id));
    }

    #[test]
    fn who_would_watch_means_a_game_of_others_and_who_watches_one_that_they_watch() {
        let (own, other) = (card("AAAA", Stage::Running, ADA), card("BBBB", Stage::Running, BEN));
        let other = Card { people: vec![Some(BEN), None], ..other };
        let both = near(&[own.clone(), other.clone()], std::slice::from_ref(&own));
        assert_eq!(choose(&both, ADA, TablePurpose::Watch), Ok(other.id));
        let below =
            CandidateTables { in_threads: vec![other.clone()], ..near(&[], std::slice::from_ref(&own)) };
        assert_eq!(choose(&below, ADA, TablePurpose::Watch), Ok(other.id));
        assert_eq!(choose(&below, ADA, TablePurpose::See), Ok(own.id));
        assert_eq!(choose(&below, ADA, TablePurpose::Unwatch), Err(LookupError::None));
        let watched = CandidateTables { watched: vec![other.id], ..near(&[], std::slice::from_ref(&own)) };
        assert_eq!(choose(&watched, ADA, TablePurpose::Unwatch), Ok(other.id));
    }

    #[test]
    fn who_looks_back_means_their_latest_game_that_is_over() {
        let over = |id| card(id, Stage::Over, ADA);
        let of_others = Card { people: vec![Some(BEN), None], ..over("CCCC") };
        let running = card("DDDD", Stage::Running, ADA);
        let ended = CandidateTables {
            over: vec![over("AAAA"), over("BBBB")],
            finished_here: vec![of_others.clone()],
            ..near(&[], std::slice::from_ref(&running))
        };
        let latest = ended.over[0].id;
        assert_eq!(choose(&ended, ADA, TablePurpose::Review), Ok(latest));
        assert_eq!(choose(&ended, ADA, TablePurpose::Replay), Ok(running.id), "what goes on comes first");
        let challenged = CandidateTables { own_tables: vec![card("EEEE", Stage::Waiting, ADA)], ..ended };
        assert_eq!(
            choose(&challenged, ADA, TablePurpose::Replay),
            Ok(latest),
            "of a challenge there is nothing to see"
        );
        let none_of_theirs = CandidateTables { over: Vec::new(), ..challenged };
        assert_eq!(choose(&none_of_theirs, ADA, TablePurpose::Review), Ok(of_others.id));
    }

    #[test]
    fn who_answers_means_the_table_that_asks_them() {
        let mut own_tables = [card("AAAA", Stage::Running, ADA), card("BBBB", Stage::Waiting, ADA)];
        assert_eq!(choose(&near(&[], &own_tables), ADA, TablePurpose::Answer), Ok(own_tables[0].id));
        own_tables[1].asked = vec![ADA];
        assert_eq!(choose(&near(&[], &own_tables), ADA, TablePurpose::Answer), Ok(own_tables[1].id));
        own_tables[0].asked = vec![ADA];
        let both = vec![own_tables[0].id, own_tables[1].id];
        assert_eq!(
            choose(&near(&[], &own_tables), ADA, TablePurpose::Answer),
            Err(LookupError::Several(both))
        );
        assert_eq!(
            choose(&near(&own_tables[..1], &own_tables), ADA, TablePurpose::Answer),
            Ok(own_tables[0].id),
            "it is here"
        );
    }
}
