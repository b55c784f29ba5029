//! A log of every request of the bot, in order, for tests.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::request::Parts;
use serde_json::Value;

use crate::upload::Upload;

/// A request with its status, as tests inspect it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedRequest {
    /// The HTTP method: `GET`, `POST`, …
    pub method: String,
    /// The route template, such as `/channels/{channel}/messages`; `(unknown)` if there is none.
    pub route: String,
    /// The path after `/api/v10`, with the query.
    pub path: String,
    /// The JSON body, or the `payload_json` of a form; null if there was none.
    pub body: Value,
    /// The names of the uploaded files.
    pub files: Vec<String>,
    /// The time of arrival.
    pub at: Instant,
    /// The answer's status; 0 until the answer is ready.
    pub status: u16,
}

/// The requests in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    list: Vec<LoggedRequest>,
    /// How many requests were forgotten.
    forgotten: usize,
}

/// The number of a request, from 0 for the first one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(usize);

impl RequestLog {
    /// Logs the arrival of a request.
    pub(crate) fn begin(&self, parts: &Parts, route: &str) -> Entry {
        let full = parts.uri.path_and_query().map_or("", |it| it.as_str());
        let mut log = self.lock();
        log.list.push(LoggedRequest {
            method: parts.method.to_string(),
            route: route.to_owned(),
            path: full.trim_start_matches("/api/v10").to_owned(),
            body: Value::Null,
            files: Vec::new(),
            at: Instant::now(),
            status: 0,
        });
        Entry(log.forgotten + log.list.len() - 1)
    }

    /// Logs the body and files of a request.
    pub(crate) fn body(&self, entry: Entry, body: &Value, files: &[Upload]) {
        if let Some(recorded) = self.lock().entry(entry) {
            recorded.body = body.clone();
            recorded.files = files.iter().map(|file| file.filename.clone()).collect();
        }
    }

    /// Logs the status of the answer.
    pub(crate) fn end(&self, entry: Entry, status: u16) {
        if let Some(recorded) = self.lock().entry(entry) {
            recorded.status = status;
        }
    }

    /// Returns all requests so far.
    pub(crate) fn all(&self) -> Vec<LoggedRequest> {
        self.lock().list.clone()
    }

    /// Forgets all requests so far.
    pub(crate) fn forget(&self) {
        let mut log = self.lock();
        log.forgotten += log.list.len();
        log.list.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Log {
    fn entry(&mut self, entry: Entry) -> Option<&mut LoggedRequest> {
        self.list.get_mut(entry.0.checked_sub(self.forgotten)?)
    }
}
