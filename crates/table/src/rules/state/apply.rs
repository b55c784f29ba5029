//! How each event changes a table.

use crate::model::account::can_count;
use crate::model::records::Entry;
use crate::model::{Event, Occupant, Status};

use super::*;

impl Table {
    /// Applies an entry.
    ///
    /// # Errors
    /// Why the entry cannot be applied: the journal is broken, and the table must not be used any more.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        self.apply_decided(entry, None)
    }

    /// Applies an entry; `played` is the position after its move, if deciding has played it.
    pub(crate) fn apply_decided(
        &mut self,
        entry: &Entry,
        played: Option<Box<dyn Play>>,
    ) -> Result<(), String> {
        if entry.sequence != self.sequence + 1 {
            return Err(format!("follows entry {}", self.sequence));
        }
        if let Some(clock) = &mut self.clock {
            clock.run_until(entry);
        }
        match &entry.event {
            Event::Opened { .. } => return Err("the table is open already".into()),
            Event::BoardChannelSet { board_channel } => self.board_channel = Some(*board_channel),
            Event::BoardChannelCleared => self.board_channel = None,
            Event::Frozen => self.frozen_since = Some(entry.at),
            Event::Thawed => self.frozen_since = None,
            Event::Seated { seat, occupant } => self.take_seat(*seat, *occupant)?,
            Event::Rematched { table } => self.rematch = Some(*table),
            Event::Vacated { seat } => self.vacate_seat(*seat)?,
            Event::Started { line } => self.begin(line)?,
            Event::Moved { text, why, .. } => self.advance(text, *why, played)?,
            Event::Planned { seat, branches } => self.plans.set(self.seat(*seat)?, branches.clone()),
            Event::Hinted { .. } => self.hinted = Some(self.ply()),
            Event::Resigned { seat } | Event::TimedOut { seat } => self.retire(*seat)?,
            Event::Offered { seat, offer } => {
                let (by, number) = (self.seat(*seat)?, entry.sequence);
                self.offer = Some(PendingOffer { by, offer: *offer, number, agreed: Vec::new() });
            }
            Event::Agreed { seat } => {
                let seat = self.seat(*seat)?;
                self.offer.as_mut().ok_or("no offer stands")?.agreed.push(seat);
            }
            Event::Declined { .. } => self.declined.extend(self.offer.take().map(|it| (it.by, it.offer))),
            Event::Undone { ply, casual, .. } => {
                self.take_back(*ply)?;
                self.last_undo = undo_id(entry).map(|undo| (undo, *ply));
                self.casual |= casual;
            }
            Event::Proven { proof } => {
                (self.proof, self.plays_on) = (Some(proof.clone()), false);
                self.accepted.clear();
            }
            Event::Accepted { seat } => {
                let seat = self.seat(*seat)?;
                self.accepted.push(seat);
            }
            Event::PlayedOn { .. } => self.plays_on = true,
            Event::Paused { .. } => self.set_paused(true),
            Event::Resumed { .. } | Event::PauseOver => self.set_paused(false),
            Event::Ended { ending } => {
                self.offer = None;
                self.status = Status::Over(ending.clone());
            }
            Event::Rated { changes, .. } => self.changes = Some(changes.clone()),
            Event::Enlisted { .. }
            | Event::Departed { .. }
            | Event::Proposed { .. }
            | Event::Voted { .. }
            | Event::Elected { .. } => self.teams.apply(&entry.event, entry.at)?,
            Event::Forgotten { .. }
            | Event::Lost { .. }
            | Event::Rested { .. }
            | Event::Warned { .. }
            | Event::TimeUp { .. }
            | Event::TimeGiven { .. } => {}
        }
        self.shown |= self.play.is_some() && self.has_place();
        self.update_clock(entry);
        let votes = self.team_to_move().is_some_and(Team::votes).then(|| self.ply());
        self.teams.hold(entry, votes, self.is_suspended());
        self.note(entry);
        Ok(())
    }

    /// Updates the clock after an entry, once the rest is updated.
    fn update_clock(&mut self, entry: &Entry) {
        if matches!(entry.event, Event::Started { .. }) {
            self.clock = self.terms.clock.map(|terms| Clock::new(terms, self.chairs.len(), entry.at));
        }
        let is_person = |seat: &Seat| self.occupant(*seat).and_then(Occupant::person).is_some();
        let mover = self.to_move().filter(is_person);
        if let Some(clock) = &mut self.clock {
            clock.apply(&self.chairs, &entry.event);
            clock.set_mover(mover);
        }
    }

    pub(super) fn note(&mut self, entry: &Entry) {
        self.note_turn(entry);
        self.sequence = entry.sequence;
        self.at = entry.at;
        if let Some(seat) = acting(&entry.event) {
            self.acted.retain(|(other, _)| *other != seat);
            self.acted.push((seat, entry.at));
        }
        self.sources.extend(entry.source);
        while self.sources.len() > SOURCES_KEPT {
            self.sources.pop_front();
        }
    }

    fn chair(&mut self, seat: Seat) -> Result<&mut Occupant, String> {
        self.chairs.get_mut(seat.index()).ok_or_else(|| no_seat(seat))
    }

    pub(super) fn seat(&self, seat: Seat) -> Result<Seat, String> {
        if seat.index() < self.chairs.len() { Ok(seat) } else { Err(no_seat(seat)) }
    }

    fn take_seat(&mut self, seat: Seat, occupant: Occupant) -> Result<(), String> {
        let (at, before) = (self.seat(seat)?, *self.chair(seat)?);
        self.away.retain(|(seat, _)| *seat != at);
        if let (Occupant::Human { person }, Occupant::Ai { .. }) = (before, occupant) {
            self.away.push((at, person));
            // Moves of the bot change nobody's rating.
            self.casual = true;
        }
        *self.chair(seat)? = occupant;
        // A game that the bot makes casual is not announced as rated.
        self.casual |= self.is_program(at) && !can_count(&self.chairs);
        if let Occupant::Human { person } = occupant {
            self.teams.take_seat(&self.terms, seat, person);
        }
        Ok(())
    }

    fn vacate_seat(&mut self, seat: Seat) -> Result<(), String> {
        let before = std::mem::replace(self.chair(seat)?, Occupant::Open);
        self.teams.vacate_seat(&self.terms, seat, before.person());
        Ok(())
    }

    fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.offer = None;
    }

    /// Restores the game after `ply` turns, without players who have resigned since.
    fn take_back(&mut self, ply: usize) -> Result<(), String> {
        let now = self.play.as_ref().filter(|now| ply < now.ply());
        let mut earlier = now.ok_or("there are no such turns to take back")?.at_ply(ply);
        if earlier.seats() > 2 {
            for seat in &self.resigned {
                if !earlier.is_retired(*seat) {
                    earlier.retire(*seat);
                }
            }
        }
        self.play = Some(earlier.into());
        self.offer = None;
        self.declined.clear();
        self.proof = self.proof.take().filter(|proof| proof.ply <= ply);
        self.plans.clear();
        self.teams.take_back(ply);
        self.hinted = None;
        self.auto_moves.retain(|(turn, _)| *turn <= ply);
        Ok(())
    }
}

fn no_seat(seat: Seat) -> String {
    format!("there is no seat {}", seat.index())
}

/// Returns the seat that acted, in a started game.
fn acting(event: &Event) -> Option<Seat> {
    match event {
        Event::Moved { seat, .. } | Event::Offered { seat, .. } | Event::Declined { seat } => Some(*seat),
        _ => None,
    }
}

/// Returns the id with which boards' messages are compared to find those from before an undo. Discord's ids increase with
/// time, but not those of web pages, which have one of the same moment here.
fn undo_id(entry: &Entry) -> Option<SourceId> {
    let source = entry.source?;
    Some(if source.is_from_page() { SourceId::given_at(entry.at) } else { source })
}
