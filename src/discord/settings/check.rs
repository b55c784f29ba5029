//! What we may do in a channel, what we lack, and how it is granted.

use crate::words::Words;

use super::super::asked::{Asked, Need, lacking};
use super::super::desk::Desk;
use super::super::post::Post;

/// Says what is missing where somebody asks, and what to do about it.
pub fn check(desk: &Desk, asked: &Asked) -> Post {
    let (words, here) = (desk.words, format!("<#{}>", asked.place.channel));
    if asked.place.guild.is_none() {
        return Post::text(words.word("config-no-server"));
    }
    let lacking = lacking(asked.place);
    if lacking.is_empty() {
        return Post::text(words.say("check-well", &[("channel", here.into())]));
    }
    let mut lines = vec![words.say("check-lacking", &[("channel", here.as_str().into())])];
    lines.extend(lacking.iter().map(|need| line(words, need)));
    lines.push(words.say("check-how", &[("channel", here.into())]));
    Post::text(lines.join("\n"))
}

fn line(words: &Words, need: &Need) -> String {
    words.say(
        "check-line",
        &[("permission", words.word(need.name).into()), ("why", words.word(need.why).into())],
    )
}
