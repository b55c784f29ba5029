//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal, WrongClass};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "enter",
        line: "-,-,-|d6S,-,- - 1",
        offered: &["1NE.", "1SW.", "2N.", "3W."],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "slide",
        line: "c3U,-,-|f3W,-,- h4 1",
        offered: &["c3-c6", "c3-c4", "c3-f3", "c3-d5"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "spin",
        line: "c3U,-,-|f3W,-,- h4 1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["c3NR"]),
        wrong: &[
            WrongClass { key: "other", includes: |text| !text.starts_with("c3") },
            WrongClass { key: "astray", includes: |text| !goes_north(text) },
            WrongClass { key: "straight", includes: |text| text == "c3N." },
            WrongClass { key: "left", includes: |text| text.starts_with("c3NL") },
            WrongClass { key: "far", includes: |_| true },
        ],
    },
    Task {
        key: "lie",
        line: "c3NE,-,-|d6S,-,- h4 1",
        offered: &["c3N.", "c3U", "c3E."],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "pass",
        line: "c3U,e5U,-|-,d7S,- e5 1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["e5SW"]),
        wrong: &[
            WrongClass { key: "other", includes: |text| !text.starts_with("e5") },
            WrongClass { key: "astray", includes: |_| true },
        ],
    },
    Task {
        key: "tackle",
        line: "b5E,-,f5U|d5U,e5N,h1U d5 1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["b5E."]),
        wrong: &[
            WrongClass { key: "other", includes: |text| !text.starts_with("b5") },
            WrongClass { key: "stand", includes: |_| true },
        ],
    },
    Task {
        key: "goal",
        line: "-,f6U,-|d6S,-,- f6 1",
        offered: &[],
        wanted: TaskGoal::Wins,
        wrong: &[
            WrongClass { key: "other", includes: |text| !text.starts_with("f6") },
            WrongClass { key: "astray", includes: |_| true },
        ],
    },
    Task {
        key: "write",
        line: "c3U,-,-|d6S,-,- h4 1",
        offered: &["C3 NE", "c3", "c3NRRRR", "3SW"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];

/// Whether Baby slides north from c3, however it spins.
fn goes_north(text: &str) -> bool {
    text.strip_prefix("c3N").is_some_and(|rest| !rest.starts_with(['E', 'W']))
}
