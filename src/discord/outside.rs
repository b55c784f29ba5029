//! What tables ask of Discord by themselves: who still has a role, and whether everybody reads a channel.

use std::sync::Weak;

use async_trait::async_trait;

use rookery_table::Person;
use rookery_table::ports::Census;

use super::desk::Desk;
use super::fault::Fault;

/// Discord, as long as the desk stands.
pub(super) struct Outside(pub(super) Weak<Desk>);

#[async_trait]
impl Census for Outside {
    async fn has_lost(&self, guild: u64, role: u64, who: Person) -> bool {
        let Some(desk) = self.0.upgrade() else { return false };
        match desk.api.roles_of(guild, who.0).await {
            Ok(roles) => !roles.contains(&role),
            // Somebody who left the server has none.
            Err(Fault::Gone { .. }) => true,
            Err(fault) => {
                tracing::info!(%fault, "whether somebody still has a role is not known");
                false
            }
        }
    }

    async fn is_open(&self, channel: u64) -> bool {
        match self.0.upgrade() {
            Some(desk) => desk.is_open(channel).await,
            None => false,
        }
    }
}
