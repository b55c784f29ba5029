//! Requests to Discord's REST API, under its rate limits, whatever API base is set.

mod bucket;
mod headers;
mod limiter;

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serenity::all::ApplicationId;
use serenity::http::{Http, Request};

use crate::discord::wire::error::{DiscordError, OLD_EDITS};
use headers::Headers;
use limiter::{BucketKey, RateLimiter};

/// How long a request may take before it counts as lost.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a request waits for its rate limit, usually. Whoever has to wait longer is told for how long.
const MAX_LIMIT_WAIT: Duration = Duration::from_secs(10);
/// How often a request is sent that is answered by a 429.
const MAX_SENDS: usize = 5;
const TOO_MANY_REQUESTS: u16 = 429;

/// A client that keeps the rate limits. A copy shares them.
#[derive(Clone)]
pub(in crate::discord) struct Rest {
    /// What knows the token, the application and the API base.
    http: Arc<Http>,
    client: reqwest::Client,
    limiter: RateLimiter,
    max_wait: Duration,
}

/// An answer as it came.
struct HttpResponse {
    status: u16,
    headers: Headers,
    body: Vec<u8>,
}

impl Rest {
    /// With the token and the API base of a client.
    pub(in crate::discord) fn new(http: Arc<Http>) -> Rest {
        let (client, limiter) = (reqwest::Client::new(), RateLimiter::default());
        Rest { http, client, limiter, max_wait: MAX_LIMIT_WAIT }
    }

    /// The same, sharing its limits, where a request waits for them at most so long.
    pub(in crate::discord) fn waiting_at_most(&self, max_wait: Duration) -> Rest {
        Rest { max_wait, ..self.clone() }
    }

    /// The same as it was at first.
    pub(in crate::discord) fn patient(&self) -> Rest {
        self.waiting_at_most(MAX_LIMIT_WAIT)
    }

    /// Keeps the application that we are.
    pub(in crate::discord) fn belongs_to(&self, application: u64) {
        self.http.set_application_id(ApplicationId::new(application));
    }

    /// The application that we are.
    ///
    /// # Errors
    /// If Discord has not told it yet.
    pub(in crate::discord) fn application(&self) -> Result<ApplicationId, DiscordError> {
        self.http.application_id().ok_or_else(|| DiscordError::internal("no application yet"))
    }

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    /// What Discord says against it; [`DiscordError::RateLimited`] if its rate limit asks for a longer wait than this client waits;
    /// [`DiscordError::Outage`] if no answer comes.
    pub(in crate::discord) async fn fire<T: DeserializeOwned>(
        &self,
        request: Request<'_>,
    ) -> Result<T, DiscordError> {
        let body = self.send(request).await?;
        serde_json::from_slice(&body).map_err(DiscordError::internal)
    }

    /// The same where the answer is of no interest.
    ///
    /// # Errors
    /// As [`Rest::fire`].
    pub(in crate::discord) async fn request(&self, request: Request<'_>) -> Result<(), DiscordError> {
        self.send(request).await.map(drop)
    }

    async fn send(&self, request: Request<'_>) -> Result<Vec<u8>, DiscordError> {
        let key = key(&request);
        let sent = limited(&self.limiter, &key, self.max_wait, || self.attempt(request.clone())).await?;
        match sent.status {
            200..300 => Ok(sent.body),
            status => Err(refusal(status, &sent.body)),
        }
    }

    async fn attempt(&self, request: Request<'_>) -> Result<HttpResponse, DiscordError> {
        let (token, base) = (self.http.token(), self.http.proxy.as_deref());
        let request = request.build(&self.client, token, base)?.timeout(REQUEST_TIMEOUT);
        let answer = request.send().await.map_err(lost)?;
        let (status, headers) = (answer.status().as_u16(), Headers::read(answer.headers()));
        let body = answer.bytes().await.map_err(lost)?.to_vec();
        Ok(HttpResponse { status, headers, body })
    }
}

/// Sends a request when its limit lets it, and again after a 429 as long as the waits are short.
async fn limited<F: Future<Output = Result<HttpResponse, DiscordError>>>(
    limiter: &RateLimiter,
    key: &BucketKey,
    max_wait: Duration,
    mut attempt: impl FnMut() -> F,
) -> Result<HttpResponse, DiscordError> {
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
            // Other messages of the channel can be changed all the same.
            permit.answered(&answer.headers, false);
            return Err(DiscordError::RateLimited { wait: wait.time });
        }
        permit.refused(&answer.headers, wait);
        tracing::warn!(wait_ms = wait.time.as_millis() as u64, global = wait.global, "rate limited");
        sends += 1;
        if sends >= MAX_SENDS {
            return Err(DiscordError::RateLimited { wait: wait.time });
        }
    }
}

/// Which limit a request counts in. Paths are made by serenity, for Discord itself.
fn key(request: &Request<'_>) -> BucketKey {
    let path = request.route_ref().path();
    // `https://discord.com/api/v10/…`: what comes after the version.
    let below = path.splitn(6, '/').nth(5).unwrap_or_default();
    BucketKey::new(&format!("{:?}", request.method_ref()), below)
}

fn refusal(status: u16, body: &[u8]) -> DiscordError {
    let told = json(body);
    let code = told["code"].as_i64().and_then(|code| isize::try_from(code).ok()).unwrap_or(-1);
    DiscordError::by_status(status, code, told["message"].as_str().unwrap_or_default())
}

fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

/// The address may hold a token: it is not told.
fn lost(error: reqwest::Error) -> DiscordError {
    match error.is_timeout() {
        true => DiscordError::Outage(format!("no answer within {} s", REQUEST_TIMEOUT.as_secs())),
        false => DiscordError::Outage(error.without_url().to_string()),
    }
}
