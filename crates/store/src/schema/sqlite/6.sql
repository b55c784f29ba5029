-- The servers in which games go on, and the games that stand still because we are not in theirs: both are
-- asked for at every start, whatever else lies in the file.
CREATE INDEX cards_playing ON cards (guild)
    WHERE stage = 1 AND guild IS NOT NULL AND card ->> '$.frozen_ms' IS NULL;
CREATE INDEX cards_frozen ON cards (guild) WHERE card ->> '$.frozen_ms' IS NOT NULL;
