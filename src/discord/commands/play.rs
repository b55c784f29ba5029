//! `/play`: opens a table.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::games;
use crate::kit::player::Level;
use crate::kit::rules::{About, Allowed, OptionSpec};
use crate::table::pledge::{self, Pledge};
use crate::table::ports::{Filter, Stage};
use crate::table::rated;
use crate::table::{Occupant, Person, Settle, Status, Table, Terms};
use crate::words::{Words, person};

use super::super::asked::{Asked, Given, Place, can_thread, missing};
use super::super::desk::Desk;
use super::super::post::Post;
use super::{Command, Kind, chosen, clock, completed, games_by_name, option, required};

/// The options that name people, in the order in which they sit down.
const GUESTS: [&str; 3] = ["opponent", "opponent2", "opponent3"];
/// How strong the program plays where nobody says.
const USUAL_LEVEL: Level = Level::Medium;

/// Opens a table.
pub(super) struct Play;

#[async_trait]
impl Command for Play {
    fn name(&self) -> &'static str {
        "play"
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let levels = Level::ALL.into_iter().map(|level| (words.level(level), level.key().to_owned()));
        let first =
            ["me", "them", "random"].map(|key| (words.word(&format!("choice-{key}")), key.to_owned()));
        let seats = games::ALL.iter().flat_map(|game| game.about().seats).copied().max().unwrap_or(2);
        let mut options = vec![
            required(chosen(option(words, Kind::Text, "game", "command-play-game"), games_by_name(words))),
            option(words, Kind::Person, "opponent", "command-play-opponent"),
            chosen(option(words, Kind::Text, "ai", "command-play-ai"), levels),
            chosen(option(words, Kind::Text, "first", "command-play-first"), first),
        ];
        options.extend(
            own_options()
                .into_keys()
                .map(|key| completed(option(words, Kind::Text, key, &format!("option-{key}")))),
        );
        if seats > 2 {
            options.push(option(words, Kind::Person, "opponent2", "command-play-opponent2"));
            options.push(option(words, Kind::Person, "opponent3", "command-play-opponent3"));
            let mut players = option(words, Kind::Number, "players", "command-play-players");
            (players["min_value"], players["max_value"]) = (json!(2), json!(seats));
            options.push(players);
        }
        options.push(option(words, Kind::Yes, "rated", "command-play-rated"));
        options.extend(clock::options(words));
        options.push(option(words, Kind::Text, "tiles", "command-play-tiles"));
        let mut seed = option(words, Kind::Number, "seed", "command-play-seed");
        seed["min_value"] = json!(0);
        options.push(seed);
        let settle = Settle::ALL
            .map(|settle| (words.word(&format!("choice-settle-{}", settle.key())), settle.key().to_owned()));
        options.push(chosen(option(words, Kind::Text, "settle", "command-play-settle"), settle));
        options
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        match open(desk, asked, given).await {
            Ok(table) => opened(desk.words, &table, asked.place),
            Err(sentence) => Post::text(sentence),
        }
    }

    async fn complete(&self, desk: &Desk, _asked: &Asked, given: &Given) -> Vec<String> {
        let Some((name, typed)) = &given.focus else { return Vec::new() };
        if name == clock::CLOCK {
            return clock::complete(desk.words, typed);
        }
        let game = given.text("game").and_then(games::named).map(|game| game.about());
        values(game, name, typed)
    }
}

/// Every option of every game once, with the games that have it.
fn own_options() -> BTreeMap<&'static str, Vec<&'static OptionSpec>> {
    let mut found: BTreeMap<&str, Vec<&OptionSpec>> = BTreeMap::new();
    for spec in games::ALL.iter().flat_map(|game| game.about().options) {
        found.entry(spec.key).or_default().push(spec);
    }
    found
}

/// What an option of a game could be, narrowed by what is typed; what is typed itself where it fits.
fn values(game: Option<&About>, name: &str, typed: &str) -> Vec<String> {
    let typed = typed.trim().to_lowercase();
    let of_game = |spec: &&&OptionSpec| {
        game.is_none_or(|about| {
            about.options.iter().any(|own| own.key == spec.key && std::ptr::eq(own, **spec))
        })
    };
    let all = own_options();
    let specs = all.get(name).map(Vec::as_slice).unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    for spec in specs.iter().filter(of_game) {
        found.extend(offered(&spec.allowed));
        if !typed.is_empty() && spec.allowed.takes(&typed) {
            found.insert(0, typed.clone());
        }
    }
    let mut once: Vec<String> = Vec::new();
    found.retain(|value| {
        value.starts_with(&typed) && !once.contains(value) && {
            once.push(value.clone());
            true
        }
    });
    found
}

fn offered(allowed: &Allowed) -> Vec<String> {
    match allowed {
        Allowed::OneOf(words) => words.iter().map(ToString::to_string).collect(),
        Allowed::Number(range) => range.clone().take(25).map(|n| n.to_string()).collect(),
        Allowed::Size { offered, .. } => offered.iter().map(ToString::to_string).collect(),
        Allowed::Text => Vec::new(),
    }
}

async fn open(desk: &Desk, asked: &Asked, given: &Given) -> Result<std::sync::Arc<Table>, String> {
    let words = desk.words;
    let game = given.text("game").unwrap_or_default();
    let about = games::named(game).map(|game| game.about());
    let about = about.ok_or_else(|| words.say("refused-no-game", &[("name", game.into())]))?;
    let wish = wish(desk, asked, given)?;
    let terms = terms(desk, asked, given, about, wish.first);
    let chairs = chairs(&wish, asked.who, about, terms.seed);
    may_play(desk, asked, &chairs).await?;
    if given.yes("rated") {
        may_rate(desk, asked, &chairs).await?;
    }
    let server = desk.hall.drawer().server(asked.place.guild).await;
    let terms = Terms { clock: clock::wish(words, given, server.clock.as_deref())?, ..terms };
    let seen = desk.hall.open(terms, asked.who, chairs, Some(asked.ticket.id)).await;
    seen.map(|seen| seen.table).map_err(|denied| words.denied(&denied, None))
}

/// Whether this channel and this person can have another table.
async fn may_play(desk: &Desk, asked: &Asked, chairs: &[Occupant]) -> Result<(), String> {
    let words = desk.words;
    let missing: Vec<_> = missing(asked.place).into_iter().map(|key| words.word(key)).collect();
    if !missing.is_empty() {
        return Err(words.say("play-missing", &[("permissions", words.join(&missing).into())]));
    }
    let alone = chairs.iter().all(|chair| chair.person().is_some() || matches!(chair, Occupant::Ai { .. }));
    if alone {
        return Ok(());
    }
    if asked.place.guild.is_none() {
        return Err(words.word("play-dm"));
    }
    let filter = Filter { person: Some(asked.who), stage: Some(Stage::Waiting), ..Filter::default() };
    let waiting = desk.hall.list(&filter).await.map_err(|denied| words.denied(&denied, None))?;
    let own = waiting.iter().filter(|card| card.waits_for != Some(asked.who)).count();
    if own >= desk.settings.open_per_person {
        return Err(words.say("play-too-many", &[("count", own.into())]));
    }
    Ok(())
}

/// Whether a game with these chairs can count for ratings here.
async fn may_rate(desk: &Desk, asked: &Asked, chairs: &[Occupant]) -> Result<(), String> {
    let server = desk.hall.drawer().server(asked.place.guild).await;
    let refused = match () {
        () if asked.place.guild.is_none() => "play-rated-dm",
        () if !server.rated => "play-rated-off",
        () if !rated::can_count(chairs) => "play-rated-chairs",
        () => return Ok(()),
    };
    Err(desk.words.word(refused))
}

fn terms(desk: &Desk, asked: &Asked, given: &Given, about: &About, first: First) -> Terms {
    let known = own_options();
    let own = given.options.iter().filter(|(key, _)| known.contains_key(key.as_str()));
    let text = |key: &str| given.text(key).map(|text| text.trim().to_owned());
    // An option of another game is refused by the game, by name, and not dropped without a word.
    let options = own.filter_map(|(key, _)| Some((key.clone(), text(key)?))).collect();
    let seed = given.number("seed").and_then(|seed| u64::try_from(seed).ok());
    Terms {
        game: about.key.to_owned(),
        options,
        seed: seed.unwrap_or_else(|| desk.hall.seed()),
        layout: text("tiles"),
        guild: asked.place.guild,
        channel: asked.place.channel,
        thread: can_thread(asked.place),
        rated: given.yes("rated"),
        settle: given.text("settle").and_then(Settle::named),
        pledge: Some(Pledge::wish(seed.is_some(), first == First::Random)),
        clock: None,
    }
}

/// Who is to play.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    guests: Vec<Person>,
    ai: Option<Level>,
    players: Option<usize>,
    first: First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Me,
    Them,
    Random,
}

fn wish(desk: &Desk, asked: &Asked, given: &Given) -> Result<Wish, String> {
    let words = desk.words;
    let mut guests: Vec<_> = GUESTS.iter().filter_map(|name| given.person(name)).collect();
    let mut ai = given.text("ai").and_then(Level::named);
    if guests.contains(&desk.me()) {
        guests.retain(|guest| *guest != desk.me());
        ai = ai.or(Some(USUAL_LEVEL));
    }
    if let Some(bot) = guests.iter().find(|guest| given.bots.contains(guest)) {
        return Err(words.say("play-bot", &[("who", person(*bot).into())]));
    }
    let twice = guests.iter().enumerate().any(|(i, guest)| guests[..i].contains(guest));
    if twice || (guests.len() > 1 && guests.contains(&asked.who)) {
        return Err(words.word("play-twice"));
    }
    let first = match given.text("first") {
        Some("them") => First::Them,
        Some("random") => First::Random,
        _ => First::Me,
    };
    let players = given.number("players").and_then(|players| usize::try_from(players).ok());
    Ok(Wish { guests, ai, players, first })
}

/// The chairs in turn order. Who challenges themselves holds both seats.
fn chairs(wish: &Wish, host: Person, about: &About, seed: u64) -> Vec<Occupant> {
    let guest = |person: &Person| match *person == host {
        true => Occupant::Human { person: host },
        false => Occupant::Invited { person: *person },
    };
    let mut chairs = vec![Occupant::Human { person: host }];
    chairs.extend(wish.guests.iter().map(guest));
    let named = chairs.len() + usize::from(wish.ai.is_some());
    let count = wish.players.unwrap_or(named.max(about.fewest())).max(chairs.len());
    let rest = wish.ai.map_or(Occupant::Open, |level| Occupant::Ai { level });
    chairs.resize(count, rest);
    match wish.first {
        First::Me => {}
        First::Them => chairs.rotate_left(1),
        First::Random => chairs.rotate_right(pledge::host_chair(seed, count)),
    }
    chairs
}

fn opened(words: &Words, table: &Table, place: Place) -> Post {
    let invited = table.chairs().iter().any(|chair| matches!(chair, Occupant::Invited { .. }));
    let next = match table.status() {
        Status::Waiting if invited => "play-invited-waiting",
        Status::Waiting => "play-opened-waiting",
        _ => "play-opened-running",
    };
    let args = [("table", table.id().to_string().into()), ("next", words.word(next).into())];
    let text = words.say("play-opened", &args);
    if table.terms().thread || place.guild.is_none() || place.thread {
        return Post::text(text);
    }
    let lacking = ["permission-threads-make", "permission-threads-send"].map(|key| words.word(key));
    let no_thread = words.say("play-no-thread", &[("permissions", words.join(&lacking).into())]);
    Post::text(format!("{text} {no_thread}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: Person = Person(1);
    const BEN: Person = Person(2);

    fn amazons() -> &'static About {
        games::named("amazons").unwrap().about()
    }

    fn wish(guests: &[Person], ai: Option<Level>, first: First) -> Wish {
        Wish { guests: guests.to_vec(), ai, players: None, first }
    }

    #[test]
    fn nobody_named_leaves_a_seat_free() {
        let chairs = chairs(&wish(&[], None, First::Me), ADA, amazons(), 0);
        assert_eq!(chairs, [Occupant::Human { person: ADA }, Occupant::Open]);
    }

    #[test]
    fn them_first_turns_the_chairs() {
        let chairs = chairs(&wish(&[BEN], None, First::Them), ADA, amazons(), 0);
        assert_eq!(chairs, [Occupant::Invited { person: BEN }, Occupant::Human { person: ADA }]);
    }

    #[test]
    fn chance_decides_who_begins() {
        let wish = wish(&[], Some(Level::Easy), First::Random);
        for seed in 0..20 {
            let host = chairs(&wish, ADA, amazons(), seed).iter().position(|c| c.person() == Some(ADA));
            assert_eq!(host, Some(pledge::host_chair(seed, 2)));
        }
    }

    #[test]
    fn who_challenges_themselves_plays_both_sides() {
        let both = chairs(&wish(&[ADA], None, First::Me), ADA, amazons(), 0);
        assert_eq!(both, [Occupant::Human { person: ADA }; 2]);
    }

    #[test]
    fn an_option_offers_what_its_game_allows() {
        assert_eq!(values(Some(amazons()), "size", ""), ["10x10", "8x8", "6x6"]);
        assert_eq!(values(Some(amazons()), "size", "5x7"), ["5x7"]);
        assert_eq!(values(Some(amazons()), "size", "99x99"), Vec::<String>::new());
    }
}
