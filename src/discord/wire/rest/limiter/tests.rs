//! The limiter against a simulated server, on tokio's paused clock.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::json;

use super::super::{DiscordError, Response, limited};
use super::*;
use rookery_table::ChannelId;

/// The server's limit: requests per window of a bucket; and the latency of a request.
const LIMIT: u32 = 5;
const WINDOW: Duration = Duration::from_secs(5);
const LATENCY: Duration = Duration::from_millis(80);

/// A server with Discord's rules, on tokio's clock.
#[derive(Default)]
struct Server {
    windows: Mutex<HashMap<BucketKey, (Instant, u32)>>,
    /// The times at which requests arrived.
    arrivals: Mutex<Vec<Instant>>,
    refused: AtomicUsize,
    /// The 429s with which the next requests are answered.
    forced_429s: Mutex<Vec<serde_json::Value>>,
}

fn headers(pairs: &[(&'static str, String)]) -> Headers {
    let pair = |(name, value): &(&'static str, String)| {
        (reqwest::header::HeaderName::from_static(name), value.parse().unwrap())
    };
    Headers::read(&pairs.iter().map(pair).collect())
}

fn answer(status: u16, headers: Headers, body: &serde_json::Value) -> Response {
    Response { status, headers, body: body.to_string().into() }
}

impl Server {
    async fn handle(&self, key: &BucketKey) -> Result<Response, DiscordError> {
        tokio::time::sleep(LATENCY / 2).await;
        self.arrivals.lock().unwrap().push(Instant::now());
        let answer = self.decide(key);
        tokio::time::sleep(LATENCY / 2).await;
        Ok(answer)
    }

    fn decide(&self, key: &BucketKey) -> Response {
        if let Some(body) = self.forced_429s.lock().unwrap().pop() {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return answer(429, Headers::default(), &body);
        }
        let now = Instant::now();
        let mut windows = self.windows.lock().unwrap();
        let (ends, used) = windows.entry(key.clone()).or_insert((now, 0));
        if *ends <= now {
            (*ends, *used) = (now + WINDOW, 0);
        }
        let left = *ends - now;
        if *used >= LIMIT {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return answer(429, Headers::default(), &json!({"retry_after": left.as_secs_f64()}));
        }
        *used += 1;
        let told = headers(&[
            ("x-ratelimit-limit", LIMIT.to_string()),
            ("x-ratelimit-remaining", (LIMIT - *used).to_string()),
            ("x-ratelimit-reset-after", left.as_secs_f64().to_string()),
        ]);
        answer(200, told, &json!({}))
    }
}

fn posts(channel: ChannelId) -> BucketKey {
    BucketKey::new("Post", &format!("channels/{channel}/messages"))
}

const LONG: Duration = Duration::from_secs(600);

async fn send(limiter: &RateLimiter, server: &Server, key: &BucketKey) -> Result<Response, DiscordError> {
    limited(limiter, key, LONG, || server.handle(key)).await
}

#[tokio::test(start_paused = true)]
async fn many_requests_at_once_meet_no_429_and_waste_no_window() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    let began = Instant::now();
    let keys: Vec<BucketKey> = (0..100).map(|n| posts(ChannelId(n % 4))).collect();
    let sent = join_all(keys.iter().map(|key| send(&limiter, &server, key))).await;
    assert!(sent.iter().all(|sent| sent.as_ref().is_ok_and(|answer| answer.status == 200)));
    assert_eq!(server.refused.load(Ordering::Relaxed), 0);
    // 25 requests of each bucket fill five windows.
    assert!(began.elapsed() < WINDOW * 5, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn after_a_429_nothing_comes_to_that_bucket_before_the_wait_is_over() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    server.forced_429s.lock().unwrap().push(json!({"retry_after": 2.0, "global": false}));
    let (one, other) = (posts(ChannelId(1)), posts(ChannelId(2)));
    let began = Instant::now();
    let busy = send(&limiter, &server, &one);
    let during = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let late = send(&limiter, &server, &one);
        let elsewhere = async {
            send(&limiter, &server, &other).await.unwrap();
            assert!(began.elapsed() < Duration::from_secs(1), "another channel waits for nothing");
        };
        tokio::join!(late, elsewhere).0
    };
    let (busy, late) = tokio::join!(busy, during);
    assert_eq!((busy.unwrap().status, late.unwrap().status), (200, 200));
    let arrivals: Vec<_> =
        server.arrivals.lock().unwrap().iter().map(|at| at.duration_since(began)).collect();
    // The refused request, the one to the other channel, and after the wait the two of the first.
    assert_eq!(arrivals.len(), 4, "{arrivals:?}");
    assert!(arrivals[2] >= Duration::from_secs(2), "{arrivals:?}");
    assert_eq!(server.refused.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_global_429_stops_everything_but_answers_to_interactions() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    server.forced_429s.lock().unwrap().push(json!({"retry_after": 2.0, "global": true}));
    let began = Instant::now();
    let (one, other) = (posts(ChannelId(1)), posts(ChannelId(2)));
    let callback = BucketKey::new("Post", "interactions/1/token/callback");
    let first = send(&limiter, &server, &one);
    let later = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        send(&limiter, &server, &callback).await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(1));
        send(&limiter, &server, &other).await.unwrap();
        assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
    };
    tokio::join!(first, later).0.unwrap();
    assert_eq!(server.refused.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn limiter_returns_waits_that_are_too_long() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    server.forced_429s.lock().unwrap().push(json!({"retry_after": 60.0}));
    let key = posts(ChannelId(1));
    let short = Duration::from_secs(1);
    for _ in 0..2 {
        let Err(DiscordError::RateLimited { wait }) =
            limited(&limiter, &key, short, || server.handle(&key)).await
        else {
            panic!("it was sent")
        };
        assert!(wait > Duration::from_secs(59), "{wait:?}");
    }
    assert_eq!(server.arrivals.lock().unwrap().len(), 1, "nothing is sent meanwhile");
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_old_messages_stops_no_other() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    server.forced_429s.lock().unwrap().push(json!({"retry_after": 3_000.0, "code": 30_046}));
    let key = BucketKey::new("Patch", "channels/1/messages/2");
    let began = Instant::now();
    let old = send(&limiter, &server, &key).await;
    assert!(matches!(old, Err(DiscordError::RateLimited { wait }) if wait == Duration::from_secs(3_000)));
    assert_eq!(send(&limiter, &server, &key).await.unwrap().status, 200);
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_dropped_holds_up_nobody() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    let key = posts(ChannelId(1));
    let lost = limited(&limiter, &key, LONG, std::future::pending);
    assert!(tokio::time::timeout(Duration::from_secs(1), lost).await.is_err());
    let next = tokio::time::timeout(Duration::from_secs(1), send(&limiter, &server, &key)).await;
    assert_eq!(next.unwrap().unwrap().status, 200);
}

#[tokio::test(start_paused = true)]
async fn limiter_lets_servers_without_limits_through() {
    let limiter = RateLimiter::new(Some(1_000));
    let key = posts(ChannelId(1));
    let plain = || async {
        tokio::time::sleep(LATENCY).await;
        Ok(answer(200, Headers::default(), &json!({})))
    };
    let began = Instant::now();
    join_all((0..50).map(|_| limited(&limiter, &key, LONG, plain))).await;
    assert!(began.elapsed() <= LATENCY * 2, "{:?}", began.elapsed());
}

#[test]
fn buckets_are_by_method_route_and_major_parameter() {
    let key = |method: &str, path: &str| BucketKey::new(method, path);
    assert_eq!(key("Patch", "channels/1/messages/2"), key("Patch", "channels/1/messages/3"));
    assert_ne!(key("Patch", "channels/1/messages/2"), key("Patch", "channels/4/messages/2"));
    assert_ne!(key("Patch", "channels/1/messages/2"), key("Delete", "channels/1/messages/2"));
    assert_ne!(key("Post", "webhooks/1/abc"), key("Post", "webhooks/1/def"));
    assert_eq!(key("Get", "guilds/1/members/2"), key("Get", "guilds/1/members/3"));
    assert!(key("Patch", "webhooks/1/abc/messages/@original").outside);
    assert!(!key("Post", "channels/1/messages").outside);
}

#[tokio::test(start_paused = true)]
async fn buckets_that_count_nothing_are_forgotten() {
    let (limiter, server) = (RateLimiter::new(Some(1_000)), Server::default());
    for n in 0..MAX_BUCKETS as u64 {
        drop(limiter.acquire(&posts(ChannelId(n)), LONG).await.unwrap());
    }
    send(&limiter, &server, &posts(ChannelId(u64::MAX))).await.unwrap();
    send(&limiter, &server, &posts(ChannelId(0))).await.unwrap();
    assert_eq!(limiter.state().buckets.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn share_is_kept_by_all_requests_except_answers_to_interactions() {
    let (limiter, server) = (RateLimiter::new(Some(10)), Server::default());
    let keys: Vec<BucketKey> = (0..40).map(|n| posts(ChannelId(n))).collect();
    let answers: Vec<BucketKey> =
        (0..40).map(|n| BucketKey::new("Post", &format!("interactions/{n}/token-{n}/callback"))).collect();
    let began = Instant::now();
    let answered = async {
        join_all(answers.iter().map(|key| send(&limiter, &server, key))).await;
        assert!(began.elapsed() < Duration::from_millis(500), "they wait for nothing");
    };
    tokio::join!(join_all(keys.iter().map(|key| send(&limiter, &server, key))), answered);
    let mut arrivals: Vec<_> = server.arrivals.lock().unwrap().clone();
    arrivals.sort();
    // The answers arrive first, at the same moment as the first ten requests.
    let posted: Vec<Instant> = arrivals.split_off(40);
    assert_eq!(posted.len(), 40);
    let second = Duration::from_secs(1);
    for (at, begin) in posted.iter().enumerate() {
        let within = posted[at..].iter().filter(|moment| **moment < *begin + second).count();
        assert!(within <= 10, "{within} in a second");
    }
    assert!(began.elapsed() > 3 * second && began.elapsed() < 4 * second, "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn limits_of_a_proxy_are_its_own_except_for_the_waits_that_it_orders() {
    let (limiter, server) = (RateLimiter::new(None), Server::default());
    let key = posts(ChannelId(1));
    let began = Instant::now();
    let sent = join_all((0..5).map(|_| send(&limiter, &server, &key))).await;
    assert!(sent.iter().all(Result::is_ok));
    assert!(
        began.elapsed() <= LATENCY,
        "all at once, without a window of the bot's own: {:?}",
        began.elapsed()
    );
    server.windows.lock().unwrap().clear();
    for global in [true, false] {
        server.forced_429s.lock().unwrap().push(json!({"retry_after": 3.0, "global": global}));
        let began = Instant::now();
        assert_eq!(send(&limiter, &server, &key).await.unwrap().status, 200);
        assert!(began.elapsed() >= Duration::from_secs(3), "global: {global}");
    }
}

#[tokio::test(start_paused = true)]
async fn global_429_is_told_to_the_other_processes_and_theirs_is_obeyed() {
    let (limiter, server) = (RateLimiter::new(Some(50)), Server::default());
    let mut pauses = limiter.pauses();
    server.forced_429s.lock().unwrap().push(json!({"retry_after": 1.5, "global": true}));
    send(&limiter, &server, &posts(ChannelId(1))).await.unwrap();
    assert_eq!(pauses.recv().await.unwrap(), Duration::from_millis(1_500));
    limiter.pause(Duration::from_secs(4));
    let began = Instant::now();
    send(&limiter, &server, &posts(ChannelId(2))).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(4));
    assert!(pauses.try_recv().is_err(), "what others were told is not told again");
}
