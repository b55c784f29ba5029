//! Who may see, join and act at which table, by which entrance: the rule as a table, and every cell of it tried with
//! the whole bot on a Discord that enforces its own permissions.

mod changes;
mod entrances;
mod outsiders;
mod stage;

use std::collections::BTreeMap;

use crate::access::entrances::{ENTRANCES, Entrance, Origin, Tried};
use crate::access::stage::{Place, Stage, Who};

/// What each person may do where, as the issue tells it. A former player's cells are about their own games, all
/// others about Ben's. People who are banned are tried in `talk::bans`, holders of links in `web`.
const RULE: &str = "
                  open       closed     direct     study
player            see,act    see,act    see,act    see
member            see,join   see,join   -          -
outsider          -          -          -          -
former-player     see,act    see,act    see,act    see
former-member     -          -          -          -
stranger          -          -          -          -
another-bot       -          -          -          -
";

/// What the rule says of everybody everywhere.
fn rule() -> BTreeMap<(Who, Place), Vec<&'static str>> {
    let mut lines = RULE.lines().filter(|line| !line.trim().is_empty());
    let places: Vec<Place> = lines.next().unwrap().split_whitespace().map(Place::named).collect();
    let mut rule = BTreeMap::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let who = Who::named(words.next().unwrap());
        for (place, cell) in places.iter().zip(words) {
            rule.insert((who, *place), cell.split(',').filter(|word| *word != "-").collect());
        }
    }
    assert_eq!(rule.len(), Who::ALL.len() * places.len(), "a cell is missing");
    rule
}

/// How many cells came out which way.
#[derive(Debug, Default)]
struct Count {
    tried: usize,
    allowed: usize,
    refused: usize,
    /// Those that Discord itself refused.
    by_discord: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn access_by_every_entrance_is_as_the_rule_says() {
    let stage = Stage::set().await;
    let (rule, mut count, mut wrong) = (rule(), Count::default(), Vec::new());
    for ((who, place), allowed) in &rule {
        for entrance in ENTRANCES.iter().filter(|entrance| entrance.leads_to(*who, *place)) {
            count.tried += 1;
            let expected = allowed.contains(&entrance.kind().word());
            match entrance.tried(&stage, *who, *place).await {
                Tried::AllowedValues if expected => count.allowed += 1,
                Tried::OrderError if !expected => count.refused += 1,
                Tried::ByDiscord if !entrance.is_open_to(*who, *place) => count.by_discord += 1,
                tried => {
                    wrong.push(format!("{who:?} {place:?} {entrance:?}: {tried:?}, and not as the rule says"))
                }
            }
        }
    }
    eprintln!("access: {count:?}");
    assert!(wrong.is_empty(), "{} of {} cells: {wrong:#?}", wrong.len(), count.tried);
    assert!(count.allowed > 200 && count.refused > 300, "most cells come to the bot: {count:?}");
    stage.house.close_after(&[403, 404]).await;
}

impl Entrance {
    /// Whether Discord lets somebody come as far as the bot.
    fn is_open_to(self, who: Who, place: Place) -> bool {
        match self.from() {
            _ if who == Who::AnotherBot => self.is_written(),
            Origin::Dm | Origin::Elsewhere => true,
            Origin::Lobby => who.is_member(),
            Origin::Own => matches!(
                (who, place),
                (Who::Player, _)
                    | (Who::Member, Place::Open | Place::Closed)
                    | (Who::FormerPlayer, Place::Direct)
            ),
        }
    }
}
