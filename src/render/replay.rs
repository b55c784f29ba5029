//! Replays: an animated GIF in which each frame holds only the rectangle that changed.

use std::ops::Range;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::canvas::Canvas;
use super::lzw::Packer;
use super::paint::Place;
use super::painter::{Painter, blank};
use crate::kit::scene::{Rgb, Scene};

/// How a replay runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Pixels across, 1 to 4,096; 600 is usual.
    pub width_px: u32,
    /// How long each frame stands, in milliseconds; GIF counts in tens of them.
    pub frame_ms: u32,
    /// How long the last one stands before it all begins again.
    pub last_ms: u32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { width_px: 600, frame_ms: 800, last_ms: 6000 }
    }
}

impl Painter {
    /// An animated GIF, one frame a scene, for ever. All scenes have the size, theme and ground of the
    /// first; a part of a game is a part of its scenes. `None` if there is no scene.
    #[must_use]
    pub fn replay(&self, scenes: impl IntoIterator<Item = Scene>, pace: Pace) -> Option<Vec<u8>> {
        let mut scenes = scenes.into_iter().peekable();
        let first = scenes.peek()?;
        let mut canvas = blank(first, pace.width_px.min(4096));
        let place = Place { scale: canvas.width() as f32 / first.width, x: 0.0, y: 0.0 };
        let (mut before, mut packer, mut changes) = (Vec::new(), Packer::new(), Vec::new());
        for scene in scenes {
            canvas.turn_over(&mut before);
            self.draw(&mut canvas, &scene, place);
            let change = match changes.is_empty() {
                true => whole(&canvas, &mut packer),
                false => changed(&before, &canvas, &mut packer),
            };
            changes.push(change);
        }
        Some(assemble(&canvas, changes, pace).expect("writing frames of one palette to memory does not fail"))
    }
}

/// Stands in a frame for what stays as it was. No colour has this index: there are at most 255.
const SAME: u8 = u8::MAX;

fn whole(canvas: &Canvas, packer: &mut Packer) -> (Rect, Vec<u8>) {
    let area = Rect { x: 0..canvas.width(), y: 0..canvas.height() };
    let data = packer.pack(area.rows(canvas.lines(), canvas.width() + 1));
    (area, data)
}

fn changed(before: &[u8], canvas: &Canvas, packer: &mut Packer) -> (Rect, Vec<u8>) {
    let (stride, now) = (canvas.width() + 1, canvas.lines());
    let area = Rect::changed(before, now, stride);
    let rows = area.rows(before, stride).zip(area.rows(now, stride));
    let data = packer.pack(rows.map(|(before, now)| {
        before.iter().zip(now).map(|(old, new)| if old == new { SAME } else { *new }).collect::<Vec<u8>>()
    }));
    (area, data)
}

/// Writes the file, now that the palette is complete.
fn assemble(canvas: &Canvas, changes: Vec<(Rect, Vec<u8>)>, pace: Pace) -> Result<Vec<u8>, EncodingError> {
    let palette: Vec<u8> = canvas.colours().iter().flat_map(|Rgb(r, g, b)| [*r, *g, *b]).collect();
    let size = changes.iter().map(|(_, data)| data.len() + 32).sum::<usize>() + 1024;
    let mut file = Vec::with_capacity(size);
    let mut encoder = Encoder::new(&mut file, canvas.width() as u16, canvas.height() as u16, &palette)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let last = changes.len() - 1;
    for (n, (area, data)) in changes.into_iter().enumerate() {
        let ms = if n == last { pace.last_ms } else { pace.frame_ms };
        encoder.write_lzw_pre_encoded_frame(&area.frame(data, ms))?;
    }
    drop(encoder);
    Ok(file)
}

/// Columns and rows of a canvas.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rect {
    x: Range<usize>,
    y: Range<usize>,
}

impl Rect {
    /// The smallest rectangle outside which nothing changed; one pixel if nothing changed at all,
    /// for a frame must have one. Rows are `stride` bytes, of which the first is no pixel.
    fn changed(before: &[u8], now: &[u8], stride: usize) -> Rect {
        let lines = before.chunks_exact(stride).zip(now.chunks_exact(stride));
        let mut rect = Rect { x: stride - 1..0, y: now.len() / stride..0 };
        for (y, (old, new)) in lines.enumerate().filter(|(_, (old, new))| old != new) {
            let mut pairs = old[1..].iter().zip(&new[1..]);
            let left = pairs.position(|(old, new)| old != new).unwrap_or(0);
            let right = pairs.rposition(|(old, new)| old != new).map_or(left + 1, |x| left + 2 + x);
            rect = Rect { x: rect.x.start.min(left)..rect.x.end.max(right), y: rect.y.start.min(y)..y + 1 };
        }
        if rect.y.is_empty() { Rect { x: 0..1, y: 0..1 } } else { rect }
    }

    /// What lies in the rectangle, row by row.
    fn rows<'a>(&self, lines: &'a [u8], stride: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (x, y) = (self.x.clone(), self.y.clone());
        lines.chunks_exact(stride).skip(y.start).take(y.len()).map(move |line| &line[1..][x.clone()])
    }

    fn frame(&self, data: Vec<u8>, ms: u32) -> Frame<'static> {
        Frame {
            delay: (ms / 10).clamp(2, u32::from(u16::MAX)) as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            left: self.x.start as u16,
            top: self.y.start as u16,
            width: self.x.len() as u16,
            height: self.y.len() as u16,
            buffer: data.into(),
            ..Frame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder;
    use image::codecs::gif::GifDecoder;

    use super::*;
    use crate::kit::scene::{Shape, Theme, ink, pt};
    use crate::render::render;

    static THEME: Theme = Theme {
        name: "t",
        family: "replay",
        colours: &[("ground", Rgb(10, 20, 30)), ("dot", Rgb(250, 200, 0)), ("ring", Rgb(0, 100, 200))],
    };

    fn scene(step: u8) -> Scene {
        let mut scene = Scene::new(200.0, 160.0, &THEME, "ground");
        for n in 0..=step {
            let at = pt(20.0 + 17.0 * f32::from(n), 30.0 + 11.0 * f32::from(n));
            scene.shape(Shape::circle(at, 9.0).fill(ink("dot")).stroke(ink("ring"), 3.0));
        }
        scene
    }

    fn replayed(scenes: &[Scene], pace: Pace) -> Vec<image::Frame> {
        let file = Painter::new().replay(scenes.to_vec(), pace).expect("there are scenes");
        let decoder = GifDecoder::new(std::io::Cursor::new(file)).unwrap();
        decoder.into_frames().collect_frames().unwrap()
    }

    #[test]
    fn every_frame_shows_its_scene_and_the_last_is_held() {
        let scenes: Vec<Scene> = [0, 1, 1, 4, 2].map(scene).to_vec();
        let frames = replayed(&scenes, Pace { width_px: 200, frame_ms: 500, last_ms: 3000 });
        assert_eq!(frames.len(), scenes.len());
        for (n, (frame, scene)) in frames.iter().zip(&scenes).enumerate() {
            let shown = image::DynamicImage::from(frame.buffer().clone()).to_rgb8();
            // The palette is shared, so the blend along an edge may be a neighbour of the still's.
            let still = render(scene, 200).to_image();
            let worst = shown.as_raw().iter().zip(still.as_raw()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst < Some(24), "frame {n}: {worst:?}");
            let ms = std::time::Duration::from(frame.delay()).as_millis();
            assert_eq!(ms, if n == 4 { 3000 } else { 500 });
        }
    }

    #[test]
    fn only_what_changed_is_sent() {
        let mut canvas = blank(&scene(0), 200);
        let mut before = Vec::new();
        let place = Place { scale: 1.0, x: 0.0, y: 0.0 };
        Painter::new().draw(&mut canvas, &scene(0), place);
        canvas.turn_over(&mut before);
        Painter::new().draw(&mut canvas, &scene(1), place);
        // The second dot: its middle at (37, 41), reaching 10.5 each way.
        assert_eq!(Rect::changed(&before, canvas.lines(), 201), Rect { x: 26..48, y: 30..52 });
        assert_eq!(Rect::changed(canvas.lines(), canvas.lines(), 201), Rect { x: 0..1, y: 0..1 });
    }

    #[test]
    fn no_scene_no_replay() {
        assert_eq!(Painter::new().replay([], Pace::default()), None);
    }
}
