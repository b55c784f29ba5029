//! Positions that people ask about: looked at by the program behind all the turns that it owes.

use std::time::Duration;

use tokio::sync::oneshot;

use crate::kit::Play;
use crate::kit::player::{Ask, Level, Limits, Thought};

use super::Hall;

/// Positions that are looked at for people at the same time, at most.
pub(super) const AT_ONCE: usize = 4;
/// How long somebody waits for one, waiting for its turn included.
const PATIENCE: Duration = Duration::from_secs(20);

impl Hall {
    /// What the program thinks of a position, within so many positions looked at and so much time once it
    /// is its turn. `None` if the game is over there, or others kept the program busy for too long.
    pub async fn study(&self, play: &dyn Play, nodes: u64, time: Duration) -> Option<Thought<String>> {
        let limits = Limits { nodes: Some(nodes), time: Some(time), ..Limits::default() };
        let ask = Ask { limits, ..Ask::new(Level::Expert, 1) };
        let halt = ask.halt.clone();
        let found = tokio::time::timeout(PATIENCE, self.studied(play, ask)).await;
        found.unwrap_or_else(|_| {
            halt.call();
            None
        })
    }

    async fn studied(&self, play: &dyn Play, ask: Ask) -> Option<Thought<String>> {
        let _turn = self.students.acquire().await.ok()?;
        let (tell, told) = oneshot::channel();
        // Whoever asked may have gone away meanwhile: then nobody needs the answer.
        let answer = move |found| drop(tell.send(found));
        self.thinker.study(play.clone_play(), ask, Box::new(answer));
        told.await.ok().flatten()
    }
}
