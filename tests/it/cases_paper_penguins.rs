//! The facts about Paper Pen-guins in `tests/data/rules.json`.

use rookery_games::floe::layout::proportions;

use crate::cases;
use crate::penguin_cases::{check_claims, check_positions, check_records, numbers};

#[test]
fn paper_penguins_positions_have_the_moves_and_counts_of_the_facts() {
    check_positions("paper_penguins");
}

#[test]
fn paper_penguins_records_end_as_the_facts_say() {
    check_records("paper_penguins", |_, _| ());
}

#[test]
fn paper_penguins_claims_are_what_the_facts_say() {
    check_claims("paper_penguins", "cells", "pieces");
}

#[test]
fn paper_penguins_boards_of_all_sizes_have_ones_twos_and_threes_in_proportion() {
    let facts = cases::of("paper_penguins");
    let table = facts["proportions"].as_object().unwrap();
    assert!(table.len() > 10);
    for (cells, counts) in table {
        let found = proportions(cells.parse().unwrap());
        assert_eq!(found.map(|n| n as u64).to_vec(), numbers(counts), "{cells} cells");
    }
}

/// The layout `classic` is the first start of the facts, "board of the talk slides".
#[test]
fn paper_penguins_the_printed_layout_is_that_of_the_slides() {
    let facts = cases::of("paper_penguins");
    let slides = crate::penguin_cases::resume("paper_penguins", &facts["starts"][0]["state"]);
    let setup = rookery_core::rules::Setup::new(2).with("layout", "classic");
    let ours = rookery_games::named("paper_penguins").unwrap().start(&setup).unwrap();
    assert_eq!(ours.line(), slides.line());
}
