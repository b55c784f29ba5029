//! The log of the bot's requests: tests read it; the product keeps nothing.

#[cfg(not(any(test, feature = "testing")))]
pub(crate) use not_kept::{Entry, RequestLog};

#[cfg(any(test, feature = "testing"))]
pub(crate) use super::testing::request_log::{Entry, RequestLog};

#[cfg(not(any(test, feature = "testing")))]
mod not_kept {
    use axum::http::request::Parts;
    use serde_json::Value;

    use crate::upload::Upload;

    #[derive(Debug, Default)]
    pub(crate) struct RequestLog {}

    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Entry;

    impl RequestLog {
        pub(crate) fn begin(&self, _: &Parts, _: &str) -> Entry {
            Entry
        }

        pub(crate) fn body(&self, _: Entry, _: &Value, _: &[Upload]) {}

        pub(crate) fn end(&self, _: Entry, _: u16) {}
    }
}
