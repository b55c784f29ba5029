//! The custom ids of a list's page buttons: the filters of the list and the page number.

use rookery_table::UserId;
use rookery_table::ports::{Card, Stage};

use crate::discord::wire::table_button_id::{FIELD, VERSION};

/// Takes the place of a table id. It is longer than any table id, so the two cannot be confused.
const PAGE: &str = "page-of-games";

/// Which games a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameListKind {
    /// Running games of a person.
    Mine,
    /// Games in which it is the person's turn.
    Turn,
    /// Games in this place that wait for players.
    Open,
    /// Running games in this place.
    Here,
    /// Finished games of a person or of this place.
    Finished,
}

impl GameListKind {
    /// Each kind with its key, the locale key of its choice in the command, and the locale key of its title.
    pub(in crate::discord) const ALL: [(GameListKind, &'static str, &'static str, &'static str); 5] = [
        (GameListKind::Mine, "mine", "games-which-mine", "games-mine"),
        (GameListKind::Turn, "turn", "games-which-turn", "games-turn"),
        (GameListKind::Open, "open", "games-which-open", "games-open"),
        (GameListKind::Here, "here", "games-which-here", "games-here"),
        (GameListKind::Finished, "finished", "games-which-finished", "games-finished"),
    ];

    /// Returns the locale key of the text for an empty list.
    pub(in crate::discord) fn none(self) -> &'static str {
        match self {
            GameListKind::Mine => "games-none-mine",
            GameListKind::Turn => "games-none-turn",
            GameListKind::Open => "games-none-open",
            GameListKind::Here => "games-none-here",
            GameListKind::Finished => "games-none-finished",
        }
    }

    pub(in crate::discord) fn named(key: &str) -> Option<GameListKind> {
        GameListKind::ALL.iter().find(|(_, known, _, _)| *known == key).map(|(which, ..)| *which)
    }

    pub(in crate::discord) fn key(self) -> &'static str {
        GameListKind::ALL.iter().find(|(which, ..)| *which == self).map_or("", |(_, key, ..)| key)
    }

    /// Returns the locale key of the choice in the command.
    pub(in crate::discord) fn offer(self) -> &'static str {
        GameListKind::ALL.iter().find(|(which, ..)| *which == self).map_or("", |(_, _, offer, _)| offer)
    }

    pub(in crate::discord) fn title(self) -> &'static str {
        GameListKind::ALL.iter().find(|(which, ..)| *which == self).map_or("", |(.., title)| title)
    }

    pub(in crate::discord) fn stage(self) -> Option<Stage> {
        match self {
            GameListKind::Mine => None,
            GameListKind::Turn | GameListKind::Here => Some(Stage::Running),
            GameListKind::Open => Some(Stage::Waiting),
            GameListKind::Finished => Some(Stage::Over),
        }
    }

    /// Returns whether a table belongs in the list of `who`'s games that `asker` sees. An invitation is
    /// visible only to its recipient.
    pub(in crate::discord) fn takes(self, card: &Card, who: UserId, asker: UserId) -> bool {
        match self {
            GameListKind::Turn => card.waits_now_on(who),
            GameListKind::Open => card.free_seats() > 0 || card.asked.contains(&asker),
            GameListKind::Mine | GameListKind::Here | GameListKind::Finished => true,
        }
    }
}

/// A page of a list of games. Its buttons carry the filters and the page number, so that they work after a
/// restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameListPage {
    pub(in crate::discord) which: GameListKind,
    /// The person whose games are listed, if the command named one.
    pub(in crate::discord) person: Option<UserId>,
    /// The key of the game to which the list is limited.
    pub(in crate::discord) game: Option<String>,
    /// The page number, from 0.
    pub(in crate::discord) number: usize,
}

impl GameListPage {
    /// Returns the custom id of a button that leads to another page, at most 100 characters:
    /// `1:page-of-games:here:80351110224678912:amazons:2`.
    pub(in crate::discord) fn id(&self, number: usize) -> String {
        let (person, game) = (self.person.map_or(0, |who| who.0), self.game.as_deref().unwrap_or_default());
        let which = self.which.key();
        format!("{VERSION}{FIELD}{PAGE}{FIELD}{which}{FIELD}{person}{FIELD}{game}{FIELD}{number}")
    }

    /// Parses a custom id; `None` if it is of another kind.
    pub(in crate::discord) fn read(id: &str) -> Option<GameListPage> {
        let rest = id.strip_prefix(VERSION)?.strip_prefix(FIELD)?.strip_prefix(PAGE)?.strip_prefix(FIELD)?;
        let mut fields = rest.split(FIELD);
        let which = GameListKind::named(fields.next()?)?;
        let person = fields.next()?.parse().ok()?;
        let game = fields.next()?;
        let number = fields.next()?.parse().ok()?;
        let person = (person != 0).then_some(UserId(person));
        let game = (!game.is_empty()).then(|| game.to_owned());
        fields.next().is_none().then_some(GameListPage { which, person, game, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::limits::MAX_CUSTOM_ID_CHARS;

    #[test]
    fn game_list_page_is_read_back_and_nothing_else_is() {
        let longest =
            rookery_games::all().iter().map(|game| game.info().key).max_by_key(|key| key.len()).unwrap();
        for (which, ..) in GameListKind::ALL {
            for (person, game) in [(None, None), (Some(UserId(u64::MAX)), Some(longest.to_owned()))] {
                let page = GameListPage { which, person, game, number: 99 };
                assert!(page.id(100).len() <= MAX_CUSTOM_ID_CHARS);
                assert_eq!(GameListPage::read(&page.id(99)), Some(page));
            }
        }
        for wrong in [
            "1:K7Q2:0:join",
            "1:page-of-games:all:0::0",
            "1:page-of-games:here:0::0:1",
            "2:page-of-games:here:0::0",
        ] {
            assert_eq!(GameListPage::read(wrong), None, "{wrong}");
        }
    }
}
