//! A finished game played again: the same terms, seats swapped, asked of the same people.

use rookery_core::Seat;
use rookery_table::access::Action;
use rookery_table::rated;
use rookery_table::sets::InSet;
use rookery_table::{Occupant, Order, Person, Refused, Status, Table, TableId, Terms};

use super::asked::Asked;
use super::commands;
use super::desk::Desk;
use super::post::Post;
use super::settings;
use super::teams;

/// Opens the game again, or sits down where somebody else has opened it; the answer for the presser alone.
pub async fn again(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    let refused = match table.status() {
        Status::Over(_) if table.play().is_some() && table.concerns(asked.who) => None,
        Status::Over(_) => Some("refused-not-seated"),
        _ => Some("refused-not-over"),
    };
    if let Some(key) = refused {
        return Post::text(desk.words.word(key));
    }
    let captain = table.seat_of(asked.who).and_then(|seat| table.team(seat)).map(|team| team.captain);
    if let Some(captain) = captain.filter(|captain| *captain != asked.who) {
        return Post::text(desk.words.refused(&Refused::NotCaptain { captain }, Some(table)));
    }
    match joined(desk, asked, table.rematch()).await {
        Some(post) => post,
        None => open(desk, asked, table).await,
    }
}

/// What comes of a rematch that somebody has opened already; `None` if there is none that counts.
async fn joined(desk: &Desk, asked: &Asked, next: Option<TableId>) -> Option<Post> {
    let next = desk.open_table(asked.into(), next?, Action::See).await.ok()?;
    let say = |key| Post::text(desk.words.say(key, &[("table", next.id().as_str().into())]));
    match next.status() {
        Status::Waiting if next.seat_of(asked.who).is_some() => Some(say("rematch-waits")),
        Status::Waiting => match desk.order(next.id(), asked.into(), Order::Join, asked.ticket.id).await {
            Ok(_) => Some(say("joined")),
            Err(post) => Some(*post),
        },
        Status::Over(_) if next.play().is_none() => None,
        _ => Some(say("rematch-on")),
    }
}

async fn open(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    // It is opened where the game was, so that it takes what a seat there takes.
    if let Err(error) = desk.check_access(asked.into(), table, Action::Join).await {
        return Post::text(desk.words.access(error, table.id()));
    }
    let chairs = chairs(table, asked.who);
    if let Err(sentence) = may_open(desk, asked, &chairs).await {
        return Post::text(sentence);
    }
    // Whoever played a set plays one again.
    let set = table.terms().set.map(|_| InSet::First);
    let again = table.terms_again();
    let casual = match again.rated {
        true if !rated::starts_even(&again) => Some(desk.words.word("play-rated-start")),
        true => commands::may_rate(desk, asked, &chairs).await.err(),
        false => None,
    };
    let rated = again.rated && casual.is_none();
    let named =
        again.teams.iter().map(|team| &team.crowd).chain(again.rivals.iter().map(|rival| &rival.crowd));
    if let Err(sentence) = commands::readers_only(desk, asked, named).await {
        return Post::text(sentence);
    }
    // Whoever opens it again may mention other roles than whoever opened it before.
    let pingable_roles = teams::pingable(desk, asked, again.team_roles()).await;
    let terms = Terms { seed: desk.hall.seed(), pledge: None, set, rated, pingable_roles, ..again };
    let source = Some(asked.ticket.id);
    let opened = match desk.hall.open_again(table, terms, asked.who, chairs, source).await {
        Ok(found) if found.is_new => found.table,
        // Two presses at the same moment, by one or by two: the second finds the first one's table.
        Ok(found) => {
            let there = joined(desk, asked, Some(found.table.id())).await;
            return there.unwrap_or_else(|| Post::text(desk.words.word("old-button")));
        }
        Err(denied) => return Post::text(desk.words.denied(&denied, None)),
    };
    let key = if opened.play().is_some() { "rematch-on" } else { "rematch-waits" };
    let told = desk.words.say(key, &[("table", opened.id().as_str().into())]);
    let casual = casual.map(|why| desk.words.say("rematch-casual", &[("why", why.into())]));
    let uncalled = commands::uncalled(desk, asked, &opened).await;
    Post::text([Some(told), casual, uncalled].into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// What a server lets nobody open it does not let anybody open again.
async fn may_open(desk: &Desk, asked: &Asked, chairs: &[Occupant]) -> Result<(), String> {
    commands::may_play(desk, asked, chairs).await?;
    settings::allowed(desk, asked, chairs).await
}

/// The same seats turned by one, who asks sitting already. Whoever had left is asked as well. Seats that were
/// given up before the game began stay so, and whoever asks holds them for nobody.
fn chairs(table: &Table, host: Person) -> Vec<Occupant> {
    let mut chairs = table.chairs().to_vec();
    for (seat, person) in table.away() {
        chairs[seat.index()] = Occupant::Human { person: *person };
    }
    for chair in &mut chairs {
        *chair = match *chair {
            // Whoever had their data deleted is nobody who could be asked.
            Occupant::Human { person } if person.is_stand_in() => Occupant::Open,
            Occupant::Human { person } if person != host => Occupant::Invited { person },
            other => other,
        };
    }
    let seats = || Seat::all(chairs.len()).filter(|seat| !table.gone().contains(seat));
    let mut turned = vec![Occupant::Human { person: host }; chairs.len()];
    for (seat, from) in seats().zip(seats().cycle().skip(1)) {
        turned[seat.index()] = chairs[from.index()];
    }
    turned
}
