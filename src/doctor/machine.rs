//! The checks of this machine: the journal's file, disk, backups, fonts, web pages.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use rookery_render::Names;
use rookery_store::{Postgres, ServerReport, StoreAddress};

use super::{Finding, cause};
use crate::config::{Config, Store, Web};

/// The bytes with which every SQLite file begins (<https://www.sqlite.org/fileformat2.html>).
const SQLITE_HEADER: &[u8; 16] = b"SQLite format 3\0";
/// With less free space, the journal can't be written for long.
const MIN_FREE_BYTES: u64 = 64 << 20;
/// With less free space, it is time to look after the disk.
const COMFORTABLE_FREE_BYTES: u64 = 1 << 30;
/// How long the web pages may take to answer.
const WEB_TIMEOUT: Duration = Duration::from_secs(10);

/// Checks everything that needs no network.
pub(super) fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let StoreAddress::Sqlite(path) = config.store.address() {
        findings.push(journal(&path));
        findings.extend(disk(&path));
    }
    findings.push(backups(&config.store));
    findings.push(fonts());
    findings
}

/// The folder of a file that may not exist yet.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that the journal can be written, or created. Opening it as a database would upgrade an older one.
fn journal(path: &Path) -> Finding {
    let name = "Journal";
    let shown = path.display();
    let opened = OpenOptions::new().read(true).write(true).open(path);
    match opened {
        Ok(mut file) => match starts_as_sqlite(&mut file) {
            Ok(true) => Finding::fine(name, format!("{shown} can be read and written.")),
            Ok(false) => Finding::fault(
                name,
                format!("{shown} is not a journal."),
                "set store.url to the journal's file, or to a new file",
            ),
            Err(error) => unreadable(name, path, &error),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => match writable_folder(folder_of(path)) {
            Ok(()) => Finding::fine(name, format!("{shown} doesn't exist yet and can be created.")),
            Err(error) => Finding::fault(
                name,
                format!("{shown} can't be created: {error}."),
                format!(
                    "create the folder {} for the user that runs Rookery, or set store.url",
                    folder_of(path).display()
                ),
            ),
        },
        Err(error) => unreadable(name, path, &error),
    }
}

/// Checks the database with the journal, if it is in one. It changes nothing there.
pub(super) async fn database(config: &Config) -> Option<Finding> {
    let name = "Journal";
    let StoreAddress::Postgres(url) = config.store.address() else { return None };
    Some(match Postgres::inspect(&url).await {
        Ok(server) => database_rights(&server),
        Err(error) => Finding::fault(
            name,
            format!("The database can't be used: {error}."),
            "start PostgreSQL, or correct store.url",
        ),
    })
}

/// Judges what the user of the database may do there.
fn database_rights(server: &ServerReport) -> Finding {
    let name = "Journal";
    if !server.has_journal && !server.may_create {
        return Finding::fault(
            name,
            "The database has no tables yet, and its user may not create any.",
            "make that user the owner of the database, or grant it CREATE on the schema",
        );
    }
    if !server.may_use_queue {
        return Finding::fault(
            name,
            "The database's user can neither use nor create the schema graphile_worker, the queue of the bot's moves.",
            "make that user the owner of that schema, or grant it CREATE on the database",
        );
    }
    let (version, megabytes) = (&server.version, server.size >> 20);
    Finding::fine(name, format!("PostgreSQL {version} answers; the database has {megabytes} MB."))
}

fn unreadable(name: &'static str, path: &Path, error: &std::io::Error) -> Finding {
    let remedy =
        "let the user that runs Rookery read and write the file and its folder (chown), or set store.url";
    Finding::fault(name, format!("{} can't be opened: {error}.", path.display()), remedy)
}

fn starts_as_sqlite(file: &mut File) -> std::io::Result<bool> {
    let mut header = Vec::new();
    file.take(SQLITE_HEADER.len() as u64).read_to_end(&mut header)?;
    // SQLite creates files empty.
    Ok(header.is_empty() || header == SQLITE_HEADER)
}

/// Creates and deletes a file in a folder.
fn writable_folder(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".rookery-doctor-{}", std::process::id()));
    File::create_new(&probe)?;
    fs::remove_file(&probe)
}

/// Checks the free space for the journal; nothing if the system does not tell it.
fn disk(path: &Path) -> Option<Finding> {
    let name = "Disk";
    let folder = folder_of(path);
    let free = free_bytes(folder)?;
    let size = fs::metadata(path).map_or(0, |data| data.len());
    let found = format!("{} MB are free for the journal, which has {} MB.", free >> 20, size >> 20);
    let remedy =
        format!("free some space on the disk of {}, or move the journal to a larger one", folder.display());
    // A backup and a restore each need the journal's size once more.
    Some(match free {
        ..MIN_FREE_BYTES => Finding::fault(name, found, remedy),
        _ if free < COMFORTABLE_FREE_BYTES.max(2 * size) => Finding::advice(name, found, remedy),
        _ => Finding::fine(name, found),
    })
}

fn backups(store: &Store) -> Finding {
    let name = "Backups";
    let Some(folder) = &store.backup_folder else {
        let remedy = "set store.backup_folder, and copy the backups to another machine";
        return Finding::advice(name, "There are no automatic backups.", remedy);
    };
    let shown = folder.display();
    let (there, probed) = match writable_folder(folder) {
        // The bot creates the folder itself.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            (folder_of(folder), writable_folder(folder_of(folder)))
        }
        probed => (folder.as_path(), probed),
    };
    if let Err(error) = probed {
        return Finding::fault(
            name,
            format!("{shown} can't be written: {error}."),
            "let the user that runs Rookery write there, or set store.backup_folder",
        );
    }
    let size = match store.address() {
        StoreAddress::Sqlite(path) => fs::metadata(path).map_or(0, |data| data.len()),
        StoreAddress::Postgres(_) => 0,
    };
    let every = format!("Every {} hours into {shown}.", store.backup_hours);
    match free_bytes(there) {
        Some(free) => backup_space(&every, free, size),
        None => Finding::fine(name, every),
    }
}

/// Judges the free space for backups by the size of the journal, both in bytes.
fn backup_space(every: &str, free: u64, size: u64) -> Finding {
    let name = "Backups";
    let found = format!("{every} {} MB are free there, and a backup needs {} MB.", free >> 20, size >> 20);
    let remedy =
        "free some space there, set store.backup_folder to a larger disk, or lower store.backups_kept";
    match free {
        _ if free < size.max(MIN_FREE_BYTES) => Finding::fault(name, found, remedy),
        // The oldest backup is deleted only after the new one is complete.
        _ if free < size.saturating_mul(2) => Finding::advice(name, found, remedy),
        _ => Finding::fine(name, every),
    }
}

/// The bytes that are free on the disk of a folder; nothing if the system does not tell.
fn free_bytes(folder: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Checks whether names in Chinese, Japanese and Korean can be drawn: those fonts are too large to be part of the program.
fn fonts() -> Finding {
    let names = Names::found(Vec::<&Path>::new());
    match names.shows("\u{68cb}\u{304b}\u{d55c}") {
        true => Finding::fine("Fonts", "Names in any common script can be drawn."),
        false => Finding::advice(
            "Fonts",
            "Names in Chinese, Japanese and Korean can't be drawn on pictures.",
            "install a font such as Debian's package fonts-noto-cjk",
        ),
    }
}

/// Checks that the web pages answer at their address. A firewall may allow that only from outside.
pub(super) async fn web(web: &Web) -> Finding {
    let name = "Web pages";
    let address = match (web.listen, &web.address) {
        (Some(_), Some(address)) => address.as_str(),
        (None, None) => return Finding::fine(name, "They are off (web.listen is not set)."),
        (Some(_), None) => {
            let found = "web.address is not set, so there are no links to the pages.";
            return Finding::advice(
                name,
                found,
                "set web.address to the address at which browsers reach them",
            );
        }
        (None, Some(_)) => {
            let found = "web.address is set but web.listen is not, so links lead nowhere.";
            return Finding::advice(name, found, "set web.listen, or remove web.address");
        }
    };
    let asked = match reqwest::Client::builder().timeout(WEB_TIMEOUT).build() {
        Ok(client) => client.get(address).send().await,
        Err(error) => Err(error),
    };
    match asked {
        Ok(_) => Finding::fine(name, format!("{address} answers.")),
        Err(error) => Finding::advice(
            name,
            format!("{address} doesn't answer from this machine: {}.", cause(&error)),
            "start the bot, and check the proxy, its certificate and DNS; open the address in a browser elsewhere",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;
    use std::path::PathBuf;

    #[test]
    fn a_journal_is_recognised_without_changing_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rookery.sqlite");
        assert_eq!(journal(&path).verdict, Verdict::Fine, "it can be created");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
        fs::write(&path, [SQLITE_HEADER.as_slice(), &[0; 100]].concat()).unwrap();
        assert_eq!(journal(&path).verdict, Verdict::Fine);
        fs::write(&path, "a letter to a friend").unwrap();
        let wrong = journal(&path);
        assert!(wrong.verdict == Verdict::Fault && wrong.found.contains("not a journal"), "{wrong}");
        let lost = journal(&folder.path().join("nowhere").join("rookery.sqlite"));
        assert!(lost.verdict == Verdict::Fault && lost.remedy.unwrap().contains("nowhere"));
    }

    #[test]
    fn a_backup_folder_may_be_created_but_not_below_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let store = |backup_folder: Option<PathBuf>| Store {
            url: StoreAddress::Sqlite(folder.path().join("rookery.sqlite")),
            path: None,
            backup_folder,
            backup_hours: 24,
            backups_kept: 7,
        };
        assert_eq!(backups(&store(None)).verdict, Verdict::Advice);
        assert_eq!(backups(&store(Some(folder.path().join("new")))).verdict, Verdict::Fine);
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert_eq!(backups(&store(Some(file.join("below")))).verdict, Verdict::Fault);
    }

    #[test]
    fn database_needs_the_right_to_create_what_is_missing() {
        let judge = |has_journal, may_create, may_use_queue| {
            let version = "15.14".to_owned();
            database_rights(&ServerReport { version, size: 9 << 20, has_journal, may_create, may_use_queue })
        };
        assert_eq!(judge(false, true, true).verdict, Verdict::Fine);
        assert_eq!(judge(true, false, true).verdict, Verdict::Fine);
        let no_tables = judge(false, false, true);
        assert!(no_tables.verdict == Verdict::Fault && no_tables.found.contains("no tables"), "{no_tables}");
        let no_queue = judge(true, true, false);
        assert!(
            no_queue.verdict == Verdict::Fault && no_queue.found.contains("graphile_worker"),
            "{no_queue}"
        );
    }

    #[test]
    fn space_for_backups_is_judged_by_the_size_of_the_journal() {
        for (free_mb, size_mb, verdict) in [
            (10, 0, Verdict::Fault),
            (900, 1_000, Verdict::Fault),
            (1_500, 1_000, Verdict::Advice),
            (2_000, 1_000, Verdict::Fine),
            (100, 0, Verdict::Fine),
        ] {
            let finding = backup_space("Daily.", free_mb << 20, size_mb << 20);
            assert_eq!(finding.verdict, verdict, "{finding}");
        }
    }
}
