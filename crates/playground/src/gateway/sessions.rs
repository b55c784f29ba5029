//! The bot's gateway sessions: their intents, what was sent, and what can be replayed.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::super::discord_state::gateway_events::{GatewayEvent, intent};
use super::super::fault_plan::FaultPlan;
use super::super::id::Id;

#[cfg(any(test, feature = "testing"))]
pub(crate) mod testing;

/// The number of events kept for a client that resumes.
const REPLAY_MAX: usize = 10_000;

/// The most bytes of the events kept for a client that resumes.
const REPLAY_BYTES_MAX: usize = 32 * 1024 * 1024;

/// The most sessions, each with its events. Discord starts at most 1,000 a day; this is more than a bot of the
/// playground has shards.
const SESSIONS_MAX: usize = 64;

/// An instruction for a session's connection.
#[derive(Debug)]
pub(super) enum SessionCommand {
    /// Send a text frame.
    Text(String),
    #[cfg_attr(not(any(test, feature = "testing")), allow(dead_code, reason = "only tests set it"))]
    /// Cut the connection without a close frame.
    Cut,
    #[cfg_attr(not(any(test, feature = "testing")), allow(dead_code, reason = "only tests set it"))]
    /// Close the connection with this code.
    Close(u16),
}

/// The session of one IDENTIFY; it outlives its connection until it is deleted.
#[derive(Debug)]
struct Session {
    id: String,
    intents: u64,
    shard: (u64, u64),
    seq: u64,
    sent: VecDeque<(u64, String)>,
    /// The bytes of `sent`.
    sent_bytes: usize,
    line: Option<Connection>,
    /// An event held back until the next one is sent.
    held: Option<(&'static str, Value)>,
}

/// A connection, from the session's side.
#[derive(Debug)]
struct Connection {
    number: u64,
    out: UnboundedSender<SessionCommand>,
}

/// A dispatched event as it is sent.
#[derive(Serialize)]
struct Frame<'a> {
    op: u8,
    t: &'a str,
    s: u64,
    d: &'a Value,
}

/// A session with a connection, from the connection's side.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) session: String,
    /// The number of this connection within the session.
    pub(super) line: u64,
    /// The instructions for the connection.
    pub(super) out: UnboundedReceiver<SessionCommand>,
}

/// All sessions of the bot.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    list: Vec<Session>,
    made: u64,
    /// The last event of each name, with all fields.
    last: HashMap<&'static str, Value>,
    #[cfg(any(test, feature = "testing"))]
    observers: Vec<UnboundedSender<testing::ObservedEvent>>,
}

impl Sessions {
    /// Whether a client is connected.
    pub(crate) fn online(&self) -> bool {
        self.list.iter().any(|session| session.line.is_some())
    }

    /// Opens a session. `salt` separates its id from those of earlier runs. The oldest session without a connection
    /// gives way if there are too many; `None` if all of them have one.
    pub(super) fn open(&mut self, intents: u64, shard: (u64, u64), salt: u64) -> Option<Joined> {
        // A client that identifies again will not resume its disconnected session.
        self.list.retain(|session| session.line.is_some() || session.shard != shard);
        if self.list.len() >= SESSIONS_MAX {
            let oldest = self.list.iter().position(|session| session.line.is_none())?;
            self.list.remove(oldest);
        }
        let (line, joined) = self.line(|made| format!("{salt:016x}{made:016x}"));
        self.list.push(Session {
            id: joined.session.clone(),
            intents,
            shard,
            seq: 0,
            sent: VecDeque::new(),
            sent_bytes: 0,
            line: Some(line),
            held: None,
        });
        Some(joined)
    }

    fn line(&mut self, session: impl FnOnce(u64) -> String) -> (Connection, Joined) {
        let (sender, out) = mpsc::unbounded_channel();
        self.made += 1;
        let joined = Joined { session: session(self.made), line: self.made, out };
        (Connection { number: self.made, out: sender }, joined)
    }

    /// Resumes a session after the event numbered `seq`: replays everything later, then sends RESUMED. `None`
    /// if the session or those events are no longer known.
    pub(super) fn resume(&mut self, id: &str, seq: u64) -> Option<Joined> {
        let (line, joined) = self.line(|_| id.to_owned());
        let session = self.list.iter_mut().find(|session| session.id == id)?;
        let oldest = session.sent.front().map_or(session.seq + 1, |(seq, _)| *seq);
        if seq > session.seq || seq + 1 < oldest {
            return None;
        }
        for (_, frame) in session.sent.iter().filter(|(number, _)| *number > seq) {
            let _gone = line.out.send(SessionCommand::Text(frame.clone()));
        }
        session.line = Some(line);
        session.send("RESUMED", &json!({"_trace": []}));
        Some(joined)
    }

    /// Records that a connection of this session has ended.
    pub(super) fn disconnected(&mut self, joined: &Joined) {
        for session in self.list.iter_mut().filter(|session| session.id == joined.session) {
            // The client may already have a newer connection.
            if session.line.as_ref().is_some_and(|line| line.number == joined.line) {
                session.line = None;
            }
        }
    }

    /// Sends an event to one session, such as its READY.
    pub(super) fn send_to(&mut self, id: &str, name: &'static str, data: &Value) {
        if let Some(session) = self.list.iter_mut().find(|session| session.id == id) {
            session.send(name, data);
        }
    }

    /// Sends an event to every session with the intent and shard for it.
    pub(crate) fn dispatch(&mut self, news: &GatewayEvent, faults: &mut FaultPlan) {
        self.last.insert(news.name, news.data.clone());
        #[cfg(any(test, feature = "testing"))]
        self.show_observers(news);
        let twice = faults.duplicates > 0;
        faults.duplicates = faults.duplicates.saturating_sub(1);
        for session in self.list.iter_mut().filter(|session| session.wants(news)) {
            let may_read = session.intents & intent::MESSAGE_CONTENT != 0;
            let data = news.without_content.as_ref().filter(|_| !may_read).unwrap_or(&news.data);
            let data = faults.omit(news.name, data);
            if std::mem::take(&mut faults.reorders) {
                session.held = Some((news.name, data.into_owned()));
                continue;
            }
            session.send(news.name, &data);
            if twice {
                session.send(news.name, &data);
            }
            if let Some((name, data)) = session.held.take() {
                session.send(name, &data);
            }
        }
    }

    /// Deletes every session; connections stay open but receive no events.
    pub(crate) fn forget(&mut self) {
        self.list.clear();
    }
}

impl Session {
    fn wants(&self, news: &GatewayEvent) -> bool {
        let (mine, of) = self.shard;
        // Discord's rule: servers by the timestamp in their id, everything else on the first shard.
        let shard = news.guild.map_or(0, |Id(guild)| (guild >> 22) % of);
        shard == mine && (news.intent == 0 || self.intents & news.intent != 0)
    }

    fn send(&mut self, name: &str, data: &Value) {
        self.seq += 1;
        let frame = serde_json::to_string(&Frame { op: 0, t: name, s: self.seq, d: data });
        let frame = frame.expect("its keys are strings");
        if let Some(line) = &self.line {
            let _gone = line.out.send(SessionCommand::Text(frame.clone()));
        }
        // It says something of a connection, which a later one need not know.
        if name == "RESUMED" {
            return;
        }
        self.sent_bytes += frame.len();
        self.sent.push_back((self.seq, frame));
        while self.sent.len() > REPLAY_MAX || self.sent_bytes > REPLAY_BYTES_MAX {
            let Some((_, oldest)) = self.sent.pop_front() else { break };
            self.sent_bytes -= oldest.len();
        }
    }
}
