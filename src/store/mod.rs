//! Journals: where the truth is kept.
