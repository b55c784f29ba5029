//! `/replay`: a game again, to step through, as a moving picture, as pictures or as text.

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_core::Seat;
use rookery_i18n::Localizer;
use rookery_table::quota::LimitedAction;

use super::{Command, OptionKind, chosen, meant, option, table_option};
use crate::discord::policy::table_lookup::TablePurpose;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::view::viewer::Span;
use crate::discord::wire::component_id::ViewOptions;
use crate::discord::wire::interaction::{CommandInput, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;

/// How a game can be shown again, and the sentences that offer it; the first is the usual way.
const FORMS: [(&str, &str); 4] = [
    ("steps", "replay-form-steps"),
    ("gif", "replay-form-gif"),
    ("images", "replay-form-images"),
    ("text", "replay-form-text"),
];

/// Shows a game again.
pub(super) struct Replay;

#[async_trait]
impl Command for Replay {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn want(&self) -> TablePurpose {
        TablePurpose::Replay
    }

    fn options(&self, words: &Localizer) -> Vec<Value> {
        let forms = FORMS.map(|(form, offer)| (words.word(offer), form.to_owned()));
        let number = |name: &str, key: &str| {
            let mut number = option(words, OptionKind::Number, name, key);
            number["min_value"] = json!(0);
            number
        };
        let form = chosen(option(words, OptionKind::Text, "as", "command-replay-as"), forms);
        vec![
            table_option(words),
            number("from", "command-replay-from"),
            number("to", "command-replay-to"),
            form,
        ]
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: &CommandInput) -> OutgoingMessage {
        let table = match meant(ctx, interaction, input, self.want()).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        let number = |name: &str| input.number(name).and_then(|number| usize::try_from(number).ok());
        if let (Some(from), Some(to)) = (number("from"), number("to"))
            && to < from
        {
            let args = [("from", from.into()), ("to", to.into())];
            return OutgoingMessage::text(ctx.words.say("replay-backwards", &args));
        }
        if matches!(input.text("as"), Some("gif" | "images"))
            && let Err(post) = ctx.spend(interaction, LimitedAction::Gif)
        {
            return *post;
        }
        let span = Span::within(table.ply(), number("from"), number("to"));
        let side = table.seat_of(interaction.who).unwrap_or(Seat::FIRST);
        let form = input.text("as").unwrap_or_default().to_owned();
        let make = move |view: &MessageView<'_>| match form.as_str() {
            "gif" => view.replay(&table, span, side),
            "images" => view.stills(&table, span, side),
            "text" => view.as_text(&table, span),
            _ => view.viewer(&table, span.from, ViewOptions::from(side)),
        };
        ctx.lay_out_post(make).await
    }
}
