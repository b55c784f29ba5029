//! Messages of tables of every game, checked without Discord.

use std::collections::BTreeMap;

use crate::games;
use crate::kit::rules::Setup;
use crate::kit::seed::Chance;
use crate::kit::{Game, Play, Seat};
use crate::table::ports::Entry;
use crate::table::{Event, Home, Occupant, Offer, Person, Table, Terms, state};
use crate::words::Words;

use super::super::limits;
use super::super::post::{Part, Post};
use super::super::press::{Deed, Press};
use super::Layout;
use super::panel::{self, Stage};

const ADA: Person = Person(1);

fn layout() -> Layout<'static> {
    Layout { words: Words::english(), theme: "walnut", reads_all: false, challenge_hours: 24 }
}

/// A table of people 1, 2, …, the last chair held as given.
fn table(game: &dyn Game, last: Occupant, seats: usize) -> Table {
    let mut chairs: Vec<_> = (1..=seats as u64).map(|n| Occupant::Human { person: Person(n) }).collect();
    chairs[seats - 1] = last;
    let terms = Terms {
        game: game.about().key.into(),
        options: BTreeMap::new(),
        seed: 1,
        layout: None,
        guild: Some(5),
        channel: 6,
        thread: true,
        rated: false,
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

fn two_people() -> Table {
    table(games::named("amazons").unwrap(), Occupant::Human { person: Person(2) }, 2)
}

fn play(table: &mut Table, text: &str) {
    let seat = table.to_move().unwrap().index() as u8;
    happen(table, Event::Moved { seat, text: text.into() });
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
fn a_challenge_pings_whom_it_is_for() {
    let invited = Occupant::Invited { person: Person(2) };
    let post = layout().announcement(&table(games::named("amazons").unwrap(), invited, 2));
    assert_eq!(post.pings, [Person(2)]);
    let labels: Vec<_> = post.rows[0].iter().map(label).collect();
    assert_eq!(labels, ["Accept", "Decline", "Leave"]);
    let open = layout().announcement(&table(games::named("amazons").unwrap(), Occupant::Open, 2));
    assert!(open.pings.is_empty());
    assert_eq!(open.rows[0].iter().map(label).collect::<Vec<_>>(), ["Join", "Leave"]);
}

fn label(part: &Part) -> &str {
    match part {
        Part::Button { label, .. } => label,
        Part::Select { placeholder, .. } => placeholder,
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

#[test]
fn the_panel_of_amazons_takes_three_choices_and_ends_in_a_move() {
    let table = two_people();
    let play = table.play().unwrap();
    let (mut taken, mut taps) = (Vec::new(), 0);
    loop {
        match panel::stage(play, &taken) {
            Stage::Done(text) => break assert!(play.read(&text).is_ok()),
            Stage::Nothing => panic!("no way on after {taken:?}"),
            Stage::Choose { taken: sofar, choices } => {
                let post = layout().panel(&table, ADA, &sofar, &choices, None).unwrap();
                assert_eq!(limits::check(&post), Ok(()));
                let Part::Select { id, choices, .. } = &post.rows[0][0] else { panic!("no select") };
                let Deed::Pick(_, carried) = Press::read(id).unwrap().deed else { panic!("{id}") };
                taken = [carried, vec![choices[0].value.clone()]].concat();
                taps += 1;
            }
        }
    }
    assert_eq!(taps, 3);
}

/// Everything that is ever posted or answered for a table as it is now.
fn everything(table: &Table) -> Vec<Post> {
    let layout = layout();
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
        posts.extend(panels(table, play));
    }
    posts
}

/// The panel at each stage, always with the last choice taken, and each column where there are any.
fn panels(table: &Table, play: &dyn Play) -> Vec<Post> {
    let (mut posts, mut taken) = (Vec::new(), Vec::new());
    while let Stage::Choose { taken: sofar, choices } = panel::stage(play, &taken) {
        posts.extend(layout().panel(table, ADA, &sofar, &choices, None));
        for column in 'a'..='l' {
            posts.extend(layout().panel(table, ADA, &sofar, &choices, Some(column)));
        }
        let last = choices.last().unwrap().step.text.clone();
        taken = [sofar, vec![last]].concat();
    }
    posts
}

#[test]
fn every_message_of_every_game_keeps_discords_limits() {
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
            for post in everything(&table) {
                assert_eq!(limits::check(&post), Ok(()), "{} {}", game.about().key, post.content);
            }
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
    assert!(!help.content.ends_with('…'), "the help page is cut off");
}
