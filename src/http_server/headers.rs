//! What every answer says to browsers.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// An answer that is no page of ours, such as a picture or a text, may do nothing where it is opened.
const NOTHING: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Of what a browser can grant, the pages need nothing.
const PERMISSIONS: &str = "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), \
    microphone=(), midi=(), payment=(), usb=()";

const ALL: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, NOTHING),
    (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Adds the headers that an answer does not have yet.
pub(super) fn add(headers: &mut HeaderMap) {
    for (name, value) in ALL {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}
