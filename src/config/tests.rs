use std::fs;
use std::path::Path;

use super::*;

mod invalid_settings;

/// Returns sources with this file and environment, and nothing else of the machine that runs the test.
fn sources(dir: &Path, toml: &str, environment: &[(&str, &str)]) -> Sources {
    let file = dir.join("config.toml");
    fs::write(&file, toml).unwrap();
    let environment = environment.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
    Sources { file: Some(file), environment, ..Sources::default() }
}

fn load(toml: &str, environment: &[(&str, &str)]) -> Result<EffectiveConfig, ConfigError> {
    let dir = tempfile::tempdir().unwrap();
    EffectiveConfig::load(&sources(dir.path(), toml, environment))
}

/// Returns the text of the error, with the test's folder removed.
fn error_text(toml: &str, environment: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let error = EffectiveConfig::load(&sources(dir.path(), toml, environment)).unwrap_err();
    error.to_string().replace(&format!("{}/", dir.path().display()), "")
}

fn token(effective: &EffectiveConfig) -> Option<&str> {
    effective.config.discord.token.as_ref().map(Secret::expose)
}

mod defaults {
    use super::*;

    /// Every field of [`Config`] must have a key and every key a field: no field is optional for serde, and
    /// unknown keys are rejected.
    #[test]
    fn every_key_has_a_field_and_the_reverse() {
        let effective = EffectiveConfig::load(&Sources::default()).unwrap();
        for key in KEYS {
            assert!(effective.is_default(key.section, key.name), "{}", key.dotted());
        }
    }

    #[test]
    fn defaults_have_the_documented_values() {
        let config = load("", &[]).unwrap().config;
        assert_eq!(config.playground.listen, "127.0.0.1:8080".parse().unwrap());
        assert_eq!(config.store.address(), StoreAddress::Sqlite("rookery.sqlite".into()));
        assert_eq!(config.tables.challenge_hours, 24);
        assert_eq!(config.tables.open_per_person, 5);
        assert_eq!(config.ai.think_ms_max, 8_000);
        assert_eq!(config.render, Render { theme: "walnut".into(), width: 1_050, threads: 0, cache_mib: 32 });
        assert!(!config.discord.message_content);
        assert!(config.ai.resolved_threads() >= 1);
        assert_eq!(config.ai.resolved_server_threads(), config.ai.resolved_threads().div_ceil(2));
        assert_eq!(config.ai.server_minutes, 30);
    }

    #[test]
    fn every_key_stands_with_its_section_and_has_one_sentence_of_its_own() {
        let mut sections: Vec<_> = KEYS.iter().map(|key| key.section).collect();
        sections.dedup();
        let count = sections.len();
        sections.sort_unstable();
        sections.dedup();
        assert_eq!(sections.len(), count, "a section is split");
        for key in KEYS {
            assert!(key.sentence.ends_with('.') && key.sentence.len() > 20, "{}", key.dotted());
            let same =
                KEYS.iter().filter(|other| other.sentence == key.sentence || other.dotted() == key.dotted());
            assert_eq!(same.count(), 1, "{}", key.dotted());
        }
    }
}

mod example_file {
    use super::*;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config.example.toml");

    /// With ROOKERY_WRITE_EXAMPLE set the file is written instead of compared.
    #[test]
    fn example_file_matches_the_keys() {
        if std::env::var_os("ROOKERY_WRITE_EXAMPLE").is_some() {
            fs::write(FILE, example()).unwrap();
        }
        let file = fs::read_to_string(FILE).unwrap();
        assert_eq!(file, example(), "`rookery config --example > config.example.toml` writes it anew");
    }

    #[test]
    fn example_file_sets_nothing() {
        let effective = load(&example(), &[]).unwrap();
        assert!(KEYS.iter().all(|key| effective.is_default(key.section, key.name)));
    }

    /// Removing every # before a key sets every key to its default.
    #[test]
    fn uncommented_example_sets_the_defaults() {
        let is_key = |line: &str| KEYS.iter().any(|key| line.starts_with(&format!("# {} = ", key.name)));
        let uncommented: String = example()
            .lines()
            .map(|line| if is_key(line) { &line[2..] } else { line }.to_owned() + "\n")
            .collect();
        let effective = load(&uncommented, &[]).unwrap();
        assert_eq!(effective.config, load("", &[]).unwrap().config);
        assert!(KEYS.iter().all(|key| !effective.is_default(key.section, key.name)));
    }

    #[test]
    fn example_file_has_every_description_in_short_lines() {
        let text = example();
        let flowing = text.replace("\n# ", " ");
        assert!(KEYS.iter().all(|key| flowing.contains(key.sentence)));
        assert!(text.lines().all(|line| line.len() <= 110), "{text}");
    }
}

mod layers {
    use super::*;

    #[test]
    fn later_layers_override_earlier_ones() {
        let file =
            "[discord]\napi_base = 'http://file.test'\n[ai]\nthreads = 2\n[tables]\nchallenge_hours = 3";
        let ours = ("ROOKERY_DISCORD__API_BASE", "http://ours.test");
        let shared = ("DISCORD_API_BASE", "http://shared.test");
        let base =
            |environment: &[_]| load(file, environment).unwrap().config.discord.api_base.unwrap().to_string();
        assert_eq!(base(&[]), "http://file.test");
        assert_eq!(base(&[ours]), "http://ours.test");
        assert_eq!(base(&[shared, ours]), "http://shared.test");

        let effective = load(file, &[("ROOKERY_AI__THREADS", "5")]).unwrap();
        assert_eq!((effective.config.ai.threads, effective.config.tables.challenge_hours), (5, 3));
        assert_eq!(effective.origin("ai", "threads"), "ROOKERY_AI__THREADS");
        assert!(effective.origin("tables", "challenge_hours").ends_with("config.toml, line 6"));
        assert_eq!(effective.origin("tables", "open_per_person"), "the defaults");
    }

    #[test]
    fn listen_argument_overrides_all_layers() {
        let dir = tempfile::tempdir().unwrap();
        let mut sources = sources(dir.path(), "", &[("ROOKERY_PLAYGROUND__LISTEN", "127.0.0.1:1")]);
        sources.listen = Some("127.0.0.1:2".parse().unwrap());
        let effective = EffectiveConfig::load(&sources).unwrap();
        assert_eq!(effective.config.playground.listen.port(), 2);
        assert_eq!(effective.origin("playground", "listen"), "--listen");
    }

    #[test]
    fn every_key_can_be_set_in_the_environment() {
        for key in KEYS {
            let text = match (key.kind, key.default.trim_matches('"')) {
                (ValueKind::Secret, _) => "abc",
                (ValueKind::Address { .. }, _) => "127.0.0.1:1",
                (ValueKind::Server, _) => "http://a.test",
                (ValueKind::Path { .. }, _) => "some/file",
                (ValueKind::Id, _) => "1200000000000000000",
                (ValueKind::Line(_), _) => "ops@a.test, or https://a.test",
                (_, default) => default,
            };
            // Links need pages.
            match load("web.listen = '127.0.0.1:2'", &[(&key.variable(), text)]) {
                Ok(effective) => assert_eq!(effective.origin(key.section, key.name), key.variable()),
                Err(error) => assert!(matches!(error, ConfigError::SecretFile { .. }), "{error}"),
            }
        }
    }

    #[test]
    fn named_config_file_must_exist_and_default_one_may_not() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("missing.toml");
        let usual = Sources { fallback: Some(missing.clone()), ..Sources::default() };
        assert!(EffectiveConfig::load(&usual).is_ok());
        let named = Sources { file: Some(missing), ..Sources::default() };
        assert!(matches!(EffectiveConfig::load(&named), Err(ConfigError::Unreadable { .. })));
    }

    #[test]
    fn default_config_file_is_read_if_it_exists() {
        let dir = tempfile::tempdir().unwrap();
        let usual = dir.path().join("config.toml");
        fs::write(&usual, "ai.threads = 7").unwrap();
        let sources = Sources { fallback: Some(usual), ..Sources::default() };
        assert_eq!(EffectiveConfig::load(&sources).unwrap().config.ai.threads, 7);
    }
}

/// The image sets only existing keys, to valid values.
#[test]
fn dockerfile_sets_existing_keys() {
    let image = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Dockerfile"));
    let words = image.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    let environment: Vec<_> =
        words.filter(|word| word.starts_with("ROOKERY_")).filter_map(|word| word.split_once('=')).collect();
    assert_eq!(environment.len(), 2, "{environment:?}");
    let config = load("", &environment).unwrap().config;
    assert!(config.playground.listen.ip().is_unspecified(), "else it cannot be published");
    assert!(config.health.listen.is_some(), "else the health check cannot ask");
}

mod tokens {
    use super::*;

    const TOKEN: &str = "MTIz.abc-DEF_456";

    fn token_file(dir: &Path, text: &str) -> String {
        let path = dir.join("token");
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn token_is_read_from_every_source() {
        let dir = tempfile::tempdir().unwrap();
        let path = token_file(dir.path(), &format!("  {TOKEN}\n"));
        assert_eq!(token(&load(&format!("discord.token = '{TOKEN}'"), &[]).unwrap()), Some(TOKEN));
        assert_eq!(token(&load(&format!("discord.token_file = '{path}'"), &[]).unwrap()), Some(TOKEN));
        for (name, text) in [
            ("DISCORD_TOKEN", TOKEN),
            ("ROOKERY_DISCORD__TOKEN", TOKEN),
            ("DISCORD_TOKEN_FILE", &path),
            ("ROOKERY_DISCORD__TOKEN_FILE", &path),
            ("DISCORD_TOKEN", &format!("Bot {TOKEN}")),
        ] {
            assert_eq!(token(&load("", &[(name, text)]).unwrap()), Some(TOKEN), "{name}");
        }
    }

    #[test]
    fn token_of_the_higher_layer_wins() {
        let dir = tempfile::tempdir().unwrap();
        let path = token_file(dir.path(), "from-the-file");
        let in_file = "discord.token = 'from-the-config'";
        assert_eq!(token(&load(in_file, &[("DISCORD_TOKEN_FILE", &path)]).unwrap()), Some("from-the-file"));
        let named = format!("discord.token_file = '{path}'");
        assert_eq!(token(&load(&named, &[("DISCORD_TOKEN", TOKEN)]).unwrap()), Some(TOKEN));
        let both = format!("{named}\n{in_file}");
        assert!(matches!(load(&both, &[]), Err(ConfigError::TwoSecrets { .. })));
    }

    #[test]
    fn empty_token_counts_as_none() {
        assert_eq!(token(&load("discord.token = ''", &[("DISCORD_TOKEN", " ")]).unwrap()), None);
    }

    #[test]
    fn token_file_without_token_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["", "\n", "two words", "two\nlines"] {
            let path = token_file(dir.path(), text);
            assert!(matches!(
                load("", &[("DISCORD_TOKEN_FILE", &path)]),
                Err(ConfigError::SecretFile { .. })
            ));
        }
        let said = error_text("", &[("DISCORD_TOKEN_FILE", "/nowhere/token")]);
        assert!(said.starts_with("The token file /nowhere/token could not be read: "), "{said}");
        assert!(said.ends_with("(named in DISCORD_TOKEN_FILE)."), "{said}");
    }

    /// No error and no output contains the token.
    #[test]
    fn token_is_never_printed() {
        let effective = load("", &[("DISCORD_TOKEN", TOKEN)]).unwrap();
        assert!(effective.to_string().contains("token = \"***\"  # DISCORD_TOKEN\n"), "{effective}");
        assert!(!effective.to_string().contains(TOKEN));
        assert!(!format!("{:?} {:?}", effective.config, effective.config.target()).contains(TOKEN));
        for toml in [
            format!("discord.token = {TOKEN}"),
            format!("discord.token = '{TOKEN}"),
            format!("discord.token = '{TOKEN} {TOKEN}'"),
            format!("discord.token = ['{TOKEN}']"),
            format!("discord.tokn = '{TOKEN}'"),
            format!("token = '{TOKEN}'"),
            format!("[discord]\ntoken = '{TOKEN}'\ntoken = '{TOKEN}'"),
            format!("discord = '{TOKEN}'"),
            format!("discord.token = '{TOKEN}'\ndiscord.token_file = 'x'"),
        ] {
            let error = load(&toml, &[]).unwrap_err();
            assert!(!format!("{error} {error:?}").contains(TOKEN), "{toml}: {error}");
        }
    }
}

mod targets {
    use super::*;

    fn target(toml: &str) -> Result<DiscordTarget, ConfigError> {
        load(toml, &[]).unwrap().config.target()
    }

    #[test]
    fn no_token_selects_the_playground() {
        assert!(matches!(target(""), Ok(DiscordTarget::Playground(_))));
        assert!(matches!(target("playground.enabled = false"), Err(ConfigError::NoToken { .. })));
    }

    #[test]
    fn token_selects_discord_or_the_configured_server() {
        assert!(matches!(target("discord.token = 'abc'"), Ok(DiscordTarget::Discord { api_base: None, .. })));
        let Ok(DiscordTarget::Discord { api_base: Some(base), .. }) =
            target("discord = { token = 'abc', api_base = 'http://127.0.0.1:9000/api' }")
        else {
            panic!("a server was named");
        };
        assert_eq!(base.as_str(), "http://127.0.0.1:9000");
    }

    /// A server without a token is an error, rather than a reason to start the playground.
    #[test]
    fn a_server_without_a_token_is_refused() {
        let said = target("discord.api_base = 'http://127.0.0.1:9000'").unwrap_err().to_string();
        assert!(said.starts_with("There's no Discord token, but discord.api_base is set. Set DISCORD_TOKEN"));
    }
}

mod values {
    use super::*;

    #[test]
    fn server_addresses_are_normalised() {
        for (written, meant) in [
            ("http://127.0.0.1:9000", "http://127.0.0.1:9000"),
            ("http://127.0.0.1:9000/", "http://127.0.0.1:9000"),
            ("http://127.0.0.1:9000/api", "http://127.0.0.1:9000"),
            ("http://127.0.0.1:9000/api/v10/", "http://127.0.0.1:9000"),
            ("https://chat.test/discord//", "https://chat.test/discord"),
            ("https://chat.test/discord/api/v10", "https://chat.test/discord"),
            ("https://chat.test/v10", "https://chat.test/v10"),
            ("http://[::1]:9000", "http://[::1]:9000"),
        ] {
            assert_eq!(written.parse::<Server>().unwrap().without_api().as_str(), meant);
        }
    }

    #[test]
    fn web_address_keeps_its_path() {
        for (written, meant) in [
            ("https://games.test/", "https://games.test"),
            ("https://games.test/api", "https://games.test/api"),
            ("https://games.test/api/v10/", "https://games.test/api/v10"),
        ] {
            assert_eq!(written.parse::<Server>().unwrap().as_str(), meant);
        }
    }

    #[test]
    fn invalid_server_address_is_refused() {
        for text in [
            "",
            "127.0.0.1:9000",
            "/api",
            "ftp://a.test",
            "ws://a.test",
            "http://",
            "http://a.test?x=1",
            "http://a.test/#x",
            "http://me@a.test",
            "http://a b.test",
            "http://:9000",
        ] {
            assert!(text.parse::<Server>().is_err(), "{text}");
        }
    }

    #[test]
    fn proxies_are_listed_by_their_addresses() {
        let web = |toml: &str| load(toml, &[]).unwrap().config.web.trusted_proxies;
        assert!(web("").is_empty());
        let two: Vec<std::net::IpAddr> = vec!["127.0.0.1".parse().unwrap(), "2001:db8::1".parse().unwrap()];
        assert_eq!(web("web.trusted_proxies = '127.0.0.1, 2001:db8::1'"), two);
    }

    #[test]
    fn short_listen_addresses_are_accepted() {
        for (written, meant) in [
            ("8081", "127.0.0.1:8081"),
            ("localhost:8081", "127.0.0.1:8081"),
            ("0.0.0.0:80", "0.0.0.0:80"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(parse_address(written).unwrap(), meant.parse().unwrap());
        }
        assert!(
            ["", "localhost", "host:80", "1.2.3.4", "99999"].iter().all(|text| parse_address(text).is_err())
        );
    }
}

mod printed {
    use super::*;

    /// The printed settings can be read back unchanged, whatever characters they contain.
    #[test]
    fn printed_settings_can_be_read_back() {
        let toml = "store.path = \"a \\\"b\\\" \\\\ c \\u0001 \\u007f ü\"\n[ai]\nthreads = 3\n";
        let environment =
            [("ROOKERY_DISCORD__MESSAGE_CONTENT", "true"), ("ROOKERY_TABLES__CHALLENGE_HOURS", "7")];
        let first = load(toml, &environment).unwrap();
        assert_eq!(first.config.store.path.as_deref(), Some(Path::new("a \"b\" \\ c \u{1} \u{7f} ü")));
        let again = load(&first.to_string(), &[]).unwrap();
        assert_eq!(again.config, first.config);
    }
}

mod journal_address {
    use super::*;

    #[test]
    fn former_path_counts_unless_the_address_is_set() {
        let of = |toml: &str| load(toml, &[]).unwrap().config.store.address();
        assert_eq!(of("store.path = 'old.sqlite'"), StoreAddress::Sqlite("old.sqlite".into()));
        assert_eq!(of("store.url = 'sqlite:new.sqlite'"), StoreAddress::Sqlite("new.sqlite".into()));
        let both = "[store]\npath = 'old.sqlite'\nurl = 'postgres://me@db/games'";
        assert_eq!(of(both), StoreAddress::Postgres("postgres://me@db/games".into()));
    }

    #[test]
    fn password_is_printed_neither_with_the_settings_nor_in_an_error() {
        let url = "postgres://me:s3cr3t@db/games";
        let printed = load("", &[("ROOKERY_STORE__URL", url)]).unwrap().to_string();
        assert!(printed.contains("postgres://db:5432/games") && !printed.contains("s3cr3t"), "{printed}");
        let error =
            load("", &[("ROOKERY_STORE__URL", "mysql://me:s3cr3t@db/games")]).unwrap_err().to_string();
        assert!(error.contains("store.url") && !error.contains("s3cr3t"), "{error}");
    }
}
