//! Moves decided beforehand: shown to whoever decided them, and to nobody else.

use rookery_core::Seat;
use rookery_table::plans::{self, Branch};
use rookery_table::{Refused, Table};

use super::super::limits::{BUTTONS_MOST, CONTENT_MOST, LABEL_MOST, ROWS_MOST};
use super::super::post::{Part, Post, Tone};
use super::super::press::{Deed, Press};
use super::Layout;
use rookery_i18n::clip;

/// How a branch begins in a message: the question before a plan counts is its own memory.
const BEGINS: &str = "if ";
/// Characters of branches in one message.
const BRANCHES_MOST: usize = CONTENT_MOST - 400;

impl Layout<'_> {
    /// The question before a plan counts, with the plan as it was understood.
    pub fn plan_sure(&self, table: &Table, seat: Seat, branches: &[Branch]) -> Post {
        let lines = self.branches(table, seat, branches);
        if lines.chars().count() > BRANCHES_MOST {
            return Post::text(self.words.refused(&Refused::PlanTooLong, Some(table)));
        }
        let args = [("table", table.id().to_string().into()), ("plans", lines.into())];
        let part = |key, tone, deed| {
            Part::button(self.words.word(key), tone, Press::new(table.id(), table.ply(), deed).id())
        };
        Post::text(self.words.say("plan-sure", &args)).row([
            part("button-plan-yes", Tone::Good, Deed::PlanYes),
            part("button-plan-no", Tone::Plain, Deed::Plans),
        ])
    }

    /// What somebody has planned, each branch with a button that gives it up.
    pub fn planned(&self, table: &Table, seat: Seat) -> Post {
        let branches = table.plans().of(seat);
        let id = |deed| Press::new(table.id(), table.ply(), deed).id();
        let table_name = ("table", table.id().to_string().into());
        if branches.is_empty() {
            return Post::text(self.words.say("plan-none", &[table_name])).row([self.add_button(table)]);
        }
        let lines = clip(&self.branches(table, seat, branches), BRANCHES_MOST);
        let mut post = Post::text(self.words.say("plan-list", &[table_name, ("plans", lines.into())]));
        let drop_one = |(number, branch): (usize, &Branch)| {
            let last = branch.last().map_or("", String::as_str);
            let args = [("number", (number + 1).into()), ("move", last.into())];
            let label = clip(&self.words.say("button-unplan", &args), LABEL_MOST);
            Part::button(label, Tone::Plain, id(Deed::Unplan(Some(plans::mark(branch)))))
        };
        let each: Vec<_> = branches.iter().enumerate().map(drop_one).collect();
        let rows = each.chunks(BUTTONS_MOST).take(ROWS_MOST - 1);
        post.rows = rows.map(<[_]>::to_vec).collect();
        let all = Part::button(self.words.word("button-unplan-all"), Tone::Grave, id(Deed::Unplan(None)));
        post.row([self.add_button(table), all])
    }

    /// Begins a plan with a move of somebody else's, by choosing.
    fn add_button(&self, table: &Table) -> Part {
        let deed = Deed::Ahead(Vec::new(), Box::new(Deed::Panel(Vec::new())));
        let id = Press::new(table.id(), table.ply(), deed).id();
        Part::button(self.words.word("button-plan-add"), Tone::Plain, id)
    }

    fn branches(&self, table: &Table, seat: Seat, branches: &[Branch]) -> String {
        let line = |branch: &Branch| format!("`{}`", plans::written(table, seat, branch));
        branches.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The button under the answer to one's own move.
    pub fn plan_button(&self, table: &Table) -> Part {
        let id = Press::new(table.id(), table.ply(), Deed::Plans).id();
        Part::button(self.words.word("button-plan"), Tone::Plain, id)
    }
}

/// The plan that a question shows, to be read again.
pub fn of_message(content: &str) -> String {
    let quoted = content.split('`').skip(1).step_by(2);
    quoted.filter(|text| text.starts_with(BEGINS)).collect::<Vec<_>>().join(";")
}
