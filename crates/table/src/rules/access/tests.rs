use super::AccessError::{
    self, Banned, Bot, ChannelClosed, LinkOnly, NoSuchTable, NotMember, SightUnknown, TryAgain,
};
use super::*;

const OK: Result<(), AccessError> = Ok(());

const MEMBER: Viewer = Viewer { reads_channel: TriState::Yes, is_member: TriState::Yes, ..STRANGER };
const STRANGER: Viewer = Viewer {
    relation: Relation::None,
    reads_channel: TriState::No,
    is_member: TriState::No,
    is_banned: false,
    is_bot: false,
    holds_link: false,
};

fn tied(relation: Relation, viewer: Viewer) -> Viewer {
    Viewer { relation, ..viewer }
}

/// The results for see, join, act and be notified.
fn row(viewer: Viewer, venue: Venue) -> [Result<(), AccessError>; 4] {
    Action::ALL.map(|action| check(action, &viewer, venue))
}

#[test]
fn access_on_a_server_follows_the_table_in_the_module_docs() {
    let shut_out = Viewer { is_member: TriState::Yes, ..STRANGER };
    let rows = [
        (tied(Relation::Seated, MEMBER), [OK; 4]),
        (tied(Relation::Seated, shut_out), [OK, Err(ChannelClosed), OK, OK]),
        (tied(Relation::Seated, STRANGER), [OK, Err(NotMember), OK, OK]),
        (tied(Relation::Invited, MEMBER), [OK; 4]),
        (tied(Relation::Invited, shut_out), [OK, Err(ChannelClosed), OK, OK]),
        (tied(Relation::Invited, STRANGER), [OK, Err(NotMember), OK, OK]),
        (MEMBER, [OK; 4]),
        (shut_out, [Err(NoSuchTable); 4]),
        (STRANGER, [Err(NoSuchTable); 4]),
        (Viewer::LINK_HOLDER, [OK, Err(LinkOnly), Err(LinkOnly), Err(LinkOnly)]),
        (Viewer { holds_link: true, ..MEMBER }, [OK; 4]),
        (Viewer { is_banned: true, ..tied(Relation::Seated, MEMBER) }, [OK, Err(Banned), OK, OK]),
        (Viewer { is_banned: true, ..MEMBER }, [Err(Banned); 4]),
        (Viewer { is_banned: true, ..STRANGER }, [Err(NoSuchTable); 4]),
        (Viewer { is_bot: true, ..tied(Relation::Seated, MEMBER) }, [Err(Bot); 4]),
    ];
    for (viewer, expected) in rows {
        assert_eq!(row(viewer, Venue::Server), expected, "{viewer:?}");
    }
}

#[test]
fn access_in_direct_messages_takes_no_membership() {
    let partner = Viewer { reads_channel: TriState::Yes, ..STRANGER };
    for viewer in [tied(Relation::Invited, STRANGER), tied(Relation::Seated, STRANGER), partner] {
        assert_eq!(row(viewer, Venue::Direct), [OK; 4], "{viewer:?}");
    }
    assert_eq!(row(STRANGER, Venue::Direct), [Err(NoSuchTable); 4]);
    let banned = Viewer { is_banned: true, ..tied(Relation::Seated, STRANGER) };
    assert_eq!(row(banned, Venue::Direct), [OK; 4], "a server's ban ends at its own tables");
}

#[test]
fn access_to_a_study_is_its_owners() {
    assert_eq!(row(tied(Relation::Seated, STRANGER), Venue::Study), [OK; 4]);
    assert_eq!(row(MEMBER, Venue::Study), [Err(NoSuchTable); 4], "who reads the channel has no part in it");
    let linked = [OK, Err(LinkOnly), Err(LinkOnly), Err(LinkOnly)];
    assert_eq!(row(Viewer::LINK_HOLDER, Venue::Study), linked);
}

#[test]
fn access_without_an_answer_from_discord_locks_nobody_out_of_their_game() {
    let unknown = Viewer { reads_channel: TriState::Unknown, is_member: TriState::Unknown, ..STRANGER };
    assert_eq!(row(unknown, Venue::Server), [Err(SightUnknown); 4]);
    for relation in [Relation::Seated, Relation::Invited] {
        assert_eq!(row(tied(relation, unknown), Venue::Server), [OK, Err(TryAgain), OK, OK]);
    }
    let left = Viewer { is_member: TriState::No, ..unknown };
    assert_eq!(check(Action::Join, &tied(Relation::Invited, left), Venue::Server), Err(NotMember));
    assert_eq!(row(Viewer { is_banned: true, ..unknown }, Venue::Server), [Err(SightUnknown); 4]);
}

#[test]
fn access_to_public_lists_takes_that_every_reader_sees_the_table() {
    for venue in [Venue::Server, Venue::Direct] {
        assert_eq!(may_list(venue, TriState::Yes), OK);
        assert_eq!(may_list(venue, TriState::No), Err(NoSuchTable));
        assert_eq!(may_list(venue, TriState::Unknown), Err(SightUnknown));
    }
    for readers_see in [TriState::Yes, TriState::No, TriState::Unknown] {
        assert_eq!(may_list(Venue::Study, readers_see), Err(NoSuchTable));
    }
}
