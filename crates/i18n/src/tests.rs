//! No sentence is missing or unused, and the important ones have the expected text.

use rookery_core::rules::Setup;
use rookery_core::{Blocker, Board, Expected, IllegalMove, MoveParseError, MovePart, Play, Seat};
use std::collections::{BTreeMap, BTreeSet};

use super::boards::ranges;
use super::languages::{LANGUAGE_FILES, LanguageFiles};
use super::{BoardView, Languages, Localizer};
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
        "d7 cannot go to d2: a blocked square on d4 is in the way."
    );
    let queen = refused(blocked(Blocker::Piece(Seat::SECOND), "d2"));
    assert_eq!(queen, "d7 cannot go to d2: Black's piece is there.");
    let line = IllegalMove::NotALine { leg: MovePart::Shot, from: "d7".into(), to: "e9".into() };
    assert!(refused(line).contains("from d7 to e9"));
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
    assert!(end.contains("The game is over. White won: the opponent resigned."), "{end}");
    assert!(!end.contains("to move") && !end.contains("<@"), "{end}");
    let start = text_after_ending("amazons", &moves, ending(), |words, table, play| {
        words.alt(&words.board(table, play.at_ply(0).as_ref(), None))
    });
    assert!(start.contains("White to move."), "{start}");
}

/// The picture has two lines, and a sentence within a sentence has only one full stop.
#[test]
fn endings_are_told_in_a_line_and_in_two() {
    use rookery_table::{EndCause, Ending};
    let words = Localizer::english();
    let name = |seat: Seat| ["Blue", "Orange"][seat.index()].to_owned();
    let ending = |winners: &[Seat], cause| Ending { winners: winners.to_vec(), cause };
    let brought = ending(&[Seat::SECOND], EndCause::Imported);
    assert_eq!(words.ending_of(&brought, None, name), "Orange won. Imported game (view only).");
    let lines = |winners: &[Seat], cause| words.ending_lines(&ending(winners, cause), Seat::new(1), name);
    assert_eq!(lines(&[Seat::FIRST], EndCause::Resigned), ["Blue won", "Orange resigned"]);
    assert_eq!(
        lines(&[Seat::FIRST, Seat::SECOND], EndCause::Agreed),
        ["Draw between Blue and Orange", "By agreement"]
    );
    assert_eq!(lines(&[], EndCause::Aborted), ["No result", "Game cancelled; it doesn't count"]);
    assert_eq!(words.ending_by_key("on-time").as_deref(), Some("The opponent ran out of time"));
    assert_eq!(words.ending_by_key("points").as_deref(), Some("Nobody can move, so the score decides"));
    assert_eq!(words.ending_by_key("no-such"), None);
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
    for part in ["Light to move.", "Score: Dark 10, Light 11.", "K and L their Kernels"] {
        assert!(beside.contains(part), "{part} is not in {beside}");
    }
}

#[test]
fn a_row_and_a_column_are_read_out() {
    let moves = ["d1-d7/g7"];
    let row = text_after("amazons", &moves, |words, table, play| words.row(table, play, "7"));
    let seven = "a7 Black's piece; b7–c7 free; d7 White's piece; e7–f7 free; g7 blocked; h7–i7 free; \
                 j7 Black's piece";
    assert_eq!(row, format!("K7Q2 · 7: {seven}."));
    let column = text_after("amazons", &moves, |words, table, play| words.row(table, play, "k"));
    assert!(column.contains("no row or column `k`"), "{column}");
}

#[test]
fn lines_from_a_cell_are_described_one_by_one() {
    let sight =
        text_after("amazons", &["d1-d7/g7"], |words, table, play| words.lines_from_cell(table, play, "d7"));
    for line in ["e7 f7, then blocked on g7", "d8 d9, then Black's piece on d10", "d6–d1, up to the edge"] {
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

#[test]
fn counts_use_singular_and_skip_zero() {
    let words = Localizer::english();
    let score = |tiles: u32| {
        words.say("score-tiles", &[("side", "Blue".into()), ("points", 1.into()), ("tiles", tiles.into())])
    };
    assert_eq!([score(1), score(2)], ["Blue 1 on 1 tile", "Blue 1 on 2 tiles"]);
    let start = words.say("viewer-start", &[("table", "K7Q2".into()), ("of", 0.into())]);
    assert_eq!(start, "K7Q2 · Start · no moves yet");
    let rule = words.rule("amoeba-too-few-points", &["a1", "e", "1"].map(str::to_owned));
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
