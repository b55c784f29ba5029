//! Messages before the game: challenges, announcements, the first message in a thread.

use jiff::SignedDuration;
use rookery_core::player::Level;
use rookery_core::{Pie, Play, Seat};
use rookery_i18n::{Naming, clip, person, relative, result_lists_players};
use rookery_table::{Occupant, Status, Table, Terms, UserId, rated};

use super::MessageView;
use crate::discord::wire::limits::MAX_THREAD_NAME_CHARS;
use crate::discord::wire::outgoing_message::{ButtonStyle, Choice, Component, OutgoingMessage};
use crate::discord::wire::table_button_id::{ButtonAction, TableButtonId};

impl MessageView<'_> {
    /// Builds the message in the channel where a table was opened: a challenge with buttons, or its outcome.
    pub fn announcement(&self, table: &Table) -> OutgoingMessage {
        let guests = invited(table);
        let kept = table.reserved_seats().next().is_some() && !table.has_free_seat();
        let key = match table.status() {
            Status::Waiting if guests.is_empty() && kept => "announce-teams",
            Status::Waiting if guests.is_empty() => "announce-open",
            Status::Waiting if guests.len() > 1 => "announce-invited-several",
            Status::Waiting => "announce-invited",
            Status::Running => "announce-running",
            Status::Over(_) if table.play().is_none() => "announce-closed",
            Status::Over(_) if result_lists_players(table) => "announce-ranked",
            Status::Over(_) => "announce-over",
        };
        let post = OutgoingMessage::text(self.announcement_line(table, key, &guests));
        match table.status() {
            Status::Waiting => {
                let roles = table.reserved_seats().filter_map(|reserved_seat| reserved_seat.members.role());
                let roles = roles.filter(|role| table.pings_role(*role));
                post.ping(guests).ping_roles(roles).row(self.challenge_buttons(table))
            }
            Status::Running => post.row([self.watch_button(table)]),
            Status::Over(_) => post,
        }
    }

    /// Builds the message to the host that a person declined, while the challenge is still open.
    pub fn challenge_declined(&self, table: &Table, who: UserId) -> Option<OutgoingMessage> {
        let [who, host] = [who, table.host()].map(|it| self.words.person(it).into());
        let args = [("table", table.id().to_string().into()), ("who", who), ("host", host)];
        let waits = *table.status() == Status::Waiting;
        waits.then(|| {
            OutgoingMessage::text(self.words.say("challenge-turned-down", &args)).ping([table.host()])
        })
    }

    fn announcement_line(&self, table: &Table, key: &str, guests: &[UserId]) -> String {
        let count = guests.len();
        let guests: Vec<_> = guests.iter().map(|guest| person(*guest)).collect();
        let result = match table.status() {
            Status::Over(_) => self.words.result(table, Naming::People),
            _ => String::new(),
        };
        let players = table.play().map(|play| self.players(table, play)).unwrap_or_default();
        let line = self.words.say(
            key,
            &[
                ("game", self.words.game(&table.terms().game).into()),
                ("table", table.id().as_str().into()),
                ("host", self.words.person(table.host()).into()),
                ("players", players.into()),
                ("guests", self.words.join(&guests).into()),
                ("count", count.into()),
                ("result", result.into()),
            ],
        );
        let about = table.game().map(|game| game.info());
        let terms = Terms { rated: table.is_rated(), ..table.terms().clone() };
        let terms = about.map(|about| self.words.terms(about, &terms)).unwrap_or_default();
        let terms = (!terms.is_empty()).then(|| self.words.say("announce-terms", &[("terms", terms.into())]));
        let waits = *table.status() == Status::Waiting;
        let clock = table.terms().clock.filter(|_| !matches!(table.status(), Status::Over(_)));
        let clock = clock.map(|clock| self.words.clock_terms(&clock));
        let (seats, until) =
            (waits.then(|| self.words.seats(table)).flatten(), waits.then(|| self.until(table)));
        let kept = table.reserved_seats().next().map(|_| self.words.reserved_teams_line(table));
        // With more players, who sits where takes two lines.
        let layout = self.words.fixed_layout(table).filter(|_| table.chairs().len() == 2);
        [Some(line), seats, kept, terms, clock, layout, until]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Names the players with their sides. While the pie rule may still swap sides, or has, only the players: the
    /// message is not edited during the game.
    fn players(&self, table: &Table, play: &dyn Play) -> String {
        let pie = table.terms().options.get(Pie::OPTION.key).is_some_and(|value| value == "on");
        match table.status() {
            Status::Running if pie => self.words.against(table),
            _ => self.words.sides(table, play),
        }
    }

    /// Formats the expiry of a challenge as a timestamp that each client shows relative to now.
    fn until(&self, table: &Table) -> String {
        let end = table.at() + SignedDuration::from_hours(self.challenge_hours.into());
        self.words.say("announce-until", &[("when", relative(end).into())])
    }

    /// Builds the button that shows the board to people who do not play.
    pub(super) fn watch_button(&self, table: &Table) -> Component {
        let id = TableButtonId::new(table.id(), table.ply(), ButtonAction::Board).id();
        Component::button(self.words.word("button-board"), ButtonStyle::Secondary, id)
    }

    fn challenge_buttons(&self, table: &Table) -> Vec<Component> {
        let id = |action| TableButtonId::new(table.id(), 0, action).id();
        let part = |key, style, action| Component::button(self.words.word(key), style, id(action));
        let mut parts = Vec::new();
        if table.chairs().contains(&Occupant::Open) {
            parts.push(part("button-join", ButtonStyle::Success, ButtonAction::Join));
        } else {
            parts.push(part("button-accept", ButtonStyle::Success, ButtonAction::Join));
        }
        if table.chairs().contains(&Occupant::Open) {
            parts.push(part("button-fill", ButtonStyle::Secondary, ButtonAction::Fill));
        }
        if !invited(table).is_empty() {
            parts.push(part("button-decline", ButtonStyle::Secondary, ButtonAction::Decline));
        }
        // With nobody else in a seat, leaving it ends the challenge.
        let others = table.chairs().iter().filter_map(|chair| chair.person()).any(|who| who != table.host());
        let leave = if others { "button-leave" } else { "button-cancel" };
        parts.push(part(leave, ButtonStyle::Secondary, ButtonAction::Leave));
        parts
    }

    /// Builds the answer to an invited person who presses the button that ends the host's challenge.
    pub fn not_your_challenge(&self, table: &Table) -> OutgoingMessage {
        let id = TableButtonId::new(table.id(), 0, ButtonAction::Decline).id();
        let decline = Component::button(self.words.word("button-decline"), ButtonStyle::Secondary, id);
        let args = [("host", self.words.person(table.host()).into())];
        OutgoingMessage::text(self.words.say("challenge-theirs", &args)).row([decline])
    }

    /// Builds the answer to hosts who press Join or Accept below their own challenge.
    pub fn own_challenge(&self, table: &Table) -> OutgoingMessage {
        let id = |action| TableButtonId::new(table.id(), 0, action).id();
        let part = |key, style, action| Component::button(self.words.word(key), style, id(action));
        let mut parts = Vec::new();
        if table.chairs().contains(&Occupant::Open) {
            parts.push(part("button-fill", ButtonStyle::Primary, ButtonAction::Fill));
        }
        parts.push(part("button-cancel", ButtonStyle::Secondary, ButtonAction::Leave));
        let guests: Vec<_> = invited(table).into_iter().map(person).collect();
        let text = match guests.is_empty() {
            true => self.words.word("challenge-yours"),
            false => {
                self.words.say("challenge-yours-invited", &[("guests", self.words.join(&guests).into())])
            }
        };
        OutgoingMessage::text(text).row(parts)
    }

    /// Builds the menu of levels for the free seats, up to `most`.
    pub fn fill(&self, table: &Table, most: Level) -> OutgoingMessage {
        let select = self.levels(TableButtonId::new(table.id(), 0, ButtonAction::FillWith), most);
        let args = [("table", table.id().to_string().into())];
        let program = Occupant::Ai { level: Level::DEFAULT };
        let filled =
            table.chairs().iter().map(|chair| if *chair == Occupant::Open { program } else { *chair });
        let casual = table.is_rated() && !rated::can_count(&filled.collect::<Vec<_>>());
        let key = if casual { "fill-sure-casual" } else { "fill-sure" };
        OutgoingMessage::text(self.words.say(key, &args)).row([select])
    }

    /// Builds a select of the bot's levels, up to `most`.
    pub(super) fn levels(&self, press: TableButtonId, most: Level) -> Component {
        let choice = |level: Level| Choice {
            label: self.words.word(&format!("button-level-{}", level.key())),
            value: level.key().to_owned(),
            note: String::new(),
        };
        // Random moves are an oddity, so they come last.
        let levels = Level::ALL.into_iter().filter(|level| *level != Level::Random).chain([Level::Random]);
        Component::Select {
            id: press.id(),
            placeholder: self.words.word("fill-level"),
            choices: levels.filter(|level| *level <= most).map(choice).collect(),
        }
    }

    /// Returns the name of a table's thread; the bot finds the thread again by the table's name in it.
    pub fn thread_name(&self, table: &Table) -> String {
        let args = [
            ("game", self.words.game_short(&table.terms().game).into()),
            ("table", table.id().to_string().into()),
        ];
        clip(&self.words.say("thread-name", &args), MAX_THREAD_NAME_CHARS)
    }

    /// Builds the first message in a table's thread: it adds the players by mentioning them, and says what
    /// the game is about and how to move.
    pub fn welcome(&self, table: &Table) -> Option<OutgoingMessage> {
        let play = table.play()?;
        // Of the first position: if the message may have been posted before, it is searched for by its text.
        let example = play.at_ply(0).moves().into_iter().next().unwrap_or_default();
        let how = if self.reads_all { "welcome-how-read" } else { "welcome-how-reply" };
        // An exhibition has no player who would need the explanation.
        let how = (!table.is_exhibition()).then(|| {
            [self.words.goal(&table.terms().game), self.words.say(how, &[("move", example.into())])]
                .join("\n")
        });
        let text = self.words.say(
            "welcome",
            &[
                ("players", self.words.sides(table, play).into()),
                ("table", table.id().as_str().into()),
                ("game", self.words.game(&table.terms().game).into()),
                // The first player may have moved by now: the bot moves at once from its book.
                ("first", self.words.seated(table, play.at_ply(0).turn()).into()),
            ],
        );
        let text = how.map_or_else(|| text.clone(), |how| format!("{text}\n{how}"));
        let seats = Seat::all(table.chairs().len());
        Some(seats.fold(OutgoingMessage::text(text), |post, seat| self.pinging_seat(post, table, seat)))
    }
}

/// Returns the people who were invited and have not answered.
fn invited(table: &Table) -> Vec<UserId> {
    let invited = |chair: &Occupant| match chair {
        Occupant::Invited { person } => Some(*person),
        _ => None,
    };
    table.chairs().iter().filter_map(invited).collect()
}
