//! A second, naive implementation of the rules of Amoeba: stacks as strings on named points, sharing no code with the
//! rules. For comparison only.

use std::collections::BTreeMap;

/// Stacks, bottom first, by row letter and number; the side to move (0 or 1); and the number of occurrences of the
/// position.
#[derive(Clone, Debug)]
pub(super) struct Naive {
    stacks: BTreeMap<Point, String>,
    turn: usize,
    times: usize,
}

/// The letter of a row and a number.
type Point = (char, i32);

/// The number of occurrences of each position.
pub(super) type History = BTreeMap<String, usize>;

const ROWS: [(char, i32); 7] = [('a', 4), ('b', 5), ('c', 6), ('d', 7), ('e', 6), ('f', 5), ('g', 4)];

fn width(row: char) -> i32 {
    ROWS.iter().find(|(letter, _)| *letter == row).map_or(0, |(_, width)| *width)
}

/// One step: along the row, or to the left or right neighbour in the row above or below.
fn step((row, n): Point, way: usize) -> Option<Point> {
    let up = char::from(row as u8 + 1);
    let down = char::from(row as u8 - 1);
    // The neighbours of point n are n and n+1 in a longer row, n-1 and n in a shorter one.
    let left = |to: char| if width(to) > width(row) { n } else { n - 1 };
    let to = match way {
        0 => (row, n - 1),
        1 => (row, n + 1),
        2 => (up, left(up)),
        3 => (up, left(up) + 1),
        4 => (down, left(down)),
        _ => (down, left(down) + 1),
    };
    (1..=width(to.0)).contains(&to.1).then_some(to)
}

impl Naive {
    pub(super) fn start() -> Naive {
        let mut stacks = BTreeMap::new();
        for (row, upto, piece) in [('a', 4, "A"), ('c', 6, "A"), ('e', 6, "B"), ('g', 4, "B")] {
            stacks.extend((1..=upto).map(|n| ((row, n), piece.to_owned())));
        }
        stacks.insert(('b', 3), "K".to_owned());
        stacks.insert(('f', 3), "L".to_owned());
        Naive { stacks, turn: 0, times: 1 }
    }

    /// Adds the position to the history of a game.
    pub(super) fn standing(mut self, history: &mut History) -> Naive {
        let times = history.entry(self.line()).or_default();
        *times += 1;
        self.times = *times;
        self
    }

    fn owner(stack: &str) -> usize {
        usize::from(stack.ends_with(['B', 'L']))
    }

    /// All moves of the side to move, even if the game is over: their spelling, and where the pieces fall.
    fn ways(&self) -> Vec<(String, Vec<Point>)> {
        let mut found = Vec::new();
        for (from, stack) in &self.stacks {
            if Naive::owner(stack) != self.turn {
                continue;
            }
            for way in 0..6 {
                let line = std::iter::successors(step(*from, way), |at| step(*at, way));
                let points: Vec<Point> = line.take(stack.len()).collect();
                if points.len() < stack.len() {
                    continue;
                }
                let last = points[points.len() - 1];
                let name = |sign: char| format!("{}{}{sign}{}{}", from.0, from.1, last.0, last.1);
                found.push((name('-'), vec![last; stack.len()]));
                if stack.len() > 1 {
                    found.push((name('>'), points));
                }
            }
        }
        found
    }

    /// The spellings of all moves, sorted; none once the game is over.
    pub(super) fn moves(&self) -> Vec<String> {
        let ways = if self.winner().is_some() { Vec::new() } else { self.ways() };
        let mut moves: Vec<String> = ways.into_iter().map(|(name, _)| name).collect();
        moves.sort();
        moves
    }

    /// The position after a move.
    pub(super) fn after(&self, text: &str, history: &mut History) -> Naive {
        let (_, points) = self.ways().into_iter().find(|(name, _)| name == text).expect("a listed move");
        let row = text.as_bytes()[0] as char;
        let from = (row, i32::from(text.as_bytes()[1] - b'0'));
        let mut next = self.clone();
        let stack = next.stacks.remove(&from).expect("a stack that moves");
        for (point, piece) in points.into_iter().zip(stack.chars()) {
            next.stacks.entry(point).or_default().push(piece);
        }
        next.turn = 1 - next.turn;
        next.standing(history)
    }

    /// The winner: 0, 1, or 2 for a draw.
    pub(super) fn winner(&self) -> Option<usize> {
        let mover = 1 - self.turn;
        let controls = |side: usize, kernel: char| {
            self.stacks.values().any(|stack| stack.contains(kernel) && Naive::owner(stack) == side)
        };
        let kernels = ['K', 'L'];
        if controls(mover, kernels[1 - mover]) {
            return Some(mover);
        }
        if controls(1 - mover, kernels[mover]) {
            return Some(1 - mover);
        }
        if self.ways().is_empty() {
            return Some(mover);
        }
        if self.times < 3 {
            return None;
        }
        let count = |side| self.stacks.values().filter(|stack| Naive::owner(stack) == side).count();
        Some(match count(0).cmp(&count(1)) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
        })
    }

    /// Writes the position in the rules' notation, up to the side to move.
    pub(super) fn line(&self) -> String {
        let row = |(row, width): &(char, i32)| {
            let points: Vec<String> =
                (1..=*width).map(|n| self.stacks.get(&(*row, n)).cloned().unwrap_or_default()).collect();
            let mut words: Vec<String> = Vec::new();
            for group in points.chunk_by(|a, b| a.is_empty() && b.is_empty()) {
                words.push(if group[0].is_empty() { group.len().to_string() } else { group[0].clone() });
            }
            words.join(",")
        };
        let rows: Vec<String> = ROWS.iter().rev().map(row).collect();
        format!("{} {}", rows.join("/"), self.turn + 1)
    }
}
