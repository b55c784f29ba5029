//! Pictures, compared by their pixels.

mod played;
mod sample;
mod speed;

#[test]
fn look() {
    for w in [1050, 350, 600] {
        let p = rookery::render::render(&sample::board(36), w);
        std::fs::write(format!("/tmp/house/sample-{w}.png"), rookery::render::png(&p)).unwrap();
        eprintln!("{w} {}", p.palette().len());
    }
}
