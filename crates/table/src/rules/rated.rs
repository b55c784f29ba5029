//! Rated games that have ended: whether they count, the places of the players, and the rating changes.

use rookery_core::Seat;

use rookery_core::rules::{AllowedValues, OptionSpec};

use crate::Table;
pub use crate::model::account::{Account, KnownRating, RatingChange, RatingRecord, can_count, pool};
use crate::model::{Actor, EndCause, Ending, Event, OrderError, Status, Terms};
use crate::rating::{Rating, after_game};

/// Whether a game under these terms can be rated: a chosen position, or chosen starting squares or rows, may favour one
/// side from the start.
pub fn starts_even(terms: &Terms) -> bool {
    let options = rookery_games::named(&terms.game).map_or(&[][..], |game| game.info().options);
    let is_own = |spec: &OptionSpec| spec.allowed == AllowedValues::Text;
    let given = |spec: &OptionSpec| terms.options.get(spec.key).is_some_and(|text| !text.is_empty());
    let squares = options.iter().any(|spec| is_own(spec) && given(spec));
    terms.layout.is_none() && terms.from.is_none() && !squares
}

/// Returns everybody's place in seat order, 0 for the first: winners, then players who played to the end by points,
/// then those who resigned. `None` if the game does not count: it never started, was aborted, or is running.
pub fn places(table: &Table) -> Option<Vec<usize>> {
    let Status::Over(ending) = table.status() else { return None };
    let play = table.play().filter(|_| counts(ending))?;
    // After an agreed count the final scores are unknown.
    let scores = table.scores().or_else(|| play.scores());
    let points = |seat: Seat| scores.as_ref().map_or(0, |scores| scores[seat.index()].points);
    let worth = |seat: Seat| {
        let won = ending.winners.contains(&seat);
        let stayed = table.still_plays(seat);
        (won, stayed, if won || !stayed { 0 } else { points(seat) })
    };
    let seats = || Seat::all(table.chairs().len());
    Some(seats().map(|seat| seats().filter(|other| worth(*other) > worth(seat)).count()).collect())
}

fn counts(ending: &Ending) -> bool {
    let called_off =
        matches!(ending.cause, EndCause::Aborted | EndCause::Closed | EndCause::Refused | EndCause::Expired);
    !called_off && !ending.winners.is_empty()
}

/// Whether a table's result must still be entered into the ratings.
pub fn is_due(table: &Table) -> bool {
    table.is_rated() && table.changes().is_none() && pool(table.chairs()).is_some() && places(table).is_some()
}

/// Enters the result; `known` holds the ratings of all seats before the game, adjusted for inactivity.
pub(crate) fn enter(table: &Table, by: Actor, known: &[KnownRating]) -> Result<Vec<Event>, OrderError> {
    if by != Actor::System || !is_due(table) || known.len() != table.chairs().len() {
        return Err(OrderError::NotRated);
    }
    let (Some(pool), Some(places)) = (pool(table.chairs()), places(table)) else {
        return Err(OrderError::NotRated);
    };
    let known: Vec<Rating> = known.iter().map(|known| known.rating).collect();
    let after = after_game(&known, &places);
    let accounts = table.chairs().iter().filter_map(|chair| Account::of(*chair));
    let changes = accounts
        .zip(known.iter().zip(after))
        .zip(Seat::all(known.len()))
        .map(|((who, (before, after)), seat)| RatingChange { seat, who, before: *before, after });
    Ok(vec![Event::Rated { pool, changes: changes.collect() }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::millis;
    use crate::model::{Occupant, UserId};
    use crate::{Actor, Order, decide};
    use crate::{ChannelId, GuildId};

    const ADA: Occupant = Occupant::Human { person: UserId(101) };
    const BEN: Occupant = Occupant::Human { person: UserId(102) };
    const CLEO: Occupant = Occupant::Human { person: UserId(103) };

    #[test]
    fn a_start_of_ones_own_does_not_count() {
        let of = |game: &str| Terms { game: game.into(), ..Terms::default() };
        let with = |key: &str, value: &str| Terms {
            options: [(key.to_owned(), value.to_owned())].into(),
            ..of("amazons")
        };
        for even in [of("amazons"), of("penguins"), with("start", "cross"), with("white", "")] {
            assert!(starts_even(&even), "{even:?}");
        }
        let rows = Terms { layout: Some("123/231".into()), ..of("paper_penguins") };
        let position = Terms { from: Some("Q3/4/4/q3 w".into()), ..of("amazons") };
        for own in [with("white", "c3 d3"), with("black", "a6"), rows, position] {
            assert!(!starts_even(&own), "{own:?}");
        }
    }

    fn begun(game: &str, chairs: &[Occupant]) -> Table {
        let terms = Terms {
            game: game.into(),
            options: [].into(),
            seed: 1,
            guild: Some(GuildId(7)),
            channel: ChannelId(8),
            thread: false,
            rated: true,
            ..Terms::default()
        };
        let id = "K7Q2".parse().unwrap();
        let events = decide::open(id, terms, UserId(101), chairs.to_vec()).unwrap();
        let entries = crate::actor::number(events, 0, millis::timestamp(0), None);
        Table::replay(id, &entries).unwrap().unwrap()
    }

    fn order(table: Table, by: Actor, order: &Order) -> Table {
        let events = decide::decide(&table, by, order, None, millis::timestamp(0)).unwrap().events;
        let mut after = table.clone();
        for entry in crate::actor::number(events, table.sequence(), millis::timestamp(0), None) {
            after.apply(&entry).unwrap();
        }
        after
    }

    /// Three people play Penguins to the end, and the first resigns at once; the expected places follow from the game's
    /// points.
    #[test]
    fn winners_come_first_then_points_then_those_who_gave_up() {
        let mut table = begun("penguins", &[ADA, BEN, CLEO]);
        table = order(table, Actor::Person(UserId(101)), &Order::Resign);
        while let Some(seat) = table.to_move() {
            let text = table.play().unwrap().moves().remove(0);
            let Some(person) = table.chairs()[seat.index()].person() else { unreachable!() };
            table = order(table, Actor::Person(person), &Order::Move { text, ply: None });
        }
        let scores = table.play().unwrap().scores().unwrap();
        let places = places(&table).unwrap();
        assert_eq!(places[0], 2, "who gave up is last, whatever the points");
        assert_eq!(places[1] < places[2], scores[1].points > scores[2].points, "{scores:?} {places:?}");
    }

    fn newcomers() -> Vec<KnownRating> {
        let newcomer = |person| KnownRating {
            who: Account::Person(UserId(person)),
            rating: Rating::default(),
            since: None,
        };
        [101, 102].map(newcomer).to_vec()
    }

    #[test]
    fn a_result_is_entered_once_and_called_off_games_never() {
        let over = order(begun("amazons", &[ADA, BEN]), Actor::Person(UserId(102)), &Order::Resign);
        assert!(is_due(&over));
        let known = newcomers();
        let rated = order(over, Actor::System, &Order::Rate(known.clone()));
        let changes = rated.changes().unwrap();
        assert!(changes[0].after.mean_milli > changes[1].after.mean_milli);
        let again =
            decide::decide(&rated, Actor::System, &Order::Rate(known.clone()), None, millis::timestamp(0))
                .err();
        assert_eq!(again, Some(OrderError::NotRated));
        let running = begun("amazons", &[ADA, BEN]);
        assert_eq!(
            decide::decide(&running, Actor::System, &Order::Rate(known), None, millis::timestamp(0)).err(),
            Some(OrderError::NotRated)
        );
        let off = order(running, Actor::Person(UserId(101)), &Order::Offer(crate::Offer::Abort));
        assert!(matches!(off.status(), Status::Over(_)) && !is_due(&off));
    }

    #[test]
    fn rating_is_entered_only_by_the_system() {
        let over = order(begun("amazons", &[ADA, BEN]), Actor::Person(UserId(102)), &Order::Resign);
        let order = Order::Rate(newcomers());
        assert_eq!(
            decide::decide(&over, Actor::Person(UserId(101)), &order, None, millis::timestamp(0)).err(),
            Some(OrderError::NotRated)
        );
    }
}
