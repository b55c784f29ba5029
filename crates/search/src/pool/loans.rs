//! Lends idle threads to a running job until another job needs them.

use std::sync::Arc;
use std::time::Instant;

use super::Shared;
use super::job::HelperTime;
use rookery_core::helper_threads::{HelperSource, HelperThread, HelperThreads};

/// The idle threads of a pool as helpers of one job.
pub(super) fn helpers(shared: &Arc<Shared>, helper_time: &HelperTime) -> HelperThreads {
    HelperThreads::FromPool(Arc::new(IdleThreads {
        shared: Arc::clone(shared),
        helper_time: helper_time.clone(),
    }))
}

#[derive(Debug)]
struct IdleThreads {
    shared: Arc<Shared>,
    helper_time: HelperTime,
}

impl HelperSource for IdleThreads {
    fn lend_idle(&self) -> Vec<HelperThread> {
        let now = Instant::now();
        let loans = self.shared.lock().lend(now);
        let helper = |(id, halt)| {
            let loan = Loan {
                shared: Arc::clone(&self.shared),
                id,
                since: now,
                helper_time: self.helper_time.clone(),
            };
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
    helper_time: HelperTime,
}

impl Drop for Loan {
    fn drop(&mut self) {
        self.helper_time.add(self.since.elapsed());
        self.shared.lock().return_loan(self.id);
        self.shared.called.notify_one();
    }
}
