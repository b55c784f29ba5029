//! Signed-in browsers in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::MemoryJournal;
use crate::UserId;
use crate::ports::{StoreError, WebSessions};
use crate::web_session::{MAX_PER_PERSON, SignIn, WebSession, WebToken};

#[async_trait]
impl WebSessions for MemoryJournal {
    async fn store_sign_in(&self, token: &WebToken, sign_in: &SignIn) -> Result<(), StoreError> {
        let mut kept = self.kept();
        kept.sign_ins.push((token.digest(), *sign_in));
        keep_newest(&mut kept.sign_ins, |it| it.person == sign_in.person, |it| it.expires_at);
        Ok(())
    }

    async fn sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let (kept, digest) = (self.kept(), token.digest());
        let found = kept.sign_ins.iter().find(|(of, sign_in)| *of == digest && sign_in.expires_at > now);
        Ok(found.map(|(_, sign_in)| *sign_in))
    }

    async fn take_sign_in(&self, token: &WebToken, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let (mut kept, digest) = (self.kept(), token.digest());
        let found = kept.sign_ins.iter().position(|(of, sign_in)| *of == digest && sign_in.expires_at > now);
        Ok(found.map(|at| kept.sign_ins.remove(at).1))
    }

    async fn take_newest_sign_in(
        &self,
        person: UserId,
        after: Timestamp,
    ) -> Result<Option<SignIn>, StoreError> {
        let mut kept = self.kept();
        let theirs = kept.sign_ins.iter().enumerate();
        let theirs = theirs.filter(|(_, (_, it))| it.person == person && it.expires_at > after);
        let newest = theirs.max_by_key(|(_, (_, it))| it.expires_at).map(|(at, _)| at);
        Ok(newest.map(|at| kept.sign_ins.remove(at).1))
    }

    async fn store_session(&self, token: &WebToken, session: &WebSession) -> Result<(), StoreError> {
        let mut kept = self.kept();
        kept.web_sessions.push((token.digest(), *session));
        keep_newest(&mut kept.web_sessions, |it| it.person == session.person, |it| it.used_at);
        Ok(())
    }

    async fn session(&self, token: &WebToken) -> Result<Option<WebSession>, StoreError> {
        let (kept, digest) = (self.kept(), token.digest());
        Ok(kept.web_sessions.iter().find(|(of, _)| *of == digest).map(|(_, session)| *session))
    }

    async fn touch_session(&self, token: &WebToken, now: Timestamp) -> Result<(), StoreError> {
        let (mut kept, digest) = (self.kept(), token.digest());
        let session = kept.web_sessions.iter_mut().find(|(of, _)| *of == digest);
        session.into_iter().for_each(|(_, session)| session.used_at = session.used_at.max(now));
        Ok(())
    }

    async fn delete_session(&self, token: &WebToken) -> Result<(), StoreError> {
        let digest = token.digest();
        self.kept().web_sessions.retain(|(of, _)| *of != digest);
        Ok(())
    }

    async fn sessions_of(&self, who: UserId) -> Result<Vec<WebSession>, StoreError> {
        let kept = self.kept();
        let own = kept.web_sessions.iter().map(|(_, session)| *session);
        let mut own: Vec<_> = own.filter(|session| session.person == who).collect();
        own.sort_by_key(|session| std::cmp::Reverse(session.used_at));
        Ok(own)
    }

    async fn revoke_sessions(&self, who: UserId) -> Result<u64, StoreError> {
        let mut kept = self.kept();
        kept.sign_ins.retain(|(_, sign_in)| sign_in.person != who);
        let before = kept.web_sessions.len();
        kept.web_sessions.retain(|(_, session)| session.person != who);
        Ok((before - kept.web_sessions.len()) as u64)
    }

    async fn prune_sessions(
        &self,
        now: Timestamp,
        unused_since: Timestamp,
        most: usize,
    ) -> Result<u64, StoreError> {
        let mut kept = self.kept();
        let expired = kept.sign_ins.extract_if(.., |(_, it)| it.expires_at <= now).take(most).count();
        let unused = kept.web_sessions.extract_if(.., |(_, it)| it.used_at <= unused_since);
        Ok((expired + unused.take(most).count()) as u64)
    }
}

/// Removes the oldest rows of a person beyond [`MAX_PER_PERSON`].
fn keep_newest<T: Copy>(
    rows: &mut Vec<(String, T)>,
    is_theirs: impl Fn(&T) -> bool,
    age: impl Fn(&T) -> Timestamp,
) {
    let mut theirs: Vec<_> = rows.iter().filter(|(_, it)| is_theirs(it)).cloned().collect();
    theirs.sort_by_key(|(_, it)| std::cmp::Reverse(age(it)));
    let old: Vec<String> =
        theirs.into_iter().skip(MAX_PER_PERSON as usize).map(|(digest, _)| digest).collect();
    rows.retain(|(digest, _)| !old.contains(digest));
}
