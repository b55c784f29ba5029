//! Looking back at a game on its page, planning, and what a page offers after the game.

use std::sync::Arc;

use rookery_core::Play;
use rookery_playground::testing::person::Person;
use rookery_table::{Actor, Order, Table, UserId};
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};
use crate::duel::Duel;
use crate::eventually::poll_interval;
use crate::test_bot::boards;

const PLACE: &str = "document.body.dataset.place";
const TEXT: &str = "document.getElementById('text').textContent";
const PLAYED: &str = "document.getElementById('played').innerText";

/// Plays the first legal moves for a person, and waits for the bot's answers.
async fn play_first_moves(site: &PlaySite, who: &Person, table: &str, count: usize) {
    for _ in 0..count {
        let now = at_turn_of(site, who, table).await;
        let text = now.play().unwrap().moves().remove(0);
        let by = Actor::Person(UserId(who.id.0));
        site.bot.registry.order(now.id(), by, Order::Move { text, ply: None }, None).await.unwrap();
    }
    at_turn_of(site, who, table).await;
}

/// Returns a table once it is a person's turn.
async fn at_turn_of(site: &PlaySite, who: &Person, table: &str) -> Arc<Table> {
    loop {
        let now = site.bot.table(table).await;
        if now.to_move().is_some() && now.to_move() == now.seat_of(UserId(who.id.0)) {
            return now;
        }
        poll_interval().await;
    }
}

/// Waits until the page shows the position after these turns, in its list, its text board and its cells.
async fn sees_position(browser: &Browser, play: &dyn Play, ply: usize) {
    let then = play.at_ply(ply);
    let shown = text(browser, &format!("({TEXT}).trimEnd()")).await;
    let wanted = then.text_board().trim_end().to_owned();
    if shown != wanted {
        browser.wait_until(&format!("({TEXT}).trimEnd() === {}", json!(wanted))).await;
    }
    let current = "(document.querySelector('#record [aria-current]')?.dataset.ply ?? '0')";
    browser.wait_until(&format!("{current} === '{ply}'")).await;
    if let Some(text) = then.record().last() {
        browser.wait_until(&format!("{PLAYED}.endsWith({})", json!(text))).await;
    }
}

/// In all games: by keys, by buttons and by the list; for players and for spectators.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_steps_through_every_game() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        for game in rookery_games::all().iter().map(|game| game.info().key) {
            let ada = site.bot.ada();
            let table = open_board(browser, &site, &ada, &against_bot(game)).await;
            play_first_moves(&site, &ada, &table, 2).await;
            let four = site.bot.table(&table).await;
            let (play, last) = (four.play().unwrap(), four.ply());
            assert!(last >= 3, "{game}: {last}");
            browser.wait_until(&format!("document.querySelectorAll('#record .ply').length === {last}")).await;
            press(browser, ",").await;
            sees_position(browser, play, last - 1).await;
            press(browser, "[").await;
            sees_position(browser, play, 0).await;
            assert!(browser.ask("document.body.classList.contains('looking')").await == true);
            browser.click("#step-on").await;
            sees_position(browser, play, 1).await;
            press(browser, ".").await;
            sees_position(browser, play, 2).await;
            browser.click("#record [data-ply='1']").await;
            sees_position(browser, play, 1).await;
            screenshot(browser, &format!("{game}-looking-back")).await;
            let told = text(browser, "document.getElementById('live').innerText").await;
            assert!(told.contains(&play.record()[0]) && told.contains("Ada"), "{told}");

            // A new move leaves the reader where they are.
            play_first_moves(&site, &ada, &table, 1).await;
            browser.wait_until("document.getElementById('notice').innerText.includes('earlier move')").await;
            sees_position(browser, play, 1).await;
            browser.click("#now").await;
            let now = site.bot.table(&table).await;
            sees_position(browser, now.play().unwrap(), now.ply()).await;
            assert_eq!(text(browser, PLACE).await, "");
        }
    })
    .await;
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_spectators_step_but_have_no_hands() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..2 {
            duel.turn(&site.bot, crate::duel::Way::Mention).await;
        }
        visit(browser, &site.link(&site.bot.cleo(), &duel.board).await, &duel.table).await;
        press(browser, "[").await;
        sees_position(browser, duel.play.as_ref(), 0).await;
        assert_eq!(browser.ask("document.querySelectorAll('#cells .able, #cells .goal').length").await, 0);
        for person in ["Ada (White)", "Ben (Black)"] {
            let names = text(browser, "document.querySelector('main').innerText").await;
            assert!(names.contains(person), "{names}");
        }
        assert_eq!(browser.ask("document.querySelector('#plan')").await, serde_json::Value::Null);
    })
    .await;
    site.bot.stop_early().await;
}

/// Ada plans a reply by touching Ben's move and hers; it is played when he plays that move.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_plans_are_touched() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        duel.turn(&site.bot, crate::duel::Way::Mention).await;
        let board = boards(&duel.ada, duel.thread).pop().unwrap();
        visit(browser, &site.link(&duel.ada, &board).await, &duel.table).await;
        browser.click("#plan").await;
        browser.wait_until(&format!("{PLACE} !== ''")).await;
        let (mut play, mut line) = (duel.play.clone_play(), Vec::new());
        for input in [Input::Touch, Input::Mouse] {
            let wanted = play.moves().remove(3);
            choose_steps(browser, input, play.as_ref(), &wanted).await;
            play.play(&wanted).unwrap();
            line.push(wanted);
            browser.wait_until(&format!("{PLACE} === '1 {}'", line.join(" "))).await;
        }
        screenshot(browser, "plan").await;
        browser.click("#save-plan").await;
        browser.wait_until("document.querySelectorAll('#plans li').length === 1").await;
        let plan = text(browser, "document.querySelector('#plans li span').innerText").await;
        assert_eq!(plan, format!("if {} then {}", line[0], line[1]));
        assert_eq!(text(browser, PLACE).await, "", "back to the game");
        let ben = Actor::Person(UserId(duel.ben.id.0));
        let theirs = Order::Move { text: line[0].clone(), ply: None };
        site.bot.registry.order(duel.table.parse().unwrap(), ben, theirs, None).await.unwrap();
        browser.wait_until(&format!("{PLAYED}.endsWith('{}')", line[1])).await;
        assert_eq!(site.bot.table(&duel.table).await.ply(), 3);
    })
    .await;
    site.bot.stop_early().await;
}

/// The engine's lines, stepped through; territory; moves of one's own, taken back.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_analysis_after_the_game() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..4 {
            duel.turn(&site.bot, crate::duel::Way::Mention).await;
        }
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        assert_eq!(
            browser.ask("document.getElementById('analysis').hidden").await,
            true,
            "not during the game"
        );
        end(browser).await;
        browser.wait_until(&format!("{PLACE} === '4'")).await;
        press(browser, ",").await;
        sees_position(browser, duel.play.as_ref(), 3).await;
        browser.click("#best").await;
        browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
        let moves = "[...document.querySelectorAll('#lines li:first-child .ply')].map((it) => it.innerText)";
        let line: Vec<String> = serde_json::from_value(browser.ask(moves).await).unwrap();
        let mut play = duel.play.at_ply(3);
        for (at, text) in line.iter().enumerate() {
            browser.click(&format!("#lines li:first-child .ply:nth-child({})", at + 1)).await;
            play.play(text).unwrap();
            browser
                .wait_until(&format!("({TEXT}).trimEnd() === {}", json!(play.text_board().trim_end())))
                .await;
        }
        screenshot(browser, "analysis").await;
        browser.click("#to-game").await;
        browser.wait_until(&format!("{PLACE} === '3'")).await;
        browser.click("#territory").await;
        browser.wait_until("document.getElementById('legend').innerText.length > 0").await;
        screenshot(browser, "analysis-territory").await;

        // A move of one's own, as touched as in a game; then back.
        let (then, own) = (duel.play.at_ply(3), duel.play.at_ply(3).moves().remove(5));
        choose_steps(browser, Input::Touch, then.as_ref(), &own).await;
        browser.wait_until(&format!("{PLACE} === '3 {own}'")).await;
        assert_eq!(
            browser.ask("document.querySelectorAll('#lines li').length").await,
            0,
            "not of this position"
        );
        browser.click("#best").await;
        browser.wait_until("document.querySelectorAll('#lines li').length > 0").await;
        let best = text(browser, "document.querySelector('#lines .ply').innerText").await;
        browser.click("#lines li:first-child .ply").await;
        browser.wait_until(&format!("{PLACE} === '3 {own} {best}'")).await;
        screenshot(browser, "variation").await;
        browser.click("#undo").await;
        browser.wait_until(&format!("{PLACE} === '3 {own}'")).await;
        browser.click("#undo").await;
        browser.wait_until(&format!("{PLACE} === '3'")).await;
        press(browser, "]").await;
        sees_position(browser, duel.play.as_ref(), 4).await;
        assert_eq!(site.bot.table(&duel.table).await.ply(), 4, "the game is as it was");
    })
    .await;
    site.bot.stop_early().await;
}

/// Steps lead back and forth within a line of one's own, which stays until other moves are tried or it is discarded.
#[tokio::test(flavor = "multi_thread")]
async fn steps_walk_within_a_line_of_ones_own() {
    const AT: &str = "document.getElementById('at').innerText";
    const LINE: &str = "[...document.querySelectorAll('#line .ply')].map((it) => it.innerText).join(' ')";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..4 {
            duel.turn(&site.bot, crate::duel::Way::Mention).await;
        }
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        end(browser).await;
        browser.wait_until(&format!("{PLACE} === '4'")).await;
        press(browser, ",").await;
        browser.wait_until(&format!("{PLACE} === '3'")).await;
        let mut play = duel.play.at_ply(3);
        let mut line = Vec::new();
        for _ in 0..2 {
            let own = play.moves().remove(5);
            choose_steps(browser, Input::Touch, play.as_ref(), &own).await;
            play.play(&own).unwrap();
            line.push(own);
            browser.wait_until(&format!("{PLACE} === '3 {}'", line.join(" "))).await;
        }
        let (one, two) = (format!("3 {}", line[0]), format!("3 {}", line.join(" ")));
        assert_eq!(text(browser, AT).await, "Line 2 of 2");
        let walk = async |key: &str, to: &str| {
            press(browser, key).await;
            browser.wait_until(&format!("{PLACE} === '{to}'")).await;
            assert_eq!(text(browser, LINE).await, line.join(" "), "the line is kept at {to}");
        };
        walk(",", &one).await;
        assert_eq!(text(browser, AT).await, "Line 1 of 2");
        for (key, to) in
            [(",", "3"), (",", "2"), (".", "3"), (".", &one), (".", &two), ("[", "0"), ("]", "4")]
        {
            walk(key, to).await;
        }
        for (key, to) in [(",", "3"), (".", one.as_str())] {
            walk(key, to).await;
        }
        screenshot(browser, "own-line").await;

        // Another move where the line begins takes its place.
        walk(",", "3").await;
        let (then, other) = (duel.play.at_ply(3), duel.play.at_ply(3).moves().remove(9));
        choose_steps(browser, Input::Touch, then.as_ref(), &other).await;
        browser.wait_until(&format!("{PLACE} === '3 {other}' && {LINE} === '{other}'")).await;
        assert_eq!(text(browser, "document.getElementById('step-on').ariaDisabled").await, "true");
        browser.click("#discard").await;
        browser.wait_until(&format!("{PLACE} === '3' && document.getElementById('line').hidden")).await;
        press(browser, ".").await;
        browser.wait_until(&format!("{PLACE} === '4'")).await;
    })
    .await;
    site.bot.stop_early().await;
}
