//! Lists in pages. A page begins after the key of a row, not after a number of rows, so rows that are added or deleted
//! between two pages move no other row.

use std::future::Future;

use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};

/// The usual number of rows of a page.
pub const PAGE_ROWS: usize = 200;

/// Asks for a page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageRequest<K> {
    /// The key of the row after which the page begins; `None` for the first page.
    pub after: Option<K>,
    /// The most rows to read. 0 counts as 1, so that a walk always gets on.
    pub limit: usize,
}

impl<K> PageRequest<K> {
    /// Asks for the first page, with at most `limit` rows.
    pub fn first(limit: usize) -> PageRequest<K> {
        PageRequest { after: None, limit }
    }
}

impl<K> Default for PageRequest<K> {
    fn default() -> PageRequest<K> {
        PageRequest::first(PAGE_ROWS)
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T, K> {
    /// The rows, in the order of the list. Rows that cannot be read are left out, so a page may have fewer rows than were
    /// asked for, or none, although the list goes on.
    pub rows: Vec<T>,
    /// The key after which the next page begins; `None` at the end of the list.
    pub next: Option<K>,
}

impl<T, K> Page<T, K> {
    /// Returns the page after the end of a list.
    pub fn end() -> Page<T, K> {
        Page { rows: Vec::new(), next: None }
    }
}

/// Walks through all pages of a list that `fetch` returns, and holds one page in memory at a time. Ends after the first
/// error. A row whose key does not change is met exactly once, whatever is added or deleted during the walk.
pub fn walk_pages<'a, T, K, E, F, Fetched>(fetch: F) -> BoxStream<'a, Result<T, E>>
where
    T: Send + 'a,
    K: Send + 'a,
    E: Send + 'a,
    F: FnMut(PageRequest<K>) -> Fetched + Send + 'a,
    Fetched: Future<Output = Result<Page<T, K>, E>> + Send + 'a,
{
    walk_pages_of(PAGE_ROWS, fetch)
}

/// Walks as [`walk_pages`] does, with pages of this many rows.
pub fn walk_pages_of<'a, T, K, E, F, Fetched>(limit: usize, fetch: F) -> BoxStream<'a, Result<T, E>>
where
    T: Send + 'a,
    K: Send + 'a,
    E: Send + 'a,
    F: FnMut(PageRequest<K>) -> Fetched + Send + 'a,
    Fetched: Future<Output = Result<Page<T, K>, E>> + Send + 'a,
{
    let first = Some(PageRequest::first(limit));
    let pages = stream::try_unfold((first, fetch), move |(request, mut fetch)| async move {
        let Some(request) = request else { return Ok(None) };
        let Page { rows, next } = fetch(request).await?;
        let request = next.map(|key| PageRequest { after: Some(key), limit });
        Ok(Some((stream::iter(rows.into_iter().map(Ok)), (request, fetch))))
    });
    pages.try_flatten().boxed()
}
