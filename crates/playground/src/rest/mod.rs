//! REST v10: one table of routes, one pipeline for every request of the bot, and handlers by area.

pub(crate) mod call;
mod channels;
mod commands;
mod guilds;
mod interactions;
mod messages;
mod pipeline;
mod reactions;
mod threads;
mod users;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodFilter, on};

use super::shared_state::SharedState;
use call::Handler;
use pipeline::AccessLevel;

/// A route: method, template, required authorization, handler.
struct Route(MethodFilter, &'static str, AccessLevel, Handler);

/// The routes under `/api/v10`.
pub(crate) fn router(shared: &Arc<SharedState>) -> Router {
    let mut router = Router::new();
    for Route(method, template, access, handler) in routes() {
        let shared = shared.clone();
        let entry = move |request| pipeline::enter(shared, template, access, handler, request);
        router = router.route(&format!("/api/v10{template}"), on(method, entry));
    }
    let unknown = || {
        let shared = shared.clone();
        axum::routing::any(move |request| pipeline::unknown(shared, request))
    };
    router.route("/api/", unknown()).route("/api/{*rest}", unknown())
}

fn routes() -> Vec<Route> {
    use AccessLevel::{Bot, BotOrPerson, Token};
    const GET: MethodFilter = MethodFilter::GET;
    const POST: MethodFilter = MethodFilter::POST;
    const PUT: MethodFilter = MethodFilter::PUT;
    const PATCH: MethodFilter = MethodFilter::PATCH;
    const DELETE: MethodFilter = MethodFilter::DELETE;
    vec![
        Route(GET, "/gateway", Bot, users::gateway),
        Route(GET, "/gateway/bot", Bot, users::gateway_bot),
        Route(GET, "/users/@me", BotOrPerson, users::me),
        Route(PATCH, "/users/@me", Bot, users::me),
        Route(GET, "/users/@me/guilds", Bot, users::my_guilds),
        Route(POST, "/users/@me/channels", Bot, users::open_dm),
        Route(GET, "/users/{user}", Bot, users::user),
        Route(GET, "/applications/@me", Bot, users::application),
        Route(PATCH, "/applications/@me", Bot, users::application),
        Route(GET, "/oauth2/applications/@me", Bot, users::application),
        Route(GET, "/channels/{channel}", Bot, channels::get),
        Route(PATCH, "/channels/{channel}", Bot, channels::change),
        Route(DELETE, "/channels/{channel}", Bot, channels::delete),
        Route(POST, "/channels/{channel}/typing", Bot, channels::typing),
        Route(GET, "/channels/{channel}/messages", Bot, messages::list),
        Route(POST, "/channels/{channel}/messages", Bot, messages::create),
        Route(GET, "/channels/{channel}/messages/{message}", Bot, messages::get),
        Route(PATCH, "/channels/{channel}/messages/{message}", Bot, messages::edit),
        Route(DELETE, "/channels/{channel}/messages/{message}", Bot, messages::delete),
        Route(GET, "/channels/{channel}/pins", Bot, messages::pins),
        Route(PUT, "/channels/{channel}/pins/{message}", Bot, messages::pin),
        Route(DELETE, "/channels/{channel}/pins/{message}", Bot, messages::unpin),
        Route(GET, "/channels/{channel}/messages/pins", Bot, messages::pins_page),
        Route(PUT, "/channels/{channel}/messages/pins/{message}", Bot, messages::pin),
        Route(DELETE, "/channels/{channel}/messages/pins/{message}", Bot, messages::unpin),
        Route(PUT, "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", Bot, reactions::add),
        Route(DELETE, "/channels/{channel}/messages/{message}/reactions/{emoji}/@me", Bot, reactions::remove),
        Route(POST, "/channels/{channel}/messages/{message}/threads", Bot, threads::open_on_message),
        Route(POST, "/channels/{channel}/threads", Bot, threads::open),
        Route(GET, "/channels/{channel}/thread-members", Bot, threads::members),
        Route(GET, "/channels/{channel}/thread-members/{user}", Bot, threads::member),
        Route(PUT, "/channels/{channel}/thread-members/@me", Bot, threads::join),
        Route(DELETE, "/channels/{channel}/thread-members/@me", Bot, threads::leave),
        Route(PUT, "/channels/{channel}/thread-members/{user}", Bot, threads::add_member),
        Route(DELETE, "/channels/{channel}/thread-members/{user}", Bot, threads::remove_member),
        Route(GET, "/guilds/{guild}", Bot, guilds::get),
        Route(GET, "/guilds/{guild}/channels", Bot, guilds::channels),
        Route(POST, "/guilds/{guild}/channels", Bot, guilds::create_channel),
        Route(GET, "/guilds/{guild}/threads/active", Bot, guilds::active_threads),
        Route(GET, "/guilds/{guild}/roles", Bot, guilds::roles),
        Route(GET, "/guilds/{guild}/members", Bot, guilds::members),
        Route(GET, "/guilds/{guild}/members/search", Bot, guilds::search),
        Route(GET, "/guilds/{guild}/members/{user}", Bot, guilds::member),
        Route(GET, "/applications/{application}/commands", Bot, commands::list),
        Route(PUT, "/applications/{application}/commands", Bot, commands::overwrite),
        Route(POST, "/applications/{application}/commands", Bot, commands::create),
        Route(GET, "/applications/{application}/commands/{command}", Bot, commands::get),
        Route(PATCH, "/applications/{application}/commands/{command}", Bot, commands::edit),
        Route(DELETE, "/applications/{application}/commands/{command}", Bot, commands::delete),
        Route(GET, "/applications/{application}/guilds/{guild}/commands", Bot, commands::list_of_guild),
        Route(PUT, "/applications/{application}/guilds/{guild}/commands", Bot, commands::overwrite_of_guild),
        Route(POST, "/interactions/{interaction}/{token}/callback", Token, interactions::callback),
        Route(POST, "/webhooks/{application}/{token}", Token, webhooks::follow_up),
        Route(GET, "/webhooks/{application}/{token}/messages/{message}", Token, webhooks::get),
        Route(PATCH, "/webhooks/{application}/{token}/messages/{message}", Token, webhooks::edit),
        Route(DELETE, "/webhooks/{application}/{token}/messages/{message}", Token, webhooks::delete),
    ]
}
