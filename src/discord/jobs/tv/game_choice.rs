//! The choice of the running game that is most worth watching: by the ratings of its players, as far as
//! known, and how close it is.

use std::sync::Arc;

use jiff::Timestamp;
use quick_cache::unsync::Cache;

use rookery_core::player::{Limits, Value};
use rookery_table::ports::{Card, Filter, Stage};
use rookery_table::rated::{Account, pool};
use rookery_table::rating::Rating;
use rookery_table::thinking_limits::BudgetOwner;
use rookery_table::{ChannelId, GuildId, Table, TableId, hints};

use crate::discord::state::context::Context;

/// The most games considered, by latest move.
const MAX_GAMES: usize = 25;
/// The advantage in rating points that another game needs to replace the one shown.
const SWITCH_MARGIN: f64 = 200.0;
/// The penalty for a lead of one of the game's units, in rating points.
const LEAD_PENALTY: f64 = 15.0;
/// The highest penalty for a lead, in rating points.
const MAX_LEAD_PENALTY: f64 = 300.0;
/// The search nodes for estimating the lead in a casual game.
const LEAD_SEARCH_NODES: u64 = 300;
/// The most games whose score is cached.
const CACHE_CAPACITY: usize = 500;

/// The scores of games, with the time of their latest event.
pub(super) struct GameScores(Cache<TableId, (Timestamp, GameScore)>);

impl Default for GameScores {
    fn default() -> GameScores {
        GameScores(Cache::new(CACHE_CAPACITY))
    }
}

/// The inputs of a running game's score.
#[derive(Clone, Debug)]
struct GameScore {
    table: TableId,
    /// The ratings of all seats.
    ratings: Vec<Rating>,
    /// The lead of the first player, in the game's units.
    lead: f64,
}

/// Returns the best running game of a server that may be shown in a channel. The one shown stays until
/// another is clearly better.
pub(super) async fn best(
    ctx: &Context,
    (guild, channel): (GuildId, ChannelId),
    shown: Option<TableId>,
    known: &mut GameScores,
) -> Option<Arc<Table>> {
    let stage = Some(Stage::Running);
    let filter = Filter { guild: Some(guild), stage, ..Filter::default() };
    let mut scores = Vec::new();
    for card in
        ctx.registry.list(&filter, MAX_GAMES).await.ok()?.iter().filter(|card| card.frozen_since.is_none())
    {
        if ctx.may_list(card, channel).await {
            scores.extend(known.of(ctx, card).await);
        }
    }
    ctx.registry.table(pick(&scores, shown)?).await.ok()
}

/// Returns the game with the highest score; the first of equals.
fn pick(scores: &[GameScore], shown: Option<TableId>) -> Option<TableId> {
    let points = |worth: &GameScore| {
        let sure: f64 =
            worth.ratings.iter().map(strength_lower_bound).sum::<f64>() / worth.ratings.len().max(1) as f64;
        let stays = if shown == Some(worth.table) { SWITCH_MARGIN } else { 0.0 };
        sure - (worth.lead * LEAD_PENALTY).min(MAX_LEAD_PENALTY) + stays
    };
    let mut best: Option<(f64, TableId)> = None;
    for worth in scores {
        let points = points(worth);
        if best.is_none_or(|(most, _)| points > most) {
            best = Some((points, worth.table));
        }
    }
    best.map(|(_, table)| table)
}

/// Returns a lower bound of a player's strength: an uncertain rating counts less.
fn strength_lower_bound(rating: &Rating) -> f64 {
    rating.mean() - rating.deviation()
}

async fn ratings(ctx: &Context, table: &Table) -> Vec<Rating> {
    let accounts: Vec<_> = table.chairs().iter().filter_map(|chair| Account::of(*chair)).collect();
    // Without a fitting pool no player is known to be strong.
    let Some(pool) = pool(table.chairs()) else { return vec![Rating::default(); accounts.len()] };
    let mut ratings = Vec::new();
    for account in accounts {
        ratings.push(ctx.registry.rating(account, table, pool).await.unwrap_or_default());
    }
    ratings
}

impl GameScores {
    /// Returns the score of a game, from the cache if it has no new event.
    async fn of(&mut self, ctx: &Context, card: &Card) -> Option<GameScore> {
        if let Some((at, worth)) = self.0.get(&card.id)
            && *at == card.at
        {
            return Some(worth.clone());
        }
        let table = ctx.registry.table(card.id).await.ok()?;
        let (ratings, lead) = (ratings(ctx, &table).await, lead(ctx, &table).await);
        let worth = GameScore { table: card.id, ratings, lead };
        self.0.insert(card.id, (card.at, worth.clone()));
        Some(worth)
    }
}

/// Returns the lead of the first player over the others. In a rated game only the visible score counts,
/// because an evaluation by the bot must not have an effect that players can see.
async fn lead(ctx: &Context, table: &Table) -> f64 {
    match hints::may_help(table) {
        Ok(()) if table.chairs().len() == 2 => searched_lead(ctx, table).await,
        _ => score_lead(table),
    }
}

/// Returns the lead by a short search, or by score if no thread is free.
async fn searched_lead(ctx: &Context, table: &Table) -> f64 {
    let Some(play) = table.play() else { return 0.0 };
    let limits = Limits { nodes: Some(LEAD_SEARCH_NODES), ..Limits::default() };
    match ctx
        .registry
        .analyse(BudgetOwner { waits: false, ..BudgetOwner::of(table) }, play, limits)
        .await
        .map(|thought| thought.value)
    {
        Some(Value::Estimate(hundredths)) => f64::from(play.to_display_units(hundredths).abs()) / 100.0,
        Some(Value::Drawn) => 0.0,
        Some(Value::Won(_) | Value::Lost(_)) => MAX_LEAD_PENALTY / LEAD_PENALTY,
        None => score_lead(table),
    }
}

/// Returns the difference between the two highest scores, in games with points.
fn score_lead(table: &Table) -> f64 {
    let scores = table.play().and_then(|play| play.scores()).unwrap_or_default();
    let mut points: Vec<_> = scores.iter().map(|score| score.points).collect();
    points.sort_unstable_by_key(|points| std::cmp::Reverse(*points));
    match points[..] {
        [first, second, ..] => f64::from(first - second),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(mean: i64, deviation: u32) -> Rating {
        let deviation_milli = deviation * 1_000;
        Rating { mean_milli: mean * 1_000, deviation_milli, ..Rating::default() }
    }

    fn worth(table: &str, ratings: &[Rating], lead: f64) -> GameScore {
        GameScore { table: table.parse().unwrap(), ratings: ratings.to_vec(), lead }
    }

    fn picked(scores: &[GameScore], shown: Option<&str>) -> String {
        pick(scores, shown.map(|id| id.parse().unwrap())).unwrap().to_string()
    }

    #[test]
    fn the_stronger_players_are_shown_and_newcomers_count_for_less() {
        let newcomers = worth("AAAA", &[Rating::default(); 2], 0.0);
        let known = worth("BBBB", &[rated(1_450, 60), rated(1_480, 70)], 0.0);
        let stronger = worth("CCCC", &[rated(1_800, 60), rated(1_700, 70)], 0.0);
        assert_eq!(picked(&[newcomers.clone(), known.clone()], None), "BBBB");
        assert_eq!(picked(&[newcomers, known, stronger], None), "CCCC");
        assert_eq!(pick(&[], None), None);
    }

    #[test]
    fn of_equals_the_closer_one_and_a_table_of_four_is_no_better_than_one_of_two() {
        let sure = rated(1_600, 60);
        let decided = worth("AAAA", &[sure; 2], 12.0);
        let close = worth("BBBB", &[sure; 2], 0.5);
        assert_eq!(picked(&[decided, close.clone()], None), "BBBB");
        let four = worth("CCCC", &[sure; 4], 3.0);
        assert_eq!(picked(&[four, close], None), "BBBB");
    }

    #[test]
    fn what_is_shown_stays_until_something_is_much_better() {
        let shown = worth("AAAA", &[rated(1_500, 60); 2], 4.0);
        let better = worth("BBBB", &[rated(1_600, 60); 2], 0.0);
        let much_better = worth("CCCC", &[rated(1_750, 60); 2], 0.0);
        let both = [shown.clone(), better];
        assert_eq!(picked(&both, Some("AAAA")), "AAAA");
        assert_eq!(picked(&both, None), "BBBB");
        assert_eq!(picked(&[shown, much_better], Some("AAAA")), "CCCC");
    }
}
