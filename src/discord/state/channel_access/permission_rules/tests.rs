use serde_json::{Value, json};

use super::*;

const GUILD: u64 = 5;
const OWNER: u64 = 90;
const ADA: u64 = 91;

/// A server: `@everyone` has the permissions `base`, role 6 can view channels, role 7 has none, role 8 is an
/// administrator.
fn guild(base: u64) -> Guild {
    let role =
        |id: u64, permissions: u64| json!({"id": id.to_string(), "permissions": permissions.to_string()});
    let roles = json!([role(GUILD, base), role(6, VIEW), role(7, 0), role(8, ADMINISTRATOR)]);
    let info = json!({"owner_id": OWNER.to_string(), "roles": roles});
    Guild::new(GuildId(GUILD), &serde_json::from_value(info).unwrap())
}

/// The rules of a channel with these overwrites, on a server where `@everyone` has `base`.
pub(in crate::discord::state::channel_access) fn of(base: u64, rules: &Value) -> PermissionRules {
    let channel = json!({"type": 0, "guild_id": "5", "parent_id": null, "permission_overwrites": rules});
    PermissionRules::new(&guild(base), &serde_json::from_value(channel).unwrap())
}

fn rule(id: u64, allow: u64, deny: u64) -> Value {
    json!({"id": id.to_string(), "type": 0, "allow": allow.to_string(), "deny": deny.to_string()})
}

#[test]
fn what_everybody_sees_may_be_shown_anywhere() {
    let staff = of(VIEW, &json!([rule(GUILD, 0, VIEW), rule(6, VIEW, 0)]));
    for open in [
        of(VIEW, &json!([])),
        of(0, &json!([rule(GUILD, VIEW, 0)])),
        of(VIEW, &json!([rule(6, VIEW, 0), rule(7, 1 << 11, 1 << 12)])),
        of(ADMINISTRATOR, &json!([rule(GUILD, 0, VIEW)])),
    ] {
        assert!(open.open && open.includes_readers_of(&staff), "{open:?}");
        assert!(!staff.includes_readers_of(&open), "{open:?}");
    }
}

#[test]
fn what_some_see_may_be_shown_to_the_same_people_alone() {
    let staff = of(VIEW, &json!([rule(GUILD, 0, VIEW), rule(6, VIEW, 0)]));
    let other = of(VIEW, &json!([rule(6, VIEW | 1 << 11, 0), rule(GUILD, 1 << 11, VIEW)]));
    assert!(other.includes_readers_of(&staff), "other rights make no difference");
    let wider = of(VIEW, &json!([rule(GUILD, 0, VIEW), rule(6, VIEW, 0), rule(9, VIEW, 0)]));
    assert!(!staff.includes_readers_of(&wider));
    let gated = of(0, &json!([]));
    assert!(!gated.open && gated.includes_readers_of(&of(0, &json!([]))), "both by the same roles");
    assert!(!of(VIEW, &json!([rule(8, 0, VIEW)])).open, "somebody is kept out");
    let elsewhere = PermissionRules { guild: GuildId(4), ..staff.clone() };
    assert!(!staff.includes_readers_of(&elsewhere));
}

/// Who can read: a member without roles, with role 6, with 7, with both, and Ada without roles.
fn readers(base: u64, rules: &Value) -> [bool; 5] {
    let door = of(base, rules);
    let can_read = |who, roles: &[RoleId]| door.can_read(&guild(base), who, roles);
    [
        can_read(UserId(92), &[]),
        can_read(UserId(92), &[RoleId(6)]),
        can_read(UserId(92), &[RoleId(7)]),
        can_read(UserId(92), &[RoleId(6), RoleId(7)]),
        can_read(UserId(ADA), &[]),
    ]
}

#[test]
fn a_reader_is_let_in_by_discords_order_of_overwrites() {
    let (all, none) = ([true; 5], [false; 5]);
    for (base, rules, expected) in [
        (VIEW, json!([]), all),
        (0, json!([]), [false, true, false, true, false]),
        (VIEW, json!([rule(GUILD, 0, VIEW)]), none),
        (0, json!([rule(GUILD, VIEW, 0)]), all),
        // An allow of any role wins over a deny of another.
        (VIEW, json!([rule(6, 0, VIEW), rule(7, VIEW, 0)]), [true, false, true, true, true]),
        (VIEW, json!([rule(GUILD, 0, VIEW), rule(7, VIEW, 0)]), [false, false, true, true, false]),
        // The member's own overwrite is applied last and overrides all others.
        (VIEW, json!([rule(GUILD, 0, VIEW), rule(ADA, VIEW, 0)]), [false, false, false, false, true]),
        (VIEW, json!([rule(ADA, 0, VIEW)]), [true, true, true, true, false]),
        (0, json!([rule(ADA, 1 << 11, 0)]), [false, true, false, true, false]),
    ] {
        assert_eq!(readers(base, &rules), expected, "{base} {rules}");
    }
}

#[test]
fn an_owner_and_an_administrator_read_everything() {
    let closed = json!([rule(GUILD, 0, VIEW), rule(8, 0, VIEW), rule(OWNER, 0, VIEW)]);
    let door = of(0, &closed);
    assert!(
        door.can_read(&guild(0), UserId(OWNER), &[]) && door.can_read(&guild(0), UserId(ADA), &[RoleId(8)])
    );
    assert!(!door.can_read(&guild(0), UserId(ADA), &[RoleId(7)]));
    assert!(
        door.can_read(&guild(0), UserId(ADA), &[RoleId(404), RoleId(8)]),
        "a role that is gone says nothing"
    );
}

#[test]
fn private_threads_are_open_to_those_who_look_after_threads() {
    let moderates = |base, rules: &Value, roles: &[RoleId]| {
        of(base, rules).can_moderate(&guild(base), UserId(ADA), roles)
    };
    assert!(!moderates(VIEW, &json!([]), &[RoleId(6)]) && moderates(VIEW | MANAGE_THREADS, &json!([]), &[]));
    assert!(moderates(VIEW, &json!([rule(7, MANAGE_THREADS, 0)]), &[RoleId(7)]));
    assert!(!moderates(VIEW | MANAGE_THREADS, &json!([rule(7, 0, MANAGE_THREADS)]), &[RoleId(7)]));
    assert!(
        !moderates(MANAGE_THREADS, &json!([]), &[]),
        "whoever does not see the channel sees nothing in it"
    );
    assert!(moderates(0, &json!([]), &[RoleId(8)]));
}

#[test]
fn a_channel_is_told_from_its_threads() {
    let kind = |kind: u8, guild: Option<&str>, parent: Option<&str>| {
        let channel = json!({"type": kind, "guild_id": guild, "parent_id": parent});
        serde_json::from_value::<Channel>(channel).unwrap().kind()
    };
    assert_eq!(kind(0, Some("5"), Some("4")), Kind::OfServer(GuildId(5)), "a channel in a category");
    assert_eq!(kind(10, Some("5"), Some("6")), Kind::Thread(ChannelId(6)));
    assert_eq!(kind(11, Some("5"), Some("6")), Kind::Thread(ChannelId(6)));
    assert_eq!(kind(12, Some("5"), Some("6")), Kind::PrivateThread(ChannelId(6)));
    assert_eq!(kind(11, Some("5"), None), Kind::Other);
    assert_eq!(kind(1, None, None), Kind::Other);
}
