//! Messages of tables of every game, checked without Discord.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::games;
use crate::kit::rules::Setup;
use crate::kit::seed::Chance;
use crate::kit::{Game, Play, Seat};
use crate::table::ports::Entry;
use crate::table::teams::{Crowd, PROPOSALS_MOST, Team};
use crate::table::{Event, Home, Occupant, Offer, Person, Table, Terms, state};
use crate::words::{Words, pseudo};

use super::super::limits;
use super::super::post::{Part, Post};
use super::super::press::{Deed, Gaze, Press};
use super::super::taste::Taste;
use super::Layout;
use super::panel::{self, Stage};
use super::viewer::Span;

const ADA: Person = Person(1);

fn layout() -> Layout<'static> {
    static TASTE: LazyLock<Taste> = LazyLock::new(|| Taste::usual("walnut"));
    Layout { words: Words::english(), taste: &TASTE, reads_all: false, challenge_hours: 24, web: None }
}

/// A table of people 1, 2, …, the last chair held as given.
fn table(game: &dyn Game, last: Occupant, seats: usize) -> Table {
    let mut chairs: Vec<_> = (1..=seats as u64).map(|n| Occupant::Human { person: Person(n) }).collect();
    chairs[seats - 1] = last;
    let terms = Terms {
        game: game.about().key.into(),
        options: BTreeMap::new(),
        seed: 1,
        guild: Some(5),
        channel: 6,
        thread: true,
        rated: false,
        ..Terms::default()
    };
    let id = "K7Q2".parse().unwrap();
    let events = state::open(id, terms, ADA, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    Table::replay(id, &entries).unwrap().unwrap()
}

fn entry(sequence: u64, event: Event) -> Entry {
    Entry { sequence, at_ms: 0, source: None, event }
}

fn happen(table: &mut Table, event: Event) {
    table.apply(&entry(table.sequence() + 1, event)).unwrap();
}

/// A vote of everybody on the first turn of a game for two, with as many proposals as there may be.
fn full_vote(game: &dyn Game) -> Table {
    let chairs = [ADA, Person(u64::MAX)].map(|person| Occupant::Human { person }).to_vec();
    let mode = Crowd::Everyone.usual_mode();
    let teams = vec![Team { captain: ADA, crowd: Crowd::Everyone, mode }];
    let terms =
        Terms { game: game.about().key.into(), guild: Some(5), channel: u64::MAX, teams, ..Terms::default() };
    let events = state::open("K7Q2".parse().unwrap(), terms, ADA, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    let mut table = Table::replay("K7Q2".parse().unwrap(), &entries).unwrap().unwrap();
    for (text, person) in
        table.play().unwrap().moves().into_iter().rev().take(PROPOSALS_MOST).zip(u64::MAX / 2..)
    {
        happen(&mut table, Event::Proposed { seat: 0, person: Person(person), text });
    }
    table
}

#[test]
fn a_full_vote_keeps_discords_limits_in_every_game_and_has_a_button_for_every_move() {
    let two = games::ALL.iter().filter(|game| game.about().seats.contains(&2));
    for table in two.map(|game| full_vote(*game)) {
        let ballot = table.ballot().unwrap();
        let post = layout().vote(&table, ballot.number).unwrap();
        let pseudo = Layout { words: pseudo::words("fi"), ..layout() }.vote(&table, ballot.number).unwrap();
        for post in [&post, &pseudo] {
            assert_eq!(limits::check(post), Ok(()), "{}", post.content);
            assert!(post.pings.is_empty() && post.roles.is_empty());
        }
        let deeds = post.rows.iter().flatten().map(|part| Press::read(part.id()).unwrap().deed);
        let votes = deeds.filter(|deed| matches!(deed, Deed::Vote(..))).count();
        assert_eq!(votes, ballot.proposals.len(), "{}", table.terms().game);
        let board = layout().board(&table, 0).unwrap();
        assert_eq!(limits::check(&board), Ok(()), "{}", board.content);
        assert!(ballot.proposals.iter().all(|proposal| board.content.contains(&proposal.text)));
    }
}

#[test]
fn a_vote_whose_voters_have_left_has_no_boards() {
    let mut table = full_vote(games::named("amazons").unwrap());
    for person in (u64::MAX / 2..).take(PROPOSALS_MOST).map(Person) {
        happen(&mut table, Event::Departed { captain: ADA, person });
    }
    let post = layout().vote(&table, table.ballot().unwrap().number).unwrap();
    assert!(post.picture.is_none() && post.rows.len() == 1, "{:?}", post.rows);
    assert_eq!(limits::check(&post), Ok(()));
}

fn two_people() -> Table {
    table(games::named("amazons").unwrap(), Occupant::Human { person: Person(2) }, 2)
}

fn play(table: &mut Table, text: &str) {
    let seat = table.to_move().unwrap().index() as u8;
    happen(table, Event::Moved { seat, text: text.into(), why: None });
}

#[test]
fn a_board_pings_the_mover_alone_and_says_what_was_played() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    let post = layout().board(&table, 1).unwrap();
    assert_eq!(post.content, "K7Q2 · <@2>, your move · 1. d1-d7/g7");
    assert_eq!(post.pings, [Person(2)]);
    assert!(post.picture.unwrap().alt.contains("Black is to move"));
    assert_eq!(post.rows.len(), 1);
}

#[test]
fn a_board_that_was_overtaken_pings_nobody_and_has_no_buttons() {
    let mut table = two_people();
    play(&mut table, "d1-d7/g7");
    play(&mut table, "g10-g8/e8");
    let post = layout().board(&table, 1).unwrap();
    assert!(post.pings.is_empty() && post.rows.is_empty());
    assert_eq!(post.content, "K7Q2 · 1. d1-d7/g7");
}

#[test]
fn while_the_program_thinks_nobody_is_pinged() {
    let level = crate::kit::player::Level::Hard;
    let mut table = table(games::named("amazons").unwrap(), Occupant::Ai { level }, 2);
    play(&mut table, "d1-d7/g7");
    let post = layout().board(&table, 1).unwrap();
    assert!(post.pings.is_empty());
    assert_eq!(post.content, "K7Q2 · 1. d1-d7/g7 · Rookery (hard) is thinking");
}

#[test]
fn a_welcome_that_comes_after_the_first_move_still_says_who_began() {
    let mut table = two_people();
    let before = layout().welcome(&table).unwrap().content;
    play(&mut table, "d1-d7/g7");
    let after = layout().welcome(&table).unwrap().content;
    assert!(before.contains("<@1> moves first") && after.contains("<@1> moves first"), "{after}");
}

#[test]
fn a_challenge_pings_whom_it_is_for() {
    let invited = Occupant::Invited { person: Person(2) };
    let post = layout().announcement(&table(games::named("amazons").unwrap(), invited, 2));
    assert_eq!(post.pings, [Person(2)]);
    let labels: Vec<_> = post.rows[0].iter().map(label).collect();
    assert_eq!(labels, ["Accept", "Decline", "Leave"]);
    let open = layout().announcement(&table(games::named("amazons").unwrap(), Occupant::Open, 2));
    assert!(open.pings.is_empty());
    assert_eq!(open.rows[0].iter().map(label).collect::<Vec<_>>(), ["Join", "Fill with the bot", "Leave"]);
}

fn label(part: &Part) -> &str {
    match part {
        Part::Button { label, .. } => label,
        Part::Select { placeholder, .. } | Part::Channels { placeholder, .. } => placeholder,
        Part::Blank { .. } => "",
    }
}

#[test]
fn an_offer_asks_the_other_side() {
    let mut table = two_people();
    happen(&mut table, Event::Offered { seat: 0, offer: Offer::Count });
    let post = layout().offered(&table, Offer::Count, Seat::FIRST, 0);
    assert_eq!(post.pings, [Person(2)]);
    assert_eq!(post.rows[0].len(), 2);
    play(&mut table, "d1-d7/g7");
    assert!(layout().offered(&table, Offer::Count, Seat::FIRST, 0).rows.is_empty(), "overtaken");
}

/// What every part of a panel leads to: the steps after it.
fn ways_on(post: &Post, taken: &[String]) -> Vec<Vec<String>> {
    let mut ways = Vec::new();
    for part in post.rows.iter().flatten() {
        match (part, Press::read(part.id()).map(|press| press.deed)) {
            (Part::Button { .. }, Ok(Deed::Pick(_, steps))) => ways.push(steps),
            (Part::Select { choices, .. }, Ok(Deed::Pick(_, steps))) => {
                assert_eq!(steps, taken);
                ways.extend(
                    choices.iter().map(|choice| [taken, std::slice::from_ref(&choice.value)].concat()),
                );
            }
            _ => {}
        }
    }
    ways
}

/// The columns that a panel asks about first, if it does.
fn lines(post: &Post) -> Vec<char> {
    let deeds = post.rows.iter().flatten().filter_map(|part| Press::read(part.id()).ok());
    let line = |press: Press| match press.deed {
        Deed::In(line, _) => Some(line),
        _ => None,
    };
    deeds.filter_map(line).collect()
}

/// Walks through every panel of a position, each of which keeps Discord's limits.
struct Walk<'a> {
    table: &'a Table,
    legal: BTreeSet<String>,
    reached: BTreeSet<String>,
    most_taps: usize,
}

impl Walk<'_> {
    fn of(table: &Table) -> Walk<'_> {
        let legal: BTreeSet<_> = table.play().unwrap().moves().into_iter().collect();
        let mut walk = Walk { table, legal, reached: BTreeSet::new(), most_taps: 0 };
        walk.from(&[], 0);
        walk
    }

    fn from(&mut self, taken: &[String], taps: usize) {
        self.most_taps = taps.max(self.most_taps);
        let whole = taken.concat();
        // A whole move is looked up rather than walked to: there are thousands.
        if self.legal.contains(&whole) {
            assert!(self.reached.insert(whole.clone()), "{whole} twice");
            return;
        }
        match panel::stage(self.table.play().unwrap(), taken) {
            Stage::Nothing => panic!("no way on after {taken:?}"),
            Stage::Done(text) => assert!(self.reached.insert(text.clone()), "{text} twice"),
            Stage::Choose { taken, choices } => self.choose(&taken, &choices, taps),
        }
    }

    fn choose(&mut self, taken: &[String], choices: &[crate::kit::Choice], taps: usize) {
        let panel = |line| layout().panel(self.table, ADA, taken, choices, line).unwrap();
        let first = panel(None);
        let asked = lines(&first);
        let posts: Vec<_> = asked.iter().map(|line| panel(Some(*line))).chain([first]).collect();
        for post in &posts {
            assert_eq!(limits::check(post), Ok(()), "{taken:?}");
            let taps = taps + 1 + usize::from(!asked.is_empty());
            ways_on(post, taken).iter().for_each(|way| self.from(way, taps));
        }
    }
}

/// How many taps a move takes at most, the confirmation left out.
const TAPS: [(&str, usize); 6] = [
    ("amazons", 3),
    ("penguins", 2),
    ("amazon_penguins", 3),
    ("paper_penguins", 2),
    ("penguin_soccer", 3),
    ("amoeba", 2),
];

#[test]
fn panels_lead_to_exactly_the_legal_moves_in_few_taps() {
    for game in games::ALL {
        let key = game.about().key;
        let mut table = table(*game, Occupant::Human { person: Person(2) }, 2);
        let (mut chance, mut most_taps) = (Chance::new(9), 0);
        for _ in 0..6 {
            if table.play().unwrap().outcome().is_some() {
                break;
            }
            let walk = Walk::of(&table);
            assert_eq!(walk.reached, walk.legal, "{key}");
            most_taps = walk.most_taps.max(most_taps);
            sample_confirmed(&table, &walk.legal, &mut chance);
            for _ in 0..9 {
                let moves = table.play().unwrap().moves();
                let Some(pick) = chance.pick(&moves) else { break };
                play(&mut table, pick);
            }
        }
        let (_, taps) = TAPS.iter().find(|(game, _)| *game == key).unwrap();
        assert!(most_taps <= *taps, "{key} takes {most_taps} taps");
    }
}

fn sample_confirmed(table: &Table, legal: &BTreeSet<String>, chance: &mut Chance) {
    let legal: Vec<_> = legal.iter().collect();
    for _ in 0..10 {
        let text = chance.pick(&legal).unwrap();
        let post = layout().confirm(table, ADA, &[], text).unwrap();
        assert_eq!(limits::check(&post), Ok(()), "{text}");
        assert!(post.picture.unwrap().alt.contains(text.as_str()), "the board as it would be");
    }
}

/// The labels of a panel's first three rows.
fn pad(table: &Table, taken: &[&str]) -> Vec<Vec<String>> {
    let taken: Vec<_> = taken.iter().map(ToString::to_string).collect();
    let Stage::Choose { taken, choices } = panel::stage(table.play().unwrap(), &taken) else { panic!() };
    let post = layout().panel(table, ADA, &taken, &choices, None).unwrap();
    let rows = post.rows.iter().take(3);
    rows.map(|row| row.iter().map(|part| label(part).to_owned()).collect()).collect()
}

/// The board stands on its corner, the own Home below: north-east is up.
#[test]
fn soccer_has_a_compass_with_standing_in_the_middle() {
    let mut table = table(games::named("penguin_soccer").unwrap(), Occupant::Human { person: Person(2) }, 2);
    assert_eq!(pad(&table, &["1"])[0], ["↖ N", "↑ NE", "↗ E"]);
    for text in ["1NE.", "1SW."] {
        play(&mut table, text);
    }
    let lying = pad(&table, &["c3"]);
    assert_eq!(lying[..2], [["", "↑ NE", ""], ["", "stand up", ""]].map(|row| row.map(str::to_owned)));
}

/// Up to six directions, the whole stack to the left and its pieces one by one to the right.
#[test]
fn amoeba_shows_moving_and_splitting_side_by_side() {
    let mut table = table(games::named("amoeba").unwrap(), Occupant::Human { person: Person(2) }, 2);
    for text in ["c1-c2", "e1-e2"] {
        play(&mut table, text);
    }
    let rows = pad(&table, &["c2"]);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0], ["↖ e1", "↗ e3", "split ↖ e1", "split ↗ e3"]);
}

/// Everything that is ever posted or answered for a table as it is now.
fn everything(table: &Table, layout: Layout<'_>) -> Vec<Post> {
    let chance = &mut Chance::new(table.ply() as u64);
    let mut posts = vec![
        layout.announcement(table),
        layout.state(table, Some(ADA)),
        layout.state_text(table),
        layout.resign_sure(table, Seat::FIRST),
        layout.offered(table, Offer::Count, Seat::FIRST, table.ply()),
        layout.offer_declined(table, Seat::SECOND),
    ];
    posts.extend(layout.welcome(table));
    posts.extend(layout.board(table, table.ply()));
    posts.extend(layout.result(table));
    if let Some(play) = table.play() {
        posts.push(layout.moves(table.id(), play, ""));
        posts.extend(panels(table, play, layout, chance));
    }
    posts
}

/// The panel at each stage, with one of its choices taken at a time.
fn panels(table: &Table, play: &dyn Play, layout: Layout<'_>, chance: &mut Chance) -> Vec<Post> {
    let (mut posts, mut taken) = (Vec::new(), Vec::new());
    while let Stage::Choose { taken: sofar, choices } = panel::stage(play, &taken) {
        let post = layout.panel(table, ADA, &sofar, &choices, None).unwrap();
        posts.extend(
            lines(&post).iter().map(|line| layout.panel(table, ADA, &sofar, &choices, Some(*line)).unwrap()),
        );
        posts.push(post);
        let pick = chance.pick(&choices).unwrap().step.text.clone();
        taken = [sofar, vec![pick]].concat();
    }
    posts
}

#[test]
fn panels_of_thousands_of_positions_keep_discords_limits() {
    for (seats, game) in games::ALL.iter().flat_map(|g| g.about().seats.iter().copied().map(move |n| (n, *g)))
    {
        let fresh = || table(game, Occupant::Human { person: Person(u64::MAX) }, seats);
        let (mut table, mut chance) = (fresh(), Chance::new(11));
        for _ in 0..350 {
            let moves = table.play().unwrap().moves();
            match chance.pick(&moves) {
                Some(text) => play(&mut table, text),
                None => table = fresh(),
            }
            for post in panels(&table, table.play().unwrap(), layout(), &mut chance) {
                assert_eq!(limits::check(&post), Ok(()), "{}", table.play().unwrap().line());
            }
        }
    }
}

#[test]
fn every_message_of_every_game_keeps_discords_limits() {
    every_table(|table| {
        for post in everything(table, layout()) {
            assert_eq!(limits::check(&post), Ok(()), "{} {}", table.terms().game, post.content);
        }
    });
}

#[test]
fn nothing_breaks_when_sentences_grow_by_half_and_nothing_is_hard_coded() {
    let words = pseudo::words("fi");
    every_table(|table| {
        for post in everything(table, Layout { words, ..layout() }) {
            assert_eq!(limits::check(&post), Ok(()), "{} {}", table.terms().game, post.content);
            for text in texts(&post) {
                assert_eq!(plain_words(&text, table), Vec::<String>::new(), "{}: {text}", table.terms().game);
            }
        }
    });
}

/// Everything that is read of a message.
fn texts(post: &Post) -> Vec<String> {
    let parts = post.rows.iter().flatten().flat_map(|part| match part {
        Part::Button { label, .. } => vec![label.clone()],
        Part::Select { placeholder, choices, .. } => {
            let notes = choices.iter().map(|choice| choice.note.clone());
            notes.chain([placeholder.clone()]).collect()
        }
        Part::Blank { .. } => Vec::new(),
        Part::Channels { placeholder, .. } => vec![placeholder.clone()],
    });
    let alt = post.picture.iter().map(|picture| picture.alt.clone());
    parts.chain(alt).chain([post.content.clone()]).collect()
}

/// Words that no language marked, apart from names, times, moves and values.
fn plain_words(text: &str, table: &Table) -> Vec<String> {
    let moves = table.play().map(|play| [play.record(), play.moves()].concat()).unwrap_or_default();
    let mut text = text.split("```").step_by(2).collect::<String>().replace(table.id().as_str(), "");
    moves.iter().for_each(|known| text = text.replace(known.as_str(), ""));
    let mut tags = text.split('<');
    let rest = tags.next().unwrap_or_default().to_owned();
    let text = rest + &tags.filter_map(|tag| tag.split_once('>').map(|(_, rest)| rest)).collect::<String>();
    let words = text.split(|c: char| !c.is_alphanumeric());
    let plain = |word: &&str| {
        word.len() > 3
            && word.chars().all(|c| c.is_ascii_alphabetic())
            && word.chars().any(|c| c.is_lowercase())
    };
    words.filter(plain).map(str::to_owned).collect()
}

/// Tables of every game and number of players, at several moments.
fn every_table(look: impl Fn(&Table)) {
    for (seats, game) in games::ALL.iter().flat_map(|g| g.about().seats.iter().copied().map(move |n| (n, *g)))
    {
        // Not every number between the least and the most: three cannot play soccer.
        if game.start(&Setup::new(seats)).is_err() {
            continue;
        }
        let mut table = table(game, Occupant::Human { person: Person(u64::MAX) }, seats);
        happen(&mut table, Event::Housed { home: Home { channel: 7, thread: true } });
        let mut chance = Chance::new(3);
        // Chance alone rarely scores a goal: such games are left after a while.
        for _ in 0..25 {
            look(&table);
            let moves = table.play().unwrap().moves();
            if moves.is_empty() {
                break;
            }
            // A few turns at a time: long games are looked at now and then.
            for _ in 0..7 {
                let moves = table.play().unwrap().moves();
                let Some(pick) = moves.get(chance.below(moves.len().max(1) as u64) as usize) else { break };
                play(&mut table, pick);
            }
        }
    }
}

#[test]
fn rules_and_help_fit() {
    for game in games::ALL {
        let post = layout().rules(game.about().key).unwrap();
        assert_eq!(limits::check(&post), Ok(()), "{}", game.about().key);
    }
    let commands: Vec<_> = super::super::commands::ALL
        .iter()
        .map(|one| (one.name(), super::super::commands::describe(Words::english(), one.name())))
        .collect();
    let help = layout().help(&commands);
    assert_eq!(limits::check(&help), Ok(()));
    let shown = help.embed.unwrap().text;
    assert!(!help.content.ends_with('…') && !shown.ends_with('…'), "the help page is cut off");
    assert!(commands.iter().all(|(name, _)| shown.contains(&format!("`/{name}`"))));
}

/// A game of every kind, up to 40 turns in.
fn under_way() -> impl Iterator<Item = Table> {
    let kinds =
        games::ALL.iter().flat_map(|game| game.about().seats.iter().map(move |seats| (*game, *seats)));
    kinds.map(|(game, seats)| {
        let last = Occupant::Human { person: Person(seats as u64) };
        let (mut table, mut chance) = (table(game, last, seats), Chance::new(3));
        for _ in 0..40 {
            let Some(text) = table.play().and_then(|play| chance.pick(&play.moves()).cloned()) else { break };
            play(&mut table, &text);
        }
        table
    })
}

#[test]
fn the_viewer_fits_in_every_game_at_every_turn() {
    for table in under_way() {
        let name = &table.terms().game;
        for ply in [0, 1, table.ply() / 2, table.ply(), table.ply() + 5] {
            for side in Seat::all(table.chairs().len()) {
                let post = layout().viewer(&table, ply, Gaze { side, tints: ply % 2 == 0 }).unwrap();
                assert_eq!(limits::check(&post), Ok(()), "{name} at {ply}");
            }
            for post in [layout().aloud(&table, ply), layout().characters(&table, ply)] {
                assert_eq!(limits::check(&post.unwrap()), Ok(()), "{name} at {ply}");
            }
        }
    }
}

#[test]
fn a_game_fits_in_every_form_of_a_replay() {
    for table in under_way() {
        let (name, span) = (&table.terms().game, Span::within(table.ply(), None, None));
        let moving = layout().replay(&table, span, Seat::FIRST).unwrap();
        assert_eq!(moving.picture.as_ref().unwrap().scenes.len(), table.ply() + 1, "{name}");
        let stills = layout().stills(&table, span, Seat::FIRST).unwrap();
        let sheet = stills.picture.as_ref().unwrap();
        assert_eq!((sheet.scenes.len(), sheet.captions.len()), (9, 9), "{name}");
        let told = layout().as_text(&table, span).unwrap();
        for post in [moving, stills, told] {
            assert_eq!(limits::check(&post), Ok(()), "{name}");
        }
    }
}

#[test]
fn of_several_who_have_left_each_takes_their_seat_back_with_the_same_button() {
    let game = games::ALL.iter().find(|game| game.about().seats.contains(&4)).unwrap();
    let mut table = table(*game, Occupant::Human { person: Person(4) }, 4);
    for seat in [1, 2] {
        let occupant = Occupant::Ai { level: crate::kit::player::Level::Easy };
        happen(&mut table, Event::Seated { seat, occupant });
    }
    assert_eq!(table.away().len(), 2);
    let post = layout().brought(&table);
    assert_eq!(limits::check(&post), Ok(()));
    let back = Press::new(table.id(), table.ply(), Deed::ComeBack).id();
    assert_eq!(post.rows.iter().flatten().filter(|part| part.id() == back).count(), 1);
}
