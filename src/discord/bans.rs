//! Bans: a server's managers keep a person from using the bot there. What a banned person may still do is to finish
//! the games in which they sit, and to see and delete what is kept about them.
//!
//! Opening tables and sitting down is refused by the hall itself, whichever way it is asked for
//! ([`rookery_table::hall::Hall::open`]).

use rookery_i18n::person;
use rookery_table::moderation::{Change, MAX_BANS};
use rookery_table::ports::{Filter, Stage};
use rookery_table::quota::Limited;
use rookery_table::{Occupant, Order, Person, Status, Table};

use super::asked::{Asked, Given, Pressed};
use super::desk::Desk;
use super::post::Post;
use super::press::{Deed, Press};
use super::which::{self, Want};

/// Commands for games in which somebody sits.
const IN_A_GAME: [&str; 4] = ["move", "board", "clock", "resign"];
/// Managers are never locked out of this one, and nobody of this.
const CONFIG: &str = "config";
const PRIVACY: &str = "privacy";
/// What ids of buttons that belong to these two begin with.
const OF_CONFIG: &str = "cfg:";
const OF_PRIVACY: &str = "prv:";
/// People that a list names; the rest is counted.
const MAX_NAMED: usize = 40;
/// Tables that are looked through for open challenges of somebody who is banned.
const MAX_CLOSED: usize = 200;

/// What is answered to a command of somebody who is banned; `None` if it may be carried out.
pub(super) async fn bars_command(desk: &Desk, asked: &Asked, given: &Given) -> Option<Post> {
    if !desk.hall.is_banned(asked.place.guild, asked.who).await {
        return None;
    }
    let name = given.name.as_str();
    let allowed = match name {
        PRIVACY => true,
        CONFIG => asked.manages,
        _ if given.target.is_none() && given.message.is_none() && IN_A_GAME.contains(&name) => {
            let table =
                which::table(desk, asked.into(), asked.place.into(), given.text("table"), Want::Act).await;
            table.is_ok_and(|table| is_playing(&table, asked.who))
        }
        _ => false,
    };
    (!allowed).then(|| refusal(desk))
}

/// Whether nothing is completed because whoever types is banned; the moves of their own games are.
pub(super) async fn bars_completion(desk: &Desk, asked: &Asked, command: &str) -> bool {
    !IN_A_GAME.contains(&command) && desk.hall.is_banned(asked.place.guild, asked.who).await
}

/// What is answered to a press by somebody who is banned; `None` if it may be carried out.
pub(super) async fn bars_press(desk: &Desk, asked: &Asked, pressed: &Pressed) -> Option<Post> {
    if !desk.hall.is_banned(asked.place.guild, asked.who).await {
        return None;
    }
    let id = pressed.id.as_str();
    if id.starts_with(OF_PRIVACY) || (id.starts_with(OF_CONFIG) && asked.manages) {
        return None;
    }
    let in_game = match Press::read(id) {
        Ok(press) if is_for_players(&press.deed) => {
            desk.hall.see(press.table).await.is_ok_and(|table| is_playing(&table, asked.who))
        }
        _ => false,
    };
    (!in_game).then(|| refusal(desk))
}

/// Whether somebody sits in a game that goes on, alone or in a team.
pub(super) fn is_playing(table: &Table, who: Person) -> bool {
    *table.status() == Status::Running && table.concerns(who)
}

/// Whether a button belongs to playing a game, rather than to looking at it or to more of them.
fn is_for_players(deed: &Deed) -> bool {
    !matches!(deed, Deed::Hint | Deed::DrawOptions(..) | Deed::Analyse | Deed::Turning | Deed::Rematch)
}

fn refusal(desk: &Desk) -> Post {
    Post::text(desk.words.limited(&Limited::Banned))
}

/// Bans somebody from a server and closes their open challenges there.
pub(super) async fn ban(desk: &Desk, asked: &Asked, guild: u64, who: Person) -> Post {
    if who == asked.who || who == desk.me() {
        return Post::text(desk.words.word(if who == desk.me() { "ban-me" } else { "ban-self" }));
    }
    let named = [("who", person(who).into())];
    let key = match desk.hall.moderation().ban(guild, who, desk.hall.now_ms()).await {
        Ok(Change::Done) => "ban-done",
        Ok(Change::Already) => "ban-already",
        Ok(Change::Full) => return Post::text(desk.words.say("ban-full", &[("most", MAX_BANS.into())])),
        Err(error) => return Post::text(desk.words.denied(&error.into(), None)),
    };
    let closed = close_challenges(desk, guild, who).await;
    let closed = (closed > 0).then(|| desk.words.say("ban-closed", &[("count", closed.into())]));
    let lines: Vec<String> = [desk.words.say(key, &named)].into_iter().chain(closed).collect();
    Post::text(lines.join("\n"))
}

/// Lifts a ban.
pub(super) async fn unban(desk: &Desk, guild: u64, who: Person) -> Post {
    match desk.hall.moderation().unban(guild, who).await {
        Ok(was) => {
            let key = if was { "ban-removed" } else { "ban-not-there" };
            Post::text(desk.words.say(key, &[("who", person(who).into())]))
        }
        Err(error) => Post::text(desk.words.denied(&error.into(), None)),
    }
}

/// Everybody who is banned from a server, as a text.
pub(super) async fn named(desk: &Desk, guild: u64) -> String {
    match desk.hall.moderation().banned_from(guild).await {
        Ok(banned) if banned.is_empty() => desk.words.word("value-none"),
        Ok(banned) => listed(desk, banned.iter().copied()),
        Err(error) => desk.words.denied(&error.into(), None),
    }
}

/// People by their mentions, as many as fit; the rest is counted.
pub(super) fn listed(desk: &Desk, people: impl ExactSizeIterator<Item = Person>) -> String {
    let more = people.len().saturating_sub(MAX_NAMED);
    let named: Vec<String> = people.take(MAX_NAMED).map(person).collect();
    match more {
        0 => desk.words.join(&named),
        more => {
            let args = [("people", named.join(", ").into()), ("more", more.into())];
            desk.words.say("block-list-more", &args)
        }
    }
}

/// Takes somebody out of the tables of a server that have not begun; how many those were.
async fn close_challenges(desk: &Desk, guild: u64, who: Person) -> usize {
    let filter = Filter {
        person: Some(who),
        guild: Some(guild),
        stage: Some(Stage::Waiting),
        most: MAX_CLOSED,
        ..Filter::default()
    };
    let mut closed = 0;
    for card in desk.hall.list(&filter).await.unwrap_or_default() {
        closed += usize::from(leave(desk, card.id, who).await);
    }
    closed
}

/// Gives up somebody's seat at a table that has not begun, or turns the challenge down for them.
pub(super) async fn leave(desk: &Desk, id: rookery_table::TableId, who: Person) -> bool {
    let Ok(table) = desk.hall.see(id).await else { return false };
    let asked = table.chairs().contains(&Occupant::Invited { person: who });
    let order = if asked { Order::Decline } else { Order::Leave };
    desk.hall.order(id, rookery_table::By::Person(who), order, None).await.is_ok()
}
