//! A second, naive implementation of the rules in plain arrays. It shares nothing with [`Floe`] except the position
//! that it is created from.

use crate::floe::Floe;
use crate::floe::endgame_count::Terms;
use crate::floe::reachable_tiles::TakeRule;
use rookery_core::board::Shape;

/// A board of squares or hexagons, as arrays by column and row.
#[derive(Clone)]
pub(super) struct NaivePosition {
    pub(super) hex: bool,
    pub(super) spears: bool,
    pub(super) scores_on_arrival: bool,
    pub(super) one_fish_only: bool,
    pub(super) each: usize,
    pub(super) seats: usize,
    /// Fish by (column, row): -1 off the board, 0 no tile.
    pub(super) fish: [[i8; 12]; 12],
    /// Seat of the piece by (column, row).
    pub(super) piece: [[Option<usize>; 12]; 12],
    pub(super) points: Vec<u32>,
    pub(super) tiles: Vec<u32>,
    pub(super) turn: usize,
    pub(super) placed: Vec<usize>,
}

/// A column and a row.
pub(super) type Place = (usize, usize);

impl NaivePosition {
    pub(super) fn of(floe: &Floe, terms: Terms) -> NaivePosition {
        let (hex, spears) = (floe.board().shape() == Shape::Island, terms.way == TakeRule::Spear);
        let seats = floe.seats();
        let mut plain = NaivePosition {
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

    pub(super) fn all(&self) -> Vec<Place> {
        (0..12)
            .flat_map(|row| (0..12).map(move |col| (col, row)))
            .filter(|p| self.fish[p.0][p.1] >= 0)
            .collect()
    }

    pub(super) fn is_free(&self, (col, row): Place) -> bool {
        self.fish[col][row] > 0 && self.piece[col][row].is_none()
    }

    /// The next place in one of eight directions (squares) or six (hexagons), if it is on the board.
    pub(super) fn step(&self, (col, row): Place, dir: usize) -> Option<Place> {
        let (c, r) = (col as i32, row as i32);
        let to = if self.hex {
            // The rules number rows from 1: an odd number is an even index, a row of eight.
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
    pub(super) fn moves(&self, seat: usize) -> Vec<Vec<Place>> {
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
        // A piece that can take one step can spear back: the square just left is free.
        own.any(|from| !self.slides(from).is_empty())
    }

    pub(super) fn placing(&self) -> bool {
        self.placed.iter().any(|n| *n < self.each)
    }

    pub(super) fn play(&mut self, m: &[Place]) {
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

    pub(super) fn is_over(&self) -> bool {
        !self.placing() && (0..self.seats).all(|seat| !self.can_move(seat))
    }

    /// The points at the end, including tiles under pieces unless they were scored on arrival.
    pub(super) fn finals(&self) -> Vec<(u32, u32)> {
        let mut finals: Vec<_> = self.points.iter().copied().zip(self.tiles.iter().copied()).collect();
        for (col, row) in self.all() {
            if let Some(seat) = self.piece[col][row].filter(|_| !self.scores_on_arrival) {
                finals[seat].0 += self.fish[col][row] as u32;
                finals[seat].1 += 1;
            }
        }
        finals
    }

    /// The best final points of a seat if no other seat moves, by exhaustive search.
    pub(super) fn best_alone(&self, seat: usize) -> u32 {
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
