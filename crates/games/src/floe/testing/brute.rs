//! Brute-force search of endings with few tiles. A direct implementation of the rules for two to four seats; it shares
//! only the geometry of the naive rules.

use std::collections::HashMap;

use super::naive::{NaivePosition, Place};
use rookery_core::MAX_SEATS;

/// The maximum number of tiles of an ending.
pub(super) const MAX_TILES: usize = 16;

/// The constants of an ending, and the cached results of its positions.
pub(super) struct BruteForce {
    tiles: Vec<Place>,
    /// For every tile and direction the consecutive tiles up to the first gap.
    rays: Vec<Vec<Vec<usize>>>,
    seats: usize,
    spears: bool,
    scores_on_arrival: bool,
    tiles_decide: bool,
    /// The seats that resigned.
    out: Vec<usize>,
    known: HashMap<EndingPosition, WinnerGroups>,
    alone: HashMap<(EndingPosition, usize), u32>,
}

/// A position of an ending: fish and owner (1 for the first seat) of each tile, points and tiles taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EndingPosition {
    fish: [u8; MAX_TILES],
    owner: [u8; MAX_TILES],
    taken: [(u8, u8); MAX_SEATS],
    pub(super) turn: usize,
}

/// The possible groups of winners: bit `g` stands for the group whose members are the bits of `g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WinnerGroups(u16);

impl WinnerGroups {
    /// Exactly these winners, by seat.
    pub(super) fn only(winners: impl IntoIterator<Item = usize>) -> WinnerGroups {
        WinnerGroups(1 << winners.into_iter().fold(0, |group, seat| group | 1 << seat))
    }

    fn groups(self) -> impl Iterator<Item = usize> {
        (0..1 << MAX_SEATS).filter(move |group| self.0 >> group & 1 == 1)
    }

    /// The minimum and maximum share of a seat, in twelfths.
    pub(super) fn share_bounds(self, seat: usize) -> (usize, usize) {
        let share = |group: usize| if group >> seat & 1 == 1 { 12 / group.count_ones() as usize } else { 0 };
        let shares = || self.groups().map(share);
        (shares().min().unwrap_or(0), shares().max().unwrap_or(0))
    }
}

impl BruteForce {
    /// The ending on the tiles of a naive position in which all pieces are placed.
    pub(super) fn of(
        plain: &NaivePosition,
        tiles_decide: bool,
        out: Vec<usize>,
    ) -> (BruteForce, EndingPosition) {
        let tiles: Vec<Place> = plain.all().into_iter().filter(|p| plain.fish[p.0][p.1] > 0).collect();
        let number = |place: &Place| tiles.iter().position(|tile| tile == place);
        let ray = |from: &Place, dir| {
            let steps = std::iter::successors(plain.step(*from, dir), |at| plain.step(*at, dir));
            steps.map_while(|at| number(&at)).collect()
        };
        let rays = tiles.iter().map(|from| (0..8).map(|dir| ray(from, dir)).collect()).collect();
        let mut at = EndingPosition {
            fish: [0; MAX_TILES],
            owner: [0; MAX_TILES],
            taken: [(0, 0); MAX_SEATS],
            turn: plain.turn,
        };
        for (i, (col, row)) in tiles.iter().enumerate() {
            at.fish[i] = plain.fish[*col][*row] as u8;
            at.owner[i] = plain.piece[*col][*row].map_or(0, |seat| seat as u8 + 1);
        }
        for (taken, (points, tiles)) in at.taken.iter_mut().zip(plain.points.iter().zip(&plain.tiles)) {
            *taken = (*points as u8, *tiles as u8);
        }
        let brute = BruteForce {
            tiles,
            rays,
            seats: plain.seats,
            spears: plain.spears,
            scores_on_arrival: plain.scores_on_arrival,
            tiles_decide,
            out,
            known: HashMap::new(),
            alone: HashMap::new(),
        };
        let turn = brute.next(&at, at.turn).unwrap_or(at.turn);
        (brute, EndingPosition { turn, ..at })
    }

    /// Whether a seat has not resigned.
    pub(super) fn plays(&self, seat: usize) -> bool {
        !self.out.contains(&seat)
    }

    /// The position after a move in the format of the naive rules.
    pub(super) fn play(&self, at: &EndingPosition, m: &[Place]) -> EndingPosition {
        let tiles: Vec<usize> =
            m.iter().filter_map(|place| self.tiles.iter().position(|tile| tile == place)).collect();
        let &[from, to, ref spear @ ..] = tiles.as_slice() else { panic!("{m:?} is no move") };
        self.after_move(at, from, to, spear.first().copied())
    }

    /// The possible winners if every seat always plays one of its best moves for itself; all equally good moves are
    /// considered.
    pub(super) fn ends(&mut self, at: &EndingPosition) -> WinnerGroups {
        if self.is_over(at) {
            return WinnerGroups::only(self.winners(at));
        }
        if let Some(ends) = self.known.get(at) {
            return *ends;
        }
        let after: Vec<WinnerGroups> = self.after(at).iter().map(|next| self.ends(next)).collect();
        let sure = after.iter().map(|ends| ends.share_bounds(at.turn).0).max().unwrap_or(0);
        let all = after.iter().flat_map(|ends| ends.groups());
        let good = all.filter(|group| WinnerGroups(1 << group).share_bounds(at.turn).0 >= sure);
        let ends = WinnerGroups(good.fold(0, |ends, group| ends | 1 << group));
        self.known.insert(*at, ends);
        ends
    }

    /// The maximum final points of a seat if no other seat moves.
    pub(super) fn alone(&mut self, at: &EndingPosition, seat: usize) -> u32 {
        let at = EndingPosition { turn: seat, ..*at };
        if !self.plays(seat) {
            return self.finals(&at, seat).0;
        }
        if let Some(most) = self.alone.get(&(at, seat)) {
            return *most;
        }
        let mut most = self.finals(&at, seat).0;
        for next in self.after(&at) {
            most = most.max(self.alone(&next, seat));
        }
        self.alone.insert((at, seat), most);
        most
    }

    /// Whether pieces of two active seats are on connected tiles, at least one of them free.
    pub(super) fn is_shared(&self, at: &EndingPosition) -> bool {
        (0..self.rays.len()).any(|tile| {
            let region = self.region(at, tile);
            let owns = |seat: &usize| region.iter().any(|tile| usize::from(at.owner[*tile]) == seat + 1);
            let owners = (0..self.seats).filter(|seat| self.plays(*seat)).filter(owns).count();
            owners > 1 && region.iter().any(|tile| is_free(at, *tile))
        })
    }

    fn region(&self, at: &EndingPosition, tile: usize) -> Vec<usize> {
        let mut region = if at.fish[tile] > 0 { vec![tile] } else { Vec::new() };
        let mut next = 0;
        while next < region.len() {
            for ray in &self.rays[region[next]] {
                let to = ray.first().filter(|to| at.fish[**to] > 0 && !region.contains(to));
                region.extend(to.copied());
            }
            next += 1;
        }
        region
    }

    pub(super) fn is_over(&self, at: &EndingPosition) -> bool {
        !(0..self.seats).any(|seat| self.can_move(at, seat))
    }

    fn can_move(&self, at: &EndingPosition, seat: usize) -> bool {
        let mut own = (0..self.rays.len()).filter(|tile| usize::from(at.owner[*tile]) == seat + 1);
        let near = |tile: usize| self.rays[tile].iter().filter_map(|ray| ray.first());
        self.plays(seat) && own.any(|tile| near(tile).any(|to| is_free(at, *to)))
    }

    fn next(&self, at: &EndingPosition, first: usize) -> Option<usize> {
        (first..first + self.seats).map(|seat| seat % self.seats).find(|seat| self.can_move(at, *seat))
    }

    pub(super) fn after(&self, at: &EndingPosition) -> Vec<EndingPosition> {
        let mut found = Vec::new();
        for from in (0..self.rays.len()).filter(|tile| usize::from(at.owner[*tile]) == at.turn + 1) {
            for to in self.slides(at, from) {
                if self.spears {
                    let spears = self.slides(&moved(at, from, to), to);
                    found.extend(spears.iter().map(|spear| self.after_move(at, from, to, Some(*spear))));
                } else {
                    found.push(self.after_move(at, from, to, None));
                }
            }
        }
        found
    }

    fn slides(&self, at: &EndingPosition, from: usize) -> Vec<usize> {
        let open =
            |ray: &'_ Vec<usize>| ray.iter().copied().take_while(|to| is_free(at, *to)).collect::<Vec<_>>();
        self.rays[from].iter().flat_map(open).collect()
    }

    /// Removes one tile, scores the fish of one, and passes the turn on.
    fn after_move(
        &self,
        at: &EndingPosition,
        from: usize,
        to: usize,
        spear: Option<usize>,
    ) -> EndingPosition {
        let mut at = moved(at, from, to);
        let gone = spear.unwrap_or(from);
        let scored = if self.scores_on_arrival { to } else { gone };
        let (points, tiles) = at.taken[at.turn];
        at.taken[at.turn] = (points + at.fish[scored], tiles + 1);
        at.fish[gone] = 0;
        at.turn = self.next(&at, at.turn + 1).unwrap_or(at.turn);
        at
    }

    /// The points and tiles of a seat, including the tiles under its pieces if they count at the end.
    pub(super) fn finals(&self, at: &EndingPosition, seat: usize) -> (u32, u32) {
        let (mut points, mut tiles) = (u32::from(at.taken[seat].0), u32::from(at.taken[seat].1));
        let under = (0..self.rays.len()).filter(|tile| usize::from(at.owner[*tile]) == seat + 1);
        for tile in under.filter(|_| !self.scores_on_arrival) {
            points += u32::from(at.fish[tile]);
            tiles += 1;
        }
        (points, tiles)
    }

    fn winners(&self, at: &EndingPosition) -> Vec<usize> {
        let total = |seat: usize| {
            let (points, tiles) = self.finals(at, seat);
            (points, if self.tiles_decide { tiles } else { 0 })
        };
        let playing = || (0..self.seats).filter(|seat| self.plays(*seat));
        let best = playing().map(total).max();
        playing().filter(|seat| Some(total(*seat)) == best).collect()
    }
}

fn moved(at: &EndingPosition, from: usize, to: usize) -> EndingPosition {
    let mut there = *at;
    (there.owner[from], there.owner[to]) = (0, at.owner[from]);
    there
}

fn is_free(at: &EndingPosition, tile: usize) -> bool {
    at.fish[tile] > 0 && at.owner[tile] == 0
}
