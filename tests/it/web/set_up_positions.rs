//! Setting up positions: by requests, and by mouse and keys in a browser.

use fantoccini::Locator;
use reqwest::StatusCode;
use rookery_core::rules::Setup;
use rookery_core::{PositionEdit, Seat};
use rookery_table::{Status, UserId};
use serde_json::{Value, json};

use super::browser_driver::*;
use super::play::{PlaySite, Visitor};
use crate::browser::{Browser, in_a_browser};
use crate::duel::Duel;

pub(super) const POSITION: &str = "document.getElementById('line').value";

/// Returns the status and the answer of an edit.
pub(super) async fn edit(
    visitor: &Visitor,
    site: &PlaySite,
    game: &str,
    query: &[(&str, &str)],
) -> (StatusCode, Value) {
    let address =
        reqwest::Url::parse_with_params(&format!("{}/play/set-up/{game}/position", site.base), query);
    let answer = visitor.get(address.unwrap().as_str()).await;
    (answer.status(), answer.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_makes_positions_of_every_game() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    for game in rookery_games::all() {
        let key = game.info().key;
        for seats in game.info().seats {
            let page = format!("{}/play/set-up/{key}?seats={seats}", site.base);
            let data = visitor.data(&page).await;
            let start = game.start(&Setup::new(*seats)).unwrap();
            assert_eq!(data["view"]["position"], start.line(), "{key} for {seats}");
            assert_eq!(data["view"]["cells"].as_array().unwrap().len(), start.board().len());
            let other = rookery_core::Seat::all(*seats).last().unwrap();
            let query = [("position", start.line()), ("edit", format!("turn:{other}"))];
            let query = query.each_ref().map(|(name, value)| (*name, value.as_str()));
            let (status, view) = edit(&visitor, &site, key, &query).await;
            assert_eq!(
                (status, &view["turn"]),
                (StatusCode::OK, &json!(other.number())),
                "{key} for {seats}"
            );
        }
    }
    let line = [("position", "6/2q3/6/6/3Q2/6 w - - 0 1")];
    for (refused, status) in [
        ("clear:d2", StatusCode::CONFLICT),
        ("clear:a1", StatusCode::CONFLICT),
        ("clear:z9", StatusCode::BAD_REQUEST),
        ("put:king:a1", StatusCode::CONFLICT),
    ] {
        let (found, answer) = edit(&visitor, &site, "amazons", &[line[0], ("edit", refused)]).await;
        assert_eq!(found, status, "{refused}");
        assert!(!answer["said"].as_str().unwrap().is_empty(), "{refused}");
    }
    let (_, answer) = edit(&visitor, &site, "amazons", &[line[0], ("edit", "clear:d2")]).await;
    assert_eq!(answer["said"], "That isn't possible. Needed: 1 to 4 amazons a side, not 0.");
    let long = "1".repeat(3_000);
    assert_eq!(edit(&visitor, &site, "amazons", &[("position", &long)]).await.0, StatusCode::BAD_REQUEST);
    assert_eq!(edit(&visitor, &site, "chess", &line).await.0, StatusCode::NOT_FOUND);
    let out = Visitor::new().get(&format!("{}/play/set-up/amazons", site.base)).await;
    assert_eq!(out.status(), StatusCode::UNAUTHORIZED);
    site.bot.stop().await;
}

/// The board of every game is emptied, except for what its positions need.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_empties_the_board_of_every_game() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    for game in rookery_games::all() {
        let key = game.info().key;
        let start = game.start(&Setup::new(game.info().fewest())).unwrap().line();
        let (status, view) = edit(&visitor, &site, key, &[("position", &start), ("edit", "empty")]).await;
        assert_eq!(status, StatusCode::OK, "{key}: {view}");
        // A position of Amoeba has a Kernel of each side.
        let label = if key == "amoeba" { "Only the Kernels" } else { "Empty board" };
        let page = visitor.get(&format!("{}/play/set-up/{key}", site.base)).await.text().await.unwrap();
        assert!(page.contains(&format!(">{label}</button>")), "{key}: {page}");
        let emptied = game.resume(view["position"].as_str().unwrap()).unwrap();
        for cell in emptied.board().cells() {
            let more = emptied.edited(&PositionEdit::Clear(cell));
            assert!(more.is_err(), "{key}: {} in {}", emptied.board().name(cell), view["position"]);
        }
        let left = emptied.board().cells().filter(|cell| !emptied.signs_on(*cell).is_empty()).count();
        // Every side keeps an amazon, and every penguin that isn't placed yet needs a tile. Other games have no signs on cells.
        let needed = match key {
            "amazons" => 2,
            "penguins" | "amazon_penguins" | "paper_penguins" => 2 * 4,
            _ => 0,
        };
        assert_eq!(left, needed, "{key}: {}", view["position"]);
        let stays = match key {
            "amazons" => json!("2 amazons stay: each side needs at least one."),
            "paper_penguins" => json!("8 cells stay: each player still has to place 4 shapes."),
            "amazon_penguins" => json!("8 squares stay: each player still has to place 4 penguins."),
            "penguins" => json!("8 tiles stay: each player still has to place 4 penguins."),
            _ => Value::Null,
        };
        assert_eq!(view["stays"], stays, "{key}");
    }
    site.bot.stop().await;
}

/// Another seed gives another layout, in games that have one.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_begins_with_other_random_boards() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    for game in rookery_games::all() {
        let (key, has_layout) = (game.info().key, game.info().has_layout);
        let mut boards = std::collections::BTreeSet::new();
        for seed in ["1", "2", "4294967295"] {
            let (_, view) = edit(&visitor, &site, key, &[("seats", "2"), ("seed", seed)]).await;
            boards.insert(view["position"].as_str().unwrap().to_owned());
        }
        assert_eq!(boards.len(), if has_layout { 3 } else { 1 }, "{key}");
        let page = visitor.get(&format!("{}/play/set-up/{key}", site.base)).await.text().await.unwrap();
        assert_eq!(page.contains("New random board"), has_layout, "{key}");
    }
    for (key, seats, size) in
        [("amazon_penguins", 2, "10x10"), ("paper_penguins", 2, "6x6"), ("penguins", 4, "")]
    {
        let game = rookery_games::named(key).unwrap();
        let setup = Setup::new(seats);
        let setup = if size.is_empty() { setup } else { setup.with("size", size) };
        let shown = game.start(&setup).unwrap();
        let query = [("position", shown.line()), ("edit", "random".to_owned()), ("seed", "7".to_owned())];
        let query = query.each_ref().map(|(name, value)| (*name, value.as_str()));
        let (status, view) = edit(&visitor, &site, key, &query).await;
        assert_eq!(status, StatusCode::OK, "{key}: {view}");
        let random = game.resume(view["position"].as_str().unwrap()).unwrap();
        assert_eq!((random.seats(), random.board().shape()), (shown.seats(), shown.board().shape()), "{key}");
        assert_ne!(random.text_board(), shown.text_board(), "{key}");
    }
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn random_board_is_begun_and_undone_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        browser.client.goto(&format!("{}/play/set-up/penguins?seats=3", site.base)).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        let start = text(browser, POSITION).await;
        browser.click("#random").await;
        browser.wait_until(&format!("{POSITION} !== {}", json!(start))).await;
        browser.wait_until("document.querySelectorAll('#turns input').length === 3").await;
        screenshot(browser, "set-up-random").await;
        browser.click("#undo").await;
        shows(browser, &start).await;
        browser.click("#empty").await;
        browser
            .wait_until("document.getElementById('notice').textContent.includes('tiles stay: each player')")
            .await;
        screenshot(browser, "set-up-empty-floe").await;
        browser.click("#study").await;
        browser
            .wait_until("document.getElementById('headline')?.innerText.endsWith('Study: only you see it.')")
            .await;
        browser
            .wait_until("document.getElementById('choices').innerText === 'Touch a cell to try a move.'")
            .await;
    })
    .await;
    site.bot.stop_early().await;
}

/// A text that is no position, or a game that isn't there, leads to a page with a way on.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_that_is_refused_leads_to_the_games() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    for page in ["set-up/amazons?position=x", "ZZZZ"] {
        let shown = visitor.get(&format!("{}/play/{page}", site.base)).await.text().await.unwrap();
        assert!(shown.contains("show this page"), "{page}: {shown}");
        assert!(shown.contains("<a href=\"/play\">My games</a>"), "{page}: {shown}");
    }
    site.bot.stop().await;
}

/// Paper Pen-guins has shapes and numbers, neither penguins nor fish; only in Penguin Soccer are pieces turned.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_speaks_of_its_game() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    let page = format!("{}/play/set-up/paper_penguins", site.base);
    let shown = visitor.get(&page).await.text().await.unwrap();
    assert!(shown.contains("Square shape") && shown.contains("Cell with 1"), "{shown}");
    assert!(!shown.contains("fish") && !shown.contains("Square penguin"), "{shown}");
    let data = visitor.data(&page).await;
    let first = data["view"]["cells"][0]["has"].as_str().unwrap();
    assert!(["number 1", "number 2", "number 3"].contains(&first), "{first}");
    let soccer =
        visitor.get(&format!("{}/play/set-up/penguin_soccer", site.base)).await.text().await.unwrap();
    assert!(soccer.contains("Touch a penguin again to turn it."), "{soccer}");
    site.bot.stop().await;
}

/// A stack of Amoeba that is dropped on another one lands on top of it, as in a move.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_merges_stacks_of_amoeba() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    let line = ("position", "B,3/2,L,2/6/3,ABK,3/6/5/4 2");
    for (carry, merged) in
        [("carry:g1:d4", "4/2,L,2/6/3,ABKB,3/6/5/4 2"), ("carry:d4:g1", "BABK,3/2,L,2/6/7/6/5/4 2")]
    {
        let (status, view) = edit(&visitor, &site, "amoeba", &[line, ("edit", carry)]).await;
        assert_eq!((status, &view["position"]), (StatusCode::OK, &json!(merged)), "{carry}");
    }
    site.bot.stop().await;
}

/// Screen readers hear which penguin of Penguin Soccer is on a square, and whether it lies.
#[tokio::test(flavor = "multi_thread")]
async fn set_up_page_names_penguins_and_how_they_lie() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let visitor = site.sign_in(&duel.ada, &duel.board).await;
    let line = [("position", "c3NE,g2U,a1U|b6U,h7S,e8U a1 1")];
    let (_, view) = edit(&visitor, &site, "penguin_soccer", &line).await;
    let on = |name: &str| {
        let cells = view["cells"].as_array().unwrap();
        let cell = cells.iter().find(|cell| cell["name"] == name).unwrap();
        cell["has"].as_str().unwrap().to_owned()
    };
    for (name, has) in [
        ("c3", "Orange's Baby, lying, facing north-east"),
        ("g2", "Orange's Papa, upright"),
        ("a1", "Orange's Mama, upright, with the ball, Orange's Home"),
        ("h7", "Papa, lying, facing south"),
    ] {
        assert!(on(name).ends_with(has), "{name}: {}", on(name));
    }
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn study_of_a_position_is_its_owners_alone() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let (ada, ben) = (site.sign_in(&duel.ada, &duel.board).await, site.sign_in(&duel.ben, &duel.board).await);
    let line = "6/2q3/6/6/3Q2/6 b - - 0 1";
    let page = format!("{}/play/set-up/amazons", site.base);
    let address = reqwest::Url::parse_with_params(&format!("{page}/study"), [("position", line)]).unwrap();
    let token = ada.data(&page).await["token"].as_str().unwrap().to_owned();
    let same_site = ("sec-fetch-site", "same-origin");
    for headers in [&[same_site][..], &[("x-rookery-page", &token), ("sec-fetch-site", "cross-site")]] {
        assert_eq!(ada.post(address.as_str(), headers).await.status(), StatusCode::FORBIDDEN);
    }
    let opened = ada.post(address.as_str(), &[("x-rookery-page", &token), same_site]).await;
    assert_eq!(opened.status(), StatusCode::OK);
    let table = opened.json::<Value>().await.unwrap()["next"].as_str().unwrap().to_owned();
    let stored = site.bot.table(&table).await;
    assert_eq!(stored.play().unwrap().line(), line);
    assert!(stored.is_imported() && matches!(stored.status(), Status::Over(_)));
    let address = format!("{}/play/{table}", site.base);
    let state = ada.data(&address).await["state"].take();
    assert_eq!((&state["over"], &state["actions"]), (&json!(true), &json!([])), "nobody to play again");
    assert_eq!(ben.get(&address).await.status(), StatusCode::NOT_FOUND, "nobody else's");
    assert_eq!(state["headline"], "Black to move. Study: only you see it.");
    let sides = state["players"].as_array().unwrap().iter();
    let sides: Vec<_> = sides.map(|it| (it["name"].as_str().unwrap(), it["you"] == true)).collect();
    assert_eq!(sides, [("White", false), ("Black", false)], "as notes on it name them; nobody plays them");
    site.bot.stop().await;
}

/// Counts how often the places of names are looked for, in `window.masks`.
const WATCH_MASKS: &str = "(() => { window.masks = 0; new MutationObserver(() => { window.masks += 1; })\
    .observe(document.getElementById('name-mask'), { childList: true }); })()";

/// Chooses a tool by its value.
pub(super) async fn choose(browser: &Browser, tool: &str) {
    browser.click(&format!("#tools input[value='{tool}'] + span")).await;
}

async fn touch(browser: &Browser, cell: &str) {
    browser.click(&format!("#cells [data-name='{cell}']")).await;
}

pub(super) async fn shows(browser: &Browser, position: &str) {
    browser.wait_until(&format!("{POSITION} === {}", json!(position))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn position_is_set_up_in_a_browser() {
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        browser.client.goto(&format!("{}/play", site.base)).await.unwrap();
        browser.click("#set-up").await;
        browser.wait_until("document.querySelector('a[href=\"/play/set-up/amazons\"]') !== null").await;
        browser.client.goto(&format!("{}/play/set-up/amazons?seats=2&size=6x6", site.base)).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        let start = text(browser, POSITION).await;
        screenshot(browser, "set-up").await;
        // By mouse: put, move in two touches, remove, undo.
        choose(browser, "put:*").await;
        touch(browser, "c3").await;
        browser.wait_until(&format!("{POSITION} !== {}", json!(start))).await;
        let with_arrow = text(browser, POSITION).await;
        choose(browser, "move").await;
        browser.ask(WATCH_MASKS).await;
        touch(browser, "c3").await;
        browser.wait_until("document.querySelector('#cells .chosen') !== null").await;
        assert_eq!(browser.ask("window.masks").await, 0, "the drawing is the same");
        touch(browser, "c4").await;
        browser.wait_until(&format!("{POSITION} !== {}", json!(with_arrow))).await;
        browser.wait_until("window.masks === 1").await;
        browser.click("#undo").await;
        shows(browser, &with_arrow).await;
        // Every side keeps an amazon.
        browser.click("#empty").await;
        browser
            .wait_until(&format!("{POSITION}.split(' ')[0].replace(/[^qQ*]/g, '').toLowerCase() === 'qq'"))
            .await;
        browser.wait_until("document.getElementById('notice').innerText.startsWith('2 amazons stay')").await;
        screenshot(browser, "set-up-empty").await;
        browser.click("#undo").await;
        shows(browser, &with_arrow).await;
        choose(browser, "clear").await;
        touch(browser, "c3").await;
        shows(browser, &start).await;
        // What isn't possible is said, and changes nothing.
        touch(browser, "c3").await;
        browser
            .wait_until("document.getElementById('notice').textContent.includes('nothing on c3 to remove')")
            .await;
        shows(browser, &start).await;
        // By keys: an arrow on the cell that has the focus.
        choose(browser, "put:*").await;
        browser.ask("document.querySelector(\"#cells [data-name='c3']\").focus()").await;
        press(browser, ENTER).await;
        browser.wait_until(&format!("{POSITION} !== {}", json!(start))).await;
        browser.click("#turns input[value='2'] + span").await;
        browser.wait_until(&format!("{POSITION}.includes(' b ')")).await;
        let wanted = text(browser, POSITION).await;
        browser.client.refresh().await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        shows(browser, &wanted).await;
        screenshot(browser, "set-up-changed").await;
        browser.click("#study").await;
        browser.wait_until("/^\\/play\\/[A-Z0-9]+$/.test(location.pathname)").await;
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        let table = text(browser, "location.pathname.split('/').pop()").await;
        assert_eq!(site.bot.table(&table).await.play().unwrap().line(), wanted);
        browser.client.back().await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        shows(browser, &wanted).await;
        browser.client.find(Locator::Css("#level")).await.unwrap().select_by_value("random").await.unwrap();
        browser.click("#play-on button").await;
        browser.wait_until("/^\\/play\\/[A-Z0-9]+$/.test(location.pathname)").await;
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        assert!(is_my_turn(browser).await);
        move_by_mouse(browser).await;
        let table = text(browser, "location.pathname.split('/').pop()").await;
        assert_eq!(site.bot.table(&table).await.play().unwrap().at_ply(0).line(), wanted);
    })
    .await;
    site.bot.stop().await;
}

/// A text that can't be read stays, with the reason beside it; one that can be is shown without leaving the page.
#[tokio::test(flavor = "multi_thread")]
async fn position_as_text_is_shown_or_its_fault_in_a_browser() {
    const FAULT: &str = "document.getElementById('line-fault')?.innerText ?? ''";
    const WRITE: &str = "document.getElementById('line').value =";
    let (site, folder) = (PlaySite::open().await, tempfile::tempdir().unwrap());
    in_a_browser(folder.path(), async |browser| {
        open_board(browser, &site, &site.bot.ada(), &against_bot("amazons")).await;
        browser.client.goto(&format!("{}/play/set-up/amazons?seats=2&size=6x6", site.base)).await.unwrap();
        browser.wait_until("document.body.dataset.ready === 'true'").await;
        let start = text(browser, POSITION).await;
        let wrong = "6/2q3/6/6/6/6 w - - 0 1";
        browser.ask(&format!("{WRITE} {}", json!(wrong))).await;
        browser.click("#texts button").await;
        browser.wait_until(&format!("({FAULT}).includes('1 to 4 amazons')")).await;
        shows(browser, wrong).await;
        assert_eq!(text(browser, "document.getElementById('line').ariaInvalid ?? ''").await, "true");
        screenshot(browser, "set-up-wrong-text").await;

        let right = "6/2q3/6/6/3Q2/6 b - - 0 1";
        browser.ask(&format!("{WRITE} {}", json!(right))).await;
        browser.click("#texts button").await;
        browser.wait_until("document.querySelector('#turns input[value=\"2\"]').checked").await;
        shows(browser, right).await;
        browser.wait_until(&format!("({FAULT}) === ''")).await;
        browser.click("#undo").await;
        shows(browser, &start).await;
    })
    .await;
    site.bot.stop_early().await;
}

/// Sends the request for a game from a position, as the page does.
async fn play_on(visitor: &Visitor, site: &PlaySite, query: &[(&str, &str)]) -> (StatusCode, Value) {
    let page = format!("{}/play/set-up/amazons", site.base);
    let token = visitor.data(&page).await["token"].as_str().unwrap().to_owned();
    let address = reqwest::Url::parse_with_params(&format!("{page}/play"), query).unwrap();
    let headers = [("x-rookery-page", token.as_str()), ("sec-fetch-site", "same-origin")];
    let answer = visitor.post(address.as_str(), &headers).await;
    (answer.status(), answer.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn game_against_the_bot_goes_on_from_a_position() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let line = "6/2q3/6/6/3Q2/6 b - - 0 1";
    let wanted = [("position", line), ("level", "random"), ("id", "0123456789abcdef")];
    let page = format!("{}/play/set-up/amazons/play", site.base);
    let address = reqwest::Url::parse_with_params(&page, wanted).unwrap();
    let foreign = ada.post(address.as_str(), &[("sec-fetch-site", "same-origin")]).await;
    assert_eq!(foreign.status(), StatusCode::FORBIDDEN);

    let (status, opened) = play_on(&ada, &site, &wanted).await;
    assert_eq!(status, StatusCode::OK, "{opened}");
    let table = site.bot.table(opened["next"].as_str().unwrap()).await;
    assert_eq!(table.play().unwrap().at_ply(0).line(), line);
    assert_eq!(table.seat_of(UserId(duel.ada.id.0)), Seat::new(1), "the side to move");
    assert_eq!(table.terms().channel.0, duel.ada.dm().0, "boards come by direct message");
    assert!(!table.terms().rated);
    duel.ada.wait_for(duel.ada.dm(), "the board", |it| it.button("Open board").is_some()).await.unwrap();
    let (_, again) = play_on(&ada, &site, &wanted).await;
    assert_eq!(again, opened, "the answer was lost, and the page asks again");
    let (_, other) = play_on(&ada, &site, &[wanted[0], wanted[1], ("id", "0123456789abcdeX")]).await;
    assert_ne!(other, opened);

    for (query, status, said) in [
        (
            [("position", "6/6/6/6/3Q2/6 w - - 0 1"), wanted[1], wanted[2]],
            StatusCode::CONFLICT,
            "1 to 4 amazons",
        ),
        ([("position", "Qppp/pppp/pppp/3q w - - 0 1"), wanted[1], wanted[2]], StatusCode::CONFLICT, "over"),
        ([wanted[0], ("level", "queen"), wanted[2]], StatusCode::BAD_REQUEST, ""),
        ([wanted[0], wanted[1], ("id", "1")], StatusCode::BAD_REQUEST, ""),
    ] {
        let (found, answer) = play_on(&ada, &site, &query).await;
        let sentence = answer["said"].as_str().unwrap();
        assert!(found == status && sentence.contains(said), "{query:?}: {found} {answer}");
    }
    site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_from_a_position_needs_direct_messages() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    duel.ada.set_dms_open(false);
    let wanted = [("position", "6/2q3/6/6/3Q2/6 b - - 0 1"), ("level", "random"), ("id", "0123456789abcdef")];
    let (status, answer) = play_on(&ada, &site, &wanted).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(answer["said"].as_str().unwrap().contains("can't send you direct messages"), "{answer}");
    site.bot.stop_after(&[403]).await;
}

/// A person who may not open another game gets no message that one begins.
#[tokio::test(flavor = "multi_thread")]
async fn refused_game_from_a_position_sends_no_message() {
    let site = PlaySite::open().await;
    let duel = Duel::begin(&site.bot).await;
    let ada = site.sign_in(&duel.ada, &duel.board).await;
    let most = rookery::discord::Settings::default().open_per_person;
    let ids: Vec<String> = (0..=most).map(|number| format!("{number:016}")).collect();
    let wanted = |id| [("position", "6/2q3/6/6/3Q2/6 b - - 0 1"), ("level", "random"), ("id", id)];
    for id in &ids[..most] {
        let (status, answer) = play_on(&ada, &site, &wanted(id)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let before = firsts(&duel);
    assert_eq!(before, most, "one for each game");
    let (status, answer) = play_on(&ada, &site, &wanted(&ids[most])).await;
    let said = answer["said"].as_str().unwrap();
    assert!(status == StatusCode::CONFLICT && said.contains(&most.to_string()), "{status} {answer}");
    assert_eq!(firsts(&duel), before);
    site.bot.stop().await;
}

/// The number of messages to Ada that say where a game will be played.
fn firsts(duel: &Duel) -> usize {
    let messages = duel.ada.messages(duel.ada.dm());
    messages.iter().filter(|it| it.content().contains("play your games against Rookery here")).count()
}
