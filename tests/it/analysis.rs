//! Evaluations of every game's search, for hints and analysis.
use rookery_core::player::{Level, Limits, SearchRequest, Value};
use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{EndgameCount, Play, Seat};

fn ask(nodes: u64) -> SearchRequest {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    SearchRequest { limits, ..SearchRequest::new(Level::Expert, 1) }
}

fn started(game: &str, plies: usize) -> Box<dyn Play> {
    let game = rookery_games::named(game).unwrap();
    let mut play = game.start(&Setup::new(game.info().fewest()).seeded(1)).unwrap();
    let mut rng = SeededRng::new(2);
    for _ in 0..plies {
        let moves = play.moves();
        let Some(text) = rng.pick(&moves) else { break };
        play.play(text).unwrap();
    }
    play
}

#[test]
fn analysis_of_every_game_gives_legal_lines_with_different_first_moves() {
    for game in rookery_games::all() {
        for plies in [0, 12] {
            let play = started(game.info().key, plies);
            let Some(analysis) = play.analyse(&ask(3_000), 3) else {
                assert!(play.outcome().is_some());
                continue;
            };
            let key = game.info().key;
            assert_eq!(analysis.lines.len(), play.moves().len().min(3), "{key} at {plies}");
            let mut firsts: Vec<_> = analysis.lines.iter().map(|line| line.moves[0].clone()).collect();
            for line in &analysis.lines {
                let mut ahead = play.clone_play();
                line.moves.iter().for_each(|text| assert_eq!(ahead.play(text).as_ref(), Ok(text), "{key}"));
            }
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), analysis.lines.len(), "{key} at {plies}");
            let ranks: Vec<i64> = analysis.lines[1..].iter().map(|line| line.value.rank()).collect();
            assert!(ranks.is_sorted_by(|a, b| a >= b), "{key}: {ranks:?}");
        }
    }
}

#[test]
fn ownership_covers_free_cells_that_one_side_reaches_first() {
    let play = started("amazons", 0);
    let analysis = play.analyse(&ask(100), 1).unwrap();
    let cell = |name: &str| play.board().named(name).unwrap();
    let of =
        |name: &str| analysis.ownership.iter().find(|hold| hold.cell == cell(name)).map(|hold| hold.seat);
    // White has amazons on a4, d1, g1, j4: b1 is one step from d1 and two from Black's; e5 is open to both.
    assert_eq!((of("b1"), of("b10"), of("e5")), (Some(Seat::FIRST), Some(Seat::SECOND), None));
    assert_eq!(of("a4"), None, "an amazon stands there");
    assert!(matches!(analysis.endgame, EndgameCount::Shared { .. }));
}

/// White's amazon on a5 has four free cells in a row, Black's on a3 has two below: White to move has more
/// moves left.
#[test]
fn analysis_of_a_decided_position_is_exact() {
    for (turn, wins) in [("w", true), ("b", false)] {
        let line = format!("Q4/ppppp/qpppp/1pppp/1pppp {turn} - - 0 9");
        let play = rookery_games::named("amazons").unwrap().resume(&line).unwrap();
        let analysis = play.analyse(&ask(5_000), 2).unwrap();
        let EndgameCount::Separated { outcome: Some(outcome), .. } = &analysis.endgame else {
            panic!("{analysis:?}")
        };
        assert_eq!(outcome.winners, [Seat::FIRST]);
        assert_eq!(matches!(analysis.lines[0].value, Value::Won(_)), wins, "{analysis:?}");
        assert_eq!(matches!(analysis.lines[0].value, Value::Lost(_)), !wins, "{analysis:?}");
    }
}

/// The best line is an immediate win, which the search finds before anything else and which names no other
/// move. The other wins are found among all legal moves.
#[test]
fn analysis_lists_every_immediate_win() {
    let mut seen = 0;
    for seed in 0..60 {
        let mut play = rookery_games::named("amoeba").unwrap().start(&Setup::new(2)).unwrap();
        let mut rng = SeededRng::new(seed);
        while play.outcome().is_none() && play.ply() < 60 {
            let moves = play.moves();
            let wins = |text: &&String| {
                let mut next = play.clone_play();
                next.play(text).unwrap();
                next.outcome().is_some_and(|end| end.winners == [play.turn()])
            };
            if moves.len() > 20 && moves.iter().filter(wins).count() == 2 {
                let analysis = play.analyse(&ask(2_000), 3).unwrap();
                let won = analysis.lines.iter().filter(|line| line.value == Value::Won(1)).count();
                assert_eq!(won, 2, "{}: {:?}", play.line(), analysis.lines);
                seen += 1;
            }
            let text = rng.pick(&moves).unwrap();
            play.play(text).unwrap();
        }
    }
    assert!(seen > 5, "{seen}");
}
