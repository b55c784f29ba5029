use std::time::Instant;
#[test]
fn speed() {
    let painter = rookery::render::Painter::new();
    let t = Instant::now();
    let _ = rookery::render::png(&painter.picture(&super::sample::board(36), 1050));
    eprintln!("first {:?}", t.elapsed());
    for stones in [36, 90] {
        let med = |f: &mut dyn FnMut()| {
            let mut v: Vec<_> = (0..101)
                .map(|_| {
                    let t = Instant::now();
                    f();
                    t.elapsed()
                })
                .collect();
            v.sort();
            v[50]
        };
        eprintln!(
            "scene {:?}",
            med(&mut || {
                std::hint::black_box(super::sample::board(stones));
            })
        );
        let scene = super::sample::board(stones);
        eprintln!(
            "draw {:?}",
            med(&mut || {
                std::hint::black_box(painter.picture(&scene, 1050));
            })
        );
        let p = painter.picture(&scene, 1050);
        eprintln!(
            "encode {:?} {}",
            med(&mut || {
                std::hint::black_box(rookery::render::png(&p));
            }),
            rookery::render::png(&p).len()
        );
    }
}
