//! Hints on a web page, by its requests: who gets one, what is refused, and what others see of it.

use reqwest::StatusCode;
use rookery::discord::Settings;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::quota::Quotas;
use serde_json::{Value, json};

use super::play::{PlaySite, Visitor, id};
use crate::duel::{Duel, Way, open};

fn ask(ply: usize, number: u32) -> String {
    format!("kind=hint&ply={ply}&{}", id(number))
}

/// Whether a page offers a hint.
async fn offers(visitor: &Visitor, page: &str) -> bool {
    let data = visitor.data(page).await;
    let actions = data["state"]["actions"].as_array().unwrap();
    actions.iter().any(|action| action["order"].as_str().unwrap().starts_with("kind=hint"))
}

fn said(answer: &Value) -> &str {
    answer["said"].as_str().unwrap()
}

fn limit_to_one(settings: &mut Settings) {
    settings.quotas = Quotas { hints_per_hour: 1, ..Quotas::default() };
}

/// The same request again gets the same answer, and counts once; others hear of it once. Another one is above the limit.
#[tokio::test(flavor = "multi_thread")]
async fn hint_on_a_page_is_told_of_and_counted_once() {
    let site = PlaySite::with_settings(limit_to_one).await;
    let duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    assert!(offers(&ada, &page).await);
    let forged = ada.post(&format!("{page}/order?{}", ask(0, 1)), &[]).await;
    assert_eq!(forged.status(), StatusCode::FORBIDDEN, "without the page's token");
    let (status, first) = ada.order(&page, &ask(0, 1)).await;
    assert_eq!(status, StatusCode::OK, "{first}");
    let text = first["hint"]["move"].as_str().unwrap().to_owned();
    assert!(duel.play.moves().contains(&text), "{text} is legal");
    assert_eq!((&first["hint"]["ply"], &first["state"]["mine"]), (&json!(0), &json!(true)));
    assert!(said(&first).starts_with(&format!("I'd play {text}: ")), "{first}");
    let told = format!("{} got a hint", duel.ada.mention());
    let note = |it: &VisibleMessage| it.content().contains(&told);
    let told = duel.ben.wait_for(duel.thread, "that a hint was had", note).await.unwrap();
    assert!(!told.is_ephemeral() && told.pinged().is_empty());

    let entries = site.bot.table(&duel.table).await.sequence();
    for _ in 0..2 {
        let (status, again) = ada.order(&page, &ask(0, 1)).await;
        assert_eq!((status, &again["hint"], said(&again)), (StatusCode::OK, &first["hint"], said(&first)));
    }
    assert_eq!(site.bot.table(&duel.table).await.sequence(), entries, "others are told once");
    let (status, limited) = ada.order(&page, &ask(0, 2)).await;
    assert!(status == StatusCode::CONFLICT && said(&limited).contains("one hint"), "{limited}");
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hint_on_a_page_is_refused_as_on_discord() {
    let site = PlaySite::open().await;
    let mut duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let ben = site.sign_in(&duel.ben, &duel.board).await;
    let cleo = site.sign_in(&site.bot.cleo(), &duel.board).await;
    for (who, person, number) in [(&ben, &duel.ben, 1), (&cleo, &site.bot.cleo(), 2)] {
        assert!(!offers(who, &page).await);
        let (status, refused) = who.order(&page, &ask(0, number)).await;
        assert_eq!(status, StatusCode::CONFLICT, "{refused}");
        let there = person.slash(duel.thread, "hint", &json!({})).unwrap().message().await.unwrap();
        let there = there.content().replace(&duel.ada.mention(), "…").replace('`', "");
        assert_eq!(said(&refused), there, "the same words");
    }
    for _ in 0..2 {
        duel.turn(&site.bot, Way::Mention).await;
    }
    let (status, stale) = ada.order(&page, &ask(0, 3)).await;
    assert!(status == StatusCode::CONFLICT && said(&stale).contains("moved on"), "{stale}");
    assert!(!site.bot.table(&duel.table).await.is_hinted(), "not for a turn that the page did not show");
    let (status, _) = ada.order(&page, "kind=hint&ply=2&id=short").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);

    // An id that is known from an earlier turn is no way to a hint that nobody hears of.
    let (status, _) = ada.order(&page, &ask(2, 4)).await;
    assert_eq!(status, StatusCode::OK);
    for _ in 0..2 {
        duel.turn(&site.bot, Way::Mention).await;
    }
    let (status, reused) = ada.order(&page, &ask(4, 4)).await;
    assert!(status == StatusCode::CONFLICT && reused["hint"].is_null(), "{reused}");
    assert!(!site.bot.table(&duel.table).await.is_hinted());

    ada.order(&page, &format!("kind=resign&number=0&{}", id(5))).await;
    assert!(!offers(&ada, &page).await);
    let (status, over) = ada.order(&page, &ask(4, 6)).await;
    assert!(status == StatusCode::CONFLICT && said(&over).contains("over"), "{over}");
    site.bot.stop().await;
}

/// Neither at a rated game, nor at a table of one's own with its position.
#[tokio::test(flavor = "multi_thread")]
async fn hint_on_a_page_is_refused_in_a_rated_game() {
    let site = PlaySite::open().await;
    site.bot.allow_rated().await;
    let terms = json!({"game": "amazons", "size": "6x6", "rated": true});
    let duel = Duel::begin_with(&site.bot, &terms).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    assert!(!offers(&ada, &page).await, "what is refused is not offered");
    let own = json!({"game": "amazons", "size": "6x6", "ai": "easy"});
    let own = open(&duel.ada, duel.ada.dm(), &own).await;
    for (number, table) in [(1, duel.table.as_str()), (2, &own)] {
        let page = format!("{}/play/{table}", site.base);
        let (status, refused) = ada.order(&page, &ask(0, number)).await;
        let rule = "No hints or analysis during a rated game";
        assert!(status == StatusCode::CONFLICT && said(&refused).contains(rule), "{refused}");
        assert!(!site.bot.table(table).await.is_hinted());
    }
    site.bot.stop().await;
}
