-- Browsers in which people are signed in. Tokens are stored as their SHA-256 only. A sign-in token is deleted when it is
-- used; a session lasts until it is unused for long, or revoked.
CREATE TABLE sign_ins (
    digest TEXT NOT NULL PRIMARY KEY,
    person INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ins_of_person ON sign_ins (person, expires_ms);
CREATE INDEX sign_ins_by_table ON sign_ins (table_id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_ms);
CREATE TABLE web_sessions (
    digest TEXT NOT NULL PRIMARY KEY,
    person INTEGER NOT NULL,
    made_ms INTEGER NOT NULL,
    used_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX web_sessions_of_person ON web_sessions (person, used_ms);
CREATE INDEX web_sessions_by_use ON web_sessions (used_ms);
