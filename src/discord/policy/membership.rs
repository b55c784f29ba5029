//! The lookups that tables need from Discord: whether a person still has a role, and whether everyone can
//! read a channel.

use std::sync::Weak;

use async_trait::async_trait;

use rookery_table::ports::MembershipSource;
use rookery_table::{ChannelId, GuildId, RoleId, UserId};

use crate::discord::state::context::Context;
use crate::discord::wire::error::DiscordError;

/// Discord's data, available while the context exists.
pub(in crate::discord) struct DiscordMembership(pub(in crate::discord) Weak<Context>);

#[async_trait]
impl MembershipSource for DiscordMembership {
    async fn has_lost_role(&self, guild: GuildId, role: RoleId, who: UserId) -> bool {
        let Some(ctx) = self.0.upgrade() else { return false };
        match ctx.api.roles_of(guild, who).await {
            Ok(roles) => !roles.contains(&role),
            // A person who left the server has no roles.
            Err(DiscordError::NotFound { .. }) => true,
            Err(fault) => {
                tracing::info!(%fault, "could not find out whether a person still has a role");
                false
            }
        }
    }

    async fn is_public(&self, channel: ChannelId) -> bool {
        match self.0.upgrade() {
            Some(ctx) => ctx.is_open(channel).await,
            None => false,
        }
    }
}
