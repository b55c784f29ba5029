//! The people of a simulation: they open tables, play, press buttons, talk, and moderate, as the seed says.

mod moderators;
mod moves;

use std::sync::Arc;
use std::time::Duration;

use rookery_core::seed::{SeededRng, mix};
use rookery_playground::id::Id;
use rookery_playground::testing::person::{PendingInteraction, Person};
use rookery_playground::{BOT_ID, Playground};
use rookery_table::ports::Filter;
use serde_json::{Value, json};

use crate::tables;
use crate::world::{Asked, Stage, World, lock};

/// The most tables that are open at a time.
const MAX_TABLES: usize = 4;
/// The games that are played, with the options that keep them short.
const GAMES: [(&str, &str); 6] = [
    ("amazons", "6x6"),
    ("amoeba", ""),
    ("paper-penguins", "5x5"),
    ("penguins", ""),
    ("amazon-penguins", ""),
    ("penguin-soccer", ""),
];
/// The time controls; without one, a game has no clock.
const CLOCKS: [&str; 5] = ["", "live", "1m+5s hard", "1m hard", "daily"];
/// The time controls where clocks shall run out.
const HARD_CLOCKS: [&str; 2] = ["1m+5s hard", "1m hard"];
/// What people write at a table besides moves.
const WORDS: [&str; 12] = [
    "draw?", "undo?", "pause", "resume", "clock", "board", "yes", "no", "moves", "help", "nonsense", "resign",
];

/// All people together.
pub(crate) struct People {
    world: Arc<World>,
    discord: Arc<Playground>,
    rng: SeededRng,
    everyone: Vec<Person>,
    /// The channel in which games are opened.
    games: Id,
    moderates: bool,
}

/// Lets people act until the end of the simulation.
pub(crate) async fn run(world: Arc<World>) {
    let discord = world.discord();
    let _here = discord.wait_for_bot().await;
    let everyone =
        vec![discord.user("Ada"), discord.user("Ben"), discord.user("Cleo"), discord.new_user("Dora")];
    let mut rng = SeededRng::new(mix(world.seed ^ 0xbe));
    let moderates = rng.below(2) == 0;
    let games = discord.channel("games");
    let mut people = People { world: world.clone(), discord, rng, everyone, games, moderates };
    while world.stage() == Stage::Faulty {
        people.pause(1_500).await;
        people.act().await;
    }
    while world.stage() == Stage::Idle {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    people.undo_moderation();
    while world.stage() == Stage::Settling {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    people.last_moves().await;
}

impl People {
    async fn pause(&mut self, most_ms: u64) {
        let pause = Duration::from_millis(50 + self.rng.below(most_ms));
        tokio::time::sleep(pause).await;
    }

    async fn act(&mut self) {
        self.world.counts.acts.add();
        let unfinished = Filter { unfinished: true, ..Filter::default() };
        let open = tables::cards(&self.world.store(), &unfinished).len();
        match self.rng.below(20) {
            0..3 if open < MAX_TABLES => self.open(),
            0..5 => self.join(),
            5..15 => self.play().await,
            15 => self.press_anything(),
            16 | 17 => self.say_anything(),
            18 if self.moderates => self.moderate(),
            _ => self.command(),
        }
    }

    fn anyone(&mut self) -> Person {
        self.rng.pick(&self.everyone).expect("there are people").clone()
    }

    fn note(&self, who: &Person, what: &str) {
        self.world.note(|| format!("{} {what}", who.name));
    }

    /// Remembers an interaction, if Discord's client let it happen.
    fn asked<E>(
        &self,
        who: &Person,
        what: String,
        asked: Result<PendingInteraction, E>,
    ) -> Option<PendingInteraction> {
        self.note(who, &format!("{what}{}", if asked.is_ok() { "" } else { ", which is not possible" }));
        let interaction = asked.ok()?;
        let in_calm = self.world.stage() == Stage::LastMoves;
        let at_ms = self.world.time.now_ms();
        lock(&self.world.asked).push(Asked { interaction: interaction.clone(), what, at_ms, in_calm });
        Some(interaction)
    }

    fn open(&mut self) {
        let who = self.anyone();
        let (game, size) = *self.rng.pick(&GAMES).expect("there are games");
        let mut options = json!({"game": game});
        if !size.is_empty() {
            options["size"] = json!(size);
        }
        match self.rng.below(4) {
            0 => options["ai"] = json!("random"),
            1 => options["ai"] = json!("easy"),
            2 => options["open"] = json!(true),
            _ => options["opponent"] = json!(self.anyone().id.to_string()),
        }
        let clocks = if self.world.has_idle_time() { &HARD_CLOCKS[..] } else { &CLOCKS[..] };
        if let Some(clock) = self.rng.pick(clocks).filter(|clock| !clock.is_empty()) {
            options["clock"] = json!(clock);
        }
        let asked = who.slash(self.games, "play", &options);
        self.asked(&who, format!("opens {options}"), asked);
    }

    fn join(&mut self) {
        let who = self.anyone();
        let messages = who.messages(self.games);
        let open: Vec<_> = messages
            .iter()
            .filter_map(|it| Some((it, it.button("Join").or_else(|| it.button("Accept"))?)))
            .collect();
        if let Some((message, button)) = self.rng.pick(&open) {
            let asked = who.click(message, button);
            self.asked(&who, format!("joins by {}", message.id), asked);
        }
    }

    /// Presses a button of a recent public message.
    fn press_anything(&mut self) {
        let (who, channel) = (self.anyone(), self.any_channel());
        let messages = who.messages(channel);
        let recent = messages.iter().rev().filter(|it| !it.buttons().is_empty()).take(3).collect::<Vec<_>>();
        let Some(message) = self.rng.pick(&recent) else { return };
        let Some(label) = self.rng.pick(&message.buttons()).copied() else { return };
        let Some(button) = message.button(label) else { return };
        let asked = who.click(message, button);
        self.asked(&who, format!("presses {label} of {}", message.id), asked);
    }

    fn say_anything(&mut self) {
        let (who, channel) = (self.anyone(), self.any_channel());
        let words = *self.rng.pick(&WORDS).expect("there are words");
        let said = who.say(channel, &format!("<@{BOT_ID}> {words}"));
        self.note(&who, &format!("says {words} in {channel}: {}", said.is_ok()));
    }

    fn command(&mut self) {
        let (who, channel) = (self.anyone(), self.any_channel());
        let commands: [(&str, Value); 7] = [
            ("games", json!({})),
            ("board", json!({})),
            ("moves", json!({})),
            ("undo", json!({})),
            ("pause", json!({})),
            ("resume", json!({})),
            ("verify", json!({})),
        ];
        let (name, options) = self.rng.pick(&commands).expect("there are commands");
        let asked = who.slash(channel, name, options);
        self.asked(&who, format!("uses /{name} in {channel}"), asked);
    }

    /// Returns the channel for games or one of its threads.
    fn any_channel(&mut self) -> Id {
        let threads = self.discord.threads(self.games);
        self.rng.pick(&threads).copied().unwrap_or(self.games)
    }
}
