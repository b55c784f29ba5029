//! Draws pictures off the async threads, with a bounded number of pictures at a time and a bounded cache.
//!
//! Replays take long and stills do not. Therefore one of several threads never draws a replay; a single
//! thread alternates between both queues.

mod proof;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use rookery_render::{Fingerprint, Painter};
use rookery_tasks::{Queue, RecordOnDrop, Tasks};

pub use proof::proof_look;

/// The most refusable stills that wait or are drawn.
const MAX_STILLS: usize = 256;
/// The most refusable replays that wait or are drawn.
const MAX_REPLAYS: usize = 16;
/// The default size of the cache in bytes.
const CACHE_BYTES: u64 = 32 << 20;
/// The approximate size of a board's picture, to estimate how many entries the cache holds.
const STILL_BYTES: u64 = 32 << 10;

/// The bytes of an image file.
pub type File = Arc<[u8]>;

/// How long a drawing takes; the name in metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Milliseconds: a board, a contact sheet, a page.
    Still,
    /// Up to seconds: an animation.
    Replay,
}

/// The policy for a drawing when too many wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitPolicy {
    /// The drawing is refused: the person who waits for it can ask again.
    Refuse,
    /// It waits as long as it takes. The caller bounds the number of such drawings.
    Wait,
}

/// Why a picture was not drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// Too many drawings wait.
    #[error("too many pictures are being drawn")]
    TooMany,
    /// There is nothing to draw, or the program has a bug.
    #[error("a picture cannot be drawn: {0}")]
    Failed(String),
}

/// The limits on concurrent drawings and on the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of drawing threads; 0 is half as many as the processor has, and at least one.
    pub threads: usize,
    /// The size of the cache in bytes.
    pub cache_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { threads: 0, cache_bytes: CACHE_BYTES }
    }
}

/// Draws and caches pictures. Clones share the threads and the cache.
#[derive(Clone)]
pub struct Drawing(Arc<Shared>);

struct Shared {
    painter: Painter,
    tasks: Tasks,
    /// One permit for each thread that may draw.
    slots: Arc<Semaphore>,
    /// One permit for each thread that may draw a replay. It is acquired first, so that replays do not fill
    /// the queue for `slots`.
    replay_slots: Arc<Semaphore>,
    stills: AtomicUsize,
    replays: AtomicUsize,
    kept: Cache<Fingerprint, File, PictureWeighter>,
}

/// Weighs a cached picture by its size in bytes.
#[derive(Clone)]
struct PictureWeighter;

impl Weighter<Fingerprint, File> for PictureWeighter {
    fn weight(&self, _: &Fingerprint, file: &File) -> u64 {
        file.len().max(1) as u64
    }
}

/// Counts a drawing that waits or runs, until it is dropped.
struct SlotGuard<'a>(&'a AtomicUsize);

impl Drop for SlotGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing::new(Painter::new(), Limits::default())
    }
}

impl Drawing {
    /// Creates a service with a painter and limits, and with tasks of its own.
    pub fn new(painter: Painter, limits: Limits) -> Drawing {
        Drawing::with_tasks(painter, limits, Tasks::default())
    }

    /// Creates a service whose drawings are measured by `tasks`.
    pub fn with_tasks(painter: Painter, limits: Limits, tasks: Tasks) -> Drawing {
        let threads = match limits.threads {
            0 => std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)),
            threads => threads,
        };
        let about = usize::try_from(limits.cache_bytes / STILL_BYTES).unwrap_or(usize::MAX);
        Drawing(Arc::new(Shared {
            painter,
            tasks,
            slots: Arc::new(Semaphore::new(threads)),
            replay_slots: Arc::new(Semaphore::new(threads.saturating_sub(1).max(1))),
            stills: AtomicUsize::new(0),
            replays: AtomicUsize::new(0),
            kept: Cache::with_weighter(about.max(1), limits.cache_bytes, PictureWeighter),
        }))
    }

    /// Returns the tasks that measure the drawings.
    pub fn tasks(&self) -> &Tasks {
        &self.0.tasks
    }

    /// Returns the painter, for work that already runs on a drawing thread.
    pub fn painter(&self) -> &Painter {
        &self.0.painter
    }

    /// Returns the picture with this fingerprint: from the cache, or the result of `draw` on a drawing
    /// thread. Concurrent calls with the same fingerprint share one drawing.
    ///
    /// # Errors
    /// If too many wait, if `draw` returns nothing, or if it panics.
    pub async fn picture(
        &self,
        fingerprint: Fingerprint,
        kind: Kind,
        wait_policy: WaitPolicy,
        draw: impl FnOnce(&Painter) -> Option<Vec<u8>> + Send + 'static,
    ) -> Result<File, DrawError> {
        let drawn = async {
            let file = self.run(kind, wait_policy, draw).await?;
            file.map(File::from).ok_or_else(|| DrawError::Failed("there is nothing in it".into()))
        };
        self.0.kept.get_or_insert_async(&fingerprint, drawn).await
    }

    /// Runs drawing work on a drawing thread without caching the result.
    ///
    /// # Errors
    /// If too many wait, or `work` panics.
    pub async fn run<T: Send + 'static>(
        &self,
        kind: Kind,
        wait_policy: WaitPolicy,
        work: impl FnOnce(&Painter) -> T + Send + 'static,
    ) -> Result<T, DrawError> {
        let _place = self.place(kind, wait_policy)?;
        let queued = Instant::now();
        let slots = self.slots(kind).await?;
        let (painter, timings) = (self.0.painter.clone(), self.0.tasks.timings().clone());
        timings.queue_age(Queue::Drawing, queued.elapsed());
        let work = move || {
            // The permits are held until the work ends, even if the caller no longer waits.
            let _slots = slots;
            let _timer = RecordOnDrop::new(|took| timings.drawing(kind.into(), took));
            work(&painter)
        };
        self.0.tasks.blocking("drawing", work).await.map_err(|error| DrawError::Failed(error.to_string()))
    }

    fn place(&self, kind: Kind, wait_policy: WaitPolicy) -> Result<SlotGuard<'_>, DrawError> {
        let (count, most) = match kind {
            Kind::Still => (&self.0.stills, MAX_STILLS),
            Kind::Replay => (&self.0.replays, MAX_REPLAYS),
        };
        let before = count.fetch_add(1, Ordering::Relaxed);
        let place = SlotGuard(count);
        if wait_policy == WaitPolicy::Refuse && before >= most { Err(DrawError::TooMany) } else { Ok(place) }
    }

    async fn slots(&self, kind: Kind) -> Result<Vec<OwnedSemaphorePermit>, DrawError> {
        let replays = Some(&self.0.replay_slots).filter(|_| kind == Kind::Replay);
        let mut held = Vec::new();
        for slots in replays.into_iter().chain([&self.0.slots]) {
            let slot = Arc::clone(slots).acquire_owned().await;
            held.push(slot.map_err(|error| DrawError::Failed(error.to_string()))?);
        }
        Ok(held)
    }
}
