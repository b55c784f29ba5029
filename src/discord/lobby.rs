//! The lobby: one message in a channel that a server chose, with its open challenges and running games: those
//! that whoever reads the channel can see where they are ([`sight`](super::sight)).
//!
//! It is changed in its place while it is young, then posted anew (`in_place`). Which message it is lies in
//! the journal's notes, so that a restart finds it again.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tokio::time::Instant;

use crate::ops::stop::Stop;
use rookery_table::ports::{Card, Filter, Posted, Stage};
use rookery_table::{Say, seal};
use rookery_tasks::beat;

use super::desk::Desk;
use super::fault::Fault;
use super::in_place;
use super::post::Post;
use super::shuns::SHUN;

/// Tables looked at for what has changed lately.
const LATEST: usize = 200;
/// Open challenges that are looked up with their messages.
const CHALLENGES_MOST: usize = 20;
/// Rows of the outbox that are read at a time.
const DUE_PAGE: usize = 200;

/// Keeps every server's lobby up to date until the program stops.
pub async fn work(desk: Arc<Desk>, stop: Stop) {
    let mut lobbies = Lobbies { desk, seen: HashMap::new(), shunned: HashMap::new() };
    let mut moments = tokio::time::interval(lobbies.desk.settings.lobby_every);
    loop {
        beat();
        tokio::select! {
            _ = moments.tick() => lobbies.look().await,
            () = stop.finishing() => return,
        }
    }
}

/// Takes the lobby that stands in a channel away, so that it is posted anew if it is to stand there.
pub(super) async fn take_down(desk: &Desk, guild: u64, channel: u64) {
    let (journal, note) = (desk.hall.journal(), note(channel));
    let kept = journal.note(&note).await.ok().flatten();
    if let Some((message, _)) = kept.as_deref().and_then(read_note) {
        in_place::take_away(desk, channel, message).await;
        if let Err(error) = journal.keep_note(&note, "").await {
            tracing::warn!(%error, channel, "a lobby is not posted anew before something changes in it");
        }
    }
    // The server is looked at afresh, whatever it looked like at the last look.
    desk.sight.forget(guild, Some(channel));
}

/// Whether every challenge of a lobby can be linked to, as far as it ever can.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Whole,
    /// One is not posted yet.
    Missing,
}

/// What a server looked like at a look.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Looked {
    /// Where its lobby is.
    channel: Option<u64>,
    /// Its tables, in a number.
    sight: u64,
    /// How often it has changed who reads which channel.
    changes: u64,
}

struct Lobbies {
    desk: Arc<Desk>,
    /// What each server looked like when its lobby was last brought up to date.
    seen: HashMap<u64, Looked>,
    /// Channels that refused us, until when they are left alone.
    shunned: HashMap<u64, Instant>,
}

impl Lobbies {
    /// Brings the lobbies up to date of the servers where something has happened.
    async fn look(&mut self) {
        let latest = self.desk.hall.list(&Filter { most: LATEST, ..Filter::default() }).await;
        let latest = latest.unwrap_or_else(|error| {
            tracing::warn!(%error, "the lobbies cannot be brought up to date just now");
            Vec::new()
        });
        for (guild, sight) in sights(&latest, &self.configured().await) {
            beat();
            let channel = self.desk.hall.drawer().server(Some(guild)).await.lobby;
            let looked = Looked { channel, sight, changes: self.desk.sight.changes(guild) };
            if self.seen.get(&guild) == Some(&looked) {
                continue;
            }
            let done = match channel {
                Some(channel) => self.refresh(guild, channel).await,
                None => Ok(Links::Whole),
            };
            match done {
                Ok(Links::Whole) => drop(self.seen.insert(guild, looked)),
                // The challenge itself is on its way: looked at again soon.
                Ok(Links::Missing) => drop(self.seen.remove(&guild)),
                Err(fault) => tracing::warn!(guild, %fault, "a lobby could not be brought up to date"),
            }
        }
    }

    /// The servers that chose a channel for their lobby: it appears there before their first game.
    async fn configured(&self) -> Vec<u64> {
        let preferences = self.desk.hall.journal().preferences();
        preferences.servers_with_lobby().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "new lobbies cannot be looked for just now");
            Vec::new()
        })
    }

    async fn refresh(&mut self, guild: u64, channel: u64) -> Result<Links, Fault> {
        self.shunned.retain(|_, until| *until > Instant::now());
        if self.shunned.contains_key(&channel) {
            return Ok(Links::Missing);
        }
        let (post, links) = self.post(guild, channel).await?;
        let done = self.show(channel, &post).await;
        // It may have been moved meanwhile, when there was nothing to take down yet.
        if self.desk.hall.drawer().server(Some(guild)).await.lobby != Some(channel) {
            take_down(&self.desk, guild, channel).await;
        }
        if matches!(done, Err(Fault::NoAccess { .. } | Fault::Gone { .. })) {
            self.shunned.insert(channel, Instant::now() + SHUN);
        }
        done.map(|()| links)
    }

    /// The lobby as it should read now in a channel.
    async fn post(&self, guild: u64, channel: u64) -> Result<(Post, Links), Fault> {
        let challenges = self.shown(guild, channel, Stage::Waiting).await?;
        let challenges = challenges.into_iter().filter(|card| card.free_seats() > 0);
        let mut open = Vec::new();
        for card in challenges.take(CHALLENGES_MOST) {
            let above = self.above(&card).await;
            open.push((card, above));
        }
        let running = self.shown(guild, channel, Stage::Running).await?;
        let links = self.links(&open).await?;
        Ok((self.desk.for_server(guild).await.layout().lobby(&open, &running), links))
    }

    /// A server's tables at a stage that may be told of in a channel, the latest first. However many games came
    /// later, a challenge that is open is among them.
    async fn shown(&self, guild: u64, channel: u64, stage: Stage) -> Result<Vec<Card>, Fault> {
        let filter = Filter { guild: Some(guild), stage: Some(stage), ..Filter::default() };
        let cards = self.desk.hall.list(&filter).await;
        let mut shown = Vec::new();
        for card in cards.map_err(|denied| Fault::Outage(denied.to_string()))? {
            if self.desk.may_list(&card, channel).await {
                shown.push(card);
            }
        }
        Ok(shown)
    }

    /// Whether links will follow: a challenge whose message was given up has none for good.
    async fn links(&self, open: &[(Card, Option<Posted>)]) -> Result<Links, Fault> {
        let unposted: Vec<_> =
            open.iter().filter(|(_, above)| above.is_none()).map(|(card, _)| card.id).collect();
        let mut after = 0;
        while !unposted.is_empty() {
            let page = self.desk.hall.journal().due(after, DUE_PAGE).await;
            let page = page.map_err(|error| Fault::Outage(error.to_string()))?;
            if page.iter().any(|due| due.say == Say::Announce && unposted.contains(&due.table)) {
                return Ok(Links::Missing);
            }
            match page.last() {
                Some(last) if page.len() == DUE_PAGE => after = last.id,
                _ => break,
            }
        }
        Ok(Links::Whole)
    }

    /// Where the challenge of a table stands.
    async fn above(&self, card: &Card) -> Option<Posted> {
        self.desk.hall.journal().posted(card.id, &Say::Announce).await.ok().flatten()
    }

    async fn show(&self, channel: u64, post: &Post) -> Result<(), Fault> {
        let (desk, note) = (&self.desk, note(channel));
        let kept = desk.hall.journal().note(&note).await.ok().flatten();
        let old = kept.as_deref().and_then(read_note);
        let digest = digest(post);
        if old.is_some_and(|(_, same)| same == digest) {
            return Ok(());
        }
        let old = old.map(|(message, _)| message);
        let message = in_place::show(desk, channel, old, post, &digest[..20]).await?;
        let kept = desk.hall.journal().keep_note(&note, &format!("{message} {digest}")).await;
        kept.map_err(|error| Fault::Outage(error.to_string()))
    }
}

/// What each server's tables look like, in a number: equal as long as nothing happens there. Servers
/// without a table count as well.
fn sights(cards: &[Card], servers: &[u64]) -> BTreeMap<u64, u64> {
    let mut sights: BTreeMap<u64, DefaultHasher> =
        servers.iter().map(|guild| (*guild, DefaultHasher::default())).collect();
    for card in cards {
        if let Some(guild) = card.guild {
            let seated = card.people.iter().flatten().count();
            (card.id, card.stage as u8, card.ply, seated).hash(sights.entry(guild).or_default());
        }
    }
    sights.into_iter().map(|(guild, hash)| (guild, hash.finish())).collect()
}

/// Under which name the message of a channel's lobby is kept, with what tells it from others.
fn note(channel: u64) -> String {
    format!("lobby:{channel}")
}

fn read_note(note: &str) -> Option<(u64, &str)> {
    let (message, digest) = note.split_once(' ')?;
    Some((message.parse().ok()?, digest))
}

/// What tells two lobbies apart.
fn digest(post: &Post) -> String {
    seal::digest(&post.json(None).to_string())
}
