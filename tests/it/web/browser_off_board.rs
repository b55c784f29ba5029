//! Pieces that aren't on the board yet: they are touched, dragged or reached by keys where the drawing shows them.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use rookery_playground::testing::person::Person;
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};

const ASKED: &str = "document.querySelector('#choices p')?.innerText";
const GOALS: &str =
    "[...document.querySelectorAll('#cells .goal')].map((it) => it.dataset.name).sort().join(' ')";

async fn open_soccer(browser: &Browser, site: &PlaySite, who: &Person, players: usize) {
    let terms = json!({"game": "penguin_soccer", "ai": "random", "first": "me", "players": players});
    open_board(browser, site, who, &terms).await;
}

async fn is_asked(browser: &Browser, question: &str) {
    browser.wait_until(&format!("{ASKED} === {}", json!(question))).await;
}

/// Mama stays on the corner when she comes in, so her directions and turns are marked around it.
#[tokio::test(flavor = "multi_thread")]
async fn penguins_beside_the_board_are_touched() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_soccer(browser, &site, &site.bot.ada(), 2).await;
        assert_eq!(text(browser, "document.querySelector('#cells .able').dataset.name").await, "a1");
        let corner = text(browser, "document.querySelector('[data-name=a1]').ariaLabel").await;
        assert!(corner.starts_with("a1: free, Orange's Home"), "{corner}");
        screenshot(browser, "soccer-start").await;
        browser.click("#cells [data-piece='3']").await;
        is_asked(browser, "Mama enters. Which way does the penguin go?").await;
        assert_eq!(text(browser, GOALS).await, "a2 b1 b2");
        screenshot(browser, "soccer-mama").await;
        browser.click("#cells [data-piece='3']").await;
        is_asked(browser, "Which penguin comes in?").await;

        browser.click("#cells [data-piece='3']").await;
        browser.click("#cells [data-name='b2']").await;
        is_asked(browser, "Mama enters. How far does the penguin turn at the end?").await;
        assert!(text(browser, GOALS).await.contains("b2"), "no turn is marked, too");
        screenshot(browser, "soccer-mama-turns").await;

        browser.click("#cells [data-piece='1']").await;
        is_asked(browser, "Baby enters. Which way does the penguin go?").await;
        press(browser, ESCAPE).await;
        is_asked(browser, "Which penguin comes in?").await;
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn penguins_beside_the_board_are_dragged() {
    const STEP: Duration = Duration::from_millis(16);
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_soccer(browser, &site, &site.bot.ada(), 2).await;
        let find = async |css: &str| browser.client.find(Locator::Css(css)).await.unwrap();
        let to = |element| PointerAction::MoveToElement { element, duration: Some(STEP), x: 0., y: 0. };
        let (piece, goal) = (find("#cells [data-piece='2']").await, find("#cells [data-name='b1']").await);
        let drag = MouseActions::new("mouse".into())
            .then(to(piece))
            .then(PointerAction::Down { button: 0 })
            .then(PointerAction::MoveBy { duration: Some(STEP), x: 20., y: 20. })
            .then(to(goal))
            .then(PointerAction::Up { button: 0 });
        browser.client.perform_actions(drag).await.unwrap();
        is_asked(browser, "Papa enters. How far does the penguin turn at the end?").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Tab leads to the penguins, and Enter from there to the corner. The corner asks which of them comes in.
#[tokio::test(flavor = "multi_thread")]
async fn penguins_beside_the_board_are_reached_by_keys() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_soccer(browser, &site, &site.bot.ada(), 2).await;
        browser.ask("document.getElementById('next').focus()").await;
        for _ in 0..3 {
            press(browser, TAB).await;
        }
        let focused = "document.activeElement.getAttribute('aria-label')";
        assert_eq!(text(browser, focused).await, "Papa enters, can be chosen");
        press(browser, ENTER).await;
        is_asked(browser, "Papa enters. Which way does the penguin go?").await;
        assert_eq!(text(browser, "document.activeElement.dataset.name").await, "a1");
        press(browser, ESCAPE).await;
        is_asked(browser, "Which penguin comes in?").await;

        press(browser, ENTER).await;
        browser.wait_until("document.activeElement.matches('#choices [data-step]')").await;
        assert_eq!(text(browser, "document.activeElement.innerText").await, "Baby enters");
        press(browser, ESCAPE).await;
        browser.wait_until("document.activeElement.dataset.name === 'a1'").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// The buttons are below the board, out of view. A refused touch isn't answered again once other steps were taken.
#[tokio::test(flavor = "multi_thread")]
async fn penguins_come_in_on_a_small_phone() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        browser.client.set_window_size(350, 640).await.unwrap();
        open_soccer(browser, &site, &site.bot.ada(), 4).await;
        screenshot(browser, "phone-soccer-start").await;
        let small = "[...document.querySelectorAll('#cells [data-piece]')].map((it) => it.getBoundingClientRect())\
            .filter((it) => it.width < 24 || it.height < 24).length";
        assert_eq!(browser.ask(small).await, json!(0));
        tap(browser, "#cells [data-name='a1']").await;
        let is_in_view = "document.querySelector('#choices').getBoundingClientRect().bottom <= innerHeight";
        browser.wait_until(is_in_view).await;
        screenshot(browser, "phone-soccer-corner").await;
        tap(browser, "#cells [data-piece='2']").await;
        let direction = "Papa enters. Which way does the penguin go?";
        is_asked(browser, direction).await;
        tap(browser, "#cells [data-name='d6']").await;
        is_asked(browser, "You can't choose d6 now. Try a marked cell.").await;
        tap(browser, "#cells [data-name='b2']").await;
        is_asked(browser, "Papa enters. How far does the penguin turn at the end?").await;
        press(browser, ESCAPE).await;
        is_asked(browser, direction).await;
        screenshot(browser, "phone-soccer-papa").await;
    })
    .await;
    site.bot.stop_early().await;
}
