-- Who may rest, and at which running tables somebody's clock may stand for it: looked at every quarter of an
-- hour, and at every start.
CREATE INDEX cards_resting ON cards (at_ms DESC) WHERE stage = 1 AND card ->> '$.rests' = 1;
CREATE INDEX preferences_resting ON preferences (id)
    WHERE kind = 0 AND (chosen ->> '$.vacation' IS NOT NULL OR chosen ->> '$.weekly' IS NOT NULL
                        OR chosen ->> '$.clock_week' IS NOT NULL);
