//! Edited messages: a recent edit counts as the message, unless the message has already been carried out.
//!
//! Discord also sends MESSAGE_UPDATE for pins and link previews; those leave the time of the edit unchanged.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::TryStreamExt;
use jiff::{SignedDuration, Timestamp};

use rookery_table::ports::Filter;
use rookery_table::{ChannelId, MessageId, SourceId, UserId};
use serde_json::Value;

use crate::discord::state::context::Context;
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::json_fields::Fields;
use crate::discord::wire::snowflake::written_at;
use rookery_table::millis;

/// How long after its message was written an edit counts.
const EDIT_WITHIN: SignedDuration = SignedDuration::from_mins(5);
/// How long messages are remembered after they were written, because an edit may arrive late.
const REMEMBERED: SignedDuration = SignedDuration::from_mins(10);
/// The most remembered messages of one channel.
const MAX_PER_CHANNEL: usize = 512;
/// The least number of channels at which those without recent messages are removed.
const MIN_CHANNELS: usize = 4_096;
/// The most that the local clock may lag behind Discord's.
const CLOCK_MARGIN: SignedDuration = SignedDuration::from_mins(1);
/// The bits of an id below its timestamp.
const LOW_BITS: u64 = (1 << 22) - 1;

/// The recent messages and their outcomes.
#[derive(Default)]
pub(in crate::discord) struct RecentMessages(Mutex<Known>);

struct Known {
    /// The messages of each channel, the oldest first.
    channels: HashMap<ChannelId, VecDeque<Handled>>,
    /// From this number of channels on those without recent messages are removed. It is twice what was left last, so that
    /// most messages don't look through all channels.
    clean_at: usize,
}

impl Default for Known {
    fn default() -> Known {
        Known { channels: HashMap::new(), clean_at: MIN_CHANNELS }
    }
}

/// A message that was handled.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Handled {
    message: MessageId,
    /// A hash of the text: the text itself is not stored.
    text: u64,
    carried_out: bool,
    reply: Option<MessageId>,
}

/// How an edit is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discord) enum EditCheck {
    /// The edit counts. Holds the bot's reply to the original message, if there is one.
    Accepted { reply: Option<MessageId> },
    /// The original message was carried out, or the text is unchanged.
    Ignored,
    /// The message is not remembered: an earlier process received it, or too many came since.
    Unknown,
}

impl RecentMessages {
    /// Returns how an edit of this message is treated.
    pub(in crate::discord) fn check_edit(&self, original: MessageId, edit: &IncomingMessage) -> EditCheck {
        let known = self.known();
        let messages = known.channels.get(&edit.channel).into_iter().flatten();
        match messages.rev().find(|handled| handled.message == original) {
            Some(handled) if !handled.carried_out && handled.text != hash(&edit.text) => {
                EditCheck::Accepted { reply: handled.reply }
            }
            Some(_) => EditCheck::Ignored,
            None => EditCheck::Unknown,
        }
    }

    /// Stores the outcome of a message or of an edit of it.
    pub(in crate::discord) fn remember(
        &self,
        incoming: &IncomingMessage,
        reply: Option<MessageId>,
        now: Timestamp,
    ) {
        let (message, carried_out) = (incoming.message(), incoming.carried_out.is_set());
        let handled = Handled { message, text: hash(&incoming.text), carried_out, reply };
        let is_old = |handled: &Handled| now.duration_since(written_at(handled.message)) > REMEMBERED;
        let mut known = self.known();
        if known.channels.len() >= known.clean_at {
            known.channels.retain(|_, messages| messages.back().is_some_and(|latest| !is_old(latest)));
            known.clean_at = (2 * known.channels.len()).max(MIN_CHANNELS);
        }
        let messages = known.channels.entry(incoming.channel).or_default();
        messages.retain(|other| other.message != message && !is_old(other));
        let place = messages.partition_point(|other| other.message < message);
        messages.insert(place, handled);
        if messages.len() > MAX_PER_CHANNEL {
            messages.pop_front();
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Returns the id under which an edit is handled. Its timestamp is that of the edit, so that it is ordered
/// after all messages before it. `None` if the message was not edited, was edited too long ago, or was edited
/// too long after it was written.
pub(in crate::discord) fn edit_id(from: &Value, message: MessageId, now: Timestamp) -> Option<MessageId> {
    let edited_at: Timestamp = Fields(from).text("edited_timestamp")?.parse().ok()?;
    let in_time = edited_at.duration_since(written_at(message)) <= EDIT_WITHIN
        && now.duration_since(edited_at) <= EDIT_WITHIN;
    let since_message =
        u64::try_from(millis::whole(edited_at.duration_since(written_at(message))).max(0)).ok()?;
    // The low bits distinguish edits of the same millisecond; a later edit is never ordered before the
    // message.
    let id = ((message.0 >> 22) + since_message) << 22 | (message.0 & LOW_BITS);
    in_time.then_some(MessageId(if id == message.0 { id + 1 } else { id }))
}

/// Returns whether a table of this person has carried out the message or an edit of it, according to its
/// journal.
pub(in crate::discord) async fn is_a_source(ctx: &Context, original: MessageId, who: UserId) -> bool {
    let filter = Filter { person: Some(who), ..Filter::default() };
    let since = written_at(original) - CLOCK_MARGIN;
    let mut cards = ctx.registry.latest(&filter);
    loop {
        let card = match cards.try_next().await {
            Ok(Some(card)) if card.at >= since => card,
            Ok(_) => return false,
            Err(_) => return true,
        };
        let table = ctx.registry.table(card.id).await;
        if table.map_or(true, |table| table.sources().any(|source| is_of(source, original))) {
            return true;
        }
    }
}

/// Returns whether an order was given by this message or by an edit of it.
fn is_of(source: SourceId, message: MessageId) -> bool {
    let source = MessageId(source.0);
    let same_low_bits = source.0 & LOW_BITS == message.0 & LOW_BITS;
    let later = written_at(source).duration_since(written_at(message));
    source == message
        || source.0 == message.0 + 1
        || (same_low_bits && source > message && later <= EDIT_WITHIN)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::discord::wire::snowflake::first_id;

    const MESSAGE: MessageId = MessageId(175_928_847_299_117_063);

    fn incoming(text: &str) -> IncomingMessage {
        IncomingMessage { id: MESSAGE, text: text.into(), ..IncomingMessage::default() }
    }

    fn edited(seconds: i64) -> (Value, Timestamp) {
        let at = written_at(MESSAGE) + SignedDuration::from_secs(seconds);
        (json!({ "edited_timestamp": at.to_string().replace('Z', "+00:00") }), at)
    }

    #[test]
    fn edits_count_for_five_minutes_and_each_has_an_id_of_its_own() {
        let (first, at) = edited(10);
        let id = edit_id(&first, MESSAGE, at).unwrap();
        assert_eq!((written_at(id), id.0 & LOW_BITS), (at, MESSAGE.0 & LOW_BITS));
        let (second, later) = edited(20);
        assert!(edit_id(&second, MESSAGE, later).unwrap() > id);
        assert_eq!(
            edit_id(&first, MESSAGE, at + EDIT_WITHIN + SignedDuration::from_millis(1)),
            None,
            "a pin long after the edit"
        );
        let (late, at) = edited(301);
        assert_eq!(edit_id(&late, MESSAGE, at), None, "an edit of an old message");
        let (edit, at_once) = edited(0);
        assert_eq!(edit_id(&edit, MESSAGE, at_once), Some(MessageId(MESSAGE.0 + 1)));
    }

    #[test]
    fn link_previews_and_pins_are_no_edits() {
        for from in [json!({}), json!({"edited_timestamp": null}), json!({"edited_timestamp": "soon"})] {
            assert_eq!(edit_id(&from, MESSAGE, written_at(MESSAGE)), None, "{from}");
        }
    }

    #[test]
    fn edits_count_if_the_message_had_no_effect_and_the_text_changed() {
        let (recent, now) = (RecentMessages::default(), written_at(MESSAGE));
        assert_eq!(recent.check_edit(MESSAGE, &incoming("a")), EditCheck::Unknown);
        recent.remember(&incoming("a"), Some(MessageId(7)), now);
        assert_eq!(recent.check_edit(MESSAGE, &incoming("a")), EditCheck::Ignored, "the same text");
        assert_eq!(
            recent.check_edit(MESSAGE, &incoming("b")),
            EditCheck::Accepted { reply: Some(MessageId(7)) }
        );
        let edit = IncomingMessage { edits: Some(MESSAGE), id: MessageId(9), ..incoming("b") };
        edit.carried_out.set();
        recent.remember(&edit, None, now);
        assert_eq!(recent.check_edit(MESSAGE, &incoming("c")), EditCheck::Ignored, "carried out");
    }

    #[test]
    fn messages_are_remembered_however_much_is_written_elsewhere() {
        let (recent, now) = (RecentMessages::default(), written_at(MESSAGE));
        recent.remember(&incoming("a"), Some(MessageId(7)), now);
        for number in 0..10_000 {
            let other = IncomingMessage {
                id: MessageId(MESSAGE.0 + number),
                channel: ChannelId(1 + number % 9),
                ..incoming("x")
            };
            recent.remember(&other, None, now);
        }
        assert_eq!(
            recent.check_edit(MESSAGE, &incoming("b")),
            EditCheck::Accepted { reply: Some(MessageId(7)) }
        );
        for number in 1..=MAX_PER_CHANNEL as u64 {
            recent.remember(
                &IncomingMessage { id: MessageId(MESSAGE.0 + number), ..incoming("x") },
                None,
                now,
            );
        }
        assert_eq!(recent.check_edit(MESSAGE, &incoming("b")), EditCheck::Unknown);
        assert!(recent.known().channels.values().all(|messages| messages.len() <= MAX_PER_CHANNEL));
    }

    #[test]
    fn channels_without_recent_messages_are_removed_when_there_are_many() {
        let (recent, now) = (RecentMessages::default(), written_at(MESSAGE));
        let say = |channels: std::ops::Range<usize>, at: Timestamp| {
            for channel in channels {
                let said =
                    IncomingMessage { id: first_id(at), channel: ChannelId(channel as u64), ..incoming("x") };
                recent.remember(&said, None, at);
            }
            recent.known().channels.len()
        };
        assert_eq!(say(1..2 * MIN_CHANNELS, now), 2 * MIN_CHANNELS - 1, "all are recent");
        let later = now + REMEMBERED + SignedDuration::from_secs(1);
        assert_eq!(say(10_000..10_003, later), 3, "the others are gone");
    }

    #[test]
    fn messages_are_forgotten_once_no_edit_of_them_can_count() {
        let (recent, now) = (RecentMessages::default(), written_at(MESSAGE));
        recent.remember(&incoming("a"), None, now);
        let later = |ms| IncomingMessage { id: first_id(now + ms), ..incoming("x") };
        recent.remember(&later(REMEMBERED), None, now + REMEMBERED);
        assert_eq!(recent.check_edit(MESSAGE, &incoming("b")), EditCheck::Accepted { reply: None });
        recent.remember(
            &later(REMEMBERED + SignedDuration::from_millis(1)),
            None,
            now + REMEMBERED + SignedDuration::from_millis(1),
        );
        assert_eq!(recent.check_edit(MESSAGE, &incoming("b")), EditCheck::Unknown);
    }

    #[test]
    fn an_order_is_known_to_have_come_by_an_edit() {
        let (edit, at) = edited(10);
        assert!(
            is_of(edit_id(&edit, MESSAGE, at).unwrap().into(), MESSAGE) && is_of(MESSAGE.into(), MESSAGE)
        );
        let (edit, at_once) = edited(0);
        assert!(is_of(edit_id(&edit, MESSAGE, at_once).unwrap().into(), MESSAGE));
        assert!(
            !is_of(SourceId(MESSAGE.0 + 2), MESSAGE)
                && !is_of(SourceId(MESSAGE.0 + (301_000 << 22)), MESSAGE)
        );
    }
}
