-- Ratings after each rated game; the latest row of an account is its rating. Always derivable from the
-- events. Means and deviations in thousandths of a point, volatilities in millionths.
CREATE TABLE ratings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    game TEXT NOT NULL,
    pool TEXT NOT NULL,
    mean_milli INTEGER NOT NULL,
    deviation_milli INTEGER NOT NULL,
    volatility_micro INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    table_id TEXT NOT NULL,
    guild INTEGER
) STRICT;
CREATE UNIQUE INDEX ratings_by_table ON ratings (table_id, account);
CREATE INDEX ratings_by_account ON ratings (account, game, pool, id);
CREATE INDEX ratings_by_game ON ratings (game, pool, account, id);
