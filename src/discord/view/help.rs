//! The help: pages by topic for one person, and short answers where everybody reads.

use rookery_core::{Game, Play};
use rookery_i18n::clip;
use rookery_table::{Occupant, Offer, Status, Table, UserId, offers};
use strum::VariantArray;

use super::MessageView;
use crate::discord::wire::help_id::{HelpId, HelpTopic};
use crate::discord::wire::limits::{MAX_CONTENT_CHARS, MAX_EMBED_CHARS};
use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, Component, Embed, OutgoingMessage};

/// The buttons of games in one row.
const GAMES_A_ROW: usize = 3;

impl MessageView<'_> {
    /// Builds a page of the help with a select of all pages. `commands` are the names and descriptions of all commands;
    /// `contact` is where to report problems.
    pub fn help(
        &self,
        topic: HelpTopic,
        commands: &[(&str, String)],
        contact: Option<&str>,
    ) -> OutgoingMessage {
        let games: Vec<_> =
            rookery_games::all().iter().map(|game| self.words.game_short(game.info().key)).collect();
        let text = self.words.say(&topic.page(), &[("games", self.words.join(&games).into())]);
        let contact = contact.map(|contact| self.words.contact(contact));
        let text = [Some(text), contact].into_iter().flatten().collect::<Vec<_>>().join("\n");
        let embed = (topic == HelpTopic::Commands).then(|| self.command_list(commands));
        let page = OutgoingMessage { embed, ..OutgoingMessage::text(clip(&text, MAX_CONTENT_CHARS)) };
        page.row([self.topics()])
    }

    /// The list exceeds the limit of a message's content, but fits an embed.
    fn command_list(&self, commands: &[(&str, String)]) -> Embed {
        let line = |(name, what): &(&str, String)| format!("`/{}` {what}", self.words.command(name));
        let lines: Vec<_> = commands.iter().map(line).collect();
        Embed {
            title: self.words.word("help-topic-commands"),
            text: clip(&lines.join("\n"), MAX_EMBED_CHARS),
        }
    }

    fn topics(&self) -> Component {
        let choice = |topic: &HelpTopic| Choice {
            label: self.words.word(&topic.label()),
            value: topic.key().to_owned(),
            note: String::new(),
        };
        let choices = HelpTopic::VARIANTS.iter().map(choice).collect();
        Component::Select { id: HelpTopic::select_id(), placeholder: self.words.word("help-topics"), choices }
    }

    /// Builds the short answer to `help` in a channel, with a button that opens the help for the person who presses it.
    pub fn help_offer(&self) -> OutgoingMessage {
        OutgoingMessage::text(self.words.word("help-offer")).row([self.help_button(HelpTopic::Start)])
    }

    /// Builds the button that opens a page of the help.
    pub fn help_button(&self, topic: HelpTopic) -> Component {
        Component::button(self.words.word("button-help"), ButtonStyle::Secondary, topic.button_id())
    }

    /// Builds the answer to `help` at a table: what this person can do now, in two lines, and a button for the rest.
    pub fn table_help(&self, table: &Table, who: UserId) -> OutgoingMessage {
        let plays = table.seat_of(who).is_some();
        let now = match (table.status(), table.play()) {
            (Status::Waiting, _) | (Status::Running, None) => self.words.word("help-now-waiting"),
            (Status::Over(_), _) if plays => self.words.word("help-now-over"),
            (Status::Over(_), _) => self.words.word("help-now-over-watching"),
            (Status::Running, Some(play)) => self.help_running(table, play, who),
        };
        OutgoingMessage::text(now)
            .row([self.rules_button(&table.terms().game), self.help_button(HelpTopic::During)])
    }

    /// Builds the answer to `rules` at a table: the goal of the game, and a button for the rules.
    pub fn table_rules(&self, table: &Table) -> OutgoingMessage {
        let game = &table.terms().game;
        OutgoingMessage::text(self.words.goal(game)).row([self.rules_button(game)])
    }

    /// Builds the button that shows the rules of a game to the person who presses it.
    pub fn rules_button(&self, game: &str) -> Component {
        Component::button(self.words.word("button-rules"), ButtonStyle::Secondary, HelpId::rules_of(game))
    }

    /// Asks whose rules to show, with a button for each game.
    pub fn rules_of_which(&self) -> OutgoingMessage {
        let button = |game: &&dyn Game| {
            let key = game.info().key;
            let name = self.words.game_short(key);
            Component::button(name, ButtonStyle::Secondary, HelpId::rules_of(key))
        };
        let buttons: Vec<_> = rookery_games::all().iter().map(button).collect();
        let ask = OutgoingMessage::text(self.words.word("rules-which"));
        buttons.chunks(GAMES_A_ROW).fold(ask, |post, row| post.row(row.to_vec()))
    }

    fn help_running(&self, table: &Table, play: &dyn Play, who: UserId) -> String {
        let turn = play.turn();
        let args = [
            ("who", self.words.holder(table, turn).into()),
            ("side", self.words.side(play, turn).into()),
            ("move", play.moves().into_iter().next().unwrap_or_default().into()),
            ("draw", offers::is_available(table, who, Offer::Draw).to_string().into()),
        ];
        let plays_turn = table.players_of(turn).contains(&who)
            && !matches!(table.occupant(turn), Some(Occupant::Ai { .. }));
        let key = match (table.seat_of(who), plays_turn) {
            (_, true) => "help-now-your-move",
            (Some(_), false) => "help-now-their-move",
            (None, false) => "help-now-watching",
        };
        self.words.say(key, &args)
    }
}
