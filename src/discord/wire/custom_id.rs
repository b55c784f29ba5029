//! The custom_id of a button or select, read once when its press arrives. Each kind has a module of its own with its
//! encoder and decoder side by side; ids of every released version stay readable, since buttons outlive the program.

use rookery_table::TableId;

use crate::discord::wire::challenge_id::ChallengeId;
use crate::discord::wire::component_id::ComponentId;
use crate::discord::wire::game_list_id::GameListPage;
use crate::discord::wire::lesson_id::Lesson;
use crate::discord::wire::privacy_id::PrivacyAction;
use crate::discord::wire::setting_id::SettingId;
use crate::discord::wire::share_id::ShareAction;

/// What a button or select is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomId {
    /// Something at a table.
    Table(ComponentId),
    /// A step of a lesson.
    Lesson(Lesson),
    /// The game of a challenge from a person's menu.
    Challenge(ChallengeId),
    /// Another page of a list of games.
    GameList(GameListPage),
    /// The link of a game for outsiders.
    Share(ShareAction, TableId),
    /// Something on `/privacy`.
    Privacy(PrivacyAction),
    /// A setting of a person or a server.
    Setting(SettingId),
    /// An id that this version does not know.
    Unknown,
}

impl CustomId {
    /// Reads a custom_id of any kind.
    pub fn read(id: &str) -> CustomId {
        let lesson = || Lesson::read(id).and_then(Result::ok).map(CustomId::Lesson);
        let kinds: [&dyn Fn() -> Option<CustomId>; 7] = [
            &|| ComponentId::read(id).ok().map(CustomId::Table),
            &lesson,
            &|| ChallengeId::read(id).map(CustomId::Challenge),
            &|| GameListPage::read(id).map(CustomId::GameList),
            &|| ShareAction::read(id).map(|(action, table)| CustomId::Share(action, table)),
            &|| PrivacyAction::read(id).map(CustomId::Privacy),
            &|| SettingId::read(id).map(CustomId::Setting),
        ];
        kinds.iter().find_map(|read| read()).unwrap_or(CustomId::Unknown)
    }

    /// What is to be done at a table, if it is for that.
    pub fn at_table(&self) -> Option<&ComponentId> {
        match self {
            CustomId::Table(press) => Some(press),
            _ => None,
        }
    }

    /// Whether a second press would do something more: open another table, take back another move.
    pub fn adds(&self) -> bool {
        match self {
            CustomId::Challenge(_) => true,
            CustomId::Table(press) => press.action.adds(),
            CustomId::Lesson(lesson) => lesson.opens_table(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::component_id::ButtonAction;
    use crate::discord::wire::lesson_id::LessonAction;
    use crate::discord::wire::setting_id::SettingsPanel;
    use rookery_table::Person;

    #[test]
    fn custom_id_of_each_kind_is_read_as_that_kind() {
        let table: TableId = "K7Q2".parse().unwrap();
        let press = ComponentId::new(table, 3, ButtonAction::Join);
        let lesson = Lesson { game: "amoeba".into(), step: 1, act: LessonAction::Show };
        let setting = SettingId::with(SettingsPanel::Server, "rated", "on");
        let cases = [
            (press.id(), CustomId::Table(press)),
            (lesson.id(), CustomId::Lesson(lesson)),
            (ChallengeId(Person(5)).id(), CustomId::Challenge(ChallengeId(Person(5)))),
            (ShareAction::Stop.button_id(table), CustomId::Share(ShareAction::Stop, table)),
            (PrivacyAction::Keep.id(), CustomId::Privacy(PrivacyAction::Keep)),
            (setting.id(), CustomId::Setting(setting)),
        ];
        for (id, expected) in cases {
            assert_eq!(CustomId::read(&id), expected, "{id}");
        }
    }

    /// As version 0.1.0 wrote them.
    #[test]
    fn custom_ids_of_released_versions_stay_readable() {
        for id in [
            "1:K7Q2:12:pick:0:d1~-d7",
            "1:K7Q2:12:column:0:d1",
            "1:K7Q2:0:agree",
            "1:K7Q2:0:ahead:d10-d4/g4:panel:",
            "1:K7Q2:4:look:n:0:1",
            "1:lesson-of:amoeba:2:pick:0:c4~>e5",
            "1:challenge:80351110224678912",
            "1:page-of-games:here:80351110224678912:amazons:2",
            "shr:new:K7Q2",
            "prv:stand-in",
            "set:theme",
            "set:vacation:end",
            "cfg:rated:on",
        ] {
            assert_ne!(CustomId::read(id), CustomId::Unknown, "{id}");
        }
        for id in ["", "1", "prv:", "shr:new", "0:K7Q2:1:join", "1:lesson-of:amoeba:x:show", "abc:def"] {
            assert_eq!(CustomId::read(id), CustomId::Unknown, "{id}");
        }
    }
}
