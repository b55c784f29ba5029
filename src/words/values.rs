//! How good a position is, in words.

use crate::kit::player::Value;
use crate::kit::{Play, Seat};

use super::Words;

impl Words {
    /// What the program thinks of a position, as it said for a seat: "White is ahead by 2.4".
    pub fn value(&self, play: &dyn Play, seat: Seat, value: Value) -> String {
        let side = self.side(play, seat);
        match value {
            Value::Won(_) => self.say("value-won", &[("side", side.into())]),
            Value::Lost(_) => self.say("value-lost", &[("side", side.into())]),
            Value::Even => self.word("value-even"),
            Value::Opinion(hundredths) if hundredths.abs() < 10 => self.word("value-level"),
            Value::Opinion(hundredths) => {
                let key = if hundredths > 0 { "value-ahead" } else { "value-behind" };
                let lead = format!("{:.1}", f64::from(hundredths.abs()) / 100.0);
                self.say(key, &[("side", side.into()), ("lead", lead.into())])
            }
        }
    }
}
