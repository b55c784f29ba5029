//! What the buttons of a list of games carry: what is listed, and which page of it.

use rookery_table::UserId;
use rookery_table::ports::{Card, Stage};

use crate::discord::wire::component_id::{FIELD, VERSION};

/// Stands where a table's name would; too long to be one.
const PAGE: &str = "page-of-games";

/// Which games a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameListKind {
    /// Somebody's, going on.
    Mine,
    /// Those in which it is their turn.
    Turn,
    /// Those that wait for players, here.
    Open,
    /// Those going on here.
    Here,
    /// Those that are over: somebody's, or here.
    Finished,
}

impl GameListKind {
    /// Each with its key, the sentence that offers it, and the title of its list.
    pub(in crate::discord) const ALL: [(GameListKind, &'static str, &'static str, &'static str); 5] = [
        (GameListKind::Mine, "mine", "games-which-mine", "games-mine"),
        (GameListKind::Turn, "turn", "games-which-turn", "games-turn"),
        (GameListKind::Open, "open", "games-which-open", "games-open"),
        (GameListKind::Here, "here", "games-which-here", "games-here"),
        (GameListKind::Finished, "finished", "games-which-finished", "games-finished"),
    ];

    /// What is said where the list is empty.
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

    /// The key of its name in the list of choices.
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

    /// Whether a table belongs in the list of `who`'s games that `asker` sees. An invitation is open to its
    /// recipient alone.
    pub(in crate::discord) fn takes(self, card: &Card, who: UserId, asker: UserId) -> bool {
        match self {
            GameListKind::Turn => card.waits_now_on(who),
            GameListKind::Open => card.free_seats() > 0 || card.asked.contains(&asker),
            GameListKind::Mine | GameListKind::Here | GameListKind::Finished => true,
        }
    }
}

/// A page of a list: what is listed, and which page of it. Its buttons carry all of that, so that they outlive the
/// process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameListPage {
    pub(in crate::discord) which: GameListKind,
    /// Whose games, if that was said.
    pub(in crate::discord) person: Option<UserId>,
    /// Only tables of the game with this key.
    pub(in crate::discord) game: Option<String>,
    /// The page's number, from 0.
    pub(in crate::discord) number: usize,
}

impl GameListPage {
    /// The id of a button that leads to another page, at most 100 characters:
    /// `1:page-of-games:here:80351110224678912:amazons:2`.
    pub(in crate::discord) fn id(&self, number: usize) -> String {
        let (person, game) = (self.person.map_or(0, |who| who.0), self.game.as_deref().unwrap_or_default());
        let which = self.which.key();
        format!("{VERSION}{FIELD}{PAGE}{FIELD}{which}{FIELD}{person}{FIELD}{game}{FIELD}{number}")
    }

    /// Reads an id; `None` if it is another one.
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
