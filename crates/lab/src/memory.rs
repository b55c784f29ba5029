//! Peak memory use of an operation, if the system reports it (Linux).

use std::fs;

/// The resident memory at the start of the measurement.
#[derive(Clone, Copy, Debug)]
pub(super) struct PeakMemory(u64);

impl PeakMemory {
    /// Starts a measurement. `None` if the system does not report it.
    pub(super) fn now() -> Option<PeakMemory> {
        // This resets the peak; see proc_pid_clear_refs(5).
        fs::write("/proc/self/clear_refs", "5").ok()?;
        status_bytes("VmRSS:").map(PeakMemory)
    }

    /// The growth of the peak since the start, in bytes.
    pub(super) fn peak_growth(self) -> Option<u64> {
        status_bytes("VmHWM:").map(|peak| peak.saturating_sub(self.0))
    }
}

/// A value of the process status, in bytes.
fn status_bytes(key: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_includes_freed_allocations() {
        const SIZE: usize = 128 << 20;
        let mark = PeakMemory::now().unwrap();
        let held = vec![1_u8; SIZE];
        assert_eq!(held.iter().map(|byte| usize::from(*byte)).sum::<usize>(), SIZE);
        drop(held);
        // Other tests of the process allocate and free memory at the same time.
        assert!(mark.peak_growth().unwrap() > SIZE as u64 / 2);
    }
}
