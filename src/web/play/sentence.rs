//! Sentences of Discord as plain text: without its marks for people, channels and formatting.

use rookery_table::UserId;

/// Returns a sentence as plain text. Times stay marked as `<t:SECONDS>`, so that the page shows them in the person's own
/// time zone.
pub(super) fn plain(text: &str, name: &dyn Fn(UserId) -> Option<String>) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(begin) = rest.find('<') {
        plain += &unformatted(&rest[..begin]);
        let marked = &rest[begin..];
        let Some(end) = marked.find('>') else {
            rest = marked;
            break;
        };
        plain += &mark(&marked[1..end], name);
        rest = &marked[end + 1..];
    }
    plain += &unformatted(rest);
    plain
}

/// Removes the marks for bold text and code. A person's name keeps them: there they are no marks.
fn unformatted(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

/// Returns what a mark between angle brackets stands for.
fn mark(inside: &str, name: &dyn Fn(UserId) -> Option<String>) -> String {
    if let Some(who) = inside.strip_prefix('@').and_then(|id| id.trim_start_matches('!').parse().ok()) {
        return name(UserId(who)).unwrap_or_else(|| "…".to_owned());
    }
    if let Some(time) = inside.strip_prefix("t:") {
        return format!("<t:{}>", time.split(':').next().unwrap_or_default());
    }
    if let Some(command) = inside.strip_prefix('/') {
        return format!("/{}", command.split(':').next().unwrap_or_default());
    }
    if inside.starts_with('#') { "Discord".to_owned() } else { inside.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_discord_become_plain_text() {
        let name = |who: UserId| match who {
            UserId(7) => Some("White".to_owned()),
            UserId(9) => Some("**A`da".to_owned()),
            _ => None,
        };
        for (marked, shown) in [
            ("<@7> played **`d1-d7`**.", "White played d1-d7."),
            ("<@8>, see <https://a.example/b>", "…, see https://a.example/b"),
            ("Time is up <t:1790000000:R>", "Time is up <t:1790000000>"),
            ("Use </move:123> in <#55>", "Use /move in Discord"),
            ("2 < 3", "2 < 3"),
            ("**<@9>** (White) `d1`", "**A`da (White) d1"),
        ] {
            assert_eq!(plain(marked, &name), shown);
        }
    }
}
