//! The seating of a table that `/play` opens.

use rookery_core::player::Level;
use rookery_core::rules::GameInfo;
use rookery_core::{MAX_SEATS, Seat};
use rookery_i18n::{Localizer, person};
use rookery_table::rated::Account;
use rookery_table::rating::{Rating, RatingPool};
use rookery_table::{Occupant, UserId, commitment, level_ratings};

use super::open_table::{AiStrength, FirstPlayer, OpenTable};
use crate::discord::state::context::Context;
use crate::discord::wire::interaction::Interaction;

/// The value of the option for all seats.
const ALL_SEATS: &str = "all";

/// The requested players and their order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SeatingRequest {
    guests: Vec<UserId>,
    ai: Option<(Level, ProgramSeats)>,
    players: Option<usize>,
    first: First,
    /// The occupants of the seats reserved for other teams until those are complete.
    kept: Vec<Occupant>,
}

/// The seats of the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ProgramSeats {
    /// The seats that are left.
    Rest,
    /// This many seats after those of people.
    Count(usize),
    /// The seats with these indices, some with their own level.
    At(Vec<(usize, Option<Level>)>),
    /// All seats: people only watch.
    All,
}

/// The player who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Me,
    Them,
    Random,
}

impl SeatingRequest {
    /// Returns the people to invite.
    pub(super) fn guests(&self) -> &[UserId] {
        &self.guests
    }

    /// Adds the bot as the opponent if nobody else is to play: a team of everyone leaves no other people to
    /// wait for.
    #[must_use]
    pub(super) fn against_program(self) -> SeatingRequest {
        let alone = self.guests.is_empty() && self.ai.is_none();
        SeatingRequest {
            ai: if alone { Some((Level::DEFAULT, ProgramSeats::Rest)) } else { self.ai },
            ..self
        }
    }

    /// Adds the seats reserved for other teams.
    #[must_use]
    pub(super) fn against(self, kept: Vec<Occupant>) -> SeatingRequest {
        SeatingRequest { kept, ..self }
    }

    /// Returns the seats reserved for other teams. Seats are rotated and the bot may sit in
    /// between, but starting from the host people keep their order.
    pub(super) fn kept_seats(&self, chairs: &[Occupant], host: UserId) -> Vec<Seat> {
        let count = chairs.len();
        let is_host = |seat: &Seat| chairs[seat.index()] == Occupant::Human { person: host };
        let host_at = Seat::all(count).find(is_host).unwrap_or(Seat::FIRST);
        let around = std::iter::successors(Some(host_at), |seat| Some(seat.next(count))).take(count);
        let people = around.filter(|seat| !matches!(chairs[seat.index()], Occupant::Ai { .. }));
        people.skip(1 + self.guests.len()).take(self.kept.len()).collect()
    }

    /// Whether the host's seat is drawn at random.
    pub(super) fn by_chance(&self) -> bool {
        let told = matches!(&self.ai, Some((_, ProgramSeats::At(_) | ProgramSeats::All)));
        self.first == First::Random && !told
    }
}

/// Returns the chosen level, or the level whose rating is nearest to the person's.
pub(super) async fn level(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
    game: &str,
) -> Option<Level> {
    if let AiStrength::Level(level) = request.ai? {
        return Some(level);
    }
    let server = ctx.registry.preferences_cache().server(interaction.place.guild).await;
    let strongest = server.ai.strongest.as_deref().and_then(Level::named);
    Some(level_ratings::level_for_rating(game, &rating(ctx, interaction.who, game).await, strongest))
}

/// Returns the person's rating: by their games against the bot, otherwise by those against people.
async fn rating(ctx: &Context, who: UserId, game: &str) -> Rating {
    for pool in [RatingPool::Program, RatingPool::Two] {
        // A rating that cannot be read counts as none.
        let known = ctx.registry.journal().ratings().rating(Account::Person(who), game, pool).await;
        if let Ok(Some(standing)) = known {
            return standing.rating;
        }
    }
    Rating::default()
}

/// Reads the requested players of a game, with the bot at this level if it was requested.
///
/// # Errors
/// If the seating is not possible; the sentence says why.
pub(super) fn parse_request(
    ctx: &Context,
    interaction: &Interaction,
    request: &OpenTable,
    info: &GameInfo,
    level: Option<Level>,
) -> Result<SeatingRequest, String> {
    let words = ctx.words;
    let players = players(words, request, info)?;
    let mut guests = request.guests.clone();
    let seats = request.ai_seats.as_deref();
    let seats = seats.map(|text| programs(text).ok_or_else(|| words.word("play-ai-seats")));
    let seats = seats.transpose()?;
    let mut level = level.or(seats.is_some().then_some(Level::DEFAULT));
    if guests.contains(&ctx.me()) {
        guests.retain(|guest| *guest != ctx.me());
        level = level.or(Some(Level::DEFAULT));
    }
    if let Some(bot) = guests.iter().find(|guest| request.bots.contains(guest)) {
        return Err(words.say("play-bot", &[("who", person(*bot).into())]));
    }
    let twice = guests.iter().enumerate().any(|(i, guest)| guests[..i].contains(guest));
    if twice || (guests.len() > 1 && guests.contains(&interaction.who)) {
        return Err(words.word("play-twice"));
    }
    let first = match request.first {
        Some(FirstPlayer::Them) => First::Them,
        Some(FirstPlayer::Random) => First::Random,
        Some(FirstPlayer::Me | FirstPlayer::Pie) | None => First::Me,
    };
    let ai = level.map(|level| (level, seats.unwrap_or(ProgramSeats::Rest)));
    Ok(SeatingRequest { guests, ai, players, first, kept: Vec::new() })
}

/// Returns the requested number of players. A message may contain any number, so it is checked against the
/// game before chairs are created.
fn players(words: &Localizer, request: &OpenTable, info: &GameInfo) -> Result<Option<usize>, String> {
    let Some(told) = request.players else { return Ok(None) };
    let players = usize::try_from(told).ok().filter(|players| (1..=MAX_SEATS).contains(players));
    players.map(Some).ok_or_else(|| words.bad_seat_count(told, info.seats))
}

/// Parses a number of bots (`2`), their seats (`2 4`, `2,4`) or `all`; with levels `2 easy, 3 expert`. A level
/// applies to all seats before it, back to a comma or to another level.
fn programs(text: &str) -> Option<ProgramSeats> {
    let text = text.trim().to_lowercase();
    if text == ALL_SEATS {
        return Some(ProgramSeats::All);
    }
    if let Ok(count) = text.parse() {
        return (1..=MAX_SEATS).contains(&count).then_some(ProgramSeats::Count(count));
    }
    let mut seats: Vec<(usize, Option<Level>)> = Vec::new();
    let mut settled = 0;
    for word in text.replace(',', " , ").split_whitespace() {
        let level = Level::named(word);
        if word == "," || level.is_some() {
            if level.is_some() && settled == seats.len() {
                return None;
            }
            seats[settled..].iter_mut().for_each(|(_, own)| *own = level);
            settled = seats.len();
            continue;
        }
        let seat = word.parse().ok().filter(|n| (1..=MAX_SEATS).contains(n))? - 1;
        if seats.iter().any(|(other, _)| *other == seat) {
            return None;
        }
        seats.push((seat, None));
    }
    (!seats.is_empty()).then_some(ProgramSeats::At(seats))
}

/// Returns the chairs in turn order. A host who challenges themselves holds both seats. `None` if there are
/// more people than free seats.
pub(super) fn chairs(
    seating_request: &SeatingRequest,
    host: UserId,
    info: &GameInfo,
    seed: u64,
) -> Option<Vec<Occupant>> {
    let guest = |person: &UserId| match *person == host {
        true => Occupant::Human { person: host },
        false => Occupant::Invited { person: *person },
    };
    let mut people = vec![Occupant::Human { person: host }];
    people.extend(seating_request.guests.iter().map(guest));
    people.extend(&seating_request.kept);
    match &seating_request.ai {
        None => {
            let count = seating_request.players.unwrap_or(people.len().max(info.fewest())).max(people.len());
            people.resize(count, Occupant::Open);
            rotate_to_first(&mut people, seating_request.first, seed);
        }
        Some((level, ProgramSeats::Rest)) => {
            let count =
                seating_request.players.unwrap_or((people.len() + 1).max(info.fewest())).max(people.len());
            people.resize(count, Occupant::Ai { level: *level });
            rotate_to_first(&mut people, seating_request.first, seed);
        }
        Some((level, ProgramSeats::All)) => {
            let count = seating_request.players.unwrap_or(info.fewest());
            return seating_request.guests.is_empty().then(|| vec![Occupant::Ai { level: *level }; count]);
        }
        Some((level, ProgramSeats::Count(bots))) => {
            return seat_bots(people, *level, *bots, seating_request, info, seed);
        }
        Some((level, ProgramSeats::At(seats))) => {
            return interleave_bot_seats(people, *level, seats, seating_request, info, seed);
        }
    }
    Some(people)
}

/// Seats a number of bots after the people and the open seats. As many bots as the game has players play among
/// themselves.
fn seat_bots(
    mut people: Vec<Occupant>,
    level: Level,
    bots: usize,
    seating_request: &SeatingRequest,
    info: &GameInfo,
    seed: u64,
) -> Option<Vec<Occupant>> {
    let (needed, most) = (people.len() + bots, info.seats.last().copied().unwrap_or(MAX_SEATS));
    let count = seating_request.players.unwrap_or(needed.max(info.fewest()));
    if needed > count || needed > most {
        let alone = people.len() == 1 && info.seats.contains(&bots);
        let alone = alone && seating_request.players.is_none_or(|players| players == bots);
        return alone.then(|| vec![Occupant::Ai { level }; bots]);
    }
    people.resize(count - bots, Occupant::Open);
    people.resize(count, Occupant::Ai { level });
    rotate_to_first(&mut people, seating_request.first, seed);
    Some(people)
}

/// Seats the bot on its own seats, and people and open seats on the others.
fn interleave_bot_seats(
    mut people: Vec<Occupant>,
    level: Level,
    seats: &[(usize, Option<Level>)],
    seating_request: &SeatingRequest,
    info: &GameInfo,
    seed: u64,
) -> Option<Vec<Occupant>> {
    let needed = (people.len() + seats.len()).max(info.fewest());
    let last = seats.iter().map(|(seat, _)| seat + 1).max().unwrap_or(0);
    let count = seating_request.players.unwrap_or(needed.max(last));
    if needed > count || last > count {
        return None;
    }
    people.resize(count - seats.len(), Occupant::Open);
    rotate_to_first(&mut people, seating_request.first, seed);
    let mut people = people.into_iter();
    let program = |at: usize| seats.iter().find(|(seat, _)| *seat == at);
    let chair = |at| match program(at) {
        Some((_, own)) => Some(Occupant::Ai { level: own.unwrap_or(level) }),
        None => people.next(),
    };
    (0..count).map(chair).collect()
}

fn rotate_to_first(chairs: &mut [Occupant], first: First, seed: u64) {
    match first {
        First::Me => {}
        First::Them => chairs.rotate_left(1 % chairs.len().max(1)),
        First::Random => chairs.rotate_right(commitment::host_seat(seed, chairs.len().max(1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: UserId = UserId(1);
    const BEN: UserId = UserId(2);
    const ADA_SITS: Occupant = Occupant::Human { person: ADA };
    const BEN_IS_ASKED: Occupant = Occupant::Invited { person: BEN };
    const PROGRAM: Occupant = Occupant::Ai { level: Level::Easy };

    fn about(game: &str) -> &'static GameInfo {
        rookery_games::named(game).unwrap().info()
    }

    fn seating_request(guests: &[UserId], ai: Option<ProgramSeats>, first: First) -> SeatingRequest {
        let ai = ai.map(|programs| (Level::Easy, programs));
        SeatingRequest { guests: guests.to_vec(), ai, players: None, first, kept: Vec::new() }
    }

    fn seated(seating_request: &SeatingRequest, game: &str, seed: u64) -> Vec<Occupant> {
        chairs(seating_request, ADA, about(game), seed).unwrap()
    }

    #[test]
    fn as_many_players_as_no_game_has_are_refused_before_chairs_are_made() {
        let told = |number: i64| {
            let request = OpenTable { players: Some(number), ..OpenTable::default() };
            players(Localizer::english(), &request, about("penguins"))
        };
        for wrong in [i64::MIN, -3, 0, 5, 50_000_000, 100_000_000_000_000, i64::MAX] {
            let refused = told(wrong).unwrap_err();
            let says = refused.contains("2, 3 or 4") && refused.contains(&wrong.to_string());
            assert!(says, "{refused}");
        }
        assert_eq!((told(1), told(4)), (Ok(Some(1)), Ok(Some(4))), "the game itself says how many it takes");
    }

    #[test]
    fn nobody_named_leaves_a_seat_free() {
        assert_eq!(seated(&seating_request(&[], None, First::Me), "amazons", 0), [ADA_SITS, Occupant::Open]);
    }

    #[test]
    fn them_first_turns_the_chairs() {
        assert_eq!(
            seated(&seating_request(&[BEN], None, First::Them), "amazons", 0),
            [BEN_IS_ASKED, ADA_SITS]
        );
    }

    #[test]
    fn chance_decides_who_begins() {
        let seating_request = seating_request(&[], Some(ProgramSeats::Rest), First::Random);
        for seed in 0..20 {
            let host = seated(&seating_request, "amazons", seed).iter().position(|chair| *chair == ADA_SITS);
            assert_eq!(host, Some(commitment::host_seat(seed, 2)));
        }
    }

    #[test]
    fn who_challenges_themselves_plays_both_sides() {
        assert_eq!(seated(&seating_request(&[ADA], None, First::Me), "amazons", 0), [ADA_SITS; 2]);
    }

    #[test]
    fn the_program_sits_beside_people_where_it_is_told_to() {
        let seats = programs("2, 4").unwrap();
        let four = seated(&seating_request(&[BEN], Some(seats), First::Me), "penguins", 0);
        assert_eq!(four, [ADA_SITS, PROGRAM, BEN_IS_ASKED, PROGRAM]);
        let first = seated(&seating_request(&[], programs("1 easy"), First::Me), "amazons", 0);
        assert_eq!(first, [PROGRAM, ADA_SITS]);
        let them = seated(&seating_request(&[BEN], programs("3 easy"), First::Them), "penguins", 0);
        assert_eq!(them, [BEN_IS_ASKED, ADA_SITS, PROGRAM]);
    }

    #[test]
    fn a_number_alone_is_a_number_of_bots() {
        let with = |guests: &[UserId], bots, game| {
            let request = seating_request(guests, programs(bots), First::Me);
            chairs(&request, ADA, about(game), 0)
        };
        assert_eq!(with(&[], "1", "amazons").unwrap(), [ADA_SITS, PROGRAM]);
        assert_eq!(with(&[], "2", "penguins").unwrap(), [ADA_SITS, PROGRAM, PROGRAM]);
        assert_eq!(with(&[BEN], "2", "penguins").unwrap(), [ADA_SITS, BEN_IS_ASKED, PROGRAM, PROGRAM]);
        let four = SeatingRequest { players: Some(4), ..seating_request(&[], programs("2"), First::Me) };
        assert_eq!(seated(&four, "penguins", 0), [ADA_SITS, Occupant::Open, PROGRAM, PROGRAM]);
        assert_eq!(with(&[], "2", "amazons").unwrap(), [PROGRAM; 2], "both sides: people watch");
        assert_eq!(with(&[], "4", "penguins").unwrap(), [PROGRAM; 4]);
        assert_eq!(with(&[BEN], "2", "amazons"), None);
        assert_eq!(with(&[], "3", "amazons"), None);
    }

    #[test]
    fn the_program_may_hold_every_seat_but_not_the_seats_of_people() {
        assert_eq!(seated(&seating_request(&[], programs("all"), First::Me), "amazons", 0), [PROGRAM; 2]);
        assert_eq!(
            chairs(&seating_request(&[BEN], programs("all"), First::Me), ADA, about("amazons"), 0),
            None
        );
        let two =
            SeatingRequest { players: Some(2), ..seating_request(&[BEN], programs("1 easy"), First::Me) };
        assert_eq!(chairs(&two, ADA, about("amazons"), 0), None);
    }

    #[test]
    fn seats_that_are_kept_for_teams_are_found_wherever_people_sit() {
        let guest = Occupant::Invited { person: UserId(3) };
        for (programs, first) in [
            (None, First::Me),
            (None, First::Them),
            (None, First::Random),
            (Some(ProgramSeats::Rest), First::Them),
            (programs("1 easy"), First::Me),
            (programs("2 easy"), First::Them),
            (programs("1"), First::Random),
        ] {
            for seed in 0..8 {
                let seating_request = seating_request(&[BEN], programs.clone(), first).against(vec![guest]);
                let seats = seated(&seating_request, "penguins", seed);
                let kept = seating_request.kept_seats(&seats, ADA);
                assert_eq!(
                    kept.iter().map(|seat| seats[seat.index()]).collect::<Vec<_>>(),
                    [guest],
                    "{seats:?}"
                );
            }
        }
    }

    #[test]
    fn seats_of_the_program_may_have_levels_of_their_own() {
        let at = |seats: &[(usize, Option<Level>)]| Some(ProgramSeats::At(seats.to_vec()));
        let (easy, expert) = (Some(Level::Easy), Some(Level::Expert));
        assert_eq!(programs("2 easy, 3 expert"), at(&[(1, easy), (2, expert)]));
        assert_eq!(programs("2 Easy 3 EXPERT"), at(&[(1, easy), (2, expert)]));
        assert_eq!(programs("2 4 expert,3"), at(&[(1, expert), (3, expert), (2, None)]));
        assert_eq!(programs("2, 3 expert"), at(&[(1, None), (2, expert)]));
        let seating_request = seating_request(&[], programs("2 expert, 3"), First::Me);
        let strong = Occupant::Ai { level: Level::Expert };
        assert_eq!(seated(&seating_request, "penguins", 0), [ADA_SITS, strong, PROGRAM]);
    }

    #[test]
    fn seats_are_numbers_from_one_to_four_each_once() {
        for wrong in ["", "0", "5", "2 2", "x", "1-2", "easy", "2 easy hard", "2 best", "2 easy, hard", ","] {
            assert_eq!(programs(wrong), None, "{wrong}");
        }
        assert_eq!(programs(" ALL "), Some(ProgramSeats::All));
    }
}
