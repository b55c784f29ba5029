//! Paths to which a sign-in may lead back: those of other sites would make it an open redirect.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What is percent-encoded in a value of a query: all but the unreserved characters of RFC 3986 (2.3) and the slash.
const QUERY_VALUE: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');
/// The most bytes of such a path.
const MAX_BYTES: usize = 300;

/// Whether a text is the path of a page of this site, with or without a query, and can be in a cookie as it is.
pub(super) fn is_local_path(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~?&=%".contains(&byte);
    // Two slashes begin the address of another site.
    text.len() <= MAX_BYTES && text.starts_with('/') && !text.starts_with("//") && text.bytes().all(is_plain)
}

/// Percent-encodes a value of a query.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, QUERY_VALUE).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_paths_lead_to_no_other_site() {
        for local in ["/", "/play", "/play/K7Q2", "/play/next?after=K7Q2&x=%20"] {
            assert!(is_local_path(local), "{local}");
        }
        for other in [
            "",
            "play",
            "//evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "https://evil.example",
            "/play\r\nset-cookie: a=b",
            "/play;a=b",
            "/play#part",
            "/play path",
            "/\t/evil.example",
            "/ä",
        ] {
            assert!(!is_local_path(other), "{other}");
        }
        assert!(!is_local_path(&format!("/{}", "a".repeat(MAX_BYTES))));
    }

    #[test]
    fn queries_carry_whole_paths() {
        assert_eq!(encoded("/play/next?after=K7Q2&a=b"), "/play/next%3Fafter%3DK7Q2%26a%3Db");
    }
}
