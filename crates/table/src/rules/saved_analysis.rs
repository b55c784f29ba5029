//! The stored analysis of a finished game: its review, and the best moves at the turns that people asked for.
//!
//! It is derived from the game, so one that cannot be read, or that another engine made, counts as missing.

use std::sync::Arc;
use std::time::Duration;

use rookery_core::Line;
use rookery_core::player::Value;
use serde::{Deserialize, Serialize};

use crate::review::Review;

/// The most bytes of the stored text. Beyond them the positions that were asked for first are dropped.
const MAX_BYTES: usize = 64 * 1024;
/// The most moves kept of a line.
const MAX_LINE_MOVES: usize = 8;

/// What an analysis was made with. Another engine, or another number of positions searched, makes another analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisVersion {
    /// The version of the searches.
    pub engine: String,
    /// The positions searched for the review of a game.
    pub review_nodes: u64,
    /// The positions searched for the best moves at a turn.
    pub lines_nodes: u64,
}

/// A move, the expected continuation, and its value for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestLine {
    /// The move, then the expected continuation.
    pub moves: Vec<String>,
    /// How good it is for the side to move.
    #[serde(with = "ValueForm")]
    pub value: Value,
}

/// What is wanted of a position, as it is stored while somebody waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wanted {
    /// A move.
    Move {
        /// The most positions to search.
        nodes: u64,
        /// The longest time of the search.
        time: Duration,
    },
    /// The best lines, which are stored with the finished game.
    Lines,
    /// The review of the game, which is stored with it.
    Review,
}

/// The stored form of [`Value`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Value", rename_all = "lowercase")]
enum ValueForm {
    Lost(u32),
    Estimate(i32),
    Drawn,
    Won(u32),
}

impl From<Line> for BestLine {
    fn from(mut line: Line) -> BestLine {
        line.moves.truncate(MAX_LINE_MOVES);
        BestLine { moves: line.moves, value: line.value }
    }
}

/// The best moves at a position, best first.
pub type BestLines = Arc<Vec<BestLine>>;

/// What is known of one position of a game.
#[derive(Clone, Debug, Default)]
pub struct KnownAnalysis {
    /// The review of the whole game.
    pub review: Option<Arc<Review>>,
    /// The best moves there.
    pub lines: Option<BestLines>,
}

/// The best moves at a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PositionLines {
    /// The number of turns taken before it.
    ply: usize,
    /// Best first.
    lines: Vec<BestLine>,
}

/// What is known of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedAnalysis {
    version: AnalysisVersion,
    /// The turns of the game.
    plies: usize,
    review: Option<Review>,
    /// In the order in which they were asked for.
    positions: Vec<PositionLines>,
}

impl SavedAnalysis {
    /// Creates an analysis of a game of `plies` turns, in which nothing is known yet.
    pub fn new(version: AnalysisVersion, plies: usize) -> SavedAnalysis {
        SavedAnalysis { version, plies, review: None, positions: Vec::new() }
    }

    /// Reads a stored analysis; one of another version, of a game of another length or in another form counts as
    /// missing.
    #[must_use]
    pub fn read(text: &str, version: AnalysisVersion, plies: usize) -> SavedAnalysis {
        let stored = serde_json::from_str(text).ok();
        let is_current = |stored: &SavedAnalysis| stored.version == version && stored.plies == plies;
        stored.filter(is_current).unwrap_or_else(|| SavedAnalysis::new(version, plies))
    }

    /// Returns the text to store, without the oldest positions if it would be too long. `None` if the review alone is.
    pub fn text(&mut self) -> Option<String> {
        loop {
            let text = serde_json::to_string(self).ok()?;
            if text.len() <= MAX_BYTES {
                return Some(text);
            }
            if self.positions.is_empty() {
                return None;
            }
            self.positions.remove(0);
        }
    }

    /// Returns the review of the game, if it was made.
    pub fn review(&self) -> Option<&Review> {
        self.review.as_ref()
    }

    /// Returns the best moves at a turn, best first, if somebody asked for them.
    pub fn lines_at(&self, ply: usize) -> Option<&[BestLine]> {
        self.positions.iter().find(|position| position.ply == ply).map(|position| position.lines.as_slice())
    }

    /// Adds the review of the game.
    pub fn set_review(&mut self, review: Review) {
        self.review = Some(review);
    }

    /// Adds the best moves at a turn.
    pub fn set_lines(&mut self, ply: usize, lines: Vec<BestLine>) {
        self.positions.retain(|position| position.ply != ply);
        self.positions.push(PositionLines { ply, lines });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{LeadCurve, TurningPoint};
    use rookery_core::Seat;

    fn version() -> AnalysisVersion {
        AnalysisVersion { engine: "c473c064".into(), review_nodes: 1_000_000, lines_nodes: 200_000 }
    }

    fn line(text: &str, value: Value) -> BestLine {
        BestLine { moves: vec![text.to_owned()], value }
    }

    fn review(plies: usize) -> Review {
        let dots = (0..plies).map(|ply| (ply, -35)).collect();
        let turn = TurningPoint {
            ply: 1,
            seat: Seat::SECOND,
            played: "a5-b5/a5".into(),
            better: "a5-a4/a5".into(),
            leads: (-20, -1_500),
        };
        Review { curves: vec![LeadCurve { seat: Seat::FIRST, dots }], turns: vec![turn] }
    }

    #[test]
    fn saved_analysis_is_read_back_until_the_engine_or_the_game_changes() {
        let mut saved = SavedAnalysis::new(version(), 2);
        saved.set_review(review(2));
        let values = [Value::Won(3), Value::Drawn, Value::Estimate(-40), Value::Lost(2)];
        let lines: Vec<_> = values.map(|value| line("a2-a3/a2", value)).into();
        saved.set_lines(1, vec![line("b1-b2/b1", Value::Drawn)]);
        saved.set_lines(1, lines.clone());
        let text = saved.text().unwrap();
        let read = SavedAnalysis::read(&text, version(), 2);
        assert_eq!(read, saved);
        assert_eq!((read.review(), read.lines_at(1)), (Some(&review(2)), Some(lines.as_slice())));
        assert_eq!(read.lines_at(0), None);
        let stronger = AnalysisVersion { engine: "0badcafe".into(), ..version() };
        let deeper = AnalysisVersion { lines_nodes: 400_000, ..version() };
        for (version, plies) in [(stronger, 2), (deeper, 2), (version(), 3)] {
            let read = SavedAnalysis::read(&text, version.clone(), plies);
            assert_eq!(read, SavedAnalysis::new(version, plies));
        }
        let damaged = SavedAnalysis::read("{}", version(), 2);
        assert_eq!(damaged, SavedAnalysis::new(version(), 2));
    }

    /// Another form would make every stored analysis unreadable.
    #[test]
    fn saved_analysis_keeps_its_form() {
        let mut saved = SavedAnalysis::new(version(), 1);
        saved.set_review(Review { curves: review(1).curves, turns: Vec::new() });
        saved.set_lines(0, vec![line("b1-b2/b1", Value::Estimate(40))]);
        let form =
            r#"{"version":{"engine":"c473c064","review_nodes":1000000,"lines_nodes":200000},"plies":1,"#
                .to_owned()
                + r#""review":{"curves":[{"seat":0,"dots":[[0,-35]]}],"turns":[]},"#
                + r#""positions":[{"ply":0,"lines":[{"moves":["b1-b2/b1"],"value":{"estimate":40}}]}]}"#;
        assert_eq!(saved.text().as_deref(), Some(form.as_str()));
    }

    #[test]
    fn saved_analysis_drops_the_oldest_positions_when_it_is_long() {
        let mut saved = SavedAnalysis::new(version(), 900);
        saved.set_review(review(900));
        for ply in 0..900 {
            saved.set_lines(ply, vec![line("b1-b2/b1", Value::Drawn); 3]);
        }
        let text = saved.text().unwrap();
        assert!((MAX_BYTES / 2..=MAX_BYTES).contains(&text.len()), "{}", text.len());
        let read = SavedAnalysis::read(&text, version(), 900);
        assert!(read.review().is_some() && read.lines_at(899).is_some() && read.lines_at(0).is_none());
        let mut endless = SavedAnalysis::new(version(), 1);
        endless.set_review(review(20_000));
        assert_eq!(endless.text(), None);
    }

    #[test]
    fn saved_analysis_keeps_the_first_moves_of_a_line() {
        let moves = (0..20).map(|n| n.to_string()).collect();
        let kept = BestLine::from(Line { moves, value: Value::Drawn });
        assert_eq!(kept.moves.len(), MAX_LINE_MOVES);
        assert_eq!(kept.moves[0], "0");
    }
}
