//! Two people who sign in one after the other in one browser.

use reqwest::StatusCode;

use super::browser_driver::*;
use super::play::{PlaySite, id};
use crate::browser::in_a_browser;
use crate::duel::Duel;

/// A page keeps to its person: it says who is signed in now, and does nothing for them.
#[tokio::test(flavor = "multi_thread")]
async fn page_of_one_person_does_not_become_that_of_another() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    let duel = Duel::begin(&site.bot).await;
    let [ada, ben] = [&duel.ada, &duel.ben];
    let links = [site.link(ada, &duel.board).await, site.link(ben, &duel.board).await];
    in_a_browser(folder.path(), async |browser| {
        browser.client.set_window_size(350, 700).await.unwrap();
        visit(browser, &links[0], &duel.table).await;
        let header = "document.querySelector('#viewer').innerText";
        assert!(text(browser, header).await.ends_with("Ada"), "the page says for whom it is");
        screenshot(browser, "signed-in-as").await;
        wait_for_turn(browser, "mine").await;
        let first = browser.client.window().await.unwrap();
        let second = browser.client.new_window(true).await.unwrap().handle;
        browser.client.switch_to_window(second).await.unwrap();
        visit(browser, &links[1], &duel.table).await;
        assert!(text(browser, header).await.ends_with("Ben"));
        browser.client.switch_to_window(first).await.unwrap();
        let notice = "document.getElementById('notice').innerText";
        browser.wait_until(&format!("{notice}.includes('signed in as Ben')")).await;
        assert!(text(browser, notice).await.contains("press Open board"), "how to get back");
        assert!(text(browser, header).await.ends_with("Ada"), "it is still hers");
        assert_eq!(browser.ask("document.querySelectorAll('#cells .able').length").await, 0);
        assert_eq!(
            text(browser, "document.querySelector('.player .you').parentNode.innerText").await,
            "Ada (White) you"
        );
        screenshot(browser, "other-person").await;
        let bottom = "document.getElementById('reload').getBoundingClientRect().bottom";
        assert_eq!(browser.ask(&format!("{bottom} <= innerHeight")).await, true, "in view without scrolling");
        browser.click("#reload").await;
        browser
            .wait_until(&format!("document.body.dataset.ready === 'true' && {header}.endsWith('Ben')"))
            .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Orders of a page whose person has signed out are refused, and so is what it asks for about the game.
#[tokio::test(flavor = "multi_thread")]
async fn requests_for_another_person_are_refused() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let page = format!("{}/play/{}", site.base, duel.table);
    let data = ada.data(&page).await;
    let state = format!("{page}/state?viewer={}", data["viewer"].as_str().unwrap());
    assert_eq!(ada.get(&state).await.status(), StatusCode::OK);
    let other = ben.get(&state).await;
    assert_eq!(other.status(), StatusCode::FORBIDDEN);
    let said = other.text().await.unwrap();
    assert!(said.contains("signed in as Ben (@ben) now"), "{said}");
    let list = format!("{}/play/list?viewer={}", site.base, data["viewer"].as_str().unwrap());
    assert_eq!(ada.get(&list).await.status(), StatusCode::OK);
    let other = ben.get(&list).await;
    assert_eq!(other.status(), StatusCode::FORBIDDEN);
    assert!(other.text().await.unwrap().contains("signed in as Ben (@ben) now"));
    let order = format!("{page}/order?kind=resign&number=1&{}", id(1));
    let headers = [("x-rookery-page", data["token"].as_str().unwrap()), ("sec-fetch-site", "same-origin")];
    let refused = ben.post(&order, &headers).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let said = refused.text().await.unwrap();
    assert!(said.contains("since the page was opened"), "{said}");
    site.bot.stop().await;
}
