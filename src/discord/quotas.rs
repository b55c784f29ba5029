//! What one person may have in a while, as answers.

use rookery_table::quota::Use;

use super::asked::Asked;
use super::desk::Desk;
use super::post::Post;

impl Desk {
    /// Counts a use by whoever asks, and by their server.
    ///
    /// # Errors
    /// What to tell them: the limit, and when the next one is free.
    pub(super) fn spend(&self, asked: &Asked, what: Use) -> Result<(), Box<Post>> {
        let spent = self.hall.spend(asked.who, asked.place.guild, what);
        spent.map_err(|limited| Box::new(Post::text(self.words.limited(&limited))))
    }
}
