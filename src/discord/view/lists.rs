//! Lists of games and moves.
use rookery_core::Play;
use rookery_core::menu::Menu;
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_i18n::quoted;
use rookery_table::ports::{Card, Posted, Stage};
use rookery_table::{ChannelId, GuildId, Table, TableId, UserId};

use super::MessageView;
use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};

/// The characters reserved for the number of the page and the count of what is left out.
const REST_COUNT_CHARS: usize = 60;

/// The most moves, or beginnings of moves, in a list.
const MAX_LISTED_MOVES: usize = 32;
/// The number of moves on a line of a list.
const MOVES_A_LINE: usize = 8;

/// The number of plies played on the example board of a game.
const EXAMPLE_PLIES: usize = 12;

/// A table in a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The table's summary from the journal.
    pub card: Card,
    /// The table's latest posted board; its challenge while it waits.
    pub board: Option<Posted>,
}

impl MessageView<'_> {
    /// Formats the line that leads from a finished move to the next game that waits for the same person.
    pub fn next_game(&self, listed: &Listed) -> String {
        let game = self.words.game_short(&listed.card.game);
        self.words.say("next-game", &[("game", game.into()), ("table", linked(listed).into())])
    }

    /// Builds a page of a list of games with links, by page number from 0; the last page, if there are fewer
    /// now. Buttons lead to the neighbouring pages (`to` returns their ids). `none` is the text of an empty
    /// list. `who` is the reader, whose own turns are marked.
    pub fn games(
        &self,
        (title, none, page): (&str, &str, usize),
        cards: &[Listed],
        who: UserId,
        to: impl Fn(usize) -> String,
    ) -> OutgoingMessage {
        if cards.is_empty() {
            return OutgoingMessage::text(self.words.word(none));
        }
        let lines: Vec<_> = cards.iter().map(|card| self.game_line(card, who)).collect();
        let title = self.words.word(title);
        let pages = paged(&lines, MAX_CONTENT_CHARS - REST_COUNT_CHARS - title.chars().count());
        let page = page.min(pages.len() - 1);
        let text = pages[page].join("\n");
        if pages.len() == 1 {
            return OutgoingMessage::text(format!("{title}\n{text}"));
        }
        let (number, count) = ((page + 1).into(), pages.len().into());
        let title =
            self.words.say("games-page", &[("title", title.into()), ("page", number), ("pages", count)]);
        let button =
            |key: &str, page| Component::button(self.words.word(key), ButtonStyle::Secondary, to(page));
        let back = page.checked_sub(1).map(|before| button("button-step-back", before));
        let next = Some(page + 1).filter(|next| *next < pages.len()).map(|next| button("button-next", next));
        OutgoingMessage::text(format!("{title}\n{text}")).row(back.into_iter().chain(next))
    }

    pub(super) fn game_line(&self, listed: &Listed, who: UserId) -> String {
        let card = &listed.card;
        let people = self.words.players(card);
        let people =
            if people.is_empty() { self.words.word("games-people-none") } else { people.join(" – ") };
        let state = match card.stage {
            Stage::Waiting => self.waiting_state(card, who),
            Stage::Over => self.words.won(card),
            Stage::Running if card.is_suspended() => self.still_state(card),
            Stage::Running if card.waits_on(who) => self.words.word("games-state-you"),
            Stage::Running => self.running_state(card),
        };
        let set = card.set.map(|set| format!(" · {}", self.words.set_short(set)));
        let state = state + &set.unwrap_or_default();
        self.words.say(
            "games-line",
            &[
                ("table", linked(listed).into()),
                ("game", self.words.game_short(&card.game).into()),
                ("people", people.into()),
                ("state", state.into()),
            ],
        )
    }

    /// Formats the state of a running game: its ply, and the player to move if known.
    fn running_state(&self, card: &Card) -> String {
        let after = self.after(card);
        match self.words.mover(card) {
            Some(who) => {
                self.words.say("games-state-to-move", &[("after", after.into()), ("who", who.into())])
            }
            None => after,
        }
    }

    /// Formats the state of a stopped game: paused by agreement, or frozen.
    fn still_state(&self, card: &Card) -> String {
        let key = if card.frozen_since.is_some() { "games-state-frozen" } else { "games-state-paused" };
        self.words.say(key, &[("after", self.after(card).into())])
    }

    /// Formats the number of plies played.
    fn after(&self, card: &Card) -> String {
        self.words.say("games-state-running", &[("ply", card.ply.into())])
    }

    /// Formats what a waiting table waits for: players for its free seats, or answers of invited players.
    fn waiting_state(&self, card: &Card, who: UserId) -> String {
        match card.free_seats() {
            _ if card.asked.contains(&who) => self.words.word("games-state-asked-you"),
            0 => self.words.word("games-state-asked"),
            free => self.words.say("games-state-waiting", &[("free", free.into())]),
        }
    }

    /// Builds the list of legal moves that begin with `start` (all if empty), whose whole steps are `taken`. More than
    /// a few lines of them are listed by their next step.
    pub fn moves(&self, table: TableId, play: &dyn Play, start: &str, taken: &[String]) -> OutgoingMessage {
        let found: Vec<_> = play.moves().into_iter().filter(|m| m.starts_with(start)).collect();
        if found.is_empty() {
            let args = [("table", table.as_str().into()), ("start", quoted(start).into())];
            return OutgoingMessage::text(self.words.say("moves-none", &args));
        }
        let mut beginnings =
            if found.len() > MAX_LISTED_MOVES { beginnings(play, taken) } else { Vec::new() };
        beginnings.retain(|beginning| beginning.starts_with(start));
        let (key, listed) = match &beginnings[..] {
            [_, _, ..] => ("moves-beginnings", &beginnings),
            _ => ("moves-list", &found),
        };
        let shown: Vec<String> = listed.iter().take(MAX_LISTED_MOVES).map(|text| quoted(text)).collect();
        let mut list = shown.chunks(MOVES_A_LINE).map(|line| line.join(", ")).collect::<Vec<_>>().join("\n");
        if listed.len() > MAX_LISTED_MOVES {
            list.push_str(" …");
        }
        let example = beginnings.first().cloned().unwrap_or_default();
        OutgoingMessage::text(self.words.say(
            key,
            &[
                ("table", table.as_str().into()),
                ("count", found.len().into()),
                ("moves", list.into()),
                ("example", example.into()),
            ],
        ))
    }
}

/// Returns the beginnings of moves that continue these steps by one.
fn beginnings(play: &dyn Play, taken: &[String]) -> Vec<String> {
    match play.menu(taken) {
        Menu::Choose(choices) => choices.iter().map(|it| taken.concat() + &it.step.text).collect(),
        _ => Vec::new(),
    }
}

/// Plays a short random game, for a picture of what the game looks like.
pub(super) fn example(game: &str) -> Option<Box<dyn Play>> {
    let game = rookery_games::named(game)?;
    let mut play = game.start(&Setup::new(game.info().fewest()).seeded(1)).ok()?;
    let mut rng = SeededRng::new(1);
    for _ in 0..EXAMPLE_PLIES {
        let text = rng.pick(&play.moves()).cloned()?;
        play.play(&text).ok()?;
    }
    Some(play)
}

/// Splits lines into pages that fit `room` characters, with at least one line each.
fn paged(mut lines: &[String], room: usize) -> Vec<&[String]> {
    let mut pages = Vec::new();
    while !lines.is_empty() {
        let (page, rest) = lines.split_at(fitting(lines, room, 1).max(1));
        pages.push(page);
        lines = rest;
    }
    pages
}

/// Returns how many of the lines fit into `room` characters, with `between` characters between two lines.
pub(super) fn fitting(lines: &[String], room: usize, between: usize) -> usize {
    let mut used = 0;
    lines
        .iter()
        .take_while(|line| {
            used += line.chars().count() + between;
            used <= room
        })
        .count()
}

/// Wraps a card without a link to its latest board.
pub(super) fn listed(card: &Card) -> Listed {
    Listed { card: card.clone(), board: None }
}

/// Formats a table's name as a link to its latest board, or to its channel.
fn linked(listed: &Listed) -> String {
    let card = &listed.card;
    let place = match (listed.board, card.board_channel) {
        (Some(board), _) => message_at(card.guild, board),
        (None, Some(board_channel)) => address(card.guild, board_channel.channel),
        (None, None) => return format!("**{}**", card.id),
    };
    format!("[{}]({place})", card.id)
}

/// Returns the URL of a message.
pub(super) fn message_at(guild: Option<GuildId>, posted: Posted) -> String {
    format!("{}/{}", address(guild, posted.channel), posted.message)
}

/// Returns the URL of a table's channel; the card of a table without a board does not name one.
pub(super) fn place(card: &Card) -> String {
    card.board_channel
        .map_or_else(|| card.id.to_string(), |board_channel| address(card.guild, board_channel.channel))
}

/// Returns the URL of a table's channel, or of the channel in which it was opened.
pub(super) fn place_of(table: &Table) -> String {
    let channel = table.board_channel().map_or(table.terms().channel, |board_channel| board_channel.channel);
    address(table.terms().guild, channel)
}

fn address(guild: Option<GuildId>, channel: ChannelId) -> String {
    let guild = guild.map_or_else(|| "@me".to_owned(), |guild| guild.to_string());
    format!("https://discord.com/channels/{guild}/{channel}")
}
