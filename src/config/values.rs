//! Value types with their own syntax: secrets, server addresses, addresses to listen on.

use std::fmt;
use std::net::{AddrParseError, IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use axum::http::Uri;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

/// A text that is never shown: its debug output is `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Returns the text itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl FromStr for Secret {
    type Err = InvalidSecret;

    /// Parses a text without spaces and control characters, which fits into an HTTP header. Surrounding space
    /// and a leading `Bot` are removed, because people copy both.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let text = text.strip_prefix("Bot ").unwrap_or(text).trim_start();
        let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
        if plain { Ok(Self(text.to_owned())) } else { Err(InvalidSecret) }
    }
}

/// The text is empty or contains a character that no token has. The error does not repeat it.
#[derive(Debug, PartialEq, Eq, Error)]
#[error("not a token: it's empty, or has spaces or line breaks")]
pub struct InvalidSecret;

/// The address of a server, without a slash at the end: `https://games.example.org`, `http://127.0.0.1:9000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server(String);

impl Server {
    /// Returns the address without a slash at the end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address that replaces `https://discord.com` in serenity: without a final `/api` or
    /// `/api/v10`, which the same setting of some other programs includes.
    #[must_use]
    pub fn without_api(&self) -> Server {
        let whole = self.as_str();
        let base = whole.strip_suffix("/v10").filter(|base| base.ends_with("/api")).unwrap_or(whole);
        Server(base.strip_suffix("/api").unwrap_or(base).trim_end_matches('/').to_owned())
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Server {
    type Err = InvalidServer;

    /// Parses a URL with `http` or `https`, a host, and optionally a port and a path.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let uri: Uri = text.parse().map_err(|_| InvalidServer)?;
        let scheme = uri.scheme_str().filter(|scheme| ["http", "https"].contains(scheme));
        let host = uri.authority().filter(|host| !host.host().is_empty() && !host.as_str().contains('@'));
        match (scheme, host, uri.query()) {
            (Some(scheme), Some(host), None) if !text.contains('#') => {
                Ok(Self(format!("{scheme}://{host}{}", uri.path().trim_end_matches('/'))))
            }
            _ => Err(InvalidServer),
        }
    }
}

/// The text is not the address of a server.
#[derive(Debug, PartialEq, Eq, Error)]
#[error("not an http or https address")]
pub struct InvalidServer;

/// Parses an address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or only a port on this
/// machine.
///
/// # Errors
/// The standard library's error if the text is none of these.
pub fn parse_address(text: &str) -> Result<SocketAddr, AddrParseError> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    match port.parse::<u16>() {
        Ok(port) => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        Err(_) => text.parse(),
    }
}

/// Parses IP addresses separated by commas; an empty text is an empty list.
///
/// # Errors
/// If a part is not an IP address.
pub(super) fn parse_hosts(text: &str) -> Result<Vec<IpAddr>, AddrParseError> {
    let parts = text.split(',').map(str::trim).filter(|_| !text.trim().is_empty());
    parts.map(|part| Ok(part.parse::<IpAddr>()?.to_canonical())).collect()
}

pub(super) fn hosts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<IpAddr>, D::Error> {
    parse_hosts(&String::deserialize(from)?).map_err(D::Error::custom)
}

pub(super) fn address<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    parse_address(&String::deserialize(from)?).map_err(D::Error::custom)
}

/// Deserializes a text; the empty one is `None`.
pub(super) fn unless_empty<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    let text = String::deserialize(from)?;
    if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(D::Error::custom) }
}

/// Deserializes a text with its own syntax.
pub(super) fn parsed<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

/// Deserializes the address of a Discord-compatible server; the empty text is `None`.
pub(super) fn api_base<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Server>, D::Error> {
    Ok(unless_empty::<D, Server>(from)?.as_ref().map(Server::without_api))
}

/// Deserializes an address to listen on; the empty text is `None`.
pub(super) fn address_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(from)?;
    if text.is_empty() { Ok(None) } else { parse_address(&text).map(Some).map_err(D::Error::custom) }
}
