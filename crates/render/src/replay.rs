//! Replays: an animated GIF in which each frame contains only the changed rectangle.

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::canvas::Canvas;
use super::frames::FrameDrawer;
use super::lzw::LzwEncoder;
use super::paint::Area;
use super::painter::Painter;
use rookery_core::scene::{Rgb, Scene};

/// Size and timing of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplaySettings {
    /// The width in pixels, 1 to 4,096; usually 600.
    pub width_px: u32,
    /// The duration of each frame in milliseconds; GIF has a resolution of ten.
    pub frame_ms: u32,
    /// The duration of the last frame in milliseconds, before the replay starts again.
    pub last_ms: u32,
}

impl Default for ReplaySettings {
    fn default() -> ReplaySettings {
        ReplaySettings { width_px: 600, frame_ms: 800, last_ms: 6000 }
    }
}

impl Painter {
    /// An endless animated GIF with one frame per scene. All scenes have the size, theme and ground of the first; for a
    /// part of a game pass a part of its scenes. `None` if there is no scene.
    #[must_use]
    pub fn replay(&self, scenes: impl IntoIterator<Item = Scene>, pace: ReplaySettings) -> Option<Vec<u8>> {
        let mut scenes = scenes.into_iter().peekable();
        let mut drawer = FrameDrawer::new(self, scenes.peek()?, pace.width_px.min(4096));
        let (mut before, mut packer, mut changes) = (Vec::new(), LzwEncoder::new(), Vec::new());
        for scene in scenes {
            let drawn = drawer.show(scene, &mut before);
            let change = match changes.is_empty() {
                true => whole(drawer.canvas(), &mut packer),
                false => changed(&before, drawer.canvas(), &drawn, &mut packer),
            };
            changes.push(change);
        }
        Some(
            assemble(drawer.canvas(), changes, pace)
                .expect("writing frames of one palette to memory does not fail"),
        )
    }
}

/// One pixel: a frame without changes must have at least that.
const MIN_AREA: Area = Area { left: 0, top: 0, right: 1, bottom: 1 };

/// The transparent index for unchanged pixels. No colour has this index: there are at most 255.
const TRANSPARENT_INDEX: u8 = u8::MAX;

fn whole(canvas: &Canvas, packer: &mut LzwEncoder) -> (Area, Vec<u8>) {
    let lines = canvas.lines().chunks_exact(canvas.width() + 1);
    (canvas.area(), packer.pack(lines.map(|line| &line[1..])))
}

/// The rectangle of a canvas that was redrawn, and its changed pixels.
fn changed(before: &[u8], canvas: &Canvas, drawn: &[Area], packer: &mut LzwEncoder) -> (Area, Vec<u8>) {
    let rect = drawn.iter().copied().reduce(Area::union).unwrap_or(MIN_AREA);
    let (stride, width) = (canvas.width() + 1, rect.width() as usize);
    let mut pixels = vec![TRANSPARENT_INDEX; width * rect.height() as usize];
    for area in drawn {
        for y in area.top..area.bottom {
            let from = y as usize * stride + 1 + area.left as usize;
            let to = (y - rect.top) as usize * width + (area.left - rect.left) as usize;
            let line = from..from + area.width() as usize;
            let pairs = before[line.clone()].iter().zip(&canvas.lines()[line]);
            for (pixel, (old, new)) in pixels[to..].iter_mut().zip(pairs) {
                *pixel = if old == new { TRANSPARENT_INDEX } else { *new };
            }
        }
    }
    (rect, packer.pack([pixels]))
}

/// Writes the file once the palette is complete.
fn assemble(
    canvas: &Canvas,
    changes: Vec<(Area, Vec<u8>)>,
    pace: ReplaySettings,
) -> Result<Vec<u8>, EncodingError> {
    let palette: Vec<u8> = canvas.colours().iter().flat_map(|Rgb(r, g, b)| [*r, *g, *b]).collect();
    let size = changes.iter().map(|(_, data)| data.len() + 32).sum::<usize>() + 1024;
    let mut file = Vec::with_capacity(size);
    let mut encoder = Encoder::new(&mut file, canvas.width() as u16, canvas.height() as u16, &palette)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let last = changes.len() - 1;
    for (n, (area, data)) in changes.into_iter().enumerate() {
        let ms = if n == last { pace.last_ms } else { pace.frame_ms };
        encoder.write_lzw_pre_encoded_frame(&frame(area, data, ms))?;
    }
    drop(encoder);
    Ok(file)
}

fn frame(area: Area, data: Vec<u8>, ms: u32) -> Frame<'static> {
    Frame {
        delay: (ms / 10).clamp(2, u32::from(u16::MAX)) as u16,
        dispose: DisposalMethod::Keep,
        transparent: Some(TRANSPARENT_INDEX),
        left: area.left as u16,
        top: area.top as u16,
        width: area.width() as u16,
        height: area.height() as u16,
        buffer: data.into(),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder;
    use image::codecs::gif::GifDecoder;

    use super::*;
    use crate::render;
    use rookery_core::scene::{Shape, Theme, ink, pt};

    static THEME: Theme = Theme {
        name: "t",
        family: "replay",
        sides: &[],
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

    fn replayed(scenes: &[Scene], pace: ReplaySettings) -> Vec<image::Frame> {
        let file = Painter::new().replay(scenes.to_vec(), pace).expect("there are scenes");
        let decoder = GifDecoder::new(std::io::Cursor::new(file)).unwrap();
        decoder.into_frames().collect_frames().unwrap()
    }

    #[test]
    fn every_frame_shows_its_scene_and_the_last_is_held() {
        let scenes: Vec<Scene> = [0, 1, 1, 4, 2].map(scene).to_vec();
        let frames = replayed(&scenes, ReplaySettings { width_px: 200, frame_ms: 500, last_ms: 3000 });
        assert_eq!(frames.len(), scenes.len());
        for (n, (frame, scene)) in frames.iter().zip(&scenes).enumerate() {
            let shown = image::DynamicImage::from(frame.buffer().clone()).to_rgb8();
            // The palette is shared, so the blend along an edge may be a neighbour of the still picture's.
            let still = render(scene, 200).to_image();
            let worst = shown.as_raw().iter().zip(still.as_raw()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst < Some(24), "frame {n}: {worst:?}");
            let ms = std::time::Duration::from(frame.delay()).as_millis();
            assert_eq!(ms, if n == 4 { 3000 } else { 500 });
        }
    }

    #[test]
    fn only_what_changed_is_sent() {
        let file = Painter::new()
            .replay([0, 1, 1].map(scene), ReplaySettings { width_px: 200, ..ReplaySettings::default() });
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let file = file.expect("there are scenes");
        let mut decoder = options.read_info(&file[..]).unwrap();
        let mut next = || {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            let sent = frame.buffer.iter().filter(|index| **index != TRANSPARENT_INDEX).count();
            ((frame.left, frame.top, frame.width, frame.height), sent)
        };
        assert_eq!(next(), ((0, 0, 200, 160), 200 * 160));
        // The second dot: its centre is at (37, 41), its radius 10.5; in whole grid cells of 16.
        let (rect, sent) = next();
        assert_eq!(rect, (16, 16, 32, 48));
        let area = 10.5_f32.powi(2) * std::f32::consts::PI;
        assert!((sent as f32) < area * 1.2 && sent as f32 > area * 0.6, "{sent} of {area}");
        assert_eq!(next(), ((0, 0, 1, 1), 0), "nothing changed");
    }

    #[test]
    fn no_scene_no_replay() {
        assert_eq!(Painter::new().replay([], ReplaySettings::default()), None);
    }
}
