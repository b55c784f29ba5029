//! The bot's sessions: who listens with which intents, what was sent, what can be sent again.

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::super::discord_state::gateway_events::{BotNews, intent};
use super::super::fault_injection::FaultPlan;
use super::super::id::Id;

/// Events kept for a client that comes back.
const REPLAY_MAX: usize = 10_000;

/// What a session's connection is to send.
#[derive(Debug)]
pub(super) enum Out {
    /// A frame.
    Text(String),
    /// Nothing more: the line is cut.
    Cut,
    /// Nothing more: the line is closed with this code.
    Close(u16),
}

/// One IDENTIFY's worth of listening; outlives its connection until forgotten.
#[derive(Debug)]
struct Session {
    id: String,
    intents: u64,
    shard: (u64, u64),
    seq: u64,
    sent: VecDeque<(u64, String)>,
    line: Option<Line>,
    /// An event that waits for the next to overtake it.
    held: Option<(&'static str, Value)>,
}

/// A connection, as its session knows it.
#[derive(Debug)]
struct Line {
    number: u64,
    out: UnboundedSender<Out>,
}

/// A session with a connection, as the connection knows it.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) session: String,
    /// Which of the session's connections this is.
    pub(super) line: u64,
    /// What to send.
    pub(super) out: UnboundedReceiver<Out>,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    list: Vec<Session>,
    made: u64,
    /// The last event of each name, whole.
    last: HashMap<&'static str, Value>,
}

impl Sessions {
    /// Whether anybody is connected.
    pub(crate) fn online(&self) -> bool {
        self.list.iter().any(|session| session.line.is_some())
    }

    /// A new session. `salt` tells its id from those of a playground that ran before.
    pub(super) fn open(&mut self, intents: u64, shard: (u64, u64), salt: u64) -> Joined {
        let (line, joined) = self.line(|made| format!("{salt:016x}{made:016x}"));
        // A session whose client never came back is worth nothing once the client starts afresh.
        self.list.retain(|session| session.line.is_some() || session.shard != shard);
        self.list.push(Session {
            id: joined.session.clone(),
            intents,
            shard,
            seq: 0,
            sent: VecDeque::new(),
            line: Some(line),
            held: None,
        });
        joined
    }

    fn line(&mut self, session: impl FnOnce(u64) -> String) -> (Line, Joined) {
        let (sender, out) = mpsc::unbounded_channel();
        self.made += 1;
        let joined = Joined { session: session(self.made), line: self.made, out };
        (Line { number: self.made, out: sender }, joined)
    }

    /// Goes on with a session after the event numbered `seq`: everything later is sent again, then RESUMED.
    /// `None` where the session or those events are not known any more.
    pub(super) fn resume(&mut self, id: &str, seq: u64) -> Option<Joined> {
        let (line, joined) = self.line(|_| id.to_owned());
        let session = self.list.iter_mut().find(|session| session.id == id)?;
        let oldest = session.sent.front().map_or(session.seq + 1, |(seq, _)| *seq);
        if seq + 1 < oldest || seq > session.seq {
            return None;
        }
        for (_, frame) in session.sent.iter().filter(|(number, _)| *number > seq) {
            let _gone = line.out.send(Out::Text(frame.clone()));
        }
        session.line = Some(line);
        session.send("RESUMED", &json!({"_trace": []}));
        Some(joined)
    }

    /// The connection of this session ended.
    pub(super) fn lost(&mut self, joined: &Joined) {
        for session in self.list.iter_mut().filter(|session| session.id == joined.session) {
            // The client may have come back on another line in the meantime.
            if session.line.as_ref().is_some_and(|line| line.number == joined.line) {
                session.line = None;
            }
        }
    }

    /// Sends one session an event, such as its READY.
    pub(super) fn send_to(&mut self, id: &str, name: &'static str, data: &Value) {
        if let Some(session) = self.list.iter_mut().find(|session| session.id == id) {
            session.send(name, data);
        }
    }

    /// Sends an event to every session that wants and may have it.
    pub(crate) fn dispatch(&mut self, news: &BotNews, faults: &mut FaultPlan) {
        self.last.insert(news.name, news.data.clone());
        let twice = faults.duplicates > 0;
        faults.duplicates = faults.duplicates.saturating_sub(1);
        for session in self.list.iter_mut().filter(|session| session.wants(news)) {
            let may_read = session.intents & intent::MESSAGE_CONTENT != 0;
            let mut data = news.bare.as_ref().filter(|_| !may_read).unwrap_or(&news.data).clone();
            faults.omit(news.name, &mut data);
            if std::mem::take(&mut faults.reorders) {
                session.held = Some((news.name, data));
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

    /// Sends every session a MESSAGE_CREATE once more that it got before, under a sequence number of its own.
    pub(crate) fn send_message_again(&mut self, message: &str) {
        for session in &mut self.list {
            let mut frames =
                session.sent.iter().filter_map(|(_, frame)| serde_json::from_str::<Value>(frame).ok());
            let is_it = |frame: &Value| frame["t"] == "MESSAGE_CREATE" && frame["d"]["id"] == message;
            if let Some(frame) = frames.rfind(is_it) {
                session.send("MESSAGE_CREATE", &frame["d"]);
            }
        }
    }

    /// Sends every connection a frame that is no event.
    pub(crate) fn send_all(&self, frame: &Value) {
        for line in self.list.iter().filter_map(|session| session.line.as_ref()) {
            let _gone = line.out.send(Out::Text(frame.to_string()));
        }
    }

    /// Cuts every connection; the sessions stay.
    pub(crate) fn cut(&mut self) {
        for line in self.list.iter_mut().filter_map(|session| session.line.take()) {
            let _gone = line.out.send(Out::Cut);
        }
    }

    /// Closes every connection with a code; the sessions stay.
    pub(crate) fn close(&mut self, code: u16) {
        for line in self.list.iter_mut().filter_map(|session| session.line.take()) {
            let _gone = line.out.send(Out::Close(code));
        }
    }

    /// The last event of a name, with all that was left out of what was sent.
    pub(crate) fn last(&self, name: &str) -> Option<Value> {
        self.last.get(name).cloned()
    }

    /// Connections made so far, by new and by resumed sessions.
    pub(crate) fn lines_made(&self) -> u64 {
        self.made
    }

    /// Forgets every session; what is connected stays connected but hears nothing more.
    pub(crate) fn forget(&mut self) {
        self.list.clear();
    }
}

impl Session {
    fn wants(&self, news: &BotNews) -> bool {
        let (mine, of) = self.shard;
        // Discord's rule: servers by the time in their id, everything else on the first shard.
        let shard = news.guild.map_or(0, |Id(guild)| (guild >> 22) % of);
        shard == mine && (news.intent == 0 || self.intents & news.intent != 0)
    }

    fn send(&mut self, name: &str, data: &Value) {
        self.seq += 1;
        let frame = json!({"op": 0, "t": name, "s": self.seq, "d": data}).to_string();
        if let Some(line) = &self.line {
            let _gone = line.out.send(Out::Text(frame.clone()));
        }
        self.sent.push_back((self.seq, frame));
        if self.sent.len() > REPLAY_MAX {
            self.sent.pop_front();
        }
    }
}
