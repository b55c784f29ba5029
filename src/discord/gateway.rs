//! Connects to Discord: finds the gateway, and runs its shards and the jobs.

mod access_changes;
mod identify_queue;
mod request_share;
mod shards;

use std::sync::Arc;
use std::time::Duration;

use rookery_tasks::TaskSpec;
use serenity::all::{GatewayIntents, Http};
use serenity::http::HttpBuilder;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::discord::handlers::accounts::DiscordAccounts;
use crate::discord::handlers::pages::PageRequests;
use crate::discord::policy::membership::DiscordMembership;
use crate::discord::state::context::Context;
use crate::discord::state::in_progress::InProgress;
use crate::discord::wire::api::Api;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::network::{Internet, Network};
use crate::discord::wire::session::SessionRefused;
use crate::discord::{Bot, jobs::supervisor};
use crate::shutdown::Stop;
use shards::Shards;

/// Discord's gateway, used if the REST API does not return its address.
const DISCORD_GATEWAY: &str = "wss://gateway.discord.gg";

/// The pause before another attempt.
const PAUSE: Duration = Duration::from_secs(5);

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
    run_over(Arc::new(Internet::default()), bot, token, api_base, stop).await
}

/// Runs the bot over a network until it is asked to stop.
///
/// # Errors
/// As [`run`].
pub async fn run_over(
    network: Arc<dyn Network>,
    bot: Bot,
    token: &str,
    api_base: Option<&str>,
    stop: Stop,
) -> Result<(), RunError> {
    let discord_side = bot.discord_side.clone();
    let http = Arc::new(client(token, bot.settings.rest_proxy.as_deref().or(api_base)));
    // With several processes it begins with the least, and asks for more.
    let limit = bot.settings.request_limit();
    let share = limit.map(|limit| if bot.registry.cluster().is_some() { 1 } else { limit });
    let api = Api::new(http, network.clone(), bot.drawing, bot.settings.width_px, share);
    let gateway = find_gateway(&api, api_base).await?;
    let mut ctx = Context::new(bot.registry, api, bot.settings, bot.languages);
    ctx.backups = bot.backups;
    let ctx = Arc::new(ctx);
    ctx.registry.set_quotas(ctx.settings.quotas);
    ctx.registry.set_membership_source(Arc::new(DiscordMembership(Arc::downgrade(&ctx))));
    // If the last row is unknown, every row counts as inherited. The outbox then searches for each message
    // before posting, which is harmless.
    ctx.set_inherited(ctx.registry.journal().last_row().await.unwrap_or(i64::MAX));
    request_share::start(&ctx, &stop);
    access_changes::start(&ctx, &stop);
    let (ready, is_ready) = watch::channel(false);
    let settings = &ctx.settings;
    let jobs = settings.outbox.then(|| start_jobs_when_ready(&ctx, is_ready, &stop));
    let in_progress = InProgress::default();
    if ctx.registry.cluster().is_some() {
        // A session that another process began doesn't say it.
        introduce(&ctx, &stop).await?;
    }
    let accounts = DiscordAccounts::new(&ctx, api_base);
    discord_side.fill(Arc::new(PageRequests { ctx: ctx.clone(), accounts }));
    let ended = if settings.gateway {
        let token = token.to_owned();
        let shards = Shards {
            ctx: ctx.clone(),
            gateway,
            token,
            network,
            ready,
            in_progress: in_progress.clone(),
            stop,
        };
        shards.run().await
    } else {
        ready.send_replace(true);
        stop.finishing().await;
        Ok(())
    };
    let Some(jobs) = jobs else { return ended };
    if ended.is_err() {
        jobs.abort();
    }
    // Handlers finish their responses while the outbox posts the remaining items.
    drop(tokio::join!(jobs, in_progress.done_within(SHUTDOWN_TIMEOUT)));
    ended
}

/// Asks Discord who the bot is, for a process without a gateway session.
async fn introduce(ctx: &Context, stop: &Stop) -> Result<(), RunError> {
    loop {
        match ctx.api.identity().await {
            Ok((me, application)) => {
                ctx.set_me(me);
                ctx.api.set_application(application);
                return Ok(());
            }
            Err(fault) if !fault.is_temporary() => return Err(RunError::Broken(fault.to_string())),
            Err(fault) => tracing::warn!(%fault, "Discord did not say who the bot is; asking again"),
        }
        tokio::select! {
            biased;
            () = tokio::time::sleep(PAUSE) => {}
            () = stop.finishing() => return Ok(()),
        }
    }
}

/// Starts the jobs when Discord is ready, and restarts them after a panic.
fn start_jobs_when_ready(ctx: &Arc<Context>, is_ready: watch::Receiver<bool>, stop: &Stop) -> JoinHandle<()> {
    let (of, until) = (ctx.clone(), stop.clone());
    ctx.registry.tasks().supervise(START, stop.clone(), move || {
        let (ctx, stop, mut is_ready) = (of.clone(), until.clone(), is_ready.clone());
        async move {
            tokio::select! {
                biased;
                ready = is_ready.wait_for(|ready| *ready) => if ready.is_err() { return },
                () = stop.finishing() => return,
            }
            supervisor::run(&ctx, &stop).await;
        }
    })
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

/// What Discord says about its gateway.
#[derive(Clone, Debug)]
struct GatewayInfo {
    /// The address of the WebSocket.
    url: String,
    /// The number of shards that it recommends.
    shards: u32,
    /// How many sessions may identify within five seconds.
    max_concurrency: u32,
}

/// Asks Discord about its gateway. Discord's address is known; any other server must return its own.
async fn find_gateway(api: &Api, api_base: Option<&str>) -> Result<GatewayInfo, RunError> {
    let answer = api.gateway().await.map(|bot| GatewayInfo {
        url: bot.url,
        shards: bot.shards,
        max_concurrency: u32::try_from(bot.session_start_limit.max_concurrency).unwrap_or(1),
    });
    let usual = || GatewayInfo { url: DISCORD_GATEWAY.to_owned(), shards: 1, max_concurrency: 1 };
    let Some(base) = api_base.map(str::to_owned) else { return Ok(answer.unwrap_or_else(|_| usual())) };
    let gateway = answer.map_err(|error| RunError::NoGateway { base: base.clone(), fault: error })?;
    let url = &gateway.url;
    let host = url.split("://").nth(1).unwrap_or(url).split(['/', ':', '?']).next().unwrap_or("");
    if ["discord.gg", "discord.com"].iter().any(|discord| host.ends_with(discord)) {
        return Err(RunError::WrongGateway { base, gateway: url.clone() });
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
