//! What is on each cell: the picture against drawings of whole boards.

use rayon::prelude::*;
use rookery_core::{Cell, EditorPiece, Play, PositionEdit, Seat};
use rookery_render::{Painter, Picture};

use crate::align::{Alignment, Freedom, Place, aligned};
use crate::compare::{CLEAR, Patch, best_match, distance, preference, whole_preference};
use crate::content::{Content, changed, contents};
use crate::kind::{Kind, MoveCells, assembled, moved, nearest, owner, placed};
use crate::look::{Look, Template};
use crate::plane::{Colours, Pyramid};
use crate::points::{SeatNumber, shown_numbers, with_numbers};
use crate::projection::Projection;
use crate::turn::{with_shown_turn, with_turn};
use crate::verdict::{Shown, Turned, Verdict, misfit_of_most};

/// How much the cells differ at most from a drawing with the likeliest content of each, before others are compared. It is up to 280
/// for boards that are there, and 500 to 1,400 for others: in `read_spoiled 97000 60` and, for photographs too, `wide 97000 14`.
const MAX_FIRST_MISFIT: f32 = 650.0;
/// By how many pixels of its drawing a board may turn out to be somewhere else before its cells are looked at again, there.
const MAX_MOVED: f32 = 1.5;
/// How many contents of a cell are compared.
const MAX_CANDIDATES: usize = 5;
/// A cell that differs this much from its drawing has a mark, or was read wrongly.
const MARKED: f32 = 350.0;
/// A cell that differs less than this within a frame around it has a frame, as the pieces that can move on a page.
const FRAMED: f32 = 100.0;
/// The most cells that are tried as ends of the last move.
const MAX_MARKED: usize = 4;
/// A piece covers most of a mark where the last move ended, so such a cell differs less. The most of them that are tried.
const MARKED_BELOW_PIECE: f32 = 60.0;
const MAX_BELOW_PIECES: usize = 4;
/// The preference at which a game has another number of players. Whose turn it is is drawn beside the points, but isn't known.
const OTHER_PLAYERS: f32 = -0.2;
/// The same where one of these players has no pieces, although others have several.
const OTHER_WITHOUT_PIECES: f32 = -0.6;
/// The same for the cells alone: plain boards have no points, so a drawing with points differs from them with any number of players.
const OTHER_PIECES: f32 = -0.5;
/// A last move is one if it explains this share of what differs.
const EXPLAINED: f32 = 0.4;

/// What was read from a picture.
pub(crate) struct Decision {
    pub(crate) play: Box<dyn Play>,
    pub(crate) place: Place,
    cells: Vec<CellReading>,
    /// The last move, if the picture shows it.
    last_move: Option<MoveCells>,
    shown: Shown,
    /// The picture of the board in the size of the drawings.
    pub(crate) flat: Colours,
}

impl From<Decision> for Verdict {
    fn from(decision: Decision) -> Verdict {
        let misfits = decision.cells.iter().map(|cell| cell.misfit).collect();
        let unclear = decision.unclear();
        let play = (decision.play, decision.shown);
        Verdict::new(play, decision.place.projection, misfits, unclear, decision.flat)
    }
}

/// What was read on a cell.
#[derive(Clone, Debug)]
struct CellReading {
    cell: Cell,
    content: Content,
    /// How much more the picture is like what was read, 0 to 1.
    preference: f32,
    /// The difference to what was read.
    misfit: f32,
    /// Whether it differs so much only in a frame around it.
    is_framed: bool,
}

impl CellReading {
    fn is_clear(&self) -> bool {
        self.preference >= CLEAR && (self.misfit <= MARKED || self.is_framed)
    }
}

impl Decision {
    /// The verdict if the board may also be seen from the other end, as another decision has it.
    pub(crate) fn or_turned(self, other: Decision) -> Verdict {
        let turned = Turned { unclear: other.unclear(), shown: other.shown, play: other.play };
        let mut verdict = Verdict::from(self);
        verdict.turned = Some(turned);
        verdict
    }

    fn unclear(&self) -> Vec<Cell> {
        self.cells.iter().filter(|cell| !cell.is_clear()).map(|cell| cell.cell).collect()
    }

    /// The same cells from the other end of the board, where they are numbered in reverse. `None` if the game has no such
    /// position.
    pub(crate) fn turned(&self) -> Option<Decision> {
        let last = self.cells.len().checked_sub(1)?;
        let opposite = |cell: Cell| Cell((last - cell.index()) as u8);
        let cells = self.cells.iter().rev();
        let cells: Vec<_> =
            cells.map(|read| CellReading { cell: opposite(read.cell), ..read.clone() }).collect();
        let mut play = assembled(self.play.as_ref(), &contents_of(&cells))?;
        let last_move = self.last_move.map(|cells| MoveCells {
            from: opposite(cells.from),
            to: opposite(cells.to),
            arrow: cells.arrow.map(opposite),
        });
        if let Some(last_move) = last_move {
            play = moved(play.as_ref(), &cells[last_move.to.index()].content, last_move)?;
        }
        let shown = Shown { turn: last_move.is_some(), ..Shown::default() };
        Some(Decision { play, place: self.place, cells, last_move, shown, flat: self.flat.clone() })
    }

    /// The same position without points and its last move, and with the first player to move. Numbers of points and the mark of the
    /// player to move are larger than letters; now they are alike whichever end the board is seen from.
    pub(crate) fn alike_from_both_ends(&self) -> Box<dyn Play> {
        let play = Seat::all(self.play.seats()).fold(self.play.clone(), |play, seat| {
            play.edited(&PositionEdit::Points { seat, points: 0 }).unwrap_or(play)
        });
        with_turn(play.as_ref(), Seat::FIRST).unwrap_or(play)
    }

    /// With the player to move who has the mark in the picture, if one has it.
    pub(crate) fn with_shown_turn(mut self, look: &Look, picture: &Pyramid, painter: &Painter) -> Decision {
        let seen = (picture, &self.flat, &self.place.projection);
        if let Some(play) = with_shown_turn(self.play.as_ref(), look, seen, painter) {
            (self.play, self.shown.turn) = (play, true);
        }
        self
    }

    /// With the points in the picture, if it shows those of all players.
    pub(crate) fn with_shown_points(mut self, look: &Look, picture: &Pyramid, painter: &Painter) -> Decision {
        let seen = (picture, &self.flat, &self.place.projection);
        let numbers = shown_numbers(self.play.as_ref(), look, seen, painter);
        if let Some(play) = numbers.and_then(|numbers| self.with_numbers(&numbers)) {
            (self.play, self.shown.points) = (play, true);
        }
        self
    }

    /// The position with these numbers of points and tiles.
    fn with_numbers(&self, numbers: &[SeatNumber]) -> Option<Box<dyn Play>> {
        let still = with_numbers(self.play.as_ref(), numbers)?;
        // What the last move took is a guess, and may be more than the mover has. Then the position is set up without it.
        self.moved_with_numbers(still.as_ref(), numbers).or(Some(still))
    }

    /// The position after the last move, so that all have as many as the picture shows then. `still` is the position without that
    /// move; whose turn it is there may come from a mark, as one who has resigned is left out.
    fn moved_with_numbers(&self, still: &dyn Play, numbers: &[SeatNumber]) -> Option<Box<dyn Play>> {
        let cells = self.last_move?;
        let content = &self.cells[cells.to.index()].content;
        let once_more = moved(still, content, cells)?;
        let before = numbers.iter().map(|number| {
            let gained = number.of(once_more.as_ref())?.checked_sub(number.of(still)?)?;
            Some(number.with_count(number.count.checked_sub(gained)?))
        });
        let before = with_numbers(still, &before.collect::<Option<Vec<SeatNumber>>>()?)?;
        let is_same = |play: &dyn Play| play.scores() == still.scores() && play.turn() == still.turn();
        moved(before.as_ref(), content, cells).filter(|play| is_same(play.as_ref()))
    }
}

/// A board with its drawing.
struct Drawing {
    contents: Vec<Content>,
    picture: Colours,
}

/// Reads the cells of a board at a place; `None` if they hardly are what their drawings say, so that it isn't there.
pub(crate) fn decide(
    kind: &Kind,
    look: &Look,
    picture: &Pyramid,
    rough: Projection,
    painter: &Painter,
) -> Option<Decision> {
    let cells = || look.geometry.board.cells();
    let templates = look.templates(kind, painter);
    let mut reading = FirstReading::new(kind, look, picture, rough, painter);
    if !look.is_within(&rough, &reading.place.projection, MAX_MOVED) {
        // The cells were looked for somewhere else.
        reading = FirstReading::new(kind, look, picture, reading.place.projection, painter);
    }
    let FirstReading { mut candidates, positions, drawing, place, flat } = reading;
    let (first, drawing) = most_alike(&flat, positions, drawing.blurred(1), look, painter);
    let misfit = |cell| distance(&look.patch(&flat, cell), &look.patch(&drawing, cell));
    if misfit_of_most(cells().map(misfit).collect()) > MAX_FIRST_MISFIT {
        return None;
    }
    let pieces = first.editor_pieces();
    for all in &mut candidates {
        all.retain(|template| are_among(&pieces, &template.content));
        all.truncate(MAX_CANDIDATES);
    }
    // In each further drawing every cell has its next candidate, as far as the game permits.
    let drawings = (1..MAX_CANDIDATES).into_par_iter().map(|n| {
        let others = cells().zip(&candidates).filter(|(_, all)| all.len() > n);
        let play =
            others.fold(first.clone(), |play, (cell, all)| changed(play.as_ref(), cell, &all[n].content));
        let picture = look.drawn(play.as_ref(), painter).blurred(1);
        Drawing { contents: contents(play.as_ref()), picture }
    });
    let mut drawings: Vec<Drawing> = drawings.collect();
    drawings.insert(0, Drawing { contents: contents(first.as_ref()), picture: drawing });
    let one = |(cell, candidates): (Cell, &Vec<&Template>)| {
        let mut drawn: Vec<(&Content, Patch)> = Vec::new();
        for drawing in &drawings {
            let content = &drawing.contents[cell.index()];
            if !drawn.iter().any(|(known, _)| *known == content) {
                drawn.push((content, look.patch(&drawing.picture, cell)));
            }
        }
        // What the game did not permit there, as it looked elsewhere.
        for template in candidates.iter().filter_map(|template| template.plain(templates)) {
            if !drawn.iter().any(|(known, _)| **known == template.content) {
                drawn.push((&template.content, template.patch.clone()));
            }
        }
        chosen(look, cell, &look.patch(&flat, cell), &drawn)
    };
    let read = cells().zip(&candidates).collect::<Vec<_>>().into_par_iter().map(one);
    let mut read: Vec<CellReading> = read.collect();
    let play = nearest(first.as_ref(), &contents_of(&read));
    // A cell that can't be as it looks, beside the others, is unclear.
    for (read, content) in read.iter_mut().zip(contents(play.as_ref())) {
        if read.content != content {
            (read.content, read.preference) = (content, 0.0);
        }
    }
    let mut decision = Decision { play, place, cells: read, last_move: None, shown: Shown::default(), flat };
    mark_last_move(&mut decision, look, templates, painter);
    mark_placement(&mut decision, kind, look, templates, painter);
    Some(decision)
}

/// What the cells at a place look like.
struct FirstReading<'a> {
    /// How each cell may be drawn, the likeliest first.
    candidates: Vec<Vec<&'a Template>>,
    /// The likeliest position with each number of players.
    positions: Vec<Box<dyn Play>>,
    /// The drawing of the first one.
    drawing: Colours,
    /// The place, made exact with that drawing.
    place: Place,
    /// The picture of the board there.
    flat: Colours,
}

impl<'a> FirstReading<'a> {
    fn new(
        kind: &Kind,
        look: &'a Look,
        picture: &Pyramid,
        rough: Projection,
        painter: &Painter,
    ) -> FirstReading<'a> {
        let flat = look.flattened(picture, &rough).blurred(1);
        let templates = look.templates(kind, painter);
        let cells: Vec<Cell> = look.geometry.board.cells().collect();
        let candidates = cells.into_par_iter();
        let candidates = candidates.map(|cell| look.candidates(templates, &look.patch(&flat, cell), cell));
        let candidates: Vec<_> = candidates.collect();
        let positions = kind.starts().iter().map(|start| likeliest(start.as_ref(), &candidates));
        let positions: Vec<Box<dyn Play>> = positions.collect();
        let drawing = look.drawn(positions[0].as_ref(), painter);
        let how = Alignment { freedom: Freedom::Projective, blur: 1, step: 3, most: 12 };
        let exact = aligned(rough, picture, &drawing.planes[0], None, how);
        let (place, flat) = if look.is_still(&rough, &exact.projection) {
            (Place { projection: rough, ..exact }, flat)
        } else {
            let flat = look.flattened(picture, &exact.projection).blurred(1);
            (exact, flat)
        };
        FirstReading { candidates, positions, drawing, place, flat }
    }
}

/// The position with the likeliest content of each cell that the game of a start has.
fn likeliest(start: &dyn Play, candidates: &[Vec<&Template>]) -> Box<dyn Play> {
    let pieces = start.editor_pieces();
    let likeliest = candidates.iter().map(|all| {
        let mut possible = all.iter().filter(|template| are_among(&pieces, &template.content));
        possible.next().map(|template| template.content.clone()).unwrap_or_default()
    });
    nearest(start, &likeliest.collect::<Vec<_>>())
}

/// The position whose drawing is most like the picture, and that drawing. Positions of games with other numbers of players
/// differ in their points and pieces. `first` is the drawing of the first one.
fn most_alike(
    flat: &Colours,
    positions: Vec<Box<dyn Play>>,
    first: Colours,
    look: &Look,
    painter: &Painter,
) -> (Box<dyn Play>, Colours) {
    let others = positions[1..].par_iter().map(|other| look.drawn(other.as_ref(), painter).blurred(1));
    let others: Vec<Colours> = others.collect();
    let mut best = (0, first);
    for (n, there) in (1..).zip(others) {
        let most =
            if is_without_pieces(positions[n].as_ref()) { OTHER_WITHOUT_PIECES } else { OTHER_PLAYERS };
        let is_better = whole_preference(flat, &best.1, &there) < most
            || look.cells_preference(flat, &best.1, &there) < OTHER_PIECES;
        if is_better {
            best = (n, there);
        }
    }
    (positions[best.0].clone(), best.1)
}

/// Whether a player has no pieces and another one has several. They are placed in turn, so that player has resigned, or isn't there.
fn is_without_pieces(play: &dyn Play) -> bool {
    let mut counts = vec![0_usize; play.seats()];
    for seat in contents(play).iter().filter_map(|content| owner(play, content)) {
        counts[seat.index()] += 1;
    }
    counts.contains(&0) && counts.iter().any(|count| *count > 1)
}

fn are_among(pieces: &[EditorPiece], content: &Content) -> bool {
    content.iter().all(|sign| pieces.iter().any(|piece| piece.sign == *sign))
}

fn contents_of(cells: &[CellReading]) -> Vec<Content> {
    cells.iter().map(|cell| cell.content.clone()).collect()
}

/// The drawing that a patch is most like, against each other one where they differ.
fn chosen(look: &Look, cell: Cell, patch: &Patch, drawn: &[(&Content, Patch)]) -> CellReading {
    let over = |a: usize, b: usize| preference(patch, &drawn[a].1, &drawn[b].1);
    let (best, preference) = best_match(drawn.len(), over);
    let (content, best) = &drawn[best];
    let misfit = distance(patch, best);
    let is_framed = misfit > MARKED && distance(&look.within_frame(patch), &look.within_frame(best)) < FRAMED;
    CellReading { cell, content: (*content).clone(), preference, misfit, is_framed }
}

/// A last move that explains marked cells.
struct Explanation {
    cells: MoveCells,
    play: Box<dyn Play>,
    picture: Picture,
    /// The difference that is left.
    misfit: f32,
}

/// Finds the last move, if one explains the cells that differ from their drawings, and reads those cells again.
fn mark_last_move(decision: &mut Decision, look: &Look, templates: &[Template], painter: &Painter) {
    let (marked, ends) = marked_cells(decision);
    let patch = |cell: &Cell| (*cell, look.patch(&decision.flat, *cell));
    let patches: Vec<(Cell, Patch)> = ends.iter().map(patch).collect();
    let plain: f32 = ends.iter().map(|cell| decision.cells[cell.index()].misfit).sum();
    let explain = |cells: MoveCells, content: &Content| {
        let play = moved(decision.play.as_ref(), content, cells)?;
        // Most of the drawing isn't needed, so only cells of it are blurred.
        let picture = look.picture(&play.scene(&look.options), painter);
        let misfit = patches.iter().map(|(cell, patch)| distance(patch, &look.drawn_patch(&picture, *cell)));
        let misfit = misfit.sum();
        Some(Explanation { cells, play, picture, misfit })
    };
    // First the cells, with what was read; then what stands there.
    let read = |cell: Cell| &decision.cells[cell.index()].content;
    let moves = possible_moves(&marked, &ends, look.is_shooting).into_par_iter();
    let moves = moves.filter_map(|cells| explain(cells, read(cells.to)));
    let Some(likely) = moves.min_by(|a, b| a.misfit.total_cmp(&b.misfit)) else { return };
    let others = look.contents(templates, likely.cells.to).into_iter();
    let mut all: Vec<Explanation> = others.filter_map(|content| explain(likely.cells, content)).collect();
    all.sort_by(|a, b| a.misfit.total_cmp(&b.misfit));
    let Some((best, others)) = all.split_first().filter(|(best, _)| best.misfit < plain * (1.0 - EXPLAINED))
    else {
        return;
    };
    let contents = contents(best.play.as_ref());
    let is_explained = |cell: Cell| marked.contains(&cell) || cell == best.cells.to;
    for (cell, patch) in patches.iter().filter(|(cell, _)| is_explained(*cell)) {
        let drawn = look.drawn_patch(&best.picture, *cell);
        let read = &mut decision.cells[cell.index()];
        read.content = contents[cell.index()].clone();
        read.misfit = distance(patch, &drawn);
        read.preference = 1.0;
        if *cell != best.cells.to {
            continue;
        }
        // The same move of another piece, or onto another tile.
        for other in others {
            let preference = preference(patch, &drawn, &look.drawn_patch(&other.picture, *cell));
            read.preference = preference.min(read.preference);
        }
    }
    // The line of the move crosses cells between these.
    for read in decision.cells.iter_mut().filter(|read| read.misfit > MARKED) {
        if read.content == contents[read.cell.index()] {
            let patch = look.patch(&decision.flat, read.cell);
            read.misfit = read.misfit.min(distance(&patch, &look.drawn_patch(&best.picture, read.cell)));
        }
    }
    (decision.last_move, decision.shown.turn) = (Some(best.cells), true);
    decision.play = best.play.clone();
}

/// The cells that differ most from their drawings, where a last move may have begun or an arrow may be; and those where the move may
/// have ended, which are the same and some with pieces that differ less.
fn marked_cells(decision: &Decision) -> (Vec<Cell>, Vec<Cell>) {
    let mut differing: Vec<&CellReading> =
        decision.cells.iter().filter(|read| read.misfit > MARKED_BELOW_PIECE).collect();
    differing.sort_by(|a, b| b.misfit.total_cmp(&a.misfit));
    let marked = differing.iter().take_while(|read| read.misfit > MARKED).take(MAX_MARKED);
    let marked: Vec<Cell> = marked.map(|read| read.cell).collect();
    let has_piece = |read: &&&CellReading| owner(decision.play.as_ref(), &read.content).is_some();
    let others = differing[marked.len()..].iter().filter(has_piece).take(MAX_BELOW_PIECES);
    let ends = marked.iter().copied().chain(others.map(|read| read.cell)).collect();
    (marked, ends)
}

/// Reads the only cell that differs from its drawing as the one where a piece was just placed, if that explains it.
fn mark_placement(
    decision: &mut Decision,
    kind: &Kind,
    look: &Look,
    templates: &[Template],
    painter: &Painter,
) {
    let mut marked = decision.cells.iter().filter(|read| read.misfit > MARKED);
    let (Some(read), None) = (marked.next(), marked.next()) else { return };
    let (cell, before) = (read.cell, read.misfit);
    let mut starts = kind.starts().iter();
    let Some(start) = starts.find(|start| start.seats() == decision.play.seats()) else { return };
    let drawn = look.contents(templates, cell).into_iter().filter_map(|content| {
        let play = placed(start.as_ref(), content, cell)?;
        let picture = look.picture(&play.scene(&look.options), painter);
        Some((content, look.drawn_patch(&picture, cell)))
    });
    let drawn: Vec<(&Content, Patch)> = drawn.collect();
    if drawn.is_empty() {
        return;
    }
    let placed = chosen(look, cell, &look.patch(&decision.flat, cell), &drawn);
    let mut contents = contents_of(&decision.cells);
    contents[cell.index()] = placed.content.clone();
    if placed.misfit < before * (1.0 - EXPLAINED)
        && let Some(play) = assembled(decision.play.as_ref(), &contents)
    {
        decision.cells[cell.index()] = placed;
        decision.play = play;
    }
}

/// The moves from a marked cell to one of these ends, with an arrow that reached a marked cell.
fn possible_moves(marked: &[Cell], ends: &[Cell], is_shooting: bool) -> Vec<MoveCells> {
    let mut all = Vec::new();
    for to in ends.iter().copied() {
        for from in marked.iter().copied().filter(|from| *from != to) {
            if is_shooting {
                let arrows = marked.iter().copied().filter(|arrow| *arrow != to);
                all.extend(arrows.map(|arrow| MoveCells { from, to, arrow: Some(arrow) }));
            } else {
                all.push(MoveCells { from, to, arrow: None });
            }
        }
    }
    all
}
