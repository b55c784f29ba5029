# `just` lists these recipes. Each is one or two plain commands, so just is not needed to work on Rookery.

[private]
default:
    @just --list

# Play on this machine, without Discord
play *ARGS:
    cargo run --release -- {{ ARGS }}

# Run the tests, or those whose names contain FILTER
test *FILTER:
    cargo test --locked {{ FILTER }}

# Check formatting, lints and documentation
lint:
    cargo fmt --check
    cargo clippy --locked --all-targets -- -D warnings
    cargo clippy --locked --lib --bins -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

# Run the benchmarks, or one of them: encoders, render, rules, search or whole_bot
bench *NAME:
    cargo bench --locked {{ if NAME == "" { "--benches" } else { "--bench " + NAME } }}

# Write the golden files anew; look at every one that changed
bless:
    ROOKERY_BLESS=1 cargo test --locked -p rookery-games
    ROOKERY_BLESS=1 cargo test --locked -p rookery --test it pictures
    ROOKERY_BLESS=1 cargo test --locked -p rookery --test it signature
    ROOKERY_WRITE_EXAMPLE=1 cargo test --locked -p rookery --lib example_file
    git status --short

# Everything that CI checks; `just ci slow` tries out thousands of positions as well
ci *SLOW:
    bash .ci/run {{ SLOW }}
