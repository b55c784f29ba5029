-- When time alone brings something at running tables, and which of them owe a proof: all that a start asks, and
-- of the first only what comes within the hour.
CREATE INDEX cards_by_moment ON cards (card ->> '$.next_ms')
    WHERE stage = 1 AND card ->> '$.next_ms' IS NOT NULL;
CREATE INDEX cards_owing_proof ON cards (card ->> '$.ply') WHERE stage = 1 AND card ->> '$.proof_owed' = 1;
