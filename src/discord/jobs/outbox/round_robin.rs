//! The queue of tables with due rows: round-robin over the servers, so that no server waits for the backlog
//! of another.

use std::collections::{HashMap, HashSet, VecDeque};

use rookery_table::GuildId;
use rookery_table::TableId;

/// The unit of the round-robin: a server, or a single table outside of servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tenant {
    /// A server with all its tables.
    Server(GuildId),
    /// A table in direct messages.
    Alone(TableId),
}

impl Tenant {
    /// Returns the tenant of a table.
    pub(super) fn of(table: TableId, guild: Option<GuildId>) -> Tenant {
        guild.map_or(Tenant::Alone(table), Tenant::Server)
    }
}

/// Waiting tables without duplicates: round-robin over the tenants, first in, first out within one.
#[derive(Default)]
pub(super) struct RoundRobin {
    /// The tenants with a waiting table, in the order of their turns.
    turns: VecDeque<Tenant>,
    tables: HashMap<Tenant, VecDeque<TableId>>,
    queued: HashSet<TableId>,
}

impl RoundRobin {
    /// Adds a table at the end of its tenant's queue, unless it is queued already.
    pub(super) fn push(&mut self, tenant: Tenant, table: TableId) {
        if !self.queued.insert(table) {
            return;
        }
        let queue = self.tables.entry(tenant).or_default();
        if queue.is_empty() {
            self.turns.push_back(tenant);
        }
        queue.push_back(table);
    }

    /// Takes the first table of the next tenant for which `may` is true.
    pub(super) fn pop(&mut self, may: impl Fn(Tenant) -> bool) -> Option<(Tenant, TableId)> {
        let at = self.turns.iter().position(|tenant| may(*tenant))?;
        // Skipped tenants keep their places.
        let tenant = self.turns.remove(at)?;
        let queue = self.tables.get_mut(&tenant)?;
        let table = queue.pop_front()?;
        if queue.is_empty() {
            self.tables.remove(&tenant);
        } else {
            self.turns.push_back(tenant);
        }
        self.queued.remove(&table);
        Some((tenant, table))
    }

    /// Whether the table is queued.
    pub(super) fn has(&self, table: TableId) -> bool {
        self.queued.contains(&table)
    }

    /// Returns the number of queued tables.
    pub(super) fn len(&self) -> usize {
        self.queued.len()
    }

    /// Returns the tenant of each queued table.
    pub(super) fn tenants(&self) -> impl Iterator<Item = Tenant> {
        self.tables.iter().flat_map(|(tenant, tables)| std::iter::repeat_n(*tenant, tables.len()))
    }

    /// Whether no table is queued.
    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: usize) -> TableId {
        format!("K7Q2{}{}", char::from(b"ABCDEFGHJKMN"[number / 8]), number % 8 + 2).parse().unwrap()
    }

    #[test]
    fn servers_take_turns_however_much_waits_for_one() {
        let mut queue = RoundRobin::default();
        let (busy, calm, alone) =
            (Tenant::Server(GuildId(1)), Tenant::Server(GuildId(2)), Tenant::of(table(90), None));
        (0..50).for_each(|n| queue.push(busy, table(n)));
        queue.push(calm, table(60));
        queue.push(alone, table(90));
        queue.push(busy, table(3));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop(|_| true)).collect();
        assert_eq!(order.len(), 52, "a table waits once");
        let first = [(busy, table(0)), (calm, table(60)), (alone, table(90)), (busy, table(1))];
        assert_eq!(order[..4], first);
        assert!(queue.is_empty());
    }

    #[test]
    fn round_robin_skips_tenants_without_losing_their_turn() {
        let mut queue = RoundRobin::default();
        let (one, two) = (Tenant::Server(GuildId(1)), Tenant::Server(GuildId(2)));
        (0..3).for_each(|n| queue.push(one, table(n)));
        queue.push(two, table(10));
        assert_eq!(queue.pop(|tenant| tenant != one), Some((two, table(10))));
        assert_eq!(queue.pop(|tenant| tenant != one), None);
        assert_eq!(queue.pop(|_| true), Some((one, table(0))));
        queue.push(two, table(10));
        assert_eq!(queue.pop(|_| true), Some((one, table(1))), "it was its turn");
        assert_eq!(queue.pop(|_| true), Some((two, table(10))));
    }
}
