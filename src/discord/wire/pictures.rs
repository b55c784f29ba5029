//! Image files of messages: drawn off the async threads and cached.

use rookery_render::{Fingerprint, Grid, Painter, ReplaySettings};

use crate::discord::wire::error::DiscordError;
use crate::discord::wire::outgoing_message::{Pace, Picture, Scenes};
use crate::drawing::{DrawError, Drawing, File, Kind, WaitPolicy};

/// The duration of a frame of a move in motion.
const MOTION_FRAME_MS: u32 = 140;

/// Draws the file of a picture, or takes it from the cache.
///
/// # Errors
/// [`DiscordError::Overloaded`] if too many wait and this one may not; an internal error if the picture
/// cannot be drawn.
pub(in crate::discord) async fn file(
    drawing: &Drawing,
    picture: &Picture,
    width_px: u32,
    wait_policy: WaitPolicy,
) -> Result<File, DiscordError> {
    if let Some(drawn) = &picture.drawn {
        return Ok(drawn.clone());
    }
    // A move has few frames, and its board must not wait for replays of whole games.
    let kind = if picture.moves() && picture.pace == Pace::Game { Kind::Replay } else { Kind::Still };
    let (fingerprint, picture) = (fingerprint(picture, width_px), picture.clone());
    let file =
        drawing.picture(fingerprint, kind, wait_policy, move |painter| drawn(painter, picture, width_px));
    file.await.map_err(|not_drawn| match not_drawn {
        DrawError::TooMany => DiscordError::Overloaded,
        DrawError::Failed(_) => DiscordError::internal(not_drawn),
    })
}

/// Returns the cache key of a picture: its scenes, captions and width.
fn fingerprint(picture: &Picture, width_px: u32) -> Fingerprint {
    Fingerprint::of(|parts| {
        parts.number(width_px.into());
        match &picture.scenes {
            Scenes::Ready(scenes) => scenes.iter().for_each(|scene| parts.scene(scene)),
            Scenes::Deferred(later) => parts.print(later.fingerprint),
        }
        picture.captions.iter().for_each(|caption| parts.text(caption));
        parts.number((picture.pace as u8).into());
    })
}

/// Draws one scene as a PNG, several as an animated GIF, or as a contact sheet if they have captions; `None`
/// without scenes.
fn drawn(painter: &Painter, picture: Picture, width_px: u32) -> Option<Vec<u8>> {
    let usual = ReplaySettings::default();
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
        _ => painter.replay(scenes, ReplaySettings { width_px: narrow_px, ..timing(picture.pace) }),
    }
}

fn timing(pace: Pace) -> ReplaySettings {
    let usual = ReplaySettings::default();
    match pace {
        Pace::Game => usual,
        Pace::Move => ReplaySettings { frame_ms: MOTION_FRAME_MS, ..usual },
    }
}

/// Returns the number of columns of a contact sheet, few enough for a phone.
fn columns(boards: usize) -> usize {
    match boards {
        0..=4 => 2,
        5..=9 => 3,
        _ => 4,
    }
}
