//! Random changes to inputs, of the kinds that break parsers: lengths that lie, pieces that repeat or are missing,
//! numbers at the edge of their range.

use fastrand::Rng;

/// Inputs do not grow beyond this; parsers that loop do so for small ones too.
const MAX_LENGTH: usize = 16 << 10;

/// Values at which lengths, counts and signs go wrong.
const EDGES: [u64; 16] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    1 << 20,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1 << 40,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    u64::MAX,
];

/// Numbers as text formats have them.
const WORDS: [&str; 10] = [
    "0",
    "-1",
    "1e999",
    "nan",
    "9223372036854775807",
    "18446744073709551616",
    "null",
    "\"\"",
    "[]",
    "{}",
];

/// Changes `input` in one to eight places; pieces are also taken from `other`.
pub fn mutate(random: &mut Rng, input: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..1 << random.u32(0..4) {
        change(random, input, other);
        input.truncate(MAX_LENGTH);
    }
}

fn change(random: &mut Rng, input: &mut Vec<u8>, other: &[u8]) {
    if input.is_empty() {
        input.push(random.u8(..));
    }
    let at = random.usize(..input.len());
    match random.u32(0..10) {
        0 => input[at] ^= 1 << random.u32(0..8),
        1 => input[at] = random.u8(..),
        2 => input[at] = input[at].wrapping_add_signed(random.i8(-16..=16)),
        3 => put_number(random, &mut input[at..]),
        4 => drop(input.drain(at..(at + length(random)).min(input.len()))),
        5 => {
            let end = (at + length(random)).min(input.len());
            input.extend_from_within(at..end);
            input[at..].rotate_right(end - at);
        }
        6 => {
            let bytes: Vec<u8> = (0..length(random)).map(|_| random.u8(..)).collect();
            drop(input.splice(at..at, bytes));
        }
        7 => put_word(random, input, at),
        8 if !other.is_empty() => {
            let from = random.usize(..other.len());
            let piece = &other[from..(from + length(random)).min(other.len())];
            let end = if random.bool() { at } else { (at + piece.len()).min(input.len()) };
            drop(input.splice(at..end, piece.iter().copied()));
        }
        _ => input.truncate(at),
    }
}

/// Mostly short, sometimes long.
fn length(random: &mut Rng) -> usize {
    let most = 1 << random.u32(0..10);
    random.usize(1..=most)
}

/// Writes one of the `EDGES` in 1, 2, 4 or 8 bytes, in either order.
fn put_number(random: &mut Rng, place: &mut [u8]) {
    let number = EDGES[random.usize(..EDGES.len())];
    let width = 1 << random.u32(0..4);
    let bytes = match random.bool() {
        true => number.to_le_bytes()[..width].to_vec(),
        false => number.to_be_bytes()[8 - width..].to_vec(),
    };
    place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
}

/// Replaces the digits around `at` by one of the `WORDS`, or writes one there.
fn put_word(random: &mut Rng, input: &mut Vec<u8>, at: usize) {
    let digits = |byte: &&u8| byte.is_ascii_digit();
    let before = input[..at].iter().rev().take_while(digits).count();
    let after = input[at..].iter().take_while(digits).count();
    let word = WORDS[random.usize(..WORDS.len())];
    drop(input.splice(at - before..at + after, word.bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs_and_none_is_too_long() {
        let inputs = |seed| {
            let mut random = Rng::with_seed(seed);
            let mut input = b"some bytes and 17 numbers".to_vec();
            let change = |_| {
                mutate(&mut random, &mut input, b"other");
                assert!(input.len() <= MAX_LENGTH);
                input.clone()
            };
            (0..2000).map(change).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }
}
