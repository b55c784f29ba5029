//! Rematches: the same terms and people, with the seats rotated.

use std::sync::Arc;

use rookery_core::Seat;
use rookery_table::access::Action;
use rookery_table::rated;
use rookery_table::sets::InSet;
use rookery_table::{Occupant, Order, OrderError, Status, Table, TableId, Terms, UserId};

use crate::discord::policy::opening;
use crate::discord::policy::server_rules;
use crate::discord::policy::teams;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Requester;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The rematch that a person opened, joined or found.
pub struct Rematch {
    /// Its table.
    pub table: Arc<Table>,
    /// What was done, in words.
    pub text: String,
}

/// Opens a rematch, or takes a seat if there is one already.
///
/// # Errors
/// The answer for the person, if there is no rematch for them.
pub async fn open_or_join(
    ctx: &Context,
    requester: Requester<'_>,
    table: &Table,
) -> Result<Rematch, Box<OutgoingMessage>> {
    let refused = match table.status() {
        Status::Over(_) if table.play().is_some() && table.is_participant(requester.who) => None,
        Status::Over(_) => Some("refused-not-seated"),
        _ => Some("refused-not-over"),
    };
    if let Some(key) = refused {
        return Err(refusal(ctx.words.word(key)));
    }
    let captain = table.seat_of(requester.who).and_then(|seat| table.team(seat)).map(|team| team.captain);
    if let Some(captain) = captain.filter(|captain| *captain != requester.who) {
        return Err(refusal(ctx.words.order_error(&OrderError::NotCaptain { captain }, Some(table))));
    }
    match join_existing(ctx, requester, table.rematch()).await {
        Some(joined) => joined,
        None => open(ctx, requester, table).await,
    }
}

fn refusal(sentence: String) -> Box<OutgoingMessage> {
    Box::new(OutgoingMessage::text(sentence))
}

/// Joins the rematch that was opened before; `None` if there is none, or if it ended before it began.
async fn join_existing(
    ctx: &Context,
    requester: Requester<'_>,
    next: Option<TableId>,
) -> Option<Result<Rematch, Box<OutgoingMessage>>> {
    let next = ctx.open_table(requester.into(), next?, Action::See).await.ok()?;
    let say = |key, table: Arc<Table>| {
        let text = ctx.words.say(key, &[("table", table.id().as_str().into())]);
        Some(Ok(Rematch { table, text }))
    };
    match next.status() {
        Status::Waiting if next.seat_of(requester.who).is_some() => say("rematch-waits", next),
        Status::Waiting => {
            match ctx.order(next.id(), requester.into(), Order::Join, requester.source).await {
                Ok(seen) => say("joined", seen.table),
                Err(post) => Some(Err(post)),
            }
        }
        Status::Over(_) if next.play().is_none() => None,
        _ => say("rematch-on", next),
    }
}

async fn open(
    ctx: &Context,
    requester: Requester<'_>,
    table: &Table,
) -> Result<Rematch, Box<OutgoingMessage>> {
    // The rematch opens where the game was, so it requires the same access as a seat there.
    if let Err(error) = ctx.check_access(requester.into(), table, Action::Join).await {
        return Err(refusal(ctx.words.access(error, table.id())));
    }
    let chairs = chairs(table, requester.who);
    may_open(ctx, requester, &chairs).await.map_err(refusal)?;
    // A rematch of a set is a set of its own.
    let set = table.terms().set.map(|_| InSet::First);
    let again = table.rematch_terms();
    let casual = match again.rated {
        true if !rated::starts_even(&again) => Some(ctx.words.word("play-rated-start")),
        true => opening::may_rate(ctx, requester, &chairs).await.err(),
        false => None,
    };
    let rated = again.rated && casual.is_none();
    let named = again
        .teams
        .iter()
        .map(|team| &team.members)
        .chain(again.reserved_seats.iter().map(|reserved_seat| &reserved_seat.members));
    opening::readers_only(ctx, requester, named).await.map_err(refusal)?;
    // The person who asks for the rematch may have permission to mention other roles than the first host.
    let pingable_roles = teams::pingable(ctx, requester, again.team_roles()).await;
    let terms = Terms { seed: ctx.registry.seed(), commitment: None, set, rated, pingable_roles, ..again };
    let source = Some(requester.source);
    let opened = match ctx.registry.open_rematch(table, terms, requester.who, chairs, source).await {
        Ok(found) if found.is_new => found.table,
        // Of two presses at the same moment, the second finds the table of the first.
        Ok(found) => {
            let there = join_existing(ctx, requester, Some(found.table.id())).await;
            return there.unwrap_or_else(|| Err(refusal(ctx.words.word("old-button"))));
        }
        Err(denied) => return Err(refusal(ctx.words.table_error(&denied, None))),
    };
    let key = if opened.play().is_some() { "rematch-on" } else { "rematch-waits" };
    let told = ctx.words.say(key, &[("table", opened.id().as_str().into())]);
    let casual = casual.map(|why| ctx.words.say("rematch-casual", &[("why", why.into())]));
    let uncalled = opening::unpinged_roles_note(ctx, requester, &opened).await;
    let lines = [Some(told), casual, uncalled].into_iter().flatten().collect::<Vec<_>>();
    Ok(Rematch { table: opened, text: lines.join("\n") })
}

/// Refuses a rematch of a game that the server no longer allows.
async fn may_open(ctx: &Context, requester: Requester<'_>, chairs: &[Occupant]) -> Result<(), String> {
    opening::may_play(ctx, requester, chairs).await?;
    server_rules::allowed(ctx, requester, chairs).await
}

/// Rotates the seats by one; the person who asks is seated already. Players who left are invited as well.
/// Seats that were empty before the game began are skipped.
fn chairs(table: &Table, host: UserId) -> Vec<Occupant> {
    let mut chairs = table.chairs().to_vec();
    for (seat, person) in table.substitutions() {
        chairs[seat.index()] = Occupant::Human { person: *person };
    }
    for chair in &mut chairs {
        *chair = match *chair {
            // A player whose data was deleted can't be invited.
            Occupant::Human { person } if person.is_pseudonym() => Occupant::Open,
            Occupant::Human { person } if person != host => Occupant::Invited { person },
            other => other,
        };
    }
    let seats = || Seat::all(chairs.len()).filter(|seat| !table.resigned_before_start().contains(seat));
    let mut turned = vec![Occupant::Human { person: host }; chairs.len()];
    for (seat, from) in seats().zip(seats().cycle().skip(1)) {
        turned[seat.index()] = chairs[from.index()];
    }
    turned
}
