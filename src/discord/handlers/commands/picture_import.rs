//! Imports the board in a picture. What is unclear in it is asked, one cell at a time.

use rookery_core::square::COMPASS;
use rookery_core::{Cell, Play};
use rookery_games::record::Record;
use rookery_i18n::{Localizer, clip};
use rookery_reading::{Content, Manner, Part, content_of, parts, with_content};

use super::import::{ImportedGame, store_for_viewing};
use crate::discord::actions::board_picture::{self, read_board};
use crate::discord::actions::study;
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::{Attachment, Interaction};
use crate::discord::wire::limits::{MAX_CHOICE_CHARS, MAX_CHOICES};
use crate::discord::wire::outgoing_message::{Choice, Component, OutgoingMessage};
use crate::discord::wire::picture_cell_id::PictureCellId;

/// More unclear cells than this are only named: correcting the text is quicker.
const MOST_ASKED: usize = 12;
/// The value of the choice that a cell is empty.
const EMPTY: &str = "-";
/// Separates the signs of pieces in the value of a choice, and their names in its label.
const AND: char = '+';
/// Surrounds the position, which is what a message quotes first.
const QUOTE: char = '`';

/// Reads the board in a picture and stores it to look at. A game isn't opened from it: the picture shows neither whose turn it
/// is nor the points, so the person checks the position first.
pub(super) async fn run(
    ctx: &Context,
    interaction: &Interaction,
    file: &Attachment,
    plays_on: bool,
) -> OutgoingMessage {
    let reading = match read_board(ctx, file).await {
        Ok(reading) => reading,
        Err(sentence) => return OutgoingMessage::text(sentence),
    };
    let play = reading.play;
    let names: Vec<&str> = reading.unclear.iter().map(|cell| play.board().name(*cell)).collect();
    if let Some(question) = question(ctx, play.as_ref(), &names).await {
        return question;
    }
    if plays_on {
        return OutgoingMessage::text(check_sentence(ctx.words, play.as_ref()));
    }
    finish(ctx, interaction, play).await
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
    let Some((name, others)) = id.cells() else { return outdated() };
    let Some(play) = position_in(message) else { return outdated() };
    let Some(cell) = play.board().named(name) else { return outdated() };
    let Some(offered) = board_picture::choices(ctx, play.as_ref(), vec![cell]).await else {
        return OutgoingMessage::text(ctx.words.word("denied-fault"));
    };
    let content = offered.iter().flatten().find(|content| value == Some(value_of(content).as_str()));
    let Some(after) = content.and_then(|content| with_content(play.as_ref(), cell, content)) else {
        return outdated();
    };
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    match question(ctx, after.as_ref(), &others).await {
        Some(question) => question,
        None => finish(ctx, interaction, after).await,
    }
}

/// Asks what is on the first of these cells that may hold something else; `None` if no cell may.
async fn question(ctx: &Context, play: &dyn Play, cells: &[&str]) -> Option<OutgoingMessage> {
    let words = ctx.words;
    let named: Vec<(&str, Cell)> =
        cells.iter().filter_map(|name| Some((*name, play.board().named(name)?))).collect();
    let cells = named.iter().map(|(_, cell)| *cell).collect();
    let Some(contents) = board_picture::choices(ctx, play, cells).await else {
        return Some(OutgoingMessage::text(words.word("denied-fault")));
    };
    let (mut open, mut settled) = (Vec::new(), Vec::new());
    for ((name, cell), contents) in named.into_iter().zip(contents) {
        if contents.len() > 1 { open.push((name, cell, contents)) } else { settled.push(name) }
    }
    let (name, cell, contents) = open.first()?;
    let names: Vec<&str> = open.iter().map(|(name, ..)| *name).collect();
    // A cell that can hold nothing else now may be able to after another answer.
    let id = PictureCellId::new(&[&names[..], &settled].concat()).or_else(|| PictureCellId::new(&names));
    let Some(id) = id.filter(|_| names.len() <= MOST_ASKED) else {
        let args = [("cells", names.join(", ").into()), ("line", line(play).into())];
        return Some(OutgoingMessage::text(words.say("picture-unclear", &args)));
    };
    let select = Component::Select {
        id: id.id(),
        placeholder: words.say("picture-choose", &[("cell", (*name).into())]),
        choices: choices(words, play, *cell, contents),
    };
    let args = [("cell", (*name).into()), ("others", (open.len() - 1).into()), ("line", line(play).into())];
    let mut text = words.say("picture-ask", &args);
    if contents.iter().any(|content| is_stack(play, content)) {
        text = format!("{text}\n{}", words.word("picture-stack"));
    }
    Some(OutgoingMessage::text(text).row([select]))
}

/// Whether several pieces lie on each other, so that their order matters.
fn is_stack(play: &dyn Play, content: &Content) -> bool {
    let parts = parts(play, content);
    parts.len() > 1 && parts.iter().any(|part| matches!(part.manner, Manner::Times(_)))
}

/// What a cell may hold, as choices: what was read first.
fn choices(words: &Localizer, play: &dyn Play, cell: Cell, all: &[Content]) -> Vec<Choice> {
    let read = content_of(play, cell);
    let choice = |content: &Content| Choice {
        label: clip(&name_of(words, play, content), MAX_CHOICE_CHARS),
        value: value_of(content),
        note: if *content == read { words.word("picture-as-read") } else { String::new() },
    };
    all.iter().take(MAX_CHOICES).map(choice).collect()
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

fn value_of(content: &Content) -> String {
    if content.is_empty() { EMPTY.to_owned() } else { content.join(&AND.to_string()) }
}

/// Stores the position to look at, and asks the person to check it.
async fn finish(ctx: &Context, interaction: &Interaction, play: Box<dyn Play>) -> OutgoingMessage {
    let place = Some(interaction.place);
    if let Err(sentence) = study::check_fair(ctx, interaction.who, place, play.as_ref()).await {
        return OutgoingMessage::text(sentence);
    }
    let sentence = check_sentence(ctx.words, play.as_ref());
    let mut post = store_for_viewing(ctx, interaction, &ImportedGame::position(play)).await;
    post.content = format!("{}\n{sentence}", post.content);
    post
}

fn check_sentence(words: &Localizer, play: &dyn Play) -> String {
    words.say("picture-read", &[("line", line(play).into())])
}

/// The position with the key of its game, as `/import` reads it.
fn line(play: &dyn Play) -> String {
    format!("{} {}", play.info().key, play.line())
}

/// The position in the text of a message.
fn position_in(message: &str) -> Option<Box<dyn Play>> {
    let line = message.split(QUOTE).nth(1)?;
    Record::read_any(line, None).ok()?.replay().ok()
}
