use super::*;

#[test]
fn nobody_is_pinged_unless_named() {
    let body = OutgoingMessage::text("<@1> and <@2> @everyone").ping([UserId(2)]).json(None);
    let wanted = json!({ "parse": [], "users": ["2"], "replied_user": false });
    assert_eq!(body["allowed_mentions"], wanted);
    assert_eq!(OutgoingMessage::text("x").json_edit()["allowed_mentions"]["users"], json!([]));
}

#[test]
fn a_role_is_pinged_only_if_named() {
    let post = OutgoingMessage::text("<@&1> <@&2>").ping_roles([RoleId(2)]);
    let wanted = json!({ "parse": [], "users": [], "roles": ["2"], "replied_user": false });
    assert_eq!(post.json(None)["allowed_mentions"], wanted);
}

#[test]
fn whoever_is_named_twice_is_pinged_once() {
    let post = OutgoingMessage::text("x").ping([UserId(2), UserId(1), UserId(2)]).ping([UserId(1)]);
    let body = post.ping_roles([RoleId(4)]).ping_roles([RoleId(3), RoleId(4)]).json(None);
    assert_eq!(body["allowed_mentions"]["users"], json!(["2", "1"]));
    assert_eq!(body["allowed_mentions"]["roles"], json!(["4", "3"]));
}

#[test]
fn unnamed_pings_are_appended_to_new_messages() {
    let post = OutgoingMessage::text("<@1> won <@&4>")
        .ping([1, 2, 12].map(UserId))
        .ping_roles([RoleId(4), RoleId(5)]);
    assert_eq!(post.json(None)["content"], "<@1> won <@&4>\n-# <@2> <@12> <@&5>");
    for other in [post.json_edit(), post.json_private()] {
        assert_eq!(other["content"], post.content, "nobody is called by these");
    }
    let named = OutgoingMessage::text("<@1> won").ping([UserId(1)]);
    assert_eq!(named.json(None)["content"], named.content);
    for (left, added) in [(12, 0), (13, 1), (22, 1), (23, 2)] {
        let long = "x".repeat(MAX_CONTENT_CHARS - left);
        let told = OutgoingMessage::text(&long).ping([1, 2].map(|n| UserId(n + 123_456))).json(None);
        let told = told["content"].as_str().unwrap();
        assert!(told.starts_with(&long) && told.len() <= MAX_CONTENT_CHARS);
        assert_eq!(told.matches("<@").count(), added, "with room for {left}");
    }
}

#[test]
fn a_nonce_is_enforced() {
    let body = OutgoingMessage::text("x").json(Some("K7Q2-1"));
    assert_eq!(body["nonce"], "K7Q2-1");
    assert_eq!(body["enforce_nonce"], true);
}

#[test]
fn silence_is_asked_for_once_and_not_in_edits() {
    let post = OutgoingMessage::text("x").silent();
    assert_eq!(post.json(None)["flags"], 4_096);
    assert!(post.json_edit().get("flags").is_none());
    assert_eq!(post.json_private()["flags"], 64);
}

#[test]
fn stripping_touches_neither_text_nor_picture() {
    let body = OutgoingMessage::edit_without_buttons().json_edit();
    assert_eq!(body["components"], json!([]));
    assert!(body.get("content").is_none());
    assert!(body.get("attachments").is_none());
}

#[test]
fn edit_text_keeps_the_picture() {
    let body = OutgoingMessage::edit_text("K7Q2 · 1. d1-d7/g7").json_edit();
    assert_eq!((&body["content"], &body["components"]), (&json!("K7Q2 · 1. d1-d7/g7"), &json!([])));
    assert!(body.get("attachments").is_none());
}
