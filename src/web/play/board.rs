//! What a page for playing shows: the board with its cells, the players, and what the person may do.

use jiff::{SignedDuration, Timestamp};
use rookery_core::scene::{DrawOptions, Point, Scene, Style};
use rookery_core::svg::{inline_svg, stamp_ids, stamp_svg};
use rookery_core::{Cell, Fact, Play, Score, Seat};
use rookery_i18n::{CellDescription, Localizer, Naming};
use rookery_table::digest::sha256_hex;
use rookery_table::{ChannelId, Occupant, Status, Table, TableId, UserId, millis};
use serde::Serialize;
use serde_json::Value;

use super::super::discord_side::{OpenedTable, PageOrder, RematchState, TableAction};
use super::super::state::Web;
use super::super::view::result_by_sides;
use super::cells::{Cells, cells};
use super::move_tree::move_tree;
use super::names::{name_of, player_name};
use super::order_query::query_of;
use super::plans::{PlanView, plans};
use super::proofs::{ProofView, proof};
use super::sentence::plain;
use super::votes::{VoteView, vote};

/// The state of a table for a person.
#[derive(Serialize)]
pub(super) struct BoardState {
    /// The number of journal entries: a later state has more.
    entry: u64,
    /// The number of turns taken.
    ply: usize,
    /// The time of the state.
    #[serde(rename = "now_ms", with = "millis::moment")]
    now: Timestamp,
    /// The title of the browser's tab: whose turn it is, and the game.
    pub(super) title: String,
    /// Whose turn it is, or the result.
    pub(super) headline: String,
    /// What screen readers say of a new position, with the players' names.
    spoken: String,
    /// Whether the person is to move.
    mine: bool,
    /// Whether the game is over.
    pub(super) over: bool,
    /// Further lines: the phase, the pie rule, the set, and the person's offers that were declined.
    notes: Vec<String>,
    /// The last move in words; empty before the first.
    played: String,
    /// The players in turn order.
    pub(super) players: Vec<PlayerView>,
    /// The drawing.
    pub(super) board: String,
    /// The ids of the stamps that mark the last move or whose turn it is; they don't glide.
    marks: Vec<String>,
    /// The cells, in the order of the board.
    cells: Vec<CellView>,
    /// The corners of a cell, as distances from its centre.
    corners: Vec<[f32; 2]>,
    /// The tree of legal moves, if the person is to move.
    steps: Option<Value>,
    /// A digest of the person's settings: with other ones, earlier drawings are out of date.
    settings: String,
    /// Whether the page asks before it plays a move.
    confirms: bool,
    /// The open offer.
    offer: Option<OfferView>,
    /// What the person may do beside moving.
    actions: Vec<ActionView>,
    /// The board in plain characters.
    pub(super) text: String,
    /// The moves so far.
    pub(super) record: Vec<String>,
    /// The index of the player who made each move.
    movers: Vec<usize>,
    /// Whether the person may plan replies now.
    may_plan: bool,
    /// The person's plans.
    plans: Vec<PlanView>,
    /// The open vote of the person's team.
    vote: Option<VoteView>,
    /// The proof of the result, if there is one.
    pub(super) proof: Option<ProofView>,
    /// The rematch, if one was opened.
    rematch: Option<RematchView>,
    /// Whether the finished game can be analysed, and has territory.
    analysis: Option<AnalysisView>,
}

/// A rematch.
#[derive(Serialize)]
struct RematchView {
    table: TableId,
    has_begun: bool,
    is_seated: bool,
    text: String,
}

/// What an analysis can show.
#[derive(Serialize)]
struct AnalysisView {
    territory: bool,
}

/// A player.
#[derive(Serialize)]
pub(super) struct PlayerView {
    /// The side, and the bot's level.
    pub(super) name: String,
    /// The drawing of the side's piece.
    pub(super) emblem: String,
    /// Whether it is the person, in a game that people play.
    you: bool,
    /// Whether this player is to move.
    turn: bool,
    /// The points, in games with points.
    pub(super) score: Option<String>,
    /// The clock, if the player has one.
    clock: Option<ClockView>,
}

/// A player's clock.
#[derive(Serialize)]
struct ClockView {
    /// The time left.
    #[serde(rename = "left_ms", with = "millis::duration")]
    left: SignedDuration,
    /// Whether it runs.
    runs: bool,
}

/// A cell.
#[derive(Serialize)]
pub(super) struct CellView {
    name: String,
    x: f32,
    y: f32,
    /// The row of the board, for screen readers.
    row: u8,
    #[serde(flatten)]
    content: CellContent,
}

/// What is on a cell.
#[derive(Serialize)]
pub(super) struct CellContent {
    /// What is on it, in words.
    has: String,
    /// Whether a piece is on it.
    solid: bool,
    /// Whether nothing is on it.
    pub(super) bare: bool,
}

#[derive(Serialize)]
struct OfferView {
    text: String,
    /// The orders that answer it, if the person may.
    yes: Option<String>,
    no: Option<String>,
}

#[derive(Serialize)]
struct ActionView {
    order: String,
    label: String,
    sure: Option<String>,
    is_final: bool,
}

impl BoardState {
    /// Returns the state; `None` before the game has begun.
    pub(super) fn of(web: &Web, opened: &OpenedTable, who: UserId) -> Option<BoardState> {
        let (table, words) = (&*opened.table, opened.words);
        let play = table.play()?;
        let look = look(opened, play);
        let (scene, seat) = (play.scene(&look), table.seat_of(who));
        let runs = *table.status() == Status::Running;
        let mine = runs && seat.is_some() && table.to_move() == seat && !table.is_suspended();
        let found = cells(play, &look);
        let corners = found.as_ref().map(|found| corner_views(found));
        let name = |who: UserId| name_of(opened, play, who);
        let full_name = |play: &dyn Play, seat| player_name(opened, play, seat);
        let now = web.registry.now();
        Some(BoardState {
            entry: table.sequence(),
            ply: table.ply(),
            now,
            title: title(opened, play, mine),
            headline: plain(&headline(opened, play, mine, &|play, seat| words.side(play, seat)), &name),
            spoken: spoken(opened, play, &plain(&headline(opened, play, mine, &full_name), &name)),
            mine,
            over: !runs,
            notes: notes(opened, play, seat).iter().map(|note| plain(note, &name)).collect(),
            played: last_move(opened, play, &|play, seat| words.side(play, seat)),
            players: Seat::all(play.seats()).map(|seat| player(opened, play, (seat, now), who)).collect(),
            marks: marks(play, &look, &scene),
            board: inline_svg(&scene),
            cells: found.map(|found| cell_views(words, play, &found.centres)).unwrap_or_default(),
            corners: corners.unwrap_or_default(),
            steps: mine.then(|| move_tree(words, play, look.side)),
            settings: settings_digest(opened),
            confirms: opened.confirms,
            offer: opened
                .offer
                .as_ref()
                .map(|offer| OfferView::of(&plain(&offer.text, &name), offer.number, table)),
            actions: opened.actions.iter().map(|action| ActionView::of(action, &name)).collect(),
            text: play.text_board(),
            record: play.record(),
            movers: play.movers().iter().map(|seat| seat.index()).collect(),
            may_plan: may_plan(opened, who),
            plans: plans(opened, who),
            vote: vote(opened, play, who),
            proof: proof(opened),
            rematch: opened.rematch.map(|next| rematch_view(opened, next)),
            analysis: matches!(table.status(), Status::Over(_))
                .then(|| AnalysisView { territory: play.reach().is_some() }),
        })
    }
}

/// Whether a person may plan replies now: while another player is to move.
pub(super) fn may_plan(opened: &OpenedTable, who: UserId) -> bool {
    let table = &*opened.table;
    let seat = table.seat_of(who).filter(|_| *table.status() == Status::Running);
    seat.filter(|seat| table.still_plays(*seat))
        .is_some_and(|seat| table.to_move() != Some(seat) && table.team(seat).is_none_or(|it| !it.votes()))
}

fn rematch_view(opened: &OpenedTable, next: RematchState) -> RematchView {
    let RematchState { table, has_begun, is_seated } = next;
    let key = match (has_begun, is_seated) {
        (true, _) => "rematch-on",
        (false, true) => "rematch-waits",
        (false, false) => "page-rematch-asked",
    };
    let text = opened.words.say(key, &[("table", table.as_str().into())]);
    RematchView { table, has_begun, is_seated, text }
}

impl OfferView {
    fn of(text: &str, number: Option<u64>, table: &Table) -> OfferView {
        let answer =
            |yes| number.map(|number| query_of(&PageOrder::Answer { yes, number, ply: table.ply() }));
        OfferView { text: text.to_owned(), yes: answer(true), no: answer(false) }
    }
}

impl ActionView {
    fn of(action: &TableAction, name: &dyn Fn(UserId) -> Option<String>) -> ActionView {
        ActionView {
            order: query_of(&action.order),
            label: action.label.clone(),
            sure: action.sure.as_ref().map(|sure| plain(sure, name)),
            is_final: matches!(action.order, PageOrder::Resign(_)),
        }
    }
}

/// Returns how the board is drawn: the points are beside it.
pub(super) fn look(opened: &OpenedTable, play: &dyn Play) -> DrawOptions {
    DrawOptions { over: opened.table.ends_with(play), strip: false, ..opened.look.clone() }
}

/// Returns a digest of the settings with which a person sees a table.
pub(super) fn settings_digest(opened: &OpenedTable) -> String {
    sha256_hex(&format!("{:?} {} {}", opened.look, opened.confirms, opened.words.tag()))[..16].to_owned()
}

/// Returns the ids of the stamps that a plain drawing lacks.
pub(super) fn marks(play: &dyn Play, look: &DrawOptions, scene: &Scene) -> Vec<String> {
    let plain = play.scene(&DrawOptions { style: Style::Plain, ..look.clone() });
    stamp_ids(scene).difference(&stamp_ids(&plain)).cloned().collect()
}

/// Draws the board after the steps of a partial move; `None` if no legal move begins with them.
pub(super) fn after_steps(opened: &OpenedTable, play: &dyn Play, steps: &[String]) -> Option<String> {
    let after = play.after_steps(steps)?;
    Some(inline_svg(&after.scene(&look(opened, play))))
}

/// Draws the board of a started table as it is.
pub(super) fn small_board(opened: &OpenedTable, play: &dyn Play) -> String {
    inline_svg(&play.scene(&look(opened, play)))
}

/// Returns the name of a seat's player, or of its side.
pub(super) type SeatName<'a> = &'a dyn Fn(&dyn Play, Seat) -> String;

/// Formats whose turn it is, or the result.
pub(super) fn headline(opened: &OpenedTable, play: &dyn Play, mine: bool, name: SeatName<'_>) -> String {
    let (table, words) = (&*opened.table, opened.words);
    match table.status() {
        Status::Over(_) if table.is_imported() => study_headline(opened, play),
        Status::Over(_) => words.result(table, Naming::People),
        _ if table.is_suspended() => words.word("page-paused"),
        _ if mine => words.say("page-your-turn", &[("side", words.side(play, play.turn()).into())]),
        _ => words.say("web-turn", &[("who", name(play, play.turn()).into())]),
    }
}

/// Formats the title of the browser's tab without the product's name. People find the tab of a game that waits for them by the
/// sign before it.
fn title(opened: &OpenedTable, play: &dyn Play, mine: bool) -> String {
    let (table, words) = (&*opened.table, opened.words);
    let game = format!("{} {}", words.game(&table.terms().game), table.id());
    let name = |who| name_of(opened, play, who);
    match table.status() {
        Status::Over(_) => game,
        _ if table.is_suspended() => format!("{} · {game}", words.word("page-paused")),
        _ if mine => format!("● {} · {game}", words.word("page-your-turn-title")),
        _ => {
            let who = plain(&words.seated(table, play.turn()), &name);
            format!("{} · {game}", words.say("web-turn", &[("who", who.into())]))
        }
    }
}

/// Formats whose turn it is in a study or an imported game, or how that ended. All its sides are the owner's, so only their
/// names tell them apart.
fn study_headline(opened: &OpenedTable, play: &dyn Play) -> String {
    let (table, words) = (&*opened.table, opened.words);
    let has_winners = matches!(table.status(), Status::Over(ending) if !ending.winners.is_empty());
    if has_winners || play.outcome().is_some() {
        return result_by_sides(words, table, play);
    }
    // A study from the position editor belongs to no channel.
    let kind = if table.terms().channel == ChannelId::default() { "study" } else { "game" };
    let who = words.side(play, play.turn());
    words.say("page-study-open", &[("who", who.into()), ("kind", kind.into())])
}

/// Returns the lines about the phase, the pie rule and the set, and about the offers of a seat that were declined.
fn notes(opened: &OpenedTable, play: &dyn Play, own: Option<Seat>) -> Vec<String> {
    let (table, words) = (&*opened.table, opened.words);
    let running = *table.status() == Status::Running;
    let placing = words.placing(play).filter(|_| own == Some(play.turn()));
    let phase = placing.or_else(|| words.placed(play)).filter(|_| running);
    let declined = own.filter(|_| running).into_iter().flat_map(|by| {
        let others = Seat::all(play.seats()).filter(move |seat| *seat != by);
        let is_bot = others.clone().all(|seat| matches!(table.occupant(seat), Some(Occupant::Ai { .. })));
        table.declined_offers(by).map(move |offer| {
            let by = if is_bot { "bot" } else { "people" };
            words.say("page-offer-declined", &[("by", by.into()), ("offer", offer.key().into())])
        })
    });
    // The result of a count includes points that nobody has yet.
    let is_counted = table.scores().is_none() && play.scores().is_some();
    let counted = (!running && is_counted).then(|| words.word("page-points-before-count"));
    let lines = [phase, words.pie(table), words.set_line(table), counted];
    let left = if running { left_seats(opened, play, own) } else { Vec::new() };
    lines.into_iter().flatten().chain(left).chain(declined).collect()
}

/// Says who has left a game that the others play on.
fn left_seats(opened: &OpenedTable, play: &dyn Play, own: Option<Seat>) -> Vec<String> {
    let sentence = |seat: &Seat| {
        let by = if own == Some(*seat) { "you" } else { "other" };
        let who = player_name(opened, play, *seat);
        opened.words.say("page-left", &[("by", by.into()), ("who", who.into())])
    };
    opened.table.resigned().iter().map(sentence).collect()
}

pub(super) fn last_move(opened: &OpenedTable, play: &dyn Play, name: SeatName<'_>) -> String {
    let (Some(text), Some(mover)) = (play.record().pop(), play.movers().pop()) else { return String::new() };
    // A swap changes the sides, so they are those before the move.
    let before = play.at_ply(play.ply().saturating_sub(1));
    let who = name(before.as_ref(), mover);
    opened.words.say("page-played", &[("who", who.into()), ("move", text.into())])
}

/// Formats what screen readers say of a position: its last move, with the player's name, and its headline.
pub(super) fn spoken(opened: &OpenedTable, play: &dyn Play, headline: &str) -> String {
    let played = last_move(opened, play, &|play, seat| player_name(opened, play, seat));
    match played.as_str() {
        "" => headline.to_owned(),
        // The text of a move may end with a full stop.
        _ if played.ends_with('.') => format!("{played} {headline}"),
        _ => format!("{played}. {headline}"),
    }
}

fn player(opened: &OpenedTable, play: &dyn Play, (seat, now): (Seat, Timestamp), who: UserId) -> PlayerView {
    let table = &*opened.table;
    let is_bot = matches!(table.occupant(seat), Some(Occupant::Ai { .. }));
    let clock = table.clock().filter(|_| !is_bot && *table.status() == Status::Running);
    let score = scores(opened, play).and_then(|scores| Some(scores.get(seat.index())?.points.to_string()));
    PlayerView {
        name: player_name(opened, play, seat),
        emblem: stamp_svg(&play.emblem(seat), play.scene(&look(opened, play)).theme),
        // In a study all sides are its owner's.
        you: table.seat_of(who) == Some(seat) && !table.is_imported(),
        turn: table.to_move() == Some(seat),
        score,
        clock: clock.map(|clock| ClockView {
            left: clock.left(seat, now),
            runs: clock.mover() == Some(seat) && clock.deadline().is_some(),
        }),
    }
}

/// Returns the points at a position; at the end of a finished game those of its result, which a proof counts on to.
pub(super) fn scores(opened: &OpenedTable, play: &dyn Play) -> Option<Vec<Score>> {
    let table = &*opened.table;
    let last = table.ends_with(play).then(|| table.scores()).flatten();
    last.or_else(|| play.scores())
}

pub(super) fn cell_views(words: &Localizer, play: &dyn Play, centres: &[Point]) -> Vec<CellView> {
    let board = play.board();
    let view = |((cell, at), content): ((Cell, &Point), CellContent)| CellView {
        name: board.name(cell).to_owned(),
        x: tenth(at.x),
        y: tenth(at.y),
        row: board.place(cell).1,
        content,
    };
    board.cells().zip(centres).zip(cell_contents(words, play)).map(view).collect()
}

/// Returns what is on each cell, in the order of the board.
pub(super) fn cell_contents(words: &Localizer, play: &dyn Play) -> Vec<CellContent> {
    let pieces: Vec<_> =
        play.facts().into_iter().filter(Fact::is_about_pieces).flat_map(|fact| fact.cells).collect();
    let view = |(cell, content): (Cell, CellDescription)| CellContent {
        bare: content.is_free,
        solid: pieces.contains(&cell),
        has: content.text,
    };
    play.board().cells().zip(words.cells(play)).map(view).collect()
}

/// Returns the corners of a cell, as distances from its centre.
pub(super) fn corner_views(cells: &Cells) -> Vec<[f32; 2]> {
    cells.corners.iter().map(|corner| [tenth(corner.x), tenth(corner.y)]).collect()
}

/// Rounds a length to a tenth of a unit.
fn tenth(length: f32) -> f32 {
    (length * 10.0).round() / 10.0
}
