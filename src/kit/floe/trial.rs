//! A second, naive reading of the rules in plain arrays, written straight from `rules.md`, against
//! which the rooms are compared over random games. It shares nothing with [`super::Floe`] but moves.

use super::claim::Terms;
use super::harvest::Way;
use super::{Floe, Move, Phase};
use crate::kit::board::Shape;
use crate::kit::game::legal;
use crate::kit::seed::Chance;
use crate::kit::{Cell, Claim, Position, Room, Seat};

/// A table of squares or hexagons, as arrays by column and row.
#[derive(Clone)]
struct Plain {
    hex: bool,
    spears: bool,
    scores_on_arrival: bool,
    one_fish_only: bool,
    each: usize,
    seats: usize,
    /// Fish by (column, row): -1 off the board, 0 no tile.
    fish: [[i8; 12]; 12],
    /// Seat of the piece by (column, row).
    piece: [[Option<usize>; 12]; 12],
    points: Vec<u32>,
    tiles: Vec<u32>,
    turn: usize,
    placed: Vec<usize>,
}

type Place = (usize, usize);

impl Plain {
    fn of(floe: &Floe, terms: Terms) -> Plain {
        let (hex, spears) = (floe.board().shape() == Shape::Island, terms.way == Way::Spear);
        let seats = floe.seats();
        let mut plain = Plain {
            hex,
            spears,
            scores_on_arrival: !terms.standing_counts,
            one_fish_only: floe.one_fish_only(),
            each: floe.each(),
            seats,
            fish: [[-1; 12]; 12],
            piece: [[None; 12]; 12],
            points: vec![0; seats],
            tiles: vec![0; seats],
            turn: floe.turn().index(),
            placed: vec![0; seats],
        };
        for cell in floe.board().cells() {
            let (col, row) = floe.board().place(cell);
            plain.fish[usize::from(col)][usize::from(row)] = floe.fish(cell) as i8;
        }
        plain
    }

    fn all(&self) -> Vec<Place> {
        (0..12)
            .flat_map(|row| (0..12).map(move |col| (col, row)))
            .filter(|p| self.fish[p.0][p.1] >= 0)
            .collect()
    }

    fn is_free(&self, (col, row): Place) -> bool {
        self.fish[col][row] > 0 && self.piece[col][row].is_none()
    }

    /// The next place in one of eight directions (squares) or six (hexagons), if it is on the board.
    fn step(&self, (col, row): Place, dir: usize) -> Option<Place> {
        let (c, r) = (col as i32, row as i32);
        let to = if self.hex {
            // Rows are numbered from 1 in the rules: an odd number is an even index, a row of eight.
            let left = if row % 2 == 0 { c - 1 } else { c };
            *[(c - 1, r), (c + 1, r), (left, r + 1), (left + 1, r + 1), (left, r - 1), (left + 1, r - 1)]
                .get(dir)?
        } else {
            let around = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
            let (dc, dr) = around.get(dir)?;
            (c + dc, r + dr)
        };
        let inside = (0..12).contains(&to.0) && (0..12).contains(&to.1);
        let to = inside.then_some((to.0 as usize, to.1 as usize))?;
        (self.fish[to.0][to.1] >= 0).then_some(to)
    }

    fn slides(&self, from: Place) -> Vec<Place> {
        let mut goals = Vec::new();
        for dir in 0..8 {
            let mut at = from;
            while let Some(next) = self.step(at, dir).filter(|next| self.is_free(*next)) {
                goals.push(next);
                at = next;
            }
        }
        goals
    }

    /// All moves of a seat as lists of one to three places.
    fn moves(&self, seat: usize) -> Vec<Vec<Place>> {
        if self.placing() {
            let free: Vec<_> = self.all().into_iter().filter(|p| self.is_free(*p)).collect();
            let ones: Vec<_> = free.iter().copied().filter(|p| self.fish[p.0][p.1] == 1).collect();
            let places = if self.one_fish_only && !ones.is_empty() { ones } else { free };
            return places.into_iter().map(|p| vec![p]).collect();
        }
        let own = self.all().into_iter().filter(|p| self.piece[p.0][p.1] == Some(seat));
        let mut moves = Vec::new();
        for from in own {
            for to in self.slides(from) {
                if !self.spears {
                    moves.push(vec![from, to]);
                    continue;
                }
                let mut there = self.clone();
                there.piece[from.0][from.1] = None;
                there.piece[to.0][to.1] = Some(seat);
                moves.extend(there.slides(to).into_iter().map(|spear| vec![from, to, spear]));
            }
        }
        moves
    }

    fn can_move(&self, seat: usize) -> bool {
        let mut own = self.all().into_iter().filter(|p| self.piece[p.0][p.1] == Some(seat));
        // Whoever can take one step can spear back: the square just left is free.
        own.any(|from| !self.slides(from).is_empty())
    }

    fn placing(&self) -> bool {
        self.placed.iter().any(|n| *n < self.each)
    }

    fn play(&mut self, m: &[Place]) {
        let seat = self.turn;
        match *m {
            [at] => {
                self.piece[at.0][at.1] = Some(seat);
                self.placed[seat] += 1;
                if self.scores_on_arrival {
                    self.points[seat] += self.fish[at.0][at.1] as u32;
                }
            }
            [from, to] => {
                self.piece[from.0][from.1] = None;
                self.piece[to.0][to.1] = Some(seat);
                let scored = if self.scores_on_arrival { to } else { from };
                self.points[seat] += self.fish[scored.0][scored.1] as u32;
                self.tiles[seat] += 1;
                self.fish[from.0][from.1] = 0;
            }
            [from, to, spear] => {
                self.piece[from.0][from.1] = None;
                self.piece[to.0][to.1] = Some(seat);
                self.points[seat] += self.fish[spear.0][spear.1] as u32;
                self.tiles[seat] += 1;
                self.fish[spear.0][spear.1] = 0;
            }
            _ => unreachable!("a move has one to three places"),
        }
        if self.placing() {
            self.turn = (seat + 1) % self.seats;
            return;
        }
        let first = if m.len() == 1 { 0 } else { seat + 1 };
        let next = (first..first + self.seats).map(|s| s % self.seats).find(|s| self.can_move(*s));
        self.turn = next.unwrap_or(first % self.seats);
    }

    fn is_over(&self) -> bool {
        !self.placing() && (0..self.seats).all(|seat| !self.can_move(seat))
    }

    /// Points in the end: those under pieces too, unless they were scored on arriving.
    fn finals(&self) -> Vec<(u32, u32)> {
        let mut finals: Vec<_> = self.points.iter().copied().zip(self.tiles.iter().copied()).collect();
        for (col, row) in self.all() {
            if let Some(seat) = self.piece[col][row].filter(|_| !self.scores_on_arrival) {
                finals[seat].0 += self.fish[col][row] as u32;
                finals[seat].1 += 1;
            }
        }
        finals
    }

    /// The best final points that a seat can have if all others sit still: plain search of all ways.
    fn best_alone(&self, seat: usize) -> u32 {
        let moves = self.moves(seat);
        let stay = self.finals()[seat].0;
        let try_move = |m: &Vec<Place>| {
            let mut next = self.clone();
            next.turn = seat;
            next.play(m);
            next.best_alone(seat)
        };
        moves.iter().map(try_move).max().unwrap_or(0).max(stay)
    }
}

/// Plays random games of a room beside the naive rules until so many positions were compared.
///
/// # Panics
/// Where they differ in moves, turn, scores, end or winner.
pub(crate) fn compare<R>(
    starts: &[R::Position],
    floe: fn(&R::Position) -> &Floe,
    terms: Terms,
    positions: usize,
) where
    R: Room,
    R::Position: Position<Move = Move>,
{
    let mut chance = Chance::new(3);
    let mut compared = 0;
    for game in 0.. {
        let mut state = starts[game % starts.len()].clone();
        while floe(&state).phase() == Phase::Lay {
            let moves = legal::<R>(&state);
            state.play_unchecked(*chance.pick(&moves).unwrap());
        }
        let mut plain = Plain::of(floe(&state), terms);
        loop {
            same::<R>(&state, &plain, floe(&state), terms);
            compared += 1;
            if compared == positions {
                return;
            }
            let moves = legal::<R>(&state);
            let Some(m) = chance.pick(&moves) else { break };
            plain.play(&places(floe(&state), *m));
            state.play_unchecked(*m);
        }
    }
}

fn places(floe: &Floe, m: Move) -> Vec<Place> {
    let place = |cell: Cell| {
        let (col, row) = floe.board().place(cell);
        (usize::from(col), usize::from(row))
    };
    m.from.into_iter().chain([m.to]).chain(m.spear).map(place).collect()
}

fn same<R>(state: &R::Position, plain: &Plain, floe: &Floe, terms: Terms)
where
    R: Room,
    R::Position: Position<Move = Move>,
{
    let at = R::to_line(state);
    let mut listed: Vec<_> = legal::<R>(state).into_iter().map(|m| places(floe, m)).collect();
    let mut wanted = if plain.is_over() { Vec::new() } else { plain.moves(plain.turn) };
    listed.sort();
    wanted.sort();
    assert_eq!(listed, wanted, "moves of {at}");
    assert_eq!(state.turn().index(), plain.turn, "turn in {at}");
    assert_eq!(state.outcome().is_some(), plain.is_over(), "end of {at}");
    let scores = state.scores().unwrap();
    let points: Vec<_> = scores.iter().map(|score| score.points).collect();
    let finals = plain.finals();
    let Some(outcome) = state.outcome() else {
        assert_eq!(points, plain.points, "scores in {at}");
        return;
    };
    assert_eq!(points, finals.iter().map(|(points, _)| *points).collect::<Vec<_>>(), "final scores in {at}");
    let key = |total: &(u32, u32)| if terms.tiles_decide { *total } else { (total.0, 0) };
    let best = finals.iter().map(key).max().unwrap();
    let winners: Vec<_> = Seat::all(plain.seats)
        .zip(&finals)
        .filter(|(_, total)| key(total) == best)
        .map(|(seat, _)| seat)
        .collect();
    assert_eq!(outcome.winners, winners, "winners of {at}");
}

/// Compares claims with a search of all ways, in random games over small boards, until so many
/// separated positions were met.
///
/// # Panics
/// Where they differ, or a position where somebody's pieces share a region with others is counted.
pub(crate) fn compare_claims<R>(
    start: impl Fn(u64) -> R::Position,
    floe: fn(&R::Position) -> &Floe,
    terms: Terms,
    separated: usize,
) where
    R: Room,
    R::Position: Position<Move = Move>,
{
    let mut chance = Chance::new(5);
    let mut met = 0;
    for seed in 0.. {
        let mut state = start(seed);
        let mut plain = Plain::of(floe(&state), terms);
        while state.outcome().is_none() {
            let claim = R::claim(&state, 1_000_000);
            assert_eq!(matches!(claim, Claim::None), plain.placing());
            if !plain.placing() {
                assert_eq!(
                    matches!(claim, Claim::Shared { .. }),
                    is_shared(&plain),
                    "{}",
                    R::to_line(&state)
                );
            }
            // Small ends only: the plain search looks at every order of moves.
            let free = plain.all().into_iter().filter(|p| plain.is_free(*p)).count();
            if matches!(claim, Claim::Separated { .. }) && free <= if plain.spears { 5 } else { 10 } {
                same_claim::<R>(&state, &plain, &claim);
                met += 1;
            }
            let m = *chance.pick(&legal::<R>(&state)).unwrap();
            plain.play(&places(floe(&state), m));
            state.play_unchecked(m);
        }
        if met >= separated {
            return;
        }
    }
}

fn same_claim<R>(state: &R::Position, plain: &Plain, claim: &Claim)
where
    R: Room,
    R::Position: Position<Move = Move>,
{
    let at = R::to_line(state);
    for seat in Seat::all(plain.seats) {
        let now = state.scores().unwrap()[seat.index()].points;
        let (least, most) = claim.left(seat).unwrap();
        assert_eq!(least, most, "a small region was not finished in {at}");
        assert_eq!(now + least, plain.best_alone(seat.index()), "claim of {seat} in {at}");
    }
}

/// Whether some connected set of tiles with a free one has pieces of two seats on it.
fn is_shared(plain: &Plain) -> bool {
    let mut seen: Vec<Place> = Vec::new();
    for start in plain.all() {
        if plain.fish[start.0][start.1] == 0 || seen.contains(&start) {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while next < region.len() {
            for dir in 0..8 {
                let to = plain.step(region[next], dir).filter(|to| plain.fish[to.0][to.1] > 0);
                region.extend(to.filter(|to| !region.contains(to)));
            }
            next += 1;
        }
        let mut owners: Vec<_> = region.iter().filter_map(|p| plain.piece[p.0][p.1]).collect();
        owners.sort_unstable();
        owners.dedup();
        if owners.len() > 1 && region.iter().any(|p| plain.is_free(*p)) {
            return true;
        }
        seen.extend(region);
    }
    false
}

/// Plays a random game from a setup, writes down what happens, and compares it with the room's
/// `record.txt`; with `ROOKERY_BLESS=1` in the environment it writes the file instead.
///
/// # Panics
/// If the record differs.
pub(crate) fn golden<R: Room>(start: R::Position, file: &str) {
    let mut state = start;
    let mut chance = Chance::new(8);
    let mut record = format!("start {}\n", R::to_line(&state));
    for ply in 1.. {
        let moves = legal::<R>(&state);
        let Some(m) = chance.pick(&moves) else { break };
        let text = crate::kit::game::spell::<R>(&state, *m);
        let by = state.turn();
        state.play_unchecked(*m);
        record += &format!("{ply} {by} {text} of {} -> {}\n", moves.len(), R::to_line(&state));
    }
    let outcome = state.outcome().expect("a game without moves is over");
    let winners: Vec<_> = outcome.winners.iter().map(ToString::to_string).collect();
    record += &format!("won by {} {:?}\n{}\n", winners.join(","), outcome.reason, R::text_board(&state));
    let path = format!("{}/src/games/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ROOKERY_BLESS").is_some() {
        std::fs::write(&path, &record).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == record, "{path} differs; look at the rules, or write it anew with ROOKERY_BLESS=1");
}

/// Every code span of a help page that is a move (words with a digit in them, no blank) can be read,
/// and the moves of each line ``Example: `LINE`: `d5-f7`, ...`` are played from its position.
///
/// # Panics
/// If one cannot be read or played, or the page has no example.
pub(crate) fn help_is_true<R: Room>(help: &str) {
    let mut played = 0;
    for text in help.lines() {
        let spans: Vec<_> = text.split('`').skip(1).step_by(2).collect();
        let Some((first, moves)) =
            spans.split_first().filter(|(first, _)| first.contains('/') && first.contains(' '))
        else {
            continue;
        };
        let mut state = R::from_line(first).unwrap_or_else(|e| panic!("{first}: {e}"));
        for m in moves {
            let spoken = R::read(m).unwrap_or_else(|e| panic!("{m}: {e}"));
            let m = R::resolve(&state, &spoken).unwrap_or_else(|e| panic!("{m} in {first}: {e}"));
            state.play_unchecked(m);
            played += 1;
        }
    }
    assert!(played > 0, "a help page without an example");
}
