//! Deflate (RFC 1951) for rows of a board.
//!
//! It looks for a repeat in three places only: one row above, the previous pixel (a run), and the last occurrence of
//! the same four pixels (one probe of a hash table). Then it writes one dynamic block.

use super::huffman::{self, Code};

/// The longest repeat of deflate.
const LONGEST: usize = 258;

/// The shortest repeat that is written: shorter ones cost as much as literals.
const SHORTEST: usize = 4;

/// A repeat of this length is good enough to skip the search for a better one.
const GOOD_LENGTH: usize = 24;

/// The maximum distance of a repeat.
const WINDOW: usize = 1 << 15;

const HASH_BITS: u32 = 13;

/// Symbols for bytes, the end of the block, and lengths.
const SYMBOLS: usize = 286;
const END: usize = 256;
const DISTANCES: usize = 30;

/// Packs rows of `stride` bytes as a zlib stream (RFC 1950).
pub(super) fn zlib(data: &[u8], stride: usize) -> Vec<u8> {
    let tokens = Finder::new(data, stride).tokens();
    let plan = Plan::new(&tokens);
    let mut bits = Bits::new(plan.max_bits(&tokens));
    // A window of 32 KiB; the check bits of the fastest level make the two bytes a multiple of 31.
    bits.put(0x0178, 16);
    plan.write(&mut bits, &tokens);
    let mut out = bits.finish();
    out.extend(simd_adler32::adler32(&data).to_be_bytes());
    out
}

/// A literal or a repeat: 0 and the byte, or the length and the distance minus one.
#[derive(Clone, Copy)]
struct Token {
    len: u16,
    back: u16,
}

/// The symbols of the data, and their frequencies.
struct Tokens {
    list: Vec<Token>,
    bytes: [u32; 256],
    lens: [u32; LONGEST + 1],
    distances: [u32; DISTANCES],
}

struct Finder<'a> {
    data: &'a [u8],
    /// The distance to the row above; larger than any data if deflate cannot express it.
    above: usize,
    /// The last position of each hash of four bytes.
    last_positions: Box<[u32; 1 << HASH_BITS]>,
}

/// The next bytes of the data, up to the longest repeat.
type Ahead = [u8; LONGEST];

impl<'a> Finder<'a> {
    fn new(data: &'a [u8], stride: usize) -> Finder<'a> {
        let above = if stride <= WINDOW { stride } else { usize::MAX };
        Finder { data, above, last_positions: Box::new([0; 1 << HASH_BITS]) }
    }

    fn tokens(mut self) -> Tokens {
        let mut tokens = Tokens::new(self.data.len() / 16);
        let mut at = 0;
        while let Some(ahead) = self.data[at..].first_chunk() {
            let (len, distance) = self.repeat(at, ahead);
            if len >= SHORTEST {
                tokens.repeat(len, distance);
                at += len;
            } else {
                tokens.byte(ahead[0]);
                at += 1;
            }
        }
        self.end(at, &mut tokens);
        tokens
    }

    /// Compresses the last bytes, where no repeat can have the maximum length: mostly runs.
    fn end(&self, mut at: usize, tokens: &mut Tokens) {
        while let [byte, ..] = self.data[at..] {
            let run = self.data[at..].iter().take_while(|next| **next == byte).count();
            tokens.byte(byte);
            match run - 1 {
                len @ SHORTEST.. => tokens.repeat(len, 1),
                len => (0..len).for_each(|_| tokens.byte(byte)),
            }
            at += run;
        }
    }

    /// The longest repeat found at a position, and its distance.
    fn repeat(&mut self, at: usize, ahead: &Ahead) -> (usize, usize) {
        let now = word(ahead, 0);
        let mut best = (0, 0);
        if at >= self.above {
            best = (self.same(ahead, now, at - self.above), self.above);
        }
        if at > 0 && self.data[at - 1] == ahead[0] {
            // An equal length is better: a distance of one is the cheapest to write.
            let run = self.same(ahead, now, at - 1);
            best = if run >= best.0 { (run, 1) } else { best };
        }
        if best.0 < GOOD_LENGTH {
            let hash = (now as u32).wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS);
            let last_positions =
                std::mem::replace(&mut self.last_positions[hash as usize], at as u32) as usize;
            if (1..=WINDOW).contains(&(at - last_positions)) {
                let len = self.same(ahead, now, last_positions);
                best = if len > best.0 { (len, at - last_positions) } else { best };
            }
        }
        best
    }

    /// The number of bytes from `earlier` on that equal the next ones; `now` is the first word of those.
    #[inline]
    fn same(&self, ahead: &Ahead, now: u64, earlier: usize) -> usize {
        let Some(then) = self.data[earlier..].first_chunk() else { return 0 };
        match now ^ word(then, 0) {
            0 => same_on(ahead, then),
            differ => differ.trailing_zeros() as usize / 8,
        }
    }
}

/// The number of equal bytes if the first eight are equal: most repeats are shorter.
fn same_on(a: &Ahead, b: &Ahead) -> usize {
    let mut at = 8;
    while at + 32 <= LONGEST && block(a, at) == block(b, at) {
        at += 32;
    }
    while at + 8 <= LONGEST {
        let differ = word(a, at) ^ word(b, at);
        if differ != 0 {
            return at + differ.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + a[at..].iter().zip(&b[at..]).take_while(|(a, b)| a == b).count()
}

#[inline]
fn word(bytes: &Ahead, at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("a word begins eight bytes before the end"))
}

#[inline]
fn block(bytes: &Ahead, at: usize) -> &[u8; 32] {
    bytes[at..].first_chunk().expect("a block begins 32 bytes before the end")
}

impl Tokens {
    fn new(likely: usize) -> Tokens {
        Tokens {
            list: Vec::with_capacity(likely),
            bytes: [0; 256],
            lens: [0; LONGEST + 1],
            distances: [0; DISTANCES],
        }
    }

    fn byte(&mut self, byte: u8) {
        self.bytes[usize::from(byte)] += 1;
        self.list.push(Token { len: 0, back: u16::from(byte) });
    }

    fn repeat(&mut self, len: usize, distance: usize) {
        let back = (distance - 1) as u16;
        self.lens[len] += 1;
        self.distances[usize::from(distance_symbol(back).symbol)] += 1;
        self.list.push(Token { len: len as u16, back });
    }

    /// The frequency of each symbol for literals, the end and lengths.
    fn symbols(&self) -> [u32; SYMBOLS] {
        let mut symbols = [0; SYMBOLS];
        symbols[..256].copy_from_slice(&self.bytes);
        symbols[END] = 1;
        for (count, len) in self.lens.iter().zip(&LENGTHS).skip(SHORTEST) {
            symbols[usize::from(len.symbol)] += count;
        }
        symbols
    }
}

/// A symbol and the extra bits within its range.
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
    // The longest length has a symbol of its own.
    table[LONGEST] = Ranged { symbol: 285, more: 0, more_bits: 0 };
    table
}

fn distance_symbol(back: u16) -> Ranged {
    ranged(back, 1)
}

/// Deflate's ranges: one value per symbol at first, then twice as many after every `2^fine` symbols.
const fn ranged(value: u16, fine: u32) -> Ranged {
    if value >> (fine + 1) == 0 {
        return Ranged { symbol: value, more: 0, more_bits: 0 };
    }
    let more_bits = u16::BITS - 1 - value.leading_zeros() - fine;
    let symbol = (value >> more_bits) + ((more_bits as u16) << fine);
    Ranged { symbol, more: value & ((1 << more_bits) - 1), more_bits: more_bits as u8 }
}

/// The codes of the block.
struct Plan {
    symbols: Vec<Code>,
    distances: Vec<Code>,
    /// The bits of each length: its code and the extra bits.
    lens: [Written; LONGEST + 1],
}

/// Bits that are written together, and their number.
#[derive(Clone, Copy, Default)]
struct Written {
    bits: u32,
    count: u32,
}

impl Written {
    /// A symbol's code and its extra bits, at most 28 bits.
    fn new(codes: &[Code], symbol: Ranged) -> Written {
        let code = codes[usize::from(symbol.symbol)];
        let bits = u32::from(code.bits) | u32::from(symbol.more) << code.len;
        Written { bits, count: u32::from(code.len + symbol.more_bits) }
    }
}

impl Plan {
    fn new(tokens: &Tokens) -> Plan {
        // A tree needs two leaves, so two distances always get a code, used or not.
        let mut distances = tokens.distances;
        distances[0] += 1;
        distances[1] += 1;
        let symbols = huffman::codes(&tokens.symbols(), 15);
        let lens = LENGTHS.map(|len| Written::new(&symbols, len));
        Plan { distances: huffman::codes(&distances, 15), symbols, lens }
    }

    /// An upper bound of the bits of the block.
    fn max_bits(&self, tokens: &Tokens) -> usize {
        let bytes = tokens.bytes.iter().zip(&self.symbols).map(|(n, code)| n * u32::from(code.len));
        let lens = tokens.lens.iter().zip(&self.lens).map(|(n, len)| n * (len.count + 28));
        const CODES: u32 = 14 + 3 * 19 + 14 * (SYMBOLS + DISTANCES) as u32;
        (bytes.chain(lens).sum::<u32>() + CODES + 64) as usize
    }

    /// Writes the block: its codes, then its tokens.
    fn write(&self, bits: &mut Bits, tokens: &Tokens) {
        // The last block, with dynamic codes.
        bits.put(0b101, 3);
        write_codes(bits, &self.symbols, &self.distances);
        for token in &tokens.list {
            if token.len == 0 {
                bits.code(self.symbols[usize::from(token.back)]);
            } else {
                let len = self.lens[usize::from(token.len)];
                let back = Written::new(&self.distances, distance_symbol(token.back));
                let both = u64::from(len.bits) | u64::from(back.bits) << len.count;
                bits.put(both, len.count + back.count);
            }
        }
        bits.code(self.symbols[END]);
    }
}

/// The order of the code length codes (RFC 1951, 3.2.7).
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Writes the lengths of both codes, with runs of zeros compressed.
fn write_codes(bits: &mut Bits, symbols: &[Code], distances: &[Code]) {
    let lens: Vec<u8> = symbols.iter().chain(distances).map(|code| code.len).collect();
    let mut words: Vec<(u8, u64, u32)> = Vec::new();
    for same in lens.chunk_by(|a, b| a == b) {
        let mut left = same.len();
        while left >= 3 && same[0] == 0 {
            let zeros = left.min(138);
            words.push(if zeros > 10 { (18, zeros as u64 - 11, 7) } else { (17, zeros as u64 - 3, 3) });
            left -= zeros;
        }
        words.extend(std::iter::repeat_n((same[0], 0, 0), left));
    }
    // As above, at least two leaves: here a run of zeros and a plain length.
    let mut counts = [0; 19];
    counts[18] = 1;
    counts[1] = 1;
    for (word, ..) in &words {
        counts[usize::from(*word)] += 1;
    }
    let codes = huffman::codes(&counts, 7);
    bits.put((SYMBOLS - 257) as u64, 5);
    bits.put((DISTANCES - 1) as u64, 5);
    bits.put(19 - 4, 4);
    for word in ORDER {
        bits.put(u64::from(codes[word].len), 3);
    }
    for (word, more, more_bits) in words {
        bits.code(codes[usize::from(word)]);
        bits.put(more, more_bits);
    }
}

/// A bit stream, lowest bits first.
struct Bits {
    /// Sized for all bits plus one word.
    out: Vec<u8>,
    /// Whole bytes in `out`.
    done: usize,
    /// Fewer than eight bits that are not yet in `out`, or only as part of a byte.
    held: u64,
    count: u32,
}

impl Bits {
    /// Creates a stream with room for this many bits.
    fn new(max_bits: usize) -> Bits {
        Bits { out: vec![0; max_bits / 8 + 16], done: 0, held: 0, count: 0 }
    }

    fn code(&mut self, code: Code) {
        self.put(u64::from(code.bits), u32::from(code.len));
    }

    /// Writes at most 56 bits. The pending bits are always written as one word: that costs less than checking whether a
    /// byte is full.
    fn put(&mut self, value: u64, count: u32) {
        self.held |= value << self.count;
        self.count += count;
        let word = self.out[self.done..].first_chunk_mut().expect("there is a word more than bits");
        *word = self.held.to_le_bytes();
        self.done += self.count as usize / 8;
        self.held >>= self.count & !7;
        self.count &= 7;
    }

    fn finish(mut self) -> Vec<u8> {
        self.out.truncate(self.done + self.count.div_ceil(8) as usize);
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
