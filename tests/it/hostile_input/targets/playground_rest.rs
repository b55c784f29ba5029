//! Requests to the playground: method and path on the first line, then the body. A body that begins with `--` is a form
//! with the boundary `x`. Words in capitals stand for ids of the playground.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use rookery_playground::clock::Clock;
use rookery_playground::limits::RateLimits;
use rookery_playground::{BOT_ID, Options, Playground};
use serde_json::json;
use tokio::runtime::Runtime;

use super::sockets::{EndOfRequest, exchange, runtime, status};
use super::{Target, text};

pub(super) const TARGET: Target = Target { name: "playground_rest", check, seeds, words };

/// A playground keeps what it was sent, so after this many inputs a fresh one starts.
const INPUTS_OF_A_PLAYGROUND: usize = 2_000;

/// What a connection in HTTP/2 begins with (RFC 9113, section 3.4).
const HTTP_2: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

static PLAYGROUND: Mutex<Option<Running>> = Mutex::new(None);

/// A playground with something of every kind that a request may name.
struct Running {
    runtime: Runtime,
    playground: Playground,
    inputs_left: usize,
    /// Words for inputs, with their ids.
    ids: Vec<(&'static str, String)>,
}

fn check(bytes: &[u8]) {
    let mut playground = PLAYGROUND.lock().unwrap_or_else(PoisonError::into_inner);
    let running = match playground.take().filter(|running| running.inputs_left > 0) {
        Some(running) => playground.insert(running),
        None => playground.insert(Running::start()),
    };
    running.inputs_left -= 1;
    let written = running.with_ids(&text(bytes));
    let (line, body) = written.split_once('\n').unwrap_or((&written, ""));
    let (method, path) = line.split_once(' ').unwrap_or(("POST", line));
    let request = request(&running.playground, method, path, body.as_bytes());
    let address = running.playground.addr();
    let answer = running.runtime.block_on(exchange(address, &request, EndOfRequest::WithTheAnswer));
    // hyper takes what it can't read and has this in it for HTTP/2, and closes the connection.
    if answer.is_empty() && request.windows(HTTP_2.len()).any(|part| part == HTTP_2) {
        return;
    }
    let status = status(&answer, &request);
    assert!(status < 500, "{status} in answer to {:?}", text(&request));
    // A client finds out from the body what was wrong with its request. What is no request at all, or has an address that
    // is too long, is refused before the playground sees it.
    let head = answer.windows(4).position(|end| end == b"\r\n\r\n").unwrap_or(answer.len());
    let is_own = text(&answer[..head]).contains("x-content-type-options");
    let explains = head + 4 < answer.len() || status < 400 || status == 405 || method == "HEAD";
    assert!(explains || !is_own || !path.starts_with("/api/"), "{status} in answer to {:?}", text(&request));
}

/// Returns a request of the bot and the page, whose head is as it should be except for method and path.
pub(super) fn request(playground: &Playground, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
    let is_token = |sign: &char| sign.is_ascii_alphabetic();
    let method: String = method.chars().filter(is_token).take(16).collect();
    let method = if method.is_empty() { "GET" } else { &method };
    let visible = |sign: char| if sign.is_ascii_graphic() { sign } else { '+' };
    let path: String = path.chars().map(visible).collect();
    let path = if path.starts_with('/') { path } else { format!("/{path}") };
    let kind = match body {
        [b'-', b'-', ..] => "multipart/form-data; boundary=x",
        _ if path.contains("oauth2") => "application/x-www-form-urlencoded",
        _ => "application/json",
    };
    let (token, page, length) = (playground.token(), playground.page_token(), body.len());
    let person = playground.user("Ada").id;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: DiscordBot (a, 1)\r\nAuthorization: Bot {token}\r\n\
         X-Playground-Token: {page}\r\nX-Playground-User: {person}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Starts a playground whose clock stands still and which limits no rates.
pub(super) async fn start() -> Playground {
    let options = Options {
        clock: Clock::manual(),
        rate_limits: RateLimits::none(),
        client_secret: Some("SECRET".to_owned()),
        redirects: vec!["http://127.0.0.1:9/back".to_owned()],
        ..Options::default()
    };
    Playground::start(options).await.expect("a playground")
}

impl Running {
    fn start() -> Running {
        let runtime = runtime();
        let playground = runtime.block_on(start());
        let address = playground.addr();
        // Nothing listens there: the pages of the Activity are another target.
        playground.map_activity(std::net::SocketAddr::from(([127, 0, 0, 1], 9)));
        let send =
            |method: &str, path: &str, body: &str| send(&runtime, &playground, address, method, path, body);
        let command = json!([{"name": "try", "description": "A try.", "type": 1}]).to_string();
        send("PUT", &format!("/api/v10/applications/{BOT_ID}/commands"), &command);
        let channel = playground.channel("games");
        let path = format!("/api/v10/channels/{channel}/messages");
        let buttons = json!({"content": "a board", "components": [{"type": 1, "components":
            [{"type": 2, "style": 1, "label": "Join", "custom_id": "1:K7Q2:0:join"}]}]});
        send("POST", &path, &buttons.to_string());
        let ada = playground.user("Ada");
        let board = ada.messages(channel).last().map(|message| message.id.to_string()).unwrap_or_default();
        send("POST", &format!("{path}/{board}/threads"), &json!({"name": "a game"}).to_string());
        let thread = playground.threads(channel).first().map(ToString::to_string).unwrap_or_default();
        let guild = playground.guild("Rookery").map(|guild| guild.to_string()).unwrap_or_default();
        let ids = vec![
            ("CHANNEL", channel.to_string()),
            ("MESSAGE", board),
            ("THREAD", thread),
            ("GUILD", guild),
            ("PERSON", ada.id.to_string()),
            ("BOT", BOT_ID.to_string()),
        ];
        assert!(ids.iter().all(|(word, id)| !id.is_empty() || panic!("there is no {word}")));
        Running { runtime, playground, inputs_left: INPUTS_OF_A_PLAYGROUND, ids }
    }

    /// Replaces the words for ids. An interaction begins with every input that names one, since it has one answer.
    fn with_ids(&self, text: &str) -> String {
        let mut written = text.to_owned();
        if text.contains("INTERACTION") || text.contains("TOKEN") {
            let channel = self.playground.channel("games");
            // Its answer is what the input is about.
            drop(
                self.runtime
                    .block_on(async { self.playground.user("Ada").slash(channel, "try", &json!({})) }),
            );
            let event = self.playground.last_event("INTERACTION_CREATE").unwrap_or_default();
            for (word, field) in [("INTERACTION", "id"), ("TOKEN", "token")] {
                written = written.replace(word, event[field].as_str().unwrap_or_default());
            }
        }
        self.ids.iter().fold(written, |written, (word, id)| written.replace(word, id))
    }
}

fn send(
    runtime: &Runtime,
    playground: &Playground,
    address: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
) {
    let request = request(playground, method, path, body.as_bytes());
    let answer = runtime.block_on(exchange(address, &request, EndOfRequest::WithTheAnswer));
    assert!(status(&answer, &request) < 300, "{}", text(&answer));
}

fn seeds() -> Vec<Vec<u8>> {
    let form = "POST /api/v10/channels/CHANNEL/messages\n--x\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n\
        {\"content\":\"a\",\"attachments\":[{\"id\":0,\"filename\":\"a.png\"}]}\r\n--x\r\n\
        Content-Disposition: form-data; name=\"files[0]\"; filename=\"a.png\"\r\n\r\nPNG\r\n--x--\r\n";
    let requests = [
        "GET /api/v10/gateway/bot",
        // A fragment isn't a part of the path.
        "GET /api/#v10/channels/CHANNEL",
        "GET /api/v10/users/@me",
        "GET /api/v10/users/@me/guilds?limit=1&after=0",
        "POST /api/v10/users/@me/channels\n{\"recipient_id\":\"PERSON\"}",
        "GET /api/v10/channels/CHANNEL/messages?limit=100&before=MESSAGE",
        "POST /api/v10/channels/CHANNEL/messages\n{\"content\":\"<@PERSON> hi\",\"nonce\":\"1\",\"enforce_nonce\":true,\
         \"allowed_mentions\":{\"parse\":[],\"users\":[\"PERSON\"]},\"message_reference\":{\"message_id\":\"MESSAGE\"}}",
        "POST /api/v10/channels/CHANNEL/messages\n{\"embeds\":[{\"title\":\"a\",\"fields\":[{\"name\":\"b\",\"value\":\"c\"}]}],\
         \"components\":[{\"type\":1,\"components\":[{\"type\":3,\"custom_id\":\"a\",\"options\":[{\"label\":\"a\",\"value\":\"b\"}]}]}]}",
        "PATCH /api/v10/channels/CHANNEL/messages/MESSAGE\n{\"content\":\"\",\"components\":[]}",
        "DELETE /api/v10/channels/CHANNEL/messages/MESSAGE",
        "PUT /api/v10/channels/CHANNEL/pins/MESSAGE",
        "GET /api/v10/channels/CHANNEL/messages/pins?limit=1",
        "PUT /api/v10/channels/CHANNEL/messages/MESSAGE/reactions/%F0%9F%91%8D/@me",
        "POST /api/v10/channels/CHANNEL/threads\n{\"name\":\"t\",\"type\":11,\"auto_archive_duration\":60}",
        "POST /api/v10/channels/CHANNEL/messages/MESSAGE/threads\n{\"name\":\"t\"}",
        "PATCH /api/v10/channels/THREAD\n{\"archived\":true,\"locked\":true,\"name\":\"u\"}",
        "PUT /api/v10/channels/THREAD/thread-members/PERSON",
        "DELETE /api/v10/channels/THREAD/thread-members/@me",
        "GET /api/v10/guilds/GUILD?with_counts=true",
        "GET /api/v10/guilds/GUILD/members/search?query=a&limit=1000",
        "POST /api/v10/guilds/GUILD/channels\n{\"name\":\"c\",\"type\":0,\"topic\":\"t\"}",
        "PUT /api/v10/applications/BOT/commands\n[{\"name\":\"a\",\"description\":\"b\",\"options\":[{\"type\":3,\"name\":\"c\",\
         \"description\":\"d\",\"autocomplete\":true,\"min_length\":1,\"choices\":[]}],\"contexts\":[0,1,2]}]",
        "POST /api/v10/interactions/INTERACTION/TOKEN/callback\n{\"type\":4,\"data\":{\"content\":\"a\",\"flags\":64}}",
        "POST /api/v10/interactions/INTERACTION/TOKEN/callback\n{\"type\":5}",
        "POST /api/v10/interactions/INTERACTION/TOKEN/callback?with_response=true\n{\"type\":12}",
        "PUT /api/v10/applications/BOT/commands\n[{\"name\":\"launch\",\"description\":\"b\",\"type\":4,\"handler\":1}]",
        "POST /page/interactions\n{\"type\":2,\"channel_id\":\"CHANNEL\",\"data\":{\"name\":\"launch\",\"type\":4}}",
        "POST /page/activity/participants\n{\"frame_id\":\"f\"}",
        "POST /page/activity/authorize\n{\"frame_id\":\"f\",\"agreed\":true,\"args\":{\"client_id\":\"BOT\",\"scope\":[\"identify\"],\"prompt\":\"none\"}}",
        "POST /page/activity/authenticate\n{\"frame_id\":\"f\",\"access_token\":\"a\"}",
        "POST /page/activity/close\n{\"frame_id\":\"f\"}",
        "POST /api/v10/interactions/INTERACTION/TOKEN/callback\n{\"type\":9,\"data\":{\"custom_id\":\"m\",\"title\":\"t\",\
         \"components\":[{\"type\":1,\"components\":[{\"type\":4,\"custom_id\":\"x\",\"style\":1,\"label\":\"l\"}]}]}}",
        "POST /api/v10/webhooks/BOT/TOKEN\n{\"content\":\"more\"}",
        "PATCH /api/v10/webhooks/BOT/TOKEN/messages/@original\n{\"content\":\"other\"}",
        "GET /page/state",
        "GET /page/users",
        "GET /page/ws?as=PERSON",
        "POST /page/users\n{\"name\":\"Eve\"}",
        "POST /page/channels/CHANNEL/messages\n{\"content\":\"/try\"}",
        "PATCH /page/channels/CHANNEL/messages/MESSAGE\n{\"content\":\"a\"}",
        "POST /page/dms\n{\"recipient_id\":\"PERSON\"}",
        "POST /page/interactions\n{\"type\":2,\"channel_id\":\"CHANNEL\",\"data\":{\"name\":\"try\",\"options\":[]}}",
        "POST /page/interactions\n{\"type\":3,\"message_id\":\"MESSAGE\",\"channel_id\":\"CHANNEL\",\
         \"data\":{\"custom_id\":\"1:K7Q2:0:join\"}}",
        "GET /oauth2/authorize?response_type=code&client_id=BOT&scope=identify&state=a&redirect_uri=http://127.0.0.1:9/back",
        "POST /oauth2/authorize\nresponse_type=code&client_id=BOT&scope=identify&state=%0d%0a&redirect_uri=http://127.0.0.1:9/back&person=PERSON",
        "POST /oauth2/authorize\nresponse_type=code&client_id=BOT&scope=identify&redirect_uri=http://127.0.0.1:9/back&person=",
        "POST /api/oauth2/token\ngrant_type=authorization_code&code=a&client_id=BOT&client_secret=SECRET",
        "POST /api/oauth2/token/revoke\ntoken=a&client_id=BOT&client_secret=SECRET",
        "GET /",
        form,
    ];
    requests.map(|request| request.as_bytes().to_vec()).to_vec()
}

fn words() -> Vec<String> {
    let words = "CHANNEL MESSAGE THREAD GUILD PERSON BOT INTERACTION TOKEN @me @original ?limit= &before= &after= &around= GET \
        POST PUT PATCH DELETE HEAD OPTIONS null true [] {} \"content\": \"embeds\":[ \"components\":[ \"type\": \"flags\": \
        \"nonce\": \"attachments\":[ \"custom_id\": \"options\":[ \"choices\":[ \"allowed_mentions\":{ \"parse\":[ \
        \"message_reference\":{ \"auto_archive_duration\": \"name\": \"description\": 18446744073709551615 -1 1e308 \
        9223372036854775807 1.5 %00 %2F %FF \\ud800 --x /page/ /api/v10/ files[18446744073709551615]";
    words.split_whitespace().map(str::to_owned).collect()
}
