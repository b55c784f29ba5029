//! Games in user installs: on a server or in a conversation where the bot is not a member.
//!
//! The bot cannot post there by itself. Discord only lets it answer commands and presses: for 15 minutes the
//! interaction's token can edit that answer and post up to five follow-ups. So a table there is a single
//! message for everyone, and the bot uses every token that can edit it:
//!
//! - `/play`, or `/board` by a player: posted anew, with a ping for the people invited or to move.
//! - A button below the message: the press is acknowledged as an update of the message, so that the presser's
//!   token can edit it from then on; the private answer is a follow-up.
//! - Anything else, such as a move in a panel, the bot's move or a command in a direct message: edited with
//!   the latest token that can; otherwise posted anew with the token of a player who has just used the bot
//!   there; otherwise it waits for the next press.
//!
//! An edit pings nobody, and the message says so; people who prefer direct messages about their turns get
//! them. Tokens are kept in memory only, because they are secrets and soon expire. After a restart the first
//! press updates the message.

use rookery_table::preferences::Pings;
use rookery_table::{Status, Table, TableId};

use crate::discord::state::context::Context;
use crate::discord::state::user_install_messages::{TOKEN_LIFETIME, TableMessage, TokenLease};
use crate::discord::wire::api::Audience;
use crate::discord::wire::error::DiscordError;
use crate::discord::wire::interaction::{ComponentPress, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::snowflake::written_at;

impl Context {
    /// Uses the token of an interaction that was just answered in a channel where the bot is not a member.
    pub(in crate::discord) async fn use_token(
        &self,
        interaction: &Interaction,
        pressed: Option<&ComponentPress>,
    ) {
        if interaction.place.ours {
            return;
        }
        let key = TokenLease {
            token: interaction.token.clone(),
            until: written_at(interaction.token.id) + TOKEN_LIFETIME,
        };
        self.user_install_messages.keep(interaction, &key, self.registry.now());
        let mut tables = self.user_install_messages.waiting(interaction.place.channel);
        let under = pressed.filter(|pressed| !pressed.private);
        if let Some((press, message)) =
            under.and_then(|it| Some((it.custom_id.at_table()?.clone(), it.message)))
        {
            let slot = self.user_install_messages.slot(press.table);
            let mut reach = slot.lock().await;
            let shown = reach.as_ref().filter(|known| known.message == message).and_then(|it| it.shown);
            *reach = Some(TableMessage { key, message, is_answer: true, shown });
            drop(reach);
            tables.push(press.table);
        }
        for table in tables {
            if let Err(fault) = self.update_user_install(table).await {
                tracing::info!(%table, %fault, "the message of a game waits for the next press");
            }
        }
    }

    /// Updates the message of a table if a token can edit it; otherwise the table waits for one.
    ///
    /// # Errors
    /// A temporary error, which is worth a retry.
    pub(in crate::discord) async fn update_user_install(&self, id: TableId) -> Result<(), DiscordError> {
        let slot = self.user_install_messages.slot(id);
        let mut reach = slot.lock().await;
        let table =
            self.registry.table(id).await.map_err(|denied| DiscordError::Outage(denied.to_string()))?;
        if !table.is_user_install() {
            return Ok(());
        }
        let post = self.for_table(&table).await.view().user_install(&table);
        if let Some(known) = reach.as_mut().filter(|known| known.key.until > self.registry.now()) {
            if known.shown == Some(table.sequence()) {
                return Ok(());
            }
            let message = (!known.is_answer).then_some(known.message);
            match self.api.change(&known.key.token, message, &post).await {
                Ok(()) => {
                    known.shown = Some(table.sequence());
                    return Ok(());
                }
                Err(fault) if fault.is_temporary() => return Err(fault),
                Err(fault) => tracing::info!(table = %id, %fault, "could not reach the message of a game"),
            }
        }
        *reach = self.repost_with_token(&table, post).await?;
        Ok(())
    }

    /// Posts a table's message anew, below newer messages, with the token of one of its players.
    async fn repost_with_token(
        &self,
        table: &Table,
        post: OutgoingMessage,
    ) -> Result<Option<TableMessage>, DiscordError> {
        let Some(key) = self.user_install_messages.token_of_player(table, self.registry.now()) else {
            self.user_install_messages.wait(table);
            return Ok(None);
        };
        let post = self.with_pings_here(table, post).await;
        match self.api.follow(&key.token, &post, Audience::Everybody).await {
            Ok(said) if said.private => {
                // Only the player sees the answer, so the game cannot be played here. The answer says so.
                let told = OutgoingMessage::text(self.words.word("brought-unseen"));
                self.api.follow(&key.token, &told, Audience::Asker).await?;
                Ok(None)
            }
            Ok(said) => {
                let (message, shown) = (said.message, Some(table.sequence()));
                Ok(Some(TableMessage { key, message, is_answer: false, shown }))
            }
            Err(fault) if fault.is_temporary() => Err(fault),
            Err(fault) => {
                tracing::info!(table = %table.id(), %fault, "could not repost the message of a game");
                self.user_install_messages.wait(table);
                Ok(None)
            }
        }
    }

    /// Adds pings for the people who want them; invited people are always pinged.
    async fn with_pings_here(&self, table: &Table, mut post: OutgoingMessage) -> OutgoingMessage {
        if *table.status() == Status::Waiting {
            return post;
        }
        for who in std::mem::take(&mut post.pings) {
            let personal = self.registry.preferences_cache().person(who).await;
            let wanted = personal.pings == Pings::Thread && !personal.is_quiet_at(self.registry.now());
            post.pings.extend(wanted.then_some(who));
        }
        post
    }
}
