//! A table: one game being played, its seats, orders, events and journal.
