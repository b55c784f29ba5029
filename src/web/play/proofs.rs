//! The proof of a result on a page: whose each area is, what each side can still get there, and the moves to the end.

use maud::{Markup, PreEscaped, html};
use rookery_core::svg::inline_svg;
use rookery_i18n::Localizer;
use serde::Serialize;

use super::super::discord_side::OpenedTable;
use super::board::look;
use crate::drawing::proof_look;

/// A proof, as the page shows it.
#[derive(Serialize)]
pub(super) struct ProofView {
    /// From when on the result was certain, and what each side had left.
    why: String,
    /// The moves that end the game.
    moves: String,
    /// The drawing of the areas; `None` in the data of a page, which has it already.
    board: Option<String>,
    /// What the drawing shows, in words.
    alt: String,
}

/// Returns the proof of a table's result, if there is one.
pub(super) fn proof(opened: &OpenedTable) -> Option<ProofView> {
    let (table, words) = (&*opened.table, opened.words);
    let (play, proof) = table.proven_play()?;
    let play = play.as_ref();
    let look = proof_look(play, proof, look(opened, play));
    let why = [("ply", proof.ply.into()), ("left", words.left(Some(play), &proof.left).into())];
    Some(ProofView {
        why: words.say("page-proof-why", &why),
        moves: words.say("page-proof-moves", &[("moves", proof.numbered_moves().into())]),
        board: Some(inline_svg(&play.scene(&look))),
        alt: words.alt(&words.board(table, play, Some(&look))),
    })
}

/// Renders what shows the proof, also without a script.
pub(super) fn details(words: &Localizer, proof: Option<&ProofView>) -> Markup {
    html! {
        details #proof hidden[proof.is_none()] {
            summary { (words.word("button-proof")) }
            p #proof-why { @if let Some(proof) = proof { (proof.why) } }
            div #proof-board.example role="img" aria-label=[proof.map(|proof| &proof.alt)] {
                @if let Some(board) = proof.and_then(|proof| proof.board.as_ref()) { (PreEscaped(board)) }
            }
            p.quiet { (words.word("page-proof-areas")) }
            p #proof-moves.quiet { @if let Some(proof) = proof { (proof.moves) } }
        }
    }
}
