use rookery_core::player::Level;
use rookery_table::Offer;

use super::*;

#[test]
fn words_are_read_in_any_case() {
    assert_eq!(read("Resign!"), MessageCommand::Resign);
    assert_eq!(read(" BOARD "), MessageCommand::Board);
    assert_eq!(read("Clock?"), MessageCommand::Clock);
    assert_eq!(read("moves d1"), MessageCommand::Moves("d1".into()));
    assert_eq!(read("What does d7 see?"), MessageCommand::See("d7".into()));
    assert_eq!(read("row 4"), MessageCommand::Row("4".into()));
    assert_eq!(read("Leave easy"), MessageCommand::Leave(Some(Level::Easy)));
    assert_eq!(read("last"), MessageCommand::Last);
    assert_eq!(read("takeback"), MessageCommand::Offer(Offer::Undo));
    assert_eq!(read("Hint?"), MessageCommand::Hint);
    assert_eq!(read("pass"), MessageCommand::Pass);
    assert_eq!(read("count?"), MessageCommand::Offer(Offer::Count));
    assert_eq!(read("If d1-d2/d3 then F1-e2/f1"), MessageCommand::Plan("If d1-d2/d3 then F1-e2/f1".into()));
    assert_eq!(read("`F1-e2/f1`"), MessageCommand::Other("F1-e2/f1".into()));
}

#[test]
fn our_own_mention_is_no_part_of_a_move() {
    let plain = |text| without_mention(text, UserId(7), Some(RoleId(9)));
    assert_eq!(plain("<@7> f1-e2/f1"), "f1-e2/f1");
    assert_eq!(plain("f1-e2/f1 <@!7>"), "f1-e2/f1");
    assert_eq!(plain("<@8> f1"), "<@8> f1");
    assert_eq!(plain("<@&9> f1-e2/f1"), "f1-e2/f1");
    assert_eq!(plain("<@&8> f1"), "<@&8> f1");
}

#[test]
fn a_word_that_is_nearly_a_command_is_recognised() {
    for (typed, meant) in [("baord", "board"), ("Resgin", "resign"), ("und", "undo"), ("hlep?", "help")] {
        assert_eq!(read(typed), MessageCommand::Misspelt(meant), "{typed}");
    }
    for talk in ["rest", "d1d7", "well played", "thanks", "good", "fine"] {
        assert_eq!(read(talk), MessageCommand::Other(talk.into()), "{talk}");
    }
}
