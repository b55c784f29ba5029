//! The web pages beside the playground, which the program opens without settings, in a real browser.

use std::path::Path;

use crate::browser::{Browser, free_port, in_a_browser, open_a_game, page_of_ada, start};
use crate::eventually::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn browser_opens_a_board_without_settings() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| open_board(browser, folder.path()).await).await;
}

/// The program chooses where its pages are; the link leads there in another tab of the same browser, also after a restart.
async fn open_board(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;
    open_a_game(browser).await;
    browser.click("[data-testid=message]:not(.ephemeral) [data-custom-id$=':browser']").await;
    browser.click(".ephemeral [data-testid=link-button]").await;
    let windows = browser.client.windows().await.unwrap();
    browser.client.switch_to_window(windows.last().unwrap().clone()).await.unwrap();
    browser.click("#sign-in button").await;
    let board = "location.pathname.startsWith('/play/') && document.body.dataset.ready === 'true'";
    browser.wait_until(board).await;
    assert_eq!(browser.ask("location.hostname").await, "127.0.0.1");
    assert_ne!(browser.ask("location.host").await, *place, "not the playground itself");
    let players = browser.ask("document.querySelector('main').innerText").await;
    assert!(players.as_str().unwrap().contains("Ada (White)"), "{players}");
    program.kill();
    let mut program = start(folder, &place);
    page_of_ada(&place).await;
    browser.client.refresh().await.unwrap();
    // Until the bot has found the playground, the page says that it is starting, and loads itself again.
    let is_note = "document.querySelector('main.note') !== null";
    eventually("the board is at the same address", async || {
        let is_shown = browser.ask(board).await == true;
        if !is_shown && browser.ask(is_note).await != true {
            // Nothing listened at the address yet.
            browser.client.refresh().await.unwrap();
        }
        is_shown
    })
    .await;
    program.kill();
}

/// However long the program is gone, the playground's page tries again within two seconds.
#[tokio::test(flavor = "multi_thread")]
async fn browser_looks_often_for_a_program_that_is_gone() {
    // The waits are noted, and skipped.
    const SKIP: &str = "(() => { window.waits = []; const later = setTimeout; \
        window.setTimeout = (what, ms) => { if (what.name !== 'open') return later(what, ms); \
            waits.push(ms); return later(what, 10); }; return true; })()";
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| {
        let place = free_port();
        let mut program = start(folder.path(), &place);
        browser.client.goto(&page_of_ada(&place).await).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        browser.ask(SKIP).await;
        program.kill();
        browser.wait_until("window.waits.length > 8").await;
        let longest = browser.ask("Math.max(...window.waits)").await;
        assert!(longest.as_f64().unwrap() <= 2_000.0, "{longest} ms");
    })
    .await;
}
