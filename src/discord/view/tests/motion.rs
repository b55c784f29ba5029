//! Posted boards that show the last move in motion.

use rookery_core::motion::MAX_FRAMES;
use rookery_core::scene::Scene;
use rookery_render::{Fingerprint, Painter, ReplaySettings};

use super::*;
use crate::discord::wire::outgoing_message::Scenes;

/// The most bytes of a picture of a move: still boards have about half of it.
const MAX_BYTES: usize = 200 * 1024;

fn moving_view(display: &DisplayPreferences) -> MessageView<'_> {
    MessageView { display, ..view() }
}

fn scenes(post: OutgoingMessage) -> Vec<Scene> {
    match post.picture.unwrap().scenes {
        Scenes::Ready(scenes) => scenes,
        Scenes::Deferred(later) => (later.make)(),
    }
}

fn same(one: &Scene, other: &Scene) -> bool {
    Fingerprint::of(|parts| parts.scene(one)) == Fingerprint::of(|parts| parts.scene(other))
}

/// In every game the animation is short and small, begins with the board before the move and ends with the still board.
#[test]
fn motion_of_the_last_move_ends_with_the_still_board_in_every_game() {
    let display = DisplayPreferences { motion: true, ..DisplayPreferences::usual("walnut") };
    let mut longest = BTreeMap::new();
    for game in rookery_games::all() {
        let key = game.info().key;
        let last = Occupant::Human { person: UserId(2) };
        let (mut table, mut rng) = (table(*game, last, 2), SeededRng::new(5));
        let start = scenes(moving_view(&display).board(&table, 0).unwrap());
        assert_eq!(start.len(), 1, "{key}: nothing has moved yet");
        for _ in 0..12 {
            let Some(text) = table.play().and_then(|play| rng.pick(&play.moves()).cloned()) else { break };
            play(&mut table, &text);
            let ply = table.ply();
            let frames = scenes(moving_view(&display).board(&table, ply).unwrap());
            let still = scenes(view().board(&table, ply).unwrap());
            assert!((2..=MAX_FRAMES).contains(&frames.len()), "{key} at {ply}: {} frames", frames.len());
            assert!(same(frames.last().unwrap(), &still[0]), "{key} at {ply}");
            let most = longest.entry(key).or_insert(0);
            *most = frames.len().max(*most);
            if ply == 12 {
                let file = Painter::new().replay(frames, ReplaySettings::default()).unwrap();
                assert!(file.len() < MAX_BYTES, "{key}: {} bytes", file.len());
            }
        }
    }
    // The amazon slides and her arrow flies; a penguin only slides.
    assert_eq!((longest["amazons"], longest["penguins"]), (MAX_FRAMES, MAX_FRAMES - 2), "{longest:?}");
}
