//! LZW for GIF (GIF89a, appendix F), fast over long runs of one colour.
//!
//! General encoders walk a dictionary byte by byte. Boards are mostly runs, and the words "n times this colour" are
//! learnt one after the other: their codes are kept in a list for each colour, so the longest known one is found
//! without walking.

use super::canvas::run;

/// Bits of a colour.
const DEPTH: u8 = 8;
const CLEAR: u16 = 1 << DEPTH;
const STOP: u16 = CLEAR + 1;
const FIRST: u16 = CLEAR + 2;
const LAST: u16 = 4095;

/// Slots of the dictionary's hash table, two per word, so that probe sequences stay short.
const SLOT_BITS: u32 = 13;
/// An empty slot: no word has this value, since its code would exceed the largest one.
const EMPTY: u32 = u32::MAX;
/// Bits of a word's code in its slot; above them are its prefix and last colour.
const CODE_BITS: u32 = 12;

/// Packs frames. Reused between frames for its memory, not for its dictionary.
pub(super) struct LzwEncoder {
    /// For each colour, the codes of two, three, four … pixels.
    runs: Vec<Vec<u16>>,
    /// Words of several colours: prefix, last colour and the word's own code.
    slots: Vec<u32>,
    held: PendingWord,
    /// The code for the next word.
    next: u16,
    bits: Bits,
}

/// The pending input: always a known word, or nothing ([`CLEAR`]).
#[derive(Clone, Copy)]
struct PendingWord {
    code: u16,
    /// Its colour and the number of pixels if it has a single colour; otherwise zero pixels.
    colour: u8,
    run: usize,
}

const NOTHING: PendingWord = PendingWord { code: CLEAR, colour: 0, run: 0 };

impl LzwEncoder {
    pub(super) fn new() -> LzwEncoder {
        LzwEncoder {
            runs: vec![Vec::new(); usize::from(CLEAR)],
            slots: vec![EMPTY; 1 << SLOT_BITS],
            held: NOTHING,
            next: FIRST,
            bits: Bits::new(),
        }
    }

    /// Packs rows of colour indices as GIF image data: the depth, then the codes, not yet split into blocks.
    pub(super) fn pack<R: AsRef<[u8]>>(&mut self, rows: impl IntoIterator<Item = R>) -> Vec<u8> {
        self.clear();
        for row in rows {
            let mut pixels = row.as_ref();
            while let [colour, ..] = *pixels {
                let len = run(pixels);
                self.take(colour, len);
                pixels = &pixels[len..];
            }
        }
        if self.held.code != CLEAR {
            self.write_held();
        }
        self.bits.put(STOP);
        self.bits.finish()
    }

    /// Adds a run of pixels of one colour.
    fn take(&mut self, colour: u8, mut len: usize) {
        while len > 0 {
            len -= if self.held.code == CLEAR {
                self.begin(colour, len)
            } else if self.held.run > 0 && self.held.colour == colour {
                self.stretch(len)
            } else {
                self.step(colour, len)
            };
        }
    }

    /// Holds the longest known word of one colour; returns its number of pixels.
    fn begin(&mut self, colour: u8, len: usize) -> usize {
        let known = &self.runs[usize::from(colour)];
        let run = len.min(known.len() + 1);
        let code = if run == 1 { u16::from(colour) } else { known[run - 2] };
        self.held = PendingWord { code, colour, run };
        run
    }

    /// Continues within the held colour: as far as a known word reaches, otherwise learns the next longer one.
    fn stretch(&mut self, len: usize) -> usize {
        let PendingWord { colour, run, .. } = self.held;
        let known = &self.runs[usize::from(colour)];
        if known.len() + 1 > run {
            let reach = (known.len() + 1).min(run + len);
            self.held = PendingWord { code: known[reach - 2], colour, run: reach };
            return reach - run;
        }
        if let Some(code) = self.write_held() {
            self.runs[usize::from(colour)].push(code);
        }
        self.begin(colour, len)
    }

    /// Continues with another colour: along a known word, otherwise learns one.
    fn step(&mut self, colour: u8, len: usize) -> usize {
        let key = u32::from(self.held.code) << DEPTH | u32::from(colour);
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - SLOT_BITS)) as usize;
        loop {
            let word = self.slots[slot];
            if word == EMPTY {
                break;
            }
            if word >> CODE_BITS == key {
                self.held = PendingWord { code: word as u16 & LAST, colour, run: 0 };
                return 1;
            }
            slot = (slot + 1) % (1 << SLOT_BITS);
        }
        if let Some(code) = self.write_held() {
            self.slots[slot] = key << CODE_BITS | u32::from(code);
        }
        self.begin(colour, len)
    }

    /// Writes the held word. Returns the code of the word to learn, unless the dictionary was full: then it is cleared
    /// instead.
    fn write_held(&mut self) -> Option<u16> {
        self.bits.put(self.held.code);
        if self.next > LAST {
            self.clear();
            return None;
        }
        let code = self.next;
        self.next += 1;
        // The decoder has learnt the word before this one, and widens its codes by that count.
        self.bits.width += u32::from(code >> self.bits.width);
        Some(code)
    }

    /// Forgets all words and tells the decoder to do the same.
    fn clear(&mut self) {
        self.bits.put(CLEAR);
        self.bits.width = WIDTH;
        self.runs.iter_mut().for_each(Vec::clear);
        self.slots.fill(EMPTY);
        self.held = NOTHING;
        self.next = FIRST;
    }
}

/// Bits of a code when nothing has been learnt.
const WIDTH: u32 = DEPTH as u32 + 1;

/// Codes of `width` bits, lowest bits first, after a byte with the bits per colour.
struct Bits {
    /// The first `done` bytes are written; the rest is free space.
    out: Vec<u8>,
    done: usize,
    held: u64,
    count: u32,
    width: u32,
}

impl Bits {
    fn new() -> Bits {
        Bits { out: vec![DEPTH; 1 << 15], done: 1, held: 0, count: 0, width: WIDTH }
    }

    /// The pending bits are always written as one word: that costs less than checking whether a byte is full.
    fn put(&mut self, code: u16) {
        self.held |= u64::from(code) << self.count;
        self.count += self.width;
        if self.done + 8 > self.out.len() {
            self.out.resize(self.out.len() * 2, 0);
        }
        let word = self.out[self.done..].first_chunk_mut().expect("there is room for a word");
        *word = self.held.to_le_bytes();
        self.done += self.count as usize / 8;
        self.held >>= self.count & !7;
        self.count &= 7;
    }

    /// All codes so far, with free space for new ones.
    fn finish(&mut self) -> Vec<u8> {
        let packed = self.out[..self.done + self.count.div_ceil(8) as usize].to_vec();
        (self.done, self.held, self.count, self.width) = (1, 0, 0, WIDTH);
        packed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes image data with the gif crate.
    fn unpacked(data: Vec<u8>, width: u16, height: u16) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = gif::Encoder::new(&mut file, width, height, &[0; 768]).unwrap();
        let frame = gif::Frame { width, height, buffer: data.into(), ..gif::Frame::default() };
        encoder.write_lzw_pre_encoded_frame(&frame).unwrap();
        drop(encoder);
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&file[..]).unwrap();
        decoder.read_next_frame().unwrap().unwrap().buffer.to_vec()
    }

    #[test]
    fn lzw_round_trips() {
        let mut noise = 7_u32;
        let mut packer = LzwEncoder::new();
        for (width, height, most_run) in
            [(1, 1, 1), (3, 2, 9), (600, 600, 90), (500, 400, 2), (255, 255, 400)]
        {
            let mut pixels = Vec::new();
            while pixels.len() < usize::from(width) * usize::from(height) {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let run = (noise >> 8) % most_run + 1;
                pixels.extend(std::iter::repeat_n((noise >> 27) as u8 * 8, run as usize));
            }
            pixels.truncate(usize::from(width) * usize::from(height));
            let data = packer.pack(pixels.chunks(usize::from(width)));
            assert!(unpacked(data, width, height) == pixels, "{width}x{height}, runs to {most_run}");
        }
    }

    #[test]
    fn one_colour_costs_the_square_root_of_its_pixels() {
        let rows = vec![[9_u8; 600]; 600];
        let data = LzwEncoder::new().pack(rows);
        assert!(data.len() < 1300, "{}", data.len());
        assert!(unpacked(data, 600, 600).iter().all(|v| *v == 9));
    }
}
