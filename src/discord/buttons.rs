//! Buttons and selects: what is pressed becomes an order, a picture, or the panel.

use rookery_core::Seat;
use rookery_core::player::Level;
use rookery_table::access::Action;
use rookery_table::host::Seen;
use rookery_table::{By, Denied, Event, Occupant, Order, Person, Refused, Status, Table, state};

use super::answer::Manner;
use super::asked::{Asked, Place, Pressed};
use super::bans;
use super::commands::analyse::{analyse, turning};
use super::commands::hint::hint;
use super::commands::{games, plan, privacy, upon};
use super::desk::Desk;
use super::layout;
use super::layout::panel::{self, Stage};
use super::lesson::{self, Act, Lesson};
use super::post::Post;
use super::press::{Challenge, Deed, Press};
use super::rehouse;
use super::rematch;
use super::settings;
use super::sharing;
use super::sure;
use super::teams;
use super::viewing;
use super::voted;

/// How a press is answered: in place of the message, where the presser alone sees that; the board as
/// text comes beside it, for who goes on choosing. Where we are no member a press under a message that
/// everybody sees is what lets us change it.
pub fn manner(place: Place, pressed: &Pressed) -> Manner {
    if !place.ours && !pressed.private {
        return Manner::Beside;
    }
    let beside = Press::read(&pressed.id).is_ok_and(|press| match press.deed {
        Deed::Text | Deed::Turning => true,
        Deed::DrawOptions(step, _) => step.stands_beside(),
        _ => false,
    });
    let beside = beside || matches!(Lesson::read(&pressed.id), Some(Ok(lesson)) if lesson.stands_beside());
    if pressed.private && !beside { Manner::Update } else { Manner::New }
}

/// The program plays on for who asks, so strong.
const STAND_IN: fn(Level) -> Order = |level| Order::StandIn { level };
/// It plays on for who is to move.
const SEAT_PROGRAM: fn(Level) -> Order = |level| Order::SeatProgram { level };

/// How long a press of the same button under the same message is taken for the same press, in milliseconds.
const SAME_PRESS_MS: i64 = 10_000;

/// Carries a press out; the answer is for the presser alone. What does something more with every press is done
/// once where somebody presses twice.
pub async fn pressed(desk: &Desk, asked: &Asked, pressed: &Pressed) -> Post {
    if let Some(post) = bans::bars_press(desk, asked, pressed).await {
        return post;
    }
    // On the heap, for it is large and would lie here several times.
    let work = Box::pin(carried_out(desk, asked, pressed));
    if !adds(&pressed.id) {
        return work.await;
    }
    let (who, message, values) = (asked.who.0, pressed.message, pressed.values.join(" "));
    let what = format!("press {who} {message} {} {values}", pressed.id);
    // Where a table is opened the cause is told as a sentence alone. What could not be kept can be pressed again.
    let not_kept = desk.words.word("denied-journal");
    let work = async {
        let post = work.await;
        Post { not_kept: post.not_kept || post.content == not_kept, ..post }
    };
    desk.lately.once(what, (desk.hall.now_ms(), SAME_PRESS_MS), work).await
}

/// Whether a second press would do something more: open another table, take back another move.
fn adds(id: &str) -> bool {
    let opens_lesson = || matches!(Lesson::read(id), Some(Ok(lesson)) if lesson.act == Act::First);
    let table = || Press::read(id).is_ok_and(|press| press.deed.adds());
    Challenge::read(id).is_some() || table() || opens_lesson()
}

async fn carried_out(desk: &Desk, asked: &Asked, pressed: &Pressed) -> Post {
    if let Some(post) = settings::pressed(desk, asked, pressed).await {
        return post;
    }
    if let Some(post) = privacy::pressed(desk, asked, pressed).await {
        return post;
    }
    if let Some(post) = sharing::pressed(desk, asked, pressed).await {
        return post;
    }
    if let Some(page) = games::Page::read(&pressed.id) {
        return games::shown(desk, asked, &page).await;
    }
    let value = pressed.values.first().map(String::as_str);
    if let Some(Challenge(target)) = Challenge::read(&pressed.id) {
        return upon::chosen(desk, asked, target, value).await;
    }
    match Lesson::read(&pressed.id) {
        Some(Ok(step)) => return lesson::pressed(desk, asked, &step, value).await,
        Some(Err(_)) => return Post::text(desk.words.word("old-button")),
        None => {}
    }
    let Ok(press) = Press::read(&pressed.id) else { return Post::text(desk.words.word("old-button")) };
    let table = match desk.open_table(asked.into(), press.table, Action::See).await {
        Ok(table) if press.moves() => teams::enlisted(desk, table, asked.into()).await,
        Ok(table) => table,
        Err(post) => return *post,
    };
    act(desk, asked, &table, &press, pressed).await
}

/// What a press means at any time, whatever has been played since.
async fn act(desk: &Desk, asked: &Asked, table: &Table, press: &Press, pressed: &Pressed) -> Post {
    let value = pressed.values.first().map(String::as_str);
    match &press.deed {
        Deed::Join => join(desk, asked, table).await,
        Deed::Leave => leave(desk, asked, table).await,
        Deed::Decline => before_start(desk, asked, table, Order::Decline).await,
        Deed::Fill => ask_to_fill(desk, table, asked.who).await,
        Deed::FillWith => fill(desk, asked, table, value).await,
        Deed::Plans => plan::shown(desk, asked.who, table),
        Deed::Board => viewing::watch(desk, table, asked.who).await,
        Deed::Analyse => analyse(desk, asked, table).await,
        Deed::Turning => turning(desk, asked, table, press.ply).await,
        Deed::DrawOptions(step, gaze) => {
            viewing::look(desk, asked, table, (press.ply, *step, *gaze), value).await
        }
        Deed::Text => desk.layout().state_text(table),
        Deed::Resign => ask_to_resign(desk, table, asked.who),
        Deed::ResignYes(seat) => sure::resign(desk, asked, table, *seat, pressed).await,
        Deed::ResignNo(seat) => sure::keep(desk, asked, table, *seat, pressed).await,
        Deed::Agree(number) => answer(desk, asked, table, (press.ply, *number), true).await,
        Deed::Disagree(number) => answer(desk, asked, table, (press.ply, *number), false).await,
        Deed::More if table.seat_of(asked.who).is_none() => viewing::watch(desk, table, asked.who).await,
        Deed::More => more(desk, table, asked.who),
        Deed::Offer(offer) => asking(desk, asked, table, Order::Offer(*offer)).await,
        Deed::Rematch => rematch::again(desk, asked, table).await,
        Deed::StandIn => ask_how_strong(desk, asked, table, STAND_IN, Deed::StandInWith).await,
        Deed::StandInWith => match value.and_then(Level::named) {
            Some(level) => asking(desk, asked, table, Order::StandIn { level }).await,
            None => Post::text(desk.words.word("old-button")),
        },
        Deed::ComeBack => asking(desk, asked, table, Order::ComeBack).await,
        Deed::Accept => asking(desk, asked, table, Order::Accept { yes: true }).await,
        Deed::PlayOn => asking(desk, asked, table, Order::Accept { yes: false }).await,
        Deed::Proof => desk.layout().proof(table).unwrap_or_else(|| stale(desk, asked, table)),
        Deed::Resume => asking(desk, asked, table, Order::Resume).await,
        Deed::Vote(number, proposal) => vote(desk, asked, table, (*number, *proposal)).await,
        Deed::Play(steps) => play(desk, asked, table, press.ply, steps.concat()).await,
        _ if press.ply != table.ply() => overtaken(desk, asked, table),
        deed => act_this_turn(desk, asked, table, deed, pressed).await,
    }
}

/// What it means in the turn that it was made for, and in no other.
async fn act_this_turn(desk: &Desk, asked: &Asked, table: &Table, deed: &Deed, pressed: &Pressed) -> Post {
    let value = pressed.values.first().map(String::as_str);
    match deed {
        Deed::Hint => hint(desk, asked, table).await,
        Deed::Ahead(moves, step) => plan::step(desk, asked, table, moves, step, value),
        Deed::PlanYes => {
            let text = layout::plan::of_message(&pressed.content);
            plan::ordered(desk, asked, table, Order::Plan(text)).await
        }
        Deed::Unplan(which) => plan::dropped(desk, asked, table, which.as_deref()).await,
        Deed::In(line, taken) => panel_at(desk, asked, table, taken, Some(*line)),
        Deed::Claim => {
            let done = if table.others_play_on() { "claim-out-done" } else { "claim-done" };
            order(desk, asked, table, Order::Claim, done).await
        }
        Deed::GiveTime => order(desk, asked, table, Order::GiveTime, "give-done").await,
        Deed::SeatProgram => ask_how_strong(desk, asked, table, SEAT_PROGRAM, Deed::SeatProgramWith).await,
        Deed::SeatProgramWith => match value.and_then(Level::named) {
            Some(level) => order(desk, asked, table, Order::SeatProgram { level }, "program-seated").await,
            None => Post::text(desk.words.word("old-button")),
        },
        Deed::Panel(taken) => panel_at(desk, asked, table, taken, None),
        Deed::Pick(_, taken) => pick(desk, asked, table, taken, value).await,
        Deed::Column(_, taken) => {
            panel_at(desk, asked, table, taken, value.and_then(|value| value.chars().next()))
        }
        // All others mean the same at any time.
        _ => stale(desk, asked, table),
    }
}

async fn vote(desk: &Desk, asked: &Asked, table: &Table, (number, proposal): (u64, u16)) -> Post {
    asking(desk, asked, table, Order::Vote { number, proposal: proposal.into() }).await
}

async fn order(desk: &Desk, asked: &Asked, table: &Table, order: Order, done: &str) -> Post {
    match desk.order(table.id(), asked.into(), order, asked.ticket.id).await {
        Ok(_) => Post::text(desk.words.say(done, &[("table", table.id().as_str().into())])),
        Err(post) => *post,
    }
}

/// Who sits down on a seat that is kept for a team leads it.
async fn join(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    match teams::way_in(desk, table, asked.into()) {
        Ok(way) => before_start(desk, asked, table, way).await,
        Err(sentence) => Post::text(sentence),
    }
}

/// Gives up a seat before the game begins.
pub async fn leave(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    before_start(desk, asked, table, Order::Leave).await
}

async fn before_start(desk: &Desk, asked: &Asked, table: &Table, what: Order) -> Post {
    let done = done_before_start(table, asked.who, &what);
    order(desk, asked, table, what, done).await
}

/// What somebody is told whose order was carried out at a table that waits. The host closes it by leaving; whoever is
/// asked turns the challenge down.
pub fn done_before_start(table: &Table, who: Person, order: &Order) -> &'static str {
    let asked = table.chairs().contains(&Occupant::Invited { person: who });
    match order {
        Order::Lead { .. } => "joined-team",
        Order::Join => "joined",
        Order::Leave if table.host() == who => "closed",
        Order::Leave if !asked => "left",
        _ => "declined",
    }
}

/// The question how strong the program is to play on the free seats.
async fn ask_to_fill(desk: &Desk, table: &Table, who: Person) -> Post {
    let refused = match table.status() {
        Status::Waiting if table.host() == who => {
            return desk.layout().fill(table, settings::strongest_in(desk, table.terms().guild).await);
        }
        Status::Waiting => "refused-not-host",
        Status::Running => "refused-begun",
        Status::Over(_) => "refused-over",
    };
    Post::text(desk.words.word(refused))
}

async fn fill(desk: &Desk, asked: &Asked, table: &Table, value: Option<&str>) -> Post {
    match value.and_then(Level::named) {
        Some(level) => order(desk, asked, table, Order::Fill(level), "filled").await,
        None => Post::text(desk.words.word("old-button")),
    }
}

/// The question how strong the program is to play in somebody's place; or why it cannot.
async fn ask_how_strong(
    desk: &Desk,
    asked: &Asked,
    table: &Table,
    order: fn(Level) -> Order,
    deed: Deed,
) -> Post {
    // Any level does to see whether one may.
    let tried = order(Level::Random);
    if let Err(sentence) = settings::may_seat(desk, table, asked.who, &tried).await {
        return Post::text(sentence);
    }
    match state::decide(table, By::Person(asked.who), &tried, None, desk.hall.now_ms()) {
        Ok(_) => {
            desk.layout().how_strong(table, deed, settings::strongest_in(desk, table.terms().guild).await)
        }
        Err(refused) => Post::text(desk.words.denied(&Denied::Refused(refused), Some(table))),
    }
}

/// The game has moved on since the button was made: the board as it is now, with fresh buttons.
fn stale(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    let mut post = desk.layout().state(table, Some(asked.who));
    post.content = format!("{}\n{}", desk.words.word("refused-stale"), post.content);
    post
}

/// A panel or a question from an earlier turn: whoever is to move again is shown where they are now.
fn overtaken(desk: &Desk, asked: &Asked, table: &Table) -> Post {
    let turn = table.to_move();
    if turn.is_none() || turn != table.seat_of(asked.who) {
        return stale(desk, asked, table);
    }
    let mut post = panel_at(desk, asked, table, &[], None);
    let told = desk.layout().now_line(table);
    post.content = format!("{}\n{told}\n{}", desk.words.word("refused-stale"), post.content);
    post
}

/// The question before giving up.
pub fn ask_to_resign(desk: &Desk, table: &Table, who: Person) -> Post {
    let captain = |seat| table.team(seat).map(|team| team.captain).filter(|captain| *captain != who);
    match seat_to_act(desk, table, who) {
        Ok(seat) => match captain(seat) {
            Some(captain) => Post::text(desk.words.refused(&Refused::NotCaptain { captain }, Some(table))),
            None => desk.layout().resign_sure(table, seat),
        },
        Err(refused) => Post::text(refused),
    }
}

/// What else can be done, as buttons.
fn more(desk: &Desk, table: &Table, who: Person) -> Post {
    match seat_to_act(desk, table, who) {
        Ok(_) => desk.layout().more(table, who),
        Err(refused) => Post::text(refused),
    }
}

/// The seat with which somebody can act in a game that is on; else why they cannot.
fn seat_to_act(desk: &Desk, table: &Table, who: Person) -> Result<Seat, String> {
    match (table.status(), table.seat_of(who)) {
        (Status::Running, Some(seat)) => Ok(seat),
        (Status::Over(_), _) => Err(desk.words.word("refused-over")),
        (_, None) => Err(desk.words.not_seated(Some(table))),
        (Status::Waiting, Some(_)) => Err(desk.words.word("refused-not-begun")),
    }
}

pub(super) fn holds(table: &Table, who: Person, seat: Seat) -> bool {
    table.occupant(seat).and_then(|occupant| occupant.person()) == Some(who)
}

/// An answer to an offer of an earlier turn, or to another offer, must not count for this one.
async fn answer(desk: &Desk, asked: &Asked, table: &Table, made: (usize, u64), yes: bool) -> Post {
    let (ply, number) = made;
    if ply != table.ply() {
        return Post::text(desk.words.word("refused-no-offer"));
    }
    let to = (number != 0).then_some(number);
    order(desk, asked, table, Order::Answer { yes, to }, "answer-given").await
}

/// Asks a table for something; what somebody is told who did.
pub async fn asking(desk: &Desk, asked: &Asked, table: &Table, order: Order) -> Post {
    match desk.order(table.id(), asked.into(), order, asked.ticket.id).await {
        Ok(seen) => told(desk, &seen),
        Err(post) => *post,
    }
}

/// What somebody is told whose order was carried out, in one sentence.
pub fn told(desk: &Desk, seen: &Seen) -> Post {
    let table = [("table", seen.table.id().to_string().into())];
    // That may have settled a vote, which the board tells.
    if seen.events.iter().any(|event| matches!(event, Event::Departed { .. })) {
        return Post::text(desk.words.say("team-left", &table));
    }
    if let Some(post) = voted::told(desk, seen) {
        return post;
    }
    let key = match seen.events.last() {
        Some(Event::Moved { .. }) => return played(desk, seen),
        Some(Event::Offered { .. }) => "offer-made",
        // What comes after an offer at once is the program's answer.
        Some(Event::Declined { .. }) if made(seen) => "offer-made-no",
        _ if made(seen) => "offer-made-yes",
        Some(Event::Declined { .. } | Event::Agreed { .. } | Event::Accepted { .. }) => "answer-given",
        Some(Event::Undone { .. }) => "undo-done",
        Some(Event::Enlisted { .. }) => "team-back",
        Some(Event::Seated { occupant: Occupant::Ai { .. }, .. }) => "stand-in-done",
        Some(Event::Seated { .. }) => "back-done",
        Some(Event::Paused { .. }) => "pause-done",
        Some(Event::Resumed { .. }) => "resume-done",
        _ => "order-done",
    };
    Post::text(desk.words.say(key, &table))
}

/// Whether an offer was made.
fn made(seen: &Seen) -> bool {
    seen.events.iter().any(|event| matches!(event, Event::Offered { .. }))
}

/// The panel after these steps, or why there is none.
pub fn panel_at(desk: &Desk, asked: &Asked, table: &Table, taken: &[String], column: Option<char>) -> Post {
    let refused = |key| Post::text(desk.words.word(key));
    let (Some(play), Some(turn)) = (table.play(), table.to_move()) else {
        return refused(if *table.status() == Status::Waiting {
            "refused-not-begun"
        } else {
            "refused-over"
        });
    };
    match table.seat_of(asked.who) {
        None => return Post::text(desk.words.not_seated(Some(table))),
        Some(seat) if seat != turn => return not_yet(desk, table, turn),
        Some(_) => {}
    }
    let shown = match panel::stage(play, taken) {
        Stage::Choose { taken, choices } => desk.layout().panel(table, asked.who, &taken, &choices, column),
        Stage::Done(text) => desk.layout().confirm(table, asked.who, taken, &text),
        Stage::Nothing => None,
    };
    shown.unwrap_or_else(|| stale(desk, asked, table))
}

fn not_yet(desk: &Desk, table: &Table, turn: Seat) -> Post {
    let who = desk.words.seated(table, turn);
    Post::text(desk.words.say("panel-not-now", &[("table", table.id().as_str().into()), ("who", who.into())]))
}

/// One more step. After the last one the move is played, or shown to be confirmed.
async fn pick(desk: &Desk, asked: &Asked, table: &Table, taken: &[String], value: Option<&str>) -> Post {
    let taken: Vec<_> = taken.iter().cloned().chain(value.map(str::to_owned)).collect();
    match table.play().map(|play| panel::stage(play, &taken)) {
        Some(Stage::Done(text)) if !desk.settings.confirm => {
            play(desk, asked, table, table.ply(), text).await
        }
        _ => panel_at(desk, asked, table, &taken, None),
    }
}

/// Plays a move in the turn for which it was chosen. A button that is pressed twice says twice what came of it.
async fn play(desk: &Desk, asked: &Asked, table: &Table, ply: usize, text: String) -> Post {
    let again =
        |table: &Table| is_played(table, asked.who, ply, &text).then(|| tell_played(desk, table, &text));
    if ply != table.ply() {
        return again(table).unwrap_or_else(|| overtaken(desk, asked, table));
    }
    let order = Order::Move { text: text.clone(), ply: Some(ply) };
    match desk.order(table.id(), asked.into(), order, asked.ticket.id).await {
        Ok(seen) => rehouse::with_board(desk, asked.place, asked.who, &seen.table, played(desk, &seen)).await,
        Err(post) => desk.look_again(table).await.ok().and_then(|now| again(&now)).unwrap_or(*post),
    }
}

/// Whether somebody who plays alone has played this move in that turn.
fn is_played(table: &Table, who: Person, ply: usize, text: &str) -> bool {
    let mover = table.play().and_then(|play| play.movers().get(ply).copied());
    let theirs = mover.is_some_and(|seat| holds(table, who, seat) && table.team(seat).is_none());
    theirs && table.play().is_some_and(|play| play.record().get(ply).is_some_and(|known| known == text))
}

/// What somebody is told who has just moved, in the spelling of the record.
pub fn played(desk: &Desk, seen: &Seen) -> Post {
    if let Some(post) = voted::told(desk, seen) {
        return post;
    }
    let text = seen.events.iter().find_map(|event| match event {
        Event::Moved { text, .. } => Some(text.as_str()),
        _ => None,
    });
    tell_played(desk, &seen.table, text.unwrap_or_default())
}

fn tell_played(desk: &Desk, table: &Table, text: &str) -> Post {
    let args = [("table", table.id().to_string().into()), ("move", text.into())];
    let post = Post::text(desk.words.say("move-played", &args));
    let waits = *table.status() == Status::Running;
    if waits { post.row([desk.layout().plan_button(table)]) } else { post }
}
