//! The facts about Amazon Penguins in `tests/data/rules.json`.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its facts has failed")]

use crate::penguin_cases::{check_claims, check_positions, check_records};

#[test]
fn amazon_penguins_positions_have_the_moves_and_counts_of_the_facts() {
    check_positions("amazon_penguins");
}

#[test]
fn amazon_penguins_records_end_as_the_facts_say() {
    check_records("amazon_penguins", |play, result| {
        // The digits of the rows, without the fish already counted in the scores, are the unclaimed fish.
        let line = play.line();
        let rows = line.split_whitespace().next().unwrap();
        let on_board: u32 = rows.chars().filter_map(|c| c.to_digit(10)).sum();
        let standing: u32 = play.scores().unwrap().iter().map(|s| s.points).sum::<u32>() - taken(&line);
        assert_eq!(u64::from(on_board - standing), result["unclaimed"].as_u64().unwrap());
    });
}

/// Returns the fish taken so far by all players, from the line.
fn taken(line: &str) -> u32 {
    let scores = line.split_whitespace().nth(4).unwrap();
    scores.split(',').map(|s| s.split(':').next().unwrap().parse::<u32>().unwrap()).sum()
}

#[test]
fn amazon_penguins_claims_are_what_the_facts_say() {
    check_claims("amazon_penguins", "chips", "penguins");
}
