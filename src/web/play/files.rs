//! The scripts and the style of the pages for playing.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rookery_table::digest::sha256_hex;

/// The Cache-Control of a file whose address changes with its content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The files that the pages load: name, type and content.
const FILES: [(&str, &str, &str); 35] = [
    ("play.css", CSS_TYPE, include_str!("play.css")),
    ("play.js", JS_TYPE, include_str!("play.js")),
    ("shown.js", JS_TYPE, include_str!("shown.js")),
    ("choosing.js", JS_TYPE, include_str!("choosing.js")),
    ("variations.js", JS_TYPE, include_str!("variations.js")),
    ("orders.js", JS_TYPE, include_str!("orders.js")),
    ("live.js", JS_TYPE, include_str!("live.js")),
    ("board-view.js", JS_TYPE, include_str!("board-view.js")),
    ("board.js", JS_TYPE, include_str!("board.js")),
    ("off-board.js", JS_TYPE, include_str!("off-board.js")),
    ("drag.js", JS_TYPE, include_str!("drag.js")),
    ("moves.js", JS_TYPE, include_str!("moves.js")),
    ("navigation.js", JS_TYPE, include_str!("navigation.js")),
    ("mine.js", JS_TYPE, include_str!("mine.js")),
    ("record.js", JS_TYPE, include_str!("record.js")),
    ("hint.js", JS_TYPE, include_str!("hint.js")),
    ("request.js", JS_TYPE, include_str!("request.js")),
    ("after-game.js", JS_TYPE, include_str!("after-game.js")),
    ("analysis.js", JS_TYPE, include_str!("analysis.js")),
    ("panels.js", JS_TYPE, include_str!("panels.js")),
    ("players.js", JS_TYPE, include_str!("players.js")),
    ("annotations.css", CSS_TYPE, include_str!("annotations.css")),
    ("annotations.js", JS_TYPE, include_str!("annotations.js")),
    ("pen.js", JS_TYPE, include_str!("pen.js")),
    ("sound-button.js", JS_TYPE, include_str!("sound-button.js")),
    ("sound.js", JS_TYPE, include_str!("sound.js")),
    ("storage.js", JS_TYPE, include_str!("storage.js")),
    ("steps.js", JS_TYPE, include_str!("../steps.js")),
    ("set-up.css", CSS_TYPE, include_str!("set-up.css")),
    ("strokes.js", JS_TYPE, include_str!("strokes.js")),
    ("set-up.js", JS_TYPE, include_str!("set-up.js")),
    ("dom.js", JS_TYPE, include_str!("dom.js")),
    ("double-press.js", JS_TYPE, include_str!("double-press.js")),
    ("frame.js", JS_TYPE, include_str!("../frame/frame.js")),
    ("embedded.js", JS_TYPE, include_str!("../frame/embedded.js")),
];
const CSS_TYPE: &str = "text/css; charset=utf-8";
const JS_TYPE: &str = "text/javascript; charset=utf-8";

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
    Ok(([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, IMMUTABLE)], *content).into_response())
}
