//! Every request of the bot, in order, as a test may look at it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::request::Parts;
use serde_json::Value;

use super::rest::call::Call;

/// One request the bot made.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedRequest {
    /// `GET`, `POST`, …
    pub method: String,
    /// The route, as `/channels/{channel}/messages`; `(unknown)` where there is none.
    pub route: String,
    /// The path after `/api/v10`, query included.
    pub path: String,
    /// The JSON body, for a form its `payload_json`; null when there was none.
    pub body: Value,
    /// The names of the files that came along.
    pub files: Vec<String>,
    /// When it arrived.
    pub at: Instant,
    /// The answer's status; 0 while the answer is still being made.
    pub status: u16,
}

/// The list of them.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    list: Mutex<Vec<LoggedRequest>>,
}

/// A place in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(usize);

impl RequestLog {
    /// Notes that a request arrived.
    pub(crate) fn begin(&self, parts: &Parts, route: &str) -> Entry {
        let full = parts.uri.path_and_query().map_or("", |it| it.as_str());
        let mut list = self.lock();
        list.push(LoggedRequest {
            method: parts.method.to_string(),
            route: route.to_owned(),
            path: full.trim_start_matches("/api/v10").to_owned(),
            body: Value::Null,
            files: Vec::new(),
            at: Instant::now(),
            status: 0,
        });
        Entry(list.len() - 1)
    }

    /// Notes what it carried.
    pub(crate) fn body(&self, entry: Entry, call: &Call) {
        if let Some(recorded) = self.lock().get_mut(entry.0) {
            recorded.body = call.body.clone();
            recorded.files = call.files.iter().map(|file| file.filename.clone()).collect();
        }
    }

    /// Notes how it was answered.
    pub(crate) fn end(&self, entry: Entry, status: u16) {
        if let Some(recorded) = self.lock().get_mut(entry.0) {
            recorded.status = status;
        }
    }

    /// All of them so far.
    pub(crate) fn all(&self) -> Vec<LoggedRequest> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<LoggedRequest>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
