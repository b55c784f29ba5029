//! Annotations in the database.

use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, query};

use super::Postgres;
use crate::pages::page_of;
use crate::rows::{
    ANNOTATION_COLUMNS, ANNOTATION_LINK_COLUMNS, name, ply_number, position_name, read_annotation,
    read_annotation_link, table_id, to_i64,
};
use rookery_table::annotation::{AnnotatedPosition, Annotation, AnnotationLink, MAX_POSITIONS};
use rookery_table::ports::{Annotations, Page, PageRequest, StoreError};
use rookery_table::{TableId, UserId};

/// Stores an annotation in place of the one of the same position, if there is room for it (`$9`).
pub(super) const STORE: &str = "INSERT INTO annotations (person, table_id, ply, line, comment, arrows, marks, at_ms) \
     SELECT $1::bigint, $2::text, $3::bigint, $4::text, $5::text, $6::text, $7::text, $8::bigint \
     WHERE NOT EXISTS (SELECT 1 FROM erased WHERE table_id = $2::text) \
         AND (EXISTS (SELECT 1 FROM annotations \
                 WHERE person = $1::bigint AND table_id = $2::text AND ply = $3::bigint AND line = $4::text) \
             OR (SELECT count(*) FROM annotations WHERE person = $1::bigint AND table_id = $2::text) < $9::bigint) \
     ON CONFLICT (person, table_id, ply, line) DO UPDATE \
         SET comment = excluded.comment, arrows = excluded.arrows, marks = excluded.marks, at_ms = excluded.at_ms";
/// Deletes an annotation.
pub(super) const DELETE: &str =
    "DELETE FROM annotations WHERE person = $1 AND table_id = $2 AND ply = $3 AND line = $4";
/// The tables at which a person has annotations or a link.
pub(super) const ANNOTATED_BY: &str = "SELECT table_id FROM annotations WHERE person = $1 AND table_id > $2 \
     UNION SELECT table_id FROM annotation_links WHERE person = $1 AND table_id > $2 ORDER BY table_id LIMIT $3";
/// Stores a link, unless there is one.
pub(super) const STORE_LINK: &str = "INSERT INTO annotation_links (digest, token, person, table_id, made_ms) \
     SELECT $1::text, $2::text, $3::bigint, $4::text, $5::bigint \
     WHERE NOT EXISTS (SELECT 1 FROM erased WHERE table_id = $4::text) ON CONFLICT DO NOTHING";
/// Withdraws the link of a person.
pub(super) const WITHDRAW: &str = "DELETE FROM annotation_links WHERE person = $1 AND table_id = $2";
/// Withdraws the links of a table.
pub(super) const WITHDRAW_ALL: &str = "DELETE FROM annotation_links WHERE table_id = $1";

/// The annotations of a person at a table.
pub(super) fn of_table_sql() -> String {
    format!(
        "SELECT {ANNOTATION_COLUMNS} FROM annotations WHERE person = $1 AND table_id = $2 ORDER BY ply, line"
    )
}

/// The link of a token.
pub(super) fn link_sql() -> String {
    format!("SELECT {ANNOTATION_LINK_COLUMNS} FROM annotation_links WHERE digest = $1")
}

/// The link of a person.
pub(super) fn link_of_sql() -> String {
    format!("SELECT {ANNOTATION_LINK_COLUMNS} FROM annotation_links WHERE person = $1 AND table_id = $2")
}

#[async_trait]
impl Annotations for Postgres {
    async fn store_annotation(
        &self,
        who: UserId,
        table: TableId,
        annotation: &Annotation,
    ) -> Result<bool, StoreError> {
        let row = query(STORE)
            .bind(to_i64(who.0))
            .bind(table.as_str().to_owned())
            .bind(ply_number(annotation.position.ply))
            .bind(annotation.position.line.clone())
            .bind(annotation.comment.clone())
            .bind(annotation.arrows_text())
            .bind(annotation.marks_text())
            .bind(annotation.at.as_millisecond())
            .bind(ply_number(MAX_POSITIONS));
        // With the table's lock no deletion of it goes on meanwhile, after which the annotation would remain.
        let mut transaction = self.connections.begin_at(table).await?;
        let stored = transaction.write(row).await?;
        transaction.commit().await?;
        Ok(stored > 0)
    }

    async fn delete_annotation(
        &self,
        who: UserId,
        table: TableId,
        position: &AnnotatedPosition,
    ) -> Result<(), StoreError> {
        let row = query(DELETE).bind(to_i64(who.0)).bind(table.as_str().to_owned());
        self.connections.write(row.bind(ply_number(position.ply)).bind(position.line.clone())).await?;
        Ok(())
    }

    async fn annotations_of(&self, who: UserId, table: TableId) -> Result<Vec<Annotation>, StoreError> {
        let rows = query(AssertSqlSafe(of_table_sql())).bind(to_i64(who.0)).bind(table.as_str().to_owned());
        let rows = self.connections.rows(rows).await?;
        let read =
            |row: &PgRow| self.unreadable.skip("annotation", position_name(table, row), read_annotation(row));
        Ok(rows.iter().filter_map(read).collect())
    }

    async fn annotated_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let rows = self.by_table(query(ANNOTATED_BY).bind(to_i64(who.0)), page).await?;
        let read = |row: &PgRow| self.unreadable.skip("annotation", name(row, 0), table_id(row, 0));
        page_of(&rows, page.limit, |row| table_id(row, 0), read)
    }

    async fn store_annotation_link(&self, link: &AnnotationLink) -> Result<(), StoreError> {
        let row = query(STORE_LINK)
            .bind(link.token.digest())
            .bind(link.token.as_str().to_owned())
            .bind(to_i64(link.author.0))
            .bind(link.table.as_str().to_owned())
            .bind(link.made_at.as_millisecond());
        let mut transaction = self.connections.begin_at(link.table).await?;
        transaction.write(row).await?;
        transaction.commit().await
    }

    async fn annotation_link(&self, digest: &str) -> Result<Option<AnnotationLink>, StoreError> {
        // No digest contains a NUL, which the database would refuse.
        if digest.contains('\0') {
            return Ok(None);
        }
        let row = query(AssertSqlSafe(link_sql())).bind(digest.to_owned());
        let row = self.connections.row(row).await?;
        row.map(|row| read_annotation_link(&row)).transpose()
    }

    async fn annotation_link_of(
        &self,
        who: UserId,
        table: TableId,
    ) -> Result<Option<AnnotationLink>, StoreError> {
        let row = query(AssertSqlSafe(link_of_sql())).bind(to_i64(who.0)).bind(table.as_str().to_owned());
        let row = self.connections.row(row).await?;
        row.map(|row| read_annotation_link(&row)).transpose()
    }

    async fn withdraw_annotation_link(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        let row = query(WITHDRAW).bind(to_i64(who.0)).bind(table.as_str().to_owned());
        Ok(self.connections.write(row).await? > 0)
    }
}
