//! The scripts and the style of the pages for playing.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rookery_table::digest::sha256_hex;

/// How long browsers keep a file whose address changes with its content.
const KEPT: &str = "public, max-age=31536000, immutable";

/// The files that the pages load: name, type and content.
const FILES: [(&str, &str, &str); 35] = [
    ("play.css", STYLE, include_str!("play.css")),
    ("play.js", SCRIPT, include_str!("play.js")),
    ("shown.js", SCRIPT, include_str!("shown.js")),
    ("choosing.js", SCRIPT, include_str!("choosing.js")),
    ("variations.js", SCRIPT, include_str!("variations.js")),
    ("orders.js", SCRIPT, include_str!("orders.js")),
    ("live.js", SCRIPT, include_str!("live.js")),
    ("board-view.js", SCRIPT, include_str!("board-view.js")),
    ("board.js", SCRIPT, include_str!("board.js")),
    ("off-board.js", SCRIPT, include_str!("off-board.js")),
    ("drag.js", SCRIPT, include_str!("drag.js")),
    ("moves.js", SCRIPT, include_str!("moves.js")),
    ("navigation.js", SCRIPT, include_str!("navigation.js")),
    ("mine.js", SCRIPT, include_str!("mine.js")),
    ("record.js", SCRIPT, include_str!("record.js")),
    ("hint.js", SCRIPT, include_str!("hint.js")),
    ("request.js", SCRIPT, include_str!("request.js")),
    ("after-game.js", SCRIPT, include_str!("after-game.js")),
    ("analysis.js", SCRIPT, include_str!("analysis.js")),
    ("panels.js", SCRIPT, include_str!("panels.js")),
    ("players.js", SCRIPT, include_str!("players.js")),
    ("annotations.css", STYLE, include_str!("annotations.css")),
    ("annotations.js", SCRIPT, include_str!("annotations.js")),
    ("pen.js", SCRIPT, include_str!("pen.js")),
    ("sound-button.js", SCRIPT, include_str!("sound-button.js")),
    ("sound.js", SCRIPT, include_str!("sound.js")),
    ("storage.js", SCRIPT, include_str!("storage.js")),
    ("steps.js", SCRIPT, include_str!("../steps.js")),
    ("set-up.css", STYLE, include_str!("set-up.css")),
    ("strokes.js", SCRIPT, include_str!("strokes.js")),
    ("set-up.js", SCRIPT, include_str!("set-up.js")),
    ("dom.js", SCRIPT, include_str!("dom.js")),
    ("double-press.js", SCRIPT, include_str!("double-press.js")),
    ("frame.js", SCRIPT, include_str!("../frame/frame.js")),
    ("embedded.js", SCRIPT, include_str!("../frame/embedded.js")),
];
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Returns the address of a file. All change with the program, because the modules load each other.
pub(in crate::web) fn file_address(name: &str) -> String {
    format!("/play/files/{}/{name}", version())
}

/// A digest of all files.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let all: String = FILES.iter().map(|(_, _, content)| *content).collect();
        sha256_hex(&all)[..16].to_owned()
    });
    &VERSION
}

/// Serves a file.
pub(in crate::web) async fn file(Path((_, name)): Path<(String, String)>) -> Result<Response, StatusCode> {
    let (_, kind, content) = FILES.iter().find(|(known, ..)| *known == name).ok_or(StatusCode::NOT_FOUND)?;
    Ok(([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, KEPT)], *content).into_response())
}
