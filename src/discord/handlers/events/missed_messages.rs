//! Messages that were written while there was no gateway session. After a new READY the bot reads them in the
//! channels of its games and handles them like live ones. When a session is resumed, Discord sends them
//! itself.
//!
//! A message counts as handled if a table has an entry from it or if the bot has replied to it. Messages from
//! before the loss of the session are not read.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use tokio::sync::watch;

use rookery_table::ports::Filter;
use rookery_table::{ChannelId, GuildId, MessageId, TableError, TableId, UserId};
use rookery_tasks::heartbeat;

use crate::discord::state::context::Context;
use crate::discord::wire::api::MAX_MESSAGES;
use crate::discord::wire::error::retry_after_each;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::snowflake::{first_id, written_at};

/// The most channels that are read, by latest event.
const MAX_CHANNELS: usize = 100;
/// The most people whose direct messages are read.
const MAX_PEOPLE: usize = 50;
/// The most pages of messages that are read per channel.
const MAX_PAGES: usize = 5;
/// The number of channels that are read concurrently.
const READ_AT_ONCE: usize = 3;
/// The delays between attempts to read a channel.
const RETRY_DELAYS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3)];
/// Reading begins this much before the loss of the session, because clocks differ and events are delayed.
const MARGIN: SignedDuration = SignedDuration::from_secs(10);
/// The most by which the machine's clock may be ahead of Discord's.
const AHEAD: SignedDuration = SignedDuration::from_secs(2);
/// Older messages are not acted on.
pub(in crate::discord) const ACT_WITHIN: SignedDuration = SignedDuration::from_hours(24);
/// Older messages are not even answered.
const MAX_MESSAGE_AGE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long live messages wait for earlier ones.
const HELD_FOR: Duration = Duration::from_secs(10);

/// Delays live messages until the messages written before them are handled.
pub(in crate::discord) struct MissedMessages(watch::Sender<LatestReading>);

/// The number of the latest reading, and its progress.
type LatestReading = (u64, Progress);

/// The progress of a reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Progress {
    /// No reading is in progress.
    #[default]
    Idle,
    /// The channels to read are being determined.
    Planning,
    /// These channels are being read. With `dms`, all direct messages wait until it is known which ones are
    /// read.
    Reading { channels: HashSet<ChannelId>, dms: bool },
}

impl Default for MissedMessages {
    fn default() -> MissedMessages {
        MissedMessages(watch::Sender::new((0, Progress::Idle)))
    }
}

/// A reading in progress; dropping it ends the reading.
pub(in crate::discord) struct Reading {
    number: u64,
    latest: watch::Sender<LatestReading>,
}

impl MissedMessages {
    /// Starts a reading; live messages wait until it ends.
    pub(in crate::discord) fn begin(&self) -> Reading {
        self.0.send_modify(|(number, progress)| (*number, *progress) = (*number + 1, Progress::Planning));
        Reading { number: self.0.borrow().0, latest: self.0.clone() }
    }

    /// Waits until all earlier messages of a channel are handled, at most [`HELD_FOR`].
    pub(in crate::discord) async fn settled(&self, channel: ChannelId, is_dm: bool) {
        let mut progress = self.0.subscribe();
        let settled = progress.wait_for(|(_, progress)| match progress {
            Progress::Idle => true,
            Progress::Planning => false,
            Progress::Reading { channels, dms } => !(channels.contains(&channel) || is_dm && *dms),
        });
        if tokio::time::timeout(HELD_FOR, settled).await.is_err() {
            tracing::warn!(%channel, "handling a message before older ones that are slow to read");
        }
    }
}

impl Reading {
    /// Limits the reading to these channels and, if `dms` is set, all direct messages.
    fn of(&self, channels: impl Iterator<Item = ChannelId>, dms: bool) {
        self.set_progress(Progress::Reading { channels: channels.collect(), dms });
    }

    /// Updates the progress, unless a later reading has started.
    fn set_progress(&self, now: Progress) {
        self.latest.send_if_modified(|(number, progress)| {
            let is_latest = *number == self.number;
            if is_latest {
                *progress = now;
            }
            is_latest
        });
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.set_progress(Progress::Idle);
    }
}

/// A channel whose messages are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct ChannelToRead {
    /// The id of the channel, thread or DM.
    pub(in crate::discord) channel: ChannelId,
    /// Its server, which Discord omits from messages fetched over REST.
    pub(in crate::discord) guild: Option<GuildId>,
    /// Only messages after this id are read.
    after: MessageId,
}

/// The period in which messages may have been missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) struct Downtime {
    /// When the session was lost; `None` if unknown.
    pub(in crate::discord) since: Option<Timestamp>,
    /// When the new session began.
    pub(in crate::discord) until: Timestamp,
}

impl Downtime {
    /// Returns the id after which messages may have been missed and are recent enough for an answer.
    fn floor(self) -> MessageId {
        let lost = self.since.map_or(Timestamp::MIN, |since| since - MARGIN);
        first_id(lost.max(self.until - MAX_MESSAGE_AGE))
    }
}

/// Returns the channels of unfinished games, and the direct messages of people who are to move or to answer,
/// those with the latest event first. Only servers in `guilds` are considered.
pub(in crate::discord) async fn places(
    ctx: &Context,
    guilds: &HashSet<GuildId>,
    away: Downtime,
    reading: &Reading,
) -> Vec<ChannelToRead> {
    let tables = match unfinished_tables(ctx, guilds).await {
        Ok(tables) => tables,
        Err(error) => {
            tracing::error!(%error, "could not look for messages written while offline");
            return Vec::new();
        }
    };
    let mut known = ChannelsToRead::default();
    let mut people: Vec<(UserId, MessageId)> = Vec::new();
    let (mut channels, mut left_out) = (HashSet::new(), 0);
    for (channel, id) in tables {
        heartbeat();
        // Each table of a channel says which of its messages are known.
        if let Some(channel) = channel.filter(|channel| !channels.contains(channel)) {
            if channels.len() >= MAX_CHANNELS {
                left_out += 1;
                continue;
            }
            channels.insert(channel);
        }
        let Ok(table) = ctx.registry.table(id).await else { continue };
        if table.is_user_install() {
            continue;
        }
        // Messages after READY arrive live.
        let known_before = table.last_source_before(first_id(away.until - AHEAD).into());
        let after = away.floor().max(known_before.map_or(MessageId(0), |source| MessageId(source.0)));
        let card = table.card();
        if let Some(channel) = channel {
            known.add(ChannelToRead { channel, guild: card.guild, after });
        }
        people.extend(card.waited_for().into_iter().chain(card.asked.clone()).map(|who| (who, after)));
    }
    if left_out > 0 {
        tracing::warn!(tables = left_out, "tables in whose channels messages may have been missed");
    }
    reading.of(known.order.iter().copied(), !people.is_empty());
    add_dms(ctx, &mut known, people).await;
    let mut places = known.in_order();
    places.retain(|place| !ctx.refused_channels.has(place.channel));
    if places.len() > MAX_CHANNELS {
        tracing::warn!(channels = places.len() - MAX_CHANNELS, "channels that may have missed messages");
        places.truncate(MAX_CHANNELS);
    }
    reading.of(places.iter().map(|place| place.channel), false);
    places
}

/// Returns the unfinished tables of some servers, and those outside of servers, those with the latest event first, each
/// with its channel. Channels that refuse the bot are left out.
async fn unfinished_tables(
    ctx: &Context,
    guilds: &HashSet<GuildId>,
) -> Result<Vec<(Option<ChannelId>, TableId)>, TableError> {
    let filter = Filter { unfinished: true, ..Filter::default() };
    let (mut cards, mut tables) = (ctx.registry.scan(&filter), Vec::new());
    while let Some(card) = cards.try_next().await? {
        let is_ours = card.guild.is_none_or(|id| guilds.contains(&id));
        let channel = card.board_channel.map(|board_channel| board_channel.channel).or(card.opened_in);
        let is_open = channel.is_none_or(|channel| !ctx.refused_channels.has(channel));
        let is_read = card.frozen_since.is_none() && is_ours && is_open;
        tables.extend(is_read.then_some((card.at, channel, card.id)));
    }
    tables.sort_unstable_by(|one, other| other.cmp(one));
    Ok(tables.into_iter().map(|(_, channel, table)| (channel, table)).collect())
}

/// Adds the direct messages of people. For a person waited for at several tables, reading starts after the
/// latest handled message.
async fn add_dms(ctx: &Context, known: &mut ChannelsToRead, people: Vec<(UserId, MessageId)>) {
    let (mut met, mut left_out) = (HashSet::new(), HashSet::new());
    for (who, after) in people {
        if met.len() >= MAX_PEOPLE && !met.contains(&who) {
            left_out.insert(who);
            continue;
        }
        met.insert(who);
        if ctx.check_accepts_dms(who).is_ok()
            && let Ok(channel) = ctx.dm_channel(who).await
        {
            known.add(ChannelToRead { channel, guild: None, after });
        }
    }
    if !left_out.is_empty() {
        tracing::warn!(people = left_out.len(), "people whose direct messages may have been missed");
    }
}

/// Channels without duplicates, in the order in which they were added.
#[derive(Default)]
struct ChannelsToRead {
    order: Vec<ChannelId>,
    by_channel: BTreeMap<ChannelId, ChannelToRead>,
}

impl ChannelsToRead {
    /// A channel of several tables is read from the latest id that any of them has handled.
    fn add(&mut self, place: ChannelToRead) {
        let known = self.by_channel.entry(place.channel).or_insert_with(|| {
            self.order.push(place.channel);
            place
        });
        known.after = known.after.max(place.after);
    }

    fn in_order(self) -> Vec<ChannelToRead> {
        self.order.iter().filter_map(|channel| self.by_channel.get(channel).copied()).collect()
    }
}

/// A missed message and its channel.
pub(in crate::discord) struct Missed {
    pub(in crate::discord) id: MessageId,
    pub(in crate::discord) place: ChannelToRead,
    pub(in crate::discord) message: Value,
}

#[derive(Default)]
pub(in crate::discord) struct AllMissed {
    /// The messages in the order in which they were written.
    pub(in crate::discord) messages: Vec<Missed>,
    /// The channels with more messages than are read.
    pub(in crate::discord) cut: Vec<ChannelToRead>,
}

/// Reads the channels and returns all messages that may have been missed.
pub(in crate::discord) async fn read(ctx: &Context, places: &[ChannelToRead]) -> AllMissed {
    let me = ctx.me();
    let mut all = AllMissed::default();
    let mut reading =
        stream::iter(places.to_vec()).map(|place| read_one(ctx, place)).buffer_unordered(READ_AT_ONCE);
    while let Some((place, messages, is_cut)) = reading.next().await {
        all.messages.extend(unanswered(place, messages, me));
        all.cut.extend(is_cut.then_some(place));
    }
    all.messages.sort_by_key(|missed| missed.id);
    all
}

/// Reads a channel from the oldest message on; returns whether there are more messages than were read.
async fn read_one(ctx: &Context, place: ChannelToRead) -> (ChannelToRead, Vec<Value>, bool) {
    let (mut messages, mut after) = (Vec::new(), place.after);
    for page in 0..=MAX_PAGES {
        let read = retry_after_each(&RETRY_DELAYS, || ctx.api.messages_after(place.channel, after)).await;
        let read = read.unwrap_or_else(|fault| {
            tracing::info!(channel = %place.channel, %fault, "could not read messages written while offline");
            Vec::new()
        });
        // One more page is requested, to see whether it has messages.
        if page == MAX_PAGES && !read.is_empty() {
            tracing::warn!(channel = %place.channel, "more messages were written while offline than are read");
            return (place, messages, true);
        }
        let is_full = read.len() >= MAX_MESSAGES;
        after = read.iter().filter_map(|message| Fields(message).id("id")).max().unwrap_or(after);
        messages.extend(read);
        if !is_full {
            break;
        }
    }
    (place, messages, false)
}

/// Returns the bot's reply to a message, if it is among the messages written next.
pub(super) async fn answer_to(ctx: &Context, channel: ChannelId, message: MessageId) -> Option<MessageId> {
    let read = retry_after_each(&RETRY_DELAYS, || ctx.api.messages_after(channel, message)).await;
    let read = read.unwrap_or_default();
    let answer = replies(&read, ctx.me()).find(|(_, original)| *original == message);
    answer.and_then(|(reply, _)| reply.id("id"))
}

/// Returns the replies of the bot among these messages, each with the message that it replies to.
fn replies(messages: &[Value], me: UserId) -> impl Iterator<Item = (Fields<'_>, MessageId)> {
    let ours =
        messages.iter().map(Fields).filter(move |message| message.object("author").id("id") == Some(me));
    ours.filter_map(|message| Some((message, message.object("message_reference").id("message_id")?)))
}

/// Returns the messages without a reply of the bot.
fn unanswered(place: ChannelToRead, messages: Vec<Value>, me: UserId) -> Vec<Missed> {
    let answered: HashSet<MessageId> = replies(&messages, me).map(|(_, original)| original).collect();
    let missed = messages.into_iter().filter_map(|message| {
        let id = Fields(&message).id("id").filter(|id| *id > place.after && !answered.contains(id))?;
        Some(Missed { id, place, message })
    });
    missed.collect()
}

/// Whether a message is too old to be acted on.
pub(in crate::discord) fn is_too_old(id: MessageId, now: Timestamp) -> bool {
    now.duration_since(written_at(id)) > ACT_WITHIN
}

#[cfg(test)]
mod tests {
    use rookery_table::millis;
    use serde_json::json;

    use super::*;

    const ME: UserId = UserId(7);

    #[test]
    fn a_channel_of_several_tables_is_read_once_from_the_latest() {
        let mut places = ChannelsToRead::default();
        let place = |channel, after| ChannelToRead {
            channel: ChannelId(channel),
            guild: Some(GuildId(1)),
            after: MessageId(after),
        };
        for (channel, after) in [(9, 5), (3, 1), (9, 8), (9, 2)] {
            places.add(place(channel, after));
        }
        assert_eq!(places.in_order(), [place(9, 8), place(3, 1)]);
    }

    #[test]
    fn what_was_answered_before_is_not_missed() {
        let message =
            |id: u64, author: u64| json!({"id": id.to_string(), "author": {"id": author.to_string()}});
        let answer = json!({"id": "5", "author": {"id": "7"}, "message_reference": {"message_id": "3"}});
        let of_others = json!({"id": "6", "author": {"id": "8"}, "message_reference": {"message_id": "4"}});
        let all = vec![message(2, 8), message(3, 8), message(4, 8), answer, of_others, json!({})];
        let place = ChannelToRead { channel: ChannelId(1), guild: None, after: MessageId(2) };
        let missed: Vec<u64> = unanswered(place, all, ME).iter().map(|missed| missed.id.0).collect();
        assert_eq!(missed, [4, 5, 6], "not what was known, nor what we answered");
    }

    #[test]
    fn what_is_read_begins_shortly_before_the_session_was_lost() {
        const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);
        let from = |since| written_at(Downtime { since, until: NOW }.floor());
        assert_eq!(
            from(Some(NOW - SignedDuration::from_secs(1))),
            NOW - SignedDuration::from_secs(1) - MARGIN
        );
        assert_eq!(from(None), NOW - MAX_MESSAGE_AGE);
        assert_eq!(from(Some(millis::timestamp(0))), NOW - MAX_MESSAGE_AGE);
        assert!(is_too_old(first_id(NOW - ACT_WITHIN - SignedDuration::from_millis(1)), NOW));
        assert!(!is_too_old(first_id(NOW - ACT_WITHIN), NOW));
    }

    #[tokio::test(start_paused = true)]
    async fn live_messages_wait_for_older_ones_of_their_channel_but_not_for_ever() {
        let missed = MissedMessages::default();
        let waits = async |channel| {
            let since = tokio::time::Instant::now();
            missed.settled(channel, channel == ChannelId(3)).await;
            since.elapsed()
        };
        assert_eq!(waits(ChannelId(1)).await, Duration::ZERO);
        let reading = missed.begin();
        assert_eq!(waits(ChannelId(1)).await, HELD_FOR);
        reading.of([ChannelId(2)].into_iter(), true);
        assert_eq!(
            (waits(ChannelId(1)).await, waits(ChannelId(3)).await),
            (Duration::ZERO, HELD_FOR),
            "which is a direct message"
        );
        reading.of([ChannelId(2)].into_iter(), false);
        assert_eq!((waits(ChannelId(1)).await, waits(ChannelId(3)).await), (Duration::ZERO, Duration::ZERO));
        let (waited, ()) = tokio::join!(waits(ChannelId(2)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            drop(reading);
        });
        assert_eq!(waited, Duration::from_secs(1));
        let (first, second) = (missed.begin(), missed.begin());
        drop(first);
        assert_eq!(waits(ChannelId(1)).await, HELD_FOR, "the second one goes on");
        drop(second);
        assert_eq!(waits(ChannelId(1)).await, Duration::ZERO);
    }
}
