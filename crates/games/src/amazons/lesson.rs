//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal, WrongClass};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "move",
        line: "6/1p2q1/6/6/1Q1p2/6 w - - 0 1",
        offered: &["b2-b4", "b2-c4", "b2-e2", "b2-e5", "b2-a3"],
        wanted: TaskGoal::AnyAcceptedText,
        wrong: &[],
    },
    Task {
        key: "turn",
        line: "6/1p2q1/6/6/1Q1p2/6 w - - 0 1",
        offered: &[],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "door",
        line: "2p2/2p2/q1Q2/2p2/2p2 w - - 0 1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["c3-e1/c3", "c3-d2/c3", "c3-d3/c3", "c3-e3/c3", "c3-d4/c3", "c3-e5/c3"]),
        wrong: &[
            WrongClass { key: "left", includes: goes_left },
            WrongClass { key: "open", includes: |_| true },
        ],
    },
    Task { key: "win", line: "qp3/p3Q/5/5/5 w - - 0 1", offered: &[], wanted: TaskGoal::Wins, wrong: &[] },
    Task {
        key: "room",
        line: "q1pp/pppp/pppp/1Q1p w - - 0 1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["b1-a1/c1", "b1-c1/a1"]),
        wrong: &[WrongClass { key: "cut", includes: |_| true }],
    },
    Task {
        key: "write",
        line: "6/1p2q1/6/6/1Q1p2/6 w - - 0 1",
        offered: &["B2 B4 D4", "b4-b2/d4", "b2-b4", "b2-b4/c6"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];

/// Whether the amazon goes to the two columns of Black's side.
fn goes_left(text: &str) -> bool {
    text.split('-').nth(1).is_some_and(|goal| goal.starts_with(['a', 'b']))
}
