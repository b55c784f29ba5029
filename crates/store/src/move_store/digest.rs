//! The comparison of two tables without keeping them in memory.

use std::hash::{BuildHasher, RandomState};

use super::tables::Value;

/// A digest of all records of a table that does not depend on their order, which differs between the databases. Two
/// hashes with keys drawn anew each time are added up: no difference goes unnoticed but by a chance of 1 in 2^128.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Digest {
    pub(super) records: u64,
    sums: [u64; 2],
    pub(super) last_number: i64,
}

impl Digest {
    pub(super) fn add(&mut self, record: &[Value], hashes: &[RandomState; 2]) {
        self.records += 1;
        for (sum, hash) in self.sums.iter_mut().zip(hashes) {
            *sum = sum.wrapping_add(hash.hash_one(record));
        }
    }
}
