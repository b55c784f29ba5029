//! Tests of supervision, measuring and computing.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::*;

/// Stops when the channel carries `true`.
#[derive(Clone)]
struct TestShutdown(watch::Receiver<bool>);

impl Shutdown for TestShutdown {
    fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    async fn begun(&self) {
        let _ = self.0.clone().wait_for(|stopped| *stopped).await;
    }
}

fn trial() -> (watch::Sender<bool>, TestShutdown) {
    let (sender, receiver) = watch::channel(false);
    (sender, TestShutdown(receiver))
}

fn of(tasks: &Tasks, name: &str) -> TaskStatus {
    tasks.status().into_iter().find(|status| status.name == name).unwrap()
}

const EACH_SECOND: TaskSpec = TaskSpec { name: "trial", interval: Some(Duration::from_secs(1)) };

#[tokio::test(start_paused = true)]
async fn supervise_restarts_a_panicking_task_with_growing_pauses() {
    let (tasks, (_stop, shutdown)) = (Tasks::default(), trial());
    let begun = Arc::new(AtomicUsize::new(0));
    tasks.supervise(EACH_SECOND, shutdown, {
        let begun = begun.clone();
        move || {
            let round = begun.fetch_add(1, Ordering::Relaxed);
            async move {
                assert!(round > 2, "a panic that is meant");
                std::future::pending().await
            }
        }
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    let status = of(&tasks, "trial");
    assert_eq!((status.panics, status.restarts), (1, 0));
    assert_eq!(status.supervised.unwrap().phase, Phase::BackingOff);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(of(&tasks, "trial").restarts, 1, "the second pause is longer than the first");
    tokio::time::sleep(Duration::from_secs(5)).await;
    let status = of(&tasks, "trial");
    assert_eq!((status.panics, status.restarts, begun.load(Ordering::Relaxed)), (3, 3, 4));
    assert_eq!(status.supervised.unwrap().phase, Phase::Running);
}

#[tokio::test(start_paused = true)]
async fn supervise_restarts_a_task_that_ends_early_and_lets_it_end_when_the_program_stops() {
    let (tasks, (stop, shutdown)) = (Tasks::default(), trial());
    let handle = tasks.supervise(EACH_SECOND, shutdown, || async {});
    tokio::time::sleep(Duration::from_secs(4)).await;
    let status = of(&tasks, "trial");
    assert_eq!((status.panics, status.restarts), (0, 2));
    stop.send_replace(true);
    // The stop cuts the restart delay short.
    tokio::time::timeout(Duration::from_millis(1), handle).await.unwrap().unwrap();
    assert_eq!(of(&tasks, "trial").supervised.unwrap().phase, Phase::Ended);
}

#[tokio::test(start_paused = true)]
async fn supervise_knows_the_age_of_the_last_beat() {
    let (tasks, (_stop, shutdown)) = (Tasks::default(), trial());
    tasks.supervise(EACH_SECOND, shutdown, || async {
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            heartbeat();
        }
        std::future::pending().await
    });
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let known = of(&tasks, "trial").supervised.unwrap();
    assert_eq!((known.interval, known.heartbeat_age), (EACH_SECOND.interval, Duration::from_millis(500)));
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(of(&tasks, "trial").supervised.unwrap().heartbeat_age, Duration::from_millis(9_500));
}

#[tokio::test]
async fn spawn_catches_and_counts_a_panic() {
    let tasks = Tasks::default();
    let ended = tasks.spawn("short", async { panic!("a panic that is meant") }).await.unwrap();
    assert_eq!(ended, None::<()>);
    assert_eq!(tasks.spawn("short", async { 7 }).await.unwrap(), Some(7));
    let status = of(&tasks, "short");
    assert_eq!((status.panics, status.supervised), (1, None));
}

/// Uses this much CPU time of the thread, even if the machine grants it little per second.
fn burn(time: Duration) {
    let until = thread_time() + time;
    while thread_time() < until {
        std::hint::spin_loop();
    }
}

fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

#[tokio::test(start_paused = true)]
async fn measure_counts_cpu_time_of_polls_and_not_waiting() {
    let tasks = Tasks::default();
    tasks.measure("waits", tokio::time::sleep(Duration::from_millis(30))).await.unwrap();
    tasks.measure("computes", async { burn(Duration::from_millis(12)) }).await.unwrap();
    let computes = of(&tasks, "computes");
    assert!(computes.longest_poll >= Duration::from_millis(12), "{computes:?}");
    assert_eq!((computes.long_polls, of(&tasks, "waits").long_polls), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn polls_of_every_task_are_measured_however_it_was_started() {
    let (tasks, (_stop, shutdown)) = (Tasks::default(), trial());
    tasks.spawn("spawned", async { burn(Duration::from_millis(3)) }).await.unwrap();
    tasks.supervise(EACH_SECOND, shutdown, || async {
        burn(Duration::from_millis(3));
        std::future::pending().await
    });
    tokio::time::sleep(Duration::from_millis(1)).await;
    for name in ["spawned", "trial"] {
        let longest = of(&tasks, name).longest_poll;
        assert!(longest >= Duration::from_millis(3), "{name}: {longest:?}");
    }
}

#[tokio::test]
async fn compute_is_demanded_of_long_work_and_a_poll_that_does_it_panics() {
    let tasks = Tasks::default();
    let long = || assert_off_async_threads("a long sum");
    long();
    tasks.compute("sum", long).await.unwrap();
    assert_eq!(tasks.measure("polls", async move { long() }).await, None);
    assert_eq!((of(&tasks, "sum").panics, of(&tasks, "polls").panics), (0, 1));
    long();
}

#[tokio::test]
async fn compute_is_bounded_and_a_panic_in_it_is_an_error() {
    let tasks = Tasks::default();
    let panicked = tasks.compute("sum", || panic!("a panic that is meant")).await;
    assert_eq!((panicked, of(&tasks, "sum").panics), (Err::<(), _>(Panicked), 1));
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let works = (0..3 * compute::threads()).map(|_| {
        let (running, most) = (running.clone(), most.clone());
        tasks.compute("sum", move || {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::yield_now();
            running.fetch_sub(1, Ordering::SeqCst);
        })
    });
    for ended in futures_util::future::join_all(works).await {
        ended.unwrap();
    }
    assert!(most.load(Ordering::SeqCst) <= compute::threads());
    assert_eq!(of(&tasks, "sum").computed, 1 + 3 * compute::threads() as u64);
}

/// The store closes after `abort`, and a task that still ran would log that it is closed.
#[tokio::test]
async fn abort_returns_after_every_supervised_task_has_ended() {
    let (_switch, shutdown) = trial();
    let tasks = Tasks::default();
    let held = Arc::new(());
    let (work, started) = (held.clone(), Arc::new(Notify::new()));
    let begun = started.clone();
    let handle = tasks.supervise(TaskSpec { name: "trial", interval: None }, shutdown, move || {
        let (work, begun) = (work.clone(), begun.clone());
        async move {
            begun.notify_one();
            std::future::pending::<()>().await;
            drop(work);
        }
    });
    started.notified().await;
    tasks.abort().await;
    assert!(handle.is_finished());
    assert_eq!(Arc::strong_count(&held), 1, "its work is dropped");
}
