//! Links with which people outside Discord watch a game in a browser ([`rookery_table::share`]): who may
//! create and withdraw them, their buttons, and the link below announcements that a server's setting adds.

use rookery_table::access::{self, Action, ShareError};
use rookery_table::ports::StoreError;
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::{Table, TableError, TableId};

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::share_id::ShareAction;

/// Carries out a press of a share button.
pub async fn pressed(
    ctx: &Context,
    interaction: &Interaction,
    action: ShareAction,
    id: TableId,
) -> OutgoingMessage {
    // Only people who may use the button see it. A forged press must not reveal whether the table exists.
    let opened = ctx.open_table(interaction.into(), id, Action::See).await.ok();
    match opened.filter(|table| may_stop(interaction, table)) {
        Some(table) => carry_out(ctx, interaction, &table, action).await,
        None => OutgoingMessage::text(ctx.words.table_error(&TableError::NoTable(id), None)),
    }
}

/// Carries out an action on a game's link if the person may do it. Only they see the answer.
pub async fn carry_out(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    action: ShareAction,
) -> OutgoingMessage {
    let refused = match action {
        ShareAction::Stop if !may_stop(interaction, table) => Some("share-not-yours"),
        ShareAction::Stop => None,
        _ => match access::may_share(table, interaction.who) {
            Err(ShareError::NotSeated) => Some("share-not-seated"),
            _ if ctx.settings.web.is_none() => Some("share-no-web"),
            Err(ShareError::NotBegun) => Some("refused-not-begun"),
            Ok(()) => None,
        },
    };
    if let Some(key) = refused {
        return OutgoingMessage::text(ctx.words.word(key));
    }
    carried_out(ctx, interaction, table, action).await.unwrap_or_else(|error| {
        tracing::error!(%error, "could not save or withdraw a share link");
        OutgoingMessage::text(ctx.words.word("denied-journal"))
    })
}

/// Whether a person may withdraw a game's links: as a player or as a manager of its server.
fn may_stop(interaction: &Interaction, table: &Table) -> bool {
    let manages = interaction.manages
        && table.terms().guild.is_some()
        && interaction.place.guild == table.terms().guild;
    manages || table.seat_of(interaction.who).is_some()
}

async fn carried_out(
    ctx: &Context,
    interaction: &Interaction,
    table: &Table,
    action: ShareAction,
) -> Result<OutgoingMessage, StoreError> {
    let registry = &ctx.registry;
    let link = match action {
        ShareAction::Show => registry.share(table, interaction.who).await?,
        ShareAction::Replace => registry.share_anew(table, interaction.who).await?,
        ShareAction::Stop => {
            let key = if registry.stop_sharing(table.id()).await? { "share-stopped" } else { "share-none" };
            return Ok(OutgoingMessage::text(ctx.words.say(key, &[("table", table.id().as_str().into())])));
        }
    };
    let links = registry.journal().share_links().links_to(ShareTarget::Table(table.id())).await?;
    let shown_by_server = links.iter().any(ShareLink::is_by_setting);
    Ok(ctx.view().share_link(table, &link, shown_by_server))
}

impl Context {
    /// Adds the link of the game's page to a message if the server's setting makes its games public.
    pub(in crate::discord) async fn with_page_link(
        &self,
        table: &Table,
        mut post: OutgoingMessage,
    ) -> OutgoingMessage {
        if self.settings.web.is_none() || table.play().is_none() {
            return post;
        }
        let link = match self.registry.public_link(table).await {
            Ok(link) => link,
            Err(error) => {
                tracing::warn!(table = %table.id(), %error, "could not get a public link; posting without it");
                None
            }
        };
        if let Some(line) = link.and_then(|link| self.view().page_line(&link)) {
            post.content = format!("{}\n{line}", post.content);
        }
        post
    }
}
