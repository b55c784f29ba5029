//! A playground whose requests arrive over a network of the test's own.

use std::net::SocketAddr;

use anyhow::Result;
use axum::Router;

use crate::options::Options;
use crate::playground::{Playground, open_state};
use crate::server::router;
use crate::task_runner::TaskFuture;

impl Playground {
    /// Opens a playground that does not listen: the caller serves [`Playground::router`] at `addr`.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub async fn without_listener(options: Options, addr: SocketAddr) -> Result<Playground> {
        let shared = open_state(options, addr).await?;
        let serving = shared.clone();
        let start = move || -> TaskFuture { Box::pin(serving.closing()) };
        let server = shared.options.tasks.supervise("playground", shared.stop_token(), Box::new(start));
        Ok(Playground { shared, addr, server })
    }

    /// Returns the routes: the REST API, the gateway and the page.
    pub fn router(&self) -> Router {
        router(&self.shared)
    }
}
