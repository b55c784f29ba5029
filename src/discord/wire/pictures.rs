//! Pictures of messages: drawn once, kept for a while, off the async threads.

use crate::drawing::{DrawError, Drawing, File, Kind, WaitPolicy};
use rookery_render::{Fingerprint, Grid, Pace, Painter};

use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::{Picture, Scenes};

/// The file of a picture.
///
/// # Errors
/// [`DiscordError::Overloaded`] if too many wait and this one does not; a fault of ours if nothing comes of it.
pub(in crate::discord) async fn file(
    drawing: &Drawing,
    picture: &Picture,
    width_px: u32,
    patience: WaitPolicy,
) -> Result<File, DiscordError> {
    if let Some(drawn) = &picture.drawn {
        return Ok(drawn.clone());
    }
    let kind = if picture.moves() { Kind::Replay } else { Kind::Still };
    let (fingerprint, picture) = (fingerprint(picture, width_px), picture.clone());
    let file = drawing.picture(fingerprint, kind, patience, move |painter| drawn(painter, picture, width_px));
    file.await.map_err(|not_drawn| match not_drawn {
        DrawError::TooMany => DiscordError::Overloaded,
        DrawError::Failed(_) => DiscordError::internal(not_drawn),
    })
}

/// Tells a picture apart from all others: by its scenes, its captions and its width.
fn fingerprint(picture: &Picture, width_px: u32) -> Fingerprint {
    Fingerprint::of(|parts| {
        parts.number(width_px.into());
        match &picture.scenes {
            Scenes::Ready(scenes) => scenes.iter().for_each(|scene| parts.scene(scene)),
            Scenes::Deferred(later) => parts.print(later.fingerprint),
        }
        picture.captions.iter().for_each(|caption| parts.text(caption));
    })
}

/// One scene as a PNG, several as an animated GIF, or on one sheet where they have captions; nothing
/// from none.
fn drawn(painter: &Painter, picture: Picture, width_px: u32) -> Option<Vec<u8>> {
    let usual = Pace::default();
    let narrow_px = usual.width_px.min(width_px);
    let scenes = picture.scenes.make();
    if !picture.captions.is_empty() {
        let boards: Vec<_> = scenes.into_iter().zip(picture.captions).collect();
        let grid = Grid { columns: columns(boards.len()), board_px: narrow_px };
        let sheet = painter.sheet(&boards, grid);
        return sheet.map(|sheet| rookery_render::png(&sheet));
    }
    match &scenes[..] {
        [scene] => Some(rookery_render::png(&painter.picture(scene, width_px))),
        _ => painter.replay(scenes, Pace { width_px: narrow_px, ..usual }),
    }
}

/// Boards beside each other on a sheet of so many, so that a phone shows them as large as they can be.
fn columns(boards: usize) -> usize {
    match boards {
        0..=4 => 2,
        5..=9 => 3,
        _ => 4,
    }
}
