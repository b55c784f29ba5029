//! Bans: a server's managers keep a person from using the bot there. A banned person may still finish their
//! running games, and see and delete the data stored about them.
//!
//! The registry itself refuses that they open tables or take seats, however they ask
//! ([`rookery_table::registry::TableRegistry::open`]).

use futures_util::TryStreamExt;
use rookery_i18n::person;
use rookery_table::moderation::{ListChange, MAX_BANS};
use rookery_table::ports::{Filter, Stage};
use rookery_table::quota::QuotaError;
use rookery_table::{GuildId, Occupant, Order, Status, Table, UserId};

use crate::discord::policy::table_lookup::{self, TablePurpose};
use crate::discord::state::context::Context;
use crate::discord::wire::custom_id::CustomId;
use crate::discord::wire::interaction::{CommandInput, ComponentPress, Interaction};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::setting_id::SettingsPanel;
use crate::discord::wire::table_button_id::ButtonAction;

/// The commands that a banned person may use in their own running games.
const COMMANDS_IN_OWN_GAME: [&str; 4] = ["move", "board", "clock", "resign"];
/// Banned managers may still use `/config`, and everyone who is banned `/privacy`.
const CONFIG: &str = "config";
const PRIVACY: &str = "privacy";
/// The most people that a list names; the others are counted.
const MAX_NAMED: usize = 40;

/// Returns the refusal of a banned person's command; `None` if it may be carried out. `table` is the table that the
/// command names.
pub(in crate::discord) async fn refuse_banned_command(
    ctx: &Context,
    interaction: &Interaction,
    input: &CommandInput,
    table: Option<&str>,
) -> Option<OutgoingMessage> {
    if !ctx.registry.is_banned(interaction.place.guild, interaction.who).await {
        return None;
    }
    let name = input.name.as_str();
    let allowed = match name {
        PRIVACY => true,
        CONFIG => interaction.manages,
        _ if input.target.is_none() && input.message.is_none() && COMMANDS_IN_OWN_GAME.contains(&name) => {
            let table = table_lookup::find_table(
                ctx,
                interaction.into(),
                interaction.place.into(),
                table,
                TablePurpose::Act,
            )
            .await;
            table.is_ok_and(|table| is_playing(&table, interaction.who))
        }
        _ => false,
    };
    (!allowed).then(|| refusal(ctx))
}

/// Returns the refusal of a new table; `None` if it may be opened.
pub(in crate::discord) async fn refuse_banned_opening(
    ctx: &Context,
    interaction: &Interaction,
) -> Option<OutgoingMessage> {
    let banned = ctx.registry.is_banned(interaction.place.guild, interaction.who).await;
    banned.then(|| refusal(ctx))
}

/// Whether autocomplete stays empty because the person is banned. Moves of their own games are still
/// completed.
pub(in crate::discord) async fn is_completion_banned(
    ctx: &Context,
    interaction: &Interaction,
    command: &str,
) -> bool {
    !COMMANDS_IN_OWN_GAME.contains(&command)
        && ctx.registry.is_banned(interaction.place.guild, interaction.who).await
}

/// Returns the refusal of a banned person's press; `None` if it may be carried out.
pub(in crate::discord) async fn refuse_banned_press(
    ctx: &Context,
    interaction: &Interaction,
    pressed: &ComponentPress,
) -> Option<OutgoingMessage> {
    if !ctx.registry.is_banned(interaction.place.guild, interaction.who).await {
        return None;
    }
    let may = match &pressed.custom_id {
        CustomId::Privacy(_) => true,
        CustomId::Setting(setting) => setting.panel == SettingsPanel::Server && interaction.manages,
        CustomId::Table(press) if is_for_players(&press.action) => {
            ctx.registry.table(press.table).await.is_ok_and(|table| is_playing(&table, interaction.who))
        }
        _ => false,
    };
    (!may).then(|| refusal(ctx))
}

/// Whether a person plays in a running game, alone or in a team.
pub(in crate::discord) fn is_playing(table: &Table, who: UserId) -> bool {
    *table.status() == Status::Running && table.is_participant(who)
}

/// Whether an action belongs to playing a game, rather than to looking at it or opening more games.
fn is_for_players(action: &ButtonAction) -> bool {
    !matches!(
        action,
        ButtonAction::Hint
            | ButtonAction::Viewer(..)
            | ButtonAction::Analyse
            | ButtonAction::Turning
            | ButtonAction::Rematch
    )
}

fn refusal(ctx: &Context) -> OutgoingMessage {
    OutgoingMessage::text(ctx.words.quota_error(&QuotaError::Banned))
}

/// Bans a person from a server and closes their open challenges there.
pub(in crate::discord) async fn ban(
    ctx: &Context,
    interaction: &Interaction,
    guild: GuildId,
    who: UserId,
) -> OutgoingMessage {
    if who == interaction.who || who == ctx.me() {
        return OutgoingMessage::text(ctx.words.word(if who == ctx.me() { "ban-me" } else { "ban-self" }));
    }
    let named = [("who", person(who).into())];
    let key = match ctx.registry.moderation().ban(guild, who, ctx.registry.now()).await {
        Ok(ListChange::Done) => "ban-done",
        Ok(ListChange::Already) => "ban-already",
        Ok(ListChange::Full) => {
            return OutgoingMessage::text(ctx.words.say("ban-full", &[("most", MAX_BANS.into())]));
        }
        Err(error) => return OutgoingMessage::text(ctx.words.table_error(&error.into(), None)),
    };
    let closed = close_challenges(ctx, guild, who).await;
    let closed = (closed > 0).then(|| ctx.words.say("ban-closed", &[("count", closed.into())]));
    let lines: Vec<String> = [ctx.words.say(key, &named)].into_iter().chain(closed).collect();
    OutgoingMessage::text(lines.join("\n"))
}

pub(in crate::discord) async fn unban(ctx: &Context, guild: GuildId, who: UserId) -> OutgoingMessage {
    match ctx.registry.moderation().unban(guild, who).await {
        Ok(was) => {
            let key = if was { "ban-removed" } else { "ban-not-there" };
            OutgoingMessage::text(ctx.words.say(key, &[("who", person(who).into())]))
        }
        Err(error) => OutgoingMessage::text(ctx.words.table_error(&error.into(), None)),
    }
}

/// Lists the people banned from a server.
pub(in crate::discord) async fn list_banned(ctx: &Context, guild: GuildId) -> String {
    match ctx.registry.moderation().banned_from(guild).await {
        Ok(banned) if banned.is_empty() => ctx.words.word("value-none"),
        Ok(banned) => listed(ctx, banned.iter().copied()),
        Err(error) => ctx.words.table_error(&error.into(), None),
    }
}

/// Lists the mentions of people, up to [`MAX_NAMED`]; the others are counted.
pub(in crate::discord) fn listed(ctx: &Context, people: impl ExactSizeIterator<Item = UserId>) -> String {
    let more = people.len().saturating_sub(MAX_NAMED);
    let named: Vec<String> = people.take(MAX_NAMED).map(person).collect();
    match more {
        0 => ctx.words.join(&named),
        more => {
            let args = [("people", named.join(", ").into()), ("more", more.into())];
            ctx.words.say("block-list-more", &args)
        }
    }
}

/// Removes a person from the waiting tables of a server; returns the number of tables.
async fn close_challenges(ctx: &Context, guild: GuildId, who: UserId) -> usize {
    let filter =
        Filter { person: Some(who), guild: Some(guild), stage: Some(Stage::Waiting), ..Filter::default() };
    let (mut cards, mut closed) = (ctx.registry.scan(&filter), 0);
    while let Ok(Some(card)) = cards.try_next().await {
        closed += usize::from(leave(ctx, card.id, who).await);
    }
    closed
}

/// Leaves a person's seat at a waiting table, or declines the challenge for them; returns whether it did.
pub(in crate::discord) async fn leave(ctx: &Context, id: rookery_table::TableId, who: UserId) -> bool {
    let Ok(table) = ctx.registry.table(id).await else { return false };
    let is_invited = table.chairs().contains(&Occupant::Invited { person: who });
    let order = if is_invited { Order::Decline } else { Order::Leave };
    ctx.registry.order(id, rookery_table::Actor::Person(who), order, None).await.is_ok()
}
