# The usual commands: `just NAME`.

# Play on the playground.
play:
    cargo run --release

# Everything that is tested.
test:
    cargo test

# Format, lints and documentation.
lint:
    cargo fmt --check
    cargo clippy --all-targets -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --document-private-items

# What things cost.
bench:
    cargo bench

# Write golden pictures and records again.
bless:
    ROOKERY_BLESS=1 cargo test

# What must pass before a change lands.
ci:
    bash .ci/run
