//! Arguments of the commands that measure and tune the players.

use std::path::PathBuf;

use clap::Args;

use super::integer_in;

/// What `rookery bench` measures, and how long it searches.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Only this game [default: all of them]
    pub game: Option<String>,
    /// Measure how long each level takes for a move instead
    #[arg(long)]
    pub levels: bool,
    /// Measure the depth reached in a second of CPU time instead, and the memory, in three positions of each game
    #[arg(long, conflicts_with = "levels")]
    pub depth: bool,
    /// Nodes to search in each position; signatures compare only at the default number
    #[arg(long, value_name = "N", value_parser = integer_in::<u64>(1..), conflicts_with_all = ["levels", "depth"])]
    pub nodes: Option<u64>,
}

/// The game and the matches of `rookery ladder`.
#[derive(Clone, Debug, Args)]
pub struct LadderArgs {
    /// The game's name, such as amazons
    pub game: String,
    /// The number of games in each match; odd numbers are rounded up, so seats are swapped fairly
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = integer_in::<u32>(1..))]
    pub games: u32,
    /// How much of its usual time a level limited by time gets, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = integer_in::<u32>(1..=100))]
    pub percent: u32,
    /// The seed of the openings: the same seed gives the same openings
    #[arg(long, default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    pub seed: u64,
}

/// The players, the game and the limits of `rookery match`.
#[derive(Clone, Debug, Args)]
pub struct MatchArgs {
    /// A level such as hard, a reference player such as uct, or a command that speaks the protocol of `rookery ugi`
    pub a: String,
    /// The other player, in the same form
    pub b: String,
    /// The game's name, such as amazons
    #[arg(long)]
    pub game: String,
    /// The number of seats in a game; the second player gets all seats but one
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub seats: usize,
    /// The number of games to play; rounded up, so each opening is played from every seat
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = integer_in::<u32>(1..))]
    pub games: u32,
    /// Milliseconds of CPU time for each move
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = integer_in::<u64>(1..))]
    pub movetime: u64,
    /// Positions to search for each move, instead of a time, so the match is the same on any machine
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = integer_in::<u64>(1..))]
    pub nodes: Option<u64>,
    /// The seed of the openings: the same seed gives the same openings
    #[arg(long, default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    pub seed: u64,
    /// Give the first player only one Nth of the time, or of the positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_in::<u32>(1..))]
    pub odds: u32,
    /// End a two-player game once both players see the same one ahead by this many hundredths, for two moves each
    #[arg(long, value_name = "HUNDREDTHS", value_parser = integer_in::<i32>(1..))]
    pub agreed: Option<i32>,
    /// Keep the games' records in this file; an interrupted match resumes from them
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
}

/// The game that `rookery ugi` plays.
#[derive(Clone, Debug, Args)]
pub struct UgiArgs {
    /// The game's name, such as amazons
    pub game: String,
}

/// The training games of `rookery fit`.
#[derive(Clone, Debug, Args)]
pub struct FitArgs {
    /// The game whose weights are fitted: amazons, penguins, amazon_penguins or paper_penguins
    #[arg(long, value_name = "GAME", default_value = "amazons")]
    pub game: String,
    /// The number of games to play
    #[arg(long, value_name = "N", default_value_t = 450, value_parser = integer_in::<u64>(1..))]
    pub games: u64,
    /// Positions to search for each move
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = integer_in::<u64>(1..))]
    pub nodes: u64,
    /// The seed of the openings
    #[arg(long, default_value_t = 1, value_parser = integer_in::<u64>(0..))]
    pub seed: u64,
}

/// The depth and time of `rookery book`.
#[derive(Clone, Debug, Args)]
pub struct BookArgs {
    /// The depth of the book in plies
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub plies: usize,
    /// Milliseconds of CPU time for each position
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = integer_in::<u64>(1..))]
    pub movetime: u64,
    /// Accept moves that are worse than the best by up to this many hundredths of a move
    #[arg(long, value_name = "N", default_value_t = 25)]
    pub margin: i32,
}
