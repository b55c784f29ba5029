//! The HTML of the pages for playing. What changes during a game is filled in by the page's script from the state within
//! the page.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use rookery_core::printed_page::PaperSize;
use rookery_i18n::Localizer;
use serde_json::json;

use super::super::discord_side::OpenedTable;
use super::super::script_data::{data_block, sentences};
use super::super::session::SignedIn;
use super::super::view::rules_link;
use super::board::BoardState;
use super::files::file_address;
use super::proofs;

/// The sentences that the script shows; it knows them without `page-`.
const SCRIPT_WORDS: [&str; 42] = [
    "page-taken-back",
    "page-confirm",
    "page-play",
    "page-back",
    "page-yes",
    "page-no",
    "page-offer-waits",
    "page-sending",
    "page-lost",
    "page-no-answer",
    "page-signed-out",
    "page-reload",
    "page-can-choose",
    "page-chosen",
    "page-you",
    "page-at",
    "page-at-line",
    "page-at-start",
    "page-to-now",
    "page-to-game",
    "page-new-move",
    "page-ended-since",
    "page-line",
    "page-undo",
    "page-discard",
    "page-thinking",
    "page-hinting",
    "page-hinted",
    "page-no-lines",
    "page-refused",
    "page-refused-piece",
    "page-refused-whole",
    "page-try",
    "page-try-cell",
    "page-plan",
    "page-plan-theirs",
    "page-plan-yours",
    "page-plan-save",
    "page-plan-delete",
    "page-plans",
    "page-rematch-open",
    "page-rematch-follow",
];

/// What the script fills in.
const GAPS: [(&str, &[&str]); 8] = [
    ("page-confirm", &["move"]),
    ("page-at", &["ply", "last"]),
    ("page-at-line", &["at", "last"]),
    ("page-new-move", &["played"]),
    ("page-ended-since", &["result"]),
    ("page-refused", &["cell"]),
    ("page-refused-piece", &["cell"]),
    ("page-plan-delete", &["plan"]),
];

/// The sentences that ask for a step of a move, by its kind.
const PROMPTS: [(&str, &str); 6] = [
    ("piece", "page-prompt-piece"),
    ("goal", "page-prompt-goal"),
    ("shot", "page-prompt-shot"),
    ("direction", "page-prompt-direction"),
    ("spin", "page-prompt-spin"),
    ("manner", "page-prompt-manner"),
];

/// The keys and what they do.
const KEYS: [(&str, &str); 9] = [
    ("page-key-arrows", "page-key-arrows-does"),
    ("page-key-enter", "page-key-enter-does"),
    ("page-key-escape", "page-key-escape-does"),
    ("page-key-letters", "page-key-letters-does"),
    ("page-key-step", "page-key-step-does"),
    ("page-key-ends", "page-key-ends-does"),
    ("page-key-text", "page-key-text-does"),
    ("page-key-next", "page-key-next-does"),
    ("page-key-help", "page-key-help-does"),
];

/// Renders a table's page. The page is useful only with its script; without one it shows the board and its text.
pub(super) fn table(opened: &OpenedTable, state: &BoardState, person: &SignedIn) -> Markup {
    let (words, id) = (opened.words, opened.table.id());
    let game = words.game(&opened.table.terms().game);
    let said = sentences(words, "page-", &SCRIPT_WORDS, &GAPS);
    let key = &opened.table.terms().game;
    let ask = |(kind, sentence)| (kind, words.say(sentence, &[("game", key.as_str().into())]));
    let prompts: BTreeMap<&str, String> = PROMPTS.into_iter().map(ask).collect();
    let (viewer, token) = (person.who.0.to_string(), person.csrf_token());
    let mut data = json!({ "table": id.as_str(), "viewer": viewer, "token": token, "words": said, "prompts": prompts,
        "state": state });
    let signs = opened.table.play().map(|play| words.text_board_signs(play)).unwrap_or_default();
    // The page has the drawings already.
    data["state"]["board"].take();
    if let Some(proof) = data["state"]["proof"].as_object_mut() {
        proof.remove("board");
    }
    let body = html! {
        header.top {
            a.home href="/play" { (words.word("page-mine")) }
            h1 { (game) " " span.quiet { (id) } }
            @if let Some(name) = opened.names.get(&person.who) {
                span #viewer {
                    span.hidden { (words.say("page-signed-in-as", &[("name", name.as_str().into())])) }
                    span aria-hidden="true" { (name) }
                }
            }
            a #next href={ "/play/next?after=" (id) } title="n" { (words.word("page-next")) }
        }
        main.play {
            div #over.players {}
            div #frame { div #board { (PreEscaped(&state.board)) } }
            div #under.players {}
            section.panel {
                p #headline { (state.headline) }
                p #played.quiet {}
                (steps(words))
                div #notes {}
                (proofs::details(words, state.proof.as_ref()))
                div #offer hidden {}
                div #vote hidden {}
                div #line hidden {}
                div #choices {}
                p #notice role="status" {}
                p #hint {}
                div #rematch hidden {}
                div #plans hidden {}
                div #actions {}
                (analysis(words))
                section #annotations hidden aria-label=(words.word("page-notes")) {}
                noscript { (without_script(words, state)) }
                (moves(words))
                details #textboard {
                    summary { (words.word("web-text")) }
                    p #signs.quiet { (signs) }
                    pre #text tabindex="0" aria-describedby="signs" { (state.text) }
                }
                (rules_link(words, key))
                p #edit hidden[!state.over] { a href={ "/play/" (id) "/set-up" } { (words.word("page-edit")) } }
                (print_links(words, &format!("/play/{id}/sheet?")))
                div.buttons { button #sound type="button" aria-pressed="false" { (words.word("page-sound")) } }
                details #keys { summary { (words.word("page-keys")) } (keys(words)) }
            }
        }
        div #live.hidden aria-live="polite" {}
        (data_block(&data))
    };
    document(words, &state.title, Some("play.js"), &body)
}

/// Renders what the script would show of the game, for browsers without one: the players and the moves.
fn without_script(words: &Localizer, state: &BoardState) -> Markup {
    html! {
        p { (words.word("page-needs-script")) }
        ul {
            @for player in &state.players {
                li { (player.name) @if let Some(score) = &player.score { ": " (score) } }
            }
        }
        h2 { (words.word("page-moves")) }
        ol { @for text in &state.record { li { (text) } } }
    }
}

/// Renders the list of the moves. On a phone it is one line, which a button unfolds.
fn moves(words: &Localizer) -> Markup {
    html! {
        details #moves.strip open {
            summary { (words.word("page-moves")) }
            div.rows {
                ol #record aria-label=(words.word("page-moves")) {}
                button #all-moves type="button" hidden aria-expanded="false" aria-controls="record" {
                    (words.word("page-all-moves"))
                }
            }
        }
    }
}

/// Renders the buttons that step through the game.
fn steps(words: &Localizer) -> Markup {
    let button = |id: &str, sign: &str, key: &str| {
        let label = words.word(key);
        html! { button id=(id) type="button" title=(label) aria-label=(label) { (sign) } }
    };
    html! {
        nav #steps aria-label=(words.word("page-moves")) {
            (button("first", "«", "page-first"))
            (button("step-back", "‹", "page-step-back"))
            span #at {}
            (button("step-on", "›", "page-step-on"))
            (button("last", "»", "page-last"))
        }
    }
}

/// Renders what shows the engine's lines after the game.
fn analysis(words: &Localizer) -> Markup {
    html! {
        section #analysis hidden aria-label=(words.word("page-analysis")) {
            div.buttons {
                button #best type="button" { (words.word("page-best")) }
                button #territory type="button" aria-pressed="false" { (words.word("page-territory")) }
            }
            p #legend {}
            ol #lines {}
        }
    }
}

/// Renders links to pages to print, on each paper and in each format; `address` ends where the query goes on.
pub(super) fn print_links(words: &Localizer, address: &str) -> Markup {
    html! {
        p #print {
            (words.word("page-print"))
            @for format in ["pdf", "svg"] {
                @for paper in PaperSize::ALL {
                    @let query = format!("paper={}&as={format}", paper.key());
                    " " a data-print=(query) href={ (address) (query) } {
                        (words.paper_size(paper)) @if format == "svg" { " (" (words.word("paper-form-svg")) ")" }
                    }
                }
            }
        }
    }
}

fn keys(words: &Localizer) -> Markup {
    html! {
        dl.keys {
            @for (key, does) in KEYS {
                div { dt { kbd { (words.word(key)) } } dd { (words.word(does)) } }
            }
        }
    }
}

/// Renders the answer to a link that does not work any more.
pub(in crate::web) fn used_link(words: &Localizer) -> Markup {
    let body = html! {
        main.note {
            h1 { (words.word("page-used-link")) }
            p { (words.word("page-used-link-why")) }
            p { a href="/play" { (words.word("page-mine")) } }
        }
    };
    document(words, &words.word("page-used-link"), None, &body)
}

/// Renders why a page can't be shown; `leads_on` to the person's games.
pub(in crate::web) fn denied(words: &Localizer, why: &str, leads_on: bool) -> Markup {
    let body = html! {
        main.note {
            h1 { (words.word("page-not-shown")) }
            p { (why) }
            @if leads_on { p { a href="/play" { (words.word("page-mine")) } } }
        }
    };
    document(words, &words.word("page-not-shown"), None, &body)
}

/// Returns the title of a browser's tab.
pub(super) fn full_title(title: &str) -> String {
    format!("{title} · Rookery")
}

/// Renders a whole page with one of the scripts, if any.
pub(in crate::web) fn document(
    words: &Localizer,
    title: &str,
    script: Option<&str>,
    body: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (full_title(title)) }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(file_address("play.css"));
                @if let Some(script) = script { script type="module" src=(file_address(script)) {} }
            }
            body { (body) }
        }
    }
}
