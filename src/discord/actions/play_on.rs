//! Playing on from a position.

use std::sync::Arc;

use futures_util::TryStreamExt;
use rookery_core::{Play, Seat};
use rookery_table::fair_play::HelpKind;
use rookery_table::ports::{Filter, Stage};
use rookery_table::{Occupant, OrderError, Table, Terms, UserId};

use super::study;
use crate::discord::policy::opening::may_play;
use crate::discord::policy::server_rules;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Requester, can_thread};
use crate::discord::wire::other_seats::OtherSeats;

/// What became of a request to play on.
pub(in crate::discord) enum Checked {
    /// It came before, and has opened this table.
    Opened(Arc<Table>),
    /// A table may be opened with these players.
    Allowed(Vec<Occupant>),
}

/// Opens a table from a position; the person who asks takes the seat to move. A request that comes twice gets the table that
/// it opened. The current position of a rated game is refused, however it was obtained.
///
/// # Errors
/// The answer for the person.
pub(in crate::discord) async fn play_on(
    ctx: &Context,
    requester: Requester<'_>,
    play: &dyn Play,
    others: OtherSeats,
) -> Result<Arc<Table>, String> {
    match check(ctx, requester, play, others).await? {
        Checked::Opened(table) => Ok(table),
        Checked::Allowed(chairs) => open(ctx, requester, play, chairs).await,
    }
}

/// Checks whether a person may play on from a position, and opens nothing.
///
/// # Errors
/// The answer for the person.
pub(in crate::discord) async fn check(
    ctx: &Context,
    requester: Requester<'_>,
    play: &dyn Play,
    others: OtherSeats,
) -> Result<Checked, String> {
    if play.outcome().is_some() {
        return Err(ctx.words.word("import-over"));
    }
    if ctx
        .registry
        .would_help_rated_game(&[requester.who], requester.place.guild, play, HelpKind::PlaysOn)
        .await
    {
        return Err(ctx.words.order_error(&OrderError::NoHelp, None));
    }
    let chairs = chairs(requester.who, play, others).ok_or_else(|| ctx.words.word("import-alone"))?;
    if let Some(level) = others.ai
        && !chairs.contains(&Occupant::Ai { level })
    {
        return Err(ctx.words.word("import-no-seat"));
    }
    if let Some(table) = check_open_games(ctx, requester).await? {
        return Ok(Checked::Opened(table));
    }
    may_play(ctx, requester, &chairs).await?;
    server_rules::allowed(ctx, requester, &chairs).await?;
    Ok(Checked::Allowed(chairs))
}

/// Opens a table from a position for players that were checked.
///
/// # Errors
/// The answer for the person.
pub(in crate::discord) async fn open(
    ctx: &Context,
    requester: Requester<'_>,
    play: &dyn Play,
    chairs: Vec<Occupant>,
) -> Result<Arc<Table>, String> {
    let imported = !requester.place.ours;
    let terms = Terms {
        guild: requester.place.guild.filter(|_| !imported),
        thread: can_thread(requester.place) && !imported,
        user_install: imported,
        seed: ctx.registry.seed(),
        ..study::terms(Some(requester.place), play, Some(play.line()))
    };
    let seen = ctx.registry.open(terms, requester.who, chairs, Some(requester.source)).await;
    seen.map(|seen| seen.table).map_err(|denied| ctx.words.table_error(&denied, None))
}

/// Seats the host where it is the turn, the opponent on the next seat, and the bot or nobody yet on the rest.
/// Resigned seats are held by the host, as in an imported game for viewing. `None` if fewer than two seats
/// still play.
fn chairs(host: UserId, play: &dyn Play, others: OtherSeats) -> Option<Vec<Occupant>> {
    let rest = others.ai.map_or(Occupant::Open, |level| Occupant::Ai { level });
    let own = Occupant::Human { person: host };
    let (seats, turn) = (play.seats(), play.turn());
    let chair = |seat| if seat == turn || play.is_retired(seat) { own } else { rest };
    let mut chairs: Vec<_> = Seat::all(seats).map(chair).collect();
    let others_turns = std::iter::successors(Some(turn.next(seats)), |seat| Some(seat.next(seats)));
    let next = others_turns.take(seats - 1).find(|seat| !play.is_retired(*seat))?;
    if let Some(person) = others.opponent {
        chairs[next.index()] = if person == host { own } else { Occupant::Invited { person } };
    }
    Some(chairs)
}

/// Checks whether a person may open another game from a position: the number of open ones is limited. Returns the one that
/// this request has opened already, if any.
async fn check_open_games(ctx: &Context, requester: Requester<'_>) -> Result<Option<Arc<Table>>, String> {
    let mut open = 0;
    for stage in [Stage::Waiting, Stage::Running] {
        let filter = Filter { person: Some(requester.who), stage: Some(stage), ..Filter::default() };
        let mut cards = ctx.registry.scan(&filter);
        let unread = |denied| ctx.words.table_error(&denied, None);
        while let Some(card) = cards.try_next().await.map_err(unread)? {
            let Ok(table) = ctx.registry.table(card.id).await else { continue };
            if table.host() != requester.who || table.terms().from.is_none() {
                continue;
            }
            if table.sources().any(|source| source == requester.source) {
                return Ok(Some(table));
            }
            open += 1;
        }
    }
    let is_full = open >= ctx.settings.open_per_person;
    if is_full { Err(ctx.words.say("import-too-many", &[("count", open.into())])) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    #[test]
    fn nobody_is_asked_to_a_seat_that_was_given_up() {
        let [ada, ben] = [1, 2].map(UserId);
        let own = Occupant::Human { person: ada };
        let game = rookery_games::named("penguins").unwrap();
        let line = game.start(&Setup::new(4)).unwrap().line();
        let from = |out: &str| game.resume(&format!("{line} out:{out}")).unwrap();
        let others = OtherSeats { opponent: Some(ben), ai: None };
        let guest = Occupant::Invited { person: ben };
        assert_eq!(chairs(ada, from("2").as_ref(), others), Some(vec![own, own, guest, Occupant::Open]));
        // The first seat has resigned, so the second is to move.
        assert_eq!(chairs(ada, from("1,3").as_ref(), others), Some(vec![own, own, own, guest]));
        assert_eq!(chairs(ada, from("1,2,3").as_ref(), others), None);
    }
}
