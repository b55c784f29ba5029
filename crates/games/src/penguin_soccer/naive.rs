//! A second, naive implementation of the rules of Penguin Soccer: coordinates in plain arrays, every possible text
//! tried, sharing no code with the rules. For comparison only.

const WAYS: [(&str, i8, i8); 8] = [
    ("N", 0, 1),
    ("NE", 1, 1),
    ("E", 1, 0),
    ("SE", 1, -1),
    ("S", 0, -1),
    ("SW", -1, -1),
    ("W", -1, 0),
    ("NW", -1, 1),
];

type Square = (i8, i8);

/// Every notation that can follow a penguin: up, a kick, a slide with each spin.
fn tails() -> &'static [String] {
    static TAILS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    TAILS.get_or_init(|| {
        let mut tails = vec!["U".to_owned()];
        for (way, ..) in WAYS {
            tails.extend([way.to_owned(), format!("{way}.")]);
            for letter in ["L", "R"] {
                tails.extend((1..=3).map(|n| format!("{way}{}", letter.repeat(n))));
            }
        }
        tails
    })
}

/// Column, row, facing (8 for upright).
type Place = Option<(i8, i8, usize)>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Naive {
    families: usize,
    /// Baby, Papa, Mama of each family.
    men: [[Place; 3]; 4],
    ball: Option<Square>,
    turn: usize,
    out: [bool; 4],
}

impl Naive {
    pub(super) fn start(families: usize) -> Naive {
        Naive { families, men: [[None; 3]; 4], ball: None, turn: 0, out: [false; 4] }
    }

    fn home(&self, family: usize) -> Square {
        match (self.families, family) {
            (_, 0) => (0, 0),
            (2, 1) | (4, 2) => (7, 7),
            (4, 1) => (0, 7),
            _ => (7, 0),
        }
    }

    fn who(&self, square: Square) -> Option<(usize, usize)> {
        for family in 0..self.families {
            for man in 0..3 {
                if self.men[family][man].is_some_and(|(x, y, _)| (x, y) == square) {
                    return Some((family, man));
                }
            }
        }
        None
    }

    fn scored(&self) -> Option<usize> {
        let (x, y) = self.ball?;
        (0..self.families).find(|family| !self.out[*family] && self.home(*family) == (7 - x, 7 - y))
    }

    /// All moves in notation, sorted; none once the game is over.
    pub(super) fn moves(&self) -> Vec<String> {
        let mut moves = if self.scored().is_some() { Vec::new() } else { self.candidate_actions(self.turn) };
        moves.sort();
        moves
    }

    pub(super) fn winners(&self) -> Option<Vec<usize>> {
        if let Some(family) = self.scored() {
            return Some(vec![family]);
        }
        let playing: Vec<usize> = (0..self.families).filter(|family| !self.out[*family]).collect();
        (!playing.iter().any(|family| self.can_move(*family))).then_some(playing)
    }

    /// All actions of a family, each tried separately.
    fn candidate_actions(&self, family: usize) -> Vec<String> {
        let mut found = Vec::new();
        for man in 0..3 {
            let piece = match self.men[family][man] {
                None => (man + 1).to_string(),
                Some((x, y, _)) => square_name((x, y)),
            };
            for tail in tails() {
                if self.board_after(family, man, tail).is_some() {
                    found.push(format!("{piece}{tail}"));
                }
            }
        }
        found
    }

    fn can_move(&self, family: usize) -> bool {
        (0..3).any(|man| tails().iter().any(|tail| self.board_after(family, man, tail).is_some()))
    }

    /// The position after a move in notation.
    pub(super) fn after(&self, text: &str) -> Option<Naive> {
        let (man, tail) = match text.as_bytes()[0] {
            digit @ b'1'..=b'3' => ((digit - b'1') as usize, &text[1..]),
            letter => {
                let square = ((letter - b'a') as i8, (text.as_bytes()[1] - b'1') as i8);
                (self.who(square)?.1, &text[2..])
            }
        };
        let mut next = self.board_after(self.turn, man, tail)?;
        next.turn = (self.turn + 1) % self.families;
        next.skip();
        Some(next)
    }

    pub(super) fn retire(&mut self, family: usize) {
        self.out[family] = true;
        self.skip();
    }

    /// Passes the turn to the next family with a move; to the next active one if no family has a move.
    fn skip(&mut self) {
        let n = self.families;
        let order: Vec<usize> = (0..n).map(|i| (self.turn + i) % n).filter(|f| !self.out[*f]).collect();
        let able = order.iter().find(|family| self.can_move(**family));
        self.turn = *able.unwrap_or(&order[0]);
    }

    /// The field after an action; `None` if it isn't possible.
    fn board_after(&self, family: usize, man: usize, tail: &str) -> Option<Naive> {
        let mut next = *self;
        let place = self.men[family][man];
        let has_ball = place.is_some_and(|(x, y, _)| self.ball == Some((x, y)));
        if tail == "U" {
            let (x, y, facing) = place?;
            if facing == 8 {
                return None;
            }
            next.men[family][man] = Some((x, y, 8));
            return Some(next);
        }
        let letters = tail.trim_end_matches(['.', 'L', 'R']);
        let way = WAYS.iter().position(|(name, ..)| *name == letters)?;
        if has_ball {
            return if letters == tail { self.kicked(family, man, way) } else { None };
        }
        if letters == tail {
            return None;
        }
        let lefts = tail.matches('L').count() as i8;
        let rights = tail.matches('R').count() as i8;
        next.slid(family, man, way, rights - lefts)?;
        next.homes_are_kept().then_some(next)
    }

    fn kicked(&self, family: usize, man: usize, way: usize) -> Option<Naive> {
        let mut next = *self;
        let (x, y, _) = self.men[family][man]?;
        let mut ball = (x, y);
        for _ in 0..=man {
            let on = (ball.0 + WAYS[way].1, ball.1 + WAYS[way].2);
            if !inside(on) {
                break;
            }
            ball = on;
            if let Some((f, m)) = self.who(ball) {
                next.men[f][m] = Some((ball.0, ball.1, 8));
                break;
            }
        }
        if ball == (x, y) {
            return None;
        }
        next.men[family][man] = Some((x, y, way));
        next.ball = Some(ball);
        Some(next)
    }

    fn slid(&mut self, family: usize, man: usize, way: usize, spin: i8) -> Option<()> {
        let distance = 3 - man;
        let (mut at, mut left) = match self.men[family][man] {
            Some((x, y, facing)) if facing == 8 || facing == way => ((x, y), distance),
            Some(_) => return None,
            None => {
                // Starts one step before Home, so that Home is the first square.
                let home = self.home(family);
                let outward = (home.0 - WAYS[way].1, home.1 - WAYS[way].2);
                let (dx, dy) = (WAYS[way].1, WAYS[way].2);
                let away = (home.0 == 0 && dx >= 0 || home.0 == 7 && dx <= 0)
                    && (home.1 == 0 && dy >= 0 || home.1 == 7 && dy <= 0);
                if !away || self.who(home).is_some() {
                    return None;
                }
                (outward, distance)
            }
        };
        let begun = at;
        let mut upright = false;
        while left > 0 && !upright {
            let on = (at.0 + WAYS[way].1, at.1 + WAYS[way].2);
            if !inside(on) {
                upright = true;
                break;
            }
            if let Some((other, _)) = self.who(on) {
                if other == family || self.ball != Some(on) {
                    return None;
                }
                self.push(on, way);
                upright = true;
            } else if self.ball == Some(on) || (self.ball.is_none() && middle(on)) {
                upright = true;
            }
            at = on;
            if upright {
                self.ball = Some(at);
            }
            left -= 1;
        }
        if at == begun || (upright && spin != 0) || spin.unsigned_abs() as usize > distance {
            return None;
        }
        let facing = if upright { 8 } else { (way as i8 + spin).rem_euclid(8) as usize };
        self.men[family][man] = Some((at.0, at.1, facing));
        Some(())
    }

    /// Pushes the penguin on a square one square further, after pushing the penguin that is there.
    fn push(&mut self, square: Square, way: usize) {
        let Some((family, man)) = self.who(square) else { return };
        let on = (square.0 + WAYS[way].1, square.1 + WAYS[way].2);
        self.push(on, way);
        self.men[family][man] = inside(on).then_some((on.0, on.1, way));
    }

    fn homes_are_kept(&self) -> bool {
        let families = 0..self.families;
        families
            .clone()
            .filter(|owner| !self.out[*owner])
            .all(|owner| self.who(self.home(owner)).is_none_or(|(family, _)| family == owner))
    }

    pub(super) fn line(&self) -> String {
        let man = |place: &Place| match place {
            None => "-".to_owned(),
            Some((x, y, 8)) => format!("{}U", square_name((*x, *y))),
            Some((x, y, facing)) => format!("{}{}", square_name((*x, *y)), WAYS[*facing].0),
        };
        let families: Vec<String> = self.men[..self.families]
            .iter()
            .map(|men| men.iter().map(man).collect::<Vec<_>>().join(","))
            .collect();
        let ball = self.ball.map_or("-".to_owned(), square_name);
        let out: Vec<String> =
            (0..self.families).filter(|f| self.out[*f]).map(|f| (f + 1).to_string()).collect();
        let out = if out.is_empty() { String::new() } else { format!(" out:{}", out.join(",")) };
        format!("{} {ball} {}{out}", families.join("|"), self.turn + 1)
    }
}

fn inside((x, y): Square) -> bool {
    (0..8).contains(&x) && (0..8).contains(&y)
}

fn middle((x, y): Square) -> bool {
    (3..5).contains(&x) && (3..5).contains(&y)
}

fn square_name((x, y): Square) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}
