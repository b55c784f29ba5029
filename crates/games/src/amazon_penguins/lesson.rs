//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal, WrongClass};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "move",
        line: "1111/1231/1321/11.1 a1,d1|a4,d4 1 move 0,0 any:2",
        offered: &["a1-c3", "a1-b3", "a1-c1", "a1-d4"],
        wanted: TaskGoal::AnyAcceptedText,
        wrong: &[],
    },
    Task {
        key: "spear",
        line: "1111/1231/1321/1111 a1,d1|a4,d4 1 move 0,0 any:2",
        offered: &[],
        wanted: TaskGoal::Gains(3),
        wrong: &[],
    },
    Task {
        key: "back",
        line: "1111/1121/1211/1113 a1,d1|a4,d4 1 move 0,0 any:2",
        offered: &[],
        wanted: TaskGoal::Gains(3),
        wrong: &[],
    },
    Task {
        key: "shut",
        line: "1121/..11/1211/1311 d2|a4 1 move 5:3,6:4 any:1",
        offered: &[],
        wanted: TaskGoal::BlocksOthers,
        wrong: &[],
    },
    Task {
        key: "room",
        line: "1.../..../..../123. b1|a4 1 move 9:4,10:6 any:1",
        offered: &[],
        wanted: TaskGoal::OneOf(&["b1-a1/c1", "b1-c1/a1"]),
        wrong: &[WrongClass { key: "cut", includes: |_| true }],
    },
    Task {
        key: "write",
        line: "1111/1231/1321/1111 a1,d1|a4,d4 1 move 0,0 any:2",
        offered: &["A1 C3 C4", "a1-c3", "c3-a1/c4", "a1-c3/b1"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];
