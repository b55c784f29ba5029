//! Limits on how often a person may do something, with the answers for exceeding them.

use rookery_table::quota::LimitedAction;

use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Requester;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Counts one use for the person and for the server.
    ///
    /// # Errors
    /// The answer: the limit, and when the next use is free.
    pub(in crate::discord) fn count_use<'a>(
        &self,
        requester: impl Into<Requester<'a>>,
        what: LimitedAction,
    ) -> Result<(), Box<OutgoingMessage>> {
        let Requester { who, place, .. } = requester.into();
        let spent = self.registry.spend(who, place.guild, what);
        spent.map_err(|limited| Box::new(OutgoingMessage::text(self.words.quota_error(&limited))))
    }
}
