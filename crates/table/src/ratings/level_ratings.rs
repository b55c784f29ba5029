//! Where the bot's levels start on the rating scale, before their first rated game.
//!
//! The steps between levels are measured: each level plays the next weaker one (`rookery ladder`; matches and thinking
//! times are in docs/strength.md). The start of the ladder is a convention, since no people were measured: level easy
//! looks one move ahead, like a person who has just read the rules, so it starts where newcomers start. Every level's
//! deviation reflects that uncertainty; rated games then change the ratings of levels like those of people.
use rookery_core::player::Level;

use crate::model::{Account, RatingRecord};
use crate::rating::{Rating, RatingPool};

/// The mean and deviation of level easy.
const EASY_RATING: (f64, f64) = (1_500.0, 150.0);

/// The lowest rating of a level: below it, points only say that the level never wins.
const MIN_RATING: f64 = 400.0;

/// The distance from level easy in points and its standard deviation, by game and level, the weakest first.
const LADDERS: [(&str, [(f64, f64); Level::ALL.len()]); 6] = [
    (
        "amazons",
        [(-1527.0, 350.0), (-763.0, 247.0), (0.0, 0.0), (412.0, 97.0), (887.0, 149.0), (1030.0, 160.0)],
    ),
    (
        "penguins",
        [(-1175.0, 266.0), (-763.0, 247.0), (0.0, 0.0), (233.0, 67.0), (597.0, 110.0), (887.0, 132.0)],
    ),
    (
        "amazon_penguins",
        [(-1527.0, 350.0), (-763.0, 247.0), (0.0, 0.0), (568.0, 145.0), (1332.0, 286.0), (1465.0, 292.0)],
    ),
    (
        "paper_penguins",
        [(-1150.0, 264.0), (-763.0, 247.0), (0.0, 0.0), (306.0, 77.0), (781.0, 137.0), (877.0, 148.0)],
    ),
    (
        "penguin_soccer",
        [(-927.0, 254.0), (-763.0, 247.0), (0.0, 0.0), (763.0, 247.0), (1332.0, 286.0), (1446.0, 292.0)],
    ),
    (
        "amoeba",
        [(-1332.0, 286.0), (-763.0, 247.0), (0.0, 0.0), (343.0, 83.0), (984.0, 194.0), (1308.0, 210.0)],
    ),
];

/// Returns the rating before the first rated game: that of a newcomer, or what is known of a level.
pub fn initial_rating(who: Account, game: &str) -> Rating {
    match who {
        Account::Person(_) => Rating::default(),
        Account::Program(level) => level_prior(level, game),
    }
}

fn level_prior(level: Level, game: &str) -> Rating {
    let ladder = LADDERS.iter().find(|(key, _)| *key == game);
    let Some((points, deviation)) = ladder.map(|(_, places)| places[level as usize]) else {
        return Rating::default();
    };
    Rating::guess((EASY_RATING.0 + points).max(MIN_RATING), EASY_RATING.1.hypot(deviation))
}

/// Returns the level nearest to this rating, up to the strongest allowed.
pub fn level_for_rating(game: &str, rating: &Rating, strongest: Option<Level>) -> Level {
    let allowed = Level::ALL.into_iter().filter(|level| strongest.is_none_or(|most| *level <= most));
    let distance = |level: &Level| level_prior(*level, game).mean_milli.abs_diff(rating.mean_milli);
    allowed.min_by_key(distance).unwrap_or(Level::Random)
}

/// An entry of a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderboardEntry {
    /// The owner of the rating.
    pub who: Account,
    /// Their latest rating in the pool.
    pub rating: Rating,
    /// The number of rated games; 0 for a level that is rated by measurements only.
    pub games: u64,
}

/// Returns the leaderboard of a game and pool, the highest first: accounts that have played, and in the pool of games
/// against the bot all its levels.
pub fn leaderboard(game: &str, pool: RatingPool, played: Vec<(RatingRecord, u64)>) -> Vec<LeaderboardEntry> {
    let played = played.into_iter();
    let mut all: Vec<_> =
        played.map(|(it, games)| LeaderboardEntry { who: it.who, rating: it.rating, games }).collect();
    for level in Level::ALL.into_iter().filter(|_| pool == RatingPool::Program) {
        let who = Account::Program(level);
        if !all.iter().any(|leader| leader.who == who) {
            all.push(LeaderboardEntry { who, rating: level_prior(level, game), games: 0 });
        }
    }
    all.sort_by_key(|leader| std::cmp::Reverse(leader.rating.mean_milli));
    all
}

/// Returns the rating of every level in every game. `histories` holds all ratings of each level, the weakest level
/// first, each the oldest first.
pub fn ladders(histories: &[Vec<RatingRecord>]) -> Vec<(&'static str, Vec<(Level, Rating)>)> {
    let rating = |level: Level, game: &str| {
        let history = histories.get(level as usize).map(Vec::as_slice).unwrap_or_default();
        let latest = history.iter().rev().find(|it| it.game == game && it.pool == RatingPool::Program);
        latest.map_or_else(|| level_prior(level, game), |it| it.rating)
    };
    let keys = rookery_games::all().iter().map(|game| game.info().key);
    keys.map(|game| (game, Level::ALL.map(|level| (level, rating(level, game))).to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UserId;
    use crate::model::millis;

    fn keys() -> impl Iterator<Item = &'static str> {
        rookery_games::all().iter().map(|game| game.info().key)
    }

    #[test]
    fn every_game_has_a_ladder_on_which_easy_is_a_newcomer_and_levels_rise() {
        assert_eq!(LADDERS.len(), rookery_games::all().len());
        for key in keys() {
            assert_eq!(level_prior(Level::Easy, key).mean_milli, Rating::default().mean_milli, "{key}");
            let priors = Level::ALL.map(|level| level_prior(level, key));
            assert!(priors.is_sorted_by_key(|rating| rating.mean_milli), "{key}: {priors:?}");
            let unsure = |rating: &Rating| rating.is_provisional() && rating.deviation() <= 350.0;
            assert!(priors.iter().all(unsure), "{key}: {priors:?}");
            assert!(priors[0].mean_milli >= (MIN_RATING * 1000.0) as i64, "{key}: {priors:?}");
        }
    }

    #[test]
    fn people_enter_as_newcomers_and_levels_where_they_stand() {
        assert_eq!(initial_rating(Account::Person(UserId(1)), "amazons"), Rating::default());
        assert_eq!(
            initial_rating(Account::Program(Level::Hard), "amazons"),
            level_prior(Level::Hard, "amazons")
        );
        assert_eq!(initial_rating(Account::Program(Level::Hard), "chess"), Rating::default());
    }

    #[test]
    fn the_nearest_level_is_matched_within_what_is_allowed() {
        for key in keys() {
            assert_eq!(level_for_rating(key, &Rating::default(), None), Level::Easy, "{key}");
            for level in Level::ALL {
                assert_eq!(level_for_rating(key, &level_prior(level, key), None), level, "{key}");
            }
            let strong = Rating::guess(4_000.0, 50.0);
            assert_eq!(level_for_rating(key, &strong, None), Level::Expert);
            assert_eq!(level_for_rating(key, &strong, Some(Level::Medium)), Level::Medium);
            assert_eq!(level_for_rating(key, &Rating::guess(-2_000.0, 50.0), None), Level::Random);
        }
    }

    #[test]
    fn a_leaderboard_against_the_program_has_all_its_levels_once() {
        let hard = Account::Program(Level::Hard);
        let standing = RatingRecord {
            who: hard,
            game: "amoeba".into(),
            pool: RatingPool::Program,
            rating: Rating::guess(3_000.0, 80.0),
            at: millis::timestamp(1),
            table: "K7Q2".parse().unwrap(),
        };
        let all = leaderboard("amoeba", RatingPool::Program, vec![(standing.clone(), 3)]);
        assert_eq!(all.len(), Level::ALL.len());
        assert_eq!(all[0], LeaderboardEntry { who: hard, rating: standing.rating, games: 3 });
        assert!(all[1..].iter().all(|leader| leader.games == 0 && leader.who != hard));
        assert_eq!(leaderboard("amoeba", RatingPool::Two, Vec::new()), []);
        let mut histories = vec![Vec::new(); Level::ALL.len()];
        histories[Level::Hard as usize].push(standing.clone());
        let ladders = ladders(&histories);
        let of = |key| ladders.iter().find(|(game, _)| *game == key).unwrap().1[Level::Hard as usize].1;
        assert_eq!(of("amoeba"), standing.rating);
        assert_eq!(of("amazons"), level_prior(Level::Hard, "amazons"));
    }
}
