//! Results of games in words: who won, by how much, and why.

use rookery_core::{Play, Score, Seat};
use rookery_table::ports::Card;
use rookery_table::{EndCause, Ending, Occupant, Status, Table, rated};

use super::names::two_a_line;
use super::{Arg, Localizer};

/// How a result names the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// People by mention, with their side.
    People,
    /// People by their side alone: for visitors of the web pages and for texts in which no mention works.
    Sides,
}

/// The facts of a result, from a table or from a record.
#[derive(Clone, Debug, Default)]
pub struct GameResult {
    /// The key of the game.
    pub game: String,
    /// The key of what ended the game, as in records: `no-moves`, `resigned`.
    pub cause: String,
    /// The number of players.
    pub seats: usize,
    /// The winners; empty without a result.
    pub winners: Vec<Seat>,
    /// The others who played to the end; after a resignation in a game of two, who resigned.
    pub losers: Vec<Seat>,
    /// By how much the sole winner won, as in [`Table::margin`].
    pub margin: Option<u32>,
    /// The final scores, in games with points.
    pub scores: Option<Vec<Score>>,
}

impl GameResult {
    /// Collects the facts of a finished table; `None` while the table is open.
    pub fn of(table: &Table) -> Option<GameResult> {
        let Status::Over(ending) = table.status() else { return None };
        Some(GameResult {
            game: table.terms().game.clone(),
            cause: ending.cause.key().to_owned(),
            seats: table.chairs().len(),
            winners: ending.winners.clone(),
            losers: losers(table, ending),
            margin: table.margin(),
            scores: table.play().and_then(|_| table.scores()),
        })
    }

    /// Returns the arguments of the result's sentences, with a name for each seat.
    fn args(&self, words: &Localizer, name: &dyn Fn(Seat) -> String) -> Vec<Arg<'static>> {
        let names = |seats: &[Seat]| words.join(&seats.iter().map(|seat| name(*seat)).collect::<Vec<_>>());
        let mut ranked = self.scores.clone().unwrap_or_default();
        ranked.sort_by_key(|score| std::cmp::Reverse((score.points, score.tiles)));
        let [first, second] = [0, 1].map(|place| ranked.get(place).copied().unwrap_or_default());
        let margin = self.margin.map_or_else(|| "none".into(), Into::into);
        let amount = self.margin.map(|margin| words.amount(&self.game, margin)).unwrap_or_default();
        vec![
            ("winner", names(&self.winners).into()),
            ("loser", names(&self.losers).into()),
            ("winners", self.winners.len().into()),
            ("seats", self.seats.into()),
            ("game", self.game.clone().into()),
            ("margin", margin),
            ("amount", amount.into()),
            ("best", first.points.into()),
            ("second", second.points.into()),
            ("tiles", first.tiles.unwrap_or_default().into()),
            ("fewer", second.tiles.unwrap_or_default().into()),
        ]
    }

    /// Whether its sentence already gives the scores of two players.
    fn says_scores(&self) -> bool {
        matches!(self.cause.as_str(), "points" | "tiles")
            || (self.cause == "repetition" && self.margin.is_some())
    }
}

impl Localizer {
    /// Describes the result of a table in full: the players by name, the margin, why, and where the sentence does not
    /// give them, the scores; with three and four players all of them in order of rank. Empty while the table is open.
    pub fn result(&self, table: &Table, naming: Naming) -> String {
        let Some(result) = GameResult::of(table) else { return String::new() };
        let name = |seat| self.result_name(table, seat, naming);
        let sentence = self.result_sentence(&result, &name);
        let Some(places) = rated::places(table).filter(|_| table.play().is_some()) else { return sentence };
        if result.seats > 2 {
            let places = self.ranking(table, &result, &places, &name);
            let places = match naming {
                Naming::People => two_a_line(&places),
                Naming::Sides => places.join(" · "),
            };
            return self.say("result-with-places", &[("result", sentence.into()), ("places", places.into())]);
        }
        match result.scores.as_ref().filter(|_| !result.says_scores()) {
            Some(scores) => {
                let score = |(seat, score): (Seat, &Score)| {
                    self.say("result-score", &[("who", name(seat).into()), ("points", score.points.into())])
                };
                let scores: Vec<_> = Seat::all(scores.len()).zip(scores).map(score).collect();
                let scores = ("scores", scores.join(", ").into());
                self.say("result-with-scores", &[("result", sentence.into()), scores])
            }
            None => sentence,
        }
    }

    /// Describes a result in one sentence, with `name` for each seat.
    pub fn result_sentence(&self, result: &GameResult, name: &dyn Fn(Seat) -> String) -> String {
        let by_name = result.cause == "refused" && !result.losers.is_empty();
        let key = if by_name { "result-refused-by".to_owned() } else { format!("result-{}", result.cause) };
        self.say(&key, &result.args(self, name))
    }

    /// Describes the result of a table in one sentence by sides, for descriptions of pictures.
    pub(super) fn result_by_sides(&self, table: &Table) -> Option<String> {
        let result = GameResult::of(table)?;
        Some(self.result_sentence(&result, &|seat| self.result_name(table, seat, Naming::Sides)))
    }

    /// Describes a result in two lines for a picture: who won by how much, and why. The second is empty for a cause
    /// without a sentence.
    pub fn result_lines(&self, result: &GameResult, name: &dyn Fn(Seat) -> String) -> [String; 2] {
        let (args, why) = (result.args(self, name), format!("why-{}", result.cause));
        let why = if self.has(&why) { self.say(&why, &args) } else { String::new() };
        [self.say("result-head", &args), why]
    }

    /// Describes in a few words how a listed game ended: "Ben (Black) won by 4 fish".
    pub(super) fn listed_result(&self, card: &Card, winner: String, winners: usize) -> String {
        let margin = card.result.as_ref().and_then(|result| result.margin);
        let how = card.result.as_ref().map_or("", |result| result.cause.key());
        let args = [
            ("winner", winner.into()),
            ("winners", winners.into()),
            ("how", how.into()),
            ("margin", margin.map_or_else(|| "none".into(), Into::into)),
            ("amount", margin.map(|margin| self.amount(&card.game, margin)).unwrap_or_default().into()),
        ];
        self.say("games-state-result", &args)
    }

    /// Names the player of a listed seat as a result does: with the side in brackets, once the game began.
    pub(super) fn listed_name(&self, card: &Card, seat: Seat, who: String) -> String {
        let side = card.result.as_ref().and_then(|result| result.sides.get(seat.index()).copied());
        let info = rookery_games::named(&card.game).map(|game| game.info());
        let own = info.zip(side).and_then(|(info, side)| Some((info, *info.sides.get(side)?)));
        let Some((info, own)) = own else { return who };
        let side = self.side_named(info, own);
        match card.programs.iter().find(|it| it.seat == seat) {
            Some(_) if card.people.len() == 2 && card.programs.len() == 1 => who,
            Some(program) => self.side_of_bot(program.level, side),
            None => self.named_side(who, side),
        }
    }

    /// Formats a margin with its unit: "4 fish".
    fn amount(&self, game: &str, margin: u32) -> String {
        self.say("result-amount", &[("game", game.into()), ("margin", margin.into())])
    }

    /// Names the player of a seat in a result, with the side in brackets. The bot's side is given only where its level
    /// does not tell it from the others.
    pub fn result_name(&self, table: &Table, seat: Seat, naming: Naming) -> String {
        let (Some(play), occupant) = (table.play(), table.occupant(seat)) else {
            return self.holder(table, seat);
        };
        let gone = table.resigned_before_start().contains(&seat);
        let others = || Seat::all(table.chairs().len()).filter(|other| *other != seat);
        let other_bot = || others().any(|other| matches!(table.occupant(other), Some(Occupant::Ai { .. })));
        let side = self.side(play, seat);
        match occupant {
            Some(bot @ Occupant::Ai { .. }) if !gone && play.seats() == 2 && !other_bot() => {
                self.occupant(bot)
            }
            Some(Occupant::Ai { level }) if !gone => self.side_of_bot(level, side),
            _ if naming == Naming::Sides && !gone => side,
            _ => self.named_side(self.holder(table, seat), side),
        }
    }

    /// Names the player of a seat with the side that they have at a position: "Ben (Black)", "Rookery (easy, Black)".
    pub fn player_with_side(&self, table: &Table, play: &dyn Play, seat: Seat) -> String {
        let side = self.side(play, seat);
        match table.occupant(seat) {
            Some(Occupant::Ai { level }) if !table.resigned_before_start().contains(&seat) => {
                self.side_of_bot(level, side)
            }
            _ => self.named_side(self.holder(table, seat), side),
        }
    }

    fn side_of_bot(&self, level: rookery_core::player::Level, side: String) -> String {
        self.say("result-name-ai", &[("level", self.level(level).into()), ("side", side.into())])
    }

    /// Adds the side to a name: "Ben (Black)".
    pub(super) fn named_side(&self, who: String, side: String) -> String {
        self.say("result-name", &[("who", who.into()), ("side", side.into())])
    }

    /// Lists all players in order of rank with their scores: "1. Ada (Blue) 34", "2. Ben (Orange) 31".
    fn ranking(
        &self,
        table: &Table,
        result: &GameResult,
        places: &[usize],
        name: &dyn Fn(Seat) -> String,
    ) -> Vec<String> {
        let place = |seat: &Seat| places[seat.index()];
        let mut seats: Vec<_> = Seat::all(places.len()).collect();
        seats.sort_by_key(place);
        let line = |seat: Seat| {
            let score = result.scores.as_ref().map(|scores| scores[seat.index()]);
            let tiles = score.and_then(|score| score.tiles).filter(|_| result.cause == "tiles");
            let key = match (score, table.still_plays(seat), tiles) {
                (None, true, _) => "result-place",
                (None, false, _) => "result-place-out",
                (Some(_), true, Some(_)) => "result-place-tiles",
                (Some(_), true, None) => "result-place-score",
                (Some(_), false, _) => "result-place-score-out",
            };
            let args = [
                ("place", (place(&seat) + 1).into()),
                ("who", name(seat).into()),
                ("points", score.unwrap_or_default().points.into()),
                ("tiles", tiles.unwrap_or_default().into()),
            ];
            self.say(key, &args)
        };
        seats.into_iter().map(line).collect()
    }

    /// Formats a number of half units: "3", "2½", "½".
    pub fn halves(&self, halves: u32) -> String {
        match (halves / 2, halves % 2) {
            (whole, 0) => whole.to_string(),
            (0, _) => "½".to_owned(),
            (whole, _) => format!("{whole}½"),
        }
    }
}

/// Returns whether the result of a table lists all its players: with more than two of them, if there is a ranking.
pub fn result_lists_players(table: &Table) -> bool {
    let over = matches!(table.status(), Status::Over(_)) && table.play().is_some();
    over && table.chairs().len() > 2 && rated::places(table).is_some()
}

/// Returns whom a result names beside the winners: who resigned or declined, or else all others still in the game.
fn losers(table: &Table, ending: &Ending) -> Vec<Seat> {
    if matches!(ending.cause, EndCause::Resigned | EndCause::Refused) || table.play().is_none() {
        let named = last_resigned(table);
        if named.is_some() || table.play().is_none() {
            return named.into_iter().collect();
        }
    }
    let seats = table.chairs().len();
    let lost = |seat: &Seat| !ending.winners.contains(seat) && (seats == 2 || table.still_plays(*seat));
    Seat::all(seats).filter(lost).collect()
}

/// Returns the seat that resigned last, or before the start the only seat that has not answered the
/// challenge. A resignation or a declined challenge that ended the table was theirs.
pub fn last_resigned(table: &Table) -> Option<Seat> {
    if table.play().is_some() {
        return table.resigned().last().copied();
    }
    let asked = |seat: &Seat| matches!(table.occupant(*seat), Some(Occupant::Invited { .. }));
    let mut asked = Seat::all(table.chairs().len()).filter(asked);
    asked.next().filter(|_| asked.next().is_none())
}
