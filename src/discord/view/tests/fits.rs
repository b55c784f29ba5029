//! All messages keep Discord's limits, in every game and with longer sentences.

use crate::discord::wire::help_id::HelpTopic;
use rookery_core::Seat;
use rookery_table::teams::MAX_NAMED_MEMBERS;
use rookery_table::{EndCause, Ending};
use strum::VariantArray;

use super::panels::panels;
use super::*;

/// Returns all messages and answers for the current state of a table.
fn everything(table: &Table, view: MessageView<'_>) -> Vec<OutgoingMessage> {
    let rng = &mut SeededRng::new(table.ply() as u64);
    let mut posts = vec![
        view.announcement(table),
        view.state(table, Some(ADA)),
        view.state_text(table),
        view.resign_confirmation(table, Seat::FIRST),
        view.offered(table, Offer::Count, Seat::FIRST, table.ply()),
        view.offer_declined(table, Seat::SECOND),
    ];
    posts.extend(view.welcome(table));
    posts.extend(view.board(table, table.ply()));
    posts.extend(view.result(table));
    if let Some(play) = table.play() {
        posts.push(view.moves(table.id(), play, "", &[]));
        posts.extend(panels(table, play, view, rng));
    }
    posts
}

#[test]
fn every_message_of_every_game_keeps_discords_limits() {
    every_table(|table| {
        for post in everything(table, view()) {
            assert_eq!(limits::check(&post), Ok(()), "{} {}", table.terms().game, post.content);
            all_are_called(&post);
        }
    });
}

/// With web pages there is one button more.
#[test]
fn messages_with_a_button_for_the_web_page_keep_discords_limits() {
    let view = MessageView { web: Some("https://example.org"), ..view() };
    every_table(|table| {
        for post in everything(table, view) {
            assert_eq!(limits::check(&post), Ok(()), "{} {}", table.terms().game, post.content);
        }
    });
    for table in under_way() {
        for ply in [0, 1, table.ply()] {
            let post = view.viewer(&table, ply, ViewOptions::from(Seat::FIRST)).unwrap();
            assert_eq!(limits::check(&post), Ok(()), "{} at {ply}", table.terms().game);
        }
    }
}

/// Discord pings only people whose mention is in the text, regardless of `allowed_mentions`.
fn all_are_called(post: &OutgoingMessage) {
    let sent = post.json(None);
    let text = sent["content"].as_str().unwrap();
    assert!(text.chars().count() <= limits::MAX_CONTENT_CHARS, "{text}");
    for who in sent["allowed_mentions"]["users"].as_array().unwrap() {
        let who = who.as_str().unwrap();
        assert!(text.contains(&format!("<@{who}>")), "{who} is not called: {text}");
    }
}

#[test]
fn however_a_game_ends_unexpectedly_both_are_called() {
    let won = [EndCause::OnTime, EndCause::Counted { margin_halves: None }];
    let none = [EndCause::Aborted, EndCause::Abandoned, EndCause::Refused];
    let won = won.map(|cause| (vec![Seat::FIRST], cause));
    for (winners, cause) in won.into_iter().chain(none.map(|cause| (Vec::new(), cause))) {
        let mut table = two_people();
        play(&mut table, "d1-d7/g7");
        happen(&mut table, Event::Ended { ending: Ending { winners, cause } });
        let post = view().result(&table).unwrap();
        assert_eq!(post.pings, [UserId(1), UserId(2)], "{}", post.content);
        all_are_called(&post);
    }
}

#[test]
fn the_largest_team_is_called_in_full() {
    let people: Vec<_> = (1 << 62..).take(MAX_NAMED_MEMBERS).map(UserId).collect();
    let (captain, members) = (people[0], TeamMembers::Named { people });
    let team = Team { captain, mode: members.usual_mode(), members };
    let terms =
        Terms { game: "amazons".into(), guild: Some(GuildId(5)), teams: vec![team], ..Terms::default() };
    let chairs = [captain, ADA].map(|person| Occupant::Human { person }).to_vec();
    let id = "K7Q2".parse().unwrap();
    let events = decide::open(id, terms, captain, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    let table = Table::replay(id, &entries).unwrap().unwrap();
    for (post, called) in [
        (view().board(&table, 0).unwrap(), MAX_NAMED_MEMBERS),
        (view().welcome(&table).unwrap(), MAX_NAMED_MEMBERS + 1),
    ] {
        assert_eq!(post.pings.len(), called);
        all_are_called(&post);
    }
}

#[test]
fn nothing_breaks_when_sentences_grow_by_half_and_nothing_is_hard_coded() {
    let words = pseudo_language("fi");
    every_table(|table| {
        for post in everything(table, MessageView { words, ..view() }) {
            assert_eq!(limits::check(&post), Ok(()), "{} {}", table.terms().game, post.content);
            for text in texts(&post) {
                assert_eq!(plain_words(&text, table), Vec::<String>::new(), "{}: {text}", table.terms().game);
            }
        }
    });
}

/// Returns all visible texts of a message.
fn texts(post: &OutgoingMessage) -> Vec<String> {
    let parts = post.rows.iter().flatten().flat_map(|part| match part {
        Component::Button { label, .. } | Component::Link { label, .. } => vec![label.clone()],
        Component::Select { placeholder, choices, .. } => {
            let notes = choices.iter().map(|choice| choice.note.clone());
            notes.chain([placeholder.clone()]).collect()
        }
        Component::People { placeholder, .. } | Component::Channels { placeholder, .. } => {
            vec![placeholder.clone()]
        }
    });
    let alt = post.picture.iter().map(|picture| picture.alt.clone());
    parts.chain(alt).chain([post.content.clone()]).collect()
}

/// Returns the words that the pseudo-language has not marked, except for names, times, moves and values.
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

/// Calls `look` with tables of every game and number of players, at several plies.
fn every_table(look: impl Fn(&Table)) {
    for (seats, game) in
        rookery_games::all().iter().flat_map(|g| g.info().seats.iter().copied().map(move |n| (n, *g)))
    {
        // Some numbers between the least and the most are not allowed: soccer excludes three.
        if game.start(&Setup::new(seats)).is_err() {
            continue;
        }
        let mut table = table(game, Occupant::Human { person: UserId(u64::MAX) }, seats);
        happen(
            &mut table,
            Event::BoardChannelSet { board_channel: BoardChannel { channel: ChannelId(7), thread: true } },
        );
        let mut rng = SeededRng::new(3);
        // Random moves rarely score a goal, so such games end after a number of rounds.
        for _ in 0..25 {
            look(&table);
            let moves = table.play().unwrap().moves();
            if moves.is_empty() {
                break;
            }
            // Seven plies at a time, because checking every ply of long games takes too long.
            for _ in 0..7 {
                let moves = table.play().unwrap().moves();
                let Some(pick) = moves.get(rng.below(moves.len().max(1) as u64) as usize) else { break };
                play(&mut table, pick);
            }
        }
    }
}

#[test]
fn rules_and_help_fit() {
    for game in rookery_games::all() {
        let post = view().rules(game.info().key).unwrap();
        assert_eq!(limits::check(&post), Ok(()), "{}", game.info().key);
        let (text, boards) = (post.embed.unwrap().text, post.picture.unwrap().scenes.count());
        assert!(boards > 0 && (1..=boards).all(|number| text.contains(&format!("board {number}"))), "{text}");
    }
    let commands: Vec<_> = crate::discord::handlers::commands::ALL
        .iter()
        .map(|one| {
            (one.name(), crate::discord::handlers::commands::describe(Localizer::english(), one.name()))
        })
        .collect();
    for topic in HelpTopic::VARIANTS {
        let help = view().help(*topic, &commands, Some(&"x".repeat(200)));
        assert_eq!(limits::check(&help), Ok(()), "{topic:?}");
        assert!(!help.content.ends_with('…'), "{topic:?} is cut off");
    }
    let shown = view().help(HelpTopic::Commands, &commands, None).embed.unwrap().text;
    assert!(!shown.ends_with('…'), "the list of commands is cut off");
    assert!(commands.iter().all(|(name, _)| shown.contains(&format!("`/{name}`"))));
}

/// Returns a game of every kind, up to 40 plies in.
fn under_way() -> impl Iterator<Item = Table> {
    let kinds = rookery_games::all()
        .iter()
        .flat_map(|game| game.info().seats.iter().map(move |seats| (*game, *seats)));
    kinds.map(|(game, seats)| {
        let last = Occupant::Human { person: UserId(seats as u64) };
        let (mut table, mut rng) = (table(game, last, seats), SeededRng::new(3));
        for _ in 0..40 {
            let Some(text) = table.play().and_then(|play| rng.pick(&play.moves()).cloned()) else { break };
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
                let post = view().viewer(&table, ply, ViewOptions { side, tints: ply % 2 == 0 }).unwrap();
                assert_eq!(limits::check(&post), Ok(()), "{name} at {ply}");
            }
            for post in [view().full_description(&table, ply), view().characters(&table, ply)] {
                assert_eq!(limits::check(&post.unwrap()), Ok(()), "{name} at {ply}");
            }
        }
    }
}

#[test]
fn a_game_fits_in_every_form_of_a_replay() {
    for table in under_way() {
        let (name, span) = (&table.terms().game, Span::within(table.ply(), None, None));
        let view = MessageView { web: Some("https://example.org"), ..view() };
        let moving = view.replay(&table, span, Seat::FIRST).unwrap();
        assert_eq!(moving.picture.as_ref().unwrap().scenes.clone().make().len(), table.ply() + 1, "{name}");
        let stills = view.stills(&table, span, Seat::FIRST).unwrap();
        let sheet = stills.picture.as_ref().unwrap();
        assert_eq!((sheet.scenes.count(), sheet.captions.len()), (9, 9), "{name}");
        let told = view.as_text(&table, span).unwrap();
        for post in [moving, stills, told] {
            assert_eq!(limits::check(&post), Ok(()), "{name}");
        }
    }
}
