//! Commands of a message's menu: what is done with the board that stands there.

use serde_json::{Value, json};

use rookery_core::Seat;
use rookery_i18n::Words;
use rookery_table::access::Action;
use rookery_table::quota::Use;
use rookery_table::{Say, TableId};

use super::super::asked::{Asked, Target};
use super::super::desk::Desk;
use super::super::layout::Layout;
use super::super::post::Post;
use super::super::press::{Gaze, Press};
use super::import;

/// What can be done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Menu {
    /// Step through the game from this board on.
    Replay,
    /// Show this board from the asker's side.
    Side,
    /// Read this board aloud.
    Aloud,
    /// Take in the game that the message holds.
    Import,
}

const ALL: [Menu; 4] = [Menu::Replay, Menu::Side, Menu::Aloud, Menu::Import];

impl Menu {
    fn name(self, words: &Words) -> String {
        words.word(match self {
            Menu::Replay => "menu-replay",
            Menu::Side => "menu-side",
            Menu::Aloud => "menu-aloud",
            Menu::Import => "menu-import",
        })
    }
}

/// The menu's commands as Discord wants them registered.
pub(super) fn registration(words: &Words) -> impl Iterator<Item = Value> + '_ {
    ALL.into_iter().map(|menu| {
        json!({
            "name": menu.name(words),
            "type": 3,
            "contexts": [0, 1],
            "integration_types": [0],
        })
    })
}

/// Answers a command of the menu; an unknown one is left from an older version.
pub(super) async fn run(desk: &Desk, asked: &Asked, name: &str, target: &Target) -> Post {
    match ALL.into_iter().find(|menu| menu.name(desk.languages.usual()) == name) {
        Some(Menu::Import) => bring(desk, asked, target).await,
        Some(menu) => show(desk, asked, menu, target).await,
        None => Post::text(desk.words.word("old-button")),
    }
}

async fn show(desk: &Desk, asked: &Asked, menu: Menu, target: &Target) -> Post {
    let Some((id, ply)) = meant(desk, target).await else {
        return Post::text(desk.words.word("menu-no-board"));
    };
    let table = match desk.open_table(asked.into(), id, Action::See).await {
        Ok(table) => table,
        Err(post) => return *post,
    };
    let ply = ply.unwrap_or(table.ply());
    // Who only watches sees the other side of what stands there for everybody.
    let side =
        table.seat_of(asked.who).unwrap_or(if menu == Menu::Side { Seat::SECOND } else { Seat::FIRST });
    let make = move |layout: &Layout<'_>| match menu {
        Menu::Aloud => layout.aloud(&table, ply),
        _ => layout.viewer(&table, ply, Gaze::from(side)),
    };
    desk.lay_out_post(make).await
}

/// The table and the turn that a message shows: as it was posted, or as its buttons say.
async fn meant(desk: &Desk, target: &Target) -> Option<(TableId, Option<usize>)> {
    match desk.hall.journal().said_as(target.message).await {
        Ok(Some((table, Some(Say::Board { ply })))) => return Some((table, Some(ply))),
        Ok(Some((table, _))) => return Some((table, None)),
        Ok(None) => {}
        Err(error) => tracing::warn!(%error, "what a message was cannot be read"),
    }
    let mut presses = target.buttons.iter().filter_map(|id| Press::read(id).ok());
    presses.find(Press::is_here).map(|press| (press.table, Some(press.ply)))
}

/// Takes in the game in a message: in its first file, or in its text.
async fn bring(desk: &Desk, asked: &Asked, target: &Target) -> Post {
    if let Err(post) = desk.spend(asked, Use::Import) {
        return *post;
    }
    let text = match target.files.iter().find(|file| file.is_text()) {
        Some(file) => match import::fetched(desk, file).await {
            Ok(text) => text,
            Err(post) => return *post,
        },
        None => target.text.clone(),
    };
    match import::read(desk, asked, text, None).await {
        Ok(outside) => import::look(desk, asked, &outside).await,
        Err(post) => *post,
    }
}
