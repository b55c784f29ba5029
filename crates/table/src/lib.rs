//! A table: one game being played, its seats, orders, events and journal.
//!
//! The words first ([`words`]); then what may happen ([`state`], pure); then what must be said
//! ([`say`]); what a table needs from outside ([`ports`]); and how tables live: one task each
//! ([`host`]), found through the [`hall`]. What somebody decided beforehand ([`plans`]) and moves without
//! a choice are played by the table itself (`follow`). What time does is told in [`clock`]. What people
//! and servers chose ([`preferences`], with [`calendar`] for their hours and [`vacation`] for their days off)
//! lies in a [`drawer`]. A seat can be played by a [team](teams). That
//! nothing was changed afterwards is seen by [`seal`]s and [`pledge`]s, through which an [`audit`] looks.
//! People are called by [`stand_in`]s in what is sealed, so that their names can be taken out.
//! Games that count change ratings ([`rated`], [`rating`]; [`scale`] says where levels begin);
//! in the others the program gives [`hints`], where that is [`fair`]. Two games make one of the [`sets`]. A game
//! that is over is looked over in a [`review`]. [`share`] links show a game to people outside. The [`thinkers`] think
//! for [`patron`]s, each of whom has an [`allowance`]. How much one person may ask for is in [`quota`]; whom people
//! block, and servers ban, in [`moderation`].

pub mod access;
pub mod allowance;
pub mod audit;
pub mod calendar;
pub mod clock;
pub mod drawer;
pub mod fair;
mod follow;
mod forget;
pub mod freeze;
pub mod hall;
pub mod hints;
pub mod host;
pub mod moderation;
pub mod offers;
pub mod patron;
pub mod plans;
pub mod pledge;
pub mod ports;
pub mod preferences;
pub mod quota;
pub mod rated;
pub mod rating;
pub mod recorded;
pub mod redact;
pub mod review;
pub mod say;
pub mod scale;
pub mod seal;
pub mod seats;
pub mod sets;
pub mod settle;
pub mod share;
pub mod shown;
pub mod stand_in;
pub mod stand_ins;
pub mod state;
pub mod teams;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod thinkers;
mod time;
pub mod vacation;
mod watch;
pub mod words;

#[cfg(test)]
mod tests;

pub use say::{Note, Say};
pub use state::Table;
pub use watch::Part;
pub use words::{
    By, Cause, Denied, Ending, Event, Home, Occupant, Offer, Order, Parting, Person, Proof, Refused, Region,
    Settle, Status, TableId, Terms, Why,
};
