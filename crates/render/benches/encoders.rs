//! Compares this crate's PNG and GIF packers with the libraries, on the same pictures: `cargo bench -p rookery-render
//! --features testing --bench encoders`. The numbers are in `docs/pictures.md`.
//!
//! The benchmark belongs to this crate and not to the program, because the libraries' generic code is compiled with the
//! benchmark, and this crate is fully optimised.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use png::{Compression, Filter};
use rookery_core::Seat;
use rookery_core::scene::{DrawOptions, Scene};
use rookery_games::record::Record;
use rookery_render::packing::GifEncoder;
use rookery_render::{Painter, Picture, ReplaySettings};

#[path = "../../../tests/it/pictures/played.rs"]
mod played;

/// A whole game of the Amazons.
const GAME: &str = include_str!("../../../benches/amazons.txt");

/// The width of a posted board.
const BOARD_PX: u32 = 1_050;
const MIDDLE: usize = 40;
const PLIES: usize = 90;

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args();
    pngs(&mut criterion);
    gifs(&mut criterion);
    criterion.final_summary();
}

fn pngs(c: &mut Criterion) {
    let painter = Painter::new();
    for kind in rookery_games::all() {
        let play = played::game(*kind, 2, MIDDLE);
        let picture = painter.picture(&play.scene(&DrawOptions::from_seat(Seat::FIRST)), BOARD_PX);
        let key = kind.info().key;
        measure(c, &format!("png {key}: ours"), || rookery_render::png(&picture));
        for (name, level, filter) in SETTINGS {
            measure(c, &format!("png {key}: library, {name}"), || library_png(&picture, *level, *filter));
        }
    }
}

const SETTINGS: &[(&str, Compression, Filter)] = &[
    ("fastest", Compression::Fastest, Filter::NoFilter),
    ("fast", Compression::Fast, Filter::NoFilter),
    ("fast and adaptive", Compression::Fast, Filter::Adaptive),
    ("balanced", Compression::Balanced, Filter::NoFilter),
    ("high", Compression::High, Filter::NoFilter),
];

/// Prints the size with the name: smaller files are uploaded sooner.
fn measure(c: &mut Criterion, name: &str, pack: impl Fn() -> Vec<u8>) {
    let bytes = pack().len();
    c.bench_function(&format!("{name}, {bytes} bytes"), |b| b.iter(|| black_box(pack())));
}

fn library_png(picture: &Picture, level: Compression, filter: Filter) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(
        picture.palette().iter().flat_map(|colour| [colour.0, colour.1, colour.2]).collect::<Vec<_>>(),
    );
    encoder.set_compression(level);
    encoder.set_filter(filter);
    let mut writer = encoder.write_header().expect("a header is written to memory");
    // The library takes the rows without their leading byte.
    let rows = picture.rows().collect::<Vec<_>>().concat();
    writer.write_image_data(&rows).expect("rows are written to memory");
    writer.finish().expect("the end is written to memory");
    file
}

/// The frames of a replay, each the changed rectangle.
struct Frames {
    width: u16,
    height: u16,
    palette: Vec<u8>,
    frames: Vec<gif::Frame<'static>>,
}

fn gifs(c: &mut Criterion) {
    let game = Record::read(GAME).expect("a record").replay().expect("a legal game");
    let mut plays = vec![("a real game of amazons".to_owned(), game)];
    let random = rookery_games::all().iter();
    plays.extend(random.map(|kind| (kind.info().key.to_owned(), played::game(*kind, 2, PLIES))));
    let painter = Painter::new();
    for (name, play) in plays {
        let scene = |ply| play.at_ply(ply).scene(&DrawOptions::from_seat(Seat::FIRST));
        let scenes: Vec<Scene> = (0..=play.ply().min(PLIES)).map(scene).collect();
        let frames =
            frames(&painter.replay(scenes, ReplaySettings::default()).expect("a game has positions"));
        measure(c, &format!("gif {name}: ours"), || our_gif(&frames));
        measure(c, &format!("gif {name}: library"), || library_gif(&frames));
    }
}

fn frames(file: &[u8]) -> Frames {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(file).expect("our own file");
    let (width, height) = (decoder.width(), decoder.height());
    let palette = decoder.global_palette().expect("one palette for all frames").to_vec();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("our own frames") {
        frames.push(frame.clone());
    }
    Frames { width, height, palette, frames }
}

fn our_gif(frames: &Frames) -> Vec<u8> {
    let mut packer = GifEncoder::default();
    write_gif(frames, |encoder, frame| {
        let packed = gif::Frame { buffer: packer.pack(&frame.buffer).into(), ..frame.clone() };
        encoder.write_lzw_pre_encoded_frame(&packed)
    })
}

fn library_gif(frames: &Frames) -> Vec<u8> {
    write_gif(frames, |encoder, frame| encoder.write_frame(frame))
}

fn write_gif<W>(frames: &Frames, mut write: W) -> Vec<u8>
where
    W: FnMut(&mut gif::Encoder<&mut Vec<u8>>, &gif::Frame<'static>) -> Result<(), gif::EncodingError>,
{
    let mut file = Vec::new();
    let mut encoder =
        gif::Encoder::new(&mut file, frames.width, frames.height, &frames.palette).expect("a header");
    for frame in &frames.frames {
        write(&mut encoder, frame).expect("a frame is written to memory");
    }
    drop(encoder);
    file
}
