//! Deflate (RFC 1951) for rows of a board.
//!
//! It looks for a repeat in three places only: one row above, the pixel before (a run), and where
//! the same four pixels were met last (one probe of a hash table). Then one dynamic block is written.

use super::huffman::{self, Code};

/// Longest repeat deflate can say.
const LONGEST: usize = 258;

/// Shortest repeat that is said: shorter ones cost as much as their pixels.
const SHORTEST: usize = 4;

/// A repeat this long is good enough not to probe for a better one.
const GOOD: usize = 24;

/// How far back deflate can point.
const WINDOW: usize = 1 << 15;

const HASH_BITS: u32 = 12;

/// Symbols for bytes, the end of the block, and lengths.
const SYMBOLS: usize = 286;
const END: usize = 256;
const DISTANCES: usize = 30;

/// Packs rows of `stride` bytes as a zlib stream (RFC 1950).
pub(super) fn zlib(data: &[u8], stride: usize) -> Vec<u8> {
    let tokens = Finder::new(data, stride).tokens();
    let mut bits = Bits::new(tokens.list.len() * 7 + 1024);
    // A window of 32 KiB; the check bits of the fastest level make the two bytes a multiple of 31.
    bits.put(0x0178, 16);
    block(&mut bits, &tokens);
    let mut out = bits.finish();
    out.extend(simd_adler32::adler32(&data).to_be_bytes());
    out
}

/// A byte as it is, or a repeat: 0 and the byte, or the length and the distance less one.
#[derive(Clone, Copy)]
struct Token {
    len: u16,
    back: u16,
}

struct Tokens {
    list: Vec<Token>,
    symbols: [u32; SYMBOLS],
    distances: [u32; DISTANCES],
}

/// Finds repeats.
struct Finder<'a> {
    data: &'a [u8],
    stride: usize,
    /// Where each hash of four bytes was met last.
    met: Box<[u32; 1 << HASH_BITS]>,
}

impl<'a> Finder<'a> {
    fn new(data: &'a [u8], stride: usize) -> Finder<'a> {
        Finder { data, stride, met: Box::new([0; 1 << HASH_BITS]) }
    }

    fn tokens(mut self) -> Tokens {
        let mut tokens = Tokens {
            list: Vec::with_capacity(self.data.len() / 16),
            symbols: [0; SYMBOLS],
            distances: [0; DISTANCES],
        };
        let mut at = 0;
        while at < self.data.len() {
            let (len, distance) = self.repeat(at);
            if len >= SHORTEST {
                tokens.repeat(len, distance);
                at += len;
            } else {
                tokens.byte(self.data[at]);
                at += 1;
            }
        }
        tokens.symbols[END] = 1;
        tokens
    }

    /// The longest repeat found at a place, and how far back it lies.
    fn repeat(&mut self, at: usize) -> (usize, usize) {
        let mut best = (0, 0);
        if self.stride <= WINDOW && at >= self.stride {
            best = (self.same(at, self.stride), self.stride);
        }
        if at > 0 && self.data[at] == self.data[at - 1] {
            // As long is better: one back is the cheapest distance to write.
            let run = self.same(at, 1);
            best = if run >= best.0 { (run, 1) } else { best };
        }
        if best.0 < GOOD {
            let met = self.probe(at);
            best = if met.0 > best.0 { met } else { best };
        }
        best
    }

    fn probe(&mut self, at: usize) -> (usize, usize) {
        let Some(four) = self.data[at..].first_chunk::<4>() else { return (0, 0) };
        let hash = u32::from_le_bytes(*four).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS);
        let met = std::mem::replace(&mut self.met[hash as usize], at as u32) as usize;
        let distance = at - met;
        if distance == 0 || distance > WINDOW {
            return (0, 0);
        }
        (self.same(at, distance), distance)
    }

    /// How many bytes from `at` on are the same as those `distance` before.
    fn same(&self, at: usize, distance: usize) -> usize {
        let most = LONGEST.min(self.data.len() - at);
        let (here, there) = (&self.data[at..at + most], &self.data[at - distance..at - distance + most]);
        let (here8, there8) = (here.as_chunks::<8>().0, there.as_chunks::<8>().0);
        for (n, (a, b)) in here8.iter().zip(there8).enumerate() {
            let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
            if differ != 0 {
                return n * 8 + differ.trailing_zeros() as usize / 8;
            }
        }
        let done = here8.len() * 8;
        done + here[done..].iter().zip(&there[done..]).take_while(|(a, b)| a == b).count()
    }
}

impl Tokens {
    fn byte(&mut self, byte: u8) {
        self.symbols[usize::from(byte)] += 1;
        self.list.push(Token { len: 0, back: u16::from(byte) });
    }

    fn repeat(&mut self, len: usize, distance: usize) {
        let back = (distance - 1) as u16;
        self.symbols[LENGTHS[len].symbol as usize] += 1;
        self.distances[distance_symbol(back).symbol as usize] += 1;
        self.list.push(Token { len: len as u16, back });
    }
}

/// A symbol and what of its range is meant: so many more bits.
#[derive(Clone, Copy)]
struct Ranged {
    symbol: u16,
    more: u16,
    more_bits: u8,
}

/// The symbol of each length (RFC 1951, 3.2.5).
static LENGTHS: [Ranged; LONGEST + 1] = lengths();

const fn lengths() -> [Ranged; LONGEST + 1] {
    let mut table = [Ranged { symbol: 0, more: 0, more_bits: 0 }; LONGEST + 1];
    let mut len = 3;
    while len < LONGEST {
        let code = ranged((len - 3) as u16, 2);
        table[len] = Ranged { symbol: code.symbol + 257, ..code };
        len += 1;
    }
    // The longest has a symbol of its own.
    table[LONGEST] = Ranged { symbol: 285, more: 0, more_bits: 0 };
    table
}

fn distance_symbol(back: u16) -> Ranged {
    ranged(back, 1)
}

/// Deflate's scale: one symbol a value at first, then twice as wide after every `2^fine` symbols.
const fn ranged(value: u16, fine: u32) -> Ranged {
    if value >> (fine + 1) == 0 {
        return Ranged { symbol: value, more: 0, more_bits: 0 };
    }
    let more_bits = u16::BITS - 1 - value.leading_zeros() - fine;
    let symbol = (value >> more_bits) + ((more_bits as u16) << fine);
    Ranged { symbol, more: value & ((1 << more_bits) - 1), more_bits: more_bits as u8 }
}

/// Writes the one block: its codes, then its tokens.
fn block(bits: &mut Bits, tokens: &Tokens) {
    // A tree needs two leaves: two distances are always there, used or not.
    let mut distances = tokens.distances;
    distances[0] += 1;
    distances[1] += 1;
    let symbols = huffman::codes(&tokens.symbols, 15);
    let distances = huffman::codes(&distances, 15);
    // Last block, dynamic codes.
    bits.put(0b101, 3);
    write_codes(bits, &symbols, &distances);
    for token in &tokens.list {
        if token.len == 0 {
            bits.code(symbols[usize::from(token.back)]);
        } else {
            bits.ranged(&symbols, LENGTHS[usize::from(token.len)]);
            bits.ranged(&distances, distance_symbol(token.back));
        }
    }
    bits.code(symbols[END]);
}

/// The order in which the lengths of the lengths' codes are written (RFC 1951, 3.2.7).
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Writes the lengths of both codes; rows of zeros are shortened.
fn write_codes(bits: &mut Bits, symbols: &[Code], distances: &[Code]) {
    let lens: Vec<u8> = symbols.iter().chain(distances).map(|code| code.len).collect();
    let mut words: Vec<(u8, u32, u8)> = Vec::new();
    for same in lens.chunk_by(|a, b| a == b) {
        let mut left = same.len();
        while left >= 3 && same[0] == 0 {
            let zeros = left.min(138);
            words.push(if zeros > 10 { (18, zeros as u32 - 11, 7) } else { (17, zeros as u32 - 3, 3) });
            left -= zeros;
        }
        words.extend(std::iter::repeat_n((same[0], 0, 0), left));
    }
    // As above: two leaves at least, here a zero-run and a plain length.
    let mut counts = [0; 19];
    counts[18] = 1;
    counts[1] = 1;
    for (word, ..) in &words {
        counts[usize::from(*word)] += 1;
    }
    let codes = huffman::codes(&counts, 7);
    bits.put((SYMBOLS - 257) as u32, 5);
    bits.put((DISTANCES - 1) as u32, 5);
    bits.put(19 - 4, 4);
    for word in ORDER {
        bits.put(u32::from(codes[word].len), 3);
    }
    for (word, more, more_bits) in words {
        bits.code(codes[usize::from(word)]);
        bits.put(more, more_bits);
    }
}

/// Bits, the lowest first.
struct Bits {
    out: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    fn new(capacity: usize) -> Bits {
        Bits { out: Vec::with_capacity(capacity), held: 0, count: 0 }
    }

    fn code(&mut self, code: Code) {
        self.put(u32::from(code.bits), code.len);
    }

    /// A symbol's code and what of its range is meant, at most 28 bits.
    fn ranged(&mut self, codes: &[Code], symbol: Ranged) {
        let code = codes[usize::from(symbol.symbol)];
        self.put(u32::from(code.bits) | u32::from(symbol.more) << code.len, code.len + symbol.more_bits);
    }

    /// At most 32 bits.
    fn put(&mut self, value: u32, count: u8) {
        self.held |= u64::from(value) << self.count;
        self.count += u32::from(count);
        if self.count >= 32 {
            self.out.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= 32;
            self.count -= 32;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_distances_have_the_symbols_of_the_standard() {
        // RFC 1951, 3.2.5: the first and last of some ranges.
        let length = |len: usize| (LENGTHS[len].symbol, LENGTHS[len].more, LENGTHS[len].more_bits);
        assert_eq!(length(3), (257, 0, 0));
        assert_eq!(length(10), (264, 0, 0));
        assert_eq!(length(11), (265, 0, 1));
        assert_eq!(length(18), (268, 1, 1));
        assert_eq!(length(130), (280, 15, 4));
        assert_eq!(length(257), (284, 30, 5));
        assert_eq!(length(258), (285, 0, 0));
        let distance = |d: u16| {
            let r = distance_symbol(d - 1);
            (r.symbol, r.more, r.more_bits)
        };
        assert_eq!(distance(1), (0, 0, 0));
        assert_eq!(distance(4), (3, 0, 0));
        assert_eq!(distance(5), (4, 0, 1));
        assert_eq!(distance(192), (14, 63, 6));
        assert_eq!(distance(24_577), (29, 0, 13));
        assert_eq!(distance_symbol((WINDOW - 1) as u16).symbol, 29);
    }
}
