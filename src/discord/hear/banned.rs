//! Messages of people whom the server has banned: only the games in which they sit go on.

use rookery_table::Person;

use super::super::bans::is_playing;
use super::super::desk::Desk;
use super::super::which::{self, Spot, Want};
use super::{Heard, Named, named, without_mention};

/// Whether a message is left alone because its writer is banned and does not play the game that it is about.
pub(super) async fn is_barred(desk: &Desk, heard: &Heard) -> bool {
    let who = Person(heard.who);
    if !desk.hall.is_banned(heard.guild, who).await {
        return false;
    }
    let text = without_mention(&heard.text, desk.me(), heard.mentions_role);
    let table = match named(desk, heard, &text).await {
        (Named::Table(table), _) => Some(table),
        (Named::Refused(_), _) => None,
        (Named::Nothing, _) => match desk.table_of_thread(heard.channel).await {
            Some(table) => Some(table),
            None => {
                let spot = Spot { channel: heard.channel, guild: heard.guild };
                which::table(desk, heard.into(), spot, None, Want::Act).await.ok()
            }
        },
    };
    !table.is_some_and(|table| is_playing(&table, who))
}
