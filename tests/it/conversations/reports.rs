//! Reports: their destination, their contents, and the answer to the sender.

use rookery_playground::id::Id;
use rookery_playground::testing::visible_message::VisibleMessage;
use rookery_table::{ChannelId, GuildId};
use serde_json::json;

use super::quotas::answer_text;
use crate::duel::Duel;
use crate::test_bot::{TestBot, TestSetup};

/// Waits for the report in a channel.
async fn posted(bot: &TestBot, channel: Id) -> VisibleMessage {
    let is_report = |it: &VisibleMessage| it.content().starts_with("**Report**");
    bot.ada().wait_for(channel, "the report", is_report).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_go_to_the_channel_that_managers_chose_and_ping_nobody() {
    let bot = TestBot::start().await;
    let duel = Duel::begin(&bot).await;
    let (ada, games) = (bot.ada(), bot.games());
    let mods = bot.playground.new_channel("mods").unwrap();
    let panel = ada.slash(games, "config panel", &json!({})).unwrap().message().await.unwrap();
    let page = bot.press_private(&ada, &panel, "Reports and bans").await;
    assert!(page.content().contains("There's no reports channel"), "{}", page.content());
    let select = page.selects()[0]["custom_id"].as_str().unwrap().to_owned();
    let chosen = ada.choose(&page, &select, &[&mods.to_string()]).unwrap();
    let page = bot.changed(&ada, &page, &chosen).await;
    assert!(!page.content().contains("There's no reports channel"), "{}", page.content());
    assert_eq!(page.selects()[0]["default_values"][0]["id"], mods.to_string(), "{:?}", page.selects());

    let text = format!("**rude** {} @everyone [x](http://y)\n# loud", duel.ada.mention());
    let options = json!({"text": text, "person": duel.ada.id, "table": duel.table});
    let thanks = answer_text(&duel.ben, games, "report", &options).await;
    assert!(thanks.contains("this server's moderators"), "{thanks}");
    let report = posted(&bot, mods).await;
    assert_eq!(report.pinged(), [] as [&str; 0], "{}", report.content());
    assert!(!report.json["mention_everyone"].as_bool().unwrap_or_default());
    for part in [
        duel.ben.mention(),
        format!("About: {}", duel.ada.mention()),
        duel.table.clone(),
        format!("/{}/{}", duel.thread, duel.board.id),
        r"> \*\*rude\*\* \<\@".to_owned(),
        r"> \# loud".to_owned(),
    ] {
        assert!(report.content().contains(&part), "{} lacks {part}", report.content());
    }
    for _ in 0..2 {
        answer_text(&duel.ben, games, "report", &options).await;
    }
    let enough = answer_text(&duel.ben, games, "report", &options).await;
    assert!(enough.contains("3 reports an hour") && enough.contains("Report Message"), "{enough}");
    bot.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_go_to_the_operator_where_no_channel_was_chosen_or_it_is_closed() {
    let mut plan = TestSetup::default();
    // The channel's id is only known once a playground runs; two that start in the same millisecond have the same ids.
    let mut same_moment = TestSetup::default();
    same_moment.options.clock = plan.options.clock.clone();
    let first = TestBot::of(same_moment).await;
    let general = first.playground.channel("general");
    first.stop().await;
    plan.settings.report_channel = Some(ChannelId(general.0));
    let bot = TestBot::of(plan).await;
    let general = bot.playground.channel("general");
    let (ben, games) = (bot.ben(), bot.games());
    let thanks = answer_text(&ben, games, "report", &json!({"text": "spam"})).await;
    assert!(thanks.contains("the people who run Rookery"), "{thanks}");
    assert!(posted(&bot, general).await.content().contains("> spam"));
    let guild = bot.playground.guild("Rookery").unwrap();
    let closed = bot.playground.new_channel("closed").unwrap();
    bot.playground.deny_bot(closed, 1 << 10 | 1 << 11);
    bot.registry
        .preferences_cache()
        .change_server(GuildId(guild.0), |it| it.reports = Some(ChannelId(closed.0)))
        .await
        .unwrap();
    let thanks = answer_text(&ben, ben.dm(), "report", &json!({"text": "from afar"})).await;
    assert!(thanks.contains("the people who run Rookery"), "{thanks}");
    let thanks = answer_text(&ben, games, "report", &json!({"text": "once more"})).await;
    assert!(thanks.contains("the people who run Rookery"), "{thanks}");
    bot.stop_after(&[403]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_that_nobody_takes_are_not_said_to_be_sent() {
    let mut plan = TestSetup::default();
    plan.settings.contact = Some("ops@rookery.example".into());
    let bot = TestBot::of(plan).await;
    let told = answer_text(&bot.ben(), bot.games(), "report", &json!({"text": "spam"})).await;
    assert!(told.contains("Nobody was notified") && told.contains("ops@rookery.example"), "{told}");
    bot.stop().await;
}
