//! Idle threads help a running job until another job needs them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::Shared;
use rookery_core::helper_threads::{HelperSource, HelperThread, HelperThreads};

/// The time that helpers have spent on a job.
#[derive(Clone, Debug, Default)]
pub(super) struct HelperTime(Arc<AtomicU64>);

impl HelperTime {
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, time: Duration) {
        // Some 584 years fit.
        self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}

/// The idle threads of a pool, for a job of its own.
pub(super) fn helpers(shared: &Arc<Shared>, helped: &HelperTime) -> HelperThreads {
    HelperThreads::FromPool(Arc::new(IdleThreads { shared: Arc::clone(shared), helped: helped.clone() }))
}

#[derive(Debug)]
struct IdleThreads {
    shared: Arc<Shared>,
    helped: HelperTime,
}

impl HelperSource for IdleThreads {
    fn lend_idle(&self) -> Vec<HelperThread> {
        let now = Instant::now();
        let loans = self.shared.lock().lend(now);
        let helper = |(id, halt)| {
            let loan = Loan { shared: Arc::clone(&self.shared), id, since: now, helped: self.helped.clone() };
            HelperThread::lent(halt, loan)
        };
        loans.into_iter().map(helper).collect()
    }
}

/// A thread lent to a job; dropping this returns it.
#[derive(Debug)]
struct Loan {
    shared: Arc<Shared>,
    id: u64,
    since: Instant,
    helped: HelperTime,
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.helped.add(self.since.elapsed());
        self.shared.lock().give_back(self.id);
        self.shared.called.notify_one();
    }
}
