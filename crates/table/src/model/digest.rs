//! SHA-256 (FIPS 180-4) in hexadecimal digits.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of a text as 64 lower-case hexadecimal digits.
pub fn sha256_hex(text: &str) -> String {
    format!("{:x}", Sha256::digest(text))
}
