//! Idle threads help a running job until another job needs them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::Shared;
use rookery_core::company::{Companion, Company, Lender};

/// The time that helpers have spent on a job.
#[derive(Clone, Debug, Default)]
pub(super) struct Helped(Arc<AtomicU64>);

impl Helped {
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, time: Duration) {
        // Some 584 years fit.
        self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}

/// The idle threads of a pool, for a job of its own.
pub(super) fn company(shared: &Arc<Shared>, helped: &Helped) -> Company {
    Company::Lent(Arc::new(Idle { shared: Arc::clone(shared), helped: helped.clone() }))
}

#[derive(Debug)]
struct Idle {
    shared: Arc<Shared>,
    helped: Helped,
}

impl Lender for Idle {
    fn lend(&self) -> Vec<Companion> {
        let now = Instant::now();
        let loans = self.shared.lock().lend(now);
        let companion = |(id, halt)| {
            let loan = Loan { shared: Arc::clone(&self.shared), id, since: now, helped: self.helped.clone() };
            Companion::lent(halt, loan)
        };
        loans.into_iter().map(companion).collect()
    }
}

/// A thread lent to a job; dropping this returns it.
#[derive(Debug)]
struct Loan {
    shared: Arc<Shared>,
    id: u64,
    since: Instant,
    helped: Helped,
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.helped.add(self.since.elapsed());
        self.shared.lock().give_back(self.id);
        self.shared.called.notify_one();
    }
}
