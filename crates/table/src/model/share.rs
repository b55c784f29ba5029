//! Links to web pages on which people outside Discord watch a game. A link carries a random token and no
//! table id. A player or the server's setting creates it, and it can be revoked.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;

use super::digest::sha256_hex;
use crate::GuildId;
use crate::model::{TableId, UserId};

/// Random bytes in a token: 128 bits.
pub const TOKEN_BYTES: usize = 16;

/// The secret part of a link: [`TOKEN_BYTES`] random bytes in base64url, 22 characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ShareToken(String);

impl ShareToken {
    /// Draws a new token from the system's random number generator.
    ///
    /// # Errors
    /// If the generator fails.
    pub fn draw() -> Result<ShareToken, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(ShareToken(URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Parses a token; `None` if the text cannot be one.
    pub fn read(text: &str) -> Option<ShareToken> {
        // Decoding refuses other lengths, other alphabets and padding.
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == TOKEN_BYTES).then(|| ShareToken(text.to_owned()))
    }

    /// Returns the token as it appears in the link.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 of the token in hexadecimal, by which a link is looked up.
    pub fn digest(&self) -> String {
        sha256_hex(&self.0)
    }
}

/// Logs never show a token.
impl fmt::Debug for ShareToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareToken(…)")
    }
}

/// The page that a link shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareTarget {
    /// One game, by its table.
    Table(TableId),
    /// The list of a server's games, by the server's id.
    Server(GuildId),
}

/// The creator of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShareOrigin {
    /// A player of the game.
    Player(UserId),
    /// The server's setting for public game pages: the link works while the setting is on.
    Setting,
}

/// A link that is not revoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLink {
    /// The token, whose digest is stored with it.
    pub token: ShareToken,
    /// The page it shows.
    pub target: ShareTarget,
    /// The server; `None` for a game in a direct message.
    pub guild: Option<GuildId>,
    /// Who or what created it.
    pub origin: ShareOrigin,
    /// When it was created.
    pub made_at: Timestamp,
}

impl ShareLink {
    /// Returns the player who created it; `None` for the server's setting.
    pub fn maker(&self) -> Option<UserId> {
        match self.origin {
            ShareOrigin::Player(who) => Some(who),
            ShareOrigin::Setting => None,
        }
    }

    /// Returns whether the server's setting created it.
    pub fn is_by_setting(&self) -> bool {
        self.origin == ShareOrigin::Setting
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn share_tokens_have_128_random_bits_in_22_characters_fit_for_an_address() {
        let tokens: Vec<ShareToken> = (0..500).map(|_| ShareToken::draw().unwrap()).collect();
        let mut ones = [0_u32; TOKEN_BYTES * 8];
        for token in &tokens {
            let text = token.as_str();
            assert_eq!(text.len(), 22);
            assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'), "{text}");
            let bytes = URL_SAFE_NO_PAD.decode(text).unwrap();
            assert!(bytes.len() * 8 >= 96);
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += u32::from(bytes[bit / 8] >> (bit % 8) & 1);
            }
        }
        assert_eq!(tokens.iter().collect::<HashSet<_>>().len(), tokens.len(), "no token twice");
        // Each bit is set in about half of them: 250 of 500, and with a chance of 1 in 10^15 outside of this.
        assert!(ones.iter().all(|count| (150..=350).contains(count)), "{ones:?}");
    }

    #[test]
    fn share_tokens_are_read_as_they_were_drawn_and_nothing_else_is() {
        let token = ShareToken::draw().unwrap();
        assert_eq!(ShareToken::read(token.as_str()), Some(token.clone()));
        assert_eq!(token.digest().len(), 64);
        for other in [
            "",
            "K7Q2",
            "../../etc/passwd",
            &format!("{}=", token.as_str()),
            &"A".repeat(21),
            &"A".repeat(43),
        ] {
            assert_eq!(ShareToken::read(other), None, "{other}");
        }
        assert!(!format!("{token:?}").contains(token.as_str()), "logs do not show it");
    }
}
