//! For trying the page by hand: a playground with the echo bot, for some minutes.

use std::net::SocketAddr;
use std::time::Duration;

use super::super::{Options, Playground};
use super::echo::start_echo;

fn setting(name: &str, otherwise: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "serves for minutes, for a person to look at"]
async fn serve() {
    let port: u16 = setting("PLAYGROUND_PORT", "8080").parse().expect("PLAYGROUND_PORT is a number");
    let minutes: u64 = setting("PLAYGROUND_MINUTES", "10").parse().expect("PLAYGROUND_MINUTES is a number");
    let data = std::env::var("PLAYGROUND_DATA").ok().map(Into::into);
    let listen = SocketAddr::from(([127, 0, 0, 1], port));
    let playground = Playground::start(Options { listen, data, ..Options::default() }).await.expect("starts");
    start_echo(&playground).await;
    eprintln!("open {}/page/ for {minutes} minutes", playground.api_base());
    tokio::time::sleep(Duration::from_secs(60 * minutes)).await;
    playground.stop().await;
}
