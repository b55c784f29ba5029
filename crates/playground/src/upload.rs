//! The files of a request.

use std::sync::Arc;

/// An uploaded file: the form part named `files[n]`.
#[derive(Clone, Debug)]
pub(crate) struct Upload {
    pub(crate) number: u64,
    pub(crate) filename: String,
    pub(crate) bytes: Arc<[u8]>,
}
