//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal, WrongClass};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "move",
        line: "B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,1,AA,A,A/2,K,2/A,A,A,A 1",
        offered: &["c4-c6", "c4-c5", "c4-d4", "c4-e5"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "split",
        line: "B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,1,AA,A,A/2,K,2/A,A,A,A 1",
        offered: &[],
        wanted: TaskGoal::Gains(1),
        wrong: &[WrongClass { key: "whole", includes: |text| text.contains('-') }],
    },
    Task {
        key: "top",
        line: "3,L/5/6/7/BA,1,K,2,AB/5/B,2,A 1",
        offered: &["c6-c4", "c1-e2", "e1-d1", "a1-a2"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "win",
        line: "3,L/5/5,BA/7/3,K,2/5/B,2,A 1",
        offered: &[],
        wanted: TaskGoal::Wins,
        wrong: &[],
    },
    Task {
        key: "safe",
        line: "3,L/5/6/7/1,BB,1,K,2/5/B,2,A 1",
        offered: &[],
        wanted: TaskGoal::DoesNotLose,
        wrong: &[],
    },
    Task {
        key: "write",
        line: "B,B,B,B/2,L,2/B,B,B,B,B,B/7/A,A,1,AA,A,A/2,K,2/A,A,A,A 1",
        offered: &["C4 > E5", "c4 e5", "c4", "e5-c4"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];
