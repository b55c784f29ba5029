//! Messages that their writers correct: a recent edit counts as the message, unless the message has been carried out.
//!
//! Discord sends MESSAGE_UPDATE for pins and link previews as well; those leave the time of the edit as it was.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::hear::Heard;
use super::in_place::written_ms;
use super::json_fields::Fields;

/// How long after a message was written an edit of it counts, in milliseconds.
const EDIT_WITHIN_MS: i64 = 5 * 60_000;
/// Messages that are remembered; an edit of one that is not counts for nothing.
const REMEMBERED: usize = 2_048;
/// The bits of an id that do not tell its time.
const LOW_BITS: u64 = (1 << 22) - 1;

/// What became of the messages that came lately.
#[derive(Default)]
pub(super) struct RecentMessages(Mutex<Known>);

#[derive(Default)]
struct Known {
    handled: HashMap<u64, Handled>,
    order: VecDeque<u64>,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Handled {
    /// A hash of its text: what people write is not kept.
    text: u64,
    carried_out: bool,
    /// Our answer.
    reply: Option<u64>,
}

/// What an edit finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// It counts; our answer to the message as it was, if there is one.
    Counts { reply: Option<u64> },
    /// The message was carried out, says what it said before, or is not remembered.
    CountsNot,
}

impl RecentMessages {
    /// What an edit finds.
    pub(super) fn before(&self, original: u64, text: &str) -> Before {
        match self.known().handled.get(&original) {
            Some(handled) if !handled.carried_out && handled.text != hash(text) => {
                Before::Counts { reply: handled.reply }
            }
            _ => Before::CountsNot,
        }
    }

    /// Keeps what became of a message or of an edit of it.
    pub(super) fn keep(&self, heard: &Heard, reply: Option<u64>) {
        let (id, carried_out) = (heard.message(), heard.carried_out.is_set());
        let handled = Handled { text: hash(&heard.text), carried_out, reply };
        let mut known = self.known();
        if known.handled.insert(id, handled).is_none() {
            known.order.push_back(id);
        }
        if known.order.len() > REMEMBERED
            && let Some(oldest) = known.order.pop_front()
        {
            known.handled.remove(&oldest);
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

/// The id under which an edit is dealt with: that of the moment of the edit, so that it comes after all that was
/// written before. `None` if the message was not edited, or too long ago, or too long after it was written.
pub(super) fn edit_id(from: &Value, message: u64, now_ms: i64) -> Option<u64> {
    let edited: jiff::Timestamp = Fields(from).text("edited_timestamp")?.parse().ok()?;
    let edited_ms = edited.as_millisecond();
    let in_time = edited_ms - written_ms(message) <= EDIT_WITHIN_MS && now_ms - edited_ms <= EDIT_WITHIN_MS;
    let since_message_ms = u64::try_from((edited_ms - written_ms(message)).max(0)).ok()?;
    // The low bits of the message tell edits of one moment apart; later edits never come before the message.
    let id = ((message >> 22) + since_message_ms) << 22 | (message & LOW_BITS);
    in_time.then_some(if id == message { message + 1 } else { id })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const MESSAGE: u64 = 175_928_847_299_117_063;

    fn heard(text: &str) -> Heard {
        Heard { id: MESSAGE, text: text.into(), ..Heard::default() }
    }

    fn edited(seconds: i64) -> (Value, i64) {
        let at_ms = written_ms(MESSAGE) + seconds * 1_000;
        let at = jiff::Timestamp::from_millisecond(at_ms).unwrap();
        (json!({ "edited_timestamp": at.to_string().replace('Z', "+00:00") }), at_ms)
    }

    #[test]
    fn edits_count_for_five_minutes_and_each_has_an_id_of_its_own() {
        let (first, at_ms) = edited(10);
        let id = edit_id(&first, MESSAGE, at_ms).unwrap();
        assert_eq!((written_ms(id), id & LOW_BITS), (at_ms, MESSAGE & LOW_BITS));
        let (second, later_ms) = edited(20);
        assert!(edit_id(&second, MESSAGE, later_ms).unwrap() > id);
        assert_eq!(edit_id(&first, MESSAGE, at_ms + EDIT_WITHIN_MS + 1), None, "a pin long after the edit");
        let (late, late_ms) = edited(301);
        assert_eq!(edit_id(&late, MESSAGE, late_ms), None, "an edit of an old message");
        let (at_once, at_once_ms) = edited(0);
        assert_eq!(edit_id(&at_once, MESSAGE, at_once_ms), Some(MESSAGE + 1));
    }

    #[test]
    fn link_previews_and_pins_are_no_edits() {
        for from in [json!({}), json!({"edited_timestamp": null}), json!({"edited_timestamp": "soon"})] {
            assert_eq!(edit_id(&from, MESSAGE, written_ms(MESSAGE)), None, "{from}");
        }
    }

    #[test]
    fn an_edit_counts_if_the_message_came_to_nothing_and_says_something_else() {
        let recent = RecentMessages::default();
        assert_eq!(recent.before(MESSAGE, "a"), Before::CountsNot, "not remembered");
        recent.keep(&heard("a"), Some(7));
        assert_eq!(recent.before(MESSAGE, "a"), Before::CountsNot, "the same text");
        assert_eq!(recent.before(MESSAGE, "b"), Before::Counts { reply: Some(7) });
        let edit = Heard { edits: Some(MESSAGE), id: 9, ..heard("b") };
        edit.carried_out.set();
        recent.keep(&edit, None);
        assert_eq!(recent.before(MESSAGE, "c"), Before::CountsNot, "carried out");
    }

    #[test]
    fn the_oldest_messages_are_forgotten() {
        let recent = RecentMessages::default();
        for id in 1..=REMEMBERED as u64 + 1 {
            recent.keep(&Heard { id, ..heard("a") }, None);
        }
        assert_eq!(recent.before(1, "b"), Before::CountsNot);
        assert_eq!(recent.before(2, "b"), Before::Counts { reply: None });
        assert_eq!(recent.known().handled.len(), REMEMBERED);
    }
}
