//! Matches between two players, and the statistics of their results. In games of three and four the second player has
//! all other seats.

use rookery_core::player::{SearchResult, Value};
use rookery_core::seed::{SeededRng, mix};
use rookery_core::{Outcome, Play, Seat};

/// A player in a match.
pub(crate) trait MatchPlayer {
    /// Prepares for a new game.
    ///
    /// # Errors
    /// Why it cannot play this game: it forfeits it before its first move.
    fn begin(&mut self) -> Result<(), Failure> {
        Ok(())
    }
    /// Chooses a move; random choices use the seed.
    ///
    /// # Errors
    /// Why it has none: it forfeits the game.
    fn choose(&mut self, play: &dyn Play, seed: u64) -> Result<ChosenMove, Failure>;
}

/// The move that a player chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChosenMove {
    /// The move in canonical spelling.
    pub text: String,
    /// The value of the position for the side to move, if the player reported one.
    pub value: Option<Value>,
}

impl From<SearchResult<String>> for ChosenMove {
    fn from(search_result: SearchResult<String>) -> ChosenMove {
        ChosenMove { text: search_result.best, value: Some(search_result.value) }
    }
}

impl<F: FnMut(&dyn Play, u64) -> Option<SearchResult<String>>> MatchPlayer for F {
    fn choose(&mut self, play: &dyn Play, seed: u64) -> Result<ChosenMove, Failure> {
        self(play, seed).map(ChosenMove::from).ok_or(Failure::NoMove)
    }
}

/// Why a player forfeits a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    /// Its program ended, or could not be restarted.
    #[error("crashed")]
    Crashed,
    /// Its program did not answer in time.
    #[error("no answer in time")]
    Silent,
    /// It chose an illegal move.
    #[error("illegal move {0}")]
    Illegal(String),
    /// It returned no move.
    #[error("no move")]
    NoMove,
}

impl Failure {
    /// PGN's term for this end of a game (`Termination`).
    pub(crate) fn termination(&self) -> &'static str {
        match self {
            Failure::Crashed => "abandoned",
            Failure::Silent => "time forfeit",
            Failure::Illegal(_) | Failure::NoMove => "rules infraction",
        }
    }
}

/// How a game ended other than by its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Termination {
    /// A player forfeited the game.
    Forfeit {
        /// The seat that forfeited.
        seat: Seat,
        /// The cause of the forfeit.
        why: Failure,
    },
    /// Adjudicated: both players reported a decisive value for the same seat.
    Adjudicated {
        /// The seat that both players consider won.
        winner: Seat,
    },
}

/// The terms of a match. Every opening is played with the first player on each seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchSettings {
    /// Seats per game, at least 2.
    pub seats: usize,
    /// Number of openings; each is played once for every seat of the first player.
    pub openings: u64,
    /// Random plies at the start of each opening.
    pub opening_plies: usize,
    /// The seed of openings and players.
    pub seed: u64,
    /// A game of this length is drawn.
    pub max_plies: usize,
    /// A game of two is adjudicated if both players report at least this value, in hundredths, for the same seat in
    /// four consecutive moves. `None`: every game is played to its end.
    pub agreed: Option<i32>,
}

/// Consecutive values that must agree for adjudication: two of each player.
const AGREEING_VALUES: u32 = 4;

impl MatchSettings {
    /// At least `games` games, from openings of two random plies, at most 400 plies long.
    pub(crate) fn new(seats: usize, games: u32, seed: u64) -> MatchSettings {
        let openings = u64::from(games).div_ceil(seats as u64);
        MatchSettings { seats, openings, opening_plies: 2, seed, max_plies: 400, agreed: None }
    }

    /// The average share of a player that is as strong as the others.
    pub(crate) fn fair(&self) -> f64 {
        1.0 / self.seats as f64
    }

    /// The seed of an opening's layout, in games with random layouts.
    pub(crate) fn layout(&self, opening: u64) -> u64 {
        mix(mix(self.seed) ^ opening)
    }
}

/// One game of a match.
#[derive(Clone, Debug)]
pub(crate) struct PlayedGame {
    /// The index of the opening.
    pub opening: u64,
    /// The seat of the first player.
    pub seat: Seat,
    /// The first player's share: 1, 0, or a part of a shared victory.
    pub share: f64,
    /// The moves in canonical spelling.
    pub record: Vec<String>,
    /// How it ended other than by its rules, if it did so in this run.
    pub termination: Option<Termination>,
}

impl PlayedGame {
    /// The winners of a game that did not end by its rules; after a forfeit the first player, or all others.
    pub(crate) fn winners_off_board(&self, seats: usize) -> Option<Vec<Seat>> {
        self.termination.as_ref().map(|termination| winners(termination, self.seat, seats))
    }
}

fn winners(termination: &Termination, first: Seat, seats: usize) -> Vec<Seat> {
    match termination {
        Termination::Adjudicated { winner } => vec![*winner],
        Termination::Forfeit { seat: loser, .. } => {
            Seat::all(seats).filter(|seat| (*seat == first) != (*loser == first)).collect()
        }
    }
}

/// Plays a match. `starts` returns the first position of each opening, before its random plies; `seen` is called with
/// every finished game. Games that are `known` already are counted and not played again. Returns the first player's
/// share of each game.
///
/// # Errors
/// The first error of `seen`.
pub(crate) fn play<E>(
    starts: &dyn Fn(u64) -> Box<dyn Play>,
    terms: &MatchSettings,
    known: &[PlayedGame],
    one: &mut dyn MatchPlayer,
    two: &mut dyn MatchPlayer,
    mut seen: impl FnMut(&PlayedGame) -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    let mut shares = Vec::new();
    for opening in 0..terms.openings {
        let begun = self::opening(starts(opening), terms, opening);
        for seat in Seat::all(terms.seats) {
            if let Some(played) = known.iter().find(|it| (it.opening, it.seat) == (opening, seat)) {
                shares.push(played.share);
                continue;
            }
            let (share, record, termination) = game(begun.clone_play(), terms, seat, one, two);
            shares.push(share);
            seen(&PlayedGame { opening, seat, share, record, termination })?;
        }
    }
    Ok(shares)
}

/// The position after the random plies of an opening.
pub(crate) fn opening(mut play: Box<dyn Play>, terms: &MatchSettings, opening: u64) -> Box<dyn Play> {
    let mut rng = SeededRng::new(mix(terms.seed ^ mix(opening)));
    for _ in 0..terms.opening_plies {
        if let Some(text) = rng.pick(&play.moves()) {
            play.play(text).expect("a listed move can be played");
        }
    }
    play
}

/// Plays one game with the player `one` on `seat`: returns its share, the moves, and how the game ended other than by
/// its rules.
fn game(
    mut play: Box<dyn Play>,
    terms: &MatchSettings,
    seat: Seat,
    one: &mut dyn MatchPlayer,
    two: &mut dyn MatchPlayer,
) -> (f64, Vec<String>, Option<Termination>) {
    let termination = play_to_end(play.as_mut(), terms, seat, one, two).err();
    let share = match (&termination, play.outcome()) {
        (Some(termination), _) => Outcome::share_of(&winners(termination, seat, terms.seats), seat),
        (None, Some(outcome)) => outcome.share(seat),
        (None, None) => terms.fair(),
    };
    (share, play.record(), termination)
}

/// Plays to the end of a game, or until a forfeit or adjudication.
fn play_to_end(
    play: &mut dyn Play,
    terms: &MatchSettings,
    seat: Seat,
    one: &mut dyn MatchPlayer,
    two: &mut dyn MatchPlayer,
) -> Result<(), Termination> {
    let second = Seat::all(terms.seats).find(|other| *other != seat).unwrap_or(seat);
    one.begin().map_err(|why| Termination::Forfeit { seat, why })?;
    two.begin().map_err(|why| Termination::Forfeit { seat: second, why })?;
    let mut adjudicator = Adjudicator::default();
    while play.outcome().is_none() && play.ply() < terms.max_plies {
        let turn = play.turn();
        let seed = mix(terms.seed ^ play.ply() as u64);
        let choice = if turn == seat { one.choose(play, seed) } else { two.choose(play, seed) };
        let played = choice.and_then(|ChosenMove { text, value }| match play.play(&text) {
            Ok(_) => Ok(value),
            Err(_) => Err(Failure::Illegal(text)),
        });
        let value = played.map_err(|why| Termination::Forfeit { seat: turn, why })?;
        let winner = terms.agreed.and_then(|enough| adjudicator.record_value(turn, value, enough));
        if let Some(winner) = winner.filter(|_| play.outcome().is_none()) {
            return Err(Termination::Adjudicated { winner });
        }
    }
    Ok(())
}

/// Adjudicates a game from the values that the players report.
#[derive(Default)]
struct Adjudicator {
    winner: Option<Seat>,
    /// Consecutive values for this winner.
    times: u32,
}

impl Adjudicator {
    /// Records the value that a player reports at its turn. Returns the winner once enough values agree.
    fn record_value(&mut self, turn: Seat, value: Option<Value>, enough: i32) -> Option<Seat> {
        let winner = value.and_then(|value| match value {
            Value::Won(_) => Some(turn),
            Value::Lost(_) => Some(turn.other()),
            Value::Estimate(hundredths) if hundredths >= enough => Some(turn),
            Value::Estimate(hundredths) if hundredths <= -enough => Some(turn.other()),
            Value::Estimate(_) | Value::Drawn => None,
        });
        self.times = if winner == self.winner { self.times + 1 } else { 1 };
        self.winner = winner;
        winner.filter(|_| self.times >= AGREEING_VALUES)
    }
}

/// The mean share of a number of games, and half the width of its 95 % interval by the normal approximation. For games
/// of three and four, to which the logistic scale of two players does not apply.
pub(crate) fn mean(shares: &[f64]) -> (f64, f64) {
    let n = shares.len().max(1) as f64;
    let mean = shares.iter().sum::<f64>() / n;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// The results of one player against another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Games that the first player won.
    pub wins: u64,
    /// Games that the first player lost.
    pub losses: u64,
    /// Games drawn or shared.
    pub draws: u64,
}

/// A difference in rating points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Elo {
    /// The lower end of the 95 % interval; minus infinity without any points.
    pub low: f64,
    /// The maximum-likelihood estimate of the difference.
    pub likely: f64,
    /// The upper end of the 95 % interval; infinity with all points.
    pub high: f64,
}

impl Tally {
    /// The tally of the first player's share of each game of two.
    pub(crate) fn of(shares: &[f64]) -> Tally {
        let mut tally = Tally::default();
        shares.iter().for_each(|share| tally.count(*share));
        tally
    }

    fn count(&mut self, share: f64) {
        match share {
            share if share > 0.75 => self.wins += 1,
            share if share < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Number of games played.
    pub(crate) fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// The share of points, 0 to 1; a half without games.
    pub(crate) fn share(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        if self.games() == 0 { 0.5 } else { points / self.games() as f64 }
    }

    /// The rating difference with its 95 % interval: Wilson's for the share, which works for few games and lopsided
    /// scores, converted to points by the logistic curve of A. Elo's scale.
    pub(crate) fn elo(&self) -> Elo {
        let (n, p, z) = (self.games().max(1) as f64, self.share(), 1.96_f64);
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        Elo { low: points(middle - half), likely: points(p), high: points(middle + half) }
    }
}

/// The rating difference that corresponds to this expected share.
fn points(share: f64) -> f64 {
    match share {
        share if share <= 0.0 => f64::NEG_INFINITY,
        share if share >= 1.0 => f64::INFINITY,
        share => 400.0 * (share / (1.0 - share)).log10(),
    }
}

impl std::fmt::Display for Tally {
    /// Formats the tally: `+12 -3 =1  78.1 %  Elo +221 (+70 to +390)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Tally { wins, losses, draws }, elo) = (self, self.elo());
        let Elo { low, likely, high } = elo;
        let percent = 100.0 * self.share();
        write!(f, "+{wins} -{losses} ={draws}  {percent:.1} %  Elo {likely:+.0} ({low:+.0} to {high:+.0})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 75 % is 191 points on Elo's scale (400 log10 3); Wilson's interval for 15 of 20 at 95 % is
    /// 0.531 to 0.888, as published with the method's usual examples.
    #[test]
    fn shares_become_points() {
        let elo = Tally { wins: 15, losses: 5, draws: 0 }.elo();
        assert!((elo.likely - 190.85).abs() < 0.01, "{elo:?}");
        let back = |points: f64| 1.0 / (1.0 + 10f64.powf(-points / 400.0));
        assert!((back(elo.low) - 0.531).abs() < 0.001 && (back(elo.high) - 0.888).abs() < 0.001);
    }

    /// Three of four shares are 1: the sample variance is 0.25, so the standard error of the mean is a quarter.
    #[test]
    fn means_say_how_sure_they_are() {
        let (middle, half) = mean(&[1.0, 1.0, 0.0, 1.0]);
        assert_eq!((middle, half), (0.75, 1.96 * 0.25));
        assert_eq!(mean(&[]), (0.0, 0.0));
    }

    /// Each player reports the values of its turns in order; the game is over once both have reported the same winner
    /// four times in a row.
    #[test]
    fn a_game_ends_beside_the_board_where_both_agree_long_enough() {
        let (a, b) = (Seat::FIRST, Seat::SECOND);
        let ends = |values: &[Option<Value>]| {
            let mut adjudicator = Adjudicator::default();
            let turns = [a, b].into_iter().cycle();
            let heard = turns.zip(values).map(|(turn, value)| adjudicator.record_value(turn, *value, 500));
            heard.collect::<Vec<_>>().iter().position(Option::is_some)
        };
        let [plus, minus] = [500, -500].map(|hundredths| Some(Value::Estimate(hundredths)));
        let [won, lost] = [Value::Won(3), Value::Lost(3)].map(Some);
        assert_eq!(ends(&[plus, minus, plus, minus]), Some(3));
        assert_eq!(
            ends(&[minus, won, lost, plus]),
            Some(3),
            "proofs are opinions, and the other seat may win"
        );
        assert_eq!(ends(&[Some(Value::Estimate(499)), minus, plus, minus, plus]), Some(4));
        assert_eq!(ends(&[plus, plus, plus, plus, plus, plus]), None, "both think that they win");
        assert_eq!(
            ends(&[plus, minus, plus, None, plus, minus, plus]),
            None,
            "one that says nothing agrees to nothing"
        );
        assert_eq!(ends(&[plus, minus, minus, plus, minus, plus]), Some(5), "it turns");
        assert_eq!(ends(&[Some(Value::Drawn); 9]), None);
    }

    #[test]
    fn lopsided_and_empty_matches_have_ratings_too() {
        let all = Tally { wins: 10, losses: 0, draws: 0 }.elo();
        assert!(all.low > 100.0 && all.likely == f64::INFINITY);
        assert_eq!(Tally::default().elo().likely, 0.0);
    }
}
