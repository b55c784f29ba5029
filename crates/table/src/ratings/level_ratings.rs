//! Where the program's levels stand on people's scale before anybody has played a rated game with them.
//!
//! The steps between levels are measured: each level plays the next weaker one (`rookery ladder`; which
//! matches, and how long they were allowed to think, is in docs/strength.md). Where the whole ladder
//! starts is a convention, since no people were measured: level easy looks at its own moves only, like a person
//! who has just read the rules, so it starts where newcomers start. That is not sure, and every level's
//! deviation says so; from the first rated game on results move them like everybody else's.
use rookery_core::player::Level;

use crate::model::{Account, RatingRecord};
use crate::rating::{Pool, Rating};

/// Where level easy stands, and how unsure that is.
const EASY_RATING: (f64, f64) = (1_500.0, 150.0);

/// No level is placed lower than this: farther down points only say that it never wins.
const MIN_RATING: f64 = 400.0;

/// Points from level easy and the standard deviation of that, by game and level, the weakest first.
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

/// The rating that somebody enters a game's pool with: a newcomer's, or what is known of a level.
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

/// The level that plays most nearly as somebody of this rating does, of those up to the strongest allowed.
pub fn level_for_rating(game: &str, rating: &Rating, strongest: Option<Level>) -> Level {
    let allowed = Level::ALL.into_iter().filter(|level| strongest.is_none_or(|most| *level <= most));
    let distance = |level: &Level| level_prior(*level, game).mean_milli.abs_diff(rating.mean_milli);
    allowed.min_by_key(distance).unwrap_or(Level::Random)
}

/// A place on a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderboardEntry {
    /// Whose.
    pub who: Account,
    /// Their rating.
    pub rating: Rating,
    /// How many rated games it comes from; none for a level that was placed by matches only.
    pub games: u64,
}

/// The places of a game and pool, the highest first: of those who have played, and in the program's pool of
/// all its levels.
pub fn leaderboard(game: &str, pool: Pool, played: Vec<(RatingRecord, u64)>) -> Vec<LeaderboardEntry> {
    let played = played.into_iter();
    let mut all: Vec<_> =
        played.map(|(it, games)| LeaderboardEntry { who: it.who, rating: it.rating, games }).collect();
    for level in Level::ALL.into_iter().filter(|_| pool == Pool::Program) {
        let who = Account::Program(level);
        if !all.iter().any(|leader| leader.who == who) {
            all.push(LeaderboardEntry { who, rating: level_prior(level, game), games: 0 });
        }
    }
    all.sort_by_key(|leader| std::cmp::Reverse(leader.rating.mean_milli));
    all
}

/// What every level is rated in every game, given all ratings that each level ever had, weakest level first
/// and the oldest rating first.
pub fn ladders(histories: &[Vec<RatingRecord>]) -> Vec<(&'static str, Vec<(Level, Rating)>)> {
    let rating = |level: Level, game: &str| {
        let history = histories.get(level as usize).map(Vec::as_slice).unwrap_or_default();
        let latest = history.iter().rev().find(|it| it.game == game && it.pool == Pool::Program);
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
            pool: Pool::Program,
            rating: Rating::guess(3_000.0, 80.0),
            at: millis::timestamp(1),
            table: "K7Q2".parse().unwrap(),
        };
        let all = leaderboard("amoeba", Pool::Program, vec![(standing.clone(), 3)]);
        assert_eq!(all.len(), Level::ALL.len());
        assert_eq!(all[0], LeaderboardEntry { who: hard, rating: standing.rating, games: 3 });
        assert!(all[1..].iter().all(|leader| leader.games == 0 && leader.who != hard));
        assert_eq!(leaderboard("amoeba", Pool::Two, Vec::new()), []);
        let mut histories = vec![Vec::new(); Level::ALL.len()];
        histories[Level::Hard as usize].push(standing.clone());
        let ladders = ladders(&histories);
        let of = |key| ladders.iter().find(|(game, _)| *game == key).unwrap().1[Level::Hard as usize].1;
        assert_eq!(of("amoeba"), standing.rating);
        assert_eq!(of("amazons"), level_prior(Level::Hard, "amazons"));
    }
}
