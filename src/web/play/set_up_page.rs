//! The HTML of the position editor.

use maud::{Markup, PreEscaped, html};
use rookery_core::player::Level;
use rookery_core::{Game, MAX_POINTS, Play, Seat};
use rookery_i18n::Localizer;
use serde_json::json;

use super::super::script_data::{data_block, sentences};
use super::files::file_address;
use super::page::{document, print_links};
use super::set_up::{NewBoard, SetUpView, TrayPiece};

/// The sentences that the script shows; it knows them without `page-`.
const SCRIPT_WORDS: [&str; 8] = [
    "page-no-answer",
    "page-sending",
    "page-chosen",
    "page-set-up-changed",
    "page-set-up-emptied",
    "page-set-up-random-shown",
    "page-set-up-copied",
    "page-set-up-copy-failed",
];
/// What the script fills in.
const GAPS: [(&str, &[&str]); 1] = [("page-set-up-changed", &["cell", "has"])];

/// Renders the list of the games.
pub(super) fn games(words: &Localizer, games: &[&'static dyn Game]) -> Markup {
    let body = html! {
        header.top {
            h1 { (words.word("page-set-up")) }
            a.home href="/play" { (words.word("page-mine")) }
        }
        main.note {
            h1 { (words.word("page-set-up-choose")) }
            @for game in games {
                p { a href={ "/play/set-up/" (game.info().key) } { (words.game(game.info().key)) } }
            }
        }
    };
    document(words, &words.word("page-set-up"), None, &body)
}

/// Renders the page of a position.
pub(super) fn page(
    words: &Localizer,
    play: &dyn Play,
    view: &SetUpView,
    tray: &[TrayPiece],
    boards: &[NewBoard],
    token: &str,
) -> Markup {
    let (key, game) = (play.info().key, words.game(play.info().key));
    let said = sentences(words, "page-", &SCRIPT_WORDS, &GAPS);
    let data = json!({ "game": key, "token": token, "words": said, "view": view });
    let body = html! {
        link rel="stylesheet" href=(file_address("set-up.css"));
        header.top {
            a.home href="/play" { (words.word("page-mine")) }
            h1 { (game) " " span.quiet { (words.word("page-set-up")) } }
            a href="/play/set-up" { (words.word("page-set-up-choose")) }
        }
        main.play {
            div #frame { div #board { (PreEscaped(&view.board)) } }
            noscript { p { (words.word("page-needs-script")) } }
            section.panel {
                p.quiet {
                    (words.say("page-set-up-how", &[("game", key.into())])) " "
                    span.finger { (words.word("page-set-up-finger")) }
                }
                (tools(words, tray))
                p #notice role="status" {}
                (rest(words, play))
                div.buttons {
                    button #undo type="button" aria-disabled="true" { (words.word("page-set-up-undo")) }
                    button #empty type="button" { (words.say("page-set-up-empty", &[("game", key.into())])) }
                    @if play.info().has_layout {
                        button #random type="button" { (words.word("page-set-up-random")) }
                    }
                    button #study type="button" { (words.word("page-set-up-study")) }
                }
                (against_bot(words))
                p #over.quiet hidden { (words.word("page-set-up-over")) }
                (texts(words, key, view))
                (print_links(words, &format!("/play/set-up/{key}/sheet?")))
                (new_boards(words, key, boards))
            }
        }
        div #live.hidden aria-live="polite" {}
        (data_block(&data))
    };
    document(words, &format!("{game} · {}", words.word("page-set-up")), Some("set-up.js"), &body)
}

/// Renders what a touch of the board does: move, put a piece, or remove.
fn tools(words: &Localizer, tray: &[TrayPiece]) -> Markup {
    let tool = |value: &str, label: &str| {
        html! { label.tool { input type="radio" name="tool" value=(value) checked[value == "move"]; span { (label) } } }
    };
    let put = |piece: &TrayPiece| {
        html! {
            label.tool.piece {
                input type="radio" name="tool" value={ "put:" (piece.sign) } data-single[piece.is_single];
                span { i { (PreEscaped(piece.drawing.as_deref().unwrap_or_default())) } (piece.name) }
            }
        }
    };
    html! {
        fieldset #tools {
            legend { (words.word("page-set-up-pieces")) }
            (tool("move", &words.word("page-set-up-move")))
            @for piece in tray { (put(piece)) }
            (tool("clear", &words.word("page-set-up-remove")))
        }
    }
}

/// Renders the side to move and the points.
fn rest(words: &Localizer, play: &dyn Play) -> Markup {
    let seats: Vec<Seat> = Seat::all(play.seats()).collect();
    let has_points = play.has_own_points();
    html! {
        fieldset #turns {
            legend { (words.word("page-set-up-turn")) }
            @for seat in &seats {
                label.tool {
                    input type="radio" name="turn" value=(seat.number()) checked[*seat == play.turn()];
                    span { (words.side(play, *seat)) }
                }
            }
        }
        @if has_points {
            form #points {
                @for seat in &seats {
                    label {
                        (words.say("page-set-up-points", &[("side", words.side(play, *seat).into())]))
                        input type="number" min="0" max=(MAX_POINTS) required data-seat=(seat.number());
                    }
                }
            }
        }
    }
}

/// Renders the form that opens a game against the bot.
fn against_bot(words: &Localizer) -> Markup {
    html! {
        form #play-on {
            label for="level" { (words.word("page-set-up-level")) }
            select #level {
                @for level in Level::ALL {
                    option value=(level.key()) selected[level == Level::DEFAULT] { (words.level(level)) }
                }
            }
            button.primary type="submit" { (words.word("page-set-up-play")) }
        }
    }
}

/// Renders the position as text, and how to play from it.
fn texts(words: &Localizer, game: &str, view: &SetUpView) -> Markup {
    html! {
        form #texts method="get" action={ "/play/set-up/" (game) } {
            label for="line" { (words.word("page-set-up-text")) }
            textarea #line name="position" rows="3" maxlength="2000" spellcheck="false" aria-describedby="line-fault" { (view.position) }
            p #line-fault.wrong role="alert" {}
            button type="submit" { (words.word("page-set-up-show")) }
        }
        label for="command" { (words.word("page-set-up-discord")) }
        textarea #command rows="3" readonly { "/import text:" (game) " " (view.position) }
        div.buttons {
            button #copy type="button" { (words.word("page-set-up-copy")) }
            span #copied role="status" {}
        }
    }
}

fn new_boards(words: &Localizer, game: &str, boards: &[NewBoard]) -> Markup {
    let is_sized = boards.iter().any(|board| board.size.is_some());
    html! {
        @if boards.len() > 1 {
            nav.boards {
                h2 { (words.word("page-set-up-boards")) }
                @for NewBoard { seats, size } in boards {
                    @let query = match size {
                        Some(size) => format!("seats={seats}&size={size}"),
                        None => format!("seats={seats}"),
                    };
                    a href={ "/play/set-up/" (game) "?" (query) } {
                        @if is_sized { (words.say("page-set-up-board-size", &[("size", size.unwrap_or_default().into())])) }
                        @else { (words.say("page-set-up-board", &[("players", (*seats).into())])) }
                    }
                    " "
                }
            }
        }
    }
}
