//! Errors in words: the rule, the cell in the way, what to do next.

use fluent_bundle::FluentValue;

use rookery_core::board::Shape;
use rookery_core::lesson::Shortfall;
use rookery_core::rules::GameInfo;
use rookery_core::{
    Blocker, Expected, IllegalMove, MoveError, MoveParseError, MovePart, Play, Seat, StepKind,
};
use rookery_table::access::AccessError;
use rookery_table::teams::ReservedSeat;
use rookery_table::{OrderError, Table, TableError, TableId};

use super::names::place;
use super::{Arg, Localizer, moment, person, quoted};

impl Localizer {
    /// Explains why an order was refused. `table` is its present state, if known.
    pub fn table_error(&self, denied: &TableError, table: Option<&Table>) -> String {
        match denied {
            TableError::Refused(refused) => self.order_error(refused, table),
            TableError::NoTable(id) => self.say("denied-no-table", &[("table", id.as_str().into())]),
            TableError::Store(_) => self.word("denied-journal"),
            TableError::Unreadable(id) => self.say("denied-unreadable", &[("table", id.as_str().into())]),
            TableError::Internal => self.word("denied-fault"),
        }
    }

    /// Explains why a person may not do something at a table. A person who must not learn that it exists gets the
    /// answer for an unknown table.
    pub fn access(&self, error: AccessError, id: TableId) -> String {
        let table = [("table", id.as_str().into())];
        match error {
            AccessError::NoSuchTable | AccessError::SightUnknown | AccessError::Bot => {
                self.table_error(&TableError::NoTable(id), None)
            }
            AccessError::ChannelClosed => self.say("access-channel-closed", &table),
            AccessError::NotMember => self.say("access-not-member", &table),
            AccessError::Banned => self.word("limit-banned"),
            AccessError::LinkOnly => self.word("access-link-only"),
            AccessError::TryAgain => self.say("access-try-again", &table),
        }
    }

    /// Explains why a table refused an order.
    pub fn order_error(&self, refused: &OrderError, table: Option<&Table>) -> String {
        match refused {
            OrderError::Repeated => self.word("refused-repeated"),
            OrderError::NotBegun => self.word("refused-not-begun"),
            OrderError::BegunAlready => self.word("refused-begun"),
            OrderError::Over => self.word("refused-over"),
            OrderError::NotSeated => self.not_seated(table),
            OrderError::SeatedAlready => self.word("refused-seated"),
            OrderError::ResignedAlready => self.word("refused-resigned"),
            OrderError::Full => self.word("refused-full"),
            OrderError::KeptForTeam => {
                table.map_or_else(|| self.word("refused-full"), |table| self.reserved_for(table))
            }
            OrderError::NotYourTurn { whose } => self.not_your_turn(*whose, table),
            OrderError::Stale { .. } => self.word("refused-stale"),
            OrderError::NoClock => self.word("refused-no-clock"),
            OrderError::TimeLeft { until } => {
                self.say("refused-time-left", &[("until", moment(*until).into())])
            }
            OrderError::OwnTime => self.word("refused-own-time"),
            OrderError::OutOfTime => self.word("refused-out-of-time"),
            OrderError::Move(wrong) => self.not_played(wrong, table.and_then(Table::play)),
            OrderError::NoSuchOffer => self.word("refused-no-such-offer"),
            OrderError::OfferStands => self.word("refused-offer-stands"),
            OrderError::OfferAsks => self.word("refused-offer-asks"),
            OrderError::OfferDeclined => self.word("refused-offer-declined"),
            OrderError::NoOffer => self.word("refused-no-offer"),
            OrderError::NothingToUndo => self.word("refused-nothing-to-undo"),
            OrderError::NotRated => self.word("refused-not-rated"),
            OrderError::Rated => self.word("refused-rated"),
            OrderError::NoHelp => self.word("refused-no-help"),
            OrderError::NotPaused => self.word("refused-not-paused"),
            OrderError::Frozen => self.word("refused-frozen"),
            OrderError::Maintenance => self.word("refused-maintenance"),
            OrderError::Draining => self.word("refused-draining"),
            OrderError::NotOver => self.word("refused-not-over"),
            OrderError::OnlyTwo => self.word("refused-only-two"),
            OrderError::PausedAlready => self.word("refused-paused-already"),
            OrderError::StillShared => self.word("refused-shared"),
            OrderError::NotProven { left } => self.not_proven(left, table),
            OrderError::NotHost => self.word("refused-not-host"),
            OrderError::NotCaptain { captain } => {
                self.say("refused-not-captain", &[("captain", person(*captain).into())])
            }
            OrderError::TeamVotes => self.word("refused-team-votes"),
            OrderError::VoteFull => self.word("refused-ballot-full"),
            OrderError::NoOpenVote => self.word("refused-no-ballot"),
            OrderError::PlanOwnTurn => self.word("refused-plan-own-turn"),
            OrderError::PlanOpen => self.word("refused-plan-open"),
            OrderError::PlanTooLong => self.word("refused-plan-too-long"),
            OrderError::PlanTwice { text } => {
                self.say("refused-plan-twice", &[("move", text.as_str().into())])
            }
            OrderError::PlanMove { text, wrong } => {
                let why = self.move_error(wrong, table.and_then(Table::play));
                self.say("refused-plan-move", &[("text", quoted(text).into()), ("why", why.into())])
            }
            OrderError::NoPlan => self.word("refused-no-plan"),
            OrderError::Setup(error) => self.setup(error),
            OrderError::NoSuchGame(name) => self.no_such_game(name),
            OrderError::Limited(limited) => self.quota_error(limited),
        }
    }

    /// Describes the proven bounds of each side: one number where they are exact, a range elsewhere.
    fn not_proven(&self, left: &[(u32, u32)], table: Option<&Table>) -> String {
        let bounds = self.left(table.and_then(Table::play), left);
        self.say("refused-not-proven", &[("bounds", bounds.into())])
    }

    /// Formats the least and most that each seat has left, by seat index: "White 7 and Black 3–4".
    pub fn left(&self, play: Option<&dyn Play>, left: &[(u32, u32)]) -> String {
        let one = |(seat, (least, most)): (Seat, &(u32, u32))| {
            let side = play.map_or_else(|| seat.to_string(), |play| self.side(play, seat));
            let bounds = if least == most { least.to_string() } else { format!("{least}–{most}") };
            self.say("left-of-side", &[("side", side.into()), ("bounds", bounds.into())])
        };
        let bounds: Vec<_> = Seat::all(left.len()).zip(left).map(one).collect();
        self.join(&bounds)
    }

    /// Says that a person has no seat at the table; names the players if the table has teams.
    pub fn not_seated(&self, table: Option<&Table>) -> String {
        let with_team = table.filter(|table| table.terms().has_teams());
        match with_team {
            Some(table) => {
                let who = self.join(&self.all_seated(table));
                self.say("refused-not-of-team", &[("who", who.into())])
            }
            None => self.word("refused-not-seated"),
        }
    }

    /// Says that the free seats of a table are reserved, and for whom.
    pub fn reserved_for(&self, table: &Table) -> String {
        self.say("refused-kept", &[("who", self.reserved_seats(table).into())])
    }

    /// Says who may join which team, for a challenge.
    pub fn reserved_teams_line(&self, table: &Table) -> String {
        self.say("announce-kept", &[("who", self.reserved_seats(table).into())])
    }

    fn reserved_seats(&self, table: &Table) -> String {
        let members = |reserved_seat: &ReservedSeat| self.members(&reserved_seat.members, place(table));
        self.join(&table.reserved_seats().map(members).collect::<Vec<_>>())
    }

    fn not_your_turn(&self, whose: Seat, table: Option<&Table>) -> String {
        let seated = table.map(|table| self.seated(table, whose));
        let who = seated.unwrap_or_else(|| self.word("seat-somebody"));
        self.say("refused-turn", &[("who", who.into())])
    }

    /// Explains why a move was not played, and what to do next.
    pub fn move_error(&self, wrong: &MoveError, play: Option<&dyn Play>) -> String {
        match wrong {
            MoveError::Unreadable(unreadable) => self.unreadable(unreadable, play),
            MoveError::Illegal(refusal) => self.illegal_move(refusal, play),
        }
    }

    /// Explains why a legal move does not solve a task of a game's lesson, whose sentences have this key:
    /// `lesson-amazons-win`.
    pub fn shortfall(&self, info: &'static GameInfo, task: &str, short: &Shortfall) -> String {
        let key = match short {
            Shortfall::Class(class) => class,
            _ => "short",
        };
        let args = match short {
            Shortfall::Gains { points } => vec![("points", (*points).into())],
            Shortfall::NotWon { points, other } => {
                vec![("points", (*points).into()), ("other", (*other).into())]
            }
            Shortfall::Open { goal } => vec![("goal", goal.as_str().into())],
            Shortfall::Loses { from } => vec![("from", from.as_str().into())],
            Shortfall::Class(_) | Shortfall::Other => Vec::new(),
        };
        let args: Vec<_> = args.into_iter().chain(self.two_sides(info)).collect();
        self.say(&format!("{task}-{key}"), &args)
    }

    /// Explains where a text stops being a move, with a legal move as an example.
    pub fn unreadable(&self, unreadable: &MoveParseError, play: Option<&dyn Play>) -> String {
        let wanted = match unreadable.expected {
            Expected::Cell => self.say("wanted-cell", &[("board", board_kind(play).into())]),
            Expected::Direction => self.word("wanted-direction"),
            Expected::End => self.word("wanted-end"),
        };
        let example = play.and_then(|play| play.moves().into_iter().next());
        let key = match (unreadable.found.is_empty(), &example) {
            (true, None) => "unreadable-short",
            (true, Some(_)) => "unreadable-short-example",
            (false, None) => "unreadable-found",
            (false, Some(_)) => "unreadable-found-example",
        };
        let found = quoted(&unreadable.found);
        let example = example.unwrap_or_default();
        let args = [("found", found.into()), ("wanted", wanted.into()), ("move", example.into())];
        self.say(key, &args)
    }

    /// Explains why a position refuses a move.
    pub fn illegal_move(&self, refusal: &IllegalMove, play: Option<&dyn Play>) -> String {
        match refusal {
            IllegalMove::Over => self.word("refused-over"),
            IllegalMove::NoSuchCell { cell } => self.say(
                "refusal-no-such-cell",
                &[("cell", cell.as_str().into()), ("board", board_kind(play).into())],
            ),
            IllegalMove::NoPiece { at } => self.say("refusal-nothing", &[("at", at.as_str().into())]),
            IllegalMove::NotYours { at, whose } => {
                let whose = play.map_or_else(|| whose.to_string(), |play| self.side(play, *whose));
                self.say("refusal-not-yours", &[("at", at.as_str().into()), ("whose", whose.into())])
            }
            IllegalMove::SameCell { at } => self.say("refusal-no-step", &[("at", at.as_str().into())]),
            IllegalMove::NotALine { leg, from, to } => {
                self.on_leg("refusal-not-a-line", *leg, from, to, &[("board", board_kind(play).into())])
            }
            IllegalMove::Blocked { leg, from, to, by, at } => self.blocked(*leg, [from, to, at], *by, play),
            IllegalMove::Incomplete { so_far, missing } => self.incomplete(so_far, *missing),
            IllegalMove::Ambiguous { readings } => {
                self.say("refusal-ambiguous", &[("readings", self.join(readings).into())])
            }
            IllegalMove::Rule { rule, cells } => self.rule(rule, cells, play.map(|play| play.info())),
        }
    }

    /// Returns the sentence of a rule that only one game has; `$a`, `$b`, `$c` and `$d` are its arguments,
    /// `$all` is their list, and `$game` the key of the game, which decides what its pieces and places are called.
    pub(super) fn rule(&self, rule: &str, about: &[String], game: Option<&GameInfo>) -> String {
        let about_all: Arg<'_> = ("all", self.join(about).into());
        let game: Arg<'_> = ("game", game.map_or("", |info| info.key).into());
        let names = ["a", "b", "c", "d"].into_iter().zip(about);
        let args: Vec<Arg<'_>> =
            names.map(|(name, text)| (name, number_or_text(text))).chain([about_all, game]).collect();
        self.say(&format!("rule-{rule}"), &args)
    }

    fn blocked(
        &self,
        leg: MovePart,
        [from, to, at]: [&String; 3],
        by: Blocker,
        play: Option<&dyn Play>,
    ) -> String {
        let what = match (by, play) {
            (Blocker::Gone, Some(play)) => self.word(&format!("blocker-{}", play.info().key)),
            (Blocker::Piece(seat), Some(play)) => {
                let args = [("game", play.info().key.into()), ("who", self.side(play, seat).into())];
                self.say("cell-pieces", &args)
            }
            _ => self.word("blocker-something"),
        };
        let key = if at == to { "refusal-goal-taken" } else { "refusal-blocked" };
        self.on_leg(key, leg, from, to, &[("what", what.into()), ("at", at.as_str().into())])
    }

    fn on_leg(&self, key: &str, leg: MovePart, from: &str, to: &str, more: &[Arg<'_>]) -> String {
        let leg = match leg {
            MovePart::Move => "move",
            MovePart::Shot => "shot",
        };
        let mut args: Vec<Arg<'_>> = vec![("leg", leg.into()), ("from", from.into()), ("to", to.into())];
        args.extend_from_slice(more);
        self.say(key, &args)
    }

    fn incomplete(&self, so_far: &str, missing: StepKind) -> String {
        let missing = self.part(missing);
        if so_far.is_empty() {
            return self.say("refusal-nothing-yet", &[("missing", missing.into())]);
        }
        self.say("refusal-incomplete", &[("sofar", so_far.into()), ("missing", missing.into())])
    }

    /// Names the direction of a step of a move: "the arrow's direction".
    pub fn direction_of(&self, part: StepKind) -> String {
        self.word(match part {
            StepKind::Arrow => "part-direction-arrow",
            StepKind::Spear => "part-direction-spear",
            _ => "part-direction",
        })
    }

    /// Names what a step of a move decides: "where it goes".
    pub fn part(&self, part: StepKind) -> String {
        self.word(match part {
            StepKind::Piece => "part-piece",
            StepKind::Place => "part-place",
            StepKind::Goal => "part-goal",
            StepKind::Arrow => "part-arrow",
            StepKind::Spear => "part-spear",
            StepKind::Direction => "part-direction",
            StepKind::Spin => "part-spin",
            StepKind::Mode => "part-manner",
        })
    }
}

/// Returns the key of a board's kind: `square`, `tiles` (hexagons with their names on them) or `points`.
fn board_kind(play: Option<&dyn Play>) -> &'static str {
    match play.map(|play| play.board().shape()) {
        None | Some(Shape::Square { .. }) => "square",
        Some(Shape::Island) => "tiles",
        Some(Shape::Hexagon { .. }) => "points",
    }
}

/// Passes digits as a number, so that a sentence can select its plural form.
fn number_or_text(text: &str) -> FluentValue<'_> {
    let number = text.parse::<u32>().ok().filter(|number| number.to_string() == text);
    number.map_or_else(|| text.into(), Into::into)
}
