//! Two levels play the Amazons against each other on a small board, in text and without Discord:
//!
//! ```text
//! cargo run --example play_without_discord
//! ```

use std::io::{self, Write};

use rookery_core::player::{Level, SearchRequest};
use rookery_core::rules::Setup;

fn main() -> anyhow::Result<()> {
    let levels = [Level::Easy, Level::Medium];
    let game = rookery_games::named("amazons").expect("the Amazons are one of the six games");
    let sides = game.info().sides;
    let mut play = game.start(&Setup::new(2).with("size", "6x6"))?;
    let mut out = io::stdout().lock();

    while play.outcome().is_none() {
        let seat = play.turn();
        // The seed chooses among moves of nearly equal value. The same seeds give the same game.
        let request = SearchRequest::new(levels[seat.index()], play.ply() as u64);
        let result = play.think(&request).expect("the game isn't over");
        let text = play.play(&result.best)?;
        writeln!(
            out,
            "{:>2}. {} ({}) plays {text}",
            play.ply(),
            sides[play.side(seat)],
            levels[seat.index()].key()
        )?;
    }

    writeln!(out, "\n{}", play.text_board())?;
    for winner in play.outcome().expect("the game is over").winners {
        writeln!(out, "{} ({}) wins.", sides[play.side(winner)], levels[winner.index()].key())?;
    }
    Ok(())
}
