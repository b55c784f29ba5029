use std::time::Instant;
fn med(f: &mut dyn FnMut()) -> std::time::Duration { let mut v: Vec<_> = (0..201).map(|_| { let t = Instant::now(); f(); t.elapsed() }).collect(); v.sort(); v[20] }
#[test]
fn speed() {
    use rookery::render::{Painter,Pace,png};
    let painter = Painter::new();
    let t = Instant::now();
    let _ = png(&painter.picture(&super::sample::board(36), 1050));
    eprintln!("first {:?}", t.elapsed());
    let mut all = vec![("sample".to_string(), super::sample::board(36)), ("sample90".to_string(), super::sample::board(90))];
    for kind in rookery::games::ALL {
        let key = kind.about().key;
        for plies in [40, 400] {
            let play = super::played::game(*kind, 2, plies);
            all.push((format!("{key} ply {}", play.ply()), super::played::scenes(&*play).pop().unwrap()));
        }
    }
    for (name, scene) in &all {
        let d = med(&mut || { std::hint::black_box(painter.picture(&scene, 1050)); });
        let p = painter.picture(&scene, 1050);
        let e = med(&mut || { std::hint::black_box(png(&p)); });
        eprintln!("{name}: items {} draw {d:?} encode {e:?} bytes {} colours {}", scene.items.len(), png(&p).len(), p.palette().len());
        std::fs::write(format!("/tmp/house/speed-{}.png", name.replace(' ', "-")), png(&p)).unwrap();
    }
    let play = super::played::game(rookery::games::ALL[0], 2, 90);
    let scenes = super::played::scenes(&*play);
    let t = Instant::now();
    let gif = painter.replay(scenes.clone(), Pace::default()).unwrap();
    eprintln!("replay cold {} scenes {:?} {} bytes", scenes.len(), t.elapsed(), gif.len());
    std::fs::write("/tmp/house/replay.gif", &gif).unwrap();
    let mut v: Vec<_> = (0..15).map(|_| { let s = scenes.clone(); let t = Instant::now(); std::hint::black_box(painter.replay(s, Pace::default())); t.elapsed() }).collect();
    v.sort(); eprintln!("replay {:?}", v[2]);
}
