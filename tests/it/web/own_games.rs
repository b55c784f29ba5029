//! The list of one's own games: the running ones, and below them the finished ones and studies.

use reqwest::{StatusCode, Url};
use serde_json::{Value, json};

use super::play::{PlaySite, Visitor, id};
use crate::browser::in_a_browser;
use crate::duel::{Duel, Way};
use crate::web::browser_driver::{screenshot, visit};

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
    duel.turn(&site.bot, Way::Mention).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let (status, answer) = ben.order(&page, &format!("kind=resign&number=1&{}", id(1))).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    for (visitor, result) in [(&ada, "You won"), (&ben, "You lost")] {
        let listed = finished(visitor, &site).await;
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
