//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "place",
        line: "1112/1321/1231/2111 -|- 1 place 0,0 any:2",
        offered: &[],
        wanted: TaskGoal::Gains(3),
        wrong: &[],
    },
    Task {
        key: "move",
        line: "11.2/1321/1231/2111 a1,d2|a4,d4 1 move 3,4 any:2",
        offered: &["d2-d4", "a1-c3", "a1-b3", "d2-a2"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "score",
        line: "11.2/1321/1231/2111 a1,d2|a4,d4 1 move 3,4 any:2",
        offered: &[],
        wanted: TaskGoal::Gains(3),
        wrong: &[],
    },
    Task {
        key: "shut",
        line: "1.../.11./1131/1212 d1|a4 1 move 9,9 any:1",
        offered: &[],
        wanted: TaskGoal::BlocksOthers,
        wrong: &[],
    },
    Task {
        key: "win",
        line: "1.../..../..../123. b1|a4 1 move 7,9 any:1",
        offered: &[],
        wanted: TaskGoal::Wins,
        wrong: &[],
    },
    Task {
        key: "write",
        line: "11.2/1321/1231/2111 a1,d2|a4,d4 1 move 3,4 any:2",
        offered: &["A1 C3", "c3-a1", "a1-b3", "d2"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];
