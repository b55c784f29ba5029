//! What one person may have in a while, as answers.

use rookery_table::quota::LimitedAction;

use super::context::Context;
use super::interaction::Interaction;
use super::outgoing_message::OutgoingMessage;

impl Context {
    /// Counts a use by whoever asks, and by their server.
    ///
    /// # Errors
    /// What to tell them: the limit, and when the next one is free.
    pub(super) fn spend(
        &self,
        interaction: &Interaction,
        what: LimitedAction,
    ) -> Result<(), Box<OutgoingMessage>> {
        let spent = self.registry.spend(interaction.who, interaction.place.guild, what);
        spent.map_err(|limited| Box::new(OutgoingMessage::text(self.words.quota_error(&limited))))
    }
}
