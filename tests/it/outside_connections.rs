//! With an API base configured, nothing may reach the real Discord: a server that does not return its gateway
//! ends the program, and a server that does is the only one that the program connects to.

use std::net::SocketAddr;

use axum::Router;
use axum::http::StatusCode;
use rookery_playground::limits::RateLimits;
use rookery_playground::testing::request_log::LoggedRequest;
use rookery_playground::{Options, Playground};
use serde_json::json;
use tokio::net::TcpListener;

use crate::command_line::Program;
use crate::duel::slash_play;
use crate::eventually::eventually;

/// The token that the program is started with.
const TOKEN: &str = "playground";

/// A listener in place of the real Discord's HTTPS address, which must receive no connection.
struct RefusingListener(std::net::TcpListener);

impl RefusingListener {
    fn set() -> RefusingListener {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        RefusingListener(listener)
    }

    fn proxy(&self) -> String {
        format!("http://{}", self.0.local_addr().unwrap())
    }

    fn is_untouched(&self) {
        let caught = self.0.accept();
        assert!(caught.is_err(), "a request went out over HTTPS");
    }
}

fn start(folder: &std::path::Path, base: &str, trap: &RefusingListener) -> Program {
    let proxy = trap.proxy();
    let environment = [
        ("DISCORD_TOKEN", TOKEN),
        ("DISCORD_API_BASE", base),
        ("HTTPS_PROXY", proxy.as_str()),
        ("NO_PROXY", "127.0.0.1"),
    ];
    Program::start(folder, &[], &environment)
}

async fn ends_and_names(base: String) {
    let (folder, trap) = (tempfile::tempdir().unwrap(), RefusingListener::set());
    let mut program = start(folder.path(), &base, &trap);
    let (status, said) = program.ended().await;
    assert!(!status.success(), "it goes on without a gateway");
    assert!(said.contains(&base) && said.contains("gateway"), "{said}");
    trap.is_untouched();
}

#[tokio::test]
async fn outside_connections_closed_port_ends_the_program() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", taken.local_addr().unwrap());
    drop(taken);
    ends_and_names(base).await;
}

#[tokio::test]
async fn outside_connections_failing_gateway_ends_the_program() {
    for status in
        [StatusCode::INTERNAL_SERVER_ERROR, StatusCode::SERVICE_UNAVAILABLE, StatusCode::UNAUTHORIZED]
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().fallback(move || async move { status });
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        ends_and_names(base).await;
        server.abort();
    }
}

/// Lists the program's sockets repeatedly while its server stops and starts.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn outside_connections_are_never_made() {
    let options =
        Options { rate_limits: RateLimits::none(), token: Some(TOKEN.to_owned()), ..Options::default() };
    let playground = Playground::start(options).await.unwrap();
    let (folder, trap) = (tempfile::tempdir().unwrap(), RefusingListener::set());
    let program = start(folder.path(), &playground.api_base(), &trap);
    let watch = sockets::Watch::begin(program.id());
    playground.wait_for_bot().await.unwrap();
    let (ada, games) = (playground.user("Ada"), playground.channel("games"));
    let terms = json!({"game": "amazons", "ai": "random", "size": "6x6"});
    slash_play(&ada, games, &terms).unwrap().message().await.unwrap();
    let faults = playground.faults();
    faults.fail_gateway_address(true);
    faults.invalidate_sessions(false);
    let tries = || {
        let asked = |it: &&LoggedRequest| it.path.contains("gateway") && it.status == 503;
        playground.requests().iter().filter(asked).count() as u64 + playground.gateway_connections()
    };
    let before = tries();
    faults.drop_gateway();
    eventually("it asks for the gateway's address, or connects to the one it knows", async || {
        tries() > before
    })
    .await;
    faults.fail_gateway_address(false);
    playground.wait_for_bot().await.unwrap();
    let seen = watch.end();
    assert!(seen.contains(&playground.addr()), "the watch saw nothing: {seen:?}");
    let away: Vec<&SocketAddr> = seen.iter().filter(|address| !address.ip().is_loopback()).collect();
    assert!(away.is_empty(), "connected to {away:?}");
    trap.is_untouched();
}

/// Lists the connections of a process from the kernel's tables.
#[cfg(target_os = "linux")]
mod sockets {
    use std::collections::BTreeSet;
    use std::fs;
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread::{self, JoinHandle};
    use std::time::Duration;

    pub(super) struct Watch {
        over: Arc<AtomicBool>,
        watcher: JoinHandle<BTreeSet<SocketAddr>>,
    }

    impl Watch {
        pub(super) fn begin(process: u32) -> Watch {
            let over = Arc::new(AtomicBool::new(false));
            let until = over.clone();
            let watcher = thread::spawn(move || {
                let mut seen = BTreeSet::new();
                while !until.load(Ordering::Relaxed) {
                    seen.extend(remote(process));
                    thread::sleep(Duration::from_millis(10));
                }
                seen
            });
            Watch { over, watcher }
        }

        /// Stops the thread and returns every address that it saw.
        pub(super) fn end(self) -> BTreeSet<SocketAddr> {
            self.over.store(true, Ordering::Relaxed);
            self.watcher.join().unwrap()
        }
    }

    /// Returns the remote addresses of a process's sockets: TCP, and UDP because DNS uses it.
    fn remote(process: u32) -> Vec<SocketAddr> {
        let own = inodes(process);
        let lists = ["tcp", "tcp6", "udp", "udp6"];
        let lines =
            lists.map(|list| fs::read_to_string(format!("/proc/{process}/net/{list}")).unwrap_or_default());
        let rows = lines.iter().flat_map(|text| text.lines().skip(1));
        let rows = rows.map(|line| line.split_whitespace().collect::<Vec<_>>());
        let mine = rows.filter(|columns| columns.get(9).is_some_and(|inode| own.contains(*inode)));
        mine.filter_map(|columns| address(columns[2])).filter(|address| address.port() != 0).collect()
    }

    fn inodes(process: u32) -> BTreeSet<String> {
        let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
        let targets = open.filter_map(|file| fs::read_link(file.path()).ok());
        let names = targets.map(|target| target.to_string_lossy().into_owned());
        names.filter_map(|name| Some(name.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())).collect()
    }

    /// Parses `0100007F:1F90`: words of four bytes in the machine's own byte order, then the port.
    fn address(text: &str) -> Option<SocketAddr> {
        let (ip, port) = text.split_once(':')?;
        let word = |at: usize| u32::from_str_radix(ip.get(at..at + 8)?, 16).ok().map(u32::to_ne_bytes);
        let ip = match ip.len() {
            8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
            _ => {
                let words = [word(0)?, word(8)?, word(16)?, word(24)?].concat();
                IpAddr::V6(Ipv6Addr::from(<[u8; 16]>::try_from(words).ok()?)).to_canonical()
            }
        };
        Some(SocketAddr::new(ip, u16::from_str_radix(port, 16).ok()?))
    }

    #[test]
    fn kernel_addresses_are_parsed() {
        if cfg!(target_endian = "little") {
            assert_eq!(address("0100007F:1F90"), Some("127.0.0.1:8080".parse().unwrap()));
            let six = address("00000000000000000000000001000000:0050");
            assert_eq!(six, Some("[::1]:80".parse().unwrap()));
        }
    }
}
