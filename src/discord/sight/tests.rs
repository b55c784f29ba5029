use serde_json::json;

use super::door::tests::of;
use super::*;

const GUILD: u64 = 5;
const VIEW: u64 = 1 << 10;

/// Keeps a place at a moment of no changes.
fn keep(sight: &Sight, channel: u64, place: &Place) {
    sight.keep(channel, place, (0, sight.moment()));
}

#[test]
fn what_is_known_is_let_go_when_it_is_old_or_changed() {
    let sight = Sight::default();
    let place = Place::Door(of(VIEW, &json!([])));
    keep(&sight, 1, &place);
    keep(&sight, 2, &Place::Closed);
    keep(&sight, 3, &Place::Under(1));
    assert_eq!(sight.place(1, KEPT_MS - 1), Some(place));
    assert_eq!(sight.place(1, KEPT_MS), None);
    sight.forget(GUILD, Some(1));
    assert_eq!((sight.place(1, 0), sight.place(2, 0), sight.changes(GUILD)), (None, None, 1));
    assert_eq!(sight.place(3, KEPT_MS), Some(Place::Under(1)), "a thread hangs where it hangs");
    assert_eq!(sight.changes(4), 0);
}

#[test]
fn a_change_concerns_a_channel_and_its_threads_or_a_whole_server() {
    let sight = Sight::default();
    keep(&sight, 1, &Place::Door(of(VIEW, &json!([]))));
    keep(&sight, 3, &Place::Under(1));
    let concerned = |guild, changed| [1, 2, 3].map(|channel| sight.concerns(guild, changed, channel));
    assert_eq!(concerned(GUILD, Some(1)), [true, false, true]);
    assert_eq!(concerned(GUILD, Some(3)), [false, false, true]);
    assert_eq!(concerned(GUILD, None), [true; 3]);
    assert_eq!(concerned(4, None), [false, true, false], "where the second is nobody knows");
}

#[test]
fn leave_is_given_in_a_channel_or_on_a_whole_server() {
    let sight = Sight::default();
    let [one, other] = [1, 2].map(|channel| [GUILD, channel]);
    let seen = || (sight.leave(&one), sight.leave(&other));
    let none = seen();
    sight.forget(GUILD, Some(1));
    let first = seen();
    assert!(first.0 != none.0 && first.1 == none.1);
    sight.opened(2);
    let second = seen();
    assert!(second.0 == first.0 && second.1 != first.1);
    sight.forget(GUILD, None);
    assert!(seen().0 != second.0 && seen().1 != second.1);
    sight.forget(4, None);
    assert_eq!(sight.leave(&one), sight.leave(&other), "another server");
}

#[test]
fn what_changed_while_it_was_looked_up_is_not_kept() {
    let sight = Sight::default();
    let moment = sight.moment();
    sight.forget(GUILD, None);
    sight.keep(1, &Place::Closed, (0, moment));
    assert_eq!(sight.place(1, 0), None);
    keep(&sight, 1, &Place::Private(2));
    sight.forget(GUILD, None);
    assert_eq!(sight.place(1, KEPT_MS), Some(Place::Private(2)), "a thread hangs where it hangs");
}
