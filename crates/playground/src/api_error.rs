//! The playground's error answers: Discord's status, code and message.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A refused request, in Discord's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// The HTTP status of the response.
    pub status: u16,
    /// Discord's JSON error code; 0 if Discord gives none.
    pub code: u32,
    /// Discord's message for the code.
    pub message: String,
    /// For 50035: which field was wrong and why, in Discord's nested shape.
    pub errors: Option<Value>,
    /// For 429: how long to wait, in seconds.
    pub retry_after: Option<f64>,
    /// For 429: whether the limit over all routes was hit.
    pub global: bool,
}

impl ApiError {
    /// Creates an error from a status, a code and a message.
    pub(crate) fn new(status: u16, code: u32, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), errors: None, retry_after: None, global: false }
    }

    /// 50035: the body's shape is wrong, with Discord's nested tree of errors.
    pub(crate) fn invalid_form(errors: Value) -> Self {
        Self { errors: Some(errors), ..Self::new(400, 50035, "Invalid Form Body") }
    }

    /// 429: the rate limit is exceeded; `retry_after` is in seconds.
    pub(crate) fn slow_down(retry_after: f64, global: bool) -> Self {
        let message = "You are being rate limited.";
        Self { retry_after: Some(retry_after), global, ..Self::new(429, 0, message) }
    }

    /// An error that the page shows to the person; it has no Discord code.
    pub(crate) fn for_page(message: impl Into<String>) -> Self {
        Self::new(400, 0, message)
    }

    /// Returns the JSON body that Discord would send.
    pub(crate) fn body(&self) -> Value {
        let mut body = json!({"message": self.message, "code": self.code});
        if let Some(errors) = &self.errors {
            body["errors"] = errors.clone();
        }
        if let Some(seconds) = self.retry_after {
            body["retry_after"] = json!(seconds);
            body["global"] = json!(self.global);
        }
        body
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(seconds) = self.retry_after {
            // The header counts whole seconds; the body has the fraction.
            headers.insert("retry-after", HeaderValue::from(seconds.ceil().max(1.0) as u64));
            let scope = if self.global { "global" } else { "user" };
            headers.insert(HeaderName::from_static("x-ratelimit-scope"), HeaderValue::from_static(scope));
            if self.global {
                headers.insert("x-ratelimit-global", HeaderValue::from_static("true"));
            }
        }
        headers
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, self.headers(), axum::Json(self.body())).into_response()
    }
}

macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident = $status:literal, $code:literal, $message:literal;)*) => {
        impl ApiError { $($(#[$doc])* pub(crate) fn $name() -> Self { Self::new($status, $code, $message) })* }
    };
}

refusals! {
    /// The token is not the bot's.
    unauthorized = 401, 0, "401: Unauthorized";
    /// The playground does not support this path or method.
    not_found = 404, 0, "404: Not Found";
    /// A message contains a word that the server's automatic moderation blocks.
    blocked = 400, 200_000, "Message was blocked by automatic moderation";
    /// The application does not exist.
    unknown_application = 404, 10002, "Unknown Application";
    /// The channel, thread or DM does not exist.
    unknown_channel = 404, 10003, "Unknown Channel";
    /// The server does not exist, or the bot is not in it.
    unknown_guild = 404, 10004, "Unknown Guild";
    /// The person is not a member of the server.
    unknown_member = 404, 10007, "Unknown Member";
    /// The message does not exist in that channel.
    unknown_message = 404, 10008, "Unknown Message";
    /// The person does not exist.
    unknown_user = 404, 10013, "Unknown User";
    /// A follow-up before the first answer, or an unknown token.
    unknown_webhook = 404, 10015, "Unknown Webhook";
    /// The interaction does not exist, or its 3 seconds have passed.
    unknown_interaction = 404, 10062, "Unknown interaction";
    /// The command does not exist.
    unknown_command = 404, 10063, "Unknown application command";
    /// Too many edits of a message older than an hour.
    old_edits = 429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later";
    /// The channel has 250 pins.
    too_many_pins = 400, 30003, "Maximum number of pins reached (250)";
    /// The request or one of its files is too large.
    too_large = 413, 40005, "Request entity too large";
    /// The interaction was answered before.
    already_acknowledged = 400, 40060, "Interaction has already been acknowledged.";
    /// The bot may not see the channel.
    missing_access = 403, 50001, "Missing Access";
    /// The action is impossible in a DM channel.
    not_in_dm = 403, 50003, "Cannot execute action on a DM channel";
    /// The message has another author.
    not_yours = 403, 50005, "Cannot edit a message authored by another user";
    /// The message has no content, embed, file or component.
    empty_message = 400, 50006, "Cannot send an empty message";
    /// The person accepts no DMs.
    cannot_dm = 403, 50007, "Cannot send messages to this user";
    /// The bot lacks a permission.
    missing_permissions = 403, 50013, "Missing Permissions";
    /// A system message cannot be changed.
    system_message = 403, 50021, "Cannot execute action on a system message";
    /// The action does not fit the channel's type.
    wrong_channel_type = 400, 50024, "Cannot execute action on this channel type";
    /// The interaction token is older than 15 minutes or unknown.
    invalid_webhook_token = 401, 50027, "Invalid Webhook Token";
    /// The body is not JSON.
    invalid_json = 400, 50109, "The request body contains invalid JSON.";
    /// The thread is archived.
    archived = 400, 50083, "Thread is archived";
    /// A reply without permission to read the channel's history.
    no_history = 403, 160002, "You cannot reply without permission to read message history";
    /// The message already has a thread.
    thread_exists = 400, 160004, "A thread has already been created for this message";
    /// Only moderators may write in the thread.
    thread_locked = 400, 160005, "Thread is locked";
    /// The server has its maximum number of open threads.
    too_many_threads = 400, 160006, "Maximum number of active threads reached";
    /// The sixth follow-up of a user-installed app where the bot is not a member.
    too_many_follow_ups = 400, 40094, "This interaction has reached the maximum number of follow-up messages";
}
