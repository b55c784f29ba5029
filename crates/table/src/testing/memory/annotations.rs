//! Annotations in memory.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::MemoryJournal;
use super::pages::page_of;
use crate::annotation::{AnnotatedPosition, Annotation, AnnotationLink, MAX_POSITIONS};
use crate::ports::{Annotations, Page, PageRequest, StoreError};
use crate::{TableId, UserId};

#[async_trait]
impl Annotations for MemoryJournal {
    async fn store_annotation(
        &self,
        who: UserId,
        table: TableId,
        annotation: &Annotation,
    ) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let key = (who, table, annotation.position.clone());
        let others = kept.annotations.keys().filter(|(by, of, _)| (*by, *of) == (who, table)).count();
        let has_room = kept.annotations.contains_key(&key) || others < MAX_POSITIONS;
        let is_stored = has_room && !kept.erased.contains(&table);
        if is_stored {
            kept.annotations.insert(key, annotation.clone());
        }
        Ok(is_stored)
    }

    async fn delete_annotation(
        &self,
        who: UserId,
        table: TableId,
        position: &AnnotatedPosition,
    ) -> Result<(), StoreError> {
        self.kept().annotations.remove(&(who, table, position.clone()));
        Ok(())
    }

    async fn annotations_of(&self, who: UserId, table: TableId) -> Result<Vec<Annotation>, StoreError> {
        let kept = self.kept();
        let own = kept.annotations.iter().filter(|((by, of, _), _)| (*by, *of) == (who, table));
        Ok(own.map(|(_, annotation)| annotation.clone()).collect())
    }

    async fn annotated_by(
        &self,
        who: UserId,
        page: PageRequest<TableId>,
    ) -> Result<Page<TableId, TableId>, StoreError> {
        let kept = self.kept();
        let annotated = kept.annotations.keys().filter(|(by, ..)| *by == who).map(|(_, table, _)| *table);
        let shared = kept.annotation_links.iter().filter(|link| link.author == who).map(|link| link.table);
        let tables: BTreeSet<TableId> = annotated.chain(shared).collect();
        Ok(page_of(tables.into_iter().map(|table| (table, table)), page))
    }

    async fn store_annotation_link(&self, link: &AnnotationLink) -> Result<(), StoreError> {
        let mut kept = self.kept();
        let same = |known: &AnnotationLink| (known.author, known.table) == (link.author, link.table);
        if !kept.annotation_links.iter().any(same) && !kept.erased.contains(&link.table) {
            kept.annotation_links.push(link.clone());
        }
        Ok(())
    }

    async fn annotation_link(&self, digest: &str) -> Result<Option<AnnotationLink>, StoreError> {
        Ok(self.kept().annotation_links.iter().find(|link| link.token.digest() == digest).cloned())
    }

    async fn annotation_link_of(
        &self,
        who: UserId,
        table: TableId,
    ) -> Result<Option<AnnotationLink>, StoreError> {
        let kept = self.kept();
        Ok(kept.annotation_links.iter().find(|link| (link.author, link.table) == (who, table)).cloned())
    }

    async fn withdraw_annotation_link(&self, who: UserId, table: TableId) -> Result<bool, StoreError> {
        let mut kept = self.kept();
        let before = kept.annotation_links.len();
        kept.annotation_links.retain(|link| (link.author, link.table) != (who, table));
        Ok(kept.annotation_links.len() < before)
    }
}
