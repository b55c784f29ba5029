//! Annotations: kept by position, bounded, private to their author, and deleted with their person or table; and their links.

use super::people::{DAN, EVE};
use super::{id, moment};
use rookery_table::annotation::{AnnotatedPosition, Annotation, AnnotationLink, MAX_POSITIONS};
use rookery_table::ports::{Annotations, Journal, walk_pages_of};
use rookery_table::share::ShareToken;
use rookery_table::{TableId, UserId};

use futures_util::TryStreamExt;

fn position(ply: usize, line: &str) -> AnnotatedPosition {
    AnnotatedPosition { ply, line: line.to_owned() }
}

fn annotation(ply: usize, line: &str, comment: &str) -> Annotation {
    let arrows = ["a1-a2", "d1-d7"].map(str::to_owned);
    Annotation::new(position(ply, line), comment, &arrows, &["c3".to_owned()], moment(5)).unwrap()
}

fn link(author: UserId, table: TableId) -> AnnotationLink {
    AnnotationLink { token: ShareToken::draw().unwrap(), author, table, made_at: moment(6) }
}

/// Stores an annotation of a person, and a link to it.
pub(super) async fn annotated(journal: &dyn Journal, table: TableId, who: UserId) {
    let kept = journal.annotations();
    assert!(kept.store_annotation(who, table, &annotation(1, "", "x")).await.unwrap());
    kept.store_annotation_link(&link(who, table)).await.unwrap();
}

/// Returns the tables that a person annotated, read in pages of two.
async fn tables_of(kept: &dyn Annotations, who: UserId) -> Vec<TableId> {
    walk_pages_of(2, |page| kept.annotated_by(who, page)).try_collect().await.unwrap()
}

pub(super) async fn annotations_are_kept(journal: &dyn Journal) {
    let (kept, table) = (journal.annotations(), id("NNN2"));
    let text = "\"Warum\" d7?\n日本 🐧 'x'; --";
    let all = [annotation(0, "", text), annotation(3, "", "b"), annotation(3, "a1-a2/a3,b1-b2/b3", "")];
    for one in all.iter().rev() {
        assert!(kept.store_annotation(DAN, table, one).await.unwrap());
    }
    assert_eq!(kept.annotations_of(DAN, table).await.unwrap(), all, "by position");
    assert_eq!(kept.annotations_of(EVE, table).await.unwrap(), [], "another person's");
    assert_eq!(kept.annotations_of(DAN, id("NNN3")).await.unwrap(), [], "another table's");

    let drawn = Annotation { marks: Vec::new(), arrows: Vec::new(), at: moment(9), ..annotation(3, "", "c") };
    assert!(kept.store_annotation(DAN, table, &drawn).await.unwrap());
    kept.delete_annotation(DAN, table, &position(3, "a1-a2/a3,b1-b2/b3")).await.unwrap();
    kept.delete_annotation(EVE, table, &position(0, "")).await.unwrap();
    kept.delete_annotation(DAN, table, &position(7, "")).await.unwrap();
    assert_eq!(
        kept.annotations_of(DAN, table).await.unwrap(),
        [all[0].clone(), drawn],
        "the last write counts"
    );
    annotations_are_bounded(kept).await;
    tables_with_annotations_are_listed(kept).await;
    links_to_annotations_are_kept(journal).await;
    annotations_go_with_their_person_and_their_table(journal).await;
}

async fn annotations_are_bounded(kept: &dyn Annotations) {
    let (table, other) = (id("NNN4"), id("NNN5"));
    for ply in 0..MAX_POSITIONS {
        assert!(kept.store_annotation(EVE, table, &annotation(ply, "", "x")).await.unwrap(), "{ply}");
    }
    let more = annotation(MAX_POSITIONS, "", "x");
    assert!(!kept.store_annotation(EVE, table, &more).await.unwrap(), "one too many");
    assert_eq!(kept.annotations_of(EVE, table).await.unwrap().len(), MAX_POSITIONS);
    assert!(
        kept.store_annotation(EVE, table, &annotation(7, "", "y")).await.unwrap(),
        "a known one is changed"
    );
    assert!(kept.store_annotation(EVE, other, &more).await.unwrap(), "each table has its own limit");
    assert!(kept.store_annotation(DAN, table, &more).await.unwrap(), "and each person");
    kept.delete_annotation(EVE, table, &position(7, "")).await.unwrap();
    assert!(kept.store_annotation(EVE, table, &more).await.unwrap(), "there is room again");
}

async fn tables_with_annotations_are_listed(kept: &dyn Annotations) {
    let shared = id("NNN6");
    kept.store_annotation_link(&link(EVE, shared)).await.unwrap();
    assert_eq!(
        tables_of(kept, EVE).await,
        [id("NNN4"), id("NNN5"), shared],
        "each once, those with a link alone too"
    );
    assert_eq!(tables_of(kept, DAN).await, [id("NNN2"), id("NNN4")]);
    assert_eq!(tables_of(kept, UserId(u64::MAX)).await, []);
}

async fn links_to_annotations_are_kept(journal: &dyn Journal) {
    let (kept, table) = (journal.annotations(), id("NNN2"));
    let (own, theirs) = (link(DAN, table), link(EVE, table));
    for link in [&own, &theirs] {
        kept.store_annotation_link(link).await.unwrap();
    }
    assert_eq!(kept.annotation_link(&own.token.digest()).await.unwrap(), Some(own.clone()));
    assert_eq!(kept.annotation_link(own.token.as_str()).await.unwrap(), None, "a token itself finds nothing");
    assert_eq!(
        journal.share_links().link(&own.token.digest()).await.unwrap(),
        None,
        "it shares no more than that"
    );
    let second = link(DAN, table);
    kept.store_annotation_link(&second).await.unwrap();
    assert_eq!(kept.annotation_link(&second.token.digest()).await.unwrap(), None, "one of each person");
    assert_eq!(kept.annotation_link_of(DAN, table).await.unwrap(), Some(own.clone()));
    assert!(kept.withdraw_annotation_link(DAN, table).await.unwrap());
    assert!(!kept.withdraw_annotation_link(DAN, table).await.unwrap(), "there is none any more");
    assert_eq!(kept.annotation_link(&own.token.digest()).await.unwrap(), None);
    assert_eq!(
        kept.annotation_link_of(EVE, table).await.unwrap(),
        Some(theirs.clone()),
        "others keep theirs"
    );

    kept.store_annotation_link(&second).await.unwrap();
    assert!(
        journal.share_links().withdraw_links(table, moment(7)).await.unwrap(),
        "with all links to the game"
    );
    for gone in [&second, &theirs] {
        assert_eq!(kept.annotation_link(&gone.token.digest()).await.unwrap(), None);
    }
    assert!(!journal.share_links().withdraw_links(table, moment(8)).await.unwrap());
}

async fn annotations_go_with_their_person_and_their_table(journal: &dyn Journal) {
    let (kept, table, other) = (journal.annotations(), id("NNN7"), id("NNN2"));
    let links = [link(DAN, table), link(DAN, other), link(EVE, other)];
    for link in &links {
        kept.store_annotation_link(link).await.unwrap();
        kept.store_annotation(link.author, link.table, &annotation(1, "", "x")).await.unwrap();
    }
    journal.privacy().delete_table(table).await.unwrap();
    assert_eq!(kept.annotation_link(&links[0].token.digest()).await.unwrap(), None);
    assert_eq!(kept.annotations_of(DAN, table).await.unwrap(), []);
    assert!(
        !kept.store_annotation(DAN, table, &annotation(1, "", "late")).await.unwrap(),
        "the table is gone"
    );
    kept.store_annotation_link(&links[0]).await.unwrap();
    assert_eq!(tables_of(kept, DAN).await, [other, id("NNN4")]);

    journal.privacy().delete_personal_rows(DAN).await.unwrap();
    assert_eq!(tables_of(kept, DAN).await, []);
    assert_eq!(kept.annotation_link(&links[1].token.digest()).await.unwrap(), None);
    assert!(kept.annotation_link(&links[2].token.digest()).await.unwrap().is_some(), "others keep theirs");
    assert_eq!(kept.annotations_of(EVE, other).await.unwrap(), [annotation(1, "", "x")]);
}
