//! Proof that a record was not changed: the hash chain, the commitment to a seed, pseudonyms, audits.

pub mod audit;
pub mod game_record;
pub mod hash_chain;
pub mod pseudonym;
pub mod pseudonyms;
pub mod redact;
