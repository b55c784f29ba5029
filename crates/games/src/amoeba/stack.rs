//! Stacks of pieces, packed into one number.

/// A piece: its side, and whether it is a Kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side that owns the piece.
    pub side: Side,
    /// Whether it is that side's Kernel.
    pub kernel: bool,
}

/// A side: the seat that moves first has the side at the bottom, unless the sides were swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves first, from the bottom.
    Bottom,
    /// Moves second, from the top.
    Top,
}

impl Side {
    /// Both sides, the first to move first.
    pub const BOTH: [Side; 2] = [Side::Bottom, Side::Top];

    /// 0 or 1: the index into `GameInfo::sides`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent of this side.
    pub const fn other(self) -> Side {
        match self {
            Side::Bottom => Side::Top,
            Side::Top => Side::Bottom,
        }
    }
}

impl Piece {
    /// All four kinds of pieces with their letters in text: `A`, `K` at the bottom, `B`, `L` at the top.
    pub const LETTERS: [(char, Piece); 4] = [
        ('A', Piece { side: Side::Bottom, kernel: false }),
        ('B', Piece { side: Side::Top, kernel: false }),
        ('K', Piece { side: Side::Bottom, kernel: true }),
        ('L', Piece { side: Side::Top, kernel: true }),
    ];

    /// The letter of the piece in text.
    pub fn letter(self) -> char {
        Piece::LETTERS[self.code() as usize].0
    }

    /// The piece with this letter, in either case.
    pub fn of(letter: char) -> Option<Piece> {
        let letter = letter.to_ascii_uppercase();
        Piece::LETTERS.iter().find(|(known, _)| *known == letter).map(|(_, piece)| *piece)
    }

    const fn code(self) -> u64 {
        self.side as u64 | (self.kernel as u64) << 1
    }

    const fn decoded(code: u64) -> Piece {
        let side = if code & 1 == 0 { Side::Bottom } else { Side::Top };
        Piece { side, kernel: code & 2 != 0 }
    }
}

/// The number of pieces in the game.
pub const PIECES: usize = 22;

/// The bit position of the height: above two bits for each piece.
const HEIGHT: u32 = 56;
const PIECE_BITS: u64 = (1 << HEIGHT) - 1;
/// The lower bit of each piece, its side. The upper bit marks a Kernel.
const SIDES: u64 = 0x5555_5555_5555_5555 & ((1 << (2 * PIECES)) - 1);

/// A stack of 0 to [`PIECES`] pieces, bottom first: two bits per piece from the lowest bit on, the height in the
/// highest byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Stack(u64);

impl Stack {
    /// The stack of an empty point.
    pub const EMPTY: Stack = Stack(0);

    /// Number of pieces, 0 to [`PIECES`].
    #[inline]
    pub const fn height(self) -> usize {
        (self.0 >> HEIGHT) as usize
    }

    /// Whether the point is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The piece on a level, from 0 at the bottom.
    #[inline]
    pub const fn piece(self, level: usize) -> Piece {
        Piece::decoded(self.0 >> (2 * level) & 3)
    }

    /// The pieces, bottom first.
    pub fn pieces(self) -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator {
        (0..self.height()).map(move |level| self.piece(level))
    }

    /// The side that may move it: that of its top piece.
    #[inline]
    pub const fn owner(self) -> Option<Side> {
        match self.height() {
            0 => None,
            height => Some(self.piece(height - 1).side),
        }
    }

    /// This stack with another on top; at most [`PIECES`] pieces together.
    #[inline]
    #[must_use]
    pub const fn under(self, top: Stack) -> Stack {
        let pieces = (self.0 & PIECE_BITS) | (top.0 & PIECE_BITS) << (2 * self.height());
        Stack(pieces | ((self.height() + top.height()) as u64) << HEIGHT)
    }

    /// A stack of one piece.
    #[inline]
    pub const fn of(piece: Piece) -> Stack {
        Stack(piece.code() | 1 << HEIGHT)
    }

    /// The packed number: different stacks have different numbers.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a side's Kernel is in it.
    #[inline]
    pub const fn has_kernel(self, side: Side) -> bool {
        let kernels = self.0 >> 1 & SIDES;
        let of_side = match side {
            Side::Bottom => !self.0,
            Side::Top => self.0,
        };
        kernels & of_side != 0
    }
}

impl FromIterator<Piece> for Stack {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Stack {
        pieces.into_iter().fold(Stack::EMPTY, |stack, piece| stack.under(Stack::of(piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_keep_their_order() {
        let stack = |letters: &str| letters.chars().map(|c| Piece::of(c).unwrap()).collect::<Stack>();
        let text = |stack: Stack| stack.pieces().map(Piece::letter).collect::<String>();
        assert_eq!(text(stack("ABK").under(stack("LA"))), "ABKLA");
        let tallest = "AAAAAAAAAAKBBBBBBBBBBL";
        assert_eq!(tallest.len(), PIECES);
        assert_eq!(text(stack(tallest)), tallest);
        assert_eq!(stack(tallest).owner(), Some(Side::Top));
        assert_ne!(stack("A"), stack("AA"));
        assert!(stack("BKA").has_kernel(Side::Bottom) && !stack("BKA").has_kernel(Side::Top));
        assert!(Stack::EMPTY.is_empty() && Stack::EMPTY.owner().is_none());
    }
}
