//! The access rule as a table (who may see, join and act at which table, through which entrance). Every cell of it is
//! tried with the whole bot on a Discord that enforces its own permissions.

mod attempts;
mod changes;
mod entrances;
mod kept_panels;
mod outsiders;
mod stage;

use std::collections::{BTreeMap, BTreeSet};

use rookery::discord::handlers::commands;
use rookery_i18n::Languages;
use serde_json::Value;

use crate::access::entrances::{AttemptResult, ENTRANCES, Entrance, Origin};
use crate::access::stage::{AccessSetup, PersonKind, TableKind};

/// What each person may do in each place. A former player's cells are about their own games, all others about Ben's. A
/// linked game is in the closed channel and has a link for outsiders: the link opens its page and nothing on Discord.
/// Banned people have no seat here; `conversations::bans` tests that they can finish their own games.
const RULE: &str = "
                  open       closed     direct     study     linked
player            see,act    see,act    see,act    see       see,act,link
member            see,join   see,join   -          -         see,link
outsider          -          -          -          -         link
former-player     see,act    see,act    see,act    see       see,act,link
former-member     -          -          -          -         link
stranger          -          -          -          -         link
banned            -          -          -          -         link
another-bot       -          -          -          -         link
";

fn rule() -> BTreeMap<(PersonKind, TableKind), Vec<&'static str>> {
    let mut lines = RULE.lines().filter(|line| !line.trim().is_empty());
    let places: Vec<TableKind> = lines.next().unwrap().split_whitespace().map(TableKind::named).collect();
    let mut rule = BTreeMap::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let who = PersonKind::named(words.next().unwrap());
        for (place, cell) in places.iter().zip(words) {
            rule.insert((who, *place), cell.split(',').filter(|word| *word != "-").collect());
        }
    }
    assert_eq!(rule.len(), PersonKind::ALL.len() * places.len(), "a cell is missing");
    rule
}

/// The number of cells with each result.
#[derive(Debug, Default)]
struct Count {
    tried: usize,
    allowed: usize,
    refused: usize,
    /// Those that Discord itself prevented.
    by_discord: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_every_entrance_is_as_the_rule_says() {
    let stage = AccessSetup::set().await;
    let (rule, mut count, mut wrong) = (rule(), Count::default(), Vec::new());
    for ((who, place), allowed) in &rule {
        for entrance in ENTRANCES.iter().filter(|entrance| entrance.leads_to(*who, *place)) {
            count.tried += 1;
            let expected = allowed.contains(&entrance.kind().word());
            match entrance.attempt(&stage, *who, *place).await {
                AttemptResult::Allowed if expected => count.allowed += 1,
                AttemptResult::Refused if !expected => count.refused += 1,
                AttemptResult::ByDiscord if !entrance.is_open_to(*who, *place) => count.by_discord += 1,
                tried => {
                    wrong.push(format!("{who:?} {place:?} {entrance:?}: {tried:?} (expected: {expected})"))
                }
            }
        }
    }
    eprintln!("access: {count:?}");
    assert!(wrong.is_empty(), "{} of {} cells: {wrong:#?}", wrong.len(), count.tried);
    assert!(count.allowed > 400 && count.refused > 900, "most cells come to the bot: {count:?}");
    stage.bot.stop_after(&[403, 404]).await;
}

impl Entrance {
    /// Whether Discord lets a person reach the bot by this entrance.
    fn is_open_to(self, who: PersonKind, place: TableKind) -> bool {
        match self.from() {
            _ if self.is_on_the_web() => true,
            _ if who == PersonKind::AnotherBot => self.is_written(),
            Origin::Dm | Origin::Elsewhere => true,
            Origin::Lobby => who.is_member(),
            Origin::Own => matches!(
                (who, place),
                (PersonKind::Player, _)
                    | (
                        PersonKind::Member | PersonKind::Banned,
                        TableKind::Open | TableKind::Closed | TableKind::Linked
                    )
                    | (PersonKind::FormerPlayer, TableKind::Direct)
            ),
        }
    }
}

/// Every command that takes a table is an entrance, under the name that Discord registers.
#[test]
fn access_matrix_has_every_command_that_takes_a_table() {
    let registered = commands::registration(&Languages::built_in(), true);
    let takes_a_table = |command: &&Value| command["options"].to_string().contains(r#""name":"table""#);
    let named: BTreeSet<_> = registered
        .as_array()
        .unwrap()
        .iter()
        .filter(takes_a_table)
        .map(|command| command["name"].as_str().unwrap().to_owned())
        .collect();
    let tried: BTreeSet<_> =
        ENTRANCES.iter().filter_map(|entrance| entrance.command()).map(str::to_owned).collect();
    assert_eq!(named, tried);
}
