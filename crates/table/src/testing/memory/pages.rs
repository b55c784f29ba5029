//! Pages of lists in memory.

use crate::ports::{Page, PageRequest};

/// Returns a page of rows, each with its key; the list is by ascending key.
pub(super) fn page_of<T, K: Ord + Clone>(
    rows: impl Iterator<Item = (K, T)>,
    request: PageRequest<K>,
) -> Page<T, K> {
    let mut later: Vec<(K, T)> = rows.filter(|(key, _)| request.after.as_ref() < Some(key)).collect();
    later.sort_by(|(one, _), (other, _)| one.cmp(other));
    later.truncate(request.limit.max(1));
    let next = later.last().filter(|_| later.len() == request.limit.max(1)).map(|(key, _)| key.clone());
    Page { rows: later.into_iter().map(|(_, row)| row).collect(), next }
}
