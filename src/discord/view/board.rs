//! Messages with boards: one per turn, and the same for a person who asks.

use rookery_core::scene::Style;
use rookery_core::{Pie, Play, Seat};
use rookery_i18n::{Naming, last_resigned, may_swap, result_lists_players};
use rookery_table::{
    AutoMoveReason, EndCause, MessageId, Occupant, Offer, Status, Table, TableId, UserId, posted_boards,
};

use super::vote::people_to_ping;
use super::{MAX_LISTED_TURNS, MessageView};
use crate::discord::state::display_preferences::public_side;
use crate::discord::wire::limits::MAX_BUTTONS;
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId, ViewOptions, ViewerAction};

/// Returns the file name of the board after `ply` turns, without its ending. It stays the same whatever else of the message
/// changes, so that a posted board is recognised by it.
pub fn board_file_stem(table: TableId, ply: usize) -> String {
    format!("{table}-{ply}")
}

impl MessageView<'_> {
    /// Builds the board after `ply` turns, which pings only the player to move. The latest board of a running
    /// game has buttons. `None` before the game has begun.
    pub fn board(&self, table: &Table, ply: usize) -> Option<OutgoingMessage> {
        // A turn that was taken back before its board could be posted has no board.
        let now = table.play().filter(|now| ply <= now.ply())?;
        let play = now.at_ply(ply);
        let latest = ply == now.ply() && *table.status() == Status::Running;
        let picture = self.posted_picture(table, play.as_ref(), public_side(table, self.display));
        let line = self.board_line(table, play.as_ref(), latest);
        let line = if latest { self.with_all(line, table) } else { line };
        let picture = picture.named(board_file_stem(table.id(), ply));
        let post = OutgoingMessage::text(self.with_text_board(line, play.as_ref())).picture(picture);
        if !latest {
            return Some(post);
        }
        let post = table.to_move().into_iter().fold(post, |post, seat| self.pinging_seat(post, table, seat));
        Some(self.with_board_buttons(post, table))
    }

    /// Builds the edit of the board after `ply` turns once a newer one is posted: without pings and buttons,
    /// but with the move and the picture. If the turn was taken back after `message` was posted, its picture
    /// shows a turn that is no longer in the record, even if another was played in its place.
    pub fn outdated_board(&self, table: &Table, ply: usize, message: MessageId) -> OutgoingMessage {
        let stands = |now: &&dyn Play| ply <= now.ply() && !table.was_undone_since(ply, message.into());
        let still = table.play().filter(stands).map(|now| now.at_ply(ply));
        let line = match still {
            Some(play) => self.with_text_board(self.board_line(table, play.as_ref(), false), play.as_ref()),
            None => self.words.say("board-undone", &[("table", table.id().as_str().into())]),
        };
        OutgoingMessage::edit_text(line)
    }

    /// Formats the line that a phone's notification shows: the table, the player to move, and the last move.
    fn board_line(&self, table: &Table, play: &dyn Play, latest: bool) -> String {
        let state = self.turn_line(table, play, latest);
        self.words.say("board-line", &[("table", table.id().as_str().into()), ("state", state.into())])
    }

    /// Formats the line without the table.
    fn turn_line(&self, table: &Table, play: &dyn Play, latest: bool) -> String {
        let mover = table.occupant(play.turn());
        let ai = matches!(mover, Some(Occupant::Ai { .. }));
        let last = play.record().pop();
        let played = (latest && play.outcome().is_none()).then(|| self.played(table, play)).flatten();
        let key = match (&last, latest, ai) {
            (Some(_), _, _) if play.outcome().is_some() => "board-over",
            (Some(_), false, _) => "board-past",
            (Some(_), true, true) if played.is_some() => "board-reply-ai",
            (Some(_), true, false) if played.is_some() => "board-reply",
            (Some(_), true, true) => "board-turn-ai",
            (Some(_), true, false) => "board-turn",
            (None, false, _) => "board-start",
            (None, true, true) => "board-first-ai",
            (None, true, false) => "board-first",
        };
        self.words.say(
            key,
            &[
                ("who", self.mover(table, play, ai).into()),
                ("side", self.words.side(play, play.turn()).into()),
                ("moves", played.unwrap_or_else(|| self.turns_since_board(table, play.ply())).into()),
            ],
        )
    }

    /// Formats the opponent's last turn in words: "Black played d1-d7/g7". `None` with more than two players, after
    /// several turns, a vote or a swap, which are listed with their numbers.
    fn played(&self, table: &Table, play: &dyn Play) -> Option<String> {
        let turns = posted_boards::turns_on_board(table, play.ply());
        let [(number, text, why)] = turns.as_slice() else { return None };
        if play.seats() > 2 || text == Pie::SWAP || self.voted(table, *number, text).is_some() {
            return None;
        }
        let key = match why {
            None => "board-played",
            Some(AutoMoveReason::Forced) => "board-played-forced",
            Some(AutoMoveReason::Planned) => "board-played-planned",
        };
        let side = self.words.side_moved(play);
        Some(self.words.say(key, &[("side", side.into()), ("move", text.as_str().into())]))
    }

    /// Names the player to move for that line, which already contains the side of a person.
    fn mover(&self, table: &Table, play: &dyn Play, ai: bool) -> String {
        let who = || self.words.holder(table, play.turn());
        match ai {
            false => who(),
            true if play.seats() > 2 => self.words.on_side(play, play.turn(), who()),
            true => self.words.seated(table, play.turn()),
        }
    }

    /// Formats the turns since the previous board, numbered as in records: each with its own number, because
    /// players may be skipped. With three or four players, each has its side.
    pub(super) fn turns_since_board(&self, table: &Table, ply: usize) -> String {
        let turns = posted_boards::turns_on_board(table, ply);
        let several = table.play().filter(|play| play.seats() > 2);
        let movers = several.map(Play::movers).unwrap_or_default();
        let one = |(number, text, why): &(usize, String, Option<AutoMoveReason>)| {
            let text = match several.zip(movers.get(number - 1)) {
                Some((play, mover)) => {
                    let side = self.words.side(play, *mover);
                    self.words.say("board-moved-by", &[("side", side.into()), ("move", text.as_str().into())])
                }
                None => text.clone(),
            };
            if let Some(voted) = self.voted(table, *number, &text) {
                return voted;
            }
            let key = match why {
                None => "board-moved",
                Some(AutoMoveReason::Forced) => "board-moved-forced",
                Some(AutoMoveReason::Planned) => "board-moved-planned",
            };
            self.words.say(key, &[("number", (*number).into()), ("move", text.as_str().into())])
        };
        let left_out = turns.len().saturating_sub(MAX_LISTED_TURNS);
        let told: Vec<_> = turns[left_out..].iter().map(one).collect();
        if left_out > 0 { format!("… {}", told.join(", ")) } else { told.join(", ") }
    }

    /// Adds the buttons under a board; with the pie rule they may need a second row.
    fn with_board_buttons(&self, post: OutgoingMessage, table: &Table) -> OutgoingMessage {
        self.board_buttons(table).chunks(MAX_BUTTONS).fold(post, |post, row| post.row(row.to_vec()))
    }

    /// Builds the buttons under a board; their ids contain the ply.
    pub fn board_buttons(&self, table: &Table) -> Vec<Component> {
        let id = |action| TableButtonId::new(table.id(), table.ply(), action).id();
        if table.is_exhibition() {
            let stop = id(ButtonAction::Offer(Offer::Abort));
            let open = self.open_board_button(table, table.ply());
            let others = [
                Component::button(
                    self.words.word("button-text"),
                    ButtonStyle::Secondary,
                    id(ButtonAction::Text),
                ),
                Component::button(self.words.word("button-stop"), ButtonStyle::Secondary, stop),
            ];
            return open.into_iter().chain(others).collect();
        }
        let part = |key, style, action| Component::button(self.words.word(key), style, id(action));
        let swap =
            || part("button-swap", ButtonStyle::Secondary, ButtonAction::Panel(vec![Pie::SWAP.to_owned()]));
        let bot_thinks = self.is_bot_to_move(table);
        let moves = || part("button-move", ButtonStyle::Primary, ButtonAction::Panel(Vec::new()));
        let mut parts: Vec<Component> = (!bot_thinks).then(moves).into_iter().collect();
        parts.extend(table.play().filter(|_| !bot_thinks).filter(|play| may_swap(*play)).map(|_| swap()));
        parts.extend(self.open_board_button(table, table.ply()));
        parts.push(part("button-text", ButtonStyle::Secondary, ButtonAction::Text));
        parts.push(part("button-resign", ButtonStyle::Secondary, ButtonAction::Resign));
        parts.push(part("button-more", ButtonStyle::Secondary, ButtonAction::More));
        parts
    }

    /// Builds the button that leads to the board on the web pages; `None` if there are no web pages.
    pub(super) fn open_board_button(&self, table: &Table, ply: usize) -> Option<Component> {
        let id = TableButtonId::new(table.id(), ply, ButtonAction::OpenBoard).id();
        self.web.map(|_| Component::button(self.words.word("button-open-board"), ButtonStyle::Secondary, id))
    }

    /// Whether the bot's move is awaited.
    pub fn is_bot_to_move(&self, table: &Table) -> bool {
        let mover = table.to_move().and_then(|seat| table.occupant(seat));
        matches!(mover, Some(Occupant::Ai { .. }))
    }

    /// Builds the current state of a table for one person: a line, the board from their side, and buttons if
    /// they play.
    pub fn state(&self, table: &Table, who: Option<UserId>) -> OutgoingMessage {
        let line = self.state_line(table);
        let line = table.play().map_or_else(|| line.clone(), |play| self.with_text_board(line.clone(), play));
        let mut post = OutgoingMessage::text(line);
        post.picture = self.picture_for(table, who);
        let plays = who.is_some_and(|who| table.seat_of(who).is_some());
        match table.status() {
            Status::Running if plays => self.with_board_buttons(post, table),
            Status::Over(_) if plays && table.play().is_some() => {
                let open = self.open_board_button(table, table.ply());
                let buttons: Vec<_> = open.into_iter().chain(self.share_button(table.id())).collect();
                if buttons.is_empty() { post } else { post.row(buttons) }
            }
            _ => post,
        }
    }

    /// Formats the state of a running game in one line.
    pub fn now_line(&self, table: &Table) -> String {
        table.play().map(|play| self.board_line(table, play, true)).unwrap_or_default()
    }

    /// Builds the state of a table with a board in plain characters.
    pub fn state_text(&self, table: &Table) -> OutgoingMessage {
        let Some(play) = table.play() else { return OutgoingMessage::text(self.state_line(table)) };
        let signs = self.words.text_board_signs(play);
        OutgoingMessage::text(format!("{}\n{signs}\n{}", self.state_line(table), fenced(play)))
    }

    /// Adds the board in plain characters, if the display preferences ask for it.
    fn with_text_board(&self, line: String, play: &dyn Play) -> String {
        if self.display.text_board { format!("{line}\n{}", fenced(play)) } else { line }
    }

    fn state_line(&self, table: &Table) -> String {
        let Some(play) = table.play() else { return self.waiting_line(table) };
        let state = match table.status() {
            Status::Over(_) => self.words.result(table, Naming::People),
            _ => self.turn_line(table, play, true),
        };
        let key = if result_lists_players(table) { "board-state-ranked" } else { "board-state" };
        let line = self.words.say(
            key,
            &[
                ("table", table.id().as_str().into()),
                ("game", self.words.game(&table.terms().game).into()),
                ("players", self.words.sides(table, play).into()),
                ("state", state.into()),
            ],
        );
        self.with_all(line, table)
    }

    /// Adds the lines for a running game: the phase, the pie rule, the set, the clocks, the vote.
    fn with_all(&self, line: String, table: &Table) -> String {
        let line = self.with_pie(self.with_phase(self.with_score(line, table), table), table);
        self.with_vote(self.with_clocks(self.with_set(line, table), table), table)
    }

    /// Adds the score where pictures are drawn without it.
    fn with_score(&self, line: String, table: &Table) -> String {
        let scores = table.play().filter(|_| self.display.style == Style::Large);
        match scores.and_then(|play| Some((play, play.scores()?))) {
            Some((play, scores)) => format!("{line}\n{}", self.words.scores(play, &scores)),
            None => line,
        }
    }

    /// Adds the line that asks a person to place a piece, or that the pieces move from now on.
    fn with_phase(&self, line: String, table: &Table) -> String {
        let running = table.play().filter(|_| *table.status() == Status::Running);
        let Some(play) = running.filter(|_| !self.is_bot_to_move(table)) else { return line };
        let phase = self.words.placing(play).or_else(|| self.words.placed(play));
        phase.map_or_else(|| line.clone(), |phase| format!("{line}\n{phase}"))
    }

    /// Adds the line of the pie rule, if sides can be swapped or just were.
    fn with_pie(&self, line: String, table: &Table) -> String {
        self.words.pie(table).map_or_else(|| line.clone(), |pie| format!("{line}\n{pie}"))
    }

    /// Adds the line of the set, if the game belongs to one.
    fn with_set(&self, line: String, table: &Table) -> String {
        self.words.set_line(table).map_or_else(|| line.clone(), |set| format!("{line}\n{set}"))
    }

    fn waiting_line(&self, table: &Table) -> String {
        if let Status::Over(_) = table.status() {
            return self.words.result(table, Naming::People);
        }
        self.words.say(
            "board-waiting",
            &[
                ("table", table.id().as_str().into()),
                ("game", self.words.game(&table.terms().game).into()),
                ("players", self.words.against(table).into()),
            ],
        )
    }

    /// Builds the result message, which follows the last board.
    pub fn result(&self, table: &Table) -> Option<OutgoingMessage> {
        let Status::Over(ending) = table.status() else { return None };
        let result = self.words.result(table, Naming::People);
        let args = [("table", table.id().to_string().into()), ("result", result.into())];
        // A player who resigned, and whom the text names, needs no ping.
        let gave_up = last_resigned(table).filter(|_| ending.cause == EndCause::Resigned);
        let told = Seat::all(table.chairs().len()).filter(|seat| Some(*seat) != gave_up);
        let people = told.flat_map(|seat| people_to_ping(table, seat));
        let key = if table.play().is_some() { "result" } else { "result-not-begun" };
        let mut text = self.with_set(self.words.say(key, &args), table);
        if let Some(changes) = table.changes() {
            text = format!("{text}\n{}", self.words.changes(changes));
        }
        // A win by the rules needs no ping, because the last move had one. Every other end is unexpected.
        let unexpected = !matches!(ending.cause, EndCause::Rules { .. });
        let (post, buttons) =
            (OutgoingMessage::text(text).ping(people.filter(|_| unexpected)), self.result_buttons(table));
        Some(if buttons.is_empty() { post } else { post.row(buttons) })
    }

    /// Builds the buttons of a finished game: rematch, web page, viewer, review.
    pub(super) fn result_buttons(&self, table: &Table) -> Vec<Component> {
        let part = |key, style, ply, action| {
            Component::button(self.words.word(key), style, TableButtonId::new(table.id(), ply, action).id())
        };
        // In a set the second game follows without a button.
        let again = table.play().is_some() && !table.has_second_game();
        let mut parts = Vec::new();
        parts.extend(
            again.then(|| part("button-rematch", ButtonStyle::Primary, table.ply(), ButtonAction::Rematch)),
        );
        if table.play().is_some() {
            parts.extend(self.open_board_button(table, table.ply()));
        }
        if table.ply() > 0 {
            let steps = ButtonAction::Viewer(ViewerAction::First, ViewOptions::from(Seat::FIRST));
            parts.push(part("button-replay", ButtonStyle::Secondary, 0, steps));
            parts.push(part("button-analyse", ButtonStyle::Secondary, table.ply(), ButtonAction::Analyse));
        }
        parts
    }
}

/// Formats the board in plain characters as a code block.
fn fenced(play: &dyn Play) -> String {
    format!("```\n{}\n```", play.text_board().trim_end())
}
