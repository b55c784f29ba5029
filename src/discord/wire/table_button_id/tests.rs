use super::*;

/// Discord's ids have at most 100 characters, but nothing before the decoder checks that.
#[test]
fn steps_within_steps_are_refused_however_deep() {
    let nested = |word: &str, depth: usize| format!("1:K7Q2:0:{}panel:", format!("{word}::").repeat(depth));
    assert!(TableButtonId::read(&nested("ahead", 1)).is_ok());
    assert!(TableButtonId::read(&nested("ahead", 2)).is_err());
    assert!(TableButtonId::read(&nested("ahead", 1_000_000)).is_err());
}

#[test]
fn table_button_id_is_read_back_for_every_action() {
    let taken = vec!["d1".to_owned(), "-d7".to_owned()];
    let actions = [
        ButtonAction::Join,
        ButtonAction::Leave,
        ButtonAction::Decline,
        ButtonAction::Panel(Vec::new()),
        ButtonAction::Panel(taken.clone()),
        ButtonAction::Pick(1, taken.clone()),
        ButtonAction::Column(0, taken.clone()),
        ButtonAction::Narrow('d', Vec::new()),
        ButtonAction::Play(taken),
        ButtonAction::Plans,
        ButtonAction::PlanYes,
        ButtonAction::PlanStep(Vec::new(), Box::new(ButtonAction::Panel(Vec::new()))),
        ButtonAction::PlanStep(
            vec!["d10-d4/g4".into()],
            Box::new(ButtonAction::Pick(1, vec!["d1".into(), "-d7".into()])),
        ),
        ButtonAction::Unplan(None),
        ButtonAction::Unplan(Some("0badcafe".into())),
        ButtonAction::Fill,
        ButtonAction::FillWith,
        ButtonAction::Board,
        ButtonAction::Text,
        ButtonAction::Resign,
        ButtonAction::ResignYes(Seat::SECOND),
        ButtonAction::ResignNo(Seat::FIRST),
        ButtonAction::Agree(0),
        ButtonAction::Agree(u64::MAX),
        ButtonAction::Disagree(7),
        ButtonAction::Rematch,
        ButtonAction::StandIn,
        ButtonAction::StandInWith,
        ButtonAction::SeatProgramWith,
        ButtonAction::ComeBack,
        ButtonAction::Accept,
        ButtonAction::PlayOn,
        ButtonAction::Proof,
        ButtonAction::More,
        ButtonAction::Vote(u64::MAX, u16::MAX),
        ButtonAction::Hint,
        ButtonAction::Analyse,
        ButtonAction::Turning,
        ButtonAction::Offer(Offer::Undo),
        ButtonAction::OfferYes(Offer::Count),
        ButtonAction::Resume,
        ButtonAction::Claim,
        ButtonAction::GiveTime,
        ButtonAction::SeatProgram,
        ButtonAction::OpenBoard,
        ButtonAction::Viewer(ViewerAction::Jump, ViewOptions { side: Seat::SECOND, tints: true }),
    ];
    let words: std::collections::BTreeSet<_> = actions.iter().map(|action| action.encode().0).collect();
    let known: std::collections::BTreeSet<_> = ButtonAction::WORDS.iter().copied().collect();
    assert_eq!(words, known, "every action is tried");
    for action in actions {
        let press = TableButtonId::new("K7Q2".parse().unwrap(), 12, action);
        assert_eq!(TableButtonId::read(&press.id()), Ok(press));
    }
}

#[test]
fn table_button_id_of_another_kind_or_version_is_unknown() {
    for id in [
        "",
        "1",
        "0:K7Q2:1:move",
        "1:K7Q2:x:board",
        "1:O0:1:board",
        "1:K7Q2:1:dance",
        "1:K7Q2:1:yes:9",
        "1:K7Q2:1:unplan:0",
    ] {
        assert_eq!(TableButtonId::read(id), Err(UnknownComponentId), "{id}");
    }
}
