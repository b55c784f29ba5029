//! Helper threads of a search.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::player::Halt;

/// The helper threads that a search may use.
#[derive(Clone, Debug, Default)]
pub enum HelperThreads {
    /// Only the calling thread searches.
    #[default]
    None,
    /// This many additional threads, until the search ends.
    Count(usize),
    /// The idle threads of a pool, until the pool needs them back.
    FromPool(Arc<dyn HelperSource>),
}

/// A source of idle threads.
pub trait HelperSource: Debug + Send + Sync {
    /// All threads that are idle now.
    fn lend_idle(&self) -> Vec<HelperThread>;
}

impl HelperThreads {
    /// Reserves the helpers. Drop each one as soon as its work ends.
    pub fn reserve(&self) -> Vec<HelperThread> {
        match self {
            HelperThreads::None => Vec::new(),
            HelperThreads::Count(threads) => (0..*threads).map(|_| HelperThread::default()).collect(),
            HelperThreads::FromPool(source) => source.lend_idle(),
        }
    }
}

/// Permission to use one more thread until its halt is called.
#[derive(Debug, Default)]
pub struct HelperThread {
    halt: Halt,
    /// Returns the thread to its source when this is dropped.
    _loan: Option<Box<dyn Any + Send>>,
}

impl HelperThread {
    /// A thread that `halt` recalls and that is returned when `loan` is dropped.
    pub fn lent(halt: Halt, loan: impl Send + 'static) -> HelperThread {
        HelperThread { halt, _loan: Some(Box::new(loan)) }
    }

    /// Called when the pool needs the thread back: this helper stops and the search continues without it.
    pub fn halt(&self) -> &Halt {
        &self.halt
    }
}
