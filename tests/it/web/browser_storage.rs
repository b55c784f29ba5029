//! A browser that denies the pages its storage: reading `sessionStorage` throws.

use std::str::FromStr;

use fantoccini::wd::WebDriverCompatibleCommand;
use reqwest::{Method, Url};
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::in_a_browser;

/// What a browser does whose settings block the data of sites, except for cookies.
const DENY: &str = "for (const name of ['sessionStorage', 'localStorage']) { \
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } }); }";

/// Runs a script in each page before its own scripts.
#[derive(Debug)]
struct RunFirst(&'static str);

impl WebDriverCompatibleCommand for RunFirst {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let parameters = json!({"source": self.0});
        let command = json!({"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": parameters});
        (Method::POST, Some(command.to_string()))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn board_works_in_a_browser_that_denies_storage() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        browser.client.issue_cmd(RunFirst(DENY)).await.unwrap();
        let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        let is_denied = "(() => { try { return !sessionStorage; } catch { return true; } })()";
        assert_eq!(browser.ask(is_denied).await, json!(true));
        move_by_mouse(browser).await;
        assert!(is_my_turn(browser).await);
        browser.click("#sound").await;
        browser.wait_until("document.getElementById('sound').ariaPressed === 'true'").await;
        browser.click(HINT).await;
        browser.wait_until("document.querySelectorAll('#cells .hinted').length > 0").await;
        browser.client.set_window_size(350, 640).await.unwrap();
        move_by_mouse(browser).await;
        assert!(is_my_turn(browser).await);
        end(browser).await;
        browser.wait_for("#annotations textarea").await.send_keys("Why?").await.unwrap();
        browser.wait_until("document.querySelector('#annotations').innerText.includes('Saved')").await;
    })
    .await;
    site.bot.stop_early().await;
}
