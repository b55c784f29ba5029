//! A request of the bot as handlers see it, whatever its encoding.

use std::collections::HashMap;

use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::header::CONTENT_TYPE;
use serde_json::Value;

use super::super::api_error::ApiError;
use super::super::discord_state::DiscordState;
use super::super::id::Id;
use super::super::upload::Upload;

/// A request: the path's parameters, the query, the body as JSON (null if there is none), and files.
#[derive(Debug, Default)]
pub(crate) struct Call {
    pub(crate) path: HashMap<String, String>,
    pub(crate) query: HashMap<String, String>,
    pub(crate) body: Value,
    pub(crate) files: Vec<Upload>,
    /// The person whose access token the request has, instead of the bot's token.
    pub(crate) user: Option<Id>,
}

/// The result of a handler.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Status 200 with a body.
    Json(Value),
    /// Status 201 with a body: something was created.
    Created(Value),
    /// Status 204 without a body.
    Nothing,
}

/// A handler: a plain function on the model.
pub(crate) type Handler = fn(&mut DiscordState, &Call) -> Result<Reply, ApiError>;

impl Call {
    /// Returns the id in the path under this name; refuses other text as Discord does.
    pub(crate) fn id(&self, name: &str) -> Result<Id, ApiError> {
        let text = self.path.get(name).map_or("", String::as_str);
        text.parse().map_err(|_| not_a_snowflake(name, text))
    }

    /// Returns the text in the path under this name.
    pub(crate) fn word(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// Returns a number in the query, or `otherwise`.
    pub(crate) fn number(&self, name: &str, otherwise: usize) -> usize {
        self.query.get(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    }

    /// Returns an id in the query.
    pub(crate) fn query_id(&self, name: &str) -> Option<Id> {
        self.query.get(name).and_then(|text| text.parse().ok())
    }
}

fn not_a_snowflake(name: &str, text: &str) -> ApiError {
    let error = serde_json::json!({"code": "NUMBER_TYPE_COERCE",
        "message": format!("Value \"{text}\" is not snowflake.")});
    ApiError::invalid_form(serde_json::json!({name: {"_errors": [error]}}))
}

/// Reads a request's body: JSON, or a form with `payload_json` and `files[n]`.
pub(crate) async fn read_body(request: Request) -> Result<(Value, Vec<Upload>), ApiError> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).unwrap_or("");
    if kind.starts_with("multipart/form-data") {
        let form = Multipart::from_request(request, &()).await.map_err(|_| ApiError::invalid_json())?;
        return read_form(form).await;
    }
    let bytes = Bytes::from_request(request, &()).await.map_err(|_| ApiError::too_large())?;
    if bytes.is_empty() {
        return Ok((Value::Null, Vec::new()));
    }
    let body = serde_json::from_slice(&bytes).map_err(|_| ApiError::invalid_json())?;
    Ok((body, Vec::new()))
}

async fn read_form(mut form: Multipart) -> Result<(Value, Vec<Upload>), ApiError> {
    let (mut body, mut files) = (Value::Null, Vec::new());
    while let Some(part) = form.next_field().await.map_err(|_| ApiError::too_large())? {
        let name = part.name().unwrap_or_default().to_owned();
        let filename = part.file_name().map(str::to_owned);
        let bytes = part.bytes().await.map_err(|_| ApiError::too_large())?;
        if name == "payload_json" {
            body = serde_json::from_slice(&bytes).map_err(|_| ApiError::invalid_json())?;
        } else if let Some(number) = file_number(&name) {
            let filename = filename.unwrap_or_else(|| "unknown".to_owned());
            files.push(Upload { number, filename, bytes: bytes.as_ref().into() });
        }
    }
    Ok((body, files))
}

fn file_number(name: &str) -> Option<u64> {
    name.strip_prefix("files[")?.strip_suffix(']')?.parse().ok()
}
