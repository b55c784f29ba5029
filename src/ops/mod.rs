//! Running it: configuration, logs, health, backup, stopping.
