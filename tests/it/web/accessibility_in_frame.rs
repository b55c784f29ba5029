//! The accessibility rules of axe-core inside Discord's client: on the page of the frame, on the shell around it, and on the
//! client itself.

use super::activity_in_browser::*;
use super::browser_driver::*;
use super::play::PlaySite;
use crate::axe::{Rules, leave_frames};
use crate::browser::{Browser, DARK, in_a_browser_with};
use crate::duel::{Duel, Way};

/// Checks the pages in the frame from Discord's question to the end of a game.
async fn frame_holds(words: &[&str]) {
    let Some(rules) = Rules::find() else { return };
    let (site, _connection) = PlaySite::with_activity(true).await;
    let folder = tempfile::tempdir().unwrap();
    in_a_browser_with(folder.path(), words, async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..2 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        open_client(browser, &site, &duel.ada, duel.thread).await;
        refuse(browser).await;
        rules.hold_after(browser, "frame refused", async || enter_shell(browser).await).await;
        rules.hold(browser, "client with a refused frame").await;
        enter_shell(browser).await;
        browser.click("#again").await;
        leave_frames(browser).await;
        browser.wait_for(CONSENT).await;
        rules.hold(browser, "consent").await;
        browser.click(CONSENT).await;
        rules.hold_after(browser, "frame my games", async || enter_page(browser, "/play").await).await;
        rules.hold_after(browser, "frame shell", async || enter_shell(browser).await).await;
        rules.hold(browser, "client with a frame").await;
        browser.click("[data-testid=activity-small]").await;
        rules.hold(browser, "client with a small frame").await;
        rules.hold_after(browser, "frame small", async || enter_page(browser, "/play").await).await;
        browser.click("[data-testid=activity-close]").await;
        boards_hold(&rules, browser, &duel.table).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Checks the board in the frame: while it is the person's turn, and after the game.
async fn boards_hold(rules: &Rules, browser: &Browser, table: &str) {
    browser.click(OPEN_BOARD).await;
    let enter = async || enter_board(browser, table).await;
    rules.hold_after(browser, "frame my turn", enter).await;
    enter().await;
    browser.click(HINT).await;
    browser.wait_for("#cells .hinted").await;
    browser.click("#cells .able").await;
    browser.wait_until("document.querySelector('#back') !== null").await;
    rules.hold_after(browser, "frame choosing", enter).await;
    enter().await;
    browser.click("#back").await;
    press(browser, ",").await;
    browser.wait_until("document.body.classList.contains('looking')").await;
    rules.hold_after(browser, "frame looking back", enter).await;
    enter().await;
    press(browser, "]").await;
    end(browser).await;
    browser.click("#best").await;
    browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
    rules.hold_after(browser, "frame after the game", enter).await;
    browser.click("[data-testid=activity-small]").await;
    rules.hold_after(browser, "frame small board", enter).await;
    enter().await;
    assert_eq!(browser.ask("document.documentElement.scrollHeight > innerHeight").await, false, "it fits");
}

#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_in_a_light_frame() {
    frame_holds(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_in_a_dark_frame() {
    frame_holds(&[DARK]).await;
}
