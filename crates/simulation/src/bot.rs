//! A process of the bot, put together as `src/run.rs` does, but with the network, disk and player of the simulation.

use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};

use rookery::discord::{self, Bot, Greeting, Settings};
use rookery::drawing::{Drawing, Limits};
use rookery::roles::Roles;
use rookery::{periodic_tasks, processes, shutdown};
use rookery_core::seed::mix;
use rookery_i18n::Languages;
use rookery_render::Painter;
use rookery_table::registry::TableRegistry;
use rookery_tasks::Tasks;

use crate::discord_host::{BASE, TOKEN};
use crate::disk::Disk;
use crate::network::SimulatedNetwork;
use crate::thinker::SeededThinker;
use crate::world::{World, lock};

/// The width of pictures: they are drawn, but nobody looks at them.
const WIDTH_PX: u32 = 64;

/// The most jobs that a process does at a time.
const MAX_JOBS: usize = 2;

static PAINTER: LazyLock<Painter> = LazyLock::new(Painter::new);
static LANGUAGES: LazyLock<Languages> = LazyLock::new(Languages::built_in);

/// Runs a process until it ends.
pub(crate) async fn run(world: Arc<World>, process: usize) -> turmoil::Result {
    world.note(|| format!("process {process} starts"));
    let ended = start(&world, process).await;
    world.note(|| format!("process {process} ends: {ended:?}"));
    world.processes[process].ended.store(true, Ordering::Relaxed);
    Ok(())
}

async fn start(world: &Arc<World>, process: usize) -> Result<(), String> {
    let tasks = Tasks::without_threads();
    lock(&world.tasks).push(tasks.clone());
    let journal = Arc::new(Disk::open(world.clone(), process));
    let clock = Arc::new(world.processes[process].clock.clone());
    let thinker = Arc::new(SeededThinker(world.clone()));
    // Every start draws other names and seeds.
    let seed = mix(world.seed ^ mix(lock(&world.tasks).len() as u64));
    let registry = TableRegistry::with_tasks(journal.clone(), clock, thinker, seed, tasks.clone());
    let (switch, stop) = shutdown::channel();
    *lock(&world.processes[process].stop) = Some(switch);
    processes::join(&registry, &Roles::default(), &stop).await.map_err(|error| error.to_string())?;
    registry.resume().await.map_err(|error| error.to_string())?;
    processes::work(&registry, MAX_JOBS, &stop);
    let settings = settings(world);
    periodic_tasks::begin(&registry, settings.challenge_hours, &stop);
    let bot = Bot {
        registry: registry.clone(),
        drawing: Drawing::with_tasks(PAINTER.clone(), Limits::default(), tasks.clone()),
        settings,
        languages: LANGUAGES.clone(),
        backups: None,
        discord_side: Default::default(),
    };
    let network = Arc::new(SimulatedNetwork { world: world.clone(), process });
    let ended = discord::run_over(network, bot, TOKEN, Some(BASE), stop).await;
    registry.close();
    tasks.abort().await;
    journal.leave();
    ended.map_err(|error| error.to_string())
}

fn settings(world: &World) -> Settings {
    Settings {
        message_content: world.reads_all(),
        width_px: WIDTH_PX,
        greeting: Greeting::Off,
        ..Settings::default()
    }
}
