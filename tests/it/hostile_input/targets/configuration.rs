//! Configuration: a file in TOML and, after a NUL byte, environment variables, one a line.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use rookery::config::{Config, ConfigError, EffectiveConfig, KEYS, Sources};
use rookery_store::StoreAddress;

use super::{Target, assert_answer, text};

pub(super) const TARGET: Target = Target { name: "configuration", check, seeds, words };

/// The file that each input is written to. One input at a time uses it.
static FILE: Mutex<Option<(tempfile::TempDir, PathBuf)>> = Mutex::new(None);

fn check(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let toml = text(parts.next().unwrap_or_default());
    let variables = text(parts.next().unwrap_or_default());
    let variables = variables.lines().filter_map(|line| line.split_once('='));
    let environment = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    match load(&toml, environment) {
        Ok(effective) => {
            let printed = effective.to_string();
            if !has_secret(&effective.config) {
                let again = load(&printed, Vec::new()).unwrap_or_else(|bad| panic!("{bad}: {printed}"));
                assert_eq!(again.config, effective.config, "{printed}");
            }
            if let Err(error) = effective.config.target() {
                assert_answer(&error.to_string(), &text(bytes));
            }
        }
        Err(error) => {
            assert!(!matches!(error, ConfigError::Inconsistent(_)), "an accepted value has no type: {error}");
            assert_answer(&error.to_string(), &text(bytes));
        }
    }
}

/// Whether the printed settings mask a value.
fn has_secret(config: &Config) -> bool {
    config.discord.token.is_some()
        || config.discord.client_secret.is_some()
        || matches!(config.store.url, StoreAddress::Postgres(_))
}

fn load(toml: &str, environment: Vec<(String, String)>) -> Result<EffectiveConfig, ConfigError> {
    let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, path) = file.get_or_insert_with(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        (folder, path)
    });
    fs::write(&path, toml).expect("the file is written");
    EffectiveConfig::load(&Sources { file: Some(path.clone()), environment, ..Sources::default() })
}

fn seeds() -> Vec<Vec<u8>> {
    let example = rookery::config::example();
    let set = example.replace("\n# ", "\n");
    let lines: Vec<_> = set.lines().filter(|line| line.contains(" = ") || line.starts_with('[')).collect();
    let mut seeds = vec![lines.join("\n").into_bytes(), Vec::new()];
    for key in KEYS {
        let (section, name) = (key.section.to_uppercase(), key.name.to_uppercase());
        seeds.push(format!("[{}]\n{} = {}\n", key.section, key.name, key.default).into_bytes());
        let value = key.default.trim_matches('"');
        seeds.push(format!("\0ROOKERY_{section}__{name}={value}\n").into_bytes());
    }
    for text in [
        "discord.token = \"abc\"\n",
        "[discord]\ntoken_file = \"token\"\n[web]\nlisten = \"[::1]:80\"\naddress = \"https://a.example/b/\"\n",
        "store = { url = \"postgres://me:secret@host:5432/db?sslmode=require\" }\n",
        "[store]\nurl = \"sqlite:///var/lib/x.sqlite\"\n[log]\nlevel = \"info,serenity[span{f=1}]=warn\"\n",
        // As a regular expression, the field's value would take a minute.
        "\0ROOKERY_LOG__LEVEL=info,a[b{c=(.{99}){9}}]=warn\n",
        "[limits]\nimports = 1e3\n\0DISCORD_TOKEN=Bot x\nROOKERY_DISCORD_TOKEN=x\n",
        "a = [[[[[[[[{b = {c.d.e = 1979-05-27T07:32:00Z}}]]]]]]]]",
    ] {
        seeds.push(text.as_bytes().to_vec());
    }
    seeds
}

fn words() -> Vec<String> {
    let mut words: Vec<String> =
        KEYS.iter().flat_map(|key| [key.section.to_owned(), key.name.to_owned()]).collect();
    words.dedup();
    let values = "[ ] [[ ]] = \"\" \"\"\" ''' true false 0 -1 1_000 0x7f 1e400 nan inf 18446744073709551615 \
        9223372036854775807 1979-05-27 sqlite: postgres:// 127.0.0.1:0 [::1]:1 localhost:80 http://a https://a/api/v10 off \
        info,a=b ROOKERY_ __ DISCORD_TOKEN= DISCORD_TOKEN_FILE= \\u0000 \\\"";
    words.extend(values.split_whitespace().map(str::to_owned));
    words
}
