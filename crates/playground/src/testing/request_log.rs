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
    list: Mutex<Vec<LoggedRequest>>,
}

/// The index of a request in the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(usize);

impl RequestLog {
    /// Logs the arrival of a request.
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

    /// Logs the body and files of a request.
    pub(crate) fn body(&self, entry: Entry, body: &Value, files: &[Upload]) {
        if let Some(recorded) = self.lock().get_mut(entry.0) {
            recorded.body = body.clone();
            recorded.files = files.iter().map(|file| file.filename.clone()).collect();
        }
    }

    /// Logs the status of the answer.
    pub(crate) fn end(&self, entry: Entry, status: u16) {
        if let Some(recorded) = self.lock().get_mut(entry.0) {
            recorded.status = status;
        }
    }

    /// Returns all requests so far.
    pub(crate) fn all(&self) -> Vec<LoggedRequest> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<LoggedRequest>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
