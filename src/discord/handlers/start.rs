//! Presses on the way to a game: from the welcome message or `/play` to the game, the opponent, the options, and the
//! table.

use std::collections::BTreeMap;

use rookery_core::player::Level;
use rookery_core::rules::GameInfo;
use rookery_table::UserId;
use rookery_table::preferences::PersonalPreferences;

use crate::discord::handlers::commands::play_choices::{self, MAX_VALUE_CHARS, game_info};
use crate::discord::handlers::commands::{AiStrength, OpenTable, games, open_and_link, request_of};
use crate::discord::handlers::lesson;
use crate::discord::state::context::Context;
use crate::discord::view::start::{STANDARD, StartOption};
use crate::discord::wire::form::{Form, FormField};
use crate::discord::wire::game_list_id::{GameListKind, GameListPage};
use crate::discord::wire::interaction::{ComponentPress, Interaction};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::start_id::{StartId, StartPurpose};

/// Carries out a press; only the presser sees the answer.
pub async fn pressed(
    ctx: &Context,
    interaction: &Interaction,
    start: &StartId,
    pressed: &ComponentPress,
) -> OutgoingMessage {
    let value = pressed.values.first().map(String::as_str);
    match start {
        StartId::Panel => ctx.view().start_panel(),
        StartId::Watch => watch(ctx, interaction).await,
        StartId::Games(StartPurpose::Bot) => play_choices::games_against_bot(ctx, interaction, None).await,
        StartId::GamesLevel => {
            let level = value.and_then(Level::named);
            play_choices::games_against_bot(ctx, interaction, level).await
        }
        StartId::Games(purpose) => ctx.view().start_games(*purpose),
        StartId::Game(_, game)
        | StartId::Level(game, _)
        | StartId::Challenge(game)
        | StartId::Open(game)
        | StartId::Options(game, _)
        | StartId::Pick(game, _)
        | StartId::Set(game, ..)
        | StartId::Reset(game, _) => match game_info(ctx, game) {
            Ok(info) => for_game(ctx, interaction, (start, info), (value, &pressed.bots)).await,
            Err(refusal) => *refusal,
        },
    }
}

async fn watch(ctx: &Context, interaction: &Interaction) -> OutgoingMessage {
    let page = GameListPage { which: GameListKind::Here, person: None, game: None, number: 0 };
    let list = games::shown(ctx, interaction, &page).await;
    // Without further pages there is room for the way to a game of one's own.
    if list.rows.is_empty() && list.embed.is_none() { list.row(ctx.view().start_buttons()) } else { list }
}

async fn for_game(
    ctx: &Context,
    interaction: &Interaction,
    (start, info): (&StartId, &'static GameInfo),
    (value, bots): (Option<&str>, &[UserId]),
) -> OutgoingMessage {
    let old = || OutgoingMessage::text(ctx.words.word("old-button"));
    match start {
        StartId::Game(purpose, _) => game(ctx, interaction, *purpose, info).await,
        StartId::Level(_, key) => match Level::named(key) {
            Some(level) => play_bot(ctx, interaction, info, level).await,
            None => old(),
        },
        StartId::Challenge(_) => match value.and_then(|id| id.parse().ok()) {
            Some(person) => challenge(ctx, interaction, info, (UserId(person), bots)).await,
            None => old(),
        },
        StartId::Open(_) => {
            let anyone = |request| OpenTable { open: true, ..request };
            open(ctx, interaction, info, anyone).await
        }
        StartId::Options(_, back) => options(ctx, interaction, (info, *back), None).await,
        StartId::Pick(_, back) => options(ctx, interaction, (info, *back), value).await,
        StartId::Set(_, back, key) => set(ctx, interaction, (info, *back), (key, value)).await,
        StartId::Reset(_, back) => changed(ctx, interaction, (info, *back), None, BTreeMap::clear).await,
        StartId::Panel | StartId::Watch | StartId::Games(_) | StartId::GamesLevel => old(),
    }
}

async fn game(
    ctx: &Context,
    interaction: &Interaction,
    purpose: StartPurpose,
    info: &'static GameInfo,
) -> OutgoingMessage {
    match purpose {
        StartPurpose::Bot | StartPurpose::BotOptions => play_choices::levels(ctx, interaction, info).await,
        StartPurpose::BotAt(_) => options(ctx, interaction, (info, purpose), None).await,
        StartPurpose::Person => play_choices::person(ctx, interaction, info).await,
        StartPurpose::Opponent => play_choices::opponents(ctx, interaction, info).await,
        StartPurpose::Lesson => lesson::begin(ctx, info.key)
            .unwrap_or_else(|| OutgoingMessage::text(ctx.words.word("old-button"))),
    }
}

/// Opens a game against the bot, and keeps the level for the next one.
async fn play_bot(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
    level: Level,
) -> OutgoingMessage {
    let store = |personal: &mut PersonalPreferences| {
        personal.play.level = Some(level.key().to_owned());
    };
    if let Err(error) = ctx.registry.preferences_cache().change_person(interaction.who, store).await {
        tracing::warn!(%error, "the level that a person chose is not kept");
    }
    open(ctx, interaction, info, |request| OpenTable { ai: Some(AiStrength::Level(level)), ..request }).await
}

/// Challenges a person. Choosing the bot asks for its level.
async fn challenge(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
    (person, bots): (UserId, &[UserId]),
) -> OutgoingMessage {
    if person == ctx.me() {
        return play_choices::levels(ctx, interaction, info).await;
    }
    let with = |request| OpenTable { guests: vec![person], bots: bots.to_vec(), ..request };
    open(ctx, interaction, info, with).await
}

/// Opens a table with the options that the person chose last. A refusal has a button that leads back.
async fn open(
    ctx: &Context,
    interaction: &Interaction,
    info: &'static GameInfo,
    with: impl FnOnce(OpenTable) -> OpenTable,
) -> OutgoingMessage {
    let chosen = play_choices::remembered(ctx, interaction, info).await;
    let request = match request_of(ctx.words, info.key, &chosen) {
        Ok(request) => with(request),
        Err(sentence) => return refused(ctx, info, OutgoingMessage::text(sentence)),
    };
    match open_and_link(ctx, interaction, &request).await {
        Ok(post) => post,
        Err(refusal) => refused(ctx, info, *refusal),
    }
}

fn refused(ctx: &Context, info: &GameInfo, refusal: OutgoingMessage) -> OutgoingMessage {
    let id = StartId::Game(StartPurpose::Opponent, info.key.to_owned()).id();
    let back = Component::button(ctx.words.word("button-back"), ButtonStyle::Secondary, id);
    refusal.row([back])
}

/// Returns the form for an option whose value is typed; `None` for any other press.
pub async fn form(
    ctx: &Context,
    interaction: &Interaction,
    pressed: &ComponentPress,
    start: &StartId,
) -> Option<Form> {
    let StartId::Pick(game, back) = start else { return None };
    let (key, info) = (pressed.values.first()?, game_info(ctx, game).ok()?);
    let known = play_choices::options(ctx.words, info, true);
    known.iter().find(|option| option.key == *key && option.choices.is_empty())?;
    let chosen = play_choices::remembered(ctx, interaction, info).await;
    Some(Form {
        id: StartId::Set(game.clone(), *back, key.clone()).id(),
        title: ctx.words.game_short(info.key),
        fields: vec![FormField {
            label: ctx.words.option_name(key),
            text: chosen.get(key).cloned().unwrap_or_default(),
            most: MAX_VALUE_CHARS,
        }],
    })
}

/// Shows the options of a game with what the person chose last. `changing` is the option to change.
async fn options(
    ctx: &Context,
    interaction: &Interaction,
    (info, back): (&'static GameInfo, StartPurpose),
    changing: Option<&str>,
) -> OutgoingMessage {
    let chosen = play_choices::remembered(ctx, interaction, info).await;
    let rated = play_choices::may_rate(ctx, interaction).await;
    let value = |option: StartOption| {
        let value = chosen.get(&option.key).cloned();
        (option, value)
    };
    let all: Vec<_> = play_choices::options(ctx.words, info, rated).into_iter().map(value).collect();
    ctx.view().start_options(info, back, &all, changing)
}

/// Sets an option, or sets it back.
async fn set(
    ctx: &Context,
    interaction: &Interaction,
    panel: (&'static GameInfo, StartPurpose),
    (key, value): (&str, Option<&str>),
) -> OutgoingMessage {
    let value = value.map(str::trim).filter(|value| *value != STANDARD).unwrap_or_default().to_owned();
    let known = play_choices::options(ctx.words, panel.0, play_choices::may_rate(ctx, interaction).await);
    if !known.iter().any(|option| option.key == key) {
        return OutgoingMessage::text(ctx.words.word("old-button"));
    }
    let insert = |chosen: &mut BTreeMap<String, String>| drop(chosen.insert(key.to_owned(), value));
    changed(ctx, interaction, panel, Some(key), insert).await
}

/// Changes the options and shows them; what is wrong with a value is said above them.
async fn changed(
    ctx: &Context,
    interaction: &Interaction,
    (info, back): (&'static GameInfo, StartPurpose),
    key: Option<&str>,
    change: impl FnOnce(&mut BTreeMap<String, String>),
) -> OutgoingMessage {
    match play_choices::keep(ctx, interaction, info, change).await {
        Ok(()) => options(ctx, interaction, (info, back), None).await,
        Err(sentence) => {
            let mut post = options(ctx, interaction, (info, back), key).await;
            post.content = format!("{sentence}\n{}", post.content);
            post
        }
    }
}
