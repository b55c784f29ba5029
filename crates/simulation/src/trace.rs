//! What happens in a simulation, line by line. Two runs of a seed have the same digest.

use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

/// The lines so far.
#[derive(Default)]
pub(crate) struct Trace(Mutex<Lines>);

#[derive(Default)]
struct Lines {
    digest: Sha256,
    count: u64,
    /// Where lines are kept or shown.
    output: Output,
}

/// What is done with the lines, besides their digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Nothing.
    #[default]
    None,
    /// Each is printed.
    Print,
}

impl Trace {
    pub(crate) fn new(output: Output) -> Trace {
        Trace(Mutex::new(Lines { output, ..Lines::default() }))
    }

    pub(crate) fn add(&self, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.digest.update(line);
        lines.digest.update("\n");
        lines.count += 1;
        if lines.output == Output::Print {
            use std::io::Write;
            // A reader that has gone needs no line.
            let _gone = writeln!(std::io::stdout(), "{line}");
        }
    }

    /// Returns the number of lines, and the first half of their SHA-256 in hexadecimal.
    pub(crate) fn digest(&self) -> (u64, String) {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = lines.digest.clone().finalize();
        (lines.count, digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }
}
