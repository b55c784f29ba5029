//! Conditional moves, shown only to the player who plans them.

use rookery_core::Seat;
use rookery_i18n::clip;
use rookery_table::plans::{self, Branch};
use rookery_table::{OrderError, Table};

use super::MessageView;
use crate::discord::wire::limits::{MAX_BUTTONS, MAX_CONTENT_CHARS, MAX_LABEL_CHARS, MAX_ROWS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

/// The beginning of a branch in a message. The confirmation stores no state: its text is parsed again.
const BEGINS: &str = "if ";
/// The limit of the branches in one message, in characters.
const MAX_BRANCHES: usize = MAX_CONTENT_CHARS - 400;

impl MessageView<'_> {
    /// Builds the confirmation of a plan, with the plan as it was parsed.
    pub fn plan_confirmation(&self, table: &Table, seat: Seat, branches: &[Branch]) -> OutgoingMessage {
        let lines = self.branches(table, seat, branches);
        if lines.chars().count() > MAX_BRANCHES {
            return OutgoingMessage::text(self.words.order_error(&OrderError::PlanTooLong, Some(table)));
        }
        let args = [("table", table.id().to_string().into()), ("plans", lines.into())];
        let part = |key, style, action| {
            Component::button(
                self.words.word(key),
                style,
                TableButtonId::new(table.id(), table.ply(), action).id(),
            )
        };
        OutgoingMessage::text(self.words.say("plan-sure", &args)).row([
            part("button-plan-yes", ButtonStyle::Success, ButtonAction::PlanYes),
            part("button-plan-no", ButtonStyle::Secondary, ButtonAction::Plans),
        ])
    }

    /// Builds the list of a player's branches, each with a button that deletes it.
    pub fn planned(&self, table: &Table, seat: Seat) -> OutgoingMessage {
        let branches = table.plans().of(seat);
        let id = |action| TableButtonId::new(table.id(), table.ply(), action).id();
        let table_name = ("table", table.id().to_string().into());
        if branches.is_empty() {
            return OutgoingMessage::text(self.words.say("plan-none", &[table_name]))
                .row([self.add_button(table)]);
        }
        let lines = clip(&self.branches(table, seat, branches), MAX_BRANCHES);
        let mut post =
            OutgoingMessage::text(self.words.say("plan-list", &[table_name, ("plans", lines.into())]));
        let drop_one = |(number, branch): (usize, &Branch)| {
            let last = branch.last().map_or("", String::as_str);
            let args = [("number", (number + 1).into()), ("move", last.into())];
            let label = clip(&self.words.say("button-unplan", &args), MAX_LABEL_CHARS);
            Component::button(
                label,
                ButtonStyle::Secondary,
                id(ButtonAction::Unplan(Some(plans::mark(branch)))),
            )
        };
        let each: Vec<_> = branches.iter().enumerate().map(drop_one).collect();
        let rows = each.chunks(MAX_BUTTONS).take(MAX_ROWS - 1);
        post.rows = rows.map(<[_]>::to_vec).collect();
        let all = Component::button(
            self.words.word("button-unplan-all"),
            ButtonStyle::Danger,
            id(ButtonAction::Unplan(None)),
        );
        post.row([self.add_button(table), all])
    }

    /// Builds the button that starts a plan with a move of an opponent.
    fn add_button(&self, table: &Table) -> Component {
        let action = ButtonAction::PlanStep(Vec::new(), Box::new(ButtonAction::Panel(Vec::new())));
        let id = TableButtonId::new(table.id(), table.ply(), action).id();
        Component::button(self.words.word("button-plan-add"), ButtonStyle::Secondary, id)
    }

    fn branches(&self, table: &Table, seat: Seat, branches: &[Branch]) -> String {
        let line = |branch: &Branch| format!("`{}`", plans::written(table, seat, branch));
        branches.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Builds the button under the answer to the player's own move.
    pub fn plan_button(&self, table: &Table) -> Component {
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Plans).id();
        Component::button(self.words.word("button-plan"), ButtonStyle::Secondary, id)
    }
}

/// Extracts the plan from the confirmation's text, to parse it again.
pub fn of_message(content: &str) -> String {
    let quoted = content.split('`').skip(1).step_by(2);
    quoted.filter(|text| text.starts_with(BEGINS)).collect::<Vec<_>>().join(";")
}
