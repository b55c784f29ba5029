//! The host of the little Discord: the playground behind an HTTP server on turmoil's network, and its people.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rookery_playground::clock::Clock;
use rookery_playground::limits::RateLimits;
use rookery_playground::{Options, Playground};
use turmoil::net::TcpListener;

use crate::clock::BEGINNING_MS;
use crate::options::Defect;
use crate::people;
use crate::world::World;

/// The name of the host on turmoil's network.
pub(crate) const NAME: &str = "discord";
/// The address of the API. Discord is what every address leads to.
pub(crate) const BASE: &str = "http://127.0.0.1:80";
/// The bot's token.
pub(crate) const TOKEN: &str = "a-token-for-the-simulation";

const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 80);

/// Runs Discord until the end of the simulation.
pub(crate) async fn run(world: Arc<World>) -> turmoil::Result {
    let options = Options {
        clock: Clock::manual_at(u64::try_from(BEGINNING_MS)?),
        token: Some(TOKEN.to_owned()),
        allow_message_content: true,
        rate_limits: if world.seed.is_multiple_of(4) { RateLimits::discord() } else { RateLimits::none() },
        ..Options::default()
    };
    let playground = Arc::new(Playground::without_listener(options, ADDRESS).await?);
    if world.defect == Some(Defect::BlindSearch) {
        playground.forget_nonces();
    }
    let router = playground.router();
    if world.playground.set(playground).is_err() {
        return Err("Discord starts once".into());
    }
    drop(tokio::spawn(people::run(world)));
    let listener = TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), ADDRESS.port())).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(router.clone());
        let serving = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        // A lost connection is no error here.
        drop(tokio::spawn(async move { drop(serving.await) }));
    }
}
