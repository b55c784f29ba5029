//! A person's hands and eyes, for tests.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::super::check::command::option;
use super::super::hub::Hub;
use super::super::id::Id;
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::world::model::{Answer, Interaction};
use super::seen::Seen;

/// How long anything is waited for, in real time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Nothing of what was waited for came.
#[derive(Debug, thiserror::Error)]
#[error("waited {PATIENCE:?} for {0}, in vain")]
pub struct TooLate(pub String);

/// One person: what they do goes through the same functions as a page's requests.
#[derive(Clone)]
pub struct Person {
    pub(crate) hub: Arc<Hub>,
    /// Their user id.
    pub id: Id,
    /// The name people see.
    pub name: String,
}

/// Something a person asked of the bot, whose answer can be waited for.
#[derive(Clone)]
pub struct Asked {
    hub: Arc<Hub>,
    /// The interaction's id.
    pub id: Id,
    user: Id,
}

impl Person {
    /// `<@id>`: how the person is mentioned in a text.
    pub fn mention(&self) -> String {
        format!("<@{}>", self.id)
    }

    /// Says something in a channel, thread or DM.
    ///
    /// # Errors
    /// What Discord's client would refuse: no permission, no such channel, too long.
    pub fn say(&self, channel: Id, text: &str) -> Result<Seen, Refusal> {
        self.post(channel, text, None)
    }

    /// Replies to a message, pinging its author as Discord's client does by itself.
    ///
    /// # Errors
    /// As [`Person::say`], and where the message is not seen.
    pub fn reply(&self, message: &Seen, text: &str) -> Result<Seen, Refusal> {
        self.post(message.channel, text, Some((message.id, true)))
    }

    /// Replies to a message with the ping turned off.
    ///
    /// # Errors
    /// As [`Person::reply`].
    pub fn reply_silently(&self, message: &Seen, text: &str) -> Result<Seen, Refusal> {
        self.post(message.channel, text, Some((message.id, false)))
    }

    fn post(&self, channel: Id, text: &str, reply_to: Option<(Id, bool)>) -> Result<Seen, Refusal> {
        self.hub.change(|world| {
            let id = world.say(self.id, channel, text, reply_to, &[])?;
            Ok(seen(world, channel, id))
        })
    }

    /// Edits an own message.
    ///
    /// # Errors
    /// Where it is somebody else's or gone.
    pub fn edit(&self, message: &Seen, text: &str) -> Result<(), Refusal> {
        self.hub.change(|world| world.edit_by(self.id, message.channel, message.id, text))
    }

    /// Deletes an own message, or dismisses an ephemeral one.
    ///
    /// # Errors
    /// Where it is somebody else's or gone.
    pub fn delete(&self, message: &Seen) -> Result<(), Refusal> {
        self.hub.change(|world| world.delete_by(self.id, message.channel, message.id))
    }

    /// Opens the DM with the bot (or finds it).
    pub fn dm(&self) -> Id {
        self.hub.change(|world| world.open_dm(self.id, world.bot_id))
    }

    /// Direct messages with another person, where the bot is not.
    pub fn dm_with(&self, other: &Person) -> Id {
        self.hub.change(|world| world.open_dm(self.id, other.id))
    }

    /// Says whether others may write to this person directly.
    pub fn let_dms_in(&self, open: bool) {
        self.hub.change(|world| {
            if let Some(user) = world.users.get_mut(&self.id) {
                user.dms_open = open;
            }
            world.touch(super::super::world::Key::User(self.id));
        });
    }

    /// Says in which language this person's client is (`en-US`, `de`, …).
    pub fn speak(&self, locale: &str) {
        self.hub.change(|world| {
            if let Some(user) = world.users.get_mut(&self.id) {
                user.locale = locale.to_owned();
            }
            world.touch(super::super::world::Key::User(self.id));
        });
    }

    /// Uses a slash command: `"play"`, or with its sub-command `"play amazons"`; `options` maps names to values.
    ///
    /// # Errors
    /// What Discord's client would refuse: no such command, a missing or unfitting option, the wrong place.
    pub fn slash(&self, channel: Id, command: &str, options: &Value) -> Result<Asked, Refusal> {
        self.ask(|world| {
            let data = slash_data(world, command, options, None);
            world.command_by(self.id, channel, &data, false)
        })
    }

    /// Uses a command of the menu on a person.
    ///
    /// # Errors
    /// As [`Person::slash`].
    pub fn on_user(&self, channel: Id, command: &str, target: Id) -> Result<Asked, Refusal> {
        let data = json!({"type": 2, "name": command, "target_id": target});
        self.ask(|world| world.command_by(self.id, channel, &data, false))
    }

    /// Uses a command of the menu on a message.
    ///
    /// # Errors
    /// As [`Person::slash`].
    pub fn on_message(&self, message: &Seen, command: &str) -> Result<Asked, Refusal> {
        let data = json!({"type": 3, "name": command, "target_id": message.id});
        self.ask(|world| world.command_by(self.id, message.channel, &data, false))
    }

    /// Presses the button with this custom id ([`Seen::button`] finds it by its label).
    ///
    /// # Errors
    /// Where the button is not there (any more) or disabled.
    pub fn click(&self, message: &Seen, custom_id: &str) -> Result<Asked, Refusal> {
        self.choose(message, custom_id, &[])
    }

    /// Presses the button with this custom id twice before anybody can have answered the first press.
    ///
    /// # Errors
    /// As [`Person::click`].
    pub fn click_twice(&self, message: &Seen, custom_id: &str) -> Result<[Asked; 2], Refusal> {
        let data = json!({"custom_id": custom_id, "values": []});
        let ids = self.hub.change(|world| {
            let mut press = || world.press_by(self.id, message.channel, message.id, &data);
            Ok([press()?, press()?])
        })?;
        Ok(ids.map(|id| {
            self.hub.expire(id);
            Asked { hub: self.hub.clone(), id, user: self.id }
        }))
    }

    /// Chooses values in the select with this custom id.
    ///
    /// # Errors
    /// Where the select or a value is not there, or the number of values does not fit.
    pub fn choose(&self, message: &Seen, custom_id: &str, values: &[&str]) -> Result<Asked, Refusal> {
        let data = json!({"custom_id": custom_id, "values": values});
        self.ask(|world| world.press_by(self.id, message.channel, message.id, &data))
    }

    /// Submits the open form with this custom id; `typed` maps input ids to texts.
    ///
    /// # Errors
    /// Where no such form is open, or a text is missing, too short or too long.
    pub fn submit_modal(&self, custom_id: &str, typed: &Value) -> Result<Asked, Refusal> {
        let typed = |input: &str| typed[input].as_str().map(str::to_owned);
        self.ask(|world| world.submit_by(self.id, custom_id, &typed))
    }

    /// Types into the option `focused` of a slash command: the choices (`name`, `value`) the bot offers.
    ///
    /// # Errors
    /// As [`Person::slash`]; a bot that offers none in time gives an empty list.
    pub async fn complete(
        &self,
        channel: Id,
        command: &str,
        options: &Value,
        focused: &str,
    ) -> Result<Vec<Value>, Refusal> {
        let asked = self.ask(|world| {
            let data = slash_data(world, command, options, Some(focused));
            world.command_by(self.id, channel, &data, true)
        })?;
        match asked.answer().await {
            Ok(Answer::Choices(choices)) => Ok(choices),
            _ => Ok(Vec::new()),
        }
    }

    /// Has a file ready to be given to a command: the value of an option that wants one.
    pub fn bring(&self, filename: &str, bytes: &[u8]) -> Id {
        self.hub.change(|world| world.bring(filename, bytes))
    }

    fn ask(&self, ask: impl FnOnce(&mut World) -> Result<Id, Refusal>) -> Result<Asked, Refusal> {
        let id = self.hub.change(ask)?;
        self.hub.expire(id);
        Ok(Asked { hub: self.hub.clone(), id, user: self.id })
    }

    /// The messages of a channel as this person sees them, oldest first.
    pub fn messages(&self, channel: Id) -> Vec<Seen> {
        self.hub.look(|world| {
            let newest_first = world.seen_in(self.id, channel, None, usize::MAX).unwrap_or_default();
            newest_first.into_iter().rev().map(|it| seen(world, channel, it.id)).collect()
        })
    }

    /// The message as it is now, if this person still sees it.
    pub fn look_again(&self, message: &Seen) -> Option<Seen> {
        self.messages(message.channel).into_iter().find(|it| it.id == message.id)
    }

    /// Waits for a message in `channel` that fits; the first from the top.
    ///
    /// # Errors
    /// [`TooLate`] when none comes.
    pub async fn wait_for(
        &self,
        channel: Id,
        what: &str,
        fits: impl Fn(&Seen) -> bool,
    ) -> Result<Seen, TooLate> {
        let find = || self.messages(channel).into_iter().find(&fits);
        wait(&self.hub, what, find).await
    }

    /// Waits for a thread under `channel` that this person sees and whose name holds `part`.
    ///
    /// # Errors
    /// [`TooLate`] when none comes.
    pub async fn wait_for_thread(&self, channel: Id, part: &str) -> Result<Id, TooLate> {
        let find = || {
            self.hub.look(|world| {
                let mut here = world.places_of(self.id);
                here.find(|it| it.parent_id == Some(channel) && it.name.contains(part)).map(|it| it.id)
            })
        };
        wait(&self.hub, &format!("a thread named like {part:?}"), find).await
    }
}

impl Asked {
    /// Waits for the first answer (or its failing to come).
    ///
    /// # Errors
    /// [`TooLate`] when the playground's own clock stands still and the bot is silent.
    pub async fn answer(&self) -> Result<Answer, TooLate> {
        let find = || self.hub.look(|world| world.interactions.get(&self.id).map(|it| it.answer.clone()));
        wait(&self.hub, "an answer", || find().filter(|answer| *answer != Answer::None)).await
    }

    /// Waits for the message that answers: the bot's own, or the one that was changed.
    ///
    /// # Errors
    /// [`TooLate`] when none comes.
    pub async fn message(&self) -> Result<Seen, TooLate> {
        let find = |world: &World| {
            let asked = world.interactions.get(&self.id)?;
            let message = world.messages.get(&(asked.channel_id, asked.original?))?;
            world.seen_by(self.user, message).ok()?;
            Some(seen(world, asked.channel_id, message.id))
        };
        wait(&self.hub, "a message in answer", || self.hub.look(find)).await
    }

    /// The follow-ups so far, as the person sees them.
    pub fn follow_ups(&self) -> Vec<Seen> {
        self.hub.look(|world| {
            let asked: Option<&Interaction> = world.interactions.get(&self.id);
            let all =
                asked.into_iter().flat_map(|asked| asked.follow_ups.iter().map(|id| (asked.channel_id, *id)));
            let known = all.filter(|key| world.messages.contains_key(key));
            known.map(|(channel, id)| seen(world, channel, id)).collect()
        })
    }
}

/// Waits until `find` finds something, looking again at every change.
pub(crate) async fn wait<T>(hub: &Hub, what: &str, find: impl Fn() -> Option<T>) -> Result<T, TooLate> {
    let mut changes = hub.changes();
    let looking = async {
        loop {
            changes.mark_unchanged();
            if let Some(found) = find() {
                return found;
            }
            // The sender lives as long as the hub.
            let _changed = changes.changed().await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.map_err(|_| TooLate(what.to_owned()))
}

fn seen(world: &World, channel: Id, id: Id) -> Seen {
    let message = world.messages.get(&(channel, id));
    Seen { id, channel, json: message.map_or(Value::Null, |it| world.show_message(it, true)) }
}

/// Discord's `data` for a command line such as `play amazons`: its sub-commands around its options.
fn slash_data(world: &World, command: &str, options: &Value, focused: Option<&str>) -> Value {
    let mut words = command.split_whitespace();
    let name = words.next().unwrap_or_default();
    let definition = world.commands.values().find(|it| it["name"] == name && it["type"] == 1);
    let options = nest(definition.unwrap_or(&Value::Null), &mut words, options.as_object(), focused);
    json!({"type": 1, "name": name, "options": options})
}

fn nest<'a>(
    definition: &Value,
    words: &mut impl Iterator<Item = &'a str>,
    options: Option<&Map<String, Value>>,
    focused: Option<&str>,
) -> Value {
    if let Some(word) = words.next() {
        let inside = definition["options"].as_array().into_iter().flatten().find(|it| it["name"] == word);
        let inside = inside.cloned().unwrap_or_else(|| json!({"type": option::SUB_COMMAND}));
        let deeper = nest(&inside, words, options, focused);
        return json!([{"type": inside["type"], "name": word, "options": deeper}]);
    }
    let given = options.into_iter().flatten().map(|(name, value)| {
        let mut one = json!({"name": name, "value": value});
        if focused == Some(name) {
            one["focused"] = json!(true);
        }
        one
    });
    given.collect()
}
