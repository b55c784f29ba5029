//! Who finds a page, by which link, and for how long.

use rookery_store::Sqlite;
use rookery_table::web_session::WebToken;

use super::*;

/// Returns the contents of a response, except for its date.
async fn response_parts(answer: reqwest::Response) -> (u16, Vec<(String, Vec<u8>)>, String) {
    let status = answer.status().as_u16();
    let headers = answer.headers().iter().filter(|(name, _)| *name != "date");
    let mut headers: Vec<_> =
        headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
    headers.sort();
    (status, headers, answer.text().await.unwrap())
}

/// Names of tables are short, and ids of servers are public: neither leads to a page, and the response does not depend
/// on whether the game exists.
#[tokio::test(flavor = "multi_thread")]
async fn web_pages_are_not_found_by_table_name_or_server_number() {
    let site = Site::open().await;
    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    site.public(site.table).await;
    let nowhere = response_parts(site.get("/nowhere").await).await;
    assert_eq!(nowhere.0, 404);
    assert!(nowhere.2.contains("/share"), "it says how to get a link: {}", nowhere.2);
    for name in [site.table.as_str(), "ZZZZ", "77", "78"] {
        for place in ["table", "server", "g", "s"] {
            for part in ["", "/step", "/board.png", "/card.png", "/record.txt", "/events"] {
                let path = format!("/{place}/{name}{part}");
                assert_eq!(response_parts(site.get(&path).await).await, nowhere, "{path}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn web_link_shows_its_own_game_only() {
    let site = Site::open().await;
    let other = site.another("penguins", 2).await;
    let other_page = site.share(other).await;
    assert_ne!(site.page, other_page);
    for (page, own, stranger) in [(&site.page, site.table, other), (&other_page, other, site.table)] {
        for part in ["", "/step", "/record.txt"] {
            let text = site.get(&format!("{page}{part}")).await.text().await.unwrap();
            assert!(part == "/step" || text.contains(own.as_str()), "{page}{part}");
            assert!(!text.contains(stranger.as_str()), "{page}{part}");
        }
    }
    let page = site.get(&site.page).await.text().await.unwrap();
    assert!(!page.contains("/s/") && !page.contains(&other_page), "it leads to no other game: {page}");
    let list = site.page.replacen("/g/", "/s/", 1);
    assert_eq!(site.get(&list).await.status(), 404, "a game's link is no list's");
}

/// No search engine, proxy or linked site learns of a page.
#[tokio::test(flavor = "multi_thread")]
async fn web_answers_are_private_and_not_indexed() {
    let site = Site::open().await;
    for part in ["", "/step", "/board.png", "/card.png", "/record.txt", "/events", "/nothing"] {
        let answer = site.get(&format!("{}{part}", site.page)).await;
        for (name, value) in [
            ("cache-control", "private, no-store"),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex, nofollow, noarchive"),
        ] {
            assert_eq!(answer.headers()[name], value, "{name} of {part:?}");
        }
    }
}

/// Reads a stream to its end.
async fn rest_of(mut stream: reqwest::Response) -> String {
    let mut heard = Vec::new();
    let read = async {
        while let Some(chunk) = stream.chunk().await.unwrap() {
            heard.extend(chunk);
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), read).await.expect("the stream ends");
    String::from_utf8(heard).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn web_link_that_is_withdrawn_finds_nothing_and_ends_its_streams() {
    let site = Site::open().await;
    let (stream, other) = (format!("{}/events", site.page), site.another("penguins", 2).await);
    let other = format!("{}/events", site.share(other).await);
    let (listening, stays) = (site.get(&stream).await, site.get(&other).await);
    assert!(site.registry.stop_sharing(site.table).await.unwrap());
    assert!(!site.registry.stop_sharing(site.table).await.unwrap(), "there is none any more");
    assert!(rest_of(listening).await.contains("data: 3"), "what was heard before it ended");
    let nowhere = response_parts(site.get("/nowhere").await).await;
    assert_eq!(response_parts(site.get(&site.page).await).await, nowhere);
    assert_eq!(response_parts(site.get(&stream).await).await, nowhere);
    let mut stays = stays;
    let first = stays.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"id: "), "another game's stream goes on: {first:?}");

    let again = site.share(site.table).await;
    assert_ne!(again, site.page, "a new token");
    assert!(site.get(&again).await.status().is_success());
    assert_eq!(site.get(&site.page).await.status(), 404, "the old one stays withdrawn");
}

/// Deleting a person's data withdraws the links that they shared.
#[tokio::test(flavor = "multi_thread")]
async fn web_links_of_a_deleted_person_stop_working() {
    let site = Site::open().await;
    let listening = site.get(&format!("{}/events", site.page)).await;
    site.registry.delete_person(BEN, LeavePolicy::Resign).await.unwrap();
    assert!(site.get(&site.page).await.status().is_success(), "Ada shared it");
    site.registry.delete_person(ADA, LeavePolicy::Resign).await.unwrap();
    assert_eq!(site.get(&site.page).await.status(), 404);
    rest_of(listening).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn web_server_page_follows_the_servers_setting() {
    let site = Site::open().await;
    let table = site.registry.table(site.table).await.unwrap();
    assert_eq!(
        site.registry.server_link(GuildId(GUILD)).await.unwrap(),
        None,
        "off unless somebody switches it on"
    );
    assert_eq!(site.registry.public_link(&table).await.unwrap(), None);

    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    let (list, game) = site.public(site.table).await;
    let page = site.get(&game).await.text().await.unwrap();
    assert!(page.contains(&list) && site.get(&list).await.text().await.unwrap().contains(&game));
    let listening = site.get(&format!("{game}/events")).await;

    site.registry.set_public_pages(GuildId(GUILD), false).await.unwrap();
    rest_of(listening).await;
    assert_eq!(
        (site.get(&list).await.status(), site.get(&game).await.status()),
        (404.try_into().unwrap(), 404.try_into().unwrap())
    );
    assert!(site.get(&site.page).await.status().is_success(), "what Ada shares is hers to withdraw");

    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    assert_eq!(site.get(&list).await.status(), 404, "old links do not come back");
    let (new_list, new_game) = site.public(site.table).await;
    assert!(new_list != list && new_game != game);

    // The setting no longer shares a game whose players withdrew its links.
    site.registry.stop_sharing(site.table).await.unwrap();
    assert_eq!(site.registry.public_link(&table).await.unwrap(), None);
    let server = site.get(&new_list).await.text().await.unwrap();
    assert!(!server.contains(site.table.as_str()), "{server}");
}

/// An imported position for study is not a game of the server.
#[tokio::test(flavor = "multi_thread")]
async fn web_study_is_shown_by_its_owners_link_only() {
    let site = Site::open().await;
    site.registry.set_public_pages(GuildId(GUILD), true).await.unwrap();
    let terms = Terms {
        game: "amazons".into(),
        guild: Some(GuildId(GUILD)),
        channel: ChannelId(78),
        ..Terms::default()
    };
    let play = rookery_games::named("amazons").unwrap().start(&terms.setup(2)).unwrap();
    let study = site.registry.import(terms, ADA, play.as_ref(), Vec::new()).await.unwrap().table;
    assert_eq!(site.registry.public_link(&study).await.unwrap(), None);
    let (list, _) = site.public(site.table).await;
    let server = site.get(&list).await.text().await.unwrap();
    assert!(!server.contains(study.id().as_str()), "{server}");
    assert!(site.get(&site.share(study.id()).await).await.status().is_success());
}

/// Open pages take a 404 for the end of their link, so only a link that gives no access gets one.
#[tokio::test(flavor = "multi_thread")]
async fn web_pages_are_unavailable_while_the_journal_fails() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Arc::new(Sqlite::open(&folder.path().join("rookery.sqlite")).await.unwrap());
    let site = Site::on(journal.clone()).await;
    let sign_in = format!("/in/{}", WebToken::draw().unwrap().as_str());
    assert_eq!(site.get(&sign_in).await.status(), 410, "nobody made it");
    assert!(site.get(&site.page).await.status().is_success());
    journal.close().await;
    let parts = ["", "/step", "/board.png", "/card.png", "/record.txt", "/events"];
    let of_game = parts.iter().map(|part| format!("{}{part}", site.page));
    let others = ["/s", "/n"].map(|place| site.page.replacen("/g", place, 1));
    for path in of_game.chain(others).chain([sign_in]) {
        let answer = site.get(&path).await;
        assert_eq!(answer.status(), 503, "{path}");
        assert!(answer.headers()["retry-after"].to_str().unwrap().parse::<u32>().is_ok(), "{path}");
        let text = answer.text().await.unwrap();
        assert!(text.contains("Please try again in a moment") && !text.contains("/share"), "{path}: {text}");
    }
    assert_eq!(site.get("/g/short").await.status(), 404, "what is no token leads nowhere");
}
