//! The background jobs, each supervised separately: a panic in one stops no other.

use std::sync::Arc;

use rookery_tasks::TaskSpec;
use tokio::task::JoinHandle;

use crate::discord::state::context::Context;
use crate::discord::{
    jobs::announcements, jobs::deferred_pings, jobs::lobby, jobs::outbox, jobs::quiet_hours, jobs::tv,
    jobs::welcome,
};
use crate::shutdown::Stop;

/// Runs all jobs until the program stops. Dropping this future earlier ends them as well.
pub(in crate::discord) async fn run(ctx: &Arc<Context>, stop: &Stop) {
    let settings = &ctx.settings;
    let lobbies = TaskSpec { name: "lobbies", interval: Some(settings.lobby_interval) };
    let televisions = TaskSpec { name: "televisions", interval: Some(settings.tv_interval) };
    let welcomes = TaskSpec { name: "welcome messages", interval: Some(settings.lobby_interval) };
    let jobs = [
        Job::begin(ctx, stop, outbox::TASK, outbox::work),
        Job::begin(ctx, stop, lobbies, lobby::work),
        Job::begin(ctx, stop, quiet_hours::TASK, quiet_hours::work),
        Job::begin(ctx, stop, deferred_pings::TASK, deferred_pings::work),
        Job::begin(ctx, stop, televisions, tv::work),
        Job::begin(ctx, stop, welcomes, welcome::work),
        Job::begin(ctx, stop, announcements::TASK, announcements::work),
    ];
    for mut job in jobs {
        // A supervised task ends only when the program stops.
        let _ = (&mut job.0).await;
    }
}

/// A running job; dropping it aborts the job.
struct Job(JoinHandle<()>);

impl Job {
    fn begin<F>(ctx: &Arc<Context>, stop: &Stop, task: TaskSpec, work: fn(Arc<Context>, Stop) -> F) -> Job
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (of, until) = (ctx.clone(), stop.clone());
        let work = move || work(of.clone(), until.clone());
        Job(ctx.registry.tasks().supervise(task, stop.clone(), work))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.0.abort();
    }
}
