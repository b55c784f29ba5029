//! Playing with a finger on a phone: what is in view while a move is chosen.

use rookery_core::Play;
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};

/// Whether the whole board is in the window.
const BOARD_IS_IN_VIEW: &str = "(() => { const { top, bottom } = document.getElementById('frame').getBoundingClientRect(); \
    return top > -1 && bottom < innerHeight + 1; })()";

/// Opens a game of Ada, who begins, on a small phone.
async fn open_on_a_phone(browser: &Browser, site: &PlaySite) -> Box<dyn Play> {
    browser.client.set_window_size(350, 700).await.unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let table = open_board(browser, site, &site.bot.ada(), &terms).await;
    wait_for_turn(browser, "mine").await;
    site.bot.table(&table).await.play().unwrap().clone_play()
}

/// The buttons of a move come into view, and the board stays there; after the move it is there as well.
#[tokio::test(flavor = "multi_thread")]
async fn board_stays_in_view_while_a_finger_moves() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let play = open_on_a_phone(browser, &site).await;
        assert_eq!(browser.ask(BOARD_IS_IN_VIEW).await, true);
        let above = browser.ask("scrollY").await;
        choose_steps(browser, Input::Touch, play.as_ref(), &play.moves().remove(5)).await;
        browser.wait_until("document.activeElement.id === 'play'").await;
        screenshot(browser, "phone-whole-move").await;
        assert_eq!(browser.ask("scrollY").await, above, "the page has scrolled");
        for button in ["play", "back"] {
            let bottom = format!("document.getElementById('{button}').getBoundingClientRect().bottom");
            assert_eq!(browser.ask(&format!("{bottom} <= innerHeight")).await, true, "{button} is below");
        }
        browser.ask("scrollTo(0, document.body.scrollHeight)").await;
        assert_eq!(browser.ask(BOARD_IS_IN_VIEW).await, false);
        browser.click("#play").await;
        browser.wait_until("document.querySelectorAll('#record .ply').length > 0").await;
        browser.wait_until(BOARD_IS_IN_VIEW).await;
    })
    .await;
    site.bot.stop_early().await;
}
