//! SHA-256 (FIPS 180-4) in hexadecimal digits.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of a text as 64 lower-case hexadecimal digits.
pub fn sha256_hex(text: &str) -> String {
    hex(&Sha256::digest(text))
}

/// Returns bytes as lower-case hexadecimal digits, two for each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
