//! Names of games, sides, levels, options and people.

use rookery_core::player::Level;
use rookery_core::printed_page::PaperSize;
use rookery_core::rules::GameInfo;
use rookery_core::scene::Theme;
use rookery_core::{Play, Seat, Step, StepKind};
use rookery_games::printed::{PageWords, printed_theme};
use rookery_table::ports::Card;
use rookery_table::teams::{Team, TeamMembers};
use rookery_table::{ChannelId, Occupant, RoleId, Table, UserId};

use super::{Arg, Localizer};

/// Formats a mention of a person: clients show the name, and Discord pings only those that the message
/// allows.
pub fn person(person: UserId) -> String {
    format!("<@{}>", person.0)
}

/// Formats a mention of a role: clients show the role's name.
pub fn role(role: RoleId) -> String {
    format!("<@&{role}>")
}

/// Returns the channel that "everyone" refers to; `None` for a user-installed table, in whose channel the bot
/// is no member.
pub(super) fn place(table: &Table) -> Option<ChannelId> {
    (!table.terms().user_install).then_some(table.terms().channel)
}

/// Returns the channel that "everyone" refers to at a listed table: where the table was opened, not its
/// thread.
fn everyone_channel(card: &Card) -> Option<ChannelId> {
    let board_channel = card.board_channel.map(|board_channel| board_channel.channel);
    card.guild.and(card.opened_in.or(board_channel))
}

/// The number of people of a team that are named before the rest are counted.
const MAX_NAMES: usize = 4;

impl Localizer {
    /// Returns the full name of a game, by its key.
    pub fn game(&self, key: &str) -> String {
        self.word(&format!("game-{key}"))
    }

    /// Returns the short name of a game, for threads and lists.
    pub fn game_short(&self, key: &str) -> String {
        self.word(&format!("game-{key}-short"))
    }

    /// Returns the goal of a game and what a turn is, in one or two sentences.
    pub fn goal(&self, key: &str) -> String {
        self.word(&format!("goal-{key}"))
    }

    /// Names the designers of a game; `None` for a traditional one.
    pub fn designers(&self, game: &GameInfo) -> Option<String> {
        let designers: Vec<String> = game.designers.iter().map(ToString::to_string).collect();
        let by = || self.say("rules-designers", &[("who", self.join(&designers).into())]);
        (!designers.is_empty()).then(by)
    }

    /// Returns the name of a level.
    pub fn level(&self, level: Level) -> String {
        self.word(&format!("level-{}", level.key()))
    }

    /// Returns a command's name in this language, by its name in the code.
    pub fn command(&self, name: &str) -> String {
        self.word(&format!("name-command-{name}")).to_lowercase()
    }

    /// Describes what an option decides. Options with the same key share the text in all games.
    pub fn option(&self, key: &str) -> String {
        self.word(&format!("option-{key}"))
    }

    /// Returns the name of a seat's side: "White", or what it's called in the reader's theme.
    pub fn side(&self, play: &dyn Play, seat: Seat) -> String {
        match play.info().sides.get(play.side(seat)) {
            Some(side) => self.side_named(play.info(), side),
            None => self.say("side-number", &[("number", u32::from(seat.number()).into())]),
        }
    }

    /// Returns the name of a side by the game's own key for it, which records keep: after its colour in the reader's
    /// theme, or else the game's own name.
    pub(super) fn side_named(&self, info: &'static GameInfo, own: &'static str) -> String {
        let game = rookery_games::named(info.key);
        let painted = self.theme.zip(game).map(|(theme, game)| Theme::named(game.themes(), theme));
        let side = painted.map_or(own, |theme| theme.side(own));
        self.word(&format!("side-{side}"))
    }

    /// Returns the names of a game's first two sides, as arguments of sentences about its pieces for any seats.
    pub(super) fn two_sides(&self, info: &'static GameInfo) -> Vec<Arg<'static>> {
        let sides = ["first", "second"].into_iter().zip(info.sides);
        sides.map(|(key, side)| (key, self.side_named(info, side).into())).collect()
    }

    /// Formats a sentence of a game's lesson, in which the first side is `$first` and the second `$second`.
    pub fn lesson(&self, info: &'static GameInfo, key: &str) -> String {
        self.say(key, &self.two_sides(info))
    }

    /// Returns the side that took the last turn, under the name it had then: a swap gives that side to the
    /// other player. Empty before the first move.
    pub fn side_moved(&self, play: &dyn Play) -> String {
        let before = play.ply().checked_sub(1).map(|ply| play.at_ply(ply));
        before.map_or_else(String::new, |before| self.side(before.as_ref(), before.turn()))
    }

    /// Asks for one of the pieces that are still to be placed.
    pub fn placing(&self, play: &dyn Play) -> Option<String> {
        let placing = play.placing()?;
        let args = [("left", placing.left.into()), ("on", placing.on.into())];
        Some(self.say(&format!("placing-{}", play.info().key), &args))
    }

    /// Says that pieces move from now on, to a player who placed the last one on the turn before.
    pub fn placed(&self, play: &dyn Play) -> Option<String> {
        if !play.placing_just_ended() {
            return None;
        }
        let example = play.moves().into_iter().next()?;
        Some(self.say(&format!("placed-{}", play.info().key), &[("move", example.into())]))
    }

    /// Names the piece on a cell with its cell, "Baby c3", in games whose pieces have names.
    pub fn piece_on(&self, play: &dyn Play, step: &Step) -> Option<String> {
        let kind = play.piece_kind(step.cell.filter(|_| step.part == StepKind::Piece)?)?;
        Some(self.say(&format!("piece-{kind}"), &[("cell", step.label().into())]))
    }

    /// Names a step of a move for a menu: a cell by its name, a sign in words.
    pub fn step(&self, step: &Step) -> String {
        let turns = step.text.chars().count();
        match (step.part, step.text.as_str()) {
            (StepKind::Mode, "-") => self.word("step-move"),
            (StepKind::Mode, ">") => self.word("step-split"),
            (StepKind::Mode, "swap") => self.word("step-swap"),
            // A penguin that is not yet on the ice has a size but no square.
            (StepKind::Piece, "1") if step.cell.is_none() => self.word("step-enter-1"),
            (StepKind::Piece, "2") if step.cell.is_none() => self.word("step-enter-2"),
            (StepKind::Piece, "3") if step.cell.is_none() => self.word("step-enter-3"),
            (StepKind::Direction, "U") => self.word("step-stand"),
            (StepKind::Spin, ".") => self.word("step-no-spin"),
            (StepKind::Spin, text) if text.starts_with('L') => {
                self.say("step-left", &[("turns", turns.into())])
            }
            (StepKind::Spin, text) if text.starts_with('R') => {
                self.say("step-right", &[("turns", turns.into())])
            }
            _ => step.label().to_owned(),
        }
    }

    /// Mentions a person, or says that the person is unknown if only a pseudonym is left.
    pub fn person(&self, who: UserId) -> String {
        if who.is_pseudonym() { self.word("somebody-gone") } else { person(who) }
    }

    /// Names the occupant of a seat for a message.
    pub fn occupant(&self, occupant: Occupant) -> String {
        match occupant {
            Occupant::Open => self.word("seat-open"),
            Occupant::Invited { person: who } | Occupant::Human { person: who } => self.person(who),
            Occupant::Ai { level } => self.say("seat-ai", &[("level", self.level(level).into())]),
        }
    }

    /// Names the player of a seat: a person, a team or the bot. The side is added if another seat's player
    /// has the same name.
    pub fn seated(&self, table: &Table, seat: Seat) -> String {
        let who = self.holder(table, seat);
        match table.play().filter(|_| self.is_one_of_several(table, seat)) {
            Some(play) => self.on_side(play, seat, who),
            None => who,
        }
    }

    /// Returns the side of a seat if its player holds another seat too or shares a name with another player.
    pub fn side_of_several(&self, table: &Table, seat: Seat) -> Option<String> {
        let play = table.play().filter(|_| self.is_one_of_several(table, seat));
        play.map(|play| self.side(play, seat))
    }

    fn is_one_of_several(&self, table: &Table, seat: Seat) -> bool {
        let who = self.holder(table, seat);
        Seat::all(table.chairs().len()).any(|other| other != seat && self.holder(table, other) == who)
    }

    /// Adds the side to a player's name: "Rookery (easy) as White".
    pub fn on_side(&self, play: &dyn Play, seat: Seat, who: String) -> String {
        self.say("seated-side", &[("who", who.into()), ("side", self.side(play, seat).into())])
    }

    /// Names the player of a seat, without the side.
    pub fn holder(&self, table: &Table, seat: Seat) -> String {
        if table.resigned_before_start().contains(&seat) {
            return self.word("seat-gone");
        }
        match table.team(seat) {
            Some(Team { members: TeamMembers::Named { .. }, .. }) => self.people(&table.players_of(seat)),
            Some(team) => self.members(&team.members, place(table)),
            None => match table.reserved_seat(seat) {
                Some(reserved_seat) => self.members(&reserved_seat.members, place(table)),
                None => self.occupant(table.occupant(seat).unwrap_or(Occupant::Open)),
            },
        }
    }

    /// Names a team; `channel` is the channel that "everyone" refers to, if known.
    pub fn members(&self, members: &TeamMembers, channel: Option<ChannelId>) -> String {
        match (members, channel) {
            (TeamMembers::Everyone, Some(channel)) => {
                self.say("team-everyone", &[("channel", format!("<#{channel}>").into())])
            }
            (TeamMembers::Everyone, None) => self.word("team-everyone-here"),
            (TeamMembers::Role { role }, _) => self.say("team-role", &[("role", self::role(*role).into())]),
            (TeamMembers::Named { people }, _) => self.people(people),
        }
    }

    /// Lists people by name: a few more than [`MAX_NAMES`] are named and counted.
    fn people(&self, people: &[UserId]) -> String {
        let names: Vec<_> = people.iter().map(|who| self.person(*who)).collect();
        if names.len() <= MAX_NAMES + 1 {
            return self.join(&names);
        }
        let (first, rest) = names.split_at(MAX_NAMES);
        self.say("team-more", &[("people", first.join(", ").into()), ("more", rest.len().into())])
    }

    /// Names all players and invited players of a listed table in turn order: people, teams, the bot.
    pub fn players(&self, card: &Card) -> Vec<String> {
        Seat::all(card.people.len()).filter_map(|seat| self.player(card, seat)).collect()
    }

    /// Names the player of a seat at a listed table; `None` while the seat is free.
    fn player(&self, card: &Card, seat: Seat) -> Option<String> {
        let channel = everyone_channel(card);
        let program = || card.programs.iter().find(|it| it.seat == seat);
        if card.gone.contains(&seat) {
            return Some(self.word("seat-gone"));
        }
        match card.people.get(seat.index()).copied().flatten() {
            Some(who) => match card.teams.iter().find(|team| team.captain == who) {
                Some(team) => Some(self.members(&team.members, channel)),
                None => Some(self.person(who)),
            },
            None => program().map(|it| self.occupant(Occupant::Ai { level: it.level })),
        }
    }

    /// Names the opponents of a person at a listed table; empty if the game is only the person's own. Who is on which team is
    /// known of its captain only, so other members have the players without a team as opponents.
    pub fn opponents(&self, card: &Card, who: UserId) -> String {
        let is_seated = card.people.contains(&Some(who));
        let is_own = |seat: &Seat| match card.people.get(seat.index()).copied().flatten() {
            Some(person) if is_seated => person == who,
            Some(person) => card.teams.iter().any(|team| team.captain == person),
            None => false,
        };
        let others = Seat::all(card.people.len()).filter(|seat| !card.imported && !is_own(seat));
        self.join(&others.filter_map(|seat| self.player(card, seat)).collect::<Vec<_>>())
    }

    /// Names the player to move in a listed game; `None` if unknown.
    pub fn mover(&self, card: &Card) -> Option<String> {
        self.player(card, card.to_move?)
    }

    /// Names the winner of a listed game that is over, by how much, or how it ended; without a winner, says that it is
    /// over.
    pub fn won(&self, card: &Card) -> String {
        let name = |seat: &Seat| Some(self.listed_name(card, *seat, self.player(card, *seat)?));
        let winners: Vec<_> = card.winners.iter().filter_map(name).collect();
        // Without sides, a player who held several seats both won and lost.
        let seats = Seat::all(card.people.len())
            .filter(|seat| name(seat).is_some_and(|who| winners.contains(&who)))
            .count();
        match winners.len() {
            count if count == 0 || seats > count => self.word("games-state-over"),
            count => self.listed_result(card, self.join(&winners), count),
        }
    }

    /// Joins names: "a", "a and b", "a, b and c".
    pub fn join(&self, names: &[String]) -> String {
        self.list("list-and", names)
    }

    /// Joins alternatives: "a", "a or b", "a, b or c".
    pub fn either(&self, names: &[String]) -> String {
        self.list("list-or", names)
    }

    fn list(&self, key: &str, names: &[String]) -> String {
        match names {
            [] => String::new(),
            [one] => one.clone(),
            [most @ .., last] => {
                self.say(key, &[("most", most.join(", ").into()), ("last", last.as_str().into())])
            }
        }
    }

    /// Lists all players as opponents: "a – b (gave up) – c". With two players the result already says who
    /// resigned.
    pub fn against(&self, table: &Table) -> String {
        let all = Seat::all(table.chairs().len()).zip(self.all_seated(table));
        all.map(|(seat, who)| self.or_gave_up(table, seat, who)).collect::<Vec<_>>().join(" – ")
    }

    fn or_gave_up(&self, table: &Table, seat: Seat, who: String) -> String {
        match table.chairs().len() > 2 && !table.still_plays(seat) {
            true => self.say("seat-gave-up", &[("who", who.into())]),
            false => who,
        }
    }

    /// Names a side and its player: "White: a".
    pub(super) fn player_of_side(&self, play: &dyn Play, seat: Seat, who: String) -> String {
        self.say("announce-side", &[("side", self.side(play, seat).into()), ("who", who.into())])
    }

    /// Returns the words of a page to print.
    pub fn page_words(&self, play: &dyn Play) -> PageWords {
        let words = self.in_theme(printed_theme(play));
        PageWords {
            title: self.game(play.info().key),
            sides: Seat::all(play.seats()).map(|seat| words.side(play, seat)).collect(),
            notes: format!("{}\n{}", words.stage(play), self.goal(play.info().key)),
        }
    }

    /// Says whose turn it is, and the points that the board doesn't show.
    fn stage(&self, play: &dyn Play) -> String {
        let taken = play.scores().filter(|scores| scores.iter().any(|score| score.tiles > Some(0)));
        let told = taken.map(|scores| self.scores(play, &scores));
        std::iter::once(self.turn(play)).chain(told).collect::<Vec<_>>().join("\n")
    }

    /// Names a size of paper.
    pub fn paper_size(&self, size: PaperSize) -> String {
        self.word(match size {
            PaperSize::A4 => "paper-size-a4",
            PaperSize::Letter => "paper-size-letter",
        })
    }

    /// Names the player of each side, two a line: "White: a · Black: b".
    pub fn sides(&self, table: &Table, play: &dyn Play) -> String {
        let one = |seat: Seat| {
            let who = self.or_gave_up(table, seat, self.holder(table, seat));
            self.player_of_side(play, seat, who)
        };
        two_a_line(&Seat::all(table.chairs().len()).map(one).collect::<Vec<_>>())
    }

    /// Names the player of each seat, in turn order.
    pub fn all_seated(&self, table: &Table) -> Vec<String> {
        Seat::all(table.chairs().len()).map(|seat| self.seated(table, seat)).collect()
    }
}

/// Joins what is said of each player, two a line, so that lines stay short with the longest names.
pub(super) fn two_a_line(players: &[String]) -> String {
    players.chunks(2).map(|line| line.join(" · ")).collect::<Vec<_>>().join("\n")
}
