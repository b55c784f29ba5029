//! Annotations in the SQLite file.

use crate::sqlite::errors::store_error;
use async_trait::async_trait;
use sqlx::sqlite::SqliteRow;

use super::pages::page_of;
use super::rows::{
    self, ANNOTATION_COLUMNS, ANNOTATION_LINK_COLUMNS, position_name, read_annotation, read_annotation_link,
    table_id, to_i64,
};
use super::sqlite::Sqlite;
use rookery_table::annotation::{AnnotatedPosition, Annotation, AnnotationLink, MAX_POSITIONS};
use rookery_table::ports::{Annotations, Page, PageRequest, StoreError};
use rookery_table::{TableId, UserId};

/// Stores an annotation in place of the one of the same position, if there is room for it (`?9`).
pub(super) const STORE: &str = "INSERT INTO annotations \
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (SELECT 1 FROM erased WHERE table_id = ?2) \
         AND (EXISTS (SELECT 1 FROM annotations WHERE person = ?1 AND table_id = ?2 AND ply = ?3 AND line = ?4) \
             OR (SELECT count(*) FROM annotations WHERE person = ?1 AND table_id = ?2) < ?9) \
     ON CONFLICT (person, table_id, ply, line) DO UPDATE \
         SET comment = excluded.comment, arrows = excluded.arrows, marks = excluded.marks, at_ms = excluded.at_ms";
/// Deletes an annotation.
pub(super) const DELETE: &str =
    "DELETE FROM annotations WHERE person = ? AND table_id = ? AND ply = ? AND line = ?";
/// The tables at which a person has annotations or a link.
pub(super) const ANNOTATED_BY: &str = "SELECT table_id FROM annotations WHERE person = ?1 AND table_id > ?2 \
     UNION SELECT table_id FROM annotation_links WHERE person = ?1 AND table_id > ?2 ORDER BY table_id LIMIT ?3";
/// Stores a link, unless there is one.
pub(super) const STORE_LINK: &str = "INSERT OR IGNORE INTO annotation_links \
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS (SELECT 1 FROM erased WHERE table_id = ?4)";
/// Withdraws the link of a person.
pub(super) const WITHDRAW: &str = "DELETE FROM annotation_links WHERE person = ? AND table_id = ?";
/// Withdraws the links of a table.
pub(super) const WITHDRAW_ALL: &str = "DELETE FROM annotation_links WHERE table_id = ?";

/// The annotations of a person at a table.
pub(super) fn of_table_sql() -> String {
    format!(
        "SELECT {ANNOTATION_COLUMNS} FROM annotations WHERE person = ? AND table_id = ? ORDER BY ply, line"
    )
}

/// The link of a token.
pub(super) fn link_sql() -> String {
    format!("SELECT {ANNOTATION_LINK_COLUMNS} FROM annotation_links WHERE digest = ?")
}

/// The link of a person.
pub(super) fn link_of_sql() -> String {
    format!("SELECT {ANNOTATION_LINK_COLUMNS} FROM annotation_links WHERE person = ? AND table_id = ?")
}

#[async_trait]
impl Annotations for Sqlite {
    async fn store_annotation(
        &self,
        who: UserId,
        table: TableId,
        annotation: &Annotation,
    ) -> Result<bool, StoreError> {
        let row = sqlx::query(STORE)
            .bind(to_i64(who.0))
            .bind(table.as_str().to_owned())
            .bind(rows::ply_number(annotation.position.ply))
            .bind(annotation.position.line.clone())
            .bind(annotation.comment.clone())
            .bind(annotation.arrows_text())
            .bind(annotation.marks_text())
            .bind(annotation.at.as_millisecond())
            .bind(rows::ply_number(MAX_POSITIONS));
        let stored = row.execute(self.writer()).await.map_err(store_error)?;
        Ok(stored.rows_affected() > 0)
    }

    async fn delete_annotation(
        &self,
        who: UserId,
        table: TableId,
        position: &AnnotatedPosition,
    ) -> Result<(), StoreError> {
        let row = sqlx::query(DELETE).bind(to_i64(who.0)).bind(table.as_str().to_owned());
        let row = row.bind(rows::ply_number(position.ply)).bind(position.line.clone());
        row.execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn annotations_of(&self, who: UserId, table: TableId) -> Result<Vec<Annotation>, StoreError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(of_table_sql()));
        let rows = rows.bind(to_i64(who.0)).bind(table.as_str().to_owned());
        let rows = rows.fetch_all(self.readers()).await.map_err(store_error)?;
        let read = |row: &SqliteRow| {
            self.unreadable_rows().skip("annotation", position_name(table, row), read_annotation(row))
        };
        Ok(rows.iter().filter_map(read).collect())
    }

    async fn annotated_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let rows = self.by_table(sqlx::query(ANNOTATED_BY).bind(to_i64(who.0)), page).await?;
        let read =
            |row: &SqliteRow| self.unreadable_rows().skip("annotation", rows::name(row, 0), table_id(row, 0));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn store_annotation_link(&self, link: &AnnotationLink) -> Result<(), StoreError> {
        let row = sqlx::query(STORE_LINK)
            .bind(link.token.digest())
            .bind(link.token.as_str().to_owned())
            .bind(to_i64(link.author.0))
            .bind(link.table.as_str().to_owned())
            .bind(link.made_at.as_millisecond());
        row.execute(self.writer()).await.map_err(store_error)?;
        Ok(())
    }

    async fn annotation_link(&self, digest: &str) -> Result<Option<AnnotationLink>, StoreError> {
        let row = sqlx::query(sqlx::AssertSqlSafe(link_sql())).bind(digest.to_owned());
        let row = row.fetch_optional(self.readers()).await.map_err(store_error)?;
        row.map(|row| read_annotation_link(&row)).transpose()
    }

    async fn annotation_link_of(
        &self,
        who: UserId,
        table: TableId,
    ) -> Result<Option<AnnotationLink>, StoreError> {
        let row = sqlx::query(sqlx::AssertSqlSafe(link_of_sql()));
        let row = row.bind(to_i64(who.0)).bind(table.as_str().to_owned());
        let row = row.fetch_optional(self.readers()).await.map_err(store_error)?;
        row.map(|row| read_annotation_link(&row)).transpose()
    }

    async fn withdraw_annotation_link(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        let row = sqlx::query(WITHDRAW).bind(to_i64(who.0)).bind(table.as_str().to_owned());
        let gone = row.execute(self.writer()).await.map_err(store_error)?;
        Ok(gone.rows_affected() > 0)
    }
}
