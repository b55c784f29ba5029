//! The lesson: positions, each with a task.

use rookery_core::lesson::{Task, TaskGoal};

pub(super) const TASKS: &[Task] = &[
    Task { key: "step", line: "e1 b8,d8,f8,h8 fox", offered: &[], wanted: TaskGoal::AnyMove, wrong: &[] },
    Task { key: "trap", line: "e1 d2,e3,b8,h8 hounds", offered: &[], wanted: TaskGoal::Wins, wrong: &[] },
    Task {
        key: "write",
        line: "e1 b8,d8,f8,h8 fox",
        offered: &["E1 D2", "e1-e2", "e1", "d2-e1"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];
