//! Answers to interactions, always within Discord's three seconds.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::discord::state::context::Context;
use crate::discord::wire::api::{Audience, InitialResponse, InteractionToken};
use crate::discord::wire::error::{
    ALREADY_ACKNOWLEDGED, DiscordError, UNKNOWN_INTERACTION, retry_after_each,
};
use crate::discord::wire::limits::{self, ANSWER_WITHIN};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// The time after which "thinking…" is shown instead of the answer: half of Discord's limit.
const DEFER_AFTER: Duration = Duration::from_millis(ANSWER_WITHIN.as_millis() as u64 / 2);
/// The time in which Discord must open the Activity, so that another answer is still in time.
const LAUNCH_WITHIN: Duration = Duration::from_millis(700);
/// The delays between attempts to send the first answer.
const FIRST_RETRY_DELAYS: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// The delays between attempts to fill in a deferred answer.
const RETRY_DELAYS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// How an answer appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseMode {
    /// As a new ephemeral message.
    New,
    /// In place of the ephemeral message with the button.
    Update,
    /// As an ephemeral follow-up, because the public message with the button is updated as well.
    FollowUp,
}

/// Does the work and answers with its result; returns whether the answer was accepted. Pictures are drawn
/// after the first answer, and slow work continues after it.
pub async fn respond_or_defer(
    ctx: &Context,
    token: &InteractionToken,
    mode: ResponseMode,
    work: impl Future<Output = OutgoingMessage>,
) -> bool {
    let work = run_guarded(ctx, work);
    let sent = match mode {
        ResponseMode::FollowUp => respond_with_follow_up(ctx, token, work).await,
        _ => respond_directly(ctx, token, mode, work).await,
    };
    sent.inspect_err(log_failure).is_ok()
}

/// Sends the result as the first answer, or fills it in later.
async fn respond_directly(
    ctx: &Context,
    token: &InteractionToken,
    mode: ResponseMode,
    work: impl Future<Output = OutgoingMessage>,
) -> Result<(), DiscordError> {
    tokio::pin!(work);
    let done = tokio::time::timeout(DEFER_AFTER, &mut work).await.ok();
    match done {
        Some(post) if !post.has_files() => {
            let launched = if post.launches { launch(ctx, token).await } else { Launch::Refused };
            if launched == Launch::Done {
                return Ok(());
            }
            let lost = AtomicBool::new(launched == Launch::Unknown);
            send_initial_response(ctx, token, mode.at_once(), Some(&post), lost).await
        }
        done => {
            let rest = async {
                match done {
                    Some(post) => post,
                    None => work.await,
                }
            };
            // The work runs to its end even if the answer fails: stopping halfway could leave a table that
            // waits forever.
            let (told, post) =
                tokio::join!(send_initial_response(ctx, token, mode.later(), None, not_lost()), rest);
            told?;
            let post = with_picture(ctx, post).await;
            retry_after_each(&RETRY_DELAYS, || ctx.api.fill(token, &post)).await
        }
    }
}

/// Acknowledges the press, and sends the result as a follow-up.
async fn respond_with_follow_up(
    ctx: &Context,
    token: &InteractionToken,
    work: impl Future<Output = OutgoingMessage>,
) -> Result<(), DiscordError> {
    send_initial_response(ctx, token, InitialResponse::UpdateLater, None, not_lost()).await?;
    let post = with_picture(ctx, work.await).await;
    retry_after_each(&RETRY_DELAYS, || ctx.api.follow(token, &post, Audience::Asker)).await.map(drop)
}

/// Draws the picture of an answer. If too many are being drawn, returns an answer that asks to try again.
async fn with_picture(ctx: &Context, post: OutgoingMessage) -> OutgoingMessage {
    if post.picture.is_none() {
        return post;
    }
    match ctx.api.draw_ahead(post.clone()).await {
        Ok(drawn) => drawn,
        Err(DiscordError::Overloaded) => {
            let content = ctx.words.word("too-many-pictures");
            OutgoingMessage { content, picture: None, keeps_picture: true, ..post }
        }
        // Sending the message will fail with the same error.
        Err(_) => post,
    }
}

/// What became of a request to open the Activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Launch {
    Done,
    Refused,
    /// The response was lost, so Discord may have opened it.
    Unknown,
}

/// Asks Discord to open the Activity, as the first answer.
async fn launch(ctx: &Context, token: &InteractionToken) -> Launch {
    match tokio::time::timeout(LAUNCH_WITHIN, ctx.api.launch_activity(token)).await {
        Ok(Ok(())) => Launch::Done,
        Ok(Err(fault)) => {
            tracing::info!(%fault, "Discord did not open the Activity; the link is sent instead");
            if fault.is_temporary() { Launch::Unknown } else { Launch::Refused }
        }
        Err(_) => Launch::Unknown,
    }
}

fn not_lost() -> AtomicBool {
    AtomicBool::new(false)
}

/// Sends the first answer. An attempt whose response was lost may have been accepted; the next attempt allows
/// for that, and `lost` says that there was one before.
async fn send_initial_response(
    ctx: &Context,
    token: &InteractionToken,
    how: InitialResponse,
    post: Option<&OutgoingMessage>,
    lost: AtomicBool,
) -> Result<(), DiscordError> {
    let try_once = || async {
        let fault = match ctx.api.answer(token, how, post).await {
            Err(fault) => fault,
            sent => return sent,
        };
        let was_taken = fault.code() == Some(ALREADY_ACKNOWLEDGED) && lost.load(Ordering::Relaxed);
        lost.fetch_or(fault.is_temporary(), Ordering::Relaxed);
        if was_taken { Ok(()) } else { Err(fault) }
    };
    retry_after_each(&FIRST_RETRY_DELAYS, try_once).await
}

async fn run_guarded(ctx: &Context, work: impl Future<Output = OutgoingMessage>) -> OutgoingMessage {
    within_limits(ctx, catch_panic(ctx, work).await)
}

/// Returns an error message if the work panics, so that the interaction is still answered.
pub(in crate::discord) async fn catch_panic<T: From<OutgoingMessage>>(
    ctx: &Context,
    work: impl Future<Output = T>,
) -> T {
    ctx.registry
        .tasks()
        .measure("answer", work)
        .await
        .unwrap_or_else(|| OutgoingMessage::text(ctx.words.word("denied-fault")).into())
}

/// Returns the message if it keeps Discord's limits, otherwise an error message, because Discord would reject
/// it.
pub(in crate::discord) fn within_limits(ctx: &Context, post: OutgoingMessage) -> OutgoingMessage {
    match limits::check(&post) {
        Ok(()) => post,
        Err(limit_error) => {
            tracing::error!(%limit_error, "Discord refused an answer");
            OutgoingMessage::text(ctx.words.word("denied-fault"))
        }
    }
}

fn log_failure(fault: &DiscordError) {
    match fault.code() {
        // The event arrived twice, or the answer came too late: the interaction accepts no answer now.
        Some(ALREADY_ACKNOWLEDGED | UNKNOWN_INTERACTION) => {
            tracing::info!(%fault, "an answer was sent too late")
        }
        _ => tracing::warn!(%fault, "Discord did not accept an answer"),
    }
}

impl ResponseMode {
    fn at_once(self) -> InitialResponse {
        match self {
            ResponseMode::New => InitialResponse::Message,
            ResponseMode::Update | ResponseMode::FollowUp => InitialResponse::Update,
        }
    }

    fn later(self) -> InitialResponse {
        match self {
            ResponseMode::New => InitialResponse::MessageLater,
            ResponseMode::Update | ResponseMode::FollowUp => InitialResponse::UpdateLater,
        }
    }
}
