//! Messages that take long to build, such as those that replay and draw every board of a long game.

use rookery_tasks::Panicked;

use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::outgoing_message::OutgoingMessage;

impl Context {
    /// Builds something with this context's view, off the async threads.
    ///
    /// # Errors
    /// [`Panicked`] if `make` panics.
    pub async fn build_blocking<T: Send + 'static>(
        &self,
        make: impl FnOnce(&MessageView<'_>) -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        let MessageView { display, reads_all, challenge_hours, web, .. } = self.view();
        let (words, display, web) = (self.words, display.clone(), web.map(str::to_owned));
        let make = move || {
            make(&MessageView { words, display: &display, reads_all, challenge_hours, web: web.as_deref() })
        };
        self.registry.tasks().compute("layout", make).await
    }

    /// Builds a message about a started game off the async threads; without one, returns the matching error
    /// message.
    pub async fn build_message_blocking(
        &self,
        make: impl FnOnce(&MessageView<'_>) -> Option<OutgoingMessage> + Send + 'static,
    ) -> OutgoingMessage {
        match self.build_blocking(make).await {
            Ok(Some(post)) => post,
            Ok(None) => OutgoingMessage::text(self.words.word("refused-not-begun")),
            Err(Panicked) => OutgoingMessage::text(self.words.word("denied-fault")),
        }
    }
}
