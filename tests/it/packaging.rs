//! The systemd units and the compose files: their command lines parse, the variables that they set exist, and all run
//! the program in the same safe way.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use clap::{CommandFactory, Parser};
use rookery::cli::{Cli, Command as Subcommand};
use rookery::config::KEYS;
use rookery::roles::{Role, Roles};

const UNITS: [(&str, &str); 3] = [
    ("rookery.service", include_str!("../../packaging/rookery.service")),
    ("rookery-run@.service", include_str!("../../packaging/rookery-run@.service")),
    ("rookery-worker@.service", include_str!("../../packaging/rookery-worker@.service")),
];
const SINGLE: &str = include_str!("../../compose.yaml");
const CLUSTER: &str = include_str!("../../compose.cluster.yaml");
const CLUSTER_ENVIRONMENT: &str = include_str!("../../packaging/cluster.env");
const MANIFEST: &str = include_str!("../../Cargo.toml");

/// Variables of the image of PostgreSQL (<https://hub.docker.com/_/postgres>).
const POSTGRES_VARIABLES: [&str; 4] =
    ["POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "POSTGRES_INITDB_ARGS"];

/// Returns the values of a key of a unit, in order.
fn values<'a>(unit: &'a str, key: &str) -> Vec<&'a str> {
    let lines = unit.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(name, _)| *name == key).map(|(_, value)| value).collect()
}

/// Returns every variable that the program reads.
fn known_variables() -> BTreeSet<String> {
    let settings = KEYS.iter().map(|key| format!("ROOKERY_{}__{}", key.section, key.name).to_uppercase());
    let shared = KEYS.iter().filter_map(|key| key.shared_variable).map(str::to_owned);
    let root = Cli::command();
    let commands = std::iter::once(&root).chain(root.get_subcommands());
    let arguments = commands.flat_map(clap::Command::get_arguments).filter_map(|it| it.get_env());
    let arguments: Vec<String> = arguments.map(|name| name.to_str().unwrap().to_owned()).collect();
    settings.chain(shared).chain(arguments).collect()
}

/// The scalars and inline lists of a YAML file of mappings, by their keys from the outermost, joined by `/`. References
/// (`<<: *name`) are replaced by what the anchor (`key: &name`) has, as in YAML itself.
fn yaml(text: &str) -> BTreeMap<String, String> {
    let (mut found, mut path) = (BTreeMap::new(), Vec::<(usize, String)>::new());
    let (mut anchors, mut references) = (BTreeMap::new(), Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#')) {
        let indent = line.len() - line.trim_start().len();
        path.retain(|(outer, _)| *outer < indent);
        let parents: Vec<&str> = path.iter().map(|(_, key)| key.as_str()).collect();
        let parents = parents.join("/");
        if let Some(item) = line.trim().strip_prefix("- ") {
            found.insert(format!("{parents}/{item}"), item.to_owned());
            continue;
        }
        let (key, value) = line.trim().split_once(':').unwrap_or_else(|| panic!("not YAML: {line}"));
        let value = value.trim().trim_matches('"');
        let here = if parents.is_empty() { key.to_owned() } else { format!("{parents}/{key}") };
        match (key, value.strip_prefix('&')) {
            ("<<", _) => references.push((parents, value.trim_start_matches('*').to_owned())),
            (_, Some(anchor)) => drop(anchors.insert(anchor.to_owned(), here)),
            _ if !value.is_empty() => drop(found.insert(here, value.to_owned())),
            _ => {}
        }
        path.push((indent, key.to_owned()));
    }
    for (into, name) in references {
        let from = format!("{}/", anchors[&name]);
        let copied: Vec<_> = found
            .iter()
            .filter_map(|(key, value)| Some((format!("{into}/{}", key.strip_prefix(&from)?), value.clone())))
            .collect();
        for (key, value) in copied {
            found.entry(key).or_insert(value);
        }
    }
    found
}

/// Returns the services of a compose file, each with its keys.
fn services(text: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut services: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (key, value) in yaml(text) {
        if let Some((service, key)) = key.strip_prefix("services/").and_then(|key| key.split_once('/')) {
            services.entry(service.to_owned()).or_default().insert(key.to_owned(), value);
        }
    }
    services
}

/// Parses the command line of a service, which the image runs with the program.
fn command(service: &BTreeMap<String, String>) -> Subcommand {
    let words = service.get("command").map_or_else(|| "[]".to_owned(), Clone::clone);
    let words: Vec<String> = serde_json::from_str(&words).unwrap();
    Cli::parse_from(std::iter::once("rookery".to_owned()).chain(words)).command_or_default()
}

#[test]
fn packaging_units_run_command_lines_that_exist() {
    let run = |unit: &str| {
        let lines = values(unit, "ExecStart");
        assert_eq!(lines.len(), 1, "{lines:?}");
        let words: Vec<&str> = lines[0].split_whitespace().collect();
        assert_eq!(words[0], "/usr/bin/rookery");
        Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{lines:?}: {error}")).command_or_default()
    };
    for (name, unit) in &UNITS[..2] {
        assert!(matches!(run(unit), Subcommand::Run(words) if words.roles.is_empty()), "{name}");
    }
    assert!(matches!(run(UNITS[2].1), Subcommand::Worker));
}

#[test]
fn packaging_units_set_variables_that_the_program_accepts() {
    let known = known_variables();
    assert!(known.contains("ROOKERY_CONFIG") && known.contains("DISCORD_TOKEN"), "{known:?}");
    for (name, unit) in UNITS {
        let set: BTreeMap<&str, &str> = values(unit, "Environment")
            .into_iter()
            .map(|line| line.split_once('=').unwrap())
            .filter(|(variable, _)| *variable != "ROOKERY_CONFIG")
            .collect();
        assert!(!set.is_empty(), "{name}");
        for variable in set.keys() {
            assert!(known.contains(*variable), "{name}: there is no {variable}");
        }
        let folder = tempfile::tempdir().unwrap();
        let mut check = Command::new(env!("CARGO_BIN_EXE_rookery"));
        let check = check.args(["config", "check"]).current_dir(folder.path()).env_clear().envs(&set);
        // The token is in the file that the operator writes.
        let check = check.env("DISCORD_TOKEN", "a.b.c").output().unwrap();
        assert!(check.status.success(), "{name}: {}", String::from_utf8_lossy(&check.stderr));
        for mentioned in unit.split("ROOKERY_").skip(1) {
            let rest = mentioned.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap();
            let variable = format!("ROOKERY_{rest}");
            assert!(rest.is_empty() || known.contains(&variable), "{name}: there is no {variable}");
        }
    }
}

#[test]
fn packaging_units_protect_the_system_alike_and_are_in_the_package() {
    let protection = |unit: &'static str| {
        let begin = unit.find("Restart=on-failure").expect("a unit starts the bot again");
        &unit[begin..]
    };
    for (name, unit) in &UNITS[1..] {
        assert_eq!(protection(unit), protection(UNITS[0].1), "{name}");
        assert!(MANIFEST.contains(&format!("\"packaging/{name}\", \"usr/lib/systemd/system/\"")), "{name}");
    }
    assert!(protection(UNITS[0].1).contains("NoNewPrivileges=yes"));
    for (name, unit) in UNITS {
        for key in ["User", "Group", "StateDirectory", "StateDirectoryMode", "WorkingDirectory"] {
            assert_eq!(values(unit, key), values(UNITS[0].1, key), "{name}: {key}");
        }
    }
}

#[test]
fn packaging_compose_files_run_command_lines_and_variables_that_exist() {
    let known = known_variables();
    for (file, text) in [("compose.yaml", SINGLE), ("compose.cluster.yaml", CLUSTER)] {
        for (name, service) in services(text) {
            let is_database = service["image"].starts_with("postgres:");
            let variables = service.keys().filter_map(|key| key.strip_prefix("environment/"));
            for variable in variables {
                let exists = match is_database {
                    true => POSTGRES_VARIABLES.contains(&variable),
                    false => known.contains(variable),
                };
                assert!(exists, "{file}, {name}: there is no {variable}");
            }
            for key in ["restart", "stop_grace_period"] {
                assert!(service.contains_key(key), "{file}, {name} has no {key}");
            }
            if !is_database {
                assert!(matches!(command(&service), Subcommand::Run(_) | Subcommand::Worker), "{name}");
            }
        }
    }
    for line in CLUSTER_ENVIRONMENT.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (variable, _) = line.split_once('=').unwrap();
        let is_postgres = POSTGRES_VARIABLES.contains(&variable);
        assert!(is_postgres || known.contains(variable), "there is no {variable}");
    }
}

#[test]
fn packaging_cluster_has_a_database_two_runners_and_two_workers() {
    let services = services(CLUSTER);
    let names: Vec<&String> = services.keys().collect();
    assert_eq!(names, ["database", "runner", "worker"]);
    let database = &services["database"];
    let version = database["image"].strip_prefix("postgres:").unwrap();
    assert!(version.parse::<u32>().unwrap() >= 15, "pinned to a major version that Rookery supports");
    let health: Vec<String> = serde_json::from_str(&database["healthcheck/test"]).unwrap();
    assert_eq!(health[..2], ["CMD", "pg_isready"]);
    assert!(database.keys().any(|key| key.starts_with("volumes/database:/var/lib/postgresql/data")));
    for name in ["runner", "worker"] {
        let service = &services[name];
        assert_eq!(service["deploy/replicas"], "2", "{name}");
        assert_eq!(service["depends_on/database/condition"], "service_healthy", "{name}");
        let address = &service["environment/ROOKERY_STORE__URL"];
        assert!(address.contains("@database:5432/rookery"), "{name}: {address}");
    }
    // Together they do everything that the bot does.
    let Subcommand::Run(run) = command(&services["runner"]) else { panic!("a runner runs the bot") };
    assert!(matches!(command(&services["worker"]), Subcommand::Worker));
    let roles: Vec<Role> = run.roles.into_iter().chain([Role::Thinker]).collect();
    assert!(Roles::of(&roles).are_all(), "{roles:?}");
}

#[test]
fn packaging_variables_without_a_value_are_asked_for() {
    for text in [SINGLE, CLUSTER] {
        for part in text.split("${").skip(1) {
            let variable = part.split('}').next().unwrap();
            assert!(variable.contains(":?is not set"), "{variable} may be empty");
        }
    }
}
