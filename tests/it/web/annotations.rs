//! Annotations by their requests: who may write and read them, their limits, and the link that shows them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::StatusCode;
use rookery_table::annotation::{AnnotatedPosition, Annotation, AnnotationLink};
use rookery_table::share::ShareToken;
use rookery_table::{LeavePolicy, TableId, UserId};
use serde_json::{Value, json};

use super::play::{PlaySite, Visitor, id};
use crate::duel::{Duel, Way};

/// A finished game of four turns, with the browsers of its players and of a spectator.
struct Finished {
    site: PlaySite,
    duel: Duel,
    page: String,
    ada: Visitor,
    ben: Visitor,
    cleo: Visitor,
}

impl Finished {
    async fn open() -> Finished {
        let running = Finished::running().await;
        running.end().await;
        running
    }

    async fn running() -> Finished {
        let site = PlaySite::open().await;
        let mut duel = Duel::begin(&site.bot).await;
        for _ in 0..4 {
            duel.turn(&site.bot, Way::Mention).await;
        }
        let [ada, ben, cleo] = [&duel.ada, &duel.ben, &site.bot.cleo()].map(Clone::clone);
        let page = format!("{}/play/{}", site.base, duel.table);
        let ada = site.sign_in(&ada, &duel.board).await;
        let ben = site.sign_in(&ben, &duel.board).await;
        let cleo = site.sign_in(&cleo, &duel.board).await;
        Finished { site, duel, page, ada, ben, cleo }
    }

    async fn end(&self) {
        let (status, _) = self.ben.order(&self.page, &format!("kind=resign&number=1&{}", id(1))).await;
        assert_eq!(status, StatusCode::OK);
    }

    fn table(&self) -> TableId {
        self.duel.table.parse().unwrap()
    }

    /// Sends something as the page does; returns the status and the answer.
    async fn post(&self, who: &Visitor, path: &str, sent: Option<&Value>) -> (StatusCode, Value) {
        let token = who.data(&self.page).await["token"].as_str().unwrap().to_owned();
        let mut headers = vec![("x-rookery-page", token), ("sec-fetch-site", "same-origin".to_owned())];
        headers.extend(sent.map(|sent| ("x-rookery-annotation", encoded(sent))));
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = who.post(&format!("{}/{path}", self.page), &headers).await;
        (answer.status(), answer.json().await.unwrap())
    }

    async fn save(&self, who: &Visitor, sent: &Value) -> (StatusCode, Value) {
        self.post(who, "annotation", Some(sent)).await
    }

    async fn saves(&self, who: &Visitor, sent: &Value) {
        let (status, answer) = self.save(who, sent).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }

    async fn list(&self, who: &Visitor) -> Value {
        let answer = who.get(&format!("{}/annotations", self.page)).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.json().await.unwrap()
    }

    /// Makes a person's link; returns its address.
    async fn share(&self, who: &Visitor) -> String {
        let (status, answer) = self.post(who, "annotations/share", None).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["link"].as_str().unwrap().to_owned()
    }

    fn first_move(&self) -> String {
        self.duel.play.record().remove(0)
    }

    /// Returns a move that could have been played after two turns, but was not.
    fn other_move(&self) -> String {
        let played = &self.duel.play.record()[2];
        self.duel.play.at_ply(2).moves().into_iter().find(|text| text != played).unwrap()
    }
}

fn encoded(sent: &Value) -> String {
    URL_SAFE_NO_PAD.encode(sent.to_string())
}

fn note(ply: usize, comment: &str) -> Value {
    json!({ "ply": ply, "line": [], "comment": comment, "arrows": [], "marks": [] })
}

/// Opens an address as a visitor who isn't signed in.
async fn visit(address: &str) -> (StatusCode, String) {
    let answer = Visitor::new().get(address).await;
    (answer.status(), answer.text().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_are_saved_changed_and_deleted() {
    let game = Finished::open().await;
    let other = game.other_move();
    let drawn = json!({ "ply": 2, "line": [other], "comment": "\"Why\" not d4?\nÄ 日 🐧 </textarea>",
        "arrows": ["a1-a6", "b2-c3"], "marks": ["d4"] });
    game.saves(&game.ada, &note(4, "The end")).await;
    game.saves(&game.ada, &drawn).await;
    assert_eq!(game.list(&game.ada).await["annotations"], json!([drawn, note(4, "The end")]), "by position");

    // A move of the game itself leads to a position of the game, and the last write of a position counts.
    let mut same = note(0, "After one turn");
    same["line"] = json!([game.first_move()]);
    game.saves(&game.ada, &same).await;
    game.saves(&game.ada, &note(4, "Changed")).await;
    let mut arrow = note(1, "");
    arrow["arrows"] = json!(["a1-a2"]);
    game.saves(&game.ada, &arrow).await;
    assert_eq!(game.list(&game.ada).await["annotations"], json!([arrow, drawn, note(4, "Changed")]));

    // Nothing written and nothing drawn is no annotation.
    game.saves(&game.ada, &note(4, " \n")).await;
    game.saves(&game.ada, &note(3, "")).await;
    assert_eq!(game.list(&game.ada).await["annotations"], json!([arrow, drawn]));
    game.site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_are_for_those_who_see_the_finished_game_and_private() {
    let game = Finished::running().await;
    let list = format!("{}/annotations", game.page);
    let (status, answer) = game.save(&game.ada, &note(0, "x")).await;
    assert_eq!(
        (status, &answer["said"]),
        (StatusCode::CONFLICT, &json!("You can write notes once the game is over."))
    );
    assert_eq!(game.ada.get(&list).await.status(), StatusCode::CONFLICT);
    game.end().await;
    for who in [&game.ada, &game.cleo] {
        game.saves(who, &note(1, "mine alone")).await;
    }
    assert_eq!(game.list(&game.ben).await["annotations"], json!([]), "others don't see them");
    game.saves(&game.ben, &note(1, "Ben's")).await;
    assert_eq!(game.list(&game.ada).await["annotations"], json!([note(1, "mine alone")]));
    for page in [format!("{}/state", game.page), format!("{}/position?ply=1", game.page), game.page.clone()] {
        let text = game.ben.get(&page).await.text().await.unwrap();
        assert!(!text.contains("mine alone"), "{page}");
    }

    // Without a session, at a table that nobody sees, and from other pages.
    assert_eq!(Visitor::new().get(&list).await.status(), StatusCode::UNAUTHORIZED);
    for gone in ["ZZZZ", "x"] {
        let answer = game.ada.get(&format!("{}/play/{gone}/annotations", game.site.base)).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{gone}");
    }
    let (token, sent) =
        (game.ada.data(&game.page).await["token"].as_str().unwrap().to_owned(), encoded(&note(2, "forged")));
    let body = ("x-rookery-annotation", sent.as_str());
    for path in ["annotation", "annotations/share", "annotations/stop"] {
        let address = format!("{}/{path}", game.page);
        for headers in [
            vec![body],
            vec![body, ("x-rookery-page", "0"), ("sec-fetch-site", "same-origin")],
            vec![body, ("x-rookery-page", &token), ("sec-fetch-site", "cross-site")],
            vec![body, ("x-rookery-page", &token), ("origin", "https://evil.example")],
        ] {
            assert_eq!(
                game.ada.post(&address, &headers).await.status(),
                StatusCode::FORBIDDEN,
                "{path} {headers:?}"
            );
        }
        assert_eq!(Visitor::new().post(&address, &[body]).await.status(), StatusCode::UNAUTHORIZED);
    }
    let kept = game.list(&game.ada).await;
    assert_eq!((&kept["annotations"], &kept["link"]), (&json!([note(1, "mine alone")]), &Value::Null));
    game.site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_beyond_a_limit_are_refused_with_what_to_do() {
    let game = Finished::open().await;
    let cells = |count: usize| {
        let board = game.duel.play.board();
        board.cells().map(|cell| board.name(cell).to_owned()).take(count).collect::<Vec<_>>()
    };
    let arrows = |count| {
        cells(36)
            .iter()
            .filter(|cell| *cell != "c3")
            .map(|cell| format!("c3-{cell}"))
            .take(count)
            .collect::<Vec<_>>()
    };
    let mut full = note(1, &"🐧".repeat(1_000));
    (full["arrows"], full["marks"]) = (json!(arrows(32)), json!(cells(32)));
    game.saves(&game.ada, &full).await;
    assert_eq!(game.list(&game.ada).await["annotations"], json!([full]));
    let (mut many_arrows, mut many_marks) = (note(1, ""), note(1, ""));
    (many_arrows["arrows"], many_marks["marks"]) = (json!(arrows(33)), json!(cells(33)));
    for (sent, said) in [
        (note(1, &"a".repeat(1_001)), "Your comment has 1001 characters, and the most is 1000. Shorten it."),
        (many_arrows, "There are 33 arrows on this position, and the most is 32. Remove one."),
        (many_marks, "There are 33 marks on this position, and the most is 32. Remove one."),
    ] {
        let (status, answer) = game.save(&game.ada, &sent).await;
        assert_eq!((status, answer["said"].as_str().unwrap()), (StatusCode::CONFLICT, said));
    }
    // What no page sends.
    let with = |key: &str, value: Value| {
        let mut sent = note(1, "x");
        sent[key] = value;
        sent
    };
    for wrong in [
        note(5, "after the end"),
        with("line", json!(["a1-a9/z9"])),
        with("arrows", json!(["a1-z9"])),
        with("arrows", json!(["a1-a1"])),
        with("arrows", json!(["a1"])),
        with("marks", json!(["a1 a2"])),
        with("marks", json!([7])),
        json!([]),
    ] {
        assert_eq!(game.save(&game.ada, &wrong).await.0, StatusCode::BAD_REQUEST, "{wrong}");
    }
    assert_eq!(game.list(&game.ada).await["annotations"], json!([full]), "nothing has changed");

    // With variations there are more positions than the limit.
    let kept = game.site.bot.registry.journal().annotations();
    for number in 1..200 {
        let position = AnnotatedPosition { ply: 2, line: format!("a variation {number}") };
        let one = Annotation::new(position, "x", &[], &[], game.site.bot.registry.now()).unwrap();
        assert!(kept.store_annotation(UserId(game.duel.ada.id.0), game.table(), &one).await.unwrap());
    }
    let (status, answer) = game.save(&game.ada, &note(0, "one too many")).await;
    let said = "You have notes on 200 positions of this game, and that's the most. Clear those on another position first.";
    assert_eq!((status, answer["said"].as_str().unwrap()), (StatusCode::CONFLICT, said));
    game.saves(&game.ada, &note(1, "")).await;
    game.saves(&game.ada, &note(0, "now there is room")).await;
    game.site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_are_shown_by_a_link_until_it_is_withdrawn() {
    let game = Finished::open().await;
    let other = game.other_move();
    let text = "<script>alert(1)</script> Ä";
    let mut beside =
        json!({ "ply": 2, "line": [other], "comment": text, "arrows": ["a1-a6"], "marks": ["d4"] });
    game.saves(&game.ada, &beside).await;
    game.saves(&game.ben, &note(1, "Ben's own")).await;
    let (status, answer) = game.post(&game.cleo, "annotations/share", None).await;
    let said = "Only this game's players can share notes on it.";
    assert_eq!((status, answer["said"].as_str().unwrap()), (StatusCode::CONFLICT, said));
    assert_eq!(game.list(&game.cleo).await["may_share"], json!(false));

    let link = game.share(&game.ada).await;
    assert_eq!(game.share(&game.ada).await, link, "there is one");
    let shown = game.list(&game.ada).await;
    assert_eq!((&shown["link"], &shown["may_share"]), (&json!(link), &json!(true)));
    assert_eq!(game.list(&game.ben).await["link"], Value::Null, "his own he has not made");
    let answer = Visitor::new().get(&link).await;
    assert!(answer.headers().get("set-cookie").is_none());
    assert_eq!(answer.headers()["x-robots-tag"], "noindex, nofollow, noarchive");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    let policy = answer.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(!policy.contains("unsafe"), "{policy}");
    let page = answer.text().await.unwrap();
    for part in [
        "Notes by White",
        "&lt;script&gt;alert(1)&lt;/script&gt; Ä",
        "Arrow from a1 to a6",
        "Mark on d4",
        &other,
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(
        !page.contains("<script>alert") && !page.contains("style=") && !page.contains("onclick"),
        "{page}"
    );
    assert!(!page.contains("Ada") && !page.contains("Ben's own"), "sides, and nobody else's: {page}");

    // Every position of the game is shown, and a variation only if it is annotated.
    let (status, start) = visit(&format!("{link}?ply=0")).await;
    assert!(status == StatusCode::OK && start.contains("No notes on this position."), "{start}");
    assert!(visit(&format!("{link}?ply=99")).await.1.contains("Move 4 of 4"));
    assert!(!start.contains("White won"), "{start}");
    let strange = game.duel.play.moves().remove(0);
    let (status, elsewhere) = visit(&format!("{link}?ply=4&line={strange}")).await;
    assert!(
        status == StatusCode::OK && elsewhere.contains("Move 4 of 4") && !elsewhere.contains("Variation")
    );
    beside["comment"] = json!("changed later");
    game.saves(&game.ada, &beside).await;
    assert!(visit(&link).await.1.contains("changed later"), "the link shows what there is now");

    let (status, _) = game.post(&game.ben, "annotations/stop", None).await;
    assert_eq!((status, visit(&link).await.0), (StatusCode::OK, StatusCode::OK), "he has none to withdraw");
    let (status, answer) = game.post(&game.ada, "annotations/stop", None).await;
    assert_eq!((status, &answer["link"]), (StatusCode::OK, &Value::Null));
    let nowhere = visit(&format!("{}/nowhere", game.site.base)).await;
    assert_eq!(visit(&link).await, nowhere, "as if there had never been one");
    assert!(nowhere.1.contains("links to notes"), "/share makes none: {}", nowhere.1);
    for token in ["x", &"A".repeat(22), &game.duel.table, "%00"] {
        assert_eq!(visit(&format!("{}/n/{token}", game.site.base)).await, nowhere, "{token}");
    }
    let again = game.share(&game.ada).await;
    assert!(again != link && visit(&again).await.0 == StatusCode::OK, "a new token");
    assert_eq!(visit(&again.replace("/n/", "/g/")).await, nowhere, "it is no link to the game's own page");
    assert!(game.site.bot.registry.stop_sharing(game.table()).await.unwrap());
    assert_eq!(visit(&again).await, nowhere, "it ends with all links to the game");
    game.site.bot.stop().await;
}

/// Two positions after the same number of turns are not the same position.
#[tokio::test(flavor = "multi_thread")]
async fn annotations_of_a_variation_as_long_as_the_game_show_no_result() {
    let game = Finished::open().await;
    let link = game.share(&game.ada).await;
    let last = game.duel.play.record().remove(3);
    let tried = game.duel.play.at_ply(3).moves().into_iter().find(|text| *text != last).unwrap();
    let mut same_length = note(3, "as long as the game");
    same_length["line"] = json!([tried]);
    game.saves(&game.ada, &same_length).await;
    let there: Value =
        game.ada.get(&format!("{}/position?ply=3&line={tried}", game.page)).await.json().await.unwrap();
    assert_eq!(there["headline"], json!("White to move"));
    let page = visit(&format!("{link}?ply=3&line={tried}")).await.1;
    assert!(page.contains("White to move") && !page.contains("White won"), "{page}");
    assert!(visit(&format!("{link}?ply=4")).await.1.contains("White won"), "the game itself has its result");
    game.site.bot.stop().await;
}

/// A link is refused if its author may not share the game.
#[tokio::test(flavor = "multi_thread")]
async fn annotations_link_is_refused_when_its_author_may_not_share() {
    let game = Finished::open().await;
    let cleo = UserId(game.site.bot.cleo().id.0);
    game.saves(&game.cleo, &note(1, "a spectator's")).await;
    let (token, made_at) = (ShareToken::draw().unwrap(), game.site.bot.registry.now());
    let link = AnnotationLink { token, author: cleo, table: game.table(), made_at };
    game.site.bot.registry.journal().annotations().store_annotation_link(&link).await.unwrap();
    let nowhere = visit(&format!("{}/nowhere", game.site.base)).await;
    assert_eq!(visit(&format!("{}/n/{}", game.site.base, link.token.as_str())).await, nowhere);
    game.site.bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn annotations_of_a_deleted_person_are_gone_with_their_link() {
    let game = Finished::open().await;
    game.saves(&game.ada, &note(1, "Ada's")).await;
    game.saves(&game.ben, &note(1, "Ben's")).await;
    let [of_ada, of_ben] = [game.share(&game.ada).await, game.share(&game.ben).await];
    let export =
        game.duel.ada.slash(game.site.bot.games(), "privacy", &json!({})).unwrap().message().await.unwrap();
    let sent = game.site.bot.press_private(&game.duel.ada, &export, "Send my data").await;
    let address = sent.files()[0]["url"].as_str().unwrap().to_owned();
    let data: Value = reqwest::get(address).await.unwrap().json().await.unwrap();
    let notes = &data["notes"];
    assert_eq!(
        (notes.as_array().unwrap().len(), &notes[0]["table"]),
        (1, &json!(game.duel.table)),
        "{notes}"
    );
    assert_eq!(notes[0]["positions"][0]["comment"], json!("Ada's"), "{notes}");
    assert!(notes[0]["shared_at_ms"].is_number() && !data.to_string().contains("Ben's"), "{data}");
    let ada = UserId(game.duel.ada.id.0);
    game.site.bot.registry.delete_person(ada, LeavePolicy::Resign).await.unwrap();
    let kept = game.site.bot.registry.journal().annotations();
    assert_eq!(kept.annotations_of(ada, game.table()).await.unwrap(), []);
    assert_eq!(visit(&of_ada).await.0, StatusCode::NOT_FOUND);
    let (status, page) = visit(&of_ben).await;
    assert!(status == StatusCode::OK && page.contains("Ben") && page.contains("Notes by Black"), "{page}");
    game.site.bot.stop_early().await;
}

/// A study is its owner's alone, who may share it as `/share` lets them.
#[tokio::test(flavor = "multi_thread")]
async fn annotations_of_a_study_are_its_owners() {
    let game = Finished::open().await;
    let registry = &game.site.bot.registry;
    let terms = rookery_table::Terms { game: "amazons".into(), ..Default::default() };
    let ada = UserId(game.duel.ada.id.0);
    let study = registry.import(terms, ada, game.duel.play.as_ref(), Vec::new()).await.unwrap().table.id();
    let page = format!("{}/play/{study}", game.site.base);
    let study = Finished { page, ..game };
    study.saves(&study.ada, &note(2, "studied")).await;
    for other in [&study.ben, &study.cleo] {
        let answer = other.get(&format!("{}/annotations", study.page)).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
    let link = study.share(&study.ada).await;
    let (status, text) = visit(&link).await;
    assert!(status == StatusCode::OK && text.contains("studied") && !text.contains("Notes by"), "{text}");
    study.site.bot.stop_early().await;
}
