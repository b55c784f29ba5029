//! The list of one's own games: the running ones, and below them the finished ones and studies.

use reqwest::{StatusCode, Url};
use rookery_table::UserId;
use rookery_table::ports::{Card, PersonalResult};
use serde_json::{Value, json};

use super::play::{PlaySite, Visitor, id};
use crate::browser::in_a_browser;
use crate::duel::{Duel, Way, open};
use crate::web::browser_driver::{press, screenshot, text, visit};

/// Returns what a person's list says below the running games; empty without such games.
async fn finished(visitor: &Visitor, site: &PlaySite) -> String {
    let page = visitor.get(&format!("{}/play", site.base)).await;
    assert_eq!(page.status(), StatusCode::OK);
    page.text().await.unwrap().split("id=\"finished\"").nth(1).unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_and_studies_are_among_ones_own_games() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let mut duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let ben = site.sign_in(&duel.ben, &duel.board).await;
    // The button for it goes with the next move.
    let sign_in = site.link(&duel.ada, &duel.board).await;
    let link = format!("href=\"/play/{}\"", duel.table);
    assert_eq!(finished(&ada, &site).await, "", "the game goes on");
    let running = ada.get(&format!("{}/play", site.base)).await.text().await.unwrap();
    assert!(running.contains("Against Ben<"), "{running}");
    duel.turn(&site.bot, Way::Mention).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let (status, answer) = ben.order(&page, &format!("kind=resign&number=1&{}", id(1))).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    for (visitor, other, result) in [(&ada, "Ben", "You won"), (&ben, "Ada", "You lost")] {
        let listed = finished(visitor, &site).await;
        assert!(listed.contains(&format!("Against {other}<")), "{listed}");
        assert!(listed.contains(&link) && listed.contains(&format!("{result} · 1 move<")), "{listed}");
    }

    let editor = format!("{}/play/set-up/amazons", site.base);
    let position = [("position", "6/2q3/6/6/3Q2/6 b - - 0 1")];
    let address = Url::parse_with_params(&format!("{editor}/study"), position).unwrap();
    let token = ada.data(&editor).await["token"].as_str().unwrap().to_owned();
    let headers = [("x-rookery-page", token.as_str()), ("sec-fetch-site", "same-origin")];
    let study = ada.post(address.as_str(), &headers).await.json::<Value>().await.unwrap();
    let listed = finished(&ada, &site).await;
    let at = |text: &str| listed.find(text).unwrap_or_else(|| panic!("no {text} in {listed}"));
    let newest = at(&format!("href=\"/play/{}\"", study["next"].as_str().unwrap()));
    assert!(newest < at(&link) && at("Study<") < at("You won"), "the newest comes first: {listed}");
    assert!(!finished(&ben, &site).await.contains("Study"), "a study is its owner's alone");
    assert_eq!(listed.matches("Against").count(), 1, "a study has no opponents: {listed}");
    let import = json!({"text": "amazons 6/2q3/6/6/3Q2/6 w - - 0 1"});
    let shown = duel.ada.slash(site.bot.games(), "import", &import).unwrap().message().await.unwrap();
    assert!(shown.button("Open board").is_some(), "{:?}", shown.buttons());
    let turned = site.bot.press_private(&duel.ada, &shown, "Flip board").await;
    assert!(turned.button("Open board").is_some(), "as long as it is looked at: {:?}", turned.buttons());
    let listed = finished(&ada, &site).await;
    assert!(listed.contains("Imported game<"), "as its page says: {listed}");

    in_a_browser(folder.path(), async |browser| {
        visit(browser, &sign_in, &duel.table).await;
        browser.client.set_window_size(350, 700).await.unwrap();
        browser.client.goto(&format!("{}/play", site.base)).await.unwrap();
        browser.wait_for("#finished a").await;
        screenshot(browser, "own-games").await;
        assert_eq!(browser.ask("document.documentElement.scrollWidth <= innerWidth").await, json!(true));
        browser.click("#finished a").await;
        browser
            .wait_until("document.body.dataset.ready === 'true' && document.body.dataset.turn === 'over'")
            .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// The list follows all games with one connection: what hasn't changed stays as it is, and so do the focus and the place.
#[tokio::test(flavor = "multi_thread")]
async fn own_games_are_followed_in_a_browser() {
    const TITLE: &str = "document.title";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let mut duel = Duel::begin(&site.bot).await;
    let link = site.link(&duel.ada, &duel.board).await;
    in_a_browser(folder.path(), async |browser| {
        visit(browser, &link, &duel.table).await;
        browser.client.set_window_size(350, 500).await.unwrap();
        browser.client.goto(&format!("{}/play", site.base)).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        assert_eq!(text(browser, TITLE).await, "(1) My games · Rookery");
        let terms = json!({"game": "amazons", "size": "6x6", "first": "me", "ai": "random"});
        let other = open(&duel.ada, site.bot.games(), &terms).await;
        browser.wait_until(&format!("{TITLE} === '(2) My games · Rookery'")).await;
        screenshot(browser, "own-games-two").await;

        let (this, kept) = (key_of(&duel.table), key_of(&other));
        browser.ask(&format!("[window.kept = {kept}, {this}.focus(), scrollTo(0, 90)].length")).await;
        duel.turn(&site.bot, Way::Mention).await;
        browser.wait_until(&format!("{TITLE} === '(1) My games · Rookery'")).await;
        assert!(text(browser, &format!("{this}.innerText")).await.contains("Ben (Black) to move"));
        for is_kept in [
            "window.kept.isConnected".to_owned(),
            format!("document.activeElement === {this}"),
            "scrollY === 90".to_owned(),
        ] {
            assert_eq!(browser.ask(&is_kept).await, json!(true), "{is_kept}");
        }
        duel.turn(&site.bot, Way::Mention).await;
        browser.wait_until(&format!("{TITLE} === '(2) My games · Rookery'")).await;
        let heard = text(browser, "document.getElementById('live').textContent").await;
        assert!(heard.contains("Against Ben") && heard.contains("Your move (White)"), "{heard}");
        let first = text(browser, "document.querySelector('.waits a').dataset.key").await;
        press(browser, "n").await;
        let is_there =
            format!("location.pathname === '/play/{first}' && document.body.dataset.ready === 'true'");
        browser.wait_until(&is_there).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Finds the link to a game in the list.
fn key_of(table: &str) -> String {
    format!("document.querySelector('[data-key=\"{table}\"]')")
}

/// The events are a person's own, and end with the session.
#[tokio::test(flavor = "multi_thread")]
async fn events_of_own_games_end_with_the_session() {
    let site = PlaySite::open().await;
    let mut duel = Duel::begin(&site.bot).await;
    let events = format!("{}/play/events", site.base);
    assert_eq!(Visitor::new().get(&events).await.status(), StatusCode::UNAUTHORIZED);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let page = ada.get(&format!("{}/play", site.base)).await.text().await.unwrap();
    let mut stream = ada.get(&events).await;
    let mut next = async || {
        let chunk = stream.chunk().await.unwrap();
        chunk.map(|chunk| String::from_utf8(chunk.to_vec()).unwrap().trim().replace("data: ", ""))
    };
    let first = next().await.unwrap();
    assert!(page.contains(&format!("data-digest=\"{first}\"")), "{first} in {page}");
    duel.turn(&site.bot, Way::Mention).await;
    let second = next().await.unwrap();
    assert_ne!(second, first);
    let settings = duel.ada.slash(site.bot.games(), "settings", &json!({})).unwrap().message().await.unwrap();
    site.bot.press_private(&duel.ada, &settings, "Sign out browsers").await;
    while let Some(later) = next().await {
        assert_ne!(later, second, "only changes are told");
    }
    site.bot.stop_early().await;
}

/// A victory that only some share is a draw in one's own games as it is in a profile.
#[test]
fn shared_victories_are_draws_for_those_who_share_them() {
    let [ada, ben, cleo] = [1, 2, 3].map(UserId);
    let card = |winners: &[u8]| {
        let people: Vec<Value> = [ada, ben, cleo].map(|who| json!(who.0)).into();
        serde_json::from_value::<Card>(json!({
            "id": "K7Q2", "game": "penguins", "stage": "over", "ply": 9, "guild": null, "home": null,
            "people": people, "waits_for": null, "winners": winners, "at_ms": 0
        }))
        .unwrap()
    };
    let shared = card(&[0, 1]);
    let results = [ada, ben, cleo].map(|who| shared.result_for(who));
    assert_eq!(results, [PersonalResult::Shared, PersonalResult::Shared, PersonalResult::Lost].map(Some));
    assert_eq!(card(&[2]).result_for(cleo), Some(PersonalResult::Won));
    assert_eq!(card(&[]).result_for(cleo), None, "no result");
}
