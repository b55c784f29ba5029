//! What a page refuses, in a real browser.

use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::in_a_browser;
use crate::duel::{Duel, Way};

const NOTICE: &str = "document.getElementById('notice').innerText";

/// A finished casual game whose position a running rated game has: neither territory nor best moves.
#[tokio::test(flavor = "multi_thread")]
async fn help_in_a_rated_game_is_refused_in_a_browser() {
    const TURNS: usize = 4;
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    site.bot.allow_rated().await;
    in_a_browser(folder.path(), async |browser| {
        let mut casual = Duel::begin(&site.bot).await;
        for _ in 0..TURNS {
            casual.turn(&site.bot, Way::Mention).await;
        }
        visit(browser, &site.link(&casual.ada, &casual.board).await, &casual.table).await;
        end(browser).await;
        let terms = json!({"game": "amazons", "size": "6x6", "settle": "off", "rated": true});
        let mut rated = Duel::begin_with(&site.bot, &terms).await;
        for _ in 0..TURNS {
            rated.turn(&site.bot, Way::Mention).await;
        }
        assert_eq!(rated.play.record(), casual.play.record(), "both are played with the same seed");
        assert!(site.bot.table(&rated.table).await.is_rated());
        for button in ["#territory", "#best"] {
            browser.click(button).await;
            browser.wait_until(&format!("{NOTICE}.includes('during a rated game')")).await;
            browser.wait_until(&format!("document.querySelector('{button}').ariaPressed !== 'true'")).await;
            press(browser, ",").await;
            browser.wait_until("document.body.dataset.walk === '3'").await;
            press(browser, ".").await;
            browser.wait_until("document.body.dataset.walk === '4'").await;
            browser.ask("document.getElementById('notice').replaceChildren()").await;
        }
        assert_eq!(browser.ask("document.querySelectorAll('#lines li').length").await, json!(0));
        assert_eq!(text(browser, "document.getElementById('legend').innerText").await, "");
    })
    .await;
    site.bot.stop_early().await;
}
