//! Boards in pictures that people send.

use std::sync::LazyLock;

use rookery_core::{Cell, Play};
use rookery_reading::{Content, FileReading, MIN_SIDE, ReadError, Reader};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Attachment;
use crate::discord::wire::limits::MAX_PICTURE_BYTES;

/// Keeps the drawings with which pictures are compared.
static READER: LazyLock<Reader> = LazyLock::new(Reader::new);

/// What each of some cells of a position may hold, what it holds first, off the async threads; nothing for games whose pictures
/// aren't read. `None` if that failed.
pub(in crate::discord) async fn choices(
    ctx: &Context,
    play: &dyn Play,
    cells: Vec<Cell>,
) -> Option<Vec<Vec<Content>>> {
    let play = play.clone_play();
    let list = move || cells.into_iter().map(|cell| READER.choices(play.as_ref(), cell)).collect();
    ctx.registry.tasks().compute("list contents of cells", list).await.ok()
}

/// Reads the board in a picture, off the async threads.
///
/// # Errors
/// The answer for the person.
pub(in crate::discord) async fn read_board(ctx: &Context, file: &Attachment) -> Result<FileReading, String> {
    if file.0.size as usize > MAX_PICTURE_BYTES {
        return Err(ctx.words.word("picture-too-large"));
    }
    let bytes = ctx.api.fetch_picture(file).await.map_err(|fault| {
        tracing::info!(%fault, "could not download a picture");
        ctx.words.word("picture-not-fetched")
    })?;
    let read = move || READER.read_file(&bytes);
    match ctx.registry.tasks().compute("read a picture", read).await {
        Ok(read) => read.map_err(|why| {
            let key = match why {
                ReadError::NotAPicture => "picture-no-file",
                ReadError::TooLarge => "picture-too-large",
                ReadError::Broken => "picture-broken",
                ReadError::TooSmall => "picture-too-small",
                ReadError::NoBoard => "picture-no-board",
                ReadError::Unclear => "picture-unclear-board",
            };
            ctx.words.say(key, &[("pixels", MIN_SIDE.into())])
        }),
        Err(_) => Err(ctx.words.word("denied-fault")),
    }
}
