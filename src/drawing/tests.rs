//! Tests of concurrency, refusal and caching of drawings.

use std::sync::mpsc;

use super::*;

fn of(number: u8) -> Fingerprint {
    Fingerprint::of(|part| part.bytes(&[number]))
}

fn drawing(threads: usize, cache_bytes: u64) -> Drawing {
    Drawing::new(Painter::new(), Limits { threads, cache_bytes })
}

/// A drawing that blocks until the test releases it, and reports when it begins.
struct Gate {
    begun: mpsc::Receiver<()>,
    open: mpsc::Sender<()>,
}

fn gated(drawing: &Drawing, kind: Kind) -> (Gate, tokio::task::JoinHandle<Result<(), DrawError>>) {
    let ((begin, begun), (open, opened)) = (mpsc::channel(), mpsc::channel::<()>());
    let drawing = drawing.clone();
    let task = tokio::spawn(async move {
        let work = move |_: &Painter| {
            begin.send(()).unwrap();
            let _opened = opened.recv();
        };
        drawing.run(kind, WaitPolicy::Refuse, work).await
    });
    (Gate { begun, open }, task)
}

impl Gate {
    fn has_begun(&self) -> bool {
        self.begun.try_recv().is_ok()
    }

    /// Waits off the async thread until the drawing begins.
    async fn begins(self) -> mpsc::Sender<()> {
        tokio::task::spawn_blocking(move || {
            self.begun.recv().unwrap();
            self.open
        })
        .await
        .unwrap()
    }
}

#[tokio::test]
async fn the_same_picture_is_drawn_once_however_many_ask_at_once() {
    let (drawing, drawn) = (drawing(2, 1 << 20), Arc::new(AtomicUsize::new(0)));
    let ask = |number: u8| {
        let drawn = Arc::clone(&drawn);
        drawing.picture(of(number), Kind::Replay, WaitPolicy::Refuse, move |_| {
            drawn.fetch_add(1, Ordering::Relaxed);
            Some(vec![number; 100])
        })
    };
    let all = futures_util::future::join_all((0..100).map(|n| ask(n % 4))).await;
    assert!(all.iter().enumerate().all(|(n, file)| file.as_ref().unwrap()[..] == [n as u8 % 4; 100]));
    assert_eq!(drawn.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn what_is_kept_is_bounded_by_bytes() {
    let drawing = drawing(1, 1 << 20);
    for number in 0..200 {
        let draw = move |_: &Painter| Some(vec![number; 20 << 10]);
        drawing.picture(of(number), Kind::Still, WaitPolicy::Refuse, draw).await.unwrap();
    }
    let weight = drawing.0.kept.weight();
    assert!(weight <= 1 << 20 && weight > 0, "{weight}");
}

#[tokio::test]
async fn as_many_are_drawn_at_once_as_there_are_threads() {
    let drawing = drawing(2, 0);
    let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let one = |_| {
        let (running, most) = (Arc::clone(&running), Arc::clone(&most));
        drawing.run(Kind::Still, WaitPolicy::Wait, move |_| {
            most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::yield_now();
            running.fetch_sub(1, Ordering::SeqCst);
        })
    };
    futures_util::future::join_all((0..500).map(one)).await;
    assert!((1..=2).contains(&most.load(Ordering::SeqCst)));
}

#[tokio::test]
async fn a_still_is_drawn_while_replays_are() {
    let drawing = drawing(2, 0);
    let replays: Vec<_> = (0..3).map(|_| gated(&drawing, Kind::Replay)).collect();
    let mut replays = replays.into_iter();
    let (first, first_done) = replays.next().unwrap();
    let first = first.begins().await;
    drawing.run(Kind::Still, WaitPolicy::Refuse, |_| ()).await.unwrap();
    let rest: Vec<_> = replays.collect();
    assert!(!rest.iter().any(|(gate, _)| gate.has_begun()), "one replay at a time");
    drop(first);
    first_done.await.unwrap().unwrap();
    for (gate, done) in rest {
        drop(gate.open);
        done.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn excess_drawings_are_refused_unless_they_wait() {
    let drawing = drawing(1, 0);
    let (gate, done) = gated(&drawing, Kind::Replay);
    let open = gate.begins().await;
    let ask = |wait_policy| drawing.run(Kind::Replay, wait_policy, |_| ());
    let asked: Vec<_> = (0..40)
        .map(|_| {
            tokio::spawn({
                let drawing = drawing.clone();
                async move { drawing.run(Kind::Replay, WaitPolicy::Refuse, |_| ()).await }
            })
        })
        .collect();
    tokio::task::yield_now().await;
    let patient = ask(WaitPolicy::Wait);
    tokio::pin!(patient);
    assert!(futures_util::FutureExt::now_or_never(&mut patient).is_none(), "it waits");
    assert_eq!(ask(WaitPolicy::Refuse).await, Err(DrawError::TooMany));
    drop(open);
    done.await.unwrap().unwrap();
    let mut refused = 0;
    for asked in asked {
        refused += usize::from(asked.await.unwrap().is_err());
    }
    assert_eq!(refused, 40 - (MAX_REPLAYS - 1));
    patient.await.unwrap();
    ask(WaitPolicy::Refuse).await.unwrap();
}

#[tokio::test]
async fn panic_while_drawing_is_reported_and_frees_the_slot() {
    let drawing = drawing(1, 1 << 20);
    let broken = |_: &Painter| -> Option<Vec<u8>> { panic!("a fault that is meant") };
    let told = drawing.picture(of(1), Kind::Still, WaitPolicy::Refuse, broken).await;
    assert!(matches!(told, Err(DrawError::Failed(_))), "{told:?}");
    let metrics = crate::observability::metrics::Metrics::default().text(drawing.tasks(), &[]);
    assert!(metrics.contains("rookery_drawing_seconds_count{kind=\"still\"} 1"), "{metrics}");
    let nothing = drawing.picture(of(1), Kind::Still, WaitPolicy::Refuse, |_| None).await;
    assert!(matches!(nothing, Err(DrawError::Failed(_))), "{nothing:?}");
    let file = drawing.picture(of(1), Kind::Still, WaitPolicy::Refuse, |_| Some(vec![1])).await;
    assert_eq!(file.unwrap()[..], [1]);
}
