-- Browsers in which people are signed in. Tokens are stored as their SHA-256 only. A sign-in token is deleted when it is
-- used; a session lasts until it is unused for long, or revoked.
CREATE TABLE sign_ins (
    digest text PRIMARY KEY,
    person bigint NOT NULL,
    table_id text NOT NULL,
    expires_ms bigint NOT NULL
);
CREATE INDEX sign_ins_of_person ON sign_ins (person, expires_ms);
CREATE INDEX sign_ins_by_table ON sign_ins (table_id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_ms);
CREATE TABLE web_sessions (
    digest text PRIMARY KEY,
    person bigint NOT NULL,
    made_ms bigint NOT NULL,
    used_ms bigint NOT NULL
);
CREATE INDEX web_sessions_of_person ON web_sessions (person, used_ms);
CREATE INDEX web_sessions_by_use ON web_sessions (used_ms);
