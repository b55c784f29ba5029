//! Analyses of games: stored, replaced, and deleted with their table.

use super::id;
use super::people::table_of_two;
use rookery_table::ports::Journal;

pub(super) async fn analyses_are_kept(journal: &dyn Journal) {
    let (analyses, [table, other, never]) = (journal.analyses(), ["AAA7", "AAA8", "AAA9"].map(id));
    table_of_two(journal, table).await;
    table_of_two(journal, other).await;
    assert_eq!(analyses.analysis(table).await.unwrap(), None);
    for text in ["1", "2"] {
        analyses.store_analysis(table, text).await.unwrap();
    }
    analyses.store_analysis(other, "3").await.unwrap();
    assert_eq!(analyses.analysis(table).await.unwrap().as_deref(), Some("2"));
    journal.privacy().delete_table(table).await.unwrap();
    assert_eq!(analyses.analysis(table).await.unwrap(), None);
    assert_eq!(analyses.analysis(other).await.unwrap().as_deref(), Some("3"), "another game's");
    // The analysis ends after its table was deleted.
    for gone in [table, never] {
        analyses.store_analysis(gone, "4").await.unwrap();
        assert_eq!(analyses.analysis(gone).await.unwrap(), None);
    }
}
