//! Prefix codes for deflate (RFC 1951, 3.2.2): canonical and of limited length.

/// The code of a symbol: the bits in writing order (lowest first), and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) len: u8,
}

/// Codes for symbols with these counts, none longer than `limit` bits.
///
/// A symbol that does not occur has no code (length 0). At least two symbols must occur.
pub(super) fn codes(counts: &[u32], limit: u8) -> Vec<Code> {
    canonical(&lengths(counts, limit))
}

/// Huffman code lengths; if they are too long, the counts are flattened until they are not.
fn lengths(counts: &[u32], limit: u8) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = free_lengths(&counts);
        if lengths.iter().all(|len| *len <= limit) {
            return lengths;
        }
        for count in counts.iter_mut().filter(|count| **count > 0) {
            *count = *count / 2 + 1;
        }
    }
}

/// Huffman's algorithm with two queues: leaves by count, and inner nodes in the order of creation.
fn free_lengths(counts: &[u32]) -> Vec<u8> {
    let mut leaves: Vec<usize> = (0..counts.len()).filter(|symbol| counts[*symbol] > 0).collect();
    leaves.sort_by_key(|symbol| counts[*symbol]);
    let mut weights: Vec<u32> = leaves.iter().map(|symbol| counts[*symbol]).collect();
    let mut parents = vec![0; 2 * leaves.len()];
    let (mut leaf, mut joint) = (0, leaves.len());
    for new in leaves.len()..(2 * leaves.len()).saturating_sub(1) {
        let mut weight = 0;
        for _ in 0..2 {
            let leaf_is_lighter =
                leaf < leaves.len() && (joint >= weights.len() || weights[leaf] <= weights[joint]);
            let next = if leaf_is_lighter { &mut leaf } else { &mut joint };
            weight += weights[*next];
            parents[*next] = new;
            *next += 1;
        }
        weights.push(weight);
    }
    let mut depths = vec![0_u8; weights.len()];
    for node in (0..weights.len().saturating_sub(1)).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    let mut lengths = vec![0; counts.len()];
    for (symbol, depth) in leaves.iter().zip(depths) {
        lengths[*symbol] = depth;
    }
    lengths
}

/// Codes in order of length, then symbol.
fn canonical(lengths: &[u8]) -> Vec<Code> {
    let mut codes = vec![Code::default(); lengths.len()];
    let mut next = 0_u16;
    for len in 1..=15_u8 {
        for (code, _) in codes.iter_mut().zip(lengths).filter(|(_, l)| **l == len) {
            // Codes are written from their highest bit, everything else from its lowest.
            *code = Code { bits: next.reverse_bits() >> (16 - len), len };
            next += 1;
        }
        next <<= 1;
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kraft(codes: &[Code]) -> f64 {
        codes.iter().filter(|c| c.len > 0).map(|c| 0.5_f64.powi(i32::from(c.len))).sum()
    }

    #[test]
    fn the_example_of_the_standard() {
        // RFC 1951, 3.2.2: lengths 3 3 3 3 3 2 4 4 give these codes.
        let codes = canonical(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let expected = ["010", "011", "100", "101", "110", "00", "1110", "1111"];
        for (code, expected) in codes.iter().zip(expected) {
            let written: String =
                (0..code.len).map(|n| if code.bits >> n & 1 == 1 { '1' } else { '0' }).collect();
            assert_eq!(written, expected);
        }
    }

    #[test]
    fn rare_symbols_have_long_codes_and_absent_ones_none() {
        let lens: Vec<u8> = codes(&[8, 0, 4, 2, 1, 1], 15).iter().map(|c| c.len).collect();
        assert_eq!(lens, [1, 0, 2, 3, 4, 4]);
    }

    #[test]
    fn codes_keep_to_their_limit_and_fill_the_tree() {
        // Fibonacci counts give the deepest tree.
        let mut counts = vec![1_u32, 1];
        while counts.len() < 30 {
            counts.push(counts[counts.len() - 1] + counts[counts.len() - 2]);
        }
        for limit in [7, 15] {
            let codes = codes(&counts, limit);
            assert!(codes.iter().all(|c| c.len > 0 && c.len <= limit));
            assert!((kraft(&codes) - 1.0).abs() < 1e-9);
        }
        assert!((kraft(&codes(&[5, 9], 15)) - 1.0).abs() < 1e-9);
    }
}
