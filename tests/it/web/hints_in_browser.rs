//! Hints on the page in a real browser: asked for by a press, shown on the board and in words, and played by touching.

use rookery_playground::testing::visible_message::VisibleMessage;
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};
use crate::duel::{Duel, Way};

/// What the page says of the hint.
const SAID: &str = "document.getElementById('hint').innerText";
/// The names of the cells that are lit up, in the order of the board.
const LIT: &str = "[...document.querySelectorAll('#cells .hinted')].map((it) => it.dataset.name).join(' ')";
/// Holds the answers to requests for hints back until `release()`, and counts these requests.
const HOLD: &str = "(() => { const real = window.fetch; window.asked = 0; let open; \
    const gate = new Promise((done) => { open = done; }); window.release = () => { open(); return true; }; \
    window.fetch = async (address, options) => { const isHint = String(address).includes('kind=hint'); \
    if (isHint) window.asked += 1; const answer = await real(address, options); if (isHint) await gate; \
    return answer; }; return true; })()";

async fn visit_duel(browser: &Browser, site: &PlaySite, duel: &Duel) {
    visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
}

/// A slow answer, a second press, a reload, and the move that is played by touching what is lit.
#[tokio::test(flavor = "multi_thread")]
async fn hint_in_browser_lights_the_move_which_is_played_by_touch() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        visit_duel(browser, &site, &duel).await;
        browser.ask(HOLD).await;
        browser.click(HINT).await;
        browser.wait_until(&format!("{SAID}.startsWith('Looking for a good move')")).await;
        browser.wait_until(&format!("document.querySelector(\"{HINT}\").ariaDisabled === 'true'")).await;
        browser.click(HINT).await;
        let told = format!("{} got a hint", duel.ada.mention());
        let note = |it: &VisibleMessage| it.content().contains(&told);
        duel.ben.wait_for(duel.thread, "that a hint was had", note).await.unwrap();
        assert_eq!(browser.ask("window.asked").await, json!(1), "the second press asks for nothing more");
        assert_eq!(text(browser, LIT).await, "");
        browser.ask("window.release()").await;
        browser.wait_until(&format!("{SAID}.startsWith(\"I'd play \")")).await;
        let sentence = text(browser, SAID).await;
        let wanted = sentence.split([' ', ':']).nth(2).unwrap().to_owned();
        assert!(duel.play.moves().contains(&wanted), "{sentence}");
        assert_eq!(text(browser, "document.getElementById('live').innerText").await, sentence, "it is heard");
        let mut cells: Vec<_> = wanted.split(['-', '/']).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut lit: Vec<_> = text(browser, LIT).await.split(' ').map(str::to_owned).collect();
        lit.sort_unstable();
        assert_eq!(lit, cells);
        let label = text(browser, "document.querySelector('#cells .hinted').ariaLabel").await;
        assert!(label.ends_with(", suggested"), "{label}");
        screenshot(browser, "hint").await;

        let entries = site.bot.table(&duel.table).await.sequence();
        browser.client.refresh().await.unwrap();
        browser.wait_until(&format!("{SAID} === {}", json!(sentence))).await;
        assert!(!text(browser, LIT).await.is_empty(), "a reload keeps it");
        choose_steps(browser, Input::Touch, duel.play.as_ref(), &wanted).await;
        screenshot(browser, "hint-chosen").await;
        assert_eq!(site.bot.table(&duel.table).await.sequence(), entries, "nothing is asked for again");
        browser.click("#play").await;
        duel.see(&wanted).await;
        browser.wait_until(&format!("{TURN} === 'other' && {SAID} === '' && {LIT} === ''")).await;
        assert_eq!(browser.ask(&format!("document.querySelector(\"{HINT}\")")).await, json!(null));
    })
    .await;
    site.bot.stop_early().await;
}

/// Without a connection the page says so and goes on, over a reload too; others are told once.
#[tokio::test(flavor = "multi_thread")]
async fn hint_in_browser_survives_a_lost_connection() {
    let ((site, connection), folder) = (PlaySite::with_connection().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let duel = Duel::begin(&site.bot).await;
        visit_duel(browser, &site, &duel).await;
        let entries = site.bot.table(&duel.table).await.sequence();
        connection.lose();
        browser.click(HINT).await;
        browser.wait_until(&format!("{SAID}.includes('No connection')")).await;
        assert_eq!(site.bot.table(&duel.table).await.sequence(), entries);
        connection.mend();
        browser.wait_until(&format!("{SAID}.startsWith(\"I'd play \")")).await;
        assert_eq!(site.bot.table(&duel.table).await.sequence(), entries + 1);

        // The answer to a request is lost, and the page is loaded again: it goes on by itself.
        browser.ask("sessionStorage.clear()").await;
        browser.client.refresh().await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        assert_eq!(text(browser, SAID).await, "");
        browser.ask(HOLD).await;
        browser.click(HINT).await;
        browser.wait_until("window.asked === 1").await;
        browser.client.refresh().await.unwrap();
        browser.wait_until(&format!("{SAID}.startsWith(\"I'd play \")")).await;
        assert_eq!(site.bot.table(&duel.table).await.sequence(), entries + 1, "once");
    })
    .await;
    site.bot.stop_early().await;
}

/// While the page waits for a hint, its person plays, and the game comes back to them: the late answer is not for this turn.
#[tokio::test(flavor = "multi_thread")]
async fn hint_in_browser_is_gone_with_its_turn() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        visit_duel(browser, &site, &duel).await;
        browser.ask(HOLD).await;
        browser.click(HINT).await;
        browser.wait_until("window.asked === 1").await;
        let wanted = duel.any_move();
        play_move(browser, Input::Mouse, duel.play.as_ref(), &wanted).await;
        duel.see(&wanted).await;
        duel.turn(&site.bot, Way::Mention).await;
        wait_for_turn(browser, "mine").await;
        browser.ask("window.release()").await;
        browser.wait_until("new Promise((done) => setTimeout(() => done(true), 300))").await;
        assert_eq!((text(browser, SAID).await, text(browser, LIT).await), (String::new(), String::new()));
        browser.click(HINT).await;
        browser.wait_until(&format!("{SAID}.startsWith(\"I'd play \") && {LIT} !== ''")).await;
        let sentence = text(browser, SAID).await;
        assert!(duel.play.moves().iter().any(|legal| sentence.contains(legal.as_str())), "{sentence}");
        // At an earlier position nothing is lit; back at the present it is.
        press(browser, ",").await;
        browser.wait_until(&format!("document.body.classList.contains('looking') && {LIT} === ''")).await;
        press(browser, "]").await;
        browser.wait_until(&format!("{LIT} !== ''")).await;
    })
    .await;
    site.bot.stop_early().await;
}
