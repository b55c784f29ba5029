//! Links with which people outside Discord watch a game in a browser ([`rookery_table::share`]): who may make and
//! withdraw one, the buttons for that, and the link that a server's setting puts under its announcements.

use rookery_table::access::Action;
use rookery_table::ports::JournalError;
use rookery_table::share::{ShareLink, ShareTarget};
use rookery_table::{Denied, Table, TableId};

use super::asked::{Asked, Pressed};
use super::desk::Desk;
use super::post::Post;

/// What ids of the buttons begin with.
const KIND: &str = "shr:";

/// What somebody wants of a game's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareAction {
    /// To see it; one is made if there is none.
    Show,
    /// Another one in its place: the old one stops working.
    Replace,
    /// None any more.
    Stop,
}

impl ShareAction {
    /// All of them.
    pub const ALL: [ShareAction; 3] = [ShareAction::Show, ShareAction::Replace, ShareAction::Stop];

    /// Its name in commands and in buttons.
    pub fn key(self) -> &'static str {
        match self {
            ShareAction::Show => "on",
            ShareAction::Replace => "new",
            ShareAction::Stop => "off",
        }
    }

    /// The action of this name.
    pub fn named(key: &str) -> Option<ShareAction> {
        ShareAction::ALL.into_iter().find(|action| action.key() == key)
    }

    /// The sentence that offers it in the command's list.
    pub fn offer(self) -> &'static str {
        match self {
            ShareAction::Show => "share-on",
            ShareAction::Replace => "share-new",
            ShareAction::Stop => "share-off",
        }
    }

    /// The id of a button for it.
    pub fn button_id(self, table: TableId) -> String {
        format!("{KIND}{}:{table}", self.key())
    }
}

/// Carries out a press on a button for links; `None` if it is another one.
pub async fn pressed(desk: &Desk, asked: &Asked, pressed: &Pressed) -> Option<Post> {
    let fields = pressed.id.strip_prefix(KIND)?.split_once(':');
    let read =
        fields.and_then(|(key, table)| Some((ShareAction::named(key)?, table.parse::<TableId>().ok()?)));
    let Some((action, id)) = read else { return Some(Post::text(desk.words.word("old-button"))) };
    // Nobody has such a button who may not use it: a made-up press learns nothing of which tables there are.
    let table =
        desk.open_table(asked.into(), id, Action::See).await.ok().filter(|table| may_stop(asked, table));
    Some(match table {
        Some(table) => carry_out(desk, asked, &table, action).await,
        None => Post::text(desk.words.denied(&Denied::NoTable(id), None)),
    })
}

/// Does to a game's link what somebody wants, if they may; the answer is for them alone.
pub async fn carry_out(desk: &Desk, asked: &Asked, table: &Table, action: ShareAction) -> Post {
    let refused = match action {
        ShareAction::Stop if !may_stop(asked, table) => Some("share-not-yours"),
        ShareAction::Stop => None,
        _ if table.seat_of(asked.who).is_none() => Some("share-not-seated"),
        _ if desk.settings.web.is_none() => Some("share-no-web"),
        _ if table.play().is_none() => Some("refused-not-begun"),
        _ => None,
    };
    if let Some(key) = refused {
        return Post::text(desk.words.word(key));
    }
    carried_out(desk, asked, table, action).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a share link cannot be kept or withdrawn");
        Post::text(desk.words.word("denied-journal"))
    })
}

/// Whether somebody may withdraw a game's links: its players, and those who manage its server.
fn may_stop(asked: &Asked, table: &Table) -> bool {
    let manages = asked.manages && table.terms().guild.is_some() && asked.place.guild == table.terms().guild;
    manages || table.seat_of(asked.who).is_some()
}

async fn carried_out(
    desk: &Desk,
    asked: &Asked,
    table: &Table,
    action: ShareAction,
) -> Result<Post, JournalError> {
    let hall = &desk.hall;
    let link = match action {
        ShareAction::Show => hall.share(table, asked.who).await?,
        ShareAction::Replace => hall.share_anew(table, asked.who).await?,
        ShareAction::Stop => {
            let key = if hall.stop_sharing(table.id()).await? { "share-stopped" } else { "share-none" };
            return Ok(Post::text(desk.words.say(key, &[("table", table.id().as_str().into())])));
        }
    };
    let links = hall.journal().share_links().links_to(ShareTarget::Table(table.id())).await?;
    let shown_by_server = links.iter().any(ShareLink::is_by_setting);
    Ok(desk.layout().share_link(table, &link, shown_by_server))
}

impl Desk {
    /// A message with the link to a game's page under it, where the server's setting shows its games in the browser.
    pub(super) async fn with_page_link(&self, table: &Table, mut post: Post) -> Post {
        if self.settings.web.is_none() || table.play().is_none() {
            return post;
        }
        let link = match self.hall.public_link(table).await {
            Ok(link) => link,
            Err(error) => {
                tracing::warn!(table = %table.id(), %error, "a public link cannot be had; posted without");
                None
            }
        };
        if let Some(line) = link.and_then(|link| self.layout().page_line(&link)) {
            post.content = format!("{}\n{line}", post.content);
        }
        post
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_buttons_carry_what_they_are_for() {
        let table: TableId = "K7Q2".parse().unwrap();
        for action in ShareAction::ALL {
            assert_eq!(ShareAction::named(action.key()), Some(action));
            assert_eq!(action.button_id(table), format!("shr:{}:K7Q2", action.key()));
        }
    }
}
