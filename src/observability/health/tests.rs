//! Tests of health: with real sockets where the server matters, and with a paused clock elsewhere.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use rookery_tasks::{TaskSpec, heartbeat};

use super::*;
use crate::shutdown::{ShutdownTrigger, channel};

/// A store and gateway with injected failures.
#[derive(Default)]
struct FakeChecks {
    store_fails: Mutex<Option<&'static str>>,
    store_hangs: Mutex<bool>,
    gateway_lost: Mutex<Option<Duration>>,
    writes: AtomicUsize,
}

#[async_trait]
impl Checks for FakeChecks {
    async fn write(&self) -> Result<(), String> {
        self.writes.fetch_add(1, Ordering::Relaxed);
        if *self.store_hangs.lock().unwrap() {
            std::future::pending::<()>().await;
        }
        self.store_fails.lock().unwrap().map_or(Ok(()), |why| Err(why.into()))
    }

    async fn backlog(&self) -> Result<Backlog, String> {
        Ok(Backlog::default())
    }

    fn gateway_lost(&self) -> Option<Duration> {
        *self.gateway_lost.lock().unwrap()
    }
}

fn state() -> (Arc<FakeChecks>, HealthState, ShutdownTrigger) {
    let (checks, (switch, stop)) = (Arc::new(FakeChecks::default()), channel());
    let state = HealthState::new(Arc::default(), Tasks::default(), stop, checks.clone(), Vec::new());
    (checks, state, switch)
}

async fn served() -> (Arc<FakeChecks>, HealthState, ShutdownTrigger, Server, SocketAddr) {
    let (checks, state, switch) = state();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server(listener, state.clone());
    tokio::spawn(server.clone().serve(std::future::pending()));
    (checks, state, switch, server, address)
}

#[tokio::test]
async fn health_is_503_with_a_line_for_what_is_wrong_and_200_again() {
    let (checks, _state, _switch, _server, address) = served().await;
    ask(Some(address)).await.unwrap();
    *checks.gateway_lost.lock().unwrap() = Some(Duration::from_secs(12));
    let ill = ask(Some(address)).await.unwrap_err();
    assert_eq!(ill.to_string(), "gateway: Discord is out of reach for 12 s");
    *checks.gateway_lost.lock().unwrap() = None;
    ask(Some(address)).await.unwrap();
}

#[tokio::test]
async fn health_speaks_json_where_it_is_asked_to() {
    let (_trial, _state, _switch, _server, address) = served().await;
    let url = format!("http://{address}/health");
    let by_name = reqwest::get(format!("{url}?format=json")).await.unwrap();
    let by_header =
        reqwest::Client::new().get(&url).header("accept", "application/json").send().await.unwrap();
    for answer in [by_name, by_header] {
        let report: serde_json::Value = answer.json().await.unwrap();
        assert_eq!(
            (&report["well"], &report["parts"][0]["part"]),
            (&true.into(), &"store".into()),
            "{report}"
        );
    }
    let text = reqwest::get(&url).await.unwrap().text().await.unwrap();
    assert!(text.starts_with("well\nok store: a transaction took "), "{text}");
}

#[tokio::test]
async fn a_stopping_process_is_not_well_and_a_gone_one_is_silent() {
    let (_trial, _state, switch, _server, address) = served().await;
    switch.advance();
    assert_eq!(ask(Some(address)).await.unwrap_err().to_string(), "process: stopping");
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    assert!(matches!(ask(Some(free)).await, Err(HealthCheckError::NoResponse { .. })));
    assert!(matches!(ask(None).await, Err(HealthCheckError::NoAddress)));
}

#[tokio::test]
async fn the_counters_can_be_read() {
    let (_trial, state, _switch, _server, address) = served().await;
    state.metrics.orders.inc_by(5);
    let text = reqwest::get(format!("http://{address}/metrics")).await.unwrap().text().await.unwrap();
    assert!(text.contains("\nrookery_orders_total 5\n"), "{text}");
    assert!(text.contains("\nrookery_longest_poll_seconds{task=\"health server\"} "), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_store_that_takes_nothing_is_found_within_a_second_and_so_is_its_return() {
    let (checks, state, _switch) = state();
    assert!(state.report().await.well);
    *checks.store_fails.lock().unwrap() = Some("the disk is full");
    tokio::time::advance(Duration::from_secs(1)).await;
    let report = state.report().await;
    assert_eq!(
        (report.well, report.parts[0].state.as_str()),
        (false, "nothing can be written: the disk is full")
    );
    *checks.store_fails.lock().unwrap() = None;
    tokio::time::advance(Duration::from_secs(1)).await;
    assert!(state.report().await.well);
}

#[tokio::test(start_paused = true)]
async fn the_store_is_tried_once_a_second_however_often_health_is_asked() {
    let (checks, state, _switch) = state();
    for _ in 0..50 {
        state.report().await;
    }
    assert_eq!(checks.writes.load(Ordering::Relaxed), 1);
    tokio::time::advance(Duration::from_secs(1)).await;
    futures_util::future::join_all((0..50).map(|_| state.report())).await;
    assert_eq!(checks.writes.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_is_waited_for_two_seconds_and_tried_no_second_time() {
    let (checks, state, _switch) = state();
    *checks.store_hangs.lock().unwrap() = true;
    for seconds in [2, 4] {
        let report = state.report().await;
        assert!(!report.well);
        let why = format!("nothing can be written: a transaction has not ended for {seconds} s");
        assert_eq!(report.parts[0].state, why);
    }
    assert_eq!(checks.writes.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_hangs_is_named() {
    let (_trial, state, _switch) = state();
    let task = TaskSpec { name: "clocks", interval: Some(Duration::from_secs(1)) };
    state.tasks.supervise(task, state.stop.clone(), || async {
        for _ in 0..5 {
            heartbeat();
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        std::future::pending().await
    });
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert!(state.report().await.well);
    tokio::time::sleep(Duration::from_secs(30)).await;
    let text = state.report().await.text();
    assert!(text.starts_with("not well\ntask clocks: no beat for 31 s, one is due every 1 s\n"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_panics_is_restarted_and_counted() {
    let (_trial, state, _switch) = state();
    let task = TaskSpec { name: "clocks", interval: Some(Duration::from_secs(1)) };
    let rounds = Arc::new(AtomicUsize::new(0));
    state.tasks.supervise(task, state.stop.clone(), move || {
        let first = rounds.fetch_add(1, Ordering::Relaxed) == 0;
        async move {
            assert!(!first, "a panic that is meant");
            std::future::pending().await
        }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let text = state.report().await.text();
    assert!(
        text.starts_with("not well\ntask clocks: it panicked or ended early and waits for a restart"),
        "{text}"
    );
    tokio::time::sleep(Duration::from_secs(1)).await;
    let text = state.report().await.text();
    assert!(text.contains("ok task clocks: beat 0 s ago, restarted 1 times"), "{text}");
}

/// A flood of half-open requests, up to the limit of file descriptors, once made health requests time out.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_half_requests_does_not_keep_health_from_answering() {
    let (_trial, _state, _switch, server, address) = served().await;
    let mut half = Vec::new();
    for _ in 0..1_100 {
        // The system's backlog may be full for a moment; the flood continues without the connection.
        if let Ok(mut stream) = TcpStream::connect(address).await {
            stream.write_all(b"GET /health HTTP/1.1\r\nHost: ").await.unwrap_or_default();
            half.push(stream);
        }
        if half.len() % 100 == 0 {
            ask(Some(address)).await.unwrap();
            assert!(server.connections() <= LIMITS.connections, "{} connections", server.connections());
        }
    }
    ask(Some(address)).await.unwrap();
    assert!(server.stats().evicted.load(Ordering::Relaxed) > 0);
}

#[test]
fn an_open_address_is_asked_on_loopback() {
    assert_eq!(reachable("0.0.0.0:9".parse().unwrap()), "127.0.0.1:9".parse().unwrap());
    assert_eq!(reachable("[::]:9".parse().unwrap()), "[::1]:9".parse().unwrap());
    assert_eq!(reachable("10.1.2.3:9".parse().unwrap()), "10.1.2.3:9".parse().unwrap());
}
