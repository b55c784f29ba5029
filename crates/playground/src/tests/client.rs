//! Conversations through the real serenity client, which must be able to read every event.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Once;

use serde_json::json;

use super::super::limits::RateLimits;
use super::super::{Answer, BOT_ID, Options, Playground};
use super::echo::{http, start_echo};

thread_local! {
    static LINES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Serenity's DEBUG log lines on the thread of one test. One subscriber serves the whole process: subscribers that come
/// and go with their threads lose lines, because tracing caches for all threads together whether a line is enabled.
struct Log;

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.write(line))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn listen() -> Log {
        static SUBSCRIBER: Once = Once::new();
        SUBSCRIBER.call_once(|| {
            let lines = tracing_subscriber::fmt().with_env_filter("serenity=debug");
            lines.with_writer(|| Log).with_ansi(false).init();
        });
        LINES.take();
        Log
    }

    fn lines_with(&self, part: &str) -> Vec<String> {
        let text = LINES.with_borrow(|lines| String::from_utf8(lines.clone()).expect("text"));
        text.lines().filter(|line| line.contains(part)).map(str::to_owned).collect()
    }
}

/// The line that serenity logs only when it drops an event it cannot read.
const UNKNOWN: &str = "An unknown event was received";

async fn with_echo(options: Options) -> Playground {
    let playground = Playground::start(options).await.expect("starts");
    start_echo(&playground).await;
    playground
}

fn unlimited() -> Options {
    Options { rate_limits: RateLimits::none(), ..Options::default() }
}

#[tokio::test]
async fn serenity_logs_unreadable_events() {
    let log = Log::listen();
    let playground = with_echo(unlimited()).await;
    let torn = json!({"id": "1", "name": "no more than that"});
    playground.shared.change(|discord_state| discord_state.send_to_bot("GUILD_CREATE", 1, None, torn));
    let ada = playground.user("Ada");
    ada.say(ada.dm(), "after it").expect("said");
    ada.wait_for(ada.dm(), "a reply", |it| it.content().contains("I heard")).await.expect("heard");
    assert_eq!(log.lines_with(UNKNOWN).len(), 1);
    playground.stop().await;
}

#[tokio::test]
async fn every_event_and_answer_is_readable_by_serenity() {
    let log = Log::listen();
    let playground = with_echo(unlimited()).await;
    commands(&playground).await;
    components(&playground).await;
    threads_and_talk(&playground).await;
    moderation(&playground).await;
    assert_eq!(log.lines_with("unknown event"), Vec::<String>::new());
    assert!(!log.lines_with("serenity").is_empty(), "the log was listened to");
    playground.stop().await;
}

async fn commands(playground: &Playground) {
    let (ada, ben, games) = (playground.user("Ada"), playground.user("Ben"), playground.channel("games"));
    let options = json!({"text": "hello", "to": ben.id, "times": 3});
    let echoed = ada.slash(games, "echo", &options).expect("asked").message().await.expect("answered");
    assert!(echoed.content().contains("hello") && echoed.content().contains(&ben.id.to_string()));
    let long = ada.slash(games, "rules long", &json!({"game": "amoeba"})).expect("asked");
    assert!(long.message().await.expect("answered").content().contains("amoeba"));
    assert!(ada.slash(games, "rules long", &json!({"game": "chess"})).is_err(), "not among the choices");
    let choices = ada.complete(games, "pick", &json!({"fruit": "b"}), "fruit").await.expect("completed");
    assert_eq!(choices.iter().map(|it| &it["value"]).collect::<Vec<_>>(), ["banana", "blackberry"]);
    let greeted = ada.on_user(games, "Greet", ben.id).expect("asked").message().await.expect("answered");
    assert!(greeted.content().contains(&ben.id.to_string()));
    let line = ben.say(games, "to be quoted").expect("said");
    let quoted = ada.on_message(&line, "Quote").expect("asked").message().await.expect("answered");
    assert_eq!(quoted.content(), "> to be quoted");
    let secret = ada.slash(games, "secret", &json!({})).expect("asked").message().await.expect("answered");
    assert!(secret.is_ephemeral() && ben.refetch(&secret).is_none());
    let pressed = ada.click(&secret, secret.button("Change").expect("a button")).expect("pressed");
    assert!(pressed.message().await.expect("answered").content().starts_with("Changed"));
    let slow = ada.slash(games, "slow", &json!({})).expect("asked");
    assert_eq!(slow.answer().await.expect("answered"), Answer::Deferred);
    playground.wait("a follow-up", || slow.follow_ups().pop()).await.expect("follows");
    assert_eq!(slow.message().await.expect("answered").files()[0]["width"], 400);
}

async fn components(playground: &Playground) {
    let (ada, ben, games) = (playground.user("Ada"), playground.user("Ben"), playground.channel("games"));
    let shown = ada.slash(games, "show", &json!({})).expect("asked").message().await.expect("answered");
    assert_eq!(shown.files()[0]["description"], "An empty board of ten by ten squares.");
    let chosen = ben.choose(&shown, "list", &["apple", "cherry"]).expect("chosen");
    assert_eq!(chosen.message().await.expect("answered").content(), "Chosen: apple, cherry");
    assert!(ben.choose(&shown, "list", &["durian"]).is_err());
    let someone = ada.id.to_string();
    ben.choose(&shown, "people", &[&someone]).expect("chosen").message().await.expect("answered");
    assert!(ben.click(&shown, "off").is_err(), "disabled");
    let opened = ben.click(&shown, "form").expect("pressed").answer().await.expect("answered");
    assert!(matches!(opened, Answer::Modal(_)));
    let filled = ben.submit_modal("move-form", &json!({"move": "f1-e2/f1"})).expect("submitted");
    assert_eq!(filled.message().await.expect("answered").content(), "Filled in: f1-e2/f1 /");
    let changed = ada.click(&shown, "change").expect("pressed").message().await.expect("answered");
    assert_eq!(changed.id, shown.id);
    let taken = ada.click(&changed, "nothing").expect("pressed").answer().await.expect("answered");
    assert_eq!(taken, Answer::DeferredUpdate);
}

async fn threads_and_talk(playground: &Playground) {
    let (ada, lobby) = (playground.user("Ada"), playground.channel("lobby"));
    ada.slash(lobby, "table", &json!({})).expect("asked");
    let thread = ada.wait_for_thread(lobby, "K7Q2").await.expect("a thread");
    let board = ada.wait_for(thread, "a board", |it| !it.files().is_empty()).await.expect("posted");
    assert_eq!(board.pinged(), ["Ada"]);
    ada.say(thread, "the bot may not read this").expect("said");
    ada.reply(&board, "read this").expect("said");
    ada.wait_for(thread, "a reply", |it| it.content() == "I heard: read this").await.expect("heard");
    ada.say(thread, &format!("<@{BOT_ID}> and this")).expect("said");
    ada.wait_for(thread, "a reply", |it| {
        it.content().starts_with("I heard") && it.content().ends_with("and this")
    })
    .await
    .expect("heard");
    let heard = ada.messages(thread).iter().filter(|it| it.content().starts_with("I heard")).count();
    assert_eq!(heard, 2);
}

/// Events of moderators and all requests of the bot: serenity must be able to read each.
async fn moderation(playground: &Playground) {
    use serenity::all::{ChannelId, EditMessage, EditThread, GuildId, ReactionType, UserId};
    let http = http(playground);
    let (eve, games) = (playground.new_user("Eve"), playground.channel("games"));
    let guild = playground.guild("Rookery").expect("a server");
    let line = eve.say(games, "a line").expect("said");
    eve.edit(&line, "another").expect("edited");
    eve.delete(&line).expect("deleted");
    let channel = ChannelId::new(games.0);
    let mut post = channel.say(&http, "a post").await.expect("posted");
    post.edit(&http, EditMessage::new().content("changed")).await.expect("edited");
    post.react(&http, ReactionType::Unicode("🐦".into())).await.expect("reacted");
    channel.broadcast_typing(&http).await.expect("typing");
    channel.messages(&http, serenity::all::GetMessages::new().limit(5)).await.expect("messages");
    let member = GuildId::new(guild.0).member(&http, UserId::new(eve.id.0)).await.expect("a member");
    assert_eq!(member.user.global_name.as_deref(), Some("Eve"));
    GuildId::new(guild.0).channels(&http).await.expect("channels");
    GuildId::new(guild.0).to_partial_guild(&http).await.expect("a server");
    GuildId::new(guild.0).get_active_threads(&http).await.expect("threads");
    GuildId::new(guild.0).search_members(&http, "ev", None).await.expect("members");
    http.get_current_application_info().await.expect("an application");
    http.get_global_commands().await.expect("commands");
    let thread = post
        .channel_id
        .create_thread_from_message(&http, post.id, serenity::all::CreateThread::new("T"))
        .await;
    let mut thread = thread.expect("a thread");
    thread.edit_thread(&http, EditThread::new().archived(true)).await.expect("archived");
    playground.set_thread(super::super::id::Id(thread.id.get()), false, true);
    playground.delete_channel(super::super::id::Id(thread.id.get()));
    let room = playground.new_channel("room").expect("a channel");
    playground.deny_bot(room, 1 << 11);
    playground.delete_channel(room);
    playground.leave(guild, &eve);
    playground.remove_bot(guild);
    playground.invite_bot(guild);
    let ada = playground.user("Ada");
    ada.say(ada.dm(), "last of all").expect("said");
    ada.wait_for(ada.dm(), "a reply", |it| it.content().contains("last of all")).await.expect("heard");
}

#[tokio::test]
async fn serenity_resumes_after_a_cut_and_a_request_to_reconnect() {
    let playground = with_echo(unlimited()).await;
    let ada = playground.user("Ada");
    let dm = ada.dm();
    for (n, fault) in ["cut", "asked to reconnect"].iter().enumerate() {
        match n {
            0 => playground.faults().drop_gateway(),
            _ => playground.faults().ask_to_reconnect(),
        }
        ada.say(dm, fault).expect("said");
        ada.wait_for(dm, fault, |it| it.content() == format!("I heard: {fault}")).await.expect("heard");
    }
    playground.stop().await;
}
