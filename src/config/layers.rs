//! Merges the sources of settings into one checked configuration that knows the source of each value.

use std::fs::File;
use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::key::{self, Key};
use super::keys::KEYS;
use super::print::shown;
use super::{Config, ConfigError, DiscordTarget, Secret};

/// The most bytes that are read of a token file; a token has fewer than 100.
const MAX_TOKEN_FILE_BYTES: u64 = 4_096;

/// The sources of settings.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The file of `--config`, which must exist; `None` reads `fallback`.
    pub file: Option<PathBuf>,
    /// The file to read if none was named; it may be missing.
    pub fallback: Option<PathBuf>,
    /// The names and values of environment variables.
    pub environment: Vec<(String, String)>,
    /// The address of `--listen`.
    pub listen: Option<SocketAddr>,
}

impl Sources {
    /// Returns the sources of this process: the file named on its command line or `./config.toml`, and its
    /// environment. Variables that are not Unicode are ignored, because no setting's name or value can be.
    pub fn of_process(file: Option<PathBuf>, listen: Option<SocketAddr>) -> Self {
        let unicode = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let environment = std::env::vars_os().filter_map(unicode).collect();
        Self { file, fallback: Some("config.toml".into()), environment, listen }
    }
}

/// A checked configuration with the source of each value.
#[derive(Debug)]
pub struct EffectiveConfig {
    /// The typed settings, with the secrets read from their files.
    pub config: Config,
    figment: Figment,
}

impl EffectiveConfig {
    /// Reads, checks and merges the layers, and reads the token file if one is named.
    ///
    /// # Errors
    /// The first error, in the order of the layers.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        let mut figment = Figment::new();
        for layer in layers(sources)? {
            layer.check()?;
            let layer = layer.with_one_of("a token", "token", "token_file")?;
            figment =
                figment.merge(layer.with_one_of("a client secret", "client_secret", "client_secret_file")?);
        }
        let config = figment.extract().map_err(|e| ConfigError::Inconsistent(e.to_string()))?;
        Self { config, figment }
            .with_pages_behind_links()?
            .with_secrets_from_files()?
            .with_possible_activity()
    }

    /// Whether no source sets this key.
    pub fn is_default(&self, section: &str, name: &str) -> bool {
        self.origin(section, name) == Origin::Default.of(section, name)
    }

    /// Describes the source of this key's value.
    pub fn origin(&self, section: &str, name: &str) -> String {
        let path = [section, name];
        let metadata = self.figment.find_metadata(&path.join("."));
        metadata.map_or_else(|| "nowhere".into(), |from| from.interpolate(&Profile::Default, &path))
    }

    /// Returns the value of this key as it was set.
    pub(super) fn value(&self, key: &Key) -> Option<Value> {
        self.figment.find_value(&key.dotted()).ok()
    }

    fn with_pages_behind_links(self) -> Result<Self, ConfigError> {
        let web = &self.config.web;
        if web.address.is_some() && web.listen.is_none() {
            return Err(ConfigError::WebNotListening { origin: self.origin("web", "address") });
        }
        Ok(self)
    }

    /// Checks what an Activity needs. The playground has a secret of its own, and browsers accept its address without https.
    fn with_possible_activity(self) -> Result<Self, ConfigError> {
        let Config { discord, web, .. } = &self.config;
        if !web.activity || matches!(self.config.target(), Ok(DiscordTarget::Playground(_))) {
            return Ok(self);
        }
        let is_https = web.address.as_ref().is_some_and(|address| address.as_str().starts_with("https://"));
        let (problem, remedy) = if discord.api_base.is_some() {
            ("discord.api_base is set, and Activities open only in Discord itself", "Remove discord.api_base")
        } else if discord.client_secret.is_none() {
            ("there's no client secret", "Set discord.client_secret or discord.client_secret_file")
        } else if web.address.is_none() {
            ("web.address is empty", "Set web.listen and web.address")
        } else if !is_https {
            ("web.address doesn't begin with https://", "Put the pages behind a proxy with https")
        } else {
            return Ok(self);
        };
        Err(ConfigError::ActivityImpossible { origin: self.origin("web", "activity"), problem, remedy })
    }

    fn with_secrets_from_files(mut self) -> Result<Self, ConfigError> {
        if let Some(path) = &self.config.discord.token_file {
            let origin = self.origin("discord", "token_file");
            self.config.discord.token = Some(read_secret("token", path, origin)?);
        }
        if let Some(path) = &self.config.discord.client_secret_file {
            let origin = self.origin("discord", "client_secret_file");
            self.config.discord.client_secret = Some(read_secret("client secret", path, origin)?);
        }
        Ok(self)
    }
}

/// Returns all layers, the lowest precedence first.
fn layers(sources: &Sources) -> Result<Vec<Layer>, ConfigError> {
    let values = key::defaults(|text| Toml::from_str(text).unwrap_or_default());
    let mut layers = vec![Layer { origin: Origin::Default, values }];
    layers.extend(file_layer(sources)?);
    layers.push(environment_layer(&sources.environment)?);
    layers.push(shared_names_layer(&sources.environment));
    layers.extend(sources.listen.map(listen_layer));
    Ok(layers)
}

fn file_layer(sources: &Sources) -> Result<Option<Layer>, ConfigError> {
    let fallback = sources.fallback.as_ref().filter(|path| path.exists());
    let Some(path) = sources.file.as_ref().or(fallback) else { return Ok(None) };
    let text = std::fs::read_to_string(path)
        .map_err(|why| ConfigError::Unreadable { path: path.clone(), why: why.to_string() })?;
    let values = Toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
        // The parser's full text quotes the line, which may contain the token.
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        ConfigError::Syntax { origin: format!("{}, line {line},", path.display()), message }
    })?;
    Ok(Some(Layer { origin: Origin::File { path: path.clone(), text: text.into() }, values }))
}

fn environment_layer(environment: &[(String, String)]) -> Result<Layer, ConfigError> {
    let mut values = Dict::new();
    for (variable, text) in environment {
        let Some(rest) = variable.strip_prefix("ROOKERY_") else { continue };
        let rest = rest.to_ascii_lowercase();
        match rest.split_once("__").map(|(section, name)| (Key::find(section, name), section)) {
            Some((Some(key), _)) => put(&mut values, key, key.kind.read(text)),
            None if !begins_with_a_section(&rest) => {} // such as ROOKERY_BROWSER, which is not a setting
            _ => {
                return Err(ConfigError::UnknownKey {
                    name: variable.clone(),
                    origin: "the environment".into(),
                    nearest: key::nearest(&rest.replace("__", ".")).map(Key::variable),
                });
            }
        }
    }
    Ok(Layer { origin: Origin::Environment, values })
}

/// Detects a single underscore after a section, as in `discord_token` for `discord.token`.
fn begins_with_a_section(rest: &str) -> bool {
    KEYS.iter().any(|key| rest.strip_prefix(key.section).is_some_and(|rest| rest.starts_with('_')))
}

/// The environment variables shared with other programs. An empty one counts as unset, because container
/// templates leave it so.
fn shared_names_layer(environment: &[(String, String)]) -> Layer {
    let mut values = Dict::new();
    for key in KEYS {
        let named = |(name, _): &&(String, String)| Some(name.as_str()) == key.shared_variable;
        let text = environment.iter().find(named).map_or("", |(_, text)| text.trim());
        if !text.is_empty() {
            put(&mut values, key, key.kind.read(text));
        }
    }
    Layer { origin: Origin::SharedName, values }
}

fn listen_layer(listen: SocketAddr) -> Layer {
    let mut values = Dict::new();
    if let Some(key) = Key::find("playground", "listen") {
        put(&mut values, key, listen.to_string().into());
    }
    Layer { origin: Origin::Listen, values }
}

fn put(values: &mut Dict, key: &Key, value: Value) {
    let section = values.entry(key.section.to_owned()).or_insert_with(|| Dict::new().into());
    if let Value::Dict(_, section) = section {
        section.insert(key.name.to_owned(), value);
    }
}

fn read_secret(what: &'static str, path: &Path, origin: String) -> Result<Secret, ConfigError> {
    let wrong =
        |why: String| ConfigError::SecretFile { what, path: path.to_owned(), why, origin: origin.clone() };
    let file = File::open(path).map_err(|why| wrong(format!("could not be read: {why}")))?;
    let mut text = String::new();
    // The path may be a device without end.
    let read = file.take(MAX_TOKEN_FILE_BYTES).read_to_string(&mut text);
    read.map_err(|why| wrong(format!("could not be read: {why}")))?;
    text.parse()
        .map_err(|_| wrong(format!("doesn't hold a {what}: it's empty, or has spaces or several lines")))
}

/// The settings of one source, by section and name.
struct Layer {
    origin: Origin,
    values: Dict,
}

impl Layer {
    /// Checks that every key is known and every value is valid.
    fn check(&self) -> Result<(), ConfigError> {
        for (section, values) in &self.values {
            let Value::Dict(_, values) = values else { return Err(self.unknown(section, "")) };
            if values.is_empty() && KEYS.iter().all(|key| key.section != section) {
                return Err(self.unknown(section, ""));
            }
            for (name, value) in values {
                let key = Key::find(section, name).ok_or_else(|| self.unknown(section, name))?;
                if !key.kind.accepts(value) {
                    return Err(self.bad(key, value));
                }
            }
        }
        Ok(())
    }

    /// Clears the secret's file of lower layers if this layer sets the secret, and the reverse.
    fn with_one_of(
        mut self,
        what: &'static str,
        value: &'static str,
        file: &'static str,
    ) -> Result<Self, ConfigError> {
        let set = |name| {
            let value = self.values.get("discord").and_then(Value::as_dict)?.get(name)?;
            value.as_str().filter(|text| !text.is_empty())
        };
        let other = match (set(value), set(file)) {
            (Some(_), Some(_)) => {
                return Err(ConfigError::TwoSecrets { what, origin: self.origin.of("discord", value) });
            }
            (Some(_), None) => file,
            (None, Some(_)) => value,
            (None, None) => return Ok(self),
        };
        if let Some(key) = Key::find("discord", other) {
            put(&mut self.values, key, "".into());
        }
        Ok(self)
    }

    fn unknown(&self, section: &str, name: &str) -> ConfigError {
        let written = if name.is_empty() { section.to_owned() } else { format!("{section}.{name}") };
        let nearest = key::nearest(&written).map(Key::dotted);
        ConfigError::UnknownKey { origin: self.origin.of(section, name), name: written, nearest }
    }

    fn bad(&self, key: &Key, value: &Value) -> ConfigError {
        ConfigError::BadValue {
            name: key.dotted(),
            found: shown(key, value),
            wanted: key.kind.sentence(),
            origin: self.origin.of(key.section, key.name),
        }
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        let origin = self.origin.clone();
        let words = move |_: &Profile, path: &[&str]| match path {
            [section, name] => origin.of(section, name),
            _ => origin.of("", ""),
        };
        Metadata::named("settings").interpolater(words)
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

/// The source of a layer.
#[derive(Clone)]
enum Origin {
    Default,
    File { path: PathBuf, text: Arc<str> },
    Environment,
    SharedName,
    Listen,
}

impl Origin {
    /// Describes where this key of the layer was read.
    fn of(&self, section: &str, name: &str) -> String {
        let key = Key::find(section, name);
        match self {
            Self::Default => "the defaults".into(),
            Self::File { path, text } => match line_of(text, section, name) {
                Some(line) => format!("{}, line {line}", path.display()),
                None => path.display().to_string(),
            },
            Self::Environment => key.map_or_else(|| "the environment".into(), Key::variable),
            Self::SharedName => key.and_then(|key| key.shared_variable).unwrap_or("the environment").into(),
            Self::Listen => "--listen".into(),
        }
    }
}

/// Returns the line number, from 1, of a key or (without a name) a section, if it is written in the usual
/// form.
fn line_of(text: &str, section: &str, name: &str) -> Option<usize> {
    let wanted = if name.is_empty() { section.to_owned() } else { format!("{section}.{name}") };
    let mut within = String::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let mut found = line.split_once('=').map(|(key, _)| format!("{within}{}", key.trim()));
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            within = format!("{}.", header.trim());
            found = Some(header.trim().to_owned());
        }
        if found.as_ref() == Some(&wanted) {
            return Some(index + 1);
        }
    }
    None
}
