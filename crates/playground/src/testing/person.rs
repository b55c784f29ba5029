//! A person's actions and view, as a handle for tests.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::visible_message::VisibleMessage;
use crate::api_error::ApiError;
use crate::check::command::{ENTRY_POINT, option};
use crate::discord_state::DiscordState;
use crate::discord_state::model::{Answer, Interaction};
use crate::id::Id;
use crate::shared_state::SharedState;

/// The longest wait for an expected change, in real time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// An expected change did not happen in time; the text names it.
#[derive(Debug, thiserror::Error)]
#[error("waited {PATIENCE:?} for {0}, in vain")]
pub struct WaitTimeout(pub String);

/// A person. Their actions use the same functions as the page's requests.
#[derive(Clone)]
pub struct Person {
    pub(crate) shared: Arc<SharedState>,
    /// The person's user id.
    pub id: Id,
    /// The display name in clients.
    pub name: String,
}

/// An interaction of a person with the bot, whose answer can be awaited.
#[derive(Clone)]
pub struct PendingInteraction {
    shared: Arc<SharedState>,
    /// The id that Discord gave the interaction.
    pub id: Id,
    user: Id,
}

impl Person {
    /// Returns the mention of the person: `<@id>`.
    pub fn mention(&self) -> String {
        format!("<@{}>", self.id)
    }

    /// Returns whether the bot is shown as online: it has a gateway session.
    pub fn sees_bot_online(&self) -> bool {
        self.shared.with(|state| state.sessions.online())
    }

    /// Posts a message in a channel, thread or DM.
    ///
    /// # Errors
    /// If Discord's client would refuse it: no permission, unknown channel, too long.
    pub fn say(&self, channel: Id, text: &str) -> Result<VisibleMessage, ApiError> {
        self.post(channel, text, None)
    }

    /// Sends a message with files, each given by its name and its bytes.
    ///
    /// # Errors
    /// As [`Person::say`].
    pub fn say_with_files(
        &self,
        channel: Id,
        text: &str,
        files: &[(&str, &[u8])],
    ) -> Result<VisibleMessage, ApiError> {
        self.shared.change(|discord_state| {
            let files = files.iter().map(|(name, bytes)| discord_state.upload(name, bytes).id);
            let files: Vec<Id> = files.collect();
            let id = discord_state.say(self.id, channel, text, None, &files)?;
            Ok(seen(discord_state, channel, id))
        })
    }

    /// Replies to a message and pings its author, which is the default of Discord's client.
    ///
    /// # Errors
    /// As [`Person::say`], and if the person does not see the message.
    pub fn reply(&self, message: &VisibleMessage, text: &str) -> Result<VisibleMessage, ApiError> {
        self.post(message.channel, text, Some((message.id, true)))
    }

    /// Replies to a message with the ping turned off.
    ///
    /// # Errors
    /// As [`Person::reply`].
    pub fn reply_silently(&self, message: &VisibleMessage, text: &str) -> Result<VisibleMessage, ApiError> {
        self.post(message.channel, text, Some((message.id, false)))
    }

    fn post(
        &self,
        channel: Id,
        text: &str,
        reply_to: Option<(Id, bool)>,
    ) -> Result<VisibleMessage, ApiError> {
        self.shared.change(|discord_state| {
            let id = discord_state.say(self.id, channel, text, reply_to, &[])?;
            Ok(seen(discord_state, channel, id))
        })
    }

    /// Edits the person's own message.
    ///
    /// # Errors
    /// If the message has another author or was deleted.
    pub fn edit(&self, message: &VisibleMessage, text: &str) -> Result<(), ApiError> {
        self.shared.change(|discord_state| discord_state.edit_by(self.id, message.channel, message.id, text))
    }

    /// Deletes the person's own message, or dismisses an ephemeral one.
    ///
    /// # Errors
    /// If the message has another author or was deleted.
    pub fn delete(&self, message: &VisibleMessage) -> Result<(), ApiError> {
        self.shared.change(|discord_state| discord_state.delete_by(self.id, message.channel, message.id))
    }

    /// Returns the DM with the bot, and opens it if needed.
    pub fn dm(&self) -> Id {
        self.shared.change(|discord_state| discord_state.open_dm(self.id, discord_state.bot_id))
    }

    /// Returns the DM with another person, which the bot cannot see.
    pub fn dm_with(&self, other: &Person) -> Id {
        self.shared.change(|discord_state| discord_state.open_dm(self.id, other.id))
    }

    /// Sets whether others may send this person direct messages.
    pub fn set_dms_open(&self, open: bool) {
        self.shared.change(|discord_state| {
            if let Some(user) = discord_state.users.get_mut(&self.id) {
                user.dms_open = open;
            }
            discord_state.touch(crate::discord_state::Key::User(self.id));
        });
    }

    /// Sets the language of this person's client (`en-US`, `de`, …).
    pub fn set_locale(&self, locale: &str) {
        self.shared.change(|discord_state| {
            if let Some(user) = discord_state.users.get_mut(&self.id) {
                user.locale = locale.to_owned();
            }
            discord_state.touch(crate::discord_state::Key::User(self.id));
        });
    }

    /// Uses a slash command: `"play"`, or with its sub-command `"play amazons"`; `options` maps names to values.
    ///
    /// # Errors
    /// If Discord's client would refuse it: unknown command, missing or invalid option, wrong channel.
    pub fn slash(&self, channel: Id, command: &str, options: &Value) -> Result<PendingInteraction, ApiError> {
        self.ask(|discord_state| {
            let data = slash_data(discord_state, command, options, None);
            discord_state.command_by(self.id, channel, &data, false)
        })
    }

    /// Uses the command that opens the Activity.
    ///
    /// # Errors
    /// As [`Person::slash`].
    pub fn launch(&self, channel: Id, command: &str) -> Result<PendingInteraction, ApiError> {
        let data = json!({"name": command, "type": ENTRY_POINT});
        self.ask(|discord_state| discord_state.command_by(self.id, channel, &data, false))
    }

    /// Uses a slash command as a client does that has its definition of an earlier version: `former` maps the names
    /// of options that the present definition lacks to texts, numbers and booleans.
    ///
    /// # Errors
    /// As [`Person::slash`], for the other options.
    pub fn slash_of_earlier_version(
        &self,
        channel: Id,
        command: &str,
        options: &Value,
        former: &Value,
    ) -> Result<PendingInteraction, ApiError> {
        let kind = |value: &Value| match value {
            Value::Bool(_) => option::BOOLEAN,
            Value::Number(_) => option::INTEGER,
            _ => option::STRING,
        };
        let former: Vec<Value> = former.as_object().map_or_else(Vec::new, |former| {
            former
                .iter()
                .map(|(name, value)| json!({"name": name, "type": kind(value), "value": value}))
                .collect()
        });
        self.ask(|discord_state| {
            let data = slash_data(discord_state, command, options, None);
            discord_state.command_with(self.id, channel, &data, (false, &former))
        })
    }

    /// Uses a context menu command on a person.
    ///
    /// # Errors
    /// As [`Person::slash`].
    pub fn on_user(&self, channel: Id, command: &str, target: Id) -> Result<PendingInteraction, ApiError> {
        let data = json!({"type": 2, "name": command, "target_id": target});
        self.ask(|discord_state| discord_state.command_by(self.id, channel, &data, false))
    }

    /// Uses a context menu command on a message.
    ///
    /// # Errors
    /// As [`Person::slash`].
    pub fn on_message(
        &self,
        message: &VisibleMessage,
        command: &str,
    ) -> Result<PendingInteraction, ApiError> {
        let data = json!({"type": 3, "name": command, "target_id": message.id});
        self.ask(|discord_state| discord_state.command_by(self.id, message.channel, &data, false))
    }

    /// Presses the button with this custom id ([`VisibleMessage::button`] finds it by its label).
    ///
    /// # Errors
    /// If the button does not exist (any more) or is disabled.
    pub fn click(&self, message: &VisibleMessage, custom_id: &str) -> Result<PendingInteraction, ApiError> {
        self.choose(message, custom_id, &[])
    }

    /// Presses the button with this custom id twice before the bot can answer the first press.
    ///
    /// # Errors
    /// As [`Person::click`].
    pub fn click_twice(
        &self,
        message: &VisibleMessage,
        custom_id: &str,
    ) -> Result<[PendingInteraction; 2], ApiError> {
        let data = json!({"custom_id": custom_id, "values": []});
        let ids = self.shared.change(|discord_state| {
            let mut press = || discord_state.press_by(self.id, message.channel, message.id, &data);
            Ok([press()?, press()?])
        })?;
        Ok(ids.map(|id| {
            self.shared.expire(id);
            PendingInteraction { shared: self.shared.clone(), id, user: self.id }
        }))
    }

    /// Chooses values in the select with this custom id.
    ///
    /// # Errors
    /// If the select or a value does not exist, or the number of values does not fit.
    pub fn choose(
        &self,
        message: &VisibleMessage,
        custom_id: &str,
        values: &[&str],
    ) -> Result<PendingInteraction, ApiError> {
        let data = json!({"custom_id": custom_id, "values": values});
        self.ask(|discord_state| discord_state.press_by(self.id, message.channel, message.id, &data))
    }

    /// Submits the open modal with this custom id; `typed` maps input ids to texts.
    ///
    /// # Errors
    /// If no such modal is open, or a text is missing, too short or too long.
    pub fn submit_modal(&self, custom_id: &str, typed: &Value) -> Result<PendingInteraction, ApiError> {
        let typed = |input: &str| typed[input].as_str().map(str::to_owned);
        self.ask(|discord_state| discord_state.submit_by(self.id, custom_id, &typed))
    }

    /// Types into the option `focused` of a slash command; returns the choices (`name`, `value`) of the bot.
    ///
    /// # Errors
    /// As [`Person::slash`]. If the bot sends no choices in time, the list is empty.
    pub async fn complete(
        &self,
        channel: Id,
        command: &str,
        options: &Value,
        focused: &str,
    ) -> Result<Vec<Value>, ApiError> {
        let asked = self.ask(|discord_state| {
            let data = slash_data(discord_state, command, options, Some(focused));
            discord_state.command_by(self.id, channel, &data, true)
        })?;
        match asked.answer().await {
            Ok(Answer::Choices(choices)) => Ok(choices),
            _ => Ok(Vec::new()),
        }
    }

    /// Uploads a file for a command; the id is the value of an attachment option.
    pub fn upload(&self, filename: &str, bytes: &[u8]) -> Id {
        self.shared.change(|discord_state| discord_state.upload(filename, bytes).id)
    }

    fn ask(
        &self,
        ask: impl FnOnce(&mut DiscordState) -> Result<Id, ApiError>,
    ) -> Result<PendingInteraction, ApiError> {
        let id = self.shared.change(ask)?;
        self.shared.expire(id);
        Ok(PendingInteraction { shared: self.shared.clone(), id, user: self.id })
    }

    /// Returns the messages of a channel as this person sees them, oldest first.
    pub fn messages(&self, channel: Id) -> Vec<VisibleMessage> {
        self.shared.look(|discord_state| {
            let newest_first = discord_state.seen_in(self.id, channel, None, usize::MAX).unwrap_or_default();
            newest_first.into_iter().rev().map(|it| seen(discord_state, channel, it.id)).collect()
        })
    }

    /// Returns the present state of a message, if this person still sees it.
    pub fn refetch(&self, message: &VisibleMessage) -> Option<VisibleMessage> {
        self.messages(message.channel).into_iter().find(|it| it.id == message.id)
    }

    /// Waits for a message in `channel` that satisfies the condition; returns the oldest.
    ///
    /// # Errors
    /// [`WaitTimeout`] if there is none in time.
    pub async fn wait_for(
        &self,
        channel: Id,
        what: &str,
        fits: impl Fn(&VisibleMessage) -> bool,
    ) -> Result<VisibleMessage, WaitTimeout> {
        let find = || self.messages(channel).into_iter().find(&fits);
        wait(&self.shared, what, find).await
    }

    /// Waits for a thread under `channel` that this person sees and whose name contains `part`.
    ///
    /// # Errors
    /// [`WaitTimeout`] if there is none in time.
    pub async fn wait_for_thread(&self, channel: Id, part: &str) -> Result<Id, WaitTimeout> {
        let find = || {
            self.shared.look(|discord_state| {
                let mut here = discord_state.visible_channels(self.id);
                here.find(|it| it.parent_id == Some(channel) && it.name.contains(part)).map(|it| it.id)
            })
        };
        wait(&self.shared, &format!("a thread named like {part:?}"), find).await
    }
}

impl PendingInteraction {
    /// Waits for the first answer, or for the interaction to fail.
    ///
    /// # Errors
    /// [`WaitTimeout`] if the playground's clock stands still and the bot does not answer.
    pub async fn answer(&self) -> Result<Answer, WaitTimeout> {
        let find = || {
            self.shared
                .look(|discord_state| discord_state.interactions.get(&self.id).map(|it| it.answer.clone()))
        };
        wait(&self.shared, "an answer", || find().filter(|answer| *answer != Answer::None)).await
    }

    /// Returns the first answer so far, and the message that answers, if the person still sees it.
    pub fn state(&self) -> (Answer, Option<VisibleMessage>) {
        self.shared.look(|discord_state| {
            let Some(asked) = discord_state.interactions.get(&self.id) else { return (Answer::None, None) };
            let message = asked.original.and_then(|id| discord_state.messages.get(&(asked.channel_id, id)));
            let visible = message.filter(|message| discord_state.seen_by(self.user, message).is_ok());
            let shown = visible.map(|message| seen(discord_state, asked.channel_id, message.id));
            (asked.answer.clone(), shown)
        })
    }

    /// Waits for the message that answers: a new one, or the component's message after an update.
    ///
    /// # Errors
    /// [`WaitTimeout`] if there is none in time.
    pub async fn message(&self) -> Result<VisibleMessage, WaitTimeout> {
        let find = |discord_state: &DiscordState| {
            let asked = discord_state.interactions.get(&self.id)?;
            let message = discord_state.messages.get(&(asked.channel_id, asked.original?))?;
            discord_state.seen_by(self.user, message).ok()?;
            Some(seen(discord_state, asked.channel_id, message.id))
        };
        wait(&self.shared, "a message in answer", || self.shared.look(find)).await
    }

    /// Returns the follow-ups so far, as the person sees them.
    pub fn follow_ups(&self) -> Vec<VisibleMessage> {
        self.shared.look(|discord_state| {
            let asked: Option<&Interaction> = discord_state.interactions.get(&self.id);
            let all =
                asked.into_iter().flat_map(|asked| asked.follow_ups.iter().map(|id| (asked.channel_id, *id)));
            let known = all.filter(|key| discord_state.messages.contains_key(key));
            known.map(|(channel, id)| seen(discord_state, channel, id)).collect()
        })
    }
}

/// Waits until `find` returns a value, calling it at every change.
pub(crate) async fn wait<T>(
    shared: &SharedState,
    what: &str,
    find: impl Fn() -> Option<T>,
) -> Result<T, WaitTimeout> {
    let mut changes = shared.changes();
    let looking = async {
        loop {
            changes.mark_unchanged();
            if let Some(found) = find() {
                return found;
            }
            // The sender lives as long as the shared state.
            let _changed = changes.changed().await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.map_err(|_| WaitTimeout(what.to_owned()))
}

fn seen(discord_state: &DiscordState, channel: Id, id: Id) -> VisibleMessage {
    let message = discord_state.messages.get(&(channel, id));
    VisibleMessage {
        id,
        channel,
        json: message.map_or(Value::Null, |it| discord_state.show_message(it, true)),
    }
}

/// Builds Discord's `data` for a command line such as `play amazons`: the sub-commands contain the options.
fn slash_data(discord_state: &DiscordState, command: &str, options: &Value, focused: Option<&str>) -> Value {
    let mut words = command.split_whitespace();
    let name = words.next().unwrap_or_default();
    let definition = discord_state.commands.values().find(|it| it["name"] == name && it["type"] == 1);
    let options =
        nested_options(definition.unwrap_or(&Value::Null), &mut words, options.as_object(), focused);
    json!({"type": 1, "name": name, "options": options})
}

fn nested_options<'a>(
    definition: &Value,
    words: &mut impl Iterator<Item = &'a str>,
    options: Option<&Map<String, Value>>,
    focused: Option<&str>,
) -> Value {
    if let Some(word) = words.next() {
        let inside = definition["options"].as_array().into_iter().flatten().find(|it| it["name"] == word);
        let inside = inside.cloned().unwrap_or_else(|| json!({"type": option::SUB_COMMAND}));
        let deeper = nested_options(&inside, words, options, focused);
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
