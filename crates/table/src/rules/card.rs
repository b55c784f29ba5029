//! The card of a table: what lists show, and what searches use.

use rookery_core::{Play, Seat};

use crate::clock::Clock;
use crate::model::records::{Card, CardResult, Program, Stage};
use crate::model::{Occupant, Status, UserId};
use crate::offers;
use crate::state::Table;

impl Table {
    /// Returns the card of the table as it is now.
    pub fn card(&self) -> Card {
        let invited = |chair: &Occupant| invited(*chair);
        Card {
            id: self.id(),
            game: self.terms().game.clone(),
            stage: self.stage(),
            ply: self.ply(),
            guild: self.terms().guild,
            board_channel: self.board_channel(),
            opened_in: Some(self.terms().channel),
            host: Some(self.host()),
            waits_for: self.alone_to_move().or_else(|| self.chairs().iter().find_map(invited)),
            to_move: self.own_mover(),
            asked: self.asked(),
            people: self.people(),
            programs: self.programs(),
            gone: self.resigned_before_start().to_vec(),
            teams: self.sides().to_vec(),
            members: self.members(),
            winners: self.winners(),
            result: self.card_result(),
            at: self.at(),
            frozen_since: self.frozen_since(),
            paused: self.is_paused(),
            set: self.terms().set,
            imported: self.is_imported(),
            rests: self.clock().is_some_and(Clock::has_time_off),
            proof_owed: self.owes_proof(),
            rated: Some(self.is_rated()),
            next_due: self.next_due(),
            timed: self.runs(),
        }
    }

    /// Returns the seat to move, unless the bot substitutes for its player: lists name that player.
    fn own_mover(&self) -> Option<Seat> {
        let own = |seat: &Seat| self.substitutions().iter().all(|(from, _)| from != seat);
        self.to_move().filter(own)
    }

    fn stage(&self) -> Stage {
        match self.status() {
            Status::Waiting => Stage::Waiting,
            Status::Running => Stage::Running,
            Status::Over(_) => Stage::Over,
        }
    }

    fn winners(&self) -> Vec<Seat> {
        match &self.status() {
            Status::Over(ending) => ending.winners.clone(),
            _ => Vec::new(),
        }
    }

    fn card_result(&self) -> Option<CardResult> {
        let Status::Over(ending) = self.status() else { return None };
        let side = |play: &dyn Play| Seat::all(play.seats()).map(|seat| play.side(seat)).collect();
        let sides = self.play().map(side).unwrap_or_default();
        Some(CardResult { cause: ending.cause, margin: self.margin(), sides })
    }

    /// Returns everybody seated, invited or substituted, in turn order.
    fn people(&self) -> Vec<Option<UserId>> {
        let left =
            |seat| self.substitutions().iter().find(|(from, _)| *from == seat).map(|(_, person)| *person);
        let seats = Seat::all(self.chairs().len()).zip(self.chairs());
        seats.map(|(seat, chair)| chair.person().or(invited(*chair)).or(left(seat))).collect()
    }

    /// Returns the bot's own seats, without those where it substitutes.
    fn programs(&self) -> Vec<Program> {
        let lent = |seat| self.substitutions().iter().any(|(from, _)| *from == seat);
        let program = |(seat, chair): (Seat, &Occupant)| match chair {
            Occupant::Ai { level } if !lent(seat) => Some(Program { seat, level: *level }),
            _ => None,
        };
        Seat::all(self.chairs().len()).zip(self.chairs()).filter_map(program).collect()
    }

    /// Returns the people whose answer to a challenge or an offer is awaited.
    fn asked(&self) -> Vec<UserId> {
        match (&self.status(), &self.offer()) {
            (Status::Waiting, _) => self.chairs().iter().filter_map(|chair| invited(*chair)).collect(),
            (Status::Running, Some(standing)) => offers::awaited_people(self, standing),
            _ => Vec::new(),
        }
    }
}

fn invited(chair: Occupant) -> Option<UserId> {
    match chair {
        Occupant::Invited { person } => Some(person),
        _ => None,
    }
}
