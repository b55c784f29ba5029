//! LZW as GIF wants it (GIF89a, appendix F), quick over long runs of one colour.
//!
//! The general encoders walk a dictionary byte by byte. Boards are mostly runs, and the words "n
//! times this colour" are learnt one after the other: their codes are kept in a list for each
//! colour, so that the longest known one is found without walking.

use super::canvas::run;

/// Bits of a colour.
const DEPTH: u8 = 8;
const CLEAR: u16 = 1 << DEPTH;
const STOP: u16 = CLEAR + 1;
const FIRST: u16 = CLEAR + 2;
const LAST: u16 = 4095;

/// Slots of the dictionary's hash table, two for each word, so that probes stay short.
const SLOT_BITS: u32 = 13;
/// No word: its code would have to come after the last.
const EMPTY: u32 = u32::MAX;
/// Bits of a word's code in its slot; above them its prefix and last colour.
const CODE_BITS: u32 = 12;

/// Packs frames. Kept from frame to frame for its memory, not for what it learnt.
pub(super) struct Packer {
    /// For each colour, the codes of two, three, four … pixels of it.
    runs: Vec<Vec<u16>>,
    /// Words of several colours: prefix, last colour and the word's own code.
    slots: Vec<u32>,
    held: Held,
    /// The code for the next word.
    next: u16,
    bits: Bits,
}

/// What was read and is not written yet: always a known word.
#[derive(Clone, Copy)]
enum Held {
    Nothing,
    Run { colour: u8, len: usize },
    Word(u16),
}

impl Packer {
    pub(super) fn new() -> Packer {
        Packer {
            runs: vec![Vec::new(); usize::from(CLEAR)],
            slots: vec![EMPTY; 1 << SLOT_BITS],
            held: Held::Nothing,
            next: FIRST,
            bits: Bits { out: Vec::new(), held: 0, count: 0, width: DEPTH + 1 },
        }
    }

    /// Packs rows of colour indices as GIF's image data: the depth, then the codes, not yet cut into
    /// blocks.
    pub(super) fn pack<R: AsRef<[u8]>>(&mut self, rows: impl IntoIterator<Item = R>) -> Vec<u8> {
        self.bits.out.push(DEPTH);
        self.clear();
        for row in rows {
            let mut pixels = row.as_ref();
            while let [colour, ..] = pixels {
                let len = run(pixels);
                self.take(*colour, len);
                pixels = &pixels[len..];
            }
        }
        self.write_held();
        self.bits.put(STOP);
        self.bits.finish()
    }

    /// Takes so many pixels of one colour.
    fn take(&mut self, colour: u8, mut len: usize) {
        while len > 0 {
            len -= match self.held {
                Held::Nothing => self.begin(colour, len),
                Held::Run { colour: same, len: held } if same == colour => self.stretch(colour, held, len),
                _ => self.step(colour, len),
            };
        }
    }

    /// Holds the longest known word of one colour; returns how many pixels that takes.
    fn begin(&mut self, colour: u8, len: usize) -> usize {
        let known = len.min(self.runs[usize::from(colour)].len() + 1);
        self.held = Held::Run { colour, len: known };
        known
    }

    /// Goes on within one colour: as far as a known word reaches, else learns the next longer one.
    fn stretch(&mut self, colour: u8, held: usize, len: usize) -> usize {
        let longest = self.runs[usize::from(colour)].len() + 1;
        if longest > held {
            let reach = longest.min(held + len);
            self.held = Held::Run { colour, len: reach };
            return reach - held;
        }
        if let Some(code) = self.write_held() {
            self.runs[usize::from(colour)].push(code);
        }
        self.begin(colour, len)
    }

    /// Goes on with another colour: along a known word, else learns one.
    fn step(&mut self, colour: u8, len: usize) -> usize {
        let key = u32::from(self.held_code()) << DEPTH | u32::from(colour);
        let mut slot = (key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - SLOT_BITS)) as usize;
        while self.slots[slot] != EMPTY {
            if self.slots[slot] >> CODE_BITS == key {
                self.held = Held::Word((self.slots[slot] & u32::from(LAST)) as u16);
                return 1;
            }
            slot = (slot + 1) % (1 << SLOT_BITS);
        }
        if let Some(code) = self.write_held() {
            self.slots[slot] = key << CODE_BITS | u32::from(code);
        }
        self.begin(colour, len)
    }

    fn held_code(&self) -> u16 {
        match self.held {
            Held::Nothing => CLEAR,
            Held::Run { colour, len: 1 } => u16::from(colour),
            Held::Run { colour, len } => self.runs[usize::from(colour)][len - 2],
            Held::Word(code) => code,
        }
    }

    /// Writes what is held. Returns the code of the word to learn, unless the dictionary was full:
    /// then it is cleared instead.
    fn write_held(&mut self) -> Option<u16> {
        if matches!(self.held, Held::Nothing) {
            return None;
        }
        self.bits.put(self.held_code());
        if self.next > LAST {
            self.clear();
            return None;
        }
        let code = self.next;
        self.next += 1;
        // The reader has learnt the word before this one, and widens its codes by that count.
        if code == 1 << self.bits.width {
            self.bits.width += 1;
        }
        Some(code)
    }

    /// Forgets all words and tells the reader to.
    fn clear(&mut self) {
        self.bits.put(CLEAR);
        self.bits.width = DEPTH + 1;
        self.runs.iter_mut().for_each(Vec::clear);
        self.slots.fill(EMPTY);
        self.held = Held::Nothing;
        self.next = FIRST;
    }
}

/// Codes of `width` bits, the lowest first.
struct Bits {
    out: Vec<u8>,
    held: u64,
    count: u32,
    width: u8,
}

impl Bits {
    fn put(&mut self, code: u16) {
        self.held |= u64::from(code) << self.count;
        self.count += u32::from(self.width);
        if self.count >= 32 {
            self.out.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= 32;
            self.count -= 32;
        }
    }

    fn finish(&mut self) -> Vec<u8> {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.held.to_le_bytes()[..bytes]);
        (self.held, self.count, self.width) = (0, 0, DEPTH + 1);
        std::mem::take(&mut self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads image data back with the decoder of the gif crate.
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
    fn what_is_packed_reads_back() {
        let mut noise = 7_u32;
        let mut packer = Packer::new();
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
        let data = Packer::new().pack(rows);
        assert!(data.len() < 1300, "{}", data.len());
        assert!(unpacked(data, 600, 600).iter().all(|v| *v == 9));
    }
}
