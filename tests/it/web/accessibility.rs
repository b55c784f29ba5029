//! The accessibility rules of axe-core on the web pages.

use rookery_table::GuildId;

use super::browser_driver::*;
use super::play::PlaySite;
use super::{GUILD, Site};
use crate::axe::Rules;
use crate::browser::{DARK, in_a_browser_with};
use crate::duel::{Duel, Way};

/// Pages that need no game, and their names.
const PAGES: [(&str, &str); 4] = [
    ("/play", "my games"),
    ("/play/rules/penguin_soccer", "rules"),
    ("/play/set-up", "games to set up"),
    ("/play/AAAA", "no such table"),
];

/// Visits the pages from the sign-in to the analysis.
async fn pages_hold(words: &[&str]) {
    let Some(rules) = Rules::find() else { return };
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser_with(folder.path(), words, async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        browser.client.goto(&site.link(&duel.ada, &duel.board).await).await.unwrap();
        browser.wait_for("#sign-in button").await;
        rules.hold(browser, "sign in").await;
        browser.client.goto(&format!("{}/in/nothing", site.base)).await.unwrap();
        rules.hold(browser, "used link").await;

        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        rules.hold(browser, "my turn").await;
        browser.click(HINT).await;
        browser.wait_for("#cells .hinted").await;
        rules.hold(browser, "hint").await;
        browser.click("#cells .able").await;
        browser.wait_until("document.querySelector('#back') !== null").await;
        rules.hold(browser, "choosing").await;
        browser.click("#back").await;
        for _ in 0..4 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        wait_for_turn(browser, "mine").await;
        press(browser, ",").await;
        browser.wait_until("document.body.classList.contains('looking')").await;
        rules.hold(browser, "looking back").await;
        press(browser, "]").await;
        browser.click("#actions [data-order^='kind=resign']").await;
        browser.wait_for("#sure").await;
        rules.hold(browser, "asked again").await;
        browser.click(&unhurried("#sure")).await;
        browser.wait_until(&format!("{TURN} === 'over'")).await;
        browser.click(&unhurried("#best")).await;
        browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
        browser.click("#lines .ply").await;
        browser.wait_until("!document.getElementById('line').hidden").await;
        rules.hold(browser, "after the game").await;
        browser.click("#to-game").await;
        browser.click("#territory").await;
        browser.wait_until("document.getElementById('legend').innerText.length > 0").await;
        rules.hold(browser, "territory").await;
        browser.click("#draw").await;
        browser.click("#cells [data-cell]").await;
        browser.click("#cells [data-cell]").await;
        browser.wait_until("document.querySelectorAll('#drawn-words li').length === 1").await;
        browser.wait_for("#comment").await.send_keys("Why not here?").await.unwrap();
        rules.hold(browser, "drawing").await;
        browser.click("#share-notes").await;
        browser.wait_for("#notes-link").await;
        rules.hold(browser, "shared notes").await;
        let link = text(browser, "document.getElementById('notes-link').value").await;
        browser.client.goto(&link).await.unwrap();
        browser.wait_for("#drawn-words").await;
        rules.hold(browser, "notes behind a link").await;

        for (path, name) in PAGES {
            browser.client.goto(&format!("{}{path}", site.base)).await.unwrap();
            rules.hold(browser, name).await;
        }
        for game in rookery_games::all().iter().map(|game| game.info().key) {
            browser.client.goto(&format!("{}/play/set-up/{game}", site.base)).await.unwrap();
            browser.wait_until("document.body.dataset.ready === 'true'").await;
            rules.hold(browser, &format!("setting up {game}")).await;
        }
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_on_light_pages() {
    pages_hold(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_on_dark_pages() {
    pages_hold(&[DARK]).await;
}

/// A board of every game with a piece in hand, against the bot.
#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_on_boards_of_all_games() {
    let Some(rules) = Rules::find() else { return };
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser_with(folder.path(), &[], async |browser| {
        for game in rookery_games::all().iter().map(|game| game.info().key) {
            open_board(browser, &site, &site.bot.ada(), &against_bot(game)).await;
            assert!(is_my_turn(browser).await, "{game}");
            rules.hold(browser, &format!("{game} first move")).await;
            move_by_mouse(browser).await;
            rules.hold(browser, &format!("{game} after a move")).await;
        }
    })
    .await;
    site.bot.stop_early().await;
}

/// The pages that links of `/share` and of a server's setting lead to, and the front page.
#[tokio::test(flavor = "multi_thread")]
async fn accessibility_rules_hold_on_shared_pages() {
    let Some(rules) = Rules::find() else { return };
    let (site, folder) = (Site::open().await, tempfile::tempdir().unwrap());
    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    let (list, _) = site.public(site.table).await;
    let pages = [("front", "/"), ("shared game", site.page.as_str()), ("games of a server", list.as_str())];
    let folder = folder.path();
    for words in [&[][..], &[DARK]] {
        in_a_browser_with(folder, words, async |browser| {
            for (name, path) in pages {
                browser.client.goto(&format!("{}{path}", site.base)).await.unwrap();
                rules.hold(browser, name).await;
            }
            browser.ask("document.documentElement.removeAttribute('lang')").await;
            let (broken, _) = rules.check(browser).await;
            assert!(broken.len() == 1 && broken[0].contains("html-has-lang"), "{broken:?}");
        })
        .await;
    }
}
