//! What people write: moves, and a few words.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rookery_core::player::Level;
use rookery_core::{Menu, MoveError, Play};
use rookery_i18n::{Words, clip};
use rookery_table::access::Action;
use rookery_table::host::Seen;
use rookery_table::quota::Limited;
use rookery_table::{By, Denied, Event, Offer, Order, Person, Refused, Status, Table, TableId, plans, state};

use super::api::Ticket;
use super::asked::{Asked, Place};
use super::desk::Desk;
use super::limits::CONTENT_MOST;
use super::post::Post;
use super::which::{self, Spot, Want};
use super::{buttons, commands, rehouse, settings, spoken, teams};

mod answers;
mod banned;

/// A message that somebody wrote.
#[derive(Clone, Debug, Default)]
pub struct Heard {
    /// The message.
    pub id: u64,
    /// Where it was written.
    pub channel: u64,
    /// The server, unless in a DM.
    pub guild: Option<u64>,
    /// Who wrote it.
    pub who: u64,
    /// What; empty where Discord keeps it from us.
    pub text: String,
    /// The roles of whoever wrote it; `None` where Discord does not tell them.
    pub roles: Option<Vec<u64>>,
    /// Whether it mentions us.
    pub mentions_us: bool,
    /// The role that bears our name, if it mentions that.
    pub mentions_role: Option<u64>,
    /// The message it answers.
    pub answers: Option<u64>,
    /// Whether that one is ours.
    pub answers_us: bool,
    /// The bots that it mentions, ourselves left out.
    pub bots: Vec<u64>,
    /// The message that this is an edit of; its own id is made from both then.
    pub edits: Option<u64>,
    /// Whether something was carried out for it, once it has been dealt with.
    pub carried_out: CarriedOut,
}

/// Whether something was carried out for a message. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct CarriedOut(Arc<AtomicBool>);

impl CarriedOut {
    /// Something was.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether something was.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Heard {
    /// Whether it speaks to us, and not to others.
    pub fn is_addressed(&self) -> bool {
        self.guild.is_none() || self.mentions_us || self.mentions_role.is_some() || self.answers_us
    }

    /// The message that an answer refers to.
    pub fn message(&self) -> u64 {
        self.edits.unwrap_or(self.id)
    }
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Board,
    Text,
    Help,
    /// The last move, in words.
    Last,
    /// What stands in a row or column.
    Row(String),
    /// What can be reached from a cell.
    See(String),
    Clock,
    /// The legal moves that begin so.
    Moves(String),
    Offer(Offer),
    Answer(bool),
    Resign,
    Resume,
    /// Hand the seat to the program, so strong if that was said.
    Leave(Option<Level>),
    /// Take it back.
    Back,
    /// A move decided beforehand.
    Plan(String),
    /// Anything else: perhaps a move.
    Other(String),
}

impl Said {
    fn want(&self) -> Want {
        match self {
            Said::Nothing | Said::Board | Said::Text | Said::Help | Said::Clock | Said::Moves(_) => Want::See,
            Said::Last | Said::Row(_) | Said::See(_) => Want::See,
            Said::Answer(_) => Want::Answer,
            Said::Offer(_)
            | Said::Resign
            | Said::Resume
            | Said::Leave(_)
            | Said::Back
            | Said::Plan(_)
            | Said::Other(_) => Want::Act,
        }
    }
}

/// Deals with a message; what to answer, if anything. Whoever speaks to us gets an answer, or sees
/// the board change; talk among others is left alone.
pub async fn hear(desk: &Desk, heard: &Heard) -> Option<Post> {
    desk.deferred_pings.seen(Person(heard.who), heard.channel, desk.hall.now_ms());
    let addressed_to_us = heard.is_addressed();
    if banned::is_barred(desk, heard).await {
        return addressed_to_us.then(|| Post::text(desk.words.limited(&Limited::Banned)));
    }
    if addressed_to_us {
        return addressed(desk, heard).await;
    }
    if heard.text.trim().is_empty() {
        return None;
    }
    overheard(desk, heard).await
}

async fn addressed(desk: &Desk, heard: &Heard) -> Option<Post> {
    let withheld = heard.text.is_empty() && heard.guild.is_some() && !heard.mentions_us;
    if withheld {
        let key = if heard.mentions_role.is_some() { "help-role" } else { "help-withheld" };
        return Some(Post::text(desk.words.word(key)));
    }
    let text = without_mention(&heard.text, desk.me(), heard.mentions_role);
    let (named, text) = named(desk, heard, &text).await;
    if let Some(terms) = after_play(&text) {
        return Some(open(desk, heard, terms).await);
    }
    let said = read(&text);
    if said == Said::Help {
        return Some(commands::help::page(desk));
    }
    // Whoever only calls us has no game of others in mind.
    let guild = heard.guild.filter(|_| said != Said::Nothing);
    let spot = Spot { channel: heard.channel, guild };
    let found = match named {
        Named::Table(table) => Ok(table),
        Named::Refused(post) => Err(post),
        Named::Nothing => which::table(desk, heard.into(), spot, None, said.want()).await,
    };
    match found {
        Ok(table) => {
            let table = with_writer(desk, heard, table, &said).await;
            carry_out(desk, heard, &table, said, true).await
        }
        Err(post) => Some(*post),
    }
}

/// Whoever moves for a team is known to the table from then on.
async fn with_writer(desk: &Desk, heard: &Heard, table: Arc<Table>, said: &Said) -> Arc<Table> {
    match said {
        Said::Other(text) if seems_a_move(&table, text) => teams::enlisted(desk, table, heard.into()).await,
        _ => table,
    }
}

/// What follows the word `play`; nothing, if it stands alone.
fn after_play(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked(4)?;
    let alone = rest.trim_matches(['.', '!', '?']).is_empty();
    let begins = word.eq_ignore_ascii_case("play") && (alone || rest.starts_with(char::is_whitespace));
    begins.then_some(if alone { "" } else { rest.trim() })
}

/// `play amazons 8x8 hard` does what `/play` does.
async fn open(desk: &Desk, heard: &Heard, terms: &str) -> Post {
    let mut given = match spoken::read(desk.words, terms, desk.me()) {
        Ok(given) => given,
        Err(sentence) => return Post::text(sentence),
    };
    // What came of it is not known here: an edit never opens a second table.
    heard.carried_out.set();
    given.bots = heard.bots.iter().copied().map(Person).collect();
    let parent = if heard.guild.is_some() { desk.parent_of(heard.channel).await } else { None };
    let (channel, guild, thread) = (heard.channel, heard.guild, parent.is_some());
    let place = Place { channel, guild, thread, parent, may: None, ours: true };
    let ticket = Ticket { id: heard.id, token: String::new() };
    let asked = Asked {
        ticket,
        who: Person(heard.who),
        place,
        locale: None,
        guild_locale: None,
        manages: false,
        roles: heard.roles.clone(),
        writes: true,
        // Of a message Discord does not tell what its writer may do there.
        mentions_all: false,
    };
    commands::run(desk, &asked, &given).await
}

/// What a message names.
enum Named {
    /// Nothing that its writer may know of.
    Nothing,
    /// A table that they may see.
    Table(Arc<Table>),
    /// A table of which they are told this instead.
    Refused(Box<Post>),
}

/// The table that a message is about: the one whose board it answers, or whose name it begins with; and what it
/// says of it.
async fn named(desk: &Desk, heard: &Heard, text: &str) -> (Named, String) {
    if let Some(answered) = heard.answers
        && let Ok(Some(id)) = desk.hall.journal().table_of(answered).await
    {
        let opened = desk.open_table(heard.into(), id, Action::See).await;
        return (opened.map_or_else(Named::Refused, Named::Table), text.to_owned());
    }
    let Some((first, rest)) = text.split_once(char::is_whitespace) else {
        return (Named::Nothing, text.to_owned());
    };
    // `d2d4` looks like a table's name as well: a name counts only if there is such a table for them.
    let Ok(id) = first.parse::<TableId>() else { return (Named::Nothing, text.to_owned()) };
    match desk.try_open(heard.into(), id, Action::See).await {
        Ok(table) => (Named::Table(table), rest.trim().to_owned()),
        Err(why) if why.is_no_table() => (Named::Nothing, text.to_owned()),
        Err(why) => (Named::Refused(Box::new(desk.not_opened(&why))), rest.trim().to_owned()),
    }
}

/// Something said in the open: only in a table's own thread, only by who plays there, and only what
/// is a word of ours or a move.
async fn overheard(desk: &Desk, heard: &Heard) -> Option<Post> {
    let said = read(heard.text.trim());
    let table = desk.table_of_thread(heard.channel).await?;
    let moves = matches!(&said, Said::Other(text) if could_be_a_move(&table, text));
    let plays = table.concerns(Person(heard.who)) || (moves && teams::is_new(&table, heard.into()));
    if !plays {
        return None;
    }
    let meant = match &said {
        Said::Nothing => false,
        Said::Answer(_) => answers::are_awaited(&table, Person(heard.who)),
        Said::Other(_) => moves,
        Said::Plan(text) => plans::condition(text).is_some_and(|text| could_be_a_move(&table, &text)),
        Said::Back => {
            let (by, order) = (By::Person(Person(heard.who)), Order::ComeBack);
            state::decide(&table, by, &order, None, desk.hall.now_ms()).is_ok()
        }
        question => table.play().is_none_or(|play| asks_of_board(play, question)),
    };
    if !meant {
        return None;
    }
    if said == Said::Help {
        return Some(commands::help::page(desk));
    }
    let table = with_writer(desk, heard, table, &said).await;
    carry_out(desk, heard, &table, said, false).await
}

/// Whether what begins like a question about some of the board is one: "see you tomorrow", "moves are hard
/// here" are talk among people. Whatever is no such question is taken for what it says.
fn asks_of_board(play: &dyn Play, said: &Said) -> bool {
    match said {
        Said::See(cell) => play.board().named(cell).is_some(),
        Said::Row(line) => !rookery_i18n::line(play, line).is_empty(),
        Said::Moves(start) => {
            let known = start.is_empty() || play.board().named(start).is_some();
            known || !super::complete::completions(play, start, &[]).is_empty()
        }
        _ => true,
    }
}

/// Whether a text could have been meant as a move of this game: one that can be read as one in some
/// position, legal here or not.
fn could_be_a_move(table: &Table, text: &str) -> bool {
    let Some(play) = table.play() else { return false };
    !matches!(play.read(text), Err(MoveError::Unreadable(_)))
}

/// Does what was said; what to answer. Whoever writes elsewhere than in the table's thread may have another game
/// in mind, and is told of which this is.
async fn carry_out(desk: &Desk, heard: &Heard, table: &Table, said: Said, addressed: bool) -> Option<Post> {
    let post = carried_out(desk, heard, table, said, addressed).await;
    post.map(|post| desk.about(table, heard.channel, post))
}

async fn carried_out(desk: &Desk, heard: &Heard, table: &Table, said: Said, addressed: bool) -> Option<Post> {
    let who = Person(heard.who);
    let order = match said {
        Said::Help => return Some(commands::help::page(desk)),
        Said::Board | Said::Nothing => return Some(desk.layout().state(table, Some(who))),
        Said::Text => return Some(desk.layout().state_text(table)),
        Said::Clock => return Some(desk.layout().clocks(table, who, desk.hall.now_ms())),
        Said::Moves(start) => return Some(moves(desk, table, &start)),
        Said::Last => return Some(in_words(desk, table, |words, play| words.last(table, play))),
        Said::Row(line) => return Some(in_words(desk, table, |words, play| words.row(table, play, &line))),
        Said::See(cell) => return Some(in_words(desk, table, |words, play| words.sight(table, play, &cell))),
        Said::Resign => return Some(buttons::ask_to_resign(desk, table, who)),
        Said::Plan(text) if heard.guild.is_none() => {
            return Some(commands::plan::considered(desk, who, table, Some(&text)));
        }
        // Whoever plays against them would read it.
        Said::Plan(_) => return Some(Post::text(desk.words.word("plan-in-the-open"))),
        Said::Other(text) if addressed && !seems_a_move(table, &text) => {
            return Some(not_understood(desk, table, &text));
        }
        Said::Answer(_) | Said::Leave(_) if *table.status() == Status::Waiting => {
            return answers::before_start(desk, heard, table, &said).await;
        }
        Said::Offer(offer) => Order::Offer(offer),
        Said::Answer(yes) => answers::order(desk, heard, table, yes).await,
        Said::Resume => Order::Resume,
        Said::Leave(Some(level)) => Order::StandIn { level },
        Said::Leave(None) => Order::StandIn { level: settings::usual_in(desk, table.terms().guild).await },
        Said::Back => Order::ComeBack,
        Said::Other(text) => Order::Move { text, ply: teams::meant(desk, heard, table).await },
    };
    match desk.try_order(table.id(), heard.into(), order, heard.id).await {
        Ok(Ok(seen)) => {
            heard.carried_out.set();
            match told_elsewhere(desk, heard, &seen) {
                Some(post) => Some(with_board(desk, heard, &seen, post).await),
                None => None,
            }
        }
        Ok(Err(Denied::Refused(Refused::Repeated))) => {
            heard.carried_out.set();
            None
        }
        Ok(Err(denied)) => Some(desk.denied(table.id(), who, &denied).await),
        Err(post) => Some(*post),
    }
}

/// What came of it is posted where the table is, for everybody: only who writes elsewhere is told there.
fn told_elsewhere(desk: &Desk, heard: &Heard, seen: &Seen) -> Option<Post> {
    let of_team = matches!(seen.events.last(), Some(Event::Departed { .. } | Event::Enlisted { .. }));
    // While others are still to be heard nothing is posted.
    let waits = matches!(seen.events.last(), Some(Event::Agreed { .. } | Event::Accepted { .. }));
    if of_team || waits || (seen.events.is_empty() && seen.table.ballot().is_some()) {
        return Some(buttons::told(desk, seen));
    }
    if seen.table.home().is_some_and(|home| home.channel == heard.channel) {
        return None;
    }
    seen.events.first()?;
    Some(buttons::told(desk, seen))
}

/// The same with the board, where nothing can be posted any more where the game was played.
async fn with_board(desk: &Desk, heard: &Heard, seen: &Seen, post: Post) -> Post {
    let (channel, guild) = (heard.channel, heard.guild);
    let place = Place { channel, guild, thread: false, parent: None, may: None, ours: true };
    rehouse::with_board(desk, place, Person(heard.who), &seen.table, post).await
}

/// Whether a text said to us is better answered as a wrong move than as idle talk.
fn seems_a_move(table: &Table, text: &str) -> bool {
    let begins = table.play().is_some_and(|play| match play.read(text) {
        Err(MoveError::Unreadable(unreadable)) => unreadable.at > 0,
        _ => true,
    });
    begins || table.play().is_none()
}

fn not_understood(desk: &Desk, table: &Table, text: &str) -> Post {
    let running = table.play().filter(|_| *table.status() == Status::Running);
    let Some((play, wrong)) = running.and_then(|play| Some((play, play.read(text).err()?))) else {
        return Post::text(desk.words.word("help-unknown"));
    };
    if !is_talk(text) {
        return Post::text(desk.words.wrong(&wrong, Some(play)));
    }
    let example = play.moves().into_iter().next().unwrap_or_default();
    let args = [("table", table.id().to_string().into()), ("move", example.into())];
    Post::text(desk.words.say("help-unknown-at", &args))
}

/// Whether a text of which nothing can be read as a move is talk and no move with a fault in it: those have a
/// number in their first word.
fn is_talk(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    !first.contains(|letter: char| letter.is_ascii_digit())
}

/// Something about a game that has begun, in words alone.
fn in_words(desk: &Desk, table: &Table, tell: impl Fn(&Words, &dyn Play) -> String) -> Post {
    let text = table.play().map(|play| tell(desk.words, play));
    let text = text.unwrap_or_else(|| desk.words.word("refused-not-begun"));
    Post::text(clip(&text, CONTENT_MOST))
}

fn moves(desk: &Desk, table: &Table, start: &str) -> Post {
    match table.play() {
        Some(play) if *table.status() == Status::Running => {
            // A start that is written leniently (`D1 d7`) is put into the record's spelling first.
            let typed = super::complete::typed(play, start);
            let known = typed.rest.is_empty() && !matches!(play.menu(&typed.taken), Menu::Nothing);
            let start = if known { typed.taken.concat() } else { start.to_owned() };
            desk.layout().moves(table.id(), play, &start)
        }
        Some(_) => Post::text(desk.words.word("refused-over")),
        None => Post::text(desk.words.word("refused-not-begun")),
    }
}

/// Takes the mention of us, or of the role that bears our name, out of a text.
fn without_mention(text: &str, me: Person, role: Option<u64>) -> String {
    let plain = text.replace(&format!("<@{}>", me.0), " ").replace(&format!("<@!{}>", me.0), " ");
    let plain = match role {
        Some(role) => plain.replace(&rookery_i18n::role(role), " "),
        None => plain,
    };
    plain.trim().trim_matches('`').trim().to_owned()
}

/// Reads what a message says, apart from moves.
fn read(text: &str) -> Said {
    let text = text.trim().trim_matches('`').trim();
    let plain = text.to_lowercase();
    match plain.trim_end_matches(['.', '!']) {
        "" => Said::Nothing,
        "board" => Said::Board,
        "last" | "last?" | "last move" => Said::Last,
        "text" | "text board" => Said::Text,
        "help" | "help?" | "?" => Said::Help,
        "clock" | "clock?" | "clocks" | "time" | "time?" => Said::Clock,
        "moves" | "moves?" => Said::Moves(String::new()),
        "count?" | "count" | "end?" | "end" => Said::Offer(Offer::Count),
        "draw?" | "draw" => Said::Offer(Offer::Draw),
        "undo?" | "undo" | "take back" => Said::Offer(Offer::Undo),
        "pause?" | "pause" => Said::Offer(Offer::Pause),
        "abort?" | "abort" => Said::Offer(Offer::Abort),
        "resume" | "go on" => Said::Resume,
        "leave" => Said::Leave(None),
        "back" | "i am back" => Said::Back,
        "yes" | "agree" | "accept" => Said::Answer(true),
        "no" | "disagree" | "decline" => Said::Answer(false),
        "resign" | "i resign" => Said::Resign,
        other if other.starts_with("if ") => Said::Plan(text.to_owned()),
        other => {
            left_to(other).or_else(|| about_cells(other)).unwrap_or_else(|| Said::Other(text.to_owned()))
        }
    }
}

/// `leave hard`: the program is to play on at a level.
fn left_to(text: &str) -> Option<Said> {
    let level = text.strip_prefix("leave ")?.trim();
    Level::named(level).map(|level| Said::Leave(Some(level)))
}

/// Questions about some of the board: `moves d4`, `row 4`, `column d`, `what does d7 see`.
fn about_cells(text: &str) -> Option<Said> {
    let text = text.trim_end_matches('?').trim_end();
    let after = |words: &[&str]| {
        words.iter().find_map(|word| text.strip_prefix(word)).map(|rest| rest.trim().to_owned())
    };
    if let Some(cell) = text.strip_prefix("what does ").and_then(|rest| rest.strip_suffix(" see")) {
        return Some(Said::See(cell.trim().to_owned()));
    }
    after(&["moves "])
        .map(Said::Moves)
        .or_else(|| after(&["row ", "column ", "line "]).map(Said::Row))
        .or_else(|| after(&["see "]).map(Said::See))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_in_any_case() {
        assert_eq!(read("Resign!"), Said::Resign);
        assert_eq!(read(" BOARD "), Said::Board);
        assert_eq!(read("Clock?"), Said::Clock);
        assert_eq!(read("moves d1"), Said::Moves("d1".into()));
        assert_eq!(read("What does d7 see?"), Said::See("d7".into()));
        assert_eq!(read("row 4"), Said::Row("4".into()));
        assert_eq!(read("Leave easy"), Said::Leave(Some(Level::Easy)));
        assert_eq!(read("last"), Said::Last);
        assert_eq!(read("count?"), Said::Offer(Offer::Count));
        assert_eq!(read("If d1-d2/d3 then F1-e2/f1"), Said::Plan("If d1-d2/d3 then F1-e2/f1".into()));
        assert_eq!(read("`F1-e2/f1`"), Said::Other("F1-e2/f1".into()));
    }

    #[test]
    fn our_own_mention_is_no_part_of_a_move() {
        let plain = |text| without_mention(text, Person(7), Some(9));
        assert_eq!(plain("<@7> f1-e2/f1"), "f1-e2/f1");
        assert_eq!(plain("f1-e2/f1 <@!7>"), "f1-e2/f1");
        assert_eq!(plain("<@8> f1"), "<@8> f1");
        assert_eq!(plain("<@&9> f1-e2/f1"), "f1-e2/f1");
        assert_eq!(plain("<@&8> f1"), "<@&8> f1");
    }
}
