//! The bot itself refuses manager commands to other members, whatever Discord shows them.

use rookery_playground::id::Id;
use rookery_playground::testing::person::Person;
use rookery_table::GuildId;
use serde_json::{Value, json};

use crate::test_bot::TestBot;

const MANAGE_GUILD: u64 = 1 << 5;
const ADMINISTRATOR: u64 = 1 << 3;
/// The answer to members without the permission.
const REFUSAL: &str = "Only people who manage this server";

async fn answer(who: &Person, channel: Id, command: &str, options: Value) -> String {
    who.slash(channel, command, &options).unwrap().message().await.unwrap().content().to_owned()
}

/// A server's own settings may show the commands to everybody.
#[tokio::test(flavor = "multi_thread")]
async fn manager_commands_are_refused_to_members_who_can_see_them() {
    let bot = TestBot::start().await;
    let (ada, ben, games) = (bot.ada(), bot.ben(), bot.games());
    for command in ["config", "tv"] {
        bot.playground.show_to_all(command);
    }
    let commands =
        [("config panel", json!({})), ("config check", json!({})), ("tv", json!({"where": "here"}))];
    for (command, options) in &commands {
        let told = answer(&ben, games, command, options.clone()).await;
        assert!(told.contains(REFUSAL), "{command}: {told}");
    }
    let guild = bot.playground.guild("Rookery").unwrap();
    let television = bot.registry.journal().note("tv").await.unwrap();
    assert!(television.is_none_or(|known| !known.contains(&guild.to_string())), "nothing was put up");
    // The owner, who has no manager role, and an administrator are allowed.
    assert!(!answer(&ada, games, "config panel", json!({})).await.contains(REFUSAL));
    bot.playground.set_role_overwrite(games, guild, ADMINISTRATOR, 0);
    assert!(!answer(&ben, games, "config panel", json!({})).await.contains(REFUSAL));
    bot.stop().await;
}

/// A panel may still be open on the client of a former manager.
#[tokio::test(flavor = "multi_thread")]
async fn manager_panel_refuses_former_managers() {
    let bot = TestBot::start().await;
    let (ben, games) = (bot.ben(), bot.games());
    let guild = bot.playground.guild("Rookery").unwrap();
    bot.playground.set_role_overwrite(games, guild, MANAGE_GUILD, 0);
    let panel = async || ben.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let lobby = bot.playground.channel("lobby").to_string();
    // Each press needs its own panel, because the refusal replaces the panel.
    let (mut places, mut rest) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        places.push(panel().await);
        assert!(places[0].content().contains("Where games are played"), "{}", places[0].content());
    }
    for _ in 0..3 {
        let first = panel().await;
        rest.push(bot.press_private(&ben, &first, "Games and time").await);
    }
    bot.playground.set_role_overwrite(games, guild, 0, 0);

    let before = bot.registry.preferences_cache().server(Some(GuildId(guild.0))).await;
    let pressed = [
        (&places[0], ben.choose(&places[0], "cfg:lobby", &[&lobby])),
        (&places[1], ben.choose(&places[1], "cfg:theme", &["walnut"])),
        (&places[2], ben.click(&places[2], "cfg:threads:off")),
        (&places[3], ben.click(&places[3], "cfg:check")),
        (&rest[0], ben.choose(&rest[0], "cfg:strongest", &["easy"])),
        (&rest[1], ben.click(&rest[1], "cfg:rated:on")),
        (&rest[2], ben.click(&rest[2], "cfg:places")),
    ];
    for (index, (panel, pressed)) in pressed.into_iter().enumerate() {
        pressed.unwrap_or_else(|why| panic!("press {index}: {why:?}")).answer().await.unwrap();
        let refused = || ben.refetch(panel).filter(|it| it.content().contains(REFUSAL));
        bot.playground.wait(&format!("the refusal of press {index}"), refused).await.unwrap();
    }
    assert_eq!(
        bot.registry.preferences_cache().server(Some(GuildId(guild.0))).await,
        before,
        "nothing was changed"
    );
    bot.stop().await;
}
