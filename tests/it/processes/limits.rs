//! Several processes together keep Discord's limit for all requests, by themselves or behind a proxy.

use std::time::Duration;

use rookery_playground::limits::RateLimits;
use rookery_playground::testing::request_log::LoggedRequest;

use super::fleet::{Fleet, Part};
use super::games::Games;
use super::rest_proxy::RestProxy;

/// Requests a second: few, so that the games need more.
const LIMIT: u32 = 12;
/// What a process asks when it starts, before it has a share.
const STARTING: [&str; 3] = ["/gateway/bot", "/users/@me", "/oauth2/applications/@me"];

fn limited() -> RateLimits {
    // Up to two processes start at the same time here.
    let starting = 2 * STARTING.len() as u32;
    RateLimits { global_per_second: LIMIT + starting, ..RateLimits::none() }
}

/// Returns the most requests in a second that count toward the limit.
fn most_in_a_second(requests: &[LoggedRequest]) -> usize {
    let counts = |request: &&LoggedRequest| {
        let is_answer = ["/interactions", "/webhooks"].iter().any(|start| request.route.starts_with(start));
        !is_answer && !STARTING.contains(&request.route.as_str())
    };
    let mut moments: Vec<_> = requests.iter().filter(counts).map(|request| request.at).collect();
    moments.sort();
    let within = |at: usize| {
        let end = moments[at] + Duration::from_secs(1);
        moments[at..].iter().take_while(|moment| **moment < end).count()
    };
    (0..moments.len()).map(within).max().unwrap_or(0)
}

fn refused(requests: &[LoggedRequest]) -> Vec<&LoggedRequest> {
    requests.iter().filter(|request| request.status == 429).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_together_keep_discords_limit() {
    let settings = vec![("ROOKERY_DISCORD__REQUESTS_PER_SECOND", LIMIT.to_string())];
    let parts = [Part::Whole, Part::Whole, Part::Worker];
    let Some(fleet) = Fleet::with(4, &parts, limited(), settings).await else { return };
    fleet.until_connected().await;
    let games = Games::open(&fleet).await;
    games.play_until(8).await;
    // One ends without a word, and comes back when the other one has taken its share.
    fleet.kill(1);
    games.play_until(12).await;
    fleet.start_all();
    games.play_until(18).await;
    games.until_everything_is_posted().await;
    games.check().await;
    let requests = fleet.playground.requests();
    assert!(refused(&requests).is_empty(), "{:?}", refused(&requests));
    let most = most_in_a_second(&requests);
    eprintln!("at most {most} of {LIMIT} requests in a second");
    // On a busy machine requests arrive with different delays. If each process had the whole limit, it would be twice.
    assert!(most <= LIMIT as usize * 3 / 2, "{most} requests in a second");
    assert!(
        most > LIMIT as usize / 2,
        "{most}: more than what is shared out evenly, so one lends to the other"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn proxy_keeps_discords_limit_for_all_processes() {
    let proxy = RestProxy::start(LIMIT).await;
    let settings = vec![("ROOKERY_DISCORD__REST_PROXY", proxy.address())];
    let limits = RateLimits { global_per_second: LIMIT, ..RateLimits::none() };
    let Some(fleet) = Fleet::with(4, &[Part::Whole, Part::Whole], limits, settings).await else { return };
    proxy.forward_to(&fleet.playground.api_base());
    fleet.until_connected().await;
    let games = Games::open(&fleet).await;
    games.play_until(10).await;
    games.until_everything_is_posted().await;
    games.check().await;
    let requests = fleet.playground.requests();
    assert!(refused(&requests).is_empty(), "{:?}", refused(&requests));
    let (forwarded, limited) = proxy.counts();
    assert_eq!(forwarded, requests.len(), "nothing goes past the proxy");
    assert!(limited > 3, "the proxy itself answered with 429, and every message was posted all the same");
}
