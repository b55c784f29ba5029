//! The state behind the pages.

use std::sync::Arc;

use rookery_i18n::Localizer;
use rookery_render::Names;
use rookery_table::registry::TableRegistry;

use super::discord_side::DiscordSideSlot;
use super::discord_sign_in::FramePlace;
use crate::drawing::{DrawError, Drawing, Kind, WaitPolicy};

/// The state behind the pages.
pub struct Web {
    /// The registry in which tables and links are looked up.
    pub registry: Arc<TableRegistry>,
    /// The service that draws boards and share cards.
    pub drawing: Drawing,
    /// The fonts for names on share cards.
    pub names: Names,
    /// The sentences of the pages' language.
    pub words: &'static Localizer,
    /// The name of the boards' theme.
    pub theme: String,
    /// The public address of the pages, without a slash at the end: link previews need a picture's absolute
    /// address.
    pub address: Option<String>,
    /// Who may see tables and act there.
    pub discord_side: DiscordSideSlot,
}

impl Web {
    /// Draws or evaluates on a drawing thread.
    ///
    /// # Errors
    /// If too many drawings wait, or `work` fails or panics.
    pub(super) async fn compute<T, E>(
        self: &Arc<Web>,
        work: impl FnOnce(&Web) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<DrawError> + Send + 'static,
    {
        let web = self.clone();
        self.drawing.run(Kind::Still, WaitPolicy::Refuse, move |_| work(&web)).await?
    }

    /// Returns where Discord shows the pages in a frame; `None` without an Activity, and until the bot knows its application.
    pub(super) fn frame_place(&self) -> Option<FramePlace> {
        self.discord_side.get()?.sign_in()?.frame()
    }
}
