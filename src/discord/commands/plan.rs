//! `/if`: moves decided beforehand.

use async_trait::async_trait;
use serde_json::Value;

use rookery_core::{Play, Seat};
use rookery_i18n::Words;
use rookery_table::teams::Team;
use rookery_table::{Order, Person, Table, plans};

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::layout::panel::{self, Stage, View};
use super::super::post::Post;
use super::super::press::Deed;
use super::super::which::Want;
use super::{Command, Kind, meant, option, table_option};

/// Decides moves beforehand, and shows what is decided.
pub(super) struct If;

#[async_trait]
impl Command for If {
    fn name(&self) -> &'static str {
        "if"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        vec![option(words, Kind::Text, "plan", "command-if-plan"), table_option(words)]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match meant(desk, asked, given, Want::Act).await {
            Ok(table) => considered(desk, asked.who, &table, given.text("plan")),
            Err(post) => *post,
        }
    }
}

/// A plan as it is understood, to be confirmed; without a text what is planned already.
pub fn considered(desk: &Desk, who: Person, table: &Table, text: Option<&str>) -> Post {
    let Some(text) = text else { return shown(desk, who, table) };
    match plans::read(table, who, text) {
        Ok((seat, branches)) => desk.layout().plan_sure(table, seat, &branches),
        Err(refused) => Post::text(desk.words.refused(&refused, Some(table))),
    }
}

/// What somebody has planned.
pub fn shown(desk: &Desk, who: Person, table: &Table) -> Post {
    let votes = |seat| table.team(seat).is_some_and(Team::votes);
    match table.seat_of(who) {
        Some(seat) if votes(seat) => Post::text(desk.words.word("refused-team-votes")),
        Some(seat) => desk.layout().planned(table, seat),
        None => Post::text(desk.words.not_seated(Some(table))),
    }
}

/// Gives up the plan of this mark, or all of them. What is planned no more already needs no order, and where
/// another press of the same button was quicker what is left is the answer.
pub async fn dropped(desk: &Desk, asked: &Asked, table: &Table, which: Option<&str>) -> Post {
    let Some(mark) = which else { return ordered(desk, asked, table, Order::Unplan(None)).await };
    let Some(branch) = marked(table, asked.who, mark) else { return shown(desk, asked.who, table) };
    let order = Order::Unplan(Some(branch.clone()));
    let post = match desk.order(table.id(), asked.into(), order, asked.ticket.id).await {
        Ok(seen) => return shown(desk, asked.who, &seen.table),
        Err(post) => post,
    };
    match desk.look_again(table).await {
        Ok(now) if marked(&now, asked.who, mark).is_none() => shown(desk, asked.who, &now),
        _ => *post,
    }
}

/// Somebody's plan of this mark.
fn marked<'a>(table: &'a Table, who: Person, mark: &str) -> Option<&'a plans::Branch> {
    let planned = table.seat_of(who).map_or(&[][..], |seat| table.plans().of(seat));
    planned.iter().find(|branch| plans::mark(branch) == mark)
}

/// Carries an order about plans out and shows what is planned then.
pub async fn ordered(desk: &Desk, asked: &Asked, table: &Table, order: Order) -> Post {
    match desk.order(table.id(), asked.into(), order, asked.ticket.id).await {
        Ok(seen) => shown(desk, asked.who, &seen.table),
        Err(post) => *post,
    }
}

/// One step of a plan that is put together by choosing. Once the planner's own move is there, it is
/// shown to be confirmed.
pub fn step(
    desk: &Desk,
    asked: &Asked,
    table: &Table,
    moves: &[String],
    step: &Deed,
    value: Option<&str>,
) -> Post {
    let refused = |key| Post::text(desk.words.word(key));
    let (Some(play), Some(turn)) = (table.play(), table.to_move()) else { return refused("refused-over") };
    let Some(seat) = table.seat_of(asked.who) else { return refused("refused-not-seated") };
    if turn == seat {
        return refused("refused-plan-own-turn");
    }
    let (mut taken, line) = match step {
        Deed::Panel(taken) | Deed::Pick(_, taken) => (taken.clone(), None),
        Deed::In(line, taken) => (taken.clone(), Some(*line)),
        _ => return refused("old-button"),
    };
    taken.extend(value.map(str::to_owned));
    let mut ahead = play.clone_play();
    if moves.iter().any(|text| ahead.play(text).is_err()) {
        return refused("refused-stale");
    }
    on_from(desk, asked, (table, seat), (moves.to_vec(), ahead), (taken, line))
}

/// The next choice of a plan, after its moves so far (with the position that they lead to) and the steps taken
/// there; turns that leave no choice are taken by the way. Once a move of the planner's own is there, the whole
/// plan, to be confirmed.
fn on_from(
    desk: &Desk,
    asked: &Asked,
    (table, seat): (&Table, Seat),
    (mut moves, mut play): (Vec<String>, Box<dyn Play>),
    (mut taken, line): (Vec<String>, Option<char>),
) -> Post {
    let refused = |key| Post::text(desk.words.word(key));
    loop {
        match panel::stage(play.as_ref(), &taken) {
            Stage::Choose { taken, choices } => {
                let view = View { table, play: play.as_ref(), side: seat, ahead: Some(&moves) };
                let post = desk.layout().panel_of(&view, &taken, &choices, line);
                return post.unwrap_or_else(|| refused("old-button"));
            }
            Stage::Done(text) => {
                let own = play.turn() == seat;
                let played = play.play(&text);
                moves.extend(played);
                taken.clear();
                if own {
                    return considered(desk, asked.who, table, Some(&moves.join(" then ")));
                }
            }
            Stage::Nothing => return refused("plan-no-answer"),
        }
    }
}
