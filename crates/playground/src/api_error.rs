//! How the playground says no: Discord's status, code and sentence.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A request that was not done, in Discord's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// The HTTP status.
    pub status: u16,
    /// Discord's JSON error code (0 where it gives none).
    pub code: u32,
    /// The sentence that goes with the code.
    pub message: String,
    /// For 50035: which field was wrong and why, in Discord's nested shape.
    pub errors: Option<Value>,
    /// For 429: how long to wait, in seconds.
    pub retry_after: Option<f64>,
    /// For 429: whether the limit over all routes was hit.
    pub global: bool,
}

impl ApiError {
    /// A refusal with nothing but a status, a code and a sentence.
    pub(crate) fn new(status: u16, code: u32, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), errors: None, retry_after: None, global: false }
    }

    /// 50035: the body's shape is wrong, with Discord's nested tree of errors.
    pub(crate) fn invalid_form(errors: Value) -> Self {
        Self { errors: Some(errors), ..Self::new(400, 50035, "Invalid Form Body") }
    }

    /// 429: too many requests.
    pub(crate) fn slow_down(retry_after: f64, global: bool) -> Self {
        let message = "You are being rate limited.";
        Self { retry_after: Some(retry_after), global, ..Self::new(429, 0, message) }
    }

    /// What a human is told when the page refuses something; no code of Discord's belongs to it.
    pub(crate) fn for_human(message: impl Into<String>) -> Self {
        Self::new(400, 0, message)
    }

    /// The body Discord would send.
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
    /// A token that is not the bot's.
    unauthorized = 401, 0, "401: Unauthorized";
    /// A path or method that the playground does not know.
    not_found = 404, 0, "404: Not Found";
    /// A message with a word that the server's own rules let nobody write.
    blocked = 400, 200_000, "Message was blocked by automatic moderation";
    /// No such application.
    unknown_application = 404, 10002, "Unknown Application";
    /// No such channel, thread or DM.
    unknown_channel = 404, 10003, "Unknown Channel";
    /// No such server, or the bot is not in it.
    unknown_guild = 404, 10004, "Unknown Guild";
    /// The person is not in that server.
    unknown_member = 404, 10007, "Unknown Member";
    /// No such message, or not in that channel.
    unknown_message = 404, 10008, "Unknown Message";
    /// No such person.
    unknown_user = 404, 10013, "Unknown User";
    /// A follow-up before the first answer, or a token never given.
    unknown_webhook = 404, 10015, "Unknown Webhook";
    /// No such interaction, or 3 seconds have passed.
    unknown_interaction = 404, 10062, "Unknown interaction";
    /// No such command.
    unknown_command = 404, 10063, "Unknown application command";
    /// Too many edits of a message older than an hour.
    old_edits = 429, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later";
    /// 250 pins.
    too_many_pins = 400, 30003, "Maximum number of pins reached (250)";
    /// The request or one of its files is too big.
    too_large = 413, 40005, "Request entity too large";
    /// An interaction that was answered before.
    already_acknowledged = 400, 40060, "Interaction has already been acknowledged.";
    /// A channel the bot may not see.
    missing_access = 403, 50001, "Missing Access";
    /// A DM channel where that cannot be done.
    not_in_dm = 403, 50003, "Cannot execute action on a DM channel";
    /// Somebody else's message.
    not_yours = 403, 50005, "Cannot edit a message authored by another user";
    /// Neither content, embed, file nor component.
    empty_message = 400, 50006, "Cannot send an empty message";
    /// A person who takes no DMs.
    cannot_dm = 403, 50007, "Cannot send messages to this user";
    /// A permission is missing.
    missing_permissions = 403, 50013, "Missing Permissions";
    /// A system message, which cannot be changed.
    system_message = 403, 50021, "Cannot execute action on a system message";
    /// An action in a channel of the wrong kind.
    wrong_channel_type = 400, 50024, "Cannot execute action on this channel type";
    /// An interaction token older than 15 minutes, or never given.
    invalid_webhook_token = 401, 50027, "Invalid Webhook Token";
    /// A body that is not JSON.
    invalid_json = 400, 50109, "The request body contains invalid JSON.";
    /// A thread that is put away.
    archived = 400, 50083, "Thread is archived";
    /// A reply where the bot cannot read what came before.
    no_history = 403, 160002, "You cannot reply without permission to read message history";
    /// A message that a thread hangs on already.
    thread_exists = 400, 160004, "A thread has already been created for this message";
    /// A thread that only moderators may write in.
    thread_locked = 400, 160005, "Thread is locked";
    /// The server's cap of open threads.
    too_many_threads = 400, 160006, "Maximum number of active threads reached";
    /// A user-installed app's sixth follow-up where the bot is not a member.
    too_many_follow_ups = 400, 40094, "This interaction has reached the maximum number of follow-up messages";
}
