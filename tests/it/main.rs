//! The integration tests: everything that needs more than one crate.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod access;
mod analysis;
mod api_base;
mod api_schema;
mod architecture;
mod axe;
mod bot_game;
mod browser;
mod browser_unsent;
mod cases;
mod cases_amazon_penguins;
mod cases_amazons;
mod cases_amoeba;
mod cases_paper_penguins;
mod cases_penguins;
mod cases_soccer;
mod charts;
mod command_line;
mod comment_style;
mod conformance;
mod conversations;
mod crash_recovery;
mod discord_faults;
mod doctor;
mod duel;
mod edited_messages;
mod eventually;
mod first_game;
#[cfg(target_os = "linux")]
mod full_disk;
mod gateway_session;
mod hostile_input;
mod import_cycles;
mod import_graph;
mod journal_file;
mod levels;
mod main_path;
mod metrics;
mod missed_messages;
mod monitoring;
mod operating_guide;
mod outside_connections;
mod packaging;
mod penguin_cases;
mod picture_content;
mod picture_descriptions;
mod pictures;
mod plain_words;
mod playground_accessibility;
mod playground_files;
mod playground_options;
mod playground_pages;
#[cfg(unix)]
mod postgres_journal;
mod processes;
mod readme;
mod records;
mod released_forms;
mod repeated_orders;
mod side_names;
mod signature;
mod source_code;
mod supervision;
mod test_bot;
mod themes;
mod web;

/// The games that the conformance tests check.
fn games() -> &'static [&'static dyn rookery_core::Game] {
    rookery_games::all()
}
