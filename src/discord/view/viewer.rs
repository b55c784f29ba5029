//! The game viewer: private and without stored state. Its buttons carry the ply, the side, and whether
//! territory is tinted.

use std::collections::BTreeSet;
use std::sync::Arc;

use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Play, Reach, Seat};
use rookery_i18n::{Naming, clip};
use rookery_render::Fingerprint;
use rookery_table::saved_analysis::KnownAnalysis;
use rookery_table::{OrderError, Status, Table, hints};

use super::MessageView;
use crate::discord::wire::limits::{MAX_ALT_CHARS, MAX_CHOICE_CHARS, MAX_CHOICES, MAX_CONTENT_CHARS};
use crate::discord::wire::outgoing_message::{
    ButtonStyle, Choice, Component, DeferredScenes, OutgoingMessage, Picture,
};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId, ViewOptions, ViewerAction};

/// The most boards on one contact sheet.
const MAX_STILLS: usize = 9;
/// The plies next to the one shown that can be jumped to in a long game.
const JUMPS_NEARBY: usize = 11;

/// A range of a game's plies, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first ply; 0 is the start.
    pub from: usize,
    /// The last ply; not before the first.
    pub to: usize,
}

impl Span {
    /// Returns the requested range, limited to a game of `plies` plies.
    pub fn within(plies: usize, from: Option<usize>, to: Option<usize>) -> Span {
        let from = from.unwrap_or(0).min(plies);
        Span { from, to: to.unwrap_or(plies).clamp(from, plies) }
    }

    /// Returns at most `most` (2 or more) plies of the range, both ends included, evenly spread.
    fn spread(self, most: usize) -> Vec<usize> {
        let length = self.to - self.from;
        let last = length.min(most.saturating_sub(1));
        if last == 0 {
            return vec![self.from];
        }
        (0..=last).map(|n| self.from + n * length / last).collect()
    }
}

impl MessageView<'_> {
    /// Builds the viewer at a ply; at the last one if `ply` is beyond. `None` before the game has begun.
    pub fn viewer(&self, table: &Table, ply: usize, view_options: ViewOptions) -> Option<OutgoingMessage> {
        self.analysed_viewer(table, ply, view_options, &KnownAnalysis::default())
    }

    /// Builds the viewer with what is known of the position from an analysis.
    pub fn analysed_viewer(
        &self,
        table: &Table,
        ply: usize,
        view_options: ViewOptions,
        known: &KnownAnalysis,
    ) -> Option<OutgoingMessage> {
        let now = table.play()?;
        let play = now.at_ply(ply);
        let ply = play.ply();
        let territory = if view_options.tints { hints::territory(table, play.as_ref()) } else { Ok(None) };
        let mut lines = vec![self.viewer_line(table, play.as_ref())];
        lines.extend(self.territory_line(play.as_ref(), &territory));
        lines.extend(self.analysis_lines(table, play.as_ref(), known));
        let mut post = OutgoingMessage::text(lines.join("\n"));
        let territory = territory.ok().flatten();
        let look = DrawOptions { territory, ..self.look_at(table, play.as_ref(), view_options.side) };
        let alt = self.words.alt(&self.words.board(table, play.as_ref(), Some(&look)));
        post.picture = Some(Picture::still(play.scene(&look), alt));
        let mut views = self.views(table, play.as_ref(), view_options);
        if known.lines.is_none() && matches!(table.status(), Status::Over(_)) && play.outcome().is_none() {
            views.push(self.lines_button(table, ply, view_options));
        }
        // The other rows can be full.
        post = self.with_open_board(post, table, ply);
        // A game without moves has nothing to step through.
        if now.ply() == 0 {
            return Some(post.row(views));
        }
        let post = post.row(self.steps(table, ply, view_options)).row(views);
        Some(post.row([self.jumps(table, now, ply, view_options)]))
    }

    /// The button that asks for the best moves at the ply that is shown.
    fn lines_button(&self, table: &Table, ply: usize, view_options: ViewOptions) -> Component {
        let action = ButtonAction::Viewer(ViewerAction::Lines, view_options);
        let id = TableButtonId::new(table.id(), ply, action).id();
        Component::button(self.words.word("button-lines"), ButtonStyle::Secondary, id)
    }

    /// Draws the game after `ply` plies.
    fn drawn(&self, table: &Table, now: &dyn Play, ply: usize, side: Seat) -> Scene {
        let play = now.at_ply(ply);
        play.scene(&self.look_at(table, play.as_ref(), side))
    }

    /// Describes a replay: which moves it shows of how many, then its last board with the result.
    fn replay_alt(&self, table: &Table, last: &dyn Play, span: Span) -> String {
        let board = self.words.alt(&self.words.board(table, last, None));
        let args = [
            ("from", span.from.into()),
            ("to", span.to.into()),
            ("of", table.ply().into()),
            ("board", board.into()),
        ];
        clip(&self.words.say("replay-alt", &args), MAX_ALT_CHARS)
    }

    fn viewer_line(&self, table: &Table, play: &dyn Play) -> String {
        let head = self.viewer_head(table, play);
        match table.status() {
            Status::Over(_) if play.ply() == table.ply() => {
                format!("{head} · {}", self.words.result(table, Naming::People))
            }
            _ => head,
        }
    }

    fn viewer_head(&self, table: &Table, play: &dyn Play) -> String {
        let of = table.ply();
        // What game an imported one is, nothing else says.
        let name = match table.is_imported() {
            true => format!("{} · {}", table.id(), self.words.game(play.info().key)),
            false => table.id().to_string(),
        };
        match play.record().pop() {
            None => self.words.say("viewer-start", &[("table", name.into()), ("of", of.into())]),
            Some(text) => self.words.say(
                "viewer-at",
                &[
                    ("table", name.into()),
                    ("of", of.into()),
                    ("number", play.ply().into()),
                    ("side", self.words.side_moved(play).into()),
                    ("move", text.into()),
                ],
            ),
        }
    }

    /// Returns the legend of the territory, or why it is withheld; `None` if it was not requested.
    fn territory_line(
        &self,
        play: &dyn Play,
        territory: &Result<Option<Reach>, OrderError>,
    ) -> Option<String> {
        match territory {
            Err(_) => Some(self.words.word("viewer-rated")),
            Ok(reach) => reach.as_ref().map(|reach| self.words.territory(play, reach)),
        }
    }

    /// Returns the buttons to other turns, without those that would lead to the turn that is shown.
    fn steps(&self, table: &Table, ply: usize, view_options: ViewOptions) -> Vec<Component> {
        let last = table.ply();
        let (later, earlier) = (ply < last, ply > 0);
        let all = [
            (earlier, ViewerAction::First, "button-first", 0),
            (earlier, ViewerAction::Back, "button-step-back", ply.saturating_sub(1)),
            (last > 0, ViewerAction::Play, "button-run", ply),
            (later, ViewerAction::Next, "button-next", ply + 1),
            (later, ViewerAction::Last, "button-last", last),
        ];
        let button = |(_, step, key, ply): (bool, ViewerAction, &str, usize)| {
            let id = TableButtonId::new(table.id(), ply, ButtonAction::Viewer(step, view_options)).id();
            Component::button(self.words.word(key), ButtonStyle::Secondary, id)
        };
        all.into_iter().filter(|(leads_on, ..)| *leads_on).map(button).collect()
    }

    fn views(&self, table: &Table, play: &dyn Play, view_options: ViewOptions) -> Vec<Component> {
        let ply = play.ply();
        let part = |key: &str, step: ViewerAction, view_options: ViewOptions| {
            let id = TableButtonId::new(table.id(), ply, ButtonAction::Viewer(step, view_options)).id();
            Component::button(self.words.word(key), ButtonStyle::Secondary, id)
        };
        let tints = if view_options.tints { "button-untint" } else { "button-tint" };
        let mut parts =
            vec![part("button-turn", ViewerAction::Turn, view_options.turned(table.chairs().len()))];
        // In games without territory there is nothing to show.
        if table.play().is_some_and(|play| play.reach().is_some()) {
            let other = ViewOptions { tints: !view_options.tints, ..view_options };
            parts.push(part(tints, ViewerAction::Tint, other));
        }
        parts.push(part("button-text", ViewerAction::Text, view_options));
        if play.outcome().is_none() {
            parts.push(part("button-play-from", ViewerAction::PlayFrom, view_options));
        }
        parts
    }

    /// Builds a select of plies to jump to: those around the one shown, and others spread over the game up to the
    /// select's limit.
    fn jumps(&self, table: &Table, now: &dyn Play, ply: usize, view_options: ViewOptions) -> Component {
        let record = now.record();
        let choice = |at: usize| {
            let label = clip(&self.move_label(&record, at), MAX_CHOICE_CHARS);
            Choice { label, value: at.to_string(), note: String::new() }
        };
        Component::Select {
            id: TableButtonId::new(table.id(), ply, ButtonAction::Viewer(ViewerAction::Jump, view_options))
                .id(),
            placeholder: self.words.word("viewer-jump"),
            choices: jump_targets(now.ply(), ply).into_iter().map(choice).collect(),
        }
    }

    /// Adds the button that leads to the board on the web pages, if there are any.
    fn with_open_board(&self, post: OutgoingMessage, table: &Table, ply: usize) -> OutgoingMessage {
        match self.open_board_button(table, ply) {
            Some(open) => post.row([open]),
            None => post,
        }
    }

    /// Builds an animation of a part of a game.
    pub fn replay(&self, table: &Table, span: Span, side: Seat) -> Option<OutgoingMessage> {
        let now = table.play()?;
        let last = now.at_ply(span.to);
        let look = DrawOptions { over: false, ..self.look_at(table, last.as_ref(), side) };
        let scenes_of_span = scenes_of_span(now, span, look, table.ends_with(last.as_ref()));
        let picture = Picture::animation(scenes_of_span, self.replay_alt(table, last.as_ref(), span));
        let post = OutgoingMessage::text(self.span_line(table, span)).picture(picture);
        Some(self.with_open_board(post, table, span.to))
    }

    /// Builds a contact sheet of a part of a game, each board with its move.
    pub fn stills(&self, table: &Table, span: Span, side: Seat) -> Option<OutgoingMessage> {
        let now = table.play()?;
        let record = now.record();
        let board = |ply: usize| (self.drawn(table, now, ply, side), self.move_label(&record, ply));
        let boards = span.spread(MAX_STILLS).into_iter().map(board).collect();
        let alt = self.replay_alt(table, now.at_ply(span.to).as_ref(), span);
        let post = OutgoingMessage::text(self.span_line(table, span)).picture(Picture::sheet(boards, alt));
        Some(self.with_open_board(post, table, span.to))
    }

    /// Labels a ply by its number and move; the start by its name.
    fn move_label(&self, record: &[String], ply: usize) -> String {
        match ply.checked_sub(1).and_then(|before| record.get(before)) {
            Some(text) => format!("{ply}. {text}"),
            None => self.words.word("viewer-beginning"),
        }
    }

    /// Builds a part of a game as text: its moves, and the board after them. A text over the limit becomes a
    /// file.
    pub fn as_text(&self, table: &Table, span: Span) -> Option<OutgoingMessage> {
        let now = table.play()?;
        let moves: Vec<String> = (span.from..span.to)
            .zip(now.record().into_iter().skip(span.from))
            .map(|(ply, text)| format!("{}. {text}", ply + 1))
            .collect();
        let board = now.at_ply(span.to).text_board();
        let text = format!("{}\n\n{}\n", moves.join(" "), board.trim_end());
        let line = self.span_line(table, span);
        let whole = format!("{line}\n```\n{}\n```", text.trim());
        let post = match whole.chars().count() <= MAX_CONTENT_CHARS {
            true => OutgoingMessage::text(whole),
            false => {
                OutgoingMessage::text(line).file(format!("rookery-{}.txt", table.id()), text.into_bytes())
            }
        };
        Some(self.with_open_board(post, table, span.to))
    }

    fn span_line(&self, table: &Table, span: Span) -> String {
        let args =
            [("table", table.id().to_string().into()), ("from", span.from.into()), ("to", span.to.into())];
        self.words.say("replay-span", &args)
    }

    /// Builds the description of a position in words.
    pub fn full_description(&self, table: &Table, ply: usize) -> Option<OutgoingMessage> {
        let play = table.play()?.at_ply(ply);
        let whole = self.words.full_description(&self.words.board(table, play.as_ref(), None));
        Some(OutgoingMessage::text(clip(&whole, MAX_CONTENT_CHARS)))
    }

    /// Builds a position in plain characters.
    pub fn characters(&self, table: &Table, ply: usize) -> Option<OutgoingMessage> {
        let play = table.play()?.at_ply(ply);
        let line = self.viewer_head(table, play.as_ref());
        let beside = self.words.text_board_legend(&self.words.board(table, play.as_ref(), None));
        Some(OutgoingMessage::text(format!("{line}\n{beside}\n```\n{}\n```", play.text_board().trim_end())))
    }
}

/// Returns the plies that a select offers in a game of `plies` plies: all of a short one, otherwise those around the
/// ply that is shown and others spread over the game.
fn jump_targets(plies: usize, shown: usize) -> Vec<usize> {
    if plies < MAX_CHOICES {
        return (0..=plies).collect();
    }
    let first = shown.saturating_sub(JUMPS_NEARBY / 2).min(plies + 1 - JUMPS_NEARBY);
    let with = |others: usize| -> BTreeSet<usize> {
        (first..first + JUMPS_NEARBY).chain(Span { from: 0, to: plies }.spread(others)).collect()
    };
    // Some of the others are nearby too.
    let targets = (2..=MAX_CHOICES).rev().map(with).find(|targets| targets.len() <= MAX_CHOICES);
    targets.unwrap_or_default().into_iter().collect()
}

/// Defers drawing a part of a game until it is needed; `over` is whether the game is over at the last ply.
fn scenes_of_span(now: &dyn Play, span: Span, look: DrawOptions, over: bool) -> DeferredScenes {
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
    DeferredScenes { count: span.to - span.from + 1, fingerprint, make: Arc::new(make) }
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
    fn a_jump_leads_to_all_turns_nearby_and_to_some_of_all_others() {
        assert_eq!(jump_targets(24, 0), (0..=24).collect::<Vec<_>>());
        for shown in [0, 3, 50, 99, 100] {
            let targets = jump_targets(100, shown);
            assert!((20..=MAX_CHOICES).contains(&targets.len()) && targets.is_sorted(), "{targets:?}");
            for near in [shown.saturating_sub(5), shown, (shown + 5).min(100), 0, 100] {
                assert!(targets.contains(&near), "{near} near {shown}: {targets:?}");
            }
        }
    }

    #[test]
    fn turns_are_spread_evenly_with_both_ends() {
        assert_eq!(Span { from: 3, to: 3 }.spread(10), [3]);
        assert_eq!(Span { from: 0, to: 4 }.spread(10), [0, 1, 2, 3, 4]);
        assert_eq!(Span { from: 0, to: 90 }.spread(10), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    }
}
