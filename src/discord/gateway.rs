//! Runs the gateway session: connects, passes events on, and reconnects without the privileged intent if
//! Discord refuses it.

use std::sync::Arc;
use std::time::Duration;

use rookery_table::registry::TableRegistry;
use rookery_tasks::TaskSpec;
use serenity::all::{GatewayIntents, Http};
use serenity::http::HttpBuilder;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::discord::handlers::events::EventHandler;
use crate::discord::policy::membership::DiscordMembership;
use crate::discord::state::context::Context;
use crate::discord::state::in_progress::InProgress;
use crate::discord::wire::api::Api;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::session::{Session, SessionRefused};
use crate::discord::{Bot, jobs::supervisor};
use crate::shutdown::Stop;

/// Discord's gateway, used if the REST API does not return its address.
const DISCORD_GATEWAY: &str = "wss://gateway.discord.gg";

/// The interval between checks of the connection.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The pause before reconnecting after a panic.
const PAUSE_AFTER_PANIC: Duration = Duration::from_secs(5);

/// The task that runs the jobs.
const START: TaskSpec = TaskSpec { name: "start of jobs", interval: None };

/// How long responses in progress may take when the program stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the bot cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The server at `discord.api_base` does not return its gateway's address. The bot does not fall back to
    /// Discord.
    #[error("{base} does not tell its gateway: {fault}. Is it running, and is `discord.api_base` right?")]
    NoGateway {
        /// The value of `discord.api_base`.
        base: String,
        /// The error of the request.
        fault: DiscordError,
    },
    /// A server that is not Discord returns Discord's gateway.
    #[error(
        "{base} names Discord's own gateway {gateway}; with `discord.api_base` set nothing is sent there"
    )]
    WrongGateway {
        /// The value of `discord.api_base`.
        base: String,
        /// The gateway's address in the server's response.
        gateway: String,
    },
    /// Discord rejects the token.
    #[error(
        "Discord does not accept the token; copy a fresh one from its developer portal (Bot, Reset Token)"
    )]
    BadToken,
    /// Another error that reconnecting cannot fix.
    #[error("the connection to Discord ended: {0}")]
    Broken(String),
}

/// Runs the bot until it is asked to stop.
///
/// # Errors
/// An error that makes it impossible to continue. A lost connection is not one.
pub async fn run(bot: Bot, token: &str, api_base: Option<&str>, stop: Stop) -> Result<(), RunError> {
    let http = Arc::new(client(token, api_base));
    let gateway = find_gateway(&http, api_base).await?;
    let api = Api::new(http, bot.drawing, bot.settings.width_px);
    let content = bot.settings.message_content;
    let ctx = Arc::new(Context::new(bot.registry, api, bot.settings, bot.languages));
    ctx.registry.set_quotas(ctx.settings.quotas);
    ctx.registry.set_membership_source(Arc::new(DiscordMembership(Arc::downgrade(&ctx))));
    // If the last row is unknown, every row counts as inherited. The outbox then searches for each message
    // before posting, which is harmless.
    ctx.set_inherited(ctx.registry.journal().last_row().await.unwrap_or(i64::MAX));
    let (ready, is_ready) = watch::channel(false);
    let jobs = start_jobs_when_ready(&ctx, is_ready, &stop);
    let in_progress = InProgress::default();
    let handler = Arc::new(EventHandler::new(ctx, ready, in_progress.clone()).await);
    let ended = run_sessions(&handler, token, &gateway, content, &stop).await;
    drop(handler);
    if ended.is_err() {
        jobs.abort();
    }
    // Handlers finish their responses while the outbox posts the remaining items.
    drop(tokio::join!(jobs, in_progress.done_within(SHUTDOWN_TIMEOUT)));
    ended
}

/// Starts the jobs when Discord is ready, and restarts them after a panic.
fn start_jobs_when_ready(ctx: &Arc<Context>, is_ready: watch::Receiver<bool>, stop: &Stop) -> JoinHandle<()> {
    let (of, until) = (ctx.clone(), stop.clone());
    ctx.registry.tasks().supervise(START, stop.clone(), move || {
        let (ctx, stop, mut is_ready) = (of.clone(), until.clone(), is_ready.clone());
        async move {
            tokio::select! {
                ready = is_ready.wait_for(|ready| *ready) => if ready.is_err() { return },
                () = stop.finishing() => return,
            }
            supervisor::run(&ctx, &stop).await;
        }
    })
}

/// Runs sessions until one ends; starts a new one after a panic.
async fn run_sessions(
    handler: &Arc<EventHandler>,
    token: &str,
    gateway: &str,
    content: bool,
    stop: &Stop,
) -> Result<(), RunError> {
    loop {
        let listening = run_session(handler, token, gateway, content, stop);
        if let Some(ended) = handler.registry().tasks().measure("gateway", listening).await {
            return ended;
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE_AFTER_PANIC) => {}
            () = stop.finishing() => return Ok(()),
        }
    }
}

/// Connects with all intents, and again without Message Content if Discord disallows that one.
async fn run_session(
    handler: &Arc<EventHandler>,
    token: &str,
    gateway: &str,
    content: bool,
    stop: &Stop,
) -> Result<(), RunError> {
    let tasks = handler.registry().tasks();
    let connect = async |content| {
        let session = Arc::new(Session::new(gateway.to_owned(), token, intents(content), tasks.clone()));
        let on = |event| handler.receive(event, &session);
        tokio::select! {
            ended = session.run(stop, &on) => ended,
            () = watch_connection(handler.registry(), session.connected()) => Ok(()),
        }
    };
    match connect(content).await {
        Err(SessionRefused::DisallowedIntents) if content => {
            tracing::warn!(
                "the Message Content intent is not switched on in Discord's developer portal: going on \
                 without, so moves are typed as replies, with a mention, or in direct messages"
            );
            handler.note_content_withheld();
            connect(false).await.map_err(run_error)
        }
        ended => ended.map_err(run_error),
    }
}

/// Reports to the registry whether Discord is reachable. Never returns.
async fn watch_connection(registry: &TableRegistry, mut connected: watch::Receiver<bool>) {
    loop {
        let changed = tokio::time::timeout(POLL_INTERVAL, connected.changed()).await;
        if *connected.borrow_and_update() {
            // Also repeated at each interval, in case an earlier report failed.
            registry.connection_restored().await;
        } else if changed.is_err() {
            registry.connection_lost();
        }
    }
}

/// Creates the HTTP client. For another server, serenity's rate limiter must be off, because it ignores the
/// proxy address.
pub(crate) fn client(token: &str, api_base: Option<&str>) -> Http {
    let builder = HttpBuilder::new(token);
    match api_base {
        Some(base) => builder.proxy(base).ratelimiter_disabled(true).build(),
        None => builder.build(),
    }
}

/// Returns the gateway's address. Discord's address is known; any other server must return its own.
async fn find_gateway(http: &Http, api_base: Option<&str>) -> Result<String, RunError> {
    let answer = http.get_gateway().await;
    let Some(base) = api_base.map(str::to_owned) else {
        return Ok(answer.map_or_else(|_| DISCORD_GATEWAY.to_owned(), |gateway| gateway.url));
    };
    let gateway =
        answer.map_err(|error| RunError::NoGateway { base: base.clone(), fault: error.into() })?.url;
    let host = gateway.split("://").nth(1).unwrap_or(&gateway).split(['/', ':', '?']).next().unwrap_or("");
    if ["discord.gg", "discord.com"].iter().any(|discord| host.ends_with(discord)) {
        return Err(RunError::WrongGateway { base, gateway });
    }
    Ok(gateway)
}

fn intents(content: bool) -> GatewayIntents {
    let plain = GatewayIntents::GUILDS | GatewayIntents::GUILD_MESSAGES | GatewayIntents::DIRECT_MESSAGES;
    if content { plain | GatewayIntents::MESSAGE_CONTENT } else { plain }
}

fn run_error(refused: SessionRefused) -> RunError {
    match refused {
        SessionRefused::BadToken => RunError::BadToken,
        other => RunError::Broken(other.to_string()),
    }
}
