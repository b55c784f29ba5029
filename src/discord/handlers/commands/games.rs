//! `/games`: lists games, with links to their boards.

use async_trait::async_trait;
use futures_util::TryStreamExt;

use rookery_table::OutboxItem;
use rookery_table::ports::{Card, Filter, Posted, Stage};
use rookery_table::{TableError, TableId, UserId};

use super::command::Command;
use super::option_types::GameKey;
use super::options::command_options;
use crate::discord::state::context::Context;
use crate::discord::view::lists::Listed;
use crate::discord::wire::game_list_id::{GameListKind, GameListPage};
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The most games of a list; nobody turns more pages.
const MAX_LISTED: usize = 100;

pub(super) struct Games;

command_options! {
    pub(super) struct GamesOptions {
        which: Option<GameListKind> = "which", "command-games-which";
        person: Option<UserId> = "person", "command-games-person";
        game: Option<GameKey> = "game", "command-games-game";
    }
}

#[async_trait]
impl Command for Games {
    type Input = GamesOptions;

    fn name(&self) -> &'static str {
        "games"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: GamesOptions) -> OutgoingMessage {
        let which = input.which.unwrap_or(GameListKind::Mine);
        let (person, game) = (input.person, input.game.map(|game| game.0));
        shown(ctx, interaction, &GameListPage { which, person, game, number: 0 }).await
    }
}

/// Builds a page of a list with the current games.
pub(in crate::discord) async fn shown(
    ctx: &Context,
    interaction: &Interaction,
    page: &GameListPage,
) -> OutgoingMessage {
    match listed(ctx, interaction, page).await {
        Ok((cards, has_more)) => {
            let title = (page.which.title(), page.which.none(), page.number);
            let mut post = ctx.view().games(title, &cards, interaction.who, |number| page.id(number));
            if has_more {
                let latest = ctx.words.say("games-latest", &[("count", MAX_LISTED.into())]);
                post.content = format!("{}\n{latest}", post.content);
            }
            post
        }
        Err(denied) => OutgoingMessage::text(ctx.words.table_error(&denied, None)),
    }
}

/// Returns the filter of a list. Lists of other people's or everyone's games contain only games of this
/// server that every reader of this channel can see where they are played.
fn filter(page: &GameListPage, interaction: &Interaction) -> Filter {
    let (which, person) = (page.which, page.person);
    let (guild, channel) = (interaction.place.guild, interaction.place.channel);
    let of_all = matches!(which, GameListKind::Open | GameListKind::Here)
        || (which == GameListKind::Finished && guild.is_some());
    let here = of_all || person.is_some_and(|person| person != interaction.who);
    Filter {
        person: person.or((!of_all).then_some(interaction.who)),
        guild: guild.filter(|_| here),
        channel: (here && guild.is_none()).then_some(channel),
        stage: which.stage(),
        unfinished: which == GameListKind::Mine,
        game: page.game.clone(),
        ..Filter::default()
    }
}

/// Returns the games of a list, and whether there are more.
async fn listed(
    ctx: &Context,
    interaction: &Interaction,
    page: &GameListPage,
) -> Result<(Vec<Listed>, bool), TableError> {
    let who = page.person.unwrap_or(interaction.who);
    let filter = filter(page, interaction);
    let (mut latest, mut cards) = (ctx.registry.latest(&filter), Vec::new());
    // All unfinished ones, because those that wait for the person come first. Of others one more than is listed.
    while (filter.unfinished || cards.len() <= MAX_LISTED)
        && let Some(card) = latest.try_next().await?
    {
        let takes = page.which.takes(&card, who, interaction.who);
        if takes && (card.has(interaction.who) || ctx.may_list(&card, interaction.place.channel).await) {
            cards.push(card);
        }
    }
    // Games that wait for the person come first in their own list; the sort is stable.
    cards.sort_by_key(|card| !card.waits_now_on(who));
    let has_more = cards.len() > MAX_LISTED;
    let mut listed = Vec::with_capacity(cards.len());
    for card in cards.into_iter().take(MAX_LISTED) {
        let board = board(ctx, &card).await;
        listed.push(Listed { card, board });
    }
    Ok((listed, has_more))
}

/// Adds a link to another game in which it is this person's turn, if there is one.
pub(in crate::discord) async fn with_next_game(
    ctx: &Context,
    who: UserId,
    played: TableId,
    post: OutgoingMessage,
) -> OutgoingMessage {
    let mine = Filter { person: Some(who), stage: Some(Stage::Running), ..Filter::default() };
    // The move is played whether or not the list can be read.
    let mut cards = ctx.registry.latest(&mine);
    let card = loop {
        match cards.try_next().await {
            Ok(Some(card)) if card.id != played && card.waits_now_on(who) => break card,
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return post,
        }
    };
    let board = board(ctx, &card).await;
    let next = ctx.view().next_game(&Listed { card, board });
    OutgoingMessage { content: format!("{}\n{next}", post.content), ..post }
}

/// Returns the message with a table's latest board, if it is posted.
async fn board(ctx: &Context, card: &Card) -> Option<Posted> {
    let say =
        if card.stage == Stage::Waiting { OutboxItem::Announce } else { OutboxItem::Board { ply: card.ply } };
    ctx.registry.journal().posted(card.id, &say).await.ok().flatten()
}
