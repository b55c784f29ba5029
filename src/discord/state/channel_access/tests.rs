use serde_json::json;

use super::permission_rules::tests::of;
use super::*;
use rookery_table::millis;

const GUILD: GuildId = GuildId(5);
const VIEW: u64 = 1 << 10;

/// Caches a place when nothing has changed since the lookup.
fn keep(channel_access: &ChannelAccess, channel: ChannelId, place: &Readers) {
    channel_access.keep(channel, place, (millis::timestamp(0), channel_access.grant_count()));
}

#[test]
fn cache_drops_old_and_changed_channels() {
    let channel_access = ChannelAccess::default();
    let place = Readers::ByRules(of(VIEW, &json!([])));
    keep(&channel_access, ChannelId(1), &place);
    keep(&channel_access, ChannelId(2), &Readers::Closed);
    keep(&channel_access, ChannelId(3), &Readers::SameAs(ChannelId(1)));
    assert_eq!(
        channel_access.place(ChannelId(1), Timestamp::UNIX_EPOCH + MAX_AGE - SignedDuration::from_millis(1)),
        Some(place)
    );
    assert_eq!(channel_access.place(ChannelId(1), Timestamp::UNIX_EPOCH + MAX_AGE), None);
    channel_access.forget(GUILD, Some(ChannelId(1)));
    assert_eq!(
        (
            channel_access.place(ChannelId(1), millis::timestamp(0)),
            channel_access.place(ChannelId(2), millis::timestamp(0)),
            channel_access.changes(GUILD)
        ),
        (None, None, 1)
    );
    assert_eq!(
        channel_access.place(ChannelId(3), Timestamp::UNIX_EPOCH + MAX_AGE),
        Some(Readers::SameAs(ChannelId(1))),
        "a thread hangs where it hangs"
    );
    assert_eq!(channel_access.changes(GuildId(4)), 0);
}

#[test]
fn a_change_concerns_a_channel_and_its_threads_or_a_whole_server() {
    let channel_access = ChannelAccess::default();
    keep(&channel_access, ChannelId(1), &Readers::ByRules(of(VIEW, &json!([]))));
    keep(&channel_access, ChannelId(3), &Readers::SameAs(ChannelId(1)));
    let concerned =
        |guild, changed| [1, 2, 3].map(|channel| channel_access.affects(guild, changed, ChannelId(channel)));
    assert_eq!(concerned(GUILD, Some(ChannelId(1))), [true, false, true]);
    assert_eq!(concerned(GUILD, Some(ChannelId(3))), [false, false, true]);
    assert_eq!(concerned(GUILD, None), [true; 3]);
    assert_eq!(concerned(GuildId(4), None), [false, true, false], "where the second is nobody knows");
}

#[test]
fn grants_apply_to_a_channel_or_a_whole_server() {
    let channel_access = ChannelAccess::default();
    let [one, other] =
        [1, 2].map(|channel| [GuildOrChannel::Guild(GUILD), GuildOrChannel::Channel(ChannelId(channel))]);
    let seen = || (channel_access.latest_grant(&one), channel_access.latest_grant(&other));
    let none = seen();
    channel_access.forget(GUILD, Some(ChannelId(1)));
    let first = seen();
    assert!(first.0 != none.0 && first.1 == none.1);
    channel_access.record_grant(GuildOrChannel::Channel(ChannelId(2)));
    let second = seen();
    assert!(second.0 == first.0 && second.1 != first.1);
    channel_access.forget(GUILD, None);
    assert!(seen().0 != second.0 && seen().1 != second.1);
    channel_access.forget(GuildId(4), None);
    assert_eq!(channel_access.latest_grant(&one), channel_access.latest_grant(&other), "another server");
}

#[test]
fn lookups_overtaken_by_a_change_are_not_cached() {
    let channel_access = ChannelAccess::default();
    let moment = channel_access.grant_count();
    channel_access.forget(GUILD, None);
    channel_access.keep(ChannelId(1), &Readers::Closed, (millis::timestamp(0), moment));
    assert_eq!(channel_access.place(ChannelId(1), millis::timestamp(0)), None);
    keep(&channel_access, ChannelId(1), &Readers::Private(ChannelId(2)));
    channel_access.forget(GUILD, None);
    assert_eq!(
        channel_access.place(ChannelId(1), Timestamp::UNIX_EPOCH + MAX_AGE),
        Some(Readers::Private(ChannelId(2))),
        "a thread hangs where it hangs"
    );
}

#[test]
fn grants_beyond_the_bound_count_for_every_channel() {
    let channel_access = ChannelAccess::default();
    let place = |number| GuildOrChannel::Channel(ChannelId(number));
    channel_access.record_grant(place(1));
    let refused = channel_access.grant_count();
    channel_access.record_grant(place(1));
    (2..=CACHE_CAPACITY as u64 + 1).for_each(|number| channel_access.record_grant(place(number)));
    assert!(channel_access.latest_grant(&[place(1)]) > refused, "the second grant is not lost");
}
