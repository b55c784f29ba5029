//! What the parts of a simulation share: the seed, the time, the faults, the trace, the file, and what people did.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rookery_playground::Playground;
use rookery_playground::testing::person::PendingInteraction;
use rookery_store::Sqlite;
use rookery_table::TableId;
use rookery_table::ports::Journal;
use rookery_tasks::Tasks;
use tempfile::TempDir;

use crate::clock::{BEGINNING_MS, ProcessClock, TrueTime};
use crate::faults::FaultPlan;
use crate::leases::Leases;
use crate::options::{Defect, Options};
use crate::store_thread::wait;
use crate::trace::Trace;
use crate::violation::Violation;

/// One seed of this number has a time in which nobody acts.
const IDLE_SEEDS: u64 = 3;

/// The number of reading connections of the SQLite adapter.
const READERS: usize = 4;

/// A journal without tables, with the present schema.
static EMPTY_JOURNAL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = folder();
    let path = folder.path().join("empty.sqlite");
    wait(async {
        Sqlite::open(&path).await.expect("the folder can be written").close().await;
    });
    std::fs::read(&path).expect("it was just written")
});

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often things happened.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) acts: Counter,
    pub(crate) requests: Counter,
    pub(crate) journal_calls: Counter,
    pub(crate) gateway_events: Counter,
    pub(crate) faults: Counter,
    pub(crate) crashes: Counter,
}

/// The stages of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// People play, and faults happen.
    Faulty,
    /// Faults go on, but nobody acts, so that clocks run out.
    Idle,
    /// There are no more faults and no more acts.
    Settling,
    /// Each running game gets one more move.
    LastMoves,
}

/// An interaction of a person with the bot.
pub(crate) struct Asked {
    pub(crate) interaction: PendingInteraction,
    /// What it was, for the trace.
    pub(crate) what: String,
    /// When, by the true time in milliseconds.
    pub(crate) at_ms: i64,
    /// Whether it happened in the last stage, without faults.
    pub(crate) in_calm: bool,
}

/// A process of the bot, as the driver sees it.
pub(crate) struct Process {
    pub(crate) clock: ProcessClock,
    /// Whether it waits for its crash.
    crash: AtomicBool,
    /// Whether it has ended by itself.
    pub(crate) ended: AtomicBool,
    /// Its number among those that share the store, since its latest start.
    pub(crate) member: AtomicU64,
    /// Until when the store does not answer it, by the true time in milliseconds.
    stalled_until_ms: AtomicI64,
    pub(crate) stop: Mutex<Option<rookery::shutdown::ShutdownTrigger>>,
}

/// What the parts of a simulation share.
pub(crate) struct World {
    pub(crate) seed: u64,
    pub(crate) defect: Option<Defect>,
    pub(crate) time: TrueTime,
    pub(crate) faults: FaultPlan,
    /// What the processes share besides the journal, if there are several.
    pub(crate) leases: Leases,
    pub(crate) counts: Counters,
    pub(crate) trace: Trace,
    pub(crate) processes: Vec<Process>,
    pub(crate) playground: OnceLock<Arc<Playground>>,
    pub(crate) asked: Mutex<Vec<Asked>>,
    /// The number of turns at each table before its last move, once those are made.
    pub(crate) last_moves: Mutex<Option<BTreeMap<TableId, usize>>>,
    pub(crate) violations: Mutex<Vec<Violation>>,
    /// The tasks of every start of a process.
    pub(crate) tasks: Mutex<Vec<Tasks>>,
    /// Spans of true time in which no process was connected to Discord, in milliseconds.
    pub(crate) outages: Mutex<Vec<(i64, i64)>>,
    stage: Mutex<Stage>,
    store: Mutex<Option<Arc<Sqlite>>>,
    folder: TempDir,
}

impl World {
    pub(crate) fn new(seed: u64, options: Options) -> Arc<World> {
        let processes = options.processes.unwrap_or_else(|| own_processes(seed));
        let folder = folder();
        std::fs::write(folder.path().join("journal.sqlite"), &*EMPTY_JOURNAL).expect("the folder is ours");
        let time = TrueTime::beginning();
        let process = |_| Process {
            clock: ProcessClock::new(time.clone()),
            crash: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            member: AtomicU64::new(0),
            stalled_until_ms: AtomicI64::new(0),
            stop: Mutex::default(),
        };
        Arc::new(World {
            seed,
            defect: options.defect,
            faults: FaultPlan::new(seed, processes),
            leases: Leases::new(seed, time.clone()),
            counts: Counters::default(),
            trace: Trace::new(options.output),
            processes: (0..processes).map(process).collect(),
            playground: OnceLock::new(),
            asked: Mutex::default(),
            last_moves: Mutex::default(),
            violations: Mutex::default(),
            tasks: Mutex::default(),
            outages: Mutex::default(),
            stage: Mutex::new(Stage::Faulty),
            store: Mutex::default(),
            time,
            folder,
        })
    }

    /// Adds a line to the trace.
    pub(crate) fn note(&self, line: impl FnOnce() -> String) {
        let ms = self.time.now_ms() - BEGINNING_MS;
        self.trace.add(&format!("{:>10.3} {}", ms as f64 / 1_000.0, line()));
    }

    /// Adds a line about a fault to the trace, and counts it.
    pub(crate) fn note_fault(&self, line: impl FnOnce() -> String) {
        self.counts.faults.add();
        self.note(|| format!("FAULT {}", line()));
    }

    /// Waits for the crash of a process, which this call causes.
    pub(crate) async fn crash_here(&self, process: usize) {
        self.processes[process].crash.store(true, Ordering::Relaxed);
        std::future::pending().await
    }

    /// Whether a process waits for its crash. The answer is yes only once.
    pub(crate) fn takes_crash(&self, process: usize) -> bool {
        self.processes[process].crash.swap(false, Ordering::Relaxed)
    }

    /// Lets the store give a process no answer for a while.
    pub(crate) fn stall(&self, process: usize, by: Duration) {
        let until_ms = self.time.now_ms() + i64::try_from(by.as_millis()).unwrap_or(0);
        self.processes[process].stalled_until_ms.store(until_ms, Ordering::Relaxed);
    }

    /// Returns for how long the store gives a process no answer.
    pub(crate) fn stall_of(&self, process: usize) -> Option<Duration> {
        let until_ms = self.processes[process].stalled_until_ms.load(Ordering::Relaxed);
        let rest_ms = u64::try_from(until_ms - self.time.now_ms()).ok().filter(|rest| *rest > 0);
        rest_ms.map(Duration::from_millis)
    }

    pub(crate) fn stage(&self) -> Stage {
        *lock(&self.stage)
    }

    pub(crate) fn set_stage(&self, stage: Stage) {
        *lock(&self.stage) = stage;
        self.note(|| format!("{stage:?}"));
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("journal.sqlite")
    }

    /// Opens the file as a process does that starts. What an earlier process left open is closed.
    pub(crate) fn open_store(&self) -> Arc<Sqlite> {
        let mut store = lock(&self.store);
        // Several processes share a store that none of them opens or closes, as a server's.
        if let Some(shared) = store.clone().filter(|_| self.processes.len() > 1) {
            return shared;
        }
        if let Some(earlier) = store.take() {
            wait(earlier.close());
        }
        let opened = Arc::new(wait(Sqlite::open(&self.path())).expect("nobody else has the file"));
        // All reading connections are opened now. Otherwise it depends on the pool's thread when one is opened, which
        // uses up random numbers of this thread.
        let reads = [(); READERS].map(|()| opened.note("alive"));
        wait(futures_util::future::join_all(reads)).into_iter().for_each(drop);
        *store = Some(opened.clone());
        opened
    }

    /// Returns the journal for a look from outside, without faults.
    pub(crate) fn store(&self) -> Arc<Sqlite> {
        let open = lock(&self.store).clone();
        open.unwrap_or_else(|| self.open_store())
    }

    /// Closes the file, to look at it as a whole.
    pub(crate) fn close_store(&self) {
        if let Some(store) = lock(&self.store).take() {
            wait(store.close());
        }
    }

    /// Returns Discord, once it runs.
    pub(crate) fn discord(&self) -> Arc<Playground> {
        self.playground.get().expect("Discord starts first").clone()
    }

    /// Whether faults go on for a while without people, so that clocks run out.
    pub(crate) fn has_idle_time(&self) -> bool {
        self.seed.is_multiple_of(IDLE_SEEDS)
    }

    /// Whether the bot reads messages that do not mention it.
    pub(crate) fn reads_all(&self) -> bool {
        self.seed.is_multiple_of(2)
    }

    pub(crate) fn violate(&self, violation: Violation) {
        self.note(|| format!("VIOLATED {violation}"));
        lock(&self.violations).push(violation);
    }
}

/// One seed of four has two processes.
fn own_processes(seed: u64) -> usize {
    if seed % 4 == 3 { 2 } else { 1 }
}

pub(crate) fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a folder, in memory where the system has such a place.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("the system has a folder for temporary files")
}
