//! What comes from the gateway, event by event. Each is dealt with in a task of its own, messages in order channel
//! by channel; only what is needed of an event is read.

use std::collections::{BTreeMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::Value;
use tokio::sync::watch;

use crate::table::hall::Hall;
use crate::table::{Denied, Part, Person};

use super::answer::{self, Manner};
use super::arrivals::{Arrivals, COMES_WITHIN};
use super::asked::{Asked, Pressed};
use super::at_work::AtWork;
use super::desk::Desk;
use super::edited_messages::{Before, RecentMessages, edit_id};
use super::fault::{Fault, NO_HISTORY, patiently};
use super::hear::{self, Heard};
use super::json_fields::Fields;
use super::missed_messages::{self, Away, Missed, MissedMessages, Reading};
use super::order::{InOrder, Met};
use super::own_roles::OwnRoles;
use super::payload::{self, Kind, Missing};
use super::post::Post;
use super::session::{Dispatch, Session};
use super::{buttons, commands};

/// Under which name the digest of the registered commands is kept.
const COMMANDS_NOTE: &str = "commands";

/// Bits of a server's number that say nothing about which connection looks after it.
const SHARD_SHIFT: u32 = 22;

/// Waits between tries to answer a message.
const AGAIN: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

/// Takes events.
pub(super) struct EventHandler {
    desk: Arc<Desk>,
    ready: watch::Sender<bool>,
    messages: InOrder<Heard>,
    met: Met,
    arrivals: Arrivals,
    own_roles: OwnRoles,
    recent: RecentMessages,
    missed: MissedMessages,
    /// When the process before this one was last reached, in milliseconds since 1970.
    alive_ms: Option<i64>,
    at_work: AtWork,
}

impl EventHandler {
    /// Nothing has come yet. `ready` becomes true once commands are registered.
    pub(super) async fn new(desk: Arc<Desk>, ready: watch::Sender<bool>, at_work: AtWork) -> EventHandler {
        let alive_ms = desk.hall.last_alive_ms().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "it cannot be read when people last reached the program");
            None
        });
        EventHandler {
            messages: InOrder::settling(desk.settings.settle),
            desk,
            ready,
            met: Met::default(),
            arrivals: Arrivals::default(),
            own_roles: OwnRoles::default(),
            recent: RecentMessages::default(),
            missed: MissedMessages::default(),
            alive_ms,
            at_work,
        }
    }

    pub(super) fn hall(&self) -> &Hall {
        &self.desk.hall
    }

    /// Discord does not let us read messages that are not addressed to us.
    pub(super) fn reads_less(&self) {
        self.desk.reads_less();
    }

    /// Takes an event. It is dealt with by a task of its own: the session must go on.
    pub(super) fn receive(self: &Arc<EventHandler>, event: Dispatch, session: &Session) {
        let handler = self.clone();
        if event.name == "READY" {
            // At once, so that no later event passes by what was missed.
            let (reading, away) = (self.missed.begin(), self.away(session));
            tokio::spawn(async move { handler.ready(&event.data, reading, away).await });
            return;
        }
        let busy = matches!(event.name.as_str(), "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "INTERACTION_CREATE")
            .then(|| self.at_work.begin());
        tokio::spawn(async move {
            let _busy = busy;
            let handled = AssertUnwindSafe(handler.handle(&event)).catch_unwind().await;
            match handled {
                Ok(Ok(())) => {}
                Ok(Err(missing)) => unreadable(&event.name, missing),
                Err(_) => tracing::error!(event = event.name, "a fault while dealing with an event"),
            }
        });
    }

    async fn handle(&self, event: &Dispatch) -> Result<(), Missing> {
        let data = &event.data;
        match event.name.as_str() {
            "MESSAGE_CREATE" => self.message_create(data).await?,
            "MESSAGE_UPDATE" => self.message_update(data).await?,
            "INTERACTION_CREATE" => self.interaction_create(data).await?,
            "GUILD_CREATE" => self.guild_create(data).await?,
            "GUILD_DELETE" => self.guild_delete(data).await?,
            "CHANNEL_UPDATE" => {
                let channel = Fields(data).id("id").ok_or(Missing("id"))?;
                self.readers_changed(data, Some(channel))?;
            }
            "THREAD_UPDATE" => self.thread_update(data)?,
            "GUILD_ROLE_CREATE" => {
                self.learn_role(guild_of(data)?, Fields(data).object("role"));
                self.readers_changed(data, None)?;
            }
            "GUILD_ROLE_UPDATE" | "GUILD_ROLE_DELETE" => self.readers_changed(data, None)?,
            // Without the Guild Members intent Discord sends it for the bot's own member alone.
            "GUILD_MEMBER_UPDATE" => {
                if Fields(data).object("user").id("id") == Some(self.desk.me().0) {
                    self.readers_changed(data, None)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Servers.
impl EventHandler {
    async fn ready(&self, ready: &Value, reading: Reading, away: Away) {
        let fields = Fields(ready);
        let (user, application) = (fields.object("user"), fields.object("application").id("id"));
        let guilds: HashSet<u64> = fields.list("guilds").filter_map(|guild| guild.id("id")).collect();
        let Some(me) = user.id("id").or(application) else { return unreadable("READY", Missing("user.id")) };
        self.desk.is(Person(me));
        let application = application.unwrap_or(me);
        self.desk.api.belongs_to(application);
        tracing::info!(name = user.text("username"), servers = guilds.len(), "connected");
        self.freeze_absent(&guilds, fields).await;
        let begin = async {
            self.register(application).await;
            self.ready.send_replace(true);
        };
        tokio::join!(begin, self.catch_up(&guilds, away, reading), self.miss(&guilds, away.until_ms));
    }

    async fn guild_create(&self, data: &Value) -> Result<(), Missing> {
        let (fields, guild) = (Fields(data), Fields(data).id("id").ok_or(Missing("id"))?);
        if let Some(locale) = fields.text("preferred_locale") {
            self.desk.tongues.learn(guild, locale);
        }
        fields.list("roles").for_each(|role| self.learn_role(guild, role));
        self.arrivals.note(guild);
        // Of what changed while nobody listened nothing else tells.
        self.desk.readers_changed(guild, None);
        self.desk.hall.regain(Part::Server(guild)).await;
        tell(self.desk.hall.thaw(guild).await, "games go on: we are in their server again");
        Ok(())
    }

    async fn guild_delete(&self, data: &Value) -> Result<(), Missing> {
        let guild = Fields(data).id("id").ok_or(Missing("id"))?;
        // A server that is only out of order says so.
        if Fields(data).flag("unavailable") {
            tracing::info!(guild, "a server is out of order: clocks stand there");
            self.desk.hall.lose(Part::Server(guild), self.desk.hall.now_ms());
        } else {
            self.desk.hall.regain(Part::Server(guild)).await;
            tell(self.desk.hall.freeze(guild).await, "games stand still: we left their server");
        }
        Ok(())
    }

    fn thread_update(&self, data: &Value) -> Result<(), Missing> {
        let fields = Fields(data);
        let thread = fields.id("id").ok_or(Missing("id"))?;
        if fields.has_object("thread_metadata") && !fields.object("thread_metadata").flag("locked") {
            self.desk.shuns.forget(thread);
            self.desk.sight.opened(thread);
            self.desk.hall.bell().notify_one();
        }
        Ok(())
    }

    /// Of the servers that Discord names at the beginning those that do not come soon are out of order.
    async fn miss(&self, guilds: &HashSet<u64>, since_ms: i64) {
        tokio::time::sleep(COMES_WITHIN).await;
        let missing: Vec<u64> = guilds.iter().copied().filter(|guild| self.arrivals.lack(*guild)).collect();
        for guild in missing {
            tracing::info!(guild, "a server is out of order: clocks stand there");
            self.desk.hall.lose(Part::Server(guild), since_ms);
        }
    }

    /// A server from which something comes is in order, whatever was said of it.
    async fn is_there(&self, guild: Option<u64>) {
        if let Some(guild) = guild {
            self.desk.hall.regain(Part::Server(guild)).await;
        }
    }

    fn readers_changed(&self, data: &Value, channel: Option<u64>) -> Result<(), Missing> {
        self.desk.readers_changed(guild_of(data)?, channel);
        Ok(())
    }

    /// Keeps a role in mind that bears the name of a bot.
    fn learn_role(&self, guild: u64, role: Fields<'_>) {
        if let (Some(bot), Some(id)) = (role.object("tags").id("bot_id"), role.id("id")) {
            self.own_roles.learn(guild, Person(bot), id);
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
    async fn freeze_absent(&self, guilds: &HashSet<u64>, ready: Fields<'_>) {
        if !ready.0["guilds"].is_array() {
            return tracing::warn!("Discord does not name our servers: games go on everywhere");
        }
        let shard: Vec<u64> = ready.list("shard").filter_map(|number| number.0.as_u64()).collect();
        let (mine, of) = match shard[..] {
            [mine, of] => (mine, of.max(1)),
            _ => (0, 1),
        };
        let is_ours = |guild: u64| (guild >> SHARD_SHIFT) % of == mine;
        let there = guilds.iter().copied().collect();
        let frozen = self.desk.hall.freeze_absent(&there, is_ours).await;
        tell(frozen, "games stand still: we were taken out of their servers meanwhile");
    }
}

/// Messages.
impl EventHandler {
    async fn message_create(&self, data: &Value) -> Result<(), Missing> {
        if !payload::is_written(data) {
            return Ok(());
        }
        let heard = self.read_message(data, payload::guild(data))?;
        if !self.met.first_time(heard.id) {
            return Ok(());
        }
        self.is_there(heard.guild).await;
        self.missed.settled(heard.channel, heard.guild.is_none()).await;
        self.take(heard).await;
        Ok(())
    }

    /// A recent edit counts as the message.
    async fn message_update(&self, data: &Value) -> Result<(), Missing> {
        if !payload::is_written(data) || Fields(data).id("id").is_none() {
            return Ok(());
        }
        let mut heard = self.read_message(data, payload::guild(data))?;
        let Some(id) = edit_id(data, heard.id, self.desk.hall.now_ms()) else { return Ok(()) };
        if self.met.first_time(id) {
            heard.edits = Some(heard.id);
            heard.id = id;
            self.take(heard).await;
        }
        Ok(())
    }

    fn read_message(&self, data: &Value, guild: Option<u64>) -> Result<Heard, Missing> {
        let me = self.desk.me();
        let own_role = guild.and_then(|guild| self.own_roles.of(guild, me));
        payload::message(data, me, own_role).map(|heard| Heard { guild, ..heard })
    }

    async fn take(&self, heard: Heard) {
        self.messages.take(heard.channel, heard.id, heard, |heard| self.deal(heard)).await;
    }

    async fn deal(&self, heard: Heard) {
        let reply = match heard.edits.map(|original| self.recent.before(original, &heard.text)) {
            Some(Before::CountsNot) => return,
            Some(Before::Counts { reply }) => reply,
            None => None,
        };
        if heard.guild.is_none() {
            self.desk.doors.met(Person(heard.who), heard.channel);
        }
        let desk = self.desk.for_writer(Person(heard.who), heard.guild, heard.channel).await;
        let post = answer::caught(&desk, hear::hear(&desk, &heard)).await;
        if post.as_ref().is_some_and(|post| post.not_kept) {
            // Should it come again, it is no repetition.
            self.met.forget(heard.id);
        }
        let reply = self.reply(&desk, &heard, post, reply).await;
        self.recent.keep(&heard, reply);
    }

    /// Gives an answer, in place of the one that the message got before its writer corrected it; our answer now.
    async fn reply(
        &self,
        desk: &Desk,
        heard: &Heard,
        post: Option<Post>,
        before: Option<u64>,
    ) -> Option<u64> {
        let post = post.map(|post| answer::fitting(desk, post));
        if let Some(reply) = before {
            match self.change_reply(heard, reply, post.as_ref()).await {
                Ok(left) => return left,
                Err(fault) => tracing::info!(%fault, channel = heard.channel, "an earlier answer stays"),
            }
        }
        let post = post?;
        self.answer(heard, post).await.map_or_else(
            |fault| {
                tracing::warn!(%fault, channel = heard.channel, "an answer was not taken");
                None
            },
            Some,
        )
    }

    /// Changes an earlier answer; takes it away where nothing is left to be said.
    async fn change_reply(
        &self,
        heard: &Heard,
        reply: u64,
        post: Option<&Post>,
    ) -> Result<Option<u64>, Fault> {
        match post {
            Some(post) => {
                self.desk.api.edit(heard.channel, reply, post).await?;
                self.desk.questions.note(post, heard.channel, reply);
                Ok(Some(reply))
            }
            None if heard.carried_out.is_set() => {
                self.desk.api.delete(heard.channel, reply).await?;
                Ok(None)
            }
            None => Ok(Some(reply)),
        }
    }

    /// Answers a message; beside it, where we may not read what was written before and so refer to nothing.
    async fn answer(&self, heard: &Heard, post: Post) -> Result<u64, Fault> {
        let (desk, nonce) = (&self.desk, format!("m{}", heard.id));
        let referring = post.clone().answering(heard.message());
        let answered = patiently(&AGAIN, || desk.post_in(heard.channel, &referring, &nonce)).await;
        let answered = match answered {
            Err(fault) if fault.code() == Some(NO_HISTORY) => {
                patiently(&AGAIN, || desk.post_in(heard.channel, &post, &nonce)).await
            }
            answered => answered,
        };
        answered.inspect(|message| desk.questions.note(&post, heard.channel, *message))
    }
}

/// Messages that were written while there was no session.
impl EventHandler {
    /// The time for which there was no session.
    fn away(&self, session: &Session) -> Away {
        let until_ms = self.desk.hall.now_ms();
        let silent_ms = session.silent_for().map(|silent| i64::try_from(silent.as_millis()).unwrap_or(0));
        Away { since_ms: silent_ms.map(|silent_ms| until_ms - silent_ms).or(self.alive_ms), until_ms }
    }

    /// Reads what was written meanwhile and deals with it in the order in which it was written.
    async fn catch_up(&self, guilds: &HashSet<u64>, away: Away, reading: Reading) {
        let _busy = self.at_work.begin();
        let places = missed_messages::places(&self.desk, guilds, away, &reading).await;
        let missed = missed_messages::read(&self.desk, &places).await;
        let mut too_old: BTreeMap<u64, Heard> = BTreeMap::new();
        let mut dealt_with = 0;
        for missed in missed {
            let Some(heard) = self.missed_message(&missed).await else { continue };
            if missed_messages::is_too_old(heard.id, away.until_ms) {
                too_old.insert(heard.channel, heard);
            } else {
                dealt_with += 1;
                self.take(heard).await;
            }
        }
        drop(reading);
        if dealt_with > 0 {
            tracing::info!(messages = dealt_with, "messages written meanwhile are dealt with");
        }
        for heard in too_old.into_values().filter(Heard::is_addressed) {
            let desk = self.desk.for_writer(Person(heard.who), heard.guild, heard.channel).await;
            let post = Post::text(desk.words.word("missed-too-old"));
            self.reply(&desk, &heard, Some(post), None).await;
        }
    }

    /// A message that was missed, unless a program wrote it or it has come since.
    async fn missed_message(&self, missed: &Missed) -> Option<Heard> {
        if !payload::is_written(&missed.message) {
            return None;
        }
        if let Some(guild) = missed.place.guild {
            // The role that bears our name comes with its server.
            self.arrivals.wait(guild).await;
        }
        let heard = self.read_message(&missed.message, missed.place.guild).ok()?;
        self.met.first_time(heard.id).then_some(heard)
    }
}

/// Interactions.
impl EventHandler {
    async fn interaction_create(&self, data: &Value) -> Result<(), Missing> {
        self.is_there(payload::guild(data)).await;
        let ticket = payload::ticket(data)?;
        if !self.met.first_time(ticket.id) {
            return Ok(());
        }
        let acted = match payload::kind(data) {
            Kind::Command => self.command(data).await,
            Kind::Autocomplete => self.autocomplete(data).await,
            Kind::Component => self.component(data).await,
            Kind::Other => Err(Missing("a kind of interaction that we know")),
        };
        if let Err(missing) = acted {
            tracing::warn!(%missing, "an interaction is answered without being acted on");
            let post = Post::text(self.desk.words.word("interaction-incomplete"));
            answer::give(&self.desk, &ticket, Manner::New, async { post }).await;
        }
        Ok(())
    }

    async fn command(&self, data: &Value) -> Result<(), Missing> {
        let (desk, (asked, given)) = (&self.desk, payload::command(data)?);
        desk.meet(&asked);
        let work = async { commands::run(&desk.for_asker(&asked).await, &asked, &given).await };
        if answer::give(desk, &asked.ticket, Manner::New, work).await {
            desk.make_use_of(&asked, None).await;
        }
        Ok(())
    }

    async fn autocomplete(&self, data: &Value) -> Result<(), Missing> {
        let (desk, (asked, given)) = (&self.desk, payload::command(data)?);
        let choices = commands::complete(&desk.for_asker(&asked).await, &asked, &given).await;
        if let Err(fault) = desk.api.complete(&asked.ticket, &choices).await {
            tracing::info!(%fault, "a completion came too late");
        }
        Ok(())
    }

    async fn component(&self, data: &Value) -> Result<(), Missing> {
        let (asked, pressed) = payload::press(data)?;
        self.press(&asked, &pressed).await;
        Ok(())
    }

    async fn press(&self, asked: &Asked, pressed: &Pressed) {
        let desk = &self.desk;
        desk.meet(asked);
        let work = async { buttons::pressed(&desk.for_asker(asked).await, asked, pressed).await };
        let manner = buttons::manner(asked.place, pressed);
        if answer::give(desk, &asked.ticket, manner, work).await {
            desk.make_use_of(asked, Some(pressed)).await;
        }
    }
}

fn guild_of(data: &Value) -> Result<u64, Missing> {
    payload::guild(data).ok_or(Missing("guild_id"))
}

/// Counts an event that cannot be acted on; the log hears of it by its name, not by what people wrote.
fn unreadable(name: &str, missing: Missing) {
    tracing::warn!("An event could not be read: {name}, {missing}");
}

/// What became of a server's games, for the log.
fn tell(told: Result<usize, Denied>, what: &str) {
    match told {
        Ok(0) => {}
        Ok(games) => tracing::info!(games, what),
        Err(error) => tracing::error!(%error, what, "the games of a server could not be told"),
    }
}
