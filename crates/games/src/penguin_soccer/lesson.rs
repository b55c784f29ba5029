//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "enter",
        line: "-,-,-|d6S,-,- - 1",
        offered: &["1NE.", "1SW.", "2N.", "c3NE."],
        wanted: TaskGoal::AnyMove,
    },
    Task {
        key: "slide",
        line: "c3U,-,-|f3W,-,- h4 1",
        offered: &["c3-c6", "c3-c4", "c3-f3", "c3-d5"],
        wanted: TaskGoal::AnyMove,
    },
    Task { key: "spin", line: "c3U,-,-|f3W,-,- h4 1", offered: &[], wanted: TaskGoal::OneOf(&["c3NR"]) },
    Task {
        key: "lie",
        line: "c3NE,-,-|d6S,-,- h4 1",
        offered: &["c3N.", "c3U", "c3E."],
        wanted: TaskGoal::AnyMove,
    },
    Task { key: "pass", line: "c3U,e5U,-|-,d7S,- e5 1", offered: &[], wanted: TaskGoal::OneOf(&["e5SW"]) },
    Task {
        key: "tackle",
        line: "b5E,-,f5U|d5U,e5N,h1U d5 1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["b5E."]),
    },
    Task { key: "goal", line: "-,f6U,-|d6S,-,- f6 1", offered: &[], wanted: TaskGoal::Wins },
    Task {
        key: "write",
        line: "c3U,-,-|d6S,-,- h4 1",
        offered: &["C3 NE", "c3", "c3NRRRR", "3SW."],
        wanted: TaskGoal::AnyMove,
    },
];
