//! `/games`: lists games, with links to their boards.

use async_trait::async_trait;
use serde_json::Value;

use rookery_i18n::Localizer;
use rookery_table::TableError;
use rookery_table::ports::{Card, Filter, Posted, Stage};
use rookery_table::{OutboxItem, Person};

use super::{Command, OptionKind, chosen, games_by_name, option};
use crate::discord::state::context::Context;
use crate::discord::view::lists::Listed;
use crate::discord::wire::component_id::{FIELD, VERSION};
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// Stands where a table's name would; too long to be one.
const PAGE: &str = "page-of-games";

/// Lists games.
pub(super) struct Games;

/// GameListKind games are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GameListKind {
    /// Somebody's, going on.
    Mine,
    /// Those in which it is their turn.
    Turn,
    /// Those that wait for players, here.
    Open,
    /// Those going on here.
    Here,
    /// Those that are over: somebody's, or here.
    Finished,
}

impl GameListKind {
    /// Each with its key, the sentence that offers it, and the title of its list.
    const ALL: [(GameListKind, &'static str, &'static str, &'static str); 5] = [
        (GameListKind::Mine, "mine", "games-which-mine", "games-mine"),
        (GameListKind::Turn, "turn", "games-which-turn", "games-turn"),
        (GameListKind::Open, "open", "games-which-open", "games-open"),
        (GameListKind::Here, "here", "games-which-here", "games-here"),
        (GameListKind::Finished, "finished", "games-which-finished", "games-finished"),
    ];

    /// What is said where the list is empty.
    fn none(self) -> &'static str {
        match self {
            GameListKind::Mine => "games-none-mine",
            GameListKind::Turn => "games-none-turn",
            GameListKind::Open => "games-none-open",
            GameListKind::Here => "games-none-here",
            GameListKind::Finished => "games-none-finished",
        }
    }

    fn named(key: &str) -> Option<GameListKind> {
        GameListKind::ALL.iter().find(|(_, known, _, _)| *known == key).map(|(which, ..)| *which)
    }

    fn key(self) -> &'static str {
        GameListKind::ALL.iter().find(|(which, ..)| *which == self).map_or("", |(_, key, ..)| key)
    }

    fn title(self) -> &'static str {
        GameListKind::ALL.iter().find(|(which, ..)| *which == self).map_or("", |(.., title)| title)
    }

    fn stage(self) -> Option<Stage> {
        match self {
            GameListKind::Mine => None,
            GameListKind::Turn | GameListKind::Here => Some(Stage::Running),
            GameListKind::Open => Some(Stage::Waiting),
            GameListKind::Finished => Some(Stage::Over),
        }
    }

    /// Whether a table is to be listed of somebody's, for whoever asks. What is asked of one person is open to
    /// nobody else.
    fn takes(self, card: &Card, who: Person, asker: Person) -> bool {
        match self {
            GameListKind::Turn => card.waits_now_on(who),
            GameListKind::Open => card.free_seats() > 0 || card.asked.contains(&asker),
            GameListKind::Mine | GameListKind::Here | GameListKind::Finished => true,
        }
    }
}

#[async_trait]
impl Command for Games {
    fn name(&self) -> &'static str {
        "games"
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let which = GameListKind::ALL.map(|(_, key, offer, _)| (words.word(offer), key.to_owned()));
        vec![
            chosen(option(words, OptionKind::Text, "which", "command-games-which"), which),
            option(words, OptionKind::Person, "person", "command-games-person"),
            chosen(option(words, OptionKind::Text, "game", "command-games-game"), games_by_name(words)),
        ]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let which = input.text("which").and_then(GameListKind::named).unwrap_or(GameListKind::Mine);
        let (person, game) = (input.person("person"), input.text("game").map(str::to_owned));
        shown(ctx, interaction, &Page { which, person, game, number: 0 }).await
    }
}

/// A page of a list: what is listed, and which page of it. Its buttons carry all of that, so that they outlive the
/// process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discord) struct Page {
    which: GameListKind,
    /// Whose games, if that was said.
    person: Option<Person>,
    /// Of which game only, by its key.
    game: Option<String>,
    /// The page's number, from 0.
    number: usize,
}

impl Page {
    /// The id of a button that leads to another page, at most 100 characters:
    /// `1:page-of-games:here:80351110224678912:amazons:2`.
    fn id(&self, number: usize) -> String {
        let (person, game) = (self.person.map_or(0, |who| who.0), self.game.as_deref().unwrap_or_default());
        let which = self.which.key();
        format!("{VERSION}{FIELD}{PAGE}{FIELD}{which}{FIELD}{person}{FIELD}{game}{FIELD}{number}")
    }

    /// Reads an id; `None` if it is another one.
    pub(in crate::discord) fn read(id: &str) -> Option<Page> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(PAGE)?.strip_prefix(FIELD)?;
        let mut fields = rest.split(FIELD);
        let which = GameListKind::named(fields.next()?)?;
        let person = fields.next()?.parse().ok()?;
        let game = fields.next()?;
        let number = fields.next()?.parse().ok()?;
        let person = (person != 0).then_some(Person(person));
        let game = (!game.is_empty()).then(|| game.to_owned());
        fields.next().is_none().then_some(Page { which, person, game, number })
    }
}

/// A page of a list as it is now.
pub(in crate::discord) async fn shown(
    ctx: &Context,
    interaction: &Interaction,
    page: &Page,
) -> OutgoingMessage {
    match listed(ctx, interaction, page).await {
        Ok(cards) => {
            let title = (page.which.title(), page.which.none(), page.number);
            ctx.view().games(title, &cards, interaction.who, |number| page.id(number))
        }
        Err(denied) => OutgoingMessage::text(ctx.words.table_error(&denied, None)),
    }
}

/// Of other people, and of all people, only what goes on here is told, and what whoever reads this channel can
/// see where it is played.
fn filter(page: &Page, interaction: &Interaction) -> Filter {
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

async fn listed(ctx: &Context, interaction: &Interaction, page: &Page) -> Result<Vec<Listed>, TableError> {
    let who = page.person.unwrap_or(interaction.who);
    let mut cards = ctx.registry.list(&filter(page, interaction)).await?;
    cards.retain(|card| page.which.takes(card, who, interaction.who));
    // Those that wait for somebody come first in their list; the order is kept otherwise.
    cards.sort_by_key(|card| !card.waits_now_on(who));
    let mut listed = Vec::with_capacity(cards.len());
    for card in cards {
        if !card.has(interaction.who) && !ctx.may_list(&card, interaction.place.channel).await {
            continue;
        }
        let board = board(ctx, &card).await;
        listed.push(Listed { card, board });
    }
    Ok(listed)
}

/// The message with a table's latest board, if it is posted.
async fn board(ctx: &Context, card: &Card) -> Option<Posted> {
    let say =
        if card.stage == Stage::Waiting { OutboxItem::Announce } else { OutboxItem::Board { ply: card.ply } };
    ctx.registry.journal().posted(card.id, &say).await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

    #[test]
    fn a_page_is_read_as_it_was_written_and_nothing_else_is() {
        let longest =
            rookery_games::all().iter().map(|game| game.info().key).max_by_key(|key| key.len()).unwrap();
        for (which, ..) in GameListKind::ALL {
            for (person, game) in [(None, None), (Some(Person(u64::MAX)), Some(longest.to_owned()))] {
                let page = Page { which, person, game, number: 99 };
                assert!(page.id(100).len() <= MAX_CUSTOM_ID_CHARS);
                assert_eq!(Page::read(&page.id(99)), Some(page));
            }
        }
        for wrong in [
            "1:K7Q2:0:join",
            "1:page-of-games:all:0::0",
            "1:page-of-games:here:0::0:1",
            "2:page-of-games:here:0::0",
        ] {
            assert_eq!(Page::read(wrong), None, "{wrong}");
        }
    }
}
