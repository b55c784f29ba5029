-- `json_valid`: a damaged row must not keep a file from being upgraded.
-- The servers in which games go on, and the games that stand still because we are not in theirs: both are
-- asked for at every start, whatever else lies in the file.
CREATE INDEX cards_playing ON cards (guild)
    WHERE stage = 1 AND guild IS NOT NULL AND CASE WHEN json_valid(card) THEN card ->> '$.frozen_ms' END IS NULL;
CREATE INDEX cards_frozen ON cards (guild) WHERE CASE WHEN json_valid(card) THEN card ->> '$.frozen_ms' END IS NOT NULL;
