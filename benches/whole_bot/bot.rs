//! A whole bot over loopback, with its tables in a file.

use rookery_core::player::Level;

use super::*;

pub(super) struct Bot {
    pub(super) playground: Playground,
    pub(super) registry: Arc<TableRegistry>,
    /// The duration of each write of a batch.
    pub(super) appends: Times,
    switch: shutdown::ShutdownTrigger,
    running: tokio::task::JoinHandle<Result<(), discord::RunError>>,
    _folder: tempfile::TempDir,
}

impl Bot {
    pub(super) async fn start(thinkers: ThinkerPool) -> Result<Bot> {
        let folder = tempfile::tempdir()?;
        let options = rookery_playground::Options {
            allow_message_content: true,
            rate_limits: RateLimits::none(),
            ..rookery_playground::Options::default()
        };
        let playground = Playground::start(options).await?;
        let appends = Times::default();
        let kept = Sqlite::open(&folder.path().join("rookery.sqlite")).await?;
        let journal = Arc::new(HookedJournal { inner: kept, hooks: appends.clone() });
        let registry = TableRegistry::new(journal, Arc::new(FixedClock), Arc::new(thinkers), 1);
        let (switch, stop) = shutdown::channel();
        let settings = Settings { message_content: true, ..Settings::default() };
        let languages = Languages::built_in();
        let bot = discord::Bot {
            registry: registry.clone(),
            drawing: Drawing::default(),
            settings,
            languages,
            backups: None,
            discord_side: Default::default(),
        };
        let (token, base) = (playground.token().to_owned(), playground.api_base());
        let running = tokio::spawn(async move { discord::run(bot, &token, Some(&base), stop).await });
        playground.wait_for_bot().await?;
        Ok(Bot { playground, registry, appends, switch, running, _folder: folder })
    }

    pub(super) async fn stop(self) -> Result<()> {
        self.switch.advance();
        self.running.await??;
        self.playground.stop().await;
        Ok(())
    }

    /// Opens a table of a person against the program.
    pub(super) async fn against(&self, number: usize, game: &str, level: Level) -> Result<(TableId, UserId)> {
        let (guild, channel) = (self.playground.guild("Rookery"), self.playground.channel("games"));
        let guild = guild.map(|guild| GuildId(guild.0));
        let terms = Terms {
            game: game.to_owned(),
            guild,
            channel: ChannelId(channel.0),
            thread: false,
            ..terms(number)
        };
        let who = UserId(1_000_000 + number as u64);
        let chairs = vec![Occupant::Human { person: who }, Occupant::Ai { level }];
        Ok((self.registry.open(terms, who, chairs, None).await?.table.id(), who))
    }
}
