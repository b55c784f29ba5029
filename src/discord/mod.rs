//! The Discord face: events in, messages out.
