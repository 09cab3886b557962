//! Where in the loops of a step a node runs: part of the name under which its values cross to other tasks.
//!
//! Every task runs its own part of a loop and numbers the frame by itself, so that all tasks, TensorFlow's
//! among them, must come to the same number: the hash below is TensorFlow's.

/// An iteration of an instance of a loop frame; zeros outside of all loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameIteration {
    pub frame: u64,
    pub iteration: u64,
}

impl FrameIteration {
    pub fn is_root(self) -> bool {
        self == FrameIteration::default()
    }

    /// The number of the frame that is entered from here, by the hash of its name.
    pub(crate) fn enter(self, name: u64) -> u64 {
        combine(self.frame, combine(self.iteration, name))
    }
}

fn combine(a: u64, b: u64) -> u64 {
    a ^ b.wrapping_add(0x9e37_79b9_7f4a_7800).wrapping_add(a << 10).wrapping_add(a >> 4)
}

/// MurmurHash64A with TensorFlow's seed.
pub(crate) fn hash_name(name: &str) -> u64 {
    const SEED: u64 = 0x00de_cafc_affe;
    const FACTOR: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |word: u64| {
        let word = word.wrapping_mul(FACTOR);
        (word ^ word >> 47).wrapping_mul(FACTOR)
    };
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut hash = SEED ^ (name.len() as u64).wrapping_mul(FACTOR);
    for word in words {
        hash = (hash ^ mix(u64::from_le_bytes(*word))).wrapping_mul(FACTOR);
    }
    if !rest.is_empty() {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    hash = (hash ^ hash >> 47).wrapping_mul(FACTOR);
    hash ^ hash >> 47
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hash_as_in_tensorflow() {
        // Values of TensorFlow 2.21's Hash64.
        for (name, hash) in [
            ("", 0x81769421199f9e3b),
            ("a", 0x29962dc026eac9fc),
            ("while", 0x1b37da2ab8e70f9d),
            ("12345678", 0x05d826b62696d2b7),
            ("while/while_context", 0xbff3656e447e77d6),
            ("a/rather/long/scope/while/while_context_12", 0xb33b4fec32bf4153),
        ] {
            assert_eq!(hash_name(name), hash, "{name}");
        }
    }

    #[test]
    fn frames_are_numbered_as_in_tensorflow() {
        let outer = FrameIteration::default().enter(hash_name("while/while_context"));
        assert_eq!(outer, 0xfc6258e1431367d6);
        let inner = FrameIteration { frame: outer, iteration: 3 }.enter(hash_name("inner"));
        assert_eq!(inner, 0xfa534baf74a46cc5);
    }
}
