//! The gateway: connects, hears, hands on; and reconnects with less where Discord does not grant all.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serenity::Client;
use serenity::all::{
    ChannelId, Context, EventHandler, GatewayIntents, Guild, GuildChannel, GuildId, GuildMemberUpdateEvent,
    Http, Interaction, Member, Message, MessageType, Ready, Role, RoleId, UnavailableGuild,
};
use serenity::gateway::{ConnectionStage, ShardManager};
use serenity::http::HttpBuilder;
use tokio::sync::watch;

use crate::ops::stop::Stop;
use crate::table::hall::Hall;
use crate::table::{Denied, Part, Person};

use super::answer::{self, Manner};
use super::api::Api;
use super::arrivals::{Arrivals, COMES_WITHIN};
use super::asked;
use super::at_work::AtWork;
use super::desk::Desk;
use super::fault::{Fault, NO_HISTORY, patiently};
use super::hear::{self, Heard};
use super::order::{InOrder, Met};
use super::outside::Outside;
use super::own_roles::OwnRoles;
use super::post::Post;
use super::{Face, buttons, commands, late, lobby, outbox, tv};

/// Under which name the digest of the registered commands is kept.
const COMMANDS_NOTE: &str = "commands";

/// Bits of a server's number that say nothing about which connection looks after it.
const SHARD_SHIFT: u32 = 22;

/// How often it is looked whether Discord can be reached.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Waits between tries to answer a message.
const AGAIN: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// How long answers in the making may take when the program stops.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Why the face cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The other server's API cannot be asked for its gateway. Discord itself is not tried instead.
    #[error("{base} does not tell its gateway: {fault}. Is it running, and is `discord.api_base` right?")]
    NoGateway {
        /// The server's address.
        base: String,
        /// What happened.
        fault: Fault,
    },
    /// A server that is not Discord sends us to Discord.
    #[error(
        "{base} names Discord's own gateway {gateway}; with `discord.api_base` set nothing is sent there"
    )]
    WrongGateway {
        /// The server's address.
        base: String,
        /// The address it gave.
        gateway: String,
    },
    /// The token is not taken.
    #[error(
        "Discord does not accept the token; copy a fresh one from its developer portal (Bot, Reset Token)"
    )]
    BadToken,
    /// Anything else that serenity cannot mend.
    #[error("the connection to Discord ended: {0}")]
    Broken(String),
}

/// Runs the face until it is asked to stop.
///
/// # Errors
/// What makes going on senseless; a lost connection is none of it.
pub async fn run(face: Face, token: &str, api_base: Option<&str>, stop: Stop) -> Result<(), Stopped> {
    let http = Arc::new(client(token, api_base));
    let gateway = find_gateway(&http, api_base).await?;
    let api = Api::new(http, face.painter, face.settings.width_px);
    let content = face.settings.message_content;
    let desk = Arc::new(Desk::new(face.hall, api, face.settings, face.languages));
    desk.hall.ask_outside(Arc::new(Outside(Arc::downgrade(&desk))));
    let (ready, mut is_ready) = watch::channel(false);
    let speaking = tokio::spawn({
        let (desk, stop) = (desk.clone(), stop.clone());
        async move {
            tokio::select! {
                ready = is_ready.wait_for(|ready| *ready) => if ready.is_err() { return },
                () = stop.finishing() => return,
            }
            tokio::join!(
                kept_up("the outbox", || outbox::work(desk.clone(), stop.clone())),
                kept_up("the lobbies", || lobby::work(desk.clone(), stop.clone())),
                kept_up("what waited", || late::work(desk.clone(), stop.clone())),
                kept_up("the televisions", || tv::work(desk.clone(), stop.clone())),
            );
        }
    });
    let heard = InOrder::settling(desk.settings.settle);
    let at_work = AtWork::default();
    let (met, arrivals) = (Met::default(), Arrivals::default());
    let own_roles = OwnRoles::default();
    let ear = Arc::new(Ear { desk, ready, heard, met, arrivals, own_roles, at_work: at_work.clone() });
    let ended = listen(&ear, token, api_base, gateway.as_deref(), content, &stop).await;
    drop(ear);
    if ended.is_err() {
        speaking.abort();
    }
    // What was heard is answered while the outbox says what is left.
    drop(tokio::join!(speaking, at_work.done_within(LAST_ANSWERS)));
    ended
}

/// Does work until it is done. A fault in it is told, and it is begun anew: it silences nothing else.
async fn kept_up<F: Future<Output = ()>>(what: &str, work: impl Fn() -> F) {
    while AssertUnwindSafe(work()).catch_unwind().await.is_err() {
        tracing::error!(what, "a fault; it is begun anew");
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Connects with all that is wanted, then with what needs nobody's leave.
async fn listen(
    ear: &Arc<Ear>,
    token: &str,
    api_base: Option<&str>,
    gateway: Option<&str>,
    content: bool,
    stop: &Stop,
) -> Result<(), Stopped> {
    match connect(ear, token, api_base, gateway, intents(content), stop).await {
        Err(serenity::Error::Gateway(serenity::gateway::GatewayError::DisallowedGatewayIntents))
            if content =>
        {
            tracing::warn!(
                "the Message Content intent is not switched on in Discord's developer portal: going on \
                 without, so moves are typed as replies, with a mention, or in direct messages"
            );
            ear.desk.reads_less();
            connect(ear, token, api_base, gateway, intents(false), stop).await.map_err(stopped)
        }
        ended => ended.map_err(stopped),
    }
}

async fn connect(
    ear: &Arc<Ear>,
    token: &str,
    api_base: Option<&str>,
    gateway: Option<&str>,
    intents: GatewayIntents,
    stop: &Stop,
) -> serenity::Result<()> {
    let builder = serenity::client::ClientBuilder::new_with_http(client(token, api_base), intents);
    let mut client: Client = builder.event_handler_arc(ear.clone()).await?;
    if let Some(gateway) = gateway {
        // Had the builder's own question failed, it would have taken Discord's address.
        *client.ws_url.lock().await = gateway.to_owned();
    }
    let shards = client.shard_manager.clone();
    tokio::select! {
        ended = client.start() => ended,
        () = watch_reach(&ear.desk.hall, &shards) => Ok(()),
        () = stop.finishing() => {
            shards.shutdown_all().await;
            Ok(())
        }
    }
}

/// Tells the hall whether Discord can be reached. serenity tells of most losses, but not of those after
/// which it makes a shard anew: so it is looked at. Never returns.
async fn watch_reach(hall: &Hall, shards: &ShardManager) {
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let runners = shards.runners.lock().await;
        let there =
            !runners.is_empty() && runners.values().all(|shard| shard.stage == ConnectionStage::Connected);
        drop(runners);
        if there {
            hall.in_reach().await;
        } else {
            hall.out_of_reach();
        }
    }
}

/// With another server in Discord's place, serenity's limiter must be off: it ignores the address.
fn client(token: &str, api_base: Option<&str>) -> Http {
    let builder = HttpBuilder::new(token);
    match api_base {
        Some(base) => builder.proxy(base).ratelimiter_disabled(true).build(),
        None => builder.build(),
    }
}

/// The gateway of another server; Discord's own is found by serenity.
async fn find_gateway(http: &Http, api_base: Option<&str>) -> Result<Option<String>, Stopped> {
    let Some(base) = api_base.map(str::to_owned) else { return Ok(None) };
    let asked = http.get_gateway().await;
    let gateway = asked.map_err(|error| Stopped::NoGateway { base: base.clone(), fault: error.into() })?.url;
    let host = gateway.split("://").nth(1).unwrap_or(&gateway).split(['/', ':', '?']).next().unwrap_or("");
    if ["discord.gg", "discord.com"].iter().any(|discord| host.ends_with(discord)) {
        return Err(Stopped::WrongGateway { base, gateway });
    }
    Ok(Some(gateway))
}

fn intents(content: bool) -> GatewayIntents {
    let plain = GatewayIntents::GUILDS | GatewayIntents::GUILD_MESSAGES | GatewayIntents::DIRECT_MESSAGES;
    if content { plain | GatewayIntents::MESSAGE_CONTENT } else { plain }
}

fn stopped(error: serenity::Error) -> Stopped {
    use serenity::gateway::GatewayError;
    match error {
        serenity::Error::Gateway(GatewayError::InvalidAuthentication) => Stopped::BadToken,
        other => Stopped::Broken(other.to_string()),
    }
}

/// What hears.
struct Ear {
    desk: Arc<Desk>,
    ready: watch::Sender<bool>,
    heard: InOrder<Heard>,
    met: Met,
    arrivals: Arrivals,
    own_roles: OwnRoles,
    at_work: AtWork,
}

#[serenity::async_trait]
impl EventHandler for Ear {
    async fn ready(&self, _: Context, ready: Ready) {
        let since_ms = self.desk.hall.now_ms();
        self.desk.is(Person(ready.user.id.get()));
        self.desk.api.belongs_to(ready.application.id.get());
        tracing::info!(name = ready.user.name, servers = ready.guilds.len(), "connected");
        self.freeze_absent(&ready).await;
        self.register(ready.application.id.get()).await;
        self.ready.send_replace(true);
        self.miss(&ready, since_ms).await;
    }

    async fn guild_create(&self, _: Context, guild: Guild, _: Option<bool>) {
        self.desk.tongues.learn(guild.id.get(), &guild.preferred_locale);
        self.arrivals.note(guild.id.get());
        guild.roles.values().for_each(|role| self.learn_role(guild.id, role));
        // Of what changed while nobody listened nothing else tells.
        self.readers_changed(guild.id, None);
        self.desk.hall.regain(Part::Server(guild.id.get())).await;
        tell(self.desk.hall.thaw(guild.id.get()).await, "games go on: we are in their server again");
    }

    async fn message(&self, _: Context, message: Message) {
        let written = matches!(message.kind, MessageType::Regular | MessageType::InlineReply);
        let by_person = !message.author.bot && message.webhook_id.is_none();
        if !written || !by_person || !self.met.first_time(message.id.get()) {
            return;
        }
        let _busy = self.at_work.begin();
        self.is_there(message.guild_id).await;
        let me = self.desk.me();
        let own_role = message.guild_id.and_then(|guild| self.own_roles.of(guild.get(), me));
        let heard = asked::message(&message, me, own_role);
        self.heard.take(heard.channel, heard.id, heard, |heard| self.deal(heard)).await;
    }

    async fn guild_delete(&self, _: Context, gone: UnavailableGuild, _: Option<Guild>) {
        // A server that is only out of order says so.
        if gone.unavailable {
            tracing::info!(guild = gone.id.get(), "a server is out of order: clocks stand there");
            self.desk.hall.lose(Part::Server(gone.id.get()), self.desk.hall.now_ms());
        } else {
            self.desk.hall.regain(Part::Server(gone.id.get())).await;
            tell(self.desk.hall.freeze(gone.id.get()).await, "games stand still: we left their server");
        }
    }

    async fn channel_update(&self, _: Context, _: Option<GuildChannel>, new: GuildChannel) {
        self.readers_changed(new.guild_id, Some(new.id));
    }

    async fn thread_update(&self, _: Context, _: Option<GuildChannel>, new: GuildChannel) {
        if new.thread_metadata.is_some_and(|thread| !thread.locked) {
            self.desk.shuns.forget(new.id.get());
            self.desk.sight.opened(new.id.get());
            self.desk.hall.bell().notify_one();
        }
    }

    async fn guild_role_create(&self, _: Context, new: Role) {
        self.learn_role(new.guild_id, &new);
        self.readers_changed(new.guild_id, None);
    }

    async fn guild_role_update(&self, _: Context, _: Option<Role>, new: Role) {
        self.readers_changed(new.guild_id, None);
    }

    async fn guild_role_delete(&self, _: Context, guild: GuildId, _: RoleId, _: Option<Role>) {
        self.readers_changed(guild, None);
    }

    /// Of ourselves Discord tells whatever we asked to hear.
    async fn guild_member_update(
        &self,
        _: Context,
        _: Option<Member>,
        _: Option<Member>,
        news: GuildMemberUpdateEvent,
    ) {
        if news.user.id.get() == self.desk.me().0 {
            self.readers_changed(news.guild_id, None);
        }
    }

    async fn interaction_create(&self, _: Context, interaction: Interaction) {
        let _busy = self.at_work.begin();
        self.is_there(guild_of(&interaction)).await;
        if self.met.first_time(interaction.id().get()) {
            self.interact(interaction).await;
        }
    }
}

impl Ear {
    /// Of the servers that Discord names at the beginning those that do not come soon are out of order.
    async fn miss(&self, ready: &Ready, since_ms: i64) {
        tokio::time::sleep(COMES_WITHIN).await;
        for guild in ready.guilds.iter().map(|guild| guild.id.get()) {
            if self.arrivals.lack(guild) {
                tracing::info!(guild, "a server is out of order: clocks stand there");
                self.desk.hall.lose(Part::Server(guild), since_ms);
            }
        }
    }

    /// A server from which something comes is in order, whatever was said of it.
    async fn is_there(&self, guild: Option<GuildId>) {
        if let Some(guild) = guild {
            self.desk.hall.regain(Part::Server(guild.get())).await;
        }
    }

    fn readers_changed(&self, guild: GuildId, channel: Option<ChannelId>) {
        self.desk.readers_changed(guild.get(), channel.map(ChannelId::get));
    }

    /// Keeps a role in mind that bears the name of a bot.
    fn learn_role(&self, guild: GuildId, role: &Role) {
        if let Some(bot) = role.tags.bot_id {
            self.own_roles.learn(guild.get(), Person(bot.get()), role.id.get());
        }
    }

    /// Registers the commands if they are not what is registered.
    async fn register(&self, application: u64) {
        let registration = commands::registration(&self.desk.languages);
        let digest = format!("{application} {}", commands::digest(&registration));
        let journal = self.desk.hall.journal();
        if journal.note(COMMANDS_NOTE).await.ok().flatten().as_ref() == Some(&digest) {
            return;
        }
        match patiently(&AGAIN, || self.desk.api.register(application, &registration)).await {
            Ok(()) => {
                if let Err(error) = journal.keep_note(COMMANDS_NOTE, &digest).await {
                    tracing::warn!(%error, "the commands will be registered once more at the next start");
                }
            }
            Err(fault) => tracing::error!(%fault, "the commands could not be registered"),
        }
    }

    /// Discord names all servers that this connection looks after, those out of order as well: who is not
    /// among them has taken us out, maybe while we were not running.
    async fn freeze_absent(&self, ready: &Ready) {
        let there = ready.guilds.iter().map(|guild| guild.id.get()).collect();
        let shard =
            ready.shard.map_or((0, 1), |shard| (u64::from(shard.id.0), u64::from(shard.total.max(1))));
        let is_ours = |guild: u64| (guild >> SHARD_SHIFT) % shard.1 == shard.0;
        let frozen = self.desk.hall.freeze_absent(&there, is_ours).await;
        tell(frozen, "games stand still: we were taken out of their servers meanwhile");
    }

    async fn deal(&self, heard: Heard) {
        if heard.guild.is_none() {
            self.desk.doors.met(Person(heard.who), heard.channel);
        }
        let desk = self.desk.for_writer(Person(heard.who), heard.guild, heard.channel).await;
        let Some(post) = answer::caught(&desk, hear::hear(&desk, &heard)).await else { return };
        let post = answer::fitting(&desk, post);
        if let Err(fault) = self.answer(&heard, post).await {
            tracing::warn!(%fault, channel = heard.channel, "an answer was not taken");
        }
    }

    /// Answers a message; beside it, where we may not read what was written before and so refer to nothing.
    async fn answer(&self, heard: &Heard, post: Post) -> Result<(), Fault> {
        let (desk, nonce) = (&self.desk, format!("m{}", heard.id));
        let referring = post.clone().answering(heard.id);
        let answered = patiently(&AGAIN, || desk.post_in(heard.channel, &referring, &nonce)).await;
        let answered = match answered {
            Err(fault) if fault.code() == Some(NO_HISTORY) => {
                patiently(&AGAIN, || desk.post_in(heard.channel, &post, &nonce)).await
            }
            answered => answered,
        };
        answered.map(|message| desk.questions.note(&post, heard.channel, message))
    }

    async fn interact(&self, interaction: Interaction) {
        let desk = &self.desk;
        match interaction {
            Interaction::Command(command) => {
                let (asked, given) = asked::command(&command);
                desk.meet(&asked);
                let work = async { commands::run(&desk.for_asker(&asked).await, &asked, &given).await };
                if answer::give(desk, &asked.ticket, Manner::New, work).await {
                    desk.make_use_of(&asked, None).await;
                }
            }
            Interaction::Autocomplete(command) => {
                let (asked, given) = asked::command(&command);
                let choices = commands::complete(&desk.for_asker(&asked).await, &asked, &given).await;
                if let Err(fault) = desk.api.complete(&asked.ticket, &choices).await {
                    tracing::info!(%fault, "a completion came too late");
                }
            }
            Interaction::Component(component) => {
                let (asked, pressed) = asked::press(&component);
                desk.meet(&asked);
                let work = async { buttons::pressed(&desk.for_asker(&asked).await, &asked, &pressed).await };
                let manner = buttons::manner(asked.place, &pressed);
                if answer::give(desk, &asked.ticket, manner, work).await {
                    desk.make_use_of(&asked, Some(&pressed)).await;
                }
            }
            _ => tracing::warn!("an interaction of a kind that we never ask for"),
        }
    }
}

fn guild_of(interaction: &Interaction) -> Option<GuildId> {
    match interaction {
        Interaction::Command(it) | Interaction::Autocomplete(it) => it.guild_id,
        Interaction::Component(it) => it.guild_id,
        _ => None,
    }
}

/// What became of a server's games, for the log.
fn tell(told: Result<usize, Denied>, what: &str) {
    match told {
        Ok(0) => {}
        Ok(games) => tracing::info!(games, what),
        Err(error) => tracing::error!(%error, what, "the games of a server could not be told"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn work_with_a_fault_is_begun_anew() {
        let begun = AtomicUsize::new(0);
        let work = || async { assert!(begun.fetch_add(1, Ordering::Relaxed) > 1, "a fault that is meant") };
        kept_up("a trial", work).await;
        assert_eq!(begun.load(Ordering::Relaxed), 3);
    }
}
