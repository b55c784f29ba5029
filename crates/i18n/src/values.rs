//! Evaluations of positions in words.

use rookery_core::player::Value;
use rookery_core::{Play, Seat};

use super::Localizer;

impl Localizer {
    /// Describes the bot's evaluation of a position from a seat's view: "White looks ahead by 2.4 moves".
    pub fn value(&self, play: &dyn Play, seat: Seat, value: Value) -> String {
        let side = self.side(play, seat);
        let told = match value {
            Value::Estimate(hundredths) => Value::Estimate(play.to_display_units(hundredths)),
            sure => sure,
        };
        match told {
            Value::Won(_) => self.say("value-won", &[("side", side.into())]),
            Value::Lost(_) => self.say("value-lost", &[("side", side.into())]),
            Value::Drawn => self.word("value-even"),
            Value::Estimate(hundredths) if hundredths.abs() < 10 => self.word("value-level"),
            Value::Estimate(hundredths) => {
                let key = if hundredths > 0 { "value-ahead" } else { "value-behind" };
                let lead = self.lead(play, format!("{:.1}", f64::from(hundredths.abs()) / 100.0));
                self.say(key, &[("side", side.into()), ("lead", lead.into())])
            }
        }
    }

    /// Formats a lead with its unit: "2.4 moves".
    pub fn lead(&self, play: &dyn Play, number: String) -> String {
        self.say(&format!("lead-{}", play.info().key), &[("lead", number.into())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With some forty free cells, an estimate of 27 does not become a win by 27 moves.
    #[test]
    fn a_lead_is_told_as_it_comes_out_in_the_end() {
        let line = "3q2q3/pppppppppp/pppppppppp/q8q/pppppppppp/10/Q8Q/pppppppppp/pppppppppp/3Q2Q3 w - - 0 40";
        let play = rookery_games::named("amazons").unwrap().resume(line).unwrap();
        let said = Localizer::english().value(play.as_ref(), Seat::FIRST, Value::Estimate(2_750));
        let lead: f64 = said.strip_suffix(" moves").unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        assert!((1.0..15.0).contains(&lead), "{said}");
        let penguins =
            rookery_games::named("penguins").unwrap().start(&rookery_core::rules::Setup::new(2)).unwrap();
        let said = Localizer::english().value(penguins.as_ref(), Seat::FIRST, Value::Estimate(2_750));
        assert!(said.ends_with(" 27.5 fish"), "{said}");
    }

    /// A value in Penguin Soccer counts the squares that the ball is nearer to one goal than to the other.
    #[test]
    fn a_lead_in_soccer_is_counted_in_squares() {
        let soccer = rookery_games::named("penguin_soccer")
            .unwrap()
            .start(&rookery_core::rules::Setup::new(2))
            .unwrap();
        let said = Localizer::english().value(soccer.as_ref(), Seat::SECOND, Value::Estimate(-220));
        assert!(said.ends_with("looks behind by 2.2 squares"), "{said}");
    }
}
