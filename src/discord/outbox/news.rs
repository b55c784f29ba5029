//! News: what calls for somebody, who hears of it as they like, wherever the table is.

use rookery_core::Seat;
use rookery_table::ports::{Due, Posted};
use rookery_table::{Occupant, Say, Table};

use super::super::deferred_pings::Called;
use super::super::fault::Fault;
use super::super::in_place::written_ms;
use super::super::layout::Layout;
use super::super::pings::{Haste, Told};
use super::super::post::Post;
use super::Outbox;
use super::say::nonce;

impl Outbox {
    /// Posts news where the table's boards are.
    pub(super) async fn news(&self, row: &Due, table: &Table) -> Result<Option<Posted>, Fault> {
        let desk = self.desk.for_table(table).await;
        let post = news(desk.layout(), table, &row.say).filter(|_| table.home().is_some());
        let (Some(post), Some(home)) = (post, table.home()) else { return Ok(None) };
        let channel = home.channel;
        if let Some(message) = self.find_sent(row, channel, &post, "").await? {
            if is_result(&row.say) {
                let called = post.pings.into_iter().map(Called::Result);
                self.desk.defer_pings(table, called, written_ms(message));
            }
            return Ok(Some(Posted { table: table.id(), channel, message }));
        }
        let now_ms = self.desk.hall.now_ms();
        let (post, left_out) = self.pinging(row, table, post).await;
        let posted = self.post_home(row, table, Some(post)).await?;
        self.desk.defer_pings(table, left_out, now_ms);
        Ok(posted)
    }

    /// Posts the announcement or the challenge where the table was opened, who turns it down, and that it came to
    /// nothing: there is no board yet.
    pub(super) async fn announce(&self, row: &Due, table: &Table) -> Result<Option<Posted>, Fault> {
        let desk = self.desk.for_table(table).await;
        let Some(post) = news(desk.layout(), table, &row.say) else { return Ok(None) };
        let channel = table.terms().channel;
        if let Some(message) = self.find_sent(row, channel, &post, "").await? {
            return Ok(Some(Posted { table: table.id(), channel, message }));
        }
        let post = match row.say {
            Say::Announce => desk.with_page_link(table, post).await,
            _ => post,
        };
        let (post, _) = self.pinging(row, table, post).await;
        self.post(row, table, channel, Some(post)).await
    }

    /// Where nothing can be posted one message is brought up to date. It pings nobody by that: whoever likes
    /// direct messages gets theirs.
    pub(super) async fn bring(&self, row: &Due, table: &Table) -> Result<Option<Posted>, Fault> {
        let is_turn = matches!(row.say, Say::Board { ply } if ply == table.ply());
        let mover = table.to_move().and_then(|seat| table.occupant(seat)).and_then(Occupant::person);
        if is_turn && let Some(mover) = mover {
            drop(self.desk.with_ping(table, Post::default().ping([mover]), &self.told(row)).await);
        }
        if let Some(post) = news(self.desk.for_table(table).await.layout(), table, &row.say) {
            self.pinging(row, table, post).await;
        }
        self.desk.bring(table.id()).await.map(|()| None)
    }

    /// News with its pings as everybody likes them.
    async fn pinging(&self, row: &Due, table: &Table, post: Post) -> (Post, Vec<Called>) {
        // Whoever has just moved, offered or said no sees how it ended.
        let (post, left_out) = match is_result(&row.say) {
            true => self.desk.without_onlookers(table, post, Called::Result),
            false => (post, Vec::new()),
        };
        let elsewhere =
            |layout: Layout<'_>| news(layout, table, &row.say).map(|post| layout.told_elsewhere(post, table));
        let (nonce, told) = (nonce(row, "d"), self.told(row));
        (self.desk.with_pings(post, &nonce, haste(&row.say), &told, elsewhere).await, left_out)
    }

    /// Who was told of a row in earlier tries.
    pub(super) fn told(&self, row: &Due) -> Told {
        self.begun.of(row, |deeds| deeds.told.clone())
    }
}

/// Whether a row tells how something ended.
fn is_result(say: &Say) -> bool {
    matches!(say, Say::Result | Say::Lapsed)
}

/// Time that runs out does not wait until tomorrow.
fn haste(say: &Say) -> Haste {
    match say {
        Say::Warned { .. } | Say::TimeUp { .. } => Haste::Now,
        _ => Haste::Usual,
    }
}

/// What a row tells, if it calls for somebody other than by a board.
fn news(layout: Layout<'_>, table: &Table, say: &Say) -> Option<Post> {
    let seat = |seat: u8| Seat::new(seat.into());
    match say {
        Say::Announce => Some(layout.announcement(table)),
        Say::TurnedDown { person } => layout.turned_down(table, *person),
        Say::Offered { offer, seat: by, ply } => Some(layout.offered(table, *offer, seat(*by)?, *ply)),
        Say::Proven => layout.proven(table),
        Say::Warned { seat: mover, warning, ply } => {
            Some(layout.warned(table, seat(*mover)?, *warning, *ply))
        }
        Say::TimeUp { seat: mover, ply } => Some(layout.time_up(table, seat(*mover)?, *ply)),
        Say::TimeGiven { by, seat: to, more_ms } => {
            Some(layout.time_given(table, seat(*by)?, seat(*to)?, *more_ms))
        }
        Say::Result | Say::Lapsed => layout.result(table),
        _ => None,
    }
}
