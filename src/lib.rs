//! Rookery hosts abstract board games in Discord channels: people play each other and the bot, see a
//! drawn board after every turn, and watch games that are going on.
//!
//! # The map
//!
//! Rooms in reading order. A room may use only what is named behind it; `tests/it/arrows.rs` holds that.
//!
//! | room | what it is for | uses |
//! |---|---|---|
//! | [`tasks`] | every spawned task: named, supervised, measured | |
//! | [`http_server`] | an HTTP server with limits | `tasks` |
//! | [`kit`] | cells, boards, positions, moves as steps, refusals, scenes, promises | |
//! | [`search`] | players: alpha-beta, Monte-Carlo, exact endings, levels, the pool of threads | `kit` |
//! | [`games`] | a room for each game, all of the same shape, and the list of them | `kit`, `search` |
//! | [`render`] | from a scene to a picture: PNG, replays, sheets, share cards | `kit` |
//! | [`table`] | one game being played: words, a pure state, what must be said, the registry | `tasks`, `kit`, `search`, `games` |
//! | [`words`] | sentences people read, made from data in one place | `kit`, `games`, `table` |
//! | [`cli`], [`config`], [`observability`] | settings, logs, counters, health, stopping, the command line's words | `tasks`, `http_server` |
//! | [`store`] | journals: SQLite, memory | `kit`, `table` |
//! | [`drawing`] | pictures off the async threads, a bounded number at a time, each kept for a while | `kit`, `render` |
//! | [`web`] | games to look at in a browser | `tasks`, `http_server`, `kit`, `games`, `render`, `table`, `words`, `drawing` |
//! | [`discord`] | the face: events in, messages out | `tasks`, `kit`, `games`, `render`, `table`, `words`, `drawing`, `ops` |
//! | [`tools`] | what the command line does beside running | `kit`, `search`, `games`, `render`, `words` |
//! | [`playground`] | a small Discord of our own, for trying and testing | `tasks` |
//!
//! `main.rs` and `run.rs` wire them together; nothing else knows them all.
//!
//! # What always holds
//!
//! - A table is the sum of its journal's entries. Nothing changes a table but an entry that is written.
//! - Events, what must be said, and the turn the program owes are written in one transaction, or none
//!   of them is. The pair (table, sequence) is unique: that is the whole concurrency control.
//! - `kit`, `games`, `render` and the table's state know no clock, no unseeded chance, no file, no
//!   socket and no async (but [`render::Names::found`] reads the fonts of the machine). The same journal
//!   makes the same table on every machine.
//! - Every entry is sealed with the one before it ([`table::seal`]); chance is settled and sealed before
//!   anybody joins ([`table::commitment`]); [`table::audit`] looks through both.
//! - Entries call people by numbers drawn for each table ([`table::pseudonym`]), so that a name is taken out
//!   without touching them.
//! - A started game's first position is in the journal as text, so that a record never depends on how
//!   layouts are drawn.
//! - A team's vote ([`table::teams`]) is counted from the journal alone, and a tie is drawn from pledged
//!   lots: an audit counts and draws again.
//! - An order that comes twice (Discord may send anything twice) is carried out once; a message or
//!   interaction id is its name.
//! - Saying something twice on Discord does no harm: messages carry a nonce, edits and threads are
//!   looked for before they are made again.
//! - On Discord lobbies, televisions and lists tell of games behind a closed channel there alone, and where
//!   the same people read ([`discord::sight`]).
//! - A page in the browser is found by the random token of a link ([`table::share`]) and by nothing else. A link is made
//!   on purpose and can be withdrawn; the list of a server's games names those alone that everybody there reads.
//! - Every position keeps [`kit::promises`]: generated moves are exactly the legal ones, printing then
//!   reading is the identity, menus lead to exactly the legal moves, every scene can be drawn.
//! - Refusals are data until [`words`] makes a sentence of them; nothing a person does is met with
//!   silence.
//!
//! # Five walks
//!
//! **A typed move.** `discord::gateway` hears a message and keeps the order of a channel;
//! `discord::hear` finds the table and makes an [`table::Order::Move`]; [`table::registry`] puts it into the
//! table's mailbox; [`table::host`] lets [`table::state::decide`] decide: the game reads the text, matches
//! it to the position, plays it on a copy. The journal takes the batch; the copy becomes the table;
//! the bell rings for `discord::outbox`, which reads what is due, draws the board off the async
//! threads and posts it.
//!
//! **The program's turn.** The same batch holds a [`table::ports::Job`]; [`table::thinkers`] puts it into
//! [`search::pool`]; the game's room thinks, at the levels that think at length with the threads that are idle
//! ([`kit::company`]); the move comes back to the registry as an ordinary order. After a restart
//! [`table::registry::TableRegistry::resume`] finds the jobs that are still owed.
//!
//! **Time.** A table's clock ([`table::clock`]) is a sum over the moments of its entries. What it will
//! bring next stands on the table's card; [`table::registry::TableRegistry::tick`] looks at those whose moment has
//! come, by an ordinary order. While Discord or the program is away nothing is due, and the first thing
//! written afterwards gives that time back. Days off and free time each week ([`table::vacation`]) come to
//! every table of a person by orders too: when they change, when a game begins, every quarter of an hour.
//!
//! **A picture.** A room's `draw.rs` makes a [`kit::scene::Scene`]: stamps (art that recurs) and loose
//! shapes, in board units, in tokens of a theme. [`render::Painter`] rasterises a stamp once per theme
//! and width and copies it from then on; the result is a picture of at most 255 colours, written as
//! a palette PNG.
//!
//! **A seventh game.** One folder under `games/` with the files that its neighbours have, two lines in
//! `games/mod.rs`, its key in `words/languages.rs`, its page in `locales/en/rules`, its sentences in `games.ftl`,
//! `refusals.ftl` and `lessons.ftl` beside it, and in `settings.ftl` and `names.ftl` for new themes and options.
//! `/play`, `/rules`, help, promises, pictures, levels and the gallery find it through [`games::ALL`]; tests
//! fail until its sentences are there.

pub mod cli;
pub mod config;
pub mod discord;
pub mod drawing;
pub mod http_server;
pub mod observability;
pub mod shutdown;
pub mod web;
