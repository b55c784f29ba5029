//! The pages on a phone: what can be touched is large enough, titles and moves stay whole, and marks leave names readable.

use image::RgbaImage;
use serde_json::{Value, json};

use super::browser_driver::*;
use super::play::PlaySite;
use super::{GUILD, Site};
use crate::browser::{Browser, in_a_browser};
use crate::duel::{Duel, Way};
use rookery_table::GuildId;

/// What can be touched and is smaller than 24 px across or down (WCAG 2.2, 2.5.8). Inputs that a label covers don't count.
const SMALL: &str = "[...document.querySelectorAll('a, button, summary, select, textarea, input, label.tool span, #cells polygon[data-cell]')]\
    .filter((it) => it.checkVisibility() && !it.matches('.tool input'))\
    .map((it) => [it, it.getBoundingClientRect()])\
    .filter(([, { width, height }]) => width > 0 && (width < 24 || height < 24))\
    .map(([it, { width, height }]) => `${width}x${height} ${it.outerHTML.slice(0, 120)}`).join('\\n')";

/// The number of lines of a page's title.
const TITLE_LINES: &str = "(() => { const title = document.querySelector('h1'); \
    const range = document.createRange(); range.selectNodeContents(title); \
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size; })()";

/// Moves in the lists of moves, and in the sentence about the last one, that are on more than one line.
const BROKEN_MOVES: &str = "(() => { const broken = []; \
    for (const list of document.querySelectorAll('#record, #line, #lines, #played')) { \
      const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT); \
      for (let node = walker.nextNode(); node; node = walker.nextNode()) { \
        for (const { 0: word, index } of node.data.matchAll(/[a-z]\\d\\S*-\\S+/g)) { \
          const range = document.createRange(); \
          range.setStart(node, index); range.setEnd(node, index + word.length); \
          if (range.getClientRects().length > 1) broken.push(word); \
        } } } return broken.join(' '); })()";

async fn resize(browser: &Browser, width: u32) {
    browser.client.set_window_size(width, 844).await.unwrap();
    browser.wait_until(&format!("innerWidth === {width}")).await;
}

async fn targets_are_large(browser: &Browser, name: &str) {
    browser.ask("document.querySelectorAll('details').forEach((it) => { it.open = true; })").await;
    screenshot(browser, &format!("phone-{name}")).await;
    assert_eq!(text(browser, SMALL).await, "", "{name}");
}

#[tokio::test(flavor = "multi_thread")]
async fn touch_targets_of_own_pages_are_large_on_a_phone() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        resize(browser, 390).await;
        let mut duel = Duel::begin(&site.bot).await;
        browser.client.goto(&site.link(&duel.ada, &duel.board).await).await.unwrap();
        browser.wait_for("#sign-in button").await;
        targets_are_large(browser, "sign-in").await;
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        targets_are_large(browser, "my-turn").await;
        for _ in 0..4 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        wait_for_turn(browser, "mine").await;
        end(browser).await;
        browser.click("#best").await;
        browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
        browser.click("#lines .ply").await;
        browser.wait_until("!document.getElementById('line').hidden").await;
        targets_are_large(browser, "after").await;
        browser.click("#draw").await;
        for cell in ["a1", "a2"] {
            browser.click(&format!("#cells [data-name='{cell}']")).await;
        }
        browser.wait_until("document.querySelectorAll('#drawn-words li').length === 1").await;
        browser.click("#share-notes").await;
        browser.wait_for("#notes-link").await;
        targets_are_large(browser, "notes").await;
        let link = text(browser, "document.getElementById('notes-link').value").await;
        browser.client.goto(&link).await.unwrap();
        browser.wait_for("#noted").await;
        targets_are_large(browser, "shared-notes").await;
        for (path, name) in [
            ("/in/nothing", "used-link"),
            ("/play", "my-games"),
            ("/play/rules/amoeba", "rules"),
            ("/play/set-up", "set-up-games"),
            ("/play/AAAA", "no-such-table"),
            ("/play/set-up/amazons", "set-up-amazons"),
            ("/play/set-up/penguins", "set-up-penguins"),
            ("/play/set-up/penguin_soccer", "set-up-soccer"),
        ] {
            browser.client.goto(&format!("{}{path}", site.base)).await.unwrap();
            browser.wait_for("h1").await;
            targets_are_large(browser, name).await;
        }
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn touch_targets_of_shared_pages_are_large_on_a_phone() {
    let (site, folder) = (Site::open().await, tempfile::tempdir().unwrap());
    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    let (list, game) = site.public(site.table).await;
    in_a_browser(folder.path(), async |browser| {
        resize(browser, 390).await;
        for (path, name) in [(&game, "shared-game"), (&list, "games-of-a-server")] {
            browser.client.goto(&format!("{}{path}", site.base)).await.unwrap();
            targets_are_large(browser, name).await;
        }
    })
    .await;
}

/// A move of the record isn't broken at its hyphen.
#[tokio::test(flavor = "multi_thread")]
async fn moves_stay_on_one_line_on_a_phone() {
    let (site, folder) = (Site::open().await, tempfile::tempdir().unwrap());
    for _ in 0..12 {
        site.play().await;
    }
    in_a_browser(folder.path(), async |browser| {
        browser.client.goto(&format!("{}{}", site.base, site.page)).await.unwrap();
        browser.ask("document.querySelectorAll('details').forEach((it) => { it.open = true; })").await;
        let record = text(browser, "document.getElementById('record').textContent").await;
        for width in [320, 333, 346, 359, 372, 385, 398] {
            resize(browser, width).await;
            assert_eq!(text(browser, BROKEN_MOVES).await, "", "at {width}");
        }
        // The script writes the same.
        press(browser, super::LEFT).await;
        browser.wait_until("location.search === '?ply=14'").await;
        assert_eq!(text(browser, "document.getElementById('record').textContent").await, record);
        assert_eq!(text(browser, BROKEN_MOVES).await, "", "after a step");
    })
    .await;
}

/// On a phone the moves are one line right below the board, in which the shown one is in view. On a desk they are a list.
#[tokio::test(flavor = "multi_thread")]
async fn moves_are_one_line_below_the_board_on_a_phone() {
    const TOPS: &str = "new Set([...document.querySelectorAll('#record .ply')].map((it) => it.getBoundingClientRect().top)).size";
    const IS_IN_VIEW: &str = "(() => { const now = document.querySelector('#record [aria-current]')?.getBoundingClientRect(); \
        return Boolean(now) && now.left >= 0 && now.right <= innerWidth; })()";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        resize(browser, 390).await;
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        assert_eq!(
            browser.ask("document.getElementById('moves').checkVisibility()").await,
            false,
            "no moves yet"
        );
        for _ in 0..8 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        wait_for_turn(browser, "mine").await;
        browser.wait_until("document.querySelectorAll('#record .ply').length === 8").await;
        for width in [350, 390] {
            resize(browser, width).await;
            assert_eq!(browser.ask(TOPS).await, 1, "at {width}");
            let below = "document.getElementById('record').getBoundingClientRect().top - \
                document.getElementById('under').getBoundingClientRect().bottom";
            assert!(browser.ask(below).await.as_f64().unwrap() < 20., "at {width}");
            assert_eq!(browser.ask("document.documentElement.scrollWidth <= innerWidth").await, true);
        }
        press(browser, "[").await;
        browser.wait_until("document.body.dataset.place === '0'").await;
        for ply in 1..8 {
            press(browser, ".").await;
            browser
                .wait_until(&format!(
                    "document.querySelector('#record [aria-current]')?.dataset.ply === '{ply}'"
                ))
                .await;
            browser.wait_until(IS_IN_VIEW).await;
        }
        screenshot(browser, "moves-on-a-phone").await;
        the_line_of_moves_shows_more(browser).await;
        resize(browser, 1200).await;
        assert_eq!(browser.ask(TOPS).await, 4, "a list");
    })
    .await;
    site.bot.stop_early().await;
}

/// The one line of moves keeps the shown move in view at other widths, says at which edges more moves are, and unfolds. The
/// step buttons stay where they are.
async fn the_line_of_moves_shows_more(browser: &Browser) {
    const LIST: &str = "document.getElementById('record')";
    const IS_SHOWN: &str = "(() => { const list = document.getElementById('record'); const { left, right } = list.getBoundingClientRect(); \
        const now = list.querySelector('[aria-current]').getBoundingClientRect(); return now.left > left - 2 && now.right < right + 2; })()";
    press(browser, "]").await;
    browser.wait_until(&format!("{LIST}.querySelector('[aria-current]')?.dataset.ply === '8'")).await;
    for width in [390, 800, 350] {
        resize(browser, width).await;
        browser.wait_until(IS_SHOWN).await;
    }
    assert_eq!(text(browser, &format!("{LIST}.className")).await, "more-before", "moves before it");
    browser.client.refresh().await.unwrap();
    browser.wait_until(&format!("{LIST}.querySelector('[aria-current]')?.dataset.ply === '8'")).await;
    browser.wait_until(IS_SHOWN).await;
    let top = "document.getElementById('step-back').getBoundingClientRect().top";
    let before = browser.ask(top).await;
    for ply in (1..8).rev() {
        press(browser, ",").await;
        browser.wait_until(&format!("{LIST}.querySelector('[aria-current]')?.dataset.ply === '{ply}'")).await;
        assert_eq!(browser.ask(top).await, before, "the step buttons have moved at {ply}");
    }
    press(browser, "[").await;
    browser
        .wait_until(&format!("document.body.dataset.place === '0' && {LIST}.className === 'more-after'"))
        .await;
    assert_eq!(browser.ask(&format!("{LIST}.scrollLeft")).await, 0);
    let rows = "new Set([...document.querySelectorAll('#record .ply')].map((it) => it.getBoundingClientRect().top)).size";
    browser.click("#all-moves").await;
    browser.wait_until(&format!("{rows} === 4")).await;
    screenshot(browser, "all-moves-on-a-phone").await;
    browser.client.refresh().await.unwrap();
    browser.wait_until(&format!("document.body.dataset.ready === 'true' && {rows} === 4")).await;
    assert_eq!(text(browser, "document.getElementById('all-moves').ariaExpanded ?? ''").await, "true");
    browser.click("#all-moves").await;
    browser.wait_until(&format!("{rows} === 1")).await;
}

/// A move in a sentence isn't broken at its hyphen or slash, whatever room the sentence has.
#[tokio::test(flavor = "multi_thread")]
async fn moves_in_sentences_stay_on_one_line() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        move_by_mouse(browser).await;
        assert_eq!(text(browser, BROKEN_MOVES).await, "");
        for width in (90..=240).step_by(10) {
            browser.ask(&format!("document.getElementById('played').style.width = '{width}px'")).await;
            assert_eq!(text(browser, BROKEN_MOVES).await, "", "{width} px");
        }
    })
    .await;
    site.bot.stop_early().await;
}

/// After the game, its result, a rematch and the analysis are in view with the board, which stays where it is.
#[tokio::test(flavor = "multi_thread")]
async fn result_and_what_comes_next_are_below_the_board_on_a_phone() {
    const TOP: &str = "document.getElementById('frame').getBoundingClientRect().top";
    const FAR: &str = "(() => { const bottom = (css) => document.querySelector(css)?.getBoundingClientRect().bottom; \
        return ['#headline', '[data-order=\"kind=rematch\"]', '#best', '#territory']\
            .filter((css) => !(bottom(css) - bottom('#steps') < 120)).join(); })()";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        let link = site.link(&duel.ada, &duel.board).await;
        for _ in 0..4 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        resize(browser, 350).await;
        visit(browser, &link, &duel.table).await;
        wait_for_turn(browser, "mine").await;
        let top = browser.ask(TOP).await;
        site.bot.resign(&duel.ben, &duel.board_now().await).await;
        browser.wait_until("document.querySelector('#annotations textarea') !== null").await;
        screenshot(browser, "phone-after").await;
        assert_eq!(text(browser, FAR).await, "", "far below");
        assert_eq!(browser.ask(TOP).await, top, "the board has moved");
        browser.click("#best").await;
        browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
        screenshot(browser, "phone-best-moves").await;
        let last = "document.querySelector('#lines').getBoundingClientRect().bottom";
        let notes = "document.getElementById('annotations').getBoundingClientRect().top";
        assert_eq!(browser.ask(&format!("{last} <= {notes} + 1")).await, true);
        assert_eq!(browser.ask("document.documentElement.scrollWidth <= innerWidth").await, true);
    })
    .await;
    site.bot.stop_early().await;
}

/// A game's name and what the page does fit in two lines beside the links.
#[tokio::test(flavor = "multi_thread")]
async fn titles_take_two_lines_at_most_on_a_small_phone() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        resize(browser, 350).await;
        for game in rookery_games::all().iter().map(|game| game.info().key) {
            open_board(browser, &site, &site.bot.ada(), &against_bot(game)).await;
            let lines = browser.ask(TITLE_LINES).await.as_u64().unwrap();
            assert!(lines <= 2, "the board of {game}: {lines} lines");
            browser.client.goto(&format!("{}/play/set-up/{game}", site.base)).await.unwrap();
            browser.wait_until("document.body.dataset.ready === 'true'").await;
            screenshot(browser, &format!("title-{game}")).await;
            let lines = browser.ask(TITLE_LINES).await.as_u64().unwrap();
            assert!(lines <= 2, "setting up {game}: {lines} lines");
        }
    })
    .await;
    site.bot.stop_early().await;
}

async fn shown(browser: &Browser) -> RgbaImage {
    image::load_from_memory(&browser.client.screenshot().await.unwrap()).unwrap().into_rgba8()
}

/// The frames of what can be chosen leave the names of points as they are.
#[tokio::test(flavor = "multi_thread")]
async fn names_of_points_are_not_covered_by_marks() {
    // The names are in art that the drawing uses: copies say where they are.
    const NAMES: &str = "[...document.querySelectorAll('#board use')].flatMap((use) => { \
        const art = document.getElementById(use.getAttribute('href').slice(1)); \
        return [...art.querySelectorAll('text')].filter((it) => /^[a-g][1-7]$/.test(it.textContent)).map((it) => { \
          const copy = it.cloneNode(true); \
          const place = document.createElementNS('http://www.w3.org/2000/svg', 'g'); \
          place.setAttribute('transform', `translate(${use.getAttribute('x')} ${use.getAttribute('y')})`); \
          place.append(copy); document.querySelector('#board svg').append(place); \
          const { left, top, right, bottom } = copy.getBoundingClientRect(); place.remove(); \
          return [it.textContent, left, top, right, bottom]; }); })";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        browser.client.set_window_size(1280, 900).await.unwrap();
        let terms = json!({"game": "amoeba", "ai": "random", "first": "me"});
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        browser.wait_until("document.querySelectorAll('#cells .edge-able').length > 4").await;
        let names: Vec<Value> = browser.ask(NAMES).await.as_array().unwrap().clone();
        assert_eq!(names.len(), 14, "both ends of each row");
        screenshot(browser, "names-with-marks").await;
        let marked = shown(browser).await;
        browser.ask("document.querySelector('#cells g[aria-hidden]').replaceChildren()").await;
        let bare = shown(browser).await;
        for name in names {
            let [left, top, right, bottom] = [1, 2, 3, 4].map(|at| name[at].as_f64().unwrap() as u32);
            let pixels = || (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
            let covered = pixels().filter(|(x, y)| marked.get_pixel(*x, *y) != bare.get_pixel(*x, *y));
            assert_eq!(covered.count(), 0, "{} is covered", name[0]);
        }
    })
    .await;
    site.bot.stop_early().await;
}
