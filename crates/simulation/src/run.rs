//! Runs a seed: moves the time on in steps, starts and crashes processes, and checks the invariants in the end.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Once};
use std::time::Duration;

use rookery_core::seed::{SeededRng, mix};
use turmoil::{Builder, Sim};

use crate::faults::Incident;
use crate::invariants;
use crate::options::Options;
use crate::violation::Violation;
use crate::world::{Stage, World, lock};
use crate::{bot, discord_host, os_random};

/// The step in which time moves on. A packet takes one or two.
const TICK: Duration = Duration::from_millis(25);
/// How much of a message is in the trace.
const SHOWN_CHARS: usize = 60;
/// How long people play while faults happen.
const FAULTY: Duration = Duration::from_secs(60);
/// How long some seeds then go on without people.
const IDLE: Duration = Duration::from_secs(100);
/// How long everything that is due may take when the faults are over. A gateway may be tried again after two minutes.
const SETTLING: Duration = Duration::from_secs(400);
/// How long the last moves may take.
const LAST_MOVES: Duration = Duration::from_secs(60);

/// The result of a seed.
#[derive(Clone, Debug)]
pub struct Report {
    /// The seed.
    pub seed: u64,
    /// What was violated; empty if all went well.
    pub violations: Vec<Violation>,
    /// How often things happened.
    pub counts: Counts,
    /// The digest of the trace: two runs of a seed have the same.
    pub digest: String,
}

/// How often things happened in a seed, or in several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// What people did.
    pub acts: u64,
    /// Requests of the bot to Discord.
    pub requests: u64,
    /// Calls of the journal.
    pub journal_calls: u64,
    /// Events of the gateway.
    pub gateway_events: u64,
    /// Entries in the journal.
    pub entries: u64,
    /// Faults of all kinds.
    pub faults: u64,
    /// Crashes of a process, which are faults too.
    pub crashes: u64,
    /// Lines of the trace.
    pub lines: u64,
    /// Simulated seconds.
    pub seconds: u64,
}

impl Counts {
    /// Adds the counts of another seed.
    pub fn add(&mut self, other: Counts) {
        self.acts += other.acts;
        self.requests += other.requests;
        self.journal_calls += other.journal_calls;
        self.gateway_events += other.gateway_events;
        self.entries += other.entries;
        self.faults += other.faults;
        self.crashes += other.crashes;
        self.lines += other.lines;
        self.seconds += other.seconds;
    }
}

/// Runs a seed on a thread of its own, whose random numbers all follow from the seed.
///
/// # Panics
/// If the simulation itself fails.
pub fn run(seed: u64, options: Options) -> Report {
    // What is made once a process, at its first use, would use up random numbers of the first seed. So another one goes
    // before it.
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| drop(simulate(0, Options::default())));
    simulate(seed, options)
}

fn simulate(seed: u64, options: Options) -> Report {
    let simulation = move || {
        os_random::seed_this_thread(seed);
        Simulation::new(seed, options).run()
    };
    std::thread::spawn(simulation).join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

struct Simulation {
    world: Arc<World>,
    sim: Sim<'static>,
    elapsed: Duration,
    /// When the next incident happens.
    incident: Option<(Duration, Incident)>,
    /// What ends an incident, and when.
    ends: Vec<(Duration, Incident)>,
    /// When each process that is down starts again.
    starts: Vec<Option<Duration>>,
    events: tokio::sync::mpsc::UnboundedReceiver<rookery_playground::testing::ObservedEvent>,
    /// Since when no process is connected, by the true time.
    unconnected_since: Option<i64>,
}

impl Simulation {
    fn new(seed: u64, options: Options) -> Simulation {
        let world = World::new(seed, options);
        let mut sim = Builder::new()
            .rng_seed(mix(seed))
            .tick_duration(TICK)
            .simulation_duration(Duration::from_secs(1_000_000))
            .min_message_latency(Duration::from_millis(1))
            .max_message_latency(2 * TICK)
            .tcp_capacity(100_000)
            .enable_random_order()
            .build();
        let of = world.clone();
        sim.host(discord_host::NAME, move || discord_host::run(of.clone()));
        // Discord has started when the first process does.
        step(&mut sim);
        let events = world.discord().observe();
        for process in 0..world.processes.len() {
            let of = world.clone();
            sim.host(name(process), move || bot::run(of.clone(), process));
        }
        world.faults.set_on(true);
        let incident = world.faults.next_incident();
        let starts = vec![None; world.processes.len()];
        let (elapsed, ends, unconnected_since) = (Duration::ZERO, Vec::new(), Some(world.time.now_ms()));
        Simulation { world, sim, elapsed, incident, ends, starts, events, unconnected_since }
    }

    fn run(mut self) -> Report {
        self.run_until(FAULTY, |_| false);
        if self.world.has_idle_time() {
            self.world.set_stage(Stage::Idle);
            self.run_until(FAULTY + IDLE, |_| false);
        }
        self.end_faults();
        self.world.set_stage(Stage::Settling);
        let settled = self.run_until(self.elapsed + SETTLING, |it| it.is_settled());
        if !settled {
            invariants::unsettled(&self.world);
        }
        self.world.set_stage(Stage::LastMoves);
        let done =
            self.run_until(self.elapsed + LAST_MOVES, |it| invariants::last_moves_are_posted(&it.world));
        if !done {
            invariants::stuck_tables(&self.world);
        }
        invariants::check(&self.world);
        self.report()
    }

    /// Moves the time on until then, or until something holds; returns whether it does.
    fn run_until(&mut self, until: Duration, holds: impl Fn(&Simulation) -> bool) -> bool {
        let mut ticks = 0_u32;
        while self.elapsed < until {
            self.tick();
            ticks += 1;
            // Looking is not free.
            if ticks.is_multiple_of(40) && holds(self) {
                return true;
            }
        }
        false
    }

    fn tick(&mut self) {
        step(&mut self.sim);
        self.elapsed += TICK;
        self.world.time.advance(TICK);
        self.world.discord().clock().advance(TICK);
        while let Ok(event) = self.events.try_recv() {
            self.world.counts.gateway_events.add();
            let text: String =
                event.data["content"].as_str().unwrap_or_default().chars().take(SHOWN_CHARS).collect();
            let nonce = event.data["nonce"].as_str().unwrap_or_default();
            self.world.note(|| format!("event {} {text:?} {nonce}", event.name));
        }
        self.note_connection();
        for process in 0..self.world.processes.len() {
            if self.world.takes_crash(process) {
                self.crash(process);
            }
            if self.world.processes[process].ended.swap(false, Ordering::Relaxed) {
                self.starts[process] = Some(self.elapsed + Duration::from_secs(1));
            }
            if self.starts[process].is_some_and(|at| at <= self.elapsed) {
                self.starts[process] = None;
                self.sim.bounce(name(process));
            }
        }
        while let Some(at) = self.ends.iter().position(|(end, _)| *end <= self.elapsed) {
            let (_, incident) = self.ends.swap_remove(at);
            self.end(incident);
        }
        if self.world.stage() <= Stage::Idle
            && let Some((at, incident)) = self.incident
            && at <= self.elapsed
        {
            self.begin(incident);
            self.incident =
                self.world.faults.next_incident().map(|(pause, next)| (self.elapsed + pause, next));
        }
    }

    fn note_connection(&mut self) {
        let now = self.world.time.now_ms();
        match (self.world.discord().connected_shards().is_empty(), self.unconnected_since) {
            (true, None) => self.unconnected_since = Some(now),
            (false, Some(since)) => {
                lock(&self.world.outages).push((since, now));
                self.unconnected_since = None;
            }
            _ => {}
        }
    }

    fn crash(&mut self, process: usize) {
        if self.starts[process].is_some() {
            return;
        }
        self.world.counts.crashes.add();
        self.world.note_fault(|| format!("process {process} crashes"));
        self.sim.crash(name(process));
        self.world.leases.cut(self.world.processes[process].member.load(Ordering::Relaxed));
        self.world.processes[process].ended.store(false, Ordering::Relaxed);
        self.starts[process] = Some(self.elapsed + self.world.faults.downtime());
    }

    fn begin(&mut self, incident: Incident) {
        self.world.note_fault(|| format!("{incident:?}"));
        let process =
            SeededRng::new(self.elapsed.as_millis() as u64).below(self.world.processes.len() as u64);
        let process = process as usize;
        let faults = self.world.discord().faults();
        let mut ends_after = |by: Duration| self.ends.push((self.elapsed + by, incident));
        match incident {
            Incident::Crash => self.crash(process),
            Incident::Restart => {
                if let Some(stop) = lock(&self.world.processes[process].stop).as_ref() {
                    stop.advance();
                }
            }
            Incident::Partition(by) => {
                ends_after(by);
                self.sim.hold(name(process), discord_host::NAME);
            }
            Incident::CutGateway => faults.drop_gateway(),
            Incident::CloseGateway(code) => faults.close_gateway(code),
            Incident::AskToReconnect => faults.ask_to_reconnect(),
            Incident::InvalidSession(resumable) => faults.invalidate_sessions(resumable),
            Incident::SilentHeartbeats(by) => {
                ends_after(by);
                faults.ignore_heartbeats(true);
            }
            Incident::ForgottenSessions(by) => {
                ends_after(by);
                faults.forget_sessions(true);
            }
            Incident::NoGatewayAddress(by) => {
                ends_after(by);
                faults.fail_gateway_address(true);
            }
            Incident::RepeatedEvents(count) => faults.duplicate_events(count),
            Incident::SwappedEvents => faults.swap_next_events(),
            Incident::WrongClock(seconds) => self.world.processes[process].clock.set_error(seconds * 1_000),
            Incident::Stall(by) => self.world.stall(process, by),
            Incident::Sleep(by) => {
                let now = self.world.time.now_ms();
                lock(&self.world.outages).push((now, now + i64::try_from(by.as_millis()).unwrap_or(0)));
                self.world.time.advance(by);
                self.world.discord().clock().advance(by);
            }
        }
    }

    fn end(&mut self, incident: Incident) {
        self.world.note(|| format!("the end of {incident:?}"));
        let faults = self.world.discord().faults();
        match incident {
            Incident::Partition(_) => {
                for process in 0..self.world.processes.len() {
                    self.sim.release(name(process), discord_host::NAME);
                }
            }
            Incident::SilentHeartbeats(_) => faults.ignore_heartbeats(false),
            Incident::ForgottenSessions(_) => faults.forget_sessions(false),
            Incident::NoGatewayAddress(_) => faults.fail_gateway_address(false),
            _ => {}
        }
    }

    fn end_faults(&mut self) {
        self.world.faults.set_on(false);
        self.world.discord().faults().end_swaps();
        for (_, incident) in std::mem::take(&mut self.ends) {
            self.end(incident);
        }
        for (number, process) in self.world.processes.iter().enumerate() {
            process.clock.set_error(0);
            self.world.stall(number, Duration::ZERO);
        }
    }

    /// Whether every process runs and nothing is due any more.
    fn is_settled(&self) -> bool {
        let is_up = self.starts.iter().all(Option::is_none);
        is_up && self.unconnected_since.is_none() && invariants::nothing_is_due(&self.world)
    }

    fn report(self) -> Report {
        let world = self.world;
        let (lines, digest) = world.trace.digest();
        let counts = &world.counts;
        let entries = invariants::count_entries(&world);
        let violations = lock(&world.violations).clone();
        let report = Report {
            seed: world.seed,
            violations,
            counts: Counts {
                acts: counts.acts.get(),
                requests: counts.requests.get(),
                journal_calls: counts.journal_calls.get(),
                gateway_events: counts.gateway_events.get(),
                entries,
                faults: counts.faults.get(),
                crashes: counts.crashes.get(),
                lines,
                seconds: self.elapsed.as_secs(),
            },
            digest,
        };
        drop(self.sim);
        world.close_store();
        report
    }
}

fn step(sim: &mut Sim<'static>) {
    if let Err(error) = sim.step() {
        panic!("the simulation fails: {error}");
    }
}

fn name(process: usize) -> String {
    format!("bot-{process}")
}
