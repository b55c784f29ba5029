//! Signing in on a web page: with a Discord account, and with the link of another person.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER, SET_COOKIE};
use reqwest::{Response, StatusCode, Url};
use rookery_playground::testing::person::Person;
use serde_json::json;

use super::play::{PlaySite, Visitor};
use super::*;
use crate::duel::Duel;

/// A sign-in that has led to Discord's page.
struct Asked {
    /// The browser, with the cookie of the sign-in.
    visitor: Visitor,
    /// The address of the page.
    page: Url,
}

impl Asked {
    /// Presses *Sign in with Discord* on a page.
    async fn at(site: &PlaySite, path: &str) -> Asked {
        let mut visitor = Visitor::new();
        let page = visitor.get(&format!("{}{path}", site.base)).await;
        assert_eq!(page.status(), StatusCode::UNAUTHORIZED);
        let text = page.text().await.unwrap();
        let link = text.split("id=\"discord\" href=\"").nth(1).unwrap_or_else(|| panic!("no link: {text}"));
        let link = link.split('"').next().unwrap().to_owned();
        let leads = visitor.get(&format!("{}{link}", site.base)).await;
        assert_eq!(leads.status(), StatusCode::SEE_OTHER);
        let cookie = leads.headers()[SET_COOKIE].to_str().unwrap();
        for part in ["HttpOnly", "SameSite=Lax", "Max-Age=600"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        let page = location(&leads).parse().unwrap();
        visitor.keep_cookie(&leads);
        Asked { visitor, page }
    }

    /// Answers on Discord's page; returns the address to which it leads back. Nobody presses *Cancel*.
    async fn answer(&self, who: Option<&Person>) -> String {
        let shown = self.visitor.get(self.page.as_str()).await;
        assert_eq!(shown.status(), StatusCode::OK);
        let mut form = self.page.clone();
        form.query_pairs_mut().append_pair("person", &who.map(|who| who.id.to_string()).unwrap_or_default());
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let request = client.post(self.page.origin().ascii_serialization() + "/oauth2/authorize");
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = request.body(form.query().unwrap().to_owned()).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::FOUND);
        location(&answer)
    }
}

fn location(answer: &Response) -> String {
    answer.headers()[LOCATION].to_str().unwrap().to_owned()
}

/// Returns the cookies that an answer sets, by name.
fn cookies(answer: &Response) -> Vec<(String, String)> {
    let all = answer.headers().get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap());
    let pairs = all.map(|text| text.split(';').next().unwrap().split_once('=').unwrap());
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn discord_sign_in_leads_back_to_where_the_person_was() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let path = format!("/play/{}", duel.table);
    let mut asked = Asked::at(&site, &path).await;
    let query: Vec<_> = asked.page.query_pairs().collect();
    assert!(query.contains(&("scope".into(), "identify".into())), "nothing more: {}", asked.page);
    assert!(
        asked.page.as_str().starts_with(&format!("{}/oauth2/authorize?", site.bot.playground.api_base()))
    );

    let back = asked.answer(Some(&duel.ben)).await;
    let signed_in = asked.visitor.get(&back).await;
    assert_eq!((signed_in.status(), location(&signed_in)), (StatusCode::SEE_OTHER, path.clone()));
    let set = cookies(&signed_in);
    let session = set.iter().find(|(name, _)| name == "rookery").expect("a session");
    assert!(set.contains(&("rookery-discord".into(), String::new())), "the state is used up: {set:?}");
    let text = signed_in
        .headers()
        .get_all(SET_COOKIE)
        .iter()
        .find(|it| it.to_str().unwrap().starts_with("rookery="));
    let text = text.unwrap().to_str().unwrap();
    assert!(text.contains("HttpOnly") && text.contains("SameSite=Lax") && text.contains("Path=/"), "{text}");
    assert_eq!(site.bot.playground.live_tokens(), 0, "the bot keeps no access token");

    let kept = asked.visitor.cookie.replace(format!("rookery={}", session.1));
    let data = asked.visitor.data(&format!("{}{path}", site.base)).await;
    assert_eq!(data["state"]["players"][1]["you"], json!(true), "it is Ben: {data}");

    // The same way back again: the code was used.
    asked.visitor.cookie = kept;
    assert_eq!(asked.visitor.get(&back).await.status(), StatusCode::BAD_REQUEST);
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn discord_sign_in_belongs_to_the_browser_that_began() {
    let site = PlaySite::open().await;
    let (ada, ben) = (site.bot.ada(), site.bot.ben());
    // Ada leads another browser to her own way back, so that it would play as her.
    let forged = Asked::at(&site, "/play").await.answer(Some(&ada)).await;
    let other = Asked::at(&site, "/play").await;
    for visitor in [&Visitor::new(), &other.visitor] {
        let refused = visitor.get(&forged).await;
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
        assert!(cookies(&refused).iter().all(|(name, _)| name != "rookery"));
        assert!(refused.text().await.unwrap().contains("another browser"));
    }
    // What Discord says in other ways.
    let asked = Asked::at(&site, "/play").await;
    let cancelled = asked.visitor.get(&asked.answer(None).await).await;
    assert_eq!(cancelled.status(), StatusCode::FORBIDDEN);
    let text = cancelled.text().await.unwrap();
    assert!(text.contains("cancelled") && text.contains("/discord?to=/play\""), "{text}");
    let state = asked.page.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    for query in ["error=server_error", "code=", "code=made-up", ""] {
        let back = format!("{}/discord/return?state={state}&{query}", site.base);
        assert_eq!(asked.visitor.get(&back).await.status(), StatusCode::BAD_REQUEST, "{query}");
    }
    // Ten minutes are long enough.
    let late = Asked::at(&site, "/play").await;
    let back = late.answer(Some(&ben)).await;
    site.bot.playground.clock().advance(Duration::from_secs(601));
    assert_eq!(late.visitor.get(&back).await.status(), StatusCode::BAD_REQUEST);
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn discord_sign_in_leads_to_no_other_site() {
    let site = PlaySite::open().await;
    for to in ["//evil.example", "https://evil.example", "/%5Cevil.example", "/play%0d%0aset-cookie:a=b", ""]
    {
        let mut visitor = Visitor::new();
        let leads = visitor.get(&format!("{}/discord?to={to}", site.base)).await;
        let cookie = leads.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
        assert!(cookie.ends_with(":/play"), "{cookie}");
        visitor.keep_cookie(&leads);
        // Nor with a cookie that somebody has changed.
        visitor.cookie = Some(cookie.replace(":/play", "://evil.example"));
        let asked = Asked { page: location(&leads).parse().unwrap(), visitor };
        let back = asked.answer(Some(&site.bot.ada())).await;
        assert_eq!(asked.visitor.get(&back).await.status(), StatusCode::BAD_REQUEST, "{to}");
    }
    site.bot.stop_early().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn discord_sign_in_says_what_is_wrong_with_discord() {
    let site = PlaySite::open().await;
    let faults = site.bot.playground.faults();
    let asked = Asked::at(&site, "/play").await;
    faults.rate_limit_requests(1, 7.5);
    let limited = asked.visitor.get(&asked.answer(Some(&site.bot.ada())).await).await;
    assert_eq!(
        (limited.status(), &limited.headers()[RETRY_AFTER]),
        (StatusCode::SERVICE_UNAVAILABLE, &8.into())
    );
    assert!(limited.text().await.unwrap().contains("8 seconds"));
    // At the exchange of the code; and at the question who it is.
    for fault in ["503", "lost", "503 later"] {
        let back = asked.answer(Some(&site.bot.ada())).await;
        match fault {
            "503" => faults.fail_requests(1, 503),
            "lost" => faults.lose_answers(1),
            _ => {
                faults.slow_requests(1, Duration::ZERO);
                faults.fail_requests(1, 503);
            }
        }
        let failed = asked.visitor.get(&back).await;
        assert_eq!(failed.status(), StatusCode::SERVICE_UNAVAILABLE, "{fault}");
        assert!(cookies(&failed).iter().all(|(name, _)| name != "rookery"), "{fault}");
        assert!(failed.text().await.unwrap().contains("isn't answering"), "{fault}");
    }
    // What Discord can't revoke ends by itself; the person is signed in all the same.
    let back = asked.answer(Some(&site.bot.ada())).await;
    faults.slow_requests(2, Duration::ZERO);
    faults.fail_requests(1, 503);
    assert_eq!(asked.visitor.get(&back).await.status(), StatusCode::SEE_OTHER);
    site.bot.stop_after(&[503]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn discord_sign_in_is_offered_only_with_a_secret_that_works() {
    let site = PlaySite::with_secret(Some("a-wrong-secret")).await;
    let asked = Asked::at(&site, "/play").await;
    let broken = asked.visitor.get(&asked.answer(Some(&site.bot.ada())).await).await;
    assert_eq!(broken.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(broken.text().await.unwrap().contains("doesn't work right now"));
    site.bot.stop_early().await;

    let site = PlaySite::with_secret(None).await;
    let page = Visitor::new().get(&format!("{}/play", site.base)).await;
    assert_eq!(page.status(), StatusCode::UNAUTHORIZED);
    assert!(!page.text().await.unwrap().contains("/discord"), "nothing is offered");
    for path in ["/discord", "/discord/return"] {
        let answer = asked.visitor.get(&format!("{}{path}", site.base)).await;
        assert!(answer.status().is_client_error(), "{path}");
    }
    site.bot.stop_early().await;
}

/// A link of Ben's in Ada's browser would let her play as him, and him see what she does.
#[tokio::test(flavor = "multi_thread")]
async fn sign_in_link_of_another_person_asks_first() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let page = format!("{}/play/{}", site.base, duel.table);
    let mut browser = site.sign_in(&duel.ada, &duel.board).await;
    let own = site.link(&duel.ada, &duel.board).await;
    let at_once = browser.get(&own).await;
    assert_eq!(
        (at_once.status(), location(&at_once)),
        (StatusCode::SEE_OTHER, format!("/play/{}", duel.table))
    );

    assert_eq!(browser.get(&own).await.status(), StatusCode::GONE, "it is used up all the same");

    let link = site.link(&duel.ben, &duel.board).await;
    let ask = browser.get(&link).await.text().await.unwrap();
    assert!(ask.contains("signed in as Ada") && ask.contains("Sign in as Ben"), "{ask}");
    let action = ask.split("action=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    // A form that doesn't know of Ada is asked again, and nothing is used up.
    for address in
        [link.clone(), format!("{link}?instead_of={}", duel.ben.id), format!("{link}?instead_of=x")]
    {
        let asked = browser.post(&address, &[]).await;
        assert_eq!(asked.status(), StatusCode::OK, "{address}");
        assert!(asked.headers().get(SET_COOKIE).is_none());
    }
    let ada = browser.data(&page).await;
    assert_eq!(ada["state"]["players"][0]["you"], json!(true), "she is still Ada");

    let old = browser.cookie.clone();
    let changed = browser.post(&format!("{}{action}", site.base), &[]).await;
    assert_eq!(changed.status(), StatusCode::SEE_OTHER);
    browser.keep_cookie(&changed);
    assert_eq!(browser.data(&page).await["state"]["players"][1]["you"], json!(true), "now it is Ben");
    browser.cookie = old;
    assert_eq!(browser.get(&page).await.status(), StatusCode::UNAUTHORIZED, "Ada's session has ended");
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn discord_sign_in_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        let duel = Duel::begin(&site.bot).await;
        browser.client.goto(&format!("{}/play/{}", site.base, duel.table)).await.unwrap();
        super::browser_driver::screenshot(browser, "signed-out").await;
        browser.click("#discord").await;
        browser.wait_for("[data-name='Ada']").await;
        super::browser_driver::screenshot(browser, "authorize").await;
        browser.click("[data-name='Ada']").await;
        let there =
            format!("location.pathname === '/play/{}' && document.body.dataset.ready === 'true'", duel.table);
        browser.wait_until(&there).await;
        browser.wait_until("document.body.dataset.turn === 'mine'").await;
        browser.client.goto(&site.link(&duel.ben, &duel.board).await).await.unwrap();
        browser.wait_for("#sign-in button").await;
        super::browser_driver::screenshot(browser, "another-person").await;
    })
    .await;
    site.bot.stop_early().await;
}
