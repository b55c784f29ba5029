//! Edits of a position that is set up: what is said about them, and strokes of a mouse or a finger.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction, TouchActions};
use fantoccini::elements::Element;
use reqwest::{StatusCode, Url};

use super::browser_driver::*;
use super::play::{PlaySite, Visitor, id};
use super::set_up_positions::{POSITION, choose, edit, shows};
use crate::browser::{Browser, in_a_browser};
use crate::duel::{Duel, Way};

/// An island with one-fish tiles everywhere except for its last row, and a penguin of each player.
const ISLAND: &str =
    "1111111/11111111/1111111/11111111/1111111/11111111/1111111/........ a2|b2 1 move 0,0 any:1";

/// Two pairs of tiles, each with a penguin that can go to the other tile.
const ALONE: &str =
    "......./......../......./......../......./......../11.11../........ a2|d2 1 move 0,0 any:1";
const AMAZONS: &str = "6/2q3/6/6/3Q2/6 w - - 0 1";
const SOCCER: &str = "c3U,-,-|-,-,- - 1";

/// Game, position, edits, and what is said about them.
const NOTES: [(&str, &str, &str, &[&str]); 16] = [
    ("amazons", AMAZONS, "put:*:a1", &[]),
    ("amazons", "6/2q3/6/6/3Q2/Q5 w - - 0 1", "put:*:a1", &["White amazon on a1 was replaced."]),
    ("amazons", "6/2q3/6/6/3Q2/Q1Q3 w - - 0 1", "put:*:a1,put:*:b1,put:*:c1", &["2 pieces were replaced."]),
    ("amazons", "6/2q3/6/6/3Q2/3*2 w - - 0 1", "clear:c1,clear:d1,clear:e1", &[]),
    ("amazons", "6/2q3/6/6/3Q2/3*2 w - - 0 1", "clear:d1,clear:d2", &["1 to 4 amazons a side"]),
    ("penguins", ISLAND, "put:2:c2", &[]),
    ("penguins", ISLAND, "put:P1:b2", &["replaced", "It's Blue's turn now"]),
    (
        "penguins",
        ISLAND,
        "put:P1:c2",
        &[
            "Each player has 2 penguins now, as many as the player with the most on the board.",
            "The rest are placed first.",
            "Orange has placed all.",
        ],
    ),
    ("penguins", ISLAND, "put:P1:c2,put:P2:d2", &["It's Blue's turn now: Orange has placed all."]),
    ("penguins", ALONE, "clear:b2", &["It's Blue's turn now: Orange can't move."]),
    ("penguins", ISLAND, "turn:2", &[]),
    ("penguin_soccer", SOCCER, "put:B1:c3", &[]),
    ("penguin_soccer", SOCCER, "carry:d4:f7", &[]),
    ("penguin_soccer", SOCCER, "put:P1:c3", &["Orange Baby on c3 was replaced."]),
    ("amoeba", "B,3/2,L,2/6/7/6/2,K,2/A,3 1", "carry:g1:a1", &[]),
    ("amoeba", "B,3/2,L,2/6/7/6/2,K,2/A,3 1", "put:A:g1", &[]),
];

/// Game, position, edits, and why they are refused.
const REFUSED: [(&str, &str, &str, &str); 8] = [
    ("amazons", AMAZONS, "put:q:d2", "1 to 4 amazons a side"),
    ("amazons", "6/2q3/6/6/3Q2/Q5 w - - 0 1", "carry:a1:c5", "1 to 4 amazons a side"),
    ("amazons", AMAZONS, "clear:d1,clear:d2,clear:e1", "1 to 4 amazons a side"),
    ("amazons", AMAZONS, "clear:a1", "nothing on a1 to remove"),
    ("penguins", ISLAND, "put:P1:a1", "There's no tile on a1. Put one there first."),
    ("penguins", ISLAND, "carry:a2:a1", "There's no tile on a1. Put one there first."),
    ("penguin_soccer", SOCCER, "put:P1:d4", "Put the ball on a square first."),
    ("penguin_soccer", "c3NE,-,-|-,-,- - 1", "put:o:c3", "Turn it upright first"),
];

/// What an edit changes besides what was asked for is said, and so is what to do first if it is refused.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_says_what_edits_change_and_why_they_are_refused() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    for (game, line, change, parts) in NOTES {
        let (status, view) = edit(&visitor, &site, game, &[("position", line), ("edit", change)]).await;
        assert_eq!(status, StatusCode::OK, "{change} in {line}: {view}");
        let notes: Vec<&str> =
            view["notes"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert_eq!(notes.is_empty(), parts.is_empty(), "{change} in {line}: {notes:?}");
        for part in parts {
            assert!(notes.join(" ").contains(part), "{change} in {line}: {notes:?}");
        }
    }
    for (game, line, change, why) in REFUSED {
        let (status, view) = edit(&visitor, &site, game, &[("position", line), ("edit", change)]).await;
        let said = view["said"].as_str().unwrap_or_default();
        assert!(status == StatusCode::CONFLICT && said.contains(why), "{change} in {line}: {view}");
    }
    site.bot.stop().await;
}

async fn cell(browser: &Browser, name: &str) -> Element {
    browser.client.find(Locator::Css(&format!("#cells [data-name='{name}']"))).await.unwrap()
}

fn at(element: Element) -> PointerAction {
    PointerAction::MoveToElement { element, duration: Some(Duration::from_millis(40)), x: 0., y: 0. }
}

/// Drags a finger that rests before, and leads over some elements.
async fn drag_by_finger(browser: &Browser, rests: u64, over: Vec<Element>) {
    let mut over = over.into_iter();
    let mut drag = TouchActions::new("finger".into())
        .then(at(over.next().unwrap()))
        .then(PointerAction::Down { button: 0 })
        .then(PointerAction::Pause { duration: Duration::from_millis(rests) })
        .then(PointerAction::MoveBy { duration: Some(Duration::from_millis(16)), x: 0., y: -10. });
    for element in over {
        drag = drag.then(at(element));
    }
    browser.client.perform_actions(drag.then(PointerAction::Up { button: 0 })).await.unwrap();
}

/// A stroke puts the chosen piece on all cells that it passes, and a piece is dragged from the list to a cell. A finger rests
/// first; one that moves on at once scrolls.
#[tokio::test(flavor = "multi_thread")]
async fn pieces_are_painted_and_dragged_from_the_list() {
    const ARROWS: &str = "document.getElementById('line').value.split(' ')[0].split('*').length - 1";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        browser.client.set_window_size(350, 700).await.unwrap();
        browser.client.goto(&format!("{}/play/set-up/amazons?seats=2&size=6x6", site.base)).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        assert_eq!(browser.ask("document.querySelectorAll('#tools .piece svg').length").await, 3, "drawn");
        screenshot(browser, "set-up-phone").await;
        let start = text(browser, POSITION).await;
        choose(browser, "put:*").await;
        browser.ask("scrollTo(0, 0)").await;
        drag_by_finger(browser, 0, vec![cell(browser, "b4").await, cell(browser, "b6").await]).await;
        browser.wait_until("new Promise((done) => setTimeout(() => done(true), 300))").await;
        assert_eq!(text(browser, POSITION).await, start, "it scrolls");
        // The page may still glide on.
        let rests = "new Promise((done) => { scrollTo(0, 0); setTimeout(() => done(scrollY === 0), 300); })";
        browser.wait_until(rests).await;
        drag_by_finger(browser, 400, vec![cell(browser, "a3").await, cell(browser, "f3").await]).await;
        browser.wait_until(&format!("{ARROWS} >= 6")).await;
        browser.click("#undo").await;
        shows(browser, &start).await;

        // From the list, with a finger.
        choose(browser, "move").await;
        let tool = "#tools input[value='put:*'] + span";
        let arrow = browser.client.find(Locator::Css(tool)).await.unwrap();
        browser.ask(&format!("document.querySelector(\"{tool}\").scrollIntoView({{ block: 'end' }})")).await;
        drag_by_finger(browser, 400, vec![arrow, cell(browser, "c3").await]).await;
        browser.wait_until(&format!("{ARROWS} === 1")).await;
        assert_eq!(text(browser, "document.querySelector('#tools :checked').value").await, "put:*");

        // By mouse: the pieces that are passed are taken off.
        browser.client.set_window_size(1000, 700).await.unwrap();
        choose(browser, "clear").await;
        let stroke = MouseActions::new("mouse".into())
            .then(at(cell(browser, "c2").await))
            .then(PointerAction::Down { button: 0 })
            .then(at(cell(browser, "c4").await))
            .then(PointerAction::Up { button: 0 });
        browser.client.perform_actions(stroke).await.unwrap();
        shows(browser, &start).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// At kick-off the ball of Penguin Soccer is on a crossing. The arrow keys lead to the board, as on the page of a game.
#[tokio::test(flavor = "multi_thread")]
async fn ball_at_kick_off_is_dragged_and_arrow_keys_lead_to_the_board() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        let kick_off = [("position", "-,-,-|-,-,- - 1")];
        let page = format!("{}/play/set-up/penguin_soccer", site.base);
        browser.client.goto(Url::parse_with_params(&page, kick_off).unwrap().as_str()).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        press(browser, DOWN).await;
        browser.wait_until("document.activeElement.matches('#cells [data-cell]')").await;
        let drag = MouseActions::new("mouse".into())
            .then(at(cell(browser, "d4").await))
            .then(PointerAction::Down { button: 0 })
            .then(at(cell(browser, "f7").await))
            .then(PointerAction::Up { button: 0 });
        browser.client.perform_actions(drag).await.unwrap();
        shows(browser, "-,-,-|-,-,- f7 1").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// The address that leads to the editor with a position of a game.
fn to_editor(site: &PlaySite, table: &str, query: &str) -> String {
    format!("{}/play/{table}/set-up?{query}", site.base)
}

/// A position of a game that one may see is opened in the editor: one after earlier moves, or after moves that were tried.
#[tokio::test(flavor = "multi_thread")]
async fn positions_of_games_are_edited() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let mut duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let sign_in = site.link(&duel.ada, &duel.board).await;
    for _ in 0..2 {
        duel.turn(&site.bot, Way::Mention).await;
    }
    let tried = duel.play.at_ply(1).moves().remove(5);
    let mut after_tried = duel.play.at_ply(1);
    after_tried.play(&tried).unwrap();
    for (query, line) in [
        (String::new(), duel.play.line()),
        ("ply=1".to_owned(), duel.play.at_ply(1).line()),
        (format!("ply=1&line={tried}"), after_tried.line()),
    ] {
        let answer = ada.get(&to_editor(&site, &duel.table, &query)).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{query}");
        let editor = answer.headers()["location"].to_str().unwrap();
        let view = ada.data(&format!("{}{editor}", site.base)).await["view"].take();
        assert_eq!(view["position"].as_str(), Some(line.as_str()), "{query}");
    }
    for wrong in ["ply=3", "ply=x", "ply=1&line=z9"] {
        let answer = ada.get(&to_editor(&site, &duel.table, wrong)).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{wrong}");
    }
    let signed_out = Visitor::new().get(&to_editor(&site, &duel.table, "")).await;
    assert_eq!(signed_out.status(), StatusCode::UNAUTHORIZED);
    let closed = crate::duel::open(&duel.ben, duel.ben.dm(), &against_bot("amazons")).await;
    assert_eq!(ada.get(&to_editor(&site, &closed, "")).await.status(), StatusCode::NOT_FOUND);

    let page = format!("{}/play/{}", site.base, duel.table);
    let hidden = "document.getElementById('edit').hidden";
    in_a_browser(folder.path(), async |browser| {
        visit(browser, &sign_in, &duel.table).await;
        assert_eq!(browser.ask(hidden).await, true, "the game goes on");
        let (status, answer) = ada.order(&page, &format!("kind=resign&number=0&{}", id(1))).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        browser.wait_until(&format!("!{hidden}")).await;
        browser.click("#step-back").await;
        browser.wait_until("document.querySelector('#edit a').href.includes('ply=1&')").await;
        screenshot(browser, "edit-position").await;
        browser.click("#edit a").await;
        browser
            .wait_until(
                "location.pathname === '/play/set-up/amazons' && document.body.dataset.ready === 'true'",
            )
            .await;
        shows(browser, &duel.play.at_ply(1).line()).await;
    })
    .await;
    site.bot.stop_early().await;
}
