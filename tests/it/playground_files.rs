//! Files that a person sends on the playground's page, in a real browser: chosen, dropped and pasted.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

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
    // A command is sent once its file is there, and once.
    let slowly = "const fetched = window.fetch; \
        window.fetch = (...what) => new Promise((done) => setTimeout(() => done(fetched(...what)), 700)); \
        window.quickly = () => { window.fetch = fetched; };";
    browser.client.execute(slowly, vec![]).await.unwrap();
    field.send_keys(board.to_str().unwrap()).await.unwrap();
    browser.click("[data-testid=send]").await;
    browser.wait_until(&format!("{hint}.includes('Sends once amazons.png is here.')")).await;
    browser.click("[data-testid=send]").await;
    // Another file that is chosen meanwhile is waited for instead.
    let other = folder.join("other.png");
    std::fs::copy(&board, &other).unwrap();
    field.send_keys(other.to_str().unwrap()).await.unwrap();
    browser.wait_until(&format!("{hint}.includes('Sends once other.png is here.')")).await;
    browser.client.execute("window.quickly()", vec![]).await.unwrap();
    let answer = "[...document.querySelectorAll('.message.ephemeral')].at(-1)?.innerText ?? ''";
    browser.wait_until(&format!("({answer}).includes('Is this your board?')")).await;
    let shown = browser.ask("document.querySelectorAll('.message.ephemeral').length").await;
    assert_eq!(shown, 1, "the command is sent once");

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

/// Drops a picture on the page, or pastes it, as a browser does.
async fn bring(browser: &Browser, event: &str, picture: &[u8]) {
    let (kind, data) = match event {
        "paste" => ("ClipboardEvent", "clipboardData"),
        _ => ("DragEvent", "dataTransfer"),
    };
    let bytes = STANDARD.encode(picture);
    let taken = format!(
        "(() => {{ const bytes = Uint8Array.from(atob('{bytes}'), (it) => it.charCodeAt(0)); \
         const carried = new DataTransfer(); \
         carried.items.add(new File([bytes], 'board.png', {{ type: 'image/png' }})); \
         const made = new {kind}('{event}', {{ {data}: carried, bubbles: true, cancelable: true }}); \
         document.getElementById('feed').dispatchEvent(made); return made.defaultPrevented; }})()"
    );
    assert_eq!(browser.ask(&taken).await, true, "the page takes what comes by {event}");
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_takes_files_that_are_dropped_or_pasted() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| drop_and_paste(browser, folder.path()).await).await;
}

/// Outside of a command a picture goes with the next message; in `/import` it is the option `file`.
async fn drop_and_paste(browser: &Browser, folder: &Path) {
    let board = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/boards/amazons.png");
    let board = std::fs::read(board).unwrap();
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.set_window_size(900, 700).await.unwrap();
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;
    let hint = "document.getElementById('slash-hint').innerText";
    let answers = "[...document.querySelectorAll('.message.ephemeral')]\
        .filter((it) => it.innerText.includes('Is this your board?')).length";
    for (event, count) in [("drop", 1), ("paste", 2)] {
        browser.wait_for("[data-testid=composer]").await.send_keys("/import ").await.unwrap();
        browser.wait_for("[data-testid=slash-form]").await;
        bring(browser, event, &board).await;
        browser.wait_until(&format!("{hint}.includes('picture of a board')")).await;
        browser.click("[data-testid=send]").await;
        browser.wait_until(&format!("{answers} === {count}")).await;
    }
    // A command without files says so.
    browser.wait_for("[data-testid=composer]").await.send_keys("/settings ").await.unwrap();
    browser.wait_for("[data-testid=slash-form]").await;
    bring(browser, "drop", &board).await;
    browser.wait_until(&format!("{hint}.includes('/settings takes no file.')")).await;
    browser.click(".command-leave").await;

    bring(browser, "dragover", &board).await;
    assert_eq!(browser.ask("document.body.classList.contains('dropping')").await, true);
    bring(browser, "drop", &board).await;
    bring(browser, "paste", &board).await;
    browser.wait_until("document.querySelectorAll('[data-testid=message-file]').length === 2").await;
    assert_eq!(browser.ask("document.body.classList.contains('dropping')").await, false);
    browser.wait_for("[data-testid=composer]").await.send_keys("my games").await.unwrap();
    browser.click("[data-testid=send]").await;
    let last = "[...document.querySelectorAll('[data-testid=message]')].at(-1)";
    browser
        .wait_until(&format!(
            "{last}.innerText.includes('my games') && {last}.querySelector('.attachments') !== null"
        ))
        .await;
    program.kill();
}
