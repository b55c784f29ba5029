-- Each entry is sealed with a digest over itself and the seal before it; a table's card names its
-- latest seal, so that a missing end shows as well. Entries from before this step have none.
ALTER TABLE events ADD COLUMN seal TEXT;
ALTER TABLE cards ADD COLUMN head TEXT;
