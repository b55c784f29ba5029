//! Tests of the messages for tables of every game, without Discord.

mod brevity;
mod fits;
mod messages;
mod motion;
mod panels;

use rookery_table::millis;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rookery_core::rules::Setup;
use rookery_core::seed::SeededRng;
use rookery_core::{Game, Play, Seat};
use rookery_i18n::Localizer;
use rookery_i18n::testing::pseudo_language;
use rookery_table::ports::Entry;
use rookery_table::teams::{MAX_PROPOSALS, Team, TeamMembers};
use rookery_table::{BoardChannel, ChannelId, Event, GuildId, Occupant, Offer, Table, Terms, UserId, decide};

use super::MessageView;
use super::panel::{self, PanelStage};
use super::viewer::Span;
use crate::discord::state::display_preferences::DisplayPreferences;
use crate::discord::wire::limits;
use crate::discord::wire::outgoing_message::{Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId, ViewOptions};

const ADA: UserId = UserId(1);

fn view() -> MessageView<'static> {
    static DISPLAY: LazyLock<DisplayPreferences> = LazyLock::new(|| DisplayPreferences::usual("walnut"));
    MessageView {
        words: Localizer::english(),
        display: &DISPLAY,
        reads_all: false,
        challenge_hours: 24,
        web: None,
    }
}

/// Creates a table of people 1, 2, …, with `last` on the last seat.
fn table(game: &dyn Game, last: Occupant, seats: usize) -> Table {
    let mut chairs: Vec<_> = (1..=seats as u64).map(|n| Occupant::Human { person: UserId(n) }).collect();
    chairs[seats - 1] = last;
    let terms = Terms {
        game: game.info().key.into(),
        options: BTreeMap::new(),
        seed: 1,
        guild: Some(GuildId(5)),
        channel: ChannelId(6),
        thread: true,
        rated: false,
        ..Terms::default()
    };
    let id = "K7Q2".parse().unwrap();
    let events = decide::open(id, terms, ADA, chairs).unwrap();
    let entries: Vec<_> = (1..).zip(events).map(|(sequence, event)| entry(sequence, event)).collect();
    Table::replay(id, &entries).unwrap().unwrap()
}

fn entry(sequence: u64, event: Event) -> Entry {
    Entry { sequence, at: millis::timestamp(0), source: None, event }
}

fn happen(table: &mut Table, event: Event) {
    table.apply(&entry(table.sequence() + 1, event)).unwrap();
}

fn two_people() -> Table {
    table(rookery_games::named("amazons").unwrap(), Occupant::Human { person: UserId(2) }, 2)
}

fn play(table: &mut Table, text: &str) {
    let seat = table.to_move().unwrap();
    happen(table, Event::Moved { seat, text: text.into(), why: None });
}

fn label(part: &Component) -> &str {
    match part {
        Component::Button { label, .. } | Component::Link { label, .. } => label,
        Component::Select { placeholder, .. }
        | Component::People { placeholder, .. }
        | Component::Channels { placeholder, .. } => placeholder,
    }
}
