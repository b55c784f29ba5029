//! Short forms: moves written without what goes without saying. `e2/f1` is a whole move where one amazon
//! alone can do that, and `d1-d7` where only one arrow can be shot from there.

use super::rules::{GameRules, MoveOf, legal, spell};
use super::{IllegalMove, MoveError, Step, StepKind};

/// Readings offered to choose from; more than these are no short form but a puzzle.
const MAX_READINGS: usize = 20;

/// The only legal move that a text can mean which is none by itself.
///
/// # Errors
/// [`IllegalMove::Ambiguous`] if there are several, and what was wrong with the text in the first place if
/// there is none.
pub(super) fn resolve<R: GameRules>(
    position: &R::Position,
    text: &str,
    wrong: MoveError,
) -> Result<MoveOf<R>, MoveError> {
    let unfinished = matches!(wrong, MoveError::Illegal(IllegalMove::Incomplete { .. }));
    if matches!(wrong, MoveError::Illegal(IllegalMove::Ambiguous { .. } | IllegalMove::Over)) {
        return Err(wrong);
    }
    let Some(written) = bare(text) else { return Err(wrong) };
    let mut found: Vec<MoveOf<R>> = legal::<R>(position);
    found.retain(|m| means::<R>(position, *m, &written, unfinished));
    match &found[..] {
        [only] => Ok(*only),
        // An ambiguous beginning is answered with the possible next steps.
        [_, _, ..] if !unfinished && found.len() <= MAX_READINGS => {
            let readings = found.iter().map(|m| spell::<R>(position, *m)).collect();
            Err(IllegalMove::Ambiguous { readings }.into())
        }
        _ => Err(wrong),
    }
}

/// Whether a move begins with what is written; or, where that is no beginning, is all of it but the piece.
///
/// The goal must stand there then: who types one cell means where a piece goes, not where an arrow lands,
/// and who types no cell at all, such as the direction `n`, need not mean a move.
fn means<R: GameRules>(position: &R::Position, m: MoveOf<R>, written: &str, begins: bool) -> bool {
    let steps = R::steps(position, m);
    let is = |part: &[Step]| part.iter().filter_map(|step| bare(&step.text)).collect::<String>() == written;
    if begins {
        return (1..steps.len()).any(|at| is(&steps[..at]));
    }
    steps.iter().skip(1).any(|step| step.part == StepKind::Goal) && is(&steps[1..])
}

/// A text without blanks and separators, in lower case; `None` if anything but letters and digits is
/// left, or nothing.
fn bare(text: &str) -> Option<String> {
    const BETWEEN: &str = "-/>,:;()–—→.";
    let kept = text.chars().filter(|c| !c.is_whitespace() && !BETWEEN.contains(*c));
    let bare: String = kept.flat_map(char::to_lowercase).collect();
    (!bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric())).then_some(bare)
}
