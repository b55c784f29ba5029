//! The people of all servers, and the pace at which they move.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use rookery_core::seed::SeededRng;
use rookery_playground::testing::ObservedEvent;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_playground::{BOT_ID, Playground, id::Id};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::Load;
use crate::conversation::{Game, Server, add_server, channel_of, is_board, is_last_board, open};
use crate::report::Report;

/// The number of games that are opened at the same time.
const OPENINGS: usize = 12;
/// After this time without its board a move counts as lost.
const BOARD_TIMEOUT: Duration = Duration::from_secs(60);
/// How often the playground forgets the bot's requests.
const FORGET_INTERVAL: Duration = Duration::from_secs(5);
/// The interval between two pressed buttons.
const PRESS_INTERVAL: Duration = Duration::from_millis(500);

/// All servers and games.
pub(crate) struct People {
    playground: Arc<Playground>,
    servers: Vec<Server>,
    state: Mutex<State>,
    report: Arc<Report>,
    openings: Semaphore,
}

#[derive(Default)]
struct State {
    /// The games in which someone can move.
    free: Vec<Game>,
    /// The games that wait for a board, by their thread, and since when.
    waiting: HashMap<Id, (Instant, Game)>,
}

impl People {
    /// Adds the servers and opens all games.
    pub(crate) async fn open(
        load: &Load,
        playground: &Arc<Playground>,
        report: &Arc<Report>,
    ) -> Result<Arc<People>> {
        let mut servers = Vec::new();
        let mut news_of = HashMap::new();
        for number in 0..load.tables.div_ceil(load.tables_per_server) {
            let (guild, channel, people) = add_server(playground, number);
            let (sender, news) = unbounded_channel();
            news_of.insert(guild, sender);
            servers.push(Server { channel, people, news: tokio::sync::Mutex::new(news) });
        }
        let people = Arc::new(People {
            playground: playground.clone(),
            servers,
            state: Mutex::default(),
            report: report.clone(),
            openings: Semaphore::new(OPENINGS),
        });
        tokio::spawn(people.clone().read_news(news_of));
        let mut opening = JoinSet::new();
        for number in 0..load.tables {
            opening.spawn(people.clone().open_game(number % people.servers.len(), number));
        }
        let since = Instant::now();
        let mut done = 0;
        while let Some(opened) = opening.join_next().await {
            opened??;
            done += 1;
            if done % 500 == 0 {
                println!("{done} games are open after {:.0?}", since.elapsed());
                playground.forget_requests();
            }
        }
        Ok(people)
    }

    pub(crate) fn servers(&self) -> usize {
        self.servers.len()
    }

    /// Types moves at this rate for some time, then waits for the last boards.
    pub(crate) async fn play(self: &Arc<People>, time: Duration, moves_per_second: f64) {
        let pressing = tokio::spawn(self.clone().press_buttons());
        let (since, mut rng, mut typed) = (Instant::now(), SeededRng::new(1), 0.0);
        let (mut ticks, mut forgotten) = (tokio::time::interval(Duration::from_millis(5)), Instant::now());
        while since.elapsed() < time {
            ticks.tick().await;
            while typed < since.elapsed().as_secs_f64() * moves_per_second {
                typed += 1.0;
                if let Err(error) = self.type_move(&mut rng) {
                    self.report.failure(error.to_string());
                }
            }
            if forgotten.elapsed() > FORGET_INTERVAL {
                self.playground.forget_requests();
                forgotten = Instant::now();
            }
        }
        pressing.abort();
        let last = Instant::now();
        while !self.state().waiting.is_empty() && last.elapsed() < BOARD_TIMEOUT {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut late: Vec<_> = std::mem::take(&mut self.state().waiting).into_iter().collect();
        late.sort_by_key(|(thread, _)| *thread);
        for (thread, (since, game)) in late {
            let (waited, left) = (since.elapsed(), game.planned.len());
            let last =
                game.people[0].messages(thread).pop().map(|it| it.content().to_owned()).unwrap_or_default();
            self.report.failure(format!(
                "no board for {waited:.0?} in {thread}, {left} turns before the next plan; last: {last}"
            ));
        }
    }

    async fn open_game(self: Arc<People>, at: usize, number: usize) -> Result<()> {
        let _turn = self.openings.acquire().await?;
        let game = open(at, &self.servers[at], number, BOT_ID).await?;
        self.state().free.push(game);
        Ok(())
    }

    /// Types a move in a random game.
    fn type_move(&self, rng: &mut SeededRng) -> Result<()> {
        let mut game = {
            let mut state = self.state();
            if state.free.is_empty() {
                self.report.without_game();
                return Ok(());
            }
            let at = rng.below(state.free.len() as u64) as usize;
            state.free.swap_remove(at)
        };
        let turn = game.planned.pop_front().ok_or_else(|| anyhow!("a free game without a turn"))?;
        let (mover, thread) = (game.people[turn.mover].clone(), game.thread);
        // The board may appear before `say` returns.
        self.state().waiting.insert(thread, (Instant::now(), game));
        mover.say(thread, &turn.text).map_err(|error| anyhow!("{error:?}"))?;
        Ok(())
    }

    /// Reads the bot's messages: boards end the wait of a game, and all go to those who open games.
    async fn read_news(self: Arc<People>, news_of: HashMap<Id, UnboundedSender<ObservedEvent>>) {
        let mut news = self.playground.observe();
        while let Some(event) = news.recv().await {
            if let Some(thread) = channel_of(&event).filter(|_| is_board(&event, BOT_ID)) {
                let waited = self.state().waiting.remove(&thread);
                if let Some((since, game)) = waited {
                    self.report.board(game.server, event.at.duration_since(since));
                    if is_last_board(&event) {
                        self.open_another(game.server);
                    } else {
                        self.go_on(game);
                    }
                    continue;
                }
            }
            if let Some(sender) = event.guild.and_then(|guild| news_of.get(&guild)) {
                // The receiver lives as long as the server.
                let _ = sender.send(event);
            }
        }
    }

    /// Frees a game for its next move, or opens another one if the rules end it here.
    fn go_on(self: &Arc<People>, mut game: Game) {
        match game.plan(&mut SeededRng::new(game.thread.0)) {
            Err(error) => self.report.failure(error.to_string()),
            Ok(()) if !game.planned.is_empty() => self.state().free.push(game),
            Ok(()) => self.open_another(game.server),
        }
    }

    /// Opens another game on a server, after one has ended.
    fn open_another(self: &Arc<People>, at: usize) {
        let people = self.clone();
        tokio::spawn(async move {
            let report = people.report.clone();
            if let Err(error) = people.open_game(at, at).await {
                report.failure(format!("no new game: {error}"));
            }
        });
    }

    /// Presses *Move* under boards, and measures when the bot acknowledges it.
    async fn press_buttons(self: Arc<People>) {
        let mut rng = SeededRng::new(2);
        let mut ticks = tokio::time::interval(PRESS_INTERVAL);
        loop {
            ticks.tick().await;
            let chosen = {
                let state = self.state();
                rng.pick(&state.free).and_then(|game| Some((game.mover()?.clone(), game.thread)))
            };
            let Some((mover, thread)) = chosen else { continue };
            let boards = mover.messages(thread).into_iter().rev();
            let with_button = |it: VisibleMessage| it.button("Move").map(str::to_owned).map(|id| (it, id));
            let Some((board, button)) = boards.filter_map(with_button).next() else { continue };
            let since = Instant::now();
            let answered = match mover.click(&board, &button) {
                Ok(pressed) => pressed.answer().await.map_err(|error| error.to_string()),
                Err(error) => Err(format!("{error:?}")),
            };
            match answered {
                Ok(_) => self.report.press(since.elapsed()),
                Err(error) => self.report.failure(format!("a pressed button: {error}")),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
