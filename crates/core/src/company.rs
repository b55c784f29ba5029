//! Helper threads of a search.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::player::Halt;

/// The helper threads that a search may use.
#[derive(Clone, Debug, Default)]
pub enum Company {
    /// Only the calling thread searches.
    #[default]
    Alone,
    /// This many more threads, until the search ends.
    Of(usize),
    /// The idle threads of a pool, until the pool needs them.
    Lent(Arc<dyn Lender>),
}

/// A source of idle threads.
pub trait Lender: Debug + Send + Sync {
    /// All threads that are idle now.
    fn lend(&self) -> Vec<Companion>;
}

impl Company {
    /// Reserves the helpers. Drop each one as soon as its work ends.
    pub fn gather(&self) -> Vec<Companion> {
        match self {
            Company::Alone => Vec::new(),
            Company::Of(threads) => (0..*threads).map(|_| Companion::default()).collect(),
            Company::Lent(lender) => lender.lend(),
        }
    }
}

/// Permission to use one more thread until its halt is called.
#[derive(Debug, Default)]
pub struct Companion {
    halt: Halt,
    /// Returns the thread to its source when this is dropped.
    _loan: Option<Box<dyn Any + Send>>,
}

impl Companion {
    /// A thread that `halt` recalls and that is returned when `loan` is dropped.
    pub fn lent(halt: Halt, loan: impl Send + 'static) -> Companion {
        Companion { halt, _loan: Some(Box::new(loan)) }
    }

    /// Called when the pool needs the thread: this helper stops, and the search continues without it.
    pub fn halt(&self) -> &Halt {
        &self.halt
    }
}
