//! Guarantees of every game, checked through the erased types that tables use, with moves as text.
use rookery_core::rules::{AllowedValues, GameInfo, Setup};
use rookery_core::scene::DrawOptions;
use rookery_core::seed::SeededRng;
use rookery_core::{Game, IllegalMove, Menu, MoveError, Play, Seat};

/// Returns setups with every number of seats, and with each listed value of each option.
fn setups(about: &'static GameInfo) -> Vec<Setup> {
    let mut setups: Vec<Setup> = about.seats.iter().copied().map(Setup::new).collect();
    for option in about.options {
        let values = match &option.allowed {
            AllowedValues::OneOf(words) => words.to_vec(),
            AllowedValues::Size { offered, .. } => offered.to_vec(),
            AllowedValues::Number(_) | AllowedValues::Text => vec![option.default],
        };
        let start = about.fewest();
        setups.extend(values.into_iter().map(|value| Setup::new(start).with(option.key, value)));
    }
    setups
}

/// Starts a game, unless the setup combines options that exclude each other.
fn start(game: &dyn Game, setup: &Setup) -> Option<Box<dyn Play>> {
    game.start(setup).ok()
}

#[test]
fn conformance_every_game_starts_with_every_number_of_seats() {
    assert!(!crate::games().is_empty());
    for game in crate::games() {
        for seats in game.info().seats.iter().copied() {
            let play = game.start(&Setup::new(seats)).unwrap_or_else(|e| panic!("{}: {e}", game.info().key));
            assert_eq!((play.seats(), play.ply(), play.turn()), (seats, 0, Seat::FIRST));
        }
    }
}

#[test]
fn conformance_random_games_end_replay_and_read_back() {
    for game in crate::games() {
        for (number, setup) in setups(game.info()).into_iter().enumerate() {
            let setup = setup.seeded(number as u64);
            let Some(play) = start(*game, &setup) else { continue };
            plays_through(*game, play, number as u64);
        }
    }
}

fn plays_through(game: &dyn Game, mut play: Box<dyn Play>, seed: u64) {
    let key = game.info().key;
    let first = play.start_line();
    let mut rng = SeededRng::new(seed);
    for _ in 0..400 {
        let moves = play.moves();
        let Some(text) = rng.pick(&moves) else { break };
        let turn = play.turn();
        let noisy = format!("  {} ", text.to_uppercase());
        assert_eq!(play.play(&noisy).as_ref(), Ok(text), "{key} in {}", play.line());
        assert_eq!(play.movers().last(), Some(&turn));
    }
    if play.outcome().is_some() {
        assert_eq!(play.moves(), [] as [&str; 0], "{key}: over, yet there are moves");
        assert_eq!(play.play("a1"), play.read("a1"));
    }
    let mut again = game.resume(&first).unwrap_or_else(|e| panic!("{key}: {first}: {e}"));
    for text in play.record() {
        again.play(&text).unwrap_or_else(|e| panic!("{key}: {text}: {e}"));
    }
    assert_eq!(again.line(), play.line(), "{key}: the record leads elsewhere");
    assert_eq!(play.at_ply(3).record(), play.record()[..play.ply().min(3)]);
}

#[test]
fn conformance_finished_game_refuses_every_move() {
    for game in crate::games() {
        let mut play = game.start(&Setup::new(game.info().fewest())).unwrap();
        let mut rng = SeededRng::new(3);
        let mut last = String::new();
        for _ in 0..2000 {
            let moves = play.moves();
            let Some(text) = rng.pick(&moves) else { break };
            last = play.play(text).unwrap();
        }
        if play.outcome().is_some() {
            assert_eq!(play.read(&last), Err(MoveError::Illegal(IllegalMove::Over)), "{}", game.info().key);
            assert_eq!(play.menu(&[]), Menu::Nothing);
        }
    }
}

#[test]
fn conformance_menus_lead_to_legal_moves() {
    for game in crate::games() {
        for setup in setups(game.info()) {
            let Some(play) = start(*game, &setup.seeded(9)) else { continue };
            let mut rng = SeededRng::new(9);
            let mut taken = Vec::new();
            let done = loop {
                match play.menu(&taken) {
                    Menu::Done(text) => break text,
                    Menu::Choose(choices) => taken.push(rng.pick(&choices).unwrap().step.text.clone()),
                    Menu::Nothing => panic!("{}: a dead end after {taken:?}", game.info().key),
                }
            };
            assert!(play.moves().contains(&done), "{}: {done}", game.info().key);
        }
    }
}

#[test]
fn conformance_boards_are_drawn_and_described_from_every_seat() {
    for game in crate::games() {
        for theme in game.themes() {
            for seats in game.info().seats.iter().copied() {
                let mut play = game.start(&Setup::new(seats).seeded(4)).unwrap();
                let first = play.moves()[0].clone();
                play.play(&first).unwrap();
                for side in Seat::all(seats) {
                    let look = DrawOptions { theme: theme.name.to_owned(), ..DrawOptions::from_seat(side) };
                    let scene = play.scene(&look);
                    assert_eq!(scene.theme.name, theme.name);
                    rookery_core::conformance::check_inks(&scene);
                }
                assert!(!play.text_board().is_empty() && !play.facts().is_empty());
            }
        }
    }
}
