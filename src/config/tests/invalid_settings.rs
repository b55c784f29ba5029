//! The errors for invalid settings.

use super::*;

#[test]
fn unknown_key_error_names_source_and_nearest_key() {
    assert_eq!(
        error_text("[log]\nlevel = 'info'\n[discord]\nmessage_contents = true", &[]),
        "There's no setting discord.message_contents (found in config.toml, line 4). \
         Did you mean discord.message_content?"
    );
    assert_eq!(
        error_text("", &[("ROOKERY_PLAYGROUND__LISTN", "x")]),
        "There's no setting ROOKERY_PLAYGROUND__LISTN (found in the environment). \
         Did you mean ROOKERY_PLAYGROUND__LISTEN?"
    );
}

#[test]
fn unknown_section_error_names_source_and_nearest_key() {
    assert_eq!(
        error_text("\n[playgruond]\nlisten = 'x'", &[]),
        "There's no setting playgruond.listen (found in config.toml, line 3). \
         Did you mean playground.listen?"
    );
    assert!(
        error_text("[stroe]", &[]).starts_with("There's no setting stroe (found in config.toml, line 1).")
    );
    assert_eq!(
        error_text("token = 'abc'", &[]),
        "There's no setting token (found in config.toml, line 1). Did you mean discord.token?"
    );
}

#[test]
fn error_for_dissimilar_key_names_the_example_command() {
    let all = "`rookery config --example` lists all settings.";
    let (foo, stroe) = (error_text("", &[("ROOKERY_FOO__BAR", "x")]), error_text("[stroe]", &[]));
    assert_eq!(foo, format!("There's no setting ROOKERY_FOO__BAR (found in the environment). {all}"));
    assert!(stroe.ends_with(all), "{stroe}");
}

#[test]
fn single_underscore_is_reported_and_foreign_variables_ignored() {
    assert!(
        error_text("", &[("ROOKERY_DISCORD_TOKEN", "x")]).ends_with("Did you mean ROOKERY_DISCORD__TOKEN?")
    );
    assert!(load("", &[("ROOKERY_BROWSER", "required"), ("ROOKERY_CONFIG", "x"), ("PATH", "/bin")]).is_ok());
}

#[test]
fn invalid_value_error_names_the_valid_values() {
    assert_eq!(
        error_text("[tables]\nthread_archive_minutes = 90", &[]),
        "tables.thread_archive_minutes is 90, but it must be one of the numbers 60, 1440, 4320, 10080 \
         (set in config.toml, line 2)."
    );
    assert_eq!(
        error_text("", &[("ROOKERY_PLAYGROUND__ENABLED", "perhaps")]),
        "playground.enabled is \"perhaps\", but it must be true or false \
         (set in ROOKERY_PLAYGROUND__ENABLED)."
    );
    assert_eq!(
        error_text("", &[("DISCORD_API_BASE", "127.0.0.1:9000")]),
        "discord.api_base is \"127.0.0.1:9000\", but it must be an http or https address such as \
         http://127.0.0.1:9000, or empty for none (set in DISCORD_API_BASE)."
    );
}

#[test]
fn every_kind_of_value_is_checked() {
    for line in [
        "ai.threads = -1",
        "ai.threads = 1.5",
        "ai.threads = '4'",
        "ai.threads = [1]",
        "ai.think_ms_max = 49",
        "ai.server_minutes = 0",
        "discord.message_content = 1",
        "discord.token = 17",
        "discord.token = 'two words'",
        "log.format = 'yaml'",
        "log.level = 'info,=,'",
        "log.level = 'warning'",
        "playground.listen = ''",
        "playground.listen = '127.0.0.1'",
        "playground.listen = '127.0.0.1:70000'",
        "health.listen = 'here'",
        "web.connections = 0",
        "web.requests_per_minute = -1",
        "web.trusted_proxies = 'localhost'",
        "web.trusted_proxies = '127.0.0.1,'",
        "render.theme = 'Walnut'",
        "render.width = 349",
        "store.url = ''",
        "store.url = 'rookery.sqlite'",
        "store.url = 'mysql://me@db/games'",
    ] {
        assert!(matches!(load(line, &[]), Err(ConfigError::BadValue { .. })), "{line}");
    }
}

#[test]
fn web_address_without_listen_is_refused() {
    let said = error_text("web.address = 'https://games.example.org'", &[]);
    assert!(said.contains("config.toml") && said.contains("Set web.listen"), "{said}");
}

/// An Activity needs a secret and https, and Discord itself or the playground.
#[test]
fn activity_without_what_it_needs_is_refused() {
    let pages = "web.listen = '127.0.0.1:1'\nweb.activity = true\n";
    let (https, http) = ("web.address = 'https://games.example.org'\n", "web.address = 'http://a.example'\n");
    let (token, secret) = ("discord.token = 'abc'\n", "discord.client_secret = 'def'\n");
    let base = "discord.api_base = 'http://127.0.0.1:9000'\n";
    for (parts, wanted) in [
        (vec![token, https], "Set discord.client_secret"),
        (vec![token, secret], "Set web.listen and web.address"),
        (vec![token, secret, http], "https"),
        (vec![token, secret, https, base], "Remove discord.api_base"),
    ] {
        let said = error_text(&format!("{}{pages}", parts.concat()), &[]);
        assert!(
            said.contains("config.toml") && said.contains("web.activity") && said.contains(wanted),
            "{said}"
        );
    }
    for parts in [vec![token, secret, https], vec![], vec![http]] {
        let toml = format!("{}{pages}", parts.concat());
        assert!(load(&toml, &[]).is_ok_and(|loaded| loaded.config.web.activity), "{toml}");
    }
}

#[test]
fn integer_ranges_are_inclusive() {
    for line in
        ["ai.threads = 1024", "render.width = 350", "render.width = 2100", "health.listen = 'localhost:9'"]
    {
        assert!(load(line, &[]).is_ok(), "{line}");
    }
}

#[test]
fn broken_toml_is_found_by_its_line() {
    let said = error_text("[log]\nlevel = \"info\n", &[]);
    assert!(said.starts_with("config.toml, line 2, isn't valid TOML: "), "{said}");
}
