//! Codes and access tokens of people who have authorized the application.

use std::collections::{BTreeSet, HashMap};

use super::super::api_error::ApiError;
use super::super::id::Id;
use super::super::secrets::random_token;

/// How long a code works: the most that RFC 6749 (4.1.2) recommends.
const CODE_MS: u64 = 10 * 60 * 1_000;
/// How long an access token works, in seconds.
pub(super) const TOKEN_SECONDS: u64 = 604_800;

/// What a person has authorized.
#[derive(Clone, Debug)]
pub(crate) struct Grant {
    pub(super) user: Id,
    pub(super) scopes: Vec<String>,
    /// The redirect with which the code was requested; an Activity has none.
    pub(super) redirect: Option<String>,
    expires_ms: u64,
}

/// All codes and tokens of one run.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    codes: HashMap<String, Grant>,
    tokens: HashMap<String, Grant>,
    /// The people who have agreed to scopes, and aren't asked again.
    consents: BTreeSet<(Id, Vec<String>)>,
}

/// An access token with its refresh token.
pub(super) struct Tokens {
    pub(super) access: String,
    pub(super) refresh: String,
    pub(super) grant: Grant,
}

impl Grants {
    /// Returns a new code of a person, which works once.
    pub(crate) fn authorize(
        &mut self,
        (user, scopes): (Id, Vec<String>),
        redirect: Option<String>,
        now_ms: u64,
    ) -> Result<String, ApiError> {
        let code = random()?;
        self.codes.retain(|_, grant| grant.expires_ms > now_ms);
        self.codes.insert(code.clone(), Grant { user, scopes, redirect, expires_ms: now_ms + CODE_MS });
        Ok(code)
    }

    /// Exchanges a code, which is used up even if its redirect is another one. `Ok(None)` if it does not work.
    pub(super) fn exchange(
        &mut self,
        code: &str,
        redirect: Option<&str>,
        now_ms: u64,
    ) -> Result<Option<Tokens>, ApiError> {
        let grant = self.codes.remove(code).filter(|grant| grant.expires_ms > now_ms);
        let Some(grant) = grant.filter(|grant| grant.redirect.as_deref() == redirect) else {
            return Ok(None);
        };
        let (access, refresh) = (random()?, random()?);
        let grant = Grant { expires_ms: now_ms + TOKEN_SECONDS * 1_000, ..grant };
        self.tokens.retain(|_, grant| grant.expires_ms > now_ms);
        self.tokens.insert(access.clone(), grant.clone());
        Ok(Some(Tokens { access, refresh, grant }))
    }

    /// Returns what an access token stands for.
    pub(crate) fn of_token(&self, token: &str, now_ms: u64) -> Option<&Grant> {
        self.tokens.get(token).filter(|grant| grant.expires_ms > now_ms)
    }

    /// Ends the whole grant of a token's person: all their tokens.
    pub(super) fn revoke(&mut self, token: &str) {
        let Some(user) = self.tokens.get(token).map(|grant| grant.user) else { return };
        self.tokens.retain(|_, grant| grant.user != user);
        self.consents.retain(|(who, _)| *who != user);
    }

    /// Whether a person has agreed to scopes before.
    pub(crate) fn has_consent(&self, user: Id, scopes: &[String]) -> bool {
        self.consents.contains(&(user, scopes.to_vec()))
    }

    /// Stores that a person agrees to scopes.
    pub(crate) fn consent(&mut self, user: Id, scopes: &[String]) {
        self.consents.insert((user, scopes.to_vec()));
    }

    /// The number of access tokens that work.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn live_tokens(&self) -> usize {
        self.tokens.len()
    }
}

impl Grant {
    /// Returns the scopes that the person has agreed to.
    pub(crate) fn scopes(&self) -> &[String] {
        &self.scopes
    }

    /// Returns the person, if the grant has the scope that reads who they are.
    pub(crate) fn identified(&self) -> Option<Id> {
        self.scopes.iter().any(|scope| scope == "identify").then_some(self.user)
    }
}

fn random() -> Result<String, ApiError> {
    random_token().map_err(|_| ApiError::new(500, 0, "500: Internal Server Error"))
}
