//! Huffman codes for encoding: the standard's, or the best for what is to be encoded.

use super::huffman::Description;

/// A code made ready for encoding.
pub(super) struct Codes {
    /// By symbol: the code's bits and its length.
    codes: [(u16, u8); 256],
}

impl Codes {
    pub fn new(description: &Description) -> Codes {
        let mut codes = [(0, 0); 256];
        let (mut code, mut index) = (0u32, 0);
        for (length, &count) in description.counts.iter().enumerate() {
            for _ in 0..count {
                codes[description.symbols[index] as usize] = (code as u16, length as u8 + 1);
                code += 1;
                index += 1;
            }
            code <<= 1;
        }
        Codes { codes }
    }

    /// Returns the bits of a symbol's code and their number.
    pub fn code(&self, symbol: u8) -> (u16, u8) {
        self.codes[symbol as usize]
    }
}

/// Returns the best code for symbols that occur so often, as libjpeg finds it. No code consists of ones only, and none
/// is longer than 16 bits.
pub(super) fn optimal(counts: &[u32; 256]) -> Description {
    // Symbol 256 takes the code of ones.
    let mut counts: Vec<u64> = counts.iter().map(|&c| c as u64).chain([1]).collect();
    let mut sizes = [0usize; 257];
    let mut others = [usize::MAX; 257];
    loop {
        let rarest = |except: usize| {
            let mut best: Option<usize> = None;
            for i in (0..257).filter(|&i| i != except && counts[i] > 0) {
                if best.is_none_or(|b| counts[i] <= counts[b]) {
                    best = Some(i);
                }
            }
            best
        };
        let Some(first) = rarest(usize::MAX) else { break };
        let Some(second) = rarest(first) else { break };
        counts[first] += counts[second];
        counts[second] = 0;
        // Both trees, which become one, are a level deeper.
        let mut last = first;
        sizes[last] += 1;
        while others[last] != usize::MAX {
            last = others[last];
            sizes[last] += 1;
        }
        others[last] = second;
        let mut last = second;
        sizes[last] += 1;
        while others[last] != usize::MAX {
            last = others[last];
            sizes[last] += 1;
        }
    }
    let mut lengths = [0u32; 258];
    for &size in sizes.iter().filter(|&&size| size > 0) {
        lengths[size] += 1;
    }
    // Two codes that are too long share a prefix: one takes it, the other moves beside a shorter code.
    for length in (17..258).rev() {
        while lengths[length] > 0 {
            let mut shorter = length - 2;
            while lengths[shorter] == 0 {
                shorter -= 1;
            }
            lengths[length] -= 2;
            lengths[length - 1] += 1;
            lengths[shorter + 1] += 2;
            lengths[shorter] -= 1;
        }
    }
    if let Some(longest) = (1..=16).rev().find(|&length| lengths[length] > 0) {
        lengths[longest] -= 1;
    }
    let mut description = Description { counts: [0; 16], symbols: [0; 256] };
    for (to, &from) in description.counts.iter_mut().zip(&lengths[1..]) {
        *to = from as u8;
    }
    let mut symbols: Vec<u8> = (0..=255u8).filter(|&s| sizes[s as usize] > 0).collect();
    symbols.sort_by_key(|&s| sizes[s as usize]);
    description.symbols[..symbols.len()].copy_from_slice(&symbols);
    description
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_short_for_what_is_frequent_and_never_too_long() {
        let mut counts = [0u32; 256];
        // Fibonacci's numbers make the deepest trees.
        let (mut a, mut b) = (1u32, 1u32);
        for count in counts.iter_mut().take(40) {
            *count = a;
            (a, b) = (b, a + b);
        }
        let description = optimal(&counts);
        let total: usize = description.counts.iter().map(|&c| c as usize).sum();
        assert_eq!(total, 40);
        let codes = Codes::new(&description);
        assert!(codes.code(39).1 <= 2);
        assert!((0..40).all(|s| (1..=16).contains(&codes.code(s).1)));
    }

    #[test]
    fn one_symbol_has_a_code() {
        let mut counts = [0u32; 256];
        counts[7] = 3;
        assert_eq!(Codes::new(&optimal(&counts)).code(7), (0, 1));
    }
}
