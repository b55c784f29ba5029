//! Requests to Discord's REST API, within its rate limits, for any API base.

mod bucket;
mod headers;
mod limiter;
mod route;
mod send_share;

use std::sync::Arc;
use std::time::Duration;

use headers::Headers;
use hyper::body::Bytes;
use limiter::{BucketKey, RateLimiter};
use reqwest::Method;
use rookery_tasks::Timings;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serenity::all::ApplicationId;
use serenity::http::{Http, Request};
use tokio::sync::broadcast;
use tokio::time::Instant;

use crate::discord::wire::error::{DiscordError, OLD_EDITS};
use crate::discord::wire::network::{HttpResponse, Network};

/// The timeout of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout if a proxy holds requests back until a limit permits them.
const PROXY_TIMEOUT: Duration = Duration::from_secs(60);
/// The default for the longest wait for a rate limit; a longer wait is returned as an error.
const MAX_LIMIT_WAIT: Duration = Duration::from_secs(10);
/// The most attempts of a request that gets a 429.
const MAX_SENDS: usize = 5;
/// The server of requests if no other is configured.
const DISCORD: &str = "https://discord.com";
const TOO_MANY_REQUESTS: u16 = 429;

/// A client that keeps the rate limits. Clones share them.
#[derive(Clone)]
pub(in crate::discord) struct Rest {
    /// Holds the token, the application id and the API base.
    http: Arc<Http>,
    /// Builds the requests; `network` sends them.
    client: reqwest::Client,
    network: Arc<dyn Network>,
    limiter: RateLimiter,
    timings: Timings,
    timeout: Duration,
    max_wait: Duration,
}

/// A response before parsing.
struct Response {
    status: u16,
    headers: Headers,
    body: Bytes,
}

/// A response to a request without the bot's token.
pub(in crate::discord) struct PlainResponse {
    /// The status code.
    pub(in crate::discord) status: u16,
    /// How long a 429 asks to wait.
    pub(in crate::discord) wait: Duration,
    /// The body.
    pub(in crate::discord) body: Bytes,
}

impl Rest {
    /// Creates a client with the token and the API base of serenity's client. `share` is how many requests a second it
    /// may send; `None` if a proxy keeps the limits.
    pub(in crate::discord) fn new(
        http: Arc<Http>,
        network: Arc<dyn Network>,
        timings: Timings,
        share: Option<u32>,
    ) -> Rest {
        let (client, limiter) = (reqwest::Client::new(), RateLimiter::new(share));
        timings.set_request_share(share.unwrap_or_default());
        let timeout = if share.is_some() { REQUEST_TIMEOUT } else { PROXY_TIMEOUT };
        Rest { http, client, network, limiter, timings, timeout, max_wait: MAX_LIMIT_WAIT }
    }

    /// Sets how many requests a second this process may send.
    pub(in crate::discord) fn set_share(&self, per_second: u32) {
        self.limiter.with_share(|share| share.set(per_second, Instant::now()));
        self.timings.set_request_share(per_second);
    }

    /// Returns how many requests a second this process has wanted to send since the last call, up to `limit`.
    pub(in crate::discord) fn wanted(&self, limit: u32) -> u32 {
        self.limiter.with_share(|share| share.wanted(limit)).unwrap_or_default()
    }

    /// Sends nothing that counts toward the global limit for a while.
    pub(in crate::discord) fn pause(&self, pause: Duration) {
        self.limiter.pause(pause);
    }

    /// Returns the pauses that Discord orders this process to make.
    pub(in crate::discord) fn pauses(&self) -> broadcast::Receiver<Duration> {
        self.limiter.pauses()
    }

    /// Returns a client with the same limits whose requests wait for them at most `max_wait`.
    pub(in crate::discord) fn waiting_at_most(&self, max_wait: Duration) -> Rest {
        Rest { max_wait, ..self.clone() }
    }

    /// Returns a client with the default wait for limits.
    pub(in crate::discord) fn patient(&self) -> Rest {
        self.waiting_at_most(MAX_LIMIT_WAIT)
    }

    /// Stores the bot's application id.
    pub(in crate::discord) fn set_application(&self, application: u64) {
        self.http.set_application_id(ApplicationId::new(application));
    }

    /// Returns the bot's application id.
    ///
    /// # Errors
    /// If Discord has not sent it yet.
    pub(in crate::discord) fn application(&self) -> Result<ApplicationId, DiscordError> {
        self.http.application_id().ok_or_else(|| DiscordError::internal("no application yet"))
    }

    /// Sends a request and parses its response.
    ///
    /// # Errors
    /// Discord's error; [`DiscordError::RateLimited`] if the rate limit requires a longer wait than this
    /// client allows; [`DiscordError::Outage`] if there is no response.
    pub(in crate::discord) async fn request_json<T: DeserializeOwned>(
        &self,
        request: Request<'_>,
    ) -> Result<T, DiscordError> {
        let body = self.send(request).await?;
        serde_json::from_slice(&body).map_err(DiscordError::internal)
    }

    /// Sends a request and ignores the contents of its response.
    ///
    /// # Errors
    /// As [`Rest::request_json`].
    pub(in crate::discord) async fn request(&self, request: Request<'_>) -> Result<(), DiscordError> {
        self.send(request).await.map(drop)
    }

    /// Downloads a file that Discord keeps.
    ///
    /// # Errors
    /// As [`Rest::request_json`].
    pub(in crate::discord) async fn download(&self, url: &str) -> Result<Bytes, DiscordError> {
        let request =
            self.client.get(url).timeout(REQUEST_TIMEOUT).build().map_err(DiscordError::internal)?;
        let answer = self.network.send(request).await?;
        body(answer.status, answer.body)
    }

    /// Begins a request without the bot's token, for a path such as `/api/oauth2/token`.
    pub(in crate::discord) fn plain(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let base = self.http.proxy.as_deref().unwrap_or(DISCORD);
        self.client.request(method, format!("{base}{path}"))
    }

    /// Sends a request without the bot's token, once; `route` is its name for metrics. The bot's limits don't apply.
    ///
    /// # Errors
    /// [`DiscordError::Outage`] if there is no response.
    pub(in crate::discord) async fn send_plain(
        &self,
        route: &str,
        request: reqwest::RequestBuilder,
    ) -> Result<PlainResponse, DiscordError> {
        let begun = Instant::now();
        let answer = self.network.send(request.build().map_err(DiscordError::internal)?).await;
        self.timings.discord_request(route, answer.as_ref().ok().map(|it| it.status), begun.elapsed());
        let HttpResponse { status, headers, body } = answer?;
        let wait = Headers::read(&headers).wait(&json(&body)).time;
        Ok(PlainResponse { status, wait, body })
    }

    async fn send(&self, request: Request<'_>) -> Result<Bytes, DiscordError> {
        let key = key(&request);
        let sent = limited(&self.limiter, &key, self.max_wait, || self.attempt(request.clone())).await?;
        body(sent.status, sent.body)
    }

    async fn attempt(&self, request: Request<'_>) -> Result<Response, DiscordError> {
        let (route, begun) = (route_label(&request), Instant::now());
        let answer = self.exchange(request).await;
        let status = answer.as_ref().ok().map(|answer| answer.status);
        self.timings.discord_request(&route, status, begun.elapsed());
        answer
    }

    async fn exchange(&self, request: Request<'_>) -> Result<Response, DiscordError> {
        let (token, base) = (self.http.token(), self.http.proxy.as_deref());
        let request = request.build(&self.client, token, base)?.timeout(self.timeout);
        let request = request.build().map_err(DiscordError::internal)?;
        let HttpResponse { status, headers, body } = self.network.send(request).await?;
        Ok(Response { status, headers: Headers::read(&headers), body })
    }
}

/// Sends a request when its rate limit permits, and retries after a 429 as long as the waits are short.
async fn limited<F: Future<Output = Result<Response, DiscordError>>>(
    limiter: &RateLimiter,
    key: &BucketKey,
    max_wait: Duration,
    mut attempt: impl FnMut() -> F,
) -> Result<Response, DiscordError> {
    let mut sends = 0;
    loop {
        let permit =
            limiter.acquire(key, max_wait).await.map_err(|wait| DiscordError::RateLimited { wait })?;
        let answer = attempt().await?;
        if answer.status != TOO_MANY_REQUESTS {
            permit.answered(&answer.headers, answer.status < 400);
            return Ok(answer);
        }
        let body = json(&answer.body);
        let wait = answer.headers.wait(&body);
        if body["code"] == OLD_EDITS {
            // The limit applies only to old messages, so the bucket is not blocked.
            permit.answered(&answer.headers, false);
            return Err(DiscordError::RateLimited { wait: wait.time });
        }
        permit.refused(&answer.headers, wait);
        tracing::warn!(wait = wait.time.as_millis() as u64, global = wait.global, "rate limited");
        sends += 1;
        if sends >= MAX_SENDS {
            return Err(DiscordError::RateLimited { wait: wait.time });
        }
    }
}

/// Returns the rate limit bucket of a request.
fn key(request: &Request<'_>) -> BucketKey {
    BucketKey::new(&format!("{:?}", request.method_ref()), &path_below_version(request))
}

/// Returns the method and route of a request for metrics.
fn route_label(request: &Request<'_>) -> String {
    format!("{} {}", request.method_ref().reqwest_method(), route::template(&path_below_version(request)))
}

/// Returns the path after the API's version. serenity builds paths for Discord itself, whatever the API base
/// is: `https://discord.com/api/v10/…`.
fn path_below_version(request: &Request<'_>) -> String {
    request.route_ref().path().splitn(6, '/').nth(5).unwrap_or_default().to_owned()
}

/// Returns the body of a successful response, or the error that it describes.
fn body(status: u16, body: Bytes) -> Result<Bytes, DiscordError> {
    match status {
        200..300 => Ok(body),
        status => Err(refusal(status, &body)),
    }
}

fn refusal(status: u16, body: &[u8]) -> DiscordError {
    let told = json(body);
    let code = told["code"].as_i64().and_then(|code| isize::try_from(code).ok()).unwrap_or(-1);
    DiscordError::by_status(status, code, told["message"].as_str().unwrap_or_default())
}

fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}
