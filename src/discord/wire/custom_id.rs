//! The custom id of a button or select, parsed once when its press arrives. Each kind has its own module with
//! encoder and decoder; ids of every released version stay readable, since buttons outlive the program.

use rookery_table::TableId;

use crate::discord::wire::challenge_id::ChallengeId;
use crate::discord::wire::game_list_id::GameListPage;
use crate::discord::wire::help_id::HelpId;
use crate::discord::wire::lesson_id::Lesson;
use crate::discord::wire::owner_id::OwnerAction;
use crate::discord::wire::picture_cell_id::{
    PictureCellId, PictureOrientationId, PicturePlayOnId, PicturePointsId, PictureTurnId,
};
use crate::discord::wire::privacy_id::PrivacyAction;
use crate::discord::wire::setting_id::SettingId;
use crate::discord::wire::share_id::ShareAction;
use crate::discord::wire::start_id::StartId;
use crate::discord::wire::table_button_id::TableButtonId;

/// The custom id of a button or select, by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomId {
    /// An action at a table.
    Table(TableButtonId),
    /// A step of a lesson.
    Lesson(Lesson),
    /// The game for a challenge, chosen after a user menu command.
    Challenge(ChallengeId),
    /// A page of a list of games.
    GameList(GameListPage),
    /// An action on the public link of a game.
    Share(ShareAction, TableId),
    /// A button of `/privacy`.
    Privacy(PrivacyAction),
    /// A button of `/rookery`.
    Owner(OwnerAction),
    /// A page of the help.
    Help(HelpId),
    /// A setting of a person or a server.
    Setting(SettingId),
    /// A step on the way to a game.
    Start(StartId),
    /// What is on a cell of a board in a picture.
    PictureCell(PictureCellId),
    /// Back to the cell of a board in a picture that was answered last.
    PictureBack(PictureCellId),
    /// Play on from the position of a picture.
    PicturePlayOn(PicturePlayOnId),
    /// From which end the board in a picture is seen.
    PictureOrientation(PictureOrientationId),
    /// Whose turn it is in the position of a picture.
    PictureTurn(PictureTurnId),
    /// The points in the position of a picture: opens a form for them, or sets those that were sent with it.
    PicturePoints(PicturePointsId),
    /// An id that this version does not know.
    Unknown,
}

impl CustomId {
    /// Parses a custom id of any kind.
    pub fn read(id: &str) -> CustomId {
        let lesson = || Lesson::read(id).and_then(Result::ok).map(CustomId::Lesson);
        let kinds: [&dyn Fn() -> Option<CustomId>; 16] = [
            &|| TableButtonId::read(id).ok().map(CustomId::Table),
            &lesson,
            &|| ChallengeId::read(id).map(CustomId::Challenge),
            &|| GameListPage::read(id).map(CustomId::GameList),
            &|| ShareAction::read(id).map(|(action, table)| CustomId::Share(action, table)),
            &|| PrivacyAction::read(id).map(CustomId::Privacy),
            &|| OwnerAction::read(id).map(CustomId::Owner),
            &|| HelpId::read(id).map(CustomId::Help),
            &|| SettingId::read(id).map(CustomId::Setting),
            &|| StartId::read(id).map(CustomId::Start),
            &|| PictureCellId::read(id).map(CustomId::PictureCell),
            &|| PictureCellId::read_back(id).map(CustomId::PictureBack),
            &|| PicturePlayOnId::read(id).map(CustomId::PicturePlayOn),
            &|| PictureOrientationId::read(id).map(CustomId::PictureOrientation),
            &|| PictureTurnId::read(id).map(CustomId::PictureTurn),
            &|| PicturePointsId::read(id).map(CustomId::PicturePoints),
        ];
        kinds.iter().find_map(|read| read()).unwrap_or(CustomId::Unknown)
    }

    /// Returns the id of an action at a table, `None` for the other kinds.
    pub fn at_table(&self) -> Option<&TableButtonId> {
        match self {
            CustomId::Table(press) => Some(press),
            _ => None,
        }
    }

    /// Returns whether a second press has a further effect, such as another table or another move taken back.
    pub fn takes_effect_again(&self) -> bool {
        match self {
            CustomId::Challenge(_)
            | CustomId::PictureCell(_)
            | CustomId::PictureOrientation(_)
            | CustomId::PictureTurn(_)
            | CustomId::PicturePoints(_)
            | CustomId::PicturePlayOn(_) => true,
            CustomId::Table(press) => press.action.takes_effect_again(),
            CustomId::Start(start) => start.opens_table(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::wire::game_list_id::GameListKind;
    use crate::discord::wire::lesson_id::LessonAction;
    use crate::discord::wire::setting_id::SettingsPanel;
    use crate::discord::wire::start_id::StartPurpose;
    use crate::discord::wire::table_button_id::{ButtonAction, ViewOptions, ViewerAction};
    use rookery_core::Seat;
    use rookery_table::{SourceId, UserId};

    #[test]
    fn custom_id_of_each_kind_is_read_as_that_kind() {
        let table: TableId = "K7Q2".parse().unwrap();
        let press = TableButtonId::new(table, 3, ButtonAction::Join);
        let lesson = Lesson { game: "amoeba".into(), step: 1, act: LessonAction::Show };
        let setting = SettingId::with(SettingsPanel::Server, "rated", "on");
        let start = StartId::Game(StartPurpose::Bot, "amazons".into());
        let announce = OwnerAction::Announce(SourceId(80_351_110_224_678_912));
        let cell = PictureCellId { cells: vec!["d4".to_owned()], ..PictureCellId::default() };
        let back = PictureCellId::read_back("pcb:d4/a1=q").unwrap();
        let play_on = PicturePlayOnId::read("pco:K7Q2!easy!").unwrap();
        let end = PictureOrientationId { position: 1, cells: cell.clone() };
        let turn = PictureTurnId { seat: Seat::SECOND, cells: cell.clone() };
        let points = PicturePointsId { cells: cell.clone() };
        let cases = [
            (points.id().unwrap(), CustomId::PicturePoints(points)),
            (turn.id().unwrap(), CustomId::PictureTurn(turn)),
            (press.id(), CustomId::Table(press)),
            (lesson.id(), CustomId::Lesson(lesson)),
            (ChallengeId(UserId(5)).id(), CustomId::Challenge(ChallengeId(UserId(5)))),
            (ShareAction::Stop.button_id(table), CustomId::Share(ShareAction::Stop, table)),
            (PrivacyAction::Keep.id(), CustomId::Privacy(PrivacyAction::Keep)),
            (OwnerAction::Cancel.id(), CustomId::Owner(OwnerAction::Cancel)),
            (announce.id(), CustomId::Owner(announce)),
            (setting.id(), CustomId::Setting(setting)),
            (start.id(), CustomId::Start(start)),
            (end.id().unwrap(), CustomId::PictureOrientation(end)),
            (cell.id(), CustomId::PictureCell(cell)),
            (back.back_id(), CustomId::PictureBack(back)),
            (play_on.id(), CustomId::PicturePlayOn(play_on)),
        ];
        for (id, expected) in cases {
            assert_eq!(CustomId::read(&id), expected, "{id}");
        }
    }

    /// The ids are written as earlier versions wrote them.
    #[test]
    fn custom_ids_of_earlier_versions_mean_the_same() {
        let table: TableId = "K7Q2".parse().unwrap();
        let steps = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let at = |ply, action| CustomId::Table(TableButtonId::new(table, ply, action));
        let panel = Box::new(ButtonAction::Panel(Vec::new()));
        let seen = ViewOptions { side: Seat::FIRST, tints: true };
        let person = UserId(80_351_110_224_678_912);
        let pick = LessonAction::Move(ButtonAction::Pick(0, steps(&["c4", ">e5"])));
        let list = GameListPage {
            which: GameListKind::Here,
            person: Some(person),
            game: Some("amazons".into()),
            number: 2,
        };
        let cases = [
            ("1:K7Q2:12:pick:0:d1~-d7", at(12, ButtonAction::Pick(0, steps(&["d1", "-d7"])))),
            ("1:K7Q2:12:column:0:d1", at(12, ButtonAction::Column(0, steps(&["d1"])))),
            ("1:K7Q2:0:agree", at(0, ButtonAction::Agree(0))),
            ("1:K7Q2:3:yes:1", at(3, ButtonAction::ResignYes(Seat::SECOND))),
            ("1:K7Q2:0:ahead:d10-d4/g4:panel:", at(0, ButtonAction::PlanStep(steps(&["d10-d4/g4"]), panel))),
            ("1:K7Q2:4:look:n:0:1", at(4, ButtonAction::Viewer(ViewerAction::Next, seen))),
            (
                "1:lesson-of:amoeba:2:pick:0:c4~>e5",
                CustomId::Lesson(Lesson { game: "amoeba".into(), step: 2, act: pick }),
            ),
            ("1:challenge:80351110224678912", CustomId::Challenge(ChallengeId(person))),
            ("1:page-of-games:here:80351110224678912:amazons:2", CustomId::GameList(list)),
            ("shr:new:K7Q2", CustomId::Share(ShareAction::Replace, table)),
            ("prv:stand-in", CustomId::Privacy(PrivacyAction::StandIn)),
            ("set:theme", CustomId::Setting(SettingId::new(SettingsPanel::Personal, "theme"))),
            (
                "set:vacation:end",
                CustomId::Setting(SettingId::with(SettingsPanel::Personal, "vacation", "end")),
            ),
            ("cfg:rated:on", CustomId::Setting(SettingId::with(SettingsPanel::Server, "rated", "on"))),
            ("go:bot", CustomId::Start(StartId::Games(StartPurpose::Bot))),
            ("go:ask:amoeba", CustomId::Start(StartId::Game(StartPurpose::Person, "amoeba".into()))),
            (
                "pic:d4~e10",
                CustomId::PictureCell(PictureCellId {
                    cells: steps(&["d4", "e10"]),
                    ..PictureCellId::default()
                }),
            ),
            ("go:play:amoeba:easy", CustomId::Start(StartId::Level("amoeba".into(), "easy".into()))),
        ];
        for (id, expected) in cases {
            assert_eq!(CustomId::read(id), expected, "{id}");
        }
        for id in ["", "1", "prv:", "shr:new", "0:K7Q2:1:join", "1:lesson-of:amoeba:x:show", "abc:def"] {
            assert_eq!(CustomId::read(id), CustomId::Unknown, "{id}");
        }
    }
}
