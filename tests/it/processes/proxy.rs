//! A proxy between a process and the database, which cuts and stalls its connections.

use std::path::{Path, PathBuf};

use rookery_store::testing::postgres_server::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// The name of a server's socket in its folder, without configuration.
const SOCKET: &str = ".s.PGSQL.5432";

/// How a connection passes bytes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Open,
    /// Nothing is passed on, and nothing says so.
    Stalled,
}

/// The proxy of one process.
pub(super) struct Proxy {
    folder: tempfile::TempDir,
    /// Counts the cuts; each ends every connection, whatever it carries.
    cuts: watch::Sender<u64>,
    flow: watch::Sender<Flow>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy to this server.
    pub(super) fn start(server: &Server) -> Proxy {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let (cuts, flow) = (watch::Sender::new(0), watch::Sender::new(Flow::Open));
        let (cut, stalled, to) = (cuts.subscribe(), flow.subscribe(), server.folder().join(SOCKET));
        let accepting = tokio::spawn(accept(listener, to, cut, stalled));
        Proxy { folder, cuts, flow, accepting }
    }

    /// The folder with the proxy's socket.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Cuts all connections in the middle of what they carry.
    pub(super) fn cut(&self) {
        self.cuts.send_modify(|count| *count += 1);
    }

    /// Passes nothing on until [`Proxy::resume`]; connections stay open.
    pub(super) fn stall(&self) {
        self.flow.send_replace(Flow::Stalled);
    }

    /// Ends a stall: what was held back is passed on.
    pub(super) fn resume(&self) {
        self.flow.send_replace(Flow::Open);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: UnixListener, to: PathBuf, cut: watch::Receiver<u64>, flow: watch::Receiver<Flow>) {
    let mut relays = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        relays.spawn(relay(client, to.clone(), cut.clone(), flow.clone()));
        while relays.try_join_next().is_some() {}
    }
}

/// Connects a client with the server until one of them closes or the proxy cuts.
async fn relay(client: UnixStream, to: PathBuf, mut cut: watch::Receiver<u64>, flow: watch::Receiver<Flow>) {
    cut.mark_unchanged();
    let Ok(server) = UnixStream::connect(to).await else { return };
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    tokio::select! {
        _ = pass(from_client, to_server, flow.clone()) => {}
        _ = pass(from_server, to_client, flow) => {}
        _ = cut.changed() => {}
    }
}

async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut flow: watch::Receiver<Flow>,
) -> std::io::Result<()> {
    let mut bytes = [0; 8192];
    loop {
        let count = from.read(&mut bytes).await?;
        let opened = flow.wait_for(|flow| *flow == Flow::Open).await.is_ok();
        if count == 0 || !opened {
            return Ok(());
        }
        to.write_all(&bytes[..count]).await?;
    }
}
