-- Each entry has a seal: a digest of itself and the seal before it. A table's card contains its latest seal,
-- so that a missing end is detected as well. Entries from before this step have none.
ALTER TABLE events ADD COLUMN seal TEXT;
ALTER TABLE cards ADD COLUMN head TEXT;
