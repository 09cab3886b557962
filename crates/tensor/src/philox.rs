//! TensorFlow's random numbers one by one (Philox 4x32-10), so that a seeded shuffle gives its order.

/// A sequence of random numbers that two seeds determine.
#[derive(Debug)]
pub struct Philox {
    counter: [u32; 4],
    key: [u32; 2],
    /// Numbers of the last block not handed out yet, in reverse.
    left: Vec<u32>,
}

impl Philox {
    /// Returns the sequence of two seeds, as TensorFlow's generator begins it.
    pub fn new(seed: u64, seed2: u64) -> Philox {
        Philox {
            counter: [0, 0, seed2 as u32, (seed2 >> 32) as u32],
            key: [seed as u32, (seed >> 32) as u32],
            left: Vec::new(),
        }
    }

    /// Returns the next number.
    pub fn next_u32(&mut self) -> u32 {
        if let Some(number) = self.left.pop() {
            return number;
        }
        let block = self.block();
        self.left.extend([block[3], block[2], block[1]]);
        block[0]
    }

    /// Passes over so many numbers.
    pub fn skip(&mut self, count: u64) {
        let held = self.left.len().min(usize::try_from(count).unwrap_or(usize::MAX));
        self.left.truncate(self.left.len() - held);
        let rest = count - held as u64;
        self.advance(rest / 4);
        for _ in 0..rest % 4 {
            self.next_u32();
        }
    }

    /// Passes over so many blocks of four numbers.
    fn advance(&mut self, mut blocks: u64) {
        for part in &mut self.counter {
            let sum = u64::from(*part) + (blocks & u64::from(u32::MAX));
            *part = sum as u32;
            blocks = (blocks >> 32) + (sum >> 32);
        }
    }

    fn block(&mut self) -> [u32; 4] {
        let (mut counter, mut key) = (self.counter, self.key);
        for round in 0..10 {
            if round > 0 {
                key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
            }
            let a = 0xD251_1F53u64 * counter[0] as u64;
            let b = 0xCD9E_8D57u64 * counter[2] as u64;
            counter = [
                (b >> 32) as u32 ^ counter[1] ^ key[0],
                b as u32,
                (a >> 32) as u32 ^ counter[3] ^ key[1],
                a as u32,
            ];
        }
        self.advance(1);
        counter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        // From the published test vectors of the generator.
        let mut zero = Philox::new(0, 0);
        assert_eq!(
            [zero.next_u32(), zero.next_u32(), zero.next_u32(), zero.next_u32()],
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        let mut ones = Philox { counter: [u32::MAX; 4], key: [u32::MAX; 2], left: vec![] };
        assert_eq!(ones.next_u32(), 0x408f_276d);
        assert_eq!(ones.counter, [0; 4]);
    }

    #[test]
    fn numbers_can_be_passed_over() {
        let numbers: Vec<u32> = {
            let mut all = Philox::new(3, 4);
            (0..40).map(|_| all.next_u32()).collect()
        };
        for first in 0..6 {
            for skipped in 0..20 {
                let mut some = Philox::new(3, 4);
                (0..first).for_each(|_| {
                    some.next_u32();
                });
                some.skip(skipped);
                assert_eq!(some.next_u32(), numbers[first + skipped as usize]);
            }
        }
        let mut far = Philox::new(3, 4);
        far.skip(u64::MAX);
        assert_eq!(far.counter, [0, 1 << 30, 4, 0]);
    }
}
