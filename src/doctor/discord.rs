//! The checks of what Discord says: the token, the clock, intents, sessions, and the permissions in a channel.

use jiff::{SignedDuration, Timestamp};
use rookery_i18n::Localizer;
use rookery_table::{ChannelId, GuildId};
use serenity::all::{ApplicationFlags, ChannelType, CurrentUser, GuildChannel, HttpError, Permissions};
use serenity::http::Http;

use super::{DISCORD, Finding, api, cause, unknown};
use crate::config::{Config, DiscordTarget};
use crate::discord::lacking_in_channel;

/// A difference of clocks above which timestamps in messages look wrong.
const VISIBLE_SKEW: SignedDuration = SignedDuration::from_secs(5);
/// A difference of clocks above which games run out of time wrongly and secure connections may fail.
const HARMFUL_SKEW: SignedDuration = SignedDuration::from_secs(60);
/// With fewer session starts left today, a restart loop could use them up.
const FEW_STARTS: u64 = 20;
/// How long the request that tells Discord's clock may take.
const CLOCK_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

/// Checks what Discord says about the bot; the playground needs no checks.
pub(super) async fn examine(config: &Config, channel: Option<ChannelId>) -> Vec<Finding> {
    let (token, base) = match config.target() {
        Ok(DiscordTarget::Discord { token, api_base }) => (token, api_base),
        Ok(DiscordTarget::Playground(_)) => {
            let remedy = "to play on Discord, set DISCORD_TOKEN; docs/operate.md says how to get a token";
            return vec![Finding::advice("Token", "There is none, so Rookery runs its playground.", remedy)];
        }
        Err(error) => {
            return vec![Finding::fault(
                "Token",
                format!("{error}."),
                "set DISCORD_TOKEN or discord.token_file",
            )];
        }
    };
    let (http, base) = api(config, &token, base);
    let me = match http.get_current_user().await {
        Ok(me) => me,
        Err(error) => return vec![refused(&error, base.as_deref())],
    };
    let mut findings = vec![Finding::fine("Token", format!("Discord knows the bot as {}.", me.name))];
    findings.extend(clock(base.as_deref().unwrap_or(DISCORD)).await);
    findings.push(intents(&http, config.discord.message_content).await);
    findings.push(sessions(&http, config.discord.shards).await);
    findings.push(servers(&http, &me).await);
    if let Some(channel) = channel {
        findings.extend(permissions(&http, &me, channel).await);
    }
    findings
}

/// Explains why Discord did not answer the first request.
fn refused(error: &serenity::Error, base: Option<&str>) -> Finding {
    let status = match error {
        serenity::Error::Http(HttpError::UnsuccessfulRequest(response)) => {
            Some(response.status_code.as_u16())
        }
        _ => None,
    };
    match status {
        Some(401) => Finding::fault(
            "Token",
            "Discord does not accept it.",
            "copy a fresh token from Discord's developer portal (Bot, Reset Token)",
        ),
        _ => Finding::fault(
            "Discord",
            format!("{} can't be reached: {}.", base.unwrap_or("Discord"), cause(error)),
            "check the network, DNS and firewall of this machine, and https://discordstatus.com",
        ),
    }
}

/// Compares this machine's clock with Discord's. Nothing if its answer has no time.
async fn clock(base: &str) -> Option<Finding> {
    let client = reqwest::Client::builder().timeout(CLOCK_TIMEOUT).build().ok()?;
    let asked = Timestamp::now();
    let response = client.get(format!("{base}/api/v10/gateway")).send().await.ok()?;
    let header = response.headers().get(reqwest::header::DATE)?.to_str().ok()?.to_owned();
    let theirs = jiff::fmt::rfc2822::parse(&header).ok()?.timestamp();
    // The header has whole seconds, and was written between the request and now.
    let ours = asked + asked.duration_until(Timestamp::now()) / 2;
    Some(skew(theirs.duration_until(ours)))
}

fn skew(ahead: SignedDuration) -> Finding {
    let seconds = ahead.abs().as_secs();
    let direction = if ahead.is_negative() { "behind" } else { "ahead of" };
    let found = format!("This machine's clock is {seconds} s {direction} Discord's.");
    let remedy = "synchronise the clock, for example with systemd-timesyncd (timedatectl set-ntp true)";
    match ahead.abs() {
        much if much > HARMFUL_SKEW => Finding::fault("Clock", found, remedy),
        some if some > VISIBLE_SKEW => Finding::advice("Clock", found, remedy),
        _ => Finding::fine("Clock", "It agrees with Discord's."),
    }
}

/// Checks whether moves can be typed without a mention: the setting and Discord's portal must both allow it.
async fn intents(http: &Http, wanted: bool) -> Finding {
    let name = "Message content";
    let content =
        ApplicationFlags::GATEWAY_MESSAGE_CONTENT | ApplicationFlags::GATEWAY_MESSAGE_CONTENT_LIMITED;
    let granted = match http.get_current_application_info().await {
        Ok(info) => info.flags.is_some_and(|flags| flags.intersects(content)),
        Err(error) => return unknown(name, &error),
    };
    match (wanted, granted) {
        (true, true) => Finding::fine(name, "Moves typed in a game's thread are read."),
        (true, false) => Finding::fault(
            name,
            "discord.message_content is set, but Discord's portal doesn't allow it.",
            "turn on the Message Content intent in the developer portal (Bot), or unset discord.message_content",
        ),
        (false, true) => Finding::advice(
            name,
            "Discord allows it, but discord.message_content is off, so typed moves need a reply or a mention.",
            "set discord.message_content = true",
        ),
        (false, false) => Finding::advice(
            name,
            "It is off, so typed moves need a reply or a mention. The buttons work.",
            "turn on the Message Content intent in the developer portal, and set discord.message_content = true",
        ),
    }
}

/// Checks how many gateway sessions may still be started today, and how many shards Discord asks for.
async fn sessions(http: &Http, shards: u32) -> Finding {
    let name = "Gateway";
    let gateway = match http.get_bot_gateway().await {
        Ok(gateway) => gateway,
        Err(error) => return unknown(name, &error),
    };
    let starts = gateway.session_start_limit;
    let found = format!("{} of {} session starts are left today.", starts.remaining, starts.total);
    if (1..gateway.shards).contains(&shards) {
        return Finding::advice(
            name,
            format!("{found} Discord recommends {} shards, and discord.shards is {shards}.", gateway.shards),
            "set discord.shards to 0: then it is what Discord recommends, which requires a shard for 2,500 servers",
        );
    }
    match starts.remaining < FEW_STARTS {
        true => {
            Finding::advice(name, found, "find out why the bot restarts so often, before Discord refuses it")
        }
        false => Finding::fine(name, found),
    }
}

async fn servers(http: &Http, me: &CurrentUser) -> Finding {
    let name = "Servers";
    match http.get_guilds(None, None).await {
        Ok(guilds) if guilds.is_empty() => Finding::advice(
            name,
            "The bot is on no server yet.",
            format!(
                "invite it: https://discord.com/oauth2/authorize?client_id={}&scope=bot+applications.commands&permissions=309237763072",
                me.id
            ),
        ),
        Ok(guilds) => Finding::fine(name, format!("The bot is on {} or more.", guilds.len())),
        Err(error) => unknown(name, &error),
    }
}

/// Checks what the bot may do in a channel.
async fn permissions(http: &Http, me: &CurrentUser, channel: ChannelId) -> Vec<Finding> {
    let name = "Channel";
    let unseen = |error: &dyn std::fmt::Display| {
        let remedy = "check the number, and let the bot see the channel (View Channel)";
        vec![Finding::fault(name, format!("{channel} can't be seen: {error}."), remedy)]
    };
    let found = match guild_channel(http, channel.0).await {
        Ok(found) => found,
        Err(error) => return unseen(&error),
    };
    let may = match permissions_in(http, me, &found).await {
        Ok(may) => may,
        Err(error) => return unseen(&error),
    };
    let words = Localizer::english();
    let is_thread = is_thread(found.kind);
    let lacking = lacking_in_channel(channel, GuildId(found.guild_id.get()), is_thread, may.bits());
    let missing = |need: crate::discord::RequiredPermission| {
        let found = format!("#{} lacks {} ({}).", found.name, words.word(need.name), words.word(need.why));
        let remedy = format!("allow {} for Rookery's role in the channel's settings", words.word(need.name));
        match need.vital {
            true => Finding::fault(name, found, remedy),
            false => Finding::advice(name, found, remedy),
        }
    };
    match lacking.is_empty() {
        true => vec![Finding::fine(name, format!("The bot has every permission in #{}.", found.name))],
        false => lacking.into_iter().map(missing).collect(),
    }
}

fn is_thread(kind: ChannelType) -> bool {
    matches!(kind, ChannelType::PublicThread | ChannelType::PrivateThread | ChannelType::NewsThread)
}

async fn guild_channel(http: &Http, channel: u64) -> Result<GuildChannel, String> {
    if channel == 0 {
        return Err("0 is not a channel".to_owned());
    }
    let found = http.get_channel(channel.into()).await.map_err(|error| cause(&error))?;
    found.guild().ok_or_else(|| "it is not on a server".to_owned())
}

/// Returns the bot's permissions in a channel; threads have those of the channel above them.
async fn permissions_in(
    http: &Http,
    me: &CurrentUser,
    channel: &GuildChannel,
) -> Result<Permissions, String> {
    let parent = match channel.parent_id.filter(|_| is_thread(channel.kind)) {
        Some(parent) => Some(guild_channel(http, parent.get()).await?),
        None => None,
    };
    let told = |error: serenity::Error| cause(&error);
    let guild = http.get_guild(channel.guild_id).await.map_err(told)?;
    let member = http.get_member(channel.guild_id, me.id).await.map_err(told)?;
    Ok(guild.user_permissions_in(parent.as_ref().unwrap_or(channel), &member))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    #[test]
    fn a_clock_is_judged_by_its_distance() {
        for (seconds, verdict) in [
            (0, Verdict::Fine),
            (-4, Verdict::Fine),
            (20, Verdict::Advice),
            (-20, Verdict::Advice),
            (90, Verdict::Fault),
            (-3_600, Verdict::Fault),
        ] {
            let finding = skew(SignedDuration::from_secs(seconds));
            assert_eq!(finding.verdict, verdict, "{finding}");
        }
        assert!(skew(SignedDuration::from_secs(-20)).found.contains("20 s behind"));
    }
}
