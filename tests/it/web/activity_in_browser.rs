//! The Activity in a real browser: the page of the playground is Discord's client, with the frame in it.

use rookery_core::seed::SeededRng;
use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use serde_json::json;

use super::browser_driver::*;
use super::browser_games::{current, move_without_connection, see_the_end};
use super::play::PlaySite;
use crate::axe::leave_frames;
use crate::browser::{Browser, in_a_browser};
use crate::duel::{challenge, open};

/// The frame in the page of the playground.
pub(super) const FRAME: &str = "[data-testid=activity-frame]";
/// The button of the consent.
pub(super) const CONSENT: &str = "[data-testid=consent-yes]";
/// The button *Open board* in Discord's client.
pub(super) const OPEN_BOARD: &str = "[data-testid=button][data-custom-id$=':browser']";
/// What the shell is doing.
const STATE: &str = "document.body.dataset.frame";

/// Opens Discord's client at a channel.
pub(super) async fn open_client(browser: &Browser, site: &PlaySite, who: &Person, channel: Id) {
    let page = format!("{}/page/?as={}#/channel/{channel}", site.bot.playground.api_base(), who.id);
    browser.client.goto(&page).await.unwrap();
    browser
        .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.bot === 'online'")
        .await;
}

/// Goes into the shell.
pub(super) async fn enter_shell(browser: &Browser) {
    leave_frames(browser).await;
    browser.wait_for(FRAME).await.enter_frame().await.unwrap();
}

/// Goes into the page that the shell holds, once it is there.
pub(super) async fn enter_page(browser: &Browser, path: &str) {
    enter_shell(browser).await;
    browser.wait_until(&format!("{STATE} === 'open'")).await;
    browser.wait_for("#inner").await.enter_frame().await.unwrap();
    browser.wait_until(&format!("location.pathname === '{path}'")).await;
}

pub(super) async fn enter_board(browser: &Browser, table: &str) {
    enter_page(browser, &format!("/play/{table}")).await;
    browser.wait_until("document.body.dataset.ready === 'true'").await;
}

/// Ada plays in the frame and Ben on the ordinary page, a whole game. Meanwhile the frame is loaded again, the streams of
/// events break, and a move is made without a connection.
#[tokio::test(flavor = "multi_thread")]
async fn activity_whole_game_in_the_frame_over_a_bad_connection() {
    let (site, connection) = PlaySite::with_activity(true).await;
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    in_a_browser(one.path(), async |ada| {
        in_a_browser(two.path(), async |ben| {
            let table = begin(&site, (ada, ben)).await;
            let mut rng = SeededRng::new(5);
            for turn in 0.. {
                let play = current(&site, &table).await;
                if play.outcome().is_some() {
                    break;
                }
                let mover = if play.turn().index() == 0 { ada } else { ben };
                wait_for_turn(mover, "mine").await;
                let wanted = rng.pick(&play.moves()).unwrap().clone();
                match turn {
                    2 => {
                        enter_shell(ada).await;
                        ada.ask("location.reload()").await;
                        enter_board(ada, &table).await;
                        wait_for_turn(ada, "mine").await;
                    }
                    3 => connection.cut(),
                    _ => {}
                }
                if turn == 4 {
                    let how = (Input::Mouse, play.as_ref(), wanted.as_str());
                    move_without_connection(ada, &connection, how).await;
                    assert_eq!(site.bot.table(&table).await.ply(), 5, "once");
                } else {
                    play_move(mover, Input::Mouse, play.as_ref(), &wanted).await;
                }
            }
            see_the_end(ada).await;
            see_the_end(ben).await;
            leave_frames(ada).await;
            screenshot(ada, "activity-end").await;
            ada.click("[data-testid=activity-close]").await;
            ada.wait_until(&format!("document.querySelector('{FRAME}') === null")).await;
        })
        .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Begins a game: Ada presses *Open board* in Discord's client and agrees; Ben signs in with a link.
async fn begin(site: &PlaySite, (ada, ben): (&Browser, &Browser)) -> String {
    let (bot, games) = (&site.bot, site.bot.games());
    let terms = json!({"game": "amazons", "size": "4x4", "amazons": "2", "settle": "off"});
    let table = open(&bot.ada(), games, &terms).await;
    let invitation = challenge(&bot.ben(), games, &table).await;
    bot.press(&bot.ben(), &invitation, "Join").await;
    let thread = bot.ben().wait_for_thread(games, &table).await.unwrap();
    open_client(ada, site, &bot.ada(), thread).await;
    ada.click(OPEN_BOARD).await;
    ada.wait_for(CONSENT).await;
    screenshot(ada, "activity-consent").await;
    ada.click(CONSENT).await;
    enter_board(ada, &table).await;
    leave_frames(ada).await;
    screenshot(ada, "activity").await;
    ada.client.set_window_size(350, 750).await.unwrap();
    ada.wait_until("innerWidth < 760 && document.getAnimations().length === 0").await;
    screenshot(ada, "activity-narrow").await;
    ada.client.set_window_size(1200, 900).await.unwrap();
    enter_board(ada, &table).await;
    let who = rookery_table::UserId(bot.ben().id.0);
    let token = bot.registry.new_sign_in(who, table.parse().unwrap()).await.unwrap();
    visit(ben, &format!("{}/in/{}", site.base, token.as_str()), &table).await;
    table
}

/// Opens the Activity with its command, and doesn't agree to Discord's question.
pub(super) async fn refuse(browser: &Browser) {
    browser.wait_for("[data-testid=composer]").await.send_keys("/launch").await.unwrap();
    browser.click("[data-testid=picker-option][data-value='/launch']").await;
    browser.click("[data-testid=send]").await;
    browser.click("[data-testid=consent-no]").await;
    enter_shell(browser).await;
    browser.wait_until("document.getElementById('said').innerText.includes('who you are')").await;
}

/// Two people in the same instance; consent that is refused; a small frame; a session that is revoked.
#[tokio::test(flavor = "multi_thread")]
async fn activity_shows_who_is_there_and_says_what_is_wrong() {
    let (site, _connection) = PlaySite::with_activity(true).await;
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    in_a_browser(one.path(), async |ada| {
        in_a_browser(two.path(), async |ben| {
            let games = site.bot.games();
            for (browser, who) in [(ada, site.bot.ada()), (ben, site.bot.ben())] {
                open_client(browser, &site, &who, games).await;
                refuse(browser).await;
                screenshot(browser, "activity-refused").await;
                browser.click("#leave").await;
                leave_frames(browser).await;
                browser.wait_until(&format!("document.querySelector('{FRAME}') === null")).await;
                refuse(browser).await;
                browser.click("#again").await;
                leave_frames(browser).await;
                browser.click(CONSENT).await;
                enter_page(browser, "/play").await;
                enter_shell(browser).await;
                browser.wait_until("document.body.dataset.authenticated === 'true'").await;
            }
            for browser in [ada, ben] {
                let here = "document.getElementById('here').innerText === 'Ada and Ben are here'";
                browser.wait_until(here).await;
            }
            leave_frames(ada).await;
            screenshot(ada, "activity-people").await;
            ada.click("[data-testid=activity-small]").await;
            enter_shell(ada).await;
            ada.wait_until("document.body.classList.contains('compact')").await;
            let scrolls = "document.documentElement.scrollHeight > innerHeight";
            assert_eq!(ada.ask(scrolls).await, false, "the shell fits its frame");
            leave_frames(ada).await;
            screenshot(ada, "activity-small").await;
            ada.click("[data-testid=activity-close]").await;
            ben.wait_until("document.getElementById('here').hidden").await;

            // Ben signs his browsers out: the shell signs in again, without asking him.
            site.bot.registry.sign_out_browsers(rookery_table::UserId(site.bot.ben().id.0)).await.unwrap();
            ben.client.execute("performance.now = () => 1e9", Vec::new()).await.unwrap();
            ben.ask("document.getElementById('inner').contentWindow.location.reload()").await;
            ben.wait_until(&format!("{STATE} === 'busy'")).await;
            enter_page(ben, "/play").await;
        })
        .await;
    })
    .await;
    site.bot.stop_early().await;
}
