//! Custom ids of buttons and selects.

use rookery::discord::wire::custom_id::CustomId;
use rookery::discord::wire::help_id::HelpId;

use super::{Target, text};

pub(super) const TARGET: Target = Target { name: "custom_ids", check, seeds, words };

/// The longest id that is written again: defaults of old ids may add a few characters, and Discord allows 100.
const MAX_REWRITTEN_BYTES: usize = 90;

fn check(bytes: &[u8]) {
    let id = text(bytes);
    let read = CustomId::read(&id);
    read.takes_effect_again();
    if let CustomId::Table(press) = &read {
        press.moves();
        press.concerns_shown_turn();
    }
    if id.len() > MAX_REWRITTEN_BYTES {
        return;
    }
    if let Some(written) = written(&read) {
        assert_eq!(CustomId::read(&written), read, "{id:?} is written as {written:?}");
    }
}

/// Writes an id as the bot would; `None` for kinds that only the bot itself can write.
fn written(id: &CustomId) -> Option<String> {
    Some(match id {
        CustomId::Table(press) => press.id(),
        CustomId::Lesson(lesson) => lesson.id(),
        CustomId::Challenge(challenge) => challenge.id(),
        CustomId::Share(action, table) => action.button_id(*table),
        CustomId::Privacy(action) => action.id(),
        CustomId::Help(HelpId::Page(topic)) => topic.button_id(),
        CustomId::Help(HelpId::Rules(game)) => HelpId::rules_of(game),
        CustomId::Setting(setting) => setting.id(),
        CustomId::Start(start) => start.id(),
        CustomId::Owner(action) => action.id(),
        CustomId::PictureCell(cells) => cells.id(),
        CustomId::PictureBack(cells) => cells.back_id(),
        CustomId::PicturePlayOn(play_on) => play_on.id(),
        CustomId::PictureOrientation(end) => end.id().expect("an id that was read is short enough"),
        CustomId::PictureTurn(turn) => turn.id().expect("an id that was read is short enough"),
        CustomId::PicturePoints(points) => points.id().expect("an id that was read is short enough"),
        CustomId::Help(HelpId::Select) | CustomId::GameList(_) | CustomId::Unknown => return None,
    })
}

fn seeds() -> Vec<Vec<u8>> {
    let released = include_str!("../../../data/released/0.1.0/custom_ids.txt");
    let lines = released.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.as_bytes().to_vec()).collect()
}

fn words() -> Vec<String> {
    let words = "1: K7Q2 :0: :12: 18446744073709551615 pick panel in column ahead play plans unplan vote look offer agree \
        lesson-of page-of-games challenge shr: prv: own: announce: cancel hlp: rules: set: cfg: go: bot ask tune learn more reset pic: pcb: pce:0: pce:1: pct:1: pct:2: pcp: pic:. . d4~e5 /a1=B1:9 /b2=- !easy! !!12 pco: ~ : >e5 -d7";
    words.split_whitespace().map(str::to_owned).collect()
}
