//! People at the page in a real browser: what they press with a mouse, a finger or keys.

use std::path::Path;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, KeyAction, KeyActions, PointerAction, TouchActions};
use rookery_core::{Play, StepKind};
use rookery_playground::testing::person::Person;
use serde_json::json;

use super::play::PlaySite;
use crate::browser::Browser;
use crate::duel::{challenge, open};

pub(super) const ENTER: &str = "\u{e007}";
pub(super) const ESCAPE: &str = "\u{e00c}";
pub(super) const DOWN: &str = "\u{e015}";

/// Returns the next thing to press: the whole move's button, a goal, a sign, or a piece.
pub(super) const NEXT: &str = "(() => { const any = (css) => document.querySelector(css) ? css : null; \
    return any('#play') ?? any('#cells .goal') ?? any('#choices [data-step]') ?? any('#cells .able'); })()";
/// The button for a hint.
pub(super) const HINT: &str = "#actions [data-order^='kind=hint']";
pub(super) const NOW: &str = "document.body.dataset.now";
pub(super) const TURN: &str = "document.body.dataset.turn";

/// Opens a game against the bot and signs the browser in at its board.
pub(super) async fn open_board(
    browser: &Browser,
    site: &PlaySite,
    who: &Person,
    terms: &serde_json::Value,
) -> String {
    let games = site.bot.games();
    let table = open(who, games, terms).await;
    let thread = who.wait_for_thread(games, &table).await.unwrap();
    let board =
        who.wait_for(thread, "the first board", |it| it.button("Open board").is_some()).await.unwrap();
    visit(browser, &site.link(who, &board).await, &table).await;
    table
}

/// Opens a sign-in link, and signs in unless the browser is signed in.
pub(super) async fn visit(browser: &Browser, link: &str, table: &str) {
    let is_there = format!("location.pathname === '/play/{table}' && document.body.dataset.ready === 'true'");
    browser.client.goto(link).await.unwrap();
    browser.wait_until(&format!("document.querySelector('#sign-in button') !== null || ({is_there})")).await;
    if browser.ask(&is_there).await != true {
        browser.click("#sign-in button").await;
        browser.wait_until(&is_there).await;
    }
}

pub(super) async fn text(browser: &Browser, script: &str) -> String {
    browser.ask(script).await.as_str().unwrap_or_default().to_owned()
}

/// Waits for the person's turn; returns whether the game goes on.
pub(super) async fn is_my_turn(browser: &Browser) -> bool {
    browser.wait_until(&format!("{TURN} !== 'other' && !document.body.classList.contains('sending')")).await;
    text(browser, TURN).await == "mine"
}

/// Makes one move with the mouse.
pub(super) async fn move_by_mouse(browser: &Browser) {
    let ply = text(browser, "document.getElementById('played').innerText").await;
    for _ in 0..12 {
        let (next, now) = (text(browser, NEXT).await, text(browser, NOW).await);
        let element = browser.wait_for(&unhurried(&next)).await;
        element.click().await.unwrap();
        browser.wait_until(&format!("{NOW} !== '{now}'")).await;
        if next == "#play" {
            browser.wait_until(&format!("document.getElementById('played').innerText !== '{ply}'")).await;
            return;
        }
    }
    panic!("no move after twelve presses: {}", text(browser, "document.body.innerText").await);
}

/// Selects a button only once pressing it can't be the second press of a double press; anything else at once.
pub(super) fn unhurried(css: &str) -> String {
    let is_cell = css.starts_with("#cells");
    if is_cell { css.to_owned() } else { format!("html:not([data-pressed]) {css}") }
}

/// Resigns with the mouse, unless the game is over.
pub(super) async fn end(browser: &Browser) {
    if text(browser, TURN).await != "over" {
        browser.click("#actions [data-order^='kind=resign']").await;
        browser.click(&unhurried("#sure")).await;
        browser.wait_until(&format!("{TURN} === 'over'")).await;
    }
    let result = text(browser, "document.getElementById('headline').innerText").await;
    assert!(result.contains("won") || result.contains("win"), "{result}");
}

/// Writes what the browser shows, as a picture and as a page, to `ROOKERY_SCREENSHOTS`, to be looked at.
pub(crate) async fn screenshot(browser: &Browser, name: &str) {
    let Some(folder) = std::env::var_os("ROOKERY_SCREENSHOTS") else { return };
    let picture = browser.client.screenshot().await.unwrap();
    std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
    let source = browser.client.source().await.unwrap();
    std::fs::write(Path::new(&folder).join(format!("{name}.html")), source).unwrap();
}

/// Moves the focus to the first cell of a kind with the letters of its column, and presses Enter.
pub(super) async fn choose_by_keys(browser: &Browser, css: &str) {
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

pub(super) async fn press(browser: &Browser, key: &str) {
    let mut keys = KeyActions::new("keys".into());
    for value in key.chars() {
        keys = keys.then(KeyAction::Down { value }).then(KeyAction::Up { value });
    }
    browser.client.perform_actions(keys).await.unwrap();
}

/// Touches an element with a finger.
pub(super) async fn tap(browser: &Browser, css: &str) {
    let element = browser.client.find(Locator::Css(css)).await.unwrap();
    let tap = TouchActions::new("finger".into())
        .then(PointerAction::MoveToElement { element, duration: None, x: 0., y: 0. })
        .then(PointerAction::Down { button: 0 })
        .then(PointerAction::Up { button: 0 });
    browser.client.perform_actions(tap).await.unwrap();
}

/// What a person plays with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Input {
    Mouse,
    Touch,
    Keys,
}

pub(super) const TAB: &str = "\u{e004}";
/// The most presses of a key until something has the focus.
const MAX_KEYS: usize = 60;

impl Input {
    /// Presses a cell or a button of the page.
    pub(super) async fn press(self, browser: &Browser, css: &str) {
        match self {
            Input::Mouse => browser.click(&unhurried(css)).await,
            Input::Touch => {
                let css = unhurried(css);
                browser.wait_for(&css).await;
                tap(browser, &css).await;
            }
            Input::Keys => self::focus_by_keys(browser, &unhurried(css)).await,
        }
    }
}

/// Moves the focus to a cell by the letter of its column, or to a button by Tab, and presses Enter.
async fn focus_by_keys(browser: &Browser, css: &str) {
    browser.wait_for(css).await;
    let has_focus = format!("document.activeElement === document.querySelector(\"{css}\")");
    let name = text(browser, &format!("document.querySelector(\"{css}\").dataset.name ?? ''")).await;
    if !name.is_empty() && browser.ask("document.activeElement.matches('#cells [data-cell]')").await != true {
        // From a button an arrow leads to the board.
        press(browser, DOWN).await;
    }
    for _ in 0..MAX_KEYS {
        if browser.ask(&has_focus).await == true {
            return press(browser, ENTER).await;
        }
        press(browser, name.get(..1).unwrap_or(TAB)).await;
    }
    panic!("keys don't reach {css}: {}", text(browser, "document.activeElement.outerHTML").await);
}

/// Plays a move on the page, step by step.
pub(super) async fn play_move(browser: &Browser, input: Input, play: &dyn Play, wanted: &str) {
    let played = text(browser, "document.getElementById('played').innerText").await;
    choose_steps(browser, input, play, wanted).await;
    input.press(browser, "#play").await;
    browser.wait_until(&format!("document.getElementById('played').innerText !== '{played}'")).await;
}

/// Chooses the steps of a move; the whole move is not confirmed.
pub(super) async fn choose_steps(browser: &Browser, input: Input, play: &dyn Play, wanted: &str) {
    let whole = |steps: &Vec<rookery_core::Step>| {
        steps.iter().map(|step| step.text.as_str()).collect::<String>() == wanted
    };
    let steps = play.move_steps().into_iter().find(whole).unwrap_or_else(|| panic!("{wanted} is no move"));
    let taken = "document.body.dataset.now.replace('?', '').split(' ')[1].split('~').filter(Boolean).length";
    for _ in 0..12 {
        let at = usize::try_from(browser.ask(taken).await.as_u64().unwrap()).unwrap();
        // A tried move is played with its last step, without being confirmed.
        let Some(step) = steps.get(at) else { return };
        let button = format!("#choices [data-step='{}']", step.text);
        let has_button = browser.ask(&format!("document.querySelector(\"{button}\") !== null")).await == true;
        // What has neither a button nor a cell of its own is chosen with the cell after it.
        let cell = steps[at..].iter().find(|step| step.part != StepKind::Spin && step.cell.is_some());
        let css = match cell {
            Some(step) if !has_button => {
                format!("#cells [data-name='{}']", play.board().name(step.cell.unwrap()))
            }
            _ => button,
        };
        let shown = format!("{NOW} + document.body.dataset.place");
        let before = text(browser, &shown).await;
        input.press(browser, &css).await;
        let changed = format!("{shown} !== '{before}'");
        browser.wait_until(&changed).await;
        if at + 1 >= steps.len() || browser.ask("document.getElementById('play') !== null").await == true {
            return;
        }
    }
    panic!("{wanted} is not chosen: {}", text(browser, "document.body.innerText").await);
}

/// Ada opens a game with these terms and Ben joins; returns its table and signs both browsers in at its board.
pub(super) async fn begin_two(
    site: &PlaySite,
    (ada, ben): (&Browser, &Browser),
    terms: &serde_json::Value,
) -> String {
    let (bot, games) = (&site.bot, site.bot.games());
    let table = open(&bot.ada(), games, terms).await;
    let invitation = challenge(&bot.ben(), games, &table).await;
    bot.press(&bot.ben(), &invitation, "Join").await;
    let thread = bot.ben().wait_for_thread(games, &table).await.unwrap();
    for (browser, person) in [(ada, bot.ada()), (ben, bot.ben())] {
        let has_button = |it: &rookery_playground::testing::visible_message::VisibleMessage| {
            it.button("Open board").is_some()
        };
        let board = person.wait_for(thread, "the first board", has_button).await.unwrap();
        visit(browser, &site.link(&person, &board).await, &table).await;
    }
    table
}

/// Waits until a page shows this turn: `mine`, `other` or `over`.
pub(super) async fn wait_for_turn(browser: &Browser, turn: &str) {
    browser.wait_until(&format!("{TURN} === '{turn}' && !document.body.classList.contains('sending')")).await;
}

/// The game against the bot, which plays the first legal move.
pub(super) fn against_bot(game: &str) -> serde_json::Value {
    json!({"game": game, "ai": "random"})
}
