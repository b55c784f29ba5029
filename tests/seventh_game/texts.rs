//! Every sentence that the program makes from the game's data is in the game's sentence file.

use rookery_core::rules::Setup;
use rookery_core::{Play, Seat};
use rookery_i18n::{Languages, Localizer};

use crate::fox_and_hounds::{INFO, TEXTS};
use crate::game;

fn words() -> &'static Localizer {
    Languages::built_in().with_game(&TEXTS).default_language()
}

#[test]
fn texts_have_every_key_of_the_game() {
    let mut keys: Vec<String> =
        ["game-KEY", "game-KEY-short", "goal-KEY", "legend-KEY", "lead-KEY", "blocker-KEY"]
            .map(|key| key.replace("KEY", INFO.key))
            .into();
    keys.extend(INFO.sides.iter().map(|side| format!("side-{side}")));
    keys.extend(INFO.rules.iter().map(|rule| format!("rule-{rule}")));
    let tasks = game().lesson().iter().map(|task| format!("lesson-{}-{}", INFO.key, task.key));
    keys.extend(tasks.flat_map(|key| [format!("{key}-done"), key]));
    let missing: Vec<_> = keys.iter().filter(|key| !words().has(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn texts_name_what_a_wrong_position_lacks() {
    for line in ["", "e2 b8,d8,f8,h8 fox", "e1 b8,d8,f8 fox", "e1 b8,d8,f8,h8 cat", "e1 b8,d8,f8,h8 fox 1"] {
        let bad = game().resume(line).err().unwrap();
        let key = format!("need-{}", bad.wanted.key());
        assert!(words().has(&key), "{line}: {key}");
    }
}

#[test]
fn texts_name_sides_and_refusals() {
    let play: Box<dyn Play> = game().start(&Setup::new(2)).unwrap();
    assert_eq!(words().side(play.as_ref(), Seat::FIRST), "Fox");
    let Err(rookery_core::MoveError::Illegal(refusal)) = play.read("e1-e2") else { panic!("it is illegal") };
    let told = words().illegal_move(&refusal, Some(play.as_ref()));
    assert!(told.contains("one square diagonally") && told.contains("e2"), "{told}");
}

#[test]
fn lesson_tasks_can_be_answered() {
    for task in game().lesson() {
        let play = game().resume(task.line).unwrap();
        assert!(task.answer(play.as_ref()).is_some(), "{}", task.key);
    }
}
