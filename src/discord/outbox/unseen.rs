//! What does not come through. While something waits to be said its table's clock stands: the board is said in
//! its turn, and whoever is to move has not seen it. A board that the server's own rules block is told of elsewhere.

use rookery_table::ports::Due;
use rookery_table::preferences::Pings;
use rookery_table::{Part, Say, Status};

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
        if let Say::Board { ply } = row.say {
            self.tell_of_missing_board(row, ply, given_up.is_some_and(Fault::is_blocked)).await;
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
