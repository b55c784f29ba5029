//! What shows that a record was not changed: the chain of hashes, the commitment to a seed, pseudonyms, audits.

pub mod audit;
pub mod game_record;
pub mod hash_chain;
pub mod pseudonym;
pub mod pseudonyms;
pub mod redact;
