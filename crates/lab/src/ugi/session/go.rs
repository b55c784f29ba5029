//! Parses the arguments of `go`.

use std::time::Duration;

use rookery_core::MAX_SEATS;
use rookery_core::player::Limits;

/// The assumed number of remaining moves on a clock, if the command does not give one.
const TURNS_LEFT: u64 = 30;
/// One part in this many of a clock is reserved.
const RESERVE_DIVISOR: u64 = 10;

/// The clocks of the sides, in milliseconds.
#[derive(Default)]
struct Clocks {
    left: [Option<u64>; MAX_SEATS],
    more: [u64; MAX_SEATS],
    /// Turns until time is added.
    turns: Option<u64>,
}

impl Clocks {
    /// Sets the clock that a word names: `wtime` and `binc` in chess, `p1time` and `p2inc` in other games.
    fn handle_line(&mut self, word: &str, number: i64) -> bool {
        // A clock may be negative.
        let number = number.max(0) as u64;
        let side = match word.as_bytes() {
            [b'w', ..] => 0,
            [b'b', ..] => 1,
            [b'p', digit @ b'1'..=b'4', ..] => usize::from(digit - b'1'),
            _ => MAX_SEATS,
        };
        let kind = word.trim_start_matches(['w', 'b', 'p', '1', '2', '3', '4']);
        match kind {
            "movestogo" => self.turns = Some(number),
            "time" if side < MAX_SEATS => self.left[side] = Some(number),
            "inc" if side < MAX_SEATS => self.more[side] = number,
            _ => return false,
        }
        true
    }

    /// A side's time for one move: a part of the remaining time, and the increment.
    fn share(&self, side: usize) -> Option<Duration> {
        let left = (*self.left.get(side)?)?;
        let turns = self.turns.unwrap_or(TURNS_LEFT).clamp(1, TURNS_LEFT);
        let share = (left / turns)
            .saturating_add(self.more[side])
            .min(left - left.div_ceil(RESERVE_DIVISOR).min(left));
        Some(Duration::from_millis(share.max(1)))
    }
}

/// The limits of a search by a side (0 moves first). An infinite search has none.
///
/// # Errors
/// The unknown arguments, for an error message.
pub(super) fn limits(rest: &str, cpu_time: bool, side: usize) -> Result<Limits, String> {
    let mut limits = Limits { cpu_time, ..Limits::default() };
    let mut clocks = Clocks::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "infinite" => {
                limits.time = Some(Duration::MAX);
                continue;
            }
            // Pondering is not supported: it is treated as an ordinary search.
            "ponder" => continue,
            _ => {}
        }
        let value = words.next().ok_or(format!("`{word}` needs a number after it"))?;
        let number: i64 =
            value.parse().map_err(|_| format!("`{word}` needs a whole number, not `{value}`"))?;
        let counted = || u64::try_from(number).map_err(|_| format!("`{word}` can't be less than 0"));
        match word {
            "movetime" => limits.time = Some(Duration::from_millis(counted()?)),
            "nodes" => limits.nodes = Some(counted()?),
            "depth" => limits.depth = Some(counted()?.min(1000) as u32),
            _ if clocks.handle_line(word, number) => {}
            _ => {
                return Err(format!(
                    "unknown argument `{word}`; use movetime, nodes, depth, infinite, ponder, or clocks (wtime, btime, winc, \
                     binc, p1time, p1inc and so on, movestogo)"
                ));
            }
        }
    }
    limits.time = limits.time.or(clocks.share(side));
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_gives_a_part_of_what_is_left_and_what_is_added() {
        let time = |words: &str, side| limits(words, false, side).unwrap().time.map(|time| time.as_millis());
        let clocks = "wtime 60000 btime 30000 winc 1000 binc 500";
        assert_eq!((time(clocks, 0), time(clocks, 1)), (Some(3_000), Some(1_500)));
        assert_eq!(time(&format!("ponder {clocks} movestogo 10"), 0), Some(7_000));
        assert_eq!(time("p1time 3000 p3time 6000", 2), Some(200));
        // Never all of the remaining time; an expired clock still leaves time to answer.
        assert_eq!(time("wtime 1000 winc 5000 movestogo 1", 0), Some(900));
        assert_eq!((time("wtime -20", 0), time("wtime 1 winc 50", 0)), (Some(1), Some(1)));
        assert_eq!(time("wtime 60000", 1), None);
        assert_eq!(time("movetime 70 wtime 60000", 0), Some(70));
    }

    #[test]
    fn unknown_go_arguments_are_reported() {
        for wrong in ["wtime", "nodes -1", "btime soon", "p5time 100", "time 5", "searchmoves a1"] {
            assert!(limits(wrong, false, 0).is_err(), "{wrong}");
        }
    }
}
