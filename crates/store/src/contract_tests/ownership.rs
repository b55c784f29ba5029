//! Only one process owns a file, and no other user may read it.

use super::{first_batch, id};
use crate::Sqlite;
use crate::sqlite::owner::Ownership;
use rookery_table::ports::Journal;

#[tokio::test]
async fn second_owner_is_refused_and_the_first_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let first = Sqlite::open(&path).await.unwrap();
    let why = Sqlite::open(&path).await.err().unwrap().to_string();
    let process = format!("in use by process {} on ", std::process::id());
    assert!(why.contains(&process) && why.contains("running since 20"), "{why}");
    assert!(why.contains("store.url"), "{why}");
    first.append(&first_batch(id("KKK2"))).await.unwrap();
    first.close().await;
    let second = Sqlite::open(&path).await.unwrap();
    assert_eq!(second.load(id("KKK2")).await.unwrap(), first_batch(id("KKK2")).entries);
}

#[tokio::test]
async fn file_is_read_beside_its_owner_and_cannot_be_written_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    assert!(Sqlite::open_read_only(&path).await.is_err(), "there is none");
    assert!(!path.exists(), "nor was one made");
    let owner = Sqlite::open(&path).await.unwrap();
    owner.append(&first_batch(id("KKK2"))).await.unwrap();
    let reader = Sqlite::open_read_only(&path).await.unwrap();
    assert_eq!(reader.load(id("KKK2")).await.unwrap(), first_batch(id("KKK2")).entries);
    let why = reader.append(&first_batch(id("NNN2"))).await.unwrap_err().to_string();
    assert!(why.contains("cannot be written"), "{why}");
}

#[tokio::test]
async fn lock_of_a_dead_process_blocks_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let lock = folder.path().join("rookery.sqlite.lock");
    std::fs::write(&lock, "process 1 on elsewhere, running since 2020-01-01 00:00:00 UTC, and some more")
        .unwrap();
    let owner = Ownership::take(&path).unwrap();
    let text = std::fs::read_to_string(&lock).unwrap();
    assert!(text.starts_with(&format!("process {} on ", std::process::id())), "{text}");
    assert!(!text.contains("elsewhere") && !text.contains("more"), "{text}");
    drop(owner);
    drop(Ownership::take(&path).unwrap());
}

/// A symbolic link to the file has the same owner lock.
#[cfg(unix)]
#[tokio::test]
async fn second_owner_by_another_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("rookery.sqlite"), folder.path().join("link.sqlite"));
    let _first = Sqlite::open(&path).await.unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let why = Sqlite::open(&link).await.err().unwrap().to_string();
    assert!(why.contains("in use by process"), "{why}");
}

#[cfg(unix)]
#[tokio::test]
async fn file_and_all_beside_it_are_private_also_where_they_were_not() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rookery.sqlite");
    let rights = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
        let mut all: Vec<_> = files
            .map(|file| {
                (
                    file.file_name().into_string().unwrap(),
                    file.metadata().unwrap().permissions().mode() & 0o777,
                )
            })
            .collect();
        all.sort();
        all
    };
    let private = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 0o600)).collect::<Vec<_>>();
    let all = ["rookery.sqlite", "rookery.sqlite-shm", "rookery.sqlite-wal", "rookery.sqlite.lock"];
    let journal = Sqlite::open(&path).await.unwrap();
    journal.append(&first_batch(id("KKK2"))).await.unwrap();
    assert_eq!(rights(), private(&all));
    // Modes as an older version left them when it was killed.
    for name in all {
        let open = std::fs::Permissions::from_mode(0o664);
        std::fs::set_permissions(folder.path().join(name), open).unwrap();
    }
    drop(journal.owner.lock().unwrap().take());
    let again = Sqlite::open(&path).await.unwrap();
    assert_eq!(rights(), private(&all));
    assert_eq!(again.load(id("KKK2")).await.unwrap(), first_batch(id("KKK2")).entries);
}
