//! Playing with a finger on a phone: what is in view while a move is chosen, and touches that scroll.

use std::time::Duration;

use fantoccini::Locator;
use fantoccini::actions::{InputSource, PointerAction, TouchActions};
use rookery_core::Play;
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};

/// Whether the whole board is in the window.
const BOARD_IS_IN_VIEW: &str = "(() => { const { top, bottom } = document.getElementById('frame').getBoundingClientRect(); \
    return top > -1 && bottom < innerHeight + 1; })()";

/// Opens a game of Ada, who begins, on a small phone.
async fn open_on_a_phone(browser: &Browser, site: &PlaySite) -> Box<dyn Play> {
    browser.client.set_window_size(350, 700).await.unwrap();
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    let table = open_board(browser, site, &site.bot.ada(), &terms).await;
    wait_for_turn(browser, "mine").await;
    site.bot.table(&table).await.play().unwrap().clone_play()
}

/// The buttons of a move come into view, and the board stays there; after the move it is there as well.
#[tokio::test(flavor = "multi_thread")]
async fn board_stays_in_view_while_a_finger_moves() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let play = open_on_a_phone(browser, &site).await;
        assert_eq!(browser.ask(BOARD_IS_IN_VIEW).await, true);
        let above = browser.ask("scrollY").await;
        choose_steps(browser, Input::Touch, play.as_ref(), &play.moves().remove(5)).await;
        browser.wait_until("document.activeElement.id === 'play'").await;
        screenshot(browser, "phone-whole-move").await;
        // The board may move a little, so that the buttons don't cover its edge.
        assert_eq!(browser.ask(BOARD_IS_IN_VIEW).await, true);
        let off = browser.ask("scrollY").await.as_f64().unwrap() - above.as_f64().unwrap();
        assert!(off.abs() < 30.0, "the page has jumped by {off}");
        for button in ["play", "back"] {
            let bottom = format!("document.getElementById('{button}').getBoundingClientRect().bottom");
            assert_eq!(browser.ask(&format!("{bottom} <= innerHeight")).await, true, "{button} is below");
        }
        browser.ask("scrollTo(0, document.body.scrollHeight)").await;
        assert_eq!(browser.ask(BOARD_IS_IN_VIEW).await, false);
        browser.click("#play").await;
        browser.wait_until("document.querySelectorAll('#record .ply').length > 0").await;
        browser.wait_until(BOARD_IS_IN_VIEW).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// A finger that starts to scroll on a piece of one's own chooses nothing. One that rests there first drags the piece.
#[tokio::test(flavor = "multi_thread")]
async fn finger_that_scrolls_chooses_nothing() {
    const HELD: Duration = Duration::from_millis(400);
    const STEP: Duration = Duration::from_millis(16);
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let play = open_on_a_phone(browser, &site).await;
        let wanted = play.moves().remove(5);
        choose_steps(browser, Input::Touch, play.as_ref(), &wanted).await;
        let prepared = text(browser, NOW).await;
        let other = text(browser, "document.querySelector('#cells .able:not(.chosen)').dataset.name").await;
        let cell = async |name: &str| {
            browser.client.find(Locator::Css(&format!("#cells [data-name='{name}']"))).await.unwrap()
        };
        let at = |element| PointerAction::MoveToElement { element, duration: None, x: 0., y: 0. };
        let mut swipe = TouchActions::new("finger".into())
            .then(at(cell(&other).await))
            .then(PointerAction::Down { button: 0 });
        for _ in 0..4 {
            swipe = swipe.then(PointerAction::MoveBy { duration: Some(STEP), x: 0., y: -20. });
        }
        let swipe = swipe.then(PointerAction::Up { button: 0 });
        browser.client.perform_actions(swipe).await.unwrap();
        // A touch that chose something would say so by now.
        browser.wait_until("new Promise((done) => setTimeout(() => done(true), 200))").await;
        assert_eq!(text(browser, NOW).await, prepared, "the prepared move is lost");

        browser.ask("scrollTo(0, 0)").await;
        while browser.ask("document.getElementById('back') !== null").await == true {
            browser.click("#back").await;
        }
        let (from, to) = (wanted.get(..2).unwrap(), wanted.get(3..5).unwrap());
        let (piece, goal) = (cell(from).await, cell(to).await);
        let drag = TouchActions::new("finger".into())
            .then(at(piece))
            .then(PointerAction::Down { button: 0 })
            .then(PointerAction::Pause { duration: HELD })
            .then(PointerAction::MoveBy { duration: Some(STEP), x: 0., y: -12. })
            .then(PointerAction::MoveToElement { element: goal, duration: Some(STEP), x: 0., y: 0. })
            .then(PointerAction::Up { button: 0 });
        browser.client.perform_actions(drag).await.unwrap();
        browser.wait_until(&format!("{NOW}.endsWith(' {from}~-{to}')")).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Each step is asked for beside the board, and a touch that chooses nothing is answered there; both are heard.
#[tokio::test(flavor = "multi_thread")]
async fn steps_are_asked_for_and_wrong_touches_answered() {
    const OTHER: &str = "[...document.querySelectorAll('#cells [data-cell]')]\
        .find((it) => !it.matches('.able, .goal, .chosen')).dataset.name";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let play = open_on_a_phone(browser, &site).await;
        let wanted = play.moves().remove(5);
        let says = async |name: &str, what: &str| {
            tap(browser, &format!("#cells [data-name='{name}']")).await;
            let is_asked = format!("document.querySelector('#choices p').innerText === {}", json!(what));
            browser.wait_until(&is_asked).await;
            browser
                .wait_until(&format!("document.getElementById('live').textContent.endsWith({})", json!(what)))
                .await;
            let bottom = "document.querySelector('#choices p').getBoundingClientRect().bottom <= innerHeight";
            assert_eq!(browser.ask(bottom).await, true, "{what} is out of view");
        };
        let other = text(browser, OTHER).await;
        says(&other, &format!("Nothing on {other} can move. Try a marked piece.")).await;
        says(&wanted[..2], "Now choose the amazon's square.").await;
        let other = text(browser, OTHER).await;
        says(&other, &format!("You can't choose {other} now. Try a marked cell.")).await;
        says(&wanted[3..5], "Now choose where the arrow lands.").await;
        screenshot(browser, "phone-arrow").await;
        says(&wanted[6..8], &format!("Play {wanted}?")).await;
        let other = text(browser, OTHER).await;
        says(&other, "The move is complete. Press Play move, or Back to change it.").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// What has no cell of its own is asked for as well.
#[tokio::test(flavor = "multi_thread")]
async fn directions_and_turns_are_asked_for() {
    const ASKED: &str = "document.querySelector('#choices p').innerText";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let terms = json!({"game": "penguin_soccer", "ai": "random", "first": "me"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        let asked = async |question: &str| browser.wait_until(&format!("{ASKED} === '{question}'")).await;
        asked("Which penguin comes in?").await;
        browser.click("#choices [data-step]").await;
        asked("Mama enters. Which way does the penguin go?").await;
        browser.click(&unhurried("#choices [data-step]")).await;
        asked("Mama enters. How far does the penguin turn at the end?").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// In Penguin Soccer penguins come in at the corner: touching it begins with the only one that is outside, and else asks
/// which one.
#[tokio::test(flavor = "multi_thread")]
async fn penguins_come_in_where_the_corner_is_touched() {
    const ASKED: &str = "document.querySelector('#choices p')?.innerText";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let terms = json!({"game": "penguin_soccer", "ai": "random", "first": "me"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        for (penguin, asked) in
            [("1", "Which penguin comes in?"), ("2", "Mama enters. Which way does the penguin go?")]
        {
            browser.click(&format!("#choices [data-step='{penguin}']")).await;
            move_by_mouse(browser).await;
            assert!(is_my_turn(browser).await);
            browser.click("#cells [data-name='a1']").await;
            browser.wait_until(&format!("{ASKED} === '{asked}'")).await;
        }
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn second_press_of_a_double_press_confirms_nothing() {
    const RESIGN: &str = "#actions [data-order^='kind=resign']";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        let press = "(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX: 500, clientY: 500 }))";
        let twice = format!(
            "(() => {{ document.querySelector(\"{RESIGN}\").dispatchEvent{press}; \
             document.getElementById('sure').dispatchEvent{press}; return true; }})()"
        );
        assert_eq!(browser.ask(&twice).await, true);
        // The page sends an order at once.
        assert_eq!(browser.ask("document.body.classList.contains('sending')").await, false);
        browser.click(&unhurried("#sure")).await;
        browser.wait_until(&format!("{TURN} === 'over'")).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// A double press on a square chooses it once; a press after that takes it back.
#[tokio::test(flavor = "multi_thread")]
async fn double_press_on_a_square_does_not_take_it_back() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
        let table = open_board(browser, &site, &site.bot.ada(), &terms).await;
        let now = site.bot.table(&table).await;
        let wanted = now.play().unwrap().moves().remove(3);
        choose_steps(browser, Input::Mouse, now.play().unwrap(), &wanted).await;
        let arrow = "#cells .chosen[data-name='{}']".replace("{}", wanted.rsplit('/').next().unwrap());
        let press = "dispatchEvent(new MouseEvent('click', \
            { bubbles: true, cancelable: true, detail: 2, clientX: 500, clientY: 500 }))";
        browser.click(&unhurried("#back")).await;
        browser.wait_until("document.getElementById('play') === null").await;
        let arrow_square = arrow.replace(".chosen", "");
        let twice = format!(
            "(() => {{ const square = document.querySelector(\"{arrow_square}\"); \
             square.{press}; square.{press}; return document.getElementById('play') !== null; }})()"
        );
        browser.wait_for("html:not([data-pressed])").await;
        assert_eq!(browser.ask(&twice).await, json!(true), "the arrow is chosen");
        browser.wait_for("html:not([data-pressed])").await;
        browser.click(&arrow).await;
        browser.wait_until("document.getElementById('play') === null").await;
    })
    .await;
    site.bot.stop_early().await;
}
