//! What is answered by `yes` and `no`: a challenge, a proven end, an offer. And `leave`, which before the game is an
//! answer as well.

use rookery_table::settle::must_accept;
use rookery_table::{Denied, Order, Person, Refused, Say, Table, offers};

use super::super::desk::Desk;
use super::super::post::Post;
use super::super::{buttons, teams};
use super::{Heard, Said};

/// Does what the buttons under the challenge do; what to answer.
pub(super) async fn before_start(desk: &Desk, heard: &Heard, table: &Table, said: &Said) -> Option<Post> {
    let who = Person(heard.who);
    let order = match said {
        Said::Answer(true) => match teams::way_in(desk, table, heard.into()) {
            Ok(way) => way,
            Err(sentence) => return Some(Post::text(sentence)),
        },
        Said::Answer(false) => Order::Decline,
        _ => Order::Leave,
    };
    let done = buttons::done_before_start(table, who, &order);
    match desk.try_order(table.id(), heard.into(), order, heard.id).await {
        Ok(Ok(_)) => {
            heard.carried_out.set();
            Some(Post::text(desk.words.say(done, &[("table", table.id().as_str().into())])))
        }
        Ok(Err(Denied::Refused(Refused::Repeated))) => None,
        Ok(Err(denied)) => Some(desk.denied(table.id(), who, &denied).await),
        Err(post) => Some(*post),
    }
}

/// What a yes or no means while the game is on. Where an offer and a proven end both ask, it is for the one whose
/// message it answers, or else for the offer, which the next move withdraws.
pub(super) async fn order(desk: &Desk, heard: &Heard, table: &Table, yes: bool) -> Order {
    let offered = || table.offer().is_some_and(|it| offers::asked(table, it.by).contains(&Person(heard.who)));
    let of_proof = match answered(desk, heard, table).await {
        Some(Say::Proven) => true,
        Some(Say::Offered { .. }) => false,
        _ => table.proof_stands() && !offered(),
    };
    if of_proof { Order::Accept { yes } } else { Order::Answer { yes, to: None } }
}

/// What a message of the table's told that this one answers.
async fn answered(desk: &Desk, heard: &Heard, table: &Table) -> Option<Say> {
    let (id, say) = desk.hall.journal().said_as(heard.answers?).await.ok()??;
    say.filter(|_| id == table.id())
}

/// Whether a yes or no that is said to nobody in particular answers something.
pub(super) fn are_awaited(table: &Table, who: Person) -> bool {
    let seat = table.seat_of(who);
    table.offer().is_some_and(|offer| Some(offer.by) != seat) || is_asked_to_accept(table, who)
}

/// Whether the proven end waits for what somebody says to it: of those who gain by it nobody asks.
fn is_asked_to_accept(table: &Table, who: Person) -> bool {
    let Some(proof) = table.proof().filter(|_| table.proof_stands()) else { return false };
    let waits = |seat| table.plays_for(seat, who) && !table.accepted().contains(&seat);
    must_accept(table, proof).into_iter().any(waits)
}
