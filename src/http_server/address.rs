//! The client address of a request.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::HeaderMap;

/// The header in which proxies name the client.
const FORWARDED_FOR: &str = "x-forwarded-for";
/// The standard header for the same (RFC 7239). It only shows that there is a proxy: no address is read from it.
const FORWARDED: &str = "forwarded";

/// A provider gives one customer the first 64 bits of an IPv6 address.
const IPV6_NETWORK: u128 = !0 << 64;

/// Returns the client's address: the connection's, or the one that trusted proxies report. In a list of
/// addresses, the last one that is not a trusted proxy counts: the client may have written those before it.
pub(super) fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    if !trusted.contains(&peer) {
        return peer;
    }
    let lists = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
    let mut known =
        named.iter().rev().map_while(|name| name.parse::<IpAddr>().ok()).map(|it| it.to_canonical());
    known.find(|address| !trusted.contains(address)).unwrap_or(peer)
}

/// Whether a request came through a proxy that `trusted` does not list. All clients of such a proxy share one address
/// and its limits. A request from the open internet can carry the header too: anybody can write it.
pub(super) fn is_unknown_proxy(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> bool {
    let is_near = match peer.to_canonical() {
        IpAddr::V4(peer) => peer.is_loopback() || peer.is_private(),
        IpAddr::V6(peer) => peer.is_loopback() || peer.is_unique_local(),
    };
    let is_forwarded = [FORWARDED_FOR, FORWARDED].iter().any(|header| headers.contains_key(*header));
    is_near && is_forwarded && !trusted.contains(&peer)
}

/// Returns the unit that limits count by: an IPv4 address, or the /64 network of an IPv6 address.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & IPV6_NETWORK).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn forwarded(list: &str) -> HeaderMap {
        HeaderMap::from_iter([(axum::http::HeaderName::from_static(FORWARDED_FOR), list.parse().unwrap())])
    }

    #[test]
    fn only_a_trusted_proxy_names_the_client() {
        let proxy = [ip("10.0.0.1")];
        let client = |peer: &str, list: &str| client(ip(peer), &forwarded(list), &proxy);
        assert_eq!(client("192.0.2.7", "203.0.113.5"), ip("192.0.2.7"), "anybody can write the header");
        assert_eq!(client("10.0.0.1", "203.0.113.5"), ip("203.0.113.5"));
        assert_eq!(
            client("10.0.0.1", "1.2.3.4, 203.0.113.5"),
            ip("203.0.113.5"),
            "the first is the client's own"
        );
        assert_eq!(client("10.0.0.1", "203.0.113.5, 10.0.0.1"), ip("203.0.113.5"));
        assert_eq!(client("10.0.0.1", "unknown"), ip("10.0.0.1"));
        assert_eq!(super::client(ip("10.0.0.1"), &HeaderMap::new(), &proxy), ip("10.0.0.1"));
    }

    #[test]
    fn proxy_is_unknown_if_it_is_near_and_not_trusted() {
        let unknown =
            |peer: &str, trusted: &[IpAddr]| is_unknown_proxy(ip(peer), &forwarded("203.0.113.5"), trusted);
        assert!(unknown("127.0.0.1", &[]) && unknown("10.0.0.1", &[]) && unknown("::1", &[ip("127.0.0.1")]));
        assert!(!unknown("10.0.0.1", &[ip("10.0.0.1")]) && !unknown("192.0.2.7", &[]));
        assert!(!is_unknown_proxy(ip("127.0.0.1"), &HeaderMap::new(), &[]));
        let standard = (axum::http::HeaderName::from_static(FORWARDED), "for=203.0.113.5".parse().unwrap());
        assert!(is_unknown_proxy(ip("127.0.0.1"), &HeaderMap::from_iter([standard]), &[]));
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        assert_eq!(network(ip("2001:db8:1:2:3::4")), network(ip("2001:db8:1:2:ffff::1")));
        assert_ne!(network(ip("2001:db8:1:2::1")), network(ip("2001:db8:1:3::1")));
        assert_eq!(network(ip("::ffff:192.0.2.1")), ip("192.0.2.1"));
    }
}
