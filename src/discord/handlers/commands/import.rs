//! `/import`: loads a record or position, to look at it or to play on from it.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::TryStreamExt;

use rookery_core::player::Level;
use rookery_core::{Play, Seat};
use rookery_games::record::abstract_play::LEFT_OUT;
use rookery_games::record::{BadRecord, Record, RecordError};
use rookery_table::fair_play::HelpKind;
use rookery_table::ports::{Filter, Stage};
use rookery_table::quota::LimitedAction;
use rookery_table::{Occupant, OrderError, Table, Terms, UserId};

use super::command::Command;
use super::option_types::{GameKey, TextUpTo};
use super::options::command_options;
use super::play::opened;
use crate::discord::actions::board_link::with_board_link;
use crate::discord::actions::study;
use crate::discord::policy::opening::may_play;
use crate::discord::policy::server_rules;
use crate::discord::state::context::Context;
use crate::discord::view::MessageView;
use crate::discord::wire::interaction::{Attachment, Interaction, can_thread};
use crate::discord::wire::outgoing_message::OutgoingMessage;
use crate::discord::wire::table_button_id::ViewOptions;

/// The most turns that are read, far more than any game has.
const MAX_TURNS: usize = 2_000;

pub(super) struct Import;

command_options! {
    pub(super) struct ImportOptions {
        text: Option<TextUpTo<6_000>> = "text", "command-import-text";
        file: Option<Attachment> = "file", "command-import-file";
        game: Option<GameKey> = "game", "command-import-game";
        ai: Option<Level> = "ai", "command-import-ai";
        opponent: Option<UserId> = "opponent", "command-import-opponent";
    }
}

#[async_trait]
impl Command for Import {
    type Input = ImportOptions;

    fn name(&self) -> &'static str {
        "import"
    }

    async fn run(&self, ctx: &Context, interaction: &Interaction, input: ImportOptions) -> OutgoingMessage {
        if let Err(post) = ctx.count_use(interaction, LimitedAction::Import) {
            return *post;
        }
        let text = match (input.text, &input.file) {
            (Some(text), _) => text.0,
            (None, Some(file)) => match fetched(ctx, file).await {
                Ok(text) => text,
                Err(post) => return *post,
            },
            (None, None) => return OutgoingMessage::text(ctx.words.word("import-nothing")),
        };
        let imported =
            match read(ctx, interaction, text, input.game.as_ref().map(|game| game.0.as_str())).await {
                Ok(imported) => imported,
                Err(post) => return *post,
            };
        match (input.opponent, input.ai) {
            (None, None) => store_for_viewing(ctx, interaction, &imported).await,
            (opponent, ai) => {
                let others = OtherSeats { opponent: opponent.filter(|who| *who != ctx.me()), ai };
                play_on_and_link(ctx, interaction, imported.play.as_ref(), others).await
            }
        }
    }
}

/// Opens a table from a position; returns the answer.
pub(super) async fn play_on_and_link(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
    others: OtherSeats,
) -> OutgoingMessage {
    match play_on(ctx, interaction, play, others).await {
        Ok(table) => {
            let post = opened(ctx.words, &table, interaction.place);
            with_board_link(ctx, interaction, &table, post).await
        }
        Err(sentence) => OutgoingMessage::text(sentence),
    }
}

pub(super) struct ImportedGame {
    play: Box<dyn Play>,
    winners: Vec<Seat>,
    /// The number of moves left out at the end because the rules here end the game before them.
    left_out: usize,
    /// Whether the rules here name other winners than the record. The record's winners are kept.
    other_winners: bool,
}

/// Downloads a file, or returns the answer that says why not.
pub(super) async fn fetched(ctx: &Context, file: &Attachment) -> Result<String, Box<OutgoingMessage>> {
    ctx.api.fetch(file).await.map_err(|fault| {
        tracing::info!(%fault, "could not download an imported file");
        Box::new(OutgoingMessage::text(ctx.words.word("import-no-file")))
    })
}

/// Reads a game and replays it, off the async threads. A game that would give help in a running rated one is
/// refused.
pub(super) async fn read(
    ctx: &Context,
    interaction: &Interaction,
    text: String,
    game: Option<&str>,
) -> Result<ImportedGame, Box<OutgoingMessage>> {
    let game = game.map(str::to_owned);
    let through = ctx.registry.tasks().compute("import", move || play_through(&text, game.as_deref())).await;
    let told = match through {
        Ok(Ok(outside)) => {
            let play = outside.play.as_ref();
            match study::check_fair(ctx, interaction.who, Some(interaction.place), play).await {
                Ok(()) => return Ok(outside),
                Err(sentence) => sentence,
            }
        }
        Ok(Err(bad)) => ctx.words.bad_record(&bad),
        Err(_) => ctx.words.word("denied-fault"),
    };
    Err(Box::new(OutgoingMessage::text(told)))
}

fn play_through(text: &str, game: Option<&str>) -> Result<ImportedGame, BadRecord> {
    let record = Record::read_any(text, game)?;
    if record.turns.len() > MAX_TURNS {
        return Err(RecordError::TooLong { most: MAX_TURNS }.at(1));
    }
    let play = record.replay()?;
    let left_out = record.header(LEFT_OUT).and_then(|count| count.parse().ok()).unwrap_or_default();
    let winners = record.winners.unwrap_or_default();
    let differ = |mut ours: Vec<Seat>| {
        ours.sort_unstable();
        !winners.is_empty() && ours != winners
    };
    let other_winners = play.outcome().is_some_and(|outcome| differ(outcome.winners));
    Ok(ImportedGame { winners, play, left_out, other_winners })
}

/// Stores an imported game as a finished table, so that it can be viewed like any other.
pub(super) async fn store_for_viewing(
    ctx: &Context,
    interaction: &Interaction,
    outside: &ImportedGame,
) -> OutgoingMessage {
    let (who, place) = (interaction.who, Some(interaction.place));
    match study::open(ctx, who, place, outside.play.as_ref(), outside.winners.clone()).await {
        Ok(table) => {
            let viewer = move |layout: &MessageView<'_>| {
                let viewer = layout.viewer(&table, table.ply(), ViewOptions::from(Seat::FIRST));
                Some(viewer.unwrap_or_else(|| layout.state(&table, Some(who))))
            };
            with_note(ctx, ctx.build_message_blocking(viewer).await, outside)
        }
        Err(sentence) => OutgoingMessage::text(sentence),
    }
}

/// Adds notes if moves were left out, or if the record names other winners than the rules here.
fn with_note(ctx: &Context, mut post: OutgoingMessage, outside: &ImportedGame) -> OutgoingMessage {
    if outside.left_out > 0 {
        let note = ctx.words.say("import-left-out", &[("count", outside.left_out.into())]);
        post.content = format!("{}\n{note}", post.content);
    }
    if outside.other_winners {
        post.content = format!("{}\n{}", post.content, ctx.words.word("import-other-winners"));
    }
    post
}

/// The players of the other seats when a position is played on.
#[derive(Clone, Copy)]
pub(super) struct OtherSeats {
    /// The person to challenge.
    pub(super) opponent: Option<UserId>,
    /// The level of the bot, if it plays.
    pub(super) ai: Option<Level>,
}

/// Opens a table from a position; the person who asks takes the seat to move. The current position of a rated
/// game is refused, however it was obtained.
pub(super) async fn play_on(
    ctx: &Context,
    interaction: &Interaction,
    play: &dyn Play,
    others: OtherSeats,
) -> Result<Arc<Table>, String> {
    if play.outcome().is_some() {
        return Err(ctx.words.word("import-over"));
    }
    if ctx
        .registry
        .would_help_rated_game(&[interaction.who], interaction.place.guild, play, HelpKind::PlaysOn)
        .await
    {
        return Err(ctx.words.order_error(&OrderError::NoHelp, None));
    }
    let chairs = chairs(interaction.who, play, others).ok_or_else(|| ctx.words.word("import-alone"))?;
    if let Some(level) = others.ai
        && !chairs.contains(&Occupant::Ai { level })
    {
        return Err(ctx.words.word("import-no-seat"));
    }
    check_open_imports(ctx, interaction.who).await?;
    may_play(ctx, interaction, &chairs).await?;
    server_rules::allowed(ctx, interaction, &chairs).await?;
    let imported = !interaction.place.ours;
    let terms = Terms {
        guild: interaction.place.guild.filter(|_| !imported),
        thread: can_thread(interaction.place) && !imported,
        user_install: imported,
        seed: ctx.registry.seed(),
        ..study::terms(Some(interaction.place), play, Some(play.line()))
    };
    let seen = ctx.registry.open(terms, interaction.who, chairs, Some(interaction.token.id)).await;
    seen.map(|seen| seen.table).map_err(|denied| ctx.words.table_error(&denied, None))
}

/// Seats the host where it is the turn, the opponent on the next seat, and the bot or nobody yet on the rest.
/// Resigned seats are held by the host, as in an imported game for viewing. `None` if fewer than two seats
/// still play.
fn chairs(host: UserId, play: &dyn Play, others: OtherSeats) -> Option<Vec<Occupant>> {
    let rest = others.ai.map_or(Occupant::Open, |level| Occupant::Ai { level });
    let own = Occupant::Human { person: host };
    let (seats, turn) = (play.seats(), play.turn());
    let chair = |seat| if seat == turn || play.is_retired(seat) { own } else { rest };
    let mut chairs: Vec<_> = Seat::all(seats).map(chair).collect();
    let others_turns = std::iter::successors(Some(turn.next(seats)), |seat| Some(seat.next(seats)));
    let next = others_turns.take(seats - 1).find(|seat| !play.is_retired(*seat))?;
    if let Some(person) = others.opponent {
        chairs[next.index()] = if person == host { own } else { Occupant::Invited { person } };
    }
    Some(chairs)
}

/// Checks whether a person may open another game from a position: the number of open ones is limited.
async fn check_open_imports(ctx: &Context, who: UserId) -> Result<(), String> {
    let mut open = 0;
    for stage in [Stage::Waiting, Stage::Running] {
        let filter = Filter { person: Some(who), stage: Some(stage), ..Filter::default() };
        let mut cards = ctx.registry.scan(&filter);
        let unread = |denied| ctx.words.table_error(&denied, None);
        while let Some(card) = cards.try_next().await.map_err(unread)? {
            let table = ctx.registry.table(card.id).await;
            open += usize::from(table.is_ok_and(|it| it.host() == who && it.terms().from.is_some()));
        }
    }
    let full = open >= ctx.settings.open_per_person;
    if full { Err(ctx.words.say("import-too-many", &[("count", open.into())])) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_core::rules::Setup;

    #[test]
    fn nobody_is_asked_to_a_seat_that_was_given_up() {
        let [ada, ben] = [1, 2].map(UserId);
        let own = Occupant::Human { person: ada };
        let game = rookery_games::named("penguins").unwrap();
        let line = game.start(&Setup::new(4)).unwrap().line();
        let from = |out: &str| game.resume(&format!("{line} out:{out}")).unwrap();
        let others = OtherSeats { opponent: Some(ben), ai: None };
        let guest = Occupant::Invited { person: ben };
        assert_eq!(chairs(ada, from("2").as_ref(), others), Some(vec![own, own, guest, Occupant::Open]));
        // The first seat has resigned, so the second is to move.
        assert_eq!(chairs(ada, from("1,3").as_ref(), others), Some(vec![own, own, own, guest]));
        assert_eq!(chairs(ada, from("1,2,3").as_ref(), others), None);
    }
}
