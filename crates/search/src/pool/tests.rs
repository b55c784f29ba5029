use std::time::Duration;

use rookery_core::player::{Halt, Level};

use super::*;
use std::sync::mpsc::{Receiver, Sender, channel};

type Answers = Receiver<(usize, Result<usize, JobError>)>;

/// A pool of one thread that is kept busy until the sender is used, so that a queue can form.
fn busy_pool() -> (SearchPool, Sender<()>) {
    let pool = pool(1, 100);
    let (go, wait) = channel::<()>();
    let (begun, begins) = channel();
    let job = move |_: &JobContext| {
        begun.send(()).unwrap();
        wait.recv().ok()
    };
    pool.submit(order(0, 0), job, |_| ()).unwrap();
    begins.recv().unwrap();
    (pool, go)
}

fn order(table: u64, urgency: u8) -> JobSpec {
    JobSpec { table, owner: 0, urgency, deadline: None }
}

fn pool(threads: usize, max_waiting: usize) -> SearchPool {
    SearchPool::new(PoolSize { max_waiting, ..PoolSize::new(threads) }).unwrap()
}

fn answers(pool: &SearchPool, orders: &[JobSpec]) -> (Vec<JobHandle>, Answers) {
    let (tell, told) = channel();
    let submit = |(i, order): (usize, &JobSpec)| {
        let tell = tell.clone();
        pool.submit(*order, move |_| i, move |answer| tell.send((i, answer)).unwrap()).unwrap()
    };
    (orders.iter().enumerate().map(submit).collect(), told)
}

fn order_of(told: &Answers) -> Vec<usize> {
    told.iter().map(|(i, _)| i).collect()
}

#[test]
fn urgent_jobs_go_first_and_tables_take_turns() {
    let (pool, go) = busy_pool();
    let orders = [order(1, 5), order(1, 5), order(1, 5), order(2, 5), order(3, 1)];
    let (_tickets, told) = answers(&pool, &orders);
    go.send(()).unwrap();
    // Table 3 is urgent; then 1 and 2 by arrival, then 1 again, which was served before.
    assert_eq!(order_of(&told), [4, 0, 3, 1, 2]);
}

#[test]
fn an_overdue_job_goes_before_urgent_ones() {
    let (pool, go) = busy_pool();
    let late = JobSpec { deadline: Some(Instant::now()), ..order(1, 9) };
    let (_tickets, told) = answers(&pool, &[order(2, 0), late]);
    go.send(()).unwrap();
    assert_eq!(order_of(&told), [1, 0]);
}

#[test]
fn a_waiting_job_is_cancelled_at_once() {
    let (pool, go) = busy_pool();
    let (tickets, told) = answers(&pool, &[order(1, 0), order(2, 0), order(2, 0)]);
    tickets[0].cancel();
    assert_eq!(told.recv().unwrap(), (0, Err(JobError::Cancelled)));
    assert_eq!(pool.load(), Load { waiting: 2, running: 1 });
    drop(go);
    assert_eq!(order_of(&told), [1, 2]);
}

#[test]
fn a_running_job_that_is_cancelled_is_halted_and_its_answer_does_not_count() {
    let pool = pool(1, 1);
    let ((begun, begins), (tell, told)) = (channel(), channel());
    let job = move |turn: &JobContext| {
        begun.send(()).unwrap();
        while !turn.halt.called() {
            std::thread::yield_now();
        }
        7
    };
    let ticket = pool.submit(order(1, 0), job, move |answer| tell.send(answer).unwrap()).unwrap();
    begins.recv().unwrap();
    ticket.cancel();
    assert_eq!(told.recv().unwrap(), Err(JobError::Cancelled));
}

#[test]
fn a_panic_is_reported_and_the_thread_goes_on() {
    let pool = pool(1, 5);
    let (tell, told) = channel();
    let again = tell.clone();
    let bad = |_: &JobContext| -> u8 { panic!("on purpose, to see that it is caught") };
    pool.submit(order(1, 0), bad, move |answer| tell.send(answer).unwrap()).unwrap();
    assert_eq!(told.recv().unwrap(), Err(JobError::Panicked));
    pool.submit(order(1, 0), |_| 3, move |answer| again.send(answer).unwrap()).unwrap();
    assert_eq!((told.recv().unwrap(), pool.panics()), (Ok(3), 1));
}

#[test]
fn a_full_queue_says_so_and_closing_answers_everybody() {
    let (pool, go) = busy_pool();
    let orders = vec![order(1, 0); 100];
    let (_tickets, told) = answers(&pool, &orders);
    let refused = pool.submit(order(2, 0), |_| (), |_| ());
    assert_eq!(refused.err(), Some(QueueFull { waiting: 100 }));
    drop(go);
    drop(pool);
    assert_eq!(told.iter().count(), 100);
}

/// A job of the simulation: its owner, its end and its duration.
struct Done {
    owner: u64,
    at: Duration,
    took: Duration,
}

/// Runs the queue with simulated time: tables of these owners submit at once, each job would take `own`, and all
/// threads take jobs one after the other. Returns the jobs in the order of their start.
fn simulated(size: PoolSize, owners: &[u64], own: Duration) -> Vec<Done> {
    let start = Instant::now();
    let mut queue = Queue::new(size);
    for (table, owner) in (0..).zip(owners) {
        let order = JobSpec { owner: *owner, deadline: Some(start + WITHIN), ..order(table, 0) };
        queue.push(order, *owner).unwrap();
    }
    let mut threads = vec![(Duration::ZERO, None); size.threads];
    let mut done = Vec::new();
    while queue.load().waiting > 0 {
        threads.sort_unstable();
        let (at, job) = threads[0];
        job.into_iter().for_each(|id| queue.end(id));
        // A job that is held back is considered again when another one ends.
        let Some((owner, turn, id)) = queue.begin(start + at) else {
            let busy = threads[1..].iter().filter(|(_, job)| job.is_some());
            threads[0] = (busy.map(|(until, _)| *until).min().unwrap() + Duration::from_nanos(1), None);
            continue;
        };
        let mates = done.iter().filter(|it: &&Done| it.owner == owner && it.at > at).count();
        assert!(mates < size.threads_per_owner, "{mates} threads for owner {owner} already");
        let took = turn.share_at(start + at).unwrap().min(own);
        threads[0] = (at + took, Some(id));
        done.push(Done { owner, at: at + took, took });
    }
    done
}

/// The time limit of a move, and the usual time of an expert.
const WITHIN: Duration = Duration::from_secs(8);
const EXPERT: Duration = Duration::from_secs(3);

#[test]
fn many_who_wait_share_the_time_to_the_deadline() {
    for threads in [1, 2, 7] {
        let done = simulated(PoolSize::new(threads), &[1; 200], WITHIN);
        let fair = WITHIN * threads as u32 / 200;
        assert!(done.iter().all(|it| it.at <= WITHIN), "{threads} threads");
        let least = done.iter().map(|it| it.took).min().unwrap();
        let most = done[..100].iter().map(|it| it.took).max().unwrap();
        assert!(least * 2 >= fair && most <= 2 * fair, "{least:?} to {most:?} of {fair:?}");
    }
    assert_eq!(simulated(PoolSize::new(2), &[1], WITHIN)[0].took, WITHIN, "who is alone has all of it");
}

#[test]
fn expert_jobs_meet_deadline_under_any_load() {
    for (threads, threads_per_owner) in [(1, 1), (2, 1), (4, 2), (7, 7)] {
        let size = PoolSize { threads_per_owner, ..PoolSize::new(threads) };
        for tables in [1, 2, 3, 8, 50, 200, 300] {
            for owners in [1, 2, 9] {
                let owners: Vec<u64> = (0..tables).map(|table| table % owners).collect();
                let done = simulated(size, &owners, EXPERT);
                assert_eq!(done.len(), owners.len());
                let late = done.iter().find(|it| it.at > WITHIN).map(|it| it.at);
                assert_eq!(late, None, "{tables} tables on {threads} threads");
            }
        }
    }
}

#[test]
fn owner_of_many_tables_does_not_delay_owner_of_one() {
    let owners: Vec<u64> = [1; 200].into_iter().chain([2]).collect();
    for (threads, threads_per_owner) in [(1, 1), (2, 1), (4, 2)] {
        let done = simulated(PoolSize { threads_per_owner, ..PoolSize::new(threads) }, &owners, EXPERT);
        let (nth, lone) = done.iter().enumerate().find(|(_, it)| it.owner == 2).unwrap();
        assert!(nth <= 1, "{nth} of the other owner's went before");
        assert_eq!(lone.took, EXPERT, "{threads} threads");
    }
}

#[test]
fn a_waiting_job_knows_its_place_among_its_owner_s() {
    let (pool, go) = busy_pool();
    let other = JobSpec { owner: 7, ..order(9, 0) };
    let (tickets, told) = answers(&pool, &[order(1, 3), other, order(2, 1), order(3, 3)]);
    let places: Vec<_> = tickets.iter().map(JobHandle::place).collect();
    assert_eq!(places, [Some(2), Some(1), Some(1), Some(3)]);
    drop(go);
    assert_eq!(told.iter().take(4).count(), 4);
    assert!(tickets.iter().all(|ticket| ticket.place().is_none()));
}

#[test]
fn awaited_jobs_go_first_at_the_same_level() {
    let order = |table, waited_for| JobSpec::new(table, table, Level::Hard, waited_for, WITHIN);
    let (pool, go) = busy_pool();
    let quick = JobSpec::new(3, 3, Level::Easy, false, WITHIN);
    let (_tickets, told) = answers(&pool, &[order(1, false), order(2, true), quick]);
    go.send(()).unwrap();
    assert_eq!(order_of(&told), [2, 1, 0]);
}

#[test]
fn a_turn_knows_how_many_wait_behind_it() {
    let (pool, go) = busy_pool();
    let (tell, told) = channel();
    for table in 1..=4 {
        let tell = tell.clone();
        let order = JobSpec { deadline: Some(Instant::now() + Duration::from_secs(400)), ..order(table, 0) };
        pool.submit(order, |turn| turn.share(), move |share| tell.send(share).unwrap()).unwrap();
    }
    drop((tell, go));
    let shares: Vec<u64> =
        told.iter().map(|share| share.unwrap().unwrap().as_secs().div_ceil(10) * 10).collect();
    assert_eq!(shares, [100, 140, 200, 400]);
}

type Job = Box<dyn FnOnce(&JobContext) -> Duration + Send>;

/// A job that collects idle helpers, the halts that it collected, and a sender that returns the first helper; dropping
/// the sender ends the job.
fn gathering() -> (Job, Receiver<Vec<Halt>>, Sender<()>) {
    let ((tell, told), (end, ends)) = (channel(), channel());
    let job = move |turn: &JobContext| {
        let mut helpers = turn.helpers.reserve();
        tell.send(helpers.iter().map(|it| it.halt().clone()).collect()).unwrap();
        while ends.recv().is_ok() && !helpers.is_empty() {
            helpers.remove(0);
        }
        drop(helpers);
        turn.helper_time()
    };
    (Box::new(job), told, end)
}

#[test]
fn idle_threads_think_along_each_with_one_job() {
    let pool = pool(4, 10);
    let (many, told, end) = gathering();
    pool.submit(order(1, 9), many, |_| ()).unwrap();
    assert_eq!(told.recv().unwrap().len(), 3);
    let (none, told, _end) = gathering();
    // One helper is recalled for the job itself; no thread is left for it.
    pool.submit(order(2, 9), none, |_| ()).unwrap();
    end.send(()).unwrap();
    assert_eq!(told.recv().unwrap().len(), 0);
}

/// Three threads, two of them lent: a new job gets one as soon as it is returned, and not before.
#[test]
fn new_job_recalls_one_helper_and_starts_after_its_return() {
    let pool = pool(3, 10);
    let (job, told, end) = gathering();
    pool.submit(order(1, 9), job, |_| ()).unwrap();
    let halts = told.recv().unwrap();
    let (tell, begun) = channel();
    pool.submit(order(2, 0), move |_| tell.send(()).unwrap(), |_| ()).unwrap();
    while !halts.iter().any(Halt::called) {
        std::thread::yield_now();
    }
    assert!(begun.try_recv().is_err(), "four threads at work");
    end.send(()).unwrap();
    begun.recv().unwrap();
    assert_eq!(halts.iter().filter(|halt| halt.called()).count(), 1);
}

#[test]
fn helper_time_is_reported() {
    let pool = pool(3, 10);
    let (job, told, end) = gathering();
    let (tell, helper_time) = channel();
    pool.submit(order(1, 9), job, move |helper_time| tell.send(helper_time.unwrap()).unwrap()).unwrap();
    assert_eq!(told.recv().unwrap().len(), 2);
    let since = Instant::now();
    while since.elapsed() < Duration::from_millis(2) {
        std::thread::yield_now();
    }
    let least = 2 * since.elapsed();
    drop(end);
    assert!(helper_time.recv().unwrap() >= least);
}

/// An owner limited to one thread: its next job waits for the first, with or without helpers.
#[test]
fn job_over_owner_limit_recalls_no_helper() {
    let now = Instant::now();
    let mut queue = Queue::new(PoolSize { threads_per_owner: 1, ..PoolSize::new(3) });
    let order = |table, owner| JobSpec { owner, ..order(table, 0) };
    queue.push(order(1, 7), "first").unwrap();
    let (_, _, first) = queue.begin(now).unwrap();
    let lent = queue.lend(now);
    assert_eq!(lent.len(), 2);
    queue.push(order(2, 7), "second").unwrap();
    assert!(queue.begin(now).is_none());
    assert!(lent.iter().all(|(_, halt)| !halt.called()));
    queue.push(order(3, 8), "other").unwrap();
    assert!(queue.begin(now).is_none(), "no thread is back yet");
    assert_eq!(lent.iter().map(|(_, halt)| halt.called()).collect::<Vec<_>>(), [true, false]);
    queue.return_loan(lent[0].0);
    assert_eq!(queue.begin(now).map(|(name, ..)| name), Some("other"));
    queue.end(first);
    assert_eq!(queue.begin(now).map(|(name, ..)| name), Some("second"));
    assert_eq!(queue.lend(now).len(), 0, "two jobs and a companion are all there is");
}
