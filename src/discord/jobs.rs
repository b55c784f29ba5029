//! The jobs that run beside the gateway, each supervised by itself: a fault in one silences no other.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::ops::stop::Stop;
use rookery_tasks::Task;

use super::desk::Desk;
use super::{deferred_pings, late, lobby, outbox, tv};

/// Runs all of them until the program stops. Where this is dropped before that, they end as well.
pub(super) async fn run(desk: &Arc<Desk>, stop: &Stop) {
    let settings = &desk.settings;
    let lobbies = Task { name: "lobbies", interval: Some(settings.lobby_every) };
    let televisions = Task { name: "televisions", interval: Some(settings.tv_every) };
    let jobs = [
        Job::begin(desk, stop, outbox::TASK, outbox::work),
        Job::begin(desk, stop, lobbies, lobby::work),
        Job::begin(desk, stop, late::TASK, late::work),
        Job::begin(desk, stop, deferred_pings::TASK, deferred_pings::work),
        Job::begin(desk, stop, televisions, tv::work),
    ];
    for mut job in jobs {
        // A supervised task ends when the program stops, and not otherwise.
        let _ = (&mut job.0).await;
    }
}

/// A job that runs, until this is dropped at the latest.
struct Job(JoinHandle<()>);

impl Job {
    fn begin<F>(desk: &Arc<Desk>, stop: &Stop, task: Task, work: fn(Arc<Desk>, Stop) -> F) -> Job
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (of, until) = (desk.clone(), stop.clone());
        let work = move || work(of.clone(), until.clone());
        Job(desk.hall.tasks().supervise(task, stop.clone(), work))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.0.abort();
    }
}
