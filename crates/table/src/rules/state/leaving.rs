//! The beginning of a game, and who has given it up: before it began here, as its first position says, or since.
use rookery_core::{Play, Seat};

use super::Table;
use super::moves::own_copy;
use crate::model::{Status, Terms};

impl Table {
    /// Who has given up, in the order of giving up.
    pub fn resigned(&self) -> &[Seat] {
        &self.resigned
    }

    /// Those who did so before the game began here: nobody plays their seats.
    pub fn gone(&self) -> &[Seat] {
        &self.gone
    }

    pub(super) fn begin(&mut self, line: &str) -> Result<(), String> {
        let game = self.game().ok_or_else(|| format!("no game called {}", self.terms.game))?;
        let play = game.resume(line).map_err(|e| e.to_string())?;
        // A game that is only looked at names its first position nowhere else.
        self.gone = retired(play.as_ref());
        self.resigned.clone_from(&self.gone);
        self.play = Some(play.into());
        self.status = Status::Running;
        Ok(())
    }

    pub(super) fn retire(&mut self, seat: Seat) -> Result<(), String> {
        let seat = self.seat(seat)?;
        if !self.resigned.contains(&seat) {
            self.resigned.push(seat);
        }
        self.offer = None;
        // Plans suppose moves of a seat that moves no more: the rest of them would be played in its place.
        self.plans.clear();
        if let Some(play) = self.play.as_mut().filter(|play| play.seats() > 2) {
            own_copy(play).retire(seat);
        }
        Ok(())
    }
}

/// The seats that have given up in the position from which a game is to go on.
pub(super) fn gone_before(terms: &Terms) -> Vec<Seat> {
    let from = terms.from.as_deref().zip(rookery_games::named(&terms.game));
    let play = from.and_then(|(line, game)| game.resume(line).ok());
    play.map_or_else(Vec::new, |play| retired(play.as_ref()))
}

fn retired(play: &dyn Play) -> Vec<Seat> {
    Seat::all(play.seats()).filter(|seat| play.is_retired(*seat)).collect()
}
