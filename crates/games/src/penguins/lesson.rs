//! The lesson: positions with a task each that teach the game. The sentences are in `locales/`, under the keys of game
//! and task.

use rookery_core::lesson::{Task, TaskGoal};

/// The tasks in order.
pub(super) const TASKS: &[Task] = &[
    Task {
        key: "place",
        line: "2213211/11211113/3112312/11122212/3312121/11121311/1122323/11122232 e3|c8 1 place 0,0 one:4",
        offered: &["c8", "d8", "b7", "g1"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "slide",
        line: "......./......../......./......../.11211./.1312121/.121.31/.1211231 c2|f3 1 move 0,0 any:1",
        offered: &["c2-d4", "c2-e3", "c2-f2", "c2-b2"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
    Task {
        key: "fish",
        line: "......./......../......./......../.1121../..131.../.21111./.1221... d3,b1|e1,b4 1 move 0,0 any:2",
        offered: &[],
        wanted: TaskGoal::Gains(3),
        wrong: &[],
    },
    Task {
        key: "shut",
        line: "......./......../......./......../......./......../1111.../12312311 a1,b1|g1,h1 1 move 9:5,8:5 any:2",
        offered: &[],
        wanted: TaskGoal::BlocksOthers,
        wrong: &[],
    },
    Task {
        key: "win",
        line: "......./......../......./......../......./......../......./123....1 b1|h1 1 move 7:4,10:5 any:1",
        offered: &[],
        wanted: TaskGoal::Wins,
        wrong: &[],
    },
    Task {
        key: "write",
        line: "......./......../......./......../.11211./.1312121/.121.31/.1211231 c2|f3 1 move 0,0 any:1",
        offered: &["C2 D4", "d4-c2", "c2", "c2-z9"],
        wanted: TaskGoal::AnyMove,
        wrong: &[],
    },
];
