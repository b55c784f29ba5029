//! No sentence is missing or unused, and the important ones have the expected text.

use rookery_core::rules::Setup;
use rookery_core::{Blocker, Board, Expected, IllegalMove, MoveParseError, MovePart, Play, Score, Seat};
use std::collections::{BTreeMap, BTreeSet};

use super::boards::ranges;
use super::languages::{LANGUAGE_FILES, LanguageFiles};
use super::{BoardView, GameResult, Languages, Localizer, Naming};
use rookery_table::millis;

/// Returns the keys in the English files.
fn written() -> BTreeSet<String> {
    keys(&LANGUAGE_FILES[0])
}

/// Returns the keys in a language's files.
fn keys(folder: &LanguageFiles) -> BTreeSet<String> {
    let lines = folder.files.iter().flat_map(|(_, text)| text.lines());
    let keys = lines.filter_map(|line| line.split_once(" =").map(|(key, _)| key));
    keys.filter(|key| key.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))
        .map(str::to_owned)
        .collect()
}

/// Returns the arguments of each sentence of a language, by key: `$table` and the like.
fn arguments_by_key(folder: &LanguageFiles) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut key = String::new();
    for line in folder.files.iter().flat_map(|(_, text)| text.lines()) {
        if let Some((start, _)) = line.split_once(" =").filter(|_| !line.starts_with([' ', '#'])) {
            start.clone_into(&mut key);
        }
        let names = line.split('$').skip(1).map(|rest| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>()
        });
        found.entry(key.clone()).or_default().extend(names);
    }
    found
}

#[test]
fn every_language_has_every_sentence_and_no_other() {
    for folder in LANGUAGE_FILES {
        assert_eq!(keys(folder), written(), "{}", folder.tag);
        let (own, english) = (arguments_by_key(folder), arguments_by_key(&LANGUAGE_FILES[0]));
        for (key, names) in &own {
            assert!(names.is_subset(&english[key]), "{} {key} speaks of {names:?}", folder.tag);
        }
    }
}

#[test]
fn every_sentence_can_be_read() {
    for words in Languages::built_in().all() {
        for key in written() {
            assert!(words.has(&key), "{} {key}", words.tag());
        }
    }
}

fn amazons() -> Box<dyn Play> {
    rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap()
}

fn refused(refusal: IllegalMove) -> String {
    Localizer::english().illegal_move(&refusal, Some(amazons().as_ref()))
}

#[test]
fn a_wrong_move_names_the_rule_and_the_square() {
    let blocked = |by, at: &str| IllegalMove::Blocked {
        leg: MovePart::Move,
        from: "d7".into(),
        to: "d2".into(),
        by,
        at: at.into(),
    };
    assert_eq!(
        refused(blocked(Blocker::Gone, "d4")),
        "d7 can't go to d2: a blocked square on d4 is in the way."
    );
    let queen = refused(blocked(Blocker::Piece(Seat::SECOND), "d2"));
    assert_eq!(queen, "d7 can't go to d2: Black's amazon is there.");
    let line = IllegalMove::NotALine { leg: MovePart::Shot, from: "d7".into(), to: "e9".into() };
    assert!(refused(line).contains("aim at e9 from d7"));
}

#[test]
fn a_piece_in_the_way_has_the_word_of_its_game() {
    let blocked = IllegalMove::Blocked {
        leg: MovePart::Move,
        from: "a1".into(),
        to: "a3".into(),
        by: Blocker::Piece(Seat::SECOND),
        at: "a2".into(),
    };
    for (game, word) in
        [("penguins", "'s penguin"), ("amazon_penguins", "'s penguin"), ("paper_penguins", "'s shape")]
    {
        let play = rookery_games::named(game).unwrap().start(&Setup::new(2)).unwrap();
        let told = Localizer::english().illegal_move(&blocked, Some(play.as_ref()));
        assert!(told.contains(&format!("{word} on a2 is in the way")), "{game}: {told}");
    }
}

#[test]
fn an_unreadable_move_comes_with_an_example_that_is_legal() {
    let unreadable = MoveParseError { at: 2, found: "`@x".into(), expected: Expected::Cell };
    let play = amazons();
    let sentence = Localizer::english().unreadable(&unreadable, Some(play.as_ref()));
    assert!(!sentence.contains('@'), "{sentence}");
    let example = sentence.rsplit('`').nth(1).unwrap();
    assert!(play.read(example).is_ok(), "{sentence}");
}

/// Damages single characters and words in positions of every game: every requirement that fails has a sentence in the
/// files.
#[test]
fn what_a_spoiled_position_needs_is_said_in_every_language() {
    let marked = super::testing::pseudo_language("fi");
    for game in rookery_games::all() {
        let mut needs = BTreeSet::new();
        for line in spoiled(&game.start(&Setup::new(game.info().fewest()).seeded(3)).unwrap().line()) {
            let Err(bad) = game.resume(&line) else { continue };
            let told = marked.bad_line(&bad);
            let plain = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic());
            let found = told.split(|c: char| !c.is_alphanumeric()).find(|word| plain(word));
            // Numbers, sizes and cells are the same in every language.
            assert_eq!(found, None, "{line}: {told}");
            needs.insert(bad.wanted.key());
        }
        assert!(needs.len() > 4, "{}: {needs:?}", game.info().key);
    }
}

/// Returns variants of a line: each character changed, each word removed, a word added at the end, and an
/// empty line.
fn spoiled(line: &str) -> Vec<String> {
    let signs = || line.char_indices().flat_map(|(at, _)| ['?', '9', '/', ' '].map(|sign| (at, sign)));
    let changed = signs().map(|(at, sign)| {
        let mut chars: Vec<char> = line.chars().collect();
        chars[at] = sign;
        chars.into_iter().collect()
    });
    let words: Vec<&str> = line.split(' ').collect();
    let without = (0..words.len()).map(|at| {
        let left = words.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, word)| *word);
        left.collect::<Vec<_>>().join(" ")
    });
    let longer = ["x", "out:x", "pie:x", "seen:x", "third:x"].map(|more| format!("{line} {more}"));
    changed.chain(without).chain(longer).chain([String::new()]).collect()
}

#[test]
fn cells_in_a_row_are_drawn_together() {
    let board = Board::square(10, 10);
    let cells: Vec<_> =
        ["b2", "a4", "c4", "b4", "e4"].iter().map(|name| board.named(name).unwrap()).collect();
    assert_eq!(ranges(board, &cells), "a4-c4 e4 b2");
    assert_eq!(ranges(board, &[]), "");
}

#[test]
fn a_description_names_game_turn_and_pieces_and_fits() {
    let play = amazons();
    let table = "K7Q2".parse().unwrap();
    let scene = BoardView { table, play: play.as_ref(), look: None, ending: None, scores: None };
    let alt = Localizer::english().alt(&scene);
    for part in ["Game of the Amazons", "K7Q2", "at the start", "White to move", "White: a4 j4 d1 g1"] {
        assert!(alt.contains(part), "{part} is not in {alt}");
    }
    assert!(alt.chars().count() <= 1_024);
}

fn text_after(
    game: &str,
    moves: &[&str],
    tell: impl Fn(&Localizer, &rookery_table::Table, &dyn Play) -> String,
) -> String {
    text_after_ending(game, moves, None, tell)
}

/// Formats a sentence about a table after these moves; `ending` is its result, if any.
fn text_after_ending(
    game: &str,
    moves: &[&str],
    ending: Option<rookery_table::Ending>,
    tell: impl Fn(&Localizer, &rookery_table::Table, &dyn Play) -> String,
) -> String {
    use rookery_table::{Event, Occupant, Table, Terms, UserId, decide, ports::Entry};
    let terms: Terms =
        serde_json::from_str(&format!(r#"{{"game":"{game}","seed":1,"channel":1,"thread":false}}"#)).unwrap();
    let chairs = [1, 2].map(|n| Occupant::Human { person: UserId(n) }).to_vec();
    let mut events = decide::open("K7Q2".parse().unwrap(), terms, UserId(1), chairs).unwrap();
    events.extend(
        [Seat::FIRST, Seat::SECOND].into_iter().cycle().zip(moves).map(|(seat, text)| Event::Moved {
            seat,
            text: (*text).to_owned(),
            why: None,
        }),
    );
    events.extend(ending.map(|ending| Event::Ended { ending }));
    let entries: Vec<_> = (1..)
        .zip(events)
        .map(|(sequence, event)| Entry { sequence, at: millis::timestamp(0), source: None, event })
        .collect();
    let table = Table::replay("K7Q2".parse().unwrap(), &entries).unwrap().unwrap();
    tell(Localizer::english(), &table, table.play().unwrap())
}

#[test]
fn a_board_says_how_its_table_ended_where_it_did() {
    use rookery_table::{EndCause, Ending};
    let moves = ["d1-d7/g7"];
    let ending = || Some(Ending { winners: vec![Seat::FIRST], cause: EndCause::Resigned });
    let end = text_after_ending("amazons", &moves, ending(), |words, table, play| {
        words.alt(&words.board(table, play, None))
    });
    assert!(end.contains("The game is over. White won: Black resigned."), "{end}");
    assert!(!end.contains("to move") && !end.contains("<@"), "{end}");
    let start = text_after_ending("amazons", &moves, ending(), |words, table, play| {
        words.alt(&words.board(table, play.at_ply(0).as_ref(), None))
    });
    assert!(start.contains("White to move."), "{start}");
}

/// A result of two players of Penguins, Blue and Orange.
fn result_of(winners: &[Seat], cause: &str, margin: Option<u32>) -> GameResult {
    let scores = [(52, 13), (48, 14)].map(|(points, tiles)| Score { points, tiles: Some(tiles) });
    let losers = Seat::all(2).filter(|seat| !winners.contains(seat)).collect();
    GameResult {
        game: "penguins".into(),
        cause: cause.into(),
        seats: 2,
        winners: winners.to_vec(),
        losers,
        margin,
        scores: Some(scores.to_vec()),
    }
}

#[test]
fn results_say_who_won_by_how_much_and_why() {
    let words = Localizer::english();
    let name = |seat: Seat| ["Ada (Blue)", "Ben (Orange)"][seat.index()].to_owned();
    let one = |cause: &str, margin| words.result_sentence(&result_of(&[Seat::SECOND], cause, margin), &name);
    let both =
        |cause: &str| words.result_sentence(&result_of(&[Seat::FIRST, Seat::SECOND], cause, None), &name);
    assert_eq!(one("points", Some(4)), "Ben (Orange) won by 4 fish, 52 to 48.");
    let scores = [13, 14].map(|tiles| Score { points: 50, tiles: Some(tiles) }).to_vec();
    let tiles = GameResult { scores: Some(scores), ..result_of(&[Seat::SECOND], "tiles", None) };
    let tiles = words.result_sentence(&tiles, &name);
    assert_eq!(tiles, "Ben (Orange) won with more tiles, 14 to 13: both have 50 fish.");
    assert_eq!(one("no-moves", None), "Ben (Orange) won: Ada (Blue) has no moves left.");
    assert_eq!(one("no-moves", Some(0)), "Ben (Orange) won by the last move: Ada (Blue) has no moves left.");
    assert_eq!(one("resigned", None), "Ben (Orange) won: Ada (Blue) resigned.");
    assert_eq!(one("on-time", None), "Ben (Orange) won on time against Ada (Blue).");
    assert_eq!(one("proven", Some(3)), "Ben (Orange) won by 3 fish after an exact count.");
    assert_eq!(one("imported", None), "Ben (Orange) won. Imported game.");
    assert_eq!(both("agreed"), "Ada (Blue) and Ben (Orange) agreed to a draw.");
    let aborted = words.result_sentence(&result_of(&[], "aborted", None), &name);
    assert_eq!(aborted, "Game cancelled; it doesn't count.");
}

#[test]
fn results_have_two_lines_on_a_picture() {
    let words = Localizer::english();
    let name = |seat: Seat| ["Blue", "Orange"][seat.index()].to_owned();
    let lines =
        |winners: &[Seat], cause: &str, margin| words.result_lines(&result_of(winners, cause, margin), &name);
    assert_eq!(lines(&[Seat::FIRST], "resigned", None), ["Blue won", "Orange resigned"]);
    assert_eq!(lines(&[Seat::FIRST], "points", Some(4)), ["Blue won by 4 fish", "Nobody can move"]);
    let both = [Seat::FIRST, Seat::SECOND];
    assert_eq!(lines(&both, "agreed", None), ["Blue and Orange drew", "Draw agreed"]);
    assert_eq!(lines(&[], "aborted", None), ["No result", "Game cancelled; it doesn't count"]);
    assert_eq!(lines(&[Seat::FIRST], "no-such", None), ["Blue won", ""]);
}

/// Every cause of an ending has its sentence and its line, so that no result shows a key.
#[test]
fn results_have_a_sentence_for_every_cause() {
    let words = Localizer::english();
    let causes = [
        "no-moves",
        "points",
        "tiles",
        "goal",
        "kernel",
        "repetition",
        "stuck",
        "resigned",
        "on-time",
        "abandoned",
        "counted",
        "proven",
        "agreed",
        "aborted",
        "closed",
        "refused",
        "expired",
        "imported",
    ];
    for cause in causes {
        assert!(words.has(&format!("result-{cause}")) && words.has(&format!("why-{cause}")), "{cause}");
    }
}

/// Three players of Penguins on the same journal: all named, in order of rank, with their scores.
#[test]
fn results_of_three_rank_everybody_with_colour_and_score() {
    use rookery_table::{Actor, Occupant, Order, Table, Terms, UserId, decide, ports::Entry};
    let terms = Terms { game: "penguins".into(), seed: 1, ..Terms::default() };
    let id = "K7Q2".parse().unwrap();
    let chairs = [1, 2, 3].map(|n| Occupant::Human { person: UserId(n) }).to_vec();
    let mut events = decide::open(id, terms, UserId(1), chairs).unwrap();
    let table = |events: &[rookery_table::Event]| {
        let entry = |(sequence, event): (u64, &rookery_table::Event)| Entry {
            sequence,
            at: millis::timestamp(0),
            source: None,
            event: event.clone(),
        };
        let entries: Vec<_> = (1..).zip(events).map(entry).collect();
        Table::replay(id, &entries).unwrap().unwrap()
    };
    while table(&events).to_move().is_some() {
        let now = table(&events);
        let text = now.play().unwrap().moves().remove(0);
        let mover = now.occupant(now.to_move().unwrap()).unwrap().person().unwrap();
        let order = Order::Move { text, ply: None };
        events.extend(decide::decide(&now, Actor::Person(mover), &order, None, now.at()).unwrap().events);
    }
    let over = table(&events);
    let said = Localizer::english().result(&over, Naming::People);
    let scores = over.scores().unwrap();
    let mut ranked: Vec<_> = Seat::all(3).collect();
    ranked.sort_by_key(|seat| std::cmp::Reverse(scores[seat.index()].points));
    let sides = ["Orange", "Blue", "Yellow"];
    let places: Vec<_> = (1..)
        .zip(&ranked)
        .map(|(place, seat)| {
            let (n, points) = (seat.index(), scores[seat.index()].points);
            format!("{place}. <@{}> ({}) {points}", n + 1, sides[n])
        })
        .collect();
    let two_lines = format!("{} · {}\n{}", places[0], places[1], places[2]);
    assert!(said.ends_with(&two_lines), "{said}");
    let [first, second] = [0, 1].map(|place| scores[ranked[place].index()].points);
    assert!(said.contains(&format!("won by {} fish", first - second)), "{said}");
}

#[test]
fn a_description_tells_who_gave_up() {
    let mut play = rookery_games::named("penguins").unwrap().start(&Setup::new(3).seeded(1)).unwrap();
    let told = |play: &dyn Play| {
        let table = "K7Q2".parse().unwrap();
        Localizer::english().alt(&BoardView { table, play, look: None, ending: None, scores: None })
    };
    assert!(!told(play.as_ref()).contains("Resigned"));
    play.retire(Seat::new(1).unwrap());
    let side = Localizer::english().side(play.as_ref(), Seat::new(1).unwrap());
    assert!(told(play.as_ref()).contains(&format!("Resigned: {side}.")), "{}", told(play.as_ref()));
}

#[test]
fn what_stands_beside_a_text_board_tells_turn_scores_and_signs() {
    let beside = text_after("amoeba", &["c1-c2"], |words, table, play| {
        words.text_board_legend(&words.board(table, play, None))
    });
    for part in ["Light to move.", "Score: Dark 10, Light 11.", "K and L are the Kernels"] {
        assert!(beside.contains(part), "{part} is not in {beside}");
    }
}

/// A printed position can be played on: the page says whose turn it is, and the fish that are off the board.
#[test]
fn page_to_print_tells_turn_and_points() {
    let notes = |game: &str, line: &str| {
        let play = rookery_games::named(game).unwrap().resume(line).unwrap();
        Localizer::english().page_words(play.as_ref()).notes
    };
    let line = "112232./..32..11/23.122./1111.113/213.212/1..211.3/332...1/1222.132 g4,a5,e6,e8|f1,h3,d7,c8 1 move \
                10,13:1 one:4";
    let told = notes("penguins", line);
    assert!(told.starts_with("Orange to move.\nScore: Orange 10 on "), "{told}");
    assert!(told.contains(", Blue 13 on 1 tile.\nSlide a penguin"), "{told}");
    let told = notes("amazons", "5Q/2q3/*5/6/3Q2/**4 b - - 0 7");
    assert!(told.starts_with("Black to move.\nMove an amazon"), "{told}");
}

#[test]
fn a_row_and_a_column_are_read_out() {
    let moves = ["d1-d7/g7"];
    let row = text_after("amazons", &moves, |words, table, play| words.row(table, play, "7"));
    let seven = "a7 Black's amazon; b7–c7 free; d7 White's amazon; e7–f7 free; g7 blocked; h7–i7 free; \
                 j7 Black's amazon";
    assert_eq!(row, format!("K7Q2 · 7: {seven}."));
    let column = text_after("amazons", &moves, |words, table, play| words.row(table, play, "k"));
    assert!(column.contains("no row or column `k`"), "{column}");
}

#[test]
fn a_home_is_named_with_and_without_a_penguin_on_it() {
    let row = |moves: &[&str]| {
        text_after("penguin_soccer", moves, |words, table, play| words.row(table, play, "1"))
    };
    assert_eq!(row(&[]), "K7Q2 · 1: a1 free, Orange's Home; b1–h1 free.");
    let entered = row(&["3NE."]);
    assert!(entered.contains("a1 Orange's Mama, lying, facing north-east, Orange's Home; b1"), "{entered}");
}

#[test]
fn lines_from_a_cell_are_described_one_by_one() {
    let sight =
        text_after("amazons", &["d1-d7/g7"], |words, table, play| words.lines_from_cell(table, play, "d7"));
    for line in ["e7 f7, then blocked on g7", "d8 d9, then Black's amazon on d10", "d6–d1, up to the edge"]
    {
        assert!(sight.contains(line), "{line} is not in {sight}");
    }
    let kick = text_after("amoeba", &[], |words, table, play| words.lines_from_cell(table, play, "c1"));
    assert!(kick.contains("c1-c2") && kick.contains("'s piece"), "{kick}");
}

#[test]
fn the_last_move_is_told_in_words() {
    let last = text_after("amazons", &["d1-d7/g7"], |words, table, play| words.last(table, play));
    assert_eq!(last, "K7Q2 · Last move: White `d1-d7/g7` (move 1). Black to move.");
}

/// On hexagons there are six directions and no diagonals, and the names are on the tiles.
#[test]
fn boards_of_hexagons_have_words_of_their_own() {
    let words = Localizer::english();
    let away = IllegalMove::NotALine { leg: MovePart::Move, from: "e4".into(), to: "e6".into() };
    let nowhere = IllegalMove::NoSuchCell { cell: "z9".into() };
    for (game, line, edges) in [
        ("penguins", "six directions", "Each tile has its name on it."),
        ("amoeba", "six directions", "at its edges"),
        ("amazons", "straight or diagonal line", "at its edges"),
    ] {
        let play = rookery_games::named(game).unwrap().start(&Setup::new(2)).unwrap();
        let told = words.illegal_move(&away, Some(play.as_ref()));
        assert!(told.contains(line), "{game}: {told}");
        let told = words.illegal_move(&nowhere, Some(play.as_ref()));
        assert!(told.contains(edges), "{game}: {told}");
    }
}

#[test]
fn counts_use_singular_and_skip_zero() {
    let words = Localizer::english();
    let score = |tiles: u32| {
        words.say("score-tiles", &[("side", "Blue".into()), ("points", 1.into()), ("tiles", tiles.into())])
    };
    assert_eq!([score(1), score(2)], ["Blue 1 on 1 tile", "Blue 1 on 2 tiles"]);
    let start = words.say("viewer-start", &[("table", "K7Q2".into()), ("of", 0.into())]);
    assert_eq!(start, "K7Q2 · Start · no moves yet");
    let rule = words.rule("amoeba-too-few-points", &["a1", "e", "1"].map(str::to_owned), None);
    assert!(rule.contains("moves 1 point,"), "{rule}");
}

#[test]
fn half_units_are_written_as_people_do() {
    let words = Localizer::english();
    assert_eq!([1, 2, 5].map(|halves| words.halves(halves)), ["½", "1", "2½"]);
}

/// Returns the code spans of a page: moves and squares as they are typed.
fn typed(page: &str) -> Vec<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_language_explains_every_game_with_the_same_moves() {
    let keys: BTreeSet<_> = rookery_games::all().iter().map(|game| game.info().key).collect();
    for folder in LANGUAGE_FILES {
        let pages: BTreeSet<_> = folder.pages.iter().map(|(game, _)| *game).collect();
        assert_eq!(pages, keys, "{}", folder.tag);
        for ((game, own), (_, english)) in folder.pages.iter().zip(LANGUAGE_FILES[0].pages) {
            assert_eq!(typed(own), typed(english), "{} {game}", folder.tag);
        }
    }
    for game in rookery_games::all() {
        let about = game.info();
        assert_eq!(Localizer::english().rules_page(about.key), about.help);
        let marked = super::testing::pseudo_language("fi").rules_page(about.key);
        assert_eq!(typed(&marked), typed(about.help), "{}", about.key);
        let prose: String = marked.split('`').step_by(2).collect();
        assert!(!prose.contains(|c: char| c.is_ascii_alphabetic()), "{prose}");
    }
}
