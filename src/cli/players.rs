//! Arguments of the commands that measure and tune the players.

use std::path::PathBuf;

use clap::Args;

use super::whole;

/// Arguments of `bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Only this game [default: all of them]
    pub game: Option<String>,
    /// How long each level takes for a move instead
    #[arg(long)]
    pub levels: bool,
    /// How deep a second of CPU time goes instead, and its memory, from three positions of each game
    #[arg(long, conflicts_with = "levels")]
    pub depth: bool,
    /// Nodes to search in each position; the signature belongs to the default number
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..), conflicts_with_all = ["levels", "depth"])]
    pub nodes: Option<u64>,
}

/// Arguments of `ladder`.
#[derive(Clone, Debug, Args)]
pub struct LadderArgs {
    /// The game's name, such as amazons
    pub game: String,
    /// How many games each match has; an odd number is one more, so that seats are swapped fairly
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1..))]
    pub games: u32,
    /// How much of their time the levels get that are bounded by time
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = whole::<u32>(1..=100))]
    pub percent: u32,
    /// The seed of the openings: the same seed gives the same openings
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    pub seed: u64,
}

/// Arguments of `match`.
#[derive(Clone, Debug, Args)]
pub struct MatchArgs {
    /// A level such as hard, a player kept as a measure such as yardstick, or a command that speaks the
    /// protocol of `rookery ugi`
    pub a: String,
    /// The other player, in the same manner
    pub b: String,
    /// The game's name, such as amazons
    #[arg(long)]
    pub game: String,
    /// How many seats a game has; the other player takes all but one
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// How many games to play; rounded up, so that each opening is played from every seat
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u32>(1..))]
    pub games: u32,
    /// Milliseconds of CPU time a move
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = whole::<u64>(1..))]
    pub movetime: u64,
    /// Positions to look at for a move, in place of time: then the match is the same on any machine
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = whole::<u64>(1..))]
    pub nodes: Option<u64>,
    /// The seed of the openings: the same seed gives the same openings
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    pub seed: u64,
    /// Give the first player one part in N of the time, or of the positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..))]
    pub odds: u32,
    /// End a game of two once both players' evaluations agree on a win by this many hundredths for two moves each
    #[arg(long, value_name = "HUNDREDTHS", value_parser = whole::<i32>(1..))]
    pub agreed: Option<i32>,
    /// Keep the games' records in this file; a match that was interrupted goes on from them
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
}

/// Arguments of `ugi`.
#[derive(Clone, Debug, Args)]
pub struct UgiArgs {
    /// The game's name, such as amazons
    pub game: String,
}

/// Arguments of `fit`.
#[derive(Clone, Debug, Args)]
pub struct FitArgs {
    /// Whose weights: amazons, penguins, amazon_penguins or paper_penguins
    #[arg(long, value_name = "GAME", default_value = "amazons")]
    pub game: String,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 450, value_parser = whole::<u64>(1..))]
    pub games: u64,
    /// Positions to look at for each move
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = whole::<u64>(1..))]
    pub nodes: u64,
    /// The seed of the openings
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    pub seed: u64,
}

/// Arguments of `book`.
#[derive(Clone, Debug, Args)]
pub struct BookArgs {
    /// How many plies it goes
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub plies: usize,
    /// Milliseconds of CPU time for each position
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = whole::<u64>(1..))]
    pub movetime: u64,
    /// Moves up to this many hundredths of a move worse than the best are good enough
    #[arg(long, value_name = "N", default_value_t = 25)]
    pub margin: i32,
}
