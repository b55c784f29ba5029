//! The person on whose behalf a request of the page acts.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderName;
use axum::http::request::Parts;

use super::super::api_error::ApiError;
use super::super::id::Id;
use super::super::shared_state::SharedState;

/// The header with the id of the person at the page.
const USER_HEADER: HeaderName = HeaderName::from_static("x-playground-user");

/// The person named by the request's header.
pub(crate) struct Me(pub(crate) Id);

impl FromRequestParts<Arc<SharedState>> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<SharedState>) -> Result<Self, ApiError> {
        let named = parts.headers.get(USER_HEADER).and_then(|it| it.to_str().ok()?.parse().ok());
        person(shared, named).map(Self)
    }
}

/// Returns the id if it belongs to a person.
pub(super) fn person(shared: &SharedState, id: Option<Id>) -> Result<Id, ApiError> {
    let known = id
        .filter(|id| shared.look(|discord_state| discord_state.users.get(id).is_some_and(|user| !user.bot)));
    known.ok_or_else(|| {
        ApiError::new(401, 0, "Nobody here has the ID in the header X-Playground-User. Choose who you are.")
    })
}
