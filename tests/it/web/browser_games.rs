//! Whole games on the page in a real browser, each to its end: all games, with a mouse, a finger and keys.

use rookery_core::Play;
use rookery_core::player::{Level, Limits, SearchRequest};
use rookery_core::seed::SeededRng;
use serde_json::{Value, json};

use super::browser_driver::*;
use super::play::PlaySite;
use crate::browser::{Browser, in_a_browser};

/// The most turns of a whole game in these tests.
const MAX_TURNS: usize = 80;
/// The positions that the person's moves are searched with: enough to beat the bot, which plays its first legal move.
const NODES: u64 = 2_000;

pub(super) async fn current(site: &PlaySite, table: &str) -> Box<dyn Play> {
    site.bot.table(table).await.play().unwrap().clone_play()
}

/// Returns a good move.
fn good_move(play: &dyn Play) -> String {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    play.think(&SearchRequest { limits, ..SearchRequest::new(Level::Medium, 1) }).unwrap().best
}

/// Plays a game against the bot to its end.
async fn against_the_bot(input: Input, terms: Value) {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let name = terms["game"].as_str().unwrap().to_owned();
    in_a_browser(folder.path(), async |browser| {
        let table = open_board(browser, &site, &site.bot.ada(), &terms).await;
        for turn in 0.. {
            assert!(turn < MAX_TURNS, "{name} doesn't end");
            if !is_my_turn(browser).await {
                break;
            }
            let play = current(&site, &table).await;
            play_move(browser, input, play.as_ref(), &good_move(play.as_ref())).await;
        }
        see_the_end(browser).await;
        screenshot(browser, &format!("{name}-whole")).await;
        assert!(current(&site, &table).await.outcome().is_some(), "to the end by the rules");
    })
    .await;
    site.bot.stop_early().await;
}

pub(super) async fn see_the_end(browser: &Browser) {
    wait_for_turn(browser, "over").await;
    let result = text(browser, "document.getElementById('headline').innerText").await;
    assert!(["won", "win", "draw"].iter().any(|word| result.contains(word)), "{result}");
}

fn exact(game: &str, more: &Value) -> Value {
    let mut terms = json!({"game": game, "ai": "random", "settle": "off"});
    terms.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    terms
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_whole_game_of_penguins_by_keys() {
    against_the_bot(Input::Keys, exact("penguins", &json!({"players": 4}))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_whole_game_of_amazon_penguins_by_touch() {
    against_the_bot(Input::Touch, exact("amazon_penguins", &json!({"size": "4x4", "pieces": "1"}))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_whole_game_of_paper_penguins_by_keys() {
    against_the_bot(Input::Keys, exact("paper_penguins", &json!({"size": "5x5", "pieces": "1"}))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_whole_game_of_penguin_soccer_by_mouse() {
    against_the_bot(Input::Mouse, exact("penguin_soccer", &json!({}))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_whole_game_of_amoeba_by_touch() {
    against_the_bot(Input::Touch, exact("amoeba", &json!({}))).await;
}

/// Two people at once, one with a mouse and one with keys. Between their moves a page is loaded again, the streams of
/// events break, and a move is made without a connection. Afterwards both are led to their rematch.
#[tokio::test(flavor = "multi_thread")]
async fn play_in_browser_whole_game_of_amazons_by_two_people_over_a_bad_connection() {
    let (site, connection) = PlaySite::with_connection().await;
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    in_a_browser(one.path(), async |ada| {
        in_a_browser(two.path(), async |ben| {
            let terms = json!({"game": "amazons", "size": "4x4", "amazons": "2", "settle": "off"});
            let table = begin_two(&site, (ada, ben), &terms).await;
            let mut rng = SeededRng::new(3);
            for turn in 0.. {
                let play = current(&site, &table).await;
                if play.outcome().is_some() {
                    break;
                }
                let (mover, input) =
                    if play.turn().index() == 0 { (ada, Input::Mouse) } else { (ben, Input::Keys) };
                wait_for_turn(mover, "mine").await;
                let wanted = rng.pick(&play.moves()).unwrap().clone();
                match turn {
                    1 => {
                        mover.client.refresh().await.unwrap();
                        mover.wait_until("document.body.dataset.ready === 'true'").await;
                    }
                    2 => connection.cut(),
                    _ => {}
                }
                if turn == 3 {
                    move_without_connection(mover, &connection, (input, play.as_ref(), &wanted)).await;
                    assert_eq!(site.bot.table(&table).await.ply(), 4, "once");
                } else {
                    play_move(mover, input, play.as_ref(), &wanted).await;
                }
            }
            see_the_end(ada).await;
            see_the_end(ben).await;
            rematch(&site, (ada, ben), &table).await;
        })
        .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Makes a move while nothing comes through: the page says so, goes on over a reload of nothing but itself, and the move
/// counts once when the connection is back.
pub(super) async fn move_without_connection(
    mover: &Browser,
    connection: &super::connection::Connection,
    (input, play, wanted): (Input, &dyn Play, &str),
) {
    choose_steps(mover, input, play, wanted).await;
    let played = text(mover, "document.getElementById('played').innerText").await;
    connection.lose();
    input.press(mover, "#play").await;
    mover.wait_until("document.getElementById('notice').innerText.includes('No connection')").await;
    assert_eq!(text(mover, "document.getElementById('played').innerText").await, played);
    connection.mend();
    mover.wait_until(&format!("document.getElementById('played').innerText !== '{played}'")).await;
    mover.wait_until("document.getElementById('notice').innerText === ''").await;
}

/// Ada asks for a rematch and Ben accepts; both pages lead to it.
async fn rematch(site: &PlaySite, (ada, ben): (&Browser, &Browser), table: &str) {
    ada.click("#actions [data-order='kind=rematch']").await;
    ada.wait_until("document.getElementById('rematch').innerText.includes('opens here')").await;
    ben.wait_until("document.getElementById('rematch').innerText.includes('asked for a rematch')").await;
    screenshot(ben, "rematch-asked").await;
    ben.click("#actions [data-order='kind=rematch']").await;
    let next = site.bot.table(table).await.rematch().unwrap();
    for browser in [ada, ben] {
        let there = format!("location.pathname === '/play/{next}' && document.body.dataset.ready === 'true'");
        browser.wait_until(&there).await;
    }
    wait_for_turn(ben, "mine").await;
    wait_for_turn(ada, "other").await;
}
