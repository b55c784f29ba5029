//! The command line. Each command ends its help with examples, and a test parses them.

mod journal;
mod pictures;
mod players;

use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::Bound::Included;
use std::ops::RangeBounds;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use rookery_core::printed_page::PaperSize;

pub use journal::{BackupArgs, CheckArgs, MoveStoreArgs, RestoreArgs};
pub use pictures::{CardArgs, ContactArgs, PartArgs, RecordedArgs, ReplayArgs};
pub use players::{BenchArgs, BookArgs, FitArgs, LadderArgs, MatchArgs, UgiArgs};

use crate::config::{ConfigError, DiscordTarget, EffectiveConfig, Sources, example, parse_address};
use crate::roles::Role;

/// A Discord bot for six abstract board games, from the Game of the Amazons to Penguin Soccer.
///
/// Without a command, it runs the bot: on Discord if there is a token, otherwise on the built-in playground, a small
/// Discord in the browser on this machine.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "rookery",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  rookery
  rookery --listen 127.0.0.1:9000
  rookery --config /etc/rookery.toml run
  rookery config --example

Rookery takes a Discord token from DISCORD_TOKEN, from the file named in DISCORD_TOKEN_FILE, or from
the configuration file. `rookery config --example` prints every setting with its default."
)]
pub struct Cli {
    /// Read settings from this file instead of ./config.toml
    #[arg(long, global = true, env = "ROOKERY_CONFIG", value_name = "PATH")]
    pub config: Option<PathBuf>,
    /// Serve the playground at this address and port, or just this port [default: 127.0.0.1:8080, or the next free
    /// port]
    #[arg(long, global = true, value_name = "ADDRESS", value_parser = listen)]
    pub listen: Option<SocketAddr>,
    /// The command; `None` means `run`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Parses the address of `--listen`.
fn listen(text: &str) -> Result<SocketAddr, &'static str> {
    let wanted = "use an address and port such as 127.0.0.1:8080, or just a port such as 8080";
    parse_address(text).map_err(|_| wanted)
}

impl Cli {
    /// Returns the command, `run` by default.
    pub fn command_or_default(&self) -> Command {
        let run = || Cli::parse_from(["rookery", "run"]).command;
        // Parsed, because a variable of the environment may name the roles.
        self.command.clone().or_else(run).expect("it is a command")
    }

    /// Returns the sources of the settings: these arguments, and the folder and environment of this process.
    pub fn sources(&self) -> Sources {
        Sources::of_process(self.config.clone(), self.listen)
    }
}

/// The commands of the program.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Run the bot (the default without a command)
    #[command(after_help = "\
Examples:
  rookery run
  rookery run --listen 8081
  rookery run --roles gateway,outbox")]
    Run(RunArgs),
    /// Think about the bot's moves for other processes that use the same PostgreSQL database
    ///
    /// It needs store.url and no token. Start as many as there are machines for it.
    #[command(after_help = "\
Examples:
  rookery worker")]
    Worker,
    /// Print the current settings and where each comes from; the token is never shown
    #[command(after_help = "\
Examples:
  rookery config
  rookery config --example
  rookery config check
  rookery --config /etc/rookery.toml config check")]
    Config(ConfigArgs),
    /// Check the health of the Rookery running on this machine (needs health.listen)
    #[command(after_help = "\
Examples:
  rookery health")]
    Health,
    /// Look for what would keep the bot from working, and say how to mend it
    ///
    /// Checks the token, Discord, this machine's clock, intents, the journal, disk, backups, fonts and web pages, and with
    /// --channel the bot's permissions there. It changes nothing; the bot can be running. The exit code is 1 if there is
    /// a fault.
    #[command(after_help = "\
Examples:
  rookery doctor
  rookery doctor --channel 1234567890123456789")]
    Doctor(DoctorArgs),
    /// Back up the journal to a file, even while the bot runs
    #[command(after_help = "\
Examples:
  rookery backup /backups/rookery.sqlite
  rookery backup --overwrite latest.sqlite")]
    Backup(BackupArgs),
    /// Replace the journal with a backup; stop the bot first
    ///
    /// The backup is checked first. The old journal is kept under another name.
    #[command(after_help = "\
Examples:
  rookery restore /backups/rookery.sqlite
  rookery restore --damaged latest.sqlite")]
    Restore(RestoreArgs),
    /// Check the journal or a backup: what is stored, every game's checksums, and every game by its rules
    ///
    /// Prints a summary and all problems; the exit code is 1 if there are any. The bot can be running.
    #[command(after_help = "\
Examples:
  rookery check
  rookery check /backups/rookery.sqlite")]
    Check(CheckArgs),
    /// Move the journal between an SQLite file and a PostgreSQL database
    ///
    /// Copies every record into an empty store and compares both before the new one counts. Stop the bot first. The old
    /// store isn't changed.
    #[command(after_help = "\
Examples:
  rookery move-store sqlite:rookery.sqlite postgres://rookery@localhost/rookery
  rookery move-store postgres://rookery@localhost/rookery sqlite:rookery.sqlite")]
    MoveStore(MoveStoreArgs),
    /// Count the positions DEPTH plies away: for each first move, and in total
    ///
    /// Programs that agree on these counts generate the same moves, so this checks the rules.
    #[command(after_help = "\
Examples:
  rookery perft amazons 2
  rookery perft amazons 1 --option size=6x6
  rookery perft amazons 1 --position '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1'")]
    Perft(PerftArgs),
    /// Print a position as a text board
    #[command(after_help = "\
Examples:
  rookery show amazons
  rookery show amazons --option size=8x8
  rookery show amazons --position '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1'")]
    Show(ShowArgs),
    /// Draw a page to print and to play on, as PDF or SVG
    #[command(after_help = "\
Examples:
  rookery sheet page.pdf
  rookery sheet page.pdf --game amazons --paper letter
  rookery sheet page.pdf --position 'amazons 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1'
  rookery sheet page.svg --option size=6x6 --option seed=7")]
    Sheet(SheetArgs),
    /// Search fixed positions with fixed node counts, and print a signature and the speed
    ///
    /// The signature changes when play changes, and is the same on every machine.
    #[command(after_help = "\
Examples:
  rookery bench
  rookery bench amazons --nodes 100000
  rookery bench --levels
  rookery bench penguins --depth")]
    Bench(BenchArgs),
    /// Let every level of a game play the next weaker one, and rate them all on one scale
    ///
    /// Strengths are points above level easy, with standard deviations; the bot's starting ratings come from them.
    /// Levels limited by time get a part of it, counted as CPU time.
    #[command(after_help = "\
Examples:
  rookery ladder penguins
  rookery ladder amazons --games 100 --percent 10 --seed 7")]
    Ladder(LadderArgs),
    /// Play a match between two engines or levels
    ///
    /// Openings come from a seed, and each is played twice with the seats swapped. This program checks every move,
    /// and prints the score and the Elo difference with its error bars.
    #[command(after_help = "\
Examples:
  rookery match hard medium --game amazons --games 20 --movetime 100
  rookery match expert uct --game penguins --games 20 --movetime 100
  rookery match expert './rookery-0.1 ugi amazons' --game amazons --games 200 --movetime 1000 --seed 7")]
    Match(MatchArgs),
    /// Play as an engine: a protocol like UCI and UGI on standard input and output, for tournament programs
    #[command(after_help = "\
Examples:
  rookery ugi amazons")]
    Ugi(UgiArgs),
    /// Fit the weights of a game's player to quick games against itself, and print them
    ///
    /// For people who work on the players: the rows go into the source code.
    #[command(
        hide = true,
        after_help = "\
Examples:
  rookery fit
  rookery fit --games 450 --nodes 4000 --seed 101
  rookery fit --game penguins --games 1200 --nodes 800 --seed 5"
    )]
    Fit(FitArgs),
    /// Think for a long time about the openings of the Amazons, and print an opening book
    ///
    /// For people who work on the players: the lines go into the source code.
    #[command(
        hide = true,
        after_help = "\
Examples:
  rookery book --plies 3 --movetime 30000"
    )]
    Book(BookArgs),
    /// Draw a game, or part of it, as an animated GIF
    ///
    /// The record is text with headers, moves and a result; docs/engine.md shows one.
    #[command(after_help = "\
Examples:
  rookery replay game.txt --out game.gif
  rookery replay game.txt --out end.gif --from 40 --size 350 --speed 400 --theme slate --side 2")]
    Replay(ReplayArgs),
    /// Draw key positions of a game as one picture, each with its move
    #[command(after_help = "\
Examples:
  rookery contact game.txt --out sheet.png
  rookery contact game.txt --out sheet.png --boards 6 --columns 3 --size 500")]
    Contact(ContactArgs),
    /// Draw the last board with names, scores and the result, as a picture to share
    ///
    /// Names can be in any script that the machine has a font for.
    #[command(after_help = "\
Examples:
  rookery card game.txt --out card.png
  rookery card game.txt --out card.png --theme paper")]
    Card(CardArgs),
    /// Draw every game at several stages in all themes, as PNG files to look at
    #[command(after_help = "\
Examples:
  rookery gallery pictures")]
    Gallery(GalleryArgs),
}

/// The arguments of `rookery run`.
#[derive(Args, Clone, Debug, Default)]
pub struct RunArgs {
    /// Run only these parts of the bot: gateway, outbox, timers, web, thinker; other processes on the same PostgreSQL
    /// database run the others [default: all]
    #[arg(long, env = "ROOKERY_ROLES", value_name = "ROLES", value_delimiter = ',')]
    pub roles: Vec<Role>,
}

/// The arguments of `rookery doctor`.
#[derive(Args, Clone, Debug)]
pub struct DoctorArgs {
    /// Also check the bot's permissions in this channel (right-click it in Discord: Copy Channel ID)
    #[arg(long, value_name = "ID")]
    pub channel: Option<u64>,
}

/// What `rookery config` prints.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ConfigArgs {
    /// Print the example file instead: every setting with its default and an explanation
    #[arg(long)]
    pub example: bool,
    /// A subcommand of `config`; `None` prints the settings.
    #[command(subcommand)]
    pub action: Option<ConfigAction>,
}

/// The subcommands of `config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum ConfigAction {
    /// Check the settings and print what is wrong, without starting the bot
    #[command(after_help = "\
Examples:
  rookery config check
  rookery --config /etc/rookery.toml config check")]
    Check,
}

impl ConfigArgs {
    /// Returns the output of `rookery config`, without the token.
    ///
    /// # Errors
    /// [`ConfigError`] if the settings are invalid.
    pub fn answer(&self, sources: &Sources) -> Result<String, ConfigError> {
        if self.example {
            return Ok(example());
        }
        let effective = EffectiveConfig::load(sources)?;
        match self.action {
            None => Ok(effective.to_string()),
            Some(ConfigAction::Check) => Ok(match effective.config.target()? {
                DiscordTarget::Playground(playground) => {
                    format!("All fine. Rookery will run its playground at {}.\n", playground.listen)
                }
                DiscordTarget::Discord { api_base: None, .. } => {
                    "All fine. Rookery will run on Discord.\n".into()
                }
                DiscordTarget::Discord { api_base: Some(base), .. } => {
                    format!("All fine. Rookery will run on the server at {base}.\n")
                }
            }),
        }
    }
}

/// A position of a game, as arguments.
#[derive(Clone, Debug, Args)]
pub struct PositionArgs {
    /// A position as one line of text, as the game writes it or as the bot shows it, after the game's name [default: the
    /// start]
    // The start position of Penguin Soccer begins with a dash.
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// A game option such as size=6x6; can be repeated
    #[arg(long = "option", value_name = "KEY=VALUE", value_parser = key_and_value)]
    pub options: Vec<(String, String)>,
}

/// The position and depth of `rookery perft`.
#[derive(Clone, Debug, Args)]
pub struct PerftArgs {
    /// The game's name, such as amazons
    pub game: String,
    /// How many plies deep to count
    #[arg(value_parser = integer_in::<u32>(0..=64))]
    pub depth: u32,
    /// The position to count from.
    #[command(flatten)]
    pub from: PositionArgs,
}

/// The position that `rookery show` prints.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// The game's name, such as amazons
    pub game: String,
    /// The position to print.
    #[command(flatten)]
    pub from: PositionArgs,
}

/// The layout and the output file of `rookery sheet`.
#[derive(Clone, Debug, Args)]
pub struct SheetArgs {
    /// The file to write; its name ends in .pdf or .svg
    pub file: PathBuf,
    /// The game's name, such as amazons [default: the one before the position, or else paper_penguins]
    #[arg(long)]
    pub game: Option<String>,
    /// The size of the paper
    #[arg(long, default_value = "a4", value_parser = paper_size)]
    pub paper: PaperSize,
    /// The position to print.
    #[command(flatten)]
    pub from: PositionArgs,
}

impl SheetArgs {
    /// The key of the game.
    pub fn game(&self) -> &str {
        let before = || self.from.position.as_deref().and_then(rookery_lab::key_before);
        self.game.as_deref().or_else(before).unwrap_or("paper_penguins")
    }
}

/// The output folder of `rookery gallery`.
#[derive(Clone, Debug, Args)]
pub struct GalleryArgs {
    /// The folder to write to; it's created if it doesn't exist
    pub dir: PathBuf,
}

fn paper_size(name: &str) -> Result<PaperSize, String> {
    let known = PaperSize::named(name);
    known.ok_or_else(|| "use a4 or letter".to_owned())
}

/// Creates a parser of an integer in a range; its error names the range.
fn integer_in<N: FromStr + PartialOrd + Display>(
    range: impl RangeBounds<N> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start_bound(), range.end_bound()) {
            (Included(least), Included(most)) => format!("use a whole number from {least} to {most}"),
            (Included(least), _) => format!("use a whole number, {least} or more"),
            _ => "use a whole number".to_owned(),
        })
    }
}

fn key_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().into(), value.trim().into())),
        _ => Err("write it as KEY=VALUE, such as size=6x6".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parsed(line: &str) -> Cli {
        Cli::try_parse_from(split_arguments(line)).unwrap_or_else(|error| panic!("{line}\n{error}"))
    }

    /// Splits a line into arguments as a shell does: quotes join words.
    fn split_arguments(line: &str) -> Vec<String> {
        let parts = line.split('\'').enumerate();
        parts
            .flat_map(|(i, part)| match i % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect()
    }

    #[test]
    fn invalid_number_names_the_valid_range() {
        for (line, wanted) in [
            ("rookery perft amazons x", "use a whole number from 0 to 64"),
            ("rookery perft amazons 65", "use a whole number from 0 to 64"),
            ("rookery ladder amazons --games none", "use a whole number, 1 or more"),
            ("rookery ladder amazons --seed -", "use a whole number, 0 or more"),
        ] {
            let said = Cli::try_parse_from(split_arguments(line)).unwrap_err().to_string();
            assert!(said.contains(wanted) && !said.contains("digit"), "{line}: {said}");
        }
    }

    /// Returns a command and all commands below it, the command itself first.
    fn every_command(command: clap::Command) -> Vec<clap::Command> {
        let below: Vec<_> = command.get_subcommands().cloned().collect();
        std::iter::once(command).chain(below.into_iter().flat_map(every_command)).collect()
    }

    #[test]
    fn cli_definition_is_valid() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_examples_parse_and_use_their_command() {
        for command in every_command(Cli::command()) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<_> = help.lines().filter(|line| line.starts_with("  rookery")).collect();
            assert!(!examples.is_empty(), "{} has no example", command.get_name());
            for example in examples {
                parsed(example);
                let name = command.get_name();
                assert!(
                    split_arguments(example).iter().any(|word| word == name),
                    "{example} is no example of {name}"
                );
            }
        }
    }

    #[test]
    fn every_argument_is_explained() {
        for command in every_command(Cli::command()) {
            assert!(command.get_about().is_some(), "{} says nothing", command.get_name());
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} of {}", argument.get_id(), command.get_name());
            }
        }
    }

    #[test]
    fn no_command_means_run() {
        assert!(matches!(parsed("rookery").command_or_default(), Command::Run(_)));
        assert!(matches!(parsed("rookery run").command_or_default(), Command::Run(_)));
    }

    #[test]
    fn global_options_are_accepted_anywhere() {
        for line in ["rookery --listen 9000 --config x.toml run", "rookery run --config x.toml --listen 9000"]
        {
            let cli = parsed(line);
            assert_eq!(cli.listen, Some("127.0.0.1:9000".parse().unwrap()));
            assert_eq!(cli.config, Some("x.toml".into()));
        }
    }

    #[test]
    fn config_command_prints_settings_example_or_check() {
        let sources = |token: &str| Sources {
            environment: vec![("DISCORD_TOKEN".into(), token.into())],
            ..Sources::default()
        };
        let answer = |line: &str, token: &str| {
            let Command::Config(config) = parsed(line).command_or_default() else { panic!("{line}") };
            config.answer(&sources(token)).unwrap()
        };
        assert_eq!(answer("rookery config --example", ""), example());
        let in_force = answer("rookery config", "abc");
        assert!(in_force.starts_with("[discord]\ntoken = \"***\"  # DISCORD_TOKEN\n"), "{in_force}");
        let well = "All fine. Rookery will run its playground at 127.0.0.1:8080.\n";
        assert_eq!(answer("rookery config check", ""), well);
        assert_eq!(answer("rookery config check", "abc"), "All fine. Rookery will run on Discord.\n");
    }

    #[test]
    fn a_position_and_options_are_read() {
        let cli = parsed("rookery perft amazons 3 --position 'a b w' --option size=6x6 --option queens=2");
        let Command::Perft(perft) = cli.command_or_default() else { panic!("{cli:?}") };
        assert_eq!((perft.game.as_str(), perft.depth), ("amazons", 3));
        assert_eq!(perft.from.position.as_deref(), Some("a b w"));
        let options = [("size", "6x6"), ("queens", "2")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(perft.from.options, options);
    }

    #[test]
    fn a_position_may_begin_with_a_dash() {
        let cli = parsed("rookery show penguin_soccer --position '-,-,-|-,-,- - 1'");
        let Command::Show(show) = cli.command_or_default() else { panic!("{cli:?}") };
        assert_eq!(show.from.position.as_deref(), Some("-,-,-|-,-,- - 1"));
    }

    #[test]
    fn a_sheet_is_of_the_game_before_its_position() {
        for (words, game) in [
            ("rookery sheet page.pdf", "paper_penguins"),
            ("rookery sheet page.pdf --game amoeba", "amoeba"),
            ("rookery sheet page.pdf --position 'penguin_soccer -,-,-|-,-,- - 1'", "penguin_soccer"),
            ("rookery sheet page.pdf --position '-,-,-|-,-,- - 1' --game penguin_soccer", "penguin_soccer"),
        ] {
            let cli = parsed(words);
            let Command::Sheet(sheet) = cli.command_or_default() else { panic!("{cli:?}") };
            assert_eq!(sheet.game(), game, "{words}");
        }
    }

    #[test]
    fn a_match_has_two_players() {
        let cli = parsed("rookery match hard './other ugi' --game amazons --games 8 --movetime 50");
        let Command::Match(game) = cli.command_or_default() else { panic!("{cli:?}") };
        assert_eq!((game.a.as_str(), game.b.as_str()), ("hard", "./other ugi"));
        assert_eq!((game.games, game.movetime, game.seed), (8, 50, 1));
    }

    #[test]
    fn help_of_run_lists_every_role() {
        let mut command = Cli::command();
        let help = command.find_subcommand_mut("run").unwrap().render_long_help().to_string();
        for role in Role::ALL {
            assert!(help.contains(&format!(" {role}")), "{role}: {help}");
        }
    }

    #[test]
    fn an_address_that_is_none_is_refused_with_an_example() {
        let told = Cli::try_parse_from(split_arguments("rookery --listen abc")).unwrap_err().to_string();
        assert!(told.contains("127.0.0.1:8080"), "{told}");
    }

    #[test]
    fn invalid_command_lines_are_refused() {
        for line in [
            "rookery perft amazons",
            "rookery perft amazons -1",
            "rookery perft amazons 1 --option board",
            "rookery match hard medium",
            "rookery match hard medium --game amazons --games 0",
            "rookery config --example check",
            "rookery --listen nowhere",
            "rookery walk",
        ] {
            assert!(Cli::try_parse_from(split_arguments(line)).is_err(), "{line}");
        }
    }
}
