//! The viewer: a game to step through, for one person alone. Its buttons carry all it needs: which turn,
//! from whose side, with or without the tints of what is walled off.

use std::sync::Arc;

use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Cell, Play, Seat};
use rookery_i18n::clip;
use rookery_render::Fingerprint;
use rookery_table::{Status, Table, hints};

use super::super::limits::{CHOICE_MOST, CHOICES_MOST, CONTENT_MOST};
use super::super::post::{Choice, Later, Part, Picture, Post, Tone};
use super::super::press::{Deed, Gaze, Press, Step};
use super::Layout;

/// How strong whose a cell is shows.
const TINT: f32 = 0.55;

/// Boards on one sheet.
const STILLS_MOST: usize = 9;

/// A part of a game: from one turn to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Turns taken at its beginning.
    pub from: usize,
    /// Turns taken at its end; not before the beginning.
    pub to: usize,
}

impl Span {
    /// The part that somebody asks for of a game of so many turns: what lies outside is cut off.
    pub fn within(plies: usize, from: Option<usize>, to: Option<usize>) -> Span {
        let from = from.unwrap_or(0).min(plies);
        Span { from, to: to.unwrap_or(plies).clamp(from, plies) }
    }

    /// At most so many (2 or more) of its turns, its ends among them, as evenly as can be.
    fn spread(self, most: usize) -> Vec<usize> {
        let length = self.to - self.from;
        let last = length.min(most.saturating_sub(1));
        if last == 0 {
            return vec![self.from];
        }
        (0..=last).map(|n| self.from + n * length / last).collect()
    }
}

impl Layout<'_> {
    /// The viewer at a turn; the last one if `ply` is beyond. `None` before the game has begun.
    pub fn viewer(&self, table: &Table, ply: usize, gaze: Gaze) -> Option<Post> {
        let now = table.play()?;
        let play = now.at_ply(ply);
        let ply = play.ply();
        let owners = if gaze.tints { tints(table, play.as_ref()) } else { Tints::None };
        let mut lines = vec![self.viewer_line(table, play.as_ref())];
        lines.extend(self.tints_line(&owners));
        let mut post = Post::text(lines.join("\n"));
        let look = DrawOptions { owners: owners.cells(), ..self.look_at(table, play.as_ref(), gaze.side) };
        let alt = self.words.alt(&self.words.board(table, play.as_ref(), Some(&look)));
        post.picture = Some(Picture::still(play.scene(&look), alt));
        // A position alone has nowhere to step to.
        if now.ply() == 0 {
            return Some(post.row(self.views(table, ply, gaze)));
        }
        let post = post.row(self.steps(table, ply, gaze)).row(self.views(table, ply, gaze));
        Some(post.row([self.jumps(table, now, ply, gaze)]))
    }

    /// The game after so many turns, as it is drawn.
    fn drawn(&self, table: &Table, now: &dyn Play, ply: usize, side: Seat) -> Scene {
        let play = now.at_ply(ply);
        play.scene(&self.look_at(table, play.as_ref(), side))
    }

    fn alt(&self, table: &Table, play: &dyn Play) -> String {
        self.words.alt(&self.words.board(table, play, None))
    }

    fn viewer_line(&self, table: &Table, play: &dyn Play) -> String {
        let head = self.viewer_head(table, play);
        match table.status() {
            Status::Over(ending) if play.ply() == table.ply() => {
                format!("{head} · {}", self.words.ending(table, ending))
            }
            _ => head,
        }
    }

    fn viewer_head(&self, table: &Table, play: &dyn Play) -> String {
        let of = table.ply();
        match play.record().pop() {
            None => {
                self.words.say("viewer-start", &[("table", table.id().as_str().into()), ("of", of.into())])
            }
            Some(text) => self.words.say(
                "viewer-at",
                &[
                    ("table", table.id().as_str().into()),
                    ("of", of.into()),
                    ("number", play.ply().into()),
                    ("side", self.words.side_moved(play).into()),
                    ("move", text.into()),
                ],
            ),
        }
    }

    fn tints_line(&self, owners: &Tints) -> Option<String> {
        match owners {
            Tints::None => None,
            Tints::Withheld => Some(self.words.word("viewer-rated")),
            Tints::Shared => Some(self.words.word("viewer-shared")),
            Tints::Of(_) => Some(self.words.word("viewer-tinted")),
        }
    }

    fn steps(&self, table: &Table, ply: usize, gaze: Gaze) -> Vec<Part> {
        let last = table.ply();
        let to = |step: Step, key: &str, ply: usize, there: bool| {
            let id = Press::new(table.id(), ply, Deed::DrawOptions(step, gaze)).id();
            if there { Part::button(self.words.word(key), Tone::Plain, id) } else { Part::Blank { id } }
        };
        vec![
            to(Step::First, "button-first", 0, ply > 0),
            to(Step::Back, "button-step-back", ply.saturating_sub(1), ply > 0),
            to(Step::Play, "button-run", ply, last > 0),
            to(Step::Next, "button-next", ply + 1, ply < last),
            to(Step::Last, "button-last", last, ply < last),
        ]
    }

    fn views(&self, table: &Table, ply: usize, gaze: Gaze) -> Vec<Part> {
        let part = |key: &str, step: Step, gaze: Gaze| {
            let id = Press::new(table.id(), ply, Deed::DrawOptions(step, gaze)).id();
            Part::button(self.words.word(key), Tone::Plain, id)
        };
        let tints = if gaze.tints { "button-untint" } else { "button-tint" };
        vec![
            part("button-turn", Step::Turn, gaze.turned(table.chairs().len())),
            part(tints, Step::Tint, Gaze { tints: !gaze.tints, ..gaze }),
            part("button-text", Step::Text, gaze),
            part("button-play-from", Step::PlayFrom, gaze),
        ]
    }

    /// Turns to jump to: as many as a list holds, spread over the whole game.
    fn jumps(&self, table: &Table, now: &dyn Play, ply: usize, gaze: Gaze) -> Part {
        let record = now.record();
        let choice = |at: usize| {
            let label = clip(&self.move_label(&record, at), CHOICE_MOST);
            Choice { label, value: at.to_string(), note: String::new() }
        };
        Part::Select {
            id: Press::new(table.id(), ply, Deed::DrawOptions(Step::Jump, gaze)).id(),
            placeholder: match now.ply().div_ceil(CHOICES_MOST - 1) {
                ..=1 => self.words.word("viewer-jump"),
                every => self.words.say("viewer-jump-near", &[("every", every.into())]),
            },
            choices: Span { from: 0, to: now.ply() }.spread(CHOICES_MOST).into_iter().map(choice).collect(),
        }
    }

    /// A part of a game as one animated picture.
    pub fn replay(&self, table: &Table, span: Span, side: Seat) -> Option<Post> {
        let now = table.play()?;
        let last = now.at_ply(span.to);
        let look = DrawOptions { over: false, ..self.look_at(table, last.as_ref(), side) };
        let film = film(now, span, look, table.ends_with(last.as_ref()));
        let picture = Picture::moving(film, self.alt(table, last.as_ref()));
        Some(Post::text(self.span_line(table, span)).picture(picture))
    }

    /// A part of a game as pictures side by side, each over its move.
    pub fn stills(&self, table: &Table, span: Span, side: Seat) -> Option<Post> {
        let now = table.play()?;
        let record = now.record();
        let board = |ply: usize| (self.drawn(table, now, ply, side), self.move_label(&record, ply));
        let boards = span.spread(STILLS_MOST).into_iter().map(board).collect();
        let alt = self.alt(table, now.at_ply(span.to).as_ref());
        Some(Post::text(self.span_line(table, span)).picture(Picture::sheet(boards, alt)))
    }

    /// A turn by its number and move; the beginning by its name.
    fn move_label(&self, record: &[String], ply: usize) -> String {
        match ply.checked_sub(1).and_then(|before| record.get(before)) {
            Some(text) => format!("{ply}. {text}"),
            None => self.words.word("viewer-beginning"),
        }
    }

    /// A part of a game as text: its moves, and the board after them. What does not fit is a file.
    pub fn as_text(&self, table: &Table, span: Span) -> Option<Post> {
        let now = table.play()?;
        let moves: Vec<String> = (span.from..span.to)
            .zip(now.record().into_iter().skip(span.from))
            .map(|(ply, text)| format!("{}. {text}", ply + 1))
            .collect();
        let board = now.at_ply(span.to).text_board();
        let text = format!("{}\n\n{}\n", moves.join(" "), board.trim_end());
        let line = self.span_line(table, span);
        let whole = format!("{line}\n```\n{}\n```", text.trim());
        Some(match whole.chars().count() <= CONTENT_MOST {
            true => Post::text(whole),
            false => Post::text(line).file(format!("rookery-{}.txt", table.id()), text.into_bytes()),
        })
    }

    fn span_line(&self, table: &Table, span: Span) -> String {
        let args =
            [("table", table.id().to_string().into()), ("from", span.from.into()), ("to", span.to.into())];
        self.words.say("replay-span", &args)
    }

    /// A position read aloud: everything the board shows, in words.
    pub fn aloud(&self, table: &Table, ply: usize) -> Option<Post> {
        let play = table.play()?.at_ply(ply);
        let whole = self.words.aloud(&self.words.board(table, play.as_ref(), None));
        Some(Post::text(clip(&whole, CONTENT_MOST)))
    }

    /// A position in plain characters.
    pub fn characters(&self, table: &Table, ply: usize) -> Option<Post> {
        let play = table.play()?.at_ply(ply);
        let line = self.viewer_head(table, play.as_ref());
        let beside = self.words.beside_text(&self.words.board(table, play.as_ref(), None));
        Some(Post::text(format!("{line}\n{beside}\n```\n{}\n```", play.text_board().trim_end())))
    }
}

/// The scenes of a part of a game, made when they are drawn; `over` says whether the game is over at the last one.
fn film(now: &dyn Play, span: Span, look: DrawOptions, over: bool) -> Later {
    let (start, record) = (now.start_line(), now.record());
    let fingerprint = Fingerprint::of(|parts| {
        parts.text(now.info().key);
        parts.text(&start);
        record.iter().take(span.to).for_each(|text| parts.text(text));
        parts.text(&format!("{look:?} {span:?} {over}"));
    });
    let play = now.clone_play();
    let make = move || {
        let scene = |ply: usize| {
            let over = over && ply == span.to;
            play.at_ply(ply).scene(&DrawOptions { over, ..look.clone() })
        };
        (span.from..=span.to).map(scene).collect()
    };
    Later { count: span.to - span.from + 1, fingerprint, make: Arc::new(make) }
}

/// Whose cells are, as far as that is proven.
pub(super) enum Tints {
    /// Nobody asked.
    None,
    /// The game is rated and goes on: nobody is helped.
    Withheld,
    /// Nothing is walled off yet, or the game has nothing of the kind.
    Shared,
    /// Whose each cell is.
    Of(Vec<(Cell, Seat, f32)>),
}

impl Tints {
    /// The cells that are somebody's.
    pub(super) fn cells(self) -> Vec<(Cell, Seat, f32)> {
        match self {
            Tints::Of(cells) => cells,
            _ => Vec::new(),
        }
    }
}

/// Whose cells are at a position of a table's game.
pub(super) fn tints(table: &Table, play: &dyn Play) -> Tints {
    match hints::territory(table, play) {
        Err(_) => Tints::Withheld,
        Ok(None) => Tints::Shared,
        Ok(Some(owned)) => Tints::Of(owned.into_iter().map(|(cell, owner)| (cell, owner, TINT)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_cut_to_the_game() {
        assert_eq!(Span::within(10, None, None), Span { from: 0, to: 10 });
        assert_eq!(Span::within(10, Some(4), Some(99)), Span { from: 4, to: 10 });
        assert_eq!(Span::within(10, Some(12), Some(3)), Span { from: 10, to: 10 });
    }

    #[test]
    fn turns_are_spread_evenly_with_both_ends() {
        assert_eq!(Span { from: 3, to: 3 }.spread(10), [3]);
        assert_eq!(Span { from: 0, to: 4 }.spread(10), [0, 1, 2, 3, 4]);
        assert_eq!(Span { from: 0, to: 90 }.spread(10), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    }
}
