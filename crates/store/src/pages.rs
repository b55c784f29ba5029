//! Pages of the rows of a query.

use crate::rows::to_i64;
use rookery_table::ports::{Page, StoreError};

/// Returns the most rows of a page as the number in a query.
pub(crate) fn page_limit(limit: usize) -> i64 {
    i64::try_from(limit.max(1)).unwrap_or(i64::MAX)
}

/// Returns the lowest id of a page, as databases compare ids, or `None` if no id comes after the page before.
pub(crate) fn lowest_id(after: Option<impl Into<u64>>) -> Option<i64> {
    after.map_or(Some(i64::MIN), |id| to_i64(id).checked_add(1))
}

/// Makes a page of the rows of a query with the limit of its request. `read` leaves unreadable rows out. Rows at the end
/// whose keys cannot be read are left to the next page.
///
/// # Errors
/// If the list goes on, but the page has no key that can be read.
pub(crate) fn page_of<R, T, K>(
    rows: &[R],
    limit: usize,
    key: impl Fn(&R) -> Result<K, StoreError>,
    read: impl FnMut(&R) -> Option<T>,
) -> Result<Page<T, K>, StoreError> {
    if rows.len() < limit.max(1) {
        return Ok(Page { rows: rows.iter().filter_map(read).collect(), next: None });
    }
    let last = rows.iter().enumerate().rev().find_map(|(at, row)| Some((at, key(row).ok()?)));
    let (last, next) = last.ok_or_else(|| StoreError::UnreadableRow {
        what: format!("{} rows, one after another", rows.len()),
        why: "their keys cannot be read, so the rows after them cannot be found: restore a backup".into(),
    })?;
    Ok(Page { rows: rows[..=last].iter().filter_map(read).collect(), next: Some(next) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row with a key, if it can be read.
    type Row = (Option<u64>, char);

    fn page(rows: &[Row], limit: usize) -> Result<Page<char, u64>, StoreError> {
        let unreadable = || StoreError::Damaged("damaged".into());
        page_of(rows, limit, |row| row.0.ok_or_else(unreadable), |row| Some(row.1).filter(|it| *it != '?'))
    }

    #[test]
    fn page_goes_on_after_the_last_key_that_can_be_read() {
        let rows = [(Some(1), 'a'), (Some(2), '?'), (Some(3), 'c'), (None, 'd')];
        assert_eq!(page(&rows, 5).unwrap(), Page { rows: vec!['a', 'c', 'd'], next: None });
        assert_eq!(page(&rows, 4).unwrap(), Page { rows: vec!['a', 'c'], next: Some(3) });
        assert_eq!(page(&rows[..2], 2).unwrap(), Page { rows: vec!['a'], next: Some(2) });
        assert_eq!(page(&[], 0).unwrap(), Page { rows: vec![], next: None });
        let why = page(&rows[3..], 1).unwrap_err();
        assert!(why.is_unreadable() && why.to_string().contains("1 rows, one after another"), "{why}");
    }

    #[test]
    fn ids_begin_after_the_last_one_as_signed_numbers() {
        assert_eq!(lowest_id(None::<u64>), Some(i64::MIN));
        assert_eq!(lowest_id(Some(u64::MAX)), Some(0));
        assert_eq!(lowest_id(Some(7_u64)), Some(8));
        assert_eq!(lowest_id(Some(u64::MAX >> 1)), None);
    }
}
