//! Default security headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The policy of responses that are not pages, such as pictures and texts: they may load and run nothing.
const DEFAULT_CSP: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The pages need no browser feature that requires permission.
const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), \
    microphone=(), midi=(), payment=(), usb=()";

const ALL: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, DEFAULT_CSP),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Adds the headers that a response does not have yet. A policy that names who may frame the response says more than
/// `X-Frame-Options` can.
pub(super) fn add(headers: &mut HeaderMap) {
    let may_be_framed = names_ancestors(headers);
    for (name, value) in ALL {
        if !may_be_framed || name != header::X_FRAME_OPTIONS {
            headers.entry(name).or_insert(HeaderValue::from_static(value));
        }
    }
}

/// Whether the policy of a response lets some page frame it.
fn names_ancestors(headers: &HeaderMap) -> bool {
    let policy = headers.get(header::CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
    policy.is_some_and(|policy| {
        policy.contains("frame-ancestors ") && !policy.contains("frame-ancestors 'none'")
    })
}
