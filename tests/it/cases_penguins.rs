//! The facts about Penguins in `tests/data/rules.json`.

use crate::penguin_cases::{check_claims, check_positions, check_records};

#[test]
fn penguins_positions_have_the_moves_and_counts_of_the_facts() {
    check_positions("penguins");
}

#[test]
fn penguins_records_end_as_the_facts_say() {
    check_records("penguins", |_, _| ());
}

#[test]
fn penguins_claims_are_what_the_facts_say() {
    check_claims("penguins", "tiles", "penguins");
}
