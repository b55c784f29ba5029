//! The accessibility rules of axe-core on the playground's own page: the small Discord of the program without a token.

use std::path::Path;

use crate::axe::Rules;
use crate::browser::{Browser, DARK, free_port, in_a_browser_with, open_a_game, page_of_ada, start};

/// The page of one person.
struct Client<'a> {
    browser: &'a Browser,
    address: String,
    rules: &'a Rules,
}

impl Client<'_> {
    /// Opens the page anew, without what was typed before.
    async fn open(&self) {
        self.browser.ask("(localStorage.clear(), sessionStorage.clear(), true)").await;
        self.browser.client.goto("about:blank").await.unwrap();
        self.browser.client.goto(&self.address).await.unwrap();
        self.browser
            .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
            .await;
        self.browser.wait_until("document.querySelectorAll('[data-testid=message]').length > 0").await;
    }

    /// Checks what the page shows after something was done there.
    async fn holds_after(&self, name: &str, done: impl AsyncFn(&Browser)) {
        let open = async || {
            self.open().await;
            done(self.browser).await;
            self.browser.wait_until(SETTLED).await;
        };
        self.rules.hold_after(self.browser, &format!("playground {name}"), open).await;
    }
}

/// Nothing moves or fades any more.
const SETTLED: &str = "document.getAnimations().every((it) => it.playState !== 'running')";
/// The latest private answer has its buttons.
const ANSWERED: &str = ".ephemeral [data-custom-id]";

async fn write(browser: &Browser, text: &str) {
    browser.wait_for("[data-testid=composer]").await.send_keys(text).await.unwrap();
}

async fn choose(browser: &Browser, command: &str) {
    write(browser, command).await;
    browser.click(&format!("[data-testid=picker-option][data-value='{command}']")).await;
}

async fn command(browser: &Browser, command: &str, answer: &str) {
    choose(browser, command).await;
    browser.click("[data-testid=send]").await;
    browser.wait_for(answer).await;
}

/// Opens the channels, which a wide window always shows.
async fn open_channels(browser: &Browser) {
    let button = "document.querySelector('[data-testid=open-channels]')";
    browser.ask(&format!("{button}.checkVisibility() && {button}.click()")).await;
}

/// Presses something that may be shown only below a pointer.
async fn press(browser: &Browser, css: &str) {
    browser.wait_for(css).await;
    browser.ask(&format!("document.querySelector(\"{css}\").click()")).await;
}

async fn composer_holds(client: &Client<'_>) {
    client.holds_after("welcome", async |_| {}).await;
    client
        .holds_after("commands", async |browser| {
            write(browser, "/").await;
            browser.wait_for("[data-testid=picker-option][data-value='/play']").await;
        })
        .await;
    client
        .holds_after("file of a command", async |browser| {
            write(browser, "/import ").await;
            browser.click("[data-testid=option-add-file]").await;
            browser.wait_for("[data-testid=option-file]").await;
        })
        .await;
    client
        .holds_after("no command", async |browser| {
            write(browser, "/xyzzy").await;
            browser.wait_for(".suggestion-empty, [data-testid=picker-option]").await;
        })
        .await;
    client
        .holds_after("people to mention", async |browser| {
            write(browser, "@").await;
            browser.wait_for("[data-testid=picker-option]").await;
        })
        .await;
    client
        .holds_after("fields of a command", async |browser| {
            choose(browser, "/play").await;
            browser.click("[data-testid=option-add-game]").await;
            browser.wait_for("[data-testid=picker-option]").await;
        })
        .await;
    client.holds_after("help", async |browser| command(browser, "/help", ANSWERED).await).await;
    client.holds_after("settings", async |browser| command(browser, "/settings", ANSWERED).await).await;
    client
        .holds_after("list", async |browser| {
            command(browser, "/settings", ANSWERED).await;
            browser.click(".ephemeral [data-testid=select]").await;
            browser.wait_for("[data-testid=select-option]").await;
        })
        .await;
}

async fn game_holds(client: &Client<'_>) {
    let board = "[data-testid=message]:not(.ephemeral)";
    client.holds_after("board", async |_| {}).await;
    for (name, button) in [("moving", "[data-custom-id*=':panel:']"), ("more", "[data-custom-id$=':more']")] {
        client
            .holds_after(name, async |browser| {
                browser.click(&format!("{board} {button}")).await;
                browser.wait_for(ANSWERED).await;
            })
            .await;
    }
    client.holds_after("description", async |browser| browser.click("[data-testid=alt-badge]").await).await;
    client
        .holds_after("picture", async |browser| {
            browser.click(".picture-open").await;
            browser.wait_for("[data-testid=lightbox-image]").await;
        })
        .await;
    for (name, button) in
        [("menu of a message", "[aria-label='More actions']"), ("menu of a person", ".message-avatar")]
    {
        client
            .holds_after(name, async |browser| {
                press(browser, &format!("{board} {button}")).await;
                browser.wait_for("[data-testid=menu]").await;
            })
            .await;
    }
    client
        .holds_after("answering", async |browser| {
            press(browser, &format!("{board} [aria-label='Reply']")).await;
            browser.wait_until("!document.getElementById('reply-bar').hidden").await;
            write(browser, "Good game!\u{e007}").await;
            browser.wait_for("[data-testid=quoted]").await;
        })
        .await;
}

async fn sides_hold(client: &Client<'_>) {
    client.holds_after("channels", async |browser| open_channels(browser).await).await;
    client.holds_after("members", async |browser| press(browser, "#toggle-members").await).await;
    client
        .holds_after("people", async |browser| {
            open_channels(browser).await;
            press(browser, "[data-testid=person-switch]").await;
            browser.wait_for("[data-testid=person-option]").await;
        })
        .await;
    client
        .holds_after("direct messages", async |browser| {
            open_channels(browser).await;
            press(browser, "[data-testid=server-dms]").await;
        })
        .await;
    client
        .holds_after("new direct message", async |browser| {
            open_channels(browser).await;
            press(browser, "[data-testid=server-dms]").await;
            press(browser, "[data-testid=new-dm]").await;
            browser.wait_for("[data-testid=menu]").await;
        })
        .await;
}

/// Checks the page at the composer, at a game, at its sides, and without a connection.
async fn page_holds(words: &[&str]) {
    let Some(rules) = Rules::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder: &Path = folder.path();
    in_a_browser_with(folder, words, async |browser| {
        let place = free_port();
        let mut program = start(folder, &place);
        let mut client = Client { browser, address: page_of_ada(&place).await, rules: &rules };
        browser.client.goto(&client.address).await.unwrap();
        composer_holds(&client).await;
        sides_hold(&client).await;
        client.open().await;
        open_a_game(browser).await;
        browser.wait_until("document.querySelector('[data-testid=image]') !== null").await;
        client.address = browser.ask("location.href").await.as_str().unwrap().to_owned();
        game_holds(&client).await;
        program.kill();
        browser.wait_until("document.getElementById('banner').className === 'lost'").await;
        rules.hold(browser, "playground without a connection").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_on_the_light_playground() {
    page_holds(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_on_the_dark_playground() {
    page_holds(&[DARK]).await;
}
