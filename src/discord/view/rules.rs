//! The rules page of a game, with its examples drawn.

use rookery_core::{Game, Play, Seat};
use rookery_games::rules_page::{example_position, without_title};
use rookery_i18n::clip;

use super::MessageView;
use super::lists::example;
use crate::discord::wire::limits::MAX_EMBED_CHARS;
use crate::discord::wire::outgoing_message::{Embed, OutgoingMessage, Picture};

impl MessageView<'_> {
    /// Builds the rules page of a game; `None` for an unknown game. Positions in the text are drawn side by side, and the
    /// text names them by number.
    pub fn rules(&self, game: &str) -> Option<OutgoingMessage> {
        let game = rookery_games::named(game)?;
        let info = game.info();
        let by = self.words.designers(info).map(|by| format!("\n\n{by}")).unwrap_or_default();
        let page = self.words.rules_page(info.key);
        let (page, examples) = self.with_numbered_boards(without_title(&page), game);
        let text = clip(&page, MAX_EMBED_CHARS - by.chars().count()) + &by;
        let name = self.words.game(info.key);
        let alt = self.words.say("rules-picture", &[("game", name.as_str().into())]);
        let look = self.display.look(Seat::FIRST);
        let boards = examples.iter().enumerate();
        let boards: Vec<_> = boards.map(|(i, play)| (play.scene(&look), (i + 1).to_string())).collect();
        let picture = match boards.is_empty() {
            true => Picture::still(example(info.key)?.scene(&look), alt),
            false => Picture::sheet(boards, alt),
        };
        Some(OutgoingMessage {
            embed: Some(Embed { title: name, text }),
            picture: Some(picture),
            ..OutgoingMessage::default()
        })
    }

    /// Replaces the positions in a text, which are code spans, by "board 1" and so on, and returns them.
    fn with_numbered_boards(&self, page: &str, game: &dyn Game) -> (String, Vec<Box<dyn Play>>) {
        let mut boards: Vec<Box<dyn Play>> = Vec::new();
        let mut text = String::new();
        for (i, part) in page.split('`').enumerate() {
            if i % 2 == 0 {
                text.push_str(part);
                continue;
            }
            match example_position(game, part) {
                Some(play) => {
                    boards.push(play);
                    let number = boards.len().into();
                    text.push_str(&self.words.say("rules-board", &[("number", number)]));
                }
                None => text.push_str(&format!("`{part}`")),
            }
        }
        (text, boards)
    }
}
