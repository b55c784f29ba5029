//! Answers to interactions: always within three seconds, whatever the machine does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::api::{Audience, First, Ticket};
use super::desk::Desk;
use super::fault::{ANSWERED_ALREADY, Fault, UNKNOWN_INTERACTION, patiently};
use super::limits::{self, ANSWER_WITHIN_MS};
use super::post::Post;

/// How long an answer may take before "thinking…" is shown in its place: half of what Discord allows.
const HURRY: Duration = Duration::from_millis(ANSWER_WITHIN_MS / 2);
/// Waits between tries to give the first answer.
const AT_ONCE: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Waits between tries to fill in an answer that was put off.
const AGAIN: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// How an answer is to appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As a new message that only the asker sees.
    New,
    /// In place of the message with the button, which only the asker sees.
    Update,
    /// Beside the message with the button, which everybody sees and which is to change itself; only the asker
    /// sees the answer.
    Beside,
}

/// Does the work and answers with what it gives. Boards are drawn after the first answer, and work
/// that takes long is waited for after it. Whether the answer was taken.
pub async fn give(desk: &Desk, ticket: &Ticket, manner: Manner, work: impl Future<Output = Post>) -> bool {
    let work = guarded(desk, work);
    let given = match manner {
        Manner::Beside => beside(desk, ticket, work).await,
        _ => alone(desk, ticket, manner, work).await,
    };
    given.inspect_err(complain).is_ok()
}

/// An answer by itself.
async fn alone(
    desk: &Desk,
    ticket: &Ticket,
    manner: Manner,
    work: impl Future<Output = Post>,
) -> Result<(), Fault> {
    tokio::pin!(work);
    let done = tokio::time::timeout(HURRY, &mut work).await.ok();
    match done {
        Some(post) if !post.has_files() => first(desk, ticket, manner.at_once(), Some(&post)).await,
        done => {
            let rest = async {
                match done {
                    Some(post) => post,
                    None => work.await,
                }
            };
            // What was begun is brought to its end though nobody can be told of it: half a thing done is a
            // table that waits for ever.
            let (told, post) = tokio::join!(first(desk, ticket, manner.later(), None), rest);
            told?;
            let post = with_picture(desk, post).await;
            patiently(&AGAIN, || desk.api.fill(ticket, &post)).await
        }
    }
}

/// An answer that leaves its place to a change of the message with the button.
async fn beside(desk: &Desk, ticket: &Ticket, work: impl Future<Output = Post>) -> Result<(), Fault> {
    first(desk, ticket, First::UpdateLater, None).await?;
    let post = with_picture(desk, work.await).await;
    patiently(&AGAIN, || desk.api.follow(ticket, &post, Audience::Asker)).await.map(drop)
}

/// An answer with its picture drawn, or, where too many are being drawn, one that asks to try again.
async fn with_picture(desk: &Desk, post: Post) -> Post {
    if post.picture.is_none() {
        return post;
    }
    match desk.api.draw_ahead(post.clone()).await {
        Ok(drawn) => drawn,
        Err(Fault::Overloaded) => {
            let content = desk.words.word("too-many-pictures");
            Post { content, picture: None, keeps_picture: true, ..post }
        }
        // To send it will fail in the same way.
        Err(_) => post,
    }
}

/// Gives the first answer. Where what came back of a try was lost on its way, that try may have been taken all
/// the same: the next one is told so then.
async fn first(desk: &Desk, ticket: &Ticket, how: First, post: Option<&Post>) -> Result<(), Fault> {
    let lost = AtomicBool::new(false);
    let try_once = || async {
        let fault = match desk.api.answer(ticket, how, post).await {
            Err(fault) => fault,
            given => return given,
        };
        let was_taken = fault.code() == Some(ANSWERED_ALREADY) && lost.load(Ordering::Relaxed);
        lost.fetch_or(fault.passes(), Ordering::Relaxed);
        if was_taken { Ok(()) } else { Err(fault) }
    };
    patiently(&AT_ONCE, try_once).await
}

async fn guarded(desk: &Desk, work: impl Future<Output = Post>) -> Post {
    fitting(desk, caught(desk, work).await)
}

/// A fault of ours is still an answer.
pub(super) async fn caught<T: From<Post>>(desk: &Desk, work: impl Future<Output = T>) -> T {
    desk.hall
        .tasks()
        .measure("answer", work)
        .await
        .unwrap_or_else(|| Post::text(desk.words.word("denied-fault")).into())
}

/// A post that Discord takes: one that would break its limits is never sent, and that would be no answer.
pub(super) fn fitting(desk: &Desk, post: Post) -> Post {
    match limits::check(&post) {
        Ok(()) => post,
        Err(too_much) => {
            tracing::error!(%too_much, "an answer that Discord would not take");
            Post::text(desk.words.word("denied-fault"))
        }
    }
}

fn complain(fault: &Fault) {
    match fault.code() {
        // The same event came twice, or the way to Discord was slow: there is nobody left to answer.
        Some(ANSWERED_ALREADY | UNKNOWN_INTERACTION) => tracing::info!(%fault, "an answer came too late"),
        _ => tracing::warn!(%fault, "an answer was not taken"),
    }
}

impl Manner {
    fn at_once(self) -> First {
        match self {
            Manner::New => First::Message,
            Manner::Update | Manner::Beside => First::Update,
        }
    }

    fn later(self) -> First {
        match self {
            Manner::New => First::MessageLater,
            Manner::Update | Manner::Beside => First::UpdateLater,
        }
    }
}
