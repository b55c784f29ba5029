//! Pages to print, from a game's page and from the position editor.

use reqwest::{Response, StatusCode, Url};

use super::play::{PlaySite, Visitor};
use crate::duel::{Duel, Way};

/// The bytes of a PDF of this size in points (1/72 inch): 210 x 297 mm, or 8.5 x 11 inches.
async fn pdf(answer: Response, (width, height): (u32, u32)) -> Vec<u8> {
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "application/pdf");
    let bytes = answer.bytes().await.unwrap().to_vec();
    assert!(bytes.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&bytes);
    let media = text.split("/MediaBox").nth(1).unwrap().split(']').next().unwrap();
    let sides: Vec<u32> = media
        .split_whitespace()
        .filter_map(|it| it.trim_matches('[').parse::<f32>().ok())
        .map(|it| it as u32)
        .collect();
    assert_eq!(sides, [0, 0, width, height], "{media}");
    bytes
}

/// The text of an SVG that browsers save.
async fn svg(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/svg+xml");
    assert!(answer.headers()["content-disposition"].to_str().unwrap().starts_with("attachment;"));
    let text = answer.text().await.unwrap();
    assert!(text.starts_with("<svg"), "{}", &text[..100]);
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_a_game_are_printed() {
    let site = PlaySite::open().await;
    let mut duel = Duel::begin(&site.bot).await;
    for _ in 0..2 {
        duel.turn(&site.bot, Way::Mention).await;
    }
    let sheet = format!("{}/play/{}/sheet", site.base, duel.table);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let latest = pdf(ada.get(&sheet).await, (595, 841)).await;
    assert_eq!(pdf(ada.get(&format!("{sheet}?ply=2&paper=a4")).await, (595, 841)).await, latest);
    assert_ne!(pdf(ada.get(&format!("{sheet}?ply=1")).await, (595, 841)).await, latest, "another position");
    let tried = duel.play.at_ply(1).moves().remove(5);
    assert_ne!(pdf(ada.get(&format!("{sheet}?ply=1&line={tried}")).await, (595, 841)).await, latest);
    pdf(ada.get(&format!("{sheet}?paper=letter")).await, (612, 792)).await;
    let drawn = svg(ada.get(&format!("{sheet}?paper=letter&as=svg")).await).await;
    assert!(drawn.contains("width=\"215.9mm\""), "{}", &drawn[..200]);
    for wrong in ["paper=a3", "ply=3", "ply=x", "ply=1&line=z9", "as=png"] {
        let answer = ada.get(&format!("{sheet}?{wrong}")).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{wrong}");
    }
    assert_eq!(Visitor::new().get(&sheet).await.status(), StatusCode::UNAUTHORIZED);
    let none = ada.get(&format!("{}/play/ZZZZ/sheet", site.base)).await;
    assert_eq!(none.status(), StatusCode::NOT_FOUND);
    site.bot.stop_early().await;
}

/// A direct-message game's sheet is for its players, as the game is.
#[tokio::test(flavor = "multi_thread")]
async fn sheet_of_a_game_in_direct_messages_is_its_players_alone() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let terms = serde_json::json!({"game": "amazons", "ai": "random"});
    let table = crate::duel::open(&duel.ada, duel.ada.dm(), &terms).await;
    let sheet = format!("{}/play/{table}/sheet", site.base);
    pdf(ada.get(&sheet).await, (595, 841)).await;
    assert_eq!(ben.get(&sheet).await.status(), StatusCode::NOT_FOUND);
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_the_editor_are_printed_in_every_game() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    for game in rookery_games::all() {
        let page = format!("{}/play/set-up/{}", site.base, game.info().key);
        let line = ada.data(&page).await["view"]["position"].as_str().unwrap().to_owned();
        let with = |paper: &str| {
            let query = [("position", line.as_str()), ("paper", paper)];
            Url::parse_with_params(&format!("{page}/sheet"), query).unwrap().to_string()
        };
        pdf(ada.get(&with("a4")).await, (595, 841)).await;
        pdf(ada.get(&with("letter")).await, (612, 792)).await;
        assert!(svg(ada.get(&format!("{}&as=svg", with("a4"))).await).await.contains("210mm"));
        assert_eq!(ada.get(&with("a5")).await.status(), StatusCode::BAD_REQUEST);
        assert_eq!(Visitor::new().get(&with("a4")).await.status(), StatusCode::UNAUTHORIZED);
    }
    site.bot.stop_early().await;
}
