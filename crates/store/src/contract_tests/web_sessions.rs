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
    old_ones_are_deleted(sessions).await;
    browsers_go_with_their_person_and_their_table(journal).await;
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
