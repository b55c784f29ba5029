//! Reading and writing of rows, the same for every database. Values are not trusted: a damaged one is an error of its
//! row, not a panic.

use jiff::Timestamp;

use rookery_core::player::Level;
use rookery_table::annotation::{AnnotatedPosition, Annotation, AnnotationLink};
use rookery_table::hash_chain::ChainEntry;
use rookery_table::millis;
use rookery_table::ports::{Batch, Card, DueItem, DueTable, Job, Stage, StoreError, WatchMode};
use rookery_table::rated::{KnownRating, RatingRecord};
use rookery_table::rating::{Rating, RatingPool};
use rookery_table::share::{ShareLink, ShareOrigin, ShareTarget, ShareToken};
use rookery_table::web_session::{SignIn, WebSession};
use rookery_table::{GuildId, LeavePolicy, SourceId, TableId, UserId};

/// A row of a query's result. Columns are counted from 0.
pub(crate) trait StoredRow {
    /// Decodes an integer.
    fn integer(&self, at: usize) -> Result<i64, StoreError>;
    /// Decodes an integer that may be NULL.
    fn optional_integer(&self, at: usize) -> Result<Option<i64>, StoreError>;
    /// Decodes a text.
    fn text(&self, at: usize) -> Result<&str, StoreError>;
    /// Decodes a text that may be NULL.
    fn optional_text(&self, at: usize) -> Result<Option<&str>, StoreError>;
    /// Decodes a text as far as possible, to name the row in a report.
    fn name(&self, at: usize) -> String;
}

/// Reinterprets an unsigned 64-bit id or seed as the signed integer that databases have.
pub(crate) fn to_i64(n: impl Into<u64>) -> i64 {
    n.into().cast_signed()
}

/// Returns a value as the JSON that is stored.
pub(crate) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("words of the table have string keys and no odd numbers")
}

/// Decodes a moment from milliseconds since 1970.
pub(crate) fn moment(row: &impl StoredRow, at: usize) -> Result<Timestamp, StoreError> {
    row.integer(at).map(millis::timestamp)
}

/// Decodes an unsigned 64-bit number or an id.
pub(crate) fn unsigned<T: From<u64>>(row: &impl StoredRow, at: usize) -> Result<T, StoreError> {
    row.integer(at).map(|number| T::from(number.cast_unsigned()))
}

/// Decodes a text as far as possible, to name the row in a report.
pub(crate) fn name(row: &impl StoredRow, at: usize) -> String {
    row.name(at)
}

pub(crate) fn table_id(row: &impl StoredRow, at: usize) -> Result<TableId, StoreError> {
    let text = row.text(at)?;
    text.parse().map_err(|error| unreadable(format!("{text:?}"), error))
}

/// Decodes an entry of a table: its sequence number, moment, source, event and seal.
pub(crate) fn read_link(table: TableId, row: &impl StoredRow) -> Result<ChainEntry, StoreError> {
    let sequence = unsigned(row, 0)?;
    let read = || {
        let source = row.optional_integer(2)?.map(i64::cast_unsigned);
        let (at, event) = (moment(row, 1)?, row.text(3)?.to_owned());
        let seal = row.optional_text(4)?.map(str::to_owned);
        Ok(ChainEntry { sequence, at, source: source.map(SourceId), event, seal })
    };
    read().map_err(|error: StoreError| StoreError::Unreadable { table, sequence, why: error.to_string() })
}

/// Decodes a card; the next column is its table, to name it.
pub(crate) fn read_card(row: &impl StoredRow) -> Result<Card, StoreError> {
    let what = || format!("the card of table {}", name(row, 1));
    let card = row.text(0).map_err(|error| unreadable(what(), error))?;
    serde_json::from_str(card).map_err(|error| unreadable(what(), error))
}

/// Decodes a job: its table, ply, level and seed.
pub(crate) fn read_job(row: &impl StoredRow) -> Result<Job, StoreError> {
    let table = table_id(row, 0)?;
    let key = row.text(2)?;
    let level = Level::named(key);
    let level = level.ok_or_else(|| {
        unreadable(format!("the turn owed at table {table}"), format!("no level called {key}"))
    })?;
    let ply = usize::try_from(row.integer(1)?).unwrap_or_default();
    Ok(Job { table, ply, level, seed: unsigned(row, 3)? })
}

/// Decodes an outbox row: its number, table, item, attempts and due time.
pub(crate) fn read_due(row: &impl StoredRow) -> Result<DueItem, StoreError> {
    let table = table_id(row, 1)?;
    let what = || format!("what is to be said for table {table}");
    let item = row.text(2).map_err(|error| unreadable(what(), error))?;
    let item = serde_json::from_str(item).map_err(|error| unreadable(what(), error))?;
    let tries = u32::try_from(row.integer(3)?).map_err(|error| unreadable(what(), error))?;
    let due_since = row.optional_integer(4)?.map(millis::timestamp);
    Ok(DueItem { id: row.integer(0)?, table, item, tries, due_since })
}

/// Decodes an outbox row's number, table and server.
pub(crate) fn due_table(row: &impl StoredRow) -> Result<DueTable, StoreError> {
    let guild = row.optional_integer(2)?.map(i64::cast_unsigned);
    Ok(DueTable { id: row.integer(0)?, table: table_id(row, 1)?, guild: guild.map(GuildId) })
}

/// The columns of a rating, in the order of [`read_rating`].
pub(crate) const RATING_COLUMNS: &str =
    "r.account, r.game, r.pool, r.mean_milli, r.deviation_milli, r.volatility_micro, r.at_ms, r.table_id";

/// Returns the name of a rating for a report: its account and its table.
pub(crate) fn rating_name(row: &impl StoredRow) -> String {
    format!("{} at {}", name(row, 0), name(row, 7))
}
/// Returns the ratings from which the changes of a batch were computed, except those of people whose data was deleted.
pub(crate) fn known_of(batch: &Batch) -> Vec<&KnownRating> {
    batch.known_ratings.iter().filter(|known| !known.who.is_pseudonym()).collect()
}

pub(crate) fn read_rating(row: &impl StoredRow) -> Result<RatingRecord, StoreError> {
    let wrong = |why: &str| unreadable(format!("the rating of {}", rating_name(row)), why);
    // Columns are wider than these two numbers.
    let number = |at| u32::try_from(row.integer(at)?).map_err(|error| wrong(&error.to_string()));
    let rating =
        Rating { mean_milli: row.integer(3)?, deviation_milli: number(4)?, volatility_micro: number(5)? };
    Ok(RatingRecord {
        who: row.text(0)?.to_owned().try_into().map_err(|why: String| wrong(&why))?,
        game: row.text(1)?.to_owned(),
        pool: RatingPool::named(row.text(2)?).ok_or_else(|| wrong("no such pool"))?,
        rating,
        at: moment(row, 6)?,
        table: table_id(row, 7)?,
    })
}

/// A share link's columns, in the order of [`read_share_link`].
pub(crate) const SHARE_LINK_COLUMNS: &str = "token, table_id, guild, maker, made_ms";

pub(crate) fn read_share_link(row: &impl StoredRow) -> Result<ShareLink, StoreError> {
    let unreadable = || unreadable("a share link", "its token or what it leads to cannot be read");
    let token = ShareToken::read(row.text(0)?).ok_or_else(unreadable)?;
    let guild = row.optional_integer(2)?.map(i64::cast_unsigned);
    let target = match (row.optional_text(1)?, guild) {
        (Some(_), _) => ShareTarget::Table(table_id(row, 1)?),
        (None, Some(guild)) => ShareTarget::Server(GuildId(guild)),
        (None, None) => return Err(unreadable()),
    };
    let origin = match row.optional_integer(3)? {
        Some(maker) => ShareOrigin::Player(UserId(maker.cast_unsigned())),
        None => ShareOrigin::Setting,
    };
    Ok(ShareLink { token, target, guild: guild.map(GuildId), origin, made_at: moment(row, 4)? })
}

/// Returns the values of a share link's table and server columns.
pub(crate) fn share_link_target(link: &ShareLink) -> (Option<String>, Option<i64>) {
    match link.target {
        ShareTarget::Table(table) => (Some(table.as_str().to_owned()), link.guild.map(to_i64)),
        ShareTarget::Server(guild) => (None, Some(to_i64(guild))),
    }
}

/// Reads what a sign-in token is for: person, table, and when it expires.
pub(crate) fn read_sign_in(row: &impl StoredRow) -> Result<SignIn, StoreError> {
    let person = UserId(row.integer(0)?.cast_unsigned());
    Ok(SignIn { person, table: table_id(row, 1)?, expires_at: moment(row, 2)? })
}

/// Reads a session: person, when it was made, and when it was last used.
pub(crate) fn read_session(row: &impl StoredRow) -> Result<WebSession, StoreError> {
    let person = UserId(row.integer(0)?.cast_unsigned());
    Ok(WebSession { person, made_at: moment(row, 1)?, used_at: moment(row, 2)? })
}

/// Returns a number of turns, or another small number, as the signed integer that databases have.
pub(crate) fn ply_number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// An annotation's columns, in the order of [`read_annotation`].
pub(crate) const ANNOTATION_COLUMNS: &str = "ply, line, comment, arrows, marks, at_ms";

pub(crate) fn read_annotation(row: &impl StoredRow) -> Result<Annotation, StoreError> {
    let ply = usize::try_from(row.integer(0)?).map_err(|error| unreadable("an annotation", error))?;
    let position = AnnotatedPosition { ply, line: row.text(1)?.to_owned() };
    let drawn = (row.text(3)?, row.text(4)?);
    let read = Annotation::stored(position, row.text(2)?.to_owned(), drawn, moment(row, 5)?);
    read.map_err(|error| unreadable("an annotation", error))
}

/// Returns the name of an annotation for a report: its table and position.
pub(crate) fn position_name(table: TableId, row: &impl StoredRow) -> String {
    format!("at {table} after {} turns", row.integer(0).unwrap_or_default())
}

/// A link's columns, in the order of [`read_annotation_link`].
pub(crate) const ANNOTATION_LINK_COLUMNS: &str = "token, person, table_id, made_ms";

pub(crate) fn read_annotation_link(row: &impl StoredRow) -> Result<AnnotationLink, StoreError> {
    let token = ShareToken::read(row.text(0)?);
    let token = token.ok_or_else(|| unreadable("a link to annotations", "its token can't be read"))?;
    let (author, table) = (UserId(unsigned(row, 1)?), table_id(row, 2)?);
    Ok(AnnotationLink { token, author, table, made_at: moment(row, 3)? })
}

/// Returns the number that stands for a stage.
pub(crate) fn stage_number(stage: Stage) -> i64 {
    match stage {
        Stage::Waiting => 0,
        Stage::Running => 1,
        Stage::Over => 2,
    }
}

/// Returns the number that stands for a watch mode.
pub(crate) fn watch_number(how: WatchMode) -> i64 {
    match how {
        WatchMode::Thread => 0,
        WatchMode::Digest => 1,
        WatchMode::Moves => 2,
    }
}

/// Returns the watch mode that a number stands for.
pub(crate) fn watch_mode(number: i64) -> Result<WatchMode, StoreError> {
    match number {
        0 => Ok(WatchMode::Thread),
        1 => Ok(WatchMode::Digest),
        2 => Ok(WatchMode::Moves),
        _ => Err(StoreError::Backend(format!("no way to follow has the number {number}"))),
    }
}

/// Returns the stored key of a leave policy.
pub(crate) fn leave_policy_key(leave_policy: LeavePolicy) -> &'static str {
    match leave_policy {
        LeavePolicy::Resign => "resign",
        LeavePolicy::Substitute => "stand-in",
    }
}

/// Returns the leave policy of a stored key.
pub(crate) fn leave_policy(key: &str) -> LeavePolicy {
    if key == "stand-in" { LeavePolicy::Substitute } else { LeavePolicy::Resign }
}

/// The `kind` of a person's preferences.
pub(crate) const PERSON: i64 = 0;
/// The `kind` of a server's preferences.
pub(crate) const SERVER: i64 = 1;

/// Returns the name of preferences for a report.
pub(crate) fn preferences_name(kind: i64, id: u64) -> String {
    format!("what {} {id} chose", if kind == PERSON { "person" } else { "server" })
}

/// Creates the error for a row that this version cannot read.
pub(crate) fn unreadable(what: impl Into<String>, why: impl std::fmt::Display) -> StoreError {
    StoreError::UnreadableRow { what: what.into(), why: why.to_string() }
}
