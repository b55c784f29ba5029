//! The playground's page while the program is away: what is sent then stays in the composer.

use crate::browser::{Browser, free_port, in_a_browser, page_of_ada, some_message, start};

const ENTER: &str = "\u{e007}";
const ONLINE: &str = "document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'";
const IS_UNSENT: &str = "(hint => !hint.hidden && hint.innerText.includes('wasn\\'t sent'))(document.getElementById('slash-hint'))";

async fn type_into_composer(browser: &Browser, text: &str) {
    browser.wait_for("[data-testid=composer]").await.send_keys(text).await.unwrap();
}

/// A message and a command that the killed program doesn't get; once it is back, Enter sends them.
#[tokio::test(flavor = "multi_thread")]
async fn browser_keeps_what_the_program_does_not_get() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| {
        let place = free_port();
        let mut program = start(folder.path(), &place);
        browser.client.goto(&page_of_ada(&place).await).await.unwrap();
        browser.wait_until(ONLINE).await;
        for (written, kept, answered) in [
            (
                "Good evening",
                "document.querySelector('[data-testid=composer]').value === 'Good evening'",
                some_message("Good evening"),
            ),
            ("/help", "document.querySelector('[data-testid=slash-form]') !== null", some_message("/play")),
        ] {
            let before = browser.ask("document.querySelectorAll('[data-testid=message]').length").await;
            program.kill();
            type_into_composer(browser, &format!("{written}{ENTER}")).await;
            browser.wait_until(&format!("{IS_UNSENT} && {kept}")).await;
            program = start(folder.path(), &place);
            page_of_ada(&place).await;
            browser.wait_until(ONLINE).await;
            browser.wait_until(&format!("document.getElementById('banner').hidden && {kept}")).await;
            browser.client.active_element().await.unwrap().send_keys(ENTER).await.unwrap();
            let more = format!("document.querySelectorAll('[data-testid=message]').length > {before}");
            browser.wait_until(&format!("{more} && {answered}")).await;
        }
        program.kill();
    })
    .await;
}
