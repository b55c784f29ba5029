//! A person's own annotations of a finished game: what they wrote and drew on its positions, and the link that shows it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rookery_i18n::Localizer;
use rookery_table::access::{self, ShareError};
use rookery_table::annotation::{
    AnnotatedPosition, Annotation, AnnotationError, AnnotationLink, MAX_COMMENT_CHARS, MAX_DRAWN,
    MAX_LINE_BYTES, MAX_POSITIONS,
};
use rookery_table::{Status, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::discord_side::OpenedTable;
use super::super::script_data::sentences;
use super::super::session::SignedIn;
use super::super::state::Web;
use super::access::open_for_signed_in;
use super::board::look;
use super::drawn::DrawnColours;
use super::orders::check_csrf;
use super::positions::{MOVE, position};
use super::response::Denied;

/// The header in which the page sends an annotation: requests have no body, and addresses end up in logs.
const ANNOTATION: &str = "x-rookery-annotation";

/// The sentences that the script shows; it knows them without `page-notes-`.
const SCRIPT_WORDS: [&str; 25] = [
    "page-notes-arrow",
    "page-notes-at",
    "page-notes-at-start",
    "page-notes-choose",
    "page-notes-comment",
    "page-notes-copied",
    "page-notes-copy",
    "page-notes-draw",
    "page-notes-draw-how",
    "page-notes-drawn",
    "page-notes-in-line",
    "page-notes-link",
    "page-notes-long",
    "page-notes-lost",
    "page-notes-mark",
    "page-notes-mine",
    "page-notes-no-answer",
    "page-notes-not-saved",
    "page-notes-noted",
    "page-notes-remove",
    "page-notes-removed",
    "page-notes-saved",
    "page-notes-saving",
    "page-notes-share",
    "page-notes-stop",
];

/// What the script fills in.
const GAPS: [(&str, &[&str]); 9] = [
    ("page-notes-arrow", &["from", "to"]),
    ("page-notes-at", &["ply", "move"]),
    ("page-notes-choose", &["cell"]),
    ("page-notes-in-line", &["at", "line"]),
    ("page-notes-long", &["count", "most"]),
    ("page-notes-mark", &["cell"]),
    ("page-notes-not-saved", &["why"]),
    ("page-notes-remove", &["drawn"]),
    ("page-notes-removed", &["drawn"]),
];

/// An annotation as a page sends it.
#[derive(Deserialize)]
struct SentAnnotation {
    ply: usize,
    line: Vec<String>,
    comment: String,
    arrows: Vec<String>,
    marks: Vec<String>,
}

/// An annotation as its author's page gets it.
#[derive(Serialize)]
struct AnnotationView {
    ply: usize,
    line: Vec<String>,
    comment: String,
    arrows: Vec<String>,
    marks: Vec<String>,
}

impl AnnotationView {
    fn of(annotation: Annotation) -> AnnotationView {
        let Annotation { position: AnnotatedPosition { ply, line }, comment, arrows, marks, .. } = annotation;
        let line = line.split(MOVE).filter(|text| !text.is_empty()).map(str::to_owned).collect();
        AnnotationView { ply, line, comment, arrows: arrows.iter().map(ToString::to_string).collect(), marks }
    }
}

/// Serves the person's annotations of a finished game, with what the page needs to show them, as JSON.
pub(in crate::web) async fn list(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = async {
        let (person, opened) = open_finished(&web, &table, &headers).await?;
        let kept = web.registry.journal().annotations();
        let annotations = kept.annotations_of(person.who, opened.table.id()).await.map_err(not_kept)?;
        let link = kept.annotation_link_of(person.who, opened.table.id()).await.map_err(not_kept)?;
        let views: Vec<_> = annotations.into_iter().map(AnnotationView::of).collect();
        let said = sentences(opened.words, "page-notes-", &SCRIPT_WORDS, &GAPS);
        let may_share = access::may_share(&opened.table, person.who).is_ok();
        let link = link.map(|link| address(&web, &link));
        let colours = web.compute(move |_| {
            let play = opened.table.play().ok_or(Denied::Malformed)?;
            Ok::<_, Denied>(DrawnColours::of(play.scene(&look(&opened, play)).theme))
        });
        let colours = colours.await?;
        let most = MAX_COMMENT_CHARS;
        Ok(Json(json!({ "annotations": views, "words": said, "colours": colours, "may_share": may_share,
            "link": link, "most": most }))
        .into_response())
    };
    found.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Stores an annotation in place of the one of the same position; an empty one deletes it.
pub(in crate::web) async fn save(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let saved = async {
        let (person, opened) = open_finished_checking_csrf(&web, &table, &headers).await?;
        let sent = sent(&headers).ok_or(Denied::Malformed)?;
        let of = opened.clone();
        let (position, sent) = web
            .compute(move |_| {
                let found = canonical(&of.table, sent.ply, &sent.line.join(&MOVE.to_string()));
                let (position, cells) = found.ok_or(Denied::Malformed)?;
                let known = |name: &str| cells.iter().any(|cell| cell == name);
                let drawn = sent
                    .arrows
                    .iter()
                    .flat_map(|arrow| arrow.split('-'))
                    .chain(sent.marks.iter().map(String::as_str));
                let is_drawn_on_cells = drawn.into_iter().all(known);
                is_drawn_on_cells.then_some((position, sent)).ok_or(Denied::Malformed)
            })
            .await?;
        let (arrows, marks) = (&sent.arrows, &sent.marks);
        let annotation = Annotation::new(position, &sent.comment, arrows, marks, web.registry.now());
        let annotation = annotation.map_err(|error| refused(opened.words, error))?;
        let kept = web.registry.annotate(opened.table.id(), person.who, &annotation).await;
        if !kept.map_err(not_kept)? {
            let most = [("most", MAX_POSITIONS.into())];
            return Err(Denied::refused(opened.words.say("page-notes-full", &most)));
        }
        Ok(Json(json!({ "saved": true })).into_response())
    };
    saved.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Makes the link that shows the person's annotations, or returns the one that there is.
pub(in crate::web) async fn share(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let shared = async {
        let (person, opened) = open_finished_checking_csrf(&web, &table, &headers).await?;
        access::may_share(&opened.table, person.who).map_err(|error| {
            let key = match error {
                ShareError::NotSeated => "page-notes-not-seated",
                ShareError::NotBegun => "refused-not-begun",
            };
            Denied::refused(opened.words.word(key))
        })?;
        let link = web.registry.share_annotations(&opened.table, person.who).await.map_err(not_kept)?;
        Ok(Json(json!({ "link": address(&web, &link) })).into_response())
    };
    shared.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Withdraws the person's link.
pub(in crate::web) async fn stop_sharing(
    State(web): State<Arc<Web>>,
    Path(table): Path<String>,
    headers: HeaderMap,
) -> Response {
    let stopped = async {
        let (person, opened) = open_finished_checking_csrf(&web, &table, &headers).await?;
        let stopped = web.registry.stop_sharing_annotations(opened.table.id(), person.who).await;
        stopped.map_err(not_kept)?;
        Ok(Json(json!({ "link": null })).into_response())
    };
    stopped.await.unwrap_or_else(|denied: Denied| denied.into_json(web.words))
}

/// Opens a finished game to the person who is signed in.
async fn open_finished(
    web: &Web,
    table: &str,
    headers: &HeaderMap,
) -> Result<(SignedIn, OpenedTable), Denied> {
    let (person, opened) = open_for_signed_in(web, table, headers).await?;
    match opened.table.status() {
        Status::Over(_) if opened.table.play().is_some() => Ok((person, opened)),
        _ => Err(Denied::refused(opened.words.word("page-notes-running"))),
    }
}

/// Opens a finished game for a request that changes something.
async fn open_finished_checking_csrf(
    web: &Web,
    table: &str,
    headers: &HeaderMap,
) -> Result<(SignedIn, OpenedTable), Denied> {
    let (person, opened) = open_finished(web, table, headers).await?;
    check_csrf(web, headers, &person)?;
    Ok((person, opened))
}

/// Reads the annotation in a request's header.
fn sent(headers: &HeaderMap) -> Option<SentAnnotation> {
    let bytes = URL_SAFE_NO_PAD.decode(headers.get(ANNOTATION)?.as_bytes()).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Returns a position as it is stored, and the names of the board's cells; `None` if there is no such position. Moves that
/// the game itself goes on with belong to the game, and the others are in the notation of the record.
fn canonical(table: &Table, ply: usize, line: &str) -> Option<(AnnotatedPosition, Vec<String>)> {
    let play = position(table, ply, line)?;
    let (game, record) = (table.play()?.record(), play.record());
    let same = game.iter().zip(&record).take_while(|(game, record)| game == record).count();
    let ply = ply.max(same).min(record.len());
    let line = record[ply..].join(&MOVE.to_string());
    let board = play.board();
    let cells = board.cells().map(|cell| board.name(cell).to_owned()).collect();
    (line.len() <= MAX_LINE_BYTES).then_some((AnnotatedPosition { ply, line }, cells))
}

fn refused(words: &Localizer, error: AnnotationError) -> Denied {
    let say = |key: &str, count: usize, most: usize| {
        Denied::refused(words.say(key, &[("count", count.into()), ("most", most.into())]))
    };
    match error {
        AnnotationError::LongComment(count) => say("page-notes-long", count, MAX_COMMENT_CHARS),
        AnnotationError::ManyArrows(count) => say("page-notes-many-arrows", count, MAX_DRAWN),
        AnnotationError::ManyMarks(count) => say("page-notes-many-marks", count, MAX_DRAWN),
        AnnotationError::BadDrawing(_) => Denied::Malformed,
    }
}

/// The journal failed; the page tries again.
fn not_kept(error: rookery_table::ports::StoreError) -> Denied {
    tracing::warn!(%error, "could not read or store annotations");
    Denied::Later("denied-journal")
}

/// Returns the address of a link's page.
fn address(web: &Web, link: &AnnotationLink) -> String {
    format!("{}/n/{}", web.address.as_deref().unwrap_or_default(), link.token.as_str())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rookery_core::rules::Setup;
    use rookery_table::ports::Entry;
    use rookery_table::{Terms, UserId, decide};

    use super::*;

    /// A study of a game with two turns.
    fn study() -> Table {
        let mut play = rookery_games::named("amazons").unwrap().start(&Setup::new(2)).unwrap();
        for _ in 0..2 {
            let text = play.moves().remove(0);
            play.play(&text).unwrap();
        }
        let terms = Terms { game: "amazons".into(), ..Terms::default() };
        let events = decide::study(terms, UserId(1), play.as_ref(), &[]);
        let entry = |(sequence, event)| Entry { sequence, at: Timestamp::UNIX_EPOCH, source: None, event };
        let entries: Vec<_> = (1..).zip(events).map(entry).collect();
        Table::replay("K7Q2".parse().unwrap(), &entries).unwrap().unwrap()
    }

    #[test]
    fn annotated_positions_of_the_game_are_no_variations() {
        let table = study();
        let play = table.play().unwrap();
        let [first, second]: [String; 2] = play.record().try_into().unwrap();
        let at = |ply, line: &str| canonical(&table, ply, line).map(|(position, _)| position);
        let of_game = |ply| Some(AnnotatedPosition { ply, line: String::new() });
        assert_eq!((at(0, ""), at(2, "")), (of_game(0), of_game(2)));
        assert_eq!(at(0, &first), of_game(1));
        assert_eq!(at(0, &format!("{first},{second}")), of_game(2));
        let other = play.at_ply(1).moves().into_iter().find(|text| *text != second).unwrap();
        let beside = Some(AnnotatedPosition { ply: 1, line: other.clone() });
        assert_eq!(at(1, &other), beside);
        assert_eq!(
            at(0, &format!("{first},{}", other.to_uppercase())),
            beside,
            "in the notation of the record"
        );
        for (ply, line) in [(3, ""), (1, "a1-a9/z1"), (0, second.as_str())] {
            assert_eq!(at(ply, line), None, "{ply} {line}");
        }
    }
}
