//! Why something is not to be had now, in words: what the limit is, when it is free again, what to do instead.

use rookery_table::quota::{Limited, Use};

use super::{Words, person, relative, role};

impl Words {
    /// Why a request is refused although it would be legal.
    pub fn limited(&self, limited: &Limited) -> String {
        match limited {
            Limited::Tables { most } => self.say("limit-tables", &[("most", (*most).into())]),
            Limited::ServerTables { most } => self.say("limit-server-tables", &[("most", (*most).into())]),
            Limited::Challenges { most, until_ms } => {
                let args = [("most", (*most).into()), ("when", relative(*until_ms).into())];
                self.say("limit-challenges", &args)
            }
            Limited::Repeated { person: who, until_ms } => {
                let args = [("who", person(*who).into()), ("when", relative(*until_ms).into())];
                self.say("limit-repeated", &args)
            }
            Limited::RepeatedRole { role: which, until_ms } => {
                let args = [("who", role(*which).into()), ("when", relative(*until_ms).into())];
                self.say("limit-repeated", &args)
            }
            Limited::Unavailable { person: who } => {
                self.say("limit-unavailable", &[("who", person(*who).into())])
            }
            Limited::OwnBlock { person: who } => self.say("limit-own-block", &[("who", person(*who).into())]),
            Limited::Banned => self.word("limit-banned"),
            Limited::Rate { what, most, server, until_ms } => {
                let key = match what {
                    Use::Table => "limit-tables-hourly",
                    Use::Gif if *server => "limit-server-gifs",
                    Use::Gif => "limit-gifs",
                    Use::Analysis => "limit-analyses",
                    Use::Export => "limit-exports",
                    Use::Import => "limit-imports",
                    Use::Hint => "limit-hints",
                    Use::Report => "limit-reports",
                };
                let args = [("most", (*most).into()), ("when", relative(*until_ms).into())];
                self.say(key, &args)
            }
        }
    }
}
