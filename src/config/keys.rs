//! The list of all settings. The example file, the checks, the names of environment variables and the
//! defaults are derived from it.

use figment::value::Dict;
use strsim::levenshtein;

use super::value_kind::ValueKind;

/// One setting: its name, default, valid values and description.
#[derive(Debug)]
pub struct Key {
    /// The section, as in `[discord]`.
    pub section: &'static str,
    /// The name within the section.
    pub name: &'static str,
    /// The default, written in TOML.
    pub default: &'static str,
    /// The kind of value that the key accepts.
    pub kind: ValueKind,
    /// An environment variable besides `ROOKERY_<SECTION>__<NAME>`, shared with other programs.
    pub shared_variable: Option<&'static str>,
    /// The description, for the example file.
    pub sentence: &'static str,
}

/// All settings by section, in the order of the example file.
pub const KEYS: &[Key] = &[
    Key {
        section: "discord",
        name: "token",
        default: r#""""#,
        kind: ValueKind::Secret,
        shared_variable: Some("DISCORD_TOKEN"),
        sentence: "The bot's token; without one, Rookery runs its own playground. It's safer in the \
                   environment or in a file of its own than here.",
    },
    Key {
        section: "discord",
        name: "token_file",
        default: r#""""#,
        kind: ValueKind::Path { or_none: true },
        shared_variable: Some("DISCORD_TOKEN_FILE"),
        sentence: "A file with the token and nothing else, instead of `token`.",
    },
    Key {
        section: "discord",
        name: "client_secret",
        default: r#""""#,
        kind: ValueKind::Secret,
        shared_variable: Some("DISCORD_CLIENT_SECRET"),
        sentence: "The application's client secret (developer portal, OAuth2). With it, people can sign in on the web \
                   pages with Discord. The address of those pages with /discord/return at its end must be a redirect there.",
    },
    Key {
        section: "discord",
        name: "client_secret_file",
        default: r#""""#,
        kind: ValueKind::Path { or_none: true },
        shared_variable: Some("DISCORD_CLIENT_SECRET_FILE"),
        sentence: "A file with the client secret and nothing else, instead of `client_secret`.",
    },
    Key {
        section: "discord",
        name: "api_base",
        default: r#""""#,
        kind: ValueKind::Server,
        shared_variable: Some("DISCORD_API_BASE"),
        sentence: "Another server that speaks Discord's API, such as http://127.0.0.1:9000; \
                   with it set, nothing is ever sent to Discord itself.",
    },
    Key {
        section: "discord",
        name: "requests_per_second",
        default: "50",
        kind: ValueKind::Integer(1, 100_000),
        shared_variable: None,
        sentence: "How many requests all processes together may send to Discord in a second; Discord raises its limit of \
                   50 for some big bots. All processes on one database need the same number.",
    },
    Key {
        section: "discord",
        name: "rest_proxy",
        default: r#""""#,
        kind: ValueKind::Server,
        shared_variable: None,
        sentence: "A proxy for Discord's REST API that keeps its rate limits, such as http://127.0.0.1:8080 for nirn-proxy. \
                   With it set, all requests go there, and the bot leaves the limits to it.",
    },
    Key {
        section: "discord",
        name: "message_content",
        default: "false",
        kind: ValueKind::Boolean,
        shared_variable: None,
        sentence: "Read moves typed in a game's thread without a reply or a mention; \
                   this also needs the Message Content intent, turned on in Discord's developer portal.",
    },
    Key {
        section: "discord",
        name: "shards",
        default: "0",
        kind: ValueKind::Integer(0, 10_000),
        shared_variable: None,
        sentence: "How many connections to Discord's gateway share the bot's servers; 0 is the number that \
                   Discord recommends. All processes on one database need the same number.",
    },
    Key {
        section: "discord",
        name: "contact",
        default: r#""""#,
        kind: ValueKind::Line(200),
        shared_variable: None,
        sentence: "How to reach the people who run this bot, such as an email address or a link to a server; \
                   `/help` and `/privacy` show it. Discord's terms ask for a way to report problems.",
    },
    Key {
        section: "discord",
        name: "report_channel",
        default: r#""""#,
        kind: ValueKind::Id,
        shared_variable: None,
        sentence: "The ID of a channel for reports from direct messages and from servers without a \
                   reports channel; without it, those reports go only to the log.",
    },
    Key {
        section: "discord",
        name: "owner_server",
        default: r#""""#,
        kind: ValueKind::Id,
        shared_variable: None,
        sentence: "The ID of the server whose administrators run this bot: they get the command `/rookery` there, \
                   which shows its status and can pause it. Without it, there's no such command.",
    },
    Key {
        section: "playground",
        name: "enabled",
        default: "true",
        kind: ValueKind::Boolean,
        shared_variable: None,
        sentence: "Start the playground if there is no token. \
                   If false, Rookery refuses to start without one, which is right for a server.",
    },
    Key {
        section: "playground",
        name: "listen",
        default: r#""127.0.0.1:8080""#,
        kind: ValueKind::Address { or_none: false },
        shared_variable: None,
        sentence: "The address of the playground's page; anyone who can reach it can act as anyone there.",
    },
    Key {
        section: "playground",
        name: "data",
        default: r#""rookery-playground.sqlite""#,
        kind: ValueKind::Path { or_none: true },
        shared_variable: None,
        sentence: "Where the playground keeps its people, channels and messages; \
                   leave it empty to keep them in memory only.",
    },
    Key {
        section: "store",
        name: "url",
        default: r#""sqlite:rookery.sqlite""#,
        kind: ValueKind::Store,
        shared_variable: None,
        sentence: "Where all games are: `sqlite:PATH`, a file that's created if it doesn't exist, or \
                   `postgres://user:password@host:5432/database`. An address with a password is safer in the \
                   environment than here.",
    },
    Key {
        section: "store",
        name: "path",
        default: r#""""#,
        kind: ValueKind::Path { or_none: true },
        shared_variable: None,
        sentence: "The SQLite file, as it was set before `url` existed; used only if `url` isn't set.",
    },
    Key {
        section: "store",
        name: "backup_folder",
        default: r#""""#,
        kind: ValueKind::Path { or_none: true },
        shared_variable: None,
        sentence: "A folder for automatic backups while the bot runs; empty means no backups. \
                   Copy them to another machine as well.",
    },
    Key {
        section: "store",
        name: "backup_hours",
        default: "24",
        kind: ValueKind::Integer(1, 8_760),
        shared_variable: None,
        sentence: "Hours between automatic backups.",
    },
    Key {
        section: "store",
        name: "backups_kept",
        default: "7",
        kind: ValueKind::Integer(1, 10_000),
        shared_variable: None,
        sentence: "How many automatic backups are kept; the oldest are deleted.",
    },
    Key {
        section: "tables",
        name: "thread_archive_minutes",
        default: "10080",
        kind: ValueKind::OneOf(&[60, 1_440, 4_320, 10_080]),
        shared_variable: None,
        sentence: "Minutes without messages after which Discord archives a game's thread.",
    },
    Key {
        section: "tables",
        name: "show_pace_seconds",
        default: "5",
        kind: ValueKind::Integer(1, 600),
        shared_variable: None,
        sentence: "Seconds between moves when the bot plays all seats, so people can follow.",
    },
    Key {
        section: "tables",
        name: "challenge_hours",
        default: "24",
        kind: ValueKind::Integer(1, 720),
        shared_variable: None,
        sentence: "Hours after which an open challenge expires if nobody takes it.",
    },
    Key {
        section: "tables",
        name: "open_per_person",
        default: "5",
        kind: ValueKind::Integer(1, 1_000),
        shared_variable: None,
        sentence: "Open challenges that one person can have at a time.",
    },
    Key {
        section: "limits",
        name: "tables_per_person",
        default: "20",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Unfinished games that one person can open; 0 here and in all other limits means no limit.",
    },
    Key {
        section: "limits",
        name: "tables_per_server",
        default: "200",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Unfinished games that one server can have.",
    },
    Key {
        section: "limits",
        name: "challenges_per_hour",
        default: "10",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Challenges that one person can send in an hour; one that's accepted doesn't count.",
    },
    Key {
        section: "limits",
        name: "challenges_to_one_per_hour",
        default: "3",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Challenges that one person can send to the same person in an hour; \
                   the count starts again once that person accepts one or challenges back.",
    },
    Key {
        section: "limits",
        name: "challenge_wait_minutes",
        default: "10",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Minutes before a declined or ignored challenge can be sent to the same person again; \
                   they double each time, up to a day.",
    },
    Key {
        section: "limits",
        name: "gifs_per_minute",
        default: "3",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "GIFs and picture series that one person can have in a minute.",
    },
    Key {
        section: "limits",
        name: "server_gifs_per_minute",
        default: "12",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "GIFs and picture series for everyone on one server together in a minute.",
    },
    Key {
        section: "limits",
        name: "analyses_per_hour",
        default: "20",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Analyses of whole games that one person can have in an hour.",
    },
    Key {
        section: "limits",
        name: "exports_per_hour",
        default: "60",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Records that one person can export in an hour.",
    },
    Key {
        section: "limits",
        name: "imports_per_hour",
        default: "40",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Records and positions that one person can import in an hour.",
    },
    Key {
        section: "limits",
        name: "hints_per_hour",
        default: "60",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Hints that one person can have in an hour.",
    },
    Key {
        section: "limits",
        name: "tables_per_hour",
        default: "60",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Games that one person can open in an hour, however soon they end.",
    },
    Key {
        section: "limits",
        name: "reports_per_hour",
        default: "3",
        kind: ValueKind::Integer(0, 100_000),
        shared_variable: None,
        sentence: "Reports that one person can send in an hour.",
    },
    Key {
        section: "ai",
        name: "threads",
        default: "0",
        kind: ValueKind::Integer(0, 1_024),
        shared_variable: None,
        sentence: "Threads for thinking about moves; 0 means one fewer than the processor has, but at \
                   least one. Idle threads help hard and expert in two-player games.",
    },
    Key {
        section: "ai",
        name: "think_ms_max",
        default: "8000",
        kind: ValueKind::Integer(50, 600_000),
        shared_variable: None,
        sentence: "The longest time to think about one move, in milliseconds.",
    },
    Key {
        section: "ai",
        name: "server_threads",
        default: "0",
        kind: ValueKind::Integer(0, 1_024),
        shared_variable: None,
        sentence: "Moves and hints for one server (in direct messages: for one person) to think about at \
                   the same time, each on its own thread; 0 means half the threads, but at least one.",
    },
    Key {
        section: "ai",
        name: "server_minutes",
        default: "30",
        kind: ValueKind::Integer(1, 100_000),
        shared_variable: None,
        sentence: "Minutes of thinking for one server in an hour; \
                   each thread has 60. Once they're used up, hard and expert move quickly there for a while.",
    },
    Key {
        section: "render",
        name: "theme",
        default: r#""walnut""#,
        kind: ValueKind::Word(&[
            "walnut", "slate", "paper", "contrast", "ice", "deep", "light", "dark", "petri", "day", "night",
        ]),
        shared_variable: None,
        sentence: "The default theme of boards; a game that doesn't have it keeps its own.",
    },
    Key {
        section: "render",
        name: "width",
        default: "1050",
        kind: ValueKind::Integer(350, 2_100),
        shared_variable: None,
        sentence: "The width of a board's picture in pixels; Discord shows it at 350 to 550.",
    },
    Key {
        section: "render",
        name: "threads",
        default: "0",
        kind: ValueKind::Integer(0, 1_024),
        shared_variable: None,
        sentence: "Threads that draw boards and replays; \
                   0 means half as many as the processor has, but at least one.",
    },
    Key {
        section: "render",
        name: "cache_mib",
        default: "32",
        kind: ValueKind::Integer(0, 65_536),
        shared_variable: None,
        sentence: "Memory for recently drawn pictures, in MiB, so they aren't drawn again.",
    },
    Key {
        section: "log",
        name: "level",
        default: r#""info""#,
        kind: ValueKind::Filter,
        shared_variable: None,
        sentence: "What is logged to standard error: a level, or levels by part, \
                   such as \"info,rookery_store=debug\".",
    },
    Key {
        section: "log",
        name: "format",
        default: r#""compact""#,
        kind: ValueKind::Word(&["compact", "json"]),
        shared_variable: None,
        sentence: "The format of log lines: compact for people, json for programs.",
    },
    Key {
        section: "web",
        name: "listen",
        default: r#""""#,
        kind: ValueKind::Address { or_none: true },
        shared_variable: None,
        sentence: "The address of the web pages for watching and playing, such as 127.0.0.1:8081; \
                   empty means no web pages.",
    },
    Key {
        section: "web",
        name: "address",
        default: r#""""#,
        kind: ValueKind::Server,
        shared_variable: None,
        sentence: "The public address of those pages, such as https://games.example.org. \
                   Without it, Rookery can't give out links to watch or play, and pages are found only by links.",
    },
    Key {
        section: "web",
        name: "connections",
        default: "512",
        kind: ValueKind::Integer(1, 100_000),
        shared_variable: None,
        sentence: "Open connections to those pages at a time; \
                   an idle connection makes room for a new one.",
    },
    Key {
        section: "web",
        name: "requests_per_minute",
        default: "600",
        kind: ValueKind::Integer(0, 1_000_000),
        shared_variable: None,
        sentence: "Requests for those pages from one address in a minute; 0 means no limit.",
    },
    Key {
        section: "web",
        name: "trusted_proxies",
        default: r#""""#,
        kind: ValueKind::Hosts,
        shared_variable: None,
        sentence: "IP addresses of proxies in front of those pages, separated by commas, such as 127.0.0.1. \
                   Rookery trusts X-Forwarded-For only from them. \
                   Without this, all visitors behind a proxy share the limits of one address.",
    },
    Key {
        section: "health",
        name: "listen",
        default: r#""""#,
        kind: ValueKind::Address { or_none: true },
        shared_variable: None,
        sentence: "The address of /health and /metrics, such as 127.0.0.1:9090; \
                   empty turns them off.",
    },
];

impl Key {
    /// Returns the setting with this name in this section.
    pub fn find(section: &str, name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.section == section && key.name == name)
    }

    /// Returns the key as people write it: `discord.token`.
    pub fn dotted(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// Returns the name of the setting's own environment variable: `ROOKERY_DISCORD__TOKEN`.
    pub fn variable(&self) -> String {
        format!("ROOKERY_{}__{}", self.section, self.name).to_ascii_uppercase()
    }

    /// Returns whether the value must not be printed.
    pub fn is_secret(&self) -> bool {
        matches!(self.kind, ValueKind::Secret)
    }
}

/// Returns the known key most similar to `written`, which is `section.name` or a part of it; `None` if none
/// is similar.
pub(super) fn nearest(written: &str) -> Option<&'static Key> {
    let distance = |key: &&Key| levenshtein(written, &key.dotted()).min(levenshtein(written, key.name) + 1);
    let near = |key: &&Key| distance(key) <= 1 + written.chars().count() / 4;
    KEYS.iter().min_by_key(distance).filter(near)
}

/// Returns all defaults by section.
pub(super) fn defaults(parse: impl Fn(&str) -> Dict) -> Dict {
    let text: String = KEYS.iter().map(|key| format!("{} = {}\n", key.dotted(), key.default)).collect();
    parse(&text)
}
