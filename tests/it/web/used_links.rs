//! Sign-in links that were used up already: in the browser that used one it leads to its table.

use reqwest::StatusCode;
use reqwest::header::{LOCATION, SET_COOKIE};

use super::browser_driver::text;
use super::play::{PlaySite, Visitor};
use crate::browser::in_a_browser;
use crate::duel::Duel;

#[tokio::test(flavor = "multi_thread")]
async fn used_link_leads_to_the_table_only_in_its_browser_for_its_person() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let link = site.link(&duel.ada, &duel.board).await;
    let mut browser = Visitor::new();
    browser.keep_cookies(&browser.post(&link, &[]).await);
    let session = browser.cookie.clone().unwrap();
    let (session, used) = session.split_once("; ").unwrap();
    for answer in [browser.get(&link).await, browser.post(&link, &[]).await] {
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        assert_eq!(answer.headers()[LOCATION], format!("/play/{}", duel.table));
        assert!(answer.headers().get(SET_COOKIE).is_none(), "it gives nothing");
    }

    let of_ben = site.sign_in(&duel.ben, &duel.board).await.cookie.unwrap();
    let others = [
        ("a browser without cookies", String::new()),
        ("another browser of hers", session.to_owned()),
        ("a browser in which she is not signed in", used.to_owned()),
        ("a browser in which he is signed in now", format!("{of_ben}; {used}")),
        ("a cookie that nobody made", format!("{session}; rookery-used=1.AAAA")),
    ];
    for (who, cookies) in others {
        browser.cookie = Some(cookies);
        for answer in [browser.get(&link).await, browser.post(&link, &[]).await] {
            assert_eq!(answer.status(), StatusCode::GONE, "{who}");
            assert!(answer.headers().get(SET_COOKIE).is_none(), "{who}");
        }
    }
    site.bot.stop().await;
}

/// Browsers send the cookie of a link with that link alone.
#[tokio::test(flavor = "multi_thread")]
async fn used_link_is_opened_again_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let duel = Duel::begin(&site.bot).await;
        let table = format!("{}/play/{}", site.base, duel.table);
        let here = "location.href";
        let first = site.link(&duel.ada, &duel.board).await;
        browser.client.goto(&first).await.unwrap();
        browser.click("#sign-in button").await;
        browser.wait_until(&format!("{here} === '{table}'")).await;
        // A link that leads on at once, because she is signed in, is used up as well.
        let second = site.link(&duel.ada, &duel.board).await;
        for link in [&first, &second, &second, &first] {
            browser.client.goto(&format!("{}/play", site.base)).await.unwrap();
            browser.client.goto(link).await.unwrap();
            assert_eq!(text(browser, here).await, table, "{link}");
        }
    })
    .await;
    site.bot.stop_early().await;
}
