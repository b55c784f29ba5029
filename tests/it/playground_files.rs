//! Files that a person sends on the playground's page, in a real browser.

use std::path::Path;

use crate::browser::{Browser, free_port, in_a_browser, page_of_ada, start};

#[tokio::test(flavor = "multi_thread")]
async fn browser_sends_files_with_commands_and_messages() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| send_files(browser, folder.path()).await).await;
}

/// A picture is imported from the page, after one that is too large; and a file goes with a message.
async fn send_files(browser: &Browser, folder: &Path) {
    let large = folder.join("large.png");
    std::fs::write(&large, vec![0; 11 << 20]).unwrap();
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards/amazons.png");
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.set_window_size(900, 700).await.unwrap();
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;

    browser.wait_for("[data-testid=composer]").await.send_keys("/import ").await.unwrap();
    browser.click("[data-testid=option-add-file]").await;
    let field = browser.wait_for("[data-testid=option-file]").await;
    field.send_keys(large.to_str().unwrap()).await.unwrap();
    let hint = "document.getElementById('slash-hint').innerText";
    browser.wait_until(&format!("{hint}.includes('large.png has 11 MB, and 10 MB is the limit.')")).await;
    browser.click("[data-testid=send]").await;
    let shown = browser.ask("document.querySelectorAll('.message.ephemeral').length").await;
    assert_eq!(shown, 0, "the command isn't sent");
    field.send_keys(board.to_str().unwrap()).await.unwrap();
    browser.wait_until(&format!("{hint}.includes('picture of a board')")).await;
    browser.click("[data-testid=send]").await;
    let answer = "[...document.querySelectorAll('.message.ephemeral')].at(-1)?.innerText ?? ''";
    browser.wait_until(&format!("({answer}).includes('Is this your board?')")).await;

    let input = browser.wait_for("[data-testid=message-file-input]").await;
    input.send_keys(board.to_str().unwrap()).await.unwrap();
    browser.wait_for("[data-testid=message-file]").await;
    browser.wait_for("[data-testid=composer]").await.send_keys("my game").await.unwrap();
    browser.click("[data-testid=send]").await;
    let last = "[...document.querySelectorAll('[data-testid=message]')].at(-1)";
    browser
        .wait_until(&format!(
            "{last}.innerText.includes('my game') && {last}.querySelector('.attachments') !== null"
        ))
        .await;
    assert_eq!(browser.ask("document.getElementById('message-files').hidden").await, true);
    program.kill();
}
