//! The pages on a phone: what can be touched is large enough, titles and moves stay whole, and marks leave names readable.

use super::browser_driver::*;
use super::Site;
use crate::browser::{Browser, in_a_browser};

/// Moves in the lists of moves that are on more than one line.
const BROKEN_MOVES: &str = "(() => { const broken = []; \
    for (const list of document.querySelectorAll('#record, #line, #lines')) { \
      const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT); \
      for (let node = walker.nextNode(); node; node = walker.nextNode()) { \
        for (const { 0: word, index } of node.data.matchAll(/[a-z]\\d\\S*-\\S+/g)) { \
          const range = document.createRange(); \
          range.setStart(node, index); range.setEnd(node, index + word.length); \
          if (range.getClientRects().length > 1) broken.push(word); \
        } } } return broken.join(' '); })()";

async fn resize(browser: &Browser, width: u32) {
    browser.client.set_window_size(width, 844).await.unwrap();
    browser.wait_until(&format!("innerWidth === {width}")).await;
}

/// A move of the record isn't broken at its hyphen.
#[tokio::test(flavor = "multi_thread")]
async fn moves_stay_on_one_line_on_a_phone() {
    let (site, folder) = (Site::open().await, tempfile::tempdir().unwrap());
    for _ in 0..12 {
        site.play().await;
    }
    in_a_browser(folder.path(), async |browser| {
        browser.client.goto(&format!("{}{}", site.base, site.page)).await.unwrap();
        browser.ask("document.querySelectorAll('details').forEach((it) => { it.open = true; })").await;
        let record = text(browser, "document.getElementById('record').textContent").await;
        for width in [320, 333, 346, 359, 372, 385, 398] {
            resize(browser, width).await;
            assert_eq!(text(browser, BROKEN_MOVES).await, "", "at {width}");
        }
        // The script writes the same.
        press(browser, super::LEFT).await;
        browser.wait_until("location.search === '?ply=14'").await;
        assert_eq!(text(browser, "document.getElementById('record').textContent").await, record);
        assert_eq!(text(browser, BROKEN_MOVES).await, "", "after a step");
    })
    .await;
}
