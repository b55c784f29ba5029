//! Studies: games and positions from elsewhere that one person keeps to look at.

use std::sync::Arc;

use rookery_core::{Play, Seat};
use rookery_table::clock::DAY;
use rookery_table::fair_play::HelpKind;
use rookery_table::ports::{Card, Filter};
use rookery_table::{OrderError, Table, Terms, UserId};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::InteractionChannel;

/// The most studies that a person may open in a day: each is stored permanently.
const MAX_STUDIES_PER_DAY: usize = 30;

/// Stores a game as a finished table that only this person sees; `winners` are those of its record.
///
/// # Errors
/// The answer for the person, if they have opened too many today or the journal fails.
pub(in crate::discord) async fn open(
    ctx: &Context,
    who: UserId,
    place: Option<InteractionChannel>,
    play: &dyn Play,
    winners: Vec<Seat>,
) -> Result<Arc<Table>, String> {
    check_daily_number(ctx, who).await?;
    let terms = terms(place, play, None);
    let opened = ctx.registry.import(terms, who, play, winners).await;
    opened.map(|opened| opened.table).map_err(|denied| ctx.words.table_error(&denied, None))
}

/// Returns a study of this person that shows the same game and was opened here within a day.
pub(in crate::discord) async fn opened_before(
    ctx: &Context,
    who: UserId,
    place: InteractionChannel,
    play: &dyn Play,
) -> Option<Arc<Table>> {
    let game = Some(play.info().key.to_owned());
    let filter = Filter { person: Some(who), imported: true, game, ..Filter::default() };
    let cards = ctx.registry.list(&filter, MAX_STUDIES_PER_DAY).await.ok()?;
    let since = ctx.registry.now() - DAY;
    let begins = |table: &Table| table.play().map(|shown| (shown.start_line(), shown.record()));
    let wanted = Some((play.start_line(), play.record()));
    // The result of a record may not be that of its position.
    let is_result_own = |card: &Card| card.winners.is_empty() || play.outcome().is_some();
    let cards = cards.into_iter().filter(|card| card.at > since && card.ply == play.ply());
    for card in cards.filter(is_result_own) {
        if let Ok(table) = ctx.registry.table(card.id).await
            && table.terms().channel == place.channel
            && begins(&table) == wanted
        {
            return Some(table);
        }
    }
    None
}

/// Checks that a position from elsewhere may be looked at, which would help if a rated game has it now.
///
/// # Errors
/// The answer for the person.
pub(in crate::discord) async fn check_fair(
    ctx: &Context,
    who: UserId,
    place: Option<InteractionChannel>,
    play: &dyn Play,
) -> Result<(), String> {
    let guild = place.and_then(|place| place.guild);
    let helps = ctx.registry.would_help_rated_game(&[who], guild, play, HelpKind::Evaluates).await;
    if helps { Err(ctx.words.order_error(&OrderError::NoHelp, None)) } else { Ok(()) }
}

/// Returns the terms of a game from elsewhere.
pub(in crate::discord) fn terms(
    place: Option<InteractionChannel>,
    play: &dyn Play,
    from: Option<String>,
) -> Terms {
    let terms =
        Terms { game: play.info().key.to_owned(), rated: false, thread: false, from, ..Terms::default() };
    match place {
        Some(place) => Terms { channel: place.channel, ..terms },
        None => terms,
    }
}

/// Checks whether a person may open another study today.
async fn check_daily_number(ctx: &Context, who: UserId) -> Result<(), String> {
    let since = ctx.registry.now() - DAY;
    let filter = Filter { person: Some(who), imported: true, ..Filter::default() };
    let cards = ctx.registry.list(&filter, MAX_STUDIES_PER_DAY).await;
    let cards = cards.map_err(|denied| ctx.words.table_error(&denied, None))?;
    let opened = cards.iter().take_while(|card| card.at > since).count();
    let is_full = opened >= MAX_STUDIES_PER_DAY;
    if is_full { Err(ctx.words.say("import-enough", &[("count", opened.into())])) } else { Ok(()) }
}
