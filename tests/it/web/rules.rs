//! The rules of the games on pages.

use reqwest::StatusCode;
use serde_json::json;

use super::browser_driver::*;
use super::play::{PlaySite, Visitor};
use crate::browser::in_a_browser;
use crate::duel::Duel;

/// The games, the positions that their rules name as code, and a sentence of them.
const RULES: [(&str, usize, &str); 6] = [
    ("amazons", 1, "Nothing is ever captured."),
    ("penguins", 1, "the tile"),
    ("amazon_penguins", 1, "like a chess queen"),
    ("paper_penguins", 1, "crossed out"),
    ("penguin_soccer", 4, "Get the ball into the corner opposite your Home."),
    ("amoeba", 3, "Kernel"),
];

#[tokio::test(flavor = "multi_thread")]
async fn rules_pages_show_the_text_with_its_positions_drawn() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    for (game, examples, sentence) in RULES {
        for visitor in [&ada, &Visitor::new()] {
            let answer = visitor.get(&format!("{}/play/rules/{game}", site.base)).await;
            assert_eq!(answer.status(), StatusCode::OK, "{game}");
            let text = answer.text().await.unwrap();
            assert!(text.contains(sentence), "{game}: {text}");
            let drawn = text.matches("<figure>").count();
            assert_eq!((drawn, text.matches("<figcaption>").count()), (examples, examples), "{game}");
            // For those who don't see the drawing.
            assert_eq!(text.matches("<pre class=\"hidden\">").count(), examples, "{game}");
            for number in 1..=examples {
                // In the text and below the drawing.
                assert!(text.contains(&format!("<strong>board {number}</strong>")), "{game}: {text}");
            }
            assert!(!text.contains("**") && !text.contains('`'), "{game}: {text}");
        }
    }
    let answer = ada.get(&format!("{}/play/rules/chess", site.base)).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_one_click_from_a_board_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let terms = json!({"game": "amazons", "size": "6x6", "ai": "random", "first": "me"});
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &terms).await;
        browser.click("#rules a").await;
        browser.wait_until("document.querySelectorAll('.example svg').length === 1").await;
        screenshot(browser, "rules").await;
    })
    .await;
    site.bot.stop_early().await;
}
