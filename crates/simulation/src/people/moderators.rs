//! What moderators do to the bot: delete and lock threads, take permissions away, remove it. In the end they undo it.

use rookery_playground::id::Id;

use super::People;

/// Discord's bits of permissions that the bot needs.
const VIEW_CHANNEL: u64 = 1 << 10;
const SEND_MESSAGES: u64 = 1 << 11;
const ATTACH_FILES: u64 = 1 << 15;
const READ_HISTORY: u64 = 1 << 16;
const CREATE_THREADS: u64 = 1 << 35;
const SEND_IN_THREADS: u64 = 1 << 38;

impl People {
    pub(super) fn moderate(&mut self) {
        let threads = self.discord.threads(self.games);
        let thread = self.rng.pick(&threads).copied();
        let what = match (self.rng.below(12), thread) {
            (0, Some(thread)) => {
                self.discord.delete_channel(thread);
                format!("delete {thread}")
            }
            (1 | 2, Some(thread)) => {
                let (archived, locked) = (self.rng.below(2) == 0, self.rng.below(2) == 0);
                self.discord.set_thread(thread, archived, locked);
                format!("set {thread}: archived {archived}, locked {locked}")
            }
            (3, Some(thread)) => self.delete_a_message(thread),
            (4..7, _) => {
                let kinds = [
                    VIEW_CHANNEL,
                    SEND_MESSAGES,
                    ATTACH_FILES,
                    READ_HISTORY,
                    CREATE_THREADS,
                    SEND_IN_THREADS,
                ];
                let bits = *self.rng.pick(&kinds).expect("there are permissions");
                self.discord.deny_bot(self.games, bits);
                format!("deny the bot {bits:#x}")
            }
            (7, _) => {
                let home = self.discord.guild("Rookery").expect("the server is there");
                self.discord.remove_bot(home);
                "remove the bot".into()
            }
            (8, _) => {
                self.undo_moderation();
                return;
            }
            _ => {
                self.discord.deny_bot(self.games, 0);
                "deny the bot nothing".into()
            }
        };
        self.world.note_fault(|| format!("moderators {what}"));
    }

    fn delete_a_message(&mut self, thread: Id) -> String {
        let messages = self.everyone[0].messages(thread);
        let Some(message) = self.rng.pick(&messages) else { return "find no message".into() };
        self.discord.delete_message(thread, message.id);
        format!("delete message {} of {thread}", message.id)
    }

    /// Gives the bot all permissions, opens all threads, and invites the bot again.
    pub(super) fn undo_moderation(&mut self) {
        self.world.note(|| "moderators undo everything".into());
        let home = self.discord.guild("Rookery").expect("the server is there");
        self.discord.invite_bot(home);
        self.discord.deny_bot(self.games, 0);
        for thread in self.discord.threads(self.games) {
            self.discord.set_thread(thread, false, false);
        }
    }
}
