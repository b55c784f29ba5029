//! `/replay`: a game again, to step through, as a moving picture, as pictures or as text.

use async_trait::async_trait;
use serde_json::{Value, json};

use rookery_core::Seat;
use rookery_i18n::Words;
use rookery_table::quota::Use;

use super::super::asked::{Asked, Given};
use super::super::desk::Desk;
use super::super::layout::Layout;
use super::super::layout::viewer::Span;
use super::super::post::Post;
use super::super::press::Gaze;
use super::super::which::Want;
use super::{Command, Kind, chosen, meant, option, table_option};

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

    fn want(&self) -> Want {
        Want::Replay
    }

    fn options(&self, words: &Words) -> Vec<Value> {
        let forms = FORMS.map(|(form, offer)| (words.word(offer), form.to_owned()));
        let number = |name: &str, key: &str| {
            let mut number = option(words, Kind::Number, name, key);
            number["min_value"] = json!(0);
            number
        };
        let form = chosen(option(words, Kind::Text, "as", "command-replay-as"), forms);
        vec![
            table_option(words),
            number("from", "command-replay-from"),
            number("to", "command-replay-to"),
            form,
        ]
    }

    async fn run(&self, desk: &Desk, asked: &Asked, given: &Given) -> Post {
        let table = match meant(desk, asked, given, self.want()).await {
            Ok(table) => table,
            Err(post) => return *post,
        };
        let number = |name: &str| given.number(name).and_then(|number| usize::try_from(number).ok());
        if let (Some(from), Some(to)) = (number("from"), number("to"))
            && to < from
        {
            let args = [("from", from.into()), ("to", to.into())];
            return Post::text(desk.words.say("replay-backwards", &args));
        }
        if matches!(given.text("as"), Some("gif" | "images"))
            && let Err(post) = desk.spend(asked, Use::Gif)
        {
            return *post;
        }
        let span = Span::within(table.ply(), number("from"), number("to"));
        let side = table.seat_of(asked.who).unwrap_or(Seat::FIRST);
        let form = given.text("as").unwrap_or_default().to_owned();
        let make = move |layout: &Layout<'_>| match form.as_str() {
            "gif" => layout.replay(&table, span, side),
            "images" => layout.stills(&table, span, side),
            "text" => layout.as_text(&table, span),
            _ => layout.viewer(&table, span.from, Gaze::from(side)),
        };
        desk.lay_out_post(make).await
    }
}
