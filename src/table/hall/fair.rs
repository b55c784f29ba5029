//! Rated games that go on are looked for wherever the program would say or play something beside them.

use crate::kit::Play;
use crate::table::fair::{self, Help};
use crate::table::ports::{Filter, Stage};
use crate::table::words::Person;
use crate::table::{Table, hints};

use super::Hall;

impl Hall {
    /// Whether the program's help with this game would be help in a rated one that goes on: one that one of
    /// these people plays, or one on this server. A board turned round or mirrored is not known again.
    pub async fn helps_rated(&self, who: &[Person], guild: Option<u64>, play: &dyn Play, help: Help) -> bool {
        let game = Some(play.about().key.to_owned());
        let running = Filter {
            stage: Some(Stage::Running),
            game,
            rated: true,
            most: usize::MAX >> 1,
            ..Filter::default()
        };
        let own = who.iter().map(|who| Filter { person: Some(*who), ..running.clone() });
        let here = guild.map(|guild| Filter { guild: Some(guild), ..running.clone() });
        for filter in own.chain(here) {
            for card in self.list(&filter).await.unwrap_or_default() {
                let Ok(table) = self.see(card.id).await else { continue };
                let plays = who.iter().any(|who| table.seat_of(*who).is_some());
                if fair::is_withheld(&table, play, plays, help) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether what the program would tell at a casual table, of some position of its game, would be help
    /// for those who see it there.
    pub async fn tells_of_rated(&self, table: &Table, play: &dyn Play) -> bool {
        let people: Vec<_> = table.chairs().iter().filter_map(|chair| chair.person()).collect();
        let casual = hints::may_help(table).is_ok();
        casual && self.helps_rated(&people, table.terms().guild, play, Help::Tells).await
    }
}
