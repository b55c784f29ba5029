//! Short forms: moves without their redundant parts. `e2/f1` is a complete move if only one amazon can make it, and
//! `d1-d7` if only one arrow can be shot from there.

use super::rules::{GameRules, MoveOf, legal, spell};
use super::{IllegalMove, MoveError, Step, StepKind};

/// The most readings that are offered as a choice; a text with more is not treated as a short form.
const MAX_READINGS: usize = 20;

/// The only legal move that an incomplete text can mean.
///
/// # Errors
/// [`IllegalMove::Ambiguous`] if there are several, and the original error if there is none.
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
    found.retain(|m| matches_short_form::<R>(position, *m, &written, unfinished));
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

/// Whether a move begins with the text or, if the text is not a beginning, equals the text plus the piece.
///
/// In the second case the goal must be in the text: a single cell means where a piece goes, not where an arrow lands,
/// and a text without any cell, such as the direction `n`, need not mean a move.
fn matches_short_form<R: GameRules>(
    position: &R::Position,
    m: MoveOf<R>,
    written: &str,
    begins: bool,
) -> bool {
    let steps = R::steps(position, m);
    let is = |part: &[Step]| part.iter().filter_map(|step| bare(&step.text)).collect::<String>() == written;
    if begins {
        return (1..steps.len()).any(|at| is(&steps[..at]));
    }
    steps.iter().skip(1).any(|step| step.part == StepKind::Goal) && is(&steps[1..])
}

/// The text without blanks and separators, in lower case; `None` if it contains anything but letters and digits, or is
/// empty.
fn bare(text: &str) -> Option<String> {
    const BETWEEN: &str = "-/>,:;()–—→.";
    let kept = text.chars().filter(|c| !c.is_whitespace() && !BETWEEN.contains(*c));
    let bare: String = kept.flat_map(char::to_lowercase).collect();
    (!bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric())).then_some(bare)
}
