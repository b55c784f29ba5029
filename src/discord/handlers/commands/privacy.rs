//! `/privacy`: shows which data is stored about a person, exports it and deletes it.

use async_trait::async_trait;
use futures_util::TryStreamExt;
use serde_json::{Value, json};

use rookery_i18n::Localizer;
use rookery_table::annotation::Annotation;
use rookery_table::ports::{Card, Filter, Stage, StoreError, walk_pages};
use rookery_table::rated::Account;
use rookery_table::registry::DeletionOutcome;
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::web_session::WebSession;
use rookery_table::{LeavePolicy, TableId, UserId};

use super::command::Command;
use super::options::NoOptions;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::privacy_id::PrivacyAction;

/// The name of the exported file.
const FILE: &str = "rookery-my-data.json";
/// The most games that a confirmation names; the others are counted.
const MAX_NAMED_TABLES: usize = 20;
/// The fewest seats of a game in which the bot may take over.
const STAND_IN_FROM: usize = 3;

pub(super) struct Privacy;

#[async_trait]
impl Command for Privacy {
    type Input = NoOptions;

    fn name(&self) -> &'static str {
        "privacy"
    }

    async fn run(&self, ctx: &Context, _: &Interaction, _: NoOptions) -> OutgoingMessage {
        let contact = ctx.settings.contact.as_deref().map(|contact| ctx.words.contact(contact));
        let page: Vec<_> = [ctx.words.word("privacy")].into_iter().chain(contact).collect();
        OutgoingMessage::text(page.join("\n\n")).row([
            button(ctx.words, "button-privacy-send", ButtonStyle::Primary, PrivacyAction::Send),
            button(ctx.words, "button-privacy-delete", ButtonStyle::Danger, PrivacyAction::Ask),
        ])
    }
}

fn button(words: &Localizer, label: &str, style: ButtonStyle, action: PrivacyAction) -> Component {
    Component::button(words.word(label), style, action.id())
}

/// Carries out a press of a button of `/privacy`.
pub async fn pressed(ctx: &Context, interaction: &Interaction, action: PrivacyAction) -> OutgoingMessage {
    let done = match action {
        PrivacyAction::Send => export_data(ctx, interaction.who).await,
        PrivacyAction::Ask => ask(ctx, interaction.who).await,
        PrivacyAction::Resign => delete(ctx, interaction.who, LeavePolicy::Resign).await,
        PrivacyAction::StandIn => delete(ctx, interaction.who, LeavePolicy::Substitute).await,
        PrivacyAction::Keep => Ok(OutgoingMessage::text(ctx.words.word("privacy-kept"))),
    };
    done.unwrap_or_else(|error| {
        tracing::error!(%error, "could not read or delete a person's data");
        OutgoingMessage::text(ctx.words.word("denied-journal"))
    })
}

/// Builds the confirmation of the deletion, which says what happens to unfinished games.
async fn ask(ctx: &Context, who: UserId) -> Result<OutgoingMessage, StoreError> {
    let words = ctx.words;
    // A damaged list of games must not prevent the question; the deletion is then postponed.
    let filter = Filter { person: Some(who), unfinished: true, ..Filter::default() };
    let journal = ctx.registry.journal();
    let open: Vec<Card> = match walk_pages(|page| journal.list(&filter, page)).try_collect().await {
        Err(error) if error.is_unreadable() => Vec::new(),
        read => read?,
    };
    let mut lines = vec![words.word("privacy-sure")];
    let mut buttons =
        vec![button(words, "button-privacy-resign", ButtonStyle::Danger, PrivacyAction::Resign)];
    if !open.is_empty() {
        let tables = named(&open.iter().map(|card| card.id).collect::<Vec<_>>());
        lines.push(words.say("privacy-running", &[("games", open.len().into()), ("tables", tables.into())]));
    }
    if open.iter().any(|card| card.stage == Stage::Running && card.people.len() >= STAND_IN_FROM) {
        lines.push(words.word("privacy-stand-in"));
        buttons.push(button(words, "button-privacy-stand-in", ButtonStyle::Danger, PrivacyAction::StandIn));
    }
    buttons.push(button(words, "button-privacy-keep", ButtonStyle::Secondary, PrivacyAction::Keep));
    Ok(OutgoingMessage::text(lines.join("\n")).row(buttons))
}

/// Lists the first table names; the others are counted.
fn named(tables: &[TableId]) -> String {
    let named: Vec<_> = tables.iter().take(MAX_NAMED_TABLES).map(TableId::to_string).collect();
    let more = if tables.len() > MAX_NAMED_TABLES { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

async fn delete(
    ctx: &Context,
    who: UserId,
    leave_policy: LeavePolicy,
) -> Result<OutgoingMessage, StoreError> {
    ctx.forget(who);
    match ctx.registry.delete_person(who, leave_policy).await {
        Ok(DeletionOutcome::Done) => Ok(OutgoingMessage::text(ctx.words.word("privacy-done"))),
        Ok(DeletionOutcome::Postponed) => Ok(OutgoingMessage::text(ctx.words.word("privacy-postponed"))),
        Ok(DeletionOutcome::TablesRemain(remaining)) => {
            let args = [("games", remaining.len().into()), ("tables", named(&remaining).into())];
            Ok(OutgoingMessage::text(ctx.words.say("privacy-remains", &args)))
        }
        // Some steps may be done, for example resignations, so the answer must not say that nothing has
        // changed.
        Err(denied) => {
            tracing::error!(%denied, "a person's data is only partly deleted");
            let (label, action) = match leave_policy {
                LeavePolicy::Resign => ("button-privacy-resign", PrivacyAction::Resign),
                LeavePolicy::Substitute => ("button-privacy-stand-in", PrivacyAction::StandIn),
            };
            let again = button(ctx.words, label, ButtonStyle::Danger, action);
            Ok(OutgoingMessage::text(ctx.words.word("privacy-half")).row([again]))
        }
    }
}

/// Builds the answer with all stored data as a file.
async fn export_data(ctx: &Context, who: UserId) -> Result<OutgoingMessage, StoreError> {
    let journal = ctx.registry.journal();
    let ratings = journal.ratings();
    let ratings: Vec<_> =
        walk_pages(|page| ratings.history(Account::Person(who), page)).try_collect().await?;
    let rating = |it: rookery_table::rated::RatingRecord| {
        json!({ "game": it.game, "pool": it.pool.key(), "rating": it.rating.mean(), "table": it.table.as_str(),
            "at_ms": it.at.as_millisecond() })
    };
    let links = journal.share_links();
    let mut links: Vec<_> = walk_pages(|page| links.links_by(who, page)).try_collect().await?;
    links.sort_by_key(|link| link.made_at);
    let personal = match journal.preferences().personal(who).await {
        Err(error) if error.is_unreadable() => None,
        read => read?,
    };
    let follows = journal.follows();
    let watching: Vec<_> = walk_pages(|page| follows.watched_by(who, page)).try_collect().await?;
    let blocking = journal.moderation().blocked_by(who).await?;
    let browsers = journal.web_sessions().sessions_of(who).await?;
    let browser = |it: &WebSession| json!({ "signed_in_at_ms": it.made_at.as_millisecond(), "used_at_ms": it.used_at.as_millisecond() });
    let (games, annotated) = (games(ctx, who).await?, annotated(ctx, who).await?);
    let written = move || {
        serde_json::to_vec_pretty(&json!({
            "discord_user": who.0.to_string(),
            "settings": personal,
            "blocking": blocking.iter().map(|other| other.0.to_string()).collect::<Vec<_>>(),
            "watching": watching.iter().map(|table| table.as_str()).collect::<Vec<_>>(),
            "shared_links": links.iter().map(link).collect::<Vec<_>>(),
            "browsers": browsers.iter().map(browser).collect::<Vec<_>>(),
            "games": games,
            "notes": annotated,
            "ratings": ratings.into_iter().map(rating).collect::<Vec<_>>(),
        }))
    };
    // A person may have played thousands of games.
    let written = ctx.registry.tasks().compute("personal data", written).await;
    let written = written.map_err(|error| StoreError::Backend(error.to_string()))?;
    let bytes = written.map_err(|error| StoreError::Backend(error.to_string()))?;
    Ok(OutgoingMessage::text(ctx.words.word("privacy-sent")).file(FILE, bytes))
}

/// Describes a link that the person made, without its token: `/share` shows the link itself to the players.
fn link(link: &ShareLink) -> Value {
    let table = match link.target {
        ShareTarget::Table(table) => Some(table),
        ShareTarget::Server(_) => None,
    };
    json!({ "table": table.map(|table| table.to_string()), "made_ms": link.made_at.as_millisecond() })
}

/// Describes what the person wrote and drew on positions of games, and whether a link shows it, by table.
async fn annotated(ctx: &Context, who: UserId) -> Result<Vec<Value>, StoreError> {
    let kept = ctx.registry.journal().annotations();
    let mut tables = walk_pages(|page| kept.annotated_by(who, page));
    let mut all = Vec::new();
    while let Some(table) = tables.try_next().await? {
        let positions: Vec<_> = kept.annotations_of(who, table).await?.iter().map(annotation).collect();
        let link = kept.annotation_link_of(who, table).await?.map(|link| link.made_at.as_millisecond());
        all.push(json!({ "table": table.as_str(), "positions": positions, "shared_at_ms": link }));
    }
    Ok(all)
}

fn annotation(it: &Annotation) -> Value {
    let arrows: Vec<_> = it.arrows.iter().map(ToString::to_string).collect();
    json!({ "turns": it.position.ply, "line": it.position.line, "comment": it.comment, "arrows": arrows,
        "marks": it.marks, "changed_at_ms": it.at.as_millisecond() })
}

/// Describes a game as far as it concerns this person, because the data of others is not theirs.
fn game(card: &Card, who: UserId) -> Value {
    let own = card.people.iter().enumerate().filter(|(_, person)| **person == Some(who));
    let seats: Vec<usize> = own.map(|(seat, _)| seat + 1).collect();
    let winners: Vec<_> = card.winners.iter().map(|seat| seat.number()).collect();
    json!({ "table": card.id.as_str(), "game": card.game, "stage": card.stage, "turns": card.ply,
        "seats": card.people.len(), "your_seats": seats, "winning_seats": winners, "server": card.guild,
        "last_ms": card.at.as_millisecond() })
}

/// Describes every table at which the person sits or sat, those with the latest event first.
async fn games(ctx: &Context, who: UserId) -> Result<Vec<Value>, StoreError> {
    let filter = Filter { person: Some(who), ..Filter::default() };
    let journal = ctx.registry.journal();
    let cards = walk_pages(|page| journal.scan(&filter, page));
    let mut games: Vec<_> = cards.map_ok(|card| (card.at, game(&card, who))).try_collect().await?;
    games.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    Ok(games.into_iter().map(|(_, game)| game).collect())
}
