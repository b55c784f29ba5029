//! What was written while there was no session, dealt with after READY.

use std::collections::{BTreeMap, HashSet};

use rookery_table::Person;

use super::super::hear::Heard;
use super::super::limits::NONCE_MOST;
use super::super::missed_messages::{self, AllMissed, Away, Missed, Place, Reading};
use super::super::payload;
use super::super::post::Post;
use super::super::session::Session;
use super::EventHandler;

impl EventHandler {
    /// The time for which there was no session.
    pub(super) fn away(&self, session: &Session) -> Away {
        let until_ms = self.desk.hall.now_ms();
        let silent_ms = session.silent_for().map(|silent| i64::try_from(silent.as_millis()).unwrap_or(0));
        Away { since_ms: silent_ms.map(|silent_ms| until_ms - silent_ms).or(self.alive_ms), until_ms }
    }

    /// Reads what was written meanwhile and deals with it in the order in which it was written.
    pub(super) async fn catch_up(&self, guilds: &HashSet<u64>, away: Away, reading: Reading) {
        let _busy = self.at_work.begin();
        let places = missed_messages::places(&self.desk, guilds, away, &reading).await;
        let AllMissed { messages: missed, cut } = missed_messages::read(&self.desk, &places).await;
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
        for place in cut {
            self.tell_of_cut(place, away.until_ms).await;
        }
    }

    /// Says in a channel that more was written there than was read.
    async fn tell_of_cut(&self, place: Place, until_ms: i64) {
        let desk = match place.guild {
            Some(guild) => self.desk.for_server(guild).await,
            None => self.desk.for_writer(self.desk.me(), None, place.channel).await,
        };
        let post = Post::text(desk.words.word("missed-too-many"));
        let nonce = format!("s{}-{until_ms}", place.channel).chars().take(NONCE_MOST).collect::<String>();
        if let Err(fault) = desk.post_in(place.channel, &post, &nonce).await {
            tracing::info!(channel = place.channel, %fault, "nobody can be told that messages were not read");
        }
    }

    /// A message that was missed, unless a program wrote it or it has come since.
    async fn missed_message(&self, missed: &Missed) -> Option<Heard> {
        if !payload::is_written(&missed.message, self.desk.me()) {
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
