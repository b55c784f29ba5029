//! Lookups of whether a person is a member of a server and can read a channel of it.

use crate::discord::state::channel_access::fact_of_error;
use crate::discord::state::context::Context;
use crate::discord::state::member_access::{Membership, Reader};
use crate::discord::wire::error::DiscordError;
use jiff::SignedDuration;
use rookery_table::access::TriState;
use rookery_table::{ChannelId, GuildId, RoleId, UserId};

impl Context {
    /// Returns whether a person is a member of a server and can read a channel of it. `roles` are the
    /// person's roles, if they came with the event; otherwise the member is looked up, unless that was done
    /// within `max_age`.
    pub(in crate::discord) async fn reader(
        &self,
        (guild, channel): (GuildId, ChannelId),
        who: UserId,
        roles: Option<&[RoleId]>,
        max_age: SignedDuration,
    ) -> Reader {
        let membership = match roles {
            Some(roles) => Ok(Membership::Member(roles.into())),
            None => self.membership(guild, who, max_age).await,
        };
        match membership {
            Ok(Membership::Member(roles)) => {
                Reader { is_member: TriState::Yes, reads: self.can_read(channel, who, &roles).await }
            }
            Ok(Membership::None) => Reader { is_member: TriState::No, reads: TriState::No },
            Err(fault) => {
                tracing::info!(%guild, %channel, %fault, "could not find out whether a person can read a channel");
                let fact = fact_of_error(&fault);
                Reader { is_member: fact, reads: fact }
            }
        }
    }

    async fn membership(
        &self,
        guild: GuildId,
        who: UserId,
        max_age: SignedDuration,
    ) -> Result<Membership, DiscordError> {
        let (key, now) = ((guild, who), self.registry.now());
        if let Some(known) = self.members.get(key, (now, max_age)) {
            return Ok(known);
        }
        let found = match self.api.roles_of(guild, who).await {
            Ok(roles) => Membership::Member(roles.into()),
            // Nothing is shown of a server that the bot is not in.
            Err(DiscordError::NotFound { .. } | DiscordError::NoAccess { .. }) => Membership::None,
            Err(fault) => return Err(fault),
        };
        self.members.keep(key, &found, now);
        Ok(found)
    }
}
