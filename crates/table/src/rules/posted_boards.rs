//! Which boards are posted. The program's moves that follow each other come as one board, which names
//! them all; so do the moves that a table plays by itself.

use rookery_core::Seat;

use crate::Table;
use crate::model::AutoMoveReason;

/// Whether the board after `ply` turns is posted.
pub fn is_posted(table: &Table, ply: usize) -> bool {
    let movers = table.play().map(|play| play.movers()).unwrap_or_default();
    let is_program = |seat: &Seat| table.is_program(*seat);
    // The next turn was taken in the same breath.
    if table.auto_move_reason(ply + 1).is_some() {
        return false;
    }
    let next = movers.get(ply).copied().or_else(|| table.to_move());
    if !next.is_some_and(|seat| is_program(&seat)) {
        return true;
    }
    let run = movers.iter().take(ply).rev().take_while(|seat| is_program(seat)).count();
    let programs = table.playing_seats().filter(is_program).count();
    // Where the program plays alone, a board a round.
    run.is_multiple_of(programs.max(1))
}

/// The latest board before this one that was posted.
pub fn posted_before(table: &Table, ply: usize) -> Option<usize> {
    (0..ply).rev().find(|earlier| is_posted(table, *earlier))
}

/// The turns that a board tells of: number, move, and why the table took it by itself, if it did.
pub fn turns_on_board(table: &Table, ply: usize) -> Vec<(usize, String, Option<AutoMoveReason>)> {
    let record = table.play().map(|play| play.record()).unwrap_or_default();
    let first = posted_before(table, ply).unwrap_or(0);
    let turns = record.into_iter().enumerate().take(ply).skip(first);
    turns.map(|(before, text)| (before + 1, text, table.auto_move_reason(before + 1))).collect()
}
