//! The thread of the SQLite adapter. The simulation waits for each call without running anything else, so that it takes
//! no virtual time and calls never overlap.

use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use tokio::runtime::{Builder, Runtime};

/// The runtime of the pools and timeouts of all simulations.
static STORE: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("the system gives a thread")
});

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end on this thread, with its timeouts and background tasks on the thread of the adapter.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    let _entered = STORE.enter();
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    // The budget of the task that polls this must not end: it would never be renewed here.
    let mut work = pin!(tokio::task::unconstrained(work));
    loop {
        match work.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(result) => return result,
            Poll::Pending => std::thread::park(),
        }
    }
}
