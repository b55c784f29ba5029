//! Comments and arrows in a real browser: written, drawn by mouse, touch and keys, kept, and shown to others by a link.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction, TouchActions};
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, DARK, in_a_browser, in_a_browser_with};
use crate::duel::{Duel, Way};

/// The arrow key, in WebDriver's encoding.
const UP: &str = "\u{e013}";
const SAVED: &str = "document.getElementById('annotation-state').innerText === 'Saved'";
const PLACE: &str = "document.body.dataset.place";
/// The arrows and marks that the page lists, as a screen reader reads them.
const DRAWN: &str =
    "[...document.querySelectorAll('#drawn-words li span')].map((it) => it.innerText).join('; ')";
/// The comment and the shapes over the board.
const COMMENT: &str = "document.getElementById('comment').value";
const SHAPES: &str = "document.querySelectorAll('#drawn path').length + ' ' + document.querySelectorAll('#drawn circle').length";

/// Plays a game of four turns and ends it, on the page of Ada.
async fn finished(browser: &Browser, site: &PlaySite) -> Duel {
    let mut duel = Duel::begin(&site.bot).await;
    for _ in 0..4 {
        duel.turn(&site.bot, Way::Mention).await;
    }
    visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
    end(browser).await;
    browser.wait_for("#draw").await;
    browser.wait_until(&format!("{PLACE} === '4'")).await;
    duel
}

/// Drags from one cell to another with a button of the mouse: 0 is the left one, 2 the right one.
async fn drag(browser: &Browser, button: u64, from: &str, to: &str) {
    let cell = async |name: &str| {
        browser.client.find(Locator::Css(&format!("#cells [data-name='{name}']"))).await.unwrap()
    };
    let at = |element| PointerAction::MoveToElement { element, duration: None, x: 0., y: 0. };
    let drag = MouseActions::new("mouse".into())
        .then(at(cell(from).await))
        .then(PointerAction::Down { button })
        .then(PointerAction::MoveBy { duration: None, x: 3., y: 3. })
        .then(at(cell(to).await))
        .then(PointerAction::Up { button });
    browser.client.perform_actions(drag).await.unwrap();
}

/// Draws a finger from one cell to another.
async fn swipe(browser: &Browser, from: &str, to: &str) {
    let cell = async |name: &str| {
        browser.client.find(Locator::Css(&format!("#cells [data-name='{name}']"))).await.unwrap()
    };
    let at = |element, ms: u64| PointerAction::MoveToElement {
        element,
        duration: Some(Duration::from_millis(ms)),
        x: 0.,
        y: 0.,
    };
    let swipe = TouchActions::new("finger".into())
        .then(at(cell(from).await, 0))
        .then(PointerAction::Down { button: 0 })
        .then(at(cell(to).await, 300))
        .then(PointerAction::Up { button: 0 });
    browser.client.perform_actions(swipe).await.unwrap();
}

async fn sees(browser: &Browser, script: &str, wanted: &str) {
    browser.wait_until(&format!("({script}) === {}", json!(wanted))).await;
}

/// Draws by mouse, touch and keys; each way adds, and the same again removes.
async fn draws(browser: &Browser) {
    drag(browser, 2, "a1", "a4").await;
    sees(browser, DRAWN, "Arrow from a1 to a4").await;
    sees(browser, "document.getElementById('live').innerText", "Arrow from a1 to a4").await;
    assert_eq!(text(browser, PLACE).await, "4", "no move was tried");
    browser.click("#draw").await;
    browser.wait_until("!document.getElementById('draw-how').hidden").await;
    drag(browser, 0, "b1", "e4").await;
    sees(browser, DRAWN, "Arrow from a1 to a4; Arrow from b1 to e4").await;
    for cell in ["c2", "c5", "f6", "f6"] {
        tap(browser, &format!("#cells [data-name='{cell}']")).await;
    }
    sees(browser, DRAWN, "Arrow from a1 to a4; Arrow from b1 to e4; Arrow from c2 to c5; Mark on f6").await;
    browser.ask("document.querySelector('#cells [data-name=\"d1\"]').focus()").await;
    press(browser, ENTER).await;
    sees(browser, "document.getElementById('live').innerText", "d1: now choose the second cell").await;
    screenshot(browser, "annotations-drawing").await;
    press(browser, UP).await;
    press(browser, ENTER).await;
    sees(browser, SHAPES, "4 2").await;
    // The numbers of Paper Pen-guins can be read below an arrow.
    assert_eq!(text(browser, "getComputedStyle(document.querySelector('#drawn path')).opacity").await, "0.6");
    browser.wait_until(&format!("({DRAWN}).includes('Arrow from d1 to d2')")).await;
    // The same again removes it, and so does its button.
    drag(browser, 0, "b1", "e4").await;
    browser.click("#drawn-words button[aria-label='Remove: Arrow from a1 to a4']").await;
    drag(browser, 2, "f6", "f6").await;
    sees(browser, DRAWN, "Arrow from c2 to c5; Arrow from d1 to d2").await;
    browser.wait_until(SAVED).await;
    // Escape takes the first cell back, then leaves the mode.
    browser.ask("document.querySelector('#cells [data-name=\"d1\"]').focus()").await;
    press(browser, ENTER).await;
    press(browser, ESCAPE).await;
    assert_eq!(browser.ask("document.body.classList.contains('drawing')").await, true);
    press(browser, ESCAPE).await;
    assert_eq!(browser.ask("document.body.classList.contains('drawing')").await, false);
    assert_eq!(text(browser, PLACE).await, "4");
}

async fn writes(browser: &Browser, comment: &str) {
    browser.wait_for("#comment").await.send_keys(comment).await.unwrap();
    browser.wait_until(SAVED).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_annotations_are_kept_and_shown_by_a_link() {
    let (site, folder, other) =
        (PlaySite::open().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let duel = finished(browser, &site).await;
        writes(browser, "White could resign here.").await;
        draws(browser).await;
        screenshot(browser, "annotations").await;

        // A variation has its own, and steps lead back and forth.
        press_outside(browser, ",").await;
        browser.wait_until(&format!("{PLACE} === '3'")).await;
        sees(browser, COMMENT, "").await;
        let beside =
            duel.play.at_ply(3).moves().into_iter().find(|text| *text != duel.play.record()[3]).unwrap();
        choose_steps(browser, Input::Touch, duel.play.at_ply(3).as_ref(), &beside).await;
        browser.wait_until(&format!("{PLACE} === '3 {beside}'")).await;
        writes(browser, "Better.").await;
        browser.client.refresh().await.unwrap();
        browser.wait_for("#noted button").await;
        sees(browser, COMMENT, "White could resign here.").await;
        sees(browser, DRAWN, "Arrow from c2 to c5; Arrow from d1 to d2").await;
        assert_eq!(browser.ask("document.querySelectorAll('#record .noted').length").await, 1);
        browser.click("#noted li:first-child button").await;
        browser.wait_until(&format!("{PLACE} === '3 {beside}'")).await;
        sees(browser, COMMENT, "Better.").await;
        screenshot(browser, "annotated-variation").await;

        browser.click("#share-notes").await;
        browser.wait_for("#notes-link").await;
        let link = text(browser, "document.getElementById('notes-link').value").await;
        in_a_browser(other.path(), async |stranger| {
            reads_the_link(stranger, &link, &beside).await;
            browser.click("#stop-notes").await;
            browser.wait_for("#share-notes").await;
            stranger.client.goto(&link).await.unwrap();
            browser_says(stranger, "This link doesn't work").await;
        })
        .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Reads the notes without being signed in: on the first annotated position, and by steps.
async fn reads_the_link(stranger: &Browser, link: &str, beside: &str) {
    stranger.client.goto(link).await.unwrap();
    browser_says(stranger, "Notes by White").await;
    browser_says(stranger, "Better.").await;
    browser_says(stranger, beside).await;
    screenshot(stranger, "shared-notes-variation").await;
    for _ in 0..2 {
        let at = text(stranger, "location.search").await;
        press(stranger, ".").await;
        stranger
            .wait_until(&format!(
                "location.search !== '{at}' || document.getElementById('last').tagName !== 'A'"
            ))
            .await;
    }
    browser_says(stranger, "White could resign here.").await;
    browser_says(stranger, "Arrow from c2 to c5").await;
    assert_eq!(text(stranger, SHAPES).await, "2 0");
    screenshot(stranger, "shared-notes").await;
    stranger.client.set_window_size(350, 800).await.unwrap();
    stranger.wait_until("document.documentElement.scrollWidth <= innerWidth").await;
    screenshot(stranger, "shared-notes-350").await;
    let elsewhere = "[...document.querySelectorAll('textarea, form, a[href^=\"/play\"]')]\
        .map(it => it.getAttribute('href')).join()";
    assert_eq!(text(stranger, elsewhere).await, "/play/rules/amazons");
    assert_eq!(text(stranger, "document.cookie").await, "");
}

async fn browser_says(browser: &Browser, part: &str) {
    browser.wait_until(&format!("document.body.innerText.includes({})", json!(part))).await;
}

/// Presses a key of the page while no field has the focus.
async fn press_outside(browser: &Browser, key: &str) {
    browser.ask("document.activeElement.blur()").await;
    press(browser, key).await;
}

/// In the drawing mode a finger draws, and the page stays where it is; otherwise a finger scrolls the page.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_annotations_are_drawn_with_a_finger() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        finished(browser, &site).await;
        browser.client.set_window_size(390, 600).await.unwrap();
        browser.wait_until("innerWidth === 390").await;
        browser.click("#draw").await;
        browser.ask("scrollTo(0, 0)").await;
        swipe(browser, "c2", "c5").await;
        sees(browser, DRAWN, "Arrow from c2 to c5").await;
        assert_eq!(browser.ask("scrollY").await, 0);
        screenshot(browser, "annotations-by-finger").await;
        tap(browser, "#cells [data-name='f6']").await;
        tap(browser, "#cells [data-name='f6']").await;
        sees(browser, DRAWN, "Arrow from c2 to c5; Mark on f6").await;
        browser.click("#draw").await;
        browser.ask("scrollTo(0, 0)").await;
        swipe(browser, "c2", "c5").await;
        browser.wait_until("scrollY > 50").await;
        sees(browser, DRAWN, "Arrow from c2 to c5; Mark on f6").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// What is written in one window appears in another one at once.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_annotations_of_two_windows_are_the_same() {
    const OTHER: &str = "window.other.document.getElementById('comment')?.value";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        finished(browser, &site).await;
        browser.ask("(() => { window.other = open(location.href); return true; })()").await;
        browser.wait_until(&format!("{OTHER} === ''")).await;
        // Another window that gets the focus loads everything anyway.
        browser
            .ask("window.other.addEventListener('focus', (it) => it.stopImmediatePropagation(), true)")
            .await;
        writes(browser, "Seen in both.").await;
        browser.wait_until(&format!("{OTHER} === 'Seen in both.'")).await;
        drag(browser, 2, "a1", "a4").await;
        browser
            .wait_until("window.other.document.getElementById('drawn-words').innerText.includes('a1 to a4')")
            .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Without a connection nothing is lost: the page says so and saves it later, and a second tab sees it when it is looked at.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_annotations_outlive_a_lost_connection() {
    let ((site, connection), folder) = (PlaySite::with_connection().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let duel = finished(browser, &site).await;
        connection.lose();
        browser.wait_for("#comment").await.send_keys("Written in a tunnel.").await.unwrap();
        browser
            .wait_until("document.getElementById('annotation-state').innerText.startsWith('Not saved: ')")
            .await;
        sees(browser, COMMENT, "Written in a tunnel.").await;
        connection.mend();
        browser.wait_until(SAVED).await;
        let kept = site.bot.registry.journal().annotations();
        let ada = rookery_table::UserId(duel.ada.id.0);
        let stored = kept.annotations_of(ada, duel.table.parse().unwrap()).await.unwrap();
        assert_eq!(stored.iter().map(|it| it.comment.as_str()).collect::<Vec<_>>(), ["Written in a tunnel."]);

        // What another tab has written is seen at the next look.
        let changed = rookery_table::annotation::Annotation {
            comment: "From another tab.".into(),
            ..stored[0].clone()
        };
        assert!(kept.store_annotation(ada, duel.table.parse().unwrap(), &changed).await.unwrap());
        browser.ask("dispatchEvent(new Event('focus'))").await;
        sees(browser, COMMENT, "From another tab.").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// What the server refuses stays on the page, also after a reload, until it is shortened.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_annotations_that_are_too_long_are_kept_on_the_page() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        finished(browser, &site).await;
        let types = |count: usize| {
            format!(
                "(() => {{ const it = document.getElementById('comment'); it.value = 'ä'.repeat({count}); \
                 it.dispatchEvent(new Event('input')); return true; }})()"
            )
        };
        let refused = "Not saved: Your comment has 1001 characters, and the most is 1000. Shorten it.";
        browser.ask(&types(1_001)).await;
        sees(browser, "document.getElementById('annotation-state').innerText", refused).await;
        browser.client.refresh().await.unwrap();
        browser.wait_for("#draw").await;
        sees(browser, "document.getElementById('annotation-state').innerText", refused).await;
        assert_eq!(browser.ask(&format!("{COMMENT}.length")).await, 1_001);
        browser.ask(&types(1_000)).await;
        browser.wait_until(SAVED).await;
        browser.client.refresh().await.unwrap();
        browser.wait_for("#draw").await;
        browser.wait_until(&format!("{COMMENT}.length === 1000")).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Boards of squares and of hexagons, light and dark, on a desk and on a phone.
async fn annotated_boards_fit(words: &[&str], kind: &str) {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser_with(folder.path(), words, async |browser| {
        for game in ["amazons", "amoeba", "penguins"] {
            open_board(browser, &site, &site.bot.ada(), &against_bot(game)).await;
            end(browser).await;
            browser.wait_for("#draw").await;
            let names = "[...document.querySelectorAll('#cells [data-cell]')].map((it) => it.dataset.name)";
            let names: Vec<String> = serde_json::from_value(browser.ask(names).await).unwrap();
            let [near, middle, far] = [5, names.len() / 2, names.len() - 4].map(|at| names[at].clone());
            for (from, to) in [(&near, &far), (&far, &middle), (&middle, &middle)] {
                drag(browser, 2, from, to).await;
            }
            sees(browser, SHAPES, "2 2").await;
            writes(browser, "Both sides meet in the middle; the first one there is ahead.").await;
            for (width, height) in [(1280, 800), (350, 750)] {
                browser.client.set_window_size(width, height).await.unwrap();
                browser.wait_until(&format!("innerWidth === {width}")).await;
                screenshot(browser, &format!("annotations-{game}-{kind}-{width}")).await;
                assert_eq!(
                    browser.ask(&format!("document.documentElement.scrollWidth <= {width}")).await,
                    true,
                    "{game} scrolls sideways at {width}"
                );
            }
            browser.click("#share-notes").await;
            browser.wait_for("#notes-link").await;
            let link = text(browser, "document.getElementById('notes-link').value").await;
            browser.client.goto(&link).await.unwrap();
            sees(browser, SHAPES, "2 2").await;
            screenshot(browser, &format!("shared-notes-{game}-{kind}")).await;
            assert_eq!(browser.ask("document.documentElement.scrollWidth <= 350").await, true, "{game}");
            browser.client.set_window_size(1200, 900).await.unwrap();
        }
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_annotated_boards_fit() {
    annotated_boards_fit(&[], "light").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_dark_annotated_boards_fit() {
    annotated_boards_fit(&[DARK], "dark").await;
}
