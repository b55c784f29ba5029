//! A board that belongs to no game: squares, stones, crowns, a tinted move, a line and dots. The tests and benchmarks
//! of `render` use it, because it does not change with the games' looks.

use rookery_core::scene::{Rgb, Scene, Shape, Stamp, Theme, Weight, ink, pt, tint};

/// The colours of the sample.
pub(crate) static THEME: Theme = Theme {
    name: "walnut",
    family: "sample",
    sides: &[],
    colours: &[
        ("frame", Rgb::hex(0x2B211C)),
        ("edge", Rgb::hex(0x4B392E)),
        ("label", Rgb::hex(0xE3CDAA)),
        ("light", Rgb::hex(0xF0DDBC)),
        ("dark", Rgb::hex(0xC79E70)),
        ("top", Rgb::hex(0x6E594C)),
        ("face", Rgb::hex(0x55443A)),
        ("foot", Rgb::hex(0x3A2D26)),
        ("white", Rgb::hex(0xFFF9EC)),
        ("outline", Rgb::hex(0x2A1F19)),
        ("black", Rgb::hex(0x2A211D)),
        ("halo", Rgb::hex(0xFFF4DE)),
        ("tint", Rgb::hex(0xF2C230)),
        ("line", Rgb::hex(0x664200)),
        ("shot", Rgb::hex(0x9E1C08)),
    ],
};

const CELL: f32 = 96.0;
const CROWN: &str =
    "M22 72 L9 35 L29.5 50 L31 21 L45.5 46 L50 16 L54.5 46 L69 21 L70.5 50 L91 35 L78 72 Q50 63.5 22 72Z";
const BASE: &str = "M22 72 Q50 63.5 78 72 L81 86 Q50 95 19 86Z";

/// Draws a mid-game board: `stones` squares blocked (0 to 90), eight crowns, a last move.
pub(crate) fn board(stones: usize) -> Scene {
    let mut scene = Scene::new(1050.0, 1050.0, &THEME, "frame");
    scene.stamp(Stamp::new("sample/board", (525.0, 525.0), ground), pt(525.0, 525.0));
    let tinted = Stamp::new("sample/tint", (48.0, 48.0), || {
        vec![Shape::rect(pt(-48.0, -48.0), CELL, CELL, 0.0).fill(tint("tint", 0.62))]
    });
    scene.stamp(tinted.clone(), centre(43));
    scene.stamp(tinted, centre(52));
    let stone = Stamp::new("sample/stone", (44.0, 44.0), stone);
    let free = (0..100).map(|n| (n * 37 + 11) % 100).filter(|n| !CROWNS.contains(n) && *n != 43);
    for cell in free.take(stones) {
        scene.stamp(stone.clone(), centre(cell));
    }
    for (n, cell) in CROWNS.iter().enumerate() {
        scene.stamp(crown(n % 2 == 0), centre(*cell));
    }
    last_move(&mut scene);
    scene
}

/// The cells of the crowns, counted along the rows from the top.
const CROWNS: [usize; 8] = [52, 3, 16, 29, 60, 67, 88, 93];

/// Returns the centre of a cell.
fn centre(cell: usize) -> rookery_core::scene::Point {
    pt(93.0 + CELL * (cell % 10) as f32, 93.0 + CELL * (cell / 10) as f32)
}

fn ground() -> Vec<Shape> {
    let mut shapes = vec![Shape::rect(pt(-485.0, -485.0), 970.0, 970.0, 6.0).fill(ink("edge"))];
    for n in 0..100 {
        let (x, y) = (n % 10, n / 10);
        let square = if (x + y) % 2 == 0 { "light" } else { "dark" };
        let corner = pt(-480.0 + CELL * x as f32, -480.0 + CELL * y as f32);
        shapes.push(Shape::rect(corner, CELL, CELL, 0.0).fill(ink(square)));
    }
    for n in 0..10_u8 {
        let along = -432.0 + CELL * f32::from(n);
        for far in [-503.0, 503.0] {
            let file = char::from(b'a' + n).to_string();
            let row = (10 - n).to_string();
            shapes.push(Shape::text(file, pt(along, far), 30.0, Weight::SemiBold).fill(ink("label")));
            shapes.push(Shape::text(row, pt(far, along), 30.0, Weight::SemiBold).fill(ink("label")));
        }
    }
    shapes
}

fn stone() -> Vec<Shape> {
    let slab = |y: f32, h: f32, tone| Shape::rect(pt(-40.0, y), 80.0, h, 14.0).fill(ink(tone));
    vec![slab(-40.0, 82.0, "foot"), slab(-40.0, 79.0, "top"), slab(-37.0, 76.0, "face")]
}

fn crown(white: bool) -> Stamp {
    let name = if white { "sample/crown/white" } else { "sample/crown/black" };
    Stamp::new(name, (48.0, 48.0), move || {
        if white {
            return dressed("white", "outline", 5.4);
        }
        let mut shapes = dressed("halo", "halo", 8.6);
        shapes.extend(dressed("black", "black", 3.0));
        shapes
    })
}

fn dressed(fill: &'static str, edge: &'static str, width: f32) -> Vec<Shape> {
    let place = |x: f32, y: f32| pt((x - 50.0) * 0.84, (y - 51.5) * 0.84);
    let body = [CROWN, BASE].map(|d| Shape::path(d, place(0.0, 0.0), 0.84, 0.0));
    let balls = [(9.0, 31.0), (30.5, 18.0), (50.0, 12.5), (69.5, 18.0), (91.0, 31.0)];
    let balls = balls.map(|(x, y)| Shape::circle(place(x, y), 6.8 * 0.84));
    body.into_iter().chain(balls).map(|s| s.fill(ink(fill)).stroke(ink(edge), width * 0.84)).collect()
}

fn last_move(scene: &mut Scene) {
    let (from, to) = (centre(43), centre(52));
    scene.shape(Shape::circle(from, 13.0).stroke(ink("line"), 7.0));
    scene.shape(
        Shape::line(pt(from.x - 9.0, from.y + 9.0), pt(to.x + 37.0, to.y - 37.0)).stroke(ink("line"), 8.0),
    );
    let shot = [pt(to.x, to.y + 50.0), pt(to.x, to.y + 230.0)];
    scene.shape(Shape::line(shot[0], shot[1]).dashed(ink("shot"), 9.0, 0.0, 20.0));
}
