//! The viewer's buttons: another turn, another side, the same in words, or a game of one's own from there.

use rookery_core::Seat;
use rookery_table::fair::Help;
use rookery_table::quota::Use;
use rookery_table::{Person, Refused, Status, Table, hints};

use super::asked::Asked;
use super::commands::play_from;
use super::desk::Desk;
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
    let shown = match step {
        Step::PlayFrom => return play_on(desk, asked, table, ply).await,
        Step::Text => desk.layout().characters(table, ply),
        Step::Play => {
            if let Err(post) = desk.spend(asked, Use::Gif) {
                return *post;
            }
            let (table, span) = (table.clone(), Span::within(table.ply(), None, None));
            return desk.lay_out_post(move |layout| layout.replay(&table, span, gaze.side)).await;
        }
        Step::Jump => {
            let chosen = chosen.and_then(|chosen| chosen.parse().ok());
            viewer(desk, asked, table, chosen.unwrap_or(ply), gaze).await
        }
        Step::First | Step::Back | Step::Next | Step::Last | Step::Turn | Step::Tint => {
            viewer(desk, asked, table, ply, gaze).await
        }
    };
    shown.unwrap_or_else(|| Post::text(desk.words.word("refused-not-begun")))
}

/// The viewer at a turn. Whose cells are at a casual table is not told where a rated game stands there too.
async fn viewer(desk: &Desk, asked: &Asked, table: &Table, ply: usize, gaze: Gaze) -> Option<Post> {
    let play = table.play()?.at_ply(ply);
    let (who, guild) = ([asked.who], asked.place.guild);
    let tells = gaze.tints && hints::may_help(table).is_ok();
    if !(tells && desk.hall.helps_rated(&who, guild, play.as_ref(), Help::Tells).await) {
        return desk.layout().viewer(table, ply, gaze);
    }
    let mut post = desk.layout().viewer(table, ply, Gaze { tints: false, ..gaze })?;
    post.content = format!("{}\n{}", post.content, desk.words.refused(&Refused::NoHelp, Some(table)));
    Some(post)
}

/// The board for whoever presses: those who play see where they are, all others can step through.
pub(super) fn watch(desk: &Desk, table: &Table, who: Person) -> Post {
    let plays = table.seat_of(who).is_some();
    let viewer = || desk.layout().viewer(table, table.ply(), Gaze::from(Seat::FIRST));
    let shown = if plays { None } else { viewer() };
    shown.unwrap_or_else(|| desk.layout().state(table, Some(who)))
}

/// Opens a table from a turn, against the program. Not from a rated game that goes on: to try out
/// moves against the program would be its help.
async fn play_on(desk: &Desk, asked: &Asked, table: &Table, ply: usize) -> Post {
    let Some(play) = table.play() else { return Post::text(desk.words.word("refused-not-begun")) };
    if table.is_rated() && *table.status() == Status::Running {
        return Post::text(desk.words.word("viewer-rated"));
    }
    let level = settings::usual_in(desk, asked.place.guild).await;
    play_from(desk, asked, play.at_ply(ply).as_ref(), level).await
}
