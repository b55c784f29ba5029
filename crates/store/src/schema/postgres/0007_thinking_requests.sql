-- What people ask the bot to think about beside its turns. A process with the request's job writes the answer; the one
-- that asked takes it, and deletes the row. owner: whose budget of thinking it is.
CREATE TABLE thinking_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner bigint NOT NULL,
    request text NOT NULL,
    answer text,
    asked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX thinking_requests_waiting ON thinking_requests (owner) WHERE answer IS NULL;
CREATE INDEX thinking_requests_old ON thinking_requests (asked_at);

-- Whether a process does jobs of thinking.
ALTER TABLE processes ADD COLUMN thinks boolean NOT NULL DEFAULT false;
