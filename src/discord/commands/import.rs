//! `/import`: a record or position that somebody brings, to be looked at or played on from.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_core::player::Level;
use rookery_core::{Play, Seat};
use rookery_games::record::abstract_play::LEFT_OUT;
use rookery_games::record::{BadRecord, Fault, Record};
use rookery_i18n::Words;
use rookery_table::clock::DAY_MS;
use rookery_table::fair::Help;
use rookery_table::ports::{Filter, Stage};
use rookery_table::quota::Use;
use rookery_table::{Occupant, Person, Refused, Table, Terms};

use super::super::asked::{Asked, Brought, Given, can_thread};
use super::super::desk::Desk;
use super::super::layout::Layout;
use super::super::post::Post;
use super::super::press::Gaze;
use super::super::settings;
use super::play::{may_play, opened};
use super::{Command, Kind, chosen, games_by_name, option};

/// The most turns that are read: far more than any game here has.
const TURNS_MOST: usize = 2_000;
/// Games that one person may bring in a day to look at: each is kept for good.
const LOOKS_MOST: usize = 30;

/// Takes a record or position in.
pub(super) struct Import;

#[async_trait]
impl Command for Import {
    fn name(&self) -> &'static str {
        "import"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let levels = Level::ALL.into_iter().map(|level| (words.level(level), level.key().to_owned()));
        let mut text = option(words, Kind::Text, "text", "command-import-text");
        text["max_length"] = json!(6_000);
        vec![
            text,
            option(words, Kind::File, "file", "command-import-file"),
            chosen(option(words, Kind::Text, "game", "command-import-game"), games_by_name(words)),
            chosen(option(words, Kind::Text, "ai", "command-import-ai"), levels),
            option(words, Kind::Person, "opponent", "command-import-opponent"),
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        if let Err(post) = desk.spend(asked, Use::Import) {
            return *post;
        }
        let text = match (given.text("text"), &given.file) {
            (Some(text), _) => text.to_owned(),
            (None, Some(file)) => match fetched(desk, file).await {
                Ok(text) => text,
                Err(post) => return *post,
            },
            (None, None) => return Post::text(desk.words.word("import-nothing")),
        };
        let brought = match read(desk, asked, text, given.text("game")).await {
            Ok(brought) => brought,
            Err(post) => return *post,
        };
        let ai = given.text("ai").and_then(Level::named);
        match (given.person("opponent"), ai) {
            (None, None) => look(desk, asked, &brought).await,
            (opponent, ai) => {
                let others = Others { opponent: opponent.filter(|who| *who != desk.me()), ai };
                let played = play_on(desk, asked, brought.play.as_ref(), others).await;
                played.map_or_else(Post::text, |table| opened(desk.words, &table, asked.place))
            }
        }
    }
}

/// A game that was brought along.
pub(super) struct Outside {
    play: Box<dyn Play>,
    winners: Vec<Seat>,
    /// Moves at the end that were left out, since our rules end the game before them.
    left_out: usize,
    /// Whether our rules name other winners than the record does, whose winners are kept.
    other_winners: bool,
}

/// Fetches a file, or says why not.
pub(super) async fn fetched(desk: &Desk, file: &Brought) -> Result<String, Box<Post>> {
    desk.api.fetch(file).await.map_err(|fault| {
        tracing::info!(%fault, "a file that was brought cannot be read");
        Box::new(Post::text(desk.words.word("import-no-file")))
    })
}

/// Reads a game and plays it through, off the async threads. One that would help in a rated game that goes
/// on is not taken.
pub(super) async fn read(
    desk: &Desk,
    asked: &Asked,
    text: String,
    game: Option<&str>,
) -> Result<Outside, Box<Post>> {
    let game = game.map(str::to_owned);
    let through = desk.hall.tasks().compute("import", move || play_through(&text, game.as_deref())).await;
    let told = match through {
        Ok(Ok(outside)) => {
            let (play, guild) = (outside.play.as_ref(), asked.place.guild);
            if !desk.hall.helps_rated(&[asked.who], guild, play, Help::Tells).await {
                return Ok(outside);
            }
            desk.words.refused(&Refused::NoHelp, None)
        }
        Ok(Err(bad)) => desk.words.bad_record(&bad),
        Err(_) => desk.words.word("denied-fault"),
    };
    Err(Box::new(Post::text(told)))
}

fn play_through(text: &str, game: Option<&str>) -> Result<Outside, BadRecord> {
    let record = Record::read_any(text, game)?;
    if record.turns.len() > TURNS_MOST {
        return Err(Fault::TooLong { most: TURNS_MOST }.at(1));
    }
    let play = record.replay()?;
    let left_out = record.header(LEFT_OUT).and_then(|count| count.parse().ok()).unwrap_or_default();
    let winners = record.winners.unwrap_or_default();
    let differ = |mut ours: Vec<Seat>| {
        ours.sort_unstable();
        !winners.is_empty() && ours != winners
    };
    let other_winners = play.outcome().is_some_and(|outcome| differ(outcome.winners));
    Ok(Outside { winners, play, left_out, other_winners })
}

/// Keeps a game so that it can be looked at like any other.
pub(super) async fn look(desk: &Desk, asked: &Asked, outside: &Outside) -> Post {
    if let Err(sentence) = may_look(desk, asked.who).await {
        return Post::text(sentence);
    }
    let terms = terms(asked, outside.play.as_ref(), None);
    match desk.hall.keep(terms, asked.who, outside.play.as_ref(), outside.winners.clone()).await {
        Ok(seen) => {
            let (table, who) = (seen.table, asked.who);
            let viewer = move |layout: &Layout<'_>| {
                let viewer = layout.viewer(&table, table.ply(), Gaze::from(Seat::FIRST));
                Some(viewer.unwrap_or_else(|| layout.state(&table, Some(who))))
            };
            with_note(desk, desk.lay_out_post(viewer).await, outside)
        }
        Err(denied) => Post::text(desk.words.denied(&denied, None)),
    }
}

/// Says that moves were left out, if any were, and that the record names other winners than our rules do.
fn with_note(desk: &Desk, mut post: Post, outside: &Outside) -> Post {
    if outside.left_out > 0 {
        let note = desk.words.say("import-left-out", &[("count", outside.left_out.into())]);
        post.content = format!("{}\n{note}", post.content);
    }
    if outside.other_winners {
        post.content = format!("{}\n{}", post.content, desk.words.word("import-other-winners"));
    }
    post
}

/// Whether somebody may bring one more game today to look at.
async fn may_look(desk: &Desk, who: Person) -> Result<(), String> {
    let since_ms = desk.hall.now_ms() - DAY_MS;
    let filter = Filter { person: Some(who), imported: true, ..Filter::default() };
    let cards = desk.hall.list(&filter).await.map_err(|denied| desk.words.denied(&denied, None))?;
    let brought = cards.iter().take_while(|card| card.at_ms > since_ms).count();
    let full = brought >= LOOKS_MOST;
    if full { Err(desk.words.say("import-enough", &[("count", brought.into())])) } else { Ok(()) }
}

/// Whom a position is played on against; the program at a level where there is nobody else.
#[derive(Clone, Copy)]
pub(super) struct Others {
    /// Who is challenged.
    pub(super) opponent: Option<Person>,
    /// How strong the program plays.
    pub(super) ai: Option<Level>,
}

/// Opens a table from a position: whoever asks takes the seat that is to move. Not from where a rated game
/// stands that goes on, whichever way that position was come by.
pub(super) async fn play_on(
    desk: &Desk,
    asked: &Asked,
    play: &dyn Play,
    others: Others,
) -> Result<Arc<Table>, String> {
    if play.outcome().is_some() {
        return Err(desk.words.word("import-over"));
    }
    if desk.hall.helps_rated(&[asked.who], asked.place.guild, play, Help::Plays).await {
        return Err(desk.words.refused(&Refused::NoHelp, None));
    }
    let chairs = chairs(asked.who, play, others).ok_or_else(|| desk.words.word("import-alone"))?;
    if let Some(level) = others.ai
        && !chairs.contains(&Occupant::Ai { level })
    {
        return Err(desk.words.word("import-no-seat"));
    }
    may_bring(desk, asked.who).await?;
    may_play(desk, asked, &chairs).await?;
    settings::allowed(desk, asked, &chairs).await?;
    let brought = !asked.place.ours;
    let terms = Terms {
        guild: asked.place.guild.filter(|_| !brought),
        thread: can_thread(asked.place) && !brought,
        brought,
        seed: desk.hall.seed(),
        ..terms(asked, play, Some(play.line()))
    };
    let seen = desk.hall.open(terms, asked.who, chairs, Some(asked.ticket.id)).await;
    seen.map(|seen| seen.table).map_err(|denied| desk.words.denied(&denied, None))
}

/// Whoever asks on the seat that is to move, whoever is challenged on the next, the program or nobody yet on the
/// rest. Seats that have given up are held by whoever asks, as in a game that is looked at. `None` if all have but
/// one.
fn chairs(host: Person, play: &dyn Play, others: Others) -> Option<Vec<Occupant>> {
    let rest = others.ai.map_or(Occupant::Open, |level| Occupant::Ai { level });
    let own = Occupant::Human { person: host };
    let (seats, turn) = (play.seats(), play.turn());
    let chair = |seat| if seat == turn || play.is_retired(seat) { own } else { rest };
    let mut chairs: Vec<_> = Seat::all(seats).map(chair).collect();
    let others_turns = std::iter::successors(Some(turn.next(seats)), |seat| Some(seat.next(seats)));
    let next = others_turns.take(seats - 1).find(|seat| !play.is_retired(*seat))?;
    if let Some(person) = others.opponent {
        chairs[next.index()] = if person == host { own } else { Occupant::Invited { person } };
    }
    Some(chairs)
}

/// Whether somebody may take up one more game from a position: so many may be open at a time.
async fn may_bring(desk: &Desk, who: Person) -> Result<(), String> {
    let mut open = 0;
    for stage in [Stage::Waiting, Stage::Running] {
        let filter = Filter { person: Some(who), stage: Some(stage), ..Filter::default() };
        let cards = desk.hall.list(&filter).await.map_err(|denied| desk.words.denied(&denied, None))?;
        for card in cards {
            let table = desk.hall.see(card.id).await;
            open += usize::from(table.is_ok_and(|it| it.host() == who && it.terms().from.is_some()));
        }
    }
    let full = open >= desk.settings.open_per_person;
    if full { Err(desk.words.say("import-too-many", &[("count", open.into())])) } else { Ok(()) }
}

/// The terms of a game that came from outside.
fn terms(asked: &Asked, play: &dyn Play, from: Option<String>) -> Terms {
    Terms {
        game: play.info().key.to_owned(),
        options: Default::default(),
        seed: 0,
        guild: None,
        channel: asked.place.channel,
        thread: false,
        rated: false,
        from,
        ..Terms::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    #[test]
    fn nobody_is_asked_to_a_seat_that_was_given_up() {
        let [ada, ben] = [1, 2].map(Person);
        let own = Occupant::Human { person: ada };
        let game = rookery_games::named("penguins").unwrap();
        let line = game.start(&Setup::new(4)).unwrap().line();
        let from = |out: &str| game.resume(&format!("{line} out:{out}")).unwrap();
        let others = Others { opponent: Some(ben), ai: None };
        let guest = Occupant::Invited { person: ben };
        assert_eq!(chairs(ada, from("2").as_ref(), others), Some(vec![own, own, guest, Occupant::Open]));
        // The first has given up, so that the second is to move.
        assert_eq!(chairs(ada, from("1,3").as_ref(), others), Some(vec![own, own, own, guest]));
        assert_eq!(chairs(ada, from("1,2,3").as_ref(), others), None);
    }
}
