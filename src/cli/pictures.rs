//! Arguments of the commands that draw a whole game: `replay`, `contact`, `card`.

use std::path::PathBuf;

use clap::Args;

use super::integer_in;

/// The recorded game, and how its boards are drawn.
#[derive(Clone, Debug, Args)]
pub struct RecordedArgs {
    /// The file with the game's record: headers, moves, result
    pub record: PathBuf,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The theme of the board, such as slate [default: the game's own]
    #[arg(long, value_name = "NAME")]
    pub theme: Option<String>,
    /// Which seat's side is at the bottom, from 1
    #[arg(long, value_name = "SEAT", default_value_t = 1)]
    pub side: usize,
}

/// A range of a game's plies.
#[derive(Clone, Copy, Debug, Args)]
pub struct PartArgs {
    /// Begin after this number of turns; 0 is the start
    #[arg(long, value_name = "TURN", default_value_t = 0)]
    pub from: usize,
    /// End after this number of turns [default: the end of the game]
    #[arg(long, value_name = "TURN")]
    pub to: Option<usize>,
}

/// The record, pace and size of `rookery replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayArgs {
    /// The game to draw, with its theme and side.
    #[command(flatten)]
    pub recorded: RecordedArgs,
    /// The plies to draw.
    #[command(flatten)]
    pub part: PartArgs,
    /// The width of the animation in pixels
    #[arg(long, value_name = "PX", default_value_t = 600, value_parser = integer_in::<u32>(100..=2_100))]
    pub size: u32,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", default_value_t = 800, value_parser = integer_in::<u32>(20..=60_000))]
    pub speed: u32,
    /// Milliseconds for the last position, before the animation repeats
    #[arg(long, value_name = "MS", default_value_t = 6_000, value_parser = integer_in::<u32>(20..=600_000))]
    pub hold: u32,
}

/// The record and the grid of `rookery contact`.
#[derive(Clone, Debug, Args)]
pub struct ContactArgs {
    /// The game to draw, with its theme and side.
    #[command(flatten)]
    pub recorded: RecordedArgs,
    /// The plies to choose positions from.
    #[command(flatten)]
    pub part: PartArgs,
    /// The number of positions, spread evenly from the first to the last
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = integer_in::<u8>(2..=100))]
    pub boards: u8,
    /// The number of boards in a row
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = integer_in::<u8>(1..=10))]
    pub columns: u8,
    /// The width of a board in pixels
    #[arg(long, value_name = "PX", default_value_t = 350, value_parser = integer_in::<u32>(100..=1_050))]
    pub size: u32,
}

/// The record that `rookery card` draws.
#[derive(Clone, Debug, Args)]
pub struct CardArgs {
    /// The game to draw, with its theme and side.
    #[command(flatten)]
    pub recorded: RecordedArgs,
}
