//! A PostgreSQL server for the tests, on a Unix socket in a temporary folder.
//!
//! It needs `initdb` and `postgres` on the PATH or in `/usr/lib/postgresql`. Without them the tests report that they
//! are skipped, unless `ROOKERY_POSTGRES=required`. A shell supervises the server: when the test process ends, even by
//! SIGKILL, the pipe to the shell closes, and the shell stops the server and deletes its folder.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, raw_sql};

/// The password of the server's only user.
pub const PASSWORD: &str = "correct-horse";

/// How long the server may take to start.
const PATIENCE: Duration = Duration::from_secs(60);

/// `$1` is the folder with the programs, `$2` the server's folder. It obeys `stop`, `start` and the end of its input.
const SUPERVISOR: &str = r#"
trap '' INT HUP TERM
start() {
    "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=200 -c shared_buffers=16MB \
        -c fsync=off -c full_page_writes=off -c autovacuum=off >>"$2/log" 2>&1 </dev/null &
    server=$!
}
start "$1" "$2"
while read -r command; do
    case $command in
        stop) kill -INT $server; wait $server; echo stopped ;;
        start) start "$1" "$2"; echo started ;;
    esac
done
kill -INT $server
wait $server
rm -rf "$2"
"#;

/// A running server; dropping it stops it.
#[derive(Debug)]
pub struct Server {
    folder: PathBuf,
    supervisor: Mutex<(Child, Option<ChildStdin>, BufReader<ChildStdout>)>,
}

impl Server {
    /// Returns the server that the tests of this process share, or `None` after saying that a test is skipped.
    pub fn shared() -> Option<&'static Server> {
        static SHARED: OnceLock<Option<Server>> = OnceLock::new();
        SHARED.get_or_init(Server::start).as_ref()
    }

    /// Starts a server for one test, or returns `None` after saying that the test is skipped.
    pub fn start() -> Option<Server> {
        let required = std::env::var("ROOKERY_POSTGRES").is_ok_and(|value| value == "required");
        let Some(programs) = programs() else {
            assert!(!required, "there is no PostgreSQL: install it, or unset ROOKERY_POSTGRES");
            eprintln!("skipped: there is no PostgreSQL (initdb and postgres) on this machine");
            return None;
        };
        let folder = new_folder();
        let user = unprivileged_user();
        if let Some((_, id)) = &user {
            std::os::unix::fs::chown(&folder, Some(*id), None).unwrap();
        }
        initialise(&programs, &folder, user.as_ref());
        let mut supervisor = command("sh", user.as_ref());
        supervisor.args(["-c", SUPERVISOR, "sh"]).args([&programs, &folder]);
        let mut supervisor = supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (supervisor.stdin.take(), BufReader::new(supervisor.stdout.take().unwrap()));
        Some(Server { folder, supervisor: Mutex::new((supervisor, input, output)) })
    }

    /// Stops the server as an operator would: open connections end.
    pub fn stop(&self) {
        self.order("stop");
    }

    /// Starts the server again.
    pub fn start_again(&self) {
        self.order("start");
    }

    fn order(&self, order: &str) {
        let mut supervisor = self.supervisor.lock().unwrap();
        let (_, input, output) = &mut *supervisor;
        writeln!(input.as_mut().unwrap(), "{order}").unwrap();
        output.read_line(&mut String::new()).unwrap();
    }

    /// Returns the folder with the server's socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the address of a database, which need not exist.
    pub fn url(&self, database: &str) -> String {
        Server::url_at(&self.folder, database)
    }

    /// Returns the address of a database of a server with its socket in this folder, such as a proxy.
    pub fn url_at(folder: &Path, database: &str) -> String {
        format!("postgres://rookery:{PASSWORD}@localhost/{database}?host={}", folder.display())
    }

    /// Connects to a database of the server; waits while it starts.
    pub async fn connect(&self, database: &str) -> PgConnection {
        let options: PgConnectOptions = self.url(database).parse().unwrap();
        let begun = Instant::now();
        loop {
            match options.connect().await {
                Ok(connection) => return connection,
                Err(error) if begun.elapsed() > PATIENCE => {
                    let log = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                    panic!("the server does not start: {error}\n{log}");
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Creates an empty database, and returns its name.
    pub async fn create_database(&self, options: &str) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut connection = self.connect("postgres").await;
        let sql = AssertSqlSafe(format!("CREATE DATABASE {name} {options}"));
        raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        name
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let (supervisor, input, _) = self.supervisor.get_mut().unwrap();
        drop(input.take());
        supervisor.wait().unwrap();
        assert!(!self.folder.exists() || std::thread::panicking(), "the supervisor deletes the folder");
    }
}

/// Creates an empty folder for a server.
fn new_folder() -> PathBuf {
    let name = |number| std::env::temp_dir().join(format!("rookery-pg-{}-{number}", std::process::id()));
    // A folder may be left of an earlier process with the same number.
    (0..).map(name).find(|folder| std::fs::create_dir(folder).is_ok()).expect("there is no end of numbers")
}

/// Creates the files of a server.
fn initialise(programs: &Path, folder: &Path, user: Option<&(String, u32)>) {
    let password = folder.join("password");
    std::fs::write(&password, PASSWORD).unwrap();
    let mut initdb = command(programs.join("initdb").to_str().unwrap(), user);
    initdb.args(["--auth=scram-sha-256", "--username=rookery", "--encoding=UTF8", "--locale=C", "--no-sync"]);
    initdb.arg("--pwfile").arg(password).arg("-D").arg(folder.join("data"));
    let made = initdb.current_dir(folder).stdin(Stdio::null()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// Returns the folder of the server's programs.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    versions.sort();
    folders.extend(versions.into_iter().rev());
    let folder =
        folders.into_iter().find(|folder| ["initdb", "postgres"].iter().all(|it| folder.join(it).is_file()));
    // The server looks for its other files beside itself, and not beside a link to it.
    std::fs::canonicalize(folder?.join("postgres")).ok()?.parent().map(Path::to_owned)
}

/// Returns another user and its id if the tests run as root, which PostgreSQL refuses to run as.
fn unprivileged_user() -> Option<(String, u32)> {
    let number = |args: &[&str]| {
        let output = Command::new("id").args(args).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok()
    };
    if number(&["-u"]) != Some(0) {
        return None;
    }
    ["postgres", "nobody"].iter().find_map(|user| Some((String::from(*user), number(&["-u", user])?)))
}

fn command(program: &str, user: Option<&(String, u32)>) -> Command {
    let Some((user, _)) = user else { return Command::new(program) };
    let mut command = Command::new("setpriv");
    command.args(["--reuid", user, "--regid", &group_of(user), "--clear-groups", "--", program]);
    command
}

fn group_of(user: &str) -> String {
    let output = Command::new("id").args(["-g", user]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
