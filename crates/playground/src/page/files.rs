//! The page's static files, embedded in the binary.

/// Embeds files of this folder: names and texts.
macro_rules! embed {
    ($($name:literal,)+) => { &[$(($name, include_str!($name))),+] };
}

const FILES: &[(&str, &str)] = embed![
    "index.html",
    "composer.css",
    "dialogs.css",
    "layout.css",
    "messages.css",
    "theme.css",
    "activity.css",
    "actions.js",
    "activity.js",
    "api.js",
    "app.js",
    "commands.js",
    "components.js",
    "composer.js",
    "dom.js",
    "dropped-files.js",
    "embeds.js",
    "events.js",
    "feed-parts.js",
    "feed.js",
    "fields.js",
    "file-field.js",
    "files.js",
    "focus.js",
    "follow.js",
    "header.js",
    "history.js",
    "icons.js",
    "interactions.js",
    "markdown.js",
    "matching.js",
    "media.js",
    "members.js",
    "mentions.js",
    "menu.js",
    "message.js",
    "modal.js",
    "people.js",
    "popup.js",
    "quote.js",
    "reply-bar.js",
    "route.js",
    "select.js",
    "shell.js",
    "sidebar.js",
    "slash.js",
    "store.js",
    "suggestions.js",
    "time.js",
    "unread.js",
];

/// Emoji for machines without an emoji font. Its licence is in `fonts/OFL.txt`.
const EMOJI_FONT: (&str, &[u8]) = ("emoji.ttf", include_bytes!("../../../../fonts/NotoEmoji-SemiBold.ttf"));

/// Returns the content type and the bytes of the page's font.
pub(super) fn find_font(name: &str) -> Option<(&'static str, &'static [u8])> {
    let (file, bytes) = EMOJI_FONT;
    (file == name).then_some(("font/ttf", bytes))
}

/// Returns the content type and the text of one of the page's files.
pub(super) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let (name, text) = FILES.iter().find(|(file, _)| *file == name)?;
    Some((content_type(name), text))
}

/// A browser runs a module and applies a style sheet only with their own content types.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "text/html; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{FILES, find, find_font};

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        let names = std::fs::read_dir(folder)
            .expect("the folder of this file")
            .map(|entry| entry.expect("a readable folder").file_name().into_string().expect("an ASCII name"));
        let there: BTreeSet<_> = names.filter(|name| !name.ends_with(".rs")).collect();
        let listed: BTreeSet<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(listed, there);
    }

    #[test]
    fn every_file_that_a_file_asks_for_is_served() {
        for (name, text) in FILES {
            for asked in asked_for(text) {
                assert!(find(asked).is_some() || find_font(asked).is_some(), "{name} asks for {asked}");
            }
        }
    }

    /// Returns the files named after `from './` in a module and after `/page/static/` in the page.
    fn asked_for(text: &str) -> impl Iterator<Item = &str> {
        let starts = ["from './", "\"/page/static/"];
        let rests = starts.into_iter().flat_map(move |start| text.split(start).skip(1));
        rests.filter_map(|rest| rest.split(['\'', '"']).next())
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        for (name, text) in FILES {
            for load in ["src=\"http", "href=\"http", "@import", "url(http", "from 'http", "innerHTML"] {
                assert!(!text.contains(load), "{name} holds {load}");
            }
        }
    }
}
