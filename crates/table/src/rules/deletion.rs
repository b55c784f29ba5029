//! Deletion of a person's data: what happens to the games in which they have a seat.

use rookery_core::Seat;
use rookery_core::player::Level;

use crate::model::{Actor, EndCause, Event, LeavePolicy, Occupant, OrderError, Status, UserId};
use crate::{Table, teams};

impl Table {
    /// Whether no person other than this one ever had a part in the table.
    pub fn has_only_participant(&self, who: UserId) -> bool {
        if self.terms().has_teams() {
            return false;
        }
        let named = self.chairs().iter().filter_map(|chair| match *chair {
            Occupant::Human { person } | Occupant::Invited { person } => Some(person),
            Occupant::Open | Occupant::Ai { .. } => None,
        });
        let left = self.substitutions().iter().map(|(_, person)| *person);
        named.chain(left).chain([self.host()]).all(|person| person == who)
    }
}

/// Removes a person from one of their seats for good; returns no events if they have none here.
pub(crate) fn remove_person(
    table: &Table,
    by: Actor,
    who: UserId,
    leave_policy: LeavePolicy,
) -> Result<Vec<Event>, OrderError> {
    if by != Actor::System {
        return Err(OrderError::NotSeated);
    }
    match table.status() {
        Status::Waiting => leave(table, who),
        Status::Running => remove_player(table, who, leave_policy),
        Status::Over(_) => Ok(Vec::new()),
    }
}

fn leave(table: &Table, who: UserId) -> Result<Vec<Event>, OrderError> {
    if table.host() == who {
        return Ok(vec![Event::ended(Vec::new(), EndCause::Closed)]);
    }
    if let Some(events) = table.turned_down(who) {
        return Ok(events);
    }
    if let Some(captain) = teams::captain_of(table, who) {
        return teams::without(table, captain, who);
    }
    let seat = table.seat_of(who).map(|seat| Event::Vacated { seat });
    Ok(seat.into_iter().collect())
}

fn remove_player(table: &Table, who: UserId, leave_policy: LeavePolicy) -> Result<Vec<Event>, OrderError> {
    let plays = |seat: &Seat| table.voters_of(*seat).contains(&who);
    let Some(seat) = table.playing_seats().find(plays) else { return Ok(Vec::new()) };
    // A team plays on without a member, even its captain.
    if let Some(team) = table.team(seat).filter(|_| table.voters_of(seat).len() > 1) {
        return teams::without(table, team.captain, who);
    }
    let index = seat;
    // The same limits apply as for handing a seat over: not in a game of two, nor in a rated one.
    if leave_policy == LeavePolicy::Substitute && table.chairs().len() > 2 && !table.is_rated() {
        let level = substitute_level(table);
        return Ok(vec![Event::Seated { seat: index, occupant: Occupant::Ai { level } }]);
    }
    table.without(seat, Event::Resigned { seat: index }, EndCause::Resigned)
}

/// Returns the level of the bot that replaces a deleted person: its weakest level at this table.
fn substitute_level(table: &Table) -> Level {
    let levels = table.chairs().iter().filter_map(|chair| match chair {
        Occupant::Ai { level } => Some(*level),
        Occupant::Human { .. } | Occupant::Invited { .. } | Occupant::Open => None,
    });
    levels.min().unwrap_or(Level::DEFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Terms;
    use crate::model::millis;
    use crate::teams::{Team, TeamMembers, TeamMode};
    use crate::{actor, decide};

    const ADA: UserId = UserId(1);
    const BEN: UserId = UserId(2);
    const CLEO: UserId = UserId(3);

    fn begun(teams: Vec<Team>) -> Table {
        let terms = Terms { game: "amazons".into(), teams, ..Terms::default() };
        let chairs = [ADA, BEN].map(|person| Occupant::Human { person }).to_vec();
        let id = "K7Q2".parse().unwrap();
        let events = decide::open(id, terms, ADA, chairs).unwrap();
        Table::replay(id, &actor::number(events, 0, millis::timestamp(0), None)).unwrap().unwrap()
    }

    #[test]
    fn who_leaves_for_good_gives_up_and_nobody_else_can_make_them() {
        let table = begun(Vec::new());
        let events = remove_person(&table, Actor::System, ADA, LeavePolicy::Substitute).unwrap();
        assert!(
            matches!(events[..], [Event::Resigned { seat: Seat::FIRST }, Event::Ended { .. }]),
            "two are too few"
        );
        assert_eq!(
            remove_person(&table, Actor::Person(BEN), ADA, LeavePolicy::Resign),
            Err(OrderError::NotSeated)
        );
        assert_eq!(remove_person(&table, Actor::System, CLEO, LeavePolicy::Resign), Ok(Vec::new()));
        assert!(!table.has_only_participant(ADA));
    }

    #[test]
    fn the_program_plays_on_as_strong_as_it_does_at_the_table() {
        let begun = |others: &[Level]| {
            let terms = Terms { game: "penguins".into(), ..Terms::default() };
            let bots = others.iter().map(|level| Occupant::Ai { level: *level });
            let mut chairs: Vec<_> = [Occupant::Human { person: ADA }].into_iter().chain(bots).collect();
            chairs.push(Occupant::Human { person: BEN });
            let id = "K7Q2".parse().unwrap();
            let events = decide::open(id, terms, ADA, chairs).unwrap();
            Table::replay(id, &actor::number(events, 0, millis::timestamp(0), None)).unwrap().unwrap()
        };
        for (others, level) in
            [(&[Level::Expert, Level::Expert][..], Level::Expert), (&[Level::Hard, Level::Easy], Level::Easy)]
        {
            let occupant = Occupant::Ai { level };
            let seated = Event::Seated { seat: Seat::FIRST, occupant };
            assert_eq!(
                remove_person(&begun(others), Actor::System, ADA, LeavePolicy::Substitute),
                Ok(vec![seated])
            );
        }
    }

    #[test]
    fn a_team_plays_on_without_its_captain() {
        let members = TeamMembers::Named { people: vec![ADA, CLEO] };
        let table = begun(vec![Team { captain: ADA, members, mode: TeamMode::Free }]);
        let departed = Event::Departed { captain: ADA, person: ADA };
        assert_eq!(remove_person(&table, Actor::System, ADA, LeavePolicy::Resign), Ok(vec![departed]));
        let alone = TeamMembers::Named { people: vec![ADA] };
        let table = begun(vec![Team { captain: ADA, members: alone, mode: TeamMode::Free }]);
        assert!(!remove_person(&table, Actor::System, ADA, LeavePolicy::Resign).unwrap().is_empty());
    }
}
