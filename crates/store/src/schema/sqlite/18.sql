-- Lists are read in pages, each from the key of the last row on.
-- The tables that are not over, by name: all of them, those of a stage, and those of a server.
CREATE INDEX cards_unfinished ON cards (table_id) WHERE stage < 2;
CREATE INDEX cards_unfinished_by_stage ON cards (stage, table_id) WHERE stage < 2;
CREATE INDEX cards_unfinished_by_guild ON cards (guild, table_id) WHERE stage < 2;
-- The indexes by values in a JSON text again, by name.
DROP INDEX cards_owing_proof;
CREATE INDEX cards_owing_proof ON cards (table_id, CASE WHEN json_valid(card) THEN card ->> '$.ply' END)
    WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.proof_owed' END = 1;
DROP INDEX cards_resting;
CREATE INDEX cards_resting ON cards (table_id)
    WHERE CASE WHEN json_valid(card) THEN card ->> '$.rests' END = 1;
DROP INDEX cards_imported;
CREATE INDEX cards_imported ON cards (table_id)
    WHERE CASE WHEN json_valid(card) THEN card ->> '$.imported' END = 1;
-- The servers with a lobby.
CREATE INDEX preferences_lobby ON preferences (id)
    WHERE kind = 1 AND CASE WHEN json_valid(chosen) THEN chosen ->> '$.lobby' END IS NOT NULL;
-- The ratings of an account in the order in which they were written.
CREATE INDEX ratings_history ON ratings (account, id);
