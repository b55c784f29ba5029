//! Territory in words: how many free squares each side alone can reach, and how many several can.

use rookery_core::{Play, Reach, Seat};

use super::Localizer;

impl Localizer {
    /// Describes who reaches how many free squares: the legend under a tinted board.
    pub fn territory(&self, play: &dyn Play, reach: &Reach) -> String {
        let side = |seat: Seat| self.side(play, seat);
        let count = |seat: Seat| reach.alone.get(seat.index()).map_or(0, |cells| cells.len());
        let shared = ("shared", reach.shared.len().into());
        if play.seats() == 2 {
            let args = [
                ("first", side(Seat::FIRST).into()),
                ("mine", count(Seat::FIRST).into()),
                ("second", side(Seat::SECOND).into()),
                ("theirs", count(Seat::SECOND).into()),
                shared,
            ];
            return self.say("territory-two", &args);
        }
        let alone =
            |seat| self.say("territory-alone", &[("side", side(seat).into()), ("count", count(seat).into())]);
        let alone: Vec<_> = Seat::all(play.seats()).map(alone).collect();
        self.say("territory-many", &[("alone", alone.join(", ").into()), shared])
    }
}
