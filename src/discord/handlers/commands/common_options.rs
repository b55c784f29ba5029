//! The options that several commands share.

use rookery_table::UserId;

use super::option_types::{GameKey, TableName};
use super::options::command_options;
use crate::discord::wire::interaction::GivenOptions;

/// The option of many commands that names a table.
pub(super) const TABLE: &str = GivenOptions::TABLE;

command_options! {
    /// The input of a command about a table.
    pub(super) struct TableOptions {
        table: Option<TableName> = TABLE, "command-option-table";
    }
}

command_options! {
    /// The input of a command about a game. Without one, the game of the thread is meant, or the answer asks for it.
    pub(super) struct GameOptions {
        game: Option<GameKey> = "game", "command-play-game";
    }
}

command_options! {
    /// The input of a command about a person.
    pub(super) struct PersonOptions {
        person: UserId = "person", "command-block-person";
    }
}
