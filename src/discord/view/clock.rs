//! Messages about time: reminders, expired clocks, added time, vacations.

use jiff::{SignedDuration, Timestamp};
use rookery_core::Seat;
use rookery_i18n::{moment, person, relative};
use rookery_table::clock::{Clock, Warning};
use rookery_table::{Occupant, Table, UserId};

use super::MessageView;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

impl MessageView<'_> {
    /// Adds the clocks to a text, if the table has any.
    pub(super) fn with_clocks(&self, text: String, table: &Table) -> String {
        match self.words.clocks(table) {
            Some(clocks) if table.to_move().is_some() => format!("{text}\n{clocks}"),
            _ => text,
        }
    }

    /// Builds the state of all clocks, with buttons for what this person may do about another player's.
    pub fn clocks(&self, table: &Table, who: UserId, now: Timestamp) -> OutgoingMessage {
        // A vote has a deadline of its own, with or without a clock.
        let post = OutgoingMessage::text(self.with_vote(self.words.describe_clocks(table, now), table));
        let mover = table.clock().filter(|clock| clock.deadline().is_some()).and_then(Clock::mover);
        let is_up = table.clock().is_some_and(|clock| clock.is_out_of_time(now));
        match mover.filter(|mover| others(table, *mover).contains(&who)) {
            Some(_) if is_up => post.row(self.time_up_buttons(table)),
            Some(_) => post.row([self.give_button(table)]),
            None => post,
        }
    }

    /// Builds a reminder; the first one is silent. If the player has moved since, it is only a note.
    pub fn warned(&self, table: &Table, seat: Seat, warning: Warning, ply: usize) -> OutgoingMessage {
        let name = ("table", table.id().to_string().into());
        let who = ("who", self.words.seated(table, seat).into());
        let Some(runs_out) = self.still_runs(table, seat, ply) else {
            return OutgoingMessage::text(self.words.say("warned-late", &[name, who])).silent();
        };
        let when = ("when", relative(runs_out).into());
        let (key, silent) = match warning {
            Warning::Quarter => ("warned-quarter", true),
            Warning::Twentieth => ("warned-twentieth", false),
        };
        let post =
            self.pinging_seat(OutgoingMessage::text(self.words.say(key, &[name, who, when])), table, seat);
        OutgoingMessage { silent, ..post }
    }

    /// Builds the message that a player's time is up, with the options of the others.
    pub fn time_up(&self, table: &Table, seat: Seat, ply: usize) -> OutgoingMessage {
        let name = || ("table", table.id().to_string().into());
        let who = || ("who", self.words.seated(table, seat).into());
        let clock = table.clock().filter(|_| self.still_runs(table, seat, ply).is_some());
        let Some((until, _)) = clock.and_then(|clock| clock.next()) else {
            return OutgoingMessage::text(self.words.say("time-up-past", &[name(), who()]));
        };
        let others = others(table, seat);
        if others.is_empty() {
            let until = ("until", moment(until).into());
            let post = OutgoingMessage::text(self.words.say("time-up-alone", &[name(), who(), until]));
            return self.pinging_seat(post, table, seat);
        }
        let names: Vec<_> = others.iter().map(|who| person(*who)).collect();
        let names = ("others", self.words.join(&names).into());
        let casual = table.is_rated().then(|| format!("\n{}", self.words.word("time-up-casual")));
        let key = match others.len() {
            // Their names would not fit into a line; the pings name them below.
            3.. => "time-up-all",
            _ if table.others_play_on() => "time-up-many",
            _ => "time-up",
        };
        let text = self.words.say(key, &[name(), who(), names]) + &casual.unwrap_or_default();
        OutgoingMessage::text(text).ping(others).row(self.time_up_buttons(table))
    }

    fn time_up_buttons(&self, table: &Table) -> Vec<Component> {
        let id = |action| TableButtonId::new(table.id(), table.ply(), action).id();
        vec![
            Component::button(
                self.words.word(if table.others_play_on() { "button-claim-out" } else { "button-claim" }),
                ButtonStyle::Primary,
                id(ButtonAction::Claim),
            ),
            self.give_button(table),
            Component::button(
                self.words.word("button-seat-program"),
                ButtonStyle::Secondary,
                id(ButtonAction::SeatProgram),
            ),
        ]
    }

    /// Labels the button that gives the player to move more time. Others than the opponent may see it, so it names the side.
    pub fn give_time_label(&self, table: &Table) -> String {
        let gift = table.clock().map(|clock| clock.terms().gift()).unwrap_or_default();
        let side = table.play().map(|play| self.words.side(play, play.turn())).unwrap_or_default();
        self.words.say("button-give-time", &[("side", side.into()), ("more", self.words.length(gift).into())])
    }

    fn give_button(&self, table: &Table) -> Component {
        Component::button(
            self.give_time_label(table),
            ButtonStyle::Success,
            TableButtonId::new(table.id(), table.ply(), ButtonAction::GiveTime).id(),
        )
    }

    /// Builds the message that a player got more time.
    pub fn time_given(&self, table: &Table, by: Seat, seat: Seat, more: SignedDuration) -> OutgoingMessage {
        let [by, who] = [by, seat].map(|seat| self.words.seated(table, seat).into());
        let args = |more: String| [("table", table.id().to_string().into()), ("more", more.into())];
        let mut args = args(self.words.length(more)).to_vec();
        args.extend([("by", by), ("who", who)]);
        match self.still_runs(table, seat, table.ply()) {
            Some(runs_out) => {
                args.push(("when", relative(runs_out).into()));
                self.pinging_seat(OutgoingMessage::text(self.words.say("time-given", &args)), table, seat)
            }
            None => OutgoingMessage::text(self.words.say("time-given-past", &args)),
        }
    }

    /// Builds the message that time lost in an outage was given back.
    pub fn time_returned(&self, table: &Table, lost: SignedDuration) -> Option<OutgoingMessage> {
        let clocks = self.words.clocks(table).filter(|_| table.to_move().is_some())?;
        let lost = self.words.length(lost);
        let args =
            [("table", table.id().to_string().into()), ("lost", lost.into()), ("clocks", clocks.into())];
        Some(OutgoingMessage::text(self.words.say("given-back", &args)).silent())
    }

    /// Builds the message that a game continues after the longest allowed pause.
    pub fn pause_over(&self, table: &Table) -> OutgoingMessage {
        OutgoingMessage::text(self.words.say("pause-over", &[("table", table.id().to_string().into())]))
    }

    /// Builds the message that a player starts or ends a vacation.
    pub fn vacation_notice(&self, table: &Table, who: UserId, until: Timestamp) -> OutgoingMessage {
        let key = if until > table.at() { "away-until" } else { "away-over" };
        let args = [
            ("table", table.id().to_string().into()),
            ("who", person(who).into()),
            ("until", moment(until).into()),
        ];
        OutgoingMessage::text(self.words.say(key, &args)).silent()
    }

    /// Returns when a seat's time is used up, if it is still the turn `ply`.
    fn still_runs(&self, table: &Table, seat: Seat, ply: usize) -> Option<Timestamp> {
        let runs = table.ply() == ply && table.to_move() == Some(seat);
        table.clock().filter(|_| runs)?.runs_out()
    }
}

/// Returns the people who still play, except for the holder of one seat.
fn others(table: &Table, but: Seat) -> Vec<UserId> {
    let own = table.occupant(but).and_then(Occupant::person);
    let mut found = Vec::new();
    for seat in table.playing_seats() {
        let who = table.occupant(seat).and_then(Occupant::person);
        found.extend(who.filter(|who| Some(*who) != own && !found.contains(who)));
    }
    found
}
