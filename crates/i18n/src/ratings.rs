//! Ratings, rating changes and leaderboards in words.

use rookery_core::player::Level;
use rookery_table::level_ratings::LeaderboardEntry;
use rookery_table::rated::{Account, RatingChange};
use rookery_table::rating::{Rating, RatingPool};

use super::Localizer;

impl Localizer {
    /// Formats a rating with its deviation: `1512 ± 84`; a question mark marks a provisional one: `1488? ±
    /// 210`.
    pub fn rating(&self, rating: &Rating) -> String {
        let mark = if rating.is_provisional() { "?" } else { "" };
        format!("{:.0}{mark} ± {:.0}", rating.mean(), rating.deviation())
    }

    /// Formats the rating changes of a game, all seats in a row: `Ada 1512 (+12), Ben 1488? (−12)`.
    pub fn changes(&self, changes: &[RatingChange]) -> String {
        let all: Vec<_> = changes.iter().map(|change| self.change(change)).collect();
        self.say("ratings-changed", &[("changes", all.join(", ").into())])
    }

    fn change(&self, change: &RatingChange) -> String {
        let mark = if change.after.is_provisional() { "?" } else { "" };
        let (before, after) = (change.before.mean().round(), change.after.mean().round());
        let by = after - before;
        let sign = if by < 0.0 { "−" } else { "+" };
        format!("{} {after:.0}{mark} ({sign}{:.0})", self.account(change.who), by.abs())
    }

    /// Names the holder of a rating: a person, or a level of the bot.
    pub fn account(&self, account: Account) -> String {
        match account {
            Account::Person(who) => self.person(who),
            Account::Program(level) => self.say("seat-ai", &[("level", self.level(level).into())]),
        }
    }

    /// Names a rating pool.
    pub fn pool(&self, pool: RatingPool) -> String {
        self.word(&format!("pool-{}", pool.key()))
    }

    /// Formats a line of a leaderboard.
    pub fn leader(&self, place: usize, leader: &LeaderboardEntry) -> String {
        let args = [
            ("place", place.into()),
            ("who", self.account(leader.who).into()),
            ("rating", self.rating(&leader.rating).into()),
            ("games", leader.games.into()),
        ];
        self.say("leader-line", &args)
    }

    /// Formats the ratings of a game's levels in one line.
    pub fn ladder(&self, game: &str, levels: &[(Level, Rating)]) -> String {
        let one =
            |(level, rating): &(Level, Rating)| format!("{} {}", self.level(*level), self.rating(rating));
        let levels = levels.iter().map(one).collect::<Vec<_>>().join(" · ");
        self.say("ladder-line", &[("game", self.game_short(game).into()), ("levels", levels.into())])
    }
}
