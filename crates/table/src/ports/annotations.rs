//! Storage of annotations and of the links that show them.

use async_trait::async_trait;

use super::{Page, PageRequest, StoreError};
use crate::annotation::{AnnotatedPosition, Annotation, AnnotationLink};
use crate::{TableId, UserId};

/// What people wrote and drew on positions of games, and the links to it. A person has one annotation of a position, and one
/// link of a table.
#[async_trait]
pub trait Annotations: Send + Sync {
    /// Stores an annotation in place of the one that the person has of that position. Returns whether it is stored: not
    /// beyond [`MAX_POSITIONS`](crate::annotation::MAX_POSITIONS) at a table, except for a few more if several processes
    /// added the last ones, and not at a deleted table.
    async fn store_annotation(
        &self,
        who: UserId,
        table: TableId,
        annotation: &Annotation,
    ) -> Result<bool, StoreError>;
    /// Deletes a person's annotation of a position; does nothing if there is none.
    async fn delete_annotation(
        &self,
        who: UserId,
        table: TableId,
        position: &AnnotatedPosition,
    ) -> Result<(), StoreError>;
    /// Returns a person's annotations of a game, by position. Those that can't be read are left out.
    async fn annotations_of(&self, who: UserId, table: TableId) -> Result<Vec<Annotation>, StoreError>;
    /// Returns the tables at which a person has annotations or a link to them, by name.
    async fn annotated_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError>;
    /// Stores a new link, unless its author has one of this table, or the table was deleted.
    async fn store_annotation_link(&self, link: &AnnotationLink) -> Result<(), StoreError>;
    /// Returns the link whose token has this SHA-256, in hexadecimal.
    async fn annotation_link(&self, digest: &str) -> Result<Option<AnnotationLink>, StoreError>;
    /// Returns a person's link of a table.
    async fn annotation_link_of(
        &self,
        who: UserId,
        table: TableId,
    ) -> Result<Option<AnnotationLink>, StoreError>;
    /// Withdraws a person's link of a table; returns whether there was one.
    async fn withdraw_annotation_link(&self, who: UserId, table: TableId) -> Result<bool, StoreError>;
}
