//! Threads that may think along with the one that was asked.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::player::Halt;

/// Whom a player may ask to think along.
#[derive(Clone, Debug, Default)]
pub enum Company {
    /// Nobody.
    #[default]
    Alone,
    /// So many more threads, for as long as the thought takes.
    Of(usize),
    /// Whoever has nothing else to do, until they do.
    Lent(Arc<dyn Lender>),
}

/// Who has threads to lend.
pub trait Lender: Debug + Send + Sync {
    /// Everybody who has nothing else to do now.
    fn lend(&self) -> Vec<Companion>;
}

impl Company {
    /// Everybody who thinks along from now on. Each is to be dropped as soon as it does no more.
    pub fn gather(&self) -> Vec<Companion> {
        match self {
            Company::Alone => Vec::new(),
            Company::Of(threads) => (0..*threads).map(|_| Companion::default()).collect(),
            Company::Lent(lender) => lender.lend(),
        }
    }
}

/// Leave to use one more thread until its halt is called.
#[derive(Debug, Default)]
pub struct Companion {
    halt: Halt,
    /// Whoever lent the thread hears of its end when this is dropped.
    _loan: Option<Box<dyn Any + Send>>,
}

impl Companion {
    /// A thread that is called back by `halt`, and given back when `loan` is dropped.
    pub fn lent(halt: Halt, loan: impl Send + 'static) -> Companion {
        Companion { halt, _loan: Some(Box::new(loan)) }
    }

    /// Called when the thread is wanted elsewhere: it stops, and the thought goes on without it.
    pub fn halt(&self) -> &Halt {
        &self.halt
    }
}
