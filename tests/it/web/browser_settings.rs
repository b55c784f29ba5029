//! Settings that are changed elsewhere while a board's page is open.

use rookery_playground::testing::person::Person;
use rookery_table::UserId;
use rookery_table::preferences::PersonalPreferences;
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};
use crate::duel::Duel;

const BOARD: &str = "document.querySelector('#board').innerHTML";
const PLACE: &str = "document.body.dataset.place";
const IN_HAND: &str =
    "[...document.querySelectorAll('#cells [aria-selected=true]')].map((it) => it.dataset.name).join()";

async fn change(site: &PlaySite, who: &Person, set: impl FnOnce(&mut PersonalPreferences)) {
    site.bot.registry.preferences_cache().change_person(UserId(who.id.0), set).await.unwrap();
}

/// Waits until the board is drawn anew after the person has come back to the window.
async fn draws_anew(browser: &Browser, what: &str) {
    browser.ask(&format!("(window.before = {BOARD}, dispatchEvent(new Event('focus')))")).await;
    browser.wait_until(&format!("{BOARD} !== window.before")).await;
    let sizes =
        "[...document.querySelectorAll('#board svg, #cells')].map((it) => it.getAttribute('viewBox'))";
    let sizes = browser.ask(sizes).await;
    assert_eq!(sizes[0], sizes[1], "{what}: cells are where they are drawn");
    screenshot(browser, &format!("settings-{what}")).await;
}

/// What was drawn with the settings before is drawn again: the board, also of an earlier position. A move that has begun stays.
#[tokio::test(flavor = "multi_thread")]
async fn settings_changed_elsewhere_reach_an_open_page() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let ada = site.bot.ada();
        open_board(browser, &site, &ada, &against_bot("amazons")).await;
        browser.click("#cells .able").await;
        browser.wait_until(&format!("{IN_HAND} !== ''")).await;
        let chosen = text(browser, IN_HAND).await;
        change(&site, &ada, |it| it.theme = Some("slate".into())).await;
        draws_anew(browser, "theme").await;
        change(&site, &ada, |it| it.large_print = true).await;
        draws_anew(browser, "large").await;
        change(&site, &ada, |it| it.patterns = true).await;
        draws_anew(browser, "patterns").await;
        assert_eq!(text(browser, IN_HAND).await, chosen, "it is still in the hand");
        press(browser, ESCAPE).await;

        move_by_mouse(browser).await;
        assert!(is_my_turn(browser).await);
        end(browser).await;
        browser.wait_until(&format!("{PLACE} === '2'")).await;
        press(browser, ",").await;
        browser.wait_until(&format!("{PLACE} === '1'")).await;
        change(&site, &ada, |it| it.theme = Some("paper".into())).await;
        draws_anew(browser, "earlier-position").await;
        assert_eq!(text(browser, PLACE).await, "1", "the same position");
    })
    .await;
    site.bot.stop_early().await;
}

/// A window that stays in view learns it from its stream. A page that only waits at a table doesn't name its settings.
#[tokio::test(flavor = "multi_thread")]
async fn settings_that_a_page_lacks_are_said_by_its_stream() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let shown = ada.data(&page).await["state"]["settings"].as_str().unwrap().to_owned();
    change(&site, &duel.ada, |it| it.large_print = true).await;
    let now = ada.data(&page).await["state"]["settings"].clone();
    assert_ne!(json!(shown), now);
    let mut stream = ada.get(&format!("{page}/events?settings={shown}")).await;
    let mut heard = String::new();
    while !heard.contains("event: settings") {
        heard += str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap();
    }
    assert!(heard.contains(&format!("data: {}", now.as_str().unwrap())), "{heard}");
    site.bot.stop_early().await;
}
