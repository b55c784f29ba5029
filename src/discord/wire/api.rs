//! The REST requests that the bot makes. Bodies are plain data of this crate. Responses are read only as far
//! as needed, so that an unknown field of Discord breaks nothing.
//!
//! Every request fails with a [`DiscordError`]; a timeout is [`DiscordError::Outage`].

pub mod accounts;
mod identity;
mod people;
mod registration;

use rookery_table::{ChannelId, GuildId, MessageId, RoleId, SourceId, UserId};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use serenity::all::{self as discord, CreateAttachment};
use serenity::http::{Http, LightMethod, Multipart, MultipartUpload, Request, Route};

use crate::drawing::{Drawing, WaitPolicy};

use crate::discord::wire::error::DiscordError;
use crate::discord::wire::form::Form;
use crate::discord::wire::interaction::Attachment;
use crate::discord::wire::limits;
use crate::discord::wire::network::Network;
use crate::discord::wire::outgoing_message::{OutgoingMessage, PRIVATE_FLAG};
use crate::discord::wire::pictures;
use crate::discord::wire::rest::Rest;
use crate::discord::wire::sent_message::SentMessage;
use crate::discord::wire::server_info::{Channel, GuildInfo, Role};

/// The most messages that Discord returns per request.
pub(in crate::discord) const MAX_MESSAGES: usize = 100;

/// The credentials for answering an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteractionToken {
    /// The interaction's snowflake, for the callback route.
    pub id: SourceId,
    /// The token, with which answers are possible for 15 minutes.
    pub token: String,
}

/// Who sees a follow-up message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Only the person who used the command or component.
    Asker,
    /// Everybody in the channel, if Discord allows it.
    Everybody,
}

/// A follow-up message that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowUp {
    /// The id of the message, for later edits.
    pub message: MessageId,
    /// Whether it is ephemeral: some servers require that of user-installed apps.
    pub private: bool,
}

/// The type of the first answer to an interaction, by Discord's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialResponse {
    /// A new ephemeral message.
    Message = 4,
    /// A new ephemeral message whose content follows.
    MessageLater = 5,
    /// An edit of the component's message that follows later.
    UpdateLater = 6,
    /// An edit of the component's message.
    Update = 7,
}

/// A page of a channel's messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::discord) struct MessagePage {
    /// The messages that could be read.
    pub(in crate::discord) messages: Vec<SentMessage>,
    /// Whether the page is full, so that there may be more.
    pub(in crate::discord) is_full: bool,
}

/// The bot's client for Discord's REST API.
#[derive(Clone)]
pub struct Api {
    rest: Rest,
    drawing: Drawing,
    width_px: u32,
    wait_policy: WaitPolicy,
}

impl Api {
    /// Creates an API over a client and a network; boards are drawn `width_px` wide.
    /// `share` is how many requests a second it may send; `None` if a proxy keeps the limits.
    pub fn new(
        http: Arc<Http>,
        network: Arc<dyn Network>,
        drawing: Drawing,
        width_px: u32,
        share: Option<u32>,
    ) -> Api {
        let rest = Rest::new(http, network, drawing.tasks().timings().clone(), share);
        Api { rest, drawing, width_px, wait_policy: WaitPolicy::Refuse }
    }

    /// Returns the client of all requests, for what applies to all of them.
    pub(in crate::discord) fn rest(&self) -> &Rest {
        &self.rest
    }

    /// Returns a client for background work: if a rate limit requires more than `max_wait`, requests fail
    /// with [`DiscordError::RateLimited`] instead of waiting, and pictures are drawn however many wait.
    pub(in crate::discord) fn yielding(&self, max_wait: Duration) -> Api {
        let rest = self.rest.waiting_at_most(max_wait);
        Api { rest, wait_policy: WaitPolicy::Wait, ..self.clone() }
    }

    /// Returns a client with the default wait for rate limits.
    pub(in crate::discord) fn patient(&self) -> Api {
        Api { rest: self.rest.patient(), ..self.clone() }
    }

    /// Stores the bot's application id when Discord has sent it: edits of answers need it.
    pub fn set_application(&self, application: u64) {
        self.rest.set_application(application);
    }

    /// Returns the bot's application id.
    ///
    /// # Errors
    /// If it is unknown yet.
    pub(in crate::discord) fn application(&self) -> Result<u64, DiscordError> {
        self.rest.application().map(|application| application.get())
    }

    /// Posts a message and returns its id. Within some minutes the same nonce returns the same message.
    pub async fn post(
        &self,
        channel: ChannelId,
        post: &OutgoingMessage,
        nonce: Option<&str>,
    ) -> Result<MessageId, DiscordError> {
        let route = Route::ChannelMessages { channel_id: discord::ChannelId::new(channel.0) };
        let sent = self.send(route, LightMethod::Post, post, post.json(nonce)).await?;
        id(&sent)
    }

    /// Edits a message of the bot.
    pub async fn edit(
        &self,
        channel: ChannelId,
        message: MessageId,
        post: &OutgoingMessage,
    ) -> Result<(), DiscordError> {
        let route = Route::ChannelMessage {
            channel_id: discord::ChannelId::new(channel.0),
            message_id: discord::MessageId::new(message.0),
        };
        self.send(route, LightMethod::Patch, post, post.json_edit()).await.map(drop)
    }

    /// Deletes a message of the bot.
    pub async fn delete(&self, channel: ChannelId, message: MessageId) -> Result<(), DiscordError> {
        let route = Route::ChannelMessage {
            channel_id: discord::ChannelId::new(channel.0),
            message_id: discord::MessageId::new(message.0),
        };
        self.rest.request(Request::new(route, LightMethod::Delete)).await
    }

    /// Opens (or finds) the DM with a user, and returns the channel's id.
    pub async fn dm(&self, who: UserId) -> Result<ChannelId, DiscordError> {
        let body = json!({ "recipient_id": who.0.to_string() });
        id(&self.json(Route::UserMeDmChannels, LightMethod::Post, &body).await?)
    }

    /// Creates a thread under a message, and returns its id.
    pub async fn thread_under(
        &self,
        channel: ChannelId,
        message: MessageId,
        name: &str,
        archive_minutes: u16,
    ) -> Result<ChannelId, DiscordError> {
        let body = json!({ "name": name, "auto_archive_duration": archive_minutes });
        let route = Route::ChannelMessageThreads {
            channel_id: discord::ChannelId::new(channel.0),
            message_id: discord::MessageId::new(message.0),
        };
        id(&self.json(route, LightMethod::Post, &body).await?)
    }

    /// Creates a public thread without a message, and returns its id.
    pub async fn thread(
        &self,
        channel: ChannelId,
        name: &str,
        archive_minutes: u16,
    ) -> Result<ChannelId, DiscordError> {
        const PUBLIC_THREAD: u8 = 11;
        let body = json!({ "name": name, "auto_archive_duration": archive_minutes, "type": PUBLIC_THREAD });
        let route = Route::ChannelThreads { channel_id: discord::ChannelId::new(channel.0) };
        id(&self.json(route, LightMethod::Post, &body).await?)
    }

    /// Finds the active thread of a channel whose name ends with `ending`.
    pub async fn find_thread(
        &self,
        guild: GuildId,
        channel: ChannelId,
        ending: &str,
    ) -> Result<Option<ChannelId>, DiscordError> {
        let route = Route::GuildThreadsActive { guild_id: discord::GuildId::new(guild.0) };
        let found = self.ask(Request::new(route, LightMethod::Get)).await?;
        let threads = found["threads"].as_array().map(Vec::as_slice).unwrap_or_default();
        let parent = channel.to_string();
        let fits = |thread: &&Value| {
            thread["parent_id"] == parent.as_str()
                && thread["name"].as_str().is_some_and(|name| name.ends_with(ending))
        };
        threads.iter().find(fits).map(id).transpose()
    }

    /// Reads up to 100 messages of a channel after a message, or else the latest, in no particular order.
    pub(in crate::discord) async fn messages(
        &self,
        channel: ChannelId,
        after: Option<MessageId>,
    ) -> Result<MessagePage, DiscordError> {
        const PAGE: usize = 100;
        let route = Route::ChannelMessages { channel_id: discord::ChannelId::new(channel.0) };
        let mut params = vec![("limit", PAGE.to_string())];
        params.extend(after.map(|after| ("after", after.to_string())));
        let found = self.ask(Request::new(route, LightMethod::Get).params(Some(params))).await?;
        let all = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(MessagePage {
            messages: all.iter().filter_map(SentMessage::read).collect(),
            is_full: all.len() == PAGE,
        })
    }

    /// Whether a thread exists, is visible and is not locked.
    pub(in crate::discord) async fn is_open_thread(&self, thread: ChannelId) -> Result<bool, DiscordError> {
        let route = Route::Channel { channel_id: discord::ChannelId::new(thread.0) };
        match self.ask(Request::new(route, LightMethod::Get)).await {
            Ok(found) => Ok(found["thread_metadata"]["locked"] == false),
            Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// Whether a channel or thread exists and the bot may see it.
    pub async fn is_there(&self, channel: ChannelId) -> Result<bool, DiscordError> {
        let route = Route::Channel { channel_id: discord::ChannelId::new(channel.0) };
        match self.ask(Request::new(route, LightMethod::Get)).await {
            Ok(_) => Ok(true),
            Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// Returns the messages of a channel right after an id as raw JSON, oldest first, at most
    /// [`MAX_MESSAGES`].
    pub(in crate::discord) async fn messages_after(
        &self,
        channel: ChannelId,
        after: MessageId,
    ) -> Result<Vec<Value>, DiscordError> {
        let route = Route::ChannelMessages { channel_id: discord::ChannelId::new(channel.0) };
        let params = vec![("after", after.to_string()), ("limit", MAX_MESSAGES.to_string())];
        let request = Request::new(route, LightMethod::Get).params(Some(params));
        let mut messages: Vec<Value> = self.rest.request_json(request).await?;
        messages.sort_by_key(|message| id(message).unwrap_or(MessageId(0)));
        Ok(messages)
    }

    /// Reads a channel or thread, with the fields that determine who can read it.
    pub(in crate::discord) async fn channel(&self, channel: ChannelId) -> Result<Channel, DiscordError> {
        let route = Route::Channel { channel_id: discord::ChannelId::new(channel.0) };
        self.rest.request_json(Request::new(route, LightMethod::Get)).await
    }

    /// Reads a server, with the fields that determine permissions.
    pub(in crate::discord) async fn guild(&self, guild: GuildId) -> Result<GuildInfo, DiscordError> {
        let route = Route::Guild { guild_id: discord::GuildId::new(guild.0) };
        self.rest.request_json(Request::new(route, LightMethod::Get)).await
    }

    /// Whether a user is a member of a thread.
    pub(in crate::discord) async fn is_in_thread(
        &self,
        thread: ChannelId,
        who: UserId,
    ) -> Result<bool, DiscordError> {
        let route = Route::ChannelThreadMember {
            channel_id: discord::ChannelId::new(thread.0),
            user_id: discord::UserId::new(who.0),
        };
        match self.ask(Request::new(route, LightMethod::Get)).await {
            Ok(_) => Ok(true),
            Err(DiscordError::NotFound { .. }) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// Reads the roles of a server.
    pub(in crate::discord) async fn roles(&self, guild: GuildId) -> Result<Vec<Role>, DiscordError> {
        let route = Route::GuildRoles { guild_id: discord::GuildId::new(guild.0) };
        self.rest.request_json(Request::new(route, LightMethod::Get)).await
    }

    /// Reads the role ids of a server's member.
    pub async fn roles_of(&self, guild: GuildId, who: UserId) -> Result<Vec<RoleId>, DiscordError> {
        let route = Route::GuildMember {
            guild_id: discord::GuildId::new(guild.0),
            user_id: discord::UserId::new(who.0),
        };
        let found = self.ask(Request::new(route, LightMethod::Get)).await?;
        let roles = found["roles"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(roles.iter().filter_map(|role| role.as_str()?.parse().ok()).collect())
    }

    /// Sends the first answer to an interaction. A message with a board is drawn before it is sent, so a
    /// caller near the deadline sends [`InitialResponse::MessageLater`] first and [`Api::fill`] afterwards.
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
        let route = Route::InteractionResponse {
            interaction_id: discord::InteractionId::new(token.id.0),
            token: &token.token,
        };
        self.send_maybe(route, LightMethod::Post, post, body).await
    }

    /// Answers a press with a form.
    pub async fn open_form(&self, token: &InteractionToken, form: &Form) -> Result<(), DiscordError> {
        const FORM: u8 = 9;
        let body = json!({ "type": FORM, "data": form.json() });
        let route = Route::InteractionResponse {
            interaction_id: discord::InteractionId::new(token.id.0),
            token: &token.token,
        };
        self.send_maybe(route, LightMethod::Post, None, body).await
    }

    /// Answers an interaction by opening the Activity for its person.
    pub async fn launch_activity(&self, token: &InteractionToken) -> Result<(), DiscordError> {
        const LAUNCH_ACTIVITY: u8 = 12;
        let body = json!({ "type": LAUNCH_ACTIVITY });
        let route = Route::InteractionResponse {
            interaction_id: discord::InteractionId::new(token.id.0),
            token: &token.token,
        };
        self.send_maybe(route, LightMethod::Post, None, body).await
    }

    /// Answers an autocomplete interaction.
    pub async fn complete(
        &self,
        token: &InteractionToken,
        choices: &[(String, String)],
    ) -> Result<(), DiscordError> {
        const CHOICES: u8 = 8;
        let choices: Vec<_> =
            choices.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        let body = json!({ "type": CHOICES, "data": { "choices": choices } });
        let route = Route::InteractionResponse {
            interaction_id: discord::InteractionId::new(token.id.0),
            token: &token.token,
        };
        self.send_maybe(route, LightMethod::Post, None, body).await
    }

    /// Fills in a deferred answer, or edits the first answer.
    pub async fn fill(&self, token: &InteractionToken, post: &OutgoingMessage) -> Result<(), DiscordError> {
        let application_id = self.rest.application()?;
        let route = Route::WebhookOriginalInteractionResponse { application_id, token: &token.token };
        self.send(route, LightMethod::Patch, post, post.json_edit()).await.map(drop)
    }

    /// Sends a follow-up message.
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

    /// Edits a follow-up message, or without one the first answer.
    pub async fn change(
        &self,
        token: &InteractionToken,
        message: Option<MessageId>,
        post: &OutgoingMessage,
    ) -> Result<(), DiscordError> {
        let Some(message) = message else { return self.fill(token, post).await };
        let (application_id, message_id) = (self.rest.application()?, discord::MessageId::new(message.0));
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

    /// Sends a request whose response has no body.
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

    /// Returns a message's picture, drawn, or else its file.
    async fn file(&self, post: &OutgoingMessage) -> Result<Option<CreateAttachment>, DiscordError> {
        if let Some(picture) = &post.picture {
            let file = pictures::file(&self.drawing, picture, self.width_px, self.wait_policy).await?;
            return Ok(Some(CreateAttachment::bytes(file.to_vec(), picture.file_name())));
        }
        let file = post.file.as_ref();
        Ok(file.map(|file| CreateAttachment::bytes(file.bytes.clone(), file.name.clone())))
    }

    /// Draws the picture of a message ahead of sending it.
    ///
    /// # Errors
    /// [`DiscordError::Overloaded`] if too many pictures are being drawn; an internal error if the picture
    /// cannot be drawn.
    pub(in crate::discord) async fn draw_ahead(
        &self,
        mut post: OutgoingMessage,
    ) -> Result<OutgoingMessage, DiscordError> {
        if let Some(picture) = &mut post.picture {
            picture.drawn =
                Some(pictures::file(&self.drawing, picture, self.width_px, self.wait_policy).await?);
        }
        Ok(post)
    }

    /// Downloads an attachment as text.
    ///
    /// # Errors
    /// If it is larger than [`limits::MAX_ATTACHMENT_BYTES`], is not text, or cannot be downloaded.
    pub async fn fetch(&self, file: &Attachment) -> Result<String, DiscordError> {
        let bytes = self.download(file, limits::MAX_ATTACHMENT_BYTES).await?;
        String::from_utf8(bytes).map_err(|_| DiscordError::internal("a file that is no text"))
    }

    /// Downloads an attached picture.
    ///
    /// # Errors
    /// If it is larger than [`limits::MAX_PICTURE_BYTES`] or cannot be downloaded.
    pub async fn fetch_picture(&self, file: &Attachment) -> Result<Vec<u8>, DiscordError> {
        self.download(file, limits::MAX_PICTURE_BYTES).await
    }

    async fn download(&self, file: &Attachment, most: usize) -> Result<Vec<u8>, DiscordError> {
        if file.0.size as usize > most {
            return Err(DiscordError::internal("a file that is too long"));
        }
        Ok(self.rest.download(&file.0.url).await?.into())
    }

    async fn json(&self, route: Route<'_>, method: LightMethod, body: &Value) -> Result<Value, DiscordError> {
        self.ask(Request::new(route, method).body(Some(body.to_string().into_bytes()))).await
    }

    async fn ask(&self, request: Request<'_>) -> Result<Value, DiscordError> {
        self.rest.request_json::<Value>(request).await
    }
}

fn id<T: From<u64>>(sent: &Value) -> Result<T, DiscordError> {
    let id = sent["id"].as_str().and_then(|id| id.parse().ok());
    id.filter(|id| *id != 0).map(T::from).ok_or_else(|| DiscordError::internal("an answer without an id"))
}
