//! Conformance, errors, notation, lines, and comparison with naive rules.

use crate::testing::{golden, quickest_win};
use rookery_core::conformance::{check_all, check_illegal_moves};
use rookery_core::player::{Level, SearchRequest, Value};
use rookery_core::rules::{Setup, SetupError};
use rookery_core::rules::{legal, spell};
use rookery_core::seed::SeededRng;
use rookery_core::square::COMPASS;
use rookery_core::{Cell, GameRules, IllegalMove, MovePart, Outcome, Position, Reason, Seat, StepKind};

use super::field::{Size, board, goal};
use super::naive::Naive;
use super::{INFO, PenguinSoccer, SoccerPosition};

fn start(seats: usize) -> SoccerPosition {
    PenguinSoccer::start(&Setup::new(seats)).unwrap()
}

fn at(line: &str) -> SoccerPosition {
    PenguinSoccer::from_line(line).unwrap()
}

fn refusal(position: &SoccerPosition, text: &str) -> IllegalMove {
    PenguinSoccer::resolve(position, &PenguinSoccer::read(text).unwrap()).unwrap_err()
}

fn played(position: &SoccerPosition, text: &str) -> SoccerPosition {
    let m = PenguinSoccer::resolve(position, &PenguinSoccer::read(text).unwrap()).unwrap();
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

fn spelled(position: &SoccerPosition, text: &str) -> String {
    let m = PenguinSoccer::resolve(position, &PenguinSoccer::read(text).unwrap()).unwrap();
    spell::<PenguinSoccer>(position, m)
}

fn seat(number: usize) -> Seat {
    Seat::new(number - 1).unwrap()
}

#[test]
fn conformance_suite_passes() {
    for (seats, repetition) in [(2, "off"), (2, "draw"), (4, "off"), (4, "draw")] {
        check_all::<PenguinSoccer>(&Setup::new(seats).with("repetition", repetition), 4, 300);
    }
}

#[test]
fn three_families_cannot_play() {
    assert!(matches!(PenguinSoccer::start(&Setup::new(3)), Err(SetupError::Seats { seats: 3, .. })));
}

/// A second implementation of the rules, with plain arrays, agrees over 100,000 positions of random games, half of them
/// with four families. Some families resign.
#[test]
fn the_naive_rules_agree() {
    let mut rng = SeededRng::new(2007);
    let mut compared = 0;
    while compared < 100_000 {
        let seats = if rng.below(3) == 0 { 2 } else { 4 };
        let mut ours = start(seats);
        let mut naive = Naive::start(seats);
        for _ in 0..400 {
            compare(&ours, &naive);
            compared += 1;
            let moves = legal::<PenguinSoccer>(&ours);
            if moves.is_empty() {
                break;
            }
            if seats == 4 && rng.below(150) == 0 && ours.field().active().count() > 2 {
                let out = seat(1 + rng.below(4) as usize);
                ours.retire(out);
                naive.retire(out.index());
                continue;
            }
            // Kicks and tackles are rare, so they are sometimes preferred.
            let m = moves[rng.below(moves.len() as u64) as usize];
            naive = naive.after(&spell::<PenguinSoccer>(&ours, m)).expect("a listed move");
            ours.play_unchecked(m);
        }
    }
}

fn compare(ours: &SoccerPosition, naive: &Naive) {
    let line = PenguinSoccer::to_line(ours);
    assert_eq!(line, naive.line());
    let over = ours.outcome().map(|outcome| outcome.winners.iter().map(|s| s.index()).collect::<Vec<_>>());
    assert_eq!(over, naive.winners(), "{line}");
    let mut mine: Vec<String> =
        legal::<PenguinSoccer>(ours).into_iter().map(|m| spell::<PenguinSoccer>(ours, m)).collect();
    mine.sort();
    assert_eq!(mine, naive.moves(), "{line}");
}

/// Any text is a listed move, or refused for a reason that has a sentence.
#[test]
fn every_wish_is_a_move_or_refused_for_a_listed_reason() {
    let mut rng = SeededRng::new(5);
    for seats in [2, 4] {
        let mut position = start(seats);
        for _ in 0..120 {
            let moves = legal::<PenguinSoccer>(&position);
            let Some(m) = rng.pick(&moves) else { break };
            check_illegal_moves::<PenguinSoccer>(&position, wishes());
            for text in wishes() {
                let parsed = PenguinSoccer::read(&text).unwrap();
                if let Err(IllegalMove::Rule { rule, .. }) = PenguinSoccer::resolve(&position, &parsed) {
                    assert!(INFO.rules.contains(&rule), "{rule}");
                }
            }
            position.play_unchecked(*m);
        }
    }
}

fn wishes() -> Vec<String> {
    let pieces = board().cells().map(|cell| board().name(cell).to_owned());
    let pieces: Vec<String> = pieces.chain(Size::ALL.map(|size| size.number().to_string())).collect();
    let ways = COMPASS.map(|(name, ..)| name);
    let mut all = Vec::new();
    for piece in &pieces {
        all.extend([piece.clone(), format!("{piece}U"), format!("{piece}-d6"), format!("kick {piece} n")]);
        all.extend(
            ways.iter().flat_map(|way| ["", "L", "RRR", "..l"].map(|spin| format!("{piece}{way}{spin}"))),
        );
    }
    all
}

#[test]
fn refusals_are_exact() {
    let rule = |key, cells: &[&str]| IllegalMove::rule(key, cells.iter().copied());
    let position = at("c3NE,-,a1U|a2E,h5U,g7S h5 1");
    assert_eq!(refusal(&position, "c3n"), rule("soccer-lies", &["c3", "NE", "N"]));
    assert_eq!(refusal(&position, "2n"), rule("soccer-home-taken", &["a1"]));
    assert_eq!(refusal(&position, "2"), rule("soccer-home-taken", &["a1"]));
    assert_eq!(refusal(&position, "1n"), rule("soccer-on-the-ice", &["1", "c3"]));
    assert_eq!(refusal(&position, "a1u"), rule("soccer-stands", &["a1"]));
    assert_eq!(refusal(&position, "a1w"), rule("soccer-edge", &["a1", "W"]));
    assert_eq!(refusal(&position, "a1n"), rule("soccer-opponent", &["a1", "a2"]));
    assert_eq!(refusal(&position, "a1nell"), rule("soccer-spin", &["a1", "1"]));
    assert_eq!(refusal(&position, "c3ne...l"), rule("soccer-spin", &["c3", "3"]));
    assert_eq!(refusal(&position, "kick a1 ne"), rule("soccer-nothing-to-kick", &["a1"]));
    assert_eq!(refusal(&position, "kick a1"), rule("soccer-nothing-to-kick", &["a1"]));
    assert_eq!(refusal(&position, "c3-e5"), rule("soccer-full-distance", &["c3", "f6"]));
    assert_eq!(refusal(&position, "h5n"), IllegalMove::NotYours { at: "h5".into(), whose: seat(2) });
    assert_eq!(refusal(&position, "d4n"), IllegalMove::NoPiece { at: "d4".into() });
    assert_eq!(refusal(&position, "k4n"), IllegalMove::NoSuchCell { cell: "k4".into() });
    assert_eq!(refusal(&position, "c3-c3"), IllegalMove::SameCell { at: "c3".into() });
    let off = IllegalMove::NotALine { leg: MovePart::Move, from: "c3".into(), to: "d5".into() };
    assert_eq!(refusal(&position, "c3-d5"), off);
    let missing =
        |so_far: &str| IllegalMove::Incomplete { so_far: so_far.into(), missing: StepKind::Direction };
    assert_eq!(refusal(&position, "c3"), missing("c3"));
    let kicker = at("c3NE,-,-|h2E,h5U,g7S h5 2");
    assert_eq!(refusal(&kicker, "h5u"), rule("soccer-only-kick", &["h5"]));
    assert_eq!(refusal(&kicker, "h5nl"), rule("soccer-only-kick", &["h5"]));
    assert_eq!(refusal(&kicker, "slide h5 n"), rule("soccer-only-kick", &["h5"]));
    assert_eq!(refusal(&kicker, "h5ne"), rule("soccer-kick-edge", &["h5", "NE"]));
    assert_eq!(refusal(&kicker, "h2e"), rule("soccer-edge", &["h2", "E"]));
    assert_eq!(refusal(&kicker, "1nw"), rule("soccer-on-the-ice", &["1", "h2"]));
    assert_eq!(refusal(&start(2), "1w"), rule("soccer-not-away", &["a1", "W"]));
    assert_eq!(refusal(&start(2), "3-a1"), missing("3"));
    assert_eq!(refusal(&start(2), "1"), missing("1"));
    let short = at("b5E,-,-|e5U,-,- e5 1");
    assert_eq!(refusal(&short, "b5EL"), rule("soccer-short-no-spin", &["e5"]));
    let friend = at("b5E,c5U,-|e5U,-,- e5 1");
    assert_eq!(refusal(&friend, "b5E"), rule("soccer-friend", &["b5", "c5"]));
}

#[test]
fn homes_are_closed_to_others() {
    let push = at("a4S,-,-|-,-,a2U a2 1");
    assert_eq!(refusal(&push, "a4s"), IllegalMove::rule("soccer-pushed-home", ["a2", "a1"]));
    let slide = at("e8E,-,-|-,-,- d1 1");
    assert_eq!(refusal(&slide, "e8e"), IllegalMove::rule("soccer-other-home", ["h8"]));
    let edge = at("f8E,-,-|-,-,- d1 1");
    assert_eq!(refusal(&edge, "f8e"), IllegalMove::rule("soccer-other-home", ["h8"]), "stopped by the edge");
    // a8 is a Home in a game of four, but not in a game of two.
    assert_eq!(
        refusal(&at("a5N,-,-|-,-,-|-,-,-|-,-,- d1 1"), "a5n"),
        IllegalMove::rule("soccer-other-home", ["a8"])
    );
    assert_eq!(
        played(&at("a5N,-,-|-,-,- d1 1"), "a5n").field().at(board().named("a8").unwrap()),
        Some((seat(1), Size::Baby))
    );
}

/// A penguin may be pushed into its own Home.
#[test]
fn one_may_be_pushed_home() {
    let next = played(&at("h5N,-,-|-,-,h7U h7 1"), "h5n");
    assert_eq!(PenguinSoccer::to_line(&next), "h7U,-,-|-,-,h8N h7 2");
}

#[test]
fn both_ways_of_writing_are_read() {
    let start = start(2);
    for (written, meant) in [
        ("1e", "1E."),
        ("1 N E", "1NE."),
        ("1n..r", "1NR"),
        ("1n.l", "1NLL"),
        ("1nl", "1NL"),
        ("1n...", "1N."),
        ("baby ne r", "1NER"),
        ("enter papa-e", "2E."),
        ("1-c3", "1NE."),
        ("1>a3 LL", "1NLL"),
    ] {
        assert_eq!(spelled(&start, written), meant, "{written}");
    }
    let later = at("d3SE,-,-|d8U,-,- d8 1");
    for (written, meant) in [("D3se", "d3SE."), ("d3se.", "d3SE."), ("d3u", "d3U"), ("stand d3", "d3U")] {
        assert_eq!(spelled(&later, written), meant, "{written}");
    }
    let kick = at("d3SE,-,-|d8U,-,- d8 2");
    for (written, meant) in [("d8s", "d8S"), ("kick d8 sw", "d8SW"), ("d8-e7", "d8SE"), ("d8s.", "d8S")] {
        assert_eq!(spelled(&kick, written), meant, "{written}");
    }
    for unreadable in ["", "x", "c3q", "1", "c3NEq", "c3NELR"] {
        let read = PenguinSoccer::read(unreadable);
        assert_eq!(read.is_err(), unreadable != "1", "{unreadable}");
    }
}

/// Every spin of one notation has its counterpart in the other.
#[test]
fn dots_before_a_spin_count_squares() {
    let position = at("-,-,-|-,-,- - 1");
    for size in Size::ALL {
        let squares = size.slide();
        for dots in 1..squares {
            let written = format!("{}n{}l", size.number(), ".".repeat(dots));
            let meant = format!("{}N{}", size.number(), "L".repeat(squares - dots));
            assert_eq!(spelled(&position, &written), meant);
        }
    }
}

#[test]
fn family_without_moves_is_skipped() {
    // Orange's Mama is shut in at Home, so her family cannot enter; blue moves again.
    let position = at("-,-,a1U|a2U,b2U,b1U h4 2");
    let next = played(&position, "a2n");
    assert_eq!(next.turn(), seat(1), "a way out has opened");
    let shut = at("-,-,a1U|a2U,b2U,b1U h4 1");
    assert_eq!(shut.turn(), seat(2), "she cannot move");
}

#[test]
fn the_third_time_is_a_draw_only_where_agreed() {
    let setup = Setup::new(2).with("repetition", "draw");
    let agreed = PenguinSoccer::start(&setup).unwrap();
    assert_eq!(PenguinSoccer::to_line(&agreed), "-,-,-|-,-,- - 1 third:1");
    let mut now = at("-,-,a5U|-,-,h4U b8 1 third:1");
    let round = ["a5n.", "h4s.", "a6u", "h3u", "a6s.", "h3n.", "a5u", "h4u"];
    for time in [2, 3] {
        assert_eq!(now.outcome(), None);
        now = round.iter().fold(now, |now, text| played(&now, text));
        assert_eq!(now.times(), Some(time));
    }
    assert_eq!(now.outcome(), Some(Outcome::draw(2, Reason::Repetition)));
    assert!(legal::<PenguinSoccer>(&now).is_empty());
    let over = at("a5U,-,-|h4U,-,- b8 1 third:3");
    assert_eq!(over.outcome(), Some(Outcome::draw(2, Reason::Repetition)));
    assert_eq!(at("a5U,-,-|h4U,-,- b8 1 third:2").outcome(), None);
}

#[test]
fn a_family_that_gives_up_is_skipped_and_its_corner_is_open() {
    let mut position = at("a5N,-,-|-,-,-|-,-,-|-,-,- d1 1");
    position.retire(seat(2));
    assert_eq!(PenguinSoccer::to_line(&position), "a5N,-,-|-,-,-|-,-,-|-,-,- d1 1 out:2");
    let next = played(&position, "a5n");
    assert_eq!(next.turn(), seat(3));
    // h1 is the goal of the second family, which has resigned: the ball stops there, and the fourth family, whose Home
    // it is, fetches it.
    let mut kick = at("a5N,-,-|-,-,-|f1U,-,-|g1U,-,- g1 4");
    kick.retire(seat(2));
    let lies = played(&kick, "g1e");
    assert_eq!(lies.outcome(), None);
    let fetched = played(&played(&played(&lies, "a5u"), "f1n"), "3w");
    assert_eq!(PenguinSoccer::to_line(&fetched), "a5U,-,-|-,-,-|f4N,-,-|g1E,-,h1U h1 1 out:2");
}

/// Rules page: the goal of a resigned family counts for nobody, and its Home is an ordinary square.
#[test]
fn home_and_goal_of_a_family_that_gave_up_belong_to_nobody() {
    // a8 is the second family's Home: the first may not end there while the second is active.
    let line = "a7N,-,-|-,-,-|-,-,-|-,-,- d1 1";
    assert!(
        !legal::<PenguinSoccer>(&at(line))
            .iter()
            .any(|m| spell::<PenguinSoccer>(&at(line), *m).starts_with("a7N"))
    );
    let mut open = at(line);
    open.retire(seat(2));
    let next = played(&open, "a7n");
    assert!(PenguinSoccer::to_line(&next).starts_with("a8U,"), "{}", PenguinSoccer::to_line(&next));
    // h1 is the second family's goal: a ball there ends the game only while the family is active.
    let kicked = "-,-,-|-,-,-|-,-,-|g1U,-,- g1 4";
    assert_eq!(played(&at(kicked), "g1e").outcome().unwrap().winners, [seat(2)]);
    let mut nobody = at(kicked);
    nobody.retire(seat(2));
    assert_eq!(played(&nobody, "g1e").outcome(), None);
}

#[test]
fn lines_say_where_they_are_wrong() {
    for (line, place) in [
        ("-,-,-|-,-,- -", 13),
        ("-,-,-|-,-,-|-,-,- - 1", 0),
        ("-,-|-,-,- - 1", 0),
        ("c3NE,c3U,-|-,-,- h4 1", 5),
        ("c3X,-,-|-,-,- h4 1", 0),
        ("h8U,-,-|-,-,- h4 1", 0),
        ("d4U,-,-|-,-,- - 1", 14),
        ("d4N,-,-|-,-,- d4 1", 14),
        ("-,-,-|-,-,- d9 1", 12),
        ("-,-,-|-,-,- - 3", 14),
        ("-,-,-|-,-,- - 1 out:2", 16),
        ("-,-,-|-,-,- - 1 third:4", 16),
        ("-,-,-|-,-,- - 1 more", 16),
    ] {
        assert_eq!(PenguinSoccer::from_line(line).unwrap_err().at, place, "{line}");
    }
}

#[test]
fn the_record_is_as_it_was() {
    golden::<PenguinSoccer>(start(4), 64, "penguin_soccer/record.txt");
}

/// Every code span of the help is an option, a position, or a legal turn in the last position before it.
#[test]
fn the_examples_of_the_help_can_be_played() {
    let mut position = start(2);
    let mut turns = 0;
    for span in INFO.help.split('`').skip(1).step_by(2) {
        if let Ok(named) = PenguinSoccer::from_line(span) {
            position = named;
        } else if INFO.options.iter().all(|option| option.key != span) {
            let parsed = PenguinSoccer::read(span).unwrap_or_else(|e| panic!("{span}: {e}"));
            PenguinSoccer::resolve(&position, &parsed).unwrap_or_else(|e| panic!("{span}: {e}"));
            turns += 1;
        }
    }
    assert_eq!(turns, 11);
    let after = played(&position, "b5E.");
    assert_eq!(PenguinSoccer::to_line(&after), "d5U,-,g5E|e5E,f5E,h1U d5 2");
}

/// With four players the seats are symmetric: rotating by a quarter turn changes nothing else.
#[test]
fn families_of_four_are_alike() {
    let mut first = start(4);
    let mut rng = SeededRng::new(8);
    for _ in 0..60 {
        let moves = legal::<PenguinSoccer>(&first);
        let Some(m) = rng.pick(&moves) else { break };
        first.play_unchecked(*m);
        assert_eq!(legal::<PenguinSoccer>(&turned(&first)).len(), legal::<PenguinSoccer>(&first).len());
    }
}

/// The position seen from the second family: rotated clockwise by a quarter turn.
fn turned(position: &SoccerPosition) -> SoccerPosition {
    let cell = |cell| {
        let (col, row) = board().place(cell);
        board().at(row, 7 - col).unwrap()
    };
    let mut field = super::field::Field::new(4);
    for ((seat, size), p) in position.field().penguins_on_field() {
        let facing = p.facing.map(|dir| (dir + 2) % COMPASS.len());
        field.set((seat.next(4), size), Some(super::field::Penguin { cell: cell(p.cell), facing }));
    }
    field.set_ball(position.field().ball().map(cell));
    SoccerPosition::new(field, position.turn().next(4))
}

/// Mama kicks three squares: the goal is within reach.
#[test]
fn the_program_takes_a_goal_that_is_there() {
    let ahead = at("-,-,h5U|a2U,-,- h5 1");
    let search_result = PenguinSoccer::think(
        &ahead,
        &rookery_core::player::SearchRequest::new(rookery_core::player::Level::Easy, 1),
    );
    assert_eq!(spell::<PenguinSoccer>(&ahead, search_result.unwrap().best), "h5N");
}

/// A random position with the ball near the goal of the side to move, which often has it.
fn near_a_goal(rng: &mut SeededRng) -> Option<SoccerPosition> {
    let turn = 1 + rng.below(2) as usize;
    let goal = board().place(goal(2, seat(turn)));
    let far = |cell: &Cell| {
        let (col, row) = board().place(*cell);
        col.abs_diff(goal.0).max(row.abs_diff(goal.1))
    };
    let mut cells: Vec<Cell> = board().cells().collect();
    rng.shuffle(&mut cells);
    let ball = *cells.iter().find(|cell| (1..5).contains(&far(cell)))?;
    let holder = 3 * (turn - 1) + rng.below(4) as usize;
    let mut others = cells.into_iter().filter(|cell| *cell != ball);
    let facings = ["N", "NE", "E", "SE", "S", "SW", "W", "NW", "U", "U", "U", "U"];
    let mut penguin = |number: usize| {
        let cell = if number == holder { Some(ball) } else { others.next().filter(|_| rng.below(5) > 0) };
        cell.map_or("-".to_owned(), |cell| format!("{}{}", board().name(cell), rng.pick(&facings).unwrap()))
    };
    let penguins: Vec<String> = (0..6).map(&mut penguin).collect();
    let line =
        format!("{}|{} {} {turn}", penguins[..3].join(","), penguins[3..].join(","), board().name(ball));
    PenguinSoccer::from_line(&line).ok().filter(|position| position.outcome().is_none())
}

/// The expert reports the quickest win of up to three turns exactly when brute force finds one. Returns how many wins
/// took one, two and three turns, and how many positions had none.
fn compare_wins(seed: u64, positions: usize) -> [usize; 4] {
    let mut rng = SeededRng::new(seed);
    let mut seen = [0; 4];
    while seen.iter().sum::<usize>() < positions {
        let Some(position) = near_a_goal(&mut rng) else { continue };
        let quickest = quickest_win::<PenguinSoccer>(&position, [1, 3, 5]);
        // Only a depth limit: time would make the test depend on the machine.
        let mut request = SearchRequest::new(Level::Expert, seed);
        request.limits.depth = Some(1);
        let value = super::eval::think(&position, &request).unwrap().value;
        let found = if let Value::Won(plies) = value { Some(plies) } else { None };
        assert_eq!(found, quickest, "{}", PenguinSoccer::to_line(&position));
        seen[quickest.map_or(3, |plies| plies as usize / 2)] += 1;
    }
    seen
}

#[test]
fn wins_in_up_to_three_turns_are_found_exactly() {
    let seen = compare_wins(1, 120);
    assert!(seen.iter().all(|count| *count > 2), "{seen:?}");
}

#[test]
#[ignore = "slow: thousands of positions, three turns of each tried out in full"]
fn wins_in_up_to_three_turns_are_found_exactly_in_many_positions() {
    let seen = compare_wins(2, 2_000);
    assert!(seen.iter().all(|count| *count > 15) && seen[..3].iter().sum::<usize>() > 400, "{seen:?}");
}
