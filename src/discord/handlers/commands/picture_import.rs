//! Imports the board in a picture. What is unclear in it is asked, one cell at a time.

use std::collections::BTreeSet;

use rookery_core::square::COMPASS;
use rookery_core::{Cell, Play, Seat};
use rookery_games::record::Record;
use rookery_i18n::{Localizer, clip};
use rookery_reading::{Content, FileReading, Manner, Part, Reading, content_of, parts, with_content};
use rookery_table::access::Action;

use super::import::{ImportedGame, play_on_and_link, store_for_viewing};
use crate::discord::actions::analysis;
use crate::discord::actions::board_picture::{self, read_board};
use crate::discord::actions::study;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Attachment, Interaction};
use crate::discord::wire::limits::{MAX_CHOICE_CHARS, MAX_CHOICES, MAX_ROWS};
use crate::discord::wire::other_seats::OtherSeats;
use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, Component, OutgoingMessage};
use crate::discord::wire::picture_cell_id::{
    PictureAnswer, PictureCellId, PictureOrientationId, PicturePlayOnId,
};

/// More unclear cells than this are only named: correcting the text is quicker.
const MOST_ASKED: usize = 12;
/// The value of the choice that a cell is empty.
const EMPTY: &str = "-";
/// Separates the signs of pieces in the value of a choice, and their names in its label.
const AND: char = '+';
/// Precedes the number of pieces that are alike in the value of a choice.
const TIMES: char = ':';
/// More pieces than on any cell.
const MOST_PIECES: usize = 20;
/// The value of the choice that a penguin lies on a cell, before the number of its side.
const LYING: &str = "lying";
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
        while !self.id.fits()
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
/// the picture shows neither whose turn it is nor the points, so the person checks the position first.
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
    PictureCellId { cells, answers: Vec::new(), named }
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
    let id = PictureCellId { cells: others.to_vec(), answers, named: id.named };
    match Correction::new(before.base, id) {
        Some(after) => question_or_finish(ctx, interaction, after).await,
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
    if !asked.id.fits() || names.len() > MOST_ASKED {
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

/// Whether several pieces lie on each other, so that their order matters.
fn is_stack(play: &dyn Play, content: &Content) -> bool {
    let parts = parts(play, content);
    let is_level =
        |part: &Part| part.piece.seat.is_some() && matches!(part.manner, Manner::Plain | Manner::Times(_));
    parts.len() > 1 && parts.iter().all(is_level)
}

/// What a cell may hold, as choices: what was read first. If that is more than a select holds, the lying penguins of a side are
/// one choice, after which `lying` is that side.
fn choices(
    words: &Localizer,
    play: &dyn Play,
    cell: Cell,
    (all, lying): (&[Content], Option<Seat>),
) -> Vec<Choice> {
    let read = content_of(play, cell);
    let choice = |content: &Content| Choice {
        label: clip(&name_of(words, play, content), MAX_CHOICE_CHARS),
        value: value_of(content),
        note: if *content == read { words.word("picture-as-read") } else { String::new() },
    };
    if all.len() <= MAX_CHOICES {
        return all.iter().map(choice).collect();
    }
    let side = |content: &&Content| lies(play, content);
    if lying.is_some() {
        return all.iter().filter(|content| side(content) == lying).take(MAX_CHOICES).map(choice).collect();
    }
    let sides: BTreeSet<Seat> = all.iter().filter_map(|content| lies(play, content)).collect();
    let others = all.iter().filter(|content| side(content).is_none());
    let mut choices: Vec<Choice> = others.take(MAX_CHOICES - sides.len()).map(choice).collect();
    choices.extend(sides.into_iter().map(|side| Choice {
        label: words.say("picture-lying", &[("side", words.side(play, side).into())]),
        value: lying_value(side),
        note: String::new(),
    }));
    choices
}

/// The side of a penguin that lies on a cell.
fn lies(play: &dyn Play, content: &Content) -> Option<Seat> {
    parts(play, content).iter().find_map(|part| match part.manner {
        Manner::Facing(_) => part.piece.seat,
        _ => None,
    })
}

/// The value of the choice that a penguin of a side lies on a cell, in a direction that is asked then.
fn lying_value(side: Seat) -> String {
    format!("{LYING}{}", side.number())
}

fn lying_side(value: &str) -> Option<Seat> {
    Seat::new(usize::from(value.strip_prefix(LYING)?.parse::<u8>().ok()?.checked_sub(1)?))
}

/// Names the pieces on a cell. A stack whose pieces have too long names is in the letters of the position.
fn name_of(words: &Localizer, play: &dyn Play, content: &Content) -> String {
    let parts = parts(play, content);
    if parts.is_empty() {
        return words.word("picture-nothing");
    }
    let names: Vec<String> = parts.iter().map(|part| name_of_part(words, play, part)).collect();
    let name = names.join(&format!(" {AND} "));
    if name.chars().count() > MAX_CHOICE_CHARS { content.concat() } else { name }
}

fn name_of_part(words: &Localizer, play: &dyn Play, part: &Part) -> String {
    let name = words.editor_piece(play, &part.piece);
    match part.manner {
        Manner::Plain => name,
        Manner::Upright => words.say("picture-way", &[("piece", name.into()), ("way", "U".into())]),
        Manner::Facing(dir) => {
            let (way, ..) = COMPASS[dir % COMPASS.len()];
            words.say("picture-way", &[("piece", name.into()), ("way", way.into())])
        }
        Manner::Times(count) => {
            words.say("picture-pieces", &[("piece", name.into()), ("count", count.into())])
        }
    }
}

/// Writes a content in a few characters, which fit into a custom id.
fn value_of(content: &Content) -> String {
    if content.is_empty() {
        return EMPTY.to_owned();
    }
    let runs = content.chunk_by(|a, b| a == b).map(|run| match run.len() {
        1 => run[0].to_owned(),
        count => format!("{}{TIMES}{count}", run[0]),
    });
    runs.collect::<Vec<String>>().join(&AND.to_string())
}

/// Reads a content; `None` if it is none of the game.
fn content_in(play: &dyn Play, value: &str) -> Option<Content> {
    if value == EMPTY {
        return Some(Content::new());
    }
    let pieces = play.editor_pieces();
    let run = |part: &str| {
        let (sign, count) = part.split_once(TIMES).unwrap_or((part, "1"));
        let sign = pieces.iter().map(|piece| piece.sign).find(|known| *known == sign)?;
        let count = count.parse().ok().filter(|count| (1..=MOST_PIECES).contains(count))?;
        Some(std::iter::repeat_n(sign, count))
    };
    Some(value.split(AND).map(run).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
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
    let game = ImportedGame::position(read.now.clone_play());
    let (stored, mut post) = store_for_viewing(ctx, interaction, &game).await;
    // A game that is over can only be looked at.
    let named = read.id.named;
    let play_on = stored.filter(|_| !named.is_nobody() && read.now.outcome().is_none());
    post.content =
        format!("{}\n{}", post.content, check_sentence(ctx.words, read.now.as_ref(), play_on.is_some()));
    if let Some(table) = play_on {
        let id = PicturePlayOnId { table, named }.id();
        let button = Component::button(ctx.words.word("picture-play-on"), ButtonStyle::Primary, id);
        post.rows.insert(0, vec![button]);
    }
    read.shorten();
    // The board may have a button that leads back by a move.
    read.add_back(ctx.words, "picture-back", &mut post);
    post
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

fn check_sentence(words: &Localizer, play: &dyn Play, plays_on: bool) -> String {
    let args = [
        ("game", play.info().key.into()),
        ("side", words.side(play, play.turn()).into()),
        ("next", if plays_on { "button" } else { "text" }.into()),
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
    quoted.filter_map(|line| Record::read_any(line, None).ok()?.replay().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_read_as_they_are_written() {
        let play = |game, line| rookery_games::named(game).unwrap().resume(line).unwrap();
        let amoeba = play("amoeba", "B,3/2,L,2/6/3,AKBAA,3/6/5/A,3 1");
        let soccer = play("penguin_soccer", "c3NE,-,a1U|-,h7S,- a1 1");
        for (play, content, value) in [
            (&amoeba, vec!["A", "A", "K", "B"], "A:2+K+B"),
            (&amoeba, vec![], "-"),
            (&soccer, vec!["M2"; 9], "M2:9"),
            (&soccer, vec!["B1", "o"], "B1+o"),
        ] {
            assert_eq!(value_of(&content), value);
            assert_eq!(content_in(play.as_ref(), value), Some(content));
        }
        assert_eq!(
            content_in(amoeba.as_ref(), "A+A+K"),
            Some(vec!["A", "A", "K"]),
            "as choices were written"
        );
        for bad in ["", "x", "A:0", "A:1000000000", "A:", "A++B"] {
            assert_eq!(content_in(amoeba.as_ref(), bad), None, "{bad}");
        }
    }

    #[test]
    fn pieces_on_each_other_are_a_stack() {
        for (game, content, is_one) in [
            ("amoeba", vec!["B", "A"], true),
            ("amoeba", vec!["A", "K"], true),
            ("amoeba", vec!["A", "A", "B"], true),
            ("amoeba", vec!["A", "A"], false),
            ("penguin_soccer", vec!["B1", "o"], false),
            ("penguin_soccer", vec!["B1", "B1", "o"], false),
            ("penguins", vec!["1", "P1"], false),
        ] {
            let play =
                rookery_games::named(game).unwrap().start(&rookery_core::rules::Setup::new(2)).unwrap();
            let known = |sign: &&str| play.editor_pieces().iter().any(|piece| piece.sign == *sign);
            assert!(content.iter().all(known), "{game}: {content:?}");
            assert_eq!(is_stack(play.as_ref(), &content), is_one, "{game}: {content:?}");
        }
    }
}
