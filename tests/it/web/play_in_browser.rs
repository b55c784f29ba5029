//! Whole games on the page in a real browser: by mouse, by touch, by keys alone, and by two people at once.

use std::path::Path;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, PointerAction, TouchActions};
use rookery_playground::testing::person::Person;
use serde_json::json;

use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};
use crate::duel::{Duel, open};
use crate::test_bot::boards;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";
/// The most turns that a story plays; then it resigns.
const MAX_TURNS: usize = 5;

/// Returns the next thing to press: the whole move's button, a goal, a sign, or a piece.
const NEXT: &str = "(() => { const any = (css) => document.querySelector(css) ? css : null; \
    return any('#play') ?? any('#cells .goal') ?? any('#choices [data-step]') ?? any('#cells .able'); })()";
const NOW: &str = "document.body.dataset.now";
const TURN: &str = "document.body.dataset.turn";

/// Opens a game against the bot and signs the browser in at its board.
async fn open_board(browser: &Browser, site: &PlaySite, who: &Person, terms: &serde_json::Value) -> String {
    let games = site.bot.games();
    let table = open(who, games, terms).await;
    let thread = who.wait_for_thread(games, &table).await.unwrap();
    let board =
        who.wait_for(thread, "the first board", |it| it.button("Open board").is_some()).await.unwrap();
    visit(browser, &site.link(who, &board).await, &table).await;
    table
}

/// Opens a sign-in link, and signs in.
async fn visit(browser: &Browser, link: &str, table: &str) {
    browser.client.goto(link).await.unwrap();
    browser.click("#sign-in button").await;
    browser
        .wait_until(&format!(
            "location.pathname === '/play/{table}' && document.body.dataset.ready === 'true'"
        ))
        .await;
}

async fn text(browser: &Browser, script: &str) -> String {
    browser.ask(script).await.as_str().unwrap_or_default().to_owned()
}

/// Waits for the person's turn; returns whether the game goes on.
async fn is_my_turn(browser: &Browser) -> bool {
    browser.wait_until(&format!("{TURN} !== 'other' && !document.body.classList.contains('sending')")).await;
    text(browser, TURN).await == "mine"
}

/// Makes one move with the mouse.
async fn move_by_mouse(browser: &Browser) {
    let ply = text(browser, "document.getElementById('played').innerText").await;
    for _ in 0..12 {
        let (next, now) = (text(browser, NEXT).await, text(browser, NOW).await);
        let element = browser.wait_for(&next).await;
        element.click().await.unwrap();
        browser.wait_until(&format!("{NOW} !== '{now}'")).await;
        if next == "#play" {
            browser.wait_until(&format!("document.getElementById('played').innerText !== '{ply}'")).await;
            return;
        }
    }
    panic!("no move after twelve presses: {}", text(browser, "document.body.innerText").await);
}

/// Resigns with the mouse, unless the game is over.
async fn end(browser: &Browser) {
    if text(browser, TURN).await != "over" {
        browser.click("#actions [data-order^='kind=resign']").await;
        browser.click("#sure").await;
        browser.wait_until(&format!("{TURN} === 'over'")).await;
    }
    let result = text(browser, "document.getElementById('headline').innerText").await;
    assert!(result.contains("won") || result.contains("win"), "{result}");
}

/// Writes what the browser shows, as a picture and as a page, to `ROOKERY_SCREENSHOTS`, to be looked at.
pub(super) async fn screenshot(browser: &Browser, name: &str) {
    let Some(folder) = std::env::var_os("ROOKERY_SCREENSHOTS") else { return };
    let picture = browser.client.screenshot().await.unwrap();
    std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
    let source = browser.client.source().await.unwrap();
    std::fs::write(Path::new(&folder).join(format!("{name}.html")), source).unwrap();
}

async fn by_mouse(terms: serde_json::Value) {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let name = terms["game"].as_str().unwrap().to_owned();
    in_a_browser(folder.path(), async |browser| {
        let table = open_board(browser, &site, &site.bot.ada(), &terms).await;
        screenshot(browser, &format!("{name}-start")).await;
        browser.click(&text(browser, NEXT).await).await;
        browser.wait_until("document.querySelector('#back') !== null").await;
        screenshot(browser, &format!("{name}-chosen")).await;
        let mut turns = 0;
        while is_my_turn(browser).await && turns < MAX_TURNS {
            move_by_mouse(browser).await;
            turns += 1;
        }
        browser.client.set_window_size(390, 844).await.unwrap();
        screenshot(browser, &format!("{name}-phone")).await;
        browser.client.set_window_size(1200, 900).await.unwrap();
        end(browser).await;
        screenshot(browser, &format!("{name}-end")).await;
        assert!(site.bot.table(&table).await.ply() >= turns.min(1));
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_amazons_by_mouse() {
    by_mouse(json!({"game": "amazons", "size": "6x6", "ai": "random"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_penguins_by_mouse() {
    by_mouse(json!({"game": "penguins", "ai": "random"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_amazon_penguins_by_mouse() {
    by_mouse(json!({"game": "amazon_penguins", "ai": "random"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_paper_penguins_by_mouse() {
    by_mouse(json!({"game": "paper_penguins", "ai": "random"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_penguin_soccer_by_mouse() {
    by_mouse(json!({"game": "penguin_soccer", "ai": "random"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_amoeba_by_mouse() {
    by_mouse(json!({"game": "amoeba", "ai": "random"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_by_touch() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let terms = json!({"game": "amazons", "size": "6x6", "ai": "random"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        for _ in 0..MAX_TURNS {
            if !is_my_turn(browser).await {
                break;
            }
            let played = text(browser, "document.getElementById('played').innerText").await;
            loop {
                let (next, now) = (text(browser, NEXT).await, text(browser, NOW).await);
                let element = browser.client.find(Locator::Css(&next)).await.unwrap();
                let tap = TouchActions::new("finger".into())
                    .then(PointerAction::MoveToElement { element, duration: None, x: 0., y: 0. })
                    .then(PointerAction::Down { button: 0 })
                    .then(PointerAction::Up { button: 0 });
                browser.client.perform_actions(tap).await.unwrap();
                browser.wait_until(&format!("{NOW} !== '{now}'")).await;
                if next == "#play" {
                    break;
                }
            }
            browser.wait_until(&format!("document.getElementById('played').innerText !== '{played}'")).await;
        }
        end(browser).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Moves the focus to the first cell of a kind with the letters of its column, and presses Enter.
async fn choose_by_keys(browser: &Browser, css: &str) {
    let wanted = text(browser, &format!("document.querySelector('{css}').dataset.name")).await;
    for _ in 0..12 {
        if text(browser, "document.activeElement.dataset.name ?? ''").await == wanted {
            break;
        }
        press(browser, &wanted[..1]).await;
    }
    assert_eq!(text(browser, "document.activeElement.dataset.name ?? ''").await, wanted);
    let now = text(browser, NOW).await;
    press(browser, ENTER).await;
    browser.wait_until(&format!("{NOW} !== '{now}'")).await;
}

async fn press(browser: &Browser, key: &str) {
    browser.client.active_element().await.unwrap().send_keys(key).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_by_keys_alone() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let terms = json!({"game": "amazons", "size": "6x6", "ai": "random"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        press(browser, DOWN).await;
        browser.wait_until("document.activeElement.matches('#cells [data-cell]')").await;
        for turn in 0..3 {
            assert!(is_my_turn(browser).await);
            browser.ask("document.querySelector('#cells [tabindex=\"0\"]').focus()").await;
            choose_by_keys(browser, "#cells .able").await;
            if turn == 0 {
                let label = text(browser, "document.activeElement.getAttribute('aria-label')").await;
                assert!(label.contains("piece") && label.contains("chosen"), "{label}");
                press(browser, ESCAPE).await;
                browser.wait_until(&format!("{NOW}.endsWith(' ')")).await;
                choose_by_keys(browser, "#cells .able").await;
            }
            choose_by_keys(browser, "#cells .goal").await;
            choose_by_keys(browser, "#cells .goal").await;
            browser.wait_until("document.activeElement.id === 'play'").await;
            let played = text(browser, "document.getElementById('played').innerText").await;
            press(browser, ENTER).await;
            browser.wait_until(&format!("document.getElementById('played').innerText !== '{played}'")).await;
        }
        browser.wait_until("document.getElementById('live').innerText.includes('played')").await;
        press(browser, "t").await;
        browser.wait_until("document.activeElement.id === 'text'").await;
        end(browser).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Ben's moves appear at Ada's page at once; a reload in between loses nothing.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_by_two_people_with_a_reload_in_between() {
    let site = PlaySite::open().await;
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    in_a_browser(one.path(), async |ada| {
        in_a_browser(two.path(), async |ben| {
            let duel = Duel::begin(&site.bot).await;
            visit(ada, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
            let board = boards(&duel.ben, duel.thread).pop().unwrap();
            visit(ben, &site.link(&duel.ben, &board).await, &duel.table).await;
            for _ in 0..3 {
                for (mover, other) in [(ada, ben), (ben, ada)] {
                    assert!(is_my_turn(mover).await);
                    let title = text(mover, "document.title").await;
                    assert!(title.contains("Your move"), "{title}");
                    move_by_mouse(mover).await;
                    let played = text(mover, "document.getElementById('played').innerText").await;
                    let same = format!("document.getElementById('played').innerText === '{played}'");
                    other.wait_until(&same).await;
                }
                ben.client.refresh().await.unwrap();
                ben.wait_until("document.body.dataset.ready === 'true'").await;
            }
            end(ada).await;
            ben.wait_until(&format!("{TURN} === 'over'")).await;
            let list = format!("{}/play", site.base);
            for game in ["amoeba", "penguins", "penguin_soccer", "amazons"] {
                open(&duel.ada, duel.ada.dm(), &json!({"game": game, "ai": "random"})).await;
            }
            ada.client.goto(&list).await.unwrap();
            ada.wait_until("document.querySelectorAll('.games .waits svg').length === 4").await;
            screenshot(ada, "games").await;
        })
        .await;
    })
    .await;
    site.bot.stop_early().await;
}
