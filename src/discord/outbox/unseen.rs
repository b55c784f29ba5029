//! What does not come through. While something waits to be said its table's clock stands: the board is said in
//! its turn, and whoever is to move has not seen it. A board that the server's own rules block is told of elsewhere.

use rookery_core::Seat;
use rookery_table::ports::Due;
use rookery_table::preferences::Pings;
use rookery_table::{Cause, Occupant, Part, Person, Say, Status, Table};

use super::super::fault::Fault;
use super::super::layout::Layout;
use super::Outbox;

impl Outbox {
    /// A row cannot be said for the moment, nor those behind it.
    pub(super) fn note_waiting(&self, row: &Due) {
        self.desk.hall.lose(Part::Table(row.table), self.desk.hall.now_ms());
    }

    /// A row was said, or given up for this.
    pub(super) async fn note_settled(&self, row: &Due, given_up: Option<&Fault>) {
        self.desk.hall.regain(Part::Table(row.table)).await;
        match row.say {
            Say::Board { ply } => {
                self.tell_of_missing_board(row, ply, given_up.is_some_and(Fault::is_blocked)).await;
            }
            Say::Result => self.tell_of_missing_result(row).await,
            _ => {}
        }
    }

    /// Sends the result with the last board to the players, but not to the one who ended the game, if the table has
    /// no place any more.
    async fn tell_of_missing_result(&self, row: &Due) {
        let Ok(table) = self.desk.hall.see(row.table).await else { return };
        let over = matches!(table.status(), Status::Over(_)) && table.frozen_ms().is_none();
        if table.has_place() || !over {
            return;
        }
        for who in told_of_result(&table) {
            let personal = self.desk.hall.drawer().person(who).await;
            if personal.pings == Pings::Off {
                continue;
            }
            let is_quiet = personal.is_quiet_at(self.desk.hall.now_ms());
            let post = |layout: Layout<'_>| {
                let post = layout.result_without_place(&table, who);
                Some(if is_quiet { post.silent() } else { post })
            };
            if let Err(fault) = self.desk.direct(who, &format!("e{}", row.table), post).await {
                tracing::info!(table = %row.table, %fault, "a player cannot be told how the game ended");
            }
        }
    }

    /// Tells those who are to move if no board comes, and why: the server's rules block it, or the table has no place
    /// any more. At the table itself nothing can be said.
    async fn tell_of_missing_board(&self, row: &Due, ply: usize, blocked: bool) {
        let Ok(table) = self.desk.hall.see(row.table).await else { return };
        let no_place = !table.has_place() && *table.status() == Status::Running && !table.stands_still();
        if table.ply() != ply || !(blocked || no_place) {
            return;
        }
        let card = table.card();
        for who in card.waited_for() {
            if self.desk.hall.drawer().person(who).await.pings == Pings::Off {
                continue;
            }
            let nonce = format!("x{}{ply}", row.table);
            let post = |layout: Layout<'_>| {
                Some(match no_place {
                    true => layout.turn_without_place(&table, who),
                    false => layout.board_blocked(&card),
                })
            };
            if let Err(fault) = self.desk.direct(who, &nonce, post).await {
                tracing::info!(table = %row.table, %fault, "nobody can be told that no board comes");
            }
        }
    }
}

/// The players of a game that is over, but for the one who ended it.
fn told_of_result(table: &Table) -> Vec<Person> {
    let Status::Over(ending) = table.status() else { return Vec::new() };
    let resigned = table.resigned().last().filter(|_| ending.cause == Cause::Resigned);
    let ended_it = |who: Person| match resigned {
        Some(seat) => table.occupant(*seat).and_then(Occupant::person) == Some(who),
        None => matches!(ending.cause, Cause::Rules { .. }) && table.acted_last(who),
    };
    let mut people: Vec<Person> = Vec::new();
    for who in Seat::all(table.chairs().len()).flat_map(|seat| table.players_of(seat)) {
        if !ended_it(who) && !people.contains(&who) {
            people.push(who);
        }
    }
    people
}
