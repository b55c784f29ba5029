//! A game in a browser with the real program and its page, played by clicking and with a `kill -9` in the
//! middle. The test needs `chromium` or `chromium-headless-shell`, and `chromedriver`, on the PATH. Without them it reports that it is
//! skipped, unless `ROOKERY_BROWSER=required`.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use fantoccini::{Client, ClientBuilder, Locator};
use futures_util::FutureExt;
use hyper_util::client::legacy::connect::HttpConnector;
use rookery_playground::BOT_ID;
use rookery_store::Sqlite;
use rookery_table::Table;
use rookery_table::ports::{Filter, Journal, PageRequest};
use serde_json::{Value, json};

use crate::command_line::{PATIENCE, Program};
use crate::eventually::poll_interval;

const ENTER: &str = "\u{e007}";

#[tokio::test(flavor = "multi_thread")]
async fn browser_plays_a_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| story(browser, folder.path()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_opens_a_channel_by_its_address() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| follow(browser, folder.path()).await).await;
}

/// The bot's links point to the real Discord; in the playground's page they stay within the playground.
async fn follow(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser.wait_until("document.body.dataset.ready === 'true'").await;
    let last = |of: &str| format!("[...document.querySelectorAll('[data-testid=message]')].at(-1)?.{of}");
    let text = async |script: &str| browser.ask(script).await.as_str().unwrap().to_owned();

    browser.click("[data-testid=channel-general]").await;
    let general = text("location.hash.split('/').at(-1)").await;
    browser.write("here it is").await;
    browser.wait_until(&some_message("here it is")).await;
    browser.wait_until(&format!("/^[0-9]+$/.test({})", last("dataset.messageId"))).await;
    let message = text(&last("dataset.messageId")).await;
    let (channel, elsewhere) =
        (format!("https://discord.com/channels/1/{general}"), "https://discord.com/channels/1/2");

    browser.click("[data-testid=channel-games]").await;
    browser.write(&format!("{channel} or {elsewhere}")).await;
    browser.wait_until(&format!("{} === '#general'", last("querySelector('.mention')?.innerText"))).await;
    assert_eq!(text(&last("querySelector('a').getAttribute('href')")).await, elsewhere);
    browser.click(&format!(".markdown .mention[data-id='{general}']")).await;
    browser.wait_until(&format!("location.hash.endsWith('/{general}')")).await;

    browser.click("[data-testid=channel-games]").await;
    browser.write(&format!("[K7Q2]({channel}/{message})")).await;
    browser.click(&format!(".markdown a[title='{channel}/{message}']")).await;
    browser.wait_until(&format!("document.activeElement.id === 'message-{message}'")).await;
    assert_eq!(browser.client.windows().await.unwrap().len(), 1, "nothing else was opened");
    program.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_keeps_a_completion_list_inside_a_small_window() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| complete_on_a_phone(browser, folder.path()).await).await;
}

/// When a command has further options, the input may use the full width of the window.
async fn complete_on_a_phone(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.set_window_size(500, 667).await.unwrap();
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser.wait_until("document.body.dataset.ready === 'true'").await;
    browser.wait_for("[data-testid=composer]").await.send_keys("/play").await.unwrap();
    browser.click("[data-testid=picker-option][data-value='/play']").await;
    browser.click("[data-testid=option-add-game]").await;
    browser.wait_for("[data-testid=option-game]").await.send_keys("amazons").await.unwrap();
    browser.click("[data-testid=picker-option][data-value='amazons']").await;
    browser.click("[data-testid=option-add-ai]").await;
    browser.wait_for("[data-testid=picker-option][data-value='expert']").await;
    let top = "document.getElementById('suggestions').getBoundingClientRect().top >= 0";
    assert_eq!(browser.ask(top).await, true, "the first levels are above the window");
    let list = "document.querySelector('.suggestion-list')";
    let more = format!("{list}.scrollHeight > {list}.clientHeight + 1");
    assert_eq!(browser.ask(&more).await, true, "or this window is no test of the rest");
    browser.click("[data-testid=picker-option][data-value='expert']").await;
    program.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_keeps_the_focus_where_the_answer_is() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| press_by_keyboard(browser, folder.path()).await).await;
}

/// From the welcome message over further options to those of a game with keys alone, in a narrow window.
async fn press_by_keyboard(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.set_window_size(500, 900).await.unwrap();
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser.wait_until("document.body.dataset.ready === 'true'").await;
    let press = async |css: &str| browser.press_on(css, ENTER).await;
    let focused = |text: &str| {
        format!(
            "document.activeElement.matches('.ephemeral .components button') && document.activeElement.innerText === '{text}'"
        )
    };

    press("[data-testid=message]:not(.ephemeral) [data-testid=button]").await;
    browser.wait_until(&focused("Amazons")).await;
    let buttons = "[...document.querySelectorAll(\".ephemeral [data-custom-id^='go:play:']\")]";
    let rows = format!("new Set({buttons}.map(it => it.offsetTop)).size");
    assert_eq!(browser.ask(&rows).await, 2, "six games in two rows");
    let below = "[...document.querySelectorAll('.picture')].every(it => it.querySelector('.alt-badge')\
        .getBoundingClientRect().top >= it.querySelector('img').getBoundingClientRect().bottom)";
    assert_eq!(browser.ask(below).await, true, "nothing covers a board");

    press(".ephemeral [data-custom-id='go:tune-easy']").await;
    browser.wait_until(&focused("Amazons")).await;
    press(".ephemeral .components button").await;
    browser.wait_until(&focused("Change an option")).await;
    press(".ephemeral [data-testid=dismiss]").await;
    browser.wait_until("!document.querySelector('.ephemeral')").await;
    assert_eq!(browser.ask("document.activeElement.matches('.message')").await, true, "not lost");
    program.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_shows_the_answers_to_commands() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| type_commands(browser, folder.path()).await).await;
}

/// Commands with keys alone: one of a single word, misspelt ones, and one with a long answer.
async fn type_commands(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.set_window_size(900, 700).await.unwrap();
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;
    let answers = "document.querySelectorAll('.message.ephemeral:not(.loading)').length";

    let composer = browser.wait_for("[data-testid=composer]").await;
    composer.send_keys("/").await.unwrap();
    browser.wait_for("[data-testid=picker-option][data-value='/help']").await;
    browser.write("help").await;
    browser.wait_until(&format!("{answers} === 1")).await;

    browser.write("/hlep").await;
    browser
        .wait_until("document.getElementById('slash-hint').innerText.includes('Did you mean /help?')")
        .await;
    assert_eq!(
        browser.ask("document.getElementById('composer').value").await,
        "/hlep",
        "it is kept, not sent"
    );
    composer.clear().await.unwrap();

    composer.send_keys("/rules ").await.unwrap();
    browser.wait_for(".slash-rest").await.send_keys("amazn pengins").await.unwrap();
    browser.click("[data-testid=send]").await;
    browser.wait_until(&format!("{answers} === 2")).await;
    let long = "[...document.querySelectorAll('.message.ephemeral')].at(-1).getBoundingClientRect()";
    let window = "document.getElementById('feed-scroll').getBoundingClientRect()";
    browser.wait_until(&format!("{long}.height > {window}.height")).await;
    browser.wait_until(&format!("Math.abs({long}.top - {window}.top) < 20")).await;
    program.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_keeps_a_second_enter_harmless() {
    let folder = tempfile::tempdir().unwrap();
    in_a_browser(folder.path(), async |browser| resign_by_keyboard(browser, folder.path()).await).await;
}

/// Enter on Resign, and once more: the second one must not resign. Then through the replay with keys.
async fn resign_by_keyboard(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    browser.client.set_window_size(900, 700).await.unwrap();
    browser.client.goto(&page_of_ada(&place).await).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;
    open_a_game(browser).await;
    a_move_by_clicking(browser).await;
    let seen = |css: &str| {
        format!(
            "(it => it && it.getBoundingClientRect().top >= 0 && it.getBoundingClientRect().bottom <= innerHeight)\
             ([...document.querySelectorAll(\"{css}\")].at(-1))"
        )
    };

    let resign = "[data-testid=message]:not(.ephemeral) [data-custom-id$=':resign']";
    // The bot's move replaces the board with the buttons.
    let texts = "[...document.querySelectorAll('[data-testid=content]')].map(it => it.innerText)";
    browser.wait_until(&format!("{texts}.some(it => /played[^]*your move/.test(it))")).await;
    browser.wait_until(&seen(resign)).await;
    browser.press_on(resign, ENTER).await;
    browser.wait_until("document.activeElement.matches('.ephemeral .button:not(.danger)')").await;
    browser.wait_until(&seen(".ephemeral [data-custom-id*=':yes:']")).await;
    // What is typed while a button has the focus is a message, and Enter sends it.
    let typed = "document.querySelector('[data-testid=composer]').value === 'rules'";
    browser.client.active_element().await.unwrap().send_keys("rules").await.unwrap();
    browser.wait_until(typed).await;
    browser.wait_for("[data-testid=composer]").await.clear().await.unwrap();
    browser.press_on(".ephemeral [data-custom-id*=':no:']", ENTER).await;
    browser.wait_until(&some_message("goes on")).await;

    browser.click(resign).await;
    browser.click(".ephemeral [data-custom-id*=':yes:']").await;
    browser.wait_until(&some_message("is over")).await;
    browser.wait_until(&seen("[data-custom-id$=':rematch']")).await;

    browser.click("[data-testid=message]:not(.ephemeral) [data-custom-id*=':look:']").await;
    let flip = browser.wait_for(".ephemeral [data-custom-id*=':look:s:']").await;
    let id = "document.querySelector(\".ephemeral [data-custom-id*=':look:s:']\").dataset.customId";
    let before = browser.ask(id).await;
    flip.send_keys(ENTER).await.unwrap();
    browser.wait_until(&format!("{id} !== {before}")).await;
    assert_eq!(browser.ask("document.activeElement.innerText").await, "Flip board", "the focus stays");
    program.kill();
}

/// Runs a story in a browser, and ends the browser whatever happens. Without a browser, reports that the test
/// is skipped.
pub(crate) async fn in_a_browser(folder: &Path, story: impl AsyncFnOnce(&Browser)) {
    in_a_browser_with(folder, &[], story).await;
}

/// Runs a story in a browser that is started with these arguments besides the usual ones.
pub(crate) async fn in_a_browser_with(folder: &Path, words: &[&str], story: impl AsyncFnOnce(&Browser)) {
    let (Some(chromium), Some(driver)) = (Chromium::find(), found("chromedriver")) else {
        let required = std::env::var("ROOKERY_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "chromium and chromedriver must be on the PATH");
        return eprintln!("skipped: no chromium and chromedriver on the PATH, so no browser was driven");
    };
    let browser = Browser::open(&chromium, &driver, folder, words).await;
    let told = async {
        let is_dark = browser.ask("matchMedia('(prefers-color-scheme: dark)').matches").await;
        assert_eq!(is_dark, words.contains(&DARK), "whether pages are dark");
        story(&browser).await;
    };
    let told = AssertUnwindSafe(told).catch_unwind().await;
    browser.close().await;
    if let Err(why) = told {
        std::panic::resume_unwind(why);
    }
}

async fn story(browser: &Browser, folder: &Path) {
    let place = free_port();
    let mut program = start(folder, &place);
    let page = page_of_ada(&place).await;
    browser.client.goto(&page).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;

    open_a_game(browser).await;
    let first = browser.picture(&place, "").await;
    a_move_by_clicking(browser).await;
    let second = browser.picture(&place, &first.0).await;
    assert_ne!(first.1, second.1, "the picture on the page changes");

    program.kill();
    browser.wait_until("!document.getElementById('banner').hidden").await;
    let mut program = start(folder, &place);
    browser
        .wait_until("document.getElementById('banner').hidden && document.body.dataset.bot === 'online'")
        .await;
    let text = journal_table(folder).await.play().unwrap().moves().remove(0);
    browser.write(&format!("<@{BOT_ID}> {text}")).await;
    let third = browser.picture(&place, &second.0).await;
    assert_ne!(second.1, third.1, "the game goes on");
    assert!(journal_table(folder).await.play().unwrap().record().contains(&text));

    browser
        .click("[data-testid=message]:not(.ephemeral) [data-testid=button][data-custom-id$=':resign']")
        .await;
    browser.click("[data-testid=message].ephemeral [data-testid=button][data-custom-id*=':yes:']").await;
    browser.wait_until(&some_message("is over")).await;
    program.kill();
}

/// Ada types `/play`, picks from the suggestions, and opens the table's thread.
pub(crate) async fn open_a_game(browser: &Browser) {
    browser.click("[data-testid=channel-games]").await;
    browser.wait_for("[data-testid=composer]").await.send_keys("/play").await.unwrap();
    browser.click("[data-testid=picker-option][data-value='/play']").await;
    for (option, value) in [("game", "amazons"), ("ai", "random"), ("size", "6x6")] {
        browser.click(&format!("[data-testid=option-add-{option}]")).await;
        let field = browser.wait_for(&format!("[data-testid=option-{option}]")).await;
        field.send_keys(value).await.unwrap();
        browser.click(&format!("[data-testid=picker-option][data-value='{value}']")).await;
    }
    browser.click("[data-testid=send]").await;
    browser.wait_until(&some_message("It has begun")).await;
    browser.click("[data-testid^='channel-Amazons']").await;
}

/// The first choice in a panel: a square, a direction, or the confirmation.
const CHOICE: &str = ".ephemeral [data-custom-id*=':pick:'], .ephemeral [data-custom-id*=':in:'], \
    .ephemeral [data-custom-id*=':play:']";

/// Opens the panel under the board and always takes the first choice.
async fn a_move_by_clicking(browser: &Browser) {
    const PANEL: &str =
        "[...document.querySelectorAll('.ephemeral [data-testid=content]')].at(-1)?.innerText";
    browser.click("[data-testid=button][data-custom-id*=':panel:']").await;
    browser.wait_for(CHOICE).await;
    loop {
        let before = browser.ask(PANEL).await;
        if before.as_str().is_some_and(|text| text.contains("You played")) {
            return;
        }
        browser.click(CHOICE).await;
        browser.wait_until(&format!("({PANEL} ?? {before}) !== {before}")).await;
    }
}

pub(crate) fn some_message(words: &str) -> String {
    format!(
        "[...document.querySelectorAll('[data-testid=content]')].some(it => it.innerText.includes('{words}'))"
    )
}

/// Reads the table from the journal while the program runs.
async fn journal_table(folder: &Path) -> Table {
    let journal = Sqlite::open_read_only(&folder.join("rookery.sqlite")).await.unwrap();
    let card = journal.list(&Filter::default(), PageRequest::default()).await.unwrap().rows.pop().unwrap();
    let entries = journal.load(card.id).await.unwrap();
    journal.close().await;
    Table::replay(card.id, &entries).unwrap().unwrap()
}

pub(crate) fn start(folder: &Path, place: &str) -> Program {
    Program::start(folder, &["--listen", place], &[])
}

pub(crate) fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Returns the page's address for Ada, once the program serves it.
pub(crate) async fn page_of_ada(place: &str) -> String {
    let since = Instant::now();
    loop {
        if let Ok(page) = reqwest::get(format!("http://{place}/page/")).await {
            let page = page.text().await.unwrap();
            let token = page.split("\"playground-token\" content=\"").nth(1).unwrap();
            let asked = reqwest::Client::new().get(format!("http://{place}/page/users"));
            let asked = asked.header("x-playground-token", token.split('"').next().unwrap());
            let users: Value = asked.send().await.unwrap().json().await.unwrap();
            let ada = users.as_array().unwrap().iter().find(|user| user["global_name"] == "Ada").unwrap();
            return format!("http://{place}/page/?as={}", ada["id"].as_str().unwrap());
        }
        assert!(since.elapsed() < PATIENCE, "the program serves no page");
        poll_interval().await;
    }
}

fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The argument with which the browser asks for dark pages. Of several arguments `--blink-settings` only the last one counts.
pub(crate) const DARK: &str = "--blink-settings=preferredColorScheme=0";

/// A browser that is installed.
struct Chromium {
    program: PathBuf,
    /// Its name in WebDriver.
    name: &'static str,
}

impl Chromium {
    /// The headless shell if it is installed: the tests take two thirds of the time with it.
    fn find() -> Option<Chromium> {
        let known = [("chromium-headless-shell", "chrome-headless-shell"), ("chromium", "chrome")];
        known.into_iter().find_map(|(program, name)| Some(Chromium { program: found(program)?, name }))
    }
}

/// Starts chromedriver; returns it, its port and the rest of its output.
///
/// It lets the system choose a port for IPv4 and takes the same for IPv6; if another program has that one, it ends.
fn start_driver(driver: &Path) -> (Child, String, impl Iterator<Item = String> + Send + use<>) {
    const ATTEMPTS: usize = 5;
    let mut output = String::new();
    for _ in 0..ATTEMPTS {
        let mut started = Command::new(driver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let stdout = started.stdout.take().expect("its output is a pipe");
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        for line in lines.by_ref() {
            if let Some((_, port)) = line.split_once("successfully on port ") {
                return (started, port.trim_end_matches('.').to_owned(), lines);
            }
            output += &format!("{line}\n");
        }
        started.wait().expect("chromedriver has ended");
    }
    panic!("chromedriver ended {ATTEMPTS} times before it had a port:\n{output}");
}

/// A Chromium controlled by WebDriver.
pub(crate) struct Browser {
    pub(crate) client: Client,
    driver: Child,
}

impl Browser {
    async fn open(chromium: &Chromium, driver: &Path, folder: &Path, more: &[&str]) -> Browser {
        let (driver, port, said) = start_driver(driver);
        let profile = format!("--user-data-dir={}", folder.join("profile").display());
        let quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
        let alone = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
        let size = ["--window-size=1200,900", profile.as_str()];
        let words = [&quiet[..], &alone[..], &size[..], more].concat();
        let options = json!({"binary": chromium.program, "args": words});
        let wanted = json!({"browserName": chromium.name, "goog:chromeOptions": options});
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted.as_object().unwrap().clone());
        let client = builder.connect(&format!("http://127.0.0.1:{port}")).await.unwrap();
        // Later output of the driver must not fill the pipe.
        std::thread::spawn(move || said.for_each(drop));
        Browser { client, driver }
    }

    async fn close(mut self) {
        // Closing the session ends the browser; if the driver has ended, the browser has too.
        let _ = self.client.close().await;
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }

    pub(crate) async fn wait_for(&self, css: &str) -> fantoccini::elements::Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        match found {
            Ok(element) => element,
            Err(why) => panic!("{css}: {why}; the page says:\n{}", self.page().await),
        }
    }

    /// Clicks the last element that matches, once there is one; the page may redraw it meanwhile.
    pub(crate) async fn click(&self, css: &str) {
        let since = Instant::now();
        loop {
            let all = self.client.find_all(Locator::Css(css)).await.unwrap_or_default();
            if let Some(last) = all.last()
                && last.click().await.is_ok()
            {
                return;
            }
            assert!(
                since.elapsed() < PATIENCE,
                "{css} cannot be clicked; the page says:\n{}",
                self.page().await
            );
            poll_interval().await;
        }
    }

    /// Sends a key to the first element that matches, once there is one; the page may redraw it meanwhile.
    async fn press_on(&self, css: &str, key: &str) {
        let since = Instant::now();
        while self.wait_for(css).await.send_keys(key).await.is_err() {
            assert!(since.elapsed() < PATIENCE, "{css} takes no key; the page says:\n{}", self.page().await);
            poll_interval().await;
        }
    }

    /// Types into the message input and sends.
    async fn write(&self, text: &str) {
        let composer = self.wait_for("[data-testid=composer]").await;
        composer.send_keys(&format!("{text}{ENTER}")).await.unwrap();
    }

    pub(crate) async fn ask(&self, script: &str) -> Value {
        self.client.execute(&format!("return {script}"), Vec::new()).await.unwrap()
    }

    pub(crate) async fn wait_until(&self, condition: &str) {
        let since = Instant::now();
        while self.ask(condition).await != true {
            assert!(since.elapsed() < PATIENCE, "not so: {condition}; the page says:\n{}", self.page().await);
            poll_interval().await;
        }
    }

    /// Returns the latest public board with buttons, once it differs from `before`: its address and its
    /// bytes.
    async fn picture(&self, place: &str, before: &str) -> (String, Vec<u8>) {
        const LAST: &str = "[...document.querySelectorAll('[data-testid=message]:not(.ephemeral)')]\
            .filter(it => it.querySelector('[data-custom-id*=\":panel:\"]')).at(-1)?\
            .querySelector('[data-testid=image]')";
        let fresh = format!("{LAST}?.naturalWidth > 0 && {LAST}.getAttribute('src') !== '{before}'");
        self.wait_until(&fresh).await;
        let address = self.ask(&format!("{LAST}.getAttribute('src')")).await.as_str().unwrap().to_owned();
        let bytes = reqwest::get(format!("http://{place}{address}")).await.unwrap().bytes().await.unwrap();
        (address, bytes.to_vec())
    }

    async fn page(&self) -> String {
        self.ask("document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }
}
