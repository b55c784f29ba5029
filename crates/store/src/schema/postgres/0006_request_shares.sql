-- How many of the bot's requests to Discord each process may send in a second. A process changes only its own row, one
-- process at a time, so that all of them together stay within the limit. wanted: what it sent in a second lately.
CREATE TABLE request_shares (
    process bigint PRIMARY KEY REFERENCES processes (process) ON DELETE CASCADE,
    per_second integer NOT NULL,
    wanted integer NOT NULL
);
