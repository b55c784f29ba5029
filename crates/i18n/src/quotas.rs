//! Quota errors in words: the limit, when it frees up, what to do instead.

use rookery_table::quota::{LimitedAction, QuotaError};

use super::{Localizer, person, relative, role};

impl Localizer {
    /// Explains why a quota refuses an otherwise legal request.
    pub fn quota_error(&self, limited: &QuotaError) -> String {
        match limited {
            QuotaError::Tables { most } => self.say("limit-tables", &[("most", (*most).into())]),
            QuotaError::ServerTables { most } => self.say("limit-server-tables", &[("most", (*most).into())]),
            QuotaError::Challenges { most, until } => {
                let args = [("most", (*most).into()), ("when", relative(*until).into())];
                self.say("limit-challenges", &args)
            }
            QuotaError::Repeated { person: who, until } => {
                let args = [("who", person(*who).into()), ("when", relative(*until).into())];
                self.say("limit-repeated", &args)
            }
            QuotaError::RepeatedRole { role: which, until } => {
                let args = [("who", role(*which).into()), ("when", relative(*until).into())];
                self.say("limit-repeated", &args)
            }
            QuotaError::Unavailable { person: who } => {
                self.say("limit-unavailable", &[("who", person(*who).into())])
            }
            QuotaError::OwnBlock { person: who } => {
                self.say("limit-own-block", &[("who", person(*who).into())])
            }
            QuotaError::Banned => self.word("limit-banned"),
            QuotaError::Rate { what, most, server, until } => {
                let key = match what {
                    LimitedAction::Table => "limit-tables-hourly",
                    LimitedAction::Gif if *server => "limit-server-gifs",
                    LimitedAction::Gif => "limit-gifs",
                    LimitedAction::Analysis => "limit-analyses",
                    LimitedAction::Export => "limit-exports",
                    LimitedAction::Import => "limit-imports",
                    LimitedAction::Hint => "limit-hints",
                    LimitedAction::Report => "limit-reports",
                };
                let args = [("most", (*most).into()), ("when", relative(*until).into())];
                self.say(key, &args)
            }
        }
    }
}
