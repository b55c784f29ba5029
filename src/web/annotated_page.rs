//! The HTML of the page that shows a person's annotations. It works without JavaScript; with it, keys step as well.

use maud::{Markup, PreEscaped, html};
use rookery_i18n::Localizer;
use rookery_table::annotation::AnnotatedPosition;

use super::annotated::AnnotatedGame;
use super::play::files::file_address;
use super::play::page::document;
use super::play::positions::MOVE;
use super::redirect_target::encoded;
use super::state::Web;
use super::view::rules_link;

/// The most characters of a comment in the list of annotated positions.
const MAX_EXCERPT_CHARS: usize = 60;

/// What the page shows of a position.
pub(super) struct Shown {
    /// The position.
    pub(super) at: AnnotatedPosition,
    /// Whose turn it was, or the result.
    pub(super) headline: String,
    /// The move that led there; empty before the first.
    pub(super) played: String,
    /// The board in words.
    pub(super) alt: String,
    /// The board in plain characters.
    pub(super) text: String,
    /// The drawing.
    pub(super) board: String,
    /// The width and height of the drawing in board units.
    pub(super) size: (f32, f32),
    /// The arrows and marks as SVG elements.
    pub(super) drawn: String,
    /// The comment; empty if there is none.
    pub(super) comment: String,
    /// The arrows and marks in words.
    pub(super) drawn_words: Vec<String>,
}

/// Renders the page.
pub(super) fn page(web: &Web, game: &AnnotatedGame, shown: &Shown) -> Markup {
    let (words, table) = (web.words, &*game.table);
    let name = words.game(&table.terms().game);
    let (width, height) = shown.size;
    let body = html! {
        link rel="stylesheet" href=(file_address("annotations.css"));
        header.top { h1 { (name) " " span.quiet { (table.id()) } } }
        main.play {
            div #frame {
                div #board role="img" aria-label=(shown.alt) { (PreEscaped(&shown.board)) }
                svg #drawn viewBox={ "0 0 " (width) " " (height) } aria-hidden="true" { (PreEscaped(&shown.drawn)) }
            }
            section.panel {
                p #headline { (shown.headline) }
                p #played.quiet { (shown.played) }
                (steps(words, game, shown))
                (line(words, game, &shown.at))
                section #annotations {
                    h2 { (heading(words, game)) }
                    @if shown.comment.is_empty() && shown.drawn_words.is_empty() {
                        p.quiet { (words.word("page-notes-none-here")) }
                    }
                    @if !shown.comment.is_empty() { p #comment { (shown.comment) } }
                    @if !shown.drawn_words.is_empty() {
                        ul #drawn-words { @for drawn in &shown.drawn_words { li { (drawn) } } }
                    }
                    (annotated(words, game, &shown.at))
                }
                details #moves open { summary { (words.word("page-moves")) } (moves(game, &shown.at)) }
                details { summary { (words.word("web-text")) } pre #text { (shown.text) } }
                (rules_link(words, &table.terms().game))
            }
        }
    };
    document(words, &format!("{} · {name} {}", heading(words, game), table.id()), Some("steps.js"), &body)
}

/// Names the author by their side, as pages behind links do. All sides of a study are its owner's.
fn heading(words: &Localizer, game: &AnnotatedGame) -> String {
    let table = &*game.table;
    let side = table.seat_of(game.author).zip(table.play()).map(|(seat, play)| words.side(play, seat));
    match side.filter(|_| !table.is_imported()) {
        Some(side) => words.say("page-notes-by", &[("who", side.into())]),
        None => words.word("page-notes"),
    }
}

/// Returns the address of a position on the page.
fn address(game: &AnnotatedGame, at: &AnnotatedPosition) -> String {
    let line = if at.line.is_empty() { String::new() } else { format!("&line={}", encoded(&at.line)) };
    format!("{}?ply={}{line}", game.address, at.ply)
}

/// Renders the links that step through the game. From a variation, the first step back leads along it.
fn steps(words: &Localizer, game: &AnnotatedGame, shown: &Shown) -> Markup {
    let (at, last) = (&shown.at, game.table.ply());
    let of_game = |ply: usize| AnnotatedPosition { ply, line: String::new() };
    let back = match at.line.rsplit_once(MOVE) {
        Some((line, _)) => AnnotatedPosition { ply: at.ply, line: line.to_owned() },
        None if !at.line.is_empty() => of_game(at.ply),
        None => of_game(at.ply.saturating_sub(1)),
    };
    let step = |id: &str, sign: &str, key: &str, to: AnnotatedPosition| {
        let (label, is_here) = (words.word(key), to == *at);
        html! {
            @if is_here { span #(id) aria-disabled="true" { (sign) } }
            @else { a #(id) href=(address(game, &to)) title=(label) aria-label=(label) { (sign) } }
        }
    };
    let place = match at.ply {
        0 => words.word("page-at-start"),
        ply => words.say("page-at", &[("ply", ply.into()), ("last", last.into())]),
    };
    html! {
        nav #steps aria-label=(words.word("page-moves")) {
            (step("first", "«", "page-first", of_game(0)))
            (step("step-back", "‹", "page-step-back", back))
            span #at { (place) }
            (step("step-on", "›", "page-step-on", of_game((at.ply + 1).min(last))))
            (step("last", "»", "page-last", of_game(last)))
        }
    }
}

/// Renders the moves of the variation that is shown, each with a link; nothing in the game itself.
fn line(words: &Localizer, game: &AnnotatedGame, at: &AnnotatedPosition) -> Markup {
    let moves: Vec<&str> = at.line.split(MOVE).filter(|text| !text.is_empty()).collect();
    let until =
        |count: usize| AnnotatedPosition { ply: at.ply, line: moves[..count].join(&MOVE.to_string()) };
    html! {
        @if !moves.is_empty() {
            div #line {
                span.quiet { (words.word("page-notes-line")) }
                @for (number, text) in moves.iter().enumerate() {
                    a.ply href=(address(game, &until(number + 1))) aria-current=[(number + 1 == moves.len()).then_some("step")] { (text) }
                }
            }
        }
    }
}

/// Renders the list of annotated positions.
fn annotated(words: &Localizer, game: &AnnotatedGame, at: &AnnotatedPosition) -> Markup {
    let record = game.table.play().map(|play| play.record()).unwrap_or_default();
    html! {
        ol #noted {
            @for annotation in &game.annotations {
                li {
                    a.ply href=(address(game, &annotation.position)) aria-current=[(annotation.position == *at).then_some("step")] {
                        (position_name(words, &annotation.position, &record))
                    }
                    " " span.quiet { (excerpt(&annotation.comment)) }
                }
            }
        }
    }
}

/// Names a position: "Start", "3. d1-d7/g7", "3. d1-d7/g7: a4-a6/a5".
fn position_name(words: &Localizer, at: &AnnotatedPosition, record: &[String]) -> String {
    let of_game = match at.ply.checked_sub(1).and_then(|last| record.get(last)) {
        Some(text) => words.say("page-notes-at", &[("ply", at.ply.into()), ("move", text.clone().into())]),
        None => words.word("page-notes-at-start"),
    };
    if at.line.is_empty() {
        return of_game;
    }
    let line = at.line.replace(MOVE, " ");
    words.say("page-notes-in-line", &[("at", of_game.into()), ("line", line.into())])
}

/// Returns the beginning of a comment.
fn excerpt(comment: &str) -> String {
    let line = comment.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

/// Renders the moves of the game; those that lead to annotated positions have a mark.
fn moves(game: &AnnotatedGame, at: &AnnotatedPosition) -> Markup {
    let Some(play) = game.table.play() else { return html! {} };
    let movers = play.movers();
    let is_noted =
        |ply: usize| game.annotations.iter().any(|it| it.position.ply == ply && it.position.line.is_empty());
    let mut rows: Vec<Vec<(usize, String)>> = Vec::new();
    for (number, text) in play.record().into_iter().enumerate() {
        // A row begins where a player moves again.
        if number == 0 || movers[number] <= movers[number - 1] {
            rows.push(Vec::new());
        }
        rows.last_mut().expect("the first move begins a row").push((number + 1, text));
    }
    html! {
        ol #record {
            @for row in &rows {
                li {
                    @for (ply, text) in row {
                        @let to = AnnotatedPosition { ply: *ply, line: String::new() };
                        a.ply.noted[is_noted(*ply)] href=(address(game, &to)) aria-current=[(to == *at).then_some("step")] { (text) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_of_comments_are_short_and_end_at_whole_characters() {
        assert_eq!(excerpt("  Why not d7?\nIt wins."), "Why not d7?");
        assert_eq!(excerpt(&"ü".repeat(61)), format!("{}…", "ü".repeat(60)));
        assert_eq!((excerpt(&"ü".repeat(60)), excerpt("")), ("ü".repeat(60), String::new()));
    }

    #[test]
    fn annotated_positions_are_named_by_their_moves() {
        let (words, record) = (Localizer::english(), ["d1-d7/g7".to_owned()]);
        let name = |ply, line: &str| {
            position_name(words, &AnnotatedPosition { ply, line: line.to_owned() }, &record)
        };
        assert_eq!(name(0, ""), "Start");
        assert_eq!(name(1, ""), "1. d1-d7/g7");
        assert_eq!(name(1, "a4-a6/a5,b1-b2/b3"), "1. d1-d7/g7: a4-a6/a5 b1-b2/b3");
    }
}
