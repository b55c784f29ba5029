//! Imports the board in a picture. What is unclear in it is asked, one cell at a time.

use rookery_core::{Cell, Play, Seat};
use rookery_games::record::Record;
use rookery_i18n::Localizer;
use rookery_reading::{FileReading, Reading, with_content, with_turn};
use rookery_table::TableId;
use rookery_table::access::Action;

use super::import::{ImportedGame, play_on_and_link, store_for_viewing, viewer_of};
use super::picture_contents::{choices, content_in, is_stack, lying_side, lying_value, value_of};
use super::picture_points;
use crate::discord::actions::analysis;
use crate::discord::actions::board_picture::{self, read_board};
use crate::discord::actions::study;
use crate::discord::state::context::Context;
use crate::discord::wire::form::Form;
use crate::discord::wire::interaction::{Attachment, Interaction};
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_ROWS};
use crate::discord::wire::other_seats::OtherSeats;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::picture_cell_id::{
    PictureAnswer, PictureCellId, PictureOrientationId, PicturePlayOnId, PicturePointsId, PictureTurnId,
};

/// More unclear cells than this are only named: correcting the text is quicker.
const MAX_ASKED: usize = 12;
/// Surrounds positions in the text of a message.
const QUOTE: char = '`';

/// A position that was read, the person's answers about unclear cells, and the cells that are left.
struct Correction {
    /// The position before the answers.
    base: Box<dyn Play>,
    /// The position with the answers.
    now: Box<dyn Play>,
    /// The answers and the cells that are left.
    id: PictureCellId,
}

impl Correction {
    /// `None` if an answer isn't possible.
    fn new(base: Box<dyn Play>, id: PictureCellId) -> Option<Correction> {
        let now =
            id.answers.iter().try_fold(base.clone_play(), |now, answer| answered(now.as_ref(), answer))?;
        Some(Correction { base, now, id })
    }

    /// Puts answers into the position, the oldest first, until the ids are short enough or no answer is left. *Back* doesn't
    /// lead to these.
    fn shorten(&mut self) {
        while !self.id.fits_with_turn()
            && let Some(oldest) = self.id.answers.first()
            && let Some(base) = answered(self.base.as_ref(), oldest)
        {
            self.base = base;
            self.id.answers.remove(0);
        }
    }

    /// Makes the first cell one whose answer isn't complete, so that *Back* asks about it again.
    fn begin_answer(&mut self, value: String) {
        if !self.id.cells.is_empty() {
            let cell = self.id.cells.remove(0);
            self.id.answers.push(PictureAnswer { cell, value });
        }
    }

    /// Adds the way back to the last answer to a message. The position before the answers is what the message quotes last.
    fn add_back(&self, words: &Localizer, label: &str, post: &mut OutgoingMessage) {
        if self.id.answers.is_empty() || !self.id.fits() || post.rows.len() >= MAX_ROWS {
            return;
        }
        // The message quotes the position with the answers already.
        let before = line(self.base.as_ref());
        if before != line(self.now.as_ref()) {
            let before = words.say("picture-before", &[("line", before.into())]);
            post.content = format!("{}\n{before}", post.content);
        }
        let label = words.word(label);
        post.rows.push(vec![Component::button(label, ButtonStyle::Secondary, self.id.back_id())]);
    }
}

/// Reads the board in a picture and stores it to look at. A game isn't opened from it at once, even if its players are named:
/// the picture may not show the points or whose turn it is, so the person checks the position first.
pub(super) async fn run(
    ctx: &Context,
    interaction: &Interaction,
    file: &Attachment,
    named: OtherSeats,
) -> OutgoingMessage {
    let FileReading { reading, frames } = match read_board(ctx, file).await {
        Ok(file) => file,
        Err(sentence) => return OutgoingMessage::text(sentence),
    };
    let mut post = asked_or_stored(ctx, interaction, reading, named).await;
    if frames > 1 {
        let sentence = ctx.words.say("picture-last-frame", &[("count", frames.into())]);
        post.content = format!("{sentence}\n{}", post.content);
    }
    post
}

async fn asked_or_stored(
    ctx: &Context,
    interaction: &Interaction,
    reading: Reading,
    named: OtherSeats,
) -> OutgoingMessage {
    if let Some(question) = orientation_question(ctx, &reading, named) {
        return question;
    }
    let id = unclear_cells(&reading, named);
    let read = Correction { now: reading.play.clone_play(), base: reading.play, id };
    question_or_finish(ctx, interaction, read).await
}

async fn question_or_finish(
    ctx: &Context,
    interaction: &Interaction,
    mut read: Correction,
) -> OutgoingMessage {
    match question(ctx, &mut read, None).await {
        Some(question) => question,
        None => finish(ctx, interaction, read).await,
    }
}

fn unclear_cells(reading: &Reading, named: OtherSeats) -> PictureCellId {
    let name = |cell: &Cell| reading.play.board().name(*cell).to_owned();
    let cells = reading.unclear.iter().chain(&reading.dependent).map(name).collect();
    PictureCellId {
        cells,
        answers: Vec::new(),
        named,
        is_turn_known: reading.is_turn_shown,
        are_points_known: reading.are_points_shown,
    }
}

/// Asks from which end a board is seen; `None` if the picture tells, or if too much is unclear for buttons.
fn orientation_question(ctx: &Context, reading: &Reading, named: OtherSeats) -> Option<OutgoingMessage> {
    let turned = reading.turned.as_deref()?;
    let play = reading.play.as_ref();
    let first = play.board().cells().next()?;
    let cell = play.board().name(first);
    let words = ctx.words;
    let button = |label: &str, position: usize, reading: &Reading| {
        let id = PictureOrientationId { position, cells: unclear_cells(reading, named) }.id()?;
        let label = words.say(label, &[("cell", cell.into())]);
        Some(Component::button(label, ButtonStyle::Secondary, id))
    };
    let buttons = [
        button("picture-orientation-marked", 0, reading)?,
        button("picture-orientation-opposite", 1, turned)?,
    ];
    let args =
        [("cell", cell.into()), ("line", line(play).into()), ("turned", line(turned.play.as_ref()).into())];
    let board = ctx.view().marked_board(play, [first]);
    Some(OutgoingMessage::text(words.say("picture-orientation", &args)).picture(board).row(buttons))
}

/// Takes the position of the end from which a person sees the board, and goes on with its unclear cells.
pub async fn orientation_chosen(
    ctx: &Context,
    interaction: &Interaction,
    id: &PictureOrientationId,
    message: &str,
) -> OutgoingMessage {
    let base = positions_in(message).into_iter().nth(id.position);
    match base.and_then(|base| Correction::new(base, id.cells.clone())) {
        Some(read) => question_or_finish(ctx, interaction, read).await,
        None => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

/// Sets a cell to what the person chose, and asks for the next one. After the last one the position is stored to look at.
pub async fn chosen(
    ctx: &Context,
    interaction: &Interaction,
    id: &PictureCellId,
    value: Option<&str>,
    message: &str,
) -> OutgoingMessage {
    let outdated = || OutgoingMessage::text(ctx.words.word("old-button"));
    let Some((name, others)) = id.cells.split_first() else { return outdated() };
    let Some(before) = base_in(message).and_then(|base| Correction::new(base, id.clone())) else {
        return outdated();
    };
    let Some(cell) = before.now.board().named(name) else { return outdated() };
    if let Some(side) = value.and_then(lying_side) {
        let mut before = before;
        return question(ctx, &mut before, Some(side)).await.unwrap_or_else(outdated);
    }
    let Some(offered) = board_picture::choices(ctx, before.now.as_ref(), vec![cell]).await else {
        return OutgoingMessage::text(ctx.words.word("denied-fault"));
    };
    let content = value.and_then(|value| content_in(before.now.as_ref(), value));
    let Some(content) = content.filter(|content| offered.iter().flatten().any(|offer| offer == content))
    else {
        return outdated();
    };
    let mut answers = before.id.answers;
    answers.push(PictureAnswer { cell: name.clone(), value: value_of(&content) });
    let id = PictureCellId { cells: others.to_vec(), answers, ..id.clone() };
    match Correction::new(before.base, id) {
        Some(mut after) => {
            // Once a game is over, the tiles below the penguins count too: the points were read for a game that goes on, or the
            // other way around.
            after.id.are_points_known &= before.now.outcome().is_some() == after.now.outcome().is_some();
            question_or_finish(ctx, interaction, after).await
        }
        None => outdated(),
    }
}

/// Takes the last answer back, and asks about its cell again.
pub async fn back(ctx: &Context, id: &PictureCellId, message: &str) -> OutgoingMessage {
    let mut id = id.clone();
    let last = id.answers.pop().map(|last| last.cell);
    id.cells.splice(0..0, last);
    let before = base_in(message).and_then(|base| Correction::new(base, id));
    let question = match before {
        Some(mut before) => question(ctx, &mut before, None).await,
        None => None,
    };
    question.unwrap_or_else(|| OutgoingMessage::text(ctx.words.word("old-button")))
}

/// Asks what is on the first of the cells that may hold something else, or which penguin of this side lies there; `None` if no
/// cell may.
async fn question(ctx: &Context, asked: &mut Correction, lying: Option<Seat>) -> Option<OutgoingMessage> {
    let words = ctx.words;
    let play = asked.now.clone_play();
    let named: Vec<(&String, Cell)> =
        asked.id.cells.iter().filter_map(|name| Some((name, play.board().named(name)?))).collect();
    let cells = named.iter().map(|(_, cell)| *cell).collect();
    let Some(contents) = board_picture::choices(ctx, play.as_ref(), cells).await else {
        return Some(OutgoingMessage::text(words.word("denied-fault")));
    };
    let (mut open, mut settled) = (Vec::new(), Vec::new());
    for ((name, cell), contents) in named.into_iter().zip(contents) {
        let name = name.clone();
        if contents.len() > 1 { open.push((name, cell, contents)) } else { settled.push(name) }
    }
    let (name, cell, contents) = open.first()?;
    let names: Vec<String> = open.iter().map(|(name, ..)| name.clone()).collect();
    // A cell that can hold nothing else now may be able to after another answer.
    asked.id.cells = [&names[..], &settled].concat();
    asked.shorten();
    if !asked.id.fits() {
        asked.id.cells.clone_from(&names);
    }
    if !asked.id.fits() || names.len() > MAX_ASKED {
        let args = [("cells", names.join(", ").into()), ("line", line(play.as_ref()).into())];
        let cells = open.iter().map(|(_, cell, _)| *cell);
        let board = ctx.view().marked_board(play.as_ref(), cells);
        return Some(OutgoingMessage::text(words.say("picture-unclear", &args)).picture(board));
    }
    let args = [
        ("cell", name.as_str().into()),
        ("others", (open.len() - 1).into()),
        ("answered", asked.id.answers.len().into()),
        ("line", line(play.as_ref()).into()),
    ];
    let mut text = words.say("picture-ask", &args);
    if contents.iter().any(|content| is_stack(play.as_ref(), content)) {
        text = format!("{text}\n{}", words.word("picture-stack"));
    }
    let select = Component::Select {
        id: asked.id.id(),
        placeholder: words.say("picture-choose", &[("cell", name.as_str().into())]),
        choices: choices(words, play.as_ref(), *cell, (contents, lying)),
    };
    let board = ctx.view().marked_board(play.as_ref(), [*cell]);
    let mut post = OutgoingMessage::text(text).picture(board).row([select]);
    if let Some(side) = lying {
        asked.begin_answer(lying_value(side));
    }
    asked.add_back(words, "button-back", &mut post);
    Some(post)
}

/// The position after an answer; `None` if it isn't possible.
fn answered(play: &dyn Play, answer: &PictureAnswer) -> Option<Box<dyn Play>> {
    let cell = play.board().named(&answer.cell)?;
    with_content(play, cell, &content_in(play, &answer.value)?)
}

/// Stores the position to look at, and asks the person to check it.
async fn finish(ctx: &Context, interaction: &Interaction, mut read: Correction) -> OutgoingMessage {
    let place = Some(interaction.place);
    if let Err(sentence) = study::check_fair(ctx, interaction.who, place, read.now.as_ref()).await {
        return OutgoingMessage::text(sentence);
    }
    let (stored, mut post) = stored_once(ctx, interaction, read.now.as_ref()).await;
    let Some(table) = stored else { return post };
    // A game that is over can only be looked at.
    let plays_on = !read.id.named.is_nobody() && read.now.outcome().is_none();
    read.shorten();
    let turns = turn_buttons(ctx.words, &read);
    // With web pages, the first row is the button that opens the board. Without a board there are no rows.
    let has_open = ctx.settings.web.is_some() && !post.rows.is_empty();
    let sentence = check_sentence(ctx.words, &read, (plays_on, has_open));
    post.content = format!("{}\n{sentence}", post.content);
    let yes = plays_on.then(|| {
        let id = PicturePlayOnId { table, named: read.id.named }.id();
        Component::button(ctx.words.word("picture-play-on"), ButtonStyle::Primary, id)
    });
    let open = if has_open { post.rows.remove(0) } else { Vec::new() };
    let points = picture_points::button(ctx.words, read.now.as_ref(), &read.id);
    let mut buttons: Vec<Component> = yes.into_iter().chain(open).chain(turns).chain(points).collect();
    let rest = buttons.split_off(buttons.len().min(MAX_BUTTONS));
    for row in [rest, buttons].into_iter().filter(|row| !row.is_empty()) {
        post.rows.insert(0, row);
    }
    // The board may have a button that leads back by a move.
    read.add_back(ctx.words, "picture-back", &mut post);
    post
}

/// Stores a position to look at, or shows it as it is stored already: each correction leads here, and also back to a position
/// that was shown before.
async fn stored_once(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
) -> (Option<TableId>, OutgoingMessage) {
    match study::opened_before(ctx, interaction.who, interaction.place, play).await {
        Some(table) => (Some(table.id()), viewer_of(ctx, interaction.who, table).await),
        None => store_for_viewing(ctx, interaction, &ImportedGame::position(play.clone_play())).await,
    }
}

/// The other players whose turn it could be in a position.
fn others_to_move(play: &dyn Play) -> Vec<Seat> {
    let others = Seat::all(play.seats()).filter(|seat| *seat != play.turn());
    others.filter(|seat| with_turn(play, *seat).is_some()).collect()
}

/// The buttons that say that it is another player's turn in a position that was read.
fn turn_buttons(words: &Localizer, read: &Correction) -> Vec<Component> {
    let play = read.now.as_ref();
    let button = |seat: Seat| {
        let id = PictureTurnId { seat, cells: read.id.clone() }.id()?;
        let label = words.say("picture-turn", &[("side", words.side(play, seat).into())]);
        Some(Component::button(label, ButtonStyle::Secondary, id))
    };
    others_to_move(play).into_iter().filter_map(button).collect()
}

/// Shows the position with the player to move whom the person chose.
pub async fn turn_chosen(
    ctx: &Context,
    interaction: &Interaction,
    id: &PictureTurnId,
    message: &str,
) -> OutgoingMessage {
    let read = || {
        let base = base_in(message)?;
        let base = with_turn(base.as_ref(), id.seat).unwrap_or(base);
        let read = Correction::new(base, PictureCellId { is_turn_known: true, ..id.cells.clone() })?;
        let now = with_turn(read.now.as_ref(), id.seat)?;
        Some(Correction { now, ..read })
    };
    match read() {
        Some(read) => finish(ctx, interaction, read).await,
        None => OutgoingMessage::text(ctx.words.word("old-button")),
    }
}

/// Returns the form with the points of the players, as they are in the position; `None` if the button is outdated.
pub fn points_form(ctx: &Context, id: &PicturePointsId, message: &str) -> Option<Form> {
    let read = Correction::new(base_in(message)?, id.cells.clone())?;
    picture_points::form(ctx.words, read.now.as_ref(), id)
}

/// Shows the position with the points that the person typed; what is wrong with them is said above it.
pub async fn points_sent(
    ctx: &Context,
    interaction: &Interaction,
    id: &PicturePointsId,
    (typed, message): (&[String], &str),
) -> OutgoingMessage {
    let read = base_in(message).and_then(|base| Correction::new(base, id.cells.clone()));
    let with_typed = |play: &dyn Play| picture_points::with_typed(ctx.words, play, typed);
    let typed_into = read.and_then(|read| Some((with_typed(read.now.as_ref())?, read)));
    let Some((now, read)) = typed_into else {
        return OutgoingMessage::text(ctx.words.word("old-button"));
    };
    let now = match now {
        Ok(now) => now,
        Err(sentence) => {
            let mut post = finish(ctx, interaction, read).await;
            post.content = format!("{sentence}\n{}", post.content);
            return post;
        }
    };
    let cells = PictureCellId { are_points_known: true, ..read.id };
    // The way back leads to the position before the answers, which must have the points as well.
    let base = with_typed(read.base.as_ref()).and_then(Result::ok);
    let kept = base.and_then(|base| Correction::new(base, cells.clone()));
    let read = kept.unwrap_or_else(|| Correction {
        base: now.clone_play(),
        now: now.clone_play(),
        id: PictureCellId { answers: Vec::new(), ..cells },
    });
    finish(ctx, interaction, Correction { now, ..read }).await
}

/// Opens the game that a person asked for with a picture, from the position that they have looked at.
pub async fn play_on(ctx: &Context, interaction: &Interaction, id: PicturePlayOnId) -> OutgoingMessage {
    let table = match ctx.open_table(interaction.into(), id.table, Action::See).await {
        Ok(table) => table,
        Err(post) => return *post,
    };
    let Some(play) = analysis::position(ctx, &table, table.ply()).await else {
        return OutgoingMessage::text(ctx.words.word("old-button"));
    };
    play_on_and_link(ctx, interaction, play.as_ref(), id.named).await
}

/// Asks the person to check the position. `has_page` says whether the message leads to the board's page.
fn check_sentence(words: &Localizer, read: &Correction, (plays_on, has_page): (bool, bool)) -> String {
    let play = read.now.as_ref();
    let is_over = play.outcome().is_some();
    let turn = if is_over {
        "over"
    } else if read.id.is_turn_known || others_to_move(play).is_empty() {
        "known"
    } else {
        "guessed"
    };
    let next = match (plays_on, is_over) {
        (true, _) => "button",
        (false, false) => "text",
        (false, true) => "over",
    };
    let points = match picture_points::button(words, play, &read.id) {
        _ if read.id.are_points_known || !play.has_own_points() => "known",
        Some(_) => "button",
        None => "unread",
    };
    let args = [
        ("turn", turn.into()),
        ("side", words.side(play, play.turn()).into()),
        ("points", points.into()),
        ("page", if has_page { "yes" } else { "no" }.into()),
        ("next", next.into()),
        ("line", line(play).into()),
    ];
    words.say("picture-read", &args)
}

/// The position with the key of its game, as `/import` reads it.
fn line(play: &dyn Play) -> String {
    format!("{} {}", play.info().key, play.line())
}

/// The position before the answers in the text of a message, which quotes it last.
fn base_in(message: &str) -> Option<Box<dyn Play>> {
    positions_in(message).pop()
}

/// The positions that the text of a message quotes.
fn positions_in(message: &str) -> Vec<Box<dyn Play>> {
    let quoted = message.split(QUOTE).skip(1).step_by(2);
    let records = quoted.filter_map(|line| Record::read_any(line, None).ok());
    records.filter(|record| record.turns.is_empty()).filter_map(|record| record.replay().ok()).collect()
}
