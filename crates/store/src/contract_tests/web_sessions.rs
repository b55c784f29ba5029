//! Signed-in browsers: signed in once, expired, revoked, bounded, and deleted with their person or table.

use super::people::{DAN, EVE};
use super::{id, moment};
use rookery_table::UserId;
use rookery_table::ports::{Journal, WebSessions};
use rookery_table::web_session::{MAX_PER_PERSON, SignIn, WebSession, WebToken};

fn token() -> WebToken {
    WebToken::draw().unwrap()
}

/// Stores a session and an unused sign-in token of a person; returns both tokens.
async fn signed_in(journal: &dyn Journal, person: UserId, ms: i64) -> (WebToken, WebToken) {
    let (sessions, sign_in, cookie) = (journal.web_sessions(), token(), token());
    let what = SignIn { person, table: id("WWW2"), expires_at: moment(ms) };
    sessions.store_sign_in(&sign_in, &what).await.unwrap();
    let session = WebSession { person, made_at: moment(ms), used_at: moment(ms) };
    sessions.store_session(&cookie, &session).await.unwrap();
    (sign_in, cookie)
}

pub(super) async fn browsers_are_kept(journal: &dyn Journal) {
    let sessions = journal.web_sessions();
    let (sign_in, cookie) = signed_in(journal, DAN, 100).await;
    assert_eq!(sessions.take_sign_in(&cookie, moment(5)).await.unwrap(), None, "each token for one thing");
    assert_eq!(sessions.session(&sign_in).await.unwrap(), None);
    let what = SignIn { person: DAN, table: id("WWW2"), expires_at: moment(100) };
    for _ in 0..2 {
        assert_eq!(
            sessions.sign_in(&sign_in, moment(99)).await.unwrap(),
            Some(what),
            "looking uses nothing up"
        );
    }
    assert_eq!(sessions.sign_in(&sign_in, moment(100)).await.unwrap(), None, "it has expired");
    assert_eq!(sessions.sign_in(&cookie, moment(5)).await.unwrap(), None);
    let all = || async {
        let calls = (0..4).map(|_| sessions.take_sign_in(&sign_in, moment(99)));
        futures_util::future::join_all(calls).await.into_iter().map(Result::unwrap)
    };
    assert_eq!(all().await.flatten().collect::<Vec<_>>(), [what], "of several at once, one");
    assert_eq!(all().await.flatten().count(), 0, "once is enough");
    assert_eq!(sessions.sign_in(&sign_in, moment(99)).await.unwrap(), None, "it was used");
    let (expired, _) = signed_in(journal, EVE, 100).await;
    assert_eq!(sessions.take_sign_in(&expired, moment(100)).await.unwrap(), None);

    let made = WebSession { person: DAN, made_at: moment(100), used_at: moment(100) };
    assert_eq!(sessions.session(&cookie).await.unwrap(), Some(made));
    sessions.touch_session(&cookie, moment(300)).await.unwrap();
    sessions.touch_session(&cookie, moment(200)).await.unwrap();
    let used = WebSession { used_at: moment(300), ..made };
    assert_eq!(sessions.session(&cookie).await.unwrap(), Some(used), "of two processes the later counts");
    sessions.touch_session(&token(), moment(300)).await.unwrap();
    assert_eq!(sessions.sessions_of(DAN).await.unwrap(), [used]);
    let (_, other) = signed_in(journal, DAN, 400).await;
    for _ in 0..2 {
        sessions.delete_session(&other).await.unwrap();
    }
    assert_eq!(sessions.session(&other).await.unwrap(), None);
    assert_eq!(sessions.sessions_of(DAN).await.unwrap(), [used], "only the one that ended is gone");
    the_newest_sign_in_of_a_person_is_taken(sessions).await;
    sessions_of_frames_are_others(sessions).await;
    old_ones_are_deleted(sessions).await;
    browsers_go_with_their_person_and_their_table(journal).await;
}

/// An Activity opens what its person asked for last.
async fn the_newest_sign_in_of_a_person_is_taken(sessions: &dyn WebSessions) {
    let (who, other) = (UserId(u64::MAX - 11), UserId(u64::MAX - 12));
    for (person, table, ms) in [(who, "AAA2", 1_100), (who, "BBB2", 1_200), (other, "CCC2", 1_300)] {
        let what = SignIn { person, table: id(table), expires_at: moment(ms) };
        sessions.store_sign_in(&token(), &what).await.unwrap();
    }
    assert_eq!(sessions.take_newest_sign_in(who, moment(1_200)).await.unwrap(), None, "too long ago");
    let calls = (0..3).map(|_| sessions.take_newest_sign_in(who, moment(1_150)));
    let taken: Vec<_> =
        futures_util::future::join_all(calls).await.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(taken.iter().map(|it| it.table).collect::<Vec<_>>(), [id("BBB2")], "of several at once, one");
    let older = sessions.take_newest_sign_in(who, moment(1_000)).await.unwrap().unwrap();
    assert_eq!((older.table, older.expires_at), (id("AAA2"), moment(1_100)));
    assert_eq!(sessions.take_newest_sign_in(who, moment(0)).await.unwrap(), None, "Eve's is not theirs");
}

/// The cookie of a frame is no cookie of another page, though both kinds are stored together and revoked together.
async fn sessions_of_frames_are_others(sessions: &dyn WebSessions) {
    let (who, cookie) = (UserId(u64::MAX - 13), token());
    let session = WebSession { person: who, made_at: moment(5), used_at: moment(5) };
    sessions.store_session(&cookie.clone().in_frame(), &session).await.unwrap();
    assert_eq!(sessions.session(&cookie).await.unwrap(), None);
    assert_eq!(sessions.session(&cookie.clone().in_frame()).await.unwrap(), Some(session));
    assert_eq!(sessions.revoke_sessions(who).await.unwrap(), 1);
    assert_eq!(sessions.session(&cookie.in_frame()).await.unwrap(), None);
}

/// The newest sessions of a person stay, and those that are in use.
async fn old_ones_are_deleted(sessions: &dyn WebSessions) {
    let (who, other) = (UserId(u64::MAX - 9), UserId(u64::MAX - 10));
    let tokens: Vec<_> = (0..MAX_PER_PERSON + 2).map(|_| token()).collect();
    for (ms, token) in (1_000..).zip(&tokens) {
        let sign_in = SignIn { person: who, table: id("WWW3"), expires_at: moment(ms) };
        sessions.store_sign_in(token, &sign_in).await.unwrap();
        let session = WebSession { person: who, made_at: moment(ms), used_at: moment(ms) };
        sessions.store_session(token, &session).await.unwrap();
    }
    let own = sessions.sessions_of(who).await.unwrap();
    let times: Vec<_> = own.iter().map(|session| session.used_at).collect();
    assert_eq!(times, (1_002..1_000 + MAX_PER_PERSON + 2).rev().map(moment).collect::<Vec<_>>());
    assert_eq!(sessions.session(&tokens[1]).await.unwrap(), None);
    assert_eq!(sessions.take_sign_in(&tokens[1], moment(1)).await.unwrap(), None);
    assert!(sessions.take_sign_in(&tokens[2], moment(1)).await.unwrap().is_some());

    let theirs = WebSession { person: other, made_at: moment(900), used_at: moment(5_000) };
    sessions.store_session(&token(), &theirs).await.unwrap();
    sessions.prune_sessions(moment(0), moment(1_004), 2).await.unwrap();
    assert!(sessions.sessions_of(who).await.unwrap().len() >= own.len() - 2, "no more than is asked for");
    while sessions.prune_sessions(moment(1_010), moment(1_004), 2).await.unwrap() > 0 {}
    let left = sessions.sessions_of(who).await.unwrap();
    assert_eq!(left.len(), own.len() - 3, "1,002, 1,003 and 1,004 are gone");
    assert_eq!(sessions.take_sign_in(&tokens[10], moment(1)).await.unwrap(), None, "expired at 1,010");
    assert!(sessions.take_sign_in(&tokens[11], moment(1)).await.unwrap().is_some());
    assert_eq!(sessions.revoke_sessions(who).await.unwrap(), left.len() as u64);
    assert_eq!(sessions.revoke_sessions(who).await.unwrap(), 0);
    assert_eq!(sessions.take_sign_in(&tokens[12], moment(1)).await.unwrap(), None, "its links as well");
    assert_eq!(sessions.sessions_of(other).await.unwrap(), [theirs], "others keep theirs");
}

async fn browsers_go_with_their_person_and_their_table(journal: &dyn Journal) {
    let sessions = journal.web_sessions();
    let ((link, cookie), (of_eve, cookie_of_eve)) =
        (signed_in(journal, DAN, 9_000).await, signed_in(journal, EVE, 9_000).await);
    journal.privacy().delete_personal_rows(DAN).await.unwrap();
    assert_eq!(sessions.session(&cookie).await.unwrap(), None);
    assert_eq!(sessions.take_sign_in(&link, moment(1)).await.unwrap(), None);
    journal.privacy().delete_table(id("WWW2")).await.unwrap();
    assert_eq!(sessions.take_sign_in(&of_eve, moment(1)).await.unwrap(), None, "it has nothing to open");
    assert!(sessions.session(&cookie_of_eve).await.unwrap().is_some());
    signed_in(journal, EVE, 9_001).await;
}
