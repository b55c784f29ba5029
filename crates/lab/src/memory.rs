//! How much memory something takes at its peak, as far as the system tells (Linux).

use std::fs;

/// The resident memory at a moment, from which on its peak is watched.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeakMemory(u64);

impl PeakMemory {
    /// Begins to watch. `None` where the system does not tell.
    pub(super) fn now() -> Option<PeakMemory> {
        // This makes the highest mark so far forgotten; see proc_pid_clear_refs(5).
        fs::write("/proc/self/clear_refs", "5").ok()?;
        told("VmRSS:").map(PeakMemory)
    }

    /// How much higher the peak since then was, in bytes.
    pub(super) fn grown(self) -> Option<u64> {
        told("VmHWM:").map(|peak| peak.saturating_sub(self.0))
    }
}

/// A number of the process's own status, in bytes.
fn told(key: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_held_for_a_while_is_told_after_it_was_given_back() {
        const SIZE: usize = 128 << 20;
        let mark = PeakMemory::now().unwrap();
        let held = vec![1_u8; SIZE];
        assert_eq!(held.iter().map(|byte| usize::from(*byte)).sum::<usize>(), SIZE);
        drop(held);
        // Other tests of the process come and go with theirs.
        assert!(mark.grown().unwrap() > SIZE as u64 / 2);
    }
}
