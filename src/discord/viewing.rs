//! The viewer's buttons: another turn, another side, the same in words, or a game of one's own from there.

use rookery_core::{Play, Seat};
use rookery_table::fair::Help;
use rookery_table::quota::Use;
use rookery_table::{Person, Refused, Status, Table, hints};

use super::asked::Asked;
use super::commands::play_from;
use super::desk::Desk;
use super::layout::Layout;
use super::layout::viewer::Span;
use super::post::Post;
use super::press::{Gaze, Step};
use super::settings;

/// Carries out a press in the viewer; `chosen` is what was taken from its list.
pub(super) async fn look(
    desk: &Desk,
    asked: &Asked,
    table: &Table,
    (ply, step, gaze): (usize, Step, Gaze),
    chosen: Option<&str>,
) -> Post {
    match step {
        Step::PlayFrom => play_on(desk, asked, table, ply).await,
        Step::Text => {
            let table = table.clone();
            desk.lay_out_post(move |layout| layout.characters(&table, ply)).await
        }
        Step::Play => {
            if let Err(post) = desk.spend(asked, Use::Gif) {
                return *post;
            }
            let (table, span) = (table.clone(), Span::within(table.ply(), None, None));
            desk.lay_out_post(move |layout| layout.replay(&table, span, gaze.side)).await
        }
        Step::Jump => {
            let chosen = chosen.and_then(|chosen| chosen.parse().ok());
            viewer(desk, asked, table, chosen.unwrap_or(ply), gaze).await
        }
        Step::First | Step::Back | Step::Next | Step::Last | Step::Turn | Step::Tint => {
            viewer(desk, asked, table, ply, gaze).await
        }
    }
}

/// The viewer at a turn. Whose cells are at a casual table is not told where a rated game stands there too.
async fn viewer(desk: &Desk, asked: &Asked, table: &Table, ply: usize, gaze: Gaze) -> Post {
    let withheld =
        gaze.tints && hints::may_help(table).is_ok() && stands_in_rated(desk, asked, table, ply).await;
    let gaze = Gaze { tints: gaze.tints && !withheld, ..gaze };
    let shown = table.clone();
    // Whose cells are is searched for.
    let mut post = desk.lay_out_post(move |layout| layout.viewer(&shown, ply, gaze)).await;
    if withheld {
        post.content = format!("{}\n{}", post.content, desk.words.refused(&Refused::NoHelp, Some(table)));
    }
    post
}

/// Whether a rated game that goes on stands where a table stood after some turns.
async fn stands_in_rated(desk: &Desk, asked: &Asked, table: &Table, ply: usize) -> bool {
    match position(desk, table, ply).await {
        Some(play) => {
            desk.hall.helps_rated(&[asked.who], asked.place.guild, play.as_ref(), Help::Tells).await
        }
        None => false,
    }
}

/// A table's game after some turns, played again beside the async threads; `None` before it has begun.
async fn position(desk: &Desk, table: &Table, ply: usize) -> Option<Box<dyn Play>> {
    let play = table.play()?.clone_play();
    desk.hall.tasks().compute("position", move || play.at_ply(ply)).await.ok()
}

/// The board for whoever presses: those who play see where they are, all others can step through.
pub(super) async fn watch(desk: &Desk, table: &Table, who: Person) -> Post {
    let plays = table.seat_of(who).is_some();
    let table = table.clone();
    let board = move |layout: &Layout<'_>| {
        let viewer = || layout.viewer(&table, table.ply(), Gaze::from(Seat::FIRST));
        let shown = if plays { None } else { viewer() };
        Some(shown.unwrap_or_else(|| layout.state(&table, Some(who))))
    };
    desk.lay_out_post(board).await
}

/// Opens a table from a turn, against the program. Not from a rated game that goes on: to try out
/// moves against the program would be its help.
async fn play_on(desk: &Desk, asked: &Asked, table: &Table, ply: usize) -> Post {
    if table.is_rated() && *table.status() == Status::Running {
        return Post::text(desk.words.word("viewer-rated"));
    }
    let Some(play) = position(desk, table, ply).await else {
        return Post::text(desk.words.word("refused-not-begun"));
    };
    let level = settings::usual_in(desk, asked.place.guild).await;
    play_from(desk, asked, play.as_ref(), level).await
}
