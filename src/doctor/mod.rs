//! `rookery doctor`: looks for what would keep the bot from working on this machine and on Discord, and says how to mend
//! each. It changes nothing, and the bot can be running.

mod discord;
mod machine;
mod sign_in;

use std::fmt;
use std::time::Duration;

use rookery_table::ChannelId;
use serenity::http::Http;

use crate::config::{Config, Secret, Server};
use crate::discord::client;

/// Discord's own address.
const DISCORD: &str = "https://discord.com";
/// How long all questions to Discord may take together.
const DISCORD_TIMEOUT: Duration = Duration::from_secs(60);

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It works.
    Fine,
    /// It works, but something would make it better or safer.
    Advice,
    /// The bot can't work as it is.
    Fault,
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub verdict: Verdict,
    /// What was checked, in a word or two.
    pub subject: &'static str,
    /// What was found, as a sentence.
    pub found: String,
    /// What to do about it; `None` if there is nothing to do.
    pub remedy: Option<String>,
}

impl Finding {
    fn fine(subject: &'static str, found: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Fine, subject, found: found.into(), remedy: None }
    }

    fn advice(subject: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Advice, subject, found: found.into(), remedy: Some(remedy.into()) }
    }

    fn fault(subject: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Fault, subject, found: found.into(), remedy: Some(remedy.into()) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Verdict::Fine => "ok    ",
            Verdict::Advice => "advice",
            Verdict::Fault => "FAULT ",
        };
        writeln!(f, "{verdict}  {}: {}", self.subject, self.found)?;
        match &self.remedy {
            Some(remedy) => writeln!(f, "        To do: {remedy}"),
            None => Ok(()),
        }
    }
}

/// Runs all checks, also the permissions in `channel` if one is given.
pub async fn examine(config: &Config, channel: Option<ChannelId>) -> Vec<Finding> {
    let mut findings: Vec<_> = machine::database(config).await.into_iter().collect();
    findings.extend(machine::examine(config));
    // The HTTP client waits for an answer without end.
    let asked = async {
        let mut findings = discord::examine(config, channel).await;
        findings.extend(sign_in::examine(config).await);
        findings
    };
    let asked = tokio::time::timeout(DISCORD_TIMEOUT, asked).await;
    findings.extend(asked.unwrap_or_else(|_| {
        let found = format!("It doesn't answer within {} s.", DISCORD_TIMEOUT.as_secs());
        vec![Finding::fault("Discord", found, "try again later, and see https://discordstatus.com")]
    }));
    findings.push(machine::web(&config.web).await);
    findings
}

/// Summarises findings in one line: "2 faults, 1 piece of advice".
pub fn summary(findings: &[Finding]) -> String {
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let (faults, advice) = (count(Verdict::Fault), count(Verdict::Advice));
    let faults = if faults == 1 { "1 fault".to_owned() } else { format!("{faults} faults") };
    let advice = match advice {
        0 => String::new(),
        1 => "1 piece of advice".to_owned(),
        several => format!("{several} pieces of advice"),
    };
    match (count(Verdict::Fault), advice.is_empty()) {
        (0, true) => "Everything is fine.".to_owned(),
        (0, false) => format!("Rookery can run; {advice}."),
        (_, true) => format!("{faults}."),
        (_, false) => format!("{faults}, {advice}."),
    }
}

/// Returns a client of Discord's API, and the address of the server that speaks it if it isn't Discord itself.
fn api(config: &Config, token: &Secret, api_base: Option<Server>) -> (Http, Option<String>) {
    let base = config.discord.rest_proxy.clone().or(api_base);
    let base = base.map(|base| base.without_api().as_str().to_owned());
    (client(token.expose(), base.as_deref()), base)
}

/// Says that Discord did not answer a question, although it knows the bot.
fn unknown(subject: &'static str, error: &(dyn std::error::Error + 'static)) -> Finding {
    Finding::advice(subject, format!("Discord doesn't say: {}.", cause(error)), "try again later")
}

/// Returns the innermost cause of an error: the outer ones only say that a request failed.
fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let innermost = std::iter::successors(Some(error), |error| error.source()).last();
    innermost.unwrap_or(error).to_string().trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_counted_by_verdict() {
        let all = [Finding::fine("a", "b"), Finding::advice("a", "b", "c"), Finding::fault("a", "b", "c")];
        assert_eq!(summary(&all[..1]), "Everything is fine.");
        assert_eq!(summary(&all[..2]), "Rookery can run; 1 piece of advice.");
        assert_eq!(summary(&all), "1 fault, 1 piece of advice.");
        assert_eq!(all[2].to_string(), "FAULT   a: b\n        To do: c\n");
    }
}
