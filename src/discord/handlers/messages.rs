//! Messages from people: moves and a few commands.

use std::sync::Arc;

use rookery_core::{Menu, Play};
use rookery_i18n::{Localizer, clip};
use rookery_table::access::Action;
use rookery_table::quota::QuotaError;
use rookery_table::requests::OrderOutcome;
use rookery_table::{
    Actor, Event, Offer, Order, OrderError, RoleId, SourceId, Status, Table, TableError, TableId, UserId,
    decide, plans,
};

use crate::discord::actions::resign_confirmation;
use crate::discord::handlers::commands::hint::hint;
use crate::discord::policy::server_rules;
use crate::discord::policy::table_lookup::{self, Location};
use crate::discord::state::context::Context;
use crate::discord::wire::api::InteractionToken;
use crate::discord::wire::incoming_message::IncomingMessage;
use crate::discord::wire::interaction::{Interaction, InteractionChannel};
use crate::discord::wire::limits::MAX_CONTENT_CHARS;
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::{
    actions::relocation, handlers::commands, handlers::components, handlers::play_phrase, policy::teams,
};
use message_command::{MessageCommand, read};
use move_text::MoveText;
use unknown_text::{did_you_mean, no_pass, not_understood};

mod banned;
mod help;
mod message_command;
mod move_text;
mod unknown_text;
mod yes_no_answers;

/// Whether a text is a command, rather than a move or conversation.
pub fn is_command(text: &str) -> bool {
    !matches!(read(text), MessageCommand::Nothing | MessageCommand::Misspelt(_) | MessageCommand::Other(_))
}

/// Handles a message; returns the answer, if any. A message that addresses the bot gets an answer or changes
/// the board. Other messages count only in a table's own thread, and only if they are moves or commands of
/// its players; everything else is conversation.
pub async fn handle(ctx: &Context, incoming: &IncomingMessage) -> Option<OutgoingMessage> {
    ctx.deferred_pings.seen(incoming.who, incoming.channel, ctx.registry.now());
    let is_addressed = incoming.is_addressed();
    if banned::is_banned_message(ctx, incoming).await {
        return is_addressed.then(|| OutgoingMessage::text(ctx.words.quota_error(&QuotaError::Banned)));
    }
    if is_addressed {
        return handle_addressed(ctx, incoming).await;
    }
    let command = read(incoming.text.trim());
    if command == MessageCommand::Nothing {
        return None;
    }
    let table = ctx.table_of_thread(incoming.channel, incoming.who).await?;
    let move_text = MoveText::read_or_complete(&ctx.begun_moves, &table, incoming.who, command.move_text());
    if !is_meant(ctx, incoming, &table, &command, &move_text) {
        return None;
    }
    carry_out(ctx, incoming, table, command, move_text).await
}

async fn handle_addressed(ctx: &Context, incoming: &IncomingMessage) -> Option<OutgoingMessage> {
    let withheld = incoming.text.is_empty() && incoming.guild.is_some() && !incoming.mentions_bot;
    if withheld {
        let key = if incoming.mentions_role.is_some() { "help-role" } else { "help-withheld" };
        return Some(OutgoingMessage::text(ctx.words.word(key)));
    }
    let text = without_mention(&incoming.text, ctx.me(), incoming.mentions_role);
    let (named, text) = named(ctx, incoming, &text).await;
    if let Some(terms) = after_play(&text) {
        return Some(open(ctx, incoming, terms).await);
    }
    let command = read(&text);
    if command == MessageCommand::Help {
        return Some(help::answer(ctx, incoming, named).await);
    }
    // A mention without a text is never about other people's games.
    let guild = incoming.guild.filter(|_| command != MessageCommand::Nothing);
    let location = Location { channel: incoming.channel, guild };
    let found = match named {
        TableReference::Table(table) => Ok(table),
        TableReference::Refused(post) => Err(post),
        TableReference::Nothing => {
            table_lookup::find_table(ctx, incoming.into(), location, None, command.purpose()).await
        }
    };
    match found {
        Ok(table) => {
            let move_text =
                MoveText::read_or_complete(&ctx.begun_moves, &table, incoming.who, command.move_text());
            carry_out(ctx, incoming, table, command, move_text).await
        }
        Err(post) => Some(*post),
    }
}

/// Returns the text after the word `play`, empty if there is none; `None` without that word.
fn after_play(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked(4)?;
    let alone = rest.trim_matches(['.', '!', '?']).is_empty();
    let begins = word.eq_ignore_ascii_case("play") && (alone || rest.starts_with(char::is_whitespace));
    begins.then_some(if alone { "" } else { rest.trim() })
}

/// Opens a table, or asks for the opponent: `play amazons 8x8 hard` has the same effect as `/play`.
async fn open(ctx: &Context, incoming: &IncomingMessage, terms: &str) -> OutgoingMessage {
    let input = match play_phrase::parse(ctx.words, terms, ctx.me(), &incoming.bots) {
        Ok(input) => input,
        Err(sentence) => return OutgoingMessage::text(sentence),
    };
    if input.names_opponents() {
        // Whether it succeeded is unknown here, but an edit must never open a second table.
        incoming.carried_out.set();
    }
    commands::open_or_ask(ctx, &as_interaction(ctx, incoming).await, input).await
}

/// Returns the interaction with the same author, place and permissions as a message.
async fn as_interaction(ctx: &Context, incoming: &IncomingMessage) -> Interaction {
    let parent = if incoming.guild.is_some() { ctx.parent_of(incoming.channel).await } else { None };
    let (channel, guild, thread) = (incoming.channel, incoming.guild, parent.is_some());
    let place = InteractionChannel { channel, guild, thread, parent, may: None, ours: true };
    let token = InteractionToken { id: incoming.id.into(), token: String::new() };
    Interaction {
        token,
        who: incoming.who,
        place,
        locale: None,
        guild_locale: None,
        manages: false,
        administers: false,
        roles: incoming.roles.clone(),
        writes: true,
        // Discord does not send the author's permissions with a message.
        mentions_all: false,
    }
}

/// The table that a message names.
enum TableReference {
    /// The message names no table, or none that the author may know of.
    Nothing,
    /// A table that the author may see.
    Table(Arc<Table>),
    /// A table that the author may not open, with the answer.
    Refused(Box<OutgoingMessage>),
}

/// Returns the table that a message names, and the rest of the text. A message names a table by replying to
/// its board or by beginning with its id.
async fn named(ctx: &Context, incoming: &IncomingMessage, text: &str) -> (TableReference, String) {
    if let Some(id) = answered_table(ctx, incoming).await {
        let opened = ctx.open_table(incoming.into(), id, Action::See).await;
        return (opened.map_or_else(TableReference::Refused, TableReference::Table), text.to_owned());
    }
    let Some((first, rest)) = text.split_once(char::is_whitespace) else {
        return (TableReference::Nothing, text.to_owned());
    };
    // `d2d4` looks like a table id as well, so an id counts only if the author may see such a table.
    let Ok(id) = first.parse::<TableId>() else { return (TableReference::Nothing, text.to_owned()) };
    match ctx.try_open(incoming.into(), id, Action::See).await {
        Ok(table) => (TableReference::Table(table), rest.trim().to_owned()),
        Err(why) if why.is_no_table() => (TableReference::Nothing, text.to_owned()),
        Err(why) => {
            (TableReference::Refused(Box::new(ctx.access_error_message(&why))), rest.trim().to_owned())
        }
    }
}

/// Returns the table of the bot's message that a message replies to.
async fn answered_table(ctx: &Context, incoming: &IncomingMessage) -> Option<TableId> {
    let known = ctx.registry.journal().table_of(incoming.answers?).await;
    known.ok().flatten().or(incoming.answers_table)
}

/// Whether a message in a table's own thread that does not address the bot is meant for the table: only moves
/// and commands of its players are.
fn is_meant(
    ctx: &Context,
    incoming: &IncomingMessage,
    table: &Table,
    command: &MessageCommand,
    move_text: &MoveText,
) -> bool {
    let (who, is_move) = (incoming.who, move_text.could_be_move());
    let plays = table.is_participant(who) || (is_move && teams::is_new(table, incoming.into()));
    plays
        && match command {
            MessageCommand::Nothing => false,
            MessageCommand::Answer(_) => yes_no_answers::are_awaited(table, who),
            MessageCommand::Other(_) => is_move || talks_to_bot(table, incoming),
            MessageCommand::Plan(text) => {
                plans::condition(text).is_some_and(|text| MoveText::read(table, Some(&text)).could_be_move())
            }
            MessageCommand::Back => {
                let (by, order) = (Actor::Person(who), Order::ComeBack);
                decide::decide(table, by, &order, None, ctx.registry.now()).is_ok()
            }
            question => table.play().is_none_or(|play| asks_of_board(play, question)),
        }
}

/// Whether a text that is no command can only be meant for the bot: nobody else plays, and it isn't an answer to
/// somebody, nor mentions anybody.
fn talks_to_bot(table: &Table, incoming: &IncomingMessage) -> bool {
    let running = *table.status() == Status::Running;
    running
        && table.only_person() == Some(incoming.who)
        && incoming.answers.is_none()
        && !incoming.text.contains("<@")
}

/// Whether a text that begins like a question about the board is one: "see you tomorrow" and "moves are hard
/// here" are conversation. Other commands always count.
fn asks_of_board(play: &dyn Play, command: &MessageCommand) -> bool {
    match command {
        MessageCommand::See(cell) => play.board().named(cell).is_some(),
        MessageCommand::Row(line) => !rookery_i18n::line(play, line).is_empty(),
        MessageCommand::Moves(start) => {
            let known = start.is_empty() || play.board().named(start).is_some();
            known || !crate::discord::view::move_completion::completions(play, start, &[]).is_empty()
        }
        _ => true,
    }
}

/// Carries out a message command; returns the answer. Outside the table's thread the answer names the table,
/// because the author may have another game in mind. A person who moves for a team is enlisted in it first.
async fn carry_out(
    ctx: &Context,
    incoming: &IncomingMessage,
    table: Arc<Table>,
    command: MessageCommand,
    move_text: MoveText,
) -> Option<OutgoingMessage> {
    let shared;
    let ctx = match incoming.guild {
        Some(_) => {
            shared = ctx.seen_by_all(&table).await;
            &shared
        }
        None => ctx,
    };
    let table = match move_text.is_answered_as_move() {
        true => teams::enlisted(ctx, table, incoming.into()).await,
        false => table,
    };
    let answer = match order_of(ctx, incoming, &table, command, move_text).await {
        Ok(order) => {
            let outcome = ctx.try_order(table.id(), incoming.into(), order, incoming.id.into()).await;
            answer_to_outcome(ctx, incoming, &table, outcome).await
        }
        Err(answer) => answer.map(|post| *post),
    };
    answer.map(|post| ctx.about(&table, incoming.channel, post))
}

/// Whether an order was given at the table after this message was written: it was read late, because the bot was away.
fn is_overtaken(incoming: &IncomingMessage, table: &Table) -> bool {
    let is_later = |source: SourceId| !source.is_from_page() && source > incoming.id.into();
    incoming.edits.is_none() && table.sources().any(is_later)
}

/// Converts a message command to an order.
///
/// # Errors
/// The answer, if there is one, to a command that is not an order.
async fn order_of(
    ctx: &Context,
    incoming: &IncomingMessage,
    table: &Table,
    command: MessageCommand,
    move_text: MoveText,
) -> Result<Order, Option<Box<OutgoingMessage>>> {
    let who = incoming.who;
    let answer = match command {
        MessageCommand::Offer(Offer::Undo) if is_overtaken(incoming, table) => {
            OutgoingMessage::text(ctx.words.word("undo-overtaken"))
        }
        MessageCommand::Offer(offer) => return Ok(Order::Offer(offer)),
        MessageCommand::Answer(_) | MessageCommand::Leave(_) if *table.status() == Status::Waiting => {
            return Err(yes_no_answers::before_start(ctx, incoming, table, &command).await.map(Box::new));
        }
        MessageCommand::Answer(yes) => return Ok(yes_no_answers::order(ctx, incoming, table, yes).await),
        MessageCommand::Resume => return Ok(Order::Resume),
        MessageCommand::Leave(Some(level)) => return Ok(Order::Substitute { level }),
        MessageCommand::Leave(None) => {
            let level = server_rules::default_level(ctx, table.terms().guild).await;
            return Ok(Order::Substitute { level });
        }
        MessageCommand::Back => return Ok(Order::ComeBack),
        MessageCommand::Other(text) if move_text.is_answered_as_move() => {
            let ply = teams::meant(ctx, incoming, table).await;
            return Ok(Order::Move { text: move_text.or_text(text), ply });
        }
        MessageCommand::Other(text) => not_understood(ctx, table, &text),
        MessageCommand::Misspelt(meant) => did_you_mean(ctx, meant),
        MessageCommand::Help => ctx.view().table_help(table, who),
        // Nobody else plays, so the hint needn't be private.
        MessageCommand::Hint if table.only_person() == Some(who) => {
            hint(ctx, &as_interaction(ctx, incoming).await, table).await
        }
        MessageCommand::Hint => ctx.view().hint_offer(table, who),
        MessageCommand::Rematch => ctx.view().rematch_offer(table, who),
        MessageCommand::Review => ctx.view().review_offer(table),
        MessageCommand::Pass => no_pass(ctx, table),
        MessageCommand::Rules => ctx.view().table_rules(table),
        MessageCommand::Board | MessageCommand::Nothing => ctx.view().state(table, Some(who)),
        MessageCommand::Text => ctx.view().state_text(table),
        MessageCommand::Clock => ctx.view().clocks(table, who, ctx.registry.now()),
        MessageCommand::Moves(start) => moves(ctx, table, &start),
        MessageCommand::Last => answer_from_position(ctx, table, |words, play| words.last(table, play)),
        MessageCommand::Row(line) => {
            answer_from_position(ctx, table, |words, play| words.row(table, play, &line))
        }
        MessageCommand::See(cell) => {
            answer_from_position(ctx, table, |words, play| words.lines_from_cell(table, play, &cell))
        }
        MessageCommand::Resign => resign_confirmation::ask_to_resign(ctx, table, who),
        MessageCommand::Plan(text) if incoming.guild.is_none() => {
            commands::plan::confirm_or_list(ctx, who, table, Some(&text))
        }
        // The opponent would be able to read the plan.
        MessageCommand::Plan(_) => OutgoingMessage::text(ctx.words.word("plan-in-the-open")),
    };
    Err(Some(Box::new(answer)))
}

/// Builds the answer to the author of an order, if there is one.
async fn answer_to_outcome(
    ctx: &Context,
    incoming: &IncomingMessage,
    table: &Table,
    outcome: Result<Result<OrderOutcome, TableError>, Box<OutgoingMessage>>,
) -> Option<OutgoingMessage> {
    match outcome {
        Ok(Ok(seen)) => {
            incoming.carried_out.set();
            match confirmation_elsewhere(ctx, incoming, &seen) {
                Some(post) => Some(with_board(ctx, incoming, &seen, post).await),
                None => None,
            }
        }
        Ok(Err(TableError::Refused(OrderError::Repeated))) => {
            incoming.carried_out.set();
            None
        }
        Ok(Err(denied)) => Some(ctx.denied(table.id(), incoming.who, &denied).await),
        Err(post) => Some(*post),
    }
}

/// Builds the confirmation for a person who writes in another channel. In the table's own channel the board
/// shows the result.
fn confirmation_elsewhere(
    ctx: &Context,
    incoming: &IncomingMessage,
    seen: &OrderOutcome,
) -> Option<OutgoingMessage> {
    let of_team = matches!(seen.events.last(), Some(Event::Departed { .. } | Event::Enlisted { .. }));
    // While other answers are awaited, nothing is posted.
    let waits = matches!(seen.events.last(), Some(Event::Agreed { .. } | Event::Accepted { .. }));
    if of_team || waits || (seen.events.is_empty() && seen.table.team_vote().is_some()) {
        return Some(components::order_confirmation(ctx, seen));
    }
    if seen.table.board_channel().is_some_and(|board_channel| board_channel.channel == incoming.channel) {
        return None;
    }
    seen.events.first()?;
    Some(components::order_confirmation(ctx, seen))
}

/// Adds the board to the answer if the game's own channel no longer accepts posts.
async fn with_board(
    ctx: &Context,
    incoming: &IncomingMessage,
    seen: &OrderOutcome,
    post: OutgoingMessage,
) -> OutgoingMessage {
    let (channel, guild) = (incoming.channel, incoming.guild);
    let place = InteractionChannel { channel, guild, thread: false, parent: None, may: None, ours: true };
    relocation::with_board(ctx, place, incoming.who, &seen.table, post).await
}

/// Builds an answer about a started game that consists of text only.
fn answer_from_position(
    ctx: &Context,
    table: &Table,
    tell: impl Fn(&Localizer, &dyn Play) -> String,
) -> OutgoingMessage {
    let text = table.play().map(|play| tell(ctx.words, play));
    let text = text.unwrap_or_else(|| ctx.words.word("refused-not-begun"));
    OutgoingMessage::text(clip(&text, MAX_CONTENT_CHARS))
}

fn moves(ctx: &Context, table: &Table, start: &str) -> OutgoingMessage {
    match table.play() {
        Some(play) if *table.status() == Status::Running => {
            // A leniently written start (`D1 d7`) is converted to the record's notation first.
            let typed = crate::discord::view::move_completion::split_steps(play, start);
            let known = typed.rest.is_empty() && !matches!(play.menu(&typed.taken), Menu::Nothing);
            let start = if known { typed.taken.concat() } else { start.to_owned() };
            ctx.view().moves(table.id(), play, &start, &typed.taken)
        }
        Some(_) => OutgoingMessage::text(ctx.words.word("refused-over")),
        None => OutgoingMessage::text(ctx.words.word("refused-not-begun")),
    }
}

/// Removes the mention of the bot or its role from a text.
fn without_mention(text: &str, me: UserId, role: Option<RoleId>) -> String {
    let plain = text.replace(&format!("<@{}>", me.0), " ").replace(&format!("<@!{}>", me.0), " ");
    let plain = match role {
        Some(role) => plain.replace(&rookery_i18n::role(role), " "),
        None => plain,
    };
    plain.trim().trim_matches('`').trim().to_owned()
}

#[cfg(test)]
mod tests;
