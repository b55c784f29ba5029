//! Reviews of finished games: a chart of the lead, and the turning points.

use rookery_core::scene::{DrawOptions, Scene};
use rookery_core::{Cell, CellOwnership, CellSet, Play, Reach, Seat};
use rookery_games::art::chart::{Dot, Labels, LeadChart, lead_chart, lines};
use rookery_i18n::clip;
use rookery_table::review::{CERTAIN_WIN, LeadCurve, Review, TurningPoint};
use rookery_table::saved_analysis::{BestLine, KnownAnalysis};
use rookery_table::{Table, hints};

use super::MessageView;
use crate::discord::wire::limits::MAX_ALT_CHARS;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage, Picture};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId, ViewOptions, ViewerAction};

/// The most moves shown of a line.
const MAX_LINE_MOVES: usize = 4;
/// The opacity of the tint of a cell whose owner is estimated with full confidence.
const FULL_CONFIDENCE_TINT: f32 = 0.4;
/// The lead of a side that has certainly lost.
const LOST_LEAD: i32 = -CERTAIN_WIN;

impl MessageView<'_> {
    /// Builds a review: the lead over the game as a chart, and the turning points, each with a button.
    pub fn review(&self, table: &Table, review: &Review) -> OutgoingMessage {
        let Some(play) = table.play() else {
            return OutgoingMessage::text(self.words.word("refused-not-begun"));
        };
        let mut told = vec![self.review_title(table, play, review)];
        told.extend(review.turns.iter().map(|turn| self.turning_line(play, turn)));
        let alts: Vec<_> = review.curves.iter().map(|curve| self.curve_alt(play, curve)).collect();
        let picture = Picture::still(self.over_turns(play, review), clip(&alts.join(" "), MAX_ALT_CHARS));
        let post = OutgoingMessage::text(told.join("\n")).picture(picture);
        let turning = review.turns.iter().map(|turn| self.turning_button(table, turn));
        let buttons: Vec<_> = turning.chain(self.open_board_button(table, table.ply())).collect();
        if buttons.is_empty() { post } else { post.row(buttons) }
    }

    /// Describes what is known of the position at a ply from an analysis: the turning point that led to it or else who
    /// is ahead, then the best moves.
    pub(super) fn analysis_lines(
        &self,
        table: &Table,
        play: &dyn Play,
        known: &KnownAnalysis,
    ) -> Vec<String> {
        let review = known.review.as_deref();
        // The best moves are searched apart and have values of their own, so who leads is not told beside them.
        let told = review.and_then(|it| self.review_line(table, play, it, known.lines.is_none()));
        let mut told: Vec<_> = told.into_iter().collect();
        if let Some(lines) = &known.lines {
            let side = play.turn();
            told.push(self.words.say("analyse-lines", &[("side", self.words.side(play, side).into())]));
            told.extend((1..).zip(lines.iter()).map(|(number, line)| self.best_line(play, number, line)));
        }
        told
    }

    fn review_line(&self, table: &Table, play: &dyn Play, review: &Review, leads: bool) -> Option<String> {
        let ply = play.ply();
        if let Some(turn) = review.turns.iter().find(|turn| turn.ply + 1 == ply) {
            return Some(self.turning_line(play, turn));
        }
        // The result says more about the end.
        if ply == table.ply() || !leads {
            return None;
        }
        let lead_of = |curve: &LeadCurve| Some((curve.seat, curve.dots.iter().find(|dot| dot.0 == ply)?.1));
        let (seat, lead) = review.curves.iter().find_map(lead_of)?;
        let args = [("side", self.words.side(play, seat).into()), ("lead", self.lead(play, lead).into())];
        Some(self.words.say("review-lead", &args))
    }

    fn best_line(&self, play: &dyn Play, number: usize, line: &BestLine) -> String {
        let moves: Vec<_> = line.moves.iter().take(MAX_LINE_MOVES).map(|text| format!("`{text}`")).collect();
        let args = [
            ("number", number.into()),
            ("value", self.words.value(play, play.turn(), line.value).into()),
            ("line", moves.join(" ").into()),
        ];
        self.words.say("analyse-line", &args)
    }

    fn over_turns(&self, play: &dyn Play, review: &Review) -> Scene {
        let dot = |(ply, lead): &(usize, i32)| Dot {
            x: *ply as f64,
            y: f64::from(*lead) / 100.0,
            uncertainty: 0.0,
        };
        let curves: Vec<Vec<_>> =
            review.curves.iter().map(|curve| curve.dots.iter().map(dot).collect()).collect();
        let (moves, last) = (self.words.word("review-chart-moves"), play.ply().to_string());
        let height = self.chart_height(play, curves.len());
        let labels = Labels { height: &height, width: ("0", &moves, &last) };
        match &curves[..] {
            [only] => {
                let turns: Vec<_> = review.turns.iter().map(|turn| turn.ply + 1).collect();
                let emblems = [Seat::FIRST, Seat::SECOND].map(|seat| play.emblem(seat));
                lead_chart(&LeadChart { dots: only, emblems, turns: &turns, labels })
            }
            several => {
                let turns: Vec<_> = review.turns.iter().map(|turn| (turn.seat, turn.ply + 1)).collect();
                lines(several, &turns, labels)
            }
        }
    }

    /// Says what the height of a chart with this number of lines means, in the game's unit.
    fn chart_height(&self, play: &dyn Play, lines: usize) -> String {
        let [side, other] = [Seat::FIRST, Seat::SECOND].map(|seat| self.words.side(play, seat));
        let args = [("game", play.info().key.into()), ("side", side.into()), ("other", other.into())];
        self.words.say(if lines > 1 { "review-chart-many" } else { "review-chart-two" }, &args)
    }

    fn review_title(&self, table: &Table, play: &dyn Play, review: &Review) -> String {
        let side =
            |curve: &LeadCurve| format!("{} {}", curve.seat.index() + 1, self.words.side(play, curve.seat));
        let sides: Vec<_> = review.curves.iter().map(side).collect();
        let args = [
            ("table", table.id().to_string().into()),
            ("game", self.words.game(&table.terms().game).into()),
            ("side", self.words.side(play, Seat::FIRST).into()),
            ("sides", self.words.join(&sides).into()),
            ("turned", review.turns.len().into()),
        ];
        self.words.say(if review.curves.len() > 1 { "review-many" } else { "review-two" }, &args)
    }

    /// The lead is the first player's in a game of two, as in the chart; with more players it is the mover's
    /// own.
    fn turning_line(&self, play: &dyn Play, turn: &TurningPoint) -> String {
        let (before, after) = turn.leads;
        let (whose, before, after) = match (play.seats(), turn.seat) {
            (2, Seat::SECOND) => (Seat::FIRST, -before, -after),
            (_, mover) => (mover, before, after),
        };
        let args = [
            ("number", (turn.ply + 1).into()),
            ("side", self.words.side(play, turn.seat).into()),
            ("played", turn.played.as_str().into()),
            ("better", turn.better.as_str().into()),
            ("whose", self.words.side(play, whose).into()),
            ("cost", self.cost(play, turn).into()),
            ("before", self.lead(play, before).into()),
            ("after", self.lead(play, after).into()),
        ];
        self.words.say("review-turn", &args)
    }

    /// Formats what a turn cost its player: a difference of leads, or the win.
    fn cost(&self, play: &dyn Play, turn: &TurningPoint) -> String {
        let (before, after) = turn.leads;
        if before >= CERTAIN_WIN || after <= LOST_LEAD {
            return self.words.word("review-cost-game");
        }
        self.words.lead(play, format!("{:.1}", f64::from((before - after).abs()) / 100.0))
    }

    fn turning_button(&self, table: &Table, turn: &TurningPoint) -> Component {
        let label = self.words.say("button-turning", &[("number", (turn.ply + 1).into())]);
        Component::button(
            label,
            ButtonStyle::Secondary,
            TableButtonId::new(table.id(), turn.ply, ButtonAction::Turning).id(),
        )
    }

    fn curve_alt(&self, play: &dyn Play, curve: &LeadCurve) -> String {
        let leads = || curve.dots.iter().map(|(_, lead)| *lead);
        let args = [
            ("side", self.words.side(play, curve.seat).into()),
            ("turns", play.ply().into()),
            ("most", self.lead(play, leads().max().unwrap_or(0)).into()),
            ("least", self.lead(play, leads().min().unwrap_or(0)).into()),
            ("end", self.lead(play, leads().next_back().unwrap_or(0)).into()),
        ];
        self.words.say("review-picture", &args)
    }

    /// Formats a lead with its sign and unit, or as decided.
    fn lead(&self, play: &dyn Play, hundredths: i32) -> String {
        match hundredths {
            CERTAIN_WIN.. => self.words.word("review-won"),
            ..=LOST_LEAD => self.words.word("review-lost"),
            open => self.words.lead(play, signed(open)),
        }
    }

    /// Builds a turning point: the boards after the move played and after the better move, with the territory of each,
    /// and a button to play on from before it.
    pub fn turning(&self, table: &Table, turn: &TurningPoint) -> Option<OutgoingMessage> {
        let play = table.play()?;
        let before = play.at_ply(turn.ply);
        let mut better = before.clone_play();
        better.play(&turn.better).ok()?;
        let after = play.at_ply(turn.ply + 1);
        let side = if self.display.turns_board(table) { turn.seat } else { Seat::FIRST };
        let boards: Vec<_> = [
            (after.as_ref(), self.words.say("turning-played", &[("move", turn.played.as_str().into())])),
            (better.as_ref(), self.words.say("turning-better", &[("move", turn.better.as_str().into())])),
        ]
        .into_iter()
        .map(|(at, caption)| (self.tinted(table, at, side), caption))
        .collect();
        let line = self.turning_line(play, turn);
        let alt = self.words.say("turning-picture", &[("line", line.replace('`', "").into())]);
        let from_here = ButtonAction::Viewer(ViewerAction::PlayFrom, ViewOptions::from(turn.seat));
        let id = TableButtonId::new(table.id(), turn.ply, from_here).id();
        let button = Component::button(self.words.word("button-play-from"), ButtonStyle::Primary, id);
        Some(OutgoingMessage::text(line).picture(Picture::sheet(boards, alt)).row([button]))
    }

    fn tinted(&self, table: &Table, play: &dyn Play, side: Seat) -> Scene {
        let territory = hints::territory(table, play).ok().flatten();
        let owners = likely_owners(play, territory.as_ref());
        let alone = territory.map(|reach| Reach { shared: CellSet::EMPTY, ..reach });
        play.scene(&DrawOptions { owners, territory: alone, ..self.look_at(table, play, side) })
    }
}

/// Returns the likely owners of the cells that several sides can still reach, tinted by confidence.
fn likely_owners(play: &dyn Play, territory: Option<&Reach>) -> Vec<(Cell, Seat, f32)> {
    let shared = territory.map_or(CellSet::EMPTY, |reach| reach.shared);
    let likely = |hold: CellOwnership| {
        (hold.cell, hold.seat, FULL_CONFIDENCE_TINT * f32::from(hold.confidence) / 100.0)
    };
    play.ownership().into_iter().filter(|hold| shared.has(hold.cell)).map(likely).collect()
}

/// Formats a lead in units with its sign: "+2.4".
fn signed(hundredths: i32) -> String {
    let units = f64::from(hundredths.abs()) / 100.0;
    let sign = if hundredths < 0 { "−" } else { "+" };
    format!("{sign}{units:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discord::state::display_preferences::DisplayPreferences;
    use rookery_i18n::Localizer;
    use rookery_table::millis;
    use rookery_table::ports::Entry;
    use rookery_table::{Event, Occupant, Terms, UserId};

    /// Creates a table of two at a position of the Amazons.
    fn table_at(line: &str) -> Table {
        let chairs = vec![Occupant::Human { person: UserId(1) }, Occupant::Human { person: UserId(2) }];
        let terms = Terms { game: "amazons".into(), ..Terms::default() };
        let events =
            [Event::Opened { terms, host: UserId(1), chairs }, Event::Started { line: line.to_owned() }];
        let entry = |(sequence, event)| Entry { sequence, at: millis::timestamp(1), source: None, event };
        let entries: Vec<_> = (1..).zip(events).map(entry).collect();
        Table::replay("K7Q2".parse().unwrap(), &entries).unwrap().unwrap()
    }

    /// The chart shows White's lead, so the text does too, no matter who moved.
    #[test]
    fn review_leads_use_the_side_of_the_chart() {
        let table = table_at("q3/4/4/Q3 w - - 0 1");
        let play = table.play().unwrap();
        let display = DisplayPreferences::usual("walnut");
        let words = Localizer::english();
        let view = MessageView { words, display: &display, reads_all: false, challenge_hours: 24, web: None };
        let said = |seat, leads| {
            let (played, better) = ("a1-b1/c1".to_owned(), "a1-a2/a1".to_owned());
            view.turning_line(play, &TurningPoint { ply: 3, seat, played, better, leads })
        };
        let white = said(Seat::FIRST, (90, -180));
        assert!(
            white.ends_with(
                "which cost 2.7 moves; `a1-a2/a1` was better. White's lead before and after: +0.9 moves, −1.8 moves."
            ),
            "{white}"
        );
        let black = said(Seat::SECOND, (90, -CERTAIN_WIN));
        assert!(black.ends_with("White's lead before and after: −0.9 moves, won."), "{black}");
        let lost = said(Seat::FIRST, (CERTAIN_WIN - 1, -CERTAIN_WIN));
        assert!(lost.contains("which cost the game; `a1-a2/a1`"), "{lost}");
        assert!(lost.ends_with("+15.0 moves, lost."), "{lost}");
    }

    /// A row of arrows walls the sides off, so nothing is a guess. Without it each side is nearer to some squares.
    #[test]
    fn review_turning_points_guess_only_at_shared_squares() {
        let likely = |line: &str| {
            let play = rookery_games::named("amazons").unwrap().resume(line).unwrap();
            likely_owners(play.as_ref(), hints::territory(&table_at(line), play.as_ref()).unwrap().as_ref())
        };
        assert_eq!(likely("q3/pppp/4/Q3 w - - 0 1"), []);
        let open = likely("q3/4/4/Q3 w - - 0 1");
        let of = |seat| open.iter().filter(|(_, owner, _)| *owner == seat).count();
        assert!(of(Seat::FIRST) > 0 && of(Seat::FIRST) == of(Seat::SECOND));
        assert!(open.iter().all(|(_, _, strength)| *strength < FULL_CONFIDENCE_TINT));
    }
}
