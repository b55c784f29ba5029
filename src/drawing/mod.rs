//! Drawing beside everything else: off the async threads, a bounded number of pictures at a time, and each picture
//! once, as long as there is room to keep it.
//!
//! Replays take long and stills do not: one thread, where there are several, is never busy with a replay, and with a
//! single thread they take turns.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use rookery_render::{Fingerprint, Painter};
use rookery_tasks::Tasks;

/// Stills that may wait to be drawn, of those that can be refused.
const MAX_STILLS: usize = 256;
/// Replays that may wait to be drawn, of those that can be refused.
const MAX_REPLAYS: usize = 16;
/// Bytes of pictures that are kept where nobody says.
const KEPT_BYTES: u64 = 32 << 20;
/// About what a board's picture takes.
const STILL_BYTES: u64 = 32 << 10;

/// A file with a picture in it.
pub type File = Arc<[u8]>;

/// How long a drawing takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Milliseconds: a board, a sheet of them, a page.
    Still,
    /// Up to seconds: a moving picture.
    Replay,
}

/// What happens where too many drawings wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitPolicy {
    /// The drawing is refused: the person who waits for it can ask again.
    Refuse,
    /// It waits as long as it takes. Whoever asks so bounds how many they are.
    Waits,
}

/// Why something was not drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// Too many drawings wait.
    #[error("too many pictures are being drawn")]
    TooMany,
    /// There is nothing to draw, or a fault of ours.
    #[error("a picture cannot be drawn: {0}")]
    Failed(String),
}

/// How much is drawn at a time and kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Threads that draw; 0 is half as many as the processor has, and at least one.
    pub threads: usize,
    /// Bytes of pictures that are kept.
    pub kept_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { threads: 0, kept_bytes: KEPT_BYTES }
    }
}

/// Draws. A copy shares the threads and what is kept.
#[derive(Clone)]
pub struct Drawing(Arc<Shared>);

struct Shared {
    painter: Painter,
    tasks: Tasks,
    /// One for each thread that may draw.
    slots: Arc<Semaphore>,
    /// One for each thread that may draw a replay: it is taken first, so that replays do not fill the other queue.
    replay_slots: Arc<Semaphore>,
    stills: AtomicUsize,
    replays: AtomicUsize,
    kept: Cache<Fingerprint, File, ByLength>,
}

/// Pictures weigh what they are long.
#[derive(Clone)]
struct ByLength;

impl Weighter<Fingerprint, File> for ByLength {
    fn weight(&self, _: &Fingerprint, file: &File) -> u64 {
        file.len().max(1) as u64
    }
}

/// A place among those that wait or are drawn, until it is dropped.
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
    /// With a painter, within limits.
    pub fn new(painter: Painter, limits: Limits) -> Drawing {
        Drawing::with_tasks(painter, limits, Tasks::default())
    }

    /// The same; what is drawn is counted among these.
    pub fn with_tasks(painter: Painter, limits: Limits, tasks: Tasks) -> Drawing {
        let threads = match limits.threads {
            0 => std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)),
            threads => threads,
        };
        let about = usize::try_from(limits.kept_bytes / STILL_BYTES).unwrap_or(usize::MAX);
        Drawing(Arc::new(Shared {
            painter,
            tasks,
            slots: Arc::new(Semaphore::new(threads)),
            replay_slots: Arc::new(Semaphore::new(threads.saturating_sub(1).max(1))),
            stills: AtomicUsize::new(0),
            replays: AtomicUsize::new(0),
            kept: Cache::with_weighter(about.max(1), limits.kept_bytes, ByLength),
        }))
    }

    /// The painter, for work that is on a drawing thread.
    pub fn painter(&self) -> &Painter {
        &self.0.painter
    }

    /// The picture of this fingerprint: what is kept, or what `draw` makes of it on a drawing thread. Whoever asks for
    /// the same meanwhile gets the same.
    ///
    /// # Errors
    /// If too many wait, if `draw` makes nothing, or if it panics.
    pub async fn picture(
        &self,
        fingerprint: Fingerprint,
        kind: Kind,
        patience: WaitPolicy,
        draw: impl FnOnce(&Painter) -> Option<Vec<u8>> + Send + 'static,
    ) -> Result<File, DrawError> {
        let drawn = async {
            let file = self.run(kind, patience, draw).await?;
            file.map(File::from).ok_or_else(|| DrawError::Failed("there is nothing in it".into()))
        };
        self.0.kept.get_or_insert_async(&fingerprint, drawn).await
    }

    /// Does some drawing on a drawing thread; nothing of it is kept.
    ///
    /// # Errors
    /// If too many wait, or `work` panics.
    pub async fn run<T: Send + 'static>(
        &self,
        kind: Kind,
        patience: WaitPolicy,
        work: impl FnOnce(&Painter) -> T + Send + 'static,
    ) -> Result<T, DrawError> {
        let _place = self.place(kind, patience)?;
        let slots = self.slots(kind).await?;
        let painter = self.0.painter.clone();
        let work = move || {
            // Held until it is done, whoever has stopped waiting for it.
            let _slots = slots;
            work(&painter)
        };
        self.0.tasks.blocking("drawing", work).await.map_err(|error| DrawError::Failed(error.to_string()))
    }

    fn place(&self, kind: Kind, patience: WaitPolicy) -> Result<SlotGuard<'_>, DrawError> {
        let (count, most) = match kind {
            Kind::Still => (&self.0.stills, MAX_STILLS),
            Kind::Replay => (&self.0.replays, MAX_REPLAYS),
        };
        let before = count.fetch_add(1, Ordering::Relaxed);
        let place = SlotGuard(count);
        if patience == WaitPolicy::Refuse && before >= most { Err(DrawError::TooMany) } else { Ok(place) }
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
