//! How the pages fit: zoomed, on phones, dark, without motion; and pieces that are dragged.

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use rookery_table::UserId;
use rookery_table::preferences::PersonalPreferences;
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, DARK, in_a_browser, in_a_browser_with};
use crate::duel::{Duel, Way};

/// What is cut off at a side of the window, or makes it scroll sideways. On a phone the moves are one line that scrolls by itself.
const OUTSIDE: &str = "[document.documentElement, ...document.querySelectorAll('button, a, p, h1, #board svg, .player, #at')]\
    .filter((it) => it.checkVisibility() && it.scrollWidth > 0 && !it.closest('.strip #record'))\
    .filter((it) => { const { left, right } = it.getBoundingClientRect(); return left < -0.5 || right > innerWidth + 0.5\
        || (it === document.documentElement && it.scrollWidth > innerWidth); })\
    .map((it) => it.outerHTML.slice(0, 120)).join(' ')";

/// Checks a page at the widths of a phone, of 200 % zoom on a laptop, and of a laptop.
async fn fits(browser: &Browser, name: &str) {
    for (width, height) in [(390, 844), (640, 380), (1280, 760)] {
        browser.client.set_window_size(width, height).await.unwrap();
        browser.wait_until(&format!("innerWidth === {width}")).await;
        screenshot(browser, &format!("{name}-{width}")).await;
        assert_eq!(text(browser, OUTSIDE).await, "", "{name} at {width}");
        assert_eq!(
            browser.ask(&format!("document.documentElement.scrollWidth <= {width}")).await,
            true,
            "{name} scrolls sideways at {width}"
        );
    }
}

/// In a game, looking back, and after it with lines and a variation, light or dark.
async fn pages_fit(words: &[&str], kind: &str) {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser_with(folder.path(), words, async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        for _ in 0..4 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        wait_for_turn(browser, "mine").await;
        browser.click("#cells .able").await;
        fits(browser, &format!("{kind}-choosing")).await;
        browser.click("#back").await;
        press(browser, ",").await;
        browser.wait_until("document.body.classList.contains('looking')").await;
        fits(browser, &format!("{kind}-looking")).await;
        press(browser, "]").await;
        end(browser).await;
        browser.wait_until("document.body.dataset.place !== ''").await;
        press(browser, ",").await;
        browser.click("#best").await;
        browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
        browser.click("#lines .ply").await;
        browser.wait_until("!document.getElementById('line').hidden").await;
        fits(browser, &format!("{kind}-after")).await;
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_pages_fit_at_every_width() {
    pages_fit(&[], "light").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_dark_pages_fit_at_every_width() {
    pages_fit(&[DARK], "dark").await;
}

/// Enlarging the page makes the board no smaller: in a low window the page scrolls.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_board_does_not_shrink_when_the_page_is_enlarged() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        let mut before = 0.0;
        for (percent, width, height) in [(100, 1280, 900), (200, 640, 450), (400, 320, 225)] {
            browser.client.set_window_size(width, height).await.unwrap();
            browser.wait_until(&format!("innerWidth === {width}")).await;
            let board = "document.getElementById('frame').getBoundingClientRect().width";
            let size = browser.ask(board).await.as_f64().unwrap();
            let shown = size * f64::from(percent) / 100.0;
            assert!(shown >= before && size <= f64::from(width), "{percent} %: {size}, and before {before}");
            screenshot(browser, &format!("enlarged-{percent}")).await;
            before = shown;
        }
    })
    .await;
    site.bot.stop_early().await;
}

/// The number of running animations of pieces, right after a step.
const GLIDES: &str = "document.getAnimations().filter((it) => it.effect.target.closest('#board')).length";

async fn steps_glide(words: &[&str]) -> bool {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let glides = std::sync::Mutex::new(false);
    in_a_browser_with(folder.path(), words, async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..2 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        // What glides is noted in the page, because it is over sooner than a question arrives.
        let watch = format!(
            "(() => {{ window.glides = 0; new MutationObserver(() => setTimeout(() => {{ \
             window.glides += {GLIDES}; }})).observe(document.getElementById('board'), {{ childList: true }}); \
             return true; }})()"
        );
        browser.ask(&watch).await;
        press(browser, ",").await;
        browser.wait_until("document.body.dataset.place === '1'").await;
        browser.wait_until("new Promise((done) => setTimeout(() => done(true), 200))").await;
        *glides.lock().unwrap() = browser.ask("window.glides > 0").await == true;
    })
    .await;
    site.bot.stop_early().await;
    glides.into_inner().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_boards_glide_unless_motion_is_reduced() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    // Without a browser the stories below are skipped, and there is nothing to compare.
    let has_browser = std::sync::Mutex::new(false);
    in_a_browser(folder.path(), async |_| *has_browser.lock().unwrap() = true).await;
    site.bot.stop_early().await;
    if has_browser.into_inner().unwrap() {
        assert!(steps_glide(&[]).await, "the piece glides back");
        assert!(!steps_glide(&["--force-prefers-reduced-motion"]).await, "nothing moves");
    }
}

/// A piece is dragged to a goal, and another one dropped where it can't go.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_pieces_are_dragged() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(
            browser,
            &site,
            &site.bot.ada(),
            &json!({"game": "amazons", "size": "6x6", "ai": "random"}),
        )
        .await;
        let able = "#cells .able";
        let from = text(browser, &format!("document.querySelector('{able}').dataset.name")).await;
        browser.click(&format!("#cells [data-name='{from}']")).await;
        browser.wait_for("#cells .goal").await;
        let to = text(browser, "document.querySelector('#cells .goal').dataset.name").await;
        press(browser, ESCAPE).await;
        browser.wait_until(&format!("{NOW}.endsWith(' ')")).await;

        drag(browser, &from, &from, true).await;
        browser.wait_until(&format!("{NOW}.endsWith(' {from}')")).await;
        drag(browser, &from, &to, false).await;
        browser.wait_until(&format!("{NOW}.includes('{from}~') && {NOW}.includes('{to}')")).await;
        // It is put down.
        browser.wait_until("document.querySelectorAll('#board .dragged').length === 0").await;
        browser.click("#cells .goal").await;
        let played = text(browser, "document.getElementById('played').innerText").await;
        browser.click("#play").await;
        browser.wait_until(&format!("document.getElementById('played').innerText !== '{played}'")).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Drags from one cell to another; with `away`, far off the board and back, so that it is dropped where it was.
async fn drag(browser: &Browser, from: &str, to: &str, away: bool) {
    let cell = async |name: &str| {
        browser.client.find(Locator::Css(&format!("#cells [data-name='{name}']"))).await.unwrap()
    };
    let at = |element| PointerAction::MoveToElement { element, duration: None, x: 0., y: 0. };
    let mut drag = MouseActions::new("mouse".into())
        .then(at(cell(from).await))
        .then(PointerAction::Down { button: 0 })
        .then(PointerAction::MoveBy { duration: None, x: 12., y: 12. });
    if away {
        drag = drag.then(PointerAction::MoveBy { duration: None, x: 40., y: -40. });
    }
    let drag = drag.then(at(cell(to).await)).then(PointerAction::Up { button: 0 });
    browser.client.perform_actions(drag).await.unwrap();
}

/// The points of Amoeba are dots themselves: those to go to are larger, and opaque in every theme.
#[tokio::test(flavor = "multi_thread")]
async fn layout_in_browser_sets_points_to_go_to_apart() {
    const DOTS: &str = "[...document.querySelectorAll('#cells .dot')].map((it) => \
        getComputedStyle(it).fillOpacity === '1' && it.r.baseVal.value > 2 * 8).join()";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let ada = site.bot.ada();
        let set = |it: &mut PersonalPreferences| it.theme = Some("contrast".into());
        site.bot.registry.preferences_cache().change_person(UserId(ada.id.0), set).await.unwrap();
        open_board(browser, &site, &ada, &json!({"game": "amoeba", "ai": "random", "first": "me"})).await;
        browser.click("#cells [data-name='c1']").await;
        browser.wait_until(&format!("{DOTS} === 'true,true,true'")).await;
        screenshot(browser, "amoeba-contrast").await;
    })
    .await;
    site.bot.stop_early().await;
}
