-- `json_valid`: a damaged row must not keep a file from being upgraded.
-- Who may rest, and at which running tables somebody's clock may stand for it: looked at every quarter of an
-- hour, and at every start.
CREATE INDEX cards_resting ON cards (at_ms DESC) WHERE stage = 1 AND CASE WHEN json_valid(card) THEN card ->> '$.rests' END = 1;
CREATE INDEX preferences_resting ON preferences (id)
    WHERE kind = 0 AND (CASE WHEN json_valid(chosen) THEN chosen ->> '$.vacation' END IS NOT NULL OR CASE WHEN json_valid(chosen) THEN chosen ->> '$.weekly' END IS NOT NULL
                        OR CASE WHEN json_valid(chosen) THEN chosen ->> '$.clock_week' END IS NOT NULL);
