//! Measures how long people wait while the program is overloaded: two hundred tables wait for level hard, on one thread
//! fewer than there are processors, which is the default.

use std::num::NonZero;

use rookery_core::player::Level;

use super::bot::Bot;
use super::*;

/// The number of tables that wait for the program.
const TABLES: usize = 200;
/// The number of moves typed, and of buttons pressed, meanwhile.
const ORDERS: usize = 150;
/// The number of answers timed for each level.
const ANSWERS: usize = 12;

/// Returns the default number of threads, and a pool with as many.
fn thinkers(hourly: Duration) -> Result<(usize, ThinkerPool)> {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.saturating_sub(1).max(1);
    let bounds = ThinkingLimits { tables: threads.div_ceil(2), hourly };
    Ok((threads, ThinkerPool::new(threads, MOVE_TIME_LIMIT, bounds)?))
}

/// Plays any move at a table whenever it is the person's turn; after a game opens the next one. Never returns.
async fn keep_program_busy(bot: Arc<Bot>, number: usize, taken: Times, answered: Times) -> Result<()> {
    let mut rng = SeededRng::new(number as u64);
    loop {
        let (id, who) = bot.against(number, "amazons", Level::Hard).await?;
        loop {
            let table = bot.registry.table(id).await?;
            let Some(text) = table.play().and_then(|play| rng.pick(&play.moves()).cloned()) else { break };
            let since = Instant::now();
            bot.registry.order(id, Actor::Person(who), Order::Move { text, ply: None }, None).await?;
            taken.add(since.elapsed());
            if !wait_for_turn(&bot.registry, id).await? {
                break;
            }
            answered.add(since.elapsed());
        }
    }
}

/// Waits until a person is to move; returns false if the game ends first.
async fn wait_for_turn(registry: &TableRegistry, id: TableId) -> Result<bool> {
    loop {
        let table = registry.table(id).await?;
        match table.to_move().and_then(|seat| table.occupant(seat)) {
            None => return Ok(false),
            Some(Occupant::Ai { .. }) => tokio::time::sleep(Duration::from_millis(5)).await,
            Some(_) => return Ok(true),
        }
    }
}

/// Times typed moves and pressed buttons in a game of two people while the tables wait.
pub(super) async fn load() -> Result<()> {
    let (threads, thinkers) = thinkers(Duration::from_secs(30 * 60))?;
    println!("{TABLES} tables wait for level hard, {threads} thread(s) of one server think");
    let bot = Arc::new(Bot::start(thinkers).await?);
    let (taken, answered) = (Times::default(), Times::default());
    let mut duel = open(&bot.playground, &bot.registry).await?;
    let drivers: Vec<_> = (0..TABLES)
        .map(|i| tokio::spawn(keep_program_busy(bot.clone(), i, taken.clone(), answered.clone())))
        .collect();
    tokio::time::sleep(Duration::from_secs(10)).await;
    let (typed, acknowledged, shown) = (Times::default(), Times::default(), Times::default());
    let mut rng = SeededRng::new(5);
    let mut orders = 0;
    while orders < ORDERS {
        let (table, thread, people) = &duel;
        let (table, thread) = (*table, *thread);
        while let (Some(seat), true) = (bot.registry.table(table).await?.to_move(), orders < ORDERS) {
            let now = bot.registry.table(table).await?;
            let who = &people[seat.index()];
            let since = Instant::now();
            let pressed = press_move(who, thread)?;
            pressed.answer().await?;
            acknowledged.add(since.elapsed());
            pressed.message().await?;
            shown.add(since.elapsed());
            let text = rng.pick(&now.play().expect("it runs").moves()).expect("it runs").clone();
            typed.add(type_move(&bot.playground, who, thread, now.ply() + 1, &text).await?);
            orders += 1;
        }
        if orders < ORDERS {
            duel = open(&bot.playground, &bot.registry).await?;
        }
    }
    typed.print_times("typed move to its board", None);
    acknowledged.print_times("button to acknowledgement", None);
    shown.print_times("button to the panel", None);
    taken.print_times("a move at a waiting table", None);
    answered.print_times("the program's answer there", None);
    for driver in drivers {
        driver.abort();
        // An aborted or failed driver has no more times to report.
        let _ = driver.await;
    }
    match Arc::try_unwrap(bot) {
        Ok(bot) => bot.stop().await,
        Err(_) => anyhow::bail!("somebody still plays"),
    }
}

/// Presses Move under the latest board.
fn press_move(who: &Human, thread: Id) -> Result<rookery_playground::testing::person::PendingInteraction> {
    let boards = who.messages(thread).into_iter().rev();
    let board = boards.filter(|seen| !seen.files().is_empty()).find_map(|seen| {
        let button = seen.button("Move").map(str::to_owned)?;
        Some((seen, button))
    });
    let (seen, button) = board.ok_or_else(|| anyhow::anyhow!("no board to press under"))?;
    who.click(&seen, &button).map_err(|refusal| anyhow::anyhow!("{refusal:?}"))
}

/// Times a typed move up to the board with the program's answer, by game and level.
pub(super) async fn levels() -> Result<()> {
    println!("from a typed move to the board with the program's answer, {ANSWERS} moves each, loopback");
    let (_, thinkers) = thinkers(Duration::from_secs(3_600))?;
    let bot = Bot::start(thinkers).await?;
    for game in rookery_games::all().iter().map(|game| game.info().key) {
        for level in Level::ALL {
            let times = Times::default();
            answers(&bot, game, level, &times).await?;
            times.print_times(&format!("{game} {}", level.key()), None);
        }
    }
    bot.stop().await
}

async fn answers(bot: &Bot, game: &str, level: Level, times: &Times) -> Result<()> {
    let (ada, games) = (bot.playground.user("Ada"), bot.playground.channel("games"));
    let refused = |refusal| anyhow::anyhow!("{refusal:?}");
    let wish = json!({"game": game, "ai": level.key(), "first": "me"});
    ada.slash(games, "play", &wish).map_err(refused)?.message().await?;
    let filter = Filter { stage: Some(Stage::Running), ..Filter::default() };
    let table = bot.registry.list(&filter, 1).await?.first().expect("it was opened").id;
    let thread = ada.wait_for_thread(games, table.as_str()).await?;
    ada.wait_for(thread, "the first board", |seen| !seen.files().is_empty()).await?;
    let mut rng = SeededRng::new(7);
    for _ in 0..ANSWERS {
        let now = bot.registry.table(table).await?;
        if now.to_move().is_none() {
            break;
        }
        let text = rng.pick(&now.play().expect("it runs").moves()).expect("it runs").clone();
        let since = Instant::now();
        ada.say(thread, &text).map_err(refused)?;
        let answered = || async {
            let after = bot.registry.table(table).await?;
            anyhow::Ok((after.ply() > now.ply() + 1).then_some(after))
        };
        let after = loop {
            if let Some(after) = answered().await? {
                break after;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
            anyhow::ensure!(since.elapsed() < Duration::from_secs(30), "no answer from {}", level.key());
        };
        let last = after.play().and_then(|play| play.record().pop()).unwrap_or_default();
        let line = format!("{}. {last}", after.ply());
        ada.wait_for(thread, "the answer's board", |seen| seen.content().contains(&line)).await?;
        times.add(since.elapsed());
    }
    let _over = bot.registry.order(table, Actor::Person(UserId(ada.id.0)), Order::Resign, None).await;
    Ok(())
}
