//! The body of a message: content, embeds, files, mentions, reply, nonce.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::api_error::ApiError;
use super::super::discord_state::mentions::read_id;
use super::super::discord_state::model::flag;
use super::super::upload::Upload;
use super::{Complaints, component};

/// The most characters of a message's content.
pub(crate) const CONTENT_MAX: usize = 2_000;
/// The most characters of all embeds of a message together.
pub(crate) const EMBED_SUM_MAX: usize = 6_000;
/// The most bytes of one file.
pub(crate) const FILE_BYTES_MAX: usize = 10 * 1024 * 1024;
/// The most bytes of all files of a request.
pub(crate) const REQUEST_BYTES_MAX: usize = 25 * 1024 * 1024;
/// The most files of a message.
pub(crate) const FILES_MAX: usize = 10;

/// Refuses a new or edited message whose shape Discord would refuse.
pub(crate) fn check(body: &Value, files: &[Upload]) -> Result<(), ApiError> {
    if files.iter().any(|file| file.bytes.len() > FILE_BYTES_MAX)
        || files.iter().map(|file| file.bytes.len()).sum::<usize>() > REQUEST_BYTES_MAX
    {
        return Err(ApiError::too_large());
    }
    let mut wrong = Complaints::default();
    wrong.text("content", &body["content"], 0, CONTENT_MAX, false);
    wrong.boolean("tts", &body["tts"]);
    wrong.number("flags", &body["flags"], 0, i64::MAX, false);
    check_embeds(&mut wrong, &body["embeds"]);
    check_attachments(&mut wrong, &body["attachments"], files);
    check_allowed_mentions(&mut wrong, &body["allowed_mentions"]);
    check_nonce(&mut wrong, body);
    if !body["message_reference"].is_null() && read_id(&body["message_reference"]["message_id"]).is_none() {
        wrong.required("message_reference.message_id");
    }
    let is_v2 = body["flags"].as_u64().unwrap_or(0) & flag::COMPONENTS_V2 != 0;
    component::check(&mut wrong, &body["components"], is_v2);
    if is_v2 && (has_value(&body["content"]) || has_value(&body["embeds"])) {
        wrong.add(
            "content",
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
            "The 'content' and 'embeds' fields cannot be used when using MessageFlags.IS_COMPONENTS_V2",
        );
    }
    wrong.finish()
}

/// Whether a field has a non-empty value.
pub(crate) fn has_value(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => true,
    }
}

fn check_embeds(wrong: &mut Complaints, embeds: &Value) {
    let mut sum = 0;
    for (n, embed) in wrong.list("embeds", embeds, 0, 10).iter().enumerate() {
        sum += check_embed(wrong, &format!("embeds.{n}"), embed);
    }
    if sum > EMBED_SUM_MAX {
        let message = format!("Embed size exceeds maximum size of {EMBED_SUM_MAX}");
        wrong.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", message);
    }
}

/// Checks one embed and returns the characters that count toward [`EMBED_SUM_MAX`].
fn check_embed(wrong: &mut Complaints, at: &str, embed: &Value) -> usize {
    if !embed.is_object() {
        wrong.add(at, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType");
        return 0;
    }
    let mut sum = 0;
    let mut text = |wrong: &mut Complaints, path: String, value: &Value, max, required| {
        wrong.text(&path, value, usize::from(required), max, required);
        sum += value.as_str().map_or(0, |text| text.chars().count());
    };
    text(wrong, format!("{at}.title"), &embed["title"], 256, false);
    text(wrong, format!("{at}.description"), &embed["description"], 4_096, false);
    text(wrong, format!("{at}.footer.text"), &embed["footer"]["text"], 2_048, embed["footer"].is_object());
    text(wrong, format!("{at}.author.name"), &embed["author"]["name"], 256, embed["author"].is_object());
    let fields = wrong.list(&format!("{at}.fields"), &embed["fields"], 0, 25);
    for (n, field) in fields.iter().enumerate() {
        text(wrong, format!("{at}.fields.{n}.name"), &field["name"], 256, true);
        text(wrong, format!("{at}.fields.{n}.value"), &field["value"], 1_024, true);
    }
    wrong.number(&format!("{at}.color"), &embed["color"], 0, 0xFF_FFFF, false);
    check_url(wrong, &format!("{at}.url"), &embed["url"], &["http://", "https://"]);
    for picture in ["image", "thumbnail"] {
        let schemes = ["http://", "https://", "attachment://"];
        check_url(wrong, &format!("{at}.{picture}.url"), &embed[picture]["url"], &schemes);
    }
    sum
}

fn check_url(wrong: &mut Complaints, at: &str, url: &Value, schemes: &[&str]) {
    wrong.text(at, url, 0, 2_048, false);
    let known = url.as_str().is_none_or(|url| schemes.iter().any(|scheme| url.starts_with(scheme)));
    if !known {
        let message = format!("Scheme must be one of {schemes:?}.");
        wrong.add(at, "URL_TYPE_INVALID_SCHEME", message);
    }
}

/// Checks that `attachments` lists each new file by the number in its part's name, and kept files by id.
fn check_attachments(wrong: &mut Complaints, attachments: &Value, files: &[Upload]) {
    let listed = wrong.list("attachments", attachments, 0, FILES_MAX);
    if files.len() > FILES_MAX {
        wrong.add("attachments", "BASE_TYPE_BAD_LENGTH", "Must be between 0 and 10 in length.");
    }
    for (n, attachment) in listed.iter().enumerate() {
        wrong.text(&format!("attachments.{n}.description"), &attachment["description"], 0, 1_024, false);
        wrong.text(&format!("attachments.{n}.filename"), &attachment["filename"], 1, 1_024, false);
        if read_id(&attachment["id"]).is_none() {
            wrong.required(&format!("attachments.{n}.id"));
        }
    }
    let numbers: BTreeSet<u64> = files.iter().map(|file| file.number).collect();
    if numbers.len() != files.len() {
        wrong.add("attachments", "ATTACHMENT_DUPLICATE_ID", "Two files have the same number.");
    }
}

fn check_allowed_mentions(wrong: &mut Complaints, allowed: &Value) {
    if allowed.is_null() {
        return;
    }
    let parse = wrong.list("allowed_mentions.parse", &allowed["parse"], 0, 3);
    for (n, word) in parse.iter().enumerate() {
        if !["users", "roles", "everyone"].iter().any(|known| word == known) {
            let message = "Value must be one of {'everyone', 'users', 'roles'}.";
            wrong.add(format!("allowed_mentions.parse.{n}"), "BASE_TYPE_CHOICES", message);
        }
    }
    for named in ["users", "roles"] {
        let ids = wrong.list(&format!("allowed_mentions.{named}"), &allowed[named], 0, 100);
        if !ids.is_empty() && parse.iter().any(|word| word == named) {
            let message = format!("parse:[\"{named}\"] and {named}: [ids...] are mutually exclusive.");
            wrong.add("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message);
        }
        if ids.iter().any(|id| read_id(id).is_none()) {
            let message = "Value is not snowflake.";
            wrong.add(format!("allowed_mentions.{named}"), "NUMBER_TYPE_COERCE", message);
        }
        for (n, _) in ids.iter().enumerate().filter(|(n, id)| ids[..*n].contains(id)) {
            let message = "The set already contains this value";
            wrong.add(format!("allowed_mentions.{named}.{n}"), "SET_TYPE_ALREADY_CONTAINS_VALUE", message);
        }
    }
    wrong.boolean("allowed_mentions.replied_user", &allowed["replied_user"]);
}

fn check_nonce(wrong: &mut Complaints, body: &Value) {
    match &body["nonce"] {
        Value::Null | Value::Number(_) => {}
        nonce => wrong.text("nonce", nonce, 0, 25, false),
    }
    wrong.boolean("enforce_nonce", &body["enforce_nonce"]);
}
