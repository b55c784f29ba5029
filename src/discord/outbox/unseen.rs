//! What does not come through. While something waits to be said its table's clock stands: the board is said in
//! its turn, and whoever is to move has not seen it. A board that the server's own rules block is told of elsewhere.

use crate::table::ports::Due;
use crate::table::preferences::Pings;
use crate::table::{Part, Say};

use super::super::fault::Fault;
use super::Outbox;

impl Outbox {
    /// A row cannot be said for the moment, nor those behind it.
    pub(super) fn note_waiting(&self, row: &Due) {
        self.desk.hall.lose(Part::Table(row.table), self.desk.hall.now_ms());
    }

    /// A row was said, or given up for this.
    pub(super) async fn note_settled(&self, row: &Due, given_up: Option<&Fault>) {
        self.desk.hall.regain(Part::Table(row.table)).await;
        if let Say::Board { ply } = row.say
            && given_up.is_some_and(Fault::is_blocked)
        {
            self.tell_of_blocked(row, ply).await;
        }
    }

    /// Tells those who are to move that no board comes, and why: at the table itself nothing can be said.
    async fn tell_of_blocked(&self, row: &Due, ply: usize) {
        let Ok(table) = self.desk.hall.see(row.table).await else { return };
        if table.ply() != ply {
            return;
        }
        let card = table.card();
        for who in card.waited_for() {
            if self.desk.hall.drawer().person(who).await.pings == Pings::Off {
                continue;
            }
            let nonce = format!("x{}{ply}", row.table);
            if let Err(fault) =
                self.desk.direct(who, &nonce, |layout| Some(layout.board_blocked(&card))).await
            {
                tracing::info!(table = %row.table, %fault, "nobody can be told that a board is blocked");
            }
        }
    }
}
