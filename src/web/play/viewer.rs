//! The person for whom a page was made, which it names in its requests.

use rookery_table::UserId;
use serde::Deserialize;

use super::super::sign_in::name;
use super::super::state::Web;
use super::response::Denied;

/// For whom a page shows something.
#[derive(Deserialize)]
pub(in crate::web) struct Viewer {
    /// The id of the person who was signed in when the page was opened; not asked for by a page that only waits at a table.
    viewer: Option<String>,
}

impl Viewer {
    /// Checks that the page is of the person who is signed in.
    pub(super) async fn check(&self, web: &Web, who: UserId) -> Result<(), Denied> {
        match &self.viewer {
            Some(viewer) if *viewer != who.0.to_string() => Err(Denied::OtherPerson(name(web, who).await)),
            _ => Ok(()),
        }
    }
}
