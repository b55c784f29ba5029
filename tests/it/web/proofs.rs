//! What the page of a game shows whose result is proven: the proof, and the points of the result.

use std::time::Duration;

use rookery_table::{EndCause, Status};
use serde_json::{Value, json};

use super::browser_driver::{screenshot, text, visit};
use super::play::{PlaySite, Visitor};
use crate::browser::in_a_browser;
use crate::conversations::endings::play_to_separation;
use crate::duel::{Duel, open};

/// The page shows the areas, their values and the moves that end the game, as *Show proof* does on Discord.
#[tokio::test(flavor = "multi_thread")]
async fn proof_is_shown_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let mut duel = Duel::settled(&site.bot, "auto").await;
    let link = site.link(&duel.ada, &duel.board).await;
    let ben = site.sign_in(&duel.ben, &duel.board).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    assert_eq!(ben.data(&page).await["state"]["proof"], Value::Null, "the game goes on");
    in_a_browser(folder.path(), async |browser| {
        visit(browser, &link, &duel.table).await;
        assert_eq!(browser.ask("document.getElementById('proof').hidden").await, json!(true));
        let (moves, ..) = play_to_separation();
        duel.fast_forward(&site.bot, &moves[..moves.len() - 1]).await;
        let who = rookery_table::UserId(duel.mover().id.0);
        let last = rookery_table::Order::Move { text: moves.last().unwrap().clone(), ply: None };
        let table = duel.table.parse().unwrap();
        site.bot.registry.order(table, rookery_table::Actor::Person(who), last, None).await.unwrap();
        browser.wait_until("document.body.dataset.turn === 'over'").await;
        browser.wait_until("!document.getElementById('proof').hidden").await;
        for seen in ["by the event", "by the page"] {
            browser.click("#proof summary").await;
            let shown = text(browser, "document.getElementById('proof').innerText").await;
            let certain = format!("After move {} the areas are separate", moves.len());
            assert!(
                shown.contains(&certain) && shown.contains("Left for each side: White"),
                "{seen}: {shown}"
            );
            let first = format!("Played out: {}. ", moves.len() + 1);
            assert!(shown.contains(&first), "{seen}: {shown}");
            let width =
                browser.ask("document.querySelector('#proof svg').getBoundingClientRect().width").await;
            assert!(width.as_f64().unwrap() > 200.0, "{seen}: {width}");
            screenshot(browser, "proof").await;
            browser.client.refresh().await.unwrap();
            browser.wait_until("document.body.dataset.ready === 'true'").await;
        }
    })
    .await;
    let without_script = ben.get(&page).await.text().await.unwrap();
    let shown = without_script.split("id=\"proof-board\"").nth(1).unwrap();
    assert!(shown.starts_with(" role=\"img\"") || shown.contains("<svg"), "it needs no script");
    site.bot.stop_early().await;
}

/// The points beside the players' names are those of the result, which are more than they had when it was proven.
#[tokio::test(flavor = "multi_thread")]
async fn points_of_a_proven_result_are_beside_the_names() {
    let site = PlaySite::open().await;
    site.bot.registry.set_exhibition_pace(Duration::ZERO);
    let (ada, games) = (site.bot.ada(), site.bot.games());
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&ada, &duel.board).await;
    for seed in 1..20 {
        let terms =
            json!({"game": "penguins", "ai": "easy", "ai_seats": "all", "where": "here", "seed": seed});
        let name = open(&ada, games, &terms).await;
        let over = format!("{name} is over");
        ada.wait_for(games, "the result", |it| it.content().contains(&over)).await.unwrap();
        let table = site.bot.table(&name).await;
        let Status::Over(ending) = table.status() else { panic!("still running") };
        if !matches!(ending.cause, EndCause::Proven { .. }) {
            continue;
        }
        let points = |scores: Vec<rookery_core::Score>| -> Vec<String> {
            scores.iter().map(|score| score.points.to_string()).collect()
        };
        let (last, now) = (points(table.scores().unwrap()), points(table.play().unwrap().scores().unwrap()));
        assert_ne!(last, now, "some were left");
        let page = format!("{}/play/{name}", site.base);
        check_points(&visitor, &page, table.ply(), &last).await;
        site.bot.stop_early().await;
        return;
    }
    panic!("nothing was proven in nineteen games");
}

/// Checks the points on a table's page, and at its last position, to which the page goes after the game.
async fn check_points(visitor: &Visitor, page: &str, ply: usize, wanted: &[String]) {
    let state = &visitor.data(page).await["state"];
    let shown: Vec<&str> =
        state["players"].as_array().unwrap().iter().map(|player| player["score"].as_str().unwrap()).collect();
    assert_eq!(shown, wanted, "{}", state["headline"]);
    for points in wanted {
        assert!(state["headline"].as_str().unwrap().contains(points.as_str()), "{}", state["headline"]);
    }
    let at: Value = visitor.get(&format!("{page}/position?ply={ply}")).await.json().await.unwrap();
    assert_eq!(at["scores"], json!(wanted));
}
