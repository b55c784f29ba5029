//! Options that are named in the text of a command, as Discord shows them, in a real browser.

use std::path::Path;

use crate::browser::{Browser, free_port, in_a_browser, page_of_ada, some_message, start};

#[tokio::test(flavor = "multi_thread")]
async fn browser_reads_options_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| name_options(browser, folder.path()).await).await;
}

/// A line of the position editor is typed, one with three options is pasted and sent, and another one is typed and sent with Enter.
async fn name_options(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;
    let value = |option: &str| format!("document.querySelector('[data-testid=option-{option}]')?.value");

    let composer = browser.wait_for("[data-testid=composer]").await;
    composer.send_keys("/import ").await.unwrap();
    browser.wait_for("[data-testid=slash-rest]").await.send_keys("t").await.unwrap();
    browser.wait_for("[data-testid=option-text]").await.send_keys("ext:a4 note: b").await.unwrap();
    assert_eq!(browser.ask(&value("text")).await, "a4 note: b");
    browser.click(".command-leave").await;

    let pasted = "(() => { const box = document.getElementById('composer'); \
        box.value = '/play size:6x6 game:amazons ai:random'; \
        box.dispatchEvent(new Event('input', { bubbles: true })); return true; })()";
    browser.ask(pasted).await;
    browser.wait_for("[data-testid=option-ai]").await;
    for (option, expected) in [("size", "6x6"), ("game", "amazons"), ("ai", "random")] {
        assert_eq!(browser.ask(&value(option)).await, expected, "{option}");
    }
    browser.click("[data-testid=send]").await;
    browser.wait_until(&some_message("It has begun")).await;

    let short = pasted.replace("size:6x6 game:amazons", "amazons first:me");
    browser.ask(&short).await;
    browser.wait_for("[data-testid=option-ai]").await;
    for (option, expected) in [("game", "amazons"), ("first", "me"), ("ai", "random")] {
        assert_eq!(browser.ask(&value(option)).await, expected, "{option}");
    }
    browser.click(".command-leave").await;

    let composer = browser.wait_for("[data-testid=composer]").await;
    composer.send_keys("/play ").await.unwrap();
    browser.wait_for("[data-testid=slash-rest]").await.send_keys("g").await.unwrap();
    let typed = "ame:amazons ai:random size:8x8";
    browser.wait_for("[data-testid=option-game]").await.send_keys(typed).await.unwrap();
    for (option, expected) in [("game", "amazons"), ("ai", "random"), ("size", "8x8")] {
        assert_eq!(browser.ask(&value(option)).await, expected, "{option}");
    }
    // The bot suggests what is typed already, so one Enter is enough.
    browser.wait_for("[data-testid=picker-option][data-value='8x8']").await;
    browser.wait_for("[data-testid=option-size]").await.send_keys("\u{e007}").await.unwrap();
    browser.wait_until("!document.querySelector('[data-testid=slash-form]')").await;
    program.kill();
}
