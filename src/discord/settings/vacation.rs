//! Days off: what somebody is told of theirs, and the button that ends them.

use std::sync::Arc;

use rookery_i18n::{Words, moment};
use rookery_table::clock::Clock;
use rookery_table::ports::{Filter, Stage};
use rookery_table::preferences::{Personal, Vacation};
use rookery_table::vacation::{NoDaysOff, YEARLY_DAYS};
use rookery_table::{Person, Table};

use super::super::asked::Asked;
use super::super::desk::Desk;
use super::super::post::{Part, Post, Tone};
use super::{PERSONAL, not_kept};

/// What the button sets that ends days off.
pub(super) const VACATION: &str = "vacation";
/// Tables named at most.
const NAMED_MOST: usize = 20;

/// Somebody's days off as they are.
pub async fn shown(desk: &Desk, asked: &Asked) -> Post {
    let personal = desk.hall.drawer().person(asked.who).await;
    page(desk, asked.who, &personal).await
}

/// Takes days off; what somebody is told who did.
pub async fn taken(desk: &Desk, asked: &Asked, wanted: Vacation) -> Post {
    let now_ms = desk.hall.now_ms();
    let mut outcome = Ok(());
    let kept = desk.hall.drawer().change_person(asked.who, |it| outcome = it.take_days_off(wanted, now_ms));
    match (kept.await, outcome) {
        (Err(error), _) => not_kept(desk.words, &error),
        (Ok(_), Err(refused)) => Post::text(no_days(desk.words, refused)),
        (Ok(personal), Ok(())) => {
            tell_tables(desk, asked.who).await;
            page(desk, asked.who, &personal).await
        }
    }
}

/// Ends days off, or gives up those to come.
pub(super) async fn ended(desk: &Desk, asked: &Asked) -> Post {
    let now_ms = desk.hall.now_ms();
    let kept = desk
        .hall
        .drawer()
        .change_person(asked.who, |it| {
            it.end_days_off(now_ms);
        })
        .await;
    match kept {
        Err(error) => not_kept(desk.words, &error),
        Ok(personal) => {
            tell_tables(desk, asked.who).await;
            page(desk, asked.who, &personal).await
        }
    }
}

/// Has the clocks of somebody's tables follow what they chose.
pub(super) async fn tell_tables(desk: &Desk, who: Person) {
    if let Err(error) = desk.hall.rest(who).await {
        tracing::warn!(%error, "somebody's clocks follow their days off later");
    }
}

/// What days off somebody has, in a line.
pub(super) fn line(words: &Words, personal: &Personal, now_ms: i64) -> String {
    match personal.coming_days_off(now_ms) {
        None => words.word("value-none"),
        Some(days) => {
            let [from, until] = [days.from_ms, days.until_ms].map(|at_ms| moment(at_ms).into());
            words.say("value-span", &[("from", from), ("to", until)])
        }
    }
}

async fn page(desk: &Desk, who: Person, personal: &Personal) -> Post {
    let (words, now_ms) = (desk.words, desk.hall.now_ms());
    let left = personal.days_left(now_ms);
    let days = words.say("vacation-left", &[("left", left.into()), ("most", YEARLY_DAYS.into())]);
    let Some(coming) = personal.coming_days_off(now_ms) else {
        return Post::text(format!("{} {days}", words.word("vacation-none")));
    };
    let key = if coming.from_ms > now_ms { "vacation-to-come" } else { "vacation-now" };
    let args = [("from", moment(coming.from_ms).into()), ("until", moment(coming.until_ms).into())];
    let text = format!("{} {days}\n{}", words.say(key, &args), effect(desk, who).await);
    let label = if coming.from_ms > now_ms { "button-vacation-drop" } else { "button-vacation-end" };
    let end = Part::button(words.word(label), Tone::Main, format!("{PERSONAL}:{VACATION}:end"));
    Post::text(text).row([end])
}

/// At which tables time stands meanwhile, and at which it does not.
async fn effect(desk: &Desk, who: Person) -> String {
    let tables = running(desk, who).await;
    let allows = |table: &&Arc<Table>| table.clock().is_some_and(|clock: &Clock| !clock.terms().no_vacation);
    let stands = tables.iter().filter(allows).count();
    let runs = tables.iter().filter(|table| table.clock().is_some_and(|clock| clock.terms().no_vacation));
    let runs: Vec<String> = runs.take(NAMED_MOST).map(|table| table.id().to_string()).collect();
    let mut said = vec![desk.words.say("vacation-stands", &[("count", stands.into())])];
    if !runs.is_empty() {
        said.push(desk.words.say("vacation-runs", &[("tables", desk.words.join(&runs).into())]));
    }
    said.join(" ")
}

async fn running(desk: &Desk, who: Person) -> Vec<Arc<Table>> {
    let filter = Filter { person: Some(who), stage: Some(Stage::Running), ..Filter::default() };
    let mut tables = Vec::new();
    for card in desk.hall.list(&filter).await.unwrap_or_default() {
        tables.extend(desk.hall.see(card.id).await.ok());
    }
    tables
}

fn no_days(words: &Words, refused: NoDaysOff) -> String {
    match refused {
        NoDaysOff::Backwards => words.word("vacation-backwards"),
        NoDaysOff::TooFar => words.word("vacation-too-far"),
        NoDaysOff::TooMany { left, instead } => {
            let key = if instead { "vacation-too-many-instead" } else { "vacation-too-many" };
            words.say(key, &[("left", left.into()), ("most", YEARLY_DAYS.into())])
        }
        NoDaysOff::Apart { until_ms } => words.say("vacation-apart", &[("until", moment(until_ms).into())]),
    }
}
