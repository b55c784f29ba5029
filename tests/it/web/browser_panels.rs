//! What a page offers besides moves, in a real browser: votes of a team, plans that are deleted, and what is refused.

use rookery_table::{Actor, Offer, Order, UserId};
use serde_json::json;

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::in_a_browser;
use crate::duel::{Duel, Way};
use crate::test_bot::boards;

const NOTICE: &str = "document.getElementById('notice').innerText";

/// Ben presses the move that Ada proposed; his vote decides.
#[tokio::test(flavor = "multi_thread")]
async fn vote_of_a_team_is_pressed_in_a_browser() {
    let site = PlaySite::open().await;
    let bot = &site.bot;
    let (ada, ben) = (bot.ada(), bot.ben());
    let (table, board) = site.open_vote().await;
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    in_a_browser(one.path(), async |at_ada| {
        in_a_browser(two.path(), async |at_ben| {
            visit(at_ada, &site.link(&ada, &board).await, &table).await;
            visit(at_ben, &site.link(&ben, &board).await, &table).await;
            let play = bot.table(&table).await.play().unwrap().clone_play();
            let wanted = play.moves().remove(3);
            choose_steps(at_ada, Input::Mouse, play.as_ref(), &wanted).await;
            Input::Mouse.press(at_ada, "#play").await;
            let proposed = format!("#vote [data-vote='{wanted}']");
            at_ada
                .wait_until(&format!("document.querySelector(\"{proposed}\")?.ariaPressed === 'true'"))
                .await;
            at_ben
                .wait_until(&format!("document.querySelector(\"{proposed}\")?.ariaPressed === 'false'"))
                .await;
            screenshot(at_ben, "vote").await;
            at_ben.click(&proposed).await;
            // After the bot's reply, the next vote may be open already.
            let is_played = format!("document.getElementById('record').innerText.includes('{wanted}')");
            at_ben.wait_until(&is_played).await;
            at_ada.wait_until(&is_played).await;
            assert_eq!(bot.table(&table).await.play().unwrap().record()[0], wanted, "two votes decide");
        })
        .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// A plan that is deleted on the page isn't played.
#[tokio::test(flavor = "multi_thread")]
async fn plan_is_deleted_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        duel.turn(&site.bot, Way::Mention).await;
        let board = boards(&duel.ada, duel.thread).pop().unwrap();
        visit(browser, &site.link(&duel.ada, &board).await, &duel.table).await;
        let theirs = duel.play.moves().remove(3);
        let mut then = duel.play.clone_play();
        then.play(&theirs).unwrap();
        let plan = format!("if {theirs} then {}", then.moves().remove(3));
        let asked =
            duel.ada.slash(duel.thread, "if", &json!({"plan": plan})).unwrap().message().await.unwrap();
        site.bot.press_private(&duel.ada, &asked, "Save plan").await;
        browser.client.refresh().await.unwrap();
        browser.wait_until("document.querySelectorAll('#plans li').length === 1").await;
        let shown = text(browser, "document.querySelector('#plans li span').innerText").await;
        assert_eq!(shown, plan);
        browser.click("#plans li button").await;
        browser.wait_until("document.querySelectorAll('#plans li').length === 0").await;
        duel.ben.say(duel.thread, &format!("<@{}> {theirs}", rookery_playground::BOT_ID)).unwrap();
        browser
            .wait_until(&format!("document.getElementById('played').innerText.endsWith('{theirs}')"))
            .await;
        assert!(is_my_turn(browser).await);
        assert_eq!(site.bot.table(&duel.table).await.ply(), 2, "Ada's reply was not played");
    })
    .await;
    site.bot.stop_early().await;
}

/// A finished casual game whose position a running rated game has: neither territory nor best moves.
#[tokio::test(flavor = "multi_thread")]
async fn help_in_a_rated_game_is_refused_in_a_browser() {
    const TURNS: usize = 4;
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    site.bot.allow_rated().await;
    in_a_browser(folder.path(), async |browser| {
        let mut casual = Duel::begin(&site.bot).await;
        for _ in 0..TURNS {
            casual.turn(&site.bot, Way::Mention).await;
        }
        visit(browser, &site.link(&casual.ada, &casual.board).await, &casual.table).await;
        end(browser).await;
        let terms = json!({"game": "amazons", "size": "6x6", "settle": "off", "rated": true});
        let mut rated = Duel::begin_with(&site.bot, &terms).await;
        for _ in 0..TURNS {
            rated.turn(&site.bot, Way::Mention).await;
        }
        assert_eq!(rated.play.record(), casual.play.record(), "both are played with the same seed");
        assert!(site.bot.table(&rated.table).await.is_rated());
        for button in ["#territory", "#best"] {
            browser.click(button).await;
            browser.wait_until(&format!("{NOTICE}.includes('during a rated game')")).await;
            browser.wait_until(&format!("document.querySelector('{button}').ariaPressed !== 'true'")).await;
            press(browser, ",").await;
            browser.wait_until("document.body.dataset.place === '3'").await;
            press(browser, ".").await;
            browser.wait_until("document.body.dataset.place === '4'").await;
            browser.ask("document.getElementById('notice').replaceChildren()").await;
        }
        assert_eq!(browser.ask("document.querySelectorAll('#lines li').length").await, json!(0));
        assert_eq!(text(browser, "document.getElementById('legend').innerText").await, "");
    })
    .await;
    site.bot.stop_early().await;
}

/// The person who offers sees that it waits, and then the answer, until the next move.
#[tokio::test(flavor = "multi_thread")]
async fn offer_is_shown_in_a_browser_until_it_is_answered() {
    const UNDO: &str = "#actions [data-order='kind=offer&text=undo']";
    const OFFER: &str = "document.getElementById('offer')";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        duel.turn(&site.bot, Way::Mention).await;
        let board = boards(&duel.ada, duel.thread).pop().unwrap();
        visit(browser, &site.link(&duel.ada, &board).await, &duel.table).await;
        browser.click(UNDO).await;
        browser.wait_until(&format!("{OFFER}.innerText.includes('wants to take back')")).await;
        let shown = text(browser, &format!("{OFFER}.innerText")).await;
        assert!(shown.contains("Waiting for an answer."), "{shown}");
        assert_eq!(browser.ask(&format!("{OFFER}.querySelectorAll('button').length")).await, json!(0));
        browser.click(UNDO).await;
        browser.wait_until(&format!("{NOTICE}.includes('already an offer')")).await;
        let asked = duel.ben.wait_for(duel.thread, "the offer", |it| it.button("Play on").is_some()).await;
        site.bot.press(&duel.ben, &asked.unwrap(), "Play on").await;
        browser.wait_until(&format!("{OFFER}.hidden && {NOTICE} === ''")).await;
        const ANSWER: &str = "document.getElementById('notes').innerText";
        browser.wait_until(&format!("{ANSWER}.includes('They said no to taking back')")).await;
        let heard = "document.getElementById('live').textContent";
        browser.wait_until(&format!("{heard}.includes('They said no to taking back')")).await;
        duel.turn(&site.bot, Way::Mention).await;
        browser.wait_until(&format!("{ANSWER} === ''")).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// What is left after a move was taken back is nobody's new move.
#[tokio::test(flavor = "multi_thread")]
async fn taken_back_move_is_announced_in_a_browser() {
    const HEARD: &str = "document.getElementById('live').textContent";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..3 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        visit(browser, &site.link(&duel.ada, &duel.board).await, &duel.table).await;
        let table = duel.table.parse().unwrap();
        let (ada, ben) = (UserId(duel.ada.id.0), UserId(duel.ben.id.0));
        for (who, order) in [(ada, Order::Offer(Offer::Undo)), (ben, Order::Answer { yes: true, to: None })] {
            site.bot.registry.order(table, Actor::Person(who), order, None).await.unwrap();
        }
        browser.wait_until(&format!("{HEARD} === 'A move was taken back. Your move (White)'")).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// A person who only waits learns that the page has no connection, too.
#[tokio::test(flavor = "multi_thread")]
async fn lost_connection_is_shown_in_a_browser_that_waits() {
    let ((site, connection), folder) = (PlaySite::with_connection().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        connection.lose();
        browser.wait_until(&format!("{NOTICE}.includes('No connection')")).await;
        connection.mend();
        browser.wait_until(&format!("{NOTICE} === ''")).await;
    })
    .await;
    site.bot.stop_early().await;
}
