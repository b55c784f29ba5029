//! The real program in a folder of its own, which tests can kill.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::eventually::poll_interval;

/// The longest wait on a busy machine before a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A running program. It is killed when the test ends.
pub(crate) struct Program {
    child: Child,
    folder: PathBuf,
}

impl Program {
    /// Starts the program with these arguments and only this environment.
    pub(crate) fn start(folder: &Path, words: &[&str], environment: &[(&str, &str)]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command.args(words);
        Program::spawn(command, folder, environment)
    }

    /// Starts the program so that exceeding a file size limit is an error, as on a full disk, and not a fatal
    /// signal.
    #[cfg(target_os = "linux")]
    pub(crate) fn start_with_file_limit(folder: &Path, environment: &[(&str, &str)]) -> Program {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\"", env!("CARGO_BIN_EXE_rookery")]);
        Program::spawn(command, folder, environment)
    }

    /// Limits the size of files that the program writes from now on, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn limit_files(&self, most: Option<u64>) {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let pid = Pid::from_raw(self.child.id().cast_signed());
        prlimit(pid, Resource::Fsize, Rlimit { current: most, maximum: None }).unwrap();
    }

    fn spawn(mut command: Command, folder: &Path, environment: &[(&str, &str)]) -> Program {
        let paper = |name: &str| File::options().create(true).append(true).open(folder.join(name)).unwrap();
        let child = command
            .current_dir(folder)
            .env_clear()
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(paper("stdout"))
            .stderr(paper("stderr"))
            .spawn()
            .unwrap();
        Program { child, folder: folder.to_owned() }
    }

    /// Kills the process with SIGKILL, so that it can finish nothing.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks the process to stop, as an operator does.
    pub(crate) fn terminate(&self) {
        let pid = rustix::process::Pid::from_raw(self.child.id().cast_signed()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    /// Waits until the program ends by itself; returns its exit status and standard error.
    pub(crate) async fn ended(&mut self) -> (ExitStatus, String) {
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, self.said());
            }
            assert!(since.elapsed() < PATIENCE, "it does not end; it said:\n{}", self.said());
            poll_interval().await;
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns its standard error so far.
    pub(crate) fn said(&self) -> String {
        std::fs::read_to_string(self.folder.join("stderr")).unwrap_or_default()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the program said:\n{}", self.said());
        }
        // The program may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reproduces `rookery show amoeba | head -1`, and `2>&1 | head -1`, without a race.
#[test]
fn command_line_ends_silently_when_its_output_pipe_closes() {
    for words in [["perft", "amazons", "1"].as_slice(), &["show", "amoeba"], &["config", "--example"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        let run = command.args(words).env_clear().stdout(writer).output().unwrap();
        assert!(run.status.success() && run.stderr.is_empty(), "{words:?}: {run:?}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    let run = command.args(["show", "chess"]).env_clear().stderr(writer).output().unwrap();
    assert_eq!(run.status.code(), Some(1), "an error that nobody hears is one: {run:?}");
}

#[test]
fn process_with_some_roles_refuses_a_file_before_it_creates_or_upgrades_it() {
    for words in [["worker"].as_slice(), &["run", "--roles", "web"], &["run", "--roles", "gateway,outbox"]] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        let run = command.args(words).env_clear().current_dir(folder.path()).output().unwrap();
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && told.contains("set store.url to postgres://"), "{words:?}: {told}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{words:?}");
    }
}

/// The address of the program's health server.
pub(crate) struct Health(pub(crate) String);

impl Health {
    /// Chooses a port that is free now.
    pub(crate) fn choose() -> Health {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        Health(listener.local_addr().unwrap().to_string())
    }

    /// Waits until /health answers with this status; returns the body.
    pub(crate) async fn until(&self, status: u16) -> String {
        let since = Instant::now();
        loop {
            if let Ok(answer) = reqwest::get(format!("http://{}/health", self.0)).await {
                let found = answer.status().as_u16();
                let text = answer.text().await.unwrap();
                if found == status {
                    return text;
                }
                assert!(since.elapsed() < PATIENCE, "health says {found}: {text}");
            }
            assert!(since.elapsed() < PATIENCE, "health does not answer");
            poll_interval().await;
        }
    }
}
