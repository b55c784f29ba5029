//! `rookery book`: an opening book of the Amazons from long analyses.

use std::collections::HashSet;
use std::io::Write;

use rookery_core::player::{Level, Limits, SearchRequest, Value};
use rookery_core::rules::Setup;
use rookery_core::{GameRules, Play};
use rookery_games::amazons::{Amazons, book};

/// Moves analysed in each position.
const LINES: usize = 6;

/// The settings of a book.
#[derive(Clone, Debug)]
pub struct BookOptions {
    /// Plies from the start.
    pub plies: usize,
    /// The limits for each position: half for the best move, the rest shared by its alternatives.
    pub limits: Limits,
    /// Moves at most this many hundredths of a move worse than the best are included.
    pub margin: i32,
}

/// Writes a line for each position that occurs if both sides play from the book.
///
/// # Errors
/// If `out` cannot be written.
pub fn book(terms: &BookOptions, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut now = vec![super::named("amazons")?.start(&Setup::new(2))?];
    let mut known = HashSet::new();
    for _ in 0..terms.plies {
        let mut next = Vec::new();
        for play in now {
            let position = Amazons::from_line(&play.line())?;
            if !book::symmetry_class(&position).is_some_and(|symmetry_class| known.insert(symmetry_class)) {
                continue;
            }
            let good = good(play.as_ref(), terms);
            let words: Vec<_> = good.iter().map(|(m, value)| format!("{m} {value}")).collect();
            writeln!(out, "{} | {}", play.line(), words.join(" "))?;
            out.flush()?;
            next.extend(good.iter().filter_map(|(m, _)| after(play.as_ref(), m)));
        }
        now = next;
    }
    Ok(())
}

/// The best moves and their values, one of each group that leads to equivalent positions.
fn good(play: &dyn Play, terms: &BookOptions) -> Vec<(String, i32)> {
    let request = SearchRequest { limits: terms.limits.clone(), ..SearchRequest::new(Level::Expert, 1) };
    let Some(analysis) = play.analyse(&request, LINES) else { return Vec::new() };
    let line = |line: rookery_core::Line| match line.value {
        Value::Estimate(value) => Some((line.moves.into_iter().next()?, value)),
        _ => None,
    };
    let mut good: Vec<(String, i32)> = analysis.lines.into_iter().filter_map(line).collect();
    let best = good.iter().map(|(_, value)| *value).max().unwrap_or_default();
    good.retain(|(_, value)| best - value <= terms.margin);
    let mut alike = HashSet::new();
    good.retain(|(m, _)| {
        let next = after(play, m).and_then(|next| Amazons::from_line(&next.line()).ok());
        next.and_then(|next| book::symmetry_class(&next))
            .is_some_and(|symmetry_class| alike.insert(symmetry_class))
    });
    good
}

fn after(play: &dyn Play, m: &str) -> Option<Box<dyn Play>> {
    let mut next = play.clone_play();
    next.play(m).ok()?;
    Some(next)
}
