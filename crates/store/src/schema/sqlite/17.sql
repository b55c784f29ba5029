-- Indexes by values in a JSON text, created again so that a row with malformed JSON can be indexed, replaced
-- and deleted as well: its value is NULL in them.
DROP INDEX cards_playing;
DROP INDEX cards_frozen;
DROP INDEX cards_by_moment;
DROP INDEX cards_owing_proof;
DROP INDEX cards_resting;
DROP INDEX preferences_resting;
DROP INDEX cards_imported;
DROP INDEX cards_open_by_host;
CREATE INDEX cards_playing ON cards (guild)
    WHERE stage = 1 AND guild IS NOT NULL
          AND CASE WHEN json_valid(card) THEN card ->> '$.frozen_ms' END IS NULL;
CREATE INDEX cards_frozen ON cards (guild)
    WHERE CASE WHEN json_valid(card) THEN card ->> '$.frozen_ms' END IS NOT NULL;
CREATE INDEX cards_by_moment ON cards (CASE WHEN json_valid(card) THEN card ->> '$.next_ms' END)
    WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.next_ms' END IS NOT NULL;
CREATE INDEX cards_owing_proof ON cards (CASE WHEN json_valid(card) THEN card ->> '$.ply' END)
    WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.proof_owed' END = 1;
CREATE INDEX cards_resting ON cards (at_ms DESC)
    WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.rests' END = 1;
CREATE INDEX cards_imported ON cards (at_ms DESC)
    WHERE CASE WHEN json_valid(card) THEN card ->> '$.imported' END = 1;
CREATE INDEX cards_open_by_host ON cards (CASE WHEN json_valid(card) THEN card ->> '$.host' END, stage)
    WHERE stage < 2;
CREATE INDEX preferences_resting ON preferences (id)
    WHERE kind = 0 AND (CASE WHEN json_valid(chosen) THEN chosen ->> '$.vacation' END IS NOT NULL
                        OR CASE WHEN json_valid(chosen) THEN chosen ->> '$.weekly' END IS NOT NULL
                        OR CASE WHEN json_valid(chosen) THEN chosen ->> '$.clock_week' END IS NOT NULL);
