//! What we may do in a channel, what we lack, and how it is granted.

use rookery_i18n::Words;

use super::super::asked::{Asked, Need, lacking};
use super::super::desk::Desk;
use super::super::post::Post;
use super::super::teams;

/// Says what is missing where somebody asks, and which teams of the server cannot be called there, and what to do
/// about it.
pub async fn check(desk: &Desk, asked: &Asked) -> Post {
    let Some(guild) = asked.place.guild else { return Post::text(desk.words.word("config-no-server")) };
    let mut lines = permissions(desk.words, asked);
    let roles = teams::roles_in_play(desk, guild).await;
    lines.extend(teams::uncalled(desk, asked, &roles).await);
    Post::text(lines.join("\n"))
}

fn permissions(words: &Words, asked: &Asked) -> Vec<String> {
    let (here, lacking) = (format!("<#{}>", asked.place.channel), lacking(asked.place));
    if lacking.is_empty() {
        return vec![words.say("check-well", &[("channel", here.into())])];
    }
    let mut lines = vec![words.say("check-lacking", &[("channel", here.as_str().into())])];
    lines.extend(lacking.iter().map(|need| line(words, need)));
    lines.push(words.say("check-how", &[("channel", here.into())]));
    lines
}

fn line(words: &Words, need: &Need) -> String {
    words.say(
        "check-line",
        &[("permission", words.word(need.name).into()), ("why", words.word(need.why).into())],
    )
}
