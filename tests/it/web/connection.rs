//! A connection between browsers and the pages that can be cut.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// The connection. Dropping it ends it.
pub(crate) struct Connection {
    address: SocketAddr,
    /// Whether bytes pass, and the number of cuts; each ends every open connection.
    state: watch::Sender<(bool, u64)>,
    accepting: JoinHandle<()>,
}

impl Connection {
    pub(crate) async fn to(server: SocketAddr) -> Connection {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = watch::Sender::new((true, 0));
        let accepting = tokio::spawn(accept(listener, server, state.subscribe()));
        Connection { address, state, accepting }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts everything that is open; new connections work.
    pub(crate) fn cut(&self) {
        self.state.send_modify(|(_, cuts)| *cuts += 1);
    }

    /// Cuts everything, and lets nothing through until [`Connection::mend`].
    pub(crate) fn lose(&self) {
        self.state.send_modify(|(passes, cuts)| (*passes, *cuts) = (false, *cuts + 1));
    }

    pub(crate) fn mend(&self) {
        self.state.send_modify(|(passes, _)| *passes = true);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, state: watch::Receiver<(bool, u64)>) {
    let mut relays = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let mut state = state.clone();
        let (passes, cuts) = *state.borrow_and_update();
        if passes {
            relays.spawn(async move {
                tokio::select! {
                    () = relay(client, server) => {}
                    _ = state.wait_for(|(_, now)| *now != cuts) => {}
                }
            });
        }
        while relays.try_join_next().is_some() {}
    }
}

async fn relay(mut client: TcpStream, server: SocketAddr) {
    if let Ok(mut server) = TcpStream::connect(server).await {
        // An end of the connection is no failure of the test: browsers close what they don't need.
        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
    }
}
