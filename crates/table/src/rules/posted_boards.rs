//! Which boards are posted. Consecutive moves of the bot share one board that lists them all; so do the moves that a
//! table plays by itself.

use rookery_core::Seat;

use crate::Table;
use crate::model::AutoMoveReason;

/// Whether the board after `ply` turns is posted.
pub fn is_posted(table: &Table, ply: usize) -> bool {
    let movers = table.play().map(|play| play.movers()).unwrap_or_default();
    let is_program = |seat: &Seat| table.is_program(*seat);
    // The next turn followed in the same batch.
    if table.auto_move_reason(ply + 1).is_some() {
        return false;
    }
    let next = movers.get(ply).copied().or_else(|| table.to_move());
    if !next.is_some_and(|seat| is_program(&seat)) {
        return true;
    }
    let run = movers.iter().take(ply).rev().take_while(|seat| is_program(seat)).count();
    let programs = table.playing_seats().filter(is_program).count();
    // If the bot plays alone, one board per round is posted.
    run.is_multiple_of(programs.max(1))
}

/// Returns the ply of the latest posted board before this one.
pub fn posted_before(table: &Table, ply: usize) -> Option<usize> {
    (0..ply).rev().find(|earlier| is_posted(table, *earlier))
}

/// Returns the turns that a board reports: number, move, and why the table played it by itself, if it did.
pub fn turns_on_board(table: &Table, ply: usize) -> Vec<(usize, String, Option<AutoMoveReason>)> {
    let record = table.play().map(|play| play.record()).unwrap_or_default();
    let first = posted_before(table, ply).unwrap_or(0);
    let turns = record.into_iter().enumerate().take(ply).skip(first);
    turns.map(|(before, text)| (before + 1, text, table.auto_move_reason(before + 1))).collect()
}
