//! Discord's events, with each part omitted, set to null and replaced by another type in turn: parts that are
//! not needed change nothing.

use std::collections::BTreeSet;

use rookery_playground::json_pointers::{pointers, remove};

use super::*;

const ME: UserId = UserId(1_200_000_000_000_000_001);
const OWN_ROLE: u64 = 539_082_325_061_837_111;

/// An event and the function that reads it.
struct Sample {
    event: Json,
    read: fn(&Json) -> Result<String, Missing>,
}

/// Formats everything that is read of a command.
fn read_command(from: &Json) -> Result<String, Missing> {
    command(from).map(|read| format!("{:?} {read:?}", kind(from)))
}

fn read_press(from: &Json) -> Result<String, Missing> {
    press(from).map(|read| format!("{:?} {read:?}", kind(from)))
}

fn read_message(from: &Json) -> Result<String, Missing> {
    assert!(is_written(from, ME), "{from}");
    message(from, ME, Some(RoleId(OWN_ROLE))).map(|message| format!("{message:?}"))
}

fn sample(text: &str, read: fn(&Json) -> Result<String, Missing>) -> Sample {
    Sample { event: serde_json::from_str(text).unwrap(), read }
}

macro_rules! event {
    ($name:literal) => {
        include_str!(concat!("../../../../tests/data/events/", $name, ".json"))
    };
}

impl Sample {
    /// Removes each part in turn: returns the parts without which reading fails, and those without which the
    /// result differs. All other parts make no difference.
    fn losses(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut needed, mut told) = (BTreeSet::new(), BTreeSet::new());
        let whole = (self.read)(&self.event).unwrap();
        for pointer in pointers(&self.event) {
            for read in self.without(&pointer) {
                match read {
                    Err(_) => drop(needed.insert(pointer.clone())),
                    Ok(read) if read != whole => drop(told.insert(pointer.clone())),
                    Ok(_) => {}
                }
            }
        }
        (needed, told)
    }

    /// Reads the event without a part, with null in its place, and with a value of another type.
    fn without(&self, pointer: &str) -> [Result<String, Missing>; 3] {
        let mut left_out = self.event.clone();
        remove(&mut left_out, pointer);
        let put = |part: Json| {
            let mut event = self.event.clone();
            *event.pointer_mut(pointer).unwrap() = part;
            event
        };
        [left_out, put(Json::Null), put(json!([[{"odd": 1.5}]]))].map(|event| (self.read)(&event))
    }

    fn needs(&self, needed: &[&str], told: &[&str]) {
        let set = |pointers: &[&str]| pointers.iter().map(|one| (*one).to_owned()).collect::<BTreeSet<_>>();
        let losses = self.losses();
        assert_eq!(losses.0, set(needed), "needed");
        assert_eq!(losses.1, set(told), "told");
    }
}

/// The optional parts of every interaction that change the result.
const OPTIONAL_PARTS: [&str; 8] = [
    "/app_permissions",
    "/channel",
    "/channel/parent_id",
    "/guild_locale",
    "/locale",
    "/member/roles",
    "/member/roles/0",
    "/member/roles/1",
];

fn and(more: &[&'static str]) -> Vec<&'static str> {
    OPTIONAL_PARTS.iter().chain(more).copied().collect()
}

#[test]
fn a_command_needs_its_name_its_asker_and_what_answers_it() {
    let needed = ["/data", "/data/name", "/id", "/member", "/member/user", "/member/user/id", "/token"];
    let told = and(&[
        "/data/options",
        "/data/options/0",
        "/data/options/0/name",
        "/data/options/0/options",
        "/data/options/0/options/0",
        "/data/options/0/options/0/name",
        "/data/options/0/options/0/value",
        "/data/options/0/options/1",
        "/data/options/0/options/1/name",
        "/data/options/0/options/1/value",
        "/data/options/0/options/2",
        "/data/options/0/options/2/name",
        "/data/options/0/options/2/value",
        "/data/options/0/options/3",
        "/data/options/0/options/3/name",
        "/data/options/0/options/3/value",
        "/data/resolved",
        "/data/resolved/users",
        "/data/resolved/users/80351110224678999",
        "/data/resolved/users/80351110224678999/bot",
        "/data/resolved/attachments",
        "/data/resolved/attachments/1300000000000000050",
        "/data/resolved/attachments/1300000000000000050/size",
        "/data/resolved/attachments/1300000000000000050/url",
    ]);
    sample(event!("command"), read_command).needs(&needed, &told);
}

#[test]
fn a_press_needs_its_button_its_presser_and_what_answers_it() {
    let needed = ["/data", "/data/custom_id", "/id", "/member", "/member/user", "/member/user/id", "/token"];
    let told = and(&[
        "/data/values",
        "/data/values/0",
        "/data/values/1",
        "/message",
        "/message/content",
        "/message/flags",
        "/message/id",
    ]);
    sample(event!("component"), read_press).needs(&needed, &told);
}

#[test]
fn what_is_being_typed_needs_no_more_than_a_command() {
    let needed = ["/data", "/data/name", "/id", "/member", "/member/user", "/member/user/id", "/token"];
    let told = and(&[
        "/data/options",
        "/data/options/0",
        "/data/options/0/focused",
        "/data/options/0/name",
        "/data/options/0/value",
        "/data/options/1",
        "/data/options/1/name",
        "/data/options/1/value",
    ]);
    sample(event!("autocomplete"), read_command).needs(&needed, &told);
}

#[test]
fn a_command_of_the_menu_needs_no_more_than_a_command() {
    let needed = ["/data", "/data/name", "/id", "/member", "/member/user", "/member/user/id", "/token"];
    let told = and(&[
        "/data/resolved",
        "/data/target_id",
        "/data/resolved/messages",
        "/data/resolved/messages/1300000000000000090",
        "/data/resolved/messages/1300000000000000090/attachments",
        "/data/resolved/messages/1300000000000000090/attachments/0",
        "/data/resolved/messages/1300000000000000090/attachments/0/size",
        "/data/resolved/messages/1300000000000000090/attachments/0/url",
        "/data/resolved/messages/1300000000000000090/components",
        "/data/resolved/messages/1300000000000000090/components/0",
        "/data/resolved/messages/1300000000000000090/components/0/components",
        "/data/resolved/messages/1300000000000000090/components/0/components/0",
        "/data/resolved/messages/1300000000000000090/components/0/components/0/custom_id",
        "/data/resolved/messages/1300000000000000090/content",
    ]);
    sample(event!("menu"), read_command).needs(&needed, &told);
}

#[test]
fn a_message_needs_its_id_its_channel_and_its_writer() {
    let needed = ["/author", "/author/id", "/channel_id", "/guild_id", "/id"];
    let told = [
        "/content",
        "/member",
        "/member/roles",
        "/member/roles/0",
        "/member/roles/1",
        "/mentions",
        "/mentions/0",
        "/mentions/0/id",
        "/mentions/1",
        "/mentions/1/bot",
        "/mentions/1/id",
        "/referenced_message",
        "/referenced_message/author",
        "/referenced_message/author/id",
        "/referenced_message/components",
        "/referenced_message/components/0",
        "/referenced_message/components/0/components",
        "/referenced_message/components/0/components/0",
        "/referenced_message/components/0/components/0/custom_id",
    ];
    sample(event!("message"), read_message).needs(&needed, &told);
}

#[test]
fn a_form_is_a_press_with_the_typed_text_and_recognised_without_its_type_too() {
    let mut form: Json = serde_json::from_str(event!("modal")).unwrap();
    assert_eq!(kind(&form), Kind::Component);
    assert_eq!(press(&form).unwrap().1.values, ["hello"]);
    remove(&mut form, "/type");
    assert_eq!(kind(&form), Kind::Component);
}

#[test]
fn nothing_of_a_server_is_taken_for_a_direct_message() {
    let mut event: Json = serde_json::from_str(event!("component")).unwrap();
    remove(&mut event, "/guild_id");
    assert_eq!(press(&event).unwrap().0.place.guild, Some(GuildId(290_926_798_626_357_999)), "by its guild");
    remove(&mut event, "/guild");
    assert_eq!(press(&event).unwrap_err(), Missing("guild_id"));
}

#[test]
fn what_programs_write_and_what_discord_writes_is_no_message() {
    let ok = json!({"id": "1", "channel_id": "2", "author": {"id": "3"}});
    assert!(is_written(&ok, ME));
    for (pointer, value) in [("type", json!(7)), ("webhook_id", json!("9")), ("author", json!({"bot": true}))]
    {
        let mut other = ok.clone();
        other[pointer] = value;
        assert!(!is_written(&other, ME), "{pointer}");
    }
    let mut own = ok.clone();
    own["author"] = json!({"id": ME.0.to_string()});
    assert!(!is_written(&own, ME), "our own, though nothing says that a bot wrote it");
}
