//! Whole games on the page in a real browser: by mouse, by touch, by keys alone, and by two people at once.

use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{in_a_browser, in_a_browser_with};
use crate::duel::{Duel, open};
use crate::test_bot::boards;

/// The most turns that a story plays; then it resigns.
const MAX_TURNS: usize = 5;

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
                browser.wait_for(&unhurried(&next)).await;
                tap(browser, &next).await;
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
            // After a move too, though its button is gone.
            browser.wait_until("document.activeElement.matches('#cells [data-cell]')").await;
            choose_by_keys(browser, "#cells .able").await;
            if turn == 0 {
                let label = text(browser, "document.activeElement.getAttribute('aria-label')").await;
                assert!(label.contains("White's amazon") && label.contains("chosen"), "{label}");
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

/// Between what is above the board and the cells is nothing else that Tab stops at.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_tab_leads_to_a_cell() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        browser.ask("document.getElementById('next').focus()").await;
        press(browser, TAB).await;
        let cell = "document.activeElement.matches('#cells [data-cell]')";
        assert_eq!(browser.ask(cell).await, true, "{}", text(browser, "document.activeElement.id").await);
        // The cell that has the focus is the one that arrow keys start from.
        press(browser, DOWN).await;
        assert_eq!(browser.ask(cell).await, true);
    })
    .await;
    site.bot.stop_early().await;
}

/// In Amoeba the cells are at fractions of a unit, which some states round.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_keys_stay_on_the_board_of_amoeba() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &json!({"game": "amoeba", "ai": "random"})).await;
        press(browser, DOWN).await;
        browser.wait_until("document.activeElement.matches('#cells [data-cell]')").await;
        choose_by_keys(browser, "#cells .able").await;
        choose_by_keys(browser, "#cells .goal").await;
        browser.wait_until("document.activeElement.id === 'play'").await;
        press(browser, ENTER).await;
        browser.wait_until("document.getElementById('live').innerText.includes('played')").await;
        assert!(is_my_turn(browser).await);
        choose_by_keys(browser, "#cells .able").await;
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
                for (mover, name, other) in [(ada, "Ada", ben), (ben, "Ben", ada)] {
                    assert!(is_my_turn(mover).await);
                    let waits = format!(
                        "document.title.startsWith('{name} to move · Game of the Amazons {}')",
                        duel.table
                    );
                    other.wait_until(&waits).await;
                    let title = text(mover, "document.title").await;
                    assert!(title.starts_with("● Your move · Game of"), "{title}");
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

/// Without scripts a person signs in and sees the board, the players and the moves, and nothing that does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_without_scripts_shows_the_game() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser_with(folder.path(), &["--blink-settings=scriptEnabled=false"], async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..2 {
            duel.turn(&site.bot, crate::duel::Way::Mention).await;
        }
        browser.client.goto(&site.link(&duel.ada, &duel.board).await).await.unwrap();
        browser.click("#sign-in button").await;
        browser.wait_until(&format!("location.pathname === '/play/{}'", duel.table)).await;
        assert_eq!(browser.ask("document.body.dataset.ready ?? null").await, json!(null), "no script ran");
        let seen = text(browser, "document.querySelector('main').innerText").await;
        for wanted in ["needs JavaScript", "Your move", "Ada (White)", "Ben (Black)"] {
            assert!(seen.contains(wanted), "{wanted} in:\n{seen}");
        }
        for played in duel.play.record() {
            assert!(seen.contains(&played), "{played} in:\n{seen}");
        }
        assert!(browser.ask("document.querySelector('#board svg').clientWidth > 300").await == true);
        let visible = "[...document.querySelectorAll('button')].filter((it) => it.checkVisibility()).length";
        assert_eq!(browser.ask(visible).await, json!(0), "no button that does nothing");
        screenshot(browser, "without-scripts").await;
        browser.client.goto(&format!("{}/play", site.base)).await.unwrap();
        browser.wait_until("document.querySelectorAll('.games .waits svg').length === 1").await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Sounds are off at first; turned on they stay so for this browser, for moves and the end.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_sounds_when_wanted() {
    const SOUNDS: &str = "document.body.dataset.sounds ?? ''";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        let played = async |duel: &mut Duel| {
            duel.turn(&site.bot, crate::duel::Way::Mention).await;
            let text = duel.play.record().pop().unwrap();
            let shown = format!("document.getElementById('played').innerText.endsWith({})", json!(text));
            browser.wait_until(&shown).await;
        };
        played(&mut duel).await;
        assert_eq!(text(browser, SOUNDS).await, "", "nobody asked for sounds");
        browser.click("#sound").await;
        browser.wait_until(&format!("({SOUNDS}) === 'move'")).await;
        browser.client.refresh().await.unwrap();
        browser.wait_until("document.querySelector('#sound')?.ariaPressed === 'true'").await;
        browser.wait_until("document.body.dataset.live === 'true'").await;
        played(&mut duel).await;
        browser.wait_until(&format!("({SOUNDS}) === 'move'")).await;
        end(browser).await;
        browser.wait_until(&format!("({SOUNDS}) === 'move end'")).await;
        browser.click("#sound").await;
        assert_eq!(browser.ask("localStorage.getItem('rookery-sound')").await, json!("off"));
    })
    .await;
    site.bot.stop_early().await;
}
