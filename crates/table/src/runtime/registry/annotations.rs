//! Links to annotations: made, looked up, withdrawn.

use crate::annotation::{Annotation, AnnotationLink};
use crate::model::UserId;
use crate::ports::StoreError;
use crate::share::ShareToken;
use crate::{Table, TableId};

use super::TableRegistry;

impl TableRegistry {
    /// Returns the link that shows a person's annotations of a game; makes it if there is none. The caller has checked that
    /// the person may share the game ([`may_share`](crate::access::may_share)).
    ///
    /// # Errors
    /// If the journal or the system's random number generator fails.
    pub async fn share_annotations(
        &self,
        table: &Table,
        author: UserId,
    ) -> Result<AnnotationLink, StoreError> {
        let (kept, table) = (self.journal().annotations(), table.id());
        if let Some(known) = kept.annotation_link_of(author, table).await? {
            return Ok(known);
        }
        let token = ShareToken::draw().map_err(|error| StoreError::Backend(error.to_string()))?;
        let link = AnnotationLink { token, author, table, made_at: self.now() };
        kept.store_annotation_link(&link).await?;
        // A concurrent request may have made one: the stored link counts.
        let stored = kept.annotation_link_of(author, table).await?;
        stored.ok_or_else(|| StoreError::Backend("the table was deleted meanwhile".into()))
    }

    /// Withdraws the link that shows a person's annotations of a game. Returns whether there was one.
    ///
    /// # Errors
    /// If the journal fails; nothing has changed then.
    pub async fn stop_sharing_annotations(&self, table: TableId, author: UserId) -> Result<bool, StoreError> {
        self.journal().annotations().withdraw_annotation_link(author, table).await
    }

    /// Returns the link of a token; `None` if it does not exist or was withdrawn.
    ///
    /// # Errors
    /// If the journal fails.
    pub async fn shared_annotations(&self, token: &ShareToken) -> Result<Option<AnnotationLink>, StoreError> {
        self.journal().annotations().annotation_link(&token.digest()).await
    }

    /// Stores an annotation, or deletes it if it is empty. Returns whether there was room for it.
    ///
    /// # Errors
    /// If the journal fails; nothing has changed then.
    pub async fn annotate(
        &self,
        table: TableId,
        author: UserId,
        annotation: &Annotation,
    ) -> Result<bool, StoreError> {
        let kept = self.journal().annotations();
        if annotation.is_empty() {
            kept.delete_annotation(author, table, &annotation.position).await?;
            return Ok(true);
        }
        kept.store_annotation(author, table, annotation).await
    }
}
