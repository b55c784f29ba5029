//! What the fuzzers check: the functions that the property tests in `tests/it/hostile_input/` share with them.

#[path = "../../tests/it/hostile_input/targets/mod.rs"]
#[allow(
    dead_code,
    reason = "the seeds and words are for the property tests, which write them for the fuzzers"
)]
mod targets;

/// Checks one input of the target with this name.
///
/// # Panics
/// If the input is not handled as it should be.
pub fn check(target: &str, input: &[u8]) {
    (targets::target(target).check)(input);
}
