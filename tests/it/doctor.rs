//! `rookery doctor` against the playground: a healthy bot, a missing permission, a wrong token or secret, a redirect that
//! isn't registered, a server that is down.

use std::path::Path;
use std::process::Command;

use rookery_playground::id::Id;
use rookery_playground::{Options, Playground};

/// Discord's permission bit SEND_MESSAGES.
const SEND: u64 = 1 << 11;

/// Runs the program; returns its standard output and exit code.
async fn doctor(folder: &Path, base: &str, token: &str, channel: Id) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
    command.current_dir(folder).env_clear().args(["doctor", "--channel", &channel.to_string()]);
    command.env("DISCORD_TOKEN", token).env("DISCORD_API_BASE", base);
    let ran = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    (String::from_utf8(ran.stdout).unwrap(), ran.status.code())
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_finds_what_is_wrong_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let playground = Playground::start(Options::default()).await.unwrap();
    let (base, games) = (playground.api_base(), playground.channel("games"));
    let ask = async |token: &str, channel| doctor(folder.path(), &base, token, channel).await;

    let (told, code) = ask(playground.token(), games).await;
    assert_eq!(code, Some(0), "{told}");
    for part in
        ["ok      Token: ", "ok      Servers: ", "ok      Channel: The bot has every permission in #games."]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "it leaves nothing behind");

    playground.deny_bot(games, SEND);
    let (told, code) = ask(playground.token(), games).await;
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("FAULT   Channel: #games lacks Send Messages"), "{told}");
    assert!(told.contains("To do: allow Send Messages for Rookery's role"), "{told}");

    let (told, code) = ask("misspelt.token", games).await;
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("FAULT   Token: Discord does not accept it.") && !told.contains("misspelt"),
        "{told}"
    );

    let token = playground.token().to_owned();
    let (told, _) = ask(&token, Id(1)).await;
    assert!(told.contains("FAULT   Channel: 1 can't be seen: "), "{told}");
    playground.stop().await;
    let (told, code) = ask(&token, games).await;
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("can't be reached: ") && told.contains("To do: check the network"), "{told}");
}

/// What signing in with Discord needs: the secret, and a redirect to the pages.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_checks_signing_in_with_discord() {
    let folder = tempfile::tempdir().unwrap();
    let redirects = vec!["https://games.example.org/discord/return".to_owned()];
    let playground = Playground::start(Options { redirects, ..Options::default() }).await.unwrap();
    let (base, token) = (playground.api_base(), playground.token().to_owned());
    let examine = async |secret: &str, address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command.current_dir(folder.path()).env_clear().arg("doctor");
        command.env("DISCORD_TOKEN", &token).env("DISCORD_API_BASE", &base);
        command.env("DISCORD_CLIENT_SECRET", secret).env("ROOKERY_WEB__ADDRESS", address);
        command.env("ROOKERY_WEB__LISTEN", "127.0.0.1:0");
        let ran = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    let told = examine(playground.client_secret(), "https://games.example.org").await;
    assert!(told.contains("ok      Client secret: Discord accepts it."), "{told}");
    let led = "ok      Sign-in: Discord leads people back to https://games.example.org/discord/return.";
    assert!(told.contains(led), "{told}");
    let told = examine("misspelt", "https://boards.example.org").await;
    assert!(told.contains("FAULT   Client secret: Discord does not accept it"), "{told}");
    assert!(
        told.contains("To do: copy it from Discord's developer portal") && !told.contains("misspelt"),
        "{told}"
    );
    let refused =
        "FAULT   Sign-in: Discord refuses to lead people back to https://boards.example.org/discord/return.";
    assert!(told.contains(refused) && told.contains("To do: add this address to the redirects"), "{told}");
    playground.stop().await;
}
