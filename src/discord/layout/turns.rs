//! That it is somebody's turn, where there is no board to say it.

use crate::table::Person;
use crate::table::ports::Card;
use crate::words::person;

use super::super::limits::CONTENT_MOST;
use super::super::post::Post;
use super::Layout;
use super::lists::{fitting, place};

impl Layout<'_> {
    /// For a direct message: which table, and where it is.
    pub fn turn_elsewhere(&self, card: &Card) -> Post {
        let args = [("table", card.id.to_string().into()), ("link", place(card).into())];
        Post::text(self.words.say("ping-dm", &args))
    }

    /// Where the game is played, for somebody who was not pinged when their turn came.
    pub fn turn_still(&self, card: &Card, who: Person) -> Post {
        let args = [("table", card.id.to_string().into()), ("who", person(who).into())];
        Post::text(self.words.say("ping-late", &args)).ping([who])
    }

    /// All games that wait for somebody, as many as fit.
    pub fn turns_of_the_day(&self, cards: &[Card]) -> Post {
        let title = self.words.say("ping-digest", &[("count", cards.len().into())]);
        let line = |card: &Card| {
            let game = self.words.game_short(&card.game);
            let args =
                [("table", card.id.to_string().into()), ("game", game.into()), ("link", place(card).into())];
            self.words.say("ping-digest-line", &args)
        };
        let lines: Vec<_> = cards.iter().map(line).collect();
        let fits = fitting(&lines, CONTENT_MOST - title.chars().count(), 1);
        Post::text(format!("{title}\n{}", lines[..fits].join("\n")))
    }
}
