//! Leaderboards and player profiles.

use std::collections::BTreeMap;

use rookery_core::player::Level;
use rookery_core::scene::Scene;
use rookery_games::art::chart::{Dot, chart};
use rookery_i18n::person;
use rookery_table::UserId;
use rookery_table::level_ratings::LeaderboardEntry;
use rookery_table::ports::{Card, PersonalResult};
use rookery_table::rated::RatingRecord;
use rookery_table::rating::{Rating, RatingPool};

use super::MessageView;
use crate::discord::wire::outgoing_message::{OutgoingMessage, Picture};

/// The number of entries on a leaderboard.
pub(in crate::discord) const MAX_ENTRIES: usize = 20;

/// A person's results, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that only this person won.
    pub won: u32,
    /// Games shared with some or all opponents.
    pub shared: u32,
    /// Games lost to another player.
    pub lost: u32,
}

impl Tally {
    /// Counts a game if it is finished and has a result for at least one player.
    fn add(&mut self, who: UserId, card: &Card) {
        match card.result_for(who) {
            Some(PersonalResult::Won) => self.won += 1,
            Some(PersonalResult::Shared) => self.shared += 1,
            Some(PersonalResult::Lost) => self.lost += 1,
            None => {}
        }
    }

    fn games(self) -> u32 {
        self.won + self.shared + self.lost
    }
}

/// A person's results in all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Whether there is a game, with or without a result.
    has_games: bool,
    /// By the key of the game.
    by_game: BTreeMap<String, Tally>,
    /// In games with the person who asks.
    against_asker: Tally,
}

impl Results {
    /// Counts a game of a person.
    pub fn add(&mut self, who: UserId, asker: UserId, card: &Card) {
        self.has_games = true;
        self.by_game.entry(card.game.clone()).or_default().add(who, card);
        if who != asker && card.people.contains(&Some(asker)) {
            self.against_asker.add(who, card);
        }
    }
}

/// The contents of a profile.
pub struct Profile<'a> {
    /// The person whose profile it is.
    pub who: UserId,
    /// The person who asks.
    pub asker: UserId,
    /// All their ratings, the oldest first.
    pub history: &'a [RatingRecord],
    /// The results of their games.
    pub results: &'a Results,
    /// The game of the rating chart; `None` selects the one with the most rated games.
    pub game: Option<&'a str>,
}

impl MessageView<'_> {
    /// Builds the leaderboard of a game and pool: settled ratings come first.
    pub fn leaderboard(
        &self,
        game: &str,
        pool: RatingPool,
        here: bool,
        leaders: &[LeaderboardEntry],
    ) -> OutgoingMessage {
        let place = if here { "leaders-here" } else { "leaders-everywhere" };
        let args = [("game", self.words.game(game).into()), ("pool", self.words.pool(pool).into())];
        let title = self.words.say(place, &args);
        if leaders.is_empty() {
            return OutgoingMessage::text(format!("{title}\n{}", self.words.word("leaders-none")));
        }
        let (settled, fresh): (Vec<_>, Vec<_>) =
            leaders.iter().partition(|leader| !leader.rating.is_provisional());
        let lines = settled.into_iter().chain(fresh).take(MAX_ENTRIES).enumerate();
        let mut lines: Vec<_> = lines.map(|(i, leader)| self.words.leader(i + 1, leader)).collect();
        if leaders.iter().any(|leader| leader.games == 0) {
            lines.push(self.words.word("leaders-levels"));
        }
        OutgoingMessage::text(format!("{title}\n{}", lines.join("\n")))
    }

    /// Builds the ratings of the bot's levels in every game.
    pub fn level_ratings(&self, ladders: &[(&str, Vec<(Level, Rating)>)]) -> OutgoingMessage {
        let lines = ladders.iter().map(|(game, levels)| self.words.ladder(game, levels));
        let lines = lines.chain([self.words.word("leaders-levels")]).collect::<Vec<_>>();
        OutgoingMessage::text(format!("{}\n{}", self.words.word("ladders-title"), lines.join("\n")))
    }

    /// Builds a person's profile: ratings, results, results against the asker, and a rating chart.
    pub fn profile(&self, profile: &Profile<'_>) -> OutgoingMessage {
        let title = self.words.say("profile-title", &[("who", person(profile.who).into())]);
        let mut lines = vec![title];
        lines.extend(latest(profile.history).map(|standing| self.rating_line(standing)));
        lines.extend(self.results(profile));
        if !profile.results.has_games {
            lines.push(self.words.word("profile-none"));
        }
        let mut post = OutgoingMessage::text(lines.join("\n"));
        post.picture = self.ratings_over_time(profile);
        post
    }

    fn rating_line(&self, standing: &RatingRecord) -> String {
        let args = [
            ("game", self.words.game_short(&standing.game).into()),
            ("pool", self.words.pool(standing.pool).into()),
            ("rating", self.words.rating(&standing.rating).into()),
        ];
        self.words.say("profile-rating", &args)
    }

    /// Formats a line for each game with finished games, and one for the games against the asker.
    fn results(&self, profile: &Profile<'_>) -> Vec<String> {
        let games = rookery_games::all().iter().map(|game| game.info().key);
        let by_game = games.filter_map(|key| {
            let tally = profile.results.by_game.get(key).copied().unwrap_or_default();
            (tally.games() > 0).then(|| self.tally("profile-results", &self.words.game_short(key), tally))
        });
        let against = profile.results.against_asker;
        let against =
            (against.games() > 0).then(|| self.tally("profile-against", &person(profile.asker), against));
        by_game.chain(against).collect()
    }

    fn tally(&self, key: &str, what: &str, tally: Tally) -> String {
        let args = [
            ("what", what.into()),
            ("games", tally.games().into()),
            ("won", tally.won.into()),
            ("shared", tally.shared.into()),
            ("lost", tally.lost.into()),
        ];
        self.words.say(key, &args)
    }

    fn ratings_over_time(&self, profile: &Profile<'_>) -> Option<Picture> {
        let (game, pool) = drawn(profile)?;
        let of_game = |it: &&RatingRecord| it.game == game && it.pool == pool;
        let shown: Vec<_> = profile.history.iter().filter(of_game).collect();
        let (first, last) = (shown.first()?, shown.last()?);
        let alt = self.words.say(
            "profile-picture",
            &[
                ("game", self.words.game(game).into()),
                ("pool", self.words.pool(pool).into()),
                ("games", shown.len().into()),
                ("first", self.words.rating(&first.rating).into()),
                ("last", self.words.rating(&last.rating).into()),
            ],
        );
        Some(Picture::still(rating_chart(&shown), alt))
    }
}

/// Returns the latest rating of each game and pool.
fn latest(history: &[RatingRecord]) -> impl Iterator<Item = &RatingRecord> {
    history.iter().enumerate().filter_map(|(i, standing)| {
        let same = |later: &RatingRecord| (&later.game, later.pool) == (&standing.game, standing.pool);
        (!history[i + 1..].iter().any(same)).then_some(standing)
    })
}

/// Returns the game and pool with the most rated games, within `profile.game` if it is given.
fn drawn<'a>(profile: &Profile<'a>) -> Option<(&'a str, RatingPool)> {
    let of_game = |it: &&RatingRecord| profile.game.is_none_or(|game| it.game == game);
    let wanted: Vec<_> =
        profile.history.iter().filter(of_game).map(|it| (it.game.as_str(), it.pool)).collect();
    wanted.iter().copied().max_by_key(|pair| wanted.iter().filter(|other| *other == pair).count())
}

/// Draws the rating chart with one step for each game: the distance in time does not matter.
fn rating_chart(shown: &[&RatingRecord]) -> Scene {
    let dot = |(i, it): (usize, &&RatingRecord)| Dot {
        x: i as f64,
        y: it.rating.mean(),
        uncertainty: it.rating.deviation(),
    };
    let dots: Vec<_> = shown.iter().enumerate().map(dot).collect();
    chart(&dots, "1", &shown.len().to_string())
}
