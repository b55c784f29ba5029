//! Global application commands: the whole list at once, or one by one.

use serde_json::{Value, json};

use super::super::check::command as check;
use super::super::id::Id;
use super::super::refusal::Refusal;
use super::super::world::{Key, World};
use super::call::{Call, Reply};

/// `GET /applications/{application}/commands`
pub(super) fn list(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    own(world, call)?;
    let with_languages = call.query.get("with_localizations").is_some_and(|it| it == "true");
    let shown = world.commands.values().map(|it| if with_languages { it.clone() } else { plain(it) });
    Ok(Reply::Json(shown.collect()))
}

/// `PUT /applications/{application}/commands`: what is not in the list is gone; ids are kept by name.
pub(super) fn overwrite(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    own(world, call)?;
    let Some(list) = call.body.as_array() else {
        let error =
            json!({"code": "LIST_TYPE_CONVERT", "message": "Only iterables may be used in a ListType"});
        return Err(Refusal::invalid_form(json!({"_errors": [error]})));
    };
    check::check_all(list)?;
    let before = std::mem::take(&mut world.commands);
    before.keys().for_each(|id| world.touch(Key::Command(*id)));
    let mut shown = Vec::new();
    for command in list {
        let same = before.iter().find(|(_, old)| is_same(old, command));
        let id = same.map_or_else(|| world.new_id(), |(id, _)| *id);
        shown.push(world.keep_command(id, command, same.map(|(_, old)| old)));
    }
    tell(world);
    Ok(Reply::Json(Value::Array(shown)))
}

/// `POST /applications/{application}/commands`: new, or in place of the one with the same name.
pub(super) fn create(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    own(world, call)?;
    check::check_one(&call.body)?;
    let same = world.commands.iter().find(|(_, old)| is_same(old, &call.body));
    let (id, old) = match same.map(|(id, old)| (*id, old.clone())) {
        Some((id, old)) => (id, Some(old)),
        None => (world.new_id(), None),
    };
    let mut all: Vec<Value> = world.commands.values().filter(|it| it["id"] != json!(id)).cloned().collect();
    all.push(call.body.clone());
    check::check_all(&all)?;
    let shown = world.keep_command(id, &call.body, old.as_ref());
    tell(world);
    Ok(if old.is_some() { Reply::Json(shown) } else { Reply::Created(shown) })
}

/// `GET /applications/{application}/commands/{command}`
pub(super) fn get(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    own(world, call)?;
    let found = world.commands.get(&call.id("command")?).ok_or_else(Refusal::unknown_command)?;
    Ok(Reply::Json(found.clone()))
}

/// `PATCH /applications/{application}/commands/{command}`
pub(super) fn edit(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    own(world, call)?;
    let id = call.id("command")?;
    let old = world.commands.get(&id).cloned().ok_or_else(Refusal::unknown_command)?;
    let mut changed = old.clone();
    for (key, value) in call.body.as_object().into_iter().flatten() {
        changed[key] = value.clone();
    }
    check::check_one(&changed)?;
    let shown = world.keep_command(id, &changed, Some(&old));
    tell(world);
    Ok(Reply::Json(shown))
}

/// `DELETE /applications/{application}/commands/{command}`
pub(super) fn delete(world: &mut World, call: &Call) -> Result<Reply, Refusal> {
    own(world, call)?;
    let id = call.id("command")?;
    world.commands.remove(&id).ok_or_else(Refusal::unknown_command)?;
    world.touch(Key::Command(id));
    tell(world);
    Ok(Reply::Nothing)
}

fn own(world: &World, call: &Call) -> Result<(), Refusal> {
    if call.id("application")? == world.bot_id { Ok(()) } else { Err(Refusal::unknown_application()) }
}

fn is_same(old: &Value, new: &Value) -> bool {
    old["name"] == new["name"] && check::kind_of(old) == check::kind_of(new)
}

fn tell(world: &mut World) {
    let commands: Vec<Value> = world.commands.values().cloned().collect();
    world.tell_people(None, "COMMANDS_UPDATE", json!({"commands": commands}));
}

/// A command without its other languages, at every depth.
fn plain(command: &Value) -> Value {
    let mut shown = command.clone();
    if let Some(fields) = shown.as_object_mut() {
        fields.retain(|key, _| !key.ends_with("_localizations"));
        for inside in ["options", "choices"] {
            if let Some(list) = fields.get_mut(inside).and_then(Value::as_array_mut) {
                list.iter_mut().for_each(|one| *one = plain(one));
            }
        }
    }
    shown
}

impl World {
    /// Keeps a command with what Discord adds to it; a new version where it differs from the old.
    fn keep_command(&mut self, id: Id, body: &Value, old: Option<&Value>) -> Value {
        let mut kept = json!({"id": id, "application_id": self.bot_id, "type": check::kind_of(body),
            "description": "", "options": [], "default_member_permissions": null, "dm_permission": true,
            "nsfw": false, "contexts": null, "integration_types": [0],
            "name_localizations": null, "description_localizations": null});
        for (key, value) in body.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
            kept[key] = value.clone();
        }
        kept["id"] = json!(id);
        kept["version"] = old.map_or(Value::Null, |old| old["version"].clone());
        if old != Some(&kept) {
            kept["version"] = json!(self.new_id());
        }
        self.commands.insert(id, kept.clone());
        self.touch(Key::Command(id));
        kept
    }
}
