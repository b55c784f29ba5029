//! The few requests that the face makes. Bodies are our own plain data;
//! of the answers no more is read than is needed, so that a field that serenity does not know breaks nothing.
//!
//! Every request fails with the [`DiscordError`] that it met; where no answer comes in time, with an outage.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use serenity::all::{ApplicationId, ChannelId, CreateAttachment, GuildId, InteractionId, MessageId, UserId};
use serenity::http::{Http, LightMethod, Multipart, MultipartUpload, Request, Route};

use crate::drawing::{Drawing, WaitPolicy};

use crate::discord::wire::error::DiscordError;
use crate::discord::wire::interaction::Attachment;
use crate::discord::wire::limits;
use crate::discord::wire::outgoing_message::{OutgoingMessage, PRIVATE_FLAG};
use crate::discord::wire::pictures;
use crate::discord::wire::rest::Rest;
use crate::discord::wire::server_info::{Channel, GuildInfo, Role};

/// How long a file that somebody brought may take to come.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

/// MessagePage that Discord gives at a time.
pub(in crate::discord) const MAX_MESSAGES: usize = 100;

/// What names an interaction to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteractionToken {
    /// The interaction.
    pub id: u64,
    /// What lets us answer it for a quarter of an hour.
    pub token: String,
}

/// Who sees what is said after a first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Whoever asked.
    Asker,
    /// Everybody in that place, if Discord allows it.
    Everybody,
}

/// What was said after a first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowUp {
    /// The message.
    pub message: u64,
    /// Whether the asker alone sees it: some servers want that of what people bring along.
    pub private: bool,
}

/// The first answer to an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialResponse {
    /// A new message that only the asker sees.
    Message = 4,
    /// The same, its content to follow.
    MessageLater = 5,
    /// The message with the button changes, later.
    UpdateLater = 6,
    /// The message with the button changes.
    Update = 7,
}

/// A page of a channel's messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::discord) struct MessagePage {
    /// The messages.
    pub(in crate::discord) messages: Vec<SentMessage>,
    /// Whether there may be more.
    pub(in crate::discord) is_full: bool,
}

/// A message as it stands in a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::discord) struct SentMessage {
    /// The message.
    pub(in crate::discord) id: u64,
    /// Who wrote it.
    pub(in crate::discord) author: u64,
    /// Its text.
    pub(in crate::discord) content: String,
    /// The ids of its buttons and selects.
    pub(in crate::discord) custom_ids: Vec<String>,
}

impl SentMessage {
    fn read(message: &Value) -> Option<SentMessage> {
        let number = |value: &Value| value.as_str()?.parse().ok();
        let rows = message["components"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parts = rows.iter().filter_map(|row| row["components"].as_array()).flatten();
        Some(SentMessage {
            id: number(&message["id"])?,
            author: number(&message["author"]["id"])?,
            content: message["content"].as_str().unwrap_or_default().to_owned(),
            custom_ids: parts.filter_map(|part| Some(part["custom_id"].as_str()?.to_owned())).collect(),
        })
    }
}

/// Discord, as far as we need it.
#[derive(Clone)]
pub struct Api {
    rest: Rest,
    drawing: Drawing,
    width_px: u32,
    patience: WaitPolicy,
}

impl Api {
    /// Over a client; boards are drawn so wide.
    pub fn new(http: Arc<Http>, drawing: Drawing, width_px: u32) -> Api {
        Api { rest: Rest::new(http), drawing, width_px, patience: WaitPolicy::Refuse }
    }

    /// The same for work that can wait: where a rate limit asks for more than `max_wait`, [`DiscordError::RateLimited`] says so
    /// instead, and pictures are drawn however many wait.
    pub(in crate::discord) fn yielding(&self, max_wait: Duration) -> Api {
        let rest = self.rest.waiting_at_most(max_wait);
        Api { rest, patience: WaitPolicy::Waits, ..self.clone() }
    }

    /// The same for what cannot wait, as it was at first.
    pub(in crate::discord) fn patient(&self) -> Api {
        Api { rest: self.rest.patient(), ..self.clone() }
    }

    /// Keeps the application that we are, once Discord has told it: answers are filled in in its name.
    pub fn belongs_to(&self, application: u64) {
        self.rest.belongs_to(application);
    }

    /// Posts a message; its id. The same nonce within some minutes gives the same message.
    pub async fn post(
        &self,
        channel: u64,
        post: &OutgoingMessage,
        nonce: Option<&str>,
    ) -> Result<u64, DiscordError> {
        let route = Route::ChannelMessages { channel_id: ChannelId::new(channel) };
        let sent = self.send(route, LightMethod::Post, post, post.json(nonce)).await?;
        id(&sent)
    }

    /// Changes a message of ours.
    pub async fn edit(&self, channel: u64, message: u64, post: &OutgoingMessage) -> Result<(), DiscordError> {
        let route = Route::ChannelMessage {
            channel_id: ChannelId::new(channel),
            message_id: MessageId::new(message),
        };
        self.send(route, LightMethod::Patch, post, post.json_edit()).await.map(drop)
    }

    /// Takes a message of ours away.
    pub async fn delete(&self, channel: u64, message: u64) -> Result<(), DiscordError> {
        let route = Route::ChannelMessage {
            channel_id: ChannelId::new(channel),
            message_id: MessageId::new(message),
        };
        self.rest.request(Request::new(route, LightMethod::Delete)).await
    }

    /// Opens (or finds) the direct messages with somebody; the channel's id.
    pub async fn dm(&self, who: u64) -> Result<u64, DiscordError> {
        let body = json!({ "recipient_id": who.to_string() });
        id(&self.json(Route::UserMeDmChannels, LightMethod::Post, &body).await?)
    }

    /// Makes a thread under a message; its id.
    pub async fn thread_under(
        &self,
        channel: u64,
        message: u64,
        name: &str,
        archive_minutes: u16,
    ) -> Result<u64, DiscordError> {
        let body = json!({ "name": name, "auto_archive_duration": archive_minutes });
        let route = Route::ChannelMessageThreads {
            channel_id: ChannelId::new(channel),
            message_id: MessageId::new(message),
        };
        id(&self.json(route, LightMethod::Post, &body).await?)
    }

    /// Makes a public thread without a message above it; its id.
    pub async fn thread(&self, channel: u64, name: &str, archive_minutes: u16) -> Result<u64, DiscordError> {
        const PUBLIC_THREAD: u8 = 11;
        let body = json!({ "name": name, "auto_archive_duration": archive_minutes, "type": PUBLIC_THREAD });
        let route = Route::ChannelThreads { channel_id: ChannelId::new(channel) };
        id(&self.json(route, LightMethod::Post, &body).await?)
    }

    /// The active thread of a channel whose name ends with this.
    pub async fn find_thread(
        &self,
        guild: u64,
        channel: u64,
        ending: &str,
    ) -> Result<Option<u64>, DiscordError> {
        let route = Route::GuildThreadsActive { guild_id: GuildId::new(guild) };
        let found = self.ask(Request::new(route, LightMethod::Get)).await?;
        let threads = found["threads"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parent = channel.to_string();
        let fits = |thread: &&Value| {
            thread["parent_id"] == parent.as_str()
                && thread["name"].as_str().is_some_and(|name| name.ends_with(ending))
        };
        threads.iter().find(fits).map(id).transpose()
    }

    /// MessagePage of a channel after another, or without one the latest; a hundred at most, in no order.
    pub(in crate::discord) async fn messages(
        &self,
        channel: u64,
        after: Option<u64>,
    ) -> Result<MessagePage, DiscordError> {
        const PAGE: usize = 100;
        let route = Route::ChannelMessages { channel_id: ChannelId::new(channel) };
        let mut params = vec![("limit", PAGE.to_string())];
        params.extend(after.map(|after| ("after", after.to_string())));
        let found = self.ask(Request::new(route, LightMethod::Get).params(Some(params))).await?;
        let all = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(MessagePage {
            messages: all.iter().filter_map(SentMessage::read).collect(),
            is_full: all.len() == PAGE,
        })
    }

    /// Whether a thread is there and takes messages.
    pub(in crate::discord) async fn is_open_thread(&self, thread: u64) -> Result<bool, DiscordError> {
        let route = Route::Channel { channel_id: ChannelId::new(thread) };
        match self.ask(Request::new(route, LightMethod::Get)).await {
            Ok(found) => Ok(found["thread_metadata"]["locked"] == false),
            Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// Whether a channel or thread is there and lets us look at it.
    pub async fn is_there(&self, channel: u64) -> Result<bool, DiscordError> {
        let route = Route::Channel { channel_id: ChannelId::new(channel) };
        match self.ask(Request::new(route, LightMethod::Get)).await {
            Ok(_) => Ok(true),
            Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// The messages of a channel right after an id, oldest first, at most [`MAX_MESSAGES`], as Discord gives them.
    pub(in crate::discord) async fn messages_after(
        &self,
        channel: u64,
        after: u64,
    ) -> Result<Vec<Value>, DiscordError> {
        let route = Route::ChannelMessages { channel_id: ChannelId::new(channel) };
        let params = vec![("after", after.to_string()), ("limit", MAX_MESSAGES.to_string())];
        let request = Request::new(route, LightMethod::Get).params(Some(params));
        let mut messages: Vec<Value> = self.rest.fire(request).await?;
        messages.sort_by_key(|message| id(message).unwrap_or(0));
        Ok(messages)
    }

    /// A channel or thread, as far as it says who reads it.
    pub(in crate::discord) async fn channel(&self, channel: u64) -> Result<Channel, DiscordError> {
        let route = Route::Channel { channel_id: ChannelId::new(channel) };
        self.rest.fire(Request::new(route, LightMethod::Get)).await
    }

    /// A server, as far as it says who may what there.
    pub(in crate::discord) async fn guild(&self, guild: u64) -> Result<GuildInfo, DiscordError> {
        let route = Route::Guild { guild_id: GuildId::new(guild) };
        self.rest.fire(Request::new(route, LightMethod::Get)).await
    }

    /// Whether somebody was let into a thread by name, or has joined it.
    pub(in crate::discord) async fn is_in_thread(&self, thread: u64, who: u64) -> Result<bool, DiscordError> {
        let route =
            Route::ChannelThreadMember { channel_id: ChannelId::new(thread), user_id: UserId::new(who) };
        match self.ask(Request::new(route, LightMethod::Get)).await {
            Ok(_) => Ok(true),
            Err(DiscordError::NotFound { .. }) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// The roles of a server.
    pub(in crate::discord) async fn roles(&self, guild: u64) -> Result<Vec<Role>, DiscordError> {
        let route = Route::GuildRoles { guild_id: GuildId::new(guild) };
        self.rest.fire(Request::new(route, LightMethod::Get)).await
    }

    /// The roles of a member of a server, by their numbers.
    pub async fn roles_of(&self, guild: u64, who: u64) -> Result<Vec<u64>, DiscordError> {
        let route = Route::GuildMember { guild_id: GuildId::new(guild), user_id: UserId::new(who) };
        let found = self.ask(Request::new(route, LightMethod::Get)).await?;
        let roles = found["roles"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(roles.iter().filter_map(|role| role.as_str()?.parse().ok()).collect())
    }

    /// Registers all commands, in place of those registered before.
    pub async fn register(&self, application: u64, commands: &Value) -> Result<(), DiscordError> {
        let route = Route::Commands { application_id: ApplicationId::new(application) };
        self.json(route, LightMethod::Put, commands).await.map(drop)
    }

    /// Gives the first answer to an interaction. A message with a board is drawn first, so that the
    /// hurried give [`InitialResponse::MessageLater`] and let [`Api::fill`] follow.
    pub async fn answer(
        &self,
        token: &InteractionToken,
        first: InitialResponse,
        post: Option<&OutgoingMessage>,
    ) -> Result<(), DiscordError> {
        let mut body = json!({ "type": first as u8 });
        match (first, post) {
            (InitialResponse::MessageLater, _) => body["data"] = json!({ "flags": PRIVATE_FLAG }),
            (InitialResponse::Message, Some(post)) => body["data"] = post.json_private(),
            (_, Some(post)) => body["data"] = post.json_edit(),
            (_, None) => {}
        }
        let route =
            Route::InteractionResponse { interaction_id: InteractionId::new(token.id), token: &token.token };
        self.send_maybe(route, LightMethod::Post, post, body).await
    }

    /// Answers an interaction that asks what could come next.
    pub async fn complete(
        &self,
        token: &InteractionToken,
        choices: &[(String, String)],
    ) -> Result<(), DiscordError> {
        const CHOICES: u8 = 8;
        let choices: Vec<_> =
            choices.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let body = json!({ "type": CHOICES, "data": { "choices": choices } });
        let route =
            Route::InteractionResponse { interaction_id: InteractionId::new(token.id), token: &token.token };
        self.send_maybe(route, LightMethod::Post, None, body).await
    }

    /// Fills in an answer that was put off, or changes one that was given.
    pub async fn fill(&self, token: &InteractionToken, post: &OutgoingMessage) -> Result<(), DiscordError> {
        let application_id = self.rest.application()?;
        let route = Route::WebhookOriginalInteractionResponse { application_id, token: &token.token };
        self.send(route, LightMethod::Patch, post, post.json_edit()).await.map(drop)
    }

    /// Says something more after a first answer.
    pub async fn follow(
        &self,
        token: &InteractionToken,
        post: &OutgoingMessage,
        to: Audience,
    ) -> Result<FollowUp, DiscordError> {
        let application_id = self.rest.application()?;
        let body = match to {
            Audience::Asker => post.json_private(),
            Audience::Everybody => post.json(None),
        };
        let route = Route::WebhookFollowupMessages { application_id, token: &token.token };
        let sent = self.send(route, LightMethod::Post, post, body).await?;
        let flags = sent["flags"].as_u64().unwrap_or_default();
        Ok(FollowUp { message: id(&sent)?, private: flags & PRIVATE_FLAG != 0 })
    }

    /// Changes what was said after a first answer, or, without a message, what was answered.
    pub async fn change(
        &self,
        token: &InteractionToken,
        message: Option<u64>,
        post: &OutgoingMessage,
    ) -> Result<(), DiscordError> {
        let Some(message) = message else { return self.fill(token, post).await };
        let (application_id, message_id) = (self.rest.application()?, MessageId::new(message));
        let route = Route::WebhookFollowupMessage { application_id, token: &token.token, message_id };
        self.send(route, LightMethod::Patch, post, post.json_edit()).await.map(drop)
    }

    async fn send(
        &self,
        route: Route<'_>,
        method: LightMethod,
        post: &OutgoingMessage,
        body: Value,
    ) -> Result<Value, DiscordError> {
        let request = self.request(route, method, Some(post), body).await?;
        self.ask(request).await
    }

    /// Like `send`, where the answer is empty.
    async fn send_maybe(
        &self,
        route: Route<'_>,
        method: LightMethod,
        post: Option<&OutgoingMessage>,
        body: Value,
    ) -> Result<(), DiscordError> {
        let request = self.request(route, method, post, body).await?;
        self.rest.request(request).await
    }

    async fn request<'a>(
        &self,
        route: Route<'a>,
        method: LightMethod,
        post: Option<&OutgoingMessage>,
        body: Value,
    ) -> Result<Request<'a>, DiscordError> {
        post.map_or(Ok(()), limits::check).map_err(DiscordError::internal)?;
        let file = match post {
            Some(post) => self.file(post).await?,
            None => None,
        };
        let request = Request::new(route, method);
        Ok(match file {
            Some(file) => request.multipart(Some(Multipart {
                upload: MultipartUpload::Attachments(vec![file]),
                fields: Vec::new(),
                payload_json: Some(body.to_string()),
            })),
            None => request.body(Some(body.to_string().into_bytes())),
        })
    }

    /// The board, or else the file that goes with a message.
    async fn file(&self, post: &OutgoingMessage) -> Result<Option<CreateAttachment>, DiscordError> {
        if let Some(picture) = &post.picture {
            let file = pictures::file(&self.drawing, picture, self.width_px, self.patience).await?;
            return Ok(Some(CreateAttachment::bytes(file.to_vec(), picture.file_name())));
        }
        let file = post.file.as_ref();
        Ok(file.map(|file| CreateAttachment::bytes(file.bytes.clone(), file.name.clone())))
    }

    /// The same message with its picture drawn, unless too many are being drawn.
    ///
    /// # Errors
    /// [`DiscordError::Overloaded`] then; a fault of ours if the picture cannot be drawn.
    pub(in crate::discord) async fn draw_ahead(
        &self,
        mut post: OutgoingMessage,
    ) -> Result<OutgoingMessage, DiscordError> {
        if let Some(picture) = &mut post.picture {
            picture.drawn = Some(pictures::file(&self.drawing, picture, self.width_px, self.patience).await?);
        }
        Ok(post)
    }

    /// Reads a file that somebody brought, as text.
    ///
    /// # Errors
    /// If it is longer than [`limits::MAX_ATTACHMENT_BYTES`] bytes, no text, or not to be had.
    pub async fn fetch(&self, file: &Attachment) -> Result<String, DiscordError> {
        if file.0.size as usize > limits::MAX_ATTACHMENT_BYTES {
            return Err(DiscordError::internal("a file that is too long"));
        }
        let fetched = tokio::time::timeout(FETCH_TIMEOUT, file.0.download()).await;
        let bytes = fetched.map_err(|_| DiscordError::Outage("a file does not come".into()))??;
        String::from_utf8(bytes).map_err(|_| DiscordError::internal("a file that is no text"))
    }

    async fn json(&self, route: Route<'_>, method: LightMethod, body: &Value) -> Result<Value, DiscordError> {
        self.ask(Request::new(route, method).body(Some(body.to_string().into_bytes()))).await
    }

    async fn ask(&self, request: Request<'_>) -> Result<Value, DiscordError> {
        self.rest.fire::<Value>(request).await
    }
}

fn id(sent: &Value) -> Result<u64, DiscordError> {
    let id = sent["id"].as_str().and_then(|id| id.parse().ok());
    id.filter(|id| *id != 0).ok_or_else(|| DiscordError::internal("an answer without an id"))
}
