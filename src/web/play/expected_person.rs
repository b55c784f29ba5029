//! The person for whom a page was made; its requests name them, so that it can't turn into another person's page.

use axum::http::HeaderMap;
use serde::Deserialize;

use super::super::session::{SignedIn, signed_in};
use super::super::sign_in_link::name;
use super::super::state::Web;
use super::response::Denied;

/// The person for whom a page was made.
#[derive(Deserialize)]
pub(in crate::web) struct ExpectedPerson {
    /// The id of the person who was signed in when the page was opened; not asked for by a page that only waits at a table.
    viewer: Option<String>,
}

impl ExpectedPerson {
    /// Returns the person who is signed in, if the page is theirs.
    pub(super) async fn signed_in(&self, web: &Web, headers: &HeaderMap) -> Result<SignedIn, Denied> {
        let person = signed_in(web, headers).await?.ok_or(Denied::SignedOut)?;
        match &self.viewer {
            Some(viewer) if *viewer != person.who.0.to_string() => {
                Err(Denied::OtherPerson(name(web, person.who).await))
            }
            _ => Ok(person),
        }
    }
}
