//! Share links: made, found, withdrawn, and deleted with their game or maker.

use super::id;
use super::moment;
use super::people::{DAN, EVE, table_of_two};
use jiff::Timestamp;
use rookery_table::ports::{Journal, PageRequest, ShareLinks};
use rookery_table::share::{ShareLink, ShareOrigin, ShareTarget, ShareToken};
use rookery_table::{GuildId, TableId, UserId};

const GUILD: GuildId = GuildId(u64::MAX - 3);

fn link(target: ShareTarget, origin: ShareOrigin, made_at: Timestamp) -> ShareLink {
    ShareLink { token: ShareToken::draw().unwrap(), target, guild: Some(GUILD), origin, made_at }
}

async fn keep(links: &dyn ShareLinks, link: &ShareLink) {
    links.store_links(std::slice::from_ref(link)).await.unwrap();
}

/// Stores a link to a game, made by this person.
pub(super) async fn shared_by(journal: &dyn Journal, table: TableId, who: UserId) {
    keep(journal.share_links(), &link(ShareTarget::Table(table), ShareOrigin::Player(who), moment(1))).await;
}

async fn found(links: &dyn ShareLinks, link: &ShareLink) -> Option<ShareLink> {
    links.link(&link.token.digest()).await.unwrap()
}

pub(super) async fn share_links_are_kept(journal: &dyn Journal) {
    let (links, table) = (journal.share_links(), id("HHH2"));
    let target = ShareTarget::Table(table);
    let own = link(target, ShareOrigin::Player(DAN), moment(5));
    let public = link(target, ShareOrigin::Setting, moment(6));
    let list = link(ShareTarget::Server(GUILD), ShareOrigin::Setting, moment(7));
    let direct = ShareLink {
        guild: None,
        ..link(ShareTarget::Table(id("HHH3")), ShareOrigin::Player(DAN), moment(4))
    };
    links.store_links(&[public.clone(), own.clone(), list.clone(), direct.clone()]).await.unwrap();
    assert_eq!(links.links_to(target).await.unwrap(), [own.clone(), public.clone()]);
    assert_eq!(links.links_to(list.target).await.unwrap(), std::slice::from_ref(&list));
    let mut by_dan = links.links_by(DAN, PageRequest::default()).await.unwrap().rows;
    by_dan.sort_by_key(|link| link.made_at);
    assert_eq!(by_dan, [direct.clone(), own.clone()]);
    assert_eq!(found(links, &own).await, Some(own.clone()));
    assert_eq!(links.link(own.token.as_str()).await.unwrap(), None, "a token itself finds nothing");

    for second in [
        link(target, ShareOrigin::Player(EVE), moment(8)),
        link(target, ShareOrigin::Setting, moment(8)),
        link(list.target, ShareOrigin::Setting, moment(8)),
    ] {
        keep(links, &second).await;
        assert_eq!(found(links, &second).await, None, "one of each kind");
    }
    links.withdraw_link(&own.token.digest()).await.unwrap();
    assert_eq!(links.links_to(target).await.unwrap(), [public]);
    links_of_a_setting_are_withdrawn(links, table, &list).await;
    links_go_with_their_game_and_their_maker(journal).await;
}

async fn links_of_a_setting_are_withdrawn(links: &dyn ShareLinks, table: TableId, list: &ShareLink) {
    let target = ShareTarget::Table(table);
    let own = link(target, ShareOrigin::Player(EVE), moment(9));
    keep(links, &own).await;
    links.withdraw_links_of_setting(GuildId(GUILD.0 - 1)).await.unwrap();
    assert!(found(links, list).await.is_some(), "another server's");
    links.withdraw_links_of_setting(GUILD).await.unwrap();
    assert_eq!(found(links, list).await, None);
    assert_eq!(links.links_to(target).await.unwrap(), std::slice::from_ref(&own), "a player's stays");

    let again = link(target, ShareOrigin::Setting, moment(10));
    keep(links, &again).await;
    assert!(found(links, &again).await.is_some());
    assert!(links.withdraw_links(table, moment(11)).await.unwrap());
    assert!(!links.withdraw_links(table, moment(12)).await.unwrap(), "there are none any more");
    assert_eq!(links.links_to(target).await.unwrap(), []);
    for (origin, kept) in [(ShareOrigin::Setting, false), (ShareOrigin::Player(EVE), true)] {
        let new = link(target, origin, moment(13));
        keep(links, &new).await;
        assert_eq!(found(links, &new).await.is_some(), kept, "{origin:?}");
    }
}

async fn links_go_with_their_game_and_their_maker(journal: &dyn Journal) {
    let (links, [erased, shared]) = (journal.share_links(), [id("HHH4"), id("HHH5")]);
    table_of_two(journal, erased).await;
    links.withdraw_links(erased, moment(14)).await.unwrap();
    let of = |table, who| link(ShareTarget::Table(table), ShareOrigin::Player(who), moment(14));
    let (gone, theirs) = (of(erased, EVE), of(shared, DAN));
    links.store_links(&[gone.clone(), theirs.clone()]).await.unwrap();
    journal.privacy().delete_table(erased).await.unwrap();
    assert_eq!(found(links, &gone).await, None);
    journal.privacy().delete_personal_rows(DAN).await.unwrap();
    assert_eq!(
        (found(links, &theirs).await, links.links_by(DAN, PageRequest::default()).await.unwrap().rows),
        (None, Vec::new())
    );
    assert!(
        !links.links_by(EVE, PageRequest::default()).await.unwrap().rows.is_empty(),
        "others keep theirs"
    );
}
