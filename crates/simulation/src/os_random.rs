//! Random numbers of the operating system, from the seed on threads that simulate.
//!
//! The order of a `HashMap` and the pseudonyms of a table come from `getrandom`, a function of the C library. This module
//! defines it for the whole program, as madsim and mad-turmoil do: on a thread that simulates it continues a seeded
//! stream, elsewhere it asks the system.

use std::cell::Cell;

use rookery_core::seed::mix;

thread_local! {
    /// The state of this thread's stream; `None` where the system's numbers are used.
    static STREAM: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Makes the random numbers of this thread follow from a seed. Call it first on a new thread: the standard library asks
/// once a thread.
pub(crate) fn seed_this_thread(seed: u64) {
    STREAM.set(Some(mix(seed)));
}

/// Fills a buffer as the C library's function of this name does.
///
/// # Safety
/// `buffer` points to `length` bytes that may be written.
#[allow(unsafe_code, reason = "it replaces a function of the C library")]
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, flags: u32) -> isize {
    let Some(mut state) = STREAM.try_with(Cell::get).ok().flatten() else {
        // SAFETY: the caller vouches for the buffer.
        return unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) as isize };
    };
    for at in 0..length {
        if at.is_multiple_of(8) {
            state = mix(state);
        }
        // SAFETY: the caller vouches for the buffer.
        unsafe { buffer.add(at).write((state >> (8 * (at % 8))) as u8) };
    }
    STREAM.set(Some(state));
    isize::try_from(length).unwrap_or(isize::MAX)
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::*;

    fn drawn(seed: u64) -> (u64, u64, [u8; 16]) {
        let draw = move || {
            seed_this_thread(seed);
            let mut bytes = [0; 16];
            getrandom::fill(&mut bytes).expect("it is this module's");
            (RandomState::new().hash_one(1), RandomState::new().hash_one(1), bytes)
        };
        std::thread::spawn(draw).join().expect("it doesn't panic")
    }

    #[test]
    fn random_numbers_follow_from_the_seed() {
        assert_eq!(drawn(1), drawn(1));
        let ((first, _, bytes), (other, _, others)) = (drawn(1), drawn(2));
        assert!(first != other && bytes != others);
    }
}
