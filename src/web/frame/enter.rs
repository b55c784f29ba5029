//! Beginning a session in the frame: the shell brings a code of Discord.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rookery_table::ports::StoreError;
use serde_json::json;

use super::super::discord_sign_in::{FrameGrant, FramePlace, MAX_CODE_BYTES};
use super::super::session::{is_frame_request, replace_in_frame, set_frame_cookie};
use super::super::sign_in_pages::reason;
use super::super::state::Web;

/// The header with the code of Discord. The pages take no bodies, and addresses are in the logs of proxies.
const CODE: &str = "x-rookery-code";

/// Exchanges a code of Discord for a session. Responds with the page to open, and with the access token, which Discord's
/// client wants from the shell; nothing else keeps it.
pub(in crate::web) async fn enter(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    let (Some(discord), Some(place)) = (web.discord_side.get(), web.frame_place()) else {
        return refused(&web, StatusCode::NOT_FOUND, "page-signed-out");
    };
    let Some(sign_in) = discord.sign_in() else {
        return refused(&web, StatusCode::NOT_FOUND, "page-signed-out");
    };
    if !is_frame_request(&place, &headers) {
        return refused(&web, StatusCode::FORBIDDEN, "page-other-site");
    }
    let code = headers.get(CODE).and_then(|code| code.to_str().ok());
    let Some(code) = code.filter(|code| (1..=MAX_CODE_BYTES).contains(&code.len())) else {
        return refused(&web, StatusCode::BAD_REQUEST, "page-sign-in-refused");
    };
    match sign_in.enter_frame(code).await {
        Ok(grant) => entered(&web, &place, &headers, grant).await,
        Err(error) => {
            let (status, said) = reason(web.words, error);
            (status, Json(json!({ "said": said }))).into_response()
        }
    }
}

async fn entered(web: &Web, place: &FramePlace, headers: &HeaderMap, grant: FrameGrant) -> Response {
    let begun = async {
        let session = replace_in_frame(web, headers, grant.who).await?;
        Ok::<_, StoreError>((session, web.registry.take_launch(grant.who).await?))
    };
    match begun.await {
        Ok((session, launch)) => {
            let to = launch.map_or_else(|| "/play".to_owned(), |launch| format!("/play/{}", launch.table));
            // The shell tells by the time whether it has opened this before.
            let asked = launch.map(|launch| launch.expires_at.as_millisecond());
            let told = json!({ "to": to, "asked": asked, "access_token": grant.access_token.0 });
            ([(header::SET_COOKIE, set_frame_cookie(place, &session))], Json(told)).into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "could not begin a session in a frame");
            refused(web, StatusCode::SERVICE_UNAVAILABLE, "denied-journal")
        }
    }
}

fn refused(web: &Web, status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "said": web.words.word(why) }))).into_response()
}
