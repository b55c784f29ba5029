//! Fair play: the bot gives no help with a running rated game, whichever table asks for it. The registry looks up the
//! rated games.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use rookery_core::Play;

use crate::{GuildId, Offer, Order, Table, UserId, hints};

/// The first plies are not compared, because many games share them.
const COMMON_PLIES: usize = 2;
/// The number of plies that somebody may have gone back before asking.
const BACK_PLIES: usize = 2;
/// The most lines of a text board that one turn changes.
const ONE_TURN_LINES: usize = 5;

/// The kind of help that the bot would give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpKind {
    /// It evaluates a position. In a person's own rated game that is refused from the first ply on.
    Evaluates,
    /// It plays on from a position; shared first plies are allowed.
    PlaysOn,
}

/// Returns the help that carrying out an order would give; `None` without help, and at rated tables, whose own rules
/// decide.
pub fn help_of(table: &Table, order: &Order) -> Option<HelpKind> {
    // Where points are compared as they stand, everybody sees the score.
    let proves = || table.game().is_some_and(|game| !game.info().can_end_by_points);
    let help = match order {
        Order::Hint => HelpKind::Evaluates,
        Order::Offer(Offer::Count) if proves() => HelpKind::Evaluates,
        Order::Substitute { .. } | Order::SeatProgram { .. } => HelpKind::PlaysOn,
        _ => return None,
    };
    Some(help).filter(|_| hints::may_help(table).is_ok())
}

/// A running rated game as hashes of its current and recent positions: comparing another game with it replays nothing.
pub(crate) struct RatedGame {
    /// The key of the game.
    pub(crate) game: &'static str,
    /// The server; `None` in a direct message.
    pub(crate) guild: Option<GuildId>,
    /// Everybody seated or invited there.
    pub(crate) people: Vec<UserId>,
    /// Those with a seat, alone or in a team.
    players: Vec<UserId>,
    positions: RecentPositions,
}

impl RatedGame {
    /// Returns the index entry of a table; `None` unless it is a running rated game.
    pub(crate) fn of(table: &Table) -> Option<RatedGame> {
        let play = table.play().filter(|_| hints::may_help(table).is_err())?;
        let people = table.card().everybody();
        let players = people.iter().copied().filter(|who| table.seat_of(*who).is_some()).collect();
        Some(RatedGame {
            game: play.info().key,
            guild: table.terms().guild,
            people,
            players,
            positions: RecentPositions::of(play),
        })
    }

    /// Whether help with another game of the same kind would be help with this one, for these people.
    pub(crate) fn is_helped(&self, other: &AskedGame, who: &[UserId], help: HelpKind) -> bool {
        let plays = who.iter().any(|who| self.players.contains(who));
        let own = plays && help == HelpKind::Evaluates && other.now == self.positions.now;
        own || self.positions.resemble(other)
    }
}

/// The positions that identify a game: the current one, the last few, and the boards one turn later.
struct RecentPositions {
    ply: usize,
    cells: usize,
    now: u64,
    /// The last few positions before the current one.
    behind: Vec<u64>,
    /// The lines of the current board.
    lines: Vec<u64>,
    play: Box<dyn Play>,
    /// The boards after one more turn, computed at the first comparison that needs them.
    next: OnceLock<HashSet<u64>>,
}

impl RecentPositions {
    fn of(play: &dyn Play) -> RecentPositions {
        let ply = play.ply();
        let first = ply.saturating_sub(BACK_PLIES).max(COMMON_PLIES + 1).min(ply);
        let recent = play.positions(first);
        let behind = recent[..recent.len() - 1].iter().map(hash).collect();
        let (now, lines) = recent.last().map(|last| (hash(last), line_hashes(&last.1))).unwrap_or_default();
        let (play, cells) = (play.clone_play(), play.board().len());
        RecentPositions { ply, cells, now, behind, lines, play, next: OnceLock::new() }
    }

    /// Whether another game passed through the current position, is a few plies behind it, or one ahead.
    fn resemble(&self, other: &AskedGame) -> bool {
        if self.ply <= COMMON_PLIES || self.cells != other.cells {
            return false;
        }
        other.history.contains(&self.now)
            || self.behind.contains(&other.now)
            || (self.is_near(other) && self.next_boards().contains(&other.board))
    }

    /// Whether few enough lines differ for one turn to lead from this board to the other.
    fn is_near(&self, other: &AskedGame) -> bool {
        self.lines.iter().filter(|line| !other.lines.contains(line)).count() <= ONE_TURN_LINES
    }

    fn next_boards(&self) -> &HashSet<u64> {
        self.next.get_or_init(|| self.play.next_boards().iter().map(hash).collect())
    }
}

/// A game for which a person asks for help, as hashes of all its positions.
pub(crate) struct AskedGame {
    cells: usize,
    history: HashSet<u64>,
    now: u64,
    /// The current board, regardless of the player to move.
    board: u64,
    lines: Vec<u64>,
}

impl AskedGame {
    /// Replays the whole game: do not call it on an async thread.
    pub(crate) fn of(play: &dyn Play) -> AskedGame {
        let positions = play.positions(0);
        let board = positions.last().map(|(_, board)| board.as_str()).unwrap_or_default();
        AskedGame {
            cells: play.board().len(),
            now: positions.last().map(hash).unwrap_or_default(),
            board: hash(board),
            lines: line_hashes(board),
            history: positions.iter().map(hash).collect(),
        }
    }
}

fn line_hashes(board: &str) -> Vec<u64> {
    board.lines().map(hash).collect()
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;
    use rookery_core::seed::SeededRng;

    fn played(plies: usize, seed: u64) -> Box<dyn Play> {
        let game = rookery_games::named("amazons").unwrap();
        played_from(game.start(&Setup::new(2).with("size", "6x6")).unwrap(), plies, seed)
    }

    fn played_from(mut play: Box<dyn Play>, plies: usize, seed: u64) -> Box<dyn Play> {
        let mut rng = SeededRng::new(seed);
        for _ in 0..plies {
            let moves = play.moves();
            let Some(text) = rng.pick(&moves).filter(|_| play.outcome().is_none()) else { break };
            play.play(text).unwrap();
        }
        play
    }

    fn resembles(play: &dyn Play, rated: &dyn Play) -> bool {
        RecentPositions::of(rated).resemble(&AskedGame::of(play))
    }

    /// The reference implementation: replays and compares every position.
    fn resembles_by_replay(play: &dyn Play, rated: &dyn Play) -> bool {
        let stands = |play: &dyn Play| (play.turn(), play.text_board());
        if rated.ply() <= COMMON_PLIES || play.board().len() != rated.board().len() {
            return false;
        }
        let (now, last) = (stands(rated), stands(play));
        let came_by = (0..=play.ply()).any(|ply| stands(play.at_ply(ply).as_ref()) == now);
        let first = rated.ply().saturating_sub(BACK_PLIES).max(COMMON_PLIES + 1);
        let behind = (first..rated.ply()).any(|ply| stands(rated.at_ply(ply).as_ref()) == last);
        let differing = now.1.lines().filter(|line| !last.1.lines().any(|other| other == *line)).count();
        let ahead = || {
            rated.moves().iter().any(|text| {
                let mut next = rated.clone_play();
                next.play(text).is_ok() && next.text_board() == last.1
            })
        };
        came_by || behind || (differing <= ONE_TURN_LINES && ahead())
    }

    fn alone(play: &dyn Play) -> Box<dyn Play> {
        rookery_games::named("amazons").unwrap().resume(&play.line()).unwrap()
    }

    #[test]
    fn a_rated_game_is_known_again_by_its_board_and_by_a_turn_more_or_less() {
        let rated = played(8, 1);
        assert!(resembles(alone(rated.as_ref()).as_ref(), rated.as_ref()), "its position");
        assert!(resembles(played(10, 1).as_ref(), rated.as_ref()), "a record that goes on from there");
        assert!(
            resembles(alone(played(9, 1).as_ref()).as_ref(), rated.as_ref()),
            "the position a turn later"
        );
        assert!(resembles(alone(played(7, 1).as_ref()).as_ref(), rated.as_ref()), "the one before");
        assert!(!resembles(played(8, 2).as_ref(), rated.as_ref()), "another game");
        assert!(!resembles(alone(played(3, 1).as_ref()).as_ref(), rated.as_ref()), "long past");
    }

    #[test]
    fn the_first_turns_are_everybodys() {
        assert!(!resembles(played(2, 1).as_ref(), played(2, 1).as_ref()));
        assert!(!resembles(played(0, 1).as_ref(), played(0, 1).as_ref()));
        assert!(resembles(played(3, 1).as_ref(), played(3, 1).as_ref()));
    }

    /// Pairs of all games: one continues the other, is behind it, branches off, or was pasted as a position.
    #[test]
    fn hashes_recognise_what_replaying_every_position_does() {
        let (mut same, mut other) = (0, 0);
        for game in rookery_games::all() {
            let seats = game.info().seats[0];
            for seed in 0..3 {
                let start = game.start(&Setup { seed, ..Setup::new(seats) }).unwrap();
                let (rated, branch) = (played_from(start.clone(), 7, seed), played_from(start, 5, seed));
                for plies in 0..4 {
                    for on in [&rated, &branch] {
                        let asked = played_from(on.clone(), plies, seed + plies as u64);
                        let pasted = game.resume(&asked.line()).unwrap();
                        for asked in [asked, pasted] {
                            let by_replay = resembles_by_replay(asked.as_ref(), rated.as_ref());
                            let (name, at) = (game.info().key, asked.ply());
                            assert_eq!(resembles(asked.as_ref(), rated.as_ref()), by_replay, "{name} {at}");
                            if by_replay { same += 1 } else { other += 1 }
                        }
                    }
                }
            }
        }
        assert!(same > 50 && other > 50, "{same} alike, {other} not");
    }

    #[test]
    fn positions_are_those_of_each_ply_with_whoever_retired_there() {
        let game = rookery_games::named("penguins").unwrap();
        let mut play = played_from(game.start(&Setup::new(3)).unwrap(), 4, 1);
        play.retire(play.turn());
        let play = played_from(play, 3, 2);
        let replayed = (0..=play.ply()).map(|ply| play.at_ply(ply));
        let expected: Vec<_> = replayed.map(|play| (play.turn(), play.text_board())).collect();
        assert_eq!(play.positions(0), expected);
        assert_eq!(play.positions(5), expected[5..]);
        assert_eq!(play.positions(99), []);
        let stages = play.stages();
        let at_stages: Vec<_> = stages.iter().map(|play| (play.turn(), play.text_board())).collect();
        assert_eq!(at_stages, expected);
        let after = play.moves().into_iter().map(|text| {
            let mut next = play.clone();
            next.play(&text).unwrap();
            next.text_board()
        });
        assert_eq!(play.next_boards(), after.collect::<Vec<_>>());
    }

    /// Returns the CPU time of this thread, where the system measures it.
    fn cpu_ms() -> f64 {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let spent_ns: Option<f64> = told.split(' ').next().and_then(|ns| ns.parse().ok());
        spent_ns.unwrap_or(f64::NAN) / 1e6
    }

    fn measured<T>(what: &str, work: impl FnOnce() -> T) -> T {
        let begun = cpu_ms();
        let done = work();
        let told = format!("{what}: {:.1} ms of CPU\n", cpu_ms() - begun);
        std::io::Write::write_all(&mut std::io::stdout(), told.as_bytes()).unwrap();
        done
    }

    /// Measures thirty requests in a server with fifty rated games of sixty plies, in both implementations; run it with
    /// `--ignored`.
    #[test]
    #[ignore = "a measurement, not a check"]
    fn what_thirty_presses_cost() {
        let game = rookery_games::named("amazons").unwrap();
        let of = |seed| played_from(game.start(&Setup::new(2)).unwrap(), 60, seed);
        let (rated, asked): (Vec<_>, Vec<_>) = ((0..50).map(of).collect(), (50..80).map(of).collect());
        let known: Vec<_> = measured("entering 50 rated games", || {
            rated.iter().map(|play| RecentPositions::of(play.as_ref())).collect()
        });
        let helped = |play: &dyn Play| {
            let asked = AskedGame::of(play);
            known.iter().any(|rated| rated.resemble(&asked))
        };
        let by_hashes = measured("30 presses by hashes", || asked.iter().any(|play| helped(play.as_ref())));
        let near: Vec<_> = rated[..30].iter().map(|play| played_from(play.clone(), 1, 1)).collect();
        let pasted = near.iter().map(|play| game.resume(&play.line()).unwrap());
        let pasted: Vec<_> = pasted.collect();
        assert!(measured("30 presses one turn on", || pasted.iter().all(|play| helped(play.as_ref()))));
        let by_replay = measured("30 presses by replaying", || {
            let alike = |play: &dyn Play| rated.iter().any(|rated| resembles_by_replay(play, rated.as_ref()));
            asked.iter().any(|play| alike(play.as_ref()))
        });
        assert!(!by_hashes && !by_replay);
    }
}
