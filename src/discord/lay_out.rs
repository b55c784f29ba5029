//! Messages that take long to make: each board of a long game is played up to and drawn up anew.

use rookery_tasks::Panicked;

use super::desk::Desk;
use super::layout::Layout;
use super::post::Post;

impl Desk {
    /// Makes something with the layout of whoever is spoken to, beside the async threads.
    ///
    /// # Errors
    /// [`Panicked`], where that panics.
    pub async fn lay_out<T: Send + 'static>(
        &self,
        make: impl FnOnce(&Layout<'_>) -> T + Send + 'static,
    ) -> Result<T, Panicked> {
        let Layout { taste, reads_all, challenge_hours, web, .. } = self.layout();
        let (words, taste, web) = (self.words, taste.clone(), web.map(str::to_owned));
        let make =
            move || make(&Layout { words, taste: &taste, reads_all, challenge_hours, web: web.as_deref() });
        self.hall.tasks().compute("layout", make).await
    }

    /// A message about a game that has begun, made beside the async threads; what else is to be said.
    pub async fn lay_out_post(
        &self,
        make: impl FnOnce(&Layout<'_>) -> Option<Post> + Send + 'static,
    ) -> Post {
        match self.lay_out(make).await {
            Ok(Some(post)) => post,
            Ok(None) => Post::text(self.words.word("refused-not-begun")),
            Err(Panicked) => Post::text(self.words.word("denied-fault")),
        }
    }
}
