-- `json_valid`: a damaged row must not keep a file from being upgraded.
-- Games that were brought along only to be looked at are deleted after a while: looked for every hour. Cards from
-- before this step do not say which they are.
UPDATE cards SET card = json_set(card, '$.imported', json('true'))
    WHERE stage = 2 AND json_valid(card) AND EXISTS (SELECT 1 FROM events WHERE events.table_id = cards.table_id
                                AND instr(event, '"cause":"imported"'));
CREATE INDEX cards_imported ON cards (at_ms DESC) WHERE CASE WHEN json_valid(card) THEN card ->> '$.imported' END = 1;
