//! The whole bot under a seeded scheduler, clock, network and disk.
//!
//! A seed makes a simulation: a little Discord with its people (`rookery_playground`) and a process of the bot with
//! its registry, actors, outbox, timers and gateway sessions run on hosts of `turmoil`, whose network and time are
//! simulated. The journal is the SQLite adapter on a file. Some seeds have two processes, which share it and the leases
//! that PostgreSQL keeps in the program. Requests, calls of the journal, the gateway, the clock and
//! the process itself fail as the seed's plan says. In the end the faults stop, everything due must be posted, every table
//! must play on, and every `Invariant` must hold.
//!
//! The same seed gives the same trace, line by line.

#![cfg(feature = "testing")]

mod bot;
mod clock;
mod discord_host;
mod disk;
mod faults;
mod invariants;
mod leases;
mod network;
mod options;
mod os_random;
mod people;
mod run;
mod seeds;
mod store_thread;
mod tables;
mod thinker;
mod trace;
mod violation;
mod world;

pub use options::{Defect, Options};
pub use run::{Counts, Report, run};
pub use seeds::{Totals, run_seeds};
pub use trace::Output;
pub use violation::{Invariant, Violation};
