-- `json_valid`: a damaged row must not keep a file from being upgraded.
-- When time alone brings something at running tables, and which of them owe a proof: all that a start asks, and
-- of the first only what comes within the hour.
CREATE INDEX cards_by_moment ON cards (CASE WHEN json_valid(card) THEN card ->> '$.next_ms' END)
    WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.next_ms' END IS NOT NULL;
CREATE INDEX cards_owing_proof ON cards (CASE WHEN json_valid(card) THEN card ->> '$.ply' END) WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.proof_owed' END = 1;
