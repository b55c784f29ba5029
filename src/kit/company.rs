//! Threads that may think along with the one that was asked.

use super::player::Halt;

/// Whom a player may ask to think along.
#[derive(Clone, Debug, Default)]
pub enum Company {
    /// Nobody.
    #[default]
    Alone,
    /// So many more threads, for as long as the thought takes.
    Of(usize),
}

impl Company {
    /// Everybody who thinks along from now on. Each is to be dropped as soon as it does no more.
    pub fn gather(&self) -> Vec<Companion> {
        match self {
            Company::Alone => Vec::new(),
            Company::Of(threads) => (0..*threads).map(|_| Companion::default()).collect(),
        }
    }
}

/// Leave to use one more thread until its halt is called.
#[derive(Debug, Default)]
pub struct Companion {
    halt: Halt,
}

impl Companion {
    /// Called when the thread is wanted elsewhere: it stops, and the thought goes on without it.
    pub fn halt(&self) -> &Halt {
        &self.halt
    }
}
